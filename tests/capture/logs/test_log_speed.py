"""A large log of a broker, in which one line of a thousand is about a group."""

from __future__ import annotations

import io
import time
import tracemalloc
from itertools import cycle
from pathlib import Path

import pytest

from kproto.capture.logs import candidates
from kproto.capture.logs.candidates import candidate_lines, growing_lines
from kproto.capture.logs.layouts import FLUSH
from kproto.capture.logs.reader import SIGNS, LogReader
from kproto.codec.runtime.engine import CORE
from tests.capture.logs.recorded import text

_OTHER = (
    "[2026-11-25 23:33:{:02},{:03}] INFO [ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] "
    "Truncating partition orders-{} to local high watermark 123456 "
    "(kafka.server.ReplicaFetcherThread)\n"
)


def large_log(size: int) -> tuple[bytes, int]:
    """A log of so many bytes, and how many of its lines are about groups."""
    lines = cycle(text("slow-poll/broker.log").splitlines(keepends=True))
    others = "".join(_OTHER.format(at % 60, at % 1000, at % 50) for at in range(999))
    parts = []
    length = 0
    while length < size:
        parts.append(others + next(lines))
        length += len(parts[-1])
    return "".join(parts).encode(), len(parts)


@pytest.mark.timing
@pytest.mark.skipif(not CORE, reason="the Python engine searches more slowly")
def test_a_gigabyte_takes_fifteen_seconds() -> None:
    """By the time of the processor, for a part of it; the least of three turns."""
    log, lines = large_log(100_000_000)
    events = 0
    spent = []
    for _ in range(3):
        start = time.process_time()
        events = sum(1 for _ in LogReader().read(io.BytesIO(log)))
        spent.append(time.process_time() - start)
    assert lines * 0.5 < events <= lines
    assert min(spent) * 10 < 15


def test_memory_does_not_grow_with_a_log() -> None:
    """Beside the events, which the caller keeps or not."""
    log, _ = large_log(8_000_000)
    tracemalloc.start()
    for _ in LogReader().read(io.BytesIO(log)):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 2**20


def test_only_lines_near_those_that_matter_are_looked_at() -> None:
    """One line in a thousand matters: with the line before it, no others are made texts of."""
    log, lines = large_log(4_000_000)
    assert sum(1 for _ in candidate_lines(io.BytesIO(log), SIGNS)) <= 2 * lines + 2


def test_the_events_of_a_growing_log_wait_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written is told before the reader sleeps for the first time, which takes less than
    half a second."""
    log = tmp_path / "server.log"
    log.write_bytes(text("crash/broker.log").encode())
    naps: list[float] = []
    monkeypatch.setattr(candidates, "sleep", naps.append)
    with log.open("rb") as file:
        lines = []
        for line in growing_lines(file, is_pipe=False):
            if line == FLUSH:
                break
            lines.append(line)
    assert len(lines) == len(text("crash/broker.log").splitlines())
    assert naps == []
    assert candidates.IDLE < 0.5
