"""A table where there is room for it, else its rows one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from . import theme

__all__ = ["Fitting"]

_UNBOUNDED = 10_000  # columns


class Fitting:
    """A renderable of a table: where a row does not fit into the width, each row becomes a heading
    with a line for each cell, so that no word is broken; or what is `otherwise` shown."""

    def __init__(self, table: Table, otherwise: Sequence[RenderableType] = ()) -> None:
        self.table = table
        self._otherwise = otherwise

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.update(width=_UNBOUNDED)
        if console.measure(self.table, options=room).maximum <= options.max_width:
            yield self.table
        else:
            yield from self._otherwise or self._rows()

    def _rows(self) -> Iterator[RenderableType]:
        if self.table.title:
            yield Text("\n").append(str(self.table.title), "italic")
        heads = [column.header for column in self.table.columns]
        for cells in zip(*(column.cells for column in self.table.columns), strict=True):
            texts = [cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells]
            yield Text.assemble(*texts[:1])
            for head, text in zip(heads[1:], texts[1:], strict=True):
                if text.plain:
                    name = f"{head}: " if str(head) else ""
                    line = Text.assemble((name, theme.QUIET), text, overflow="fold")
                    yield Padding(line, (0, 0, 0, 2))
