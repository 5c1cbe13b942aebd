"""The audit on Spark is the audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kproto.codec import KprotoError
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.in_process import UnitResult
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.units import Unit
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import Destination
from kproto.tools import audit as audit_command
from kproto.tools.main import main
from tests.pipeline.test_clusters import cluster

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SOURCE = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"


@pytest.mark.slow
def test_the_tables_are_the_same_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    options = Options(cluster_id="c", topics={"orders": TopicFacts(partitions=12)})
    units = units_of(str(SOURCE))
    here, there = tmp_path / "here", tmp_path / "there"
    alone = run_audit(units, Destination.new(str(here), replace=False), options)
    spread = run_audit(units, Destination.new(str(there), replace=False), options, on_spark())
    assert spread.counts == alone.counts
    assert spread.findings.equals(alone.findings)
    for table in TABLES:
        key = [(name, "ascending") for name in ("source_partition", "source_offset")]
        if not {name for name, _ in key} <= set(TABLES[table].names):
            continue
        one, other = (pq.read_table(out / table).sort_by(key) for out in (here, there))
        assert one.num_rows == other.num_rows
        assert one.column("source_offset").equals(other.column("source_offset"))
    seen = spark.read.parquet(str(there / "current"))
    assert seen.where("state = 'empty'").count() == alone.current.num_rows


@pytest.mark.slow
def test_a_task_that_runs_twice_publishes_once(spark: SparkSession, tmp_path: Path) -> None:
    """As speculation and retries do: both attempts stage files, and one of them is taken."""
    del spark
    units = units_of(str(SOURCE))
    destination = Destination.new(str(tmp_path), replace=False)

    def twice(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        list(on_spark()(units, destination, options))
        yield from on_spark()(units, destination, options)

    audit = run_audit(units, destination, Options(), twice)
    assert pq.read_table(tmp_path / "records").num_rows == audit.counts.written == 768
    assert not list(tmp_path.glob(".staging*"))


class Broken(NamedTuple):
    """A unit that cannot be read."""

    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        raise OSError("the disk is gone")


@pytest.mark.slow
def test_a_task_that_fails_publishes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    del spark
    units: list[Unit] = [Broken(1), *units_of(str(SOURCE))]
    with pytest.raises(KprotoError, match=r"OSError: the disk is gone$"):
        run_audit(units, Destination.new(str(tmp_path), replace=False), Options(), on_spark())
    assert not list(tmp_path.iterdir())


def test_a_cluster_that_is_lost_while_spark_reads_it(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del spark
    two = tmp_path / "in"
    cluster(two, "east", 0)
    cluster(two, "west", 0)
    (segment,) = (two / "west").rglob("*.log")
    runner = audit_command._runner

    def remove_and_run(*arguments: Any) -> Any:
        segment.unlink(missing_ok=True)  # between the list of the files and the tasks
        return runner(*arguments)

    monkeypatch.setattr(audit_command, "_runner", remove_and_run)
    out = tmp_path / "out"
    sources = [f"{name}={two / name}" for name in ("east", "west")]
    assert main(["audit", *sources, "--out", str(out), "--spark", "local[2]"]) == 3
    said = capsys.readouterr()
    assert "west cannot be read, and the others are read again" in said.err
    assert "cluster west is not audited" in said.out
    assert pq.read_table(out / "current").column("cluster_id").to_pylist() == ["east"]
