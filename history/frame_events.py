"""The events that frames of requests and responses show.

The fields of events, beside those that `Event` has:

    joins (classic), joined     instance_id, session_ms, rebalance_ms (-1: not set), reason,
                                protocol_type, protocols {name: metadata}, asks_for_id, owns
    joined                      besides: protocol, leader, and for the leader
                                members {member id: (instance id, metadata)}
    leader-assigns              shares {member id: assignment}; heard, of SyncGroup: none
    assigned                    owns
    leaves                      reason, for_now
    left                        members: ids, or instance ids in `instances`
    …-refused                   error
    joins, reports-it-owns, heard   says {field: value} of what a heartbeat does not leave out, owns
    epoch, is-given, answered   lists {field: value} likewise, target, standby, warmup, status, and
                                says of the request

`owns` and `target` are Parts; None where a heartbeat does not have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..capture.frames.frame import Frame
from ..inspector.nested_bytes import Opened
from .calls import Call
from .events import Event, Kind, Place
from .ownership import NONE, Parts, parts_of

__all__ = ["JOINS", "events_of", "joiner_fields"]

JOINS = 0
"""The member epoch in the heartbeat of a member that joins."""
_LEAVES, _LEAVES_FOR_NOW = -1, -2  # of one that leaves, and of a static one that means to come back

_KINDS: dict[str, Kind] = {
    "ConsumerGroupHeartbeat": "consumer",
    "ShareGroupHeartbeat": "share",
    "StreamsGroupHeartbeat": "streams",
}
_HAS_REBALANCE_TIMEOUT = 1  # JoinGroup's version since which it is not the session timeout
_ASKS_FOR_AN_ID = 4  # JoinGroup's version since which a member without an id is given one first
_SAYS: Mapping[Kind, tuple[str, ...]] = {
    "consumer": (
        "instance_id", "rack_id", "rebalance_timeout_ms", "subscribed_topic_names",
        "subscribed_topic_regex", "server_assignor",
    ),
    "share": ("rack_id", "subscribed_topic_names"),
    "streams": (
        "instance_id", "rack_id", "rebalance_timeout_ms", "process_id", "topology",
        "user_endpoint", "client_tags",
    ),
}  # fmt: skip
_LISTS = ("active_tasks", "standby_tasks", "warmup_tasks")

Payloads = Callable[[], Sequence[Opened]]
"""Returns what the bytes inside of a frame were read as."""


def _no_payloads() -> tuple[Opened, ...]:
    return ()


def events_of(call: Call, frame: Frame, payloads: Payloads = _no_payloads) -> tuple[Event, ...]:
    """Return the events that a frame shows, none where it is not about membership or cannot be
    read. Without `payloads` it is not known who owns what in classic groups."""
    message = frame.body.message if frame.body is not None else None
    kind = _KINDS.get(frame.api)
    if message is None or not call.group or (kind is None and frame.api not in _CLASSIC):
        return ()
    place = request = Place(call.number, call.connection)
    name, fields = "heard", _NO_FIELDS
    if frame.direction == "response":
        place, name = Place(call.answer_number, frame.connection), "answered"
        if call.error:
            name, fields = _REFUSALS.get(frame.api, "heartbeat-refused"), {"error": call.error}
    event = Event(
        name, kind or "classic", call.group, frame.timestamp, call.member_id, call.client, -1,
        fields, place, request, call.time,
    )  # fmt: skip
    if fields:
        return (event,)
    reader = _READERS.get((frame.api, frame.direction))
    return (event,) if reader is None else tuple(reader(event, call, message, payloads))


_NO_FIELDS: Mapping[str, Any] = MappingProxyType({})
_CLASSIC = frozenset({"JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit"})
_REFUSALS = {
    "JoinGroup": "join-refused",
    "SyncGroup": "sync-refused",
    "LeaveGroup": "leave-refused",
}


# -- classic groups


def _joins(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    static = message.group_instance_id
    asks = not message.member_id and call.version >= _ASKS_FOR_AN_ID and not static
    owns = _parts(payloads(), "owned_partitions") if message.member_id else NONE
    yield event._replace(
        kind="joins", fields=joiner_fields(call) | {"asks_for_id": asks, "owns": owns}
    )


def joiner_fields(call: Call) -> dict[str, Any]:
    """Return what a JoinGroup request tells; in version 0 one timeout stands for both."""
    request = call.request
    has_one_timeout = call.version < _HAS_REBALANCE_TIMEOUT
    return {
        "instance_id": request.group_instance_id,
        "session_ms": request.session_timeout_ms,
        "rebalance_ms": request.session_timeout_ms
        if has_one_timeout
        else request.rebalance_timeout_ms,
        "reason": request.reason or "",
        "protocol_type": request.protocol_type,
        "protocols": {protocol.name: protocol.metadata for protocol in request.protocols},
    }


def _joined(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    members = {
        member.member_id: (member.group_instance_id, member.metadata) for member in message.members
    }
    fields = joiner_fields(call) | {
        "protocol_type": message.protocol_type or call.request.protocol_type,
        "protocol": message.protocol_name,
        "leader": message.leader,
        "members": members,
    }
    yield event._replace(
        kind="joined", member=message.member_id, generation=message.generation_id, fields=fields
    )


def _assigns(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    """A follower's request has no shares; nor has that of a leader who gives nobody anything, of
    which the group knows that it leads."""
    shares = {share.member_id: share.assignment for share in message.assignments}
    kind = "leader-assigns" if shares else event.kind
    yield event._replace(kind=kind, generation=message.generation_id, fields={"shares": shares})


def _assigned(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    owns = _parts(payloads(), "assigned_partitions")
    yield event._replace(
        kind="assigned", generation=call.request.generation_id, fields={"owns": owns}
    )


def _leaves(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    """Up to version 2 there is one member; later there may be several, and a static one may be
    named by its instance id alone (KIP-345)."""
    leaving = [
        (member.member_id, member.group_instance_id, member.reason or "")
        for member in message.members
    ]
    for member_id, instance_id, reason in leaving or [(message.member_id, None, "")]:
        fields = {"reason": reason, "for_now": False, "instance_id": instance_id}
        yield event._replace(kind="leaves", member=member_id, fields=fields)


def _left(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    """Each member has its own answer, and a static member may be named by its instance id alone
    (KIP-345)."""
    request = call.request
    leaving = [(member.member_id, member.group_instance_id) for member in request.members]
    stays = {
        (member.member_id, member.group_instance_id)
        for member in message.members
        if member.error_code
    }
    leavers = [member for member in leaving if member not in stays]
    if not request.members:
        leavers = [(request.member_id, None)]
    yield event._replace(kind="left", fields={"members": leavers})


def _committed(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    """A commit is answered partition by partition."""
    errors = (part.error_code for topic in message.topics for part in topic.partitions)
    error = next(filter(None, errors), 0)
    offsets = {
        (topic.name, part.partition_index): part.committed_offset
        for topic in getattr(call.request, "topics", ()) for part in topic.partitions
    }  # fmt: skip
    word, fields = ("commit-refused", {"error": error}) if error else ("committed", {})
    yield event._replace(kind=word, fields={**fields, "offsets": offsets})


def _parts(payloads: Sequence[Opened], field: str) -> Parts:
    """Return the partitions in a field of a subscription or an assignment: of the first that has
    any, since a member that has revoked all of them claims none."""
    for inner in payloads:
        message = inner.decoded.message if inner.decoded is not None else None
        topics = getattr(message, field, None)
        if topics or (topics is not None and field == "assigned_partitions"):
            return parts_of((topic.topic, topic.partitions) for topic in topics)
    return NONE


# -- groups whose broker assigns (consumers, KIP-848; share, 932; Streams, 1071)


def _heartbeat(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    kind, epoch = event.protocol, message.member_epoch
    if epoch in (_LEAVES, _LEAVES_FOR_NOW):
        fields = {"reason": "", "for_now": epoch == _LEAVES_FOR_NOW}
        yield event._replace(kind="leaves", generation=epoch, fields=fields)
        return
    if kind == "streams":
        owns = _tasks(message.active_tasks)
    else:
        owns = _partitions(getattr(message, "topic_partitions", None))
    name = "joins" if epoch == JOINS else "heard" if owns is None else "reports-it-owns"
    fields = {"says": _says(kind, message), "owns": owns}
    yield event._replace(kind=name, generation=epoch, fields=fields)


def _says(kind: Kind, request: Any) -> dict[str, Any]:
    """Return what a heartbeat says of its member; null, or -1, is as before."""
    sent = ((name, getattr(request, name)) for name in _SAYS[kind])
    return {name: value for name, value in sent if value is not None and value != -1}


def _beat_answered(event: Event, call: Call, message: Any, payloads: Payloads) -> Iterator[Event]:
    kind, epoch = event.protocol, message.member_epoch
    if call.request.member_epoch == _LEAVES:
        members = [(event.member, None)]
        yield event._replace(kind="left", generation=epoch, fields={"members": members})
        return
    if kind == "streams":
        lists = {name: getattr(message, name) for name in _LISTS}
        target = _tasks(message.active_tasks)
    else:
        lists = {"assigned_partitions": message.assignment and message.assignment.topic_partitions}
        target = _partitions(lists["assigned_partitions"])
    status = getattr(message, "status", None) or ()
    fields = {
        "says": _says(kind, call.request),
        "lists": {name: entries for name, entries in lists.items() if entries is not None},
        "target": target,
        "standby": _tasks(getattr(message, "standby_tasks", None)),
        "warmup": _tasks(getattr(message, "warmup_tasks", None)),
        "status": tuple((entry.status_code, entry.status_detail) for entry in status),
    }
    has_news = epoch != call.request.member_epoch
    name = "is-given" if target is not None else "epoch" if has_news else event.kind
    yield event._replace(kind=name, generation=epoch, fields=fields)


def _partitions(topics: Any) -> Parts | None:
    if topics is None:
        return None
    return parts_of((topic.topic_id, topic.partitions) for topic in topics)


def _tasks(tasks: Any) -> Parts | None:
    if tasks is None:
        return None
    return parts_of((task.subtopology_id, task.partitions) for task in tasks)


_Reader = Callable[[Event, Call, Any, Payloads], Iterator[Event]]
_READERS: dict[tuple[str, str], _Reader] = {
    ("JoinGroup", "request"): _joins,
    ("JoinGroup", "response"): _joined,
    ("SyncGroup", "request"): _assigns,
    ("SyncGroup", "response"): _assigned,
    ("LeaveGroup", "request"): _leaves,
    ("LeaveGroup", "response"): _left,
    ("OffsetCommit", "response"): _committed,
    **{(api, "request"): _heartbeat for api in _KINDS},
    **{(api, "response"): _beat_answered for api in _KINDS},
}
