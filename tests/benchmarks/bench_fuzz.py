"""Rates of campaigns on one core: python -m tests.benchmarks.bench_fuzz [TARGET...] [--seconds N]

- decode, encode, decode under atheris, coverage taken and inputs made by the layout's mutator;
- comparison with Java's classes, hundreds of messages a call: verdict, remainder and value, of
  inputs that were made before, and beside it the same within a campaign;
- the other targets, for the order of magnitude.

Rates are executions a second of processor time (the worker's, its JVM's included), so that a busy
machine does not change them much; what it takes to begin is not counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from itertools import islice
from pathlib import Path

from kproto.fuzz.campaign import seeds
from kproto.fuzz.engines.board import Board
from kproto.fuzz.engines.isolated import environment
from kproto.fuzz.engines.order import MISSING, Order
from kproto.fuzz.targets import NAMES

WANTED = {"round-trip-consumer": 100_000, "comparison with Java": 100_000}
_COMPARED = 100_000
_TICK = 0.05
_CLOCK = os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Print the table; 1 where a rate that is promised is missed."""
    parser = ArgumentParser()
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each target")
    arguments = parser.parse_args()
    missed = 0
    print(f"{'target':24} {'executions':>12} {'a second':>12}   promised")
    for name in arguments.targets or ("comparison with Java", *NAMES):
        measured = comparison() if name == "comparison with Java" else rate(name, arguments.seconds)
        if measured is None:
            print(f"{name:24} left out: its judge is not here")
            continue
        executions, seconds = measured
        wanted = WANTED.get(name, 0)
        missed += executions / seconds < wanted
        promised = f"{wanted:,}" if wanted else ""
        print(f"{name:24} {executions:12,} {executions / seconds:12,.0f}   {promised}", flush=True)
    return 1 if missed else 0


def comparison() -> tuple[int, float] | None:
    """Messages compared and the processor's seconds that they took; None without Java."""
    from kproto.fuzz.mutators.picking import changed
    from kproto.fuzz.targets import Missing, load

    name = "java-agreement-consumer"
    try:
        target = load(name)
    except Missing:
        return None
    assert target.batched is not None
    made = list(islice(changed(target.form, seeds.shipped(name), 1), _COMPARED))
    for warm in (True, True, False):
        batch = target.batched()
        begun = time.process_time()
        for data in made:
            batch(data)
        batch.finish()
        if not warm:
            return len(made), time.process_time() - begun
    raise AssertionError


def rate(name: str, seconds: float) -> tuple[int, float] | None:
    """Executions and the processor's seconds that they took; None without the target's judge."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "corpus").mkdir()
        seeds.unpack(seeds.shipped(name), place / "seeds")
        board = Board(place / "board", create=True)
        order = Order(
            target=name, engine="atheris", seed=1, corpus=place / "corpus", seeds=place / "seeds",
            board=place / "board", found=place / "found", seconds=seconds + 30,
        )  # fmt: skip
        order.write(place / "order.json")
        worker = subprocess.Popen(
            [sys.executable, "-m", "kproto.fuzz.engines.worker", str(place / "order.json")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(),
        )  # fmt: skip
        try:
            return _measured(worker, board, seconds)
        finally:
            worker.kill()
            worker.wait()
            if (place / "found").exists():
                print(f"{name}: there are findings", file=sys.stderr)


def _measured(
    worker: subprocess.Popen[bytes], board: Board, seconds: float
) -> tuple[int, float] | None:
    while not board.seen().executions:
        if worker.poll() is not None:
            assert worker.returncode == MISSING, worker.returncode
            return None
        time.sleep(_TICK)
    time.sleep(seconds / 3)  # the first inputs are all new, and the JVM is cold
    begun, spent = board.seen().executions, _spent(worker.pid)
    time.sleep(seconds)
    return board.seen().executions - begun, _spent(worker.pid) - spent


def _spent(pid: int) -> float:
    """Processor time of a process so far, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _CLOCK


if __name__ == "__main__":
    sys.exit(main())
