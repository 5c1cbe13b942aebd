"""Glyphs, colours and arrangements that the views share.

Glyphs carry the meaning without colour too: bytes that failed are in brackets and marked with a
cross, not merely red. Each glyph has a substitute in ASCII.

Colours have a contrast of at least 3.5 to black and to white. Fields take turns, so that neighbours
differ; red is for what failed. A terminal with 16 colours shows the nearest ones, one without
colours keeps bold, dim, underlined and reverse.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text


class Glyphs(NamedTuple):
    """The glyphs for a kind of terminal; those of the tree are three cells wide."""

    branch: str
    last: str
    pipe: str
    blank: str
    failed: str
    warn: str
    dot: str
    more: str
    gap: str
    ellipsis: str
    differs: str
    ascii_only: bool


UNICODE = Glyphs("├─ ", "└─ ", "│  ", "   ", "✗", "!", "·", "↳", "⋮", "…", "≠", ascii_only=False)
ASCII = Glyphs("|- ", "`- ", "|  ", "   ", "x", "!", "-", ">", ":", "...", "*", ascii_only=True)


def glyphs_for(encoding: str) -> Glyphs:
    """Return the glyphs that text in this encoding can hold."""
    try:
        "".join(UNICODE[:-1]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


FIELD_COLOURS = (32, 166, 28, 163, 30, 99, 100)  # numbers of xterm's 256
FAILED_COLOUR = 160
WARN_COLOUR = 166
QUIET_COLOUR = 244
ADDED_COLOUR = 28

FIELDS = tuple(Style(color=f"color({number})") for number in FIELD_COLOURS)
FAILED = Style(color=f"color({FAILED_COLOUR})", bold=True)
FAILED_BYTES = FAILED + Style(reverse=True)
WARN = Style(color=f"color({WARN_COLOUR})", bold=True)
ADDED = Style(color=f"color({ADDED_COLOUR})", bold=True)
REMOVED = Style(color=f"color({FAILED_COLOUR})")
QUIET = Style(color=f"color({QUIET_COLOUR})")
REST = QUIET + Style(italic=True)
TITLE = Style(bold=True)
FOUND = Style(bold=True, underline=True)
PREFIX = Style(dim=True)
PLAIN = Style()


def field_styles(keys: Iterable[str]) -> dict[str, Style]:
    """Return a style for each key, by turns, in the order in which they first appear."""
    order = dict.fromkeys(keys)
    return {key: FIELDS[turn % len(FIELDS)] for turn, key in enumerate(order)}


class SideBySide:
    """A renderable of `left` in `width` cells, a gap of two, and `right` in the rest of the
    line."""

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
    """The line without its trailing blanks."""
    while line and not line[-1].text.strip() and not line[-1].style:
        line = line[:-1]
    return line


class HangingIndent:
    """A renderable of `head`, then `body`, whose lines are indented by the width of the head; where
    that is too wide, `body` is below the head, indented by two."""

    def __init__(self, head: Text, body: Text) -> None:
        self._head = head
        self._body = body

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = self._head.cell_len
        if indent > options.max_width // 3:
            yield self._head
            yield HangingIndent(Text("  "), self._body)
            return
        lines = self._body.wrap(console, options.max_width - indent, overflow="fold")
        for number, line in enumerate(lines):
            line.rstrip()
            start = self._head if number == 0 else Text(" " * indent)
            yield Text.assemble(start, line, no_wrap=True)
