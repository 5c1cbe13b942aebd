"""Base64 in both alphabets, padded or not, on one line or wrapped.

The forms separate messages as those of plain hex do: `base64` at blank lines, `base64-lines` at
each line, `base64-words` at blanks and commas too, `base64-wrapped` at padding and short lines.

Only the alphabet is accepted, and the unused bits of the last character must be zero, as every
encoder leaves them, so that a word is rarely taken for base64. In a log, base64 begins with twelve
zero bits (`AA`), as messages do, or as keys of the newer record types.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence

from ..chunks import Chunk, Content, check_size, first_not_allowed
from ..errors import CaptureError
from ..form import LEAST, Form, Hit, Parting, Signs
from ..lines import Part, blocks, full_lines, lines, runs
from .base32 import is_base32

__all__ = ["FORMS", "FROM_URL", "decode"]

FROM_URL = str.maketrans("-_", "+/")
_STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_HEX = "0123456789abcdefABCDEF"
_LINE_ENDS = {ord("\r"): None, ord("\n"): None}
_NO_SIGNS = dict.fromkeys(map(ord, "+/-_="))
_NO_SIGNS_OR_GAPS = _NO_SIGNS | dict.fromkeys(map(ord, " \t,;|"))
_WRAP = 76
_LEAST_BYTES = 10  # of each message, where it does not decode
_LEAST_CHARACTERS = 16  # of what is counted as skipped
_WORD = re.compile(r"[^\s,;|]+")
# A message, and a key of a record type from 16 to 23, which a text of less than 256 bytes follows.
_BEGINNINGS = ("AA", *(f"AB{letter}A" for letter in "AEIMQUYc"))
_IN_A_LINE = re.compile(r"(?<![\w+/-])A(?:A|B[AEIMQUYc]A)[A-Za-z0-9+/_-]{5,}+={0,2}(?![\w+/=-])")
_SIGN = re.compile(rb"AA[A-Za-z0-9+/_-]{14}")


def decode(text: str, *, url: bool = False) -> bytes:
    """Return the bytes of one base64 text without blanks. Raises ValueError for any other text."""
    if url:
        if "+" in text or "/" in text:
            raise ValueError("+ or / in base64url")
        text = text.translate(FROM_URL)
    bare = text.rstrip("=")
    pad = -len(bare) % 4
    if pad == 3 or len(text) - len(bare) not in (0, pad):
        raise ValueError("its length cannot be that of base64")
    data = binascii.a2b_base64(bare + "=" * pad, strict_mode=True)
    if pad and binascii.b2a_base64(data[-(len(data) % 3) :], newline=False)[:-pad] != (
        bare[-(4 - pad) :].encode()
    ):
        raise ValueError("its last character has bits that no encoder sets")
    return data


def _refusal(text: str, why: str, line: int, column: int, *, url: bool) -> CaptureError:
    alphabet = _STANDARD.translate(str.maketrans("+/", "-_")) if url else _STANDARD
    bad = first_not_allowed(text, alphabet + "=\r\n", line, column)
    if bad is None:
        return CaptureError(f"this is no base64: {why}", line=line)
    kind = "base64url" if url else "base64"
    return CaptureError(f"{bad[0]!r} is no {kind} character", line=bad[1], column=bad[2])


def _words(text: str) -> Iterator[Part]:
    for number, line in enumerate(lines(text), start=1):
        for match in _WORD.finditer(line) if line else ():
            yield number, match.start() + 1, match[0]


def _padded_runs(text: str) -> Iterator[Part]:
    """Each run of lines that ends with padding or a shorter line."""
    for first, column, part in runs(text):
        start, run = first, list[str]()
        for number, line in enumerate(lines(part), start=first):
            run.append(line)
            if line.rstrip().endswith("="):
                yield start, column, "\n".join(run)
                start, run = number + 1, []
        if run:
            yield start, column, "\n".join(run)


class _Base64(Form):
    preference = 900

    def __init__(
        self, name: str, about: str, parting: Parting, parts: Callable[[str], Iterator[Part]]
    ) -> None:
        super().__init__(name, about)
        self.parting = parting
        self.per_line = parting == "lines"
        self._parts = parts
        self._url = name.startswith("base64url")

    def may_begin(self, line: str) -> bool:
        bare = line.translate(_NO_SIGNS_OR_GAPS if self.parting == "words" else _NO_SIGNS)
        return not bare or (bare.isascii() and bare.isalnum())

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks = []
        for line, column, part in self._parts(text):
            packed = part.translate(_LINE_ENDS)
            check_size(len(packed.rstrip("=")) * 3 // 4, max_bytes, line)
            try:
                data = decode(packed, url=self._url)
            except ValueError as error:
                raise _refusal(part, str(error), line, column, url=self._url) from None
            chunks.append(Chunk(data, self.name, line, column))
        return Content(chunks)

    def write(self, data: bytes) -> str:
        if self._url:
            return base64.urlsafe_b64encode(data).decode().rstrip("=")
        packed = base64.b64encode(data).decode()
        width = len(packed) if self.parting == "lines" else _WRAP
        return "\n".join(packed[at : at + width] for at in range(0, len(packed), width or 1))

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        """Return False for hex digits alone, unless they begin with zeros in base64, and for
        base32."""
        if is_base32(text):
            return False
        if not text.strip(_HEX + "\r\n") and not text.lstrip().startswith("AA"):
            return False
        if self._url and "-" not in text and "_" not in text:
            return False
        long = all(len(chunk.data) >= _LEAST_BYTES for chunk in chunks)
        return long and self._parts_are_messages(text, chunks)


class _Blocks(_Base64):
    marks = _BEGINNINGS
    signs = Signs({b"AA": _SIGN.match})  # keys of newer types are looked for in short texts alone
    run = (
        re.compile(r"\s*+AA[A-Za-z0-9+/]{38,}+\s*+"),
        re.compile(r"\s*+[A-Za-z0-9+/]++={0,2}\s*+"),
    )

    def find(self, line: str) -> Iterator[Hit]:
        """Yield base64 in either alphabet."""
        for match in _IN_A_LINE.finditer(line):
            if is_base32(match[0]):
                continue
            url = "-" in match[0] or "_" in match[0]
            try:
                data = decode(match[0], url=url)
            except ValueError as error:
                if len(match[0]) >= _LEAST_CHARACTERS and match[0].startswith("AA"):
                    yield Hit(*match.span(), reason=f"what looks like base64: {error}")
                continue
            form = "base64url" if url else "base64"
            is_short = len(data) < LEAST or match[0].startswith("AB")
            yield Hit(*match.span(), data, form, short=is_short)


FORMS: tuple[Form, ...] = (
    _Base64("base64-lines", "base64, one message a line", "lines", full_lines),
    _Blocks("base64", "base64, on one line or wrapped", "blocks", blocks),
    _Base64("base64-words", "base64, blanks or commas between messages", "words", _words),
    _Base64(
        "base64-wrapped", "base64, padding or a shorter line ends a message", "runs", _padded_runs
    ),
    _Base64("base64url-lines", "base64 with - and _, one message a line", "lines", full_lines),
    _Base64("base64url", "base64 with - and _", "blocks", blocks),
    _Base64(
        "base64url-words",
        "base64 with - and _, blanks or commas between messages",
        "words",
        _words,
    ),
    _Base64(
        "base64url-wrapped",
        "base64 with - and _, padding or a shorter line ends a message",
        "runs",
        _padded_runs,
    ),
)
