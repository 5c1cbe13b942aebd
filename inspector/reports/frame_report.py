"""The JSON object of a request or response.

    {"source", "connection", "timestamp", "direction", "apiKey", "apiVersion", "correlationId",
     "header", "body", "packet", "note"}

Header and body are made by `decoded_report`. A body is null where the API has no definition here;
`note`, which is left out otherwise, says so. A body that could not be read says why, and in `read`
what was read before. `packet` is the number of the packet that completes the frame, in the file
`source`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...capture.frames.frame import Frame
from ...codec.errors import DecodeError
from ...codec.read.decoding import Decoded, Policy
from ..identification.identify import verdict
from ..open.opening import Around, is_large
from .json_report import decoded_report, unread_report


def frame_report(
    frame: Frame, around: Around, policy: Policy = Policy.KAFKA
) -> tuple[dict[str, Any], bool]:
    """Return the object, and whether header or body were refused."""
    header, refused = None, False
    if frame.header is not None:
        error, refused = _verdict(frame.header, policy)
        header = decoded_report(frame.header, error)
    body, body_refused = _body(frame, around, policy)
    made = {
        "source": frame.source,
        "connection": None if frame.connection is None else str(frame.connection),
        "timestamp": frame.timestamp,
        "direction": frame.direction,
        "apiKey": frame.api_key,
        "apiVersion": frame.api_version,
        "correlationId": frame.correlation_id,
        "header": header,
        "body": body,
        "packet": frame.packet,
    }
    if body is None:
        made["note"] = frame.reason
    return made, refused or body_refused


def is_refused(frame: Frame, policy: Policy) -> bool:
    """Return whether the policy refuses header or body."""
    parts = [part for part in (frame.header, frame.body) if part is not None]
    unread = frame.body is None and not frame.foreign
    return unread or any(_verdict(part, policy)[1] for part in parts)


def _body(frame: Frame, around: Around, policy: Policy) -> tuple[dict[str, Any] | None, bool]:
    if frame.body is not None:
        error, refused = _verdict(frame.body, policy)
        made = decoded_report(frame.body, error, around)
        if frame.body.message is None and frame.reason:  # the capture deviates, not the bytes
            made["note"] = frame.reason
            made["deviations"] = []
        if frame.body.message is None:
            made["read"] = {
                path: value
                for path, value in read_so_far(frame.body)
                if not isinstance(value, bytes)
            }
        return made, refused
    if frame.foreign and frame.api_key is not None:
        return None, False
    return unread_report(frame.body_data, None, frame.reason), not frame.foreign


def read_so_far(seen: Decoded[Any]) -> Iterator[tuple[str, Any]]:
    """Yield path and value of the fields that were read before reading stopped, without those of
    arrays beyond the first elements."""
    if is_large(seen):
        return
    waiting = list(reversed(seen.fields))
    told = 0
    while waiting and told < MOST_READ:
        node = waiting.pop()
        if node.children:
            waiting += reversed(node.children)
        elif node.complete and isinstance(node.value, str | int | bytes | None):
            told += 1
            yield node.path, node.value


MOST_READ = 100
"""Fields of a message that was cut short which are shown."""


def _verdict(seen: Decoded[Any], policy: Policy) -> tuple[DecodeError | None, bool]:
    return verdict(seen, policy, body_version=seen.version)
