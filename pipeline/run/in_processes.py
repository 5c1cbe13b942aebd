"""The same audit in several processes of this machine, for who has cores and no Spark."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context

from ..sources.source import Unit
from ..tables.publishing import Destination
from .options import Options
from .partition import UnitResult, audit_unit

__all__ = ["in_processes"]


def in_processes(
    count: int = 0,
) -> Callable[[Sequence[Unit], Destination, Options], Iterator[UnitResult]]:
    """Return a runner for `run_audit` that uses so many processes (0: one a core). Raises
    BrokenProcessPool where one is killed: nothing is published then.

    Raises BrokenProcessPool where one is killed: nothing is published then.
    """

    def run(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        most = min(count or os.cpu_count() or 1, max(len(units), 1))
        # A fork of a process that has threads (Arrow's) may hang.
        with ProcessPoolExecutor(most, mp_context=get_context("spawn")) as pool:
            try:
                with _signals_wait():
                    tasks = [pool.submit(audit_unit, unit, destination, options) for unit in units]
                for task in as_completed(tasks):
                    yield task.result()
            finally:
                pool.shutdown(cancel_futures=True)

    return run


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Who asks to end is heard once all processes are there: one that is left half begun finds
    nothing to read, and complains."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears of them
        yield
        return
    asked: list[int] = []
    before = {
        one: signal.signal(one, lambda number, _: asked.append(number))
        for one in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        for number in asked:
            signal.raise_signal(number)
