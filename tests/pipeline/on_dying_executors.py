"""Run by `test_dying_executors` as a program: audits on executors that die, and of tasks that run
twice.

    python on_dying_executors.py FOLDER SEGMENTS files|dataframe|fleet|speculation|driver [MASTER]

FOLDER gets an audit for each thing that goes wrong, in a folder of that name, and "undisturbed".
The names of those that went wrong as planned are printed as JSON. The first attempt at a task of
"speculation" does not go on, and that of "driver" kills this program. For "fleet" FOLDER has the
options of the audit, pickled, and the records of several clusters as the table "lake", too.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
from pyspark import TaskContext

from kproto.pipeline import spark_session
from kproto.pipeline.dataframes import audit
from kproto.pipeline.report.page import texts_of
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.in_process import UnitResult
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import clusters_of, units_of
from kproto.pipeline.sources.units import OfCluster, Unit
from kproto.pipeline.tables.publishing import Destination
from kproto.pipeline.tables.writing import TableWriter, WrittenFile

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LONG = 60.0  # seconds; it is dead long before
_SETTINGS = {
    "spark.log.level": "OFF",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.speculation": "true",  # of one host it is none: there would be no second
}
_SOON = {
    "spark.speculation.interval": "100ms",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.5",
}
"""Settings by which a second attempt is started early."""


def executor() -> int:
    """The JVM that has started this Python worker: the daemon between them has its group."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().split()[3])


class Trouble(NamedTuple):
    """Something that goes wrong so many times, in whatever process comes first."""

    folder: Path
    name: str
    times: int

    def strike(self) -> None:
        for number in range(self.times):
            try:
                (self.folder / f"{self.name} {number}.struck").touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(executor(), signal.SIGKILL)
            time.sleep(_LONG)
            return


class FirstAttempt(NamedTuple):
    """What the first attempt at a task meets; each attempt leaves a file."""

    folder: Path
    name: str
    driver: int
    """The process to kill; 0: none."""

    def strike(self) -> None:
        context = TaskContext.get()
        assert context is not None
        try:
            struck = self.folder / f"{self.name} {context.attemptNumber()}.struck"
            struck.touch(exist_ok=False)
        except FileExistsError:
            return
        if context.attemptNumber():
            return
        if self.driver:
            os.kill(self.driver, signal.SIGKILL)
        time.sleep(_LONG)


class InReading(NamedTuple):
    """A unit that strikes behind its first table: files are open then, and one is half written."""

    unit: Unit
    trouble: Trouble | FirstAttempt
    first: bool

    @property
    def size(self) -> int:
        return self.unit.size

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        for rows in self.unit.tables(cluster_id):
            if self.first:
                self.trouble.strike()
            half = rows.num_rows // 2
            yield rows.slice(0, half)
            if not self.first:
                self.trouble.strike()
            yield rows.slice(half)


class StrikingWriter(TableWriter):
    """Strikes when all files of a task are complete, and nobody has been told of them."""

    trouble: Trouble

    def written(self) -> list[WrittenFile]:
        found = super().written()
        self.trouble.strike()
        return found


class BeforeTheCommit(Destination):
    """A destination whose writers on executors strike."""

    trouble: Trouble

    def writer(self, *, in_thread: bool = False) -> TableWriter:
        made = super().writer(in_thread=in_thread)
        if TaskContext.get() is None:  # the driver's own
            return made
        striking = StrikingWriter(made.store, made.path, made.run)
        striking.trouble = self.trouble
        return striking


def twice(
    units: Sequence[Unit], destination: Destination, options: Options
) -> Iterator[UnitResult]:
    """Every task runs once more than it is asked for."""
    list(on_spark()(units, destination, options))
    yield from on_spark()(units, destination, options)


_COLUMNS_OF_A_LAKE = {
    "key": "k", "value": "v", "offset": "log_offset", "timestamp": "written_ms",
    "cluster_id": "cluster",
}  # fmt: skip


def audit_of_a_frame(
    records: DataFrame, folder: Path, options: Options, columns: Mapping[str, str]
) -> None:
    """Write the tables of a DataFrame's audit by Spark's own commit protocol, and what was not
    evaluated. Two executors die while the records are read, each as soon as one has something.
    """
    trouble = Trouble(folder / "struck", "dataframe", 2)

    def strike(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch
            trouble.strike()

    disturbed = records.mapInArrow(strike, records.schema)
    out = folder / "dataframe"
    with audit(disturbed, options, columns=columns, tasks=3) as found:
        for name, rows in found.tables.items():
            rows.write.parquet(str(out / name))
    (out / "not-evaluated.json").write_text(json.dumps(found.not_evaluated))


def audits_of_a_fleet(spark: SparkSession, folder: Path, segments: str) -> None:
    """Three executors die in the audit of the segments: two have read something, one is about to
    tell which files it has written. Two die in that of the lake.
    """
    options: Options = pickle.loads((folder / "options").read_bytes())  # noqa: S301  # the test's own
    reading = Trouble(folder / "struck", "reading", 2)
    units = [
        OfCluster(InReading(unit, reading, first=True), cluster)
        for cluster, of_cluster in clusters_of(segments).items()
        for unit in of_cluster
    ]
    place = BeforeTheCommit(*Destination.new("cluster", replace=False))
    BeforeTheCommit.trouble = Trouble(folder / "struck", "before the commit", 1)
    run_audit(units, place, options, on_spark(), texts_of)
    audit_of_a_frame(spark.read.parquet(str(folder / "lake")), folder, options, _COLUMNS_OF_A_LAKE)


def main(folder: Path, segments: str, what: str, master: str = "local-cluster[2,1,1024]") -> None:
    os.chdir(folder)
    spark = spark_session(master, "dying", _SETTINGS | (_SOON if what == "speculation" else {}))
    options = Options(cluster_id="c")
    (folder / "struck").mkdir(exist_ok=True)
    if what == "dataframe":
        audit_of_a_frame(spark.read.format("kproto.offsets").load(segments), folder, options, {})
    elif what == "fleet":
        audits_of_a_fleet(spark, folder, segments)
    elif what in ("speculation", "driver"):
        first, *others = units_of(segments)
        driver = os.getpid() if what == "driver" else 0
        struck: Any = InReading(first, FirstAttempt(folder / "struck", what, driver), first=False)
        place = Destination.new(what, replace=False)
        run_audit([struck, *others], place, options, on_spark(), texts_of)
    else:
        audits_of_files(folder, segments, options)
    spark.stop()
    print(json.dumps(sorted(path.name for path in (folder / "struck").iterdir())))


def audits_of_files(folder: Path, segments: str, options: Options) -> None:
    units = units_of(segments)
    run_audit(units, Destination.new("undisturbed", replace=False), options, make_texts=texts_of)

    for name, times, first in (
        ("reading", 1, True),
        ("writing", 1, False),
        ("both executors", 2, False),
    ):
        trouble = Trouble(folder / "struck", name, times)
        struck: list[Any] = [InReading(unit, trouble, first) for unit in units]
        place = Destination.new(name, replace=False)
        run_audit(struck, place, options, on_spark(), texts_of)
    place = BeforeTheCommit(*Destination.new("before the commit", replace=False))
    BeforeTheCommit.trouble = Trouble(folder / "struck", "before the commit", 1)
    run_audit(units, place, options, on_spark(), texts_of)
    run_audit(units, Destination.new("twice", replace=False), options, twice, texts_of)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
