"""A classic group's record in the offsets topic, as rules see it: a step of the group.

Such a record is written when the leader's SyncGroup arrives, when a group becomes empty, when a
static member is replaced, and on migration; never while a group rebalances. What it holds of a
member is what that member told the leader, and what the leader gave it in return.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from ...codec import GroupMetadataValue
from ...rebalance.claims import JudgedClaims, judged
from ...rebalance.group import Member
from ...rebalance.user_data import cooperative_claim, sticky_claim
from .members import MemberSeen, by_topic, once, take_over
from .payloads import PayloadSummary, payload_summary
from .repetition import COOPERATIVE_STICKY, STICKY

CONSUMER = "consumer"
"""The protocol type whose members exchange subscriptions and assignments."""


class Place(NamedTuple):
    """Where a record is from. `timestamp` is in milliseconds since 1970; it and the partition are
    -1 where the record has none.
    """

    source: str
    partition: int
    offset: int
    timestamp: int

    @property
    def known_partition(self) -> int | None:
        """The partition, None where it is not known."""
        return None if self.partition < 0 else self.partition


class Step(msgspec.Struct, frozen=True, dict=True):
    """A record of a group: one generation, or an empty group, or a static member's replacement."""

    place: Place
    generation: int
    protocol_type: str
    protocol: str | None
    leader: str | None
    since: int
    """When the group came into its state, in milliseconds since 1970; -1 where that is not kept."""
    members: tuple[MemberSeen, ...]
    repeats: int = 0
    """How many records in a row, this one being the last, say what the one before says, but for
    the generation: see `repetition`."""

    @property
    def is_consumer(self) -> bool:
        """Whether the members are consumers. Members of other types have other payloads."""
        return self.protocol_type == CONSUMER

    @once
    def summary(self) -> PayloadSummary | None:
        """Return what the payloads say together; None where they are not in order, and for groups
        whose members do not claim in their owned partitions.
        """
        if not self.is_consumer or self.protocol == STICKY:
            return None
        return payload_summary(self.members)

    @once
    def ids(self) -> tuple[str, ...]:
        """Return the member ids."""
        return tuple([member.member_id for member in self.members])

    @once
    def by_id(self) -> dict[str, MemberSeen]:
        """Return the members by their ids."""
        return {member.member_id: member for member in self.members}

    @once
    def claimed_once(self) -> bool:
        """Return whether no partition is claimed by two members."""
        claims = [member.claimed for member in self.members]
        return len(set[tuple[str, int]]().union(*claims)) == sum(map(len, claims))

    @once
    def claims(self) -> JudgedClaims:
        """Return whose claims win, of the members that can be read. Those of `sticky` claim in
        their user data, all others in their owned partitions.
        """
        members = [
            Member(member.member_id, member.subscription, group_instance_id=member.instance_id)
            for member in self.members
            if member.subscription is not None
        ]
        return judged(members, sticky_claim if self.protocol == STICKY else cooperative_claim)

    @once
    def owner(self) -> dict[tuple[str, int], str]:
        """Return the member id that each partition is assigned to."""
        return {
            partition: member.member_id for member in self.members for partition in member.assigned
        }

    @once
    def given(self) -> dict[str, set[int]]:
        """Return the partitions that are assigned, by topic."""
        return by_topic(self.owner)

    @once
    def sizes(self) -> Mapping[str, tuple[int, int]]:
        """Return how many partitions of each topic are assigned, and the highest of them."""
        if self.summary is not None:
            return self.summary.assigned
        return {topic: (len(found), max(found)) for topic, found in self.given.items()}

    @once
    def topics(self) -> tuple[str, ...]:
        """Return the topics that members subscribe to, as far as they can be read, in order."""
        if self.summary is not None:
            return self.summary.topics
        return tuple(sorted(set[str]().union(*(member.topics for member in self.members))))

    def continues(self, before: Step) -> bool:
        """Return whether this is a later generation in which the same members are in order again,
        with the same topics and assignments. What they claim may differ.
        """
        known = before.summary
        return (
            self.summary is not None
            and known is not None
            and self.generation > before.generation
            and self.protocol == before.protocol
            and self.summary.subscribed == known.subscribed
            and bool(self.members)
            and len(self.members) == len(before.members)
            and all(map(_is_the_same, before.members, self.members))
        )

    def has_the_owners_of(self, other: Step) -> bool:
        """Return whether every partition is assigned to the same member in both."""
        same_bytes = self.ids == other.ids and all(
            member.assignment == known.assignment
            for member, known in zip(self.members, other.members, strict=True)
        )
        return same_bytes or self.owner == other.owner

    def has_the_topics_of(self, other: Step) -> bool:
        """Return whether every member of this record subscribes to the same topics in both. Each
        of them is a member of the other one.
        """
        known = other.summary
        same_bytes = (
            self.summary is not None
            and known is not None
            and self.ids == other.ids
            and self.summary.subscribed == known.subscribed
        )
        was = other.by_id
        return same_bytes or all(
            member.topics == was[member.member_id].topics for member in self.members
        )


