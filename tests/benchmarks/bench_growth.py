"""An audit against the size of its input: what it costs, and how much memory its process takes.

    python -m tests.benchmarks.bench_growth [--check]

One partition of the same groups, whose histories grow to ten times their length; each is audited
by a process of its own, as a task of an executor does it. `--check` fails where the peak of the
longest is more than a quarter above that of the shortest, or the time of each of its MB.

Then fleets of more and more groups, in 50 partitions as a broker has them, with `kproto audit`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from time import process_time
from typing import NamedTuple

from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination

from .fleet import write
from .own_process import in_own_process

MEGABYTES = (100, 200, 500, 1000)
GROUPS = 200
MOST = 1.25
PARTITIONS = 50
FLEETS = (1500, 3000, 6000)


class Cost(NamedTuple):
    """Bytes of the input, seconds of the processor, the most bytes that the process had."""

    size: int
    seconds: float
    peak: int


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    print(f"{'MB':>8}{'seconds':>10}{'MB/s':>8}{'peak MB':>10}")
    costs = []
    for megabytes in MEGABYTES:
        costs.append(cost(megabytes))
        size, seconds, peak = costs[-1]
        print(f"{size / 1e6:8,.0f}{seconds:10.1f}{size / seconds / 1e6:8.1f}{peak / 1e6:10.0f}")
    least, most = costs[0], costs[-1]
    memory = most.peak / least.peak
    time = most.seconds / least.seconds / (most.size / least.size)
    print(f"{most.size / least.size:.1f} times the input: {memory:.2f} times the memory, ", end="")
    print(f"{time:.2f} times the seconds of each MB")
    print(f"\n{'groups':>8}{'MB':>8}{'peak MB':>10}  kproto audit, {PARTITIONS} partitions")
    for groups in FLEETS:
        size, peak = by_command(groups)
        print(f"{groups:8,}{size / 1e6:8,.0f}{peak / 1e6:10.0f}", flush=True)
    return int(given.check and max(memory, time) > MOST)


def cost(megabytes: int) -> Cost:
    """Of one size, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as folder:
        write(Path(folder), megabytes, groups=GROUPS, partitions=1)
        return in_own_process(audited, folder, Cost)


def by_command(groups: int) -> tuple[int, int]:
    """Return the size of a fleet of so many groups, and the peak of the command's process."""
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as folder:
        source = Path(folder, "fleet")
        write(source, groups // 10, groups=groups, partitions=PARTITIONS)
        command = [sys.executable, "-m", "kproto", "audit", str(source), "--fail-on", "never"]
        process = subprocess.Popen(
            [*command, "--out", str(Path(folder, "out"))],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"kproto audit failed with status {process.returncode}")
        return sum(unit.size for unit in units_of(str(source))), usage.ru_maxrss * 1024


def audited(folder: Path) -> Cost:
    """Audit it, after a small one that has everything compiled and imported."""
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as beside:
        small = Path(beside, "small")
        write(small, 2)
        _audit(small, Path(beside, "first"))
        begun = process_time()
        size = _audit(folder, Path(beside, "out"))
        seconds = process_time() - begun
    return Cost(size, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def _audit(source: Path, out: Path) -> int:
    units = units_of(str(source))
    run_audit(units, Destination.new(str(out), replace=False), Options())
    return sum(unit.size for unit in units)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
