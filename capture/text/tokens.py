r"""Take a text apart into bytes where it is nothing but bytes in one notation.

Notations are `00 01`, `0x00,0x01`, `0, 1, ff`, `000 001 377`, `\x00\x01`, `%00%01` and `0 1 -1`.

Lines are joined first, so that a line may end anywhere, in the middle of a byte too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .blocks import lines

__all__ = ["Tokens", "tokens"]


class _Notation(NamedTuple):
    """How bytes are written: `pattern` matches the gap before a byte, and the byte.

    `joints`: what takes the place of a line's end.
    """

    form: str
    pattern: re.Pattern[str]
    value: Callable[[str], int]
    joints: tuple[str, ...] = ("",)


def _hex(text: str) -> int:
    return int(text, 16)


def _escaped(text: str) -> int:
    return int("0" + text[1:], 16) if text[1] == "x" else int(text[1:], 8)


def _percent(text: str) -> int:
    return int(text[1:], 16) if text[0] == "%" else ord(text)


_HEX = re.compile(
    r"([\s,;|:_-]*+)((?:0[xX](?=[0-9a-fA-F]{2}))?[0-9a-fA-F]{2}|0[xX][0-9a-fA-F](?![0-9a-fA-FxX]))"
)
_ESCAPES = re.compile(r"([\s,;|]*+)(\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2})")
_PERCENT = re.compile(r"([\s,;|]*+)(%[0-9a-fA-F]{2}|[\w.~!*'():/@$-])", re.ASCII)
_SHORT_HEX = re.compile(r"([\s,;|]*+)([0-9a-fA-F]{1,2}(?![0-9a-fA-F]))")
_OCTAL = re.compile(r"([\s,;|]*+)([0-3][0-7]{2}(?![0-9a-fA-F]))")
_INTS = re.compile(r"([\s,;|]*+)(-?(?:0|[1-9][0-9]{0,2})(?![0-9]))")

_NOTATIONS = (
    _Notation("hex", _HEX, _hex, ("", " ")),
    _Notation("hex", _SHORT_HEX, _hex, (" ", "")),
    _Notation("od-b", _OCTAL, lambda text: int(text, 8), (" ", "")),
    _Notation("escaped", _ESCAPES, _escaped),
    _Notation("percent", _PERCENT, _percent),
    _Notation("ints", _INTS, int, (" ", "")),
)
_MOST_OFTEN = 9  # a separator behind each ninth byte, or more often, is between bytes
_NEEDED = {"escaped": "\\", "percent": "%"}


class Tokens(NamedTuple):
    """The bytes of a text. `places` are line and column of those bytes that may begin a message: by
    their positions, those that begin a line or follow a rarer separator than others.

    `anywhere` is the same for all bytes, where a separator precedes most of them; else None.
    `half` is the last hex digit, where it is half a byte.
    """

    form: str
    data: bytes
    places: dict[int, tuple[int, int]]
    anywhere: dict[int, tuple[int, int]] | None
    half: str = ""


def tokens(text: str) -> Iterator[Tokens]:
    """Yield the ways to read all of a text as bytes in one notation."""
    for notation in _NOTATIONS:
        if _NEEDED.get(notation.form, "") in text:
            for joint in notation.joints:
                if (found := _read(_Joined(text, joint), notation)) is not None:
                    yield found


class _Joined:
    """The lines of a text in one, and the place of each position in it."""

    def __init__(self, text: str, joint: str) -> None:
        parts = []
        self.starts: list[int] = []
        self._places: list[tuple[int, int]] = []
        at = 0
        for number, line in enumerate(lines(text), start=1):
            bare = line.strip("\r\n") if not joint else line.strip()
            if not bare.strip():
                continue
            inset = len(bare) - len(bare.lstrip())
            self.starts.append(at + inset)
            self._places.append((number, line.index(bare) + inset + 1))
            parts.append(bare)
            at += len(bare) + len(joint)
        self.text = joint.join(parts)

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of a position."""
        at = bisect_right(self.starts, position) - 1
        line, column = self._places[at]
        return line, column + position - self.starts[at]


def _read(joined: _Joined, notation: _Notation) -> Tokens | None:
    values: list[int] = []
    gaps: list[str] = []
    starts: list[int] = []
    text = joined.text.rstrip(" \t\r\n,;|")
    at = 0
    while at < len(text):
        match = notation.pattern.match(text, at)
        if match is None and at == len(text) - 1 and notation.form == "hex":
            break
        if match is None:
            return None
        values.append(notation.value(match[2]))
        gaps.append(match[1])
        starts.append(match.start(2))
        at = match.end()
    lowest, highest = min(values, default=0), max(values, default=0)
    if not values or lowest < -128 or highest > (255 if lowest >= 0 else 127):
        return None
    data = bytes(value & 0xFF for value in values)
    usual = {gap for gap, times in Counter(gaps[1:]).items() if times * _MOST_OFTEN > len(gaps)}
    lines_at = set(joined.starts)
    places = {
        at: joined.place(start)
        for at, (gap, start) in enumerate(zip(gaps, starts, strict=True))
        if at == 0 or gap not in usual or start in lines_at
    }
    anywhere = None
    if any(usual):
        anywhere = {at: joined.place(start) for at, start in enumerate(starts)}
    return Tokens(notation.form, data, places, anywhere, text[at:])
