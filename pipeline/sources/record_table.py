"""Records of the offsets topic as Arrow tables: the rows of the data source `kproto.offsets`.

One row for each record, in the order of the log, and one for whatever could not be read, so that
nothing is lost silently. `RECORDS` is the schema:

| column | type | what |
|---|---|---|
| cluster_id | string, nullable | as the caller says |
| source | string | the file, or the broker's address |
| source_partition | int32, nullable | the topic's partition |
| source_offset | int64, nullable | the record's offset; null beside a problem |
| record_timestamp | timestamp(us, UTC), nullable | of the record |
| record_type | int16, nullable | what the key begins with |
| group_id | string, nullable | the group that the key names |
| key, value | binary, nullable | the bytes; a value of null is a tombstone |
| transactional | bool, nullable | null where a client does not tell |
| outcome | string, nullable | of the transaction: committed, aborted, undecided |
| problem | string, nullable | why no record is here, and `value` has the bytes, up to a mebibyte; or why this record does not count |
| position | int64, nullable | of the batch in its file |

Marks that end a transaction are no records. They are left out.
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from ...capture.compression import CannotDecompress, Unpacker
from ...capture.segments.records import (
    LAST_TIME,
    MAX_DECOMPRESSED,
    BatchInfo,
    Outcome,
    read_records,
)
from ...capture.summary import Summary
from ...codec import KprotoError
from ...codec.wire import utf8
from ..columnar.arrays import CODED_TEXT, dictionary, same
from ..columnar.columns import bitmap
from .record_batches import (
    BATCH_NUMBERS,
    NO_KEY,
    BatchArrays,
    RecordArrays,
    read_batches,
    read_plain_batches,
)

__all__ = [
    "CODED",
    "MAX_SHOWN",
    "RECORDS",
    "NotRecords",
    "RecordTables",
    "Scratch",
    "SourceColumns",
    "key_says",
    "microseconds",
    "table_of",
]

MAX_SHOWN = 1 << 20
"""How many bytes of what could not be read are kept."""

TIMESTAMP = pa.timestamp("us", tz="UTC")
RECORDS = pa.schema(
    [
        pa.field("cluster_id", pa.string()),
        pa.field("source", pa.string(), nullable=False),
        pa.field("source_partition", pa.int32()),
        pa.field("source_offset", pa.int64()),
        pa.field("record_timestamp", TIMESTAMP),
        pa.field("record_type", pa.int16()),
        pa.field("group_id", pa.string()),
        pa.field("key", pa.binary()),
        pa.field("value", pa.binary()),
        pa.field("transactional", pa.bool_()),
        pa.field("outcome", pa.string()),
        pa.field("problem", pa.string()),
        pa.field("position", pa.int64()),
    ]
)

_OFTEN = {
    "cluster_id": CODED_TEXT,
    "source": CODED_TEXT,
    "group_id": CODED_TEXT,
    "key": pa.dictionary(pa.int32(), pa.binary()),
    "outcome": CODED_TEXT,
}
CODED = pa.schema([field.with_type(_OFTEN.get(field.name, field.type)) for field in RECORDS])
"""The same with each text and key once that is the same for many rows: what is read of segments."""

_HEADER = 61
_COUNT = 57  # the number of records
_FULL = 16 << 20  # bytes of batches that make a table
_OUTCOMES = pa.array(["committed", "aborted", "undecided"], pa.string())
OutcomeOf: TypeAlias = Callable[[int, int, int], Outcome | None]
"""Returns the outcome of a transaction: of a producer, at a base offset, which is of a batch at a
position."""
_NUMBERS: dict[Outcome | None, int] = {"committed": 0, "aborted": 1, "undecided": 2, None: -1}


class NotRecords(KprotoError):
    """A source that does not hold the records of one cluster's offsets topic."""


class SourceColumns(NamedTuple):
    """The columns that all rows of a source have in common."""

    cluster_id: str | None
    source: str
    partition: int | None


class _Held(NamedTuple):
    """A batch whose records wait to be read."""

    data: bytes
    start: int  # of the records in `data`
    numbers: tuple[int, int, int, int]  # records, base offset, base timestamp, same for all
    position: int
    transactional: bool
    outcome: Outcome | None


class Scratch:
    """Arrays that are filled again and again: filling new memory takes longer than copying the
    result out.
    """

    def __init__(self) -> None:
        self._arrays: RecordArrays | None = None
        self._size = -1

    def arrays(self, size: int) -> RecordArrays:
        """Return arrays with room for the records of so many bytes."""
        if self._arrays is None or size > self._size:
            self._arrays, self._size = RecordArrays.of(size), size
        return self._arrays


