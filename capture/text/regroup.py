"""Find the ends of messages that take several pieces of a text (lines, literals).

A tool or a person has wrapped them, so only decoding tells where a message ends: it must be where a
piece ends, and the next message begins there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..errors import CaptureError
from .base64_text import decode
from .blocks import lines
from .plain_hex import packed_lines
from .reading import CLEAN, Chunk, Found, Judge

__all__ = ["MAX_REGROUPED", "regrouped"]

MAX_REGROUPED = 256 << 10
"""Bytes of the longest text whose pieces are put together, which takes quadratic time."""
_MAX_PIECES = 2000
_MOST = 2 * MAX_REGROUPED  # one message more counts more than any number of bytes


class _Joined(NamedTuple):
    """All bytes of a text. `places` are line and column of each piece, by the position of its first
    byte.

    `format` is the name of the form once regrouped; up to `padding` zeros may be between the end of
    a message and that of its last piece.
    """

    data: bytes
    places: dict[int, tuple[int, int]]
    format: str
    padding: int = 0


def regrouped(text: str, found: Found, judge: Judge) -> list[list[Chunk]]:
    """Return the ways to put the pieces of a text together so that each message decodes.

    At most two: the one with most messages, and the one with fewest if decoding explains it equally
    well.
    """
    joined = _join(text, found)
    if joined is None or len(joined.places) > _MAX_PIECES:
        return []
    ways = _best_ways(joined, judge)
    return [
        [Chunk(joined.data[start:end], joined.format, *joined.places[start]) for start, end in way]
        for way in ways
    ]


class _Rest(NamedTuple):
    """The best way from some position on: its weight, and the end of its first message.

    Of equal weights `preferred` decides. `after` is the end of the piece that the message ends in.
    """

    weight: int
    preferred: int
    end: int = 0
    after: int = 0


def _best_ways(joined: _Joined, judge: Judge) -> list[list[tuple[int, int]]]:
    """Start and end of messages that follow each other from the first byte to the last."""
    size = len(joined.data)
    following: dict[int, list[tuple[int, int]]] = {}
    waiting = [0]
    while waiting:
        start = waiting.pop()
        if start not in following and start < size:
            following[start] = list(_next(joined, start, judge))
            waiting += [after for _, after in following[start]]
    found: list[list[tuple[int, int]]] = []
    for sign in (1, -1):  # as many messages as possible, and then as few
        best = {size: _Rest(0, 0)}
        for start in sorted(following, reverse=True):
            ways = []
            for end, after in following[start]:
                if after in best:
                    weight = judge.weigh(joined.data[start:end]) + CLEAN * (after - end)
                    order = sign * (_MOST + start - end)
                    rest = best[after]
                    ways.append(_Rest(weight + rest.weight, order + rest.preferred, end, after))
            if ways:
                best[start] = max(ways)
        way = _path(best, size)
        if way and way not in found:
            found.append(way)
    return found


def _path(best: dict[int, _Rest], size: int) -> list[tuple[int, int]]:
    spans = []
    start = 0
    while start < size and start in best:
        spans.append((start, best[start].end))
        start = best[start].after
    return spans


def _next(joined: _Joined, start: int, judge: Judge) -> Iterator[tuple[int, int]]:
    """The possible ends of a message that begins at `start`, each with the end of its last
    piece."""
    size = len(joined.data)
    for length in judge.ends(joined.data[start:]):
        end = start + length
        for after in range(end, min(end + joined.padding, size) + 1):
            whole = after == size or after in joined.places
            if end > start and whole and not any(joined.data[end:after]):
                yield end, after


def _join(text: str, found: Found) -> _Joined | None:
    pieces = found.rows or found.chunks
    form = pieces[0].format
    if sum(len(piece.data) for piece in pieces) > MAX_REGROUPED:
        return None
    if form.partition("-")[0] == "hex":
        return _join_hex(text)
    if form.startswith("base64"):
        return _join_base64(text, url=form.startswith("base64url"))
    places = {}
    at = 0
    for piece in pieces:
        places[at] = (piece.line, piece.column)
        at += len(piece.data)
    data = b"".join(piece.data for piece in pieces)
    return _Joined(data, places, form, found.padding)


def _join_hex(text: str) -> _Joined | None:
    """A line may end in the middle of a byte; no message ends there."""
    parts = []
    places = {}
    size = 0
    try:
        for line, column, packed in packed_lines(text):
            if size % 2 == 0:
                places[size // 2] = (line, column)
            parts.append(packed)
            size += len(packed)
        return _Joined(bytes.fromhex("".join(parts)), places, "hex-wrapped")
    except (CaptureError, ValueError):
        return None


def _join_base64(text: str, *, url: bool) -> _Joined | None:
    """Padding ends a message, and so may a line whose characters are whole bytes."""
    data = bytearray()
    places = {}
    waiting = ""
    for number, line in enumerate(lines(text), start=1):
        packed = line.strip()
        if not packed:
            continue
        if not waiting:
            places[len(data)] = (number, line.index(packed) + 1)
        waiting += packed
        if len(waiting) % 4 == 0:
            try:
                data += decode(waiting, url=url)
            except ValueError:
                return None
            waiting = ""
    if waiting:
        try:
            data += decode(waiting, url=url)
        except ValueError:
            return None
    return _Joined(bytes(data), places, "base64url-wrapped" if url else "base64-wrapped")
