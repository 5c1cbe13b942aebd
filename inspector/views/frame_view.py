"""The view of one frame: what it is, its fields, and what members wrote in it. The fields of frames
that are not about membership are shown on demand, but for the name of the client's software.

2026-11-21 08:33:14.123 [13]  JoinGroup response 5  to sarama-1, connection 1
     generation id 1; protocol name range; leader sarama-1-7d05; member id sarama-1-7d05
     sarama-1-7d05  subscription v3: topics clicks, orders
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...capture.frames.error_codes import ROUTINE, error_name
from ...capture.frames.frame import Frame
from ...codec import ApiVersionsRequest
from ...codec.runtime.message import Message
from ..candidates import MEMBERSHIP
from ..nested_bytes import Around, open_inside
from ..reports.frame_report import read_so_far
from . import theme
from .page_parts import PartStart
from .redaction import Redaction
from .summary_line import Brief, moment
from .theme import Glyphs, HangingIndent, glyphs_for

_NAMES = {"protocols": "name", "members": "member_id", "assignments": "member_id"}
"""The field that names an element of an array whose elements carry bytes."""
_INDENT = " " * 5


class FrameView:
    """The view of a frame; `around` is what its connection named before, `client` who asked.
    `hosts`: both ends of the connection are named; `redaction`: names are hidden."""

    def __init__(
        self,
        frame: Frame,
        around: Around,
        *,
        client: str = "",
        hosts: bool = False,
        full: bool = False,
        redaction: Redaction | None = None,
    ) -> None:
        self._frame = frame
        self._around = around
        self._client = client
        self._hosts = hosts
        self._full = full
        self._redaction = redaction

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        brief = Brief(glyphs, full=self._full, redaction=self._redaction)
        frame = self._frame
        packet = f" [{frame.packet}]" if frame.packet else ""
        yield PartStart(self._labels(brief))
        head = Text(f"{moment(frame.timestamp)}{packet}  ".lstrip(), theme.QUIET)
        version = "" if frame.api_version is None else f" {frame.api_version}"
        title = Text(f"{frame.api} {frame.direction}{version}", theme.TITLE)
        title.append(self._ends(brief), theme.PLAIN)
        yield HangingIndent(head, title)
        body = frame.body
        if body is None or body.message is None:
            yield from self._unread(brief, glyphs)
            return
        code = getattr(body.message, "error_code", 0)
        if code:
            style = theme.WARN if code in ROUTINE else theme.FAILED
            yield HangingIndent(Text(_INDENT), Text(error_name(code), style))
        is_told = frame.api_key in MEMBERSHIP or _names_its_software(body.message)
        if not self._full and not is_told:
            return
        contents = open_inside(body, self._around)
        arrays = {inner.path.partition("[")[0] for inner in contents}
        fields = brief.message(body.message, body.schema_version, {*arrays, "error_code"})
        if fields:
            yield HangingIndent(Text(_INDENT), Text(fields, theme.QUIET))
        for inner in contents:
            label = _label(body.message, inner.path, brief)
            yield HangingIndent(
                Text(_INDENT), Text.assemble((label, theme.QUIET), brief.opened(inner))
            )

    def _labels(self, brief: Brief) -> dict[str, list[str]]:
        """Return what the frame is chosen by on a page."""
        frame = self._frame
        client = [brief.text(self._client, "client_id")] if self._client else []
        is_read = frame.body is not None and frame.body.message is not None
        code = getattr(frame.body.message, "error_code", 0) if frame.body is not None else 0
        error = [error_name(code)] if code else [] if is_read else ["cannot be read"]
        return {"message": [f"{frame.api} {frame.direction}"], "client": client, "error": error}

    def _ends(self, brief: Brief) -> str:
        """Who asked, or is answered, and by which connection."""
        frame = self._frame
        word = "to" if frame.direction == "response" else "of"
        parts = [f"{word} {brief.text(self._client, 'client_id')}"] if self._client else []
        connection = frame.connection
        if connection is not None and self._hosts:
            hosts = [connection.client, connection.broker]
            names = " > ".join(brief.text(host, "client_host") for host in hosts if host)
            parts.append(f"between {names} #{connection.number}")
        elif connection is not None and connection.number:
            parts.append(f"connection {connection.number}")
        return f"  {', '.join(parts)}" if parts else ""

    def _unread(self, brief: Brief, glyphs: Glyphs) -> Iterator[HangingIndent]:
        frame, body = self._frame, self._frame.body
        reason = frame.reason or (body.error if body is not None else "")
        yield HangingIndent(
            Text(f"{_INDENT}{glyphs.failed} ", theme.FAILED),
            Text(f"cannot be read: {reason}", theme.FAILED),
        )
        values = [
            f"{path} {brief.text(value, path) if isinstance(value, str) else value}"
            for path, value in (() if body is None else read_so_far(body))
            if value not in ("", None) and not isinstance(value, bytes)
        ]
        if values:
            yield HangingIndent(
                Text(_INDENT), Text(f"read before: {brief.listed(values)}", theme.QUIET)
            )


def _names_its_software(message: Message) -> bool:
    """Whether a frame says which client, of which release, writes on its connection (KIP-511)."""
    return isinstance(message, ApiVersionsRequest) and bool(message.client_software_name)


def _label(message: Any, path: str, brief: Brief) -> str:
    """What the bytes at a path belong to: a protocol, or a member."""
    array, bracket, rest = path.partition("[")
    field = _NAMES.get(array)
    if not bracket or field is None:
        return ""
    element = getattr(message, array)[int(rest.partition("]")[0])]
    kind = "protocol_name" if field == "name" else field
    return f"{brief.text(getattr(element, field), kind)}  "
