"""Fingerprints: what a classic group's record holds besides its generation and its claims.

By far most records hold what the one before them holds: the same members rejoin, and are assigned
what they had. Where two records of a group have the same fingerprint, and the generation is higher,
the second is a repetition in the sense of `audit.repetition`, and need not be read.

Of a subscription whose claim is the member's assignment, topics and rack are compared; of any
other, all bytes. The compiled core has the functions that compare them; the same in Python is for
where it is not installed.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec.runtime import engine
from ..audit.classic_record import CONSUMER
from ..audit.repetition import COOPERATIVE_STICKY, STICKY, claim_in
from ..columnar.columns import bitmap
from .reading import Kind

__all__ = ["Fingerprint", "Fingerprints", "fingerprints", "member_fingerprints"]

_MOST = (1 << 31) - 1  # bytes of a column
_WHO = ("member_id", "group_instance_id", "client_id", "client_host")
_HOW_LONG = ("rebalance_timeout", "session_timeout")

_AS_THEY_STAND, _CLAIMS_WHAT_IT_HAS, _AND_EMPTY_USER_DATA = range(3)
"""What the bytes of a subscription are compared as."""

_SAID_NUMBERS = 4 + 1 + 4 + 4
"""Bytes that `_write_members` adds to those of a subscription and an assignment."""

_MEMBER_NUMBERS = 4
"""Bytes that `_write_rows` adds to each value."""

_NULL = struct.pack("=i", -1)


Fingerprint: TypeAlias = tuple[str | None, str | None, bytes]
"""The protocol, the leader, and what the members say."""


class Fingerprints(Sequence[Fingerprint | None]):
    """The fingerprints of the records of one kind; those of which they are asked are made."""

    def __init__(self, protocols: pa.Array, leaders: pa.Array, members_say: pa.Array) -> None:
        self._columns = (protocols, leaders, members_say)

    @cached_property
    def codes(self) -> Any:
        """A number for each record, equal where fingerprints are; -1 where there is none."""
        found = np.zeros(len(self), np.int64)
        for values in self._columns:
            coded = values.dictionary_encode()
            numbers = coded.indices.cast(pa.int64()).fill_null(len(coded.dictionary)).to_numpy()
            found = found * (len(coded.dictionary) + 1) + numbers
        return np.where(self._columns[-1].is_valid().to_numpy(zero_copy_only=False), found, -1)

    def __len__(self) -> int:
        return len(self._columns[-1])

    @overload
    def __getitem__(self, number: int) -> Fingerprint | None: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Fingerprint | None]: ...
    def __getitem__(self, number: int | slice) -> Fingerprint | Sequence[Fingerprint | None] | None:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        protocol, leader, said = (values[number].as_py() for values in self._columns)
        return None if said is None else (protocol, leader, said)


def fingerprints(kind: Kind) -> Fingerprints:
    """Return the fingerprint of each record; None where records cannot be compared by it.

    These are records without members or of other clients than consumers; those of `sticky`, whose
    members claim in their user data; and those of `cooperative-sticky` in which a member claims
    anything but its assignment, for such members are judged over several records.
    """
    lists = kind.value("members")
    members = pc.list_flatten(lists)
    counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    ends = np.concatenate([[0], np.cumsum(counts)])
    what, kinds = member_fingerprints(members.field("subscription"), members.field("assignment"))
    if what is None:
        return _none(kind)
    columns = [members.field(name) for name in _WHO]
    columns += [_as_bytes(members.field(name)) for name in _HOW_LONG]
    found = _joined([*columns, what])
    if found is None:
        return _none(kind)
    offsets, data = found
    strange = np.concatenate([[0], np.cumsum(kinds == _AS_THEY_STAND)])
    protocol = pc.fill_null(kind.value("protocol"), "")
    told = (strange[ends[1:]] == strange[ends[:-1]]) | ~_is(protocol, COOPERATIVE_STICKY)
    told &= _is(kind.value("protocol_type"), CONSUMER) & ~_is(protocol, STICKY) & (counts > 0)
    places = pa.py_buffer(offsets[ends].astype(np.int32))
    members_say = pa.Array.from_buffers(pa.binary(), len(counts), [bitmap(told), places, data])
    return Fingerprints(protocol, kind.value("leader"), members_say)


def _none(kind: Kind) -> Fingerprints:
    nothing = pa.nulls(kind.rows.num_rows, pa.string())
    return Fingerprints(nothing, nothing, nothing)


def member_fingerprints(
    subscriptions: pa.Array, assignments: pa.Array
) -> tuple[pa.Array | None, Any]:
    """Return bytes for each member, and how its subscription is compared.

    The bytes of two members are equal where subscription and assignment are, apart from claims.
    They are None where all of them together would exceed what a column can hold.
    """
    rows = len(subscriptions)
    size = _size(subscriptions) + _size(assignments) + rows * _SAID_NUMBERS
    kinds = np.zeros(rows, np.uint8)
    if size > _MOST:
        return None, kinds
    offsets, data = np.empty(rows + 1, np.int32), np.empty(size, np.uint8)
    _write_members(subscriptions, assignments, offsets, data, kinds)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.binary(), rows, buffers), kinds


def _joined(columns: list[pa.Array]) -> tuple[Any, pa.Buffer] | None:
    """Return offsets and bytes of the rows of these columns."""
    rows = len(columns[0])
    size = sum(_size(column) + rows * _MEMBER_NUMBERS for column in columns)
    if size > _MOST:
        return None
    offsets, data = np.empty(rows + 1, np.int32), np.empty(size, np.uint8)
    _write_rows(columns, offsets, data)
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


def _write_members(
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


def _write_rows(columns: Sequence[pa.Array], offsets: Any, data: Any) -> None:
    """Write the values of each row of these columns, one behind the other, each with its length."""
    if engine.CORE is not None:
        rows = [_row(column) for column in columns]
        engine.CORE.joined(rows, len(columns[0]), offsets, data)
        return
    lists = [column.cast(pa.binary()).to_pylist() for column in columns]
    _write([b"".join(map(_sized, row)) for row in zip(*lists, strict=True)], offsets, data)


def _row(column: pa.Array) -> Any:
    """Return a column in the form the core takes: offsets, bytes, a byte a value for validity, and
    its first place.
    """
    _, offsets, data = column.buffers()
    valid = column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else None
    return offsets, data, valid, column.offset


def _write(values: list[bytes], offsets: Any, data: Any) -> None:
    offsets[:] = np.cumsum([0, *map(len, values)])
    whole = b"".join(values)
    data[: len(whole)] = np.frombuffer(whole, np.uint8)


def _sized(value: bytes | None) -> bytes:
    return _NULL if value is None else struct.pack("=i", len(value)) + value


def _said(subscription: bytes, assignment: bytes) -> tuple[int, bytes]:
    claim = claim_in(subscription, assignment)
    if claim is None:
        kind, parts = _AS_THEY_STAND, [subscription]
    else:
        kind = _CLAIMS_WHAT_IT_HAS if claim.user_data else _AND_EMPTY_USER_DATA
        parts = [subscription[: claim.topics_end], subscription[claim.rack_start :]]
    return kind, b"".join([_sized(assignment), bytes([kind]), *map(_sized, parts)])
