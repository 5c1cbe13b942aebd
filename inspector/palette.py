"""Colours: calm ones, each with a contrast of at least 3.5 to black and to white.

Fields take turns, so that neighbours differ. Red is kept for what failed. A terminal with 16
colours shows the nearest ones, one without any keeps bold, dim, underlined and reverse.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.style import Style

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
    """A style for each key, by turns, in the order in which they first appear."""
    order = dict.fromkeys(keys)
    return {key: FIELDS[turn % len(FIELDS)] for turn, key in enumerate(order)}
