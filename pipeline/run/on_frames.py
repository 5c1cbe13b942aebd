"""The audit of a DataFrame of records: Spark brings the records of a group together, in order.

Records are read from keys and values first, then shuffled by a hash of the group and sorted by
their offsets, so that a task has whole groups, and neither a group nor a task has to fit into
memory as a frame. What a task finds are rows of any table, each a table of Arrow as bytes: so one
pass over the records makes all tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions
from pyspark.sql.pandas.types import from_arrow_schema

from ...capture.segments.records import LAST_TIME
from ...codec import KprotoError
from ..columnar.arrays import column
from ..groups.fleet import FLEET_COLUMNS, FLEET_ROWS
from ..groups.intake import Counts, no_record
from ..groups.options import Options
from ..groups.partition import audited
from ..sources.record_table import RECORDS, NotRecords
from ..sources.tables.log_order import Copies, Times
from ..sources.tables.parts import RawRows
from ..sources.tables.table_files import GivenFile
from ..sources.tables.table_records import records_of
from ..tables.packing import packed, unpacked
from ..tables.schemas import TABLES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = [
    "FleetRows",
    "check_staged",
    "first_pass",
    "fleet_rows",
    "frame_of",
    "staged_frame",
    "table_of_staged",
]

_STAGED = "table string, rows binary"
_COUNTS = "counts"
_RECORDS_OF_A_TASK = 200_000  # some seconds; a task of none takes its start, which is one second
_GATHERED = 16 << 20  # bytes that are audited at once: each table of Arrow costs some milliseconds
_ROWS = 1 << 14  # of a batch that Spark is given
_FILE = GivenFile("", "frame", ())
_KEPT = ("cluster_id", "source")
_ORDER = ("cluster_id", "source_partition", "source_offset", "source")

_Latest = Mapping[str, Mapping[int, int]]


class FirstPass(NamedTuple):
    """What an audit needs to know of all records before it judges one."""

    options: Options
    """With those of each cluster of the records."""
    latest: _Latest
    """The latest time of each partition of each cluster, in milliseconds since 1970."""
    tasks: int
    """In how many shares the groups are divided, where the caller does not say."""


class FleetRows(NamedTuple):
    """What the driver holds of an audit: the rows that the verdict is on, and the counts."""

    staged: Mapping[str, pa.Table]
    counts: Counts


def first_pass(records: DataFrame, options: Options) -> FirstPass:
    """Return what the records' places and times say. Raises `KprotoError` for a cluster that the
    options do not have.

    Groups are judged at the time when their partition was last written to, and a task has not all
    of it. This reads the records' places and times.
    """
    time = functions.expr("unix_millis(record_timestamp)")
    counts = time.between(0, LAST_TIME)
    if "problem" in records.columns:
        counts &= functions.expr("problem is null")
    latest = functions.max(functions.when(counts, time)).alias("latest")
    times_by_cluster: dict[str, dict[int, int]] = {}
    number = functions.count("*").alias("records")
    places = records.groupBy("cluster_id", "source_partition").agg(latest, number).collect()
    tasks = 1 + sum(row["records"] for row in places) // _RECORDS_OF_A_TASK
    for row in places:
        partition = -1 if row["source_partition"] is None else row["source_partition"]
        times = times_by_cluster.setdefault(row["cluster_id"], {})
        if row["latest"] is not None:
            times[partition] = row["latest"]
    return FirstPass(_of_clusters(options, sorted(times_by_cluster)), times_by_cluster, tasks)


def _of_clusters(options: Options, cluster_ids: Sequence[str]) -> Options:
    """Return the options with those of each of these clusters."""
    if options.clusters:
        unknown = sorted(set(cluster_ids) - {clusters.cluster_id for clusters in options.clusters})
        if unknown:
            raise KprotoError(f"there are records of {unknown[0]}, which is in no options")
        return options
    if not cluster_ids:
        return options
    if len(cluster_ids) == 1:
        return msgspec.structs.replace(options, cluster_id=cluster_ids[0])
    if options.topics is not None or options.states is not None:
        raise KprotoError(
            f"there are records of {', '.join(cluster_ids)}: say of which cluster the topics and "
            "states are, as in Options(clusters=(Options(cluster_id=..., topics=...), ...))"
        )
    clusters = tuple(msgspec.structs.replace(options, cluster_id=name) for name in cluster_ids)
    return msgspec.structs.replace(options, clusters=clusters)


def staged_frame(records: DataFrame, options: Options, latest: _Latest, tasks: int) -> DataFrame:
    """Return the rows of all tables, and the counts, as bytes: columns `table` and `rows`.

    `records` are those of `record_frame`. `tasks` is in how many shares the groups are divided.
    """
    read = records.mapInArrow(_read, from_arrow_schema(RECORDS))
    shuffled = read.repartition(tasks, "cluster_id", "group_id")

    def audit(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from _audited(batches, options, latest)

    return shuffled.sortWithinPartitions(*_ORDER).mapInArrow(audit, _STAGED)


def fleet_rows(staged: DataFrame) -> FleetRows:
    """Return what a verdict on all groups needs of a staged frame."""
    needed = staged.where(staged["table"].isin(*FLEET_COLUMNS, _COUNTS))
    counts = Counts()
    parts: dict[str, list[pa.Table]] = {name: [] for name in FLEET_COLUMNS}
    for row in needed.mapInArrow(_only_needed, _STAGED).collect():
        data = bytes(row["rows"])
        if row["table"] == _COUNTS:
            counts.add(msgspec.msgpack.decode(data, type=Counts))
        else:
            parts[row["table"]].append(unpacked(data))
    counts.check()
    tables = {}
    for name, columns in FLEET_COLUMNS.items():
        schema = pa.schema([TABLES[name].field(column_name) for column_name in columns])
        tables[name] = pa.concat_tables([schema.empty_table(), *parts[name]])
    return FleetRows(tables, counts)


def check_staged(staged: DataFrame, counts: Counts) -> None:
    """Raise `NotRecords` where a staged frame has no record of the offsets topic."""
    if counts.are_of_nothing:
        raise NotRecords("records has no row: there is nothing to audit")
    if counts.are_of_other_things:
        (first,) = table_of_staged(staged, "quarantine").select("source", "reason").take(1)
        raise NotRecords(no_record(first["source"], first["reason"]))


def table_of_staged(staged: DataFrame, name: str) -> DataFrame:
    """Return a table out of a staged frame."""
    return _table_frame(staged.where(staged["table"] == name), name)


def frame_of(spark: SparkSession, name: str, rows: pa.Table) -> DataFrame:
    """Return a DataFrame of rows of a table that the driver has."""
    parts = [(name, packed(pa.table(batch))) for batch in rows.to_batches(_ROWS)]
    return _table_frame(spark.createDataFrame(parts, _STAGED), name)


def _table_frame(staged: DataFrame, name: str) -> DataFrame:
    def unpack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        schema = pa.schema([field.remove_metadata() for field in TABLES[name]])
        for data in _cells(batches, "rows"):
            yield from unpacked(data).cast(schema).to_batches(_ROWS)

    return staged.mapInArrow(unpack, from_arrow_schema(TABLES[name]))


# -- on the executors


def _cells(batches: Iterable[pa.RecordBatch], name: str) -> Iterator[bytes]:
    for batch in batches:
        yield from (cell.as_py() for cell in batch.column(name))


def _read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield records as `RECORDS` has them; rows that are none have a problem."""
    for rows in _gathered(batches):
        numbers = pa.array(range(rows.num_rows), pa.int64())
        columns = {name: column(rows, name) for name in rows.column_names if name not in _KEPT}
        read = records_of(RawRows(columns, numbers, (), None), _FILE, None, 0)
        at = column(read, "position")
        for name in _KEPT:
            place = RECORDS.get_field_index(name)
            values = column(rows, name).take(at).cast(pa.string())
            read = read.set_column(place, RECORDS.field(name), values)
        place = RECORDS.get_field_index("position")
        read = read.set_column(place, RECORDS.field("position"), pa.nulls(len(at), pa.int64()))
        yield from read.to_batches(_ROWS)


