"""Frames of a capture as JSON lines: `inspector.shapes.decoded.Frame`.

Clients send the same bytes again and again, in heartbeats above all: a body that came before is
neither diagnosed nor opened again, and of a header the correlation id alone is new.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Raw

from ...capture.frames.frame import Frame
from ...codec.read.decoding import Policy
from ..opening import Around
from ..shapes import decoded as shapes
from ..shapes.shape import json_line
from .frame_report import body_report, frame_shape, header_report
from .message_report import decoded_report
from .record_lines import BoundedCache

_CORRELATION_ID = "correlationId"
_CORRELATION_ENDS = {"RequestHeader": 8, "ResponseHeader": 4}
"""Where the correlation id ends in the bytes of a header, which has four."""
_GAP = b"\0"
"""In the place of a correlation id: no JSON has it."""


class FrameLines:
    """A writer of the JSON lines of frames. `with_fields` and `with_bytes` are as for
    `decoded_report`."""

    def __init__(
        self, policy: Policy = Policy.KAFKA, *, with_fields: bool = False, with_bytes: bool = False
    ) -> None:
        self._policy = policy
        self._report_of = partial(decoded_report, with_fields=with_fields, with_bytes=with_bytes)
        self._is_brief = not (with_fields or with_bytes)
        self._headers = BoundedCache()
        self._bodies = BoundedCache()

    def line(self, frame: Frame, around: Around) -> tuple[bytes, bool]:
        """Return the line, and whether header or body were refused."""
        header, is_header_refused = self._header(frame)
        body, is_body_refused = self._body(frame, around)
        return json_line(frame_shape(frame, header, body)), is_header_refused or is_body_refused

    def _header(self, frame: Frame) -> tuple[shapes.Decoded | None, bool]:
        header = frame.header
        if header is None:
            return None, False
        if header.message is None or not self._is_brief:
            return header_report(header, self._policy, self._report_of)
        end = _CORRELATION_ENDS[header.message_class.NAME]
        data = header.data
        place = header.message_class, header.version, data[: end - 4], data[end:]
        text = self._headers.get(place)
        if text is None:
            report, is_refused = header_report(header, self._policy, self._report_of)
            if report.message is None or report.fields or report.deviations:
                return report, is_refused
            report.message = {**report.message, _CORRELATION_ID: Raw(_GAP)}
            text = self._headers.keep(place, len(data), json_line(report))
        number = int.from_bytes(data[end - 4 : end], "big", signed=True)
        return _raw(text.replace(_GAP, b"%d" % number)), False

    def _body(self, frame: Frame, around: Around) -> tuple[shapes.Body | None, bool]:
        body = frame.body
        if body is None:
            return body_report(frame, around, self._policy, self._report_of)
        place = body.message_class, body.version, body.data, around, frame.reason
        text = self._bodies.get(place)
        if text is not None:
            return _raw(text), False
        report, is_refused = body_report(frame, around, self._policy, self._report_of)
        if not is_refused:
            self._bodies.keep(place, len(body.data), json_line(report))
        return report, is_refused


def _raw(text: bytes) -> Any:
    """JSON that is made already, in the place of an object."""
    return Raw(text)
