r"""Binaries of Erlang and Elixir: `<<0,1,"orders",255>>`, or `<<0, 1, 0, ...>>` if cut.

A segment is a byte (decimal, or in a base: `16#ff`, `0xff`) or a string of Latin-1 characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..chunks import Content
from ..errors import CaptureError
from ..form import Form, Hit, Signs
from .literals import DIALECTS, quoted, unescape
from .numbers import Listing, integer, judged_list, read_listings

__all__ = ["FORMS"]

_NUMBER = r"0x[0-9a-fA-F]{1,2}|(?:16#[0-9a-fA-F]{1,2}|2#[01]{1,8}|8#[0-7]{1,3}|[0-9]{1,3})(?![\w#])"
_STRING = quoted('"')
_SEGMENT = rf"(?:{_NUMBER}|{_STRING})"
_BINARY = re.compile(
    rf"<<\s*+(?P<body>(?:{_SEGMENT}(?>(?:\s*+,\s*+{_SEGMENT})*))?)\s*+"
    r"(?:,?\s*+(?P<cut>\.\.\.))?\s*+>>"
)
_PART = re.compile(rf"(?P<number>{_NUMBER})|(?P<string>{_STRING})")


def _binaries(text: str) -> Iterator[Listing]:
    for match in _BINARY.finditer(text):
        data = _bytes(match["body"])
        if data is not None:
            cut = None if match["cut"] else 0
            yield Listing(match.start(), match.end(), data, cut, "erlang", True)


def _bytes(body: str) -> bytes | None:
    data = bytearray()
    for part in _PART.finditer(body):
        if part["string"]:
            try:
                data += unescape(part["string"][1:-1], DIALECTS["javascript"])
            except ValueError:
                return None
            continue
        value = _value(part["number"])
        if value > 255:
            return None
        data.append(value)
    return bytes(data)


def _value(number: str) -> int:
    base, sign, digits = number.partition("#")
    if sign:
        return int(digits, int(base))
    return integer(number)


class _Erlang(Form):
    preference = 500
    marks = ("<<",)
    signs = Signs({b"<<": None})

    def may_begin(self, line: str) -> bool:
        return line.lstrip("[ ").startswith("<<")

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        between = " \t\r\n,;.[]"
        binaries = _binaries(text)
        content = read_listings(text, binaries, "erlang", between, max_bytes, may_stop=may_stop)
        if not content.chunks:
            raise CaptureError("there is no binary of Erlang here: <<0,1,255>>")
        return content

    def write(self, data: bytes) -> str:
        return f"<<{','.join(map(str, data))}>>"

    def find(self, line: str) -> Iterator[Hit]:
        for listing in _binaries(line):
            yield from judged_list(listing, marked=True)


FORMS: tuple[Form, ...] = (_Erlang("erlang", r'<<0,1,"A",255>>: Erlang and Elixir', ("elixir",)),)
