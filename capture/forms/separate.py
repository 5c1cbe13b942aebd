r"""Bytes of which each is written by itself, neither in plain hex nor as decimal numbers.

00000000 00000011        binary, as %08b prints
$00 $03, 00h 03h         hex of Pascal and of assemblers
'00', '03'               a list of strings; "0x0", "0x3"
b'\x00', b'o'            a list of bytes of Python, '\0', '\u{3}', 'o' of characters of Rust
0 3 0 157, 0 11 0 1101   Go's %o and %b, and hex without zeros in front: 0 3 0 6f
0.3.0.111, 00.03.00.6f   Perl's %vd and %v02x
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import LEAST, Form, Hit, is_message_start
from ..lines import blocks
from .literals import DIALECTS, unescape

__all__ = ["FORMS"]

_FEWEST = 5  # bytes of a key


class _Notation(NamedTuple):
    """How a byte is written, what may be between two of them, and how its value is read.
    `is_vague`: other numbers are like it, so that a run may be no part of a longer one."""

    item: str
    between: str
    value: Callable[[str], int]
    is_vague: bool = False


def _hex(text: str) -> int:
    return int(text.strip("$hH'\"").removeprefix("0x").removeprefix("0X"), 16)


def _character(text: str) -> int:
    (byte,) = unescape(text.lstrip("b")[1:-1], DIALECTS["rust" if "{" in text else "python"])
    return byte


_LISTED = r"\s*+,\s*+|\s++"
_ESCAPED = r"\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,2}\}|[^\nxu])"
_NOTATIONS = (
    _Notation(r"[01]{8}(?![\w.])", _LISTED, lambda text: int(text, 2)),
    _Notation(r"\$[0-9a-fA-F]{2}(?!\w)", _LISTED, _hex),
    _Notation(r"0?[0-9a-fA-F]{2}[hH](?!\w)", _LISTED, _hex),
    _Notation(r"'(?:0[xX])?[0-9a-fA-F]{1,2}'", _LISTED, _hex),
    _Notation(r'"(?:0[xX])?[0-9a-fA-F]{1,2}"', _LISTED, _hex),
    _Notation(rf"b?'(?:{_ESCAPED}|[^'\\\n])'", _LISTED, _character),
    _Notation(rf'b"(?:{_ESCAPED}|[^"\\\n])"', _LISTED, _character),
    _Notation(r"[01]{1,8}(?![\w.])", _LISTED, lambda text: int(text, 2), True),
    _Notation(r"[0-7]{1,3}(?![\w.])", _LISTED, lambda text: int(text, 8), True),
    _Notation(r"[0-9a-f]{1,2}(?![\w.])", _LISTED, _hex, True),
    _Notation(r"[0-9]{1,3}(?![\w-])", r"\.", int),
    _Notation(r"[0-9a-fA-F]{2}(?!\w)", r"\.", _hex),
)
_NOT_BEHIND, _NOT_BEFORE = r"(?<![0-9a-f][\s,])(?<![0-9a-f],\s)", r"(?![,\s]{1,2}[-0-9a-f])"


def _run(notation: _Notation) -> re.Pattern[str]:
    item, between = notation.item, notation.between
    least = LEAST if notation.is_vague else _FEWEST
    run = rf"(?<![\w.$'\"-]){item}(?>(?:(?:{between}){item}){{{least - 1},}})"
    return re.compile(f"{_NOT_BEHIND}{run}{_NOT_BEFORE}" if notation.is_vague else run)


_RUNS = tuple(
    (_run(notation), re.compile(notation.item), notation.value) for notation in _NOTATIONS
)
_NUMBERS = re.compile(r"(?>(?:[0-9a-f]{1,3}(?:\.|[\s,]++|\Z))+)")


def _runs(text: str) -> Iterator[Hit]:
    """Yield the runs of bytes in a text, in every notation."""
    for run, item, value in _RUNS:
        for match in run.finditer(text):
            try:
                data = bytes(value(byte[0]) for byte in item.finditer(match[0]))
            except ValueError:
                continue
            yield Hit(*match.span(), data, "separate")


class _Separate(Form):
    preference = 1020
    marks = ("00", "$", "'", '"', "0.", "0 ", "0,")

    def may_begin(self, line: str) -> bool:
        return any(run.match(line.lstrip("[{(< ")) for run, _, _ in _RUNS)

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks = []
        for line, column, block in blocks(text):
            body = block.strip("[]{}()<>,; \t\r\n")
            hit = next((hit for hit in _runs(body) if hit.end - hit.start == len(body)), None)
            if hit is None:
                raise CaptureError("this is no list of bytes, each by itself", line=line)
            check_size(len(hit.data), max_bytes, line)
            chunks.append(Chunk(hit.data, self.name, line, column))
        return Content(chunks)

    def write(self, data: bytes) -> str:
        return " ".join(f"{byte:08b}" for byte in data)

    def find(self, line: str) -> Iterator[Hit]:
        """Yield runs that begin as messages do; few bytes have to decode, and so has what may be
        decimal numbers."""
        for hit in _runs(line):
            if is_message_start(hit.data):
                may_be_numbers = _NUMBERS.fullmatch(line, hit.start, hit.end) is not None
                yield hit._replace(short=may_be_numbers or len(hit.data) < LEAST)


FORMS: tuple[Form, ...] = (
    _Separate("separate", "00000000 01000001, $00 $41, 00h 41h, '00', '41': each byte by itself"),
)
