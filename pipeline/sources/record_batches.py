"""The records of many batches at once: the compiled core's functions, and the same in Python for
where it is not installed.

Record batches of magic 2 (KIP-98): a header of 61 bytes, then records whose numbers are zigzag
varints. A batch with a record that does not fit ends there, and that is said. Both engines fill the
same arrays, `RecordArrays`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...codec.runtime import engine
from ...codec.wire import utf8
from ..columnar.columns import GROWTH

__all__ = [
    "BATCH_NUMBERS",
    "SMALLEST_BATCH",
    "RecordArrays",
    "next_batch",
    "read_batches",
    "read_plain_batches",
]

SMALLEST_RECORD = 7
"""Bytes: length, attributes, two deltas, two lengths, the number of headers."""

SMALLEST_BATCH = 61
"""Bytes: a header and nothing behind it."""

BATCH_NUMBERS = 6
"""What `read_batches` wants of each batch, as int64: where its records begin, where they end, how
many there are, the base offset, the base timestamp, and 1 where all have that timestamp."""

NO_TYPE = -1  # of a key that is null, or too short to have one

_UNCOUNTED = 12  # bytes in front of what a batch's length counts
_CHECKED = 21  # where the part of a batch begins that its checksum is of
_NOT_PLAIN = 0x07 | 0x10 | 0x20  # compression, transactional, control
_LOG_APPEND_TIME = 0x08
_HEADER = struct.Struct(">qi4xbIhi2q14xi")
_INT64 = 1 << 64


class RecordArrays(NamedTuple):
    """The columns that are filled, a value a record. Group, key and value have three arrays:
    offsets, bytes, and a byte a record for validity."""

    batch: Any  # int32: which one
    offset: Any
    timestamp: Any  # milliseconds
    type: Any  # int16
    group: Any
    group_data: Any
    group_valid: Any
    key: Any
    key_data: Any
    key_valid: Any
    value: Any
    value_data: Any
    value_valid: Any

    @classmethod
    def of(cls, size: int) -> RecordArrays:
        """Return arrays with room for the records of so many bytes."""
        records = size // SMALLEST_RECORD
        blobs = [array for most in (size * GROWTH, size, size) for array in _blobs(records, most)]
        batch, offset, timestamp, type_ = (
            np.empty(records, each) for each in (np.int32, np.int64, np.int64, np.int16)
        )
        return cls(batch, offset, timestamp, type_, *blobs)


def _blobs(records: int, size: int) -> Iterator[Any]:
    offsets = np.empty(records + 1, np.int32)
    offsets[0] = 0
    yield offsets
    yield np.empty(size, np.uint8)
    yield np.empty(records, np.uint8)


def read_batches(data: bytes, numbers: Any, broken: Any, arrays: RecordArrays) -> int:
    """Read batches whose headers have been read, and return the number of records.

    `numbers` has `BATCH_NUMBERS` for each. Where a batch's records could not be read to their end,
    or something follows them, its byte in `broken` becomes 1. Headers of records are passed over:
    the offsets topic has none.
    """
    if engine.CORE is not None:
        read: int = engine.CORE.read_batches(data, numbers, broken, arrays)
        return read
    row = 0
    for batch, (start, end, *rest) in enumerate(numbers.tolist()):
        row, whole = _read_batch(data[start:end], batch, rest, arrays, row)
        broken[batch] = not whole
    return row


def read_plain_batches(data: bytes, positions: Any, arrays: RecordArrays) -> tuple[int, int, int]:
    """Read batches up to the first that is not plain; return records, batches, and their size in
    bytes.

    Plain: of magic 2, whole, with a right checksum, not compressed, of no transaction, no mark,
    and with as many records as they say. Nearly all are. The place of each batch in these bytes
    goes to `positions`, as int64.
    """
    if engine.CORE is not None:
        found: tuple[int, int, int] = engine.CORE.read_plain_batches(data, positions, arrays)
        return found
    row = batch = at = 0
    while (plain := _plain_batch(data, at)) is not None:
        end, numbers = plain
        after, whole = _read_batch(data[at + SMALLEST_BATCH : end], batch, numbers, arrays, row)
        if not whole:
            break  # what has been stored since is overwritten
        positions[batch] = at
        row, batch, at = after, batch + 1, end
    return row, batch, at


def next_batch(data: bytes, target: int) -> int:
    """Return the first batch at or behind `target`, going from the batch that `data` begins with
    from length to length.

    -1 where there is something on the way that is no batch; the size of `data` or more where the
    next one is not in these bytes.
    """
    if engine.CORE is not None:
        found: int = engine.CORE.next_batch(data, target)
        return found
    at = 0
    while at < target and len(data) - at > 16:
        base_offset, length = struct.unpack_from(">qi", data, at)
        if base_offset < 0 or length < 14 or data[at + 16] > 2:
            return -1
        at += _UNCOUNTED + length
    return at


# -- in Python


def _plain_batch(data: bytes, at: int) -> tuple[int, list[int]] | None:
    """Return where the plain batch at `at` ends, and its numbers; None where there is none."""
    from aiokafka.record.util import calc_crc32c  # late: slow to import, and few need it

    if len(data) - at < SMALLEST_BATCH:
        return None
    base, length, magic, checksum, flags, _, first, latest, count = _HEADER.unpack_from(data, at)
    end = at + _UNCOUNTED + length
    if base < 0 or magic != 2 or flags & _NOT_PLAIN or not at + SMALLEST_BATCH <= end <= len(data):
        return None
    if calc_crc32c(data[at + _CHECKED : end]) != checksum:
        return None
    same = bool(flags & _LOG_APPEND_TIME)
    return end, [count, base, latest if same else first, same]


def _read_batch(
    data: bytes, batch: int, numbers: list[int], arrays: RecordArrays, row: int
) -> tuple[int, bool]:
    """The row behind the records of a batch, and whether these were whole and all there is."""
    count, base, time, same = numbers
    at = 0
    try:
        for _ in range(count):
            size, at = _zigzag(data, at)
            if size < SMALLEST_RECORD - 1:
                return row, False
            record, at = _taken(data, at, size)
            offset, delta = _store(record, arrays, row)
            arrays.batch[row] = batch
            arrays.offset[row] = _int64(base + offset)
            arrays.timestamp[row] = time if same else _int64(time + delta)
            row += 1
    except IndexError:
        return row, False
    return row, at == len(data)


def _store(record: bytes, arrays: RecordArrays, row: int) -> tuple[int, int]:
    """Store key, group and value; returns what the record adds to base offset and timestamp."""
    time_delta, at = _zigzag(record, 1)
    offset_delta, at = _zigzag(record, at)
    key, at = _blob(record, at)
    value, at = _blob(record, at)
    _put(arrays.key, arrays.key_data, arrays.key_valid, row, key)
    _put(arrays.value, arrays.value_data, arrays.value_valid, row, value)
    type_, group = _named(key or b"")
    _put(arrays.group, arrays.group_data, arrays.group_valid, row, group)
    arrays.type[row] = type_
    return offset_delta, time_delta


def _put(offsets: Any, data: Any, valid: Any, row: int, value: bytes | None) -> None:
    start = int(offsets[row])
    end = start + len(value or b"")
    offsets[row + 1] = end
    valid[row] = value is not None
    data[start:end] = np.frombuffer(value or b"", np.uint8)


def _named(key: bytes) -> tuple[int, bytes | None]:
    """Return the record type of a key, and the group that every key begins with."""
    if len(key) < 4:
        return (NO_TYPE if len(key) < 2 else struct.unpack_from(">h", key)[0]), None
    type_, size = struct.unpack_from(">hh", key)
    if not 0 <= size <= len(key) - 4:
        return type_, None
    return type_, utf8.decode(key[4 : 4 + size]).encode()


def _blob(data: bytes, at: int) -> tuple[bytes | None, int]:
    size, at = _zigzag(data, at)
    return (None, at) if size < 0 else _taken(data, at, size)


def _taken(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    if size > len(data) - at:
        raise IndexError
    return data[at : at + size], at + size


def _zigzag(data: bytes, at: int) -> tuple[int, int]:
    """A signed varint of at most ten bytes, and where it ends. Raises IndexError for another."""
    value = 0
    for number in range(10):
        byte = data[at + number]
        value |= (byte & 0x7F) << (7 * number)
        if byte < 0x80:
            value %= _INT64
            return (value >> 1) ^ -(value & 1), at + number + 1
    raise IndexError


def _int64(value: int) -> int:
    """The number as int64 holds it."""
    return (value + (_INT64 >> 1)) % _INT64 - (_INT64 >> 1)
