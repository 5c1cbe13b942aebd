"""The view of a message as a tree of fields: byte range, name, value, and codes of deviations.

    2:36  owned_partitions   2 items
    6:24  ├─ [0]
    6:14  │  ├─ topic        "orders"
   14:24  │  └─ partitions   [0, 1]  KP060

A range is written as in Python: `2:36` are the bytes `data[2:36]`. Values wrap where there is no
room.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from . import theme
from .display_tree import DisplayTree, Line
from .theme import Glyphs

_LEAST_VALUE = 16  # cells that a value gets at least


class FieldTree:
    """The tree of fields. `styles` has each field's colour, by its key."""

    def __init__(self, tree: DisplayTree, styles: Mapping[str, Style], glyphs: Glyphs) -> None:
        self._lines = list(tree.walk())
        self._styles = styles
        self._glyphs = glyphs
        self._ranges = max((len(_range(line)) for line, _ in self._lines), default=0)
        self._labels = max((self._label(*pair).cell_len for pair in self._lines), default=0)

    def natural_width(self) -> int:
        """Return the width at which nothing wraps."""
        values = max((self._value(line).cell_len for line, _ in self._lines), default=0)
        return self._ranges + self._labels + values + 4

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        labels = min(self._labels, max(width // 2 - self._ranges, width - self._ranges - 40))
        for line, guides in self._lines:
            first = Text.assemble((_range(line).rjust(self._ranges), theme.QUIET), "  ")
            first.append_text(self._label(line, guides))
            first.pad_right(self._ranges + 2 + labels - first.cell_len)
            below = Text(" " * (self._ranges + 2)).append_text(self._below(line, guides))
            value = self._value(line)
            if value and width - first.cell_len - 2 < min(_LEAST_VALUE, value.cell_len):
                yield _fitted(first, width)
                first = below.copy()
            first.append("  ")
            below.pad_right(first.cell_len - below.cell_len)
            wrapped = value.wrap(console, max(width - first.cell_len, 1), overflow="fold")
            for text in wrapped or [Text()]:
                yield _fitted(first.append_text(text), width)
                first = below.copy()

    def _label(self, line: Line, guides: tuple[bool, ...]) -> Text:
        glyphs = self._glyphs
        text = Text()
        if len(guides) > 1:
            between = (glyphs.pipe if more else glyphs.blank for more in guides[1:-1])
            turn = glyphs.branch if guides[-1] else glyphs.last
            text.append("".join(between) + turn, theme.QUIET)
        mark = f"{glyphs.failed} " if line.state == "failed" else ""
        return text.append(mark + line.name, self._style(line))

    def _below(self, line: Line, guides: tuple[bool, ...]) -> Text:
        """The guides of the second and later lines of a value."""
        glyphs = self._glyphs
        text = "".join(glyphs.pipe if more else glyphs.blank for more in guides[1:])
        return Text.assemble((text + glyphs.pipe * bool(line.children), theme.QUIET))

    def _value(self, line: Line) -> Text:
        failed = line.state == "failed"
        quiet = line.state in ("fold", "rest") or bool(line.children)
        style = theme.FAILED if failed else theme.QUIET if quiet else theme.PLAIN
        text = Text.assemble((line.text, style))
        for code in line.codes:
            text.append("  " if text else "").append(code, theme.WARN)
        return text

    def _style(self, line: Line) -> Style:
        if line.state == "failed":
            return theme.FAILED
        if line.state in ("fold", "rest"):
            return theme.REST
        return self._styles.get(line.key, theme.PLAIN)


def _range(line: Line) -> str:
    return f"{line.start}:{line.end}"


def _fitted(text: Text, width: int) -> Text:
    text.rstrip()
    text.truncate(width, overflow="crop")
    text.no_wrap = True
    return text
