"""KIP-315: its worked cases, and what the rebalance facts add to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    StreamJoinAssignmentUserData,
    StreamJoinSubscriptionUserData,
)
from kproto.rebalance import ASSIGNORS, CHECKS, Member, Outcome, Reading, Readings
from kproto.rebalance.assignors.registry import built_in

ASSIGNOR = ASSIGNORS["stream-join"]
BOTH = ("clicks", "impressions")


def member(
    member_id: str, numbers: list[int] | None = None, epoch: int = 0, topics: tuple[str, ...] = BOTH
) -> Member:
    user_data = None
    if numbers is not None:
        user_data = StreamJoinSubscriptionUserData(
            partition_numbers=numbers, epoch=epoch
        ).to_bytes()
    return Member(member_id, ConsumerProtocolSubscription(topics=topics, user_data=user_data))


def numbers_of(assigned: dict[str, ConsumerProtocolAssignment]) -> dict[str, list[int]]:
    """The numbers of each member, after checking that they are the same in all its topics."""
    found = {}
    for member_id, assignment in assigned.items():
        different = {one.partitions for one in assignment.assigned_partitions} or {()}
        assert len(different) == 1
        found[member_id] = list(different.pop())
    return found


def epoch_of(assigned: dict[str, ConsumerProtocolAssignment]) -> int:
    epochs = set()
    for assignment in assigned.values():
        assert assignment.user_data is not None
        epochs.add(StreamJoinAssignmentUserData.from_bytes(assignment.user_data).epoch)
    (epoch,) = epochs
    return epoch


def divide(topics: dict[str, int], *members: Member) -> dict[str, ConsumerProtocolAssignment]:
    return ASSIGNOR.assign(members, topics)


TEN = dict.fromkeys(BOTH, 10)


def test_ten_numbers_for_four_members_then_one_leaves_and_only_its_numbers_move() -> None:
    group = [
        member("A", [0, 1, 2]),
        member("B", [3, 4, 5]),
        member("C", [6, 7]),
        member("D", [8, 9]),
    ]
    assert numbers_of(divide(TEN, *group)) == {
        "A": [0, 1, 2], "B": [3, 4, 5], "C": [6, 7], "D": [8, 9],
    }  # fmt: skip
    left = numbers_of(divide(TEN, *group[:3]))
    assert {8, 9} == {n for numbers in left.values() for n in numbers} - set(range(8))
    assert set(left["A"]) > {0, 1, 2} or set(left["B"]) > {3, 4, 5} or set(left["C"]) > {6, 7}
    for before, after in zip(([0, 1, 2], [3, 4, 5], [6, 7]), left.values(), strict=True):
        assert set(before) <= set(after)
    assert sorted(map(len, left.values())) == [3, 3, 4]


def test_a_newcomer_steals_from_the_longest_lists() -> None:
    group = [member("A", [0, 1, 2, 3]), member("B", [4, 5, 6]), member("C", [7, 8, 9])]
    after = numbers_of(divide(TEN, *group, member("D")))
    assert sorted(map(len, after.values())) == [2, 2, 3, 3]
    assert 3 in after["D"]  # the first one comes from A, which had most
    assert len(after["D"]) == 2
    for before, member_id in (({0, 1, 2, 3}, "A"), ({4, 5, 6}, "B"), ({7, 8, 9}, "C")):
        assert set(after[member_id]) <= before


def test_the_higher_epoch_has_the_number_and_the_next_one_is_one_more() -> None:
    zombie, owner = member("A", [0, 1, 2, 3, 4], epoch=6), member("B", [4, 5, 6, 7, 8, 9], epoch=7)
    assigned = divide(TEN, zombie, owner)
    assert 4 in numbers_of(assigned)["B"]
    assert epoch_of(assigned) == 8


def test_members_that_owned_nothing_start_the_epochs_at_zero() -> None:
    assert epoch_of(divide(TEN, member("A"), member("B"))) == 0


def test_equal_epochs_are_void_for_both_or_the_first_one_has_it() -> None:
    topics = dict.fromkeys(BOTH, 4)
    group = [member("A", [0, 3], 5), member("B", [1, 3], 5)]
    # Void: 2 and 3 belong to nobody, and are picked in turn, A first.
    assert numbers_of(ASSIGNOR.assign(group, topics)) == {"A": [0, 2], "B": [1, 3]}
    text = built_in(Readings(same_epoch_claims=Reading.TEXT))["stream-join"]
    assert numbers_of(text.assign(group, topics)) == {"A": [0, 3], "B": [1, 2]}


def test_numbers_that_not_every_topic_has_wait() -> None:
    group = [member("A", [0, 1, 2], 1), member("B", [3, 4, 5], 1)]
    grown = {"clicks": 12, "impressions": 6}
    assert numbers_of(divide(grown, *group)) == {"A": [0, 1, 2], "B": [3, 4, 5]}
    shrunk = {"clicks": 6, "impressions": 4}
    numbers = numbers_of(divide(shrunk, *group))
    assert sorted(numbers["A"] + numbers["B"]) == [0, 1, 2, 3]


def test_a_topic_of_one_member_is_assigned_only_as_far_as_its_numbers_go() -> None:
    trying = member("A", [0, 1, 2], 1, topics=(*BOTH, "new"))
    assigned = divide(TEN | {"new": 10}, trying, member("B", [3, 4, 5, 6, 7, 8, 9], 1))
    given_out = {
        one.topic: one.partitions
        for assignment in assigned.values()
        for one in assignment.assigned_partitions
        if one.topic == "new"
    }
    assert set(given_out) == {"new"}
    assert len(given_out["new"]) == 5
    assert set(given_out["new"]) >= {0, 1, 2}


def test_members_and_topics_that_are_no_part_of_the_join() -> None:
    assigned = divide(TEN, member("A"), member("B", topics=()), member("C", topics=("gone",)))
    assert numbers_of(assigned) == {"A": list(range(10)), "B": [], "C": []}
    assert numbers_of(divide({}, member("A"))) == {"A": []}
    assert divide(TEN) == {}


@pytest.mark.parametrize(
    "user_data",
    [
        b"",
        b"\0",
        b"\0\0\x7f\xff\xff\xff",
        b"\0\x09" + b"\0" * 8,
        StreamJoinSubscriptionUserData(
            partition_numbers=[-5, 0, 0, 2**31 - 1], epoch=2**31 - 1
        ).to_bytes(),
        StreamJoinSubscriptionUserData(partition_numbers=[3], epoch=-(2**31)).to_bytes(),
    ],
    ids=["empty", "short", "hostile-count", "future", "strange-numbers", "lowest-epoch"],
)
def test_user_data_of_any_kind_costs_nobody_a_place(user_data: bytes) -> None:
    odd = Member("odd", ConsumerProtocolSubscription(topics=BOTH, user_data=user_data))
    assigned = divide(TEN, odd, member("B"))
    assert sorted(map(len, numbers_of(assigned).values())) == [5, 5]


def test_what_a_member_sends_is_what_it_was_given() -> None:
    assigned = divide(TEN, member("A", [0, 1], 3), member("B"))
    memory = ASSIGNOR.on_assignment(assigned["A"], generation=12)
    data = ASSIGNOR.subscription_user_data(BOTH, memory)
    assert data is not None
    sent = StreamJoinSubscriptionUserData.from_bytes(data)
    assert list(sent.partition_numbers) == numbers_of(assigned)["A"]
    assert sent.epoch == 4
    assert ASSIGNOR.subscription_user_data(BOTH, None) is None


histories = st.lists(
    st.lists(st.sampled_from("ABCDEFGH"), min_size=1, unique=True), min_size=1, max_size=6
)


@given(histories, st.integers(1, 24))
def test_rebalance_after_rebalance_moves_no_more_than_balance_asks(
    history: list[list[str]], count: int
) -> None:
    """In every round all numbers are owned, sizes differ by one at most, joins are local, and a
    number moves only where its owner left or had more than the new sizes allow."""
    topics = dict.fromkeys(BOTH, count)
    memories: dict[str, object] = {}
    before: dict[str, list[int]] = {}
    for ids in history:
        group = [
            Member(
                one,
                ConsumerProtocolSubscription(
                    topics=BOTH, user_data=ASSIGNOR.subscription_user_data(BOTH, memories.get(one))
                ),
            )
            for one in ids
        ]
        assigned = ASSIGNOR.assign(group, topics)
        outcome = Outcome(group, topics, assigned)
        for name in ("validity", "completeness", "co-location"):
            assert not list(CHECKS[name](outcome))
        after = numbers_of(assigned)
        sizes = sorted(map(len, after.values()))
        assert sizes[-1] - sizes[0] <= 1
        for one in ids:
            kept = set(before.get(one, ())) & set(after[one])
            assert len(kept) >= min(len(before.get(one, ())), sizes[0])
        memories = {one: ASSIGNOR.on_assignment(assigned[one], 0) for one in ids}
        before = after
