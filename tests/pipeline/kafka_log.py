"""Kafka's log of the offsets topic, for generated clusters: which partition a group has, what the
cleaner keeps, segments of record batches, and what a consumer of the topic reads.

Written from Kafka's documentation of its log, and by aiokafka's writer of batches; nothing here
knows how kproto reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from aiokafka.record._crc32c import crc
from aiokafka.record.default_records import DefaultRecordBatchBuilder

_TOPIC = "__consumer_offsets"
_IN_A_BATCH = 12  # records at most; a coordinator writes few at once
_IN_A_SEGMENT = 4000
_CONTROL = 0x20


class Entry(NamedTuple):
    """A record, or the end of a transaction: then it has no key."""

    time: int
    key: bytes | None
    value: bytes | None = None
    producer: int = -1
    """Of a record in a transaction, and of its end."""
    committed: bool = True
    """Whether the transaction was committed."""


class Logged(NamedTuple):
    """An entry at its offset."""

    offset: int
    entry: Entry


def partition_of(group: str, partitions: int) -> int:
    """The offsets partition of a group: Java's hash of the name, without its sign."""
    code = 0
    for letter in group:  # each one unit of UTF-16
        code = (31 * code + ord(letter)) & 0xFFFFFFFF
    return (code & 0x7FFFFFFF) % partitions


def logged(entries: Iterable[Entry]) -> list[Logged]:
    """The log of one partition. Entries of the same time stay in their order."""
    ordered = sorted(entries, key=lambda entry: entry.time)
    return [Logged(offset, entry) for offset, entry in enumerate(ordered)]


def cleaned(log: Sequence[Logged], *until: int) -> list[Logged]:
    """What the cleaner leaves of a log, where each of its passes went from the time of the one
    before up to `until`: of each key the last record, and the ends of transactions. Tombstones are
    younger than a day, and stay.

    One pass is what a broker has. Two are a copy of a folder that was made file by file, while the
    cleaner worked: the first files are of before.
    """
    kept: list[Logged] = []
    begin = 0
    for end in until:
        part = [row for row in log if begin <= row.entry.time < end]
        last = {row.entry.key: row.offset for row in part if _counts(row.entry)}
        kept += [
            row for row in part if row.entry.key is None or row.offset == last.get(row.entry.key)
        ]
        begin = end
    return kept + [row for row in log if row.entry.time >= begin]


def _counts(entry: Entry) -> bool:
    return entry.key is not None and entry.committed


def as_consumed(log: Iterable[Logged]) -> list[Logged]:
    """What a consumer gets that reads committed records only."""
    return [row for row in log if _counts(row.entry)]


def write_segments(broker: Path, partition: int, log: Sequence[Logged], codec: int) -> None:
    """Write the log of a partition into a broker's folder."""
    home = broker / f"{_TOPIC}-{partition}"
    home.mkdir(parents=True)
    for start in range(0, max(len(log), 1), _IN_A_SEGMENT):
        rows = log[start : start + _IN_A_SEGMENT]
        base = rows[0].offset if start else 0
        (home / f"{base:020}.log").write_bytes(b"".join(batches(rows, codec)))


def batches(log: Sequence[Logged], codec: int) -> Iterator[bytes]:
    """A batch has records of one producer; one that ends a transaction has nothing else."""
    for (producer, ends), run in groupby(
        log, key=lambda row: (row.entry.producer, row.entry.key is None)
    ):
        rows = list(run)
        size = 1 if ends else _IN_A_BATCH
        for start in range(0, len(rows), size):
            part = rows[start : start + size]
            yield _end(part[0]) if ends else _batch(part, producer, codec)


def _batch(rows: Sequence[Logged], producer: int, codec: int) -> bytes:
    base = rows[0].offset
    data = _built([(row.offset - base, row.entry) for row in rows], producer, codec)
    data[:8] = base.to_bytes(8, "big")  # not part of the checksum
    return bytes(data)


def _end(row: Logged) -> bytes:
    """A control batch: its key has a version and 1 for a commit, its value the coordinator."""
    kind = (0).to_bytes(2, "big") + int(row.entry.committed).to_bytes(2, "big")
    entry = row.entry._replace(key=kind, value=bytes(6))
    data = _built([(0, entry)], row.entry.producer, 0)
    data[:8] = row.offset.to_bytes(8, "big")
    data[22] |= _CONTROL
    data[17:21] = crc(bytes(data[21:])).to_bytes(4, "big")
    return bytes(data)


def _built(rows: Sequence[tuple[int, Entry]], producer: int, codec: int) -> bytearray:
    inside = producer >= 0
    number = 0 if inside else -1  # of the producer's epoch, and of its first batch
    builder = DefaultRecordBatchBuilder(2, codec, inside, producer, number, number, 1 << 30)
    for at, entry in rows:
        assert builder.append(at, entry.time, entry.key, entry.value, [])
    return bytearray(builder.build())