def _audited(
    batches: Iterable[pa.RecordBatch], options: Options, latest: _Latest
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all tables, for records in the order of `_ORDER`."""
    by_cluster = {cluster_options.cluster_id: cluster_options for cluster_options in options.each}
    for cluster, parts in groupby(_clusters(batches), key=lambda part: part[0]):
        counts = Counts()
        tables = _in_log_order(rows for _, rows in parts)
        times = latest.get(cluster, {})
        for name, rows in audited(tables, by_cluster[cluster], counts, latest=times):
            if rows.num_rows:
                yield _row(name, packed(rows))
        yield _row(_COUNTS, msgspec.msgpack.encode(counts))


def _row(name: str, data: bytes) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"table": [name], "rows": pa.array([data], pa.binary())})


def _clusters(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.Table]]:
    for rows in _gathered(batches):
        names = column(rows, "cluster_id")
        for cluster in pc.unique(names).to_pylist():
            yield cluster, rows.filter(pc.equal(names, cluster)).cast(RECORDS)


def _in_log_order(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield each record once, with a time where one is known."""
    copies, times = Copies(), Times()
    for rows in tables:
        has_problem = column(rows, "problem").is_valid()
        yield rows.filter(has_problem)
        yield times.filled(copies.once(rows.filter(pc.invert(has_problem))))


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= _GATHERED:
            yield pa.Table.from_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _only_needed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield of each table the columns and rows that a verdict needs."""
    for batch in batches:
        for name, data in zip(batch.column("table").to_pylist(), batch.column("rows"), strict=True):
            if name == _COUNTS:
                yield _row(name, data.as_py())
                continue
            rows = unpacked(data.as_py()).select(FLEET_COLUMNS[name])
            selection = FLEET_ROWS.get(name)
            rows = rows if selection is None else rows.filter(selection)
            if rows.num_rows:
                plain = pa.schema(
                    [TABLES[name].field(column_name) for column_name in rows.column_names]
                )
                yield _row(name, packed(rows.cast(plain)))
