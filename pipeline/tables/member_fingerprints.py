"""What members say besides who claims what, as bytes that can be compared: see `tables.outlines`.

The rule is that of `audit.repetition`, in columns: a subscription whose claim is the assignment
beside it says its topics and its rack; any other says all of its bytes. The compiled core's
functions, and the same in Python for where it is not installed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...codec.runtime import engine

__all__ = ["AS_THEY_STAND", "MEMBER_NUMBERS", "SAID_NUMBERS", "joined", "said"]

AS_THEY_STAND, CLAIMS_WHAT_IT_HAS, AND_EMPTY_USER_DATA = range(3)
"""What the bytes of a subscription are compared as."""

SAID_NUMBERS = 4 + 1 + 4 + 4
"""Bytes that `said` adds to those of a subscription and an assignment."""

MEMBER_NUMBERS = 4
"""Bytes that `joined` adds to each value."""

_LAST_VERSION = 3
_NULL = struct.pack("=i", -1)


def said(
    subscriptions: pa.Array, assignments: pa.Array, offsets: Any, data: Any, kinds: Any
) -> None:
    """Write what each member says besides its claim, with what it is given: the bytes to `data`,
    where each ends to `offsets` (int32, one more than members), and to `kinds` how the member's
    subscription is compared."""
    if engine.CORE is not None:
        engine.CORE.said(_row(subscriptions), _row(assignments), offsets, data, kinds)
        return
    values = []
    pairs = zip(subscriptions.to_pylist(), assignments.to_pylist(), strict=True)
    for number, (subscription, assignment) in enumerate(pairs):
        kinds[number], value = _said(subscription or b"", assignment or b"")
        values.append(value)
    _write(values, offsets, data)


def joined(columns: Sequence[pa.Array], offsets: Any, data: Any) -> None:
    """Write the values of each row of these columns, one behind the other, each with its length."""
    if engine.CORE is not None:
        rows = [_row(column) for column in columns]
        engine.CORE.joined(rows, len(columns[0]), offsets, data)
        return
    lists = [column.cast(pa.binary()).to_pylist() for column in columns]
    _write([b"".join(map(_sized, row)) for row in zip(*lists, strict=True)], offsets, data)


def _row(column: pa.Array) -> Any:
    """A column for the core: offsets, bytes, a byte a value for validity, and its first place."""
    _, offsets, data = column.buffers()
    valid = column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else None
    return offsets, data, valid, column.offset


# -- in Python


def _write(values: list[bytes], offsets: Any, data: Any) -> None:
    offsets[:] = np.cumsum([0, *map(len, values)])
    whole = b"".join(values)
    data[: len(whole)] = np.frombuffer(whole, np.uint8)


def _sized(value: bytes | None) -> bytes:
    return _NULL if value is None else struct.pack("=i", len(value)) + value


def _said(subscription: bytes, assignment: bytes) -> tuple[int, bytes]:
    try:
        kind, topics, rest = _parts(subscription, assignment)
    except struct.error:  # too short
        kind, topics, rest = AS_THEY_STAND, 0, 0
    given = _sized(assignment) + bytes([kind])
    if kind == AS_THEY_STAND:
        return kind, given + _sized(subscription)
    return kind, given + _sized(subscription[:topics]) + _sized(subscription[rest:])


def _parts(subscription: bytes, assignment: bytes) -> tuple[int, int, int]:
    """How a subscription is compared, where its topics end, and where its rack begins."""
    no_parts = AS_THEY_STAND, 0, 0
    (version,) = struct.unpack_from(">h", subscription)
    topics = 2 + len(b"".join(_strings(subscription, 0)))
    given = b"".join(_strings(assignment, 4))
    (user_data,) = struct.unpack_from(">i", subscription, topics)
    claim = topics + 4 + max(user_data, 0)
    rest = claim + len(given)
    if version > 1:
        (generation,) = struct.unpack_from(">i", subscription, rest)
        rest += 4
        if generation < -1:
            return no_parts
    more = version < _LAST_VERSION and rest < len(subscription)
    if not 1 <= version <= _LAST_VERSION or user_data < -1 or more or rest > len(subscription):
        return no_parts
    if subscription[claim : claim + len(given)] != given:
        return no_parts
    return (CLAIMS_WHAT_IT_HAS if user_data else AND_EMPTY_USER_DATA), topics, rest


def _strings(data: bytes, width: int) -> Iterator[bytes]:
    """The array of strings behind a version, each followed by an array of elements of `width`
    bytes (0: by none), in parts. Raises struct.error where one has no end."""
    (count,) = struct.unpack_from(">i", data, 2)
    yield data[2:6]
    place = 6
    for _ in range(count):
        (size,) = struct.unpack_from(">h", data, place)
        end = place + 2 + _length(size)
        if width:
            (elements,) = struct.unpack_from(">i", data, end)
            end += 4 + width * _length(elements)
        if end > len(data):
            raise struct.error
        yield data[place:end]
        place = end


def _length(size: int) -> int:
    if size < 0:
        raise struct.error
    return size
