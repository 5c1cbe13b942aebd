"""The audit of any DataFrame that has the records of the offsets topic.

    from kproto.pipeline.dataframes import audit

    audited = audit(spark.read.format("delta").load("/lake/consumer_offsets"))
    audited.findings.where("severity = 'critical'").show()
    audited.save_tables("lake.kafka", provider="delta", mode="append")

What is read and computed is Spark's: its file systems and credentials, its executors, its way of
writing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from ..wording import counted
from .groups.fleet import verdict
from .groups.intake import Counts
from .groups.options import Options, TopicFacts
from .run.on_frames import (
    check_staged,
    first_pass,
    fleet_rows,
    frame_of,
    staged_frame,
    table_of_staged,
)
from .sources.record_table import NotRecords
from .spark.catalog_tables import WriteMode, save_tables
from .spark.record_frame import record_frame
from .tables.schemas import TABLES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Audit", "NotRecords", "Options", "TopicFacts", "audit"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Audit:
    """The result of an audit: a DataFrame for each table of `docs/reference/tables.md`, of which
    `findings` and `current` have the worst group first; the counts; and the rules that lacked an
    input, with the inputs they lacked.

    As a context manager it frees what Spark holds for the tables.
    """

    records: DataFrame
    groups: DataFrame
    members: DataFrame
    subscriptions: DataFrame
    owned_partitions: DataFrame
    assignments: DataFrame
    offsets: DataFrame
    deviations: DataFrame
    rebalances: DataFrame
    rebalance_costs: DataFrame
    group_states: DataFrame
    topics: DataFrame
    findings: DataFrame
    current: DataFrame
    lag: DataFrame
    quarantine: DataFrame
    counts: Counts
    not_evaluated: Mapping[str, list[str]]
    staged: DataFrame
    """The rows of all tables as bytes, which Spark holds."""

    def __repr__(self) -> str:
        return f"<Audit of {counted(self.counts.read, 'record')}: {', '.join(self.tables)}>"

    @property
    def tables(self) -> dict[str, DataFrame]:
        """The tables by their names."""
        return {
            field.name: getattr(self, field.name) for field in fields(self) if field.name in TABLES
        }

    def save_tables(
        self,
        namespace: str,
        *,
        provider: str | None = None,
        mode: WriteMode = "error",
        partition_by: Sequence[str] = (),
    ) -> None:
        """Write each table as NAMESPACE.TABLE of the session's catalog, as
        `kproto.pipeline.spark.catalog_tables.save_tables` does."""
        save_tables(self.tables, namespace, provider=provider, mode=mode, partition_by=partition_by)

    def unpersist(self) -> None:
        """Free what Spark holds. A table that is read later is computed anew."""
        self.staged.unpersist()

    def __enter__(self) -> Audit:
        return self

    def __exit__(self, *_: object) -> None:
        self.unpersist()


def audit(
    records: DataFrame,
    options: Options | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    tasks: int | None = None,
) -> Audit:
    """Return the audit of the records of an offsets topic.

    `records` has the columns key, value, partition, offset and timestamp (and topic, source,
    cluster_id, transactional, outcome or problem, where there are such), as `kproto.offsets` and
    Spark's Kafka connector have them; `columns` says which ones they are in other tables, by name
    or as an SQL expression. Key and value are binary, a timestamp may be milliseconds. `options`
    are those of an audit: groups, topics with their ends, rules, the options of each cluster.
    `tasks` is in how many shares the groups are divided; None: one for 200,000 records.

    The records are read twice, for their times and for themselves; what is found is held by Spark
    (`Audit.unpersist`), and the driver holds rows of groups and findings alone. Raises `NotRecords`
    for a column that is missing or of a wrong type, and where no row is a record of the offsets
    topic; `KprotoError` for options that do not fit.
    """
    if not hasattr(records, "sparkSession"):  # a DataFrame of Connect is of another class
        package, kind = type(records).__module__.partition(".")[0], type(records).__name__
        raise TypeError(
            f"audit: records is {package}.{kind}, not a DataFrame of Spark, as of "
            "spark.read.parquet(...) or spark.createDataFrame(...)"
        )
    if not isinstance(options, Options | None):
        kind = type(options).__name__
        raise TypeError(f"audit: options is {kind}, not Options, as in Options(cluster_id='prod')")
    chosen_options = options or Options()
    chosen = record_frame(records, columns or {}, chosen_options.cluster_id)
    seen = first_pass(chosen, chosen_options)
    chosen_options = seen.options
    staged = staged_frame(chosen, chosen_options, seen.latest, tasks or seen.tasks).persist()
    rows, counts = fleet_rows(staged)
    try:
        check_staged(staged, counts)
    except NotRecords:
        staged.unpersist()
        raise
    fleet_verdict = verdict(rows, chosen_options, counts)
    spark = records.sparkSession
    frames = {
        name: frame_of(spark, name, fleet_verdict.tables[name])
        if name in fleet_verdict.tables
        else table_of_staged(staged, name)
        for name in TABLES
    }
    return Audit(**frames, counts=counts, not_evaluated=fleet_verdict.not_evaluated, staged=staged)
