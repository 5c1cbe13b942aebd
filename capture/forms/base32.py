"""Base32: capital letters and the digits 2 to 7, on one line.

Any base32 without padding is base64, too. `is_base32` tells by the number in front, and by the
absence of small letters and of the other digits.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from ..chunks import Chunk, Content, check_size
from ..cuts import advice
from ..errors import CaptureError
from ..form import Form, Hit
from ..lines import full_lines

__all__ = ["FORMS", "is_base32"]

_NUMBER = "AA[A-L][AQ]"  # from 0 to 23: a version or a record type, and half a byte of zeros
_DNA = r"AA[CG]A[ACGT]++\b"
_WORD = re.compile(rf"(?<![\w+/-])(?!{_DNA}){_NUMBER}[A-Z2-7]{{4,}}+={{0,6}}(?![\w+/=-])")
_ALL = re.compile(r"[A-Z2-7]{2,}+={0,6}")  # where a person has named the form
_NUMBERED = re.compile(rf"\s*+(?!AAAA|{_DNA}){_NUMBER}[A-Z2-7]{{12,}}+={{0,6}}\s*+")
_LEAST = 16  # characters
_DANGLING = (1, 3, 6)  # characters behind the last eight, of which the last one ends no byte


def is_base32(text: str) -> bool:
    """Return whether a text is base32 rather than base64, which would begin with `AAE` here."""
    return _NUMBERED.fullmatch(text) is not None


def _decode(text: str) -> tuple[bytes, int | None]:
    """The bytes of a text, and 0 if they are all; None if the text is cut."""
    bare = text.rstrip("=")
    is_cut = len(bare) % 8 in _DANGLING
    bare = bare[: len(bare) - is_cut]
    return base64.b32decode(bare + "=" * (-len(bare) % 8)), None if is_cut else 0


class _Base32(Form):
    preference = 1050
    per_line = True
    parting = "lines"
    marks = ("AA",)

    def may_begin(self, line: str) -> bool:
        return _WORD.fullmatch(line.strip()) is not None

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks = []
        for number, column, line in full_lines(text):
            check_size(len(line) * 5 // 8, max_bytes, number)
            if (_WORD if may_stop else _ALL).fullmatch(line) is None:
                raise CaptureError("this is no base32", line=number, column=column)
            data, cut = _decode(line)
            remark = advice("", "", cut)
            chunks.append(Chunk(data, self.name, number, column, cut=cut, remark=remark))
        return Content(chunks)

    def write(self, data: bytes) -> str:
        return base64.b32encode(data).decode()

    def find(self, line: str) -> Iterator[Hit]:
        """Yield words that begin with a number; others have to decode: most are base64."""
        for match in _WORD.finditer(line):
            data, cut = _decode(match[0])
            yield Hit(*match.span(), data, self.name, cut, short=not is_base32(match[0]))

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        return len(text.strip()) >= _LEAST  # if nothing decodes, it is named beside base64


FORMS: tuple[Form, ...] = (_Base32("base32", "base32, one message a line"),)
