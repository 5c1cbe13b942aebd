"""Text and bytes from a message into an Arrow buffer, with Java's rule for what is no UTF-8.

A string that is not UTF-8 is stored with one U+FFFD for each malformed part, as
`codec.utf8.decode` gives it: the longest start of a sequence that could still have become one, but
a surrogate (`ed a0..bf`, with the continuation byte after it if there is one) whole.
"""

# ruff: noqa: PLR0911  # numba compiles it

from __future__ import annotations

from .addresses import load8, load64, store8, store64
from .compiled import compiled

GROWTH = 3
"""How many bytes one byte of a message may become: U+FFFD takes three."""

_HIGH_BITS = -0x7F7F7F7F7F7F7F80  # 0x80 in each of eight bytes


@compiled
def copy_bytes(to: int, start: int, size: int) -> int:
    """Copy, and say by the high bits of what comes back whether a byte was over 127."""
    seen = 0
    if size < 8:
        for i in range(size):
            byte = load8(start + i)
            seen |= byte
            store8(to + i, byte)
        return seen & 0x80
    for i in range(0, size - 7, 8):
        word = load64(start + i)
        seen |= word
        store64(to + i, word)
    word = load64(start + size - 8)  # the last eight, some of them a second time
    seen |= word
    store64(to + size - 8, word)
    return int(seen & _HIGH_BITS)


@compiled
def copy_text(to: int, start: int, size: int) -> int:
    """Copy a string; gives the bytes that it takes, at most `GROWTH` times `size`."""
    if copy_bytes(to, start, size):
        size = _copy_repaired(to, start, size)
    return size


@compiled
def _copy_repaired(to: int, start: int, size: int) -> int:
    written = 0
    at = 0
    while at < size:
        valid, length = _sequence(start + at, size - at)
        if valid:
            copy_bytes(to + written, start + at, length)
            written += length
        else:
            store8(to + written, 0xEF)
            store8(to + written + 1, 0xBF)
            store8(to + written + 2, 0xBD)
            written += 3
        at += length
    return written


@compiled
def _sequence(start: int, left: int) -> tuple[bool, int]:
    """Whether a character begins here, and how many bytes it, or what is none, takes."""
    lead = load8(start) & 0xFF
    if lead < 0x80:
        return True, 1
    if lead < 0xC2 or lead > 0xF4:
        return False, 1
    length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if left == 1:
        return False, 1
    second = load8(start + 1) & 0xFF
    if lead == 0xED and 0xA0 <= second <= 0xBF:
        return False, 3 if left > 2 and load8(start + 2) & 0xC0 == 0x80 else 2
    lowest = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
    highest = 0x8F if lead == 0xF4 else 0xBF
    if second < lowest or second > highest:
        return False, 1
    for i in range(2, length):
        if i == left or load8(start + i) & 0xC0 != 0x80:
            return False, i
    return True, length
