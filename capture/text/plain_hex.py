"""Read plain hex: digits in any spacing and case, with or without separators and `0x`.

The digits do not say where a message ends, so there is a form for each way of separating messages:
`hex` (a blank line ends a message), `hex-lines` (each line is a message), `hex-words` (blanks,
commas or line ends are between messages) and `hex-wrapped` (a message has several lines and ends
with one that is shorter than the line above).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..errors import CaptureError
from .blocks import PerLine, blocks, lines, wrapped
from .reading import Chunk, Found, Reader, check_size, first_not_allowed

__all__ = ["HALF", "READERS", "digits"]

_SEPARATORS = dict.fromkeys(map(ord, " \t\v\f\r\n\u00a0:-,;_"))
_TO_BLANKS = dict.fromkeys(_SEPARATORS, " ")
_DIGITS = "0123456789abcdefABCDEF"
_ALLOWED = _DIGITS + "xX \t\v\f\r\n\u00a0:-,;_"
_CUTS = ("...", "\u2026")
HALF = "cut in the middle of a byte: the last hex digit, {!r}, was left out"
"""The remark on hex that is cut in the middle of a byte, with a place for the digit."""
_LEAST_WORD = 4  # bytes
_WORD = re.compile(r"[^\s,;|]+")
_WORDS = re.compile(r"[^,;|]+")


def digits(text: str, line: int, column: int, max_bytes: int) -> Chunk:
    """Return the bytes of one run of hex.

    An ellipsis at its end, or an odd number of digits, means that the run was cut there.
    """
    end = text.rstrip()
    cut = end.endswith(_CUTS)
    if cut:
        end = end.rstrip(".\u2026")
    packed = end.translate(_SEPARATORS)
    if "x" in packed or "X" in packed:
        packed = _without_prefixes(end)
    if not packed:
        raise CaptureError("no hex digits", line=line)
    check_size(len(packed) // 2, max_bytes, line)
    remark = ""
    if len(packed) % 2 and packed[-1] in _DIGITS and _ends_in_half_a_byte(end):
        remark, packed = HALF.format(packed[-1]), packed[:-1]
    try:
        data = bytes.fromhex(packed)
    except ValueError:
        raise _refusal(end, packed, line, column) from None
    return Chunk(data, "hex", line, column, cut=None if cut or remark else 0, remark=remark)


def _ends_in_half_a_byte(text: str) -> bool:
    """Whether the last byte lacks a digit, and not a byte before it."""
    *before, last = text.translate(_TO_BLANKS).split()
    return all(len(word) > 1 for word in before) and (bool(before) or len(last) > 1)


def _without_prefixes(text: str) -> str:
    """The digits without `0x`, which may come before all of them or before each byte; a byte may
    then be one digit."""
    text = re.sub(r"(?<![^\s:,;_-])0[xX]([0-9a-fA-F])(?![0-9a-fA-F])", r"0\1", text)
    text = re.sub(r"(?<![^\s:,;_-])0[xX](?=[0-9a-fA-F])", "", text)
    return text.translate(_SEPARATORS)


def _refusal(text: str, packed: str, line: int, column: int) -> CaptureError:
    bad = first_not_allowed(text, _ALLOWED, line, column)
    if bad:
        return CaptureError(f"{bad[0]!r} is no hex digit", line=bad[1], column=bad[2])
    if "x" in packed.lower():
        return CaptureError("0x in the middle of hex digits", line=line)
    digits = f"{len(packed)} hex digit{'s' * (len(packed) > 1)}, an odd number"
    return CaptureError(f"{digits}: one is missing, or one too many", line=line)


class _Hex:
    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        return Found(
            [digits(block, line, column, max_bytes) for line, column, block in blocks(text)]
        )

    def write(self, data: bytes) -> str:
        return data.hex()


class _Separated:
    """The reader of hex whose messages are separated otherwise than by blank lines or lines."""

    def __init__(self, name: str, parts: Callable[[str], Iterator[tuple[int, int, str]]]) -> None:
        self._name = name
        self._parts = parts

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        return Found([
            digits(part, line, column, max_bytes)._replace(format=self._name)
            for line, column, part in self._parts(text)
        ])  # fmt: skip

    def write(self, data: bytes) -> str:
        return data.hex()


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and text of each word; where words are short, blanks belong to them."""
    words = list(_parts_of(text, _WORD))
    if any(len(word.translate(_SEPARATORS)) < 2 * _LEAST_WORD for _, _, word in words):
        words = list(_parts_of(text, _WORDS))
    yield from words


def _parts_of(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    for number, line in enumerate(lines(text), start=1):
        for match in pattern.finditer(line):
            if word := match[0].strip():
                yield number, line.index(word, match.start()) + 1, word


READERS: dict[str, Reader] = {
    "hex": _Hex(),
    "hex-lines": PerLine(_Hex(), "hex-lines"),
    "hex-words": _Separated("hex-words", _words),
    "hex-wrapped": _Separated("hex-wrapped", wrapped),
}
