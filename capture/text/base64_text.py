"""Read base64 in both alphabets, padded or not, on one line or wrapped.

The forms separate messages as those of plain hex do: `base64` at blank lines, `base64-lines` at
each line, `base64-words` at blanks and commas too, `base64-wrapped` at padding and short lines.

Only the alphabet is accepted, and the unused bits of the last character must be zero, as every
encoder leaves them, so that a word is rarely taken for base64.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..errors import CaptureError
from .blocks import PerLine, blocks, lines, wrapped
from .reading import Chunk, Found, Reader, check_size, first_not_allowed

__all__ = ["FROM_URL", "READERS", "decode"]

_STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
FROM_URL = str.maketrans("-_", "+/")
_LINE_ENDS = {ord("\r"): None, ord("\n"): None}
_WRAP = 76
_WORD = re.compile(r"[^\s,;|]+")


def decode(text: str, *, url: bool = False) -> bytes:
    """Return the bytes of one base64 text without blanks. Raises ValueError for any other text."""
    import binascii  # late: hex needs none of it

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


Parts = Callable[[str], Iterator[tuple[int, int, str]]]


class _Base64:
    def __init__(self, name: str, *, url: bool, parts: Parts = blocks) -> None:
        self._name = name
        self._url = url
        self._parts = parts

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks = []
        for line, column, block in self._parts(text):
            packed = block.translate(_LINE_ENDS)
            check_size(len(packed.rstrip("=")) * 3 // 4, max_bytes, line)
            try:
                data = decode(packed, url=self._url)
            except ValueError as error:
                raise _refusal(block, str(error), line, column, url=self._url) from None
            chunks.append(Chunk(data, self._name, line, column))
        return Found(chunks)

    def write(self, data: bytes) -> str:
        import base64  # late: only for examples

        if self._url:
            return base64.urlsafe_b64encode(data).decode().rstrip("=")
        packed = base64.b64encode(data).decode()
        return "\n".join(packed[at : at + _WRAP] for at in range(0, len(packed), _WRAP))


def _refusal(text: str, why: str, line: int, column: int, *, url: bool) -> CaptureError:
    alphabet = _STANDARD.translate(str.maketrans("+/", "-_")) if url else _STANDARD
    bad = first_not_allowed(text, alphabet + "=\r\n", line, column)
    if bad is None:
        return CaptureError(f"this is no base64: {why}", line=line)
    kind = "base64url" if url else "base64"
    return CaptureError(f"{bad[0]!r} is no {kind} character", line=bad[1], column=bad[2])


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    for number, line in enumerate(lines(text), start=1):
        for match in _WORD.finditer(line):
            yield number, match.start() + 1, match[0]


def _padded(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and text of each run of lines that ends with padding or a shorter line."""
    for start, column, part in wrapped(text):
        first, gathered = start, list[str]()
        for number, line in enumerate(lines(part), start=start):
            gathered.append(line)
            if line.rstrip().endswith("="):
                yield first, column, "\n".join(gathered)
                first, gathered = number + 1, []
        if gathered:
            yield first, column, "\n".join(gathered)


READERS: dict[str, Reader] = {
    reader_name: reader
    for name, url in (("base64", False), ("base64url", True))
    for reader_name, reader in (
        (name, _Base64(name, url=url)),
        (f"{name}-lines", PerLine(_Base64(name, url=url), f"{name}-lines")),
        (f"{name}-words", _Base64(f"{name}-words", url=url, parts=_words)),
        (f"{name}-wrapped", _Base64(f"{name}-wrapped", url=url, parts=_padded)),
    )
}
