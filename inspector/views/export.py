"""Views as pictures and as HTML, for a bug report or a notebook.

Nothing in them acts or is fetched: text is escaped, and an SVG loses the fonts that rich takes from
elsewhere, so that who opens a report tells nobody about it.
"""

from __future__ import annotations

import io
import re

from rich.console import Console
from rich.terminal_theme import TerminalTheme

WIDTH = 120
"""Columns of an export: hex and tree side by side."""
MAX_LINES = 20_000
"""Lines of the longest export; hardly a browser opens a longer one."""

_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_GREY = (128, 128, 128)
# For a page that is light or dark, as its reader has it: what is dimmed fades into the middle.
_DARK = TerminalTheme((12, 12, 12), (204, 204, 204), [_GREY] * 8)
_EITHER = TerminalTheme(_GREY, _GREY, [_GREY] * 8)
_FONTS = "Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>kproto</title>
</head>
<body>
{code}
</body>
</html>
"""
_BLOCK = (
    f'<pre style="font-family: {_FONTS}; '
    'line-height: 1.3; overflow-x: auto; white-space: pre">{code}</pre>'
)


class TooLong(ValueError):
    """More than MAX_LINES."""


class _Counted(io.StringIO):
    """Where a recording console writes what nobody reads."""

    encoding = "utf-8"
    lines = 0

    def write(self, text: str) -> int:
        self.lines += text.count("\n")
        if self.lines > MAX_LINES:
            raise TooLong(f"more than {MAX_LINES:,} lines")
        return len(text)


class Recorder(Console):
    """A console that keeps what is printed, to be exported. Printing raises TooLong."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__(
            file=_Counted(),
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

    def svg(self) -> str:
        """Return all of it as an SVG picture of a dark terminal."""
        made = self.export_svg(title="kproto", theme=_DARK)
        head, end, body = made.partition("</style>")
        return _FONT.sub("", head).replace("Fira Code, monospace", _FONTS) + end + body

    def html(self) -> str:
        """Return all of it as a page of HTML, for light and dark browsers."""
        return _PAGE.replace("{code}", self.html_block())

    def html_block(self) -> str:
        """Return all of it as one element of HTML."""
        return self.export_html(theme=_EITHER, inline_styles=True, code_format=_BLOCK)
