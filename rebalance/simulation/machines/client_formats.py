"""The formats in which members write their metadata and leaders their assignments.

Brokers pass these bytes on unread, so all members of a group have to use one format: that of plain
consumers in its versions, Kafka Connect's (KIP-415), or the superseded first draft of KIP-429.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from ....codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    decode,
    field_versions,
)
from ....codec.messages import (
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignmentDraft429,
)
from ...assignments import Entry, Partition, grouped, partitions_of
from ...group import Member

_Owned = ConsumerProtocolSubscription.TopicPartition
_Drafted = ConsumerProtocolAssignmentDraft429.TopicPartition

Decided: TypeAlias = Mapping[str, ConsumerProtocolAssignment]
"""A leader's assignments by member id."""


class MemberMetadata(NamedTuple):
    """The metadata that a member sends in JoinGroup."""

    topics: tuple[str, ...]
    user_data: bytes | None
    owned: frozenset[Partition]
    generation: int
    rack: str | None = None


class MemberAssignment(NamedTuple):
    """The assignment that a member has read."""

    assignment: ConsumerProtocolAssignment
    come_back: bool = False
    """The first draft's error code: there are members of version 0, so join again."""


class Dialect(Protocol):
    """A format of metadata and assignments. `read_*` raise DecodeError for bytes of another one."""

    @property
    def carries_owned(self) -> bool:
        """Whether metadata says what the member owns, as cooperative rebalancing needs."""

    def write_metadata(self, metadata: MemberMetadata) -> bytes:
        """Return the metadata of a member's JoinGroup."""

    def read_metadata(self, data: bytes) -> ConsumerProtocolSubscription:
        """Return the subscription that a leader reads from metadata."""

    def write_assignments(
        self, group: Sequence[Member], decided: Decided, metadata: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """Return the assignments in the leader's SyncGroup, by member id; `metadata` is the
        members' own.
        """

    def read_assignment(self, data: bytes) -> MemberAssignment:
        """Return what a member reads from its assignment."""


@lru_cache(maxsize=1 << 16)
def _subscription(metadata: MemberMetadata, version: int) -> bytes:
    return ConsumerProtocolSubscription(
        topics=metadata.topics,
        user_data=metadata.user_data,
        owned_partitions=_entries(metadata.owned),
        generation_id=metadata.generation,
        rack_id=metadata.rack,
    ).to_bytes(version=version)


@lru_cache(maxsize=1 << 16)
def _read_subscription(data: bytes, version: int) -> ConsumerProtocolSubscription:
    message = decode(data, ConsumerProtocolSubscription, reader_version=version).message
    assert message is not None  # under the policy of Kafka what is no message raises
    return message


@lru_cache(maxsize=1 << 16)
def _read_assignment(data: bytes) -> ConsumerProtocolAssignment:
    return ConsumerProtocolAssignment.from_bytes(data)


def _entries(owned: Collection[Partition]) -> list[_Owned]:
    return [
        _Owned(topic=entry.topic, partitions=entry.partitions) for entry in grouped(sorted(owned))
    ]


@dataclass(frozen=True, slots=True)
class Consumer:
    """The format of plain consumers: version 0 before Kafka 2.4, 1 since KIP-429, 2 since KIP-792,
    3 with racks.

    A reader of an older version ignores fields that it does not know: to a leader of version 0 no
    member owns anything.
    """

    version: int = ConsumerProtocolSubscription.LATEST

    @property
    def carries_owned(self) -> bool:
        """Whether the version has a field for it."""
        return self.version in field_versions(ConsumerProtocolSubscription, "owned_partitions")

    def write_metadata(self, metadata: MemberMetadata) -> bytes:
        """Return a subscription, without what the version has no field for."""
        return _subscription(metadata, self.version)

    def read_metadata(self, data: bytes) -> ConsumerProtocolSubscription:
        """Return the subscription, with the fields that this version knows."""
        return _read_subscription(data, self.version)

    def write_assignments(
        self, group: Sequence[Member], decided: Decided, metadata: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """Return the assignments in this version; all versions have the same fields."""
        return {
            member_id: assignment.to_bytes(version=self.version)
            for member_id, assignment in decided.items()
        }

    def read_assignment(self, data: bytes) -> MemberAssignment:
        """Return the assignment, of any version."""
        return MemberAssignment(_read_assignment(data))


@dataclass(frozen=True, slots=True)
class Draft(Consumer):
    """The format of KIP-429's first draft: the assignment says what to revoke, and whether to join
    again.

    If there is a member of version 0, every member keeps what it has, and unowned partitions stay
    so: the dead end for which the draft was given up.
    """

    version: int = 1

    def write_assignments(
        self, group: Sequence[Member], decided: Decided, metadata: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """Return assignments that tell old owners what to revoke; nothing moves while a member
        cannot be told.
        """
        old = {partition for partition, data in metadata.items() if _label(data) == 0}
        shares = {}
        for member in group:
            owned = partitions_of(member.subscription.owned_partitions)
            target = partitions_of(decided[member.member_id].assigned_partitions)
            if member.member_id in old:
                share = [] if len(old) < len(group) else target
                nothing_else = ConsumerProtocolAssignment(assigned_partitions=grouped(share))
                shares[member.member_id] = nothing_else.to_bytes(version=0)
            elif old:
                shares[member.member_id] = self._share(owned, [], error_code=1)
            else:
                revoked = [partition for partition in owned if partition not in set(target)]
                shares[member.member_id] = self._share(target, revoked, error_code=0)
        return shares

    def _share(
        self, partitions: list[Partition], revoked: list[Partition], *, error_code: int
    ) -> bytes:
        return ConsumerProtocolAssignmentDraft429(
            assigned_partitions=_drafted(partitions),
            revoked_partitions=_drafted(revoked),
            error_code=error_code,
        ).to_bytes(version=1)

    def read_assignment(self, data: bytes) -> MemberAssignment:
        """Return the assignment of this draft, or of version 0 from a leader that knows no
        other.
        """
        if _label(data) == 0:
            return MemberAssignment(_read_assignment(data))
        read = ConsumerProtocolAssignmentDraft429.from_bytes(data)
        pairs = [
            (entry.topic, number)
            for entry in read.assigned_partitions
            for number in entry.partitions
        ]
        assignment = ConsumerProtocolAssignment(assigned_partitions=grouped(pairs))
        return MemberAssignment(assignment, come_back=read.error_code != 0)


@dataclass(frozen=True, slots=True)
class Connect:
    """The format of Kafka Connect's workers (KIP-415): a connector is a topic, its tasks are
    partitions.

    Workers do not subscribe: what there is to run is in the configurations that all have read.
    Version 0 is eager and does not say what a worker runs.
    """

    connectors: tuple[str, ...]
    version: int = 1
    url: str = "http://worker:8083/"

    @property
    def carries_owned(self) -> bool:
        """Whether the version has the worker's allocation."""
        return self.version in field_versions(ConnectProtocolMetadata, "allocation")

    def write_metadata(self, metadata: MemberMetadata) -> bytes:
        """Return the worker's address and what it runs."""
        runs = self._assignment(_entries(metadata.owned)) if self.carries_owned else None
        return ConnectProtocolMetadata(url=self.url, config_offset=1, allocation=runs).to_bytes(
            version=self.version
        )

    def read_metadata(self, data: bytes) -> ConsumerProtocolSubscription:
        """Return a subscription to all connectors."""
        runs = ConnectProtocolMetadata.from_bytes(data).allocation if self.carries_owned else None
        tasks = self.read_assignment(runs).assignment.assigned_partitions if runs else ()
        return ConsumerProtocolSubscription(
            topics=self.connectors, owned_partitions=_entries(partitions_of(tasks))
        )

    def write_assignments(
        self, group: Sequence[Member], decided: Decided, metadata: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """Return what to run, by worker. What is left out has to be stopped."""
        return {
            partition: self._assignment(share.assigned_partitions)
            for partition, share in decided.items()
        }

    def read_assignment(self, data: bytes) -> MemberAssignment:
        """Return the assignment, of either version."""
        work = ConnectProtocolAssignment.from_bytes(data).assignment or ()
        tasks = [(entry.connector, task) for entry in work for task in entry.tasks]
        return MemberAssignment(ConsumerProtocolAssignment(assigned_partitions=grouped(tasks)))

    def _assignment(self, entries: Iterable[_Owned | Entry]) -> bytes:
        work = [
            ConnectProtocolAssignment.ConnectorTasks(connector=entry.topic, tasks=entry.partitions)
            for entry in entries
        ]
        return ConnectProtocolAssignment(
            error=0, leader="", leader_url=self.url, config_offset=1, assignment=work, delay=0
        ).to_bytes(version=self.version)


def _label(data: bytes) -> int:
    return int.from_bytes(data[:2], "big", signed=True)


def _drafted(partitions: Iterable[Partition]) -> list[_Drafted]:
    return [
        _Drafted(topic=entry.topic, partitions=entry.partitions)
        for entry in grouped(sorted(partitions))
    ]
