"""The records that the broker writes for consumer groups, share groups and streams groups.

All three have five of the same use: who a member is, the group's epoch, a member's target, the
target's epoch, what a member has reached. Consumer groups have what their regular expressions
matched besides, and streams groups their topology.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeAlias
from uuid import UUID

from kproto.codec import message_class, messages
from kproto.codec.runtime.message import VersionedMessage
from kproto.rebalance.assignments import Partition, grouped
from kproto.rebalance.simulation.machines.settings import (
    GROUP_ID,
    GroupProtocol,
    SubtopologySettings,
)
from kproto.rebalance.simulation.modern.group_state import (
    ClassicMetadata,
    ConsumerGroup,
    ConsumerMember,
    Epochs,
    MemberProgress,
    in_epoch,
)
from kproto.rebalance.simulation.modern.regular_expressions import ResolvedExpression
from kproto.rebalance.simulation.modern.targets import by_topic_id, topic_id
from kproto.rebalance.simulation.modern.tasks import Role, numbers_in, task

_CLIENT_HOST = "/10.0.0.2"

Pair: TypeAlias = tuple[VersionedMessage, VersionedMessage | None]
"""Key and value of a record; a value of None is a tombstone."""
Names: TypeAlias = Mapping[UUID, str]
"""Topics by their ids."""


class Use(Enum):
    """What a record of any kind of group is for; the value is in the names of its types."""

    MEMBER = "MemberMetadata"
    """Who a member is."""
    GROUP = "Metadata"
    """The group's epoch."""
    TARGET = "TargetAssignmentMember"
    """A member's target."""
    TARGET_EPOCH = "TargetAssignmentMetadata"
    """The target's epoch."""
    CURRENT = "CurrentMemberAssignment"
    """What a member has reached."""
    MORE = ""
    """What one kind of group has alone, under a name of its own."""


class Form(NamedTuple):
    """The types of a record's key and value."""

    key: Any
    value: Any


def _forms(kind: str, more: str = "") -> Mapping[Use, Form]:
    """Return the types of the records of a kind of group; `more` is the name of those that it has
    alone.
    """
    names = {use: use.value or more for use in Use}
    return MappingProxyType(
        {
            use: Form(message_class(f"{kind}{name}Key"), message_class(f"{kind}{name}Value"))
            for use, name in names.items()
            if name
        }
    )


