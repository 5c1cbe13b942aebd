"""Spark Connect: a client without a JVM audits what the server reads, and finds the same."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.spark.java import NoJava, find_java_home
from kproto.pipeline.tables.publishing import Destination

from .conftest import last_line_of
from .test_offsets_source import TOPIC, by_capture


@pytest.mark.long
def test_a_client_of_spark_connect_finds_the_same(tmp_path: Path) -> None:
    for name in ("pyspark", "grpc", "grpc_status", "zstandard"):  # the extra pyspark[connect]
        pytest.importorskip(name)
    try:
        find_java_home()
    except NoJava as reason:
        pytest.skip(f"no Java for Spark: {reason}")
    found = last_line_of("on_connect.py", TOPIC, tmp_path, seconds=600)
    out = tmp_path / "alone"
    counts = run_audit(
        units_of(str(TOPIC)), Destination.new(str(out), replace=False), Options(cluster_id="c")
    ).counts
    assert found["session"] == "pyspark.sql.connect.session"
    assert found["topics"] == ["orders"]
    assert found["records"] == len(by_capture(TOPIC))
    assert found["written"] == counts.written
    assert found["groups"] == pq.read_table(out / "current").num_rows
    here, there = (
        pq.read_table(path).to_pylist()
        for path in (out / "findings", tmp_path / "findings.parquet")
    )
    assert there == here
