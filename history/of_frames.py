"""Captured frames as a source of the story: their events, and the rebalances that they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from ..capture.frames.error_codes import error_name
from ..capture.frames.frame import Frame
from ..capture.logs.event import LogEvent
from ..capture.logs.layouts import Stamp
from ..codec import ApiVersionsRequest, ConsumerProtocolAssignment, DecodeError
from ..inspector.group_context import Surroundings
from ..inspector.opening import open_inside
from ..inspector.shapes.shape import iso_time
from .calls import Calls
from .causes import CAUSES
from .clocks import LogSource
from .events import Event
from .frames import events_of
from .groups import Cause, Group, Rebalance
from .history import History
from .rebalances import LikelyCause, LogRebalance, cause_of_reason
from .records import group_record

__all__ = ["read_frames"]


def read_frames(source: LogSource, frames: Iterable[Frame]) -> Mapping[str, list[LogRebalance]]:
    """Read frames, which come in the order of their times, into a source; return the rebalances of
    each group."""
    calls, around, history = Calls(), Surroundings(), History()
    for number, frame in enumerate(frames, 1):
        call = calls.take(frame, number)
        context = around.around(frame)
        body = frame.body

        def opened(body: Any = body, context: Any = context) -> Any:
            return () if body is None else open_inside(body, context)

        source.events += _release(frame, call.client, number)
        for event in events_of(call, frame, opened):
            history.take(event)
            if event.kind not in ("heard", "answered", "left"):
                told = _log_event(event, number)._replace(text=_text(frame, event))
                if event.kind == "sync-refused":
                    told = _with_record_size(told, history.groups.get(event.group))
                source.events.append(told)
    return {
        name: [
            _rebalance(group, rebalance)
            for rebalance in (*group.rebalances, group.rebalance)
            if rebalance is not None and rebalance.first >= 0
        ]
        for name, group in history.groups.items()
    }


def _log_event(event: Event, number: int) -> LogEvent:
    fields = event.fields
    details: dict[str, Any] = {}
    if fields.get("error"):
        details["error"] = error_name(fields["error"])
    details |= {key: fields[key] for key in ("reason", "protocol", "leader") if fields.get(key)}
    if event.kind == "joins" and "protocols" in fields:
        details["offers"] = (fields.get("protocol_type", ""), tuple(fields["protocols"]))
    if event.kind in ("assigned", "is-given", "reports-it-owns"):
        parts = fields.get("target" if event.kind == "is-given" else "owns")
        if parts is not None:
            details["partitions"] = tuple(sorted((str(topic), part) for topic, part in parts))
    if event.kind == "leader-assigns":
        details["assignment"] = {
            member: _partitions(share) for member, share in fields.get("shares", {}).items()
        }
    return LogEvent(
        event.kind,
        "frames",
        "frames",
        number,
        _stamp(event.time),
        event.group,
        "" if event.protocol == "classic" else event.protocol,
        event.member,
        event.client,
        fields.get("instance_id") or "",
        event.generation,
        MappingProxyType(details),
    )


_SOFTWARE = {
    "apache-kafka-java": "kafka-clients", "sarama": "sarama", "kgo": "franz-go",
    "kafka-python": "kafka-python", "librdkafka": "librdkafka",
}  # fmt: skip
"""The clients of `clients.json` by the names that they give of themselves (KIP-511)."""
_LIBRDKAFKA = re.compile(r"librdkafka-v?(\d[\w.]*)")


def _release(frame: Frame, client: str, number: int) -> tuple[LogEvent, ...]:
    """The release that a client names when it asks for the versions of requests."""
    message = frame.body.message if frame.body is not None else None
    if not isinstance(message, ApiVersionsRequest) or not message.client_software_name:
        return ()
    release = message.client_software_version
    of_binding = _LIBRDKAFKA.search(release)
    program = _SOFTWARE.get(message.client_software_name, message.client_software_name)
    if of_binding is not None:
        program, release = "librdkafka", of_binding[1]
    fields = {"program": program, "release": release.removeprefix("v")}
    event = LogEvent(
        "release", "frames", "frames", number, _stamp(frame.timestamp), client=client,
        fields=fields, text=f"ApiVersions request of {message.client_software_name} {release}",
    )  # fmt: skip
    return (event,)


def _stamp(time: float | None) -> Stamp:
    return Stamp() if time is None else Stamp(iso_time(time), time, True, True, True)


def _text(frame: Frame, event: Event) -> str:
    """What is shown of a frame as evidence."""
    error = event.fields.get("error")
    who = event.client or event.member
    words = [
        frame.api,
        frame.direction,
        f"of {who}" if who else "",
        event.fields.get("reason") or "",
    ]
    return " ".join(word for word in (*words, error_name(error) if error else "") if word)


def _with_record_size(event: LogEvent, group: Group | None) -> LogEvent:
    """A SyncGroup that failed, with the size of the record that the coordinator was to write."""
    current = group.current if group is not None else None
    if group is None or current is None or not current.shares:
        return event
    size = len(group_record(group, current).to_bytes())
    return event._replace(fields=MappingProxyType({**event.fields, "record_bytes": size}))


def _partitions(share: bytes) -> tuple[tuple[str, int], ...]:
    try:
        assignment = ConsumerProtocolAssignment.from_bytes(share)
    except DecodeError:
        return ()
    return tuple(sorted(
        (topic.topic, part) for topic in assignment.assigned_partitions for part in topic.partitions
    ))  # fmt: skip


_SAME_WORDS = {"member-fenced": "session-expired", "member-rejoined": ""}


def _rebalance(group: Group, rebalance: Rebalance) -> LogRebalance:
    told = LogRebalance(rebalance.last, rebalance.start, rebalance.end, rebalance.start)
    told.is_classic = group.kind == "classic"
    for cause in rebalance.causes:
        likely = _cause(cause)
        if likely is not None:
            told.add(likely)
    return told


def _cause(cause: Cause) -> LikelyCause | None:
    stated = cause_of_reason(cause.reason)
    word, is_certain = (stated[0], stated[1]) if stated else (cause.word, cause.certain)
    word = _SAME_WORDS.get(word, word)
    if word not in CAUSES or word == "unknown":
        return None
    member = cause.member
    rivals = () if is_certain else CAUSES[word].rivals
    return LikelyCause(
        word, is_certain, member.member_id if member else "", member.client if member else "",
        rivals, (), cause.reason,
    )  # fmt: skip
