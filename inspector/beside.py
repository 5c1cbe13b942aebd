"""Two renderables next to each other, the left one at a fixed width."""

from __future__ import annotations

from itertools import zip_longest

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment


class Beside:
    """`left` in `width` cells, a gap of two, `right` in what is left of the line."""

    def __init__(self, left: RenderableType, width: int, right: RenderableType) -> None:
        self._left = left
        self._width = width
        self._right = right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.update_width(options.max_width - self._width - 2)
        lefts = console.render_lines(self._left, options.update_width(self._width))
        rights = console.render_lines(self._right, room, pad=False)
        blank = [Segment(" " * self._width)]
        for left, right in zip_longest(lefts, rights):
            if right:
                yield from left or blank
                yield Segment("  ")
                yield from right
            else:
                yield from _stripped(left)
            yield Segment.line()


def _stripped(line: list[Segment]) -> list[Segment]:
    """The line without the blanks that fill it up."""
    while line and not line[-1].text.strip() and not line[-1].style:
        line = line[:-1]
    return line
