"""Walking over bytes by a message's shape alone: could they be it, and where does it end?

This decides which of the built-in messages are worth decoding, nothing more: it reads no value,
imports no message, and gives up after a bounded number of steps, so that all of them can be tried
on any input in a few milliseconds.
"""

from __future__ import annotations

from typing import Final

from ..codec.shape import Shape
from ..codec.wire import OddBytes, read_varint

STEPS: Final = 2000  # arrays' elements walked over; beyond, the bytes are taken to fit


class _Misfit(Exception):
    """The bytes cannot be this; where that was seen is in `_Walk.pos`."""


class _TiredOut(Exception):
    """So far they can."""


class Skimmed:
    """`fits`: nothing speaks against this shape from `start` on. `end` is where it ends, or how
    far it went; None where the walk gave up."""

    __slots__ = ("data", "end", "fits", "pos", "steps")

    def __init__(self, data: bytes, start: int, shape: Shape) -> None:
        self.data = data
        self.pos = start
        self.steps = STEPS
        self.fits = True
        self.end: int | None = None
        try:
            self.walk(shape)
            self.end = self.pos
        except _Misfit:
            self.fits = False
            self.end = self.pos
        except _TiredOut:
            pass

    def walk(self, shape: Shape) -> None:
        for part in shape:
            if isinstance(part, int):
                self.skip(part)
            elif part == "end":
                if self.pos == len(self.data):
                    return
            elif isinstance(part, str):
                self.tags() if part == "tags" else self.skip(self.length(part))
            elif part[0] == "struct":
                if self.number(1) >= 0:
                    self.walk(part[1])
            else:
                self.array(*part)

    def array(self, prefix: str, element: Shape) -> None:
        count = self.length(prefix)
        if count > len(self.data) - self.pos:
            raise _Misfit
        if len(element) == 1 and isinstance(element[0], int):
            self.skip(count * element[0])
            return
        for _ in range(count):
            self.steps -= 1
            if self.steps < 0:
                raise _TiredOut
            self.walk(element)

    def length(self, prefix: str) -> int:
        """The length or count of this kind; 0 for null."""
        start = self.pos
        kind = prefix.removeprefix("?")
        size = self.varint() - 1 if kind.startswith("varint") else self.number(_WIDTHS[kind])
        if size < 0 and kind == prefix:
            self.pos = start
            raise _Misfit
        return max(size, 0)

    def number(self, width: int) -> int:
        start = self.pos
        self.skip(width)
        return int.from_bytes(self.data[start : self.pos], "big", signed=True)

    def varint(self) -> int:
        try:
            value, self.pos = read_varint(self.data, self.pos)
        except (IndexError, OddBytes):
            raise _Misfit from None
        return value

    def tags(self) -> None:
        for _ in range(self.varint()):
            self.steps -= 1
            if self.steps < 0:
                raise _TiredOut
            self.varint()
            self.skip(self.varint())

    def skip(self, size: int) -> None:
        if size < 0 or size > len(self.data) - self.pos:
            raise _Misfit
        self.pos += size


_WIDTHS = {"string": 2, "bytes": 4, "int32": 4}
