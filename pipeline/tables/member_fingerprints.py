"""What members say besides who claims what, as bytes that can be compared: see `tables.outlines`.

The rule is that of `audit.repetition`, in columns: a subscription whose claim is the assignment
beside it says its topics and its rack; any other says all of its bytes. The compiled core's
functions, and the same in Python for where it is not installed.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...codec.runtime import engine
from ..audit.repetition import claim_in

__all__ = ["AS_THEY_STAND", "MEMBER_NUMBERS", "SAID_NUMBERS", "joined", "said"]

AS_THEY_STAND, CLAIMS_WHAT_IT_HAS, AND_EMPTY_USER_DATA = range(3)
"""What the bytes of a subscription are compared as."""

SAID_NUMBERS = 4 + 1 + 4 + 4
"""Bytes that `said` adds to those of a subscription and an assignment."""

MEMBER_NUMBERS = 4
"""Bytes that `joined` adds to each value."""

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
    claim = claim_in(subscription, assignment)
    if claim is None:
        kind, parts = AS_THEY_STAND, [subscription]
    else:
        kind = CLAIMS_WHAT_IT_HAS if claim.user_data else AND_EMPTY_USER_DATA
        parts = [subscription[: claim.topics_end], subscription[claim.rack_start :]]
    return kind, b"".join([_sized(assignment), bytes([kind]), *map(_sized, parts)])
