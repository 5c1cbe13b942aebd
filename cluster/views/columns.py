"""Rows in columns as wide as their longest cell. A table of `rich` measures every cell twice, which
ten thousand groups would wait for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ...inspector.views import theme
from ...inspector.views.page_parts import PartStart
from ...inspector.views.theme import HangingIndent, glyphs_for

if TYPE_CHECKING:
    from ...pages.filters import Labels

Cell = tuple[str, Style]
GAP = "  "
_LEAST = 8  # columns that are left for the last one
_INSET = 4  # columns in front of what is below its row


class Columns:
    """A renderable of a head line and rows; columns named in `right` are flush right. `labels` are
    those of the rows, by which a page shows them. On a terminal the last column is cut off at the
    end of the line, or, with `sentences` in it, is below its row where it is too long. Where the
    others do not fit, rows become paragraphs; with `names`, which the last column has then, also
    where two of them would be cut to the same text."""

    def __init__(
        self,
        heads: Sequence[str],
        rows: Iterable[Sequence[Cell]],
        right: Iterable[str] = (),
        labels: Sequence[Labels] = (),
        *,
        names: bool = False,
        sentences: bool = False,
    ) -> None:
        self._heads = heads
        self._rows = list(rows)
        self._right = [head in set(right) for head in heads]
        self._has_names = names
        self._has_sentences = sentences
        self._labels = labels or [{}] * len(self._rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width if console.is_terminal else None
        head = [(head, theme.QUIET) for head in self._heads]
        lines = [head, *self._rows]
        widths = [max(cell_len(line[at][0]) for line in lines) for at in range(len(head) - 1)]
        left = None if room is None else room - sum(widths) - len(GAP) * len(widths)
        ellipsis = glyphs_for(options.encoding).ellipsis
        texts = {row[-1][0] for row in self._rows} if self._has_names else set()
        if left is not None and (
            left < _LEAST or len({_cut(text, left, ellipsis) for text in texts}) < len(texts)
        ):
            yield from self._cards()
            return
        yield from self._line(head, widths)
        for labels, row in zip(self._labels, self._rows, strict=True):
            yield PartStart(labels)
            text, style = row[-1]
            if self._has_sentences and left is not None and cell_len(text) > left:
                yield from self._line(row[:-1], widths)
                yield HangingIndent(Text(" " * _INSET), Text(text, style))
            else:
                yield from self._line([*row[:-1], (_cut(text, left, ellipsis), style)], widths)
        yield PartStart()

    def _cards(self) -> Iterable[PartStart | Text | Padding]:
        """The rows one below the other, where they are wider than the terminal."""
        for labels, (name, *cells) in zip(self._labels, self._rows, strict=True):
            yield PartStart(labels)
            yield Text(*name)
            facts = [
                Text.assemble((f"{head} ", theme.QUIET), (text, style))
                for head, (text, style) in zip(self._heads[1:], cells, strict=True)
                if text
            ]
            yield Padding(Text(GAP).join(facts), (0, 0, 0, len(GAP)))
        yield PartStart()

    def _line(self, line: Sequence[Cell], widths: list[int]) -> Iterable[Segment]:
        last = max((at for at, cell in enumerate(line) if cell[0]), default=0)
        for at, (text, style) in enumerate(line[: last + 1]):
            if at == last:
                blank = widths[at] - cell_len(text) if at < len(widths) else 0
                yield Segment(" " * blank if self._right[at] else "")
                yield Segment(text, style)
            else:
                fill = " " * (widths[at] - cell_len(text))
                yield Segment(f"{fill}" if self._right[at] else "")
                yield Segment(text, style)
                yield Segment(GAP if self._right[at] else fill + GAP)
        yield Segment.line()


def _cut(text: str, cells: int | None, ellipsis: str) -> str:
    if cells is None or cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - cell_len(ellipsis)) + ellipsis
