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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    IsNotNull,
    IsNull,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from .record_table import RECORDS

__all__ = ["KINDS", "OffsetsSource"]

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
_MOST_ROWS = 1 << 16  # of one Arrow batch
_MOST_BYTES = 32 << 20


class Condition(NamedTuple):
    """What rows have to fulfil: `compare` of a column and a value."""

    column: str
    compare: Callable[[Any, Any], Any]
    value: Any

    def holds(self, table: pa.Table) -> Any:
        """True or False for each row; null where it cannot be said."""
        return self.compare(table.column(self.column), self.value)


def _is_in(column: Any, values: Any) -> Any:
    return pc.is_in(column, value_set=values)


def _null(column: Any, wanted: bool) -> Any:
    return pc.equal(pc.is_null(column), wanted)


_FILTERS: dict[type[Filter], Callable[[Any, Any], Any]] = {
    EqualTo: pc.equal,
    GreaterThan: pc.greater,
    GreaterThanOrEqual: pc.greater_equal,
    LessThan: pc.less,
    LessThanOrEqual: pc.less_equal,
}
_FILTERED = (
    "cluster_id", "source", "source_partition", "source_offset", "record_type", "group_id",
    "problem",
)  # fmt: skip


def _condition(given: Filter) -> Condition | None:
    """The filter as this source can apply it, exactly as Spark would; None where it cannot."""
    attribute: tuple[str, ...] = getattr(given, "attribute", ())
    if len(attribute) != 1 or attribute[0] not in _FILTERED:
        return None
    (column,) = attribute
    type_ = RECORDS.field(column).type
    if isinstance(given, IsNull | IsNotNull):
        return Condition(column, _null, isinstance(given, IsNull))
    if isinstance(given, In):
        values = [value for value in given.value if value is not None]
        return Condition(column, _is_in, pa.array(values, type_))
    compare = _FILTERS.get(type(given))
    value = getattr(given, "value", None)
    return None if compare is None or value is None else Condition(column, compare, value)


class Options(NamedTuple):
    """The options, read and checked."""

    path: str | None
    client: tuple[tuple[str, str], ...]  # librdkafka's settings
    conditions: tuple[Condition, ...]
    cluster_id: str | None
    split_bytes: int
    max_records: int | None = None  # of one batch of a stream

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Options:
        """Raises ValueError where they do not fit together."""
        path = given.get("path")
        client = tuple(
            (name.removeprefix("kafka."), value)
            for name, value in given.items()
            if name.startswith("kafka.")
        )
        if (path is None) == (given.get(SERVERS) is None):
            raise ValueError(f"kproto.offsets reads a path or {SERVERS}: give one of the two")
        return cls(
            path,
            client,
            _conditions(given),
            given.get("cluster_id"),
            _number(given, "split_bytes", "bytes") or SPLIT_BYTES,
            _number(given, "max_records", "offsets"),
        )


def _conditions(given: Mapping[str, str]) -> tuple[Condition, ...]:
    made = []
    if "groups" in given:
        groups = pa.array(_words(given, "groups"), pa.string())
        made.append(Condition("group_id", _is_in, groups))
    if "records" in given:
        kinds = _words(given, "records")
        unknown = sorted(set(kinds) - set(KINDS))
        if unknown:
            known = ", ".join(KINDS)
            raise ValueError(f"records: {', '.join(unknown)} is none of {known}")
        types = [number for kind in kinds for number in KINDS[kind]]
        made.append(Condition("record_type", _is_in, pa.array(types, pa.int16())))
    return tuple(made)


def _number(given: Mapping[str, str], name: str, what: str) -> int | None:
    text = given.get(name)
    if text is not None and (not text.isdecimal() or int(text) < 1):
        raise ValueError(f"{name}: {text!r} is no number of {what}")
    return None if text is None else int(text)


def _words(given: Mapping[str, str], name: str) -> list[str]:
    words = [word.strip() for word in given[name].split(",") if word.strip()]
    if not words:
        raise ValueError(f"{name}: {given[name]!r} names none; without the option all are read")
    return words


class OffsetsSource(DataSource):
    """The data source; Spark makes one for each query."""

    @classmethod
    def name(cls) -> str:
        return "kproto.offsets"

    def schema(self) -> StructType:
        made: StructType = from_arrow_schema(RECORDS)
        return made

    def reader(self, schema: StructType) -> DataSourceReader:
        self._check(schema)
        options = Options.read(_plain(self.options))
        if options.path is None:
            from .broker import BrokerReader

            return BrokerReader(options)
        return SegmentReader(options)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802  # Spark's
        self._check(schema)
        options = Options.read(_plain(self.options))
        if options.path is not None:
            raise ValueError(f"only a broker can be followed: give {SERVERS}, not a path")
        from .broker import BrokerStream

        return BrokerStream(options)

    def _check(self, given: StructType) -> None:
        """Whether it is ours: a user may have named another."""
        ours = {one.name: one.dataType for one in self.schema()}
        if [(one.name, one.dataType) for one in given] != [*ours.items()]:
            names = ", ".join(ours)
            raise ValueError(
                f"kproto.offsets gives the columns {names}: leave out .schema(...), and choose of "
                "them with .select(...)"
            )


