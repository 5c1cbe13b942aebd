"""Rows of the tables of known log lines: a template, and the event that such a line proves.

    Row("stabilized", "Stabilized group <group> generation <generation>[ with <count> members]")

In a template `<name>` is a value, `[…]` may be absent, `{a|b}` is one of several, `…` is any text,
and a backslash takes the next character as it is. It begins with text, not with a value. A row
without an event is known, and tells nothing of a group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any

__all__ = ["Row", "Table"]

_NUMBER = r"-?\d{1,20}"
_VALUES = {
    **dict.fromkeys(("generation", "old", "epoch", "offset"), _NUMBER),
    **dict.fromkeys(("count", "static", "partition"), r"\d{1,20}"),
    **dict.fromkeys(("state", "id"), r"\w{1,80}"),
    "error": r"[A-Z][A-Z_]{1,80}", "kind": r"consumer|share|streams",
    # Up to the end of the line, or to what the template has behind it.
    **dict.fromkeys(("reason", "detail", "partitions", "members", "assignment", "topics",
                    "offsets"), ".*"),
}  # fmt: skip
# Where several names follow each other, each end of one is tried with each of the next.
_NAME = r".{1,400}?"  # of groups, members, clients: any text
# But a name has not the next field in it.
_NAME_OF_FIELD = re.compile(rf"(\(\?P<\w+>{re.escape(_NAME)}\),\\ \w+=/?)")

_NUMBERS = frozenset({"generation", "old", "epoch", "count", "static"})
_NUMBER_ENDS = ("_ms", "_count")
_TOKEN = re.compile(r"\\(.)|<(\w+)>|([\[\]{}|…])|([^\\<\[\]{}|…]+|<)", re.DOTALL)
_SYNTAX = {"[": "(?:", "]": ")?", "{": "(?:", "}": ")", "|": "|", "…": ".{0,1000}?"}

_TO_THE_END, _LONG = ".*", ".{0,20000}"

Convert = Callable[[dict[str, Any]], None]
"""Turns the texts of a line, by name, into values."""


def _value(name: str, *, is_last: bool) -> str:
    value = r"\d{1,20}" if name.endswith(_NUMBER_ENDS) else _VALUES.get(name, _NAME)
    return _LONG if value == _TO_THE_END and not is_last else value


def _pattern(template: str) -> tuple[str, str, str]:
    """Return the regular expression of a template, that of what is in front of its first value,
    and the longest text that its lines have."""
    parts: list[str] = []
    literals = [""]
    beginning, is_fixed, depth = "", True, 0
    for token in _TOKEN.finditer(template):
        escaped, name, syntax, text = token.groups()
        literal = escaped or text
        if literal is not None:
            parts.append(re.escape(literal))
            literals[-1] += "" if depth else literal
        else:
            literals.append("")
            is_fixed &= name is None and syntax != "…"
            depth += (syntax in ("[", "{")) - (syntax in ("]", "}"))
            if name is None:
                parts.append(_SYNTAX[syntax])
            else:
                parts.append(f"(?P<{name}>{_value(name, is_last=token.end() == len(template))})")
        if is_fixed and not depth:
            beginning = "".join(parts)
    if not literals[-1]:
        parts.append(r"\.?\s{0,80}$")
    source = _NAME_OF_FIELD.sub(r"(?>\1)", "".join(parts))
    return source, beginning, max(literals, key=len)


_BEGINNINGS = 20  # of a template in a line: its values can be long


class Row:
    """A known line. `fields` are what every such line means besides its values."""

    def __init__(
        self, event: str, template: str, convert: Convert | None = None, **fields: Any
    ) -> None:
        self.event = event
        self.template = template
        self.fields: Mapping[str, Any] = MappingProxyType(fields)
        self._convert = convert
        self._source, self._beginning, self.literal = _pattern(template)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        return re.compile(self._source, re.MULTILINE)

    @cached_property
    def _beginnings(self) -> re.Pattern[str]:
        return re.compile(self._beginning)

    def values(self, text: str, start: int = 0) -> dict[str, Any] | None:
        """Return the values of a message, None if it is another line."""
        match = self._search(text, start)
        if match is None:
            return None
        values: dict[str, Any] = dict(self.fields)
        for name, value in match.groupdict().items():
            if value is not None:
                is_number = name in _NUMBERS or name.endswith(_NUMBER_ENDS)
                values[name] = int(value) if is_number else value
        if self._convert is not None:
            self._convert(values)
        return values

    def _search(self, text: str, start: int) -> re.Match[str] | None:
        for beginning in islice(self._beginnings.finditer(text, start), _BEGINNINGS):
            if match := self._expression.match(text, beginning.start()):
                return match
        return None

    def __repr__(self) -> str:
        return f"Row({self.event!r}, {self.template!r})"


class Table:
    """Rows, of which the first one that fits a message counts."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(rows)
        self.signs = tuple(row.literal.encode() for row in self.rows)

    def match(self, text: str, start: int = 0) -> tuple[Row, dict[str, Any]] | None:
        """Return the row that a message is an example of, with its values."""
        for row in self.rows:
            if row.literal in text:
                values = row.values(text, start)
                if values is not None:
                    return row, values
        return None
