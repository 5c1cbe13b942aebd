"""The Spark data source `kproto.offsets`: records of the topic in which groups keep their state.

    spark.read.format("kproto.offsets").load("/var/lib/kafka")                    # log segments
    spark.read.format("kproto.offsets").load("s3://bucket/backup/")
    spark.read.format("kproto.offsets").option("kafka.bootstrap.servers", "host:9092").load()
    spark.readStream.format("kproto.offsets").option("kafka.bootstrap.servers", ...).load()

| option | what |
|---|---|
| path | a segment, or a folder with segments, here or by a URI of s3, gs, abfs, hdfs |
| kafka.bootstrap.servers | a broker instead; other options `kafka.NAME` are librdkafka's |
| groups | only records of these groups, separated by commas |
| records | only records of these kinds: commits, classic, consumer, share, streams |
| cluster_id | what stands in that column |
| split_bytes | about how many bytes of a segment a task reads; 64 MiB |
| max_records | about how many offsets a batch of a stream takes at most; all that there are |

`record_table` has the columns. Nothing is ever written: no group is joined, nothing is committed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from ...capture.segments.segment_files import OFFSETS_TOPIC
from ..sources.broker import BrokerError, PartitionRange, administrator, bounds, read_range, shared
from ..sources.places import filesystem
from ..sources.record_table import RECORDS
from ..sources.segments.files import plan
from ..sources.segments.reading import read_split
from .offsets_options import (
    SERVERS,
    Options,
    checked_names,
    select,
)

__all__ = ["BrokerReader", "BrokerStream", "OffsetsSource", "SplitPartition", "register"]


class OffsetsSource(DataSource):
    """The data source `kproto.offsets`; Spark makes one for each query."""

    @classmethod
    def name(cls) -> str:
        return "kproto.offsets"

    def schema(self) -> StructType:
        made: StructType = from_arrow_schema(RECORDS)
        return made

    def reader(self, schema: StructType) -> DataSourceReader:
        self._check(schema)
        options = Options.read(checked_names(self.options))
        if options.path is None:
            return BrokerReader(options)
        return SegmentReader(options)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802  # Spark's
        self._check(schema)
        options = Options.read(checked_names(self.options))
        if options.path is not None:
            raise ValueError(f"only a broker can be followed: give {SERVERS}, not a path")

        return BrokerStream(options)

    def _check(self, given: StructType) -> None:
        """Refuse a schema that is not ours: a user may have given another."""
        ours = {field.name: field.dataType for field in self.schema()}
        if [(field.name, field.dataType) for field in given] != [*ours.items()]:
            names = ", ".join(ours)
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
        return [SplitPartition(each) for each in plan(self.options.path, self.options.split_bytes)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:

        if partition.value is None:  # how Spark reads no partitions
            return
        assert self.options.path is not None
        store, _ = filesystem(self.options.path)
        tables = read_split(store, partition.value, self.options.cluster_id)
        yield from select((table.cast(RECORDS) for table in tables), self.options.conditions)


class BrokerReader(DataSourceReader):
    """A reader of what is in the topic when the query begins."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def partitions(self) -> Sequence[InputPartition]:
        there = bounds(administrator(self.options.client))
        return [SplitPartition(each) for each in there if each.start < each.end]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if partition.value is None:  # how Spark reads no partitions
            return
        yield from select(_broker_tables(self.options, partition.value), self.options.conditions)


class BrokerStream(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """A reader that follows the topic; Spark keeps the position in the query's checkpoint.

    An offset is {"0": 17, ...}: for each partition the next one to be read. What was deleted or
    compacted away in between is an error, not a gap: see `read_range`. With the option
    `max_records` no batch goes further than so many offsets.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._last: Sequence[PartitionRange] | None = None

    def initialOffset(self) -> dict[str, int]:  # noqa: N802  # Spark's name
        return {str(bound.partition): bound.start for bound in self._bounds()}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        most = self._options.max_records
        return ReadAllAvailable() if most is None else ReadMaxRows(most)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._last = self._bounds()

    def latestOffset(  # noqa: N802
        self, start: Mapping[str, int] | None = None, limit: ReadLimit | None = None
    ) -> dict[str, int]:
        there = self._bounds() if self._last is None else self._last
        begin = {str(bound.partition): bound.start for bound in there} | dict(start or {})
        for bound in there:
            _check_within(bound, begin[str(bound.partition)])
        waiting = {str(bound.partition): bound.end - begin[str(bound.partition)] for bound in there}
        admitted = shared(waiting, limit.max_rows if isinstance(limit, ReadMaxRows) else None)
        return {name: begin[name] + count for name, count in admitted.items()}

    def _bounds(self) -> list[PartitionRange]:
        return bounds(administrator(self._options.client))

    def partitions(
        self, start: Mapping[str, int], end: Mapping[str, int]
    ) -> Sequence[InputPartition]:
        ranges = [PartitionRange(int(name), start.get(name, 0), end[name]) for name in end]
        return [SplitPartition(each) for each in ranges if each.start < each.end]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        yield from select(_broker_tables(self._options, partition.value), self._options.conditions)

    def commit(self, end: Mapping[str, int]) -> None:
        """Do nothing: the source is never written to."""


def _check_within(there: PartitionRange, at: int) -> None:
    if not there.start <= at <= there.end:
        raise BrokerError(
            f"{OFFSETS_TOPIC}-{there.partition}: offset {at:,} comes next, and the broker has "
            f"{there.start:,} to {there.end:,}; was the topic made anew?"
        )


def _broker_tables(options: Options, wanted: PartitionRange) -> Iterator[pa.Table]:
    return read_range(options.client, options.cluster_id, wanted)


def register(spark: SparkSession) -> None:
    """Let `spark.read.format("kproto.offsets")` and `spark.readStream` find the data source."""
    spark.dataSource.register(OffsetsSource)
