"""What an audit on many executors asks of its driver, and what is shuffled: measured slopes.

    python -m tests.benchmarks.bench_driver [--groups 1000 2000 4000]

A fleet of 200 partitions is audited as `kproto audit --spark` does it: a task a partition, as 200
executors would have them. Processes beside the driver's run the tasks, so that time and memory of
the driver are its own. What crosses is measured in the form in which it crosses. The records of the
smallest fleet are also audited as a DataFrame, in which Spark counts the bytes that it shuffles.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import NamedTuple

from kproto.pipeline import register, spark_session
from kproto.pipeline.dataframes import audit
from kproto.pipeline.report.page import texts_of
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.in_process import UnitResult, audit_units
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.units import Unit
from kproto.pipeline.tables.publishing import Destination

from .fleet import write
from .own_process import in_own_process

TASKS = 200


class Cost(NamedTuple):
    """Bytes of the input, rows of findings; bytes that went to all tasks and came back from them;
    seconds of the driver's processor, and the most bytes that its process had."""

    size: int
    findings: int
    sent: int
    received: int
    seconds: float
    peak: int


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, nargs="+", default=[1000, 2000, 4000])
    given = parser.parse_args(arguments)
    print(f"{TASKS} tasks; the driver's process")
    print(f"{'groups':>8}{'MB read':>9}{'findings':>10}{'KB to and':>11}{'from a task':>12}"
          f"{'seconds':>9}{'peak MB':>9}")  # fmt: skip
    least, most = min(given.groups), max(given.groups)
    costs = {groups: measured(groups, shuffle=groups == least) for groups in sorted(given.groups)}
    if most > least:
        more = (most - least) / 1000
        seconds = (costs[most].seconds - costs[least].seconds) / more
        memory = (costs[most].peak - costs[least].peak) / more
        print(f"1,000 more groups: {seconds:.2f} s and {memory / 1e6:.0f} MB of the driver")
    return 0


def measured(groups: int, *, shuffle: bool) -> Cost:
    """Write a fleet, print its row, and return it; with `shuffle` also what a DataFrame's audit
    shuffles."""
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as folder:
        write(Path(folder), 1, groups=groups, partitions=TASKS)
        cost = in_own_process(driven, folder, Cost)
        print(
            f"{groups:8,}{cost.size / 1e6:9,.0f}{cost.findings:10,}{cost.sent / TASKS / 1e3:11.1f}"
            f"{cost.received / TASKS / 1e3:12.1f}{cost.seconds:9.1f}{cost.peak / 1e6:9.0f}",
            flush=True,
        )
        if shuffle:
            bytes_ = shuffled(folder)
            print(f"as a DataFrame: {bytes_ / 1e6:,.0f} MB are shuffled, "
                  f"{bytes_ / cost.size:.2f} bytes for each byte read", flush=True)  # fmt: skip
    return cost


def driven(folder: Path) -> Cost:
    """Audit it with all tasks in processes of their own."""
    crossed = [0, 0]

    def runner(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        task = partial(_task, destination, options)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            for sent, said in pool.imap_unordered(task, units):
                crossed[0] += sent
                crossed[1] += len(said)
                yield pickle.loads(said)  # noqa: S301  # from `_task`

    units = units_of(str(folder))
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as out:
        begun = process_time()
        destination = Destination.new(str(Path(out, "audit")), replace=False)
        found = run_audit(units, destination, Options(), runner, texts_of)
        seconds = process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sent, received = crossed
    size, findings = sum(unit.size for unit in units), found.findings.num_rows
    return Cost(size, findings, sent, received, seconds, peak)


def _task(destination: Destination, options: Options, unit: Unit) -> tuple[int, bytes]:
    """Return how long its order was, and its result, as they cross."""
    order = pickle.dumps((destination, options, unit))
    return len(order), pickle.dumps(audit_units([unit], destination, options))


def shuffled(folder: str) -> int:
    """Audit the fleet as a DataFrame and return the bytes that Spark wrote for its shuffles."""
    spark = spark_session("local[2]", "bench", {"spark.ui.showConsoleProgress": "false"})
    register(spark)
    with audit(spark.read.format("kproto.offsets").load(folder)) as audited:
        audited.findings.count()
    store = spark.sparkContext._jsc.sc().statusStore()
    total = int(store.executorSummary("driver").totalShuffleWrite())
    spark.stop()
    return total


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
