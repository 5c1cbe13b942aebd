"""The records that coordinators write because of what frames show.

What members and their coordinator say to each other tells what the coordinator then writes into
the offsets topic. What no frame says stays empty: nothing is made up. Targets, and what is waiting
to be revoked, stay with the coordinator. Of a group that is only described there is one record: a
description has no generation and names no leader, so the generation is 0, and the leader null.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ..capture.frames.error_codes import error_name
from ..capture.frames.frame import Frame
from ..capture.segments.records import LAST_TIME
from ..capture.summary import Summary
from ..codec import (
    GroupMetadataKey,
    GroupMetadataValue,
    StreamsGroupMemberMetadataValue,
    VersionedMessage,
    message_class,
)
from .calls import Call, Calls, host_of
from .events import Event
from .frame_events import events_of
from .groups import Generation, Group, HistoryMember, Listed
from .history import History

__all__ = ["CoordinatorRecord", "RecordReader", "UnreadableFrame", "group_record"]

_APIS = {
    "ConsumerGroupHeartbeat",
    "DescribeGroups",
    "Heartbeat",
    "JoinGroup",
    "LeaveGroup",
    "StreamsGroupHeartbeat",
    "SyncGroup",
}
_NOT_KNOWN = -1
"""For a number that no frame says, as records have it."""
_UUID = re.compile(r"-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
_STABLE = "Stable"  # in other states a description has no bytes of members

_Fields: TypeAlias = dict[str, Any]


class CoordinatorRecord(NamedTuple):
    """A record that the coordinator writes because of a frame: the number of that frame, from 1 in
    the order of the frames' times, its time in milliseconds since 1970, key and value. Without a
    value it is a tombstone."""

    number: int
    time: int | None
    key: VersionedMessage
    value: VersionedMessage | None


class UnreadableFrame(NamedTuple):
    """A frame of a group that cannot be read, and why."""

    number: int
    reason: str
    data: bytes


class RecordReader:
    """Reads frames, which come in the order of their times. `offered` has, by group and member id,
    the protocols that each member listed when it was let in. What makes no record is told to
    `summary`."""

    def __init__(self, source: str, summary: Summary) -> None:
        self._source = source
        self._summary = summary
        self._calls = Calls()
        self._history = History(bounded=False)
        self._written = _Written()
        self._described: dict[str, list[CoordinatorRecord]] = {}
        self._in_frames: set[str] = set()
        self.offered: dict[tuple[str, str], Mapping[str, bytes]] = {}

    def read(self, frames: Iterable[Frame]) -> Iterator[CoordinatorRecord | UnreadableFrame]:
        """Yield the records in the order of the frames that complete them."""
        for number, frame in enumerate(frames, 1):
            if frame.api not in _APIS:
                continue
            if frame.body is None or frame.body.message is None:
                yield UnreadableFrame(number, _why_unreadable(frame), frame.data)
                continue
            call = self._calls.take(frame, number)
            if call.answer is None or call.api == frame.api:
                yield from self._records(call, frame)
            else:
                self._summary.skip(
                    "answer whose request is not there or cannot be read",
                    f"{frame.source}, frame {number:,}",
                    frame.size,
                    expected=True,
                )
        waiting = len(self._calls) + self._calls.forgotten
        self._summary.note("requests to coordinators without an answer", waiting)
        for group in self._history.groups.values():
            self._note_abandoned(group.current)

    def described(self) -> Iterator[CoordinatorRecord]:
        """Yield a record for each description of a group whose rebalances are not in the capture,
        when all frames are read."""
        for group_id, records in self._described.items():
            if group_id not in self._in_frames:
                yield from records

    def _records(self, call: Call, frame: Frame) -> Iterator[CoordinatorRecord]:
        if call.error:
            self._summary.note(f"answers of {error_name(call.error)}")
        if frame.api == "DescribeGroups":
            self._note_described(call)
        # A heartbeat changes no record; most frames are heartbeats.
        for event in () if frame.api == "Heartbeat" else events_of(call, frame):
            if event.protocol == "classic":
                yield from self._of_classic(event, frame.api)
            else:
                yield from self._written.records(event)

    def _of_classic(self, event: Event, api: str) -> Iterator[CoordinatorRecord]:
        groups = self._history.groups
        previous = groups[event.group].current if event.group in groups else None
        change = self._history.take(event)
        group = groups[event.group]
        current = group.current
        if previous is not current and (
            current is None or previous is None or current.number != previous.number
        ):
            self._note_abandoned(previous)
        if event.kind == "joined":
            self.offered[event.group, event.member] = event.fields["protocols"]
        if event.kind == "leader-assigns" and event.fields["shares"]:
            self._note_unknown(event, current)
        if api in ("JoinGroup", "SyncGroup"):
            self._in_frames.add(event.group)
        if change.record_cause is not None and current is not None:
            cause = change.record_cause
            key, value = GroupMetadataKey(group=group.name), group_record(group, current)
            yield CoordinatorRecord(
                cause.request.number, _milliseconds(cause.requested), key, value
            )

    def _note_abandoned(self, generation: Generation | None) -> None:
        if generation is not None and not generation.in_force:
            self._summary.note("generations without an assignment")

    def _note_unknown(self, event: Event, current: Generation | None) -> None:
        if current is None or current.number != event.generation:
            self._summary.skip(
                "assignment of a generation of which the capture does not tell who is in it",
                f"{self._source}, frame {event.place.number:,}",
                expected=True,
            )

    def _note_described(self, call: Call) -> None:
        for group in call.answer.groups if call.answer is not None else ():
            if not group.error_code and group.group_state == _STABLE:
                time = _milliseconds(call.answer_time)
                key, value = GroupMetadataKey(group=group.group_id), _described(group, time)
                record = CoordinatorRecord(call.answer_number, time, key, value)
                self._described.setdefault(group.group_id, []).append(record)


def _why_unreadable(frame: Frame) -> str:
    why = frame.reason or (frame.body is not None and frame.body.error) or "not complete"
    return f"{frame.api} {frame.direction} that cannot be read: {why}"


def _milliseconds(time: float | None) -> int | None:
    """Return a time as records have it; None also for one that no calendar has: capture files hold
    any number."""
    return None if time is None or not 0 <= time <= LAST_TIME else int(time)


# -- classic groups


def group_record(group: Group, generation: Generation) -> GroupMetadataValue:
    """Return the value of the record that a coordinator writes for a generation."""
    return GroupMetadataValue(
        protocol_type=generation.protocol_type,
        generation=generation.number,
        protocol=generation.protocol,
        leader=generation.leader or None,
        current_state_timestamp=_number(_milliseconds(generation.since)),
        members=[
            _member_value(group, member_id, listed, generation.shares.get(member_id, b""))
            for member_id, listed in generation.members.items()
        ],
    )


def _member_value(
    group: Group, member_id: str, listed: Listed, share: bytes
) -> GroupMetadataValue.MemberMetadata:
    """A member whose JoinGroup is not in the capture has the client id that its member id begins
    with, which brokers make of it and a UUID; a static one is who it was before."""
    member = listed.member
    if member.session_ms is None and listed.instance_id is not None:
        member = group.statics.get(listed.instance_id, member)
    if member.session_ms is None:
        client_id = _UUID.sub("", member_id) if listed.instance_id is None else ""
        member = HistoryMember(member_id, client_id)
    return GroupMetadataValue.MemberMetadata(
        member_id=member_id,
        group_instance_id=listed.instance_id,
        client_id=member.client,
        client_host=member.host,
        rebalance_timeout=_number(member.rebalance_ms),
        session_timeout=_number(member.session_ms),
        subscription=listed.metadata,
        assignment=share,
    )


def _number(value: int | None) -> int:
    return _NOT_KNOWN if value is None else value


def _described(group: Any, time: int | None) -> GroupMetadataValue:
    members = tuple(
        GroupMetadataValue.MemberMetadata(
            member_id=member.member_id,
            group_instance_id=member.group_instance_id,
            client_id=member.client_id,
            client_host=member.client_host,
            rebalance_timeout=_NOT_KNOWN,
            session_timeout=_NOT_KNOWN,
            subscription=member.member_metadata,
            assignment=member.member_assignment,
        )
        for member in group.members
    )
    return GroupMetadataValue(
        protocol_type=group.protocol_type,
        generation=0,
        protocol=group.protocol_data,
        leader=None,
        current_state_timestamp=_number(time),
        members=members,
    )


# -- groups whose broker assigns


_PREFIXES = {"consumer": "Consumer", "streams": "Streams"}


class _Assignment(NamedTuple):
    """What a member was told last: lists of partitions or tasks by field, and its epoch."""

    lists: Mapping[str, Any] = {}
    epoch: int = 0


class _Written:
    """The records so far of groups whose broker assigns: of an epoch, a member, what it is given,
    one is written where it differs from the one before."""

    def __init__(self) -> None:
        self._epochs: Counter[tuple[str, str]] = Counter()
        self._says: dict[tuple[str, str, str], _Fields] = {}
        self._members: dict[tuple[str, str, str], _Fields] = {}
        self._assignments: dict[tuple[str, str, str], _Assignment] = {}

    def records(self, event: Event) -> Iterator[CoordinatorRecord]:
        """Yield the records that the coordinator writes after an answer. An epoch that a member is
        told is one that the group has reached, and for which there is an assignment."""
        kind = _PREFIXES.get(event.protocol)
        if kind is None or event.kind not in ("epoch", "is-given", "answered", "left"):
            return
        place = kind, event.group, event.member
        if event.kind == "left":
            self._assignments.pop(place, None)
            self._says.pop(place, None)
            if self._members.pop(place, None) is not None:
                yield _record(event, kind, "GroupCurrentMemberAssignment", None, of_member=True)
                yield _record(event, kind, "GroupMemberMetadata", None, of_member=True)
            return
        says = self._says.setdefault(place, {})
        says |= event.fields["says"]
        host = host_of(event.place.connection)
        fields = _member_fields(kind, says) | {"client_id": event.client, "client_host": host}
        if fields != self._members.get(place):
            self._members[place] = fields
            yield _record(event, kind, "GroupMemberMetadata", fields, of_member=True)
        if event.generation > self._epochs[place[:2]]:
            self._epochs[place[:2]] = event.generation
            more = {"metadata_hash": 0} if kind == "Streams" else {}
            epoch = event.generation
            yield _record(event, kind, "GroupMetadata", {"epoch": epoch, **more})
            target = {"assignment_epoch": epoch}
            yield _record(event, kind, "GroupTargetAssignmentMetadata", target)
        last = self._assignments.get(place, _Assignment())
        assignment = _Assignment({**last.lists, **event.fields["lists"]}, event.generation)
        if assignment != last:
            self._assignments[place] = assignment
            fields = _assignment_fields(kind, assignment, last.epoch)
            yield _record(event, kind, "GroupCurrentMemberAssignment", fields, of_member=True)


def _assignment_fields(kind: str, assignment: _Assignment, previous_epoch: int) -> _Fields:
    cls: Any = _class(kind, "GroupCurrentMemberAssignmentValue")
    epochs = {"member_epoch": assignment.epoch, "previous_member_epoch": previous_epoch, "state": 0}
    return epochs | {name: _copied(entries, cls) for name, entries in assignment.lists.items()}


def _copied(entries: Any, cls: Any) -> list[Any]:
    """Return the entries as parts of a record."""
    if hasattr(cls, "TaskIds"):
        return [cls.TaskIds(subtopology_id=entry.subtopology_id, partitions=entry.partitions)
                for entry in entries]  # fmt: skip
    return [cls.TopicPartitions(topic_id=entry.topic_id, partitions=entry.partitions)
            for entry in entries]  # fmt: skip


def _member_fields(kind: str, says: Mapping[str, Any]) -> _Fields:
    fields = {"instance_id": None, "rack_id": None, **says}
    if kind == "Consumer":
        return {
            "subscribed_topic_names": (),
            "subscribed_topic_regex": "",
            "server_assignor": None,
            "classic_member_metadata": None,
            **fields,
        }
    topology, endpoint = fields.pop("topology", None), fields.pop("user_endpoint", None)
    tags = fields.pop("client_tags", ())
    cls = StreamsGroupMemberMetadataValue
    return {
        "process_id": "",
        "topology_epoch": _NOT_KNOWN if topology is None else topology.epoch,
        "user_endpoint": endpoint and cls.Endpoint(host=endpoint.host, port=endpoint.port),
        "client_tags": tuple(cls.KeyValue(key=tag.key, value=tag.value) for tag in tags),
        **fields,
    }


def _record(
    event: Event, kind: str, name: str, fields: _Fields | None, *, of_member: bool = False
) -> CoordinatorRecord:
    names = {"group_id": event.group} | ({"member_id": event.member} if of_member else {})
    key = _class(kind, f"{name}Key")(**names)
    value = None if fields is None else _class(kind, f"{name}Value")(**fields)
    return CoordinatorRecord(event.request.number, _milliseconds(event.requested), key, value)


def _class(kind: str, name: str) -> type[VersionedMessage]:
    cls = message_class(kind + name)
    assert issubclass(cls, VersionedMessage)
    return cls