class RecordKind(ABC):
    """The records of one kind of group: how they are made, and how a group is read from them."""

    protocol: ClassVar[GroupProtocol]
    forms: ClassVar[Mapping[Use, Form]]

    def key(self, use: Use, **named: str) -> VersionedMessage:
        """Return a key of the group, of a member if one is named."""
        made: VersionedMessage = self.forms[use].key(group_id=GROUP_ID, **named)
        return made

    def told(self, group: ConsumerGroup) -> tuple[object, ...]:
        """Return what the record of the group's epoch holds."""
        return group.epoch, group.metadata_hash

    def group(self, group: ConsumerGroup) -> VersionedMessage:
        """Return the value for the group's epoch."""
        value: VersionedMessage = self.forms[Use.GROUP].value(
            epoch=group.epoch, metadata_hash=group.metadata_hash
        )
        return value

    def read_group(self, group: ConsumerGroup, value: Any) -> ConsumerGroup:
        """Return a group with what a value for its epoch says."""
        return group._replace(epoch=value.epoch, metadata_hash=value.metadata_hash)

    @abstractmethod
    def member(self, member: ConsumerMember) -> VersionedMessage:
        """Return the value that says who a member is."""

    @abstractmethod
    def read_member(
        self, member: ConsumerMember, value: Any, group: ConsumerGroup
    ) -> ConsumerMember:
        """Return a member with what such a value says."""

    def target(self, target: frozenset[Partition]) -> VersionedMessage:
        """Return the value for the target of a member."""
        value = self.forms[Use.TARGET].value
        made: VersionedMessage = value(
            topic_partitions=[
                value.TopicPartition(topic_id=uuid, partitions=numbers)
                for uuid, numbers in by_topic_id(target).items()
            ]
        )
        return made

    def read_target(self, value: Any, names: Names) -> frozenset[Partition]:
        """Return the target that such a value has."""
        return frozenset(_named(value.topic_partitions, names))

    def current(self, member: ConsumerMember) -> VersionedMessage:
        """Return the value for what a member has reached."""
        made: VersionedMessage = self.forms[Use.CURRENT].value(
            member_epoch=member.epoch,
            previous_member_epoch=member.previous_epoch,
            state=self.state_number(member.progress),
            **self._held(member),
        )
        return made

    def read_current(self, member: ConsumerMember, value: Any, names: Names) -> ConsumerMember:
        """Return a member with what such a value says."""
        assigned, revoking = self._read_held(value, names)
        first = self.state_number(MemberProgress.STABLE)
        return member._replace(
            epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            progress=MemberProgress(value.state - first),
            assigned=assigned,
            revoking=revoking,
        )

    def state_number(self, progress: MemberProgress) -> int:
        """Return the number of a member's state."""
        return progress

    @abstractmethod
    def _held(self, member: ConsumerMember) -> dict[str, Any]:
        """Return the fields with what the member has, and what it has to give back."""

    @abstractmethod
    def _read_held(self, value: Any, names: Names) -> tuple[Epochs, Epochs]:
        """Return what these fields say."""

    def more(self, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
        """Yield the records that this kind of group has alone."""
        yield from ()

    def read_more(self, group: ConsumerGroup, key: Any, value: Any) -> ConsumerGroup:
        """Return a group with what such a record says, a tombstone if the value is None."""
        raise NotImplementedError  # a kind without such records reads none


def _named(entries: Iterable[Any], names: Names) -> Iterator[Partition]:
    """Yield the partitions of entries that have a topic's id, by the topic's name."""
    return ((names[entry.topic_id], number) for entry in entries for number in entry.partitions)


class ConsumerRecords(RecordKind):
    """The records of a consumer group (KIP-848)."""

    protocol = GroupProtocol.CONSUMER
    forms = _forms("ConsumerGroup", "RegularExpression")

    def member(self, member: ConsumerMember) -> VersionedMessage:
        """Return the value that says who a member is."""
        value, classic = messages.ConsumerGroupMemberMetadataValue, member.classic
        return value(
            instance_id=member.instance_id,
            rack_id=member.rack,
            client_id=member.client_id,
            client_host=_CLIENT_HOST,
            subscribed_topic_names=member.topics,
            subscribed_topic_regex=member.regex,
            rebalance_timeout_ms=member.rebalance_timeout_ms,
            server_assignor=member.assignor,
            classic_member_metadata=None
            if classic is None
            else value.ClassicMemberMetadata(
                session_timeout_ms=classic.session_timeout_ms,
                supported_protocols=[
                    value.ClassicProtocol(name=name, metadata=metadata)
                    for name, metadata in classic.protocols
                ],
            ),
        )

    def read_member(
        self, member: ConsumerMember, value: Any, group: ConsumerGroup
    ) -> ConsumerMember:
        """Return a member with what such a value says."""
        classic = value.classic_member_metadata
        return member._replace(
            client_id=value.client_id,
            instance_id=value.instance_id,
            rack=value.rack_id,
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            topics=tuple(value.subscribed_topic_names),
            regex=value.subscribed_topic_regex or "",
            assignor=value.server_assignor,
            classic=None
            if classic is None
            else ClassicMetadata(
                classic.session_timeout_ms,
                tuple(
                    (protocol.name, protocol.metadata) for protocol in classic.supported_protocols
                ),
            ),
        )

    def _held(self, member: ConsumerMember) -> dict[str, Any]:
        return {
            "assigned_partitions": self._entries(member.assigned),
            "partitions_pending_revocation": self._entries(member.revoking),
        }

    def _entries(self, partitions: Epochs) -> list[Any]:
        epochs = dict(partitions)
        return [
            messages.ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions(
                topic_id=topic_id(entry.topic),
                partitions=entry.partitions,
                assignment_epochs=[epochs[entry.topic, number] for number in entry.partitions],
            )
            for entry in grouped(epochs)
        ]

    def _read_held(self, value: Any, names: Names) -> tuple[Epochs, Epochs]:
        assigned, revoking = (
            tuple(
                sorted(
                    ((names[entry.topic_id], number), epoch)
                    for entry in entries
                    for number, epoch in zip(entry.partitions, entry.assignment_epochs, strict=True)
                )
            )
            for entries in (value.assigned_partitions, value.partitions_pending_revocation)
        )
        return assigned, revoking

    def more(self, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
        """Yield what regular expressions matched; version and time of the metadata are left at
        0.
        """
        kept = {resolved.expression for resolved in after.resolved}
        for expression, _ in before.resolved:
            if expression not in kept:
                yield self.key(Use.MORE, regular_expression=expression), None
        for resolved in after.resolved:
            if resolved not in before.resolved:
                value = messages.ConsumerGroupRegularExpressionValue(topics=resolved.topics)
                yield self.key(Use.MORE, regular_expression=resolved.expression), value

    def read_more(self, group: ConsumerGroup, key: Any, value: Any) -> ConsumerGroup:
        """Return a group with what a regular expression matched."""
        matches = [match for match in group.resolved if match.expression != key.regular_expression]
        if value is not None:
            matches.append(ResolvedExpression(key.regular_expression, value.topics))
        return group._replace(resolved=tuple(sorted(matches)))


class ShareRecords(RecordKind):
    """The records of a share group (KIP-932), without those of its share coordinator."""

    protocol = GroupProtocol.SHARE
    forms = _forms("ShareGroup")

    def member(self, member: ConsumerMember) -> VersionedMessage:
        """Return the value that says who a member is."""
        return messages.ShareGroupMemberMetadataValue(
            rack_id=member.rack,
            client_id=member.client_id,
            client_host=_CLIENT_HOST,
            subscribed_topic_names=member.topics,
        )

    def read_member(
        self, member: ConsumerMember, value: Any, group: ConsumerGroup
    ) -> ConsumerMember:
        """Return a member with what such a value says."""
        return member._replace(
            client_id=value.client_id,
            rack=value.rack_id,
            topics=tuple(value.subscribed_topic_names),
        )

    def _held(self, member: ConsumerMember) -> dict[str, Any]:
        entry = messages.ShareGroupCurrentMemberAssignmentValue.TopicPartitions
        return {
            "assigned_partitions": [
                entry(topic_id=uuid, partitions=numbers)
                for uuid, numbers in by_topic_id(member.assigned_partitions).items()
            ]
        }

    def _read_held(self, value: Any, names: Names) -> tuple[Epochs, Epochs]:
        """Return the partitions as assigned in the member's epoch: a member of a share group gets
        all of them anew in each.
        """
        return in_epoch(_named(value.assigned_partitions, names), value.member_epoch), ()


class StreamsRecords(RecordKind):
    """The records of a streams group (KIP-1071)."""

    protocol = GroupProtocol.STREAMS
    forms = _forms("StreamsGroup", "Topology")
    _roles: ClassVar = {
        Role.ACTIVE: "active_tasks",
        Role.STANDBY: "standby_tasks",
        Role.WARMUP: "warmup_tasks",
    }

    def told(self, group: ConsumerGroup) -> tuple[object, ...]:
        """Return what the record of the group's epoch holds."""
        return *super().told(group), group.topology_is_valid, group.standby_replicas

    def group(self, group: ConsumerGroup) -> VersionedMessage:
        """Return the value for the group's epoch."""
        value = messages.StreamsGroupMetadataValue
        setting = value.LastAssignmentConfig(
            key="num.standby.replicas", value=str(group.standby_replicas)
        )
        return value(
            epoch=group.epoch,
            metadata_hash=group.metadata_hash,
            validated_topology_epoch=0 if group.topology_is_valid else -1,
            last_assignment_configs=[setting],
        )

    def read_group(self, group: ConsumerGroup, value: Any) -> ConsumerGroup:
        """Return a group with what a value for its epoch says."""
        return (
            super()
            .read_group(group, value)
            ._replace(
                topology_is_valid=value.validated_topology_epoch >= 0,
                standby_replicas=int(value.last_assignment_configs[0].value),
            )
        )

    def member(self, member: ConsumerMember) -> VersionedMessage:
        """Return the value that says who a member is."""
        return messages.StreamsGroupMemberMetadataValue(
            rack_id=member.rack,
            instance_id=member.instance_id,
            client_id=member.client_id,
            client_host=_CLIENT_HOST,
            rebalance_timeout_ms=member.rebalance_timeout_ms,
            process_id=member.process_id,
        )

    def read_member(
        self, member: ConsumerMember, value: Any, group: ConsumerGroup
    ) -> ConsumerMember:
        """Return a member with what such a value says; its topics are those of the topology."""
        return member._replace(
            client_id=value.client_id,
            instance_id=value.instance_id,
            rack=value.rack_id,
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            process_id=value.process_id,
            topics=group.topology_topics(),
        )

    def target(self, target: frozenset[Partition]) -> VersionedMessage:
        """Return the value for the target of a member."""
        value = messages.StreamsGroupTargetAssignmentMemberValue
        tasks: dict[str, Any] = {
            field: [
                value.TaskIds(subtopology_id=name, partitions=numbers)
                for name, numbers in numbers_in(role, target).items()
            ]
            for role, field in self._roles.items()
        }
        return value(**tasks)

    def read_target(self, value: Any, names: Names) -> frozenset[Partition]:
        """Return the target that such a value has."""
        return frozenset(
            task(role, entry.subtopology_id, number)
            for role, field in self._roles.items()
            for entry in getattr(value, field)
            for number in entry.partitions
        )

    def state_number(self, progress: MemberProgress) -> int:
        """Return the number of a member's state: here they begin with 1."""
        return progress + 1

    def _held(self, member: ConsumerMember) -> dict[str, Any]:
        fields = self._roles.items()
        return {field: self._entries(role, member.assigned) for role, field in fields} | {
            f"{field}_pending_revocation": self._entries(role, member.revoking)
            for role, field in fields
        }

    def _entries(self, role: Role, tasks: Epochs) -> list[Any]:
        epochs = dict(tasks)
        return [
            messages.StreamsGroupCurrentMemberAssignmentValue.TaskIds(
                subtopology_id=name,
                partitions=numbers,
                assignment_epochs=[epochs[task(role, name, number)] for number in numbers]
                if role is Role.ACTIVE
                else None,
            )
            for name, numbers in numbers_in(role, epochs).items()
        ]

    def _read_held(self, value: Any, names: Names) -> tuple[Epochs, Epochs]:
        return self._read_tasks(value, ""), self._read_tasks(value, "_pending_revocation")

    def _read_tasks(self, value: Any, suffix: str) -> Epochs:
        return tuple(
            sorted(
                (task(role, entry.subtopology_id, number), epoch)
                for role, field in self._roles.items()
                for entry in getattr(value, f"{field}{suffix}")
                for number, epoch in zip(
                    entry.partitions,
                    entry.assignment_epochs or [0] * len(entry.partitions),
                    strict=True,
                )
            )
        )

    def more(self, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
        """Yield the topology, if it is new."""
        if before.topology != after.topology:
            yield self.key(Use.MORE), _topology(after.topology)

    def read_more(self, group: ConsumerGroup, key: Any, value: Any) -> ConsumerGroup:
        """Return a group with its topology, whose topics its members read."""
        group = group._replace(
            topology=tuple(
                SubtopologySettings(
                    subtopology.source_topics, bool(subtopology.state_changelog_topics)
                )
                for subtopology in value.subtopologies
            )
        )
        topics = group.topology_topics()
        return group._replace(
            members=tuple(member._replace(topics=topics) for member in group.members)
        )


def _topology(topology: Iterable[SubtopologySettings]) -> VersionedMessage:
    value = messages.StreamsGroupTopologyValue
    return value(
        subtopologies=[
            value.Subtopology(
                subtopology_id=str(number),
                source_topics=subtopology.topics,
                state_changelog_topics=[
                    value.TopicInfo(name=f"{GROUP_ID}-store-{number}-changelog")
                ]
                if subtopology.stateful
                else [],
            )
            for number, subtopology in enumerate(topology)
        ]
    )


RECORD_KINDS: Mapping[GroupProtocol, RecordKind] = MappingProxyType(
    {kind.protocol: kind for kind in (ConsumerRecords(), ShareRecords(), StreamsRecords())}
)