class RecordTables:
    """Collects batches, and returns their records as tables of `CODED`."""

    def __init__(self, place: SourceColumns, scratch: Scratch) -> None:
        """`scratch` is used by one object at a time."""
        self._place = place
        self._held: list[_Held] = []
        self._bytes = 0
        self._scratch = scratch
        self._unpacker = Unpacker()

    def add(self, batch: Any, outcome: Outcome | None) -> Iterator[pa.Table]:
        """Add a batch of `capture`, and yield the tables that are full by now."""
        if batch.control:
            return
        if batch.magic != 2:
            yield from self.rest()
            yield self._legacy(batch)
            return
        data, start = batch.data, _HEADER
        if batch.codec:
            try:
                count = int.from_bytes(data[_COUNT:_HEADER], "big", signed=True)
                data = self._unpacker.unpack(batch.codec, data[_HEADER:], MAX_DECOMPRESSED, count)
                start = 0
            except CannotDecompress as problem:
                yield from self.rest()
                yield self.problem(str(problem), batch.position, batch.data, batch.base_offset)
                return
        header = batch.data
        latest = batch.log_append_time
        times = header[35:43] if latest else header[27:35]
        self._held.append(
            _Held(
                data,
                start,
                (
                    int.from_bytes(header[57:61], "big", signed=True),
                    batch.base_offset,
                    int.from_bytes(times, "big", signed=True),
                    int(latest),
                ),
                batch.position,
                batch.transactional,
                outcome,
            )
        )
        self._bytes += len(data)
        if self._bytes >= _FULL:
            yield from self.rest()

    def plain(
        self, data: bytes | memoryview, position: int, outcome: OutcomeOf
    ) -> tuple[pa.Table | None, int]:
        """Return the plain batches that `data` begins with: their table (None: no record), and
        their size in bytes. `position` is where `data` begins in the source.

        Call `rest` before, for the order of the log.
        """
        arrays = self._scratch.arrays(len(data))
        batches = BatchArrays.of(len(data))
        rows, keys, count, size = read_plain_batches(data, batches, arrays)
        if not rows:
            return None, size
        positions, base_offsets, producers, marked = (column[:count] for column in batches)
        positions += position
        if not marked.any():
            transactional = pa.repeat(pa.scalar(False), rows), pa.nulls(rows, CODED_TEXT)
            return self._table(positions, transactional, arrays, rows, keys), size
        outcomes = np.full(count, _NUMBERS[None], np.int32)
        inside = np.unique(arrays.batch[:rows])  # a mark has no rows, and no outcome
        inside = inside[marked[inside] != 0]
        columns = [column[inside].tolist() for column in (producers, base_offsets, positions)]
        outcomes[inside] = [_NUMBERS[outcome(*place)] for place in zip(*columns, strict=True)]
        transactional = _transactional(marked.astype(np.bool_), outcomes, arrays.batch[:rows])
        return self._table(positions, transactional, arrays, rows, keys), size

    def rest(self) -> Iterator[pa.Table]:
        """Yield the records that have been added since the last table."""
        batches, self._held, self._bytes = self._held, [], 0
        if batches:
            yield from self._read(batches)

    def problem(
        self, reason: str, position: int | None, data: bytes, offset: int | None = None
    ) -> pa.Table:
        """Return a row for bytes that could not be read."""
        row = {
            "source_offset": offset,
            "value": data[:MAX_SHOWN],
            "problem": reason,
            "position": position,
        }
        return table_of(self._place, [row]).cast(CODED)

    def _read(self, batches: Sequence[_Held]) -> Iterator[pa.Table]:
        data = b"".join([batch.data for batch in batches])
        numbers = np.empty((len(batches), BATCH_NUMBERS), np.int64)
        end = 0
        for batch, row in zip(batches, numbers, strict=True):
            start, end = end, end + len(batch.data)
            row[:] = (start + batch.start, end, *batch.numbers)
        broken = np.empty(len(batches), np.uint8)
        arrays = self._scratch.arrays(len(data))
        rows, keys = read_batches(data, numbers, broken, arrays)
        count = len(batches)
        positions = np.fromiter((entry.position for entry in batches), np.int64, count)
        marked = np.fromiter((entry.transactional for entry in batches), np.bool_, count)
        outcomes = np.fromiter((_NUMBERS[entry.outcome] for entry in batches), np.int32, count)
        transactional = _transactional(marked, outcomes, arrays.batch[:rows])
        yield self._table(positions, transactional, arrays, rows, keys)
        for number in np.flatnonzero(broken).tolist():
            batch = batches[number]
            reason = "rest of a batch whose records are damaged"
            yield self.problem(reason, batch.position, batch.data[batch.start :])

    def _table(
        self,
        positions: Any,
        transactional: tuple[pa.Array, pa.Array],
        arrays: RecordArrays,
        rows: int,
        keys: int,
    ) -> pa.Table:
        """Return the rows in `arrays`. `positions` is where each batch is, `transactional` has the
        columns transactional and outcome.
        """
        batch = arrays.batch[:rows]
        times = arrays.timestamp[:rows]
        codes = _not_missing(arrays.key[:rows].copy(), arrays.key[:rows] == NO_KEY)
        no_type = arrays.keys[1 : keys + 1] - arrays.keys[:keys] < 2
        key = _sized(pa.binary(), arrays.keys, arrays.keys_data, arrays.keys_valid, keys)
        group = _sized(pa.string(), arrays.group, arrays.group_data, arrays.group_valid, keys)
        groups = group.dictionary_encode()
        cluster, source, partition = self._place
        return pa.Table.from_arrays(
            [
                same(cluster, rows),
                same(source, rows),
                _partitions(partition, rows),
                pa.array(arrays.offset[:rows].copy()),
                _not_missing(times * 1000, (times < 0) | (times > LAST_TIME)).cast(TIMESTAMP),
                _not_missing(arrays.type[:keys].copy(), no_type).take(codes),
                dictionary(groups.indices.take(codes), groups.dictionary),
                dictionary(codes, key),
                _sized(pa.binary(), arrays.value, arrays.value_data, arrays.value_valid, rows),
                *transactional,
                pa.nulls(rows, pa.string()),
                pa.array(positions.take(batch)),
            ],
            schema=CODED,
        )

    def _legacy(self, batch: Any) -> pa.Table:
        """Return the messages of a batch of before Kafka 0.11. These are rare enough to be read one
        by one.
        """
        summary = Summary()
        info = BatchInfo("", None, batch.position, batch.base_offset, False, False, -1, None)
        rows = [
            {
                "source_offset": record.offset,
                "record_timestamp": microseconds(record.timestamp),
                "key": record.key,
                "value": record.value,
                "transactional": False,
                "position": batch.position,
            }
            | key_says(record.key)
            for record in read_records(batch, info, summary, unpacker=self._unpacker)
        ]
        tables = [table_of(self._place, rows).cast(CODED)]
        tables += [
            self.problem(skip.reason, batch.position, batch.data) for skip in summary.skipped
        ]
        return pa.concat_tables(tables)


