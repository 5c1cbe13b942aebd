"""A Delta and an Iceberg table of the topic: what is found is what is found in process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kproto.fuzz.building import JavaUnavailable, fetch_jars
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.tables.publishing import Destination
from tests.conftest import do_without

from .conftest import last_line_of

TOPIC = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
# The newest that Maven Central has for each release of Spark.
FORMATS = {
    "3.5": ("io.delta:delta-spark_2.12:3.3.3", "iceberg-spark-runtime-3.5_2.12:1.12.0"),
    "4.0": ("io.delta:delta-spark_4.0_2.13:4.4.0", "iceberg-spark-runtime-4.0_2.13:1.11.0"),
    "4.1": ("io.delta:delta-spark_4.1_2.13:4.4.0", "iceberg-spark-runtime-4.1_2.13:1.12.0"),
}
_SECONDS = 600


@pytest.fixture(scope="module")
def jars() -> Path:
    """The folder of the jars for the installed release of Spark."""
    pyspark = pytest.importorskip("pyspark")
    release = pyspark.__version__[:3]
    if release not in FORMATS:
        pytest.skip(f"there is no Delta and Iceberg for Spark {release} yet")
    delta, iceberg = FORMATS[release]
    named = [dependency.split(":") for dependency in (delta, f"org.apache.iceberg:{iceberg}")]
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, name, version in named
    )
    pom = (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>kproto</groupId><artifactId>lakes</artifactId><version>1</version>"
        f"<packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>"
    )
    try:
        return fetch_jars(pom.encode())
    except JavaUnavailable as reason:
        do_without(reason)


@pytest.mark.long
def test_the_findings_are_those_of_an_audit_in_process(jars: Path, tmp_path: Path) -> None:
    tables = [rows.cast(RECORDS) for unit in units_of(str(TOPIC)) for rows in unit.tables("")]
    pq.write_table(
        pa.concat_tables(tables).drop_columns("cluster_id"), tmp_path / "records.parquet"
    )
    written = last_line_of(
        "on_lakes.py", tmp_path / "records.parquet", jars, tmp_path, seconds=_SECONDS
    )
    out = tmp_path / "alone"
    options = Options(cluster_id="c")
    run_audit(units_of(str(TOPIC)), Destination.new(str(out), replace=False), options)
    assert written == {"delta": 768, "iceberg": 768}
    findings = findings_in(out / "findings")
    for name in written:
        assert findings_in(tmp_path / f"{name}-findings") == findings, name


def findings_in(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["finding_id"]: row for row in pq.read_table(folder).to_pylist()}
