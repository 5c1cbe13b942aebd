"""The few signs that the views draw with, and what stands for them where only ASCII can be written.

Signs mean the same without colour: what failed is in brackets and crossed, not merely red.
"""

from __future__ import annotations

from typing import NamedTuple


class Glyphs(NamedTuple):
    """Signs of one kind of terminal; the tree's are three cells wide."""

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


def glyphs(encoding: str) -> Glyphs:
    """Those that text of this encoding can hold."""
    try:
        "".join(UNICODE[:-1]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
