"""Decoding in Spark, beside what a Spark user would do today: Kafka's own deserializer in a Java
UDF, and as a function of a DSv2 catalog.

    python -m tests.benchmarks.bench_spark [--rows 5000000] [--turns 3] [--check]

Messages are of shape S, in parquet, 2,000 groups; Spark is local[2]. All contestants of a task run
in turn, and the ratio of two is the median of their ratios turn by turn. `--check` fails where a
ratio is below what is wanted. What reads files in the workers comes first: the JVM compiles its
code for Arrow's columns by what it has seen of them, and is slower for all once it has seen others.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # its usual name

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.oracles.java import fetch_kafka
from kproto.pipeline import spark_session
from kproto.pipeline.columnar import decode_column
from kproto.pipeline.functions import decode_subscription
from kproto.pipeline.parquet_files import by_row_group, decode_files, decode_into
from kproto.pipeline.spark.java import find_java_home
from kproto.pipeline.steps import only_decoded

from .shapes import SMALL
from .timing import Times

GROUPS = 2_000
ROW_GROUP = 250_000
JAVA = Path(__file__).with_name("java") / "KafkaDecode.java"
_MESSAGE = (
    "struct<topics array<string>, user_data binary, owned_partitions array<struct<topic string, "
    "partitions array<int>>>, generation_id int, rack_id string>"
)
SUMMARY = "group_id string, rows long, refused long, generation int, topics long, owned long"

Run = Callable[[], object]


class Wanted(NamedTuple):
    """What is asked for: `fast` is at least so many times as fast as `slow`."""

    task: str
    fast: str
    slow: str
    ratio: float


WANTED = (
    Wanted("full columns", "kproto", "Java UDF", 1.4),
    Wanted("full columns", "kproto", "catalog function", 1),
    Wanted("full columns to parquet", "kproto", "Java UDF", 5.5),
    Wanted("summary by group", "kproto", "Java UDF", 4.5),
    Wanted("summary by group", "kproto", "catalog function", 3.5),
    Wanted("full columns of a DataFrame", "kproto, only_decoded", "Java UDF", 2),
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="kproto-bench-"))
    try:
        return _bench(folder, given.rows, given.turns, given.check)
    finally:
        shutil.rmtree(folder)


def _bench(folder: Path, rows: int, turns: int, check: bool) -> int:
    table = folder / "table"
    _write(table, rows)
    spark = _session(folder)
    tasks = _tasks(spark, table, folder)
    measured = {}
    for task, runs in tasks.items():
        print(f"\n{task}, {rows:,} rows, local[2]")
        measured[task] = _alternate(runs, turns)
        for name, seconds in measured[task].medians().items():
            print(f"  {name:28}{rows / seconds / 1e3:10,.0f} thousand rows/s", flush=True)
    spark.stop()
    print()
    missed = 0
    for task, fast, slow, ratio in WANTED:
        reached = measured[task].ratio(slow, fast)
        missed += reached < ratio
        print(f"{task}: {fast} / {slow} = {reached:.2f}, at least {ratio} wanted")
    return int(check and missed > 0)


def _alternate(runs: dict[str, Run], turns: int) -> Times:
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(turns + 1):  # the first warms everything up
        for name, run in runs.items():
            start = perf_counter()
            run()
            if turn:
                times[name].append(perf_counter() - start)
    return Times(times)


def _write(folder: Path, rows: int) -> None:
    """S messages with changing generations, in files enough for all cores, each byte in them."""
    folder.mkdir()
    (message,) = SMALL.messages
    some = [message._replace(generation_id=number).to_bytes() for number in range(500)]
    names = pa.array([f"group-{number:05}" for number in range(GROUPS)])
    size = max(1, min(ROW_GROUP, rows // 8))
    for number, start in enumerate(range(0, rows, size)):
        count = min(size, rows - start)
        data = pa.array(some * (count // len(some) + 1), pa.binary()).slice(0, count)
        groups = names.take(pa.array([place % GROUPS for place in range(count)]))
        table = pa.table({"group_id": groups, "data": data})
        pq.write_table(table, folder / f"{number:03}.parquet", use_dictionary=["group_id"])


def _session(folder: Path) -> SparkSession:
    kafka = fetch_kafka()
    jars = Path(pyspark.__file__).parent / "jars"
    javac = find_java_home() / "bin" / "javac"
    classes = folder / "classes"
    subprocess.run([javac, "-d", classes, "-cp", f"{jars}/*:{kafka}/*", JAVA], check=True)
    subprocess.run(["jar", "cf", folder / "bench.jar", "-C", classes, "."], check=True)  # noqa: S607
    clients = next(kafka.glob("kafka-clients-*.jar"))
    settings = {
        "spark.jars": f"{folder / 'bench.jar'},{clients}",
        "spark.sql.catalog.kafka": "bench.KafkaDecode$Catalog",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.files.maxPartitionBytes": "32m",
        "spark.driver.memory": "4g",
        "spark.log.level": "ERROR",
    }
    spark = spark_session("local[2]", "bench", settings)
    spark.udf.registerJavaFunction("java_decode", "bench.KafkaDecode", _MESSAGE)
    return spark


def _tasks(spark: SparkSession, path: Path, folder: Path) -> dict[str, dict[str, Run]]:
    table = spark.read.parquet(str(path))
    by_udf = table.select("group_id", F.expr("java_decode(data)").alias("m"))
    by_catalog = table.select("group_id", F.expr("kafka.decode(data)").alias("m"))
    message = ["message"]  # as the others: the verdict stays behind
    ours = table.transform(
        only_decoded(decode_subscription, "data", keep=["group_id"], fields=message)
    )
    ours = ours.select("group_id", F.col("message").alias("m"))
    read = decode_files(spark, str(path), decode_subscription, "data", ["group_id"], fields=message)
    read = read.select("group_id", F.col("message").alias("m"))
    struct = table.select("group_id", decode_subscription("data")["message"].alias("m"))
    out = str(folder / "out")

    def write(frame: DataFrame) -> Run:
        return lambda: frame.select("group_id", "m.*").write.mode("overwrite").parquet(out)

    def decode() -> None:
        target = str(folder / "decoded")
        written = decode_into(
            spark, str(path), target, decode_subscription, "data", ["group_id"], fields=message
        ).collect()
        assert written
        shutil.rmtree(target)

    def summary() -> None:
        parts = by_row_group(
            spark, str(path), _summary, SUMMARY, ["group_id", "data"], dictionaries=["group_id"]
        )
        seen = parts.groupBy("group_id").agg(
            F.sum("rows"), F.sum("refused"), F.max("generation"), F.sum("topics"), F.sum("owned")
        )
        assert len(seen.collect()) == GROUPS

    return {
        "full columns": {
            "Java UDF": lambda: _sums(by_udf),
            "catalog function": lambda: _sums(by_catalog),
            "kproto": lambda: _sums(read),
        },
        "full columns to parquet": {
            "Java UDF": write(by_udf),
            "kproto": decode,
            "kproto, written by Spark": write(ours),
        },
        "summary by group": {
            "Java UDF": lambda: _grouped(by_udf),
            "catalog function": lambda: _grouped(by_catalog),
            "kproto": summary,
        },
        "full columns of a DataFrame": {
            "Java UDF": lambda: _sums(by_udf),
            "kproto, only_decoded": lambda: _sums(ours),
            "kproto, a column's struct": lambda: _sums(struct),
        },
    }


_OWNED = "aggregate(m.owned_partitions, 0L, (n, o) -> n + size(o.partitions))"


def _sums(frame: DataFrame) -> None:
    """Something of every column, so that none is left out."""
    frame.agg(
        F.sum("m.generation_id"),
        F.sum(F.size("m.topics")),
        F.sum(F.size("m.owned_partitions")),
        F.count("m.user_data"),
        F.count("m.rack_id"),
    ).collect()


def _grouped(frame: DataFrame) -> None:
    """For each group: rows, those refused, and, of the claims: the highest generation, topics,
    partitions owned."""
    seen = frame.groupBy("group_id").agg(
        F.count("*"),
        F.sum(F.expr("int(m is null)")),
        F.max("m.generation_id"),
        F.sum(F.expr("size(m.topics)")),
        F.sum(F.expr(_OWNED)),
    )
    assert len(seen.collect()) == GROUPS


def _summary(rows: pa.Table) -> pa.Table:
    """The same of one row group, in a worker."""
    parts = pa.Table.from_batches(map(_sizes, rows.to_batches(8192)))
    found = parts.group_by("group_id").aggregate(
        [([], "count_all"), ("refused", "sum"), ("generation", "max"), ("topics", "sum"),
         ("owned", "sum")]
    )  # fmt: skip
    names = ["group_id", "rows", "refused", "generation", "topics", "owned"]
    found = found.rename_columns(names)
    return found.set_column(0, "group_id", found.column("group_id").cast(pa.string()))


def _sizes(rows: pa.RecordBatch) -> pa.RecordBatch:
    decoded = decode_column(rows.column("data"), ConsumerProtocolSubscription)
    message = decoded.field("message")
    owned = message.field("owned_partitions")
    partitions = owned.values.field("partitions").offsets.to_numpy()
    return pa.record_batch(
        {
            "group_id": rows.column("group_id"),
            "refused": pc.is_null(message).cast(pa.int64()),
            "generation": message.field("generation_id"),
            "topics": np.diff(message.field("topics").offsets.to_numpy()),
            "owned": np.diff(partitions[owned.offsets.to_numpy()]),
        }
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
