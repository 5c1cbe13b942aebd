"""Rates of campaigns on one core: python -m tests.benchmarks.bench_fuzz [TARGET...] [--seconds N]

- decode, encode, decode under atheris, coverage taken and inputs made by the layout's mutator;
- comparison with Java's classes, hundreds of messages a call: verdict, remainder and value, of
  inputs that were made before, and beside it the same within a campaign;
- subscriptions that Hypothesis draws for a test that does nothing, beside the same shape of
  its own lists, texts and integers: at most 1.5 times the time;
- the other targets, for the order of magnitude.

Rates are executions a second of processor time (the worker's, its JVM's included), of each second
of the run: the median, which is held against what is promised, and the fastest, which is what a
core does that shares nothing with others. What it takes to begin is not counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from kproto.fuzz import seeds
from kproto.fuzz.engines.job import MISSING, Job, SharedStatus, environment
from kproto.fuzz.targets import NAMES

WANTED = {
    "round-trip-consumer": 200_000, "comparison with Java": 100_000, "subscriptions drawn": 500,
}  # fmt: skip
WORKER = "kproto.fuzz.engines.worker"
_COMPARED = 100_000
_DRAWN = 1_000
_TIMES_OF_SHAPE = 1.5
_WARM, _TIMES = 2, 5
_TICK = 0.05
_CLOCK = os.sysconf("SC_CLK_TCK")

Measured = tuple[int, list[float]]
"""Executions of the run; rates of its seconds."""


def main() -> int:
    """Print the table; 1 where a rate that is promised is missed."""
    parser = ArgumentParser()
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each target")
    arguments = parser.parse_args()
    missed = 0
    print(f"{'target':24} {'executions':>12} {'a second':>12} {'fastest':>12}   promised")
    own = {"comparison with Java": comparison, "subscriptions drawn": drawing}
    for name in arguments.targets or (*own, *NAMES):
        measured = own[name]() if name in own else rate(name, arguments.seconds)
        if measured is None:
            print(f"{name:24} left out: its judge is not here")
            continue
        executions, rates = measured
        wanted = WANTED.get(name, 0)
        missed += median(rates) < wanted
        promised = f"{wanted:,}" if wanted else ""
        told = f"{executions:12,} {median(rates):12,.0f} {max(rates):12,.0f}   {promised}"
        print(f"{name:24} {told}", flush=True)
    return 1 if missed else 0


def comparison() -> Measured | None:
    """Messages compared; None without Java."""
    from kproto.fuzz.targets import Missing, load
    from tests.fuzz.shaking import changed

    name = "java-agreement-consumer"
    try:
        target = load(name)
    except Missing:
        return None
    assert target.batched is not None
    made = list(islice(changed(target.form, seeds.shipped(name), 1), _COMPARED))
    rates = []
    for _ in range(_WARM + _TIMES):
        batch = target.batched()
        begun = time.process_time()
        for data in made:
            batch(data)
        batch.finish()
        rates.append(len(made) / (time.process_time() - begun))
    return _TIMES * len(made), rates[_WARM:]


def drawing() -> Measured:
    """Subscriptions drawn, and the ratio to the same shape of Hypothesis's own."""
    from hypothesis import strategies as st

    from kproto.fuzz.strategies import subscriptions

    text, int32 = st.text(max_size=20), st.integers(-(2**31), 2**31 - 1)
    shape = st.fixed_dictionaries({
        "version": st.integers(0, 3), "topics": st.lists(text, max_size=4),
        "user_data": st.none() | st.binary(max_size=20),
        "owned": st.lists(st.tuples(text, st.lists(int32, max_size=6)), max_size=3),
        "generation": int32, "rack": st.none() | text,
    })  # fmt: skip
    plain, drawn = _drawn(shape), _drawn(subscriptions())
    ratio = median(plain[1]) / median(drawn[1])
    print(
        f"drawing a subscription takes {ratio:.2f} times the same shape (at most {_TIMES_OF_SHAPE})"
    )
    return drawn


def _drawn(strategy: Any) -> Measured:
    """Examples drawn, without the phases that replay and shrink."""
    from hypothesis import HealthCheck, Phase, given, settings

    seen = []

    @settings(
        max_examples=_DRAWN, database=None, deadline=None, phases=[Phase.generate],
        derandomize=True, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def draw(given: object) -> None:
        seen.append(given)

    rates = []
    for _ in range(_WARM + _TIMES):
        seen.clear()
        begun = time.process_time()
        draw()
        rates.append(len(seen) / (time.process_time() - begun))
    return _TIMES * len(seen), rates[_WARM:]


def rate(name: str, seconds: float) -> Measured | None:
    """Executions of a target; None without its judge."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "corpus").mkdir()
        seeds.unpack(seeds.shipped(name), place / "seeds")
        status = SharedStatus(place / "status", create=True)
        job = Job(
            target=name, engine="atheris", seed=1, corpus=place / "corpus", seeds=place / "seeds",
            status=place / "status", findings=place / "found", seconds=seconds + 30,
        )  # fmt: skip
        job.write(place / "job.json")
        worker = subprocess.Popen(
            [sys.executable, "-m", WORKER, str(place / "job.json")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(),
        )  # fmt: skip
        try:
            return _measured(worker, status, seconds)
        finally:
            worker.kill()
            worker.wait()
            if (place / "found").exists():
                print(f"{name}: there are findings", file=sys.stderr)


def _measured(
    worker: subprocess.Popen[bytes], status: SharedStatus, seconds: float
) -> Measured | None:
    while not status.progress().executions:
        if worker.poll() is not None:
            assert worker.returncode == MISSING, worker.returncode
            return None
        time.sleep(_TICK)
    time.sleep(seconds / 3)  # the first inputs are all new, and the JVM is cold
    seen = [(status.progress().executions, _spent(worker.pid))]
    for _ in range(max(1, round(seconds))):
        time.sleep(1)
        seen.append((status.progress().executions, _spent(worker.pid)))
    rates = [
        (b - a) / (until - since)
        for (a, since), (b, until) in pairwise(seen)
        if until > since  # on a busy machine a worker may get nothing of a second
    ]
    return seen[-1][0] - seen[0][0], rates


def _spent(pid: int) -> float:
    """Processor time of a process so far, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _CLOCK


if __name__ == "__main__":
    sys.exit(main())
