"""What the coordinator knows of a consumer group (KIP-848), a share group, a streams group.

The broker writes most of it to its topic, so a coordinator that takes over finds that again
(`ConsumerGroup.recovered`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum
from typing import NamedTuple, TypeAlias

from ...assignments import Partition
from ..machines.settings import GroupProtocol, SubtopologySettings
from .regular_expressions import ResolvedExpression

JOIN_EPOCH = 0
"""The member epoch of a member that joins."""
LEAVE_EPOCH = -1
"""The member epoch by which a member leaves for good."""
STATIC_LEAVE_EPOCH = -2
"""The member epoch by which a static member leaves and means to come back."""

Epochs: TypeAlias = tuple[tuple[Partition, int], ...]
"""Partitions in order, each with the epoch in which the member got it."""


class MemberProgress(IntEnum):
    """How far a member is on its way to the target assignment; numbers as in the broker's
    records.
    """

    STABLE = 0
    """The member has reached its epoch; a newer target may wait."""
    UNREVOKED_PARTITIONS = 1
    """The member has to give partitions back before it goes on to the next epoch."""
    UNRELEASED_PARTITIONS = 2
    """The member is in the target's epoch, and waits for partitions that others still own."""


class Matching(StrEnum):
    """Whether the regular expressions of a group can be matched against the cluster's topics."""

    FREE = "free"
    """They are matched as soon as a heartbeat finds that necessary."""
    UNDER_WAY = "under way"
    """They are being matched, beside the coordinator's other work."""
    RESTS = "rests"
    """They were matched less than ten seconds ago."""


class ConsumerGroupPhase(StrEnum):
    """The states of a consumer group, by Kafka's names."""

    EMPTY = "empty"
    """The group has no members."""
    ASSIGNING = "assigning"
    """The target assignment is older than the group's epoch."""
    RECONCILING = "reconciling"
    """A member has not reached the target assignment."""
    STABLE = "stable"
    """Every member has its target assignment."""


class ClassicMetadata(NamedTuple):
    """What the broker keeps of a member that speaks the classic protocol."""

    session_timeout_ms: int
    protocols: tuple[tuple[str, bytes], ...]
    """The assignors that it lists, and its subscription for each."""
    version: int = 0
    """The version of its JoinGroup."""


class ConsumerMember(NamedTuple):
    """A member as the coordinator knows it."""

    member_id: str
    client_id: str = ""
    instance_id: str | None = None
    rack: str | None = None
    rebalance_timeout_ms: int = -1
    topics: tuple[str, ...] = ()
    assignor: str | None = None
    classic: ClassicMetadata | None = None
    epoch: int = JOIN_EPOCH
    previous_epoch: int = JOIN_EPOCH
    progress: MemberProgress = MemberProgress.STABLE
    assigned: Epochs = ()
    revoking: Epochs = ()
    """Partitions that the member has to give back before another member gets them."""
    process_id: str = ""
    """The process that the member runs in; streams groups alone have it."""
    regex: str = ""
    """The regular expression by which the member subscribes, beside `topics`."""

    @property
    def assigned_partitions(self) -> frozenset[Partition]:
        """The partitions that the member may own."""
        return frozenset(partition for partition, _ in self.assigned)

    @property
    def revoking_partitions(self) -> frozenset[Partition]:
        """The partitions that the member has to give back."""
        return frozenset(partition for partition, _ in self.revoking)

    @property
    def has_left_for_now(self) -> bool:
        """Whether it is a static member that left and may come back."""
        return self.epoch == STATIC_LEAVE_EPOCH

    def is_reconciled_to(self, epoch: int) -> bool:
        """Return whether the member has reached an epoch, with nothing left to give or to get."""
        return self.progress is MemberProgress.STABLE and self.epoch == epoch

    def recovered(self) -> ConsumerMember:
        """Return the member that a broker's records describe: they lack a JoinGroup's version."""
        if self.classic is None:
            return self
        return self._replace(classic=self.classic._replace(version=0))