def read_step(place: Place, value: GroupMetadataValue, previous: Step | None = None) -> Step:
    """Return the step that a record's value describes. `previous` is the step of the record before:
    what is equal is taken over from it.
    """
    step = Step(
        place,
        value.generation,
        value.protocol_type,
        value.protocol,
        value.leader,
        value.current_state_timestamp,
        tuple(
            MemberSeen(
                member.member_id,
                member.group_instance_id,
                member.client_id,
                member.client_host,
                _timeout(member),
                member.session_timeout,
                member.subscription,
                member.assignment,
            )
            for member in value.members
        ),
    )
    if previous is None:
        return step
    if repeated(previous, step):
        step = msgspec.structs.replace(step, repeats=previous.repeats + 1)
        take_over(step, previous, *SAID_AGAIN)
    if step.summary is None:  # else members are hardly looked at
        for old, new in zip(previous.members, step.members, strict=False):
            new.learn(old)
    return step


SAID_AGAIN = ("summary", "ids", "topics", "sizes", "owner", "given", "claimed_once")
"""The properties that a step has in common with one that it repeats, for `take_over`."""


def repeated(before: Step, step: Step) -> bool:
    """Return whether `step` is a later generation of the same group in which nothing else has
    changed.
    """
    return (
        step.generation > before.generation
        and step.is_consumer
        and bool(step.members)
        and len(step.members) == len(before.members)
        and (step.protocol_type, step.protocol, step.leader)
        == (before.protocol_type, before.protocol, before.leader)
        and all(
            map(_BY_PROTOCOL.get(step.protocol or "", _says_the_same), before.members, step.members)
        )
    )


def _is_the_same(old: MemberSeen, new: MemberSeen) -> bool:
    return (
        old.assignment == new.assignment
        and old.member_id == new.member_id
        and old.client_id == new.client_id
        and old.host == new.host
        and old.instance_id == new.instance_id
        and old.rebalance_timeout == new.rebalance_timeout
        and old.session_timeout == new.session_timeout
    )


def _has_the_same_bytes(old: MemberSeen, new: MemberSeen) -> bool:
    return old.metadata == new.metadata and _is_the_same(old, new)


def _claims_what_it_has(old: MemberSeen, new: MemberSeen) -> bool:
    return _is_the_same(old, new) and old.besides is not None and old.besides == new.besides


def _says_the_same(old: MemberSeen, new: MemberSeen) -> bool:
    return _has_the_same_bytes(old, new) or _claims_what_it_has(old, new)


_BY_PROTOCOL = {COOPERATIVE_STICKY: _claims_what_it_has, STICKY: _has_the_same_bytes}


def _timeout(member: GroupMetadataValue.MemberMetadata) -> int:
    """Return how long the member may take to rejoin; records of version 0 have one timeout for
    both.
    """
    return member.rebalance_timeout if member.rebalance_timeout >= 0 else member.session_timeout
