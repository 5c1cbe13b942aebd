"""A generated fleet from its segments to all tables: where the processor's time goes.

    python -m tests.benchmarks.bench_fleet [--megabytes 2048 [--groups N]] [--check]
    python -m tests.benchmarks.bench_fleet --fleet FOLDER [--check]
    python -m tests.benchmarks.bench_fleet [--fleet FOLDER] --estimate GB [--executors N]
    python -m tests.benchmarks.bench_fleet --against TREE [--turns 5] [--check]

Time is the processor's own, of all threads, so it does not matter how many cores there are, nor
what else runs. A stage is what stands in its line, without the stages that it calls. The last line
but two compares the whole audit with reading the records out of their segments and nothing else,
each in processes of their own, in turns. What a large topic takes on a cluster is estimated from
the stages: see `estimate`. `--check` fails below 50 MB a second a core, and where the audit takes
more than `MOST_READINGS` times as long as reading. `--fleet` is a folder where a fleet has been
written already, or one with log segments of your own. `--estimate` prints nothing but what a topic
of so many GB takes on so many executors (20 by default), in so many `--partitions` (50).

`--against` compares with another checkout, whose dependencies have to be importable: the benchmark
of each and its command run in processes of their own, in turns, on the same fleet. The benchmark
counts the processor's time, of which threads take more; the command is measured by the clock, with
its threads. `--check` fails then where this one is not 2.2 times as fast by both.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heapreplace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from types import SimpleNamespace
from typing import Any, NamedTuple

from kproto.pipeline.groups import group_audit, intake, rebalance_costs, states
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run import audit as run
from kproto.pipeline.run.in_process import in_process
from kproto.pipeline.run.on_spark import orders_of
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.segments import split_reader as segments
from kproto.pipeline.tables import commits, record_kinds, writing
from kproto.pipeline.tables.publishing import Destination
from kproto.wording import counted

from .checkouts import as_package
from .fleet import write
from .own_process import in_own_process
from .timing import Times

LEAST = 50e6
MOST_READINGS = 5
"""How many times as long as reading its records an audit is to take."""
FASTER = 2.2
LEAST_FLEET = 50e6
"""From how many bytes on the pace of a fleet is told of a large topic."""
STAGES: dict[str, tuple[tuple[Any, str], ...]] = {
    "segments to records": ((segments, "read_range"),),
    "records by type": ((intake, "read_kinds"),),
    "keys and values": ((record_kinds, "decode_column"), (record_kinds, "decode_rows")),
    "groups: histories and rules": ((states.Groups, "classic"), (states.Groups, "catch_up")),
    "groups: repetitions": ((group_audit, "fingerprints"),),
    "groups: rows": ((group_audit, "classic_rows"),),
    "groups: deviations": ((group_audit, "deviation_rows"),),
    "commits: rows": ((group_audit, "record_rows"), (group_audit, "offset_rows")),
    "commits: sums": (
        (group_audit, "commits_of"),
        (commits.CommitSummary, "add"),
        (commits.CommitSummary, "table"),
    ),
    "commits: after rebalances": (
        (rebalance_costs.RebalanceCosts, "take"),
        (rebalance_costs.RebalanceCosts, "unfinished"),
    ),
    "parquet": ((writing.TableWriter, "write"), (writing.TableWriter, "written")),
    "the end of each group": (
        (group_audit.GroupAudit, "judged"),
        (group_audit.GroupAudit, "ended"),
    ),
    "all groups together": ((run, "_with_verdict"),),
    "the rest": ((sys.modules[__name__], "_audit"),),
}


OF_EACH_SHARE = ("segments to records",)
"""The stages that each of the tasks that share a partition repeats."""
DRIVER = "all groups together"


class Clock:
    """Processor time by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._stack: list[str] = []
        self._since = process_time()

    def _turn(self) -> None:
        now = process_time()
        if self._stack:
            self.seconds[self._stack[-1]] += now - self._since
        self._since = now

    def enter(self, stage: str) -> None:
        self._turn()
        self._stack.append(stage)

    def leave(self) -> None:
        self._turn()
        self._stack.pop()

    def timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same function or generator, with its time."""

        def wrapper(*arguments: Any, **named: Any) -> Any:
            self.enter(stage)
            try:
                made = call(*arguments, **named)
            finally:
                self.leave()
            return self._each(stage, made) if isinstance(made, Iterator) else made

        return wrapper

    def _each(self, stage: str, made: Iterator[Any]) -> Iterator[Any]:
        while True:
            self.enter(stage)
            try:
                one = next(made)
            except StopIteration:
                return
            finally:
                self.leave()
            yield one


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=2048)
    parser.add_argument("--groups", type=int, help="by default 4 for each MB")
    parser.add_argument("--against", metavar="TREE", type=Path)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--fleet", metavar="FOLDER", type=Path)
    parser.add_argument("--estimate", metavar="GB", type=float)
    parser.add_argument("--executors", type=int, default=Cluster().executors)
    parser.add_argument("--partitions", type=int, default=Cluster().partitions)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as made:
        fleet = given.fleet or Path(made, "fleet")
        if given.fleet is None:
            _say(f"writing a fleet of {given.megabytes:,} MB")
            write(fleet, given.megabytes, groups=given.groups)
        if given.against is None:
            size = Cluster().size if given.estimate is None else given.estimate * 1e9
            cluster = Cluster(size, given.partitions, 1 / given.partitions, given.executors)
            stages = _stages(fleet, Path(made))
            print("\n".join(estimate(*stages[:2], cluster)), flush=True)
            return 0 if given.estimate is not None else _rates(fleet, *stages, check=given.check)
        ratio = _compared(given.against, fleet, Path(made), given.turns)
        return int(given.check and ratio < FASTER)


def _say(what: str) -> None:
    """Print at once what is done now, beside the results: a large fleet takes minutes."""
    print(f"- {what}", file=sys.stderr, flush=True)


class _Checkout(NamedTuple):
    """A tree, and the environment in which Python finds its package."""

    tree: Path
    environment: Mapping[str, str]

    def rate(self, fleet: Path, _: Path) -> float:
        """Return how many MB a second of the processor its benchmark reads."""
        command = ["-m", "tests.benchmarks.bench_fleet", "--fleet", str(fleet.absolute())]
        return float(self._run(command).splitlines()[-1].partition(" MB")[0])

    def speed(self, fleet: Path, out: Path) -> float:
        """Return how many MB a second by the clock its command reads in one process, from its start
        to its end.
        """
        command = ["-c", _COMMAND, "audit", str(fleet.absolute()), "--out", str(out)]
        begun = perf_counter()
        self._run([*command, "--jobs", "1", "--fail-on", "never"])
        seconds = perf_counter() - begun
        shutil.rmtree(out)
        return sum(unit.size for unit in units_of(str(fleet))) / seconds / 1e6

    def _run(self, arguments: Sequence[str]) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            check=True,
            cwd=self.tree,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        return done.stdout


_COMMAND = "import sys; from kproto.tools.main import main; sys.exit(main())"


def _compared(tree: Path, fleet: Path, made: Path, turns: int) -> float:
    """Print how fast both checkouts are, and return the lower of the medians of all turns: of the
    processor, and of the command by the clock.
    """
    path = os.pathsep.join([str(as_package(tree, made / "package")), str(tree.absolute())])
    known = os.environ.get("PYTHONPATH", "")
    both = (
        _Checkout(Path.cwd(), os.environ),
        _Checkout(tree, os.environ | {"PYTHONPATH": os.pathsep.join([path, known])}),
    )
    measured = {
        "MB a second a core": _Checkout.rate,
        "MB a second by the clock, kproto audit --jobs 1": _Checkout.speed,
    }
    ratios = []
    for what, measure in measured.items():
        _say(f"measuring {what}, {turns} turns of both checkouts")
        rates = [[measure(each, fleet, made / "out") for each in both] for _ in range(turns)]
        for name, found in zip(("this checkout", tree), zip(*rates, strict=True), strict=True):
            print(f"{name}: {', '.join(f'{rate:.1f}' for rate in found)} {what}")
        ratio = median(ours / theirs for ours, theirs in rates)
        print(f"{ratio:.2f} times as fast (median of {turns} turns), at least {FASTER} wanted")
        ratios.append(ratio)
    return min(ratios)


def _stages(fleet: Path, made: Path) -> tuple[Mapping[str, float], int, int]:
    """Print where the time of an audit goes, and return the seconds of each stage, the bytes and
    the records."""
    clock = Clock()
    for stage, places in STAGES.items():
        for owner, name in places:
            setattr(owner, name, clock.timed(stage, getattr(owner, name)))
    write(made / "small", 2)
    _audit(str(made / "small"), str(made / "first"))  # compiles what is compiled
    clock.seconds.clear()
    _say("auditing it, with a clock in each stage")
    records = _audit(str(fleet), str(made / "out"))
    size = sum(unit.size for unit in units_of(str(fleet)))
    whole = sum(clock.seconds.values())
    for stage in STAGES:
        print(f"{stage:28}{clock.seconds[stage]:9.2f} s{clock.seconds[stage] / whole:7.1%}")
    return clock.seconds, size, records


def _rates(
    fleet: Path, stages: Mapping[str, float], size: int, records: int, *, check: bool
) -> int:
    """Print how fast the audit is, and return the exit status."""
    seconds = sum(stages.values())
    ratio = _readings(fleet)
    print(f"audit / reading the records = {ratio:.1f}, at most {MOST_READINGS} wanted")
    print(f"{size / 1e6:,.0f} MB, {records:,} records, {seconds:.1f} s of the processor")
    print(f"{size / seconds / 1e6:.1f} MB and {records / seconds:,.0f} records a second a core")
    return int(check and (size / seconds < LEAST or ratio > MOST_READINGS))


class Cluster(NamedTuple):
    """A topic of `size` bytes in `partitions`, of which the largest has `largest` of all bytes, and
    executors of one core each."""

    size: float = 100e9
    partitions: int = 50
    largest: float = 1 / 50
    executors: int = 20

    @property
    def sizes(self) -> list[float]:
        """The bytes of each partition, the largest first."""
        rest = self.size * (1 - self.largest) / (self.partitions - 1)
        return [self.size * self.largest, *[rest] * (self.partitions - 1)]


def estimate(seconds: Mapping[str, float], size: int, of_equals: Cluster) -> Iterator[str]:
    """Say how long an audit of a large topic takes on a cluster, and what bounds it, if each stage
    goes on at the pace of this fleet: with equal partitions, and where one has a quarter.

    Not counted are the start of the session and of Python, the network, and the store.
    """
    if size < LEAST_FLEET:
        yield (
            f"the pace of {size / 1e6:.1f} MB says little of a large topic, since what a stage "
            f"costs once is counted for each byte: measure at least {LEAST_FLEET / 1e6:.0f} MB"
        )
    for cluster in dict.fromkeys((of_equals, of_equals._replace(largest=0.25))):
        driver = seconds[DRIVER] / size * cluster.size
        loads = _loads(seconds, size, cluster)
        even = sum(loads) / len(loads)
        whole = max(loads) + driver
        parts = {
            "the work of all tasks": even,
            "tasks that are not of one size": max(loads) - even,
            "the driver, which takes all groups together": driver,
        }
        worst = max(parts, key=lambda name: parts[name])
        shown_parts = ", ".join(f"{part:,.0f} s {name}" for name, part in parts.items())
        yield (
            f"estimated: {cluster.size / 1e9:.0f} GB in {cluster.partitions} partitions, the "
            f"largest with {cluster.largest:.0%}, on {counted(cluster.executors, 'executor')}: "
            f"{whole:,.0f} s "
            f"({shown_parts}); bounded by {worst}"
        )


def _loads(seconds: Mapping[str, float], size: int, cluster: Cluster) -> list[float]:
    """Return how many seconds each executor works: the next task goes to the one that is free."""
    again = sum(seconds[stage] for stage in OF_EACH_SHARE) / size
    once = (sum(seconds.values()) - seconds[DRIVER]) / size - again
    loads = [0.0] * cluster.executors
    units: list[Any] = [SimpleNamespace(size=int(part)) for part in cluster.sizes]
    for of_task, share in orders_of(units, cluster.executors):
        bytes_of_task = sum(unit.size for unit in of_task)
        heapreplace(loads, loads[0] + bytes_of_task * (again + once / share.total))
    return loads


def _readings(fleet: Path, turns: int = 3) -> float:
    """Return how many times as long as reading the records of a fleet its audit takes."""
    measures = {"audit": audit_seconds, "reading": reading_seconds}
    seconds: dict[str, list[float]] = {name: [] for name in measures}
    for turn in range(turns):
        for name, measure in measures.items():
            _say(f"comparing, turn {turn + 1} of {turns}: {name}")
            seconds[name].append(in_own_process(measure, str(fleet), float))
    return Times(seconds).ratio("audit", "reading")


def audit_seconds(fleet: Path) -> float:
    """Return the processor's time of a second audit: the first one compiles what is compiled."""
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as folder:
        write(Path(folder, "small"), 2)
        _audit(str(Path(folder, "small")), str(Path(folder, "first")))
        begun = process_time()
        _audit(str(fleet), str(Path(folder, "out")))
        return process_time() - begun


def reading_seconds(fleet: Path) -> float:
    """Return the processor's time that reading all records into tables takes."""
    units = units_of(str(fleet))
    begun = process_time()
    for unit in units:
        for _ in unit.tables("fleet"):
            pass
    return process_time() - begun


def _audit(source: str, out: str) -> int:
    destination = Destination.new(out, replace=False)
    without_threads = partial(in_process, in_threads=False)  # their time would be of any stage
    return run_audit(units_of(source), destination, Options(), without_threads).counts.read


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
