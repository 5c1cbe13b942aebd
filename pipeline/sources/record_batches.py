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
    "NO_KEY",
    "SMALLEST_BATCH",
    "BatchArrays",
    "RecordArrays",
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

NO_TYPE = -1  # of a key that is too short to have one
NO_KEY = -1

_UNCOUNTED = 12  # bytes in front of what a batch's length counts
_CHECKED = 21  # where the part of a batch begins that its checksum is of
_COMPRESSION = 0x07
_LOG_APPEND_TIME = 0x08
_TRANSACTIONAL = 0x10
_CONTROL = 0x20
_HEADER = struct.Struct(">qi4xbIhi3q6xi")
_INT64 = 1 << 64


class RecordArrays(NamedTuple):
    """The columns that are filled. Keys and groups come again and again: there each key is stored
    once, with its type and group, and a record has its number. Value, key and group have three
    arrays: offsets, bytes, and a byte an entry for validity."""

    batch: Any  # int32: which one; a value a record, up to those of values
    offset: Any
    timestamp: Any  # milliseconds
    key: Any  # int32: the number of the key; NO_KEY where it is null
    value: Any
    value_data: Any
    value_valid: Any
    keys: Any  # from here on a value a key
    keys_data: Any
    keys_valid: Any
    type: Any  # int16
    group: Any
    group_data: Any
    group_valid: Any

    @classmethod
    def of(cls, size: int) -> RecordArrays:
        """Return arrays with room for the records of so many bytes."""
        records = size // SMALLEST_RECORD
        batch, offset, timestamp, key, type_ = (
            np.empty(records, dtype) for dtype in (np.int32, np.int64, np.int64, np.int32, np.int16)
        )
        values, keys = _blobs(records, size), _blobs(records, size)
        groups = _blobs(records, size * GROWTH)
        return cls._make((batch, offset, timestamp, key, *values, *keys, type_, *groups))


class BatchArrays(NamedTuple):
    """The columns of batches that are filled, a value a batch."""

    position: Any  # int64, as are the next two
    base_offset: Any
    producer: Any
    is_transactional: Any  # a byte

    @classmethod
    def of(cls, size: int) -> BatchArrays:
        """Return arrays with room for the batches in so many bytes."""
        count = size // SMALLEST_BATCH
        dtypes = (np.int64, np.int64, np.int64, np.uint8)
        return cls._make(np.empty(count, dtype) for dtype in dtypes)


class _PlainBatch(NamedTuple):
    end: int
    numbers: list[int]
    producer: int
    flags: int


def _blobs(records: int, size: int) -> Iterator[Any]:
    offsets = np.empty(records + 1, np.int32)
    offsets[0] = 0
    yield offsets
    yield np.empty(size, np.uint8)
    yield np.empty(records, np.uint8)


def read_batches(data: bytes, numbers: Any, broken: Any, arrays: RecordArrays) -> tuple[int, int]:
    """Read batches whose headers have been read, and return the numbers of records and of keys.

    `numbers` has `BATCH_NUMBERS` for each. Where a batch's records could not be read to their end,
    or something follows them, its byte in `broken` becomes 1. Headers of records are passed over:
    the offsets topic has none.
    """
    if engine.CORE is not None:
        counts: tuple[int, int] = engine.CORE.read_batches(data, numbers, broken, arrays)
        return counts
    store = _Store(arrays)
    for batch, (start, end, *rest) in enumerate(numbers.tolist()):
        broken[batch] = not store.batch(data[start:end], batch, rest)
    return store.rows, len(store.codes)


def read_plain_batches(
    data: bytes | memoryview, batches: BatchArrays, arrays: RecordArrays
) -> tuple[int, int, int, int]:
    """Read batches up to the first that is not plain; return records, keys, batches, and their size
    in bytes.

    Plain: of magic 2, whole, with a right checksum, not compressed, and with as many records as
    they say. Nearly all are. A mark, such as the end of a transaction, has no records.
    """
    if engine.CORE is not None:
        counts: tuple[int, int, int, int] = engine.CORE.read_plain_batches(data, batches, arrays)
        return counts
    data, store = bytes(data), _Store(arrays)
    number = at = 0
    while (batch := _plain_batch(data, at)) is not None:
        first, records = store.rows, data[at + SMALLEST_BATCH : batch.end]
        if not batch.flags & _CONTROL and not store.batch(records, number, batch.numbers):
            store.rows = first  # what has been stored since is overwritten
            break
        batches.position[number] = at
        batches.base_offset[number] = batch.numbers[1]
        batches.producer[number] = batch.producer
        batches.is_transactional[number] = bool(batch.flags & _TRANSACTIONAL)
        number, at = number + 1, batch.end
    return store.rows, len(store.codes), number, at


