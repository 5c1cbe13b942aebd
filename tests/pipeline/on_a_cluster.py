"""Run by `test_cluster` as a program: decoding and auditing on executors whose Python does not
have kproto.

    python on_a_cluster.py FOLDER SEGMENTS

FOLDER has kproto.tar.gz. On the way a Python worker is killed, and an executor. What was found is
printed as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import site
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.pandas.functions import arrow_udf

from kproto import codec
from kproto.codec import ConsumerProtocolSubscription
from kproto.pipeline import spark_session
from kproto.pipeline.functions import decode_subscription
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.units import Unit
from kproto.pipeline.tables.publishing import Destination

ROWS = 2_000


class Once(NamedTuple):
    """Kills a process the first time that it is asked to."""

    folder: Path

    def kill(self, name: str, process: Callable[[], int]) -> None:
        marker = self.folder / "killed" / name
        try:
            marker.touch(exist_ok=False)
        except FileExistsError:
            return
        os.kill(process(), signal.SIGKILL)


def executor() -> int:
    """The JVM that has started this Python worker: the daemon between them has its group."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().split()[3])


class Deadly(NamedTuple):
    """A unit, in the reading of which something is killed once."""

    unit: Unit
    once: Once
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        yield from self.unit.tables(cluster_id)
        name, process = (
            ("auditing executor", executor) if self.size else ("auditing worker", os.getpid)
        )
        self.once.kill(name, process)


def audited(segments: str, folder: Path, once: Once) -> dict[str, Any]:
    """The audit on Spark, of units that are deadly once, and the same one here."""
    units = units_of(segments)
    deadly = [Deadly(unit, once, number) for number, unit in enumerate(units)]
    out, alone = folder / "out", folder / "alone"
    spread = run_audit(deadly, Destination.new(str(out), replace=False), Options(), on_spark())
    here = run_audit(units, Destination.new(str(alone), replace=False), Options())
    rows = [pq.ParquetFile(file).metadata.num_rows for file in (out / "records").iterdir()]
    return {
        "audited": msgspec.to_builtins(spread.counts),
        "alone": msgspec.to_builtins(here.counts) if spread.findings.equals(here.findings) else {},
        "published": sum(rows),
    }


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
    (folder / "killed").mkdir()
    once = Once(folder)

    def find(column: pa.Array) -> pa.Array:
        once.kill("decoding worker", os.getpid)
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
        **audited(segments, folder, once),
        "killed": sorted(one.name for one in (folder / "killed").iterdir()),
    }
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
