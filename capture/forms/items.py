r"""The items of an array with their numbers, as debuggers and browsers list them.

[0] = 0          gdb with `set print array-indexes on`, lldb: decimal, 0x00, '\x00', 111 'o'
[0] => 0         PHP's print_r, 0 => 0 its var_export, and its var_dump needs two lines for each
[0]: 0           .NET's debugger
0: 0             the console of Chrome, when the array is opened
"""

from __future__ import annotations

import re

from ..chunks import Chunk, Content, check_size
from ..cuts import advice
from ..errors import CaptureError
from ..form import LEAST_MARKED, Form
from ..lines import lines
from .literals import DIALECTS, unescape
from .numbers import integer

__all__ = ["FORMS"]

_VALUE = (
    r"(?P<number>0x[0-9a-fA-F]{1,2}|-?[0-9]{1,3})(?: '[^\n]{1,4}')?"
    r"|'(?P<character>\\x[0-9a-fA-F]{2}|\\[0-7]{1,3}|\\?[^\n])'"
)
_ITEM = re.compile(
    r"(?:\[(?P<index>0x[0-9a-fA-F]+|[0-9]{1,9})\](?: =>?|:) |(?P<place>[0-9]{1,9})(?::| =>) )"
    rf"(?:{_VALUE})[ \t,;)}}]*"
)
# The lines around the items: what was asked, the array's type and length, and its properties.
_AROUND = re.compile(
    r"\s*(?:\((?:gdb|lldb)\).*|[\w$ ]*Array\([0-9]+\).*|\([\w ]+\[[0-9]+\]\).*|.{0,60}= [({].*"
    r"|Array|\(|array(?:\([0-9]+\) \{| \()|\{byte\[[0-9]+\]\}|[\])}\s,;]*"
    r"|buffer: .*|byte(?:Length|Offset): [0-9]+|length: [0-9]+|Symbol\(.*"
    r"|\[\[Prototype\]\]: .*|\[[0-9]+ \u2026 [0-9]+\])\s*"
)
_LENGTH = re.compile(r"Array\((?P<first>[0-9]{1,9})\)|\[(?P<second>[0-9]{1,9})\]\)")
_ON_TWO_LINES = re.compile(r"\]=>[ \t]*\r?\n[ \t]*int\((-?[0-9]{1,3})\)")  # PHP's var_dump


class _Items(Form):
    preference = 350

    def may_begin(self, line: str) -> bool:
        return _ITEM.search(line) is not None or (
            line[0] in "([{$UuAa" and _AROUND.fullmatch(line) is not None
        )

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        data = bytearray()
        first, length, base = 1, 0, 0
        text = _ON_TWO_LINES.sub("] => \\1\n", text)
        for number, line in enumerate(lines(text), start=1):
            at = len(line) - len(line.lstrip())
            item = _ITEM.match(line, at)
            start = item.start() if item else line.find("[0] = ")
            if item is None and start < 0:
                if _AROUND.fullmatch(line) is None:
                    raise CaptureError("this is no item of an array", line=number, column=1)
                if size := _LENGTH.search(line):
                    length = int(size["first"] or size["second"])
                continue
            if not data:
                first = number
                base = int(_number(item) == 1) if item else 0  # PHP's unpack() counts from 1
            end = self._read_line(line, start, data, number, base)
            if _AROUND.fullmatch(line, end) is None:
                raise CaptureError("this is no item of an array", line=number, column=end + 1)
            check_size(len(data), max_bytes, number)
        if len(data) < LEAST_MARKED:
            raise CaptureError("there is no array here whose items have numbers")
        cut = max(0, length - len(data))
        return Content([Chunk(bytes(data), self.name, first, cut=cut, remark=advice("", "", cut))])

    def _read_line(self, line: str, start: int, data: bytearray, number: int, base: int) -> int:
        """Read the items of a line; return where the last one ends. `base` is the number of the
        first item."""
        end = start
        while item := _ITEM.match(line, end):
            if _number(item) != base + len(data):
                raise CaptureError("the numbers of the items do not ascend", line=number)
            data.append(_byte(item, number))
            end = item.end()
        return end

    def write(self, data: bytes) -> str:
        return "\n".join(f"[{index}] = {byte}" for index, byte in enumerate(data))


def _number(item: re.Match[str]) -> int:
    return integer(item["index"] or item["place"])


def _byte(item: re.Match[str], number: int) -> int:
    if item["number"]:
        value = integer(item["number"])
        if -128 <= value <= 255:
            return value & 0xFF
    else:
        character = unescape(item["character"], DIALECTS["c"])
        if len(character) == 1:
            return character[0]
    raise CaptureError(f"{item[0].strip()!r} is no byte", line=number)


FORMS: tuple[Form, ...] = (_Items("items", "[0] = 0, a line an item, as debuggers list arrays"),)