# -- in Python


def _plain_batch(data: bytes, at: int) -> _PlainBatch | None:
    """Return the plain batch at `at`; None where there is none."""
    from aiokafka.record.util import calc_crc32c  # late: slow to import, and few need it

    if len(data) - at < SMALLEST_BATCH:
        return None
    base, length, magic, checksum, flags, _, first, latest, producer, count = _HEADER.unpack_from(
        data, at
    )
    end = at + _UNCOUNTED + length
    is_plain = base >= 0 and magic == 2 and not flags & _COMPRESSION
    if not is_plain or not at + SMALLEST_BATCH <= end <= len(data):
        return None
    if calc_crc32c(data[at + _CHECKED : end]) != checksum:
        return None
    is_append_time = bool(flags & _LOG_APPEND_TIME)
    numbers = [count, base, latest if is_append_time else first, is_append_time]
    return _PlainBatch(end, numbers, producer, flags)


class _Store:
    """Stores records in arrays."""

    def __init__(self, arrays: RecordArrays) -> None:
        self.rows = 0
        self.codes: dict[bytes, int] = {}
        self._arrays = arrays

    def batch(self, data: bytes, batch: int, numbers: list[int]) -> bool:
        """Store the records of a batch, and return whether these were whole and all there is."""
        count, base, time, is_append_time = numbers
        arrays, at = self._arrays, 0
        try:
            for _ in range(count):
                size, at = _zigzag(data, at)
                if size < SMALLEST_RECORD - 1:
                    return False
                record, at = _slice(data, at, size)
                offset, delta = self._record(record)
                arrays.batch[self.rows] = batch
                arrays.offset[self.rows] = _int64(base + offset)
                arrays.timestamp[self.rows] = time if is_append_time else _int64(time + delta)
                self.rows += 1
        except IndexError:
            return False
        return at == len(data)

    def _record(self, record: bytes) -> tuple[int, int]:
        """Store key and value; returns what the record adds to base offset and timestamp."""
        arrays = self._arrays
        time_delta, at = _zigzag(record, 1)
        offset_delta, at = _zigzag(record, at)
        key, at = _blob(record, at)
        value, at = _blob(record, at)
        _put(arrays.value, arrays.value_data, arrays.value_valid, self.rows, value)
        arrays.key[self.rows] = NO_KEY if key is None else self._code(key)
        return offset_delta, time_delta

    def _code(self, key: bytes) -> int:
        code = self.codes.setdefault(key, len(self.codes))
        if code == len(self.codes) - 1:
            arrays = self._arrays
            arrays.type[code], group = _type_and_group(key)
            _put(arrays.keys, arrays.keys_data, arrays.keys_valid, code, key)
            _put(arrays.group, arrays.group_data, arrays.group_valid, code, group)
        return code


def _put(offsets: Any, data: Any, valid: Any, row: int, value: bytes | None) -> None:
    start = int(offsets[row])
    end = start + len(value or b"")
    offsets[row + 1] = end
    valid[row] = value is not None
    data[start:end] = np.frombuffer(value or b"", np.uint8)


def _type_and_group(key: bytes) -> tuple[int, bytes | None]:
    """Return the record type of a key, and the group that every key begins with."""
    if len(key) < 4:
        return (NO_TYPE if len(key) < 2 else struct.unpack_from(">h", key)[0]), None
    type_, size = struct.unpack_from(">hh", key)
    if not 0 <= size <= len(key) - 4:
        return type_, None
    return type_, utf8.decode(key[4 : 4 + size]).encode()


def _blob(data: bytes, at: int) -> tuple[bytes | None, int]:
    size, at = _zigzag(data, at)
    return (None, at) if size < 0 else _slice(data, at, size)


def _slice(data: bytes, at: int, size: int) -> tuple[bytes, int]:
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
