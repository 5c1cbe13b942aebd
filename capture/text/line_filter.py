"""Find the lines of a block that may hold bytes; most lines of most logs do not, and are skipped.

Searching a block for a literal is a hundred times as fast as matching a pattern at every character,
and the compiled core searches for all of them at once. So patterns of digits become literals, too:
`_CLASSES` maps all hex digits to one letter and all separators to another. A line that is found may
hold no bytes; a line that is not found holds none.

Trace ids and digests, of which some logs have several a line, are told by their length and found
here, so that the line is not looked into for their sake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...codec.runtime.engine import CORE

__all__ = ["ID_LENGTHS", "Interesting", "interesting_lines"]

ID_LENGTHS = frozenset({12, 16, 20, 24, 28, 32, 48, 64})
"""The lengths, in bytes, of UUIDs, object ids and digests from MD5 to SHA-512."""

_CLASSES = {
    "h": "0123456789abcdefABCDEF",
    " ": " ,:-",
    "x": "xXoO",
    "+": "\t.()+",
    "[": "[{",
    "\n": "\n",
    "\r": "\r",
}
_CLASS_OF = {ord(member): ord(name) for name, members in _CLASSES.items() for member in members}
_TABLE = bytes(_CLASS_OF.get(byte, ord("?")) for byte in range(256))

_PAIRS = 9  # dates have fewer; the finder asks for twelve
_RUN = b"h" * 20
_TO_ITS_END = re.compile(rb"h*+")
_WORD = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+/-"
_NOT_BEFORE = frozenset(_WORD + b"\\")
_NOT_BEHIND = frozenset(_WORD + b".\xe2")  # an ellipsis means that it is cut
_LIKE_A_MESSAGE = b"000"
_IN_CLASSES = (
    b" ".join([b"hh"] * _PAIRS),
    b"  ".join([b"hh"] * _PAIRS),
    b" ".join([b"hxhh"] * _PAIRS),
    b"  ".join([b"hxhh"] * _PAIRS),
)
# A list of twelve numbers or more, and one that goes on on the next line.
_LIST = re.compile(rb"\[(?:[hx +]{22}|[hx +]*+\r?(?:\n|\Z))")
_FIRST_ROW = re.compile(rb"[ \t]*+(?:0[xX])?0{4,16}+:?[ \t]")
_LIST_FOLLOWS = re.compile(rb"[^\n]{0,200}?[\[{]")
_BASE64 = re.compile(rb"AA[A-Za-z0-9+/_-]{14}")


def _in_first_row(block: bytes, at: int) -> object:
    """Return whether the line of the position begins as the first row of a dump does."""
    return _FIRST_ROW.match(block, block.rfind(b"\n", 0, at) + 1)


# What may be bytes, and what else has to be there: a word makes bytes of a list where one follows.
_LITERALS: dict[bytes, Callable[[bytes, int], object] | None] = {
    **dict.fromkeys((b"b'", b'b"', b"B'", b'B"', b'"0"', b"<<", b"%00", b"(byte", b"( byte")),
    **dict.fromkeys((b"<Buffer", b"<SlowBuffer", b"[Uint8Contents]", b'{"key":{"')),
    **dict.fromkeys((b" payload: ", b" key: Unknown", b" key: Error")),
    **dict.fromkeys((b"byte", b"int8", b"Array", b"Buffer", b"char"), _LIST_FOLLOWS.match),
    b"AA": _BASE64.match,
    b"0000": _in_first_row,
}
_CHECKS = tuple(_LITERALS.values())
SEARCH = CORE.Literals([*_LITERALS]) if CORE else None


class Interesting(NamedTuple):
    """The positions of lines in a block, in ascending order: of those that may hold bytes, and of
    those that hold ids or digests, once for each."""

    lines: list[int]
    ids: list[int]


def interesting_lines(block: bytes) -> Interesting:
    """Return the lines of a block that may hold bytes, and those that hold ids."""
    found: set[int] = set()
    ids: list[int] = []
    classes = block.translate(_TABLE)
    for at, end in _runs(classes):
        start = block.rfind(b"\n", 0, at) + 1
        if _is_id(block, at, end):
            ids.append(start)
        else:
            found.add(start)
    for needle in _IN_CLASSES:
        found.update(_lines_with(classes, needle))
    found.update(_lines_with(block, b"\\"))
    found.update(block.rfind(b"\n", 0, list_.start()) + 1 for list_ in _LIST.finditer(classes))
    found.update(_lines_with_literals(block))
    return Interesting(sorted(found), ids)


def _runs(classes: bytes) -> Iterator[tuple[int, int]]:
    """Yield where runs of 20 hex digits and more begin and end."""
    at = classes.find(_RUN)
    while at >= 0:
        match = _TO_ITS_END.match(classes, at)
        end = match.end() if match else at
        yield at, end
        at = classes.find(_RUN, end)


def _is_id(block: bytes, start: int, end: int) -> bool:
    """Whether a run of hex digits is a word of the length of an id that begins like no message."""
    size, odd = divmod(end - start, 2)
    return (
        not odd
        and size in ID_LENGTHS
        and not block.startswith(_LIKE_A_MESSAGE, start)
        and (start == 0 or block[start - 1] not in _NOT_BEFORE)
        and b"(" not in block[max(0, start - 4) : start]  # a call may decode it
        and (end == len(block) or block[end] not in _NOT_BEHIND)
    )


def _lines_with_literals(block: bytes) -> Iterator[int]:
    """Yield the positions of lines that hold one of `_LITERALS`, with what it asks for."""
    if SEARCH is None:
        for literal, check in _LITERALS.items():
            yield from _lines_with(block, literal, check)
        return
    found = SEARCH.find(block, 0)
    while found:
        at, number = found
        check = _CHECKS[number]
        end = at + 1
        if check is None or check(block, at):
            yield block.rfind(b"\n", 0, at) + 1
            end = block.find(b"\n", at)
        found = SEARCH.find(block, end) if end >= 0 else None


def _lines_with(
    block: bytes, needle: bytes, check: Callable[[bytes, int], object] | None = None
) -> Iterator[int]:
    """Yield the positions of lines that hold `needle` where `check` agrees."""
    at = block.find(needle)
    while at >= 0:
        if check is not None and not check(block, at):
            at = block.find(needle, at + 1)
            continue
        yield block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at)
        at = block.find(needle, end) if end >= 0 else -1
