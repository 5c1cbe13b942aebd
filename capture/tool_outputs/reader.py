"""Read what a terminal shows of tools: command lines, tables, sentences, in any number and order.

A line is what the first of these makes of it: a command, a time, a header, a sentence, a row of the
table above. Nothing is lost: a line that is none of them is among the `unread` ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..logs.event import LogEvent
from ..logs.layouts import Stamp
from .sentences import (
    CommandLine,
    Sentence,
    read_command_line,
    read_moment,
    read_sentence,
    split_glued,
)
from .sheets import Kaf, read_summary_line
from .table import Header, read_header
from .views import TASKS

__all__ = [
    "Output",
    "OutputRow",
    "ToolOutputs",
    "UnreadLine",
    "has_tool_output",
    "member_events",
    "read_tool_outputs",
    "text_of",
]

MAX_UNREAD = 1_000
"""Lines that were not understood whose text is kept; all are counted."""

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TRACE = re.compile(
    r"\s+at \S.*|Caused by: .*|\s*\.\.\. \d+ more|\s*Suppressed: .*|"
    r"(?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error)\b.*"
)
_RULE = re.compile(r"\s*[|:+=\-\s]*-{3,}[|:+=\-\s]*")
_TASKS = re.compile(r"\s*(?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP)-TASKS:.*")
_LOGGED = re.compile(
    r"log4j:|SLF4J: |\[?\d{4}-\d\d-\d\d[ T]|(?:TRACE|DEBUG|INFO|WARN|ERROR) |OpenJDK "
)
"""What begins a line of a log, which is no name of a group."""
_WORDS = (
    b"GROUP",
    b"roup",
    b"TOPIC",
    b"CONSUMER-ID",
    b"COORDINATOR",
    b"NAME",
    b"\xff\xfe",
    b"\xfe\xff",
)
"""One of these is in every output."""
_KIND_OF_TOOL = {"kafka-share-groups": "share", "kafka-streams-groups": "streams"}
_CONTINUED = 20
"""Lines of one command, which end with a backslash."""


class OutputRow(NamedTuple):
    """The values of a line by name. `cut_off` are those that a cut line does not have."""

    line: int
    values: Mapping[str, Any]
    cut_off: tuple[str, ...] = ()


class Output(NamedTuple):
    """A table, or a sentence (with one row). `view` is what it tells of a group: offsets, members,
    state or list for a table, "" for one that tells nothing of its present, else a word of
    `Sentence`. `groups` are those that the command names. Rows of a table without a column for the
    group have that of the command or of the lines above, if there is one.
    """

    tool: str
    view: str
    line: int
    rows: tuple[OutputRow, ...]
    command: str = ""
    groups: tuple[str, ...] = ()
    group_kind: str = ""
    stamp: Stamp = Stamp()
    titles: tuple[str, ...] = ()


class UnreadLine(NamedTuple):
    """A line that was not understood, with its number from 1. `tool` is the one whose table it
    stands in, "" outside of tables."""

    line: int
    text: str
    tool: str = ""


class ToolOutputs(NamedTuple):
    """The outputs in a text. `unread` are the first lines that were not understood,
    `unread_count` all of them."""

    outputs: tuple[Output, ...]
    unread: tuple[UnreadLine, ...] = ()
    unread_count: int = 0
    lines: int = 0


def read_tool_outputs(text: str | bytes) -> ToolOutputs:
    """Return the outputs of tools in a text, or in the bytes of a file. No text raises."""
    reader = _Reader()
    lines = (text if isinstance(text, str) else text_of(text)).split("\n")
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
    return reader.result()


def text_of(data: bytes) -> str:
    """Return the text in a file; one that PowerShell wrote is in UTF-16."""
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return data.decode("utf-16" if is_wide else "utf-8", "replace")


def has_tool_output(data: bytes) -> bool:
    """Return whether a file, or its beginning, has an output of a tool: the header of a table, or
    what a tool says of a group."""
    if not any(word in data for word in _WORDS):
        return False
    outputs = read_tool_outputs(data).outputs
    return any(output.titles or output.view not in ("failed", "told", "") for output in outputs)


class _Table:
    """A table that is being read. Without a header it is made of lines with keys."""

    def __init__(self, output: Output, header: Header | None = None) -> None:
        self.output = output
        self.header = header
        self.rows: list[OutputRow] = []

    def finish(self) -> Output:
        return self.output._replace(rows=tuple(self.rows))


class _Reader:
    def __init__(self) -> None:
        self._outputs: list[Output | _Table] = []
        self._unread: list[UnreadLine] = []
        self._unread_count = 0
        self._lines = 0
        self._call = CommandLine("")
        self._continued = 0
        self._stamp = Stamp()
        self._group = ""  # that the lines above are about
        self._names: dict[str, None] = {}  # of groups, as commands and sentences have them
        self._table: _Table | None = None
        self._failed = False
        self._kaf = Kaf()
        self._topic = ""
        self._heading: UnreadLine | None = None
        """A line that begins a summary of rpk, if the next one goes on with it."""

    def result(self) -> ToolOutputs:
        if self._heading is not None:
            self._note(self._heading.line, self._heading.text, is_read=False)
            self._heading = None
        outputs = tuple(
            item.finish() if isinstance(item, _Table) else item for item in self._outputs
        )
        return ToolOutputs(outputs, tuple(self._unread), self._unread_count, self._lines)

    def take(self, number: int, line: str) -> None:
        """Read the next line."""
        self._lines = number
        text = _COLOUR.sub("", line.rstrip("\r\n").lstrip("\ufeff")).replace("\0", "")
        if not text.strip() or _FENCE.match(text):
            return
        heading = self._heading
        self._take(number, text)
        if heading is not None and self._heading is heading:
            self._note(heading.line, heading.text, is_read=False)
            self._heading = None

    def _take(self, number: int, text: str) -> None:
        glued = split_glued(text)
        if glued is not None:
            row, text = glued
            self._note(number, row, is_read=self._take_row(number, row, is_glued="@" in row))
        self._note(number, text, is_read=self._take_line(number, text))

    def _take_line(self, number: int, text: str) -> bool:
        return (
            self._take_command(text)
            or self._take_moment(text)
            or self._take_header(number, text)
            or self._take_sentence(number, text)
            or self._take_summary(number, text)
            or self._take_kaf(number, text)
            or self._take_row(number, text)
            or self._take_rest(number, text)
        )

    def _note(self, number: int, text: str, *, is_read: bool) -> None:
        if not is_read:
            self._unread_count += 1
            if len(self._unread) < MAX_UNREAD:
                self._unread.append(UnreadLine(number, text, self._tool_of_row(number)))

    def _tool_of_row(self, number: int) -> str:
        """The tool of the table whose row, or header, is the line before one, or one between."""
        table = self._table
        if table is None or table.header is None:
            return ""
        places = {row.line for row in table.rows[-1:]} | {table.output.line}
        places |= {line.line for line in self._unread[-1:] if line.tool}
        return table.output.tool if number - 1 in places else ""

    # -- around outputs

    def _take_command(self, text: str) -> bool:
        if self._continued:
            self._continued = self._continued - 1 if text.endswith("\\") else 0
            call = read_command_line(f"$ {self._call.text.removesuffix(chr(92))} {text.strip()}")
            self._begin(call or self._call)
            return True
        call = read_command_line(text)
        if call is None:
            return False
        self._begin(call)
        self._continued = _CONTINUED if text.endswith("\\") else 0
        return True

    def _begin(self, call: CommandLine) -> None:
        self._call = call
        self._names |= dict.fromkeys(call.groups)
        self._group = call.groups[0] if len(call.groups) == 1 else ""
        self._stamp = call.stamp if call.stamp.text else self._stamp
        self._table = None
        self._failed = False
        self._kaf = Kaf()

    def _take_moment(self, text: str) -> bool:
        stamp = read_moment(text)
        if stamp is None:
            return False
        self._stamp = stamp
        return True

    def _output(self, number: int, tool: str, view: str, *rows: OutputRow) -> Output:
        call = self._call
        return Output(tool, view, number, rows, call.text, call.groups, stamp=self._stamp)

    def _begin_table(
        self, number: int, tool: str, view: str, header: Header | None = None
    ) -> _Table:
        output = self._output(number, tool, view)
        if header is not None:
            titles = tuple(column.title for column in header.columns)
            kind = header.group_kind or _KIND_OF_TOOL.get(tool, "")
            output = output._replace(group_kind=kind, titles=titles)
        table = _Table(output, header)
        self._outputs.append(table)
        self._failed = False
        return table

    # -- what a line is

    def _take_header(self, number: int, text: str) -> bool:
        header = read_header(text, self._call.tool)
        if header is None:
            return False
        tool = self._call.tool or header.view.tool
        self._table = self._begin_table(number, tool, header.view.name, header)
        return True

    def _take_sentence(self, number: int, text: str) -> bool:
        sentence = read_sentence(text)
        if sentence is None:
            return False
        group = sentence.group or self._group
        if sentence.group:
            self._names[sentence.group] = None
            self._group = sentence.group
        self._failed = sentence.view in ("absent", "other", "failed")
        self._table = None
        self._outputs.append(self._sentence_output(number, sentence, group))
        return True

    def _sentence_output(self, number: int, sentence: Sentence, group: str) -> Output:
        values = dict(sentence.values)
        if group:
            values["group"] = group
        kind = values.pop("kind", "")
        tool = "kcat" if sentence.view in ("assigned", "revoked") else self._call.tool
        output = self._output(
            number, tool, sentence.view, OutputRow(number, MappingProxyType(values))
        )
        return output._replace(group_kind=kind)

    def _take_summary(self, number: int, text: str) -> bool:
        values = read_summary_line(text)
        if values is None:
            return False
        table = self._table
        if "group" in values:
            self._heading = UnreadLine(number, text)
            return True
        if "coordinator_id" in values and self._heading is not None:
            heading, self._heading = self._heading, None
            values = {**(read_summary_line(heading.text) or {}), **values}
            self._group = values["group"]
            self._names[self._group] = None
            self._table = table = self._begin_table(heading.line, "rpk", "state")
            table.rows.append(OutputRow(heading.line, values))
            return True
        if table is None or table.header is not None or table.output.tool != "rpk":
            return False
        table.rows[-1] = table.rows[-1]._replace(values={**table.rows[-1].values, **values})
        return True

    def _take_kaf(self, number: int, text: str) -> bool:
        line = self._kaf.read(text)
        if line is None:
            return False
        table = self._table
        if line.view == "topic":
            self._topic = line.values["topic"]
        elif line.view == "state":
            self._group = line.values["group"]
            self._names[self._group] = None
            self._table = self._begin_table(number, "kaf", "state")
            self._table.output = self._table.output._replace(group_kind="classic")
            self._table.rows.append(OutputRow(number, dict(line.values)))
        elif line.view == "member":
            if table is None or table.output.view != "members":
                self._table = table = self._begin_table(number, "kaf", "members")
            table.rows.append(
                OutputRow(number, {**line.values, "group": self._group, "assigned": {}})
            )
        elif line.values and table is not None and table.header is None and table.rows:
            self._add_to_last(table, line.values)
        return True

    @staticmethod
    def _add_to_last(table: _Table, values: Mapping[str, Any]) -> None:
        last = table.rows[-1]
        extended = {**last.values, **values}
        if "assigned" in values:
            extended["assigned"] = {**last.values.get("assigned", {}), **(values["assigned"] or {})}
        table.rows[-1] = last._replace(values=extended)

    def _take_row(self, number: int, text: str, *, is_glued: bool = False) -> bool:
        table = self._table
        if table is None or table.header is None:
            return False
        cells = table.header.read(text, self._names)
        if cells is None:
            return False
        values = dict(cells.values)
        if "group" not in values and "group" not in cells.cut_off and self._group:
            values["group"] = self._group
        if table.output.tool == "kaf" and table.output.view == "offsets":
            values["topic"] = self._topic
        if table.output.view == "list" and "group" in values:
            self._names[values["group"]] = None
        last = table.header.columns[-1].value
        if is_glued:  # a prompt, whose beginning cannot be told from the value before it
            values.pop(last, None)
        cut_off = (*cells.cut_off, last) if is_glued else cells.cut_off
        table.rows.append(OutputRow(number, MappingProxyType(values), cut_off))
        return True

    def _take_rest(self, number: int, text: str) -> bool:
        """Read a name of a list, Streams' tasks, or a line that tells nothing more."""
        if self._failed and _TRACE.fullmatch(text):
            return True
        table = self._table
        if table is not None and _RULE.fullmatch(text):
            return True
        if table is not None and table.rows and _TASKS.fullmatch(text):
            tasks = TASKS.convert(text)
            self._add_to_last(table, {"tasks": {**table.rows[-1].values.get("tasks", {}), **tasks}})
            return True
        if not self._call.lists or self._failed or _LOGGED.match(text):
            return False
        if table is None:
            self._table = table = self._begin_table(number, self._call.tool, "list")
        table.rows.append(OutputRow(number, {"group": text.rstrip()}))
        return True


def member_events(outputs: ToolOutputs) -> Iterator[LogEvent]:
    """Yield what kcat says as a member of a group: the partitions that it got, or gave up. A field
    `is_whole` tells whether these are all that it has (the eager protocol)."""
    for output in outputs.outputs:
        if output.view not in ("assigned", "revoked"):
            continue
        for row in output.rows:
            shares = row.values["partitions"]
            parts = tuple(
                (topic, number) for topic, numbers in sorted(shares.items()) for number in numbers
            )
            fields = {"partitions": parts, "is_whole": "protocol" not in row.values}
            yield LogEvent(
                f"partitions-{output.view}",
                "client",
                "kcat",
                row.line,
                output.stamp,
                str(row.values.get("group", "")),
                member=str(row.values["member"]),
                fields=MappingProxyType(fields),
            )
