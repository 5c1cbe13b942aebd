"""Find the ends of messages that take several pieces of a text: lines, words, literals.

A tool or a person has wrapped them, or has put several on a line, so only decoding tells where a
message ends: it must be where a piece ends, and the next message begins there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from .base64_text import FROM_URL, decode
from .blocks import lines
from .plain_hex import HALF
from .reading import CLEAN, Chunk, Found, Judge
from .tokens import Tokens, tokens

__all__ = ["MAX_REGROUPED", "regrouped", "retokenised", "rewrapped"]

MAX_REGROUPED = 256 << 10
"""Bytes of the longest text whose pieces are put together, which takes quadratic time."""
_MAX_ANYWHERE = 4 << 10  # bytes, of which each may begin a message
_MAX_STARTS = 2000
_MOST = 2 * MAX_REGROUPED  # one message more counts more than any number of bytes
_MAX_LINES = 2000

Place = tuple[int, int]
Step = tuple[bytes, int, int]
"""A message, the zeros that a tool put behind it, and the position where the next may begin."""


def regrouped(rows: Found, judge: Judge) -> list[list[Chunk]]:
    """Return the ways to put the rows of a dump, or literals, together so that messages decode.

    At most two: the one with most messages, and the one with fewest if decoding explains it equally
    well.
    """
    pieces = rows.rows or rows.chunks
    sizes = list(accumulate((len(piece.data) for piece in pieces), initial=0))
    if sizes[-1] > MAX_REGROUPED or len(pieces) > _MAX_STARTS:
        return []
    data = b"".join(piece.data for piece in pieces)
    places = {at: (piece.line, piece.column) for at, piece in zip(sizes, pieces, strict=False)}
    source = _Bytes(data, places, judge, rows.padding)
    return _chunks(_best_ways(source.steps, len(data), judge), pieces[0].format, places)


def retokenised(text: str, judge: Judge) -> list[list[Chunk]]:
    """Return the ways to read a text as bytes in one notation, whatever separates messages."""
    made = []
    seen: set[bytes] = set()
    for found in tokens(text):
        if len(found.data) <= MAX_REGROUPED and found.data not in seen:
            seen.add(found.data)
            made += _of_tokens(found, judge)
    return made


def _of_tokens(found: Tokens, judge: Judge) -> list[list[Chunk]]:
    form = "hex-wrapped" if found.form == "hex" else found.form
    size = len(found.data)
    if len(found.places) <= _MAX_STARTS:
        steps = _Bytes(found.data, found.places, judge).steps
        if ways := _best_ways(steps, size, judge):
            return [_half(way, found) for way in _chunks(ways, form, found.places)]
    if found.anywhere is not None and size <= _MAX_ANYWHERE:
        steps = _Bytes(found.data, found.anywhere, judge, clean=True).steps
        ways = _best_ways(steps, size, judge)[-1:]  # as few messages as possible
        return [_half(way, found) for way in _chunks(ways, form, found.anywhere)]
    return []


def _half(way: list[Chunk], found: Tokens) -> list[Chunk]:
    if found.half:
        way[-1] = way[-1]._replace(cut=None, remark=HALF.format(found.half))
    return way


def rewrapped(text: str, judge: Judge, *, url: bool) -> list[list[Chunk]]:
    """Return the ways to read lines of base64, with padding or without, wrapped anywhere."""
    packed: list[str] = []
    places: dict[int, Place] = {}
    for number, line in enumerate(lines(text), start=1):
        if bare := line.strip():
            places[len(packed)] = (number, line.index(bare) + 1)
            packed.append(bare)
    if len(packed) > _MAX_LINES or sum(map(len, packed)) > MAX_REGROUPED:
        return []
    steps = _Lines(packed, judge, url=url).steps
    form = "base64url-wrapped" if url else "base64-wrapped"
    return _chunks(_best_ways(steps, len(packed), judge), form, places)


def _chunks(ways: list[_Way], form: str, places: dict[int, Place]) -> list[list[Chunk]]:
    return [[Chunk(data, form, *places[start]) for start, data in way] for way in ways]


# -- where a message may end


class _Bytes:
    """Bytes of which only some may begin a message. Up to `padding` zeros may be between the end of
    a message and that of its last piece. `clean`: messages that do not decode cleanly do not
    count."""

    def __init__(
        self,
        data: bytes,
        places: dict[int, Place],
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
            for after in range(end, min(end + self._padding, size) + 1):
                whole = after == size or after in self._places
                if length and whole and not any(data[end:after]):
                    message = data[start:end]
                    if not self._clean or 4 * self._judge.weigh(message) >= 3 * CLEAN * length:
                        yield message, after - end, after


class _Lines:
    """Lines of base64, of which each may begin a message."""

    def __init__(self, packed: list[str], judge: Judge, *, url: bool) -> None:
        self._packed = packed
        self._judge = judge
        self._url = url

    def steps(self, start: int) -> Iterator[Step]:
        """Yield the messages that may begin at a line."""
        joined = "".join(self._packed[start:])
        data = _as_far_as_possible(joined.partition("=")[0], url=self._url)
        after_line = {
            size: start + at
            for at, size in enumerate(accumulate(map(len, self._packed[start:])), 1)
        }
        for length in self._judge.ends(data):
            for characters in {-(-4 * length // 3), -(-length // 3) * 4}:
                after = after_line.get(characters)
                if length and after is not None and self._reads(joined[:characters], data[:length]):
                    yield data[:length], 0, after

    def _reads(self, text: str, data: bytes) -> bool:
        try:
            return decode(text, url=self._url) == data
        except ValueError:
            return False


def _as_far_as_possible(text: str, *, url: bool) -> bytes:
    """The bytes of base64 that may be cut anywhere."""
    import binascii  # late: as in `decode`

    whole = text[: len(text) - (len(text) % 4 == 1)]
    if url:
        whole = whole.translate(FROM_URL)
    try:
        return binascii.a2b_base64(whole + "=" * (-len(whole) % 4))
    except ValueError:
        return b""


# -- the best way through a text

_Way = list[tuple[int, bytes]]


class _Rest(NamedTuple):
    """The best way from some position on: its weight, and its first message.

    Of equal weights `preferred` decides. `after` is where the next message begins.
    """

    weight: int
    preferred: int
    after: int = 0
    data: bytes = b""


def _best_ways(steps: Callable[[int], Iterator[Step]], size: int, judge: Judge) -> list[_Way]:
    """Messages that follow each other from the first position to the last, each with its start."""
    following: dict[int, list[Step]] = {}
    waiting = [0]
    while waiting:
        start = waiting.pop()
        if start not in following and start < size:
            following[start] = list(steps(start))
            waiting += [after for _, _, after in following[start]]
            if len(following) > _MAX_STARTS:
                return []
    found: list[_Way] = []
    for sign in (1, -1):  # as many messages as possible, and then as few
        best = {size: _Rest(0, 0)}
        for start in sorted(following, reverse=True):
            ways = []
            for data, padding, after in following[start]:
                if after in best:
                    weight = judge.weigh(data) + CLEAN * padding
                    order = sign * (_MOST - len(data))
                    rest = best[after]
                    ways.append(_Rest(weight + rest.weight, order + rest.preferred, after, data))
            if ways:
                best[start] = max(ways)
        way = _path(best, size)
        if way and way not in found:
            found.append(way)
    return found


def _path(best: dict[int, _Rest], size: int) -> _Way:
    way = []
    start = 0
    while start < size and start in best:
        way.append((start, best[start].data))
        start = best[start].after
    return way
