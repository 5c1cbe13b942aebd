"""Find the ends of messages that take several pieces of a text: lines, words, literals, bytes.

A tool or a person has wrapped them, or has put several on a line, so only decoding tells where a
message ends: it must be where a piece ends, and the next message begins there.
"""

from __future__ import annotations

import binascii
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import accumulate
from typing import NamedTuple

from ..chunks import CLEAN, Chunk, Content, Judge
from ..form import Units
from ..forms.base64_text import FROM_URL, decode
from ..forms.hex import HALF
from ..lines import full_lines, lines
from .catalogue import FORMS

__all__ = ["of_base64", "of_rows", "of_units"]

_LARGEST = 256 << 10  # bytes whose pieces are put together, which takes quadratic time
_LARGEST_ANYWHERE = 4 << 10  # bytes, of which each may begin a message
_LONGEST_OF_SMALL = 8 * _LARGEST_ANYWHERE  # characters
_MAX_STARTS = 2000
_MAX_MESSAGES = 500  # that may begin somewhere: each is weighed wherever it may end
_MOST = 2 * _LARGEST  # one message more counts more than any number of bytes
_MAX_LINES = 2000
_MOST_OFTEN = 9  # a separator behind each ninth byte, or more often, is between bytes

Place = tuple[int, int]
Places = dict[int, Place]
"""Line and column of the pieces of a text, by the positions of their first bytes."""
Step = tuple[bytes, int, int]
"""A message, the zeros that a tool put behind it, and the position where the next may begin."""


def of_rows(content: Content, judge: Judge) -> list[list[Chunk]]:
    """Return the ways to put the rows of a dump, or literals, together so that messages decode.

    At most two: the one with most messages, and the one with fewest if decoding explains it equally
    well.
    """
    pieces = content.rows or content.chunks
    sizes = list(accumulate((len(piece.data) for piece in pieces), initial=0))
    if sizes[-1] > _LARGEST or len(pieces) > _MAX_STARTS:
        return []
    data = b"".join(piece.data for piece in pieces)
    places = {at: (piece.line, piece.column) for at, piece in zip(sizes, pieces, strict=False)}
    source = _Bytes(data, places, judge, content.padding)
    return _chunks(_best_ways(source.steps, len(data), judge), pieces[0].format, places)


def of_units(text: str, judge: Judge) -> list[list[Chunk]]:
    """Return the ways to read a text as bytes in one notation, whatever separates messages."""
    ways: list[list[Chunk]] = []
    if len(text) > _LONGEST_OF_SMALL and text.count("\n") > _MAX_LINES:
        return ways  # whatever separates them, too many pieces may begin a message
    readings: set[bytes] = set()
    join = cache(partial(_Joined, text))
    for form in FORMS:
        for units in form.units:
            for joint in units.joints if units.mark in text else ():
                pieces = _pieces(join(joint), units)
                if pieces and len(pieces.data) <= _LARGEST and pieces.data not in readings:
                    readings.add(pieces.data)
                    ways += _of_pieces(pieces, form.name, judge)
    return ways


def of_base64(text: str, judge: Judge, *, url: bool) -> list[list[Chunk]]:
    """Return the ways to read lines of base64, with padding or without, wrapped anywhere."""
    rows = list(full_lines(text))
    if len(rows) > _MAX_LINES or sum(len(row) for _, _, row in rows) > _LARGEST:
        return []
    steps = _Base64Lines([row for _, _, row in rows], judge, url=url).steps
    places = {at: (line, column) for at, (line, column, _) in enumerate(rows)}
    form = "base64url-wrapped" if url else "base64-wrapped"
    return _chunks(_best_ways(steps, len(rows), judge), form, places)


def _chunks(ways: list[_Way], form: str, places: Places) -> list[list[Chunk]]:
    return [[Chunk(data, form, *places[start]) for start, data in way] for way in ways]


# -- a text of nothing but bytes in one notation


class _Pieces(NamedTuple):
    """The bytes of a text. `places` are those of bytes that may begin a message, since they begin a
    line or follow a rarer separator than others.

    `anywhere` has the places of all bytes, where a separator precedes most of them; else None.
    `half` is the last hex digit, where it is half a byte.
    """

    data: bytes
    places: Places
    anywhere: Places | None
    half: str = ""


class _Joined:
    """The lines of a text in one, so that a line may end anywhere, in the middle of a byte too; and
    the place of each position in it."""

    def __init__(self, text: str, joint: str) -> None:
        parts = []
        self.starts: list[int] = []
        self._places: list[Place] = []
        at = 0
        for number, line in enumerate(lines(text), start=1):
            bare = line.strip("\r\n") if not joint else line.strip()
            if not bare.strip():
                continue
            inset = len(bare) - len(bare.lstrip())
            self.starts.append(at + inset)
            self._places.append((number, line.index(bare) + inset + 1))
            parts.append(bare)
            at += len(bare) + len(joint)
        self.text = joint.join(parts)

    def place(self, position: int) -> Place:
        """Line and column of a position."""
        at = bisect_right(self.starts, position) - 1
        line, column = self._places[at]
        return line, column + position - self.starts[at]


