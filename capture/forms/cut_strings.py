r"""Strings of which a program has printed the beginning, or parts.

gdb prints 200 characters, and parts a string where a byte is repeated ten times or more:
`"\000\001orders", '\000' <repeats 11 times>, "\002"...`. Bytes that begin a character, and end
there, are `<incomplete sequence \355>`. lldb and pandas print the beginning; pandas leaves out the
closing quote, too: `b'\x00\x01\x00\x00...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from ..chunks import MOST_LEFT_OUT, Chunk, Content, Places, check_size
from ..cuts import advice
from ..errors import CaptureError
from ..form import LEAST_MARKED, LEAST_QUOTED, Form, Hit, Signs
from .literals import DIALECTS, quoted, unescape

__all__ = ["FORMS"]

_STRING = quoted('"')
_REPEAT = r"'(?:\\[0-7]{1,3}|\\[^0-7\n]|[^\\'\n])' <repeats [0-9]{1,6} times>"
_CUT_CHARACTER = r"<incomplete sequence (?>(?:\\[0-7]{1,3})+)>"
_PART_MARKS = ("<repeats ", "<incomplete ")
_PART = re.compile(
    rf"(?P<string>{_STRING})|'(?P<byte>[^\n]{{1,4}}?)' <repeats (?P<times>[0-9]{{1,6}}) times>"
    r"|<incomplete sequence (?P<beginning>(?>(?:\\[0-7]{1,3})+))>"
)
_PART_LIST = re.compile(
    rf"(?:{_STRING}|{_REPEAT})(?>(?:, (?:{_STRING}|{_REPEAT}|{_CUT_CHARACTER}))*)(?P<cut>\.\.\.)?"
)
_CUT_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:x[0-9a-fA-F]?)?)$")
_BYTES_LITERAL = re.compile(r"(?<![\w\\])[bB](?P<quote>['\"])")
_LEAST_REPEATS = 10


def _find_strings(line: str) -> Iterator[Hit]:
    if '"...' in line or any(mark in line for mark in _PART_MARKS):
        for match in _PART_LIST.finditer(line):
            if hit := _debugger_hit(match):
                yield hit
    if line.rstrip().endswith(("...", "\u2026")) and (literal := _unclosed_literal(line)):
        yield from _find_unclosed(*literal)


def _debugger_hit(match: re.Match[str]) -> Hit | None:
    """The bytes of a string that is cut or in parts; None for any other."""
    if not match["cut"] and not any(mark in match[0] for mark in _PART_MARKS):
        return None
    data = bytearray()
    left_out = sum(int(part["times"] or 0) for part in _PART.finditer(match[0]))
    if left_out > MOST_LEFT_OUT:
        return None
    try:
        for part in _PART.finditer(match[0]):
            if part["string"]:
                data += unescape(part["string"][1:-1], DIALECTS["c"])
            elif part["beginning"]:
                data += unescape(part["beginning"], DIALECTS["c"])
            else:
                data += unescape(part["byte"], DIALECTS["c"]) * int(part["times"])
    except ValueError:
        return None
    # gdb 13 leaves out the byte in front of an incomplete sequence, if that is not in UTF-8 either.
    may_be_cut = match["cut"] or "<incomplete " in match[0]
    return Hit(*match.span(), bytes(data), "gdb-string", None if may_be_cut else 0)


def _unclosed_literal(line: str) -> tuple[int, int, str] | None:
    """The span and the content of a literal of Python's that has no end; None where there is
    none."""
    end = len(line.rstrip().removesuffix("...").removesuffix("\u2026"))
    for mark in _BYTES_LITERAL.finditer(line, 0, end):
        body = line[mark.end() : end]
        if not re.search(rf"(?<!\\)(?:\\\\)*{mark['quote']}", body):
            return mark.start(), len(line), body
    return None


def _find_unclosed(start: int, end: int, body: str) -> Iterator[Hit]:
    if cut_escape := _CUT_ESCAPE.search(body):
        body = body[: cut_escape.start(1)]
    try:
        data = unescape(body, DIALECTS["python"])
    except ValueError:
        return
    if len(data) >= LEAST_MARKED:
        yield Hit(start, end, data, "gdb-string", None)


class _CutString(Form):
    preference = 450
    marks = ('"...', *_PART_MARKS, "b'", 'b"')
    signs = Signs(dict.fromkeys((b'"...', b"<repeats ", b"<incomplete ")))

    def may_begin(self, line: str) -> bool:
        return line[:1] in "\"'" and any(mark in line for mark in ('"...', *_PART_MARKS))

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks: list[Chunk] = []
        places = Places(text)
        end = 0
        for hit in _find_strings(text):
            line, column = places.at(hit.start)
            check_size(len(hit.data), max_bytes, line)
            remark = advice(text[hit.start : hit.end], text[end : hit.start], hit.cut)
            front = places.label(hit.start, end)
            chunks.append(Chunk(hit.data, self.name, line, column, front, hit.cut, remark))
            if text[end : hit.start].strip():
                return Content(chunks, (line, 1))
            end = hit.end
        if not chunks:
            raise CaptureError("there is no string here that gdb has cut or parted")
        return Content(chunks, places.at(end) if text[end:].strip() else None)

    def write(self, data: bytes) -> str:
        parts: list[str] = []
        plain = ""
        for byte, equal in groupby(data):
            times = len(list(equal))
            if times < _LEAST_REPEATS:
                plain += _escaped(byte) * times
                continue
            parts += [f'"{plain}"'] * bool(plain)
            parts.append(f"'{_escaped(byte)}' <repeats {times} times>")
            plain = ""
        return ", ".join([*parts, *[f'"{plain}"'] * bool(plain)]) + "..." * (not parts)

    def find(self, line: str) -> Iterator[Hit]:
        for hit in _find_strings(line):
            if len(hit.data) >= LEAST_QUOTED and 0 in hit.data:
                yield hit


def _escaped(byte: int) -> str:
    if byte in b"\"\\'":
        return f"\\{chr(byte)}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


FORMS: tuple[Form, ...] = (
    _CutString("gdb-string", r"a string that gdb, lldb or pandas has cut or parted"),
)
