"""What the broker writes to its topic for a consumer group, and the group that is read from it.

A step of the coordinator is one batch of records, in which each says the whole of one thing: who a
member is, the group's epoch, a member's target, the target's epoch, what a member has reached. A
key without a value is a tombstone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from ....codec.messages import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
)
from ....codec.runtime.message import VersionedMessage
from ..machines.member_requests import GROUP_ID
from .group_state import ClassicMetadata, ConsumerGroup, ConsumerMember, Epochs, MemberProgress
from .regular_expressions import ResolvedExpression
from .targets import by_topic_id, named, topic_id

NO_GROUP = ConsumerGroup()
_CLIENT_HOST = "/10.0.0.2"


class WrittenRecord(NamedTuple):
    """A record of the offsets topic; a value of None is a tombstone."""

    key: bytes
    value: bytes | None


_Pair: TypeAlias = tuple[VersionedMessage, VersionedMessage | None]


def records_between(before: ConsumerGroup, after: ConsumerGroup) -> list[WrittenRecord]:
    """Return the records of a step from one state of a group to the next, in a broker's order."""
    if after is NO_GROUP:
        pairs = [*_tombstones(before, after), *_group_tombstones()]
        return [WrittenRecord(key.to_bytes(), None) for key, _ in pairs]
    pairs = [
        *_tombstones(before, after),
        *_members(before, after),
        *_regexes(before, after),
        *_epoch(before, after),
        *_targets(before, after),
        *_current(before, after),
    ]
    return [
        WrittenRecord(key.to_bytes(), None if value is None else value.to_bytes())
        for key, value in pairs
    ]


def _ids(group: ConsumerGroup) -> dict[str, ConsumerMember]:
    return {member.member_id: member for member in group.members}


def _tombstones(before: ConsumerGroup, after: ConsumerGroup) -> Iterator[_Pair]:
    for member_id in _ids(before).keys() - _ids(after).keys():
        for key in (
            ConsumerGroupCurrentMemberAssignmentKey,
            ConsumerGroupTargetAssignmentMemberKey,
            ConsumerGroupMemberMetadataKey,
        ):
            yield key(group_id=GROUP_ID, member_id=member_id), None


def _group_tombstones() -> Iterator[_Pair]:
    """Yield what a group that becomes a classic one leaves behind."""
    yield ConsumerGroupTargetAssignmentMetadataKey(group_id=GROUP_ID), None
    yield ConsumerGroupMetadataKey(group_id=GROUP_ID), None


def _members(before: ConsumerGroup, after: ConsumerGroup) -> Iterator[_Pair]:
    known = _ids(before)
    for member in after.members:
        old = known.get(member.member_id)
        if old is None or old.described() != member.described():
            key = ConsumerGroupMemberMetadataKey(group_id=GROUP_ID, member_id=member.member_id)
            yield key, _metadata(member)


def _metadata(member: ConsumerMember) -> ConsumerGroupMemberMetadataValue:
    value = ConsumerGroupMemberMetadataValue
    classic = member.classic
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


def _regexes(before: ConsumerGroup, after: ConsumerGroup) -> Iterator[_Pair]:
    """Yield what regular expressions matched; version and time of the metadata are left at 0."""
    key, kept = (
        ConsumerGroupRegularExpressionKey,
        {resolved.expression for resolved in after.resolved},
    )
    for expression, _ in before.resolved:
        if expression not in kept:
            yield key(group_id=GROUP_ID, regular_expression=expression), None
    for resolved in after.resolved:
        if resolved not in before.resolved:
            yield (
                key(group_id=GROUP_ID, regular_expression=resolved.expression),
                ConsumerGroupRegularExpressionValue(topics=resolved.topics),
            )


def _epoch(before: ConsumerGroup, after: ConsumerGroup) -> Iterator[_Pair]:
    if (before.epoch, before.metadata_hash) != (after.epoch, after.metadata_hash):
        key = ConsumerGroupMetadataKey(group_id=GROUP_ID)
        yield (
            key,
            ConsumerGroupMetadataValue(epoch=after.epoch, metadata_hash=after.metadata_hash),
        )


def _targets(before: ConsumerGroup, after: ConsumerGroup) -> Iterator[_Pair]:
    value = ConsumerGroupTargetAssignmentMemberValue
    old = dict(before.targets)
    for member_id, target in after.targets:
        if old.get(member_id) != target:
            key = ConsumerGroupTargetAssignmentMemberKey(group_id=GROUP_ID, member_id=member_id)
            entries = [
                value.TopicPartition(topic_id=uuid, partitions=numbers)
                for uuid, numbers in by_topic_id(target).items()
            ]
            yield key, value(topic_partitions=entries)
    if before.assignment_epoch != after.assignment_epoch:
        metadata = ConsumerGroupTargetAssignmentMetadataValue(
            assignment_epoch=after.assignment_epoch
        )
        yield ConsumerGroupTargetAssignmentMetadataKey(group_id=GROUP_ID), metadata