def _transactional(marked: Any, outcomes: Any, batch: Any) -> tuple[pa.Array, pa.Array]:
    """Return the columns transactional and outcome of rows from those of batches; `batch` has the
    number of each row's."""
    numbers = outcomes[batch]
    return pa.array(marked[batch]), dictionary(_not_missing(numbers, numbers < 0), _OUTCOMES)


def table_of(place: SourceColumns, rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Return a table of rows that are read one by one; missing columns are null."""
    cluster, source, partition = place
    common = {"cluster_id": cluster, "source": source, "source_partition": partition}
    return pa.Table.from_pylist([common | row for row in rows], RECORDS)


def microseconds(milliseconds: int | None) -> int | None:
    """Return the time of a record as a table has it; None where there is none, or one of no
    calendar.
    """
    if milliseconds is None or not 0 <= milliseconds <= LAST_TIME:
        return None
    return milliseconds * 1000


def key_says(key: bytes | None) -> dict[str, Any]:
    """Return the record type and the group that a key names, by the rules of `record_batches`."""
    if key is None or len(key) < 2:
        return {}
    size = int.from_bytes(key[2:4], "big", signed=True) if len(key) >= 4 else -1
    fits = 0 <= size <= len(key) - 4
    return {
        "record_type": int.from_bytes(key[:2], "big", signed=True),
        "group_id": utf8.decode(key[4 : 4 + size]) if fits else None,
    }


def _not_missing(values: Any, missing: Any) -> pa.Array:
    """Return numbers, null where they are missing, which they nearly never are."""
    return pa.array(values, mask=missing) if missing.any() else pa.array(values)


def _partitions(partition: int | None, rows: int) -> pa.Array:
    """Return a column with this partition in all rows."""
    if partition is None:
        return pa.nulls(rows, pa.int32())
    return pa.array(np.full(rows, partition, np.int32))


def _sized(type_: pa.DataType, offsets: Any, data: Any, valid: Any, rows: int) -> pa.Array:
    # Memory of Arrow's, which is used again, where numpy's would be new.
    content = pa.allocate_buffer(int(offsets[rows]))
    np.frombuffer(content, np.uint8)[:] = data[: offsets[rows]]
    ends = pa.py_buffer(offsets[: rows + 1].copy())
    return pa.Array.from_buffers(type_, rows, [bitmap(valid[:rows]), ends, content])
