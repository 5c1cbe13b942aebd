"""What `kproto decode --json` prints of a request or response: `inspector.shapes.decoded.Frame`.

A body that could not be read says why, and in `read` what was read before.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import asdict

from ...capture.frames.frame import Frame
from ...codec.errors import DecodeError
from ...codec.read.decoding import Decoded, Policy
from ..identification import verdict
from ..nested_bytes import Around, is_large
from ..shapes import decoded as shapes
from ..shapes.shape import iso_time
from .message_report import decoded_report, unread_report


def frame_report(
    frame: Frame,
    around: Around,
    policy: Policy = Policy.KAFKA,
    *,
    with_fields: bool = False,
    with_bytes: bool = False,
) -> tuple[shapes.Frame, bool]:
    """Return the report on a frame, and whether header or body were refused. `with_fields` and
    `with_bytes` are as for `decoded_report`."""
    report_of = partial(decoded_report, with_fields=with_fields, with_bytes=with_bytes)
    header, is_refused = None, False
    if frame.header is not None:
        header, is_refused = header_report(frame.header, policy, report_of)
    body, is_body_refused = body_report(frame, around, policy, report_of)
    report = shapes.Frame(
        source=frame.source,
        connection=None if frame.connection is None else str(frame.connection),
        time=None if frame.timestamp is None else iso_time(frame.timestamp),
        direction=frame.direction,
        api_key=frame.api_key,
        api_version=frame.api_version,
        correlation_id=frame.correlation_id,
        header=header,
        body=body,
        packet=frame.packet,
        note=frame.reason if body is None else "",
    )
    return report, is_refused or is_body_refused


def header_report(
    header: Decoded[Any], policy: Policy, report_of: partial[shapes.Decoded]
) -> tuple[shapes.Decoded, bool]:
    """Return the report on a frame's header, and whether it was refused."""
    error, refused = _verdict(header, policy)
    return report_of(header, error), refused


def is_refused(frame: Frame, policy: Policy) -> bool:
    """Return whether the policy refuses header or body."""
    parts = [part for part in (frame.header, frame.body) if part is not None]
    unread = frame.body is None and not frame.foreign
    return unread or any(_verdict(part, policy)[1] for part in parts)


def body_report(
    frame: Frame, around: Around, policy: Policy, report_of: partial[shapes.Decoded]
) -> tuple[shapes.Body | None, bool]:
    """Return the report on a frame's body, None where its API is not known, and whether it was
    refused.
    """
    if frame.body is not None:
        error, refused = _verdict(frame.body, policy)
        read = report_of(frame.body, error, around)
        report = shapes.Body(**asdict(read))
        if frame.body.message is None and frame.reason:  # the capture deviates, not the bytes
            report.note = frame.reason
            report.deviations = []
        if frame.body.message is None:
            fields = read_so_far(frame.body)
            report.read = {path: value for path, value in fields if not isinstance(value, bytes)}
        return report, refused
    if frame.foreign and frame.api_key is not None:
        return None, False
    report = shapes.Body(**asdict(unread_report(frame.body_data, None, frame.reason)))
    return report, not frame.foreign


def read_so_far(decoded: Decoded[Any]) -> Iterator[tuple[str, Any]]:
    """Yield path and value of the fields that were read before reading stopped, without those of
    arrays beyond the first elements."""
    if is_large(decoded):
        return
    waiting = list(reversed(decoded.fields))
    yielded = 0
    while waiting and yielded < MOST_READ:
        node = waiting.pop()
        if node.children:
            waiting += reversed(node.children)
        elif node.complete and isinstance(node.value, str | int | bytes | None):
            yielded += 1
            yield node.path, node.value


MOST_READ = 100
"""Fields of a message that was cut short which are shown."""


def _verdict(decoded: Decoded[Any], policy: Policy) -> tuple[DecodeError | None, bool]:
    return verdict(decoded, policy, body_version=decoded.version)
