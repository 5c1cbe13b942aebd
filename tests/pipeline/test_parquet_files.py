"""Parquet that workers read themselves says what the functions say."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from kproto.codec import ConsumerProtocolSubscription
from kproto.pipeline.functions import decode_subscription
from kproto.pipeline.parquet_files import by_row_group, decode_files, decode_into
from kproto.pipeline.steps import only_decoded

from .agreement import expected
from .test_functions import plain

pytest.importorskip("pandas", reason="Spark's mapInArrow asks for it")

ROWS = [
    ConsumerProtocolSubscription(topics=[f"t{number}"]).to_bytes() if number % 7 else None
    for number in range(100)
] + [b"\0\1"]


def write(folder: Path) -> None:
    folder.mkdir()
    table = pa.table({"number": range(len(ROWS)), "data": pa.array(ROWS, pa.binary())})
    pq.write_table(table.slice(0, 70), folder / "a.parquet", row_group_size=30)
    pq.write_table(table.slice(70), folder / "b.parquet")


def test_row_groups_become_small_tables(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "in")

    def count(group: pa.Table) -> pa.Table:
        return pa.table({"rows": [group.num_rows], "columns": [len(group.column_names)]})

    seen = by_row_group(
        spark, str(tmp_path / "in"), count, "rows long, columns long", ["data"]
    ).collect()
    assert sorted(row.rows for row in seen) == [10, 30, 30, 31]
    assert {row["columns"] for row in seen} == {1}
    with pytest.raises(FileNotFoundError, match="no parquet file is here"):
        by_row_group(spark, str(tmp_path / "nowhere"), count, "rows long, columns long")


def test_a_file_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    empty = pa.table({"data": pa.array([], pa.binary())})
    with pq.ParquetWriter(tmp_path / "in" / "empty.parquet", empty.schema) as writer:
        writer.write_table(empty)
        writer.write_batch(pa.record_batch({"data": pa.array([ROWS[0]], pa.binary())}))
    source, out = str(tmp_path / "in"), str(tmp_path / "out")
    assert decode_files(spark, source, decode_subscription, "data").count() == 1
    manifest = decode_into(spark, source, out, decode_subscription, "data").collect()
    assert sum(row.rows for row in manifest) == 1


def test_a_file_without_a_row_group(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "none.parquet")
    pq.ParquetWriter(path, pa.schema([("data", pa.binary())])).close()
    rows = decode_files(spark, path, decode_subscription, "data")
    assert (rows.count(), rows.columns[0]) == (0, "message")


def test_files_of_decoded_columns(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "in")
    manifest = decode_into(
        spark, str(tmp_path / "in"), str(tmp_path / "out"), decode_subscription, "data", ["number"]
    ).collect()
    assert sum(row.rows for row in manifest) == len(ROWS)
    assert {row.path for row in manifest} == {str(path) for path in (tmp_path / "out").iterdir()}
    table = spark.read.parquet(str(tmp_path / "in"))
    alone = table.transform(only_decoded(decode_subscription, "data", keep=["number"]))
    written = spark.read.parquet(str(tmp_path / "out"))
    by_workers = decode_files(spark, str(tmp_path / "in"), decode_subscription, "data", ["number"])
    assert written.columns == alone.columns
    assert by_workers.schema == alone.schema
    assert sorted(by_workers.collect(), key=str) == sorted(alone.collect(), key=str)
    fields = ["error_kind", "message"]
    few = decode_files(
        spark, str(tmp_path / "in"), decode_subscription, "data", ["number"], fields=fields
    )
    wanted = alone.select("number", *fields)
    assert few.schema == wanted.schema
    assert sorted(few.collect(), key=str) == sorted(wanted.collect(), key=str)
    out = str(tmp_path / "few")
    decode_into(
        spark, str(tmp_path / "in"), out, decode_subscription, "data", fields=fields
    ).collect()
    assert spark.read.parquet(out).columns == fields
    found = {row.number: plain(row.asDict(recursive=True)) for row in written.collect()}
    for number, data in enumerate(ROWS):
        row = found[number]
        assert row.pop("number") == number
        nothing = dict.fromkeys(row) | {"bytes_left": row["bytes_left"]}
        assert row == (expected(data, ConsumerProtocolSubscription) or nothing)
