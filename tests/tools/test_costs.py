"""Each place where foreign data enters costs time and memory in proportion to the data.

Of a row the function calls are counted at two sizes, of which one is four times the other. Regular
expressions make no calls: for those the processor's time of the same sizes is compared, which a
busy machine changes by a factor of two, and a quadratic cost by sixteen.
"""

from __future__ import annotations

import io
import json
import random
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from cProfile import Profile
from itertools import groupby
from pathlib import Path

import pytest

from kproto.tools.main import main

from ..capture.test_segments import batch
from ..cluster.brokers import listening
from ..cluster.groups import Recorded, group, member
from .hostile import KEY, VALUE, Row, places, rows

SMALL, FOUR_TIMES = 6_000, 24_000
LARGE = 100_000
NOTICEABLE = 0.15  # seconds of the processor
LEAST_CALLS = 20_000
SUPERLINEAR = 7.5  # for four times the size
MEGABYTES = 200


def called(row: Row, size: int, folder: Path) -> float:
    """Run the command on an input of a size; return the seconds of the processor."""
    path = folder / f"input{row.suffix}"
    path.write_bytes(row.make(size))
    out = folder / f"out-{time.monotonic_ns()}"
    segment = folder / "segment.log"
    segment.write_bytes(batch(0, [VALUE], keys=[KEY]))
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with answering(row, path) as address, redirect_stdout(stdout), redirect_stderr(io.StringIO()):
        places = {"FILE": str(path), "@FILE": f"@{path}", "OUT": str(out), "SEGMENT": str(segment)}
        words = [places.get(word, word.replace("BROKER", address)) for word in row.words]
        start = time.process_time()
        main(words)
        return time.process_time() - start


@contextmanager
def answering(row: Row, path: Path) -> Iterator[str]:
    """The address of a broker with a group as the file says it, where the row has one."""
    if not any("BROKER" in word for word in row.words):
        yield ""
        return
    about = json.loads(path.read_text())
    topics = ("orders", *(f"t{number}" for number in range(about.get("unknown", 0))))
    members = [member(f"m{number}", topics) for number in range(about.get("members", 1))]
    broker = Recorded(batch(99, [VALUE], keys=[KEY]), group("payments", *members))
    broker.topics |= {
        "orders": about.get("partitions", 6),
        "__consumer_offsets": about.get("offsets", 4),
    }
    with listening(broker) as address:
        yield address


def calls_of(row: Row, size: int, folder: Path) -> int:
    """The calls of functions, of Python and of C, but those that are made once for an input."""
    called(row, size, folder)
    with Profile() as profile:
        called(row, size, folder)
    return sum(each.callcount for each in profile.getstats())


def check(row: Row, folder: Path) -> None:
    """Assert that a row costs in proportion. Most inputs are so cheap that one look is enough; a
    busy machine gets a second one."""
    large = called(row, FOUR_TIMES, folder)
    if large < NOTICEABLE:
        return
    about = (row.place, row.words, row.make(60)[:200])
    small = called(row, SMALL, folder)
    if large >= SUPERLINEAR * small:
        small, large = (
            min(called(row, size, folder) for _ in range(2)) for size in (SMALL, FOUR_TIMES)
        )
    assert large < max(NOTICEABLE, SUPERLINEAR * small), (about, small, large)
    few, many = (calls_of(row, size, folder) for size in (SMALL, FOUR_TIMES))
    assert many < max(LEAST_CALLS, SUPERLINEAR * few), (about, few, many)


def test_each_place_has_a_row() -> None:
    """A form, a compression, a link type, a program, a table or a command that is added needs one
    in `hostile.py`."""
    assert places() <= {row.place for row in rows()}


def chosen(number: int) -> list[Row]:
    """Of each place some rows, which are others with another version of the tree."""
    rng = random.Random(11)  # noqa: S311
    by_place = groupby(sorted(rows(), key=lambda row: row.place), key=lambda row: row.place)
    return [
        row
        for _, of_place in by_place
        for of in [list(of_place)]
        for row in rng.sample(of, min(number, len(of)))
    ]


@pytest.mark.parametrize("part", range(4))
def test_costs_are_in_proportion(part: int, tmp_path: Path) -> None:
    for row in chosen(1)[part::4]:
        check(row, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_all_costs_are_in_proportion(part: int, tmp_path: Path) -> None:
    for row in rows()[part::20]:
        check(row, tmp_path)
        seconds = called(row, LARGE, tmp_path)
        assert seconds < row.seconds, (row.place, row.words, row.make(60)[:200])


@pytest.mark.long
def test_memory_is_in_proportion(tmp_path: Path) -> None:
    for row in chosen(4):
        tracemalloc.start()
        called(row, LARGE, tmp_path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < MEGABYTES << 20, (row.place, row.words, peak)
