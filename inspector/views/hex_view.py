"""The view of the bytes in hex, each field in its colour, lengths and counts dimmer; offsets are
decimal.

Bytes that were refused are reversed and in brackets, which need no colour; `--` marks the place of
missing bytes, `xx` hidden bytes; `signs` explains those that occur. Rows that the tree folds are
left out, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from . import theme
from .display_tree import DisplayTree
from .theme import Glyphs
from .values import count

_OVERHEAD, _REST, _FAILED = range(3)  # a byte's style; those of fields follow, two each
_PRINTABLE = range(0x20, 0x7F)
_MASK = "xx"


class HexView:
    """The bytes in hex, `per_row` (8 or 16) in a row. `missing`: the input ends too early."""

    def __init__(
        self,
        tree: DisplayTree,
        styles: Mapping[str, Style],
        glyphs: Glyphs,
        *,
        per_row: int,
        missing: bool = False,
    ) -> None:
        self._data = tree.data
        self._masked = tree.masked
        self._from, self._to = tree.window
        self._glyphs = glyphs
        self._per_row = per_row
        self._missing = missing
        self._error_span = tree.error_span or (-1, -1)
        self._table = [theme.QUIET, theme.REST, theme.FAILED_BYTES]
        number: dict[Style, int] = {}  # fields share styles, and a byte has room for 256
        for style in styles.values():
            if style not in number:
                number[style] = len(self._table)
                self._table += (style, theme.prefix_style(style))
        self._ids, self._hidden = _paint(tree, {key: number[styles[key]] for key in styles})
        self._digits = _digits(self._to)

    @property
    def width(self) -> int:
        return width_of(self._to, self._per_row)

    def signs(self) -> Iterator[str]:
        """Yield what each sign among the bytes means that is not a word, for those that occur."""
        if self._from <= self._error_span[0] < self._to:
            yield "[00] refused"
        if self._missing_cell:
            yield "-- missing"
        if self._masked is not None and any(self._masked[self._from : self._to]):
            yield f"{_MASK} hidden"
        if any(folded for _, _, folded in self._rows()):
            yield f"{self._glyphs.gap} left out (--full)"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for folded, rows in groupby(self._rows(), key=itemgetter(2)):
            if folded:
                yield self._gap(sum(end - start for start, end, _ in rows))
            else:
                yield from (self._row(start, end) for start, end, _ in rows)

    @property
    def _missing_cell(self) -> bool:
        """Whether a cell behind the last byte marks the missing ones."""
        return self._missing and self._to == len(self._data)

    def _rows(self) -> Iterator[tuple[int, int, bool]]:
        """Start and end of each row, and whether the tree folds all of it."""
        cells = self._to + self._missing_cell
        for start in range(self._from, cells, self._per_row):
            end = min(start + self._per_row, cells)
            folded = start < len(self._data) and self._hidden[start:end].count(0) == 0
            yield start, end, folded

    def _gap(self, size: int) -> Text:
        text = f"{self._glyphs.gap.rjust(self._digits)}   {count(size, 'byte')}"
        return Text(text, theme.QUIET, no_wrap=True)

    def _row(self, start: int, end: int) -> Text:
        parts: list[tuple[str, Style]] = [(f"{start:{self._digits}} ", theme.QUIET)]
        for at in range(start, end):
            separator = self._separator(at)
            if at - start == self._per_row // 2:
                parts.append((" ", separator[1] if separator[0] == " " else theme.PLAIN))
            parts += (separator, self._cell(at))
        parts.append(("]" if end == self._error_end else " ", theme.FAILED))
        unused = 3 * (self._per_row - end + start) + (end - start <= self._per_row // 2)
        parts.append((" " * (unused + 1), theme.PLAIN))
        for at in range(start, min(end, len(self._data))):
            parts.append((self._char(at), self._table[self._ids[at]]))
        return Text.assemble(*_joined(parts), no_wrap=True)

    @property
    def _error_end(self) -> int:
        return self._error_span[1] + self._missing

    def _separator(self, at: int) -> tuple[str, Style]:
        if at == self._error_span[0]:
            return "[", theme.FAILED
        if at == self._error_end:
            return "]", theme.FAILED
        inside = self._error_span[0] < at < self._error_end and (at - self._from) % self._per_row
        return " ", theme.FAILED_BYTES if inside else self._cell(at)[1]

    def _cell(self, at: int) -> tuple[str, Style]:
        if at == len(self._data):
            return "--", theme.FAILED_BYTES
        text = _MASK if self._is_masked(at) else f"{self._data[at]:02x}"
        return text, self._table[self._ids[at]]

    def _char(self, at: int) -> str:
        shown = self._data[at] in _PRINTABLE and not self._is_masked(at)
        return chr(self._data[at]) if shown else self._glyphs.dot

    def _is_masked(self, at: int) -> bool:
        return self._masked is not None and bool(self._masked[at])


def width_of(end: int, per_row: int) -> int:
    """Return the width, in cells, of a hex view of the bytes up to `end`."""
    return _digits(end) + 4 + 4 * per_row


def _digits(end: int) -> int:
    return len(str(max(end - 1, 0)))


def _paint(tree: DisplayTree, number: Mapping[str, int]) -> tuple[bytearray, bytearray]:
    """For each byte the number of its style, and whether a fold hides it; `number` has the style of
    each field, that of its prefix behind it."""
    ids = bytearray(len(tree.data))
    hidden = bytearray(len(tree.data))

    def paint(start: int, end: int, style: int) -> None:
        ids[start:end] = bytes([style]) * (end - start)

    for line, _ in tree.walk():
        if line.state == "rest":
            paint(line.start, line.end, _REST)
        elif line.key in number:
            paint(line.start, line.head, number[line.key] + 1)
            if all(child.state == "failed" for child in line.children):
                paint(line.head, line.end, number[line.key])
        if line.hidden is not None:
            start, end = line.hidden
            hidden[start:end] = b"\1" * (end - start)
    if tree.error_span is not None:
        start, end = tree.error_span
        paint(start, end, _FAILED)
        hidden[start : start + 1] = b"\0" * (start < end)
    return ids, hidden


def _joined(parts: list[tuple[str, Style]]) -> Iterator[tuple[str, Style]]:
    """Neighbours of one style joined, so that less is written to the terminal."""
    for style, alike in groupby(parts, key=itemgetter(1)):
        yield "".join(text for text, _ in alike), style