class ConsumerGroup(NamedTuple):
    """All that the coordinator knows of a consumer group."""

    epoch: int = 1
    """Grows with every change of members, subscriptions or topics; the first members get 2."""
    metadata_hash: int = 0
    """A hash of the subscribed topics, 0 without any."""
    assignment_epoch: int = 0
    """The group epoch that the target assignment was made for."""
    members: tuple[ConsumerMember, ...] = ()
    """The members, in the order in which they joined."""
    targets: tuple[tuple[str, frozenset[Partition]], ...] = ()
    """The partitions that each member is to have, by member id."""
    refresh_due: bool = False
    """Whether topics have changed since the group last looked."""
    assignment_waits: bool = False
    """Whether the last target assignment is younger than group.consumer.assignment.interval.ms."""
    born: int = 0
    """How many member ids were given out, to members of the classic protocol."""
    kind: GroupProtocol = GroupProtocol.CONSUMER
    """Whether it is a consumer group, a share group or a streams group."""
    topology: tuple[SubtopologySettings, ...] = ()
    """The topology of a streams group, as its first member sent it."""
    topology_is_valid: bool = False
    """Whether a streams group has found all topics of its topology."""
    standby_replicas: int | None = None
    """The number of standby copies of each task, as last written to the group's record."""
    resolved: tuple[ResolvedExpression, ...] = ()
    """The regular expressions that were matched, with their topics."""
    matching: Matching = Matching.FREE
    matches_are_stale: bool = False
    """Whether topics have changed since expressions were matched."""

    def recovered(self) -> ConsumerGroup:
        """Return the group that a coordinator which takes over reads from the broker's records.
        They do not have the fields that are reset here.
        """
        members = self.members
        if any(member.classic is not None for member in members):
            members = tuple(member.recovered() for member in members)
        return self._replace(
            members=members,
            refresh_due=False,
            assignment_waits=False,
            matching=Matching.FREE,
            matches_are_stale=False,
            born=0,
        )

    @property
    def generation(self) -> int:
        """The group epoch, under the name of its predecessor."""
        return self.epoch

    @property
    def phase(self) -> ConsumerGroupPhase:
        """The state of the group, as the broker describes it."""
        if not self.members:
            return ConsumerGroupPhase.EMPTY
        if self.epoch > self.assignment_epoch:
            return ConsumerGroupPhase.ASSIGNING
        reached = all(member.is_reconciled_to(self.assignment_epoch) for member in self.members)
        return ConsumerGroupPhase.STABLE if reached else ConsumerGroupPhase.RECONCILING

    def member(self, member_id: str | None) -> ConsumerMember | None:
        """Return the member of that id, None if there is none."""
        return next((member for member in self.members if member.member_id == member_id), None)

    def static(self, instance_id: str | None) -> ConsumerMember | None:
        """Return the member of that instance id, None if there is none."""
        if instance_id is None:
            return None
        return next((member for member in self.members if member.instance_id == instance_id), None)

    def target(self, member_id: str) -> frozenset[Partition]:
        """Return the target assignment of a member, nothing if it has none."""
        return dict(self.targets).get(member_id, frozenset())

    def topology_topics(self) -> tuple[str, ...]:
        """Return the topics that the topology of a streams group reads, in order."""
        return tuple(
            sorted({topic for subtopology in self.topology for topic in subtopology.topics})
        )

    def subscribers(self, regex: str) -> int:
        """Return how many members subscribe by a regular expression."""
        return sum(member.regex == regex for member in self.members)

    def regexes(self) -> frozenset[str]:
        """Return the regular expressions by which members subscribe."""
        return frozenset(member.regex for member in self.members if member.regex)

    def subscription(self, member: ConsumerMember) -> frozenset[str]:
        """Return the topics that a member subscribes to, by name and by what its regular expression
        matched.
        """
        matched = (
            resolved.topics for resolved in self.resolved if resolved.expression == member.regex
        )
        return frozenset(member.topics).union(*matched)

    def subscribed(self) -> frozenset[str]:
        """Return the topics that any member subscribes to."""
        return frozenset[str]().union(*map(self.subscription, self.members))

    def owned(self) -> frozenset[Partition]:
        """Return the partitions that are assigned to a member, or not yet given back by one."""
        return frozenset(
            partition
            for member in self.members
            for partition, _ in (*member.assigned, *member.revoking)
        )

    def with_member(self, member: ConsumerMember) -> ConsumerGroup:
        """Return the group with a member replaced, or added at the end."""
        if self.member(member.member_id) is None:
            return self._replace(members=(*self.members, member))
        members = (member if old.member_id == member.member_id else old for old in self.members)
        return self._replace(members=tuple(members))

    def without(self, member_ids: Iterable[str]) -> ConsumerGroup:
        """Return the group without some members, and without their targets."""
        ids = set(member_ids)
        return self._replace(
            members=tuple(member for member in self.members if member.member_id not in ids),
            targets=tuple(target for target in self.targets if target[0] not in ids),
        )

    def without_unused_regexes(self) -> ConsumerGroup:
        """Return the group without the expressions by which no member subscribes any more."""
        used = self.regexes()
        return self._replace(
            resolved=tuple(resolved for resolved in self.resolved if resolved.expression in used)
        )

    def with_targets(self, targets: Mapping[str, frozenset[Partition]]) -> ConsumerGroup:
        """Return the group with the target assignments of all members, in order of their ids."""
        return self._replace(targets=tuple(sorted(targets.items())))


def in_epoch(partitions: Iterable[Partition], epoch: int) -> Epochs:
    """Return partitions as assigned in an epoch."""
    return tuple((partition, epoch) for partition in sorted(partitions))
