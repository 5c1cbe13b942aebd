"""The columnar decoder alone, on one core: rows a second, with full columns out; and the first
column of a fresh process.

    python -m tests.benchmarks.bench_columnar [--rows N] [--against TREE] [--check]

`--against` measures the decoder of another checkout in the same run, in turns. Times are of the
processor, the least of all turns. `--check` fails below 5 million S rows a second, above 60 ms for
the first column, and where the other checkout is quicker.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import IO, Any

from tests.benchmarks.checkouts import as_package

LEAST = 5e6
FIRST_COLUMN = 0.060
TURNS = 9
FRESH_TURNS = 5
BATCH_BYTES = 100_000_000

FRESH = """
import time
import numpy, pyarrow, pyarrow.compute, msgspec
column = pyarrow.array([bytes(10)])  # imports pandas
start = time.process_time()
from kproto.codec import ConsumerProtocolSubscription
from kproto.pipeline.columnar import decode_column
decode_column(column, ConsumerProtocolSubscription)
print(time.process_time() - start)
"""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--against", type=Path, metavar="TREE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.worker:
        return work(given.rows)
    with tempfile.TemporaryDirectory() as folder:
        trees = [dict(os.environ)]
        if given.against:
            tree = as_package(given.against, Path(folder))
            trees.append(os.environ | {"PYTHONPATH": str(tree)})
        return compare(trees, given.rows, given.check)


def compare(trees: list[dict[str, str]], rows: int, check: bool) -> int:
    """Print what each tree takes; the first is this one."""
    told = []
    print(f"{'':10}{'rows/s':>14}{'MB/s':>8}" + "     against   ratio" * (len(trees) - 1))
    workers = [Worker(tree, rows) for tree in trees]
    for name in workers[0].names:
        times = [[worker.time(name) for worker in workers] for _ in range(TURNS)]
        count, size = workers[0].sizes[name]
        ours, *others = (count / min(each) for each in zip(*times, strict=True))
        line = f"{name:10}{ours:14,.0f}{ours * size / count / 1e6:8,.0f}"
        print(line + "".join(f"{other:12,.0f}{ours / other:8.2f}" for other in others))
        if name == "S" and ours < LEAST:
            told.append(f"S: at least {LEAST:,.0f} rows a second are wanted")
        if any(ours < other for other in others):
            told.append(f"{name}: the other tree is quicker")
    firsts = [[fresh(tree) for tree in trees] for _ in range(FRESH_TURNS)]
    least = [min(each) for each in zip(*firsts, strict=True)]
    print("first column of a fresh process:", *(f"{1000 * each:,.0f} ms" for each in least))
    if least[0] > FIRST_COLUMN:
        told.append(f"the first column may take {1000 * FIRST_COLUMN:.0f} ms")
    print(*told, sep="\n")
    return int(check and bool(told))


def fresh(environment: dict[str, str]) -> float:
    """Processor time of a new process from kproto's first import to its first column, pyarrow and
    what it brings apart."""
    command = [sys.executable, "-c", FRESH]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


class Worker:
    """A process that measures one tree."""

    def __init__(self, environment: dict[str, str], rows: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, "--worker", "--rows", str(rows)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.sizes: dict[str, tuple[int, int]] = {}
        """Of each shape the rows that are measured, and their bytes."""
        for word in self._line().split():
            name, count, size = word.split(":")
            self.sizes[name] = int(count), int(size)

    @property
    def names(self) -> list[str]:
        return list(self.sizes)

    def time(self, name: str) -> float:
        """Seconds for all rows of a shape."""
        to: IO[str] | None = self._process.stdin
        assert to is not None
        print(name, file=to, flush=True)
        return float(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


# -- in the worker


def work(rows: int) -> int:
    """Answer each name of a shape with the seconds that its rows take."""
    import pyarrow as pa

    columns: dict[str, tuple[Any, Any]] = {}
    for name, (messages, message_class) in messages_by_shape().items():
        size = sum(map(len, messages)) // len(messages)
        times = max(1, min(rows, BATCH_BYTES // size) // len(messages))
        columns[name] = pa.array(messages * times, pa.binary()), message_class
    print(*(f"{name}:{len(c)}:{c.nbytes}" for name, (c, _) in columns.items()), flush=True)
    for line in sys.stdin:
        print(seconds(*columns[line.strip()]), flush=True)
    return 0


def messages_by_shape() -> dict[str, tuple[list[bytes], Any]]:
    """The bytes that are measured, and their class."""
    from kproto.codec import ConsumerProtocolSubscription, GroupMetadataValue

    from .shapes import SHAPES

    found: dict[str, tuple[list[bytes], Any]] = {
        shape.name: ([one.to_bytes() for one in shape.messages], ConsumerProtocolSubscription)
        for shape in SHAPES
    }
    subscription = found["S"][0][0]
    member = GroupMetadataValue.MemberMetadata
    value = GroupMetadataValue(
        protocol_type="consumer",
        generation=41,
        protocol="cooperative-sticky",
        leader="consumer-1-0b6a2c1e",
        current_state_timestamp=1_700_000_000_000,
        members=[
            member(
                member_id=f"consumer-{number}-0b6a2c1e",
                client_id=f"consumer-{number}",
                client_host="/10.0.0.7",
                rebalance_timeout=300_000,
                session_timeout=45_000,
                subscription=subscription,
                assignment=subscription[62:160],
            )
            for number in range(3)
        ],
    )
    return found | {"group": ([value.to_bytes(version=3)], GroupMetadataValue)}


def seconds(column: Any, message_class: Any) -> float:
    """Processor time for one column."""
    from kproto.pipeline.columnar import decode_column

    start = process_time()
    decoded = decode_column(column, message_class)
    taken = process_time() - start
    assert decoded.field("error_kind").null_count == len(column)
    return taken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
