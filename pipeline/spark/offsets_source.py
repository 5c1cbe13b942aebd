"""The Spark data source `kproto.offsets`: records of the topic in which groups keep their state.

    spark.read.format("kproto.offsets").load("/var/lib/kafka")                    # log segments
    spark.read.format("kproto.offsets").load("s3://bucket/backup/")
    spark.read.format("kproto.offsets").option("kafka.bootstrap.servers", "host:9092").load()
    spark.readStream.format("kproto.offsets").option("kafka.bootstrap.servers", ...).load()

| option | what |
|---|---|
| path | a segment, or a folder with segments, here or by a URI of s3, gs, abfs, hdfs |
| kafka.bootstrap.servers | a broker instead; other options `kafka.NAME` are settings of a client |
| groups | only records of these groups, separated by commas |
| records | only records of these kinds: commits, classic, consumer, share, streams |
| cluster_id | the value of that column |
| split_bytes | about how many bytes of a segment a task reads; 64 MiB |
| max_records | about how many offsets a batch of a stream takes at most (Spark 4.2); all |

`record_table` has the columns. Nothing is ever written: no group is joined, nothing is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from ...cluster.admin import OFFSETS_TOPIC
from ...cluster.records import BrokerError, PartitionRange
from ...wording import did_you_mean
from ..sources.broker import BrokerUnit, bounds, shared
from ..sources.places import filesystem
from ..sources.record_table import RECORDS
from ..sources.segments.files import plan
from ..sources.segments.split_reader import read_split

try:
    from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow

    HAS_LIMITS = True
except ImportError:  # before Spark 4.2, which says neither where a batch begins nor how large it is
    HAS_LIMITS = False

    class SupportsTriggerAvailableNow:  # type: ignore[no-redef]
        """Stands for Spark's class."""


if TYPE_CHECKING:
    from pyspark.sql.streaming.datasource import ReadLimit

__all__ = [
    "KINDS",
    "BrokerReader",
    "BrokerStream",
    "OffsetsSource",
    "Options",
    "SplitPartition",
]

KINDS: dict[str, tuple[int, ...]] = {
    "commits": (0, 1),
    "classic": (2,),
    "consumer": (*range(3, 9), 16),
    "share": tuple(range(10, 16)),
    "streams": tuple(range(17, 24)),
}
"""The kinds of records, and the record types of each."""

SERVERS = "kafka.bootstrap.servers"
SPLIT_BYTES = 64 << 20
_NAMES = ("path", "groups", "records", "cluster_id", "split_bytes", "max_records")
_MOST_ROWS = 1 << 16  # of one Arrow batch
_MOST_BYTES = 32 << 20


class Condition(NamedTuple):
    """A condition on rows: `compare` of a column and a value."""

    column: str
    compare: Callable[[Any, Any], Any]
    value: Any

    def holds(self, table: pa.Table) -> Any:
        """Return true or false for each row; null where it cannot be told."""
        return self.compare(table.column(self.column), self.value)


def _is_in(column: Any, values: Any) -> Any:
    return pc.is_in(column, value_set=values)


class Options(NamedTuple):
    """The options of the data source, read and checked."""

    path: str | None
    client: tuple[tuple[str, str], ...]  # settings of a Kafka client
    conditions: tuple[Condition, ...]
    cluster_id: str | None
    split_bytes: int
    max_records: int | None = None  # of one batch of a stream

    @classmethod
    def read(cls, texts: Mapping[str, str]) -> Options:
        """Return a user's options, whose names Spark does not tell apart by case. Raises ValueError
        for an unknown name, and where they do not fit together.
        """
        options = {name.lower(): text for name, text in texts.items()}
        unknown = sorted(name for name in options if name not in _NAMES and name[:6] != "kafka.")
        if unknown:
            names = (*_NAMES, "kafka.SETTING")
            near = did_you_mean(unknown[0], names)
            raise ValueError(f"kproto.offsets has no option {', '.join(unknown)}{near}")
        path = options.get("path")
        client = tuple(
            (name.removeprefix("kafka."), text)
            for name, text in options.items()
            if name.startswith("kafka.")
        )
        if (path is None) == (options.get(SERVERS) is None):
            raise ValueError(f"kproto.offsets reads a path or {SERVERS}: give one of the two")
        return cls(
            path,
            client,
            _conditions(options),
            options.get("cluster_id"),
            _number(options, "split_bytes", "bytes") or SPLIT_BYTES,
            _number(options, "max_records", "offsets"),
        )


