"""An audit in several processes of this machine, where there is no Spark."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context

from ..sources.interface import Unit
from ..tables.publishing import Destination
from .options import Options
from .partition import UnitResult, audit_unit

__all__ = ["in_processes"]


def in_processes(
    count: int = 0,
) -> Callable[[Sequence[Unit], Destination, Options], Iterator[UnitResult]]:
    """Return a runner for `run_audit` that uses so many processes; 0: as many as there are cores.

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
    """Handle signals only once all processes have started: a half started one finds nothing to
    read, and prints a traceback."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears of them
        yield
        return
    asked: list[int] = []
    before = {
        which: signal.signal(which, lambda number, _: asked.append(number))
        for which in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)
        for number in asked:
            signal.raise_signal(number)
