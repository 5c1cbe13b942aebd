"""The checks find what is wrong, and the assignors' promises are what they say."""

from __future__ import annotations

import pytest

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, CHECKS, Member, Outcome

Entry = ConsumerProtocolAssignment.TopicPartition
Owned = ConsumerProtocolSubscription.TopicPartition


def member(member_id: str, *topics: str, **owned: list[int]) -> Member:
    claimed = [Owned(topic=topic, partitions=numbers) for topic, numbers in owned.items()]
    return Member(
        member_id,
        ConsumerProtocolSubscription(topics=topics, owned_partitions=claimed, generation_id=1),
    )


def hand(**numbers: list[int]) -> ConsumerProtocolAssignment:
    return ConsumerProtocolAssignment(
        assigned_partitions=[Entry(topic=name, partitions=one) for name, one in numbers.items()]
    )


A, B = member("a", "t", "u"), member("b", "t")

PLANTED = [
    ("validity", {"a": hand()}, ["b has no answer"]),
    ("validity", {"a": hand(), "b": hand(), "c": hand()}, ["c is no member"]),
    ("validity", {"a": hand(t=[4]), "b": hand(t=[-1])}, [
        "a has t-4, which does not exist", "b has t--1, which does not exist"]),
    ("validity", {"a": hand(), "b": hand(u=[0])}, ["b has u-0, to which it does not subscribe"]),
    ("validity", {"a": hand(t=[0]), "b": hand(t=[0])}, ["t-0 belongs to a and to b"]),
    ("validity", {"a": hand(t=[0, 0]), "b": hand()}, ["t-0 belongs to a and to a"]),
    ("completeness", {"a": hand(t=[0, 1, 2], u=[0]), "b": hand()}, [
        "t-3 belongs to nobody", "u-1 belongs to nobody"]),
    ("balance", {"a": hand(t=[0], u=[0, 1]), "b": hand(t=[1])}, [
        "t: a has 3 partitions and b only 1"]),
    ("stickiness", {"a": hand(u=[0, 1]), "b": hand(t=[0, 1, 2])}, [
        "t-0 moved from a, which has 2 partitions, to b, which has 3"]),
    ("co-location", {"a": hand(t=[0], u=[1]), "b": hand(t=[1])}, [
        "number 1 is spread over a, b"]),
    ("revoked-before-given", {"a": hand(), "b": hand(t=[3, 0])}, [
        "t-3 is given to b before its owner has revoked it"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "assigned", "said"), PLANTED, ids=range(len(PLANTED)))
def test_a_planted_error_is_found(
    name: str, assigned: dict[str, ConsumerProtocolAssignment], said: list[str]
) -> None:
    members = [member("a", "t", "u", t=[3]), B]
    outcome = Outcome(members, {"t": 4, "u": 2}, assigned, before={("t", 0): "a"})
    assert list(CHECKS[name](outcome)) == said


def test_who_keeps_what_others_own_by_now_breaks_the_generation_rule() -> None:
    def claims(member_id: str, generation: int) -> Member:
        stale = member(member_id, "t", t=[0]).subscription.replace(generation_id=generation)
        return Member(member_id, stale)

    group, check = [claims("a", 4), claims("b", 5)], CHECKS["generation-rule"]
    kept = Outcome(group, {"t": 1}, {"a": hand(t=[0]), "b": hand()})
    assert list(check(kept)) == [
        "t-0 goes to a, though it is claimed by a as of generation 4, b as of generation 5"
    ]
    assert not list(check(Outcome(group, {"t": 1}, {"a": hand(), "b": hand(t=[0])})))
    assert not list(check(Outcome(group, {"t": 1}, {"a": hand(), "b": hand()})))


def test_what_is_right_is_passed() -> None:
    assigned = {"a": hand(u=[0, 1], t=[0]), "b": hand(t=[1, 2, 3])}
    outcome = Outcome([A, B], {"t": 4, "u": 2}, assigned, before={("t", 0): "a", ("t", 9): "gone"})
    found = {name: list(check(outcome)) for name, check in CHECKS.items()}
    assert found.pop("co-location")  # u-1 and t-1 are apart, which nobody promised
    assert not any(found.values())


def test_co_location_of_the_assignors_on_the_example_of_kip_315() -> None:
    """Range and stream-join keep numbers together, roundrobin does not; of those two only
    stream-join still knows after a rebalance who had what."""
    topics = {"clicks": 10, "impressions": 10}
    four = [member(one, *topics) for one in "ABCD"]

    def spread(name: str) -> int:
        assigned = ASSIGNORS[name].assign(four, topics)
        return len(list(CHECKS["co-location"](Outcome(four, topics, assigned))))

    assert {name: spread(name) for name in ("range", "stream-join", "roundrobin")} == {
        "range": 0, "stream-join": 0, "roundrobin": 10,
    }  # fmt: skip
    assert moved_when_one_leaves("range") == {3, 6}
    assert moved_when_one_leaves("stream-join") == set()


def moved_when_one_leaves(name: str) -> set[int]:
    """The numbers that move though their owner stays, when D leaves the four of KIP-315."""
    topics = {"clicks": 10, "impressions": 10}
    assignor = ASSIGNORS[name]
    first = assignor.assign([member(one, *topics) for one in "ABCD"], topics)
    before = {
        (entry.topic, number): member_id
        for member_id, assignment in first.items()
        for entry in assignment.assigned_partitions
        for number in entry.partitions
    }
    three = []
    for one in "ABC":
        data = assignor.subscription_user_data(list(topics), assignor.on_assignment(first[one], 1))
        three.append(Member(one, ConsumerProtocolSubscription(topics=list(topics), user_data=data)))
    outcome = Outcome(three, topics, assignor.assign(three, topics), before)
    return {number for _, number in outcome.moved}
