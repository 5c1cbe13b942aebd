"""What holds for every group whatever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, CHECKS, Assignor, Member, Outcome, complaints, owners
from kproto.rebalance.user_data import cooperative_claim, sticky_claim

from . import strategies
from .groups import flat


def held(outcome: Outcome, *names: str) -> list[str]:
    return [line for name in names for line in CHECKS[name](outcome)]


@pytest.mark.parametrize("name", ASSIGNORS)
@given(group=strategies.members(), topics=strategies.sizes, racks=strategies.racks)
def test_whatever_a_decoder_accepts_is_divided(
    name: str,
    group: list[Member],
    topics: dict[str, int],
    racks: Mapping[str, Sequence[Sequence[str | None]]] | None,
) -> None:
    assigned = ASSIGNORS[name].assign(group, topics, racks)
    outcome = Outcome(group, topics, assigned)
    assert list(assigned) == [member.member_id for member in group]
    assert not held(outcome, "validity")
    for assignment in assigned.values():
        assert ConsumerProtocolAssignment.from_bytes(assignment.to_bytes()) == assignment
    if name not in ("cooperative-sticky", "stream-join"):
        assert not held(outcome, "completeness")
    if name == "stream-join":
        assert not held(outcome, "co-location")
    if name == "sticky":
        assert not held(outcome, "balance")
    for complaint in complaints(name, group, topics):
        assert complaint.member_id in assigned


@given(
    group=strategies.members(),
    topics=strategies.sizes,
    wanted=st.lists(st.sampled_from(strategies.TOPICS), unique=True),
)
def test_with_equal_subscriptions_and_no_racks_nothing_moves_without_need(
    group: list[Member], topics: dict[str, int], wanted: list[str]
) -> None:
    group = [
        Member(one.member_id, one.subscription.replace(topics=wanted, rack_id=None))
        for one in group
    ]
    for name, read_claim in (("sticky", sticky_claim), ("cooperative-sticky", cooperative_claim)):
        assigned = ASSIGNORS[name].assign(group, topics)
        outcome = Outcome(group, topics, assigned, owners(group, read_claim))
        assert not held(outcome, "stickiness")
        if name == "cooperative-sticky":
            assert not held(outcome, "generation-rule", "revoked-before-given")


@given(group=strategies.members(), topics=strategies.sizes)
def test_cooperative_groups_settle(group: list[Member], topics: dict[str, int]) -> None:
    """What is withheld comes in the second rebalance. With different subscriptions, what is free
    there may open a way to a better balance that one more rebalance then takes; nothing else moves,
    and once nothing is withheld, nothing changes any more."""
    assignor = ASSIGNORS["cooperative-sticky"]
    assigned = assignor.assign(group, topics)
    settled = False
    for generation in range(8, 13):
        again, before = rejoined(group, assigned, generation), assigned
        assigned = assignor.assign(again, topics)
        outcome = Outcome(again, topics, assigned, owners(again))
        assert not held(outcome, "validity", "revoked-before-given")
        if settled:
            assert as_sets(assigned) == as_sets(before)
        elif not held(outcome, "completeness"):
            assert not held(outcome, "balance")
            assert not outcome.moved
            settled = True
    assert settled


@given(group=strategies.members(), topics=strategies.sizes)
def test_a_sticky_group_that_stays_keeps_what_it_has(
    group: list[Member], topics: dict[str, int]
) -> None:
    assignor = ASSIGNORS["sticky"]
    first = assignor.assign(group, topics)
    again = assignor.assign(remembered(assignor, group, first), topics)
    assert as_sets(again) == as_sets(first)


def rejoined(
    group: Iterable[Member], assigned: Mapping[str, ConsumerProtocolAssignment], generation: int
) -> list[Member]:
    """The members as cooperative ones join again: with what they were given."""
    return [
        Member(
            member.member_id,
            member.subscription.replace(
                owned_partitions=[
                    ConsumerProtocolSubscription.TopicPartition(
                        topic=one.topic, partitions=one.partitions
                    )
                    for one in assigned[member.member_id].assigned_partitions
                ],
                generation_id=generation,
            ),
            member.group_instance_id,
        )
        for member in group
    ]


def remembered(
    assignor: Assignor, group: Iterable[Member], assigned: Mapping[str, ConsumerProtocolAssignment]
) -> list[Member]:
    """The members as eager ones join again: with what the assignor remembers."""
    return [
        Member(
            member.member_id,
            member.subscription.replace(
                user_data=assignor.subscription_user_data(
                    member.subscription.topics,
                    assignor.on_assignment(assigned[member.member_id], 6),
                )
            ),
            member.group_instance_id,
        )
        for member in group
    ]


def as_sets(assigned: Mapping[str, ConsumerProtocolAssignment]) -> dict[str, set[tuple[str, int]]]:
    return {member_id: set(hand) for member_id, hand in flat(assigned).items()}
