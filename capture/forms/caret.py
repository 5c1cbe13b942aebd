r"""Bytes as `cat -v`, `cat -A` and `less` show them: `^@^A^@^FordersM-^?` and `^@^A^@^Forders<FF>`.

A `^` and a character are a control character, `M-` is 128 more, and `<FF>` is a byte in hex. Both
tools print line ends as they are, and `cat -v` tabs too: whether they are bytes of the message or
the tool's own cannot be told, nor can a caret or an `M-` that is in the bytes. `^^@` and `^M-` are
read as a caret and what follows it: messages have many zeros and bytes of FF, and hardly an `@`, or
a carriage return before `-`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import LEAST_QUOTED, Form, Hit, Signs, is_message_start

__all__ = ["FORMS"]

_BYTE = re.compile(r"(?:M-)?\^(?=\^@|M-)|M-\^[@-_?]|M-[ -~]|\^[@-_?]|<[0-9A-F]{2}>|[\t\n -~]")
_IN_LINE = re.compile(
    r"\^@\^[@-O](?:M-\^[@-_?]|M-[ -~]|\^[@-_?]|<[0-9A-F]{2}>|[\t -~])*"
    r"(?:M-\^[@-_?]|M-[ -~]|\^[@-_?]|<[0-9A-F]{2}>)[\w.-]*"
)
_REMARK = (
    "cat -v and less do not tell line ends (cat -A: $), tabs, ^ and M- in the bytes from their "
    "own, at the end neither: print them with xxd to be sure"
)


class _Caret(Form):
    preference = 650
    marks = ("^@^",)
    signs = Signs({b"^@^": None})

    def may_begin(self, line: str) -> bool:
        return line.startswith("^") or "^@" in line

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        body = text.strip("\r\n")
        line = 1 + text.count("\n", 0, len(text) - len(text.lstrip("\r\n")))
        rows = body.split("\n")
        if len(rows) > 1 and all(row.endswith("$") for row in rows[:-1]):  # cat -A, cat -e
            body = "\n".join(row.removesuffix("$") for row in rows)
        data = _data(body)
        check_size(len(data), max_bytes)
        return Content([Chunk(data, "cat-v", line, remark=_REMARK)])

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        return text.lstrip().startswith("^")  # a message begins with a zero

    def write(self, data: bytes) -> str:
        return "".join(map(_written, data))

    def find(self, line: str) -> Iterator[Hit]:
        """Yield each line from its first control character to its last."""
        if match := _IN_LINE.search(line):
            data = _data(match[0])
            if len(data) >= LEAST_QUOTED and is_message_start(data):
                yield Hit(*match.span(), data, "cat-v", remark=_REMARK)


def _data(body: str) -> bytes:
    """The bytes of what cat prints. Raises CaptureError for anything else."""
    data = bytearray()
    at = 0
    while at < len(body):
        match = _BYTE.match(body, at)
        if match is None:
            raise CaptureError(f"{body[at]!r} is nothing that cat -v prints")
        data.append(_byte(match[0]))
        at = match.end()
    return bytes(data)


def _byte(written: str) -> int:
    if written[0] == "<" and len(written) > 1:
        return int(written[1:3], 16)
    if written.startswith("M-") and len(written) > 2:
        return 128 + _byte(written[2:])
    return ord(written[1]) ^ 64 if written[0] == "^" and len(written) > 1 else ord(written)


def _written(byte: int) -> str:
    low = byte & 127
    text = chr(low) if 32 <= low < 127 or byte == 9 else f"^{chr(low ^ 64)}"
    return text if byte == low else f"M-{text}"


FORMS: tuple[Form, ...] = (_Caret("cat-v", "^@^AordersM-^?, as cat -v and less show bytes"),)