_NAMES = ("path", "groups", "records", "cluster_id", "split_bytes", "max_records")


def _plain(options: Mapping[str, str]) -> dict[str, str]:
    """Spark's options do not mind upper and lower case; these do."""
    found = {name.lower(): value for name, value in options.items()}
    unknown = sorted(name for name in found if name not in _NAMES and name[:6] != "kafka.")
    if unknown:
        raise ValueError(f"kproto.offsets has no option {', '.join(unknown)}")
    return found


class FilteringReader(DataSourceReader):
    """A reader that applies filters itself, where Spark hands it any."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.pushed: list[Condition] = []

    @property
    def pushFilters(self) -> Any:  # noqa: N802  # Spark's name
        return _PushFilters(self)

    def selected(self, tables: Iterable[pa.Table]) -> Iterator[pa.RecordBatch]:
        """Return the rows that are asked for."""
        return select(tables, self.options.conditions, self.pushed)


class _PushFilters:
    """What Spark calls where `spark.sql.python.filterPushdown.enabled` is set.

    Where it is not, Spark refuses a reader that has a `pushFilters` of its own, and looks for one
    by `__func__`. The switch cannot be seen from here, so this shows the one of the base class:
    then nothing is pushed, and Spark filters what comes.
    """

    def __init__(self, reader: FilteringReader) -> None:
        self._reader = reader
        self.__func__ = DataSourceReader.pushFilters

    def __call__(self, filters: Sequence[Filter]) -> Iterator[Filter]:
        for given in filters:
            condition = _condition(given)
            if condition is None:
                yield given
            else:
                self._reader.pushed.append(condition)


def select(
    tables: Iterable[pa.Table], asked: Sequence[Condition], pushed: Sequence[Condition] = ()
) -> Iterator[pa.RecordBatch]:
    """Yield the rows that fulfil all conditions, in batches of bounded rows and bytes.

    What could not be read is told, whatever the options `groups` and `records` leave out.
    """
    for table in tables:
        kept = _all_hold(table, asked)
        if kept is not None:
            kept = pc.or_kleene(kept, table.column("problem").is_valid())
        both = [each for each in (kept, _all_hold(table, pushed)) if each is not None]
        yield from batches(table.filter(reduce(pc.and_kleene, both)) if both else table)


def _all_hold(table: pa.Table, conditions: Sequence[Condition]) -> Any:
    held = [condition.holds(table) for condition in conditions]
    return reduce(pc.and_kleene, held) if held else None


_SPARK_SCHEMA = to_arrow_schema(from_arrow_schema(RECORDS), timezone="UTC")


def batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    """Yield a table in batches that Spark takes in one piece."""
    for batch in table.cast(_SPARK_SCHEMA).to_batches(max_chunksize=_MOST_ROWS):
        yield from _halved(batch)


def _halved(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    rows = batch.num_rows
    if rows > 1 and batch.nbytes > _MOST_BYTES:
        yield from _halved(batch.slice(0, rows // 2))
        yield from _halved(batch.slice(rows // 2))
    elif rows:
        yield batch


class SplitPartition(InputPartition):
    """One task's work."""


class SegmentReader(FilteringReader):
    """Reads log segments."""

    def partitions(self) -> Sequence[InputPartition]:
        from .segment_files import plan

        assert self.options.path is not None
        splits = plan(self.options.path, self.options.split_bytes)
        return [SplitPartition(split) for split in splits if self._may_hold(split.partition)]

    def _may_hold(self, partition: int | None) -> bool:
        """Whether the conditions on the partition leave anything of this one."""
        row = pa.table({"source_partition": pa.array([partition], pa.int32())})
        asked = [each for each in self.pushed if each.column == "source_partition"]
        kept = _all_hold(row, asked)
        return kept is None or kept[0].as_py() is True

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        from .segment_files import filesystem
        from .segment_tables import read_split

        if partition.value is None:  # how Spark reads no partitions
            return
        assert self.options.path is not None
        store, _ = filesystem(self.options.path)
        tables = read_split(store, partition.value, self.options.cluster_id)
        yield from self.selected(table.cast(RECORDS) for table in tables)
