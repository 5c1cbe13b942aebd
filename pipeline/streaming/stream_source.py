"""The streaming data source `kproto.following`: the offsets topic, condensed where it is read.

The broker is asked at the driver, once a batch: where the topic begins and ends, which topic it is,
and now and then which groups are rebalancing. All of that goes into the position, which Spark
writes down before the batch runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from ...cluster.admin import Cluster
from ...cluster.errors import ClusterError
from ...cluster.records import PartitionRange, offsets_bounds
from ...cluster.transport import within
from ...codec.wire.primitives import format_uuid
from ..groups.options import Options
from ..run.broker_snapshot import unstable_groups
from ..sources.broker import BrokerUnit, ClientSettings, connected
from ..spark.offsets_source import SplitPartition
from .position import TICK_MS, OnLost, Position, RebalancingGroup, Topic, advance, first, ranges
from .signals import SIGNALS, batch_signals, condensed

if TYPE_CHECKING:
    from pyspark.sql.streaming.datasource import ReadLimit

__all__ = ["FollowingSource", "SourceSettings"]

_ID_SECONDS = 2.0
_MOST_ROWS = 1 << 12  # of one Arrow batch: values may be large


class SourceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the source, passed as its one option `settings` in JSON.

    `client` are settings of a client, `groups` those that are followed (none: all), `limit` how
    many offsets a batch has at most. `start` is where the last published batch ended.
    """

    client: tuple[tuple[str, str], ...]
    cluster_id: str = "unknown"
    groups: tuple[str, ...] = ()
    limit: int = 200_000
    on_lost: OnLost = OnLost.FAIL
    start: Position | None = None

    @property
    def options(self) -> Options:
        """The options of an audit that these settings stand for."""
        return Options(cluster_id=self.cluster_id, groups=self.groups)


class Broker:
    """A client of a followed broker, whose connections stay open."""

    def __init__(self, client: ClientSettings, options: Options) -> None:
        self._options = options
        self._session = connected(client)
        self._looks: dict[str, RebalancingGroup] = {}
        self._looked = 0
        self._silent_until = 0

    def bounds(self) -> list[PartitionRange]:
        """Return where each partition begins and ends. Raises ClusterError."""
        return self._session.ask(offsets_bounds)

    def topic(self) -> Topic:
        """Return the topic as it is now, and, every `TICK_MS`, the groups that are rebalancing.
        Raises ClusterError.
        """
        moment = int(time.time() * 1000)  # before the ends are known: what is there then is read
        unstable = None
        if moment >= self._looked + TICK_MS:
            unstable = self._look(moment)
        return Topic(moment, self._topic_id(moment), self.bounds(), unstable)

    def _topic_id(self, moment: int) -> str:
        """Return the topic's id; empty where the broker does not answer, which is then not asked
        again at once.
        """
        if moment < self._silent_until:
            return ""
        try:
            return self._session.ask(_topic_id)
        except ClusterError:
            self._silent_until = moment + TICK_MS
            return ""

    def _look(self, moment: int) -> dict[str, RebalancingGroup] | None:
        """Return the groups that are rebalancing, each since when it was seen so without a break; a
        restart is such a break. None where brokers do not list groups.
        """
        self._looked = moment
        states = unstable_groups(self._session)
        if states is None:
            return None
        self._looks = {
            group: RebalancingGroup(
                state, self._looks[group].since if group in self._looks else moment
            )
            for group, state in states.items()
            if self._options.wants(group)
        }
        return self._looks


async def _topic_id(cluster: Cluster) -> str:
    topic = await within(_ID_SECONDS, cluster.offsets_topic(), "the broker does not answer")
    topic_id = None if topic is None else topic.topic_id
    return "" if topic_id is None else format_uuid(topic_id)


class FollowingSource(DataSource):
    """The data source `kproto.following`, for `kproto audit --follow` alone."""

    @classmethod
    def name(cls) -> str:
        return "kproto.following"

    def schema(self) -> StructType:
        source_schema: StructType = from_arrow_schema(SIGNALS)
        return source_schema

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802  # Spark's
        return FollowingReader(msgspec.json.decode(self.options["settings"], type=SourceSettings))


class FollowingReader(DataSourceStreamReader):
    """A reader that follows the topic. Besides the position, it keeps only what may be lost with
    it.
    """

    def __init__(self, settings: SourceSettings) -> None:
        self._settings = settings
        self._broker: Broker | None = None
        self._initial: Position | None = None
        self._end = settings.start
        """Where the last planned batch ends: Spark before 4.2 does not say where the next begins.
        It plans a batch anew that it has not committed, so what was published is never behind."""

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802  # Spark's name
        return self._first().said()

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        from pyspark.sql.streaming.datasource import ReadMaxRows  # late: Spark 4.2 has it

        return ReadMaxRows(self._settings.limit)

    def latestOffset(  # noqa: N802
        self, start: Mapping[str, Any] | None = None, limit: ReadLimit | None = None
    ) -> dict[str, Any]:
        most = self._settings.limit if limit is None else getattr(limit, "max_rows", None)
        begin = (self._end or self._first()) if start is None else Position.read(start)
        self._end = advance(begin, self._connection().topic(), most, self._settings.on_lost)
        return self._end.said()

    def partitions(
        self, start: Mapping[str, Any], end: Mapping[str, Any]
    ) -> Sequence[InputPartition]:
        begin, self._end = Position.read(start), Position.read(end)
        parts = ranges(begin, self._end)
        if parts and self._settings.on_lost is not OnLost.FAIL:
            parts = _still_there(parts, self._connection().bounds())
        return [SplitPartition((begin, self._end)), *map(SplitPartition, parts)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        part = partition.value
        if isinstance(part, PartitionRange):
            unit = BrokerUnit(self._settings.client, part)
            records = map(_without_open_transactions, unit.tables(self._settings.cluster_id))
            tables = condensed(records, self._settings.options)
        else:
            tables = iter([batch_signals(*part)])
        for table in tables:
            yield from table.to_batches(max_chunksize=_MOST_ROWS)

    def _first(self) -> Position:
        """Return the position before the first batch: the same, whenever it is asked for. Spark
        before 4.2 asks where the first batch ends, and then where it begins."""
        if self._initial is None:
            self._initial = first(self._connection().topic())
        return self._initial

    def commit(self, end: Mapping[str, Any]) -> None:
        """Do nothing: the source is never written to."""

    def _connection(self) -> Broker:
        """Return the client, which exists at the driver alone: a task gets a reader without
        one."""
        if self._broker is None:
            self._broker = Broker(self._settings.client, self._settings.options)
        return self._broker


def _without_open_transactions(table: pa.Table) -> pa.Table:
    """Return the records of transactions that are open as those of no known outcome, which count: a
    batch is not read again when they are committed.
    """
    outcomes = table.column("outcome").cast(pa.string())
    outcome_or_null = pc.if_else(pc.equal(outcomes, "undecided"), None, outcomes)
    place = table.schema.get_field_index("outcome")
    field = table.schema.field(place)
    return table.set_column(place, field, outcome_or_null.cast(field.type))


def _still_there(
    parts: Sequence[PartitionRange], bounds: Sequence[PartitionRange]
) -> list[PartitionRange]:
    """Return the parts of the ranges of a repeated batch that the broker still has."""
    by_partition = {bound.partition: bound for bound in bounds}
    cut = [
        part._replace(start=max(part.start, bound.start), end=min(part.end, bound.end))
        for part in parts
        if (bound := by_partition.get(part.partition)) is not None
    ]
    return [part for part in cut if part.start < part.end]
