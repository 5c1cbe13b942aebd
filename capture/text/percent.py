"""Read percent-encoding, as in a URL: `%00%01orders`.

It has no blanks, so blanks and line ends separate messages. A `+` is a blank,
as in a form that a browser sends, unless blanks are encoded as `%20` too.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from ..errors import CaptureError
from .blocks import lines
from .reading import Chunk, Found, Reader, check_size

__all__ = ["ENCODED", "READERS", "decode"]

ENCODED = re.compile(
    r"(?=[^%\s]*+%[0-9a-fA-F]{2})(?>(?:%[0-9a-fA-F]{2}|[\w.~!*'():/@$+-])+)", re.ASCII
)
_WORD = re.compile(r"\S+")


def decode(word: str) -> bytes:
    """Return the bytes of a percent-encoded word."""
    return unquote_to_bytes(word if "%20" in word else word.replace("+", " "))


class _Percent:
    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks = []
        for number, line in enumerate(lines(text), start=1):
            for match in _WORD.finditer(line):
                column = match.start() + 1
                if ENCODED.fullmatch(match[0]) is None:
                    problem = "this is no percent-encoding: %00 and characters of a URL"
                    raise CaptureError(problem, line=number, column=column)
                data = decode(match[0])
                check_size(len(data), max_bytes, number)
                chunks.append(Chunk(data, "percent", number, column))
        return Found(chunks)

    def write(self, data: bytes) -> str:
        return "".join(f"%{byte:02X}" for byte in data)


READERS: dict[str, Reader] = {"percent": _Percent()}
