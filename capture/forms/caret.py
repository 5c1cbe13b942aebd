r"""Bytes as `cat -v` and `less` show them: `^@^A^@^FordersM-^?` and `^@^A^@^Forders<FF>`.

A `^` and a character are a control character, `M-` is 128 more, and `<FF>` is a byte in hex. Both
tools print line ends as they are, and `cat -v` tabs too: whether they are bytes of the message or
the tool's own cannot be told. Nor can a caret or an `M-` that is in the bytes.
"""

from __future__ import annotations

import re

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import Form

__all__ = ["FORMS"]

_BYTE = re.compile(r"M-\^[@-_?]|M-[ -~]|\^[@-_?]|<[0-9A-F]{2}>|[\t\n -~]")
_REMARK = (
    "cat -v and less do not tell line ends, tabs, ^ and M- in the bytes from their own: "
    "print them with xxd to be sure"
)


class _Caret(Form):
    preference = 650

    def may_begin(self, line: str) -> bool:
        return line.startswith("^") or "^@" in line or "M-" in line

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        body = text.rstrip("\r\n")
        data = bytearray()
        at = 0
        while at < len(body):
            match = _BYTE.match(body, at)
            if match is None:
                raise CaptureError(f"{body[at]!r} is nothing that cat -v prints")
            data.append(_byte(match[0]))
            at = match.end()
        check_size(len(data), max_bytes)
        return Content([Chunk(bytes(data), "cat-v", remark=_REMARK)])

    def write(self, data: bytes) -> str:
        return "".join(map(_written, data))


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
