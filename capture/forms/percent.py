"""Percent-encoding, as in a URL: `%00%01orders`.

It has no blanks, so blanks and line ends separate messages. A `+` is a blank,
as in a form that a browser sends, unless blanks are encoded as `%20` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import LEAST_QUOTED, Form, Hit, Signs, Units
from ..lines import lines

__all__ = ["FORMS"]

_ENCODED = re.compile(r"(?>(?:%[0-9a-fA-F]{2}|[\w.~!*'():/@$+-])+)", re.ASCII)
_WORD = re.compile(r"\S+")
_OF_JAVASCRIPT = re.compile(r"[@*/]")  # which escape() and encodeURI() leave, and `+` with them


_PLUS = (
    "a + is read as a blank, as forms on the web have it; JavaScript's escape() leaves it: print "
    "it as hex to be sure"
)


def _has_pluses(word: str) -> bool:
    """Whether + stands for itself in a word."""
    return "%20" in word or _OF_JAVASCRIPT.search(word) is not None


def _decode(word: str) -> bytes:
    return unquote_to_bytes(word if _has_pluses(word) else word.replace("+", " "))


def _remark(word: str) -> str:
    """What is said of a word in which + may stand for a blank."""
    return _PLUS if "+" in word and not _has_pluses(word) else ""


class _Percent(Form):
    preference = 700
    marks = ("%",)
    signs = Signs({b"%00": None})
    units = (
        Units(
            re.compile(r"([\s,;|]*+)(%[0-9a-fA-F]{2}|[\w.~!*'():/@$-])", re.ASCII),
            lambda text: int(text[1:], 16) if text[0] == "%" else ord(text),
            mark="%",
        ),
    )

    def may_begin(self, line: str) -> bool:
        return "%" in line

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks = []
        for number, line in enumerate(lines(text), start=1):
            for match in _WORD.finditer(line):
                column = match.start() + 1
                if "%" not in match[0] or _ENCODED.fullmatch(match[0]) is None:
                    problem = "this is no percent-encoding: %00 and characters of a URL"
                    raise CaptureError(problem, line=number, column=column)
                data = _decode(match[0])
                check_size(len(data), max_bytes, number)
                chunks.append(Chunk(data, "percent", number, column, remark=_remark(match[0])))
        return Content(chunks)

    def write(self, data: bytes) -> str:
        return "".join(f"%{byte:02X}" for byte in data)

    def find(self, line: str) -> Iterator[Hit]:
        for match in _ENCODED.finditer(line):
            if "%00" not in match[0]:
                continue
            data = _decode(match[0])
            if len(data) >= LEAST_QUOTED:
                yield Hit(*match.span(), data, "percent", remark=_remark(match[0]))


FORMS: tuple[Form, ...] = (
    _Percent("percent", "%00%01orders, as in a URL; blanks between messages", ("url",)),
)
