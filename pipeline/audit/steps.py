"""A classic group's record in the offsets topic, read for judgement.

Such a record is written when the leader's SyncGroup arrives, when a group becomes empty, when a
static member is replaced, and on migration; never while a group rebalances. What it holds of a
member is what that member told the leader, and what the leader gave it in return.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

import msgspec

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    GroupMetadataValue,
    VersionedMessage,
)
from .once import once, take_over
from .repetition import besides_the_claim, repeated

T = TypeVar("T", bound=VersionedMessage)

CONSUMER = "consumer"
"""The protocol type whose members exchange subscriptions and assignments."""


class Place(NamedTuple):
    """Where a record stands: `timestamp` in milliseconds since 1970; it and the partition are -1
    where the record has none."""

    source: str
    partition: int
    offset: int
    timestamp: int

    @property
    def known_partition(self) -> int | None:
        """The partition, as tables and evidence have it."""
        return None if self.partition < 0 else self.partition


class Unreadable(NamedTuple):
    """Bytes of a member that Apache Kafka refuses: "subscription" or "assignment", and why."""

    field: str
    data: bytes
    error: DecodeError


class Identity(NamedTuple):
    """Who somebody is over the generations: a dynamic member gets a new member id at every join."""

    instance_id: str | None
    client_id: str
    host: str


class MemberSeen(msgspec.Struct, frozen=True, dict=True):
    """A member as a record has it. `metadata` and `assignment` are its bytes, as they stand."""

    member_id: str
    instance_id: str | None
    client_id: str
    host: str
    rebalance_timeout: int
    session_timeout: int
    metadata: bytes
    assignment: bytes

    @property
    def identity(self) -> Identity:
        """An instance id is who a static member is, wherever it runs."""
        if self.instance_id is not None:
            return Identity(self.instance_id, "", "")
        return Identity(None, self.client_id, self.host)

    @once
    def _said(self) -> ConsumerProtocolSubscription | DecodeError:
        return _read(ConsumerProtocolSubscription, self.metadata)

    @once
    def _given(self) -> ConsumerProtocolAssignment | DecodeError | None:
        return _read(ConsumerProtocolAssignment, self.assignment) if self.assignment else None

    @property
    def subscription(self) -> ConsumerProtocolSubscription | None:
        """What it told the leader; None where Kafka cannot read it."""
        said = self._said
        return None if isinstance(said, DecodeError) else said

    @once
    def version(self) -> int | None:
        """Return the version in front of its subscription, which may be newer than any known."""
        return int.from_bytes(self.metadata[:2], "big") if len(self.metadata) > 1 else None

    @once
    def assigned(self) -> frozenset[tuple[str, int]]:
        """Return what the leader gave it, as far as that can be read."""
        given = self._given
        if given is None or isinstance(given, DecodeError):
            return frozenset()
        return _partitions(given.assigned_partitions)

    @once
    def claimed(self) -> frozenset[tuple[str, int]]:
        """Return what it says to own, as far as that can be read."""
        said = self.subscription
        return _partitions(said.owned_partitions) if said is not None else frozenset()

    @once
    def topics(self) -> frozenset[str]:
        """Return what it subscribes to, as far as that can be read."""
        return frozenset(self.subscription.topics) if self.subscription is not None else frozenset()

    @once
    def besides(self) -> tuple[bytes, bytes] | None:
        """Return what it says besides claiming what it is given; None where it claims anything
        else.
        """
        return besides_the_claim(self.metadata, self.assignment)

    @once
    def unreadable(self) -> tuple[Unreadable, ...]:
        """Return what Kafka refuses of it. A member may have no assignment: the leader left it
        out.
        """
        read = (
            ("subscription", self.metadata, self._said),
            ("assignment", self.assignment, self._given),
        )
        return tuple(
            Unreadable(field, data, error)
            for field, data, error in read
            if isinstance(error, DecodeError)
        )

    def learn(self, before: MemberSeen) -> None:
        """Take over what is known of a member before, as far as the bytes say the same."""
        same_given = self.assignment == before.assignment
        same_said = self.metadata == before.metadata
        if same_given:
            take_over(self, before, "_given", "assigned")
        if same_said:
            take_over(self, before, "_said")
        if same_said or (same_given and self._claims_again(before)):
            take_over(self, before, "topics", "claimed")
            if same_given:
                take_over(self, before, "unreadable")

    def _claims_again(self, before: MemberSeen) -> bool:
        return self.besides is not None and self.besides == before.besides and not before.unreadable


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
        """Whether the members are consumers: the bytes of others mean something else."""
        return self.protocol_type == CONSUMER

    @once
    def by_id(self) -> dict[str, MemberSeen]:
        return {member.member_id: member for member in self.members}

    @once
    def claimed_once(self) -> bool:
        """Return whether the owned partitions of the members do not overlap, as in most records."""
        claims = [member.claimed for member in self.members]
        return len(set[tuple[str, int]]().union(*claims)) == sum(map(len, claims))

    @once
    def owner(self) -> dict[tuple[str, int], str]:
        """Who was given each partition."""
        return {one: member.member_id for member in self.members for one in member.assigned}


def read_step(place: Place, value: GroupMetadataValue, previous: Step | None = None) -> Step:
    """Return the step that a record's value describes, behind the one before it."""
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
    for old, new in zip(previous.members, step.members, strict=False):
        new.learn(old)
    if not repeated(previous, step):
        return step
    step = msgspec.structs.replace(step, repeats=previous.repeats + 1)
    take_over(step, previous, "owner", "claimed_once")
    return step


def _timeout(member: GroupMetadataValue.MemberMetadata) -> int:
    """How long it may take to rejoin; records of version 0 have one timeout for both."""
    return member.rebalance_timeout if member.rebalance_timeout >= 0 else member.session_timeout


def _read(kind: type[T], data: bytes) -> T | DecodeError:
    try:
        return kind.from_bytes(data)
    except DecodeError as error:
        return error


def _partitions(entries: Iterable[Any]) -> frozenset[tuple[str, int]]:
    return frozenset((entry.topic, number) for entry in entries for number in entry.partitions)
