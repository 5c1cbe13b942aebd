"""The tables of an audit in a catalog of Spark: those that were published, partitioned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from kproto.codec import KprotoError
from kproto.pipeline.dataframes import Options, audit
from kproto.pipeline.spark.catalog_tables import SCHEMA_VERSION, published_frames, save_tables
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.schemas import VERSION
from kproto.tools.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
SOURCE = CAPTURES / "offsets-topic"

pytestmark = pytest.mark.slow


@pytest.fixture
def namespace(spark: SparkSession, tmp_path: Path) -> Iterator[str]:
    """An empty namespace of the session's own catalog."""
    spark.sql(f"CREATE DATABASE lake LOCATION '{tmp_path / 'lake'}'")
    yield "lake"
    spark.sql("DROP DATABASE lake CASCADE")


def audited(out: Path, *options: str) -> int:
    return main(["audit", str(SOURCE), "--out", str(out), "--fail-on", "never", *options])


def test_the_command_writes_the_tables_that_it_publishes(
    spark: SparkSession, namespace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = ["--spark", "--catalog", namespace, "--partition-by", "cluster_id"]
    assert audited(tmp_path / "out", *catalog, "--provider", "parquet") == 0
    assert f"{len(TABLES)} tables are in lake" in capsys.readouterr().err
    for name in TABLES:
        rows = spark.table(f"lake.{name}")
        assert sorted(rows.columns) == sorted(TABLES[name].names)
        published = pq.read_table(tmp_path / "out" / name)
        assert rows.count() == published.num_rows, name
        properties: dict[str, str] = dict(spark.sql(f"SHOW TBLPROPERTIES lake.{name}").collect())
        assert properties[SCHEMA_VERSION] == str(VERSION)
    assert [path.name for path in (tmp_path / "lake" / "findings").glob("cluster_id=*")]

    assert audited(tmp_path / "again", *catalog) == 2
    assert "there is a table lake.records:" in capsys.readouterr().err
    assert not (tmp_path / "again").exists()
    assert audited(tmp_path / "again", *catalog, "--mode", "append") == 0
    both = spark.table("lake.findings").groupBy("finding_id").count().collect()
    assert both
    assert {row["count"] for row in both} == {2}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--spark", "--catalog", "nowhere"], "no namespace nowhere"),
        (["--spark", "--catalog", "default", "--partition-by", "day"], "has a column 'day'"),
        (["--catalog", "default"], "add --spark"),
        (["--mode", "append"], "--catalog NAMESPACE"),
    ],
)
def test_wrong_options_are_told_before_anything_is_read(
    spark: SparkSession,
    options: list[str],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert audited(tmp_path / "out", *options) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_library_writes_the_same(spark: SparkSession, namespace: str, tmp_path: Path) -> None:
    assert audited(tmp_path / "out", "--cluster-id", "c") == 0
    frames = published_frames(spark, str(tmp_path / "out"))
    save_tables({"findings": frames["findings"]}, namespace)
    records = spark.read.format("kproto.offsets").load(str(SOURCE))
    with audit(records, Options(cluster_id="c")) as result:
        with pytest.raises(KprotoError, match="Spark does not write to lake"):
            result.save_tables(namespace, provider="nothing", mode="append")
        result.save_tables(namespace, mode="overwrite")
    ids = {row["finding_id"] for row in frames["findings"].collect()}
    assert ids
    assert {row["finding_id"] for row in spark.table("lake.findings").collect()} == ids
