"""Plain hex: digits in any spacing and case, with or without separators and `0x`.

A blank line ends a message. That lines without one between them are the parts of one
wrapped message is a guess, which `hex-lines` makes the other way round.
"""

from __future__ import annotations

from .blocks import PerLine, blocks
from .errors import CaptureError
from .reading import Chunk, Found, Reader, blame, check_size

__all__ = ["READERS", "digits"]

_SEPARATORS = dict.fromkeys(map(ord, " \t\v\f\r\n\u00a0:-,;"))
_ALLOWED = "0123456789abcdefABCDEFxX \t\v\f\r\n\u00a0:-,;"
_CUTS = ("...", "\u2026")


def digits(text: str, line: int, column: int, max_bytes: int) -> Chunk:
    """The bytes of one run of hex; an ellipsis at its end says that it was cut."""
    end = text.rstrip()
    cut = end.endswith(_CUTS)
    if cut:
        end = end.rstrip(".\u2026")
    packed = end.translate(_SEPARATORS)
    if "x" in packed or "X" in packed:
        packed = _without_prefixes(end)
    check_size(len(packed) // 2, max_bytes, line)
    try:
        data = bytes.fromhex(packed)
    except ValueError:
        raise _refusal(end, packed, line, column) from None
    return Chunk(data, "hex", line, column, cut=None if cut else 0)


def _without_prefixes(text: str) -> str:
    """`0x` may stand in front of the whole or of each byte; a byte may then be one digit."""
    import re

    text = re.sub(r"(?<![^\s:,;-])0[xX]([0-9a-fA-F])(?![0-9a-fA-F])", r"0\1", text)
    text = re.sub(r"(?<![^\s:,;-])0[xX](?=[0-9a-fA-F])", "", text)
    return text.translate(_SEPARATORS)


def _refusal(text: str, packed: str, line: int, column: int) -> CaptureError:
    bad = blame(text, _ALLOWED, line, column)
    if bad:
        return CaptureError(f"{bad[0]!r} is no hex digit", line=bad[1], column=bad[2])
    if "x" in packed.lower():
        return CaptureError("0x stands in the middle of hex digits", line=line)
    digits = f"{len(packed)} hex digit{'s' * (len(packed) > 1)}, an odd number"
    return CaptureError(f"{digits}: one is missing, or one too many", line=line)


class _Hex:
    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        return Found(
            [digits(block, line, column, max_bytes) for line, column, block in blocks(text)]
        )

    def write(self, data: bytes) -> str:
        return data.hex()


READERS: dict[str, Reader] = {"hex": _Hex(), "hex-lines": PerLine(_Hex(), "hex-lines")}
