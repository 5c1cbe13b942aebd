"""Views as pictures and as HTML, for a bug report or a notebook.

They run no script and fetch nothing: text is escaped, and the web fonts that rich puts into an SVG
are removed, so that opening a report makes no request.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from ...escaping import cut
from ...pages import render
from ...pages.filters import Filters
from . import theme
from .page_parts import split_parts

WIDTH = 120
"""Columns of an export: hex and tree side by side."""
NARROW = 48
"""Columns of a page on a phone: fields above hex."""
MOST_NARROW = 2_000
"""Lines of the longest page that is laid out for phones, too."""
SCREEN = 60
"""Lines of a picture."""
MAX_LINES = 20_000
"""Lines of the longest export; browsers hardly open a longer one."""

_FILL = re.compile(r'(fill: |<rect fill=")(#[0-9a-f]{6})')
_COLOUR = re.compile(r"(background-color|(?<![\w-])color|text-decoration-color): (#[0-9a-f]{6})")
_RULE = re.compile(r"(\.[\w-]+-r\d+) \{ fill: (#[0-9a-f]{6})")
_FIELD = re.compile(r'<rect fill="(#[0-9a-f]{6})"')
_TITLE = 80  # characters of the first line
_RULE_AND_SPACE = "\u2500 "  # of a line that is a heading
_PLAIN_ON_DARK, _PLAIN_ON_LIGHT = "#cccccc", "#1f1f1f"
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_GREY = (128, 128, 128)
DARK_PAGE, LIGHT_PAGE = "#0c0c0c", "#ffffff"
"""The backgrounds of pictures, and of HTML where the browser is dark or light."""
# For a page that is light or dark, as the browser has it: dimmed text fades into the middle.
_DARK = TerminalTheme((12, 12, 12), (204, 204, 204), [_GREY] * 8)
_EITHER = TerminalTheme(_GREY, _GREY, [_GREY] * 8)
_FONTS = "Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_BLOCK_STYLE = (
    f"font-family: {_FONTS}; "
    "line-height: 1.3; overflow-x: auto; white-space: pre; color-scheme: light dark; "
    f"background: light-dark({LIGHT_PAGE}, {DARK_PAGE}); "
    "color: light-dark(#1f1f1f, #cccccc)"
)


class TooLong(ValueError):
    """Raised where an export has more than MAX_LINES lines."""


class _Counted(io.StringIO):
    """The file of a recording console, which counts lines and keeps nothing."""

    encoding = "utf-8"

    def __init__(self) -> None:
        super().__init__()
        self.lines = 0

    def write(self, text: str) -> int:
        self.lines += text.count("\n")
        if self.lines > MAX_LINES:
            raise TooLong(f"more than {MAX_LINES:,} lines")
        return len(text)


class Recorder(Console):
    """A console that records what is printed, for export. Printing too much raises TooLong."""

    def __init__(self, width: int = WIDTH, *, for_phones: bool = False) -> None:
        """`for_phones`: a page shows the same in few columns where the screen is narrow, unless it
        is long."""
        self._narrow = Recorder(NARROW) if for_phones else None
        self._counted = _Counted()
        super().__init__(
            file=self._counted,
            record=True,
            width=width,
            force_terminal=True,
            color_system="256",
            no_color=False,
            markup=False,
            emoji=False,
            highlight=False,
            legacy_windows=False,
            _environ={},
        )

    def print(self, *objects: Any, **options: Any) -> None:
        """Record what is printed."""
        super().print(*objects, **options)
        if self._counted.lines > MOST_NARROW:
            self._narrow = None
        if self._narrow is not None:
            self._narrow.print(*objects, **options)

    def svg(self) -> str:
        """Return what was printed as an SVG picture of a terminal, dark or light as the reader's
        browser is; of a long one the first `SCREEN` lines."""
        with self._showing(_first_screen(self._record_buffer)):
            drawing = self.export_svg(title="kproto", theme=_DARK, clear=False)
        drawing = _FILL.sub(_on_dark, drawing)
        head, end, body = drawing.partition("</style>")
        fonts = _FONT.sub("", head).replace("Fira Code, monospace", _FONTS)
        return fonts + _rules_for_light(head, body) + end + body

    def html(self) -> str:
        """Return what was printed as a page of HTML, for light and dark browsers, wide and narrow
        screens. Its title is the first line."""
        lines = self.export_text(clear=False).splitlines()
        first = next((line.strip(_RULE_AND_SPACE) for line in lines if line.strip()), "")
        recorders = (
            {"wide": self} if self._narrow is None else {"wide": self, "narrow": self._narrow}
        )
        parts = {width: recorder._parts() for width, recorder in recorders.items()}
        return render(
            "terminal.html.jinja",
            title=f"{cut(first, _TITLE)} - kproto" if first else "kproto",
            style=_BLOCK_STYLE,
            parts=parts,
            filters=Filters(part["labels"] for part in parts["wide"]),
        )

    def html_block(self) -> str:
        """Return what was printed as one element of HTML."""
        return f'<pre tabindex="0" style="{_BLOCK_STYLE}">{self._code()}</pre>'

    def _parts(self) -> list[dict[str, Any]]:
        parts = []
        for part in split_parts(self._record_buffer):
            with self._showing(part.segments):
                code = self._code()
            parts.append({"code": code, "labels": part.start.labels, "heading": part.start.heading})
        return parts

    def _code(self) -> str:
        segments = Segment.filter_control(Segment.simplify(self._record_buffer))
        return "".join(_span(segment.text, segment.style) for segment in segments)

    @contextmanager
    def _showing(self, segments: list[Segment]) -> Iterator[None]:
        """Run a block in which these segments are what was printed."""
        everything = self._record_buffer
        self._record_buffer = segments
        try:
            yield
        finally:
            self._record_buffer = everything


def _span(text: str, style: Style | None) -> str:
    code = escape(text)
    rule = "" if style is None else _rule(style)
    return f'<span style="{rule}">{code}</span>' if rule else code


@lru_cache(maxsize=1024)  # a page has a dozen styles, each of them thousands of times
def _rule(style: Style) -> str:
    """Return a style as CSS, for light browsers and dark ones."""
    rule = style.get_html_style(_EITHER)
    return _COLOUR.sub(_on_either(rule), rule)


def _first_screen(segments: list[Segment]) -> list[Segment]:
    """Return the first `SCREEN` lines, with how many more there are."""
    lines = list(Segment.split_lines(segments))
    if len(lines) <= SCREEN:
        return segments
    more = f"… {len(lines) - SCREEN:,} more lines; a page (--html) has all of them"
    first = [segment for line in lines[:SCREEN] for segment in (*line, Segment.line())]
    return [*first, Segment(more, theme.QUIET), Segment.line()]


def _rules_for_light(head: str, body: str) -> str:
    """Return the rules of a picture for a light browser: text on white, and darker colours."""

    def light(colour: str) -> str:
        if colour == DARK_PAGE:
            return LIGHT_PAGE
        return _PLAIN_ON_LIGHT if colour == _PLAIN_ON_DARK else readable(colour, LIGHT_PAGE)

    rules = [f"{name} {{ fill: {light(colour)} }}" for name, colour in _RULE.findall(head)]
    fields = sorted(set(_FIELD.findall(body)))
    rules += [f'rect[fill="{colour}"] {{ fill: {light(colour)} }}' for colour in fields]
    return f"@media (prefers-color-scheme: light) {{ {' '.join(rules)} }}\n"


def _on_dark(match: re.Match[str]) -> str:
    """The colour of a text or of the field behind a reversed one; the picture's own stays."""
    colour = match[2] if match[2] == DARK_PAGE else readable(match[2], DARK_PAGE)
    return f"{match[1]}{colour}"


