"""Read lines with a number or a bullet before each message: `1. 0001…`, `12: 0001…`, `- AAE=`.

People, `cat -n`, `nl` and `grep -n` write such lines; the numbers ascend.
"""

from __future__ import annotations

import re

from ..errors import CaptureError
from .base64_text import decode
from .blocks import lines
from .plain_hex import digits
from .reading import Chunk, Found, Reader, check_size

__all__ = ["READERS"]

_MARK = re.compile(
    r"\s*+(?:[\[(#]?(?P<number>[0-9]{1,9})(?:[\])]?[.:)\]]?\s++|[\])]?[.:)\]]\s*+)|[-*+\u2022]\s++)(?=\S)"
)


class _Numbered:
    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks = []
        last = -1
        for number, line in enumerate(lines(text), start=1):
            if not line.strip():
                continue
            mark = _MARK.match(line)
            if mark is None:
                raise CaptureError("this line has no number in front", line=number, column=1)
            if mark["number"] is not None:
                if int(mark["number"]) <= last:
                    raise CaptureError("the numbers do not ascend", line=number, column=1)
                last = int(mark["number"])
            chunks.append(_message(line[mark.end() :], number, mark.end() + 1, max_bytes))
        return Found(chunks)

    def write(self, data: bytes) -> str:
        return f"1. {data.hex()}"


def _message(text: str, line: int, column: int, max_bytes: int) -> Chunk:
    try:
        chunk = digits(text, line, column, max_bytes)
    except CaptureError as refusal:
        if refusal.too_large:
            raise
        try:
            data = decode(text.rstrip(), url="-" in text or "_" in text)
        except ValueError:
            raise refusal from None
        check_size(len(data), max_bytes, line)
        chunk = Chunk(data, "", line, column)
    return chunk._replace(format="numbered")


READERS: dict[str, Reader] = {"numbered": _Numbered()}
