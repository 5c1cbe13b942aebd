"""Pick out the lines of a log that may be about groups; most lines of most logs are not.

A block of lines is searched for the signs of all programs at once. A line with a sign comes with
the line before it, which may have its time, with the lines of its message before it, and with the
lines that continue it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from select import select
from time import sleep
from typing import BinaryIO, Protocol

from ...codec.runtime.engine import CORE
from .layouts import FLUSH, begins_message, is_time_alone

__all__ = ["Readable", "candidate_lines", "growing_lines"]

BLOCK = 2**20
MAX_LINE = 2**20
"""Bytes of a line that are read; what is longer is cut."""
MAX_FOLLOWING = 500
MAX_BEFORE = 60
"""Lines before one with a sign in which the beginning of its message is looked for."""


class Readable(Protocol):
    """Gives the bytes of a log, as binary files do."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, none at the end."""


def candidate_lines(file: Readable, signs: Sequence[bytes]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that may be about groups, with their numbers, from 1."""
    number = 1  # of the first line of the block
    following = 0
    for block in _blocks(file):
        at = 0  # lines before are done
        place = _next_line(block, 0, signs)
        while at < len(block):
            if following:
                end = _end(block, at)
                text = _text(block, at, end)
                if place != at and begins_message(text) and not is_time_alone(text):
                    following = 0
                    continue
                yield number, text
                following = MAX_FOLLOWING if place == at else following - 1
            elif place < 0:
                break
            else:
                number += block.count(b"\n", at, place)
                lines = _lines_before(block, at, place)
                yield from enumerate(lines, number - len(lines))
                end = _end(block, place)
                yield number, _text(block, place, end)
                following = MAX_FOLLOWING
            number += 1
            at = end + 1
            if 0 <= place < at:
                place = _next_line(block, at, signs)
        number += block.count(b"\n", at)


IDLE = 0.3
"""Seconds after which a message whose log grows counts as complete."""


def growing_lines(file: BinaryIO, *, is_pipe: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines of a log that grows, as they come, and `FLUSH` where none has come for a
    while. A pipe, and what is on standard input,
    ends; a file never does. Every line comes: what grows is read as fast
    as it is written."""
    number, rest = 0, b""
    is_flushed = True
    while True:
        ready = not is_pipe or bool(select([file], [], [], IDLE)[0])
        data = os.read(file.fileno(), BLOCK) if ready else b""
        if not data:
            if is_pipe and ready:
                break
            if not is_flushed:
                yield FLUSH
                is_flushed = True
            if not is_pipe:
                sleep(IDLE)
            continue
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            number += 1
            yield number, line.decode("utf-8", "backslashreplace")
        is_flushed = is_flushed and not lines
    if rest:
        yield number + 1, rest.decode("utf-8", "backslashreplace")


def _lines_before(block: bytes, start: int, place: int) -> list[str]:
    """The lines before one with a sign, from the one that begins its message: a stack trace has
    signs, too. Of a line that begins a message, it is one that may have its time."""
    limit = 1 if begins_message(_text(block, place, _end(block, place))) else MAX_BEFORE
    lines: list[str] = []
    at = place
    while at > start and len(lines) < limit:
        end = at - 1
        at = max(block.rfind(b"\n", start, end) + 1, start)
        lines.append(_text(block, at, end))
        if begins_message(lines[-1]):
            return lines[::-1]
    return []


def _blocks(file: Readable) -> Iterator[bytes]:
    """Yield whole messages; a line longer than `MAX_LINE` is cut into several."""
    rest = b""
    while True:
        data = file.read(BLOCK)
        if not data:
            break
        block = rest + data
        end = block.rfind(b"\n") + 1
        if not end and len(block) < MAX_LINE:
            rest = block
            continue
        end = _end_of_messages(block, end) if end else len(block)
        yield block[:end]
        rest = block[end:]
    if rest:
        yield rest


def _end_of_messages(block: bytes, end: int) -> int:
    """Return where the last message but one begins, of lines that end at `end`: the last one may go
    on in the next block, and what stands before it may be its time."""
    at = end
    begun = 0
    for _ in range(MAX_BEFORE):
        start = block.rfind(b"\n", 0, at - 1) + 1
        begun += begins_message(_text(block, start, at - 1))
        if begun == _HELD:
            return start
        if not start:  # so few lines wait for the next ones
            return 0 if len(block) < MAX_LINE else end
        at = start
    return end


_HELD = 2
"""Messages of a block that are read with the next one."""


def _end(block: bytes, start: int) -> int:
    end = block.find(b"\n", start)
    return len(block) if end < 0 else end


def _text(block: bytes, start: int, end: int) -> str:
    return block[start:end].decode("utf-8", "backslashreplace")


def _next_line(block: bytes, start: int, signs: Sequence[bytes]) -> int:
    """Return where the next line with a sign begins, -1 where none does."""
    at = _search(tuple(signs))(block, start)
    return -1 if at < 0 else block.rfind(b"\n", 0, at) + 1


@lru_cache(maxsize=4)
def _search(signs: tuple[bytes, ...]):  # type: ignore[no-untyped-def]
    if CORE:
        find = CORE.Literals([*signs]).find

        def by_core(block: bytes, start: int) -> int:
            place = find(block, start)
            return -1 if place is None else place[0]

        return by_core

    @lru_cache(maxsize=1)
    def expression(block: bytes) -> re.Pattern[bytes] | None:
        """Of the signs that the block has: of most logs, few or none."""
        present = [re.escape(sign) for sign in signs if sign in block]
        return re.compile(b"|".join(present)) if present else None

    def by_expression(block: bytes, start: int) -> int:
        pattern = expression(block)
        match = None if pattern is None else pattern.search(block, start)
        return -1 if match is None else match.start()

    return by_expression
