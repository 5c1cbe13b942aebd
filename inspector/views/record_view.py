"""The view of one record of the offsets topic: its key, its value, what members wrote in it.

227  2026-11-21 08:33:14.123  GroupMetadata  group mixed.sticky
     protocol type consumer; generation 9; protocol sticky
     sarama-1  says  ConsumerProtocolSubscription v1: topics orders, clicks
               gets  ConsumerProtocolAssignment v0: assigned partitions orders 0-11
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...capture.segments.offsets_topic import DecodedRecord
from ...capture.segments.records import Record
from ...codec.read.decoding import Decoded
from ..nested_bytes import NOT_JUDGED, NOTHING, is_large, open_inside
from . import theme
from .page_parts import PartStart
from .redaction import Redaction
from .summary_line import Brief, moment
from .theme import HangingIndent, glyphs_for

_VERBS = {"subscription": "says", "metadata": "says", "assignment": "gets"}
_CARRIED = ("members", "classic_member_metadata")  # fields that are replaced by what is inside


class RecordView:
    """The view of a record. `refused`: the policy refuses key or value; `redaction`: names are
    hidden."""

    def __init__(
        self,
        record: Record,
        read: DecodedRecord,
        *,
        refused: bool,
        full: bool = False,
        redaction: Redaction | None = None,
    ) -> None:
        self._record = record
        self._read = read
        self._refused = refused
        self._full = full
        self._redaction = redaction

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        brief = Brief(glyphs, full=self._full, redaction=self._redaction)
        record = self._record
        place = f"{record.offset:>6}  "
        head = Text.assemble((place, theme.QUIET), (moment(record.timestamp), theme.QUIET))
        title = Text(self._name(), theme.TITLE)
        if console.record:
            yield PartStart(self._labels(brief))
        title.append(self._key(brief), theme.PLAIN)
        for remark in self._remarks():
            title.append(f"  {remark}", theme.WARN)
        yield HangingIndent(head.append("  "), title)
        indent = Text(" " * len(place))
        for result in (self._read.key, self._read.value):
            if result is not None:
                yield from _faults(result, indent, glyphs.failed)
        if self._read.value is not None:
            yield from self._value(self._read.value, brief, indent)

    def _labels(self, brief: Brief) -> dict[str, list[str]]:
        """Return what the record is chosen by on a page."""
        key = self._read.key
        group = None if key is None else getattr(key.message, "group", None)
        return {
            "record": [self._name()],
            "group": [] if group is None else [brief.text(group, "group")],
            "remark": list(self._remarks()),
        }

    def _name(self) -> str:
        key = self._read.key
        if key is None:
            return "control record" if self._record.control else "record"
        return str(key.message_class.NAME.removesuffix("Key"))

    def _key(self, brief: Brief) -> str:
        key = self._read.key
        if key is None or key.message is None:
            return ""
        return f"  {brief.message(key.message, key.schema_version)}"

    def _remarks(self) -> Iterator[str]:
        if self._read.reason:
            yield self._read.reason
        elif self._record.value is None:
            yield "tombstone"
        if self._record.outcome not in (None, "committed"):
            yield f"transaction {self._record.outcome}"
        if self._refused:
            yield "refused"

    def _value(self, result: Decoded[Any], brief: Brief, indent: Text) -> RenderResult:
        message = result.message
        contents = open_inside(result, NOTHING)
        if message is not None:
            words = brief.message(message, result.schema_version, _CARRIED if contents else ())
            yield HangingIndent(indent, Text(words or "nothing but defaults", theme.QUIET))
        for inner in contents:
            writer, verb = _writer_and_verb(message, inner.path, brief)
            front = f"{writer}{verb}  "
            yield HangingIndent(indent, Text.assemble((front, theme.QUIET), brief.opened(inner)))


def _faults(result: Decoded[Any], indent: Text, sign: str) -> RenderResult:
    if result.error is not None:
        body = Text(f"{result.message_class.NAME}: {result.error}", theme.FAILED)
        yield HangingIndent(indent.copy().append(f"{sign} ", theme.FAILED), body)
    if is_large(result):
        yield HangingIndent(indent, Text(NOT_JUDGED, theme.QUIET))
        return
    codes = dict.fromkeys(deviation.code for deviation in result.deviations)
    if codes:
        yield HangingIndent(
            indent, Text(f"{', '.join(codes)} in {result.message_class.NAME}", theme.WARN)
        )


def _writer_and_verb(message: Any, path: str, brief: Brief) -> tuple[str, str]:
    """The member whose bytes are at `path`, and a verb: whether it wrote them or was given them."""
    element, _, field = path.rpartition(".")
    verb = _VERBS.get(field, field.replace("_", " "))
    if message is None or not element.startswith("members["):
        return f"{element} " if element else "", verb
    member = message.members[int(element.removeprefix("members[").rstrip("]"))]
    return f"{brief.text(member.client_id, 'client_id')}  ", verb
