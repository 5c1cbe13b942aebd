"""Lines with a number or a bullet before each message: `1. 0001…`, `12: 0001…`, `- AAE=`.

People, `cat -n`, `nl` and `grep -n` write such lines; the numbers ascend. In a log, hex and base64
are found without their numbers. In `00 03 00 02` and `0003 0002`, no digits are a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..chunks import Chunk, Content, check_size
from ..errors import CaptureError
from ..form import Form
from ..lines import lines
from ..whole_numbers import whole_number
from .base64_text import decode
from .hex import digits

__all__ = ["FORMS", "begin_with_bytes"]

_MARK = re.compile(
    r"\s*+(?:[\[(#]?(?P<number>[0-9]{1,9})(?:[\])]?[.:)\]]?\s++|[\])]?[.:)\]]\s*+)|[-*+\u2022]\s++)(?=\S)"
)


_GROUPS = re.compile(
    r"\s*+(?P<first>(?>(?:[0-9a-fA-F]{2})+))(?P<gap>[ :,_-])"
    r"(?P<others>[0-9a-fA-F]{2,}+(?>(?:(?P=gap)[0-9a-fA-F]{2,}+)*))[\s.\u2026]*+"
)


def begin_with_bytes(rows: Iterable[str]) -> bool:
    """Return whether the numbers in front of rows are their first bytes: all rows are groups of
    digits of one width, between which is the same as behind the number, and the numbers do not
    count the rows."""
    firsts = [_first_group(row) for row in rows if row.strip()]
    if not firsts or not all(firsts):
        return False
    numbers = [number for first in firsts if (number := whole_number(first)) is not None]
    are_counted = numbers == list(range(numbers[0], numbers[0] + len(firsts))) if numbers else False
    return not are_counted or len(numbers) == 1


def _first_group(row: str) -> str:
    """The first of the groups of digits in a row; "" where it has anything else, or they are not
    of one width, but for the last one."""
    match = _GROUPS.fullmatch(row)
    if match is None:
        return ""
    *others, last = match["others"].split(match["gap"])
    width = len(match["first"])
    is_even = all(len(group) == width for group in others) and len(last) <= width
    return match["first"] if is_even else ""


class _Numbered(Form):
    preference = 300
    per_line = True

    def may_begin(self, line: str) -> bool:
        return line[0] in "0123456789[(#-*+\u2022"

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        if begin_with_bytes(lines(text)):
            raise CaptureError("these lines begin with bytes, and with no numbers")
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
        return Content(chunks)

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


FORMS: tuple[Form, ...] = (
    _Numbered("numbered", "hex or base64, one message a line behind a number or a dash"),
)
