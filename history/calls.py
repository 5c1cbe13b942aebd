"""Requests of group members and the answers to them, matched."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

from ..capture.frames.frame import Connection, Frame

__all__ = ["MAX_REMEMBERED", "Call", "Calls", "host_of"]

MAX_REMEMBERED = 10_000
"""Requests that are remembered until the response, the latest ones."""


class Call(NamedTuple):
    """A request; with `answer`, also its response. `number` and `time` are those of the request's
    frame, `answer_number` and `answer_time` those of the response's: the caller counts frames from
    1, times are in milliseconds since the epoch. `group` and `member_id` are those that the
    request names; a member without an id has that of the response."""

    api: str = ""
    version: int = 0
    client: str = ""
    group: str = ""
    member_id: str = ""
    request: Any = None
    connection: Connection | None = None
    number: int = 0
    time: float | None = None
    answer: Any = None
    answer_number: int = 0
    answer_time: float | None = None

    @property
    def error(self) -> int:
        """The error code of the answer as a whole, 0 for none."""
        code: int = getattr(self.answer, "error_code", 0)
        return code


_NO_CALL = Call()


class Calls:
    """The requests without a response so far."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[tuple[object, int | None], Call] = OrderedDict()
        self.forgotten = 0
        """Requests that were dropped because too many others waited as well."""

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, frame: Frame, number: int = 0) -> Call:
        """Return the call of a frame; that of a response whose request is not there has neither
        client nor group."""
        place = frame.connection, frame.correlation_id
        message = frame.body.message if frame.body is not None else None
        if frame.direction == "response":
            call = self._waiting.pop(place, _NO_CALL)
            member_id = call.member_id or getattr(message, "member_id", None) or ""
            # By place: this is done for each frame, and `_replace` takes three times as long.
            return Call(
                call.api, call.version, call.client, call.group, member_id, call.request,
                call.connection, call.number, call.time, message, number, frame.timestamp,
            )  # fmt: skip
        header = frame.header.message if frame.header is not None else None
        client = (header.client_id or "") if header is not None else ""
        group, member_id = _group(message), _member(message)
        version = frame.api_version or 0
        call = Call(
            frame.api, version, client, group, member_id, message, frame.connection, number,
            frame.timestamp,
        )  # fmt: skip
        self._waiting[place] = call
        if len(self._waiting) > MAX_REMEMBERED:
            self._waiting.popitem(last=False)
            self.forgotten += 1
        return call


def _group(request: Any) -> str:
    group = getattr(request, "group_id", "")
    if not group:
        groups = list(getattr(request, "groups", None) or ())
        if len(groups) == 1:
            group = getattr(groups[0], "group_id", "")
    return group if isinstance(group, str) else ""


def _member(request: Any) -> str:
    """Return the member that asks. LeaveGroup names those that leave, and may be sent for
    others."""
    return getattr(request, "member_id", "") or ""


def host_of(connection: Connection | None) -> str:
    """Return the client's address as brokers write it, `/192.0.2.1`; "" where the capture does not
    tell it."""
    if connection is None or not connection.broker:
        return ""
    address = connection.client.rpartition(":")[0].strip("[]")
    return f"/{address}" if address else ""
