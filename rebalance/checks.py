"""Checks of any assignment, by name, whoever made it.

A check takes an `Outcome` and yields a sentence for each thing that is wrong; it yields nothing if
the assignment passes. Every assignment has to pass `validity`; the others are promises of some
assignors:

- `completeness` by all but stream-join, once nothing is withheld;
- `balance` by the sticky ones, once nothing is withheld, and by roundrobin while subscriptions are
  equal;
- `stickiness` by the sticky ones while subscriptions are equal and racks have no effect: with
  unequal ones Kafka's steps, which ours follow, can move more than they had to;
- `co-location` by stream-join, and by range while subscriptions and partition counts are equal;
- `revoked-before-given` by every cooperative assignor;
- `generation-rule` by cooperative-sticky while subscriptions are equal: with unequal ones Kafka,
  and ours with it, withholds by the claims as they are made, stale ones too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from ..codec import ConsumerProtocolAssignment
from .assignments import Partition, partitions_of
from .assignors.cooperation import given_too_early
from .claims import validate_subscriptions
from .group import Member, Topics


@dataclass(frozen=True)
class Outcome:
    """A group, the assignments that an assignor made, and who owned what before (see `claims`)."""

    members: Sequence[Member]
    topics: Topics
    assigned: Mapping[str, ConsumerProtocolAssignment]
    before: Mapping[Partition, str] = field(default_factory=dict)

    @cached_property
    def hands(self) -> dict[str, list[Partition]]:
        """The partitions of each member id; an empty list for a member without an assignment."""
        answers = {
            member_id: partitions_of(assignment.assigned_partitions)
            for member_id, assignment in self.assigned.items()
        }
        return {member.member_id: [] for member in self.members} | answers

    @cached_property
    def owner(self) -> dict[Partition, str]:
        """The member id that each partition is assigned to."""
        return {
            partition: member_id for member_id, hand in self.hands.items() for partition in hand
        }

    @cached_property
    def subscribers(self) -> dict[str, list[str]]:
        """The ids of the members that subscribe to each topic that exists."""
        subscribed: dict[str, list[str]] = defaultdict(list)
        for member in self.members:
            for topic in dict.fromkeys(member.subscription.topics):
                if self.topics.get(topic, 0) > 0:
                    subscribed[topic].append(member.member_id)
        return dict(subscribed)

    @property
    def moved(self) -> list[Partition]:
        """The partitions that have another owner than before, though the old owner still subscribes
        to their topic.
        """
        return [
            partition
            for partition, member_id in self.before.items()
            if member_id in self.subscribers.get(partition[0], ())
            and self.owner.get(partition, member_id) != member_id
        ]


Check: TypeAlias = Callable[[Outcome], Iterator[str]]


def validity(outcome: Outcome) -> Iterator[str]:
    """Yield members without an assignment, and partitions that do not exist, are not subscribed to,
    or are given twice.
    """
    ids = {member.member_id for member in outcome.members}
    for member_id in sorted(ids ^ outcome.assigned.keys()):
        yield f"{member_id} {'has no answer' if member_id in ids else 'is no member'}"
    owners: dict[Partition, str] = {}
    for member_id, hand in outcome.hands.items():
        for partition in hand:
            topic, number = partition
            if not 0 <= number < outcome.topics.get(topic, 0):
                yield f"{member_id} has {topic}-{number}, which does not exist"
            elif member_id not in outcome.subscribers.get(topic, ()):
                yield f"{member_id} has {topic}-{number}, to which it does not subscribe"
            if partition in owners:
                yield f"{topic}-{number} belongs to {owners[partition]} and to {member_id}"
            owners[partition] = member_id


def completeness(outcome: Outcome) -> Iterator[str]:
    """Yield partitions that have subscribers and no owner."""
    for topic in outcome.subscribers:
        for number in range(outcome.topics[topic]):
            if (topic, number) not in outcome.owner:
                yield f"{topic}-{number} belongs to nobody"


def balance(outcome: Outcome) -> Iterator[str]:
    """Yield topics of which a partition could go to a subscriber that has at least two fewer
    (KIP-54).

    Where all members subscribe to the same topics, a balanced assignment's sizes differ by one at
    most.
    """
    sizes = {member_id: len(hand) for member_id, hand in outcome.hands.items()}
    for topic, ids in outcome.subscribers.items():
        least = min(ids, key=sizes.__getitem__)
        richest = {
            member_id
            for number in range(outcome.topics[topic])
            if (member_id := outcome.owner.get((topic, number))) is not None
        }
        most = max(richest, key=sizes.__getitem__, default=least)
        if sizes[most] > sizes[least] + 1:
            yield f"{topic}: {most} has {sizes[most]} partitions and {least} only {sizes[least]}"


def stickiness(outcome: Outcome) -> Iterator[str]:
    """Yield partitions that moved to a member that has more than the one that owned them before.

    Such a move can be taken back without harm to the balance.
    """
    sizes = {member_id: len(hand) for member_id, hand in outcome.hands.items()}
    for topic, number in outcome.moved:
        old_owner, owner = outcome.before[topic, number], outcome.owner[topic, number]
        if sizes[old_owner] < sizes[owner]:
            yield (
                f"{topic}-{number} moved from {old_owner}, which has {sizes[old_owner]} "
                f"partitions, to {owner}, which has {sizes[owner]}"
            )


def co_location(outcome: Outcome) -> Iterator[str]:
    """Yield partition numbers that are not at one member in all topics in which they are assigned
    (KIP-315).
    """
    owners: dict[int, dict[str, None]] = defaultdict(dict)
    for (_, number), member_id in outcome.owner.items():
        owners[number][member_id] = None
    for number, ids in sorted(owners.items()):
        if len(ids) > 1:
            yield f"number {number} is spread over {', '.join(ids)}"


def revoked_before_given(outcome: Outcome) -> Iterator[str]:
    """Yield partitions given to a member while another one owns them (KIP-429): the leader's own
    check.
    """
    for (topic, number), member_id in given_too_early(outcome.members, outcome.assigned).items():
        yield f"{topic}-{number} is given to {member_id} before its owner has revoked it"


def generation_rule(outcome: Outcome) -> Iterator[str]:
    """Yield contested partitions that went to a member other than the one whose claim wins
    (KIP-792).

    Where two claims are equally new none wins, and `revoked-before-given` decides. A winner that
    does not subscribe to the topic has revoked it before it joined (KIP-429).
    """
    for (topic, number), claims, winner in validate_subscriptions(outcome.members):
        owner = outcome.owner.get((topic, number))
        if winner in outcome.subscribers.get(topic, ()) and owner not in (None, winner):
            claimants = ", ".join(f"{claimer} as of generation {when}" for claimer, when in claims)
            yield f"{topic}-{number} goes to {owner}, though it is claimed by {claimants}"


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "validity": validity,
        "completeness": completeness,
        "balance": balance,
        "stickiness": stickiness,
        "co-location": co_location,
        "revoked-before-given": revoked_before_given,
        "generation-rule": generation_rule,
    }
)
"""The checks by name."""
