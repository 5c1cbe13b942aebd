"""Read the records of a batch: by aiokafka, within limits, and the formats before Kafka 0.11."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from struct import Struct
from typing import Literal, NamedTuple

import msgspec

from ..compression import CannotDecompress, Unpacker
from ..summary import Summary
from .batches import Batch, batch_reader, read_batches

__all__ = ["MAX_DECOMPRESSED", "BatchInfo", "Outcome", "Record", "read_records"]

MAX_DECOMPRESSED = 128 * 1024 * 1024
"""The most bytes that the records of one batch may have once decompressed."""

Outcome = Literal["committed", "aborted", "undecided"]

_V2_HEADER = 61
_COUNT = 57  # the number of records
_ATTRIBUTES = 22  # the low byte of a batch's attributes
_LEGACY_HEADER = {0: 18, 1: 26}
_TIMESTAMP = Struct(">q")


class BatchInfo(NamedTuple):
    """The facts that the records of a batch have in common.

    `source` is the file and `position` that of the batch in it; `partition` is None where the
    folder does not name it. A `control` batch holds a control record, not a key and value.
    `outcome` is that of the transaction of a `transactional` batch, None where it is not known.
    `producer_id` is -1 where there is none.
    """

    source: str
    partition: int | None
    position: int
    base_offset: int
    transactional: bool
    control: bool
    producer_id: int
    outcome: Outcome | None


class Record(msgspec.Struct, frozen=True, gc=False):
    """A record of a topic. `timestamp` is in milliseconds, -1 or None where there is none; a
    `value` of None is a tombstone."""

    batch: BatchInfo
    offset: int
    timestamp: int | None
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def source(self) -> str:
        return self.batch.source

    @property
    def partition(self) -> int | None:
        return self.batch.partition

    @property
    def transactional(self) -> bool:
        return self.batch.transactional

    @property
    def control(self) -> bool:
        return self.batch.control

    @property
    def producer_id(self) -> int:
        return self.batch.producer_id

    @property
    def outcome(self) -> Outcome | None:
        return self.batch.outcome


def read_records(
    batch: Batch,
    info: BatchInfo,
    summary: Summary,
    *,
    limit: int = MAX_DECOMPRESSED,
    unpacker: Unpacker | None = None,
) -> Iterator[Record]:
    """Yield the records of a batch; what cannot be read of it goes to `summary`. `unpacker` is that
    of all batches of the source."""
    number = 0
    unpacker = unpacker or Unpacker()
    read = _v2 if batch.magic == 2 else _legacy
    try:
        for record in read(batch, info, limit, unpacker):
            number += 1
            yield record
    except CannotDecompress as problem:
        summary.skip(str(problem), _place(info), len(batch.data))
    except _unreadable():
        summary.skip("rest of a batch whose records are damaged", _place(info))
    if number:
        summary.count("records", number)


def _unreadable() -> tuple[type[Exception], ...]:
    """The exceptions that the library raises for records that it cannot read."""
    from aiokafka.errors import CorruptRecordException  # late: it imports asyncio

    return CorruptRecordException, ValueError, AssertionError, OverflowError


def _place(info: BatchInfo) -> str:
    return f"{info.source}, batch at byte {info.position:,}"


def _v2(batch: Batch, info: BatchInfo, limit: int, unpacker: Unpacker) -> Iterator[Record]:
    reader = batch.reader
    if batch.codec:
        count = int.from_bytes(batch.data[_COUNT:_V2_HEADER], "big", signed=True)
        records = unpacker.unpack(batch.codec, batch.data[_V2_HEADER:], limit, count)
        header = bytearray(batch.data[:_V2_HEADER])
        header[_ATTRIBUTES] &= ~7
        reader = batch_reader()(bytes(header) + records)
    for record in reader:
        headers = tuple(record.headers)
        yield Record(info, record.offset, record.timestamp, record.key, record.value, headers)


# -- before Kafka 0.11: a batch is one message, or a message that holds others, compressed


class _Message(NamedTuple):
    timestamp: int | None
    key: bytes | None
    value: bytes | None


def _legacy(batch: Batch, info: BatchInfo, limit: int, unpacker: Unpacker) -> Iterator[Record]:
    outer = _message(batch)
    if not batch.codec:
        yield Record(info, batch.base_offset, outer.timestamp, outer.key, outer.value)
        return
    if outer.value is None:
        raise ValueError("a compressed message without a value")
    ignored = Summary()
    content = BytesIO(unpacker.unpack(batch.codec, outer.value, limit))
    inner = list(read_batches(content, "", ignored))
    if not ignored.complete or any(part.codec or part.magic != batch.magic for part in inner):
        raise ValueError("what is compressed is no sequence of messages")
    # From magic 1 on offsets inside are relative, and the outer one is that of the last (KIP-31);
    # a message that no broker has numbered has 0.
    shift = batch.base_offset - inner[-1].base_offset if inner and batch.magic else 0
    for part in inner:
        message = _message(part)
        timestamp = outer.timestamp if batch.log_append_time else message.timestamp
        offset = part.base_offset + max(shift, 0)
        yield Record(info, offset, timestamp, message.key, message.value)


def _message(batch: Batch) -> _Message:
    timestamp = _TIMESTAMP.unpack_from(batch.data, 18)[0] if batch.magic else None
    key, at = _bytes(batch.data, _LEGACY_HEADER[batch.magic])
    value, at = _bytes(batch.data, at)
    if at != len(batch.data):
        raise ValueError("bytes after a message")
    return _Message(timestamp, key, value)


def _bytes(data: bytes, at: int) -> tuple[bytes | None, int]:
    """The nullable bytes at position `at`, and the position where they end."""
    start = at + 4
    size = int.from_bytes(data[at:start], "big", signed=True)
    if size == -1:
        return None, start
    if size < 0 or start + size > len(data):
        raise ValueError("a length out of bounds")
    return data[start : start + size], start + size


LAST_TIME = 253_402_300_799_999
"""The last millisecond of the year 9999: what lies behind it is no time but damage."""
