"""Fingerprints: what a classic group's record holds besides its generation and its claims.

Of two records of a group with the same fingerprint the second is a repetition, if its generation is
higher: see `audit.repetition`.

Of a subscription that claims the member's assignment, version, topics and the fields behind the
generation are compared, those of newer versions too; of any other, all bytes. The compiled core
compares the bytes as they are on the wire; where it is not installed, messages are read and written
to compare them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    KprotoError,
    VersionedMessage,
)
from ...codec.runtime import engine
from ..audit.classic_record import CONSUMER, COOPERATIVE_STICKY, STICKY
from ..audit.repetition import Fingerprint
from ..columnar.columns import bitmap
from .record_kinds import Kind

__all__ = ["fingerprints", "member_fingerprints"]

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


def fingerprints(kind: Kind) -> Sequence[Fingerprint | None]:
    """Return the fingerprint of each record; None where records cannot be compared by it.

    These are records without members or of other clients than consumers; those of `sticky`, whose
    members claim in their user data; and those of `cooperative-sticky` in which a member claims
    anything but its assignment, for such members are judged over several records.
    """
    lists = kind.value("members")
    members = pc.list_flatten(lists)
    counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    ends = np.concatenate([[0], np.cumsum(counts)])
    payloads, kinds = member_fingerprints(
        members.field("subscription"), members.field("assignment")
    )
    if payloads is None:
        return [None] * kind.rows.num_rows
    columns = [members.field(name) for name in _WHO]
    columns += [_as_bytes(members.field(name)) for name in _HOW_LONG]
    texts = _join([*columns, payloads])
    if texts is None:
        return [None] * kind.rows.num_rows
    offsets, data = texts
    strange = np.concatenate([[0], np.cumsum(kinds == _AS_THEY_STAND)])
    protocol = pc.fill_null(kind.value("protocol"), "")
    is_comparable = (strange[ends[1:]] == strange[ends[:-1]]) | ~_is(protocol, COOPERATIVE_STICKY)
    is_comparable &= (
        _is(kind.value("protocol_type"), CONSUMER) & ~_is(protocol, STICKY) & (counts > 0)
    )
    validity, places = bitmap(is_comparable), pa.py_buffer(offsets[ends].astype(np.int32))
    members_say = pa.Array.from_buffers(pa.binary(), len(counts), [validity, places, data])
    leader = kind.value("leader")
    rows = zip(protocol.to_pylist(), leader.to_pylist(), members_say.to_pylist(), strict=True)
    return [None if row[-1] is None else row for row in rows]


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


def _join(columns: list[pa.Array]) -> tuple[Any, pa.Buffer] | None:
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
        engine.CORE.member_fingerprints(
            _row(subscriptions), _row(assignments), offsets, data, kinds
        )
        return
    values = []
    pairs = zip(subscriptions.to_pylist(), assignments.to_pylist(), strict=True)
    for number, (subscription, assignment) in enumerate(pairs):
        kinds[number], value = _fingerprint(subscription or b"", assignment or b"")
        values.append(value)
    _write(values, offsets, data)


def _write_rows(columns: Sequence[pa.Array], offsets: Any, data: Any) -> None:
    """Write the values of each row of these columns, one behind the other, each with its length."""
    if engine.CORE is not None:
        rows = [_row(column) for column in columns]
        engine.CORE.join_columns(rows, len(columns[0]), offsets, data)
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
    content = b"".join(values)
    data[: len(content)] = np.frombuffer(content, np.uint8)


def _sized(value: bytes | None) -> bytes:
    return _NULL if value is None else struct.pack("=i", len(value)) + value


def _fingerprint(subscription: bytes, assignment: bytes) -> tuple[int, bytes]:
    message: Any = _exactly(ConsumerProtocolSubscription, subscription)
    given_message: Any = _exactly(ConsumerProtocolAssignment, assignment)
    claims = message is not None and given_message is not None and _version(subscription) > 0
    if not claims or _entries(message.owned_partitions) != _entries(
        given_message.assigned_partitions
    ):
        kind, data = _AS_THEY_STAND, subscription
    else:
        kind = _AND_EMPTY_USER_DATA if message.user_data == b"" else _CLAIMS_WHAT_IT_HAS
        rest = message.replace(owned_partitions=(), generation_id=-1, user_data=None)
        unknown = subscription[len(_written(message, subscription)) :]
        data = _written(rest, subscription) + unknown
    return kind, b"".join([_sized(assignment), bytes([kind]), _sized(data)])


def _exactly(kind: type[VersionedMessage], data: bytes) -> VersionedMessage | None:
    """Return the message in these bytes; None where they are not exactly those of a message, which
    in a newer version has unknown fields at its end."""
    try:
        message = kind.from_bytes(data)
        written = _written(message, data)
    except (KprotoError, ValueError):
        return None
    is_newer = _version(data) > kind.LATEST
    return message if (data.startswith(written) if is_newer else data == written) else None


def _written(message: VersionedMessage, data: bytes) -> bytes:
    """Return the known fields of a message in the version of these bytes, with that in front."""
    return data[:2] + message.to_bytes(min(_version(data), message.LATEST))[2:]


def _version(data: bytes) -> int:
    return int.from_bytes(data[:2], "big", signed=True)


def _entries(entries: Any) -> list[tuple[str, tuple[int, ...]]]:
    return [(entry.topic, entry.partitions) for entry in entries]
