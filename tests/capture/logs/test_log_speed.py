"""A large log of a broker, in which one line of a thousand is about a group."""

from __future__ import annotations

import io
import time
import tracemalloc
from itertools import cycle

import pytest

from kproto.capture.logs.reader import LogReader
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
