"""What knows the lines of one program: a family. One file a family; `reader` has them all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .event import LogEvent, Side
from .layouts import LogLine
from .memory import LogMemory
from .rows import Row, Table

__all__ = [
    "Family",
    "OriginFamily",
    "TextFamily",
    "events_of_row",
    "lines_of",
    "logger_of",
    "without_logger",
]

MAX_TEXT = 2_000
"""Characters of a line that its event keeps."""

MAX_EXAMPLES = 20
"""Unknown lines that are kept."""


class Family:
    """Reads the lines of one program. It is made anew for each log, so it may remember lines.
    `unknown` counts lines about groups that no table has, `examples` are the first of them."""

    name: str
    side: Side = "client"
    signs: tuple[bytes, ...]
    """What each of its lines, or the first of several, has: one of these texts."""

    def __init__(self) -> None:
        self.unknown = 0
        self.examples: list[tuple[int, str]] = []

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        """Return what a line proves, in order; None where another program has written it. `text` is
        that of the line, without a logger's name behind the message."""
        raise NotImplementedError

    def note_unknown(self, line: LogLine, text: str) -> None:
        """Count a line that looks like one about a group."""
        self.unknown += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append((line.number, text[:MAX_TEXT]))


_IS_DEBUG = re.compile(r"\b(?:DEBUG|TRACE)\b")
_OF_GROUPS = re.compile(
    r"group|rebalanc|member|heartbeat|join|assign|coordinator|epoch", re.IGNORECASE
)


class OriginFamily(Family):
    """A program that puts its origin in front of its messages, `[Consumer clientId=…]`."""

    origin: re.Pattern[str]
    table: Table

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        events = self._events(line, text)
        if events or "\n" not in text:
            return events
        unknown, examples = self.unknown, self.examples[:]
        # A mail, or a terminal, may have wrapped the line.
        unwrapped = self._events(line, without_logger(" ".join(text.split("\n"))))
        if events is not None and unwrapped is not None:  # it was counted before
            self.unknown, self.examples = unknown - bool(unwrapped), examples
        return unwrapped or events

    def _events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        match = self.origin.search(text)
        if match is None:
            return None
        names = {name: value for name, value in match.groupdict().items() if value}
        entry = self.table.match(text, match.end())
        if entry is None:
            is_quiet = _IS_DEBUG.search(text, 0, match.start())
            if not is_quiet and _OF_GROUPS.search(text, match.end()):
                self.note_unknown(line, text[match.start() :])
            return ()
        row, values = entry
        message = text[match.start() :]
        return tuple(events_of_row(self, line, message, row, names | values))


class TextFamily(Family):
    """A program whose messages have no origin in front: what stands around them is up to the
    application. Lines with none of the `signs` are of another program; those with an `own` text
    are surely of this one."""

    own: tuple[str, ...] = ()
    table: Table

    def __init__(self) -> None:
        super().__init__()
        self.memory = LogMemory()
        self._signs = tuple(sign.decode() for sign in self.signs)

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        if not any(sign in text for sign in self._signs) or self.is_foreign(line):
            return None
        events: list[LogEvent] = []
        is_of_family = False
        for part in lines_of(line, text):
            if any(sign in part.text for sign in self._signs):
                part_events = self.part_events(part)
                if part_events is not None:
                    is_of_family = True
                    events += map(self.memory.complete, part_events)
        return events if is_of_family else None

    def is_foreign(self, line: LogLine) -> bool:
        """Return whether something in a line says that another program has written it."""
        return False

    def part_events(self, line: LogLine) -> Iterable[LogEvent] | None:
        """Return what one line of a message proves; None where no row fits."""
        entry = self.table.match(line.text)
        if entry is not None:
            row, values = entry
            return self.row_events(line, row, values)
        if not any(text in line.text for text in self.own):
            return None
        if _OF_GROUPS.search(line.text) and not _IS_DEBUG.search(line.text):
            self.note_unknown(line, line.text)
        return ()

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row with its values."""
        if not row.event and values.get("group"):
            self.memory.note_group(values["group"])
        return events_of_row(self, line, line.text, row, values)


_LOGGER_KEYS = ("logger", "logger_name", "log.logger", "name", "_logger")


_LOGGER = re.compile(
    r"(?:[ \t]\((?:[a-z]\w*\.)+[\w$]+(?::\d+)?\)(?:[ \t]\[[^\]\n]*\])?"
    r"|[ \t]\[in [^\]\n]{1,400}:\d+\]"
    r"|[ \t][\[({]?[\w./-]{1,400}\.(?:py|go|[jt]s|java|rs):\d+[\])}]?"
    r"|,[ \t](?:base|consumer|heartbeat|subscription_state|cluster)-[\w<>]{1,80}-\d+)[ \t]*$",
    re.MULTILINE,
)
"""A logger's name behind a message, or the place in the program as Python's formatters put it."""


def without_logger(text: str) -> str:
    """Return a message without a logger's name, or a place in a program, behind it."""
    return _LOGGER.sub("", text)


def logger_of(line: LogLine) -> str:
    """Return the logger's name of a line in JSON."""
    return " ".join(str(line.data[key]) for key in _LOGGER_KEYS if key in line.data)


def lines_of(line: LogLine, text: str) -> Iterator[LogLine]:
    """Yield the lines of a message, as messages: where an application's layout is unknown, what
    looks like a continuation can be a message of its own."""
    for offset, part in enumerate(text.split("\n")):
        yield line._replace(number=line.number + offset, text=part)


def events_of_row(
    family: Family, line: LogLine, text: str, row: Row, values: Mapping[str, Any]
) -> Iterator[LogEvent]:
    """Yield the events of a row with its values: one for each of its `members`, or for `member`."""
    if not row.event:
        return
    rest = dict(values)
    named = {name: rest.pop(name, "") for name in ("group", "kind", "client", "instance")}
    generation = rest.pop("generation", -1)
    for member in rest.pop("members", None) or (rest.pop("member", ""),):
        yield LogEvent(
            row.event,
            family.side,
            family.name,
            line.number,
            line.stamp,
            member=member,
            generation=generation,
            fields=rest,
            text=text[:MAX_TEXT],
            **named,
        )
