"""Base64 in both alphabets, padded or not, on one line or wrapped.

Nothing but the alphabet is accepted, and the bits that the last character has to
spare must be zero, as every encoder leaves them: so that a word is rarely taken for
base64.
"""

from __future__ import annotations

from .blocks import PerLine, blocks
from .errors import CaptureError
from .reading import Chunk, Found, Reader, blame, check_size

__all__ = ["READERS", "decode"]

_STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_FROM_URL = str.maketrans("-_", "+/")
_LINE_ENDS = {ord("\r"): None, ord("\n"): None}
_WRAP = 76


def decode(text: str, *, url: bool = False) -> bytes:
    """The bytes of one base64 text without blanks; ValueError if it is none."""
    import binascii

    if url:
        if "+" in text or "/" in text:
            raise ValueError("+ or / in base64url")
        text = text.translate(_FROM_URL)
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


class _Base64:
    def __init__(self, name: str, *, url: bool) -> None:
        self._name = name
        self._url = url

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks = []
        for line, column, block in blocks(text):
            packed = block.translate(_LINE_ENDS)
            check_size(len(packed.rstrip("=")) * 3 // 4, max_bytes, line)
            try:
                data = decode(packed, url=self._url)
            except ValueError as error:
                raise _refusal(block, str(error), line, column, url=self._url) from None
            chunks.append(Chunk(data, self._name, line, column))
        return Found(chunks)

    def write(self, data: bytes) -> str:
        import base64

        if self._url:
            return base64.urlsafe_b64encode(data).decode().rstrip("=")
        packed = base64.b64encode(data).decode()
        return "\n".join(packed[at : at + _WRAP] for at in range(0, len(packed), _WRAP))


def _refusal(text: str, why: str, line: int, column: int, *, url: bool) -> CaptureError:
    alphabet = _STANDARD.translate(str.maketrans("+/", "-_")) if url else _STANDARD
    bad = blame(text, alphabet + "=\r\n", line, column)
    if bad is None:
        return CaptureError(f"this is no base64: {why}", line=line)
    kind = "base64url" if url else "base64"
    return CaptureError(f"{bad[0]!r} is no {kind} character", line=bad[1], column=bad[2])


_STANDARD_READER = _Base64("base64", url=False)
_URL_READER = _Base64("base64url", url=True)
READERS: dict[str, Reader] = {
    "base64": _STANDARD_READER,
    "base64-lines": PerLine(_STANDARD_READER, "base64-lines"),
    "base64url": _URL_READER,
    "base64url-lines": PerLine(_URL_READER, "base64url-lines"),
}