def _conditions(options: Mapping[str, str]) -> tuple[Condition, ...]:
    conditions = []
    if "groups" in options:
        groups = pa.array(_words(options, "groups"), pa.string())
        conditions.append(Condition("group_id", _is_in, groups))
    if "records" in options:
        kinds = _words(options, "records")
        unknown = sorted(set(kinds) - set(KINDS))
        if unknown:
            raise ValueError(f"records: {', '.join(unknown)} is none of {', '.join(KINDS)}")
        types = [number for kind in kinds for number in KINDS[kind]]
        conditions.append(Condition("record_type", _is_in, pa.array(types, pa.int16())))
    return tuple(conditions)


def _number(options: Mapping[str, str], name: str, unit: str) -> int | None:
    text = options.get(name)
    if text is not None and (not text.isdecimal() or int(text) < 1):
        raise ValueError(f"{name}: {text!r} is no number of {unit}")
    return None if text is None else int(text)


def _words(options: Mapping[str, str], name: str) -> list[str]:
    words = [word.strip() for word in options[name].split(",") if word.strip()]
    if not words:
        raise ValueError(f"{name}: {options[name]!r} names none; without the option all are read")
    return words


def select(tables: Iterable[pa.Table], conditions: Sequence[Condition]) -> Iterator[pa.RecordBatch]:
    """Yield the rows that fulfil all conditions, in batches of bounded rows and bytes.

    A row with a problem is yielded whatever the conditions.
    """
    for table in tables:
        rows = table
        if conditions:
            matches = reduce(pc.and_kleene, [condition.holds(table) for condition in conditions])
            rows = table.filter(pc.or_kleene(matches, table.column("problem").is_valid()))
        for batch in rows.cast(RECORDS).to_batches(max_chunksize=_MOST_ROWS):
            yield from _halved(batch)


