"""The records of many batches at once, straight into Arrow buffers.

Record batches of magic 2 (KIP-98): a header of 61 bytes, then records whose numbers are zigzag
varints. What comes in has been checked by its checksum and is not compressed any more; it is still
not trusted: every read is behind a comparison, and a batch with a record that does not fit ends
there and says so.
"""

# ruff: noqa: PLR0917  # numba compiles it

from __future__ import annotations

from typing import NamedTuple

from .addresses import (
    load32,
    load64,
    store8,
    store16,
    store32,
    store64,
    wire8,
    wire16,
    wire32,
    wire64,
)
from .checksum import crc32c
from .compiled import compiled
from .text import copy_bytes, copy_text

__all__ = [
    "BATCH_NUMBERS",
    "SMALLEST_BATCH",
    "SMALLEST_RECORD",
    "RecordBuffers",
    "next_batch",
    "read_batches",
    "read_plain_batches",
]

SMALLEST_RECORD = 7
"""Bytes: length, attributes, two deltas, two lengths, the number of headers."""

BATCH_NUMBERS = 6
"""What `read_batches` wants of each batch, as int64: where its records begin, where they end, how
many there are, the base offset, the base timestamp, and 1 where all have that timestamp."""

SMALLEST_BATCH = 61
"""Bytes: a header and nothing behind it."""

_NOT_PLAIN = 0x07 | 0x10 | 0x20  # compression, transactional, control

NO_TYPE = -1  # of a key that is null, or too short to have one


class RecordBuffers(NamedTuple):
    """The addresses of the columns that are filled. Group, key and value have three buffers:
    offsets, bytes, and a byte a record for validity."""

    batch: int  # int32: which one
    offset: int
    timestamp: int  # milliseconds
    type: int  # int16
    group: int
    group_data: int
    group_valid: int
    key: int
    key_data: int
    key_valid: int
    value: int
    value_data: int
    value_valid: int


@compiled
def _zigzag(at: int, end: int) -> tuple[int, int]:
    """A signed varint of at most ten bytes and where it ends; 0 for that where there is none."""
    value = 0
    for i in range(10):
        if at + i >= end:
            return 0, 0
        byte = wire8(at + i)
        value |= (byte & 0x7F) << (7 * i)
        if byte >= 0:
            return ((value >> 1) & 0x7FFFFFFFFFFFFFFF) ^ -(value & 1), at + i + 1
    return 0, 0


@compiled
def _blob(offsets: int, data: int, valid: int, row: int, at: int, end: int) -> tuple[int, int, int]:
    """Bytes with a varint length in front, -1 for null: the length, where they begin and end; 0
    for the latter where they do not fit."""
    size, start = _zigzag(at, end)
    if not start or size > end - start:
        return 0, 0, 0
    to = load32(offsets + 4 * row)
    store8(valid + row, size >= 0)
    if size < 0:
        store32(offsets + 4 * row + 4, to)
        return -1, start, start
    copy_bytes(data + to, start, size)
    store32(offsets + 4 * row + 4, to + size)
    return size, start, start + size


@compiled
def _group(columns: RecordBuffers, row: int, key: int, size: int) -> None:
    """The record type of a key, and the group that every key begins with."""
    kind = NO_TYPE
    length = -1
    if size >= 2:
        kind = wire16(key)
        if size >= 4:
            length = wire16(key + 2)
    offsets = columns.group + 4 * row
    to = load32(offsets)
    fits = 0 <= length <= size - 4
    store16(columns.type + 2 * row, kind)
    store8(columns.group_valid + row, fits)
    taken = copy_text(columns.group_data + to, key + 4, length) if fits else 0
    store32(offsets + 4, to + taken)


@compiled
def _record(
    columns: RecordBuffers, row: int, at: int, end: int, base: int, time: int, same: int
) -> int:
    """One record; gives where it ends, 0 where it does not fit."""
    size, start = _zigzag(at, end)
    if not start or size < SMALLEST_RECORD - 1 or size > end - start:
        return 0
    end = start + size
    time_delta, at = _zigzag(start + 1, end)
    if not at:
        return 0
    offset_delta, at = _zigzag(at, end)
    if not at:
        return 0
    size, key, at = _blob(columns.key, columns.key_data, columns.key_valid, row, at, end)
    if not at:
        return 0
    _group(columns, row, key, size)
    _, _, at = _blob(columns.value, columns.value_data, columns.value_valid, row, at, end)
    if not at:
        return 0
    store64(columns.offset + 8 * row, base + offset_delta)
    store64(columns.timestamp + 8 * row, time if same else time + time_delta)
    return end


@compiled
def read_batches(data: int, batches: int, count: int, broken: int, columns: RecordBuffers) -> int:
    """Read so many batches; gives the number of records.

    `batches` is the address of `BATCH_NUMBERS` int64 each. Where a batch's records could not be
    read to their end, or something follows them, its byte at `broken` becomes 1. Headers of
    records are passed over: the offsets topic has none.
    """
    row = 0
    for batch in range(count):
        entry = batches + 8 * BATCH_NUMBERS * batch
        at, end = data + load64(entry), data + load64(entry + 8)
        base, time, same = load64(entry + 24), load64(entry + 32), load64(entry + 40)
        left = load64(entry + 16)
        while left > 0:
            after = _record(columns, row, at, end, base, time, same)
            if not after:
                break
            store32(columns.batch + 4 * row, batch)
            at = after
            row += 1
            left -= 1
        store8(broken + batch, left != 0 or at != end)
    return row


@compiled
def read_plain_batches(
    data: int, size: int, positions: int, columns: RecordBuffers
) -> tuple[int, int, int]:
    """Read batches for as long as they are plain; gives records, batches, and how many bytes.

    Plain: of magic 2, whole, with a right checksum, not compressed, of no transaction, no mark,
    and with as many records as they say. Nearly all are. `positions` is where the place of each
    batch in these bytes goes, as int64.
    """
    row = batch = at = 0
    while size - at >= SMALLEST_BATCH:
        start = data + at
        length = wire32(start + 8)
        if length < SMALLEST_BATCH - 12 or length > size - at - 12 or wire8(start + 16) != 2:
            break
        flags = wire16(start + 21)
        if wire8(start) < 0 or flags & _NOT_PLAIN:
            break
        end = start + 12 + length
        if wire32(start + 17) & 0xFFFFFFFF != crc32c(start + 21, end - start - 21):
            break
        same = (flags >> 3) & 1
        time = wire64(start + 35) if same else wire64(start + 27)
        base = wire64(start)
        left = wire32(start + 57)
        first, place = row, start + SMALLEST_BATCH
        while left > 0:
            after = _record(columns, row, place, end, base, time, same)
            if not after:
                break
            store32(columns.batch + 4 * row, batch)
            place = after
            row += 1
            left -= 1
        if left != 0 or place != end:
            row = first  # what has been stored since is overwritten
            break
        store64(positions + 8 * batch, at)
        batch += 1
        at = end - data
    return row, batch, at


@compiled
def next_batch(data: int, size: int, at: int, target: int) -> int:
    """The first batch at or behind `target`, going from the batch at `at` from length to length.

    -1 where there is something on the way that is no batch; `size` or more where the next one is
    not in these bytes.
    """
    while at < target and size - at >= 17:
        length = (wire16(data + at + 8) << 16) | (wire16(data + at + 10) & 0xFFFF)
        magic = wire8(data + at + 16)
        if wire8(data + at) < 0 or length < 14 or magic < 0 or magic > 2:
            return -1
        at += 12 + length
    return at
