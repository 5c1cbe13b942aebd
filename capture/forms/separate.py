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
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import LEAST, Form, Hit, begins_like_messages, is_message_start
from ..lines import blocks
from .hex import BITS
from .literals import DIALECTS, unescape

__all__ = ["FORMS"]

_NAME = "separate"
_FEWEST = 5  # bytes of a key


class _Notation(NamedTuple):
    """How a byte is written, what may be between two of them, and how its value is read."""

    item: str
    between: str
    value: Callable[[str], int]


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
    _Notation(r"'(?:0[xX][0-9a-fA-F]{1,2}|[0-9a-fA-F]{2})'", _LISTED, _hex),
    _Notation(r'"(?:0[xX][0-9a-fA-F]{1,2}|[0-9a-fA-F]{2})"', _LISTED, _hex),
    _Notation(
        rf"""(?:b?'(?:{_ESCAPED}|[^'\\\n])'|b"(?:{_ESCAPED}|[^"\\\n])")""", _LISTED, _character
    ),
    _Notation(r"[0-9]{1,3}(?![\w-])", r"\.", int),
    _Notation(r"[0-9a-fA-F]{2}(?!\w)", r"\.", _hex),
)
_RUNS = tuple(
    (
        re.compile(rf"(?<![\w.$'\"-]){item}(?>(?:(?:{between}){item}){{{_FEWEST - 1},}})"),
        re.compile(item),
        value,
    )
    for item, between, value in _NOTATIONS
)
# Numbers without zeros in front, of any base, which are no part of a longer list.
_NUMBERS = re.compile(
    r"(?<![\w.$'\"-])(?<![0-9a-f][\s,])(?<![0-9a-f],\s)(?:0|[1-9a-f][0-9a-f]{0,7})(?![\w.])"
    rf"(?>(?:(?:{_LISTED})(?:0|[1-9a-f][0-9a-f]{{0,7}})(?![\w.])){{{LEAST - 1},}})"
    r"(?![,\s]{1,2}[-0-9a-f])"
)
_WORD = re.compile(r"[0-9a-f]+")
_OPEN, _CLOSED = tuple("[{(<"), tuple("]})>,;")
_OF_TUPLES = tuple("(<")
_BASES = (10, 16, 8, 2)  # the likelier first
# All of a text, of which a person has named the form: so few bytes, too, where it has no dots.
_WHOLE = tuple(
    (re.compile(rf"{item}(?>(?:(?:{between}){item})*)"), re.compile(item), value)
    for item, between, value in _NOTATIONS
    if between == _LISTED
)


def _whole(text: str) -> Hit | None:
    """The bytes that a text is, all of it; None where it is anything else."""
    for whole, item, value in _WHOLE:
        if whole.fullmatch(text):
            with suppress(ValueError):
                return Hit(0, len(text), bytes(map(value, item.findall(text))), _NAME)
    return next((hit for hit in _runs(text) if hit.end - hit.start == len(text)), None)


def _runs(text: str) -> Iterator[Hit]:
    """Yield the runs of bytes in a text, in every notation."""
    for run, item, value in _RUNS:
        for match in run.finditer(text):
            with suppress(ValueError):
                data = bytes(value(byte[0]) for byte in item.finditer(match[0]))
                yield Hit(*match.span(), data, _NAME)
    for match in _NUMBERS.finditer(text):
        words = _WORD.findall(match[0])
        readings = []
        for base in _BASES:
            with suppress(ValueError):
                readings.append(bytes(int(word, base) for word in words))
        if readings:
            yield Hit(*match.span(), readings[0], _NAME, short=True, rivals=tuple(readings[1:]))


class _Separate(Form):
    preference = 1020
    marks = ("00", "$", "'", '"', "0.", "0 ", "0,")

    def may_begin(self, line: str) -> bool:
        beginning = line.lstrip("[{(< ")
        return any(run.match(beginning) for run in (*(run for run, _, _ in _RUNS), _NUMBERS))

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks = []
        for line, column, block in blocks(text):
            body = block.strip("[]{}()<>,; \t\r\n")
            if block.lstrip()[:1] in _OPEN and block.rstrip()[-1:] not in _CLOSED:
                raise CaptureError("this is a list without its end", line=line)
            hit = _whole(body)
            if hit is None:
                raise CaptureError("this is no list of bytes, each by itself", line=line)
            check_size(len(hit.data), max_bytes, line)
            # Decimal numbers are a form of their own, except in parentheses, as tuples are.
            is_tuple = block.lstrip()[:1] in _OF_TUPLES
            data = hit.data if is_tuple else (hit.data, *hit.rivals)[-1]
            chunks.append(Chunk(data, self.name, line, column))
        return Content(chunks)

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        return begins_like_messages(chunks) or BITS.fullmatch(text) is not None

    def write(self, data: bytes) -> str:
        return " ".join(f"{byte:08b}" for byte in data)

    def find(self, line: str) -> Iterator[Hit]:
        """Yield runs that begin as messages do; few bytes have to decode, and so has what may be
        decimal numbers."""
        for hit in _runs(line):
            if is_message_start(hit.data):
                is_vague = hit.short or "." in line[hit.start : hit.end] or len(hit.data) < LEAST
                yield hit._replace(short=is_vague)


FORMS: tuple[Form, ...] = (
    _Separate(_NAME, "00000000 01000001, $00 $41, 00h 41h, '00', '41': each byte by itself"),
)
