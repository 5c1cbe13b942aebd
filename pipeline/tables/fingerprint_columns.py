"""Outlines: what a classic group's record says besides its generation and its claims.

By far most records say what the one before them says: the same members rejoin and are given what
they had. Where two outlines of a group are the same, and the generation is higher, the second
record is a repetition in the sense of `audit.repetition`, and need not be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..audit.repetition import COOPERATIVE_STICKY, STICKY
from ..audit.steps import CONSUMER
from .member_fingerprints import AS_THEY_STAND, MEMBER_NUMBERS, SAID_NUMBERS, joined, said
from .reading import Kind

__all__ = ["Outline", "outlines", "spoken"]

_MOST = (1 << 31) - 1  # bytes of a column
_WHO = ("member_id", "group_instance_id", "client_id", "client_host")
_HOW_LONG = ("rebalance_timeout", "session_timeout")


Outline: TypeAlias = tuple[str | None, str | None, bytes]
"""The protocol, the leader, and what the members say."""


def outlines(kind: Kind) -> Sequence[Outline | None]:
    """The outline of each record. None where there is no member, or none of a consumer, and where
    one record does not tell enough: members of `sticky` claim in their user data, and those of
    `cooperative-sticky` who claim anything but what they have are judged over several records."""
    lists = kind.value("members")
    members = pc.list_flatten(lists)
    counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    ends = np.concatenate([[0], np.cumsum(counts)])
    what, kinds = spoken(members.field("subscription"), members.field("assignment"))
    if what is None:
        return [None] * len(counts)
    columns = [members.field(name) for name in _WHO]
    columns += [_as_bytes(members.field(name)) for name in _HOW_LONG]
    found = _joined([*columns, what])
    if found is None:
        return [None] * len(counts)
    offsets, data = found
    strange = np.concatenate([[0], np.cumsum(kinds == AS_THEY_STAND)])
    protocol = pc.fill_null(kind.value("protocol"), "")
    told = (strange[ends[1:]] == strange[ends[:-1]]) | ~_is(protocol, COOPERATIVE_STICKY)
    told &= _is(kind.value("protocol_type"), CONSUMER) & ~_is(protocol, STICKY) & (counts > 0)
    places = pa.py_buffer(offsets[ends].astype(np.int32))
    all_of_them = pa.Array.from_buffers(pa.binary(), len(counts), [None, places, data])
    members_say = pc.if_else(pa.array(told), all_of_them, None).to_pylist()
    parts = zip(protocol.to_pylist(), kind.value("leader").to_pylist(), members_say, strict=True)
    return [None if outline[2] is None else outline for outline in parts]


def spoken(subscriptions: pa.Array, assignments: pa.Array) -> tuple[pa.Array | None, Any]:
    """For each member, bytes that are the same where subscription and assignment say the same,
    claims apart, and how its subscription is compared; None where these would be too many."""
    rows = len(subscriptions)
    size = _size(subscriptions) + _size(assignments) + rows * SAID_NUMBERS
    kinds = np.zeros(rows, np.uint8)
    if size > _MOST:
        return None, kinds
    offsets, data = np.empty(rows + 1, np.int32), np.empty(size, np.uint8)
    said(subscriptions, assignments, offsets, data, kinds)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.binary(), rows, buffers), kinds


def _joined(columns: list[pa.Array]) -> tuple[Any, pa.Buffer] | None:
    """Offsets and bytes of the members' columns together."""
    rows = len(columns[0])
    size = sum(_size(column) + rows * MEMBER_NUMBERS for column in columns)
    if size > _MOST:
        return None
    offsets, data = np.empty(rows + 1, np.int32), np.empty(size, np.uint8)
    joined(columns, offsets, data)
    return offsets, pa.py_buffer(data)


def _size(column: pa.Array) -> int:
    return pc.sum(pc.binary_length(column)).as_py() or 0


def _as_bytes(numbers: pa.Array) -> pa.Array:
    values = np.ascontiguousarray(numbers.to_numpy())
    offsets = np.arange(0, 4 * len(values) + 1, 4, dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    return pa.Array.from_buffers(pa.binary(), len(values), buffers)


def _is(values: pa.Array, text: str) -> Any:
    return pc.fill_null(pc.equal(values, text), False).to_numpy(zero_copy_only=False)
