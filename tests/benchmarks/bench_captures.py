"""`kproto decode --json` on folders of log segments: how fast, and in how much memory.

    python -m tests.benchmarks.bench_captures [--quick] [--check]

The command itself is run, as people run it, and what counts is the processor's time, start and
output included: a machine that is shared changes that little. The segments are those of real
brokers (`tests/vectors/captures`), repeated. What members wrote repeats with them, as it does in
real logs, and is opened once; `never alike` is what it costs where it does not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from aiokafka.record.util import calc_crc32c
from rich.console import Console
from rich.table import Table

from kproto.capture.batches import Batch, read_batches
from kproto.capture.summary import Summary

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
COMMAND = [sys.executable, "-c", "import sys; from kproto.tools.main import main; sys.exit(main())"]
SEGMENT = 8 << 20
OFFSET_COMMIT, GROUP_METADATA = 1, 2
RENAMED = (b"orders", b"clicks", b"payments")  # the captured groups' topics


class Cost(NamedTuple):
    """Of one run: the input's bytes and records, processor seconds, peak memory in bytes."""

    size: int
    records: int
    seconds: float
    peak: int

    @property
    def megabytes_a_second(self) -> float:
        return self.size / self.seconds / 1e6

    @property
    def records_a_second(self) -> float:
        return self.records / self.seconds


def captured(record_type: int) -> list[bytes]:
    """The batches of real brokers that hold records of one type alone."""
    found = []
    for path in sorted(CAPTURES.rglob("*.log")):
        with path.open("rb") as file:
            found += [batch.data for batch in read_batches(file, str(path), Summary())
                      if all(kind == record_type for kind in _types(batch))]  # fmt: skip
    return found


def _types(batch: Batch) -> list[int]:
    return [int.from_bytes((record.key or b"")[:2], "big") for record in batch.reader]


def repeated(batches: Sequence[bytes]) -> Iterator[bytes]:
    while True:
        yield from batches


def never_alike(batches: Sequence[bytes]) -> Iterator[bytes]:
    """The same, each time with other topics, of the same length and in the same order."""
    rng = Random(5)  # noqa: S311
    for data in repeated(batches):
        changed = data
        for name in RENAMED:
            changed = changed.replace(name, name[:2] + b"%04x" % rng.getrandbits(16) + name[6:])
        yield changed[:17] + calc_crc32c(changed[21:]).to_bytes(4, "big") + changed[21:]


def write(folder: Path, batches: Iterator[bytes], size: int) -> None:
    """Segments of so many bytes in all, as a broker has them."""
    partition = folder / "logs" / "__consumer_offsets-0"
    partition.mkdir(parents=True)
    offset = written = 0
    while written < size:
        with (partition / f"{offset:020}.log").open("wb") as file:
            while file.tell() < SEGMENT and written < size:
                data = next(batches)
                file.write(offset.to_bytes(8, "big") + data[8:])
                offset += 1 + int.from_bytes(data[23:27], "big")
                written += len(data)


def environment(folder: Path) -> dict[str, str]:
    """As people have it: what is imported was compiled before."""
    kept = {name: it for name, it in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def run(folder: Path) -> Cost:
    size = sum(path.stat().st_size for path in folder.rglob("*.log"))
    with (folder / "out").open("w+b") as out:
        process = subprocess.Popen(
            [*COMMAND, "decode", "--json", folder / "logs"],
            stdout=out,
            stderr=subprocess.PIPE,
            env=environment(folder.parent),
        )
        assert process.stderr is not None
        said = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, said
        out.seek(0)
        records = sum(1 for _ in out)
    return Cost(size, records, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


class Case(NamedTuple):
    """`limit` is at least so many of `what`, a second; None is for information."""

    name: str
    batches: Callable[[], Iterator[bytes]]
    what: str
    limit: float | None


CASES = (
    Case("groups", lambda: repeated(captured(GROUP_METADATA)), "MB", 15),
    Case("groups, never alike", lambda: never_alike(captured(GROUP_METADATA)), "MB", None),
    Case("offset commits", lambda: repeated(captured(OFFSET_COMMIT)), "records", 100_000),
)
MOST_GROWTH = 1.25
"""The peak for the whole input, at most so many times that for a tenth of it."""


def best(case: Case, size: int, turns: int, scratch: Path) -> Cost:
    """The quickest of so many runs."""
    with TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        write(folder, case.batches(), size)
        return min((run(folder) for _ in range(turns)), key=lambda cost: cost.seconds)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a fifth of the bytes")
    parser.add_argument("--check", action="store_true", help="status 1 if a limit is missed")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args(arguments)
    size = (10 if options.quick else 50) * 1_000_000
    table = Table(title="captures to JSON lines, on one core", title_style="bold")
    for column in ("", "MB/s", "records/s", "peak MB", "of a tenth", "limit", ""):
        table.add_column(column, justify="left" if column == "" else "right")
    met = True
    with TemporaryDirectory() as name:
        scratch = Path(name)
        for case in CASES:
            small, whole = (
                best(case, size // 10, 1, scratch),
                best(case, size, options.turns, scratch),
            )
            rate = whole.megabytes_a_second if case.what == "MB" else whole.records_a_second
            flat = whole.peak <= small.peak * MOST_GROWTH
            good = flat and (case.limit is None or rate >= case.limit)
            met &= good
            limit = "" if case.limit is None else f"{case.limit:,} {case.what}/s"
            row = [f"{whole.megabytes_a_second:.1f}", f"{whole.records_a_second:,.0f}"]
            row += [f"{cost.peak / 1e6:.0f}" for cost in (whole, small)]
            table.add_row(case.name, *row, limit, "met" if good else "missed")
    Console().print(table)
    return int(options.check and not met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
