"""An audit on two cores of Spark beside the same audit in process: how long somebody waits.

    python -m tests.benchmarks.bench_local [--megabytes 200] [--turns 3] [--check]

A fleet of small groups with commits, in 8 partitions of the topic. The two take turns; each audit
is a process of its own, as the command is, and its time is told from when it has begun: in process
that is when modules are imported, on Spark when the session is there. So Spark's time has the start
of its Python workers in it. `--check` fails where Spark takes more than 1.3 times as long.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.audit import Runner
from kproto.pipeline.run.in_process import in_process
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination

from .fleet import write
from .own_process import in_own_process
from .timing import Times

LIMIT = 1.3
_A_MEGABYTE = 14
"""Groups; a group has some 80 KB of the topic then."""


class Waited(NamedTuple):
    """Seconds, and how many findings the audit had."""

    seconds: float
    findings: int


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    times: dict[str, list[float]] = {"in process": [], "local[2]": []}
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as folder:
        write(Path(folder), given.megabytes, groups=given.megabytes * _A_MEGABYTE)
        size = sum(unit.size for unit in units_of(folder))
        for _ in range(given.turns):
            here = in_own_process(waited_here, folder, Waited)
            there = in_own_process(waited_on_spark, folder, Waited)
            assert here.findings == there.findings
            for name, waited in zip(times, (here, there), strict=True):
                times[name].append(waited.seconds)
    measured = Times(times)
    for name, seconds in measured.medians().items():
        print(f"{name:12}{seconds:7.1f} s{size / seconds / 1e6:8.0f} MB a second")
    ratio = measured.ratio("local[2]", "in process")
    print(f"local[2] / in process = {ratio:.2f}, at most {LIMIT} wanted")
    return int(given.check and ratio > LIMIT)


def waited_here(folder: Path) -> Waited:
    """Audit it in this process."""
    return _waited(folder, in_process)


def waited_on_spark(folder: Path) -> Waited:
    """Audit it on two cores of Spark."""
    return _waited(folder, on_spark("local[2]", {"spark.ui.showConsoleProgress": "false"}))


def _waited(folder: Path, runner: Runner) -> Waited:
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as out:
        start = perf_counter()
        destination = Destination.new(str(Path(out, "audit")), replace=False)
        found = run_audit(units_of(str(folder)), destination, Options(), runner)
        return Waited(perf_counter() - start, found.findings.num_rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
