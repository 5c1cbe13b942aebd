"""Python's collector of reference cycles, kept from looking through what has just been made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_MANY = 200_000  # objects made between two looks for cycles


class _Thresholds:
    """Those of the collector; they are the process's, so the last thread to leave restores them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._before = gc.get_threshold()

    def raise_them(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = gc.get_threshold()
                first, *others = self._before
                gc.set_threshold(first and max(_MANY, first), *others)  # 0 is never
            self._inside += 1

    def restore_them(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                gc.set_threshold(*self._before)


_thresholds = _Thresholds()


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for reference cycles seldom in this context, or in a function with this decorator.

    It is for what makes many objects that are kept, or freed by their last reference: looking for
    cycles takes much of the time of an audit or an assignment, and finds next to none.
    """
    _thresholds.raise_them()
    try:
        yield
    finally:
        _thresholds.restore_them()
