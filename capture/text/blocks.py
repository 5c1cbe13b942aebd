"""Split texts with several messages: one on each line, or blank lines between them."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import CaptureError
from .reading import Chunk, Found, Reader

__all__ = ["PerLine", "blocks", "lines", "wrapped"]


def lines(text: str) -> Iterator[str]:
    """Yield the lines of a text without their ends, one at a time.

    `str.splitlines` would also split at characters that editors do not count as line ends, and
    hold all lines at once.
    """
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end].removesuffix("\r")
        start = end + 1
    if start < len(text):
        yield text[start:]


def blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and text of each block; blank lines separate blocks."""
    stripped = text.strip()
    if "\n\n" not in stripped and "\n\r\n" not in stripped and "\n " not in stripped:
        if stripped:
            at = len(text) - len(text.lstrip())
            yield text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), stripped
        return
    gathered: list[str] = []
    first = (1, 1)
    for number, line_text in enumerate(lines(text), start=1):
        if line_text.strip():
            if not gathered:
                first = (number, len(line_text) - len(line_text.lstrip()) + 1)
            gathered.append(line_text)
        elif gathered:
            yield *first, "\n".join(gathered).strip()
            gathered = []
    if gathered:
        yield *first, "\n".join(gathered).strip()


def wrapped(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and text of each run of lines that ends with a shorter one."""
    for first, column, block in blocks(text):
        start, width = first, 0
        gathered: list[str] = []
        for number, line in enumerate(lines(block), start=first):
            length = len(line.rstrip())
            gathered.append(line)
            if width and length < width:
                yield start, column, "\n".join(gathered)
                gathered, width, start = [], 0, number + 1
            else:
                width = length
        if gathered:
            yield start, column, "\n".join(gathered)


class PerLine:
    """The reader of a form in which each line is a message."""

    def __init__(self, of: Reader, name: str) -> None:
        self._of = of
        self._name = name

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks: list[Chunk] = []
        for number, line in enumerate(lines(text), start=1):
            if line.strip():
                column = len(line) - len(line.lstrip()) + 1
                try:
                    found = self._of.read(line, max_bytes)
                except CaptureError as refusal:
                    raise refusal.on_line(number) from None
                if found.rest is not None:
                    return Found(chunks, (number, found.rest[1]))
                chunks += [
                    chunk._replace(format=self._name, line=number, column=column)
                    for chunk in found.chunks
                ]
        return Found(chunks)

    def write(self, data: bytes) -> str:
        return "".join(self._of.write(data).split())
