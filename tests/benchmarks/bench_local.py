"""An audit on two cores of Spark beside the same audit in one process on one core: how long
somebody waits.

    python -m tests.benchmarks.bench_local [--megabytes 200] [--turns 3] [--check]

A fleet of small groups with commits, in 8 partitions of the topic. The two take turns; each audit
is a process of its own, as the command is. Its time runs from the start of that process until the
tables are written; what Spark needs to start its session is subtracted, and printed by itself. What
Spark needs to start its Python workers is not subtracted. `--check` fails where Spark takes more
than 0.65 times as long, and with 1,000 MB and more 0.55 times.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import monotonic
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

LIMIT, LIMIT_OF_LARGE, LARGE = 0.65, 0.55, 1000
"""How many times as long as one process Spark is to take, for few megabytes and for `LARGE`."""
_A_MEGABYTE = 14
"""Groups; a group has some 80 KB of the topic then."""


class Audited(NamedTuple):
    """How many findings an audit had, the moment of its end by the clock of all processes, and how
    many seconds the session took to start.
    """

    findings: int
    ended: float
    session: float = 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    times: dict[str, list[float]] = {"in process": [], "local[2]": []}
    sessions = []
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as folder:
        write(Path(folder), given.megabytes, groups=given.megabytes * _A_MEGABYTE)
        size = sum(unit.size for unit in units_of(folder))
        for _ in range(given.turns):
            audits = []
            for name, audited in (("in process", audited_here), ("local[2]", audited_on_spark)):
                begun = monotonic()
                audit = in_own_process(audited, folder, Audited)
                times[name].append(audit.ended - begun - audit.session)
                audits.append(audit)
            here, there = audits
            assert here.findings == there.findings
            sessions.append(there.session)
    measured = Times(times)
    for name, seconds in measured.medians().items():
        print(f"{name:12}{seconds:7.1f} s{size / seconds / 1e6:8.0f} MB a second")
    print(f"beside {median(sessions):.1f} s for the start of a session")
    ratio = measured.ratio("local[2]", "in process")
    limit = LIMIT_OF_LARGE if given.megabytes >= LARGE else LIMIT
    print(f"local[2] / in process = {ratio:.2f}, at most {limit} wanted")
    return int(given.check and ratio > limit)


def audited_here(folder: Path) -> Audited:
    """Audit it in this process, without threads."""
    return _audited(folder, partial(in_process, in_threads=False))


def audited_on_spark(folder: Path) -> Audited:
    """Audit it on two cores of Spark."""
    begun = monotonic()
    runner = on_spark("local[2]")
    session = monotonic() - begun
    return _audited(folder, runner)._replace(session=session)


def _audited(folder: Path, runner: Runner) -> Audited:
    with tempfile.TemporaryDirectory(prefix="kproto-bench-") as out:
        destination = Destination.new(str(Path(out, "audit")), replace=False)
        audit = run_audit(units_of(str(folder)), destination, Options(), runner)
        return Audited(audit.findings.num_rows, monotonic())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
