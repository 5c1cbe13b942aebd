"""Requests to a group's coordinator and its answers, in the frames of a capture.

Frames are counted from 1 in the order of their times, so that the number of a frame is that of its
line in what `kproto decode --json` prints of the capture.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ....capture.frames.frame import Connection, Frame
from ....capture.summary import Summary
from ....codec import VersionedMessage
from ..last_time import LAST_TIME

__all__ = ["NOT_KNOWN", "Call", "Fact", "UnreadableFrame", "calls"]

NOT_KNOWN = -1
"""For a number that no frame says, as records have it."""

_APIS = {
    "ConsumerGroupHeartbeat",
    "DescribeGroups",
    "Heartbeat",
    "JoinGroup",
    "LeaveGroup",
    "StreamsGroupHeartbeat",
    "SyncGroup",
}
_MOST = 10_000  # requests that wait for their answers


class Call(NamedTuple):
    """A request, or a request with its answer. Numbers are those of the two frames; `time` is that
    of the request and `answered` of the answer, in milliseconds since 1970, None where not known.
    `host` is written as brokers write it; "" if the capture does not tell."""

    api: str
    number: int
    time: int | None
    client_id: str
    host: str
    request: Any
    answer: Any = None
    answer_number: int = 0
    answered: int | None = None

    @property
    def key(self) -> tuple[str, bool]:
        """The kind of call: the API, and whether this is the answer."""
        return self.api, self.answer is not None

    @property
    def refused(self) -> bool:
        """Whether the answer is an error."""
        return getattr(self.answer, "error_code", 0) != 0


class Fact(NamedTuple):
    """A record that the coordinator writes because of a frame: the number and time of that frame,
    key and value. Without a value it is a tombstone.
    """

    number: int
    time: int | None
    key: VersionedMessage
    value: VersionedMessage | None


class UnreadableFrame(NamedTuple):
    """A frame of a group that cannot be read, and why."""

    number: int
    reason: str
    data: bytes


def calls(frames: Iterable[Frame], summary: Summary) -> Iterator[Call | UnreadableFrame]:
    """Yield each request as it is sent, and again with its answer. Frames have to come in the order
    of their times; what cannot be matched is told to `summary`.
    """
    waiting: OrderedDict[tuple[Connection | None, int | None], Call] = OrderedDict()
    for number, frame in enumerate(frames, 1):
        if frame.api not in _APIS:
            continue
        message = frame.body.message if frame.body is not None else None
        if message is None:
            yield UnreadableFrame(number, _reason(frame), frame.data)
            continue
        place = frame.connection, frame.correlation_id
        if frame.direction == "request":
            waiting[place] = _asked(number, frame, message)
            yield waiting[place]
            if len(waiting) > _MOST:
                waiting.popitem(last=False)
                summary.note(_UNANSWERED)
            continue
        asked = waiting.pop(place, None)
        if asked is None or asked.api != frame.api:
            summary.skip(
                "answer whose request is not there or cannot be read",
                f"{frame.source}, frame {number:,}",
                frame.size,
                expected=True,
            )
            continue
        yield asked._replace(answer=message, answer_number=number, answered=_time(frame))
    summary.note(_UNANSWERED, len(waiting))


_UNANSWERED = "requests to coordinators without an answer"


def _asked(number: int, frame: Frame, message: Any) -> Call:
    header = frame.header.message if frame.header is not None else None
    client_id = (header.client_id or "") if header is not None else ""
    return Call(frame.api, number, _time(frame), client_id, _host(frame.connection), message)


def _reason(frame: Frame) -> str:
    why = frame.reason or (frame.body is not None and frame.body.error) or "not complete"
    return f"{frame.api} {frame.direction} that cannot be read: {why}"


def _time(frame: Frame) -> int | None:
    """Return the time of a frame; None also for one that no calendar has: capture files hold any
    number.
    """
    time = frame.timestamp
    return None if time is None or not 0 <= time <= LAST_TIME else int(time)


def _host(connection: Connection | None) -> str:
    """Return the address as Java prints one without a name: with a slash in front."""
    if connection is None or not connection.broker:
        return ""
    address = connection.client.rpartition(":")[0].strip("[]")
    return f"/{address}" if address else ""
