"""Read bytes as the source code and the logs of six languages write them.

A language has string literals and lists. A string without an escape and without a mark such as
Python's `b` is read as bytes only where the text has nothing more certain, since names in quotes
stand around bytes.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator

from ..errors import CaptureError
from . import arrays, buffers, literals
from .blocks import lines
from .literals import DIALECTS, Dialect
from .reading import Chunk, Found, Places, Reader, check_size

__all__ = ["BEGINNING", "READERS"]

# The beginning of a text that has nothing but literals and lists.
BEGINNING = re.compile(
    r"(?>(?:\w++ ?:?= ?(?=\(|\[\]byte\())?)[\s(]*+(?:(?:[bB]|u8)?[\"'`]|\Z"
    r"|[\[{]\s*+(?:[-+(]|[0-9]++[,\s]|0x|\"type\"|\"0\"|[\]}]|\Z)|<Buffer"
    r"|\[[0-9]{0,9}\](?:byte|u?int8)|new\s|byteArrayOf|ByteString|Array|ArraySeq|WrappedArray|Vector|List|U?[iI]nt8|Buffer|bytes|bytearray|unsigned|u?char|uint8_t)"
)
_BETWEEN = re.compile(
    r"(?>(?:[\s,;()]|\w++ ?:?= ?\(|(?>(?:\w++ ?:?= ?)?)\[\]byte"
    r"|unsigned int \w++ = [0-9]++|bytearray|bytes)*)"
)


_MARKED = re.compile(r"(?<![\w\\])[bB]['\"]|<Buffer")


class _Language:
    def __init__(self, dialect: Dialect, write: Callable[[bytes], str]) -> None:
        self._dialect = dialect
        self.write = write

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks: list[Chunk] = []
        places = Places(text)
        rest: tuple[int, int] | None = None
        end = 0
        for start, stop, data, cut, language in self._spans(text):
            if rest is None and not _BETWEEN.fullmatch(text, end, start):
                rest = places.at(end)
                if whole:
                    break
            line, column = places.at(start)
            check_size(len(data), max_bytes, line)
            label = places.label(start, end)
            chunks.append(Chunk(data, language, line, column, label, cut))
            end = stop
        if rest is None and not _BETWEEN.fullmatch(text, end):
            rest = places.at(end)
        return Found(chunks, rest)

    def _spans(self, text: str) -> Iterator[tuple[int, int, bytes, int | None, str]]:
        end = 0
        for span in heapq.merge(
            (found[:5] for found in arrays.find(text)),
            (found[:5] for found in buffers.find(text)),
            self._strings(text),
            key=lambda span: (span[0], -span[1]),
        ):
            if span[0] >= end:
                yield span
                end = span[1]

    def _strings(self, text: str) -> Iterator[tuple[int, int, bytes, int | None, str]]:
        certain: bool | None = None
        for found in literals.find(text, self._dialect):
            if certain is None:
                certain = self._has_marks(text)
            if found.marked or (found.data and not certain):
                yield found.start, found.end, found.data, 0, self._dialect.name

    def _has_marks(self, text: str) -> bool:
        """Whether a mark, or the text around the strings, says that it holds bytes; what the
        strings contain does not count."""
        wanted = literals.pattern(self._dialect)
        if any(match[0][0] in "bB" for match in wanted.finditer(text)):
            return True
        around = wanted.sub(" ", text)
        return bool(_MARKED.search(around)) or any(True for _ in arrays.find(around))


class _Escaped:
    """The reader of escapes without quotes: a line is a message, and blanks in it are bytes."""

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        chunks = []
        for number, line in enumerate(lines(text), start=1):
            body = line.strip()
            if not body:
                continue
            column = len(line) - len(line.lstrip()) + 1
            if "\\" not in body:
                raise CaptureError(r"no \x escape on this line", line=number, column=column)
            try:
                data = literals.unescape(body, DIALECTS["escaped"])
            except ValueError as error:
                raise CaptureError(str(error), line=number, column=column) from None
            check_size(len(data), max_bytes, number)
            chunks.append(Chunk(data, "escaped", number, column))
        return Found(chunks)

    def write(self, data: bytes) -> str:
        return "".join(f"\\x{byte:02x}" for byte in data)


def _java(data: bytes) -> str:
    return f"[{', '.join(str(byte - 256 if byte > 127 else byte) for byte in data)}]"


def _go(data: bytes) -> str:
    return f"[]byte{{{', '.join(hex(byte) for byte in data)}}}"


def _c(data: bytes) -> str:
    return f"{{{', '.join(f'0x{byte:02x}' for byte in data)}}}"


def _javascript(data: bytes) -> str:
    return f"<Buffer {data.hex(' ')}>"


def _rust(data: bytes) -> str:
    escapes = "".join(f"\\x{byte:02x}" for byte in data)
    return f'b"{escapes}"'


READERS: dict[str, Reader] = {
    "python": _Language(DIALECTS["python"], repr),
    "java": _Language(DIALECTS["java"], _java),
    "go": _Language(DIALECTS["go"], _go),
    "c": _Language(DIALECTS["c"], _c),
    "javascript": _Language(DIALECTS["javascript"], _javascript),
    "rust": _Language(DIALECTS["rust"], _rust),
    "escaped": _Escaped(),
}
