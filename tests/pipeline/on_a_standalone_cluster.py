"""Run by `test_standalone_cluster` as a program: an audit on a master and workers of their own.

    python on_a_standalone_cluster.py FOLDER SEGMENTS undisturbed|speculation|driver MASTER

The audit is written to FOLDER/NAME of the third argument. The first attempt at the first unit of
"speculation" does not go on, and that of "driver" kills this program.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark import TaskContext

from kproto.pipeline import spark_session
from kproto.pipeline.report.report_files import texts_of
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.interface import Unit
from kproto.pipeline.tables.publishing import Destination

_LONG = 60.0  # seconds; another attempt is taken long before
_SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.5",
}


class Disturbed(NamedTuple):
    """A unit whose first attempt stops in the middle: files are open then, and half written."""

    unit: Unit
    folder: Path
    name: str
    driver: int
    """The process to kill; 0: wait instead."""

    @property
    def size(self) -> int:
        return self.unit.size

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        for rows in self.unit.tables(cluster_id):
            half = rows.num_rows // 2
            yield rows.slice(0, half)
            self._strike()
            yield rows.slice(half)

    def _strike(self) -> None:
        context = TaskContext.get()
        assert context is not None
        try:
            (self.folder / f"{self.name} {context.attemptNumber()}").touch(exist_ok=False)
        except FileExistsError:
            return
        if context.attemptNumber():
            return
        if self.driver:
            os.kill(self.driver, signal.SIGKILL)
        time.sleep(_LONG)


def main(folder: Path, segments: str, name: str, master: str) -> None:
    os.chdir(folder)
    units: list[Any] = list(units_of(segments))
    options = Options(cluster_id="c")
    place = Destination.new(name, replace=False)
    if name == "undisturbed":
        run_audit(units, place, options, beside=texts_of)
        return
    driver = os.getpid() if name == "driver" else 0
    settings = {"spark.log.level": "OFF", "spark.driver.host": "127.0.0.1"}
    spark = spark_session(master, name, settings | ({} if driver else _SPECULATION))
    first = Disturbed(units[0], folder / "struck", name, driver)
    run_audit([first, *units[1:]], place, options, on_spark(), texts_of)
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
