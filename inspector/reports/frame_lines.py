"""Frames of a capture as JSON lines: `inspector.shapes.decoded.Frame`.

Clients send the same bytes again and again, in heartbeats above all: a body that came before is
neither diagnosed nor opened again, and of a header the correlation id alone is new. A body without
a deviation is not diagnosed at all.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from ...capture.frames.frame import Connection, Frame
from ...codec.read.decoding import Decoded, Policy
from ..nested_bytes import Around
from ..recognition import BoundedCache
from ..shapes import decoded as shapes
from ..shapes.shape import iso_time, json_line
from .clean_reports import CleanReports, raw_json
from .frame_report import body_report, header_report
from .message_report import decoded_report

_CORRELATION_ID = "correlationId"
_CORRELATION_ENDS = {"RequestHeader": 8, "ResponseHeader": 4}
"""Where the correlation id ends in the bytes of a header, which has four."""
_GAP = b"\0"
"""In the place of a correlation id: no JSON has it."""
_NULL = b"null"
_LINE = (
    b'%b,"time":%b,%b,"correlationId":%b,"header":%b,"body":%b,"packet":%b%b}'  # of shapes.Frame
)


class FrameLines:
    """A writer of the JSON lines of frames. `with_fields` and `with_bytes` are as for
    `decoded_report`."""

    def __init__(
        self, policy: Policy = Policy.KAFKA, *, with_fields: bool = False, with_bytes: bool = False
    ) -> None:
        self._policy = policy
        self._report_of = partial(decoded_report, with_fields=with_fields, with_bytes=with_bytes)
        self._is_brief = not (with_fields or with_bytes)
        self._headers = BoundedCache[bytes]()
        self._bodies = BoundedCache[bytes]()
        self._clean = CleanReports()

    def line(self, frame: Frame, around: Around) -> tuple[bytes, bool]:
        """Return the line, and whether header or body were refused."""
        header, is_header_refused = self._header(frame)
        body, is_body_refused = self._body(frame, around)
        line = _LINE % (
            _place_json(frame.source, frame.connection),
            b"null" if frame.timestamp is None else b'"%b"' % iso_time(frame.timestamp).encode(),
            _api_json(frame.direction, frame.api_key, frame.api_version),
            _number_json(frame.correlation_id),
            header,
            body,
            _number_json(frame.packet),
            b',"note":%b' % json_line(frame.reason) if body == _NULL and frame.reason else b"",
        )
        return line, is_header_refused or is_body_refused

    def _header(self, frame: Frame) -> tuple[bytes, bool]:
        header = frame.header
        if header is None:
            return _NULL, False
        if header.message is None or not self._is_brief:
            report, is_refused = header_report(header, self._policy, self._report_of)
            return json_line(report), is_refused
        end = _CORRELATION_ENDS[header.message_class.NAME]
        data = header.data
        place = header.message_class, header.version, data[: end - 4], data[end:]
        text = self._headers.get(place)
        if text is None:
            report, is_refused = header_report(header, self._policy, self._report_of)
            if report.message is None or report.fields or report.deviations:
                return json_line(report), is_refused
            report.message = {**report.message, _CORRELATION_ID: raw_json(_GAP)}
            text = json_line(report)
            self._headers.keep(place, len(data) + len(text), text)
        number = int.from_bytes(data[end - 4 : end], "big", signed=True)
        return text.replace(_GAP, b"%d" % number), False

    def _body(self, frame: Frame, around: Around) -> tuple[bytes, bool]:
        body = frame.body
        if body is None:
            report, is_refused = body_report(frame, around, self._policy, self._report_of)
            return json_line(report), is_refused
        place = body.message_class, body.version, body.data, around, frame.reason
        text = self._bodies.get(place)
        if text is not None:
            return text, False
        clean = self._clean_body(body, around)
        if clean is not None:
            text = json_line(clean)
            return self._bodies.keep(place, len(body.data) + len(text), text), False
        report, is_refused = body_report(frame, around, self._policy, self._report_of)
        text = json_line(report)
        if not is_refused:
            self._bodies.keep(place, len(body.data) + len(text), text)
        return text, is_refused

    def _clean_body(self, body: Decoded[Any], around: Around) -> shapes.Decoded | None:
        """The report on a body without a deviation, which no policy refuses; None for others."""
        version = body.schema_version
        if not self._is_brief or version is None or version != body.version:
            return None
        plain = body.message_class._plainly(version, body.data, 0)
        if plain is None or plain[1] != len(body.data):
            return None
        return self._clean.message(plain[0], version, body.data, around)


def _number_json(number: int | None) -> bytes:
    return _NULL if number is None else b"%d" % number


@lru_cache(maxsize=1024)
def _place_json(source: str, connection: Connection | None) -> bytes:
    """The JSON of a frame's first fields, without the bracket behind them."""
    name = None if connection is None else str(connection)
    return json_line({"source": source, "connection": name})[:-1]


@lru_cache(maxsize=1024)
def _api_json(direction: str, api_key: int | None, api_version: int | None) -> bytes:
    """The JSON of the fields that say which message a frame has, without brackets."""
    fields = {"direction": direction, "apiKey": api_key, "apiVersion": api_version}
    return json_line(fields)[1:-1]
