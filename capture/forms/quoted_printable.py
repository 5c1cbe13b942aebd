"""Quoted-printable, as mails have it: `=00=01=00=00orders=FF`, long lines broken behind a `=`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from quopri import decodestring

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import LEAST_QUOTED, Form, Hit, Signs
from ..lines import lines

__all__ = ["FORMS", "MARK", "NAME", "SOFT_BREAK"]

NAME = "quoted-printable"
MARK = "=00="
"""A zero byte and the next one, of which each message has some: no other text is searched."""
SOFT_BREAK = re.compile(r"(?<=[0-9A-Za-z])=[ \t]*+\r?\n(?:\r?\n)?[ \t>]*+")
"""A line end that the encoding has put into a long line."""
_ALL = re.compile(r"(?>(?:=[0-9A-Fa-f]{2}|[!-<>-~\t ])*)")
_ENCODED = re.compile(r"=00(?>(?:=[0-9A-F]{2}|[!-<>-~]|[ \t](?=\S))+)")


class _QuotedPrintable(Form):
    preference = 705
    marks = (MARK,)
    signs = Signs({MARK.encode(): None})

    def may_begin(self, line: str) -> bool:
        return line.lstrip().startswith(MARK)

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks: list[Chunk] = []
        for number, line in enumerate(lines(SOFT_BREAK.sub("", text)), start=1):
            bare = line.strip().removesuffix("=")
            if not bare:
                continue
            column = line.index(bare) + 1
            if may_stop and MARK not in bare:
                return Content(chunks, (number, column))
            if _ALL.fullmatch(bare) is None:
                problem = "this is no quoted-printable: =00 and printable characters"
                raise CaptureError(problem, line=number, column=column)
            data = decodestring(bare)
            check_size(len(data), max_bytes, number)
            chunks.append(Chunk(data, self.name, number, column))
        return Content(chunks)

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        """Return whether there is one message: a line end may be a byte of it, which the encoding
        leaves as it is."""
        return len(chunks) == 1

    def write(self, data: bytes) -> str:
        return "".join(
            chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}" for byte in data
        )

    def find(self, line: str) -> Iterator[Hit]:
        for match in _ENCODED.finditer(line):
            data = decodestring(match[0])
            if len(data) >= LEAST_QUOTED:
                yield Hit(*match.span(), data, self.name)


FORMS: tuple[Form, ...] = (
    _QuotedPrintable(NAME, "=00=01orders=FF, as in a mail; one message a line"),
)
