"""Two messages beside each other, the differing fields marked; in a narrow place one below the
other.

      field                    A                 B
      topics                   2 items           3 items
      ├─ [0]                   "orders"          "orders"
    + └─ [1]                                     "payments"
    ≠ generation_id            7                 8

What is the same is folded where it is long.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..identification.identify import Examined
from . import style as palette
from .difference import Pair, changes, difference
from .display_tree import Anatomy
from .inspection import MAX_INSPECTED, title
from .redaction import Redaction
from .style import Glyphs, Hanging, glyphs
from .values import count

BESIDE_FROM = 80  # columns; below, one below the other
_FOLDED_FROM = 4  # neighbours that are the same
_SHOWN = 60  # characters of a value that is the same


class DiffView:
    """`left` and `right`, called A and B. `full`: what is the same is not folded."""

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
        signs = glyphs(options.encoding)
        for name, side in zip("AB", self._sides, strict=True):
            yield Text(f"{name}  ", palette.TITLE).append_text(title(side, signs))
        yield Text()
        left, right = self._sides
        if left.decoded.data == right.decoded.data:
            yield Text("the same bytes", palette.TITLE)
            return
        if any(len(side.decoded.data) > MAX_INSPECTED for side in self._sides):
            yield Text(_first_difference(left, right))
            return
        pairs = difference(self._anatomy(left, signs), self._anatomy(right, signs))
        beside = options.max_width >= BESIDE_FROM
        yield from self._table(pairs, signs) if beside else self._list(pairs, signs)
        yield Text()
        found = sum(1 for _ in changes(pairs))
        last = count(found, "difference") if found else _first_difference(left, right)
        yield Text(last, palette.TITLE)

    def _anatomy(self, side: Examined, signs: Glyphs) -> Anatomy:
        anatomy = Anatomy(side, signs, full=True)
        if self._redaction is not None:
            self._redaction.apply(anatomy)
        return anatomy

    # -- beside each other

    def _table(self, pairs: tuple[Pair, ...], signs: Glyphs) -> Iterator[Table]:
        table = Table(
            box=None, pad_edge=False, header_style=palette.QUIET, padding=(0, 2, 0, 0), expand=True
        )
        table.add_column("", width=1)
        table.add_column("field", no_wrap=True, ratio=2)
        table.add_column("A", overflow="fold", ratio=3)
        table.add_column("B", overflow="fold", ratio=3)
        for label, pair in self._rows(pairs, (), signs):
            if pair is None:
                table.add_row("", label)
                continue
            mark, style = _mark(pair, signs)
            cells = self._cells(pair, style, signs)
            table.add_row(Text(mark, style), Text.assemble(label, style=style), *cells)
        yield table

    def _rows(
        self, pairs: tuple[Pair, ...], above: tuple[bool, ...], signs: Glyphs
    ) -> Iterator[tuple[Text, Pair | None]]:
        for same, group in groupby(pairs, key=lambda pair: not pair.differs):
            run = list(group)
            element = run[0].line.name.startswith("[")
            if same and element and len(run) >= _FOLDED_FROM and not self._full:
                label = _guides((*above, True), signs).append(signs.gap, palette.QUIET)
                yield label.append(f" {len(run):,} the same", palette.QUIET), None
                continue
            for pair in run:
                guides = (*above, pair is not pairs[-1])
                yield _guides(guides, signs).append(pair.line.name), pair
                if pair.children and (pair.differs or self._full):
                    yield from self._rows(pair.children, guides, signs)

    def _cells(self, pair: Pair, style: Style, signs: Glyphs) -> tuple[Text, Text]:
        """What stands in A and in B; of what is the same the beginning."""
        left, right = (Text("" if line is None else line.text, style) for line in pair[:2])
        if pair.reordered:
            right.append(", in another order")
        for cell in (left, right):
            if not (pair.differs or self._full) and len(cell) > _SHOWN:
                cell.right_crop(len(cell) - _SHOWN)
                cell.append(signs.ellipsis)
        return left, right

    # -- one below the other

    def _list(self, pairs: tuple[Pair, ...], signs: Glyphs) -> RenderResult:
        for pair in changes(pairs):
            mark, style = _mark(pair, signs)
            line = pair.line
            yield Hanging(Text(f"{mark} ", style), Text(line.path or line.name, style))
            for name, side in zip("AB", self._cells(pair, style, signs), strict=True):
                if side:
                    yield Hanging(Text(f"    {name}  ", palette.QUIET), side)


def _mark(pair: Pair, signs: Glyphs) -> tuple[str, Style]:
    match pair.change:
        case "same":
            return " ", palette.PLAIN
        case "added":
            return "+", palette.ADDED
        case "removed":
            return "-", palette.REMOVED
        case _:
            return signs.differs, palette.WARN


def _guides(guides: tuple[bool, ...], signs: Glyphs) -> Text:
    if len(guides) == 1:
        return Text()
    between = (signs.pipe if more else signs.blank for more in guides[1:-1])
    turn = signs.branch if guides[-1] else signs.last
    return Text("".join(between) + turn, palette.QUIET)


def _first_difference(left: Examined, right: Examined) -> str:
    one, other = left.decoded.data, right.decoded.data
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return f"the bytes differ, first at byte {at:,}"