def _halved(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    rows = batch.num_rows
    if rows > 1 and batch.nbytes > _MOST_BYTES:
        yield from _halved(batch.slice(0, rows // 2))
        yield from _halved(batch.slice(rows // 2))
    elif rows:
        yield batch


class OffsetsSource(DataSource):
    """The data source `kproto.offsets`; Spark makes one for each query."""

    @classmethod
    def name(cls) -> str:
        return "kproto.offsets"

    def schema(self) -> StructType:
        schema: StructType = from_arrow_schema(RECORDS)
        return schema

    def reader(self, schema: StructType) -> DataSourceReader:
        self._check(schema)
        options = Options.read(self.options)
        return BrokerReader(options) if options.path is None else SegmentReader(options)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802  # Spark's
        self._check(schema)
        options = Options.read(self.options)
        if options.path is not None:
            raise ValueError(f"only a broker can be followed: give {SERVERS}, not a path")
        if options.max_records is not None and not HAS_LIMITS:
            raise ValueError("max_records needs PySpark 4.2 or newer")
        return BrokerStream(options)

    def _check(self, schema: StructType) -> None:
        """Refuse a user's schema that is not that of this source."""
        types = {field.name: field.dataType for field in self.schema()}
        if [(field.name, field.dataType) for field in schema] != [*types.items()]:
            names = ", ".join(types)
            raise ValueError(
                f"kproto.offsets gives the columns {names}: leave out .schema(...), and choose of "
                "them with .select(...)"
            )


class SplitPartition(InputPartition):
    """The part of a source that one task reads."""


class SegmentReader(DataSourceReader):
    """A reader of log segments."""

    # No filters are pushed: Spark 4.3 keeps what one query pushed for all later ones of the same
    # DataFrame, and for the other side of a union, which then lack rows.

    def __init__(self, options: Options) -> None:
        self.options = options

    def partitions(self) -> Sequence[InputPartition]:
        assert self.options.path is not None
        splits = plan(self.options.path, self.options.split_bytes)
        return [SplitPartition(split) for split in splits]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if partition.value is None:  # how Spark reads no partitions
            return
        assert self.options.path is not None
        store, _ = filesystem(self.options.path)
        tables = read_split(store, partition.value, self.options.cluster_id)
        yield from select(tables, self.options.conditions)


class BrokerReader(DataSourceReader):
    """A reader of what is in the topic when the query begins."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def partitions(self) -> Sequence[InputPartition]:
        return _not_empty(bounds(self.options.client))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if partition.value is None:  # how Spark reads no partitions
            return
        yield from select(_broker_tables(self.options, partition.value), self.options.conditions)


class BrokerStream(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """A reader that follows the topic; Spark keeps the position in the query's checkpoint.

    An offset is {"0": 17, ...}: for each partition the next one to be read. What was deleted or
    compacted away in between is an error, not a gap: see `BrokerUnit.tables`. With the option
    `max_records` no batch goes further than so many offsets.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._last: Sequence[PartitionRange] | None = None

    def initialOffset(self) -> dict[str, int]:  # noqa: N802  # Spark's name
        return {str(bound.partition): bound.start for bound in self._bounds()}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows  # late: 4.2

        most = self._options.max_records
        return ReadAllAvailable() if most is None else ReadMaxRows(most)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._last = self._bounds()

    def latestOffset(  # noqa: N802
        self, start: Mapping[str, int] | None = None, limit: ReadLimit | None = None
    ) -> dict[str, int]:
        """Return where the next batch ends. Before Spark 4.2 both arguments are None: everything
        is read that there is."""
        ends = self._bounds() if self._last is None else self._last
        if start is None and not HAS_LIMITS:
            return {str(bound.partition): bound.end for bound in ends}
        begin = {str(bound.partition): bound.start for bound in ends} | dict(start or {})
        for bound in ends:
            _check_within(bound, begin[str(bound.partition)])
        waiting = {str(bound.partition): bound.end - begin[str(bound.partition)] for bound in ends}
        admitted = shared(waiting, getattr(limit, "max_rows", None))
        return {name: begin[name] + count for name, count in admitted.items()}

    def _bounds(self) -> list[PartitionRange]:
        return bounds(self._options.client)

    def partitions(
        self, start: Mapping[str, int], end: Mapping[str, int]
    ) -> Sequence[InputPartition]:
        ranges = [PartitionRange(int(name), start.get(name, 0), end[name]) for name in end]
        for part in ranges:
            _check_within(part, part.start)
        return _not_empty(ranges)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        yield from select(_broker_tables(self._options, partition.value), self._options.conditions)

    def commit(self, end: Mapping[str, int]) -> None:
        """Do nothing: the source is never written to."""


def _not_empty(ranges: Iterable[PartitionRange]) -> list[SplitPartition]:
    return [SplitPartition(part) for part in ranges if part.start < part.end]


def _check_within(bound: PartitionRange, offset: int) -> None:
    if not bound.start <= offset <= bound.end:
        raise BrokerError(
            f"{OFFSETS_TOPIC}-{bound.partition}: offset {offset:,} comes next, and the broker has "
            f"{bound.start:,} to {bound.end:,}; was the topic made anew?"
        )


def _broker_tables(options: Options, part: PartitionRange) -> Iterator[pa.Table]:
    tables = BrokerUnit(options.client, part).tables(options.cluster_id)
    return (table.cast(RECORDS) for table in tables)
