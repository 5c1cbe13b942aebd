"""Each place where foreign data enters costs time and memory in proportion to the data.

Of a row the command is run with 25 KB; most take so little that 100 KB take less than a second even
if time grows with the square. Of the others the processor's time is compared with that of 100 KB,
and the function calls, which a busy machine does not change, at two smaller sizes: regular
expressions make no calls, so there is time as well.

The seconds that a row may take are those of one machine. What another one takes is divided by the
time that `yardstick` takes on it, in the same process and at the same time: a machine that is half
as fast, or has half of a core for the moment, takes twice as long for both.
"""

from __future__ import annotations

import io
import json
import random
import re
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

SMALL, FOUR_TIMES = 6_000, 24_000  # of which calls are counted
QUARTER, LARGE = 25_000, 100_000  # of which the time is taken
LITTLE = 1 / 16  # seconds of the processor
NOTICEABLE = 0.15
LEAST_CALLS = 20_000
SUPERLINEAR = 7.5  # for four times the size
MEGABYTES = 200
YARDSTICK = 0.0082
"""Seconds of the processor that `yardstick` takes on the machine whose seconds the rows state: two
quiet cores of an Intel Xeon, Python 3.11."""


def yardstick() -> float:
    """Do what commands do, always as much of it; return the seconds of the processor."""
    start = time.process_time()
    texts: dict[int, str] = {}
    for number in range(60_000):
        texts[number & 1023] = str(number)
    re.findall(r"\d+ [a-f]", "12345 g" * 3_000)
    return time.process_time() - start


def reckoned(row: Row, folder: Path) -> float:
    """The seconds that 100 KB of a row take on the machine of `YARDSTICK`."""
    before = min(yardstick() for _ in range(3))
    seconds = called(row, LARGE, folder)
    after = min(yardstick() for _ in range(3))
    return seconds * YARDSTICK / max(before, after)


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
    """Assert that a row costs no more than it may, and in proportion. A busy machine gets a second
    look."""
    if called(row, QUARTER, folder) < LITTLE:
        return
    large = called(row, LARGE, folder)
    if large < NOTICEABLE:
        return
    about = (row.place, row.words, row.make(60)[:200])
    seconds = reckoned(row, folder)
    if seconds >= row.seconds:
        seconds = min(reckoned(row, folder) for _ in range(3))
    assert seconds < row.seconds, about
    small = called(row, QUARTER, folder)
    if large >= SUPERLINEAR * small:
        small, large = (
            min(called(row, size, folder) for _ in range(2)) for size in (QUARTER, LARGE)
        )
    assert large < max(NOTICEABLE, SUPERLINEAR * small), (about, small, large)
    few, many = (calls_of(row, size, folder) for size in (SMALL, FOUR_TIMES))
    if many >= max(LEAST_CALLS, SUPERLINEAR * few):  # or it is long enough for another way
        few, many = many, calls_of(row, 4 * FOUR_TIMES, folder)
    assert many < max(LEAST_CALLS, SUPERLINEAR * few), (about, few, many)


def test_each_place_has_a_row() -> None:
    """A form, a compression, a link type, a program, a table or a command that is added needs one
    in `hostile.py`."""
    assert places() <= {row.place for row in rows()}


def chosen(number: int) -> list[Row]:
    """Of each command that reads a place some rows, which are others with another version of the
    tree."""
    rng = random.Random(11)  # noqa: S311

    def pair(row: Row) -> tuple[str, str]:
        return row.place, row.words[0]

    return [
        row
        for _, of_pair in groupby(sorted(rows(), key=pair), key=pair)
        for of in [list(of_pair)]
        for row in rng.sample(of, min(number, len(of)))
    ]


@pytest.mark.parametrize("part", range(12))
def test_costs_are_in_proportion(part: int, tmp_path: Path) -> None:
    for row in chosen(1)[part::12]:
        check(row, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_more_costs_are_in_proportion(part: int, tmp_path: Path) -> None:
    for row in chosen(3)[part::4]:
        check(row, tmp_path)


@pytest.mark.costs
@pytest.mark.parametrize("part", range(40))
def test_all_costs_are_in_proportion(part: int, tmp_path: Path) -> None:
    for row in rows()[part::40]:
        check(row, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_memory_is_in_proportion(part: int, tmp_path: Path) -> None:
    for row in chosen(3)[part::4]:
        tracemalloc.start()
        called(row, LARGE, tmp_path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < MEGABYTES << 20, (row.place, row.words, row.make(60)[:200], peak)
