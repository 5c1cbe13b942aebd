"""The view of two messages side by side, with the differing fields marked; in a narrow terminal
below each other.

      field                    A                 B
      topics                   2 items           3 items
      ├─ [0]                   "orders"          "orders"
    + └─ [1]                                     "payments"
    ≠ generation_id            7                 8

Long runs of equal fields are folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ...wording import counted
from ..identification import Examined
from . import theme
from .difference import Pair, changes, difference
from .display_tree import DisplayTree, Line
from .inspection import is_not_shown, title
from .redaction import Redaction
from .theme import Glyphs, HangingIndent, glyphs_for

SIDE_BY_SIDE_FROM = 80  # columns; in fewer, one below the other
_FOLDED_FROM = 4  # neighbours that are the same
_BYTES = 8  # of a field that prints like that of the other side
_CHARACTERS = 4  # of a string, whose code points are shown
_MISSING = "?"  # the mark of a field that one side lacks, because it can be read no further
_SHOWN = 60  # characters of a value that is the same


class DiffView:
    """The differences between `left` and `right`, called A and B. `full`: nothing is folded."""

    def __init__(
        self,
        left: Examined,
        right: Examined,
        *,
        full: bool = False,
        redaction: Redaction | None = None,
    ) -> None:
        self._sides = left, right
        self._full = full
        self._redaction = redaction

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        for name, side in zip("AB", self._sides, strict=True):
            yield Text(f"{name}  ", theme.TITLE).append_text(title(side, glyphs))
        yield Text()
        left, right = self._sides
        if left.decoded.data == right.decoded.data:
            yield Text("the same bytes", theme.TITLE)
            return
        if any(is_not_shown(side) for side in self._sides):
            yield Text(_first_difference(left, right))
            return
        pairs = difference(self._display_tree(left, glyphs), self._display_tree(right, glyphs))
        side_by_side = options.max_width >= SIDE_BY_SIDE_FROM
        yield from self._table(pairs, glyphs) if side_by_side else self._list(pairs, glyphs)
        if console.is_terminal:
            yield from theme.legend(_signs(pairs, glyphs))
        yield Text()
        number = sum(1 for _ in changes(pairs))
        last = counted(number, "difference") if number else _first_difference(left, right)
        yield Text(last, theme.TITLE)

    def _display_tree(self, side: Examined, glyphs: Glyphs) -> DisplayTree:
        tree = DisplayTree(side, glyphs, full=True)
        if self._redaction is not None:
            self._redaction.apply(tree)
        return tree

    # -- side by side

    def _table(self, pairs: tuple[Pair, ...], glyphs: Glyphs) -> Iterator[Table]:
        table = Table(
            box=None, pad_edge=False, header_style=theme.QUIET, padding=(0, 2, 0, 0), expand=True
        )
        table.add_column("", width=1)
        table.add_column("field", no_wrap=True, ratio=2)
        table.add_column("A", overflow="fold", ratio=3)
        table.add_column("B", overflow="fold", ratio=3)
        for label, pair in self._rows(pairs, (), glyphs):
            if pair is None:
                table.add_row("", label)
                continue
            mark, style = _mark(pair, glyphs)
            cells = self._cells(pair, style, glyphs)
            table.add_row(Text(mark, style), Text.assemble(label, style=style), *cells)
        yield table

    def _rows(
        self, pairs: tuple[Pair, ...], above: tuple[bool, ...], glyphs: Glyphs
    ) -> Iterator[tuple[Text, Pair | None]]:
        for is_same, group in groupby(pairs, key=lambda pair: not pair.differs):
            run = list(group)
            element = run[0].line.name.startswith("[")
            if is_same and element and len(run) >= _FOLDED_FROM and not self._full:
                label = _guides((*above, True), glyphs).append(glyphs.gap, theme.QUIET)
                yield label.append(f" {len(run):,} the same", theme.QUIET), None
                continue
            for pair in run:
                guides = (*above, pair is not pairs[-1])
                yield _guides(guides, glyphs).append(pair.line.name), pair
                if pair.children and (pair.differs or self._full):
                    yield from self._rows(pair.children, guides, glyphs)

    def _cells(self, pair: Pair, style: Style, glyphs: Glyphs) -> tuple[Text, Text]:
        """The texts for A and for B, cut short where they are the same."""
        left, right = (Text("" if line is None else line.text, style) for line in pair[:2])
        if pair.reordered:
            right.append(", in another order")
        elif pair.change != "same":
            for cell, exact in zip((left, right), self._exact(pair), strict=True):
                cell.append(exact)
        for cell in (left, right):
            if not (pair.differs or self._full) and len(cell) > _SHOWN:
                cell.right_crop(len(cell) - _SHOWN)
                cell.append(glyphs.ellipsis)
        return left, right

    def _exact(self, pair: Pair) -> tuple[str, str]:
        """What tells both sides apart where they print alike: their bytes, or the characters that
        others look like."""
        left, right = pair.left, pair.right
        if left is None or right is None or left.text != right.text:
            return _characters(left), _characters(right)
        if self._redaction is not None:
            return " (other bytes)", " (other bytes)"
        first, second = (
            side.decoded.data[line.start : line.end]
            for side, line in zip(self._sides, (left, right), strict=True)
        )
        at = _first_unlike(first, second)
        return _bytes_at(first, at), _bytes_at(second, at)

    # -- one below the other

    def _list(self, pairs: tuple[Pair, ...], glyphs: Glyphs) -> RenderResult:
        for pair in changes(pairs):
            mark, style = _mark(pair, glyphs)
            line = pair.line
            yield HangingIndent(Text(f"{mark} ", style), Text(line.path or line.name, style))
            for name, side in zip("AB", self._cells(pair, style, glyphs), strict=True):
                if side:
                    yield HangingIndent(Text(f"    {name}  ", theme.QUIET), side)


def _mark(pair: Pair, glyphs: Glyphs) -> tuple[str, Style]:
    match pair.change:
        case "same":
            return " ", theme.PLAIN
        case "added":
            return "+", theme.ADDED
        case "removed":
            return "-", theme.REMOVED
        case "missing":
            return _MISSING, theme.WARN
        case _:
            return glyphs.differs, theme.WARN


def _signs(pairs: tuple[Pair, ...], glyphs: Glyphs) -> Iterator[str]:
    """What the marks mean that occur."""
    marks = {_mark(pair, glyphs)[0] for pair in changes(pairs)}
    meanings = {glyphs.differs: "differs", "+": "in B alone", "-": "in A alone"}
    meanings[_MISSING] = "missing: the other can be read no further"
    return (f"{mark} {meaning}" for mark, meaning in meanings.items() if mark in marks)


def _guides(guides: tuple[bool, ...], glyphs: Glyphs) -> Text:
    if len(guides) == 1:
        return Text()
    between = (glyphs.pipe if more else glyphs.blank for more in guides[1:-1])
    turn = glyphs.branch if guides[-1] else glyphs.last
    return Text("".join(between) + turn, theme.QUIET)


def _characters(line: Line | None) -> str:
    """The code points of the letters in a string that are not ASCII, and that look like others."""
    value = None if line is None or line.node is None else line.node.value
    if not isinstance(value, str) or line is None or value not in line.text:
        return ""  # hidden by redaction, or shown as escapes
    distinct = dict.fromkeys(character for character in value if ord(character) > 0x7F)
    points = ", ".join(f"U+{ord(character):04X}" for character in list(distinct)[:_CHARACTERS])
    return f" ({points})" if points else ""


def _bytes_at(data: bytes, at: int) -> str:
    """The bytes of a field around the first one that differs."""
    start = max(0, min(at - _BYTES // 2, len(data) - _BYTES))
    part = data[start : start + _BYTES].hex(" ")
    return f" ({'.. ' if start else ''}{part}{' ..' if start + _BYTES < len(data) else ''})"


def _first_difference(left: Examined, right: Examined) -> str:
    at = _first_unlike(left.decoded.data, right.decoded.data)
    return f"the bytes differ, first at byte {at:,}"


def _first_unlike(first: bytes, second: bytes) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))
