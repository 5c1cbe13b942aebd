"""Run by `test_cluster` as a program: decoding on executors whose Python does not have kproto.

    python on_a_cluster.py FOLDER SEGMENTS

FOLDER has kproto.tar.gz. One executor is killed on the way. What was found is printed as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import site
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.pandas.functions import arrow_udf

from kproto import codec
from kproto.codec import ConsumerProtocolSubscription
from kproto.pipeline import spark_session
from kproto.pipeline.functions import decode_subscription

ROWS = 2_000


def main(folder: Path, segments: str) -> None:
    # Python itself, and beside it only the packages: kproto's link in site-packages is not
    # followed when the folder comes by PYTHONPATH.
    python = getattr(sys, "_base_executable", sys.executable)
    os.environ["PYSPARK_PYTHON"] = python
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # That Python also plans what a data source reads, beside the driver: there kproto is where it
    # is for the driver.
    packages = site.getsitepackages()[0]
    home = str(Path(codec.__file__).parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join((home, packages))
    spark = spark_session(
        "local-cluster[2,1,1024]",
        "cluster",
        {
            "spark.archives": f"{folder / 'kproto.tar.gz'}#packed",
            "spark.executorEnv.PYTHONPATH": f"./packed{os.pathsep}{packages}",
            "spark.executorEnv.HOME": "/nonexistent",  # a place to keep compiled code is found
            "spark.log.level": "OFF",
            "spark.sql.shuffle.partitions": "2",
        },
    )
    marker = str(folder / "killed")

    def find(column: pa.Array) -> pa.Array:
        if not Path(marker).exists():
            Path(marker).touch()
            executor = int(Path(f"/proc/{os.getppid()}/stat").read_text().split()[3])
            os.kill(executor, signal.SIGKILL)
        return pa.array([codec.__file__] * len(column))

    wrap: Any = arrow_udf  # its stub wants a type of its own for what comes in
    where = wrap(find, "string")
    rows = [
        (number, ConsumerProtocolSubscription(topics=[f"t{number}"]).to_bytes())
        for number in range(ROWS)
    ]
    table = spark.createDataFrame(rows, "number int, data binary")  # a partition each executor
    seen = table.select(
        "number", decode_subscription("data").alias("seen"), where("data").alias("where")
    ).collect()
    source = spark.read.format("kproto.offsets").option("split_bytes", "100000").load(segments)
    found = {
        "right": sum(row.seen.message.topics == [f"t{row.number}"] for row in seen),
        "rows": len(seen),
        "numbers": len({row.number for row in seen}),
        "where": sorted({row["where"] for row in seen}),
        "records": source.count(),
        "killed": Path(marker).exists(),
    }
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