@cache
def _run_of(unit: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(rf"(?>(?:{unit.pattern})*)", unit.flags)


def _pieces(source: _Joined, units: Units) -> _Pieces | None:
    """The bytes of a text, None where it has anything else."""
    values: list[int] = []
    gaps: list[str] = []
    starts: list[int] = []
    text = source.text.rstrip(" \t\r\n,;|")
    at = 0
    run = _run_of(units.pattern).match(text)
    end = run.end() if run else 0
    if end < len(text) - units.may_end_in_half:
        return None
    while at < end and (match := units.pattern.match(text, at)):
        values.append(units.value(match[2]))
        gaps.append(match[1])
        starts.append(match.start(2))
        at = match.end()
    lowest, highest = min(values, default=0), max(values, default=0)
    if not values or lowest < -128 or highest > (255 if lowest >= 0 else 127):
        return None
    data = bytes(value & 0xFF for value in values)
    usual = {gap for gap, times in Counter(gaps[1:]).items() if times * _MOST_OFTEN > len(gaps)}
    line_starts = set(source.starts)
    places = {
        at: source.place(start)
        for at, (gap, start) in enumerate(zip(gaps, starts, strict=True))
        if at == 0 or gap not in usual or start in line_starts
    }
    anywhere = None
    if any(usual):
        anywhere = {at: source.place(start) for at, start in enumerate(starts)}
    return _Pieces(data, places, anywhere, text[at:])


def _of_pieces(pieces: _Pieces, form: str, judge: Judge) -> list[list[Chunk]]:
    size = len(pieces.data)
    if len(pieces.places) <= _MAX_STARTS:
        steps = _Bytes(pieces.data, pieces.places, judge).steps
        if ways := _best_ways(steps, size, judge):
            return [_with_half(way, pieces.half) for way in _chunks(ways, form, pieces.places)]
    if pieces.anywhere is not None and size <= _LARGEST_ANYWHERE:
        steps = _Bytes(pieces.data, pieces.anywhere, judge, clean=True).steps
        ways = _best_ways(steps, size, judge)[-1:]  # as few messages as possible
        return [_with_half(way, pieces.half) for way in _chunks(ways, form, pieces.anywhere)]
    return []


def _with_half(way: list[Chunk], half: str) -> list[Chunk]:
    if half:
        way[-1] = way[-1]._replace(cut=None, remark=HALF.format(half))
    return way


# -- where a message may end


class _Bytes:
    """Bytes of which only some may begin a message. Up to `padding` zeros may be between the end of
    a message and that of its last piece. `clean`: only messages that people meet often, without a
    deviation, count: bytes are many others by accident."""

    def __init__(
        self,
        data: bytes,
        places: Places,
        judge: Judge,
        padding: int = 0,
        *,
        clean: bool = False,
    ) -> None:
        self._data = data
        self._places = places
        self._judge = judge
        self._padding = padding
        self._clean = clean

    def steps(self, start: int) -> Iterator[Step]:
        """Yield the messages that may begin at a position."""
        data, size = self._data, len(self._data)
        for length in self._judge.ends(data[start:]):
            end = start + length
            for following in range(end, min(end + self._padding, size) + 1):
                is_end = following == size or following in self._places
                if length and is_end and not any(data[end:following]):
                    message = data[start:end]
                    if not self._clean or self._judge.weigh(message) == CLEAN * length:
                        yield message, following - end, following


class _Base64Lines:
    """Lines of base64, of which each may begin a message."""

    def __init__(self, rows: list[str], judge: Judge, *, url: bool) -> None:
        self._rows = rows
        self._judge = judge
        self._url = url

    def steps(self, start: int) -> Iterator[Step]:
        """Yield the messages that may begin at a line."""
        text = "".join(self._rows[start:])
        data = _as_far_as_possible(text.partition("=")[0], url=self._url)
        line_ends = {
            size: start + at for at, size in enumerate(accumulate(map(len, self._rows[start:])), 1)
        }
        for length in self._judge.ends(data):
            for characters in {-(-4 * length // 3), -(-length // 3) * 4}:
                end = line_ends.get(characters)
                if length and end is not None and self._reads(text[:characters], data[:length]):
                    yield data[:length], 0, end

    def _reads(self, text: str, data: bytes) -> bool:
        try:
            return decode(text, url=self._url) == data
        except ValueError:
            return False


def _as_far_as_possible(text: str, *, url: bool) -> bytes:
    """The bytes of base64 that may be cut anywhere."""
    cut = text[: len(text) - (len(text) % 4 == 1)]
    if url:
        cut = cut.translate(FROM_URL)
    try:
        return binascii.a2b_base64(cut + "=" * (-len(cut) % 4))
    except ValueError:
        return b""


# -- the best way through a text

_Way = list[tuple[int, bytes]]


class _Rest(NamedTuple):
    """The best way from some position on: its weight, and its first message.

    Of equal weights `preferred` decides. `end` is where the next message begins.
    """

    weight: int
    preferred: int
    end: int = 0
    data: bytes = b""


def _best_ways(steps: Callable[[int], Iterator[Step]], size: int, judge: Judge) -> list[_Way]:
    """Messages that follow each other from the first position to the last, each with its start."""
    following: dict[int, list[Step]] = {}
    waiting = [0]
    while waiting:
        start = waiting.pop()
        if start not in following and start < size:
            following[start] = list(steps(start))
            waiting += [end for _, _, end in following[start]]
            if len(following) > _MAX_MESSAGES:
                return []
    ways: list[_Way] = []
    for sign in (1, -1):  # as many messages as possible, and then as few
        best = {size: _Rest(0, 0)}
        for start in sorted(following, reverse=True):
            rests = []
            for data, padding, end in following[start]:
                if end in best:
                    weight = judge.weigh(data) + CLEAN * padding
                    order = sign * (_MOST - len(data))
                    rest = best[end]
                    rests.append(_Rest(weight + rest.weight, order + rest.preferred, end, data))
            if rests:
                best[start] = max(rests)
        way = _path(best, size)
        if way and way not in ways:
            ways.append(way)
    return ways


def _path(best: dict[int, _Rest], size: int) -> _Way:
    way = []
    start = 0
    while start < size and start in best:
        way.append((start, best[start].data))
        start = best[start].end
    return way
