"""The JSON object of a request or response.

    {"source", "connection", "timestamp", "direction", "apiKey", "apiVersion", "correlationId",
     "header", "body"}

Header and body are made by `decoded_report`. A body is null where the API has no definition here;
a body that could not be read says why.
"""

from __future__ import annotations

from typing import Any

from ...capture.frames.frame import Frame
from ...codec.errors import DecodeError
from ...codec.read.decoding import Decoded, Policy
from ..identification.identify import verdict
from ..open.opening import Around
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
    }
    return made, refused or body_refused


def is_refused(frame: Frame, policy: Policy) -> bool:
    """Return whether the policy refuses header or body."""
    parts = [part for part in (frame.header, frame.body) if part is not None]
    unread = frame.body is None and not frame.foreign
    return unread or any(_verdict(part, policy)[1] for part in parts)


def _body(frame: Frame, around: Around, policy: Policy) -> tuple[dict[str, Any] | None, bool]:
    if frame.body is not None:
        error, refused = _verdict(frame.body, policy)
        return decoded_report(frame.body, error, around), refused
    if frame.foreign and frame.api_key is not None:
        return None, False
    return unread_report(frame.body_data, None, frame.reason), not frame.foreign


def _verdict(seen: Decoded[Any], policy: Policy) -> tuple[DecodeError | None, bool]:
    return verdict(seen, policy, body_version=seen.version)
