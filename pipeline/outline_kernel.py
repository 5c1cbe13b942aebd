"""What members say besides who claims what, as bytes that can be compared: see `tables.outlines`.

The rule is that of `audit.repetition`, in columns: a subscription whose claim is the assignment
beside it says its topics and its rack; any other says all of its bytes.
"""

from __future__ import annotations

from typing import NamedTuple

from .addresses import load8, load32, store8, store32, wire16, wire32
from .compiled import compiled
from .text import copy_bytes

__all__ = [
    "AS_THEY_STAND",
    "CLAIMS_WHAT_IT_HAS",
    "MEMBER_NUMBERS",
    "SAID_NUMBERS",
    "Sized",
    "Spoken",
    "joined",
    "said",
]

AS_THEY_STAND, CLAIMS_WHAT_IT_HAS, AND_EMPTY_USER_DATA = range(3)
"""What the bytes of a subscription are compared as."""

SAID_NUMBERS = 4 + 1 + 4 + 4
"""Bytes that `said` adds to those of a subscription and an assignment."""

MEMBER_NUMBERS = 4
"""Bytes that `joined` adds to each value."""

_LAST_VERSION = 3


class Sized(NamedTuple):
    """The addresses of a column of bytes or text: int32 offsets, its bytes, and a byte a value for
    validity, or 0."""

    offsets: int
    data: int
    validity: int


class Spoken(NamedTuple):
    """The addresses of what is written: int32 offsets, bytes, and a byte a value for its kind."""

    offsets: int
    data: int
    kind: int


@compiled
def _end_of_string(at: int, end: int) -> int:
    """Of one that begins there; 0 where it has no end."""
    if end - at < 2:
        return 0
    length: int = wire16(at)
    return at + 2 + length if 0 <= length <= end - at - 2 else 0


@compiled
def _end_of_topics(at: int, end: int) -> int:
    """Of a subscription of version 1 to 3; 0 where that cannot be said."""
    if end - at < 6 or wire16(at) < 1 or wire16(at) > _LAST_VERSION:
        return 0
    place = at + 6
    for _ in range(wire32(at + 2)):
        place = _end_of_string(place, end)
        if not place:
            return 0
    return place


@compiled
def _end_of_partitions(at: int, end: int) -> int:
    """Of an assignment; 0 where that cannot be said."""
    if end - at < 6:
        return 0
    place = at + 6
    for _ in range(wire32(at + 2)):
        place = _end_of_string(place, end)
        if not place or end - place < 4:
            return 0
        count = wire32(place)
        place += 4
        if count < 0 or 4 * count > end - place:
            return 0
        place += 4 * count
    return place


@compiled
def _same(one: int, other: int, size: int) -> bool:
    at = 0
    while at < size and load8(one + at) == load8(other + at):
        at += 1
    return at == size


@compiled
def _parts(at: int, end: int, given: int, given_end: int) -> tuple[int, int, int]:
    """How a subscription is compared, where its topics end, and where its rack begins."""
    topics = _end_of_topics(at, end)
    partitions = _end_of_partitions(given, given_end)
    if not topics or not partitions or end - topics < 4:
        return AS_THEY_STAND, 0, 0
    user_data = wire32(topics)
    claim = topics + 4 + max(user_data, 0)
    size = partitions - given - 2
    generation = 4 if wire16(at) > 1 else 0
    rest = claim + size + generation
    if user_data < -1 or rest > end or (wire16(at) < _LAST_VERSION and rest < end):
        return AS_THEY_STAND, 0, 0
    if not _same(claim, given + 2, size) or (generation and wire32(rest - 4) < -1):
        return AS_THEY_STAND, 0, 0
    return (CLAIMS_WHAT_IT_HAS if user_data else AND_EMPTY_USER_DATA), topics, rest


@compiled
def _put(to: int, start: int, end: int) -> int:
    """Bytes with their length in front; gives where they end."""
    store32(to, end - start)
    copy_bytes(to + 4, start, end - start)
    return to + 4 + end - start


@compiled
def said(subscriptions: Sized, assignments: Sized, rows: int, out: Spoken) -> None:
    """What each member says besides its claim, with what it is given."""
    written = out.data
    store32(out.offsets, 0)
    for row in range(rows):
        at = subscriptions.data + load32(subscriptions.offsets + 4 * row)
        end = subscriptions.data + load32(subscriptions.offsets + 4 * row + 4)
        given = assignments.data + load32(assignments.offsets + 4 * row)
        given_end = assignments.data + load32(assignments.offsets + 4 * row + 4)
        kind, topics, rest = _parts(at, end, given, given_end)
        written = _put(written, given, given_end)
        store8(written, kind)
        store8(out.kind + row, kind)
        if kind == AS_THEY_STAND:
            written = _put(written + 1, at, end)
        else:
            written = _put(_put(written + 1, at, topics), rest, end)
        store32(out.offsets + 4 * row + 4, written - out.data)


@compiled
def joined(columns: tuple[Sized, ...], rows: int, offsets: int, data: int) -> None:
    """The values of each row of these columns, one behind the other, each with its length."""
    written = data
    store32(offsets, 0)
    for row in range(rows):
        for column in columns:
            if column.validity and not load8(column.validity + row):
                store32(written, -1)
                written += 4
            else:
                start = column.data + load32(column.offsets + 4 * row)
                written = _put(written, start, column.data + load32(column.offsets + 4 * row + 4))
        store32(offsets + 4 * row + 4, written - data)
