"""What messages take without the compiled core, beside the same in another checkout.

    python -m tests.benchmarks.bench_python_engine [--against TREE] [--check]

Each checkout decodes and encodes the same messages in processes of its own, in turns; times are of
the processor, the least of all turns. `--check` fails where a message takes more than 1.6 times as
long as in the other checkout: what the Python engine may cost for being readable, against the one
that was written for speed, before there was a core.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from tests.benchmarks.bench_columnar import messages_by_shape
from tests.benchmarks.checkouts import as_package

MOST = 1.6
PROCESSES = 4  # of each checkout
SECONDS = 0.3  # for one shape in one process


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, metavar="TREE", help="another checkout")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.worker:
        print(json.dumps(measured()))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        trees = [os.environ | {"KPROTO_ENGINE": "python", "KPROTO_REQUIRE_CORE": ""}]
        if given.against:
            tree = as_package(given.against, Path(folder))
            trees.append(trees[0] | {"PYTHONPATH": str(tree)})
        turns = [[in_a_process(tree) for tree in trees] for _ in range(PROCESSES)]
    return compare(turns, check=given.check)


def compare(turns: list[list[dict[str, float]]], *, check: bool) -> int:
    """Print the least time of each row in each checkout; the first is this one."""
    worst = 0.0
    print(f"{'':16}{'us a message':>14}" + "   against   ratio" * (len(turns[0]) - 1))
    for name in turns[0][0]:
        ours, *others = (min(row[name] for row in rows) for rows in zip(*turns, strict=True))
        worst = max([worst, *(ours / other for other in others)])
        shown = "".join(f"{other:10.2f}{ours / other:8.2f}" for other in others)
        print(f"{name:16}{ours:14.2f}{shown}")
    return int(check and worst > MOST)


def in_a_process(environment: dict[str, str]) -> dict[str, float]:
    """Return what a new process measures, with the checkout of `environment`."""
    command = [sys.executable, "-m", __spec__.name, "--worker"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


# -- in the worker


def measured() -> dict[str, float]:
    """Return the microseconds that decoding and encoding a message of each shape take."""
    found = {}
    for name, (messages, cls) in messages_by_shape().items():
        version = int.from_bytes(messages[0][:2], "big")
        values = [cls.from_bytes(message) for message in messages]
        decode = partial(map_all, cls.from_bytes, messages)
        encode = partial(map_all, partial(cls.to_bytes, version=version), values)
        for work, call in (("decode", decode), ("encode", encode)):
            found[f"{name}, {work}"] = least(call) / len(messages) * 1e6
    return found


def map_all(call: Callable[[Any], object], values: list[Any]) -> None:
    """Make a call with each of the values."""
    for value in values:
        call(value)


def least(work: Callable[[], Any]) -> float:
    """Return the seconds of the quickest of many calls."""
    work()
    end, best = process_time() + SECONDS, float("inf")
    while process_time() < end:
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
