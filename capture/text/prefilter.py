"""Pick out the lines of a block that may hold bytes; most lines of most logs do not.

Searching a block for a literal is a hundred times as fast as matching a pattern at every character,
and the compiled core searches for all of them at once. What is searched for are the signs of the
forms. Patterns of digits are literals, too, in the block of classes: `_CLASSES` maps all hex digits
to one letter and all separators to another.

Trace ids and digests, of which some logs have several a line, are told by their length and found
here, so that the line is not looked into for their sake.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from ...codec.runtime.engine import CORE
from ..form import Check
from ..forms import FORMS
from ..forms.hex import ID_LENGTHS

__all__ = ["LITERALS", "Lines", "interesting_lines", "line_ends"]

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

_WORD = 20  # digits
_RUN = b"h" * _WORD
_TO_ITS_END = re.compile(rb"h*+")
_IN_WORDS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+/-"
_NOT_BEFORE = _IN_WORDS + b"\\"
_NOT_BEHIND = _IN_WORDS + b".\xe2"  # an ellipsis means that it is cut
_LIKE_A_MESSAGE = b"000"
_CALL = b"("  # which may decode it

LITERALS: dict[bytes, tuple[Check, ...]] = {}
"""What lines are searched for, and what has to agree, one of them: nothing where there is none."""
for _form in FORMS:
    for _literal, _check in _form.signs.literals.items():
        _checks = LITERALS.get(_literal)
        if _check is None or _checks == ():
            LITERALS[_literal] = ()
        elif _checks is None or _check not in _checks:
            LITERALS[_literal] = (*(_checks or ()), _check)
# One byte is found faster by itself: among longer literals it would slow down the search for all.
_BYTES = {literal: checks for literal, checks in LITERALS.items() if len(literal) == 1}
_WORDS = {literal: checks for literal, checks in LITERALS.items() if len(literal) > 1}
_CHECKS = tuple(_WORDS.items())
# Literals that may be at the same place: the search gives one of them.
_ALSO = tuple(
    tuple(
        sibling
        for sibling in _WORDS
        if sibling != literal and (sibling.startswith(literal) or literal.startswith(sibling))
    )
    for literal in _WORDS
)
_DIGITS = [*dict.fromkeys(sign for form in FORMS for sign in form.signs.digits)]
_LEAST_LIST = min(form.signs.least_list for form in FORMS if form.signs.least_list)
_LIST = re.compile(rb"\[(?:[hx +]{%d}|[hx +]*+\r?(?:\n|\Z))" % _LEAST_LIST)


class Lines(NamedTuple):
    """The positions of lines in a block, in ascending order: of those that may hold bytes, and of
    those that hold ids or digests, once for each."""

    interesting: list[int]
    ids: list[int]


def interesting_lines(block: bytes) -> Lines:
    """Return the lines of a block that may hold bytes, and those that hold ids."""
    lines, ids = DIGITS.lines(block) if DIGITS else lines_with_digits(block)
    starts = set(lines)
    for literal, checks in _BYTES.items():
        starts.update(_lines_with(block, literal, checks))
    starts.update(_lines_with_words(block, starts))
    return Lines(sorted(starts), ids)


def lines_with_digits(block: bytes) -> tuple[list[int], list[int]]:
    """Return the lines that have signs of digits, and those with ids, as the core does."""
    lines: list[int] = []
    ids: list[int] = []
    classes = block.translate(_TABLE)
    start = searched = 0
    for at, end in _runs(classes):
        start, searched = block.rfind(b"\n", searched, at) + 1 or start, at
        (ids if _is_id(block, at, end) else lines).append(start)
    for sign in _DIGITS:
        lines += _lines_with(classes, sign)
    start = searched = 0
    for match in _LIST.finditer(classes):
        at = match.start()
        start, searched = block.rfind(b"\n", searched, at) + 1 or start, at
        lines.append(start)
    return lines, ids


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
        and _CALL not in block[max(0, start - 4) : start]
        and (end == len(block) or block[end] not in _NOT_BEHIND)
    )


_ID = {
    "lengths": [2 * size for size in ID_LENGTHS],
    "message": _LIKE_A_MESSAGE,
    "not_before": _NOT_BEFORE,
    "not_behind": _NOT_BEHIND,
    "call": ord(_CALL),
}
SEARCH = CORE.Literals([*_WORDS]) if CORE else None
DIGITS = CORE.Digits(_TABLE, _DIGITS, _WORD, _LEAST_LIST, _ID) if CORE else None


def line_ends(block: bytes, start: int, end: int) -> int:
    """Return how many lines of a block end between two positions."""
    if DIGITS is None:
        return block.count(b"\n", start, end)
    ends: int = DIGITS.line_ends(block, start, end)
    return ends


def _lines_with_words(block: bytes, starts: Container[int]) -> Iterator[int]:
    """Yield the positions of lines that hold one of `_WORDS`, with what it asks for; `starts` are
    of lines that are known already."""
    if SEARCH is None:
        for literal, checks in _CHECKS:
            yield from _lines_with(block, literal, checks)
        return
    place = SEARCH.find(block, 0)
    while place:
        at, number = place
        end = at + 1
        start = block.rfind(b"\n", 0, at) + 1
        is_known = start in starts
        if is_known or _agrees(block, at, _CHECKS[number][1]) or _is_another(block, at, number):
            if not is_known:
                yield start
            end = block.find(b"\n", at)
        place = SEARCH.find(block, end) if end >= 0 else None


def _agrees(block: bytes, at: int, checks: tuple[Check, ...]) -> bool:
    return not checks or any(check(block, at) for check in checks)


def _is_another(block: bytes, at: int, number: int) -> bool:
    return any(
        block.startswith(literal, at) and _agrees(block, at, LITERALS[literal])
        for literal in _ALSO[number]
    )


def _lines_with(block: bytes, literal: bytes, checks: tuple[Check, ...] = ()) -> Iterator[int]:
    """Yield the positions of lines that hold a literal where one of `checks` agrees."""
    at = block.find(literal)
    while at >= 0:
        if not _agrees(block, at, checks):
            at = block.find(literal, at + 1)
            continue
        yield block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at)
        at = block.find(literal, end) if end >= 0 else -1