def _current(before: ConsumerGroup, after: ConsumerGroup) -> Iterator[_Pair]:
    known = _ids(before)
    for member in after.members:
        old = known.get(member.member_id, ConsumerMember(member.member_id))
        if old.reached() != member.reached():
            key = ConsumerGroupCurrentMemberAssignmentKey(
                group_id=GROUP_ID, member_id=member.member_id
            )
            yield (
                key,
                ConsumerGroupCurrentMemberAssignmentValue(
                    member_epoch=member.epoch,
                    previous_member_epoch=member.previous_epoch,
                    state=member.progress,
                    assigned_partitions=_entries(member.assigned),
                    partitions_pending_revocation=_entries(member.revoking),
                ),
            )


def _entries(
    partitions: Epochs,
) -> list[ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions]:
    epochs = dict(partitions)
    grouped: dict[str, list[int]] = {}
    for (topic, number), _ in partitions:
        grouped.setdefault(topic, []).append(number)
    return [
        ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions(
            topic_id=topic_id(topic),
            partitions=numbers,
            assignment_epochs=[epochs[topic, number] for number in numbers],
        )
        for topic, numbers in grouped.items()
    ]


# -- reading


def group_of(records: Iterable[WrittenRecord], topics: Iterable[str]) -> ConsumerGroup:
    """Return the group that a coordinator finds in its topic. `topics` are those that have ever
    been there: records have their ids alone.
    """
    reading = _Reading({topic_id(topic): topic for topic in topics})
    for record in records:
        reading.take(record)
    return reading.group


class _Reading:
    def __init__(self, names: dict[UUID, str]) -> None:
        self._names = names
        self.group = NO_GROUP

    def take(self, record: WrittenRecord) -> None:
        number = int.from_bytes(record.key[:2], "big")
        key_type, value, put = _KINDS[number]
        key = key_type.from_bytes(record.key)
        name = getattr(key, "member_id", "") or getattr(key, "regular_expression", "")
        if record.value is not None:
            put(self, name, value.from_bytes(record.value))
        elif isinstance(key, ConsumerGroupRegularExpressionKey):
            self.group = self.group.without_regex(name)
        else:
            self.group = self.group.without([name]) if name else NO_GROUP

    def _member(self, member_id: str) -> ConsumerMember:
        return self.group.member(member_id) or ConsumerMember(member_id)

    def _epoch(self, _: str, value: Any) -> None:
        self.group = self.group._replace(epoch=value.epoch, metadata_hash=value.metadata_hash)

    def _metadata(self, member_id: str, value: Any) -> None:
        classic = value.classic_member_metadata
        member = self._member(member_id)._replace(
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
        self.group = self.group.with_member(member)

    def _regex(self, expression: str, value: Any) -> None:
        self.group = self.group.with_resolved(ResolvedExpression(expression, value.topics))

    def _target(self, member_id: str, value: Any) -> None:
        entries = {entry.topic_id: entry.partitions for entry in value.topic_partitions}
        targets = dict(self.group.targets)
        targets[member_id] = named(entries, self._names.values())
        self.group = self.group.with_targets(targets)

    def _target_epoch(self, _: str, value: Any) -> None:
        self.group = self.group._replace(assignment_epoch=value.assignment_epoch)

    def _current(self, member_id: str, value: Any) -> None:
        member = self._member(member_id)._replace(
            epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            progress=MemberProgress(value.state),
            assigned=self._epochs(value.assigned_partitions),
            revoking=self._epochs(value.partitions_pending_revocation),
        )
        self.group = self.group.with_member(member)

    def _epochs(self, entries: Any) -> Epochs:
        return tuple(
            sorted(
                ((self._names[entry.topic_id], number), epoch)
                for entry in entries
                for number, epoch in zip(entry.partitions, entry.assignment_epochs, strict=True)
            )
        )


_KINDS: dict[int, Any] = {
    key.API_KEY: (key, value, put)
    for key, value, put in (
        (ConsumerGroupMetadataKey, ConsumerGroupMetadataValue, _Reading._epoch),
        (ConsumerGroupMemberMetadataKey, ConsumerGroupMemberMetadataValue, _Reading._metadata),
        (
            ConsumerGroupRegularExpressionKey,
            ConsumerGroupRegularExpressionValue,
            _Reading._regex,
        ),
        (
            ConsumerGroupTargetAssignmentMetadataKey,
            ConsumerGroupTargetAssignmentMetadataValue,
            _Reading._target_epoch,
        ),
        (
            ConsumerGroupTargetAssignmentMemberKey,
            ConsumerGroupTargetAssignmentMemberValue,
            _Reading._target,
        ),
        (
            ConsumerGroupCurrentMemberAssignmentKey,
            ConsumerGroupCurrentMemberAssignmentValue,
            _Reading._current,
        ),
    )
}
