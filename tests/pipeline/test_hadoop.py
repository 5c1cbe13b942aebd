"""Log segments in file systems that Spark reaches and pyarrow does not: here Hadoop's viewfs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.hadoop import hadoop_units, has_file_system
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.places import filesystem
from kproto.pipeline.sources.record_table import NotRecords
from kproto.pipeline.sources.units import of_cluster
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.input.audit_inputs import check_apart
from kproto.tools.output.failures import Failure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SOURCE = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
Mount = Callable[[str, Path], str]


@pytest.fixture
def mount(spark: SparkSession) -> Mount:
    """Return a function that makes a folder the mount of a name, and returns its URI, with a port
    as those of HDFS have.
    """
    context: Any = spark.sparkContext

    def mounted(name: str, folder: Path) -> str:
        setting = f"fs.viewfs.mounttable.{name}:8020.link./data"
        context._jsc.hadoopConfiguration().set(setting, folder.as_uri())
        return f"viewfs://{name}:8020/data"

    return mounted


def rows(out: Path, table: str, at: str) -> list[str]:
    """Return the rows of a table; `at` is where its files lay."""
    return sorted(repr(row).replace(at, "SOURCE") for row in pq.read_table(out / table).to_pylist())


@pytest.mark.slow
def test_the_tables_are_those_of_an_audit_in_process(
    spark: SparkSession, mount: Mount, tmp_path: Path
) -> None:
    """Of two clusters, one of them with copies of a partition."""
    copies = tmp_path / "copies"
    for broker in ("1", "2"):
        shutil.copytree(SOURCE / "__consumer_offsets-1", copies / broker / "__consumer_offsets-1")
    shutil.copytree(SOURCE / "__consumer_offsets-0", copies / "2" / "__consumer_offsets-0")
    folders = {"whole": SOURCE, "copies": copies}
    options = Options(clusters=tuple(Options(cluster_id=name) for name in folders))
    here, there = tmp_path / "here", tmp_path / "there"
    near = [unit for name, at in folders.items() for unit in of_cluster(units_of(str(at)), name)]
    alone = run_audit(near, Destination.new(str(here), replace=False), options)
    far = [
        unit
        for name, at in folders.items()
        for unit in of_cluster(hadoop_units(spark, mount(name, at), 60), name)
    ]
    spread = run_audit(far, Destination.new(str(there), replace=False), options, on_spark())
    assert alone.counts.written > 768
    assert spread.counts == alone.counts
    for table in TABLES:
        local = rows(here, table, str(SOURCE))
        local = [row.replace(str(copies), "SOURCE") for row in local]
        brought = [row.replace("copies/data", "SOURCE") for row in rows(there, table, "whole/data")]
        assert sorted(brought) == sorted(local), table


def test_the_units_are_partitions_the_largest_first(
    spark: SparkSession, mount: Mount, tmp_path: Path
) -> None:
    strange = tmp_path / "a {b} [c]"
    shutil.copytree(SOURCE, strange)
    units = hadoop_units(spark, mount("units", strange), 60)
    there = {unit.size for unit in units_of(str(SOURCE))}
    assert {unit.size for unit in units} == there
    assert [unit.size for unit in units] == sorted(there, reverse=True)


def test_what_is_not_there(spark: SparkSession, mount: Mount, tmp_path: Path) -> None:
    uri = mount("nothing", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no log segment .* is here"):
        hadoop_units(spark, uri, 60)
    with pytest.raises(OSError, match=r"FileNotFoundException: .*absent"):
        hadoop_units(spark, f"{uri}/absent", 60)


def test_segments_of_two_clusters(spark: SparkSession, mount: Mount, tmp_path: Path) -> None:
    for cluster in ("a", "b"):
        shutil.copytree(
            SOURCE / "__consumer_offsets-1", tmp_path / cluster / "__consumer_offsets-1"
        )
        (tmp_path / cluster / "meta.properties").write_text(f"cluster.id={cluster}\n")
    with pytest.raises(NotRecords, match=r"segments of 2 clusters, a .*, b .*: name one of these"):
        hadoop_units(spark, mount("clusters", tmp_path), 60)


def test_a_store_that_does_not_answer_in_time(spark: SparkSession) -> None:
    with pytest.raises(OSError, match=r"hdfs://192\.0\.2\.1/x has not answered within 0\.2 sec"):
        hadoop_units(spark, "hdfs://192.0.2.1/x", 0.2)


@pytest.mark.parametrize(
    ("uri", "by_spark"),
    [
        ("viewfs://any/data", True),
        ("hdfs://name/data", True),
        ("s3a://bucket/data", False),  # Hadoop's module for it is not among Spark's jars
        ("s3://bucket/data", False),
        ("kafka://broker:9092", False),
        ("/data", False),
    ],
)
def test_who_reads_a_place(spark: SparkSession, uri: str, by_spark: bool) -> None:
    assert has_file_system(spark, uri) == by_spark


def test_names_of_hadoop_for_s3() -> None:
    assert filesystem("s3a://bucket/key?region=eu-west-1")[1] == "bucket/key"


@pytest.mark.parametrize("out", ["viewfs://x/data", "viewfs://x/data/audit"])
def test_an_audit_is_not_written_into_its_source(out: str) -> None:
    with pytest.raises(Failure, match="an audit never writes there"):
        check_apart("viewfs://x/data/", out, by_spark=True)
    check_apart("viewfs://x/data/", "viewfs://x/database", by_spark=True)
