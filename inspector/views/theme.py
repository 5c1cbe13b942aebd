"""Glyphs, colours and arrangements that the views share.

Glyphs carry the meaning without colour too: bytes that failed are in brackets and marked with a
cross, not merely red. Each glyph has a substitute in ASCII.

Colours have a contrast of at least 3.5 to black and to white. Fields take turns, so that neighbours
differ; red is for what failed. A terminal without colours keeps bold, dim, underlined and reverse.

A terminal with 16 colours gets a palette of its own instead of the nearest colours. On white and on
black, the four in `ON_16` have a contrast of at least 3 in xterm; green, cyan, yellow, blue and the
light greys have not, and dark grey is the background of some themes. Fields get two of the four and
the colour of plain text, underlined and bold by turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from rich.color import Color, ColorSystem
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


FIELD_COLOURS = (68, 100, 133, 27, 129, 61, 94, 164, 28, 99, 30, 199)  # of xterm's 256
FAILED_COLOUR = 160
WARN_COLOUR = 166
QUIET_COLOUR = 244
ADDED_COLOUR = 28

MAGENTA, BRIGHT_RED, BRIGHT_BLUE, BRIGHT_MAGENTA = ON_16 = (5, 9, 12, 13)
_CHOSEN = {
    FAILED_COLOUR: Color.from_ansi(BRIGHT_RED),
    WARN_COLOUR: Color.from_ansi(BRIGHT_MAGENTA),
    ADDED_COLOUR: Color.from_ansi(BRIGHT_BLUE),
    QUIET_COLOUR: Color.default(),  # every grey is invisible on some background
}


class _Chosen(Color):
    """A colour of xterm's 256 that has a chosen one among the 16, not the nearest."""

    def downgrade(self, system: ColorSystem) -> Color:  # type: ignore[override]
        if system is ColorSystem.STANDARD and self.number is not None:
            return _CHOSEN[self.number]
        return super().downgrade(system)


def colour(number: int) -> Color:
    """Return FAILED_COLOUR, WARN_COLOUR, QUIET_COLOUR or ADDED_COLOUR for a style."""
    return _Chosen(*Color.from_ansi(number))


FIELDS = tuple(Style(color=f"color({number})") for number in FIELD_COLOURS)
# Bold magenta is absent: many terminals show it as bright magenta, which is for warnings.
FIELDS_ON_16 = (
    Style(color=f"color({BRIGHT_BLUE})"),
    Style(color=f"color({MAGENTA})"),
    Style(underline=True),
    Style(color=f"color({BRIGHT_BLUE})", underline=True),
    Style(color=f"color({MAGENTA})", underline=True),
    Style(bold=True),
    Style(color=f"color({BRIGHT_BLUE})", bold=True),
    Style(bold=True, underline=True),
    Style(color=f"color({BRIGHT_BLUE})", bold=True, underline=True),
)
FAILED = Style(color=colour(FAILED_COLOUR), bold=True)
FAILED_BYTES = FAILED + Style(reverse=True)
WARN = Style(color=colour(WARN_COLOUR), bold=True)
ADDED = Style(color=colour(ADDED_COLOUR), bold=True)
REMOVED = Style(color=colour(FAILED_COLOUR))
QUIET = Style(color=colour(QUIET_COLOUR))
REST = QUIET + Style(italic=True)
TITLE = Style(bold=True)
FOUND = Style(bold=True, underline=True)
PLAIN = Style()
_DIM = Style(dim=True)


def field_styles(keys: Iterable[str], color_system: str | None) -> dict[str, Style]:
    """Return a style for each key, by turns, in the order in which they first appear.

    `color_system` is that of the console.
    """
    styles = FIELDS_ON_16 if color_system == "standard" else FIELDS
    order = dict.fromkeys(keys)
    return {key: styles[turn % len(styles)] for turn, key in enumerate(order)}


def prefix_style(style: Style) -> Style:
    """Return the style of a field's length or count: dimmer, unless there are 16 colours, whose
    contrast has nothing to spare."""
    return style if style in FIELDS_ON_16 else style + _DIM


def legend(signs: Iterable[str]) -> Iterator[Text]:
    """Yield the line that explains signs, after an empty one; nothing without signs."""
    if explained := "   ".join(signs):
        yield Text()
        yield Text(explained, QUIET)


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
        if self._is_one_line(options.max_width - indent):  # to wrap it takes as long as all else
            yield from Text.assemble(self._head, self._body).render(console, end="\n")
            return
        lines = self._body.wrap(console, options.max_width - indent, overflow="fold")
        for number, line in enumerate(lines):
            line.rstrip()
            start = self._head if number == 0 else Text(" " * indent)
            yield Text.assemble(start, line, no_wrap=True)

    def _is_one_line(self, width: int) -> bool:
        text = self._body.plain
        return text.isprintable() and text[-1:] not in ("", " ") and self._body.cell_len <= width
