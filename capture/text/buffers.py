"""Find bytes as Node prints them: `<Buffer 00 03 ... 12 more bytes>` and similar.

Node prints the first 50 bytes of a Buffer and the first 100 items of an array, and the number of
those that it left out, which are lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .arrays import Listing

__all__ = ["find"]

# <Buffer 00 03>, <Buffer 00 03, name: 1>, ArrayBuffer { [Uint8Contents]: <00 03> }
_BUFFER = re.compile(
    r"<(?:Buffer|SlowBuffer)(?P<bytes>(?>(?: [0-9a-fA-F]{2})*))\s*+"
    r"(?P<more>\.\.\.(?: (?P<cut>[0-9]{1,12}) more bytes?)?)?[^<>\n]{0,1000}>"
    r"|\[Uint8Contents\]: <(?P<inner>(?:[0-9a-fA-F]{2}(?>(?: [0-9a-fA-F]{2})*))?)\s*+"
    r"(?P<inner_more>\.\.\.(?: (?P<inner_cut>[0-9]{1,12}) more bytes?)?)?>"
)
# {"0":0,"1":3}: a Uint8Array in JSON.
_NUMBERED = re.compile(
    r'\{\s*"0"\s*:\s*[0-9]{1,3}(?>(?:\s*,\s*"[0-9]{1,9}"\s*:\s*[0-9]{1,3})*)\s*\}'
)
_ENTRY = re.compile(r'"([0-9]+)"\s*:\s*([0-9]+)')


def find(text: str) -> Iterator[Listing]:
    """Yield all Buffers in a text, and typed arrays in JSON."""
    if "<" in text:
        yield from _buffers(text)
    if '"0"' in text:
        yield from _numbered(text)


def _buffers(text: str) -> Iterator[Listing]:
    for match in _BUFFER.finditer(text):
        cut: int | None = 0
        if match["more"] or match["inner_more"]:
            said = match["cut"] or match["inner_cut"]
            cut = int(said) if said else None
        data = bytes.fromhex(match["bytes"] or match["inner"] or "")
        yield Listing(match.start(), match.end(), data, cut, "javascript")


def _numbered(text: str) -> Iterator[Listing]:
    for match in _NUMBERED.finditer(text):
        data = bytearray()
        for at, entry in enumerate(_ENTRY.finditer(match[0])):
            if int(entry[1]) != at or int(entry[2]) > 255:
                break
            data.append(int(entry[2]))
        else:
            yield Listing(match.start(), match.end(), bytes(data), 0, "javascript")
