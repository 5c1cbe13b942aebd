"""Run by `test_connect` as a program: a client of Spark Connect, which has no JVM at hand.

    python on_connect.py SEGMENTS FOLDER

What the server counted and found is printed as JSON; FOLDER gets the findings.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from kproto.codec import ConsumerProtocolSubscription
from kproto.pipeline.dataframes import Options, audit
from kproto.pipeline.functions import decode_subscription
from kproto.pipeline.spark.java import use_java
from kproto.pipeline.spark.session import register


def main(segments: str, folder: Path) -> None:
    use_java()
    # A server that `remote` starts takes the Python of its environment for its workers.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.remote("local[2]").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    register(spark)
    records = spark.read.format("kproto.offsets").load(segments)
    message = ConsumerProtocolSubscription(topics=["orders"]).to_bytes()
    rows = spark.createDataFrame([(message,)], "data binary")
    topics = rows.select(decode_subscription("data")["message"]["topics"].alias("topics"))
    with audit(records, Options(cluster_id="c")) as found:
        findings = pa.Table.from_batches(found.findings.toArrow().to_batches())
        pq.write_table(findings, folder / "findings.parquet")
        print(
            json.dumps(
                {
                    "session": type(spark).__module__,
                    "records": records.count(),
                    "topics": topics.collect()[0]["topics"],
                    "written": found.counts.written,
                    "groups": found.current.count(),
                }
            )
        )
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