def _on_either(style: str) -> Callable[[re.Match[str]], str]:
    """A function that gives a colour for light browsers and one for dark ones. Reversed text is
    white on a colour that white can be read on."""
    reversed_ = "background-color" in style

    def colours(match: re.Match[str]) -> str:
        name, colour = match.groups()
        if name == "background-color":
            return f"{name}: {readable(colour, LIGHT_PAGE)}; color: {LIGHT_PAGE}"
        if reversed_:
            return f"{name}: {LIGHT_PAGE}"
        light, dark = readable(colour, LIGHT_PAGE), readable(colour, DARK_PAGE)
        return f"{name}: light-dark({light}, {dark})"

    return colours


# -- colours that can be read: a contrast of 4.5 to 1, as WCAG 2 wants it of text (AA)

MINIMUM = 4.5
_STEPS = 32

Colour = tuple[int, int, int]


def parse_colour(text: str) -> Colour:
    """Return the colour that `#rrggbb` is."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2, "contrast ratio").

    >>> round(contrast("#ffffff", "#000000"), 1), contrast("#123456", "#123456")
    (21.0, 1.0)
    """
    low, high = sorted((_luminance(parse_colour(first)), _luminance(parse_colour(second))))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)  # a page has a dozen colours, each of them thousands of times
def readable(colour: str, background: str) -> str:
    """Return the colour, mixed with white or black as far as it takes to be read on `background`.

    >>> readable("#808080", "#ffffff") < "#808080", readable("#404040", "#000000") > "#404040"
    (True, True)
    """
    legible = colour
    goal = 255 if _luminance(parse_colour(background)) < 0.18 else 0
    for step in range(_STEPS + 1):
        mixed = [round(part + (goal - part) * step / _STEPS) for part in parse_colour(colour)]
        legible = f"#{bytes(mixed).hex()}"
        if contrast(legible, background) >= MINIMUM:
            break
    return legible


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
