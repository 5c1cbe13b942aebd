"""Python's collector of reference cycles, kept from looking through what has just been made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_UNSEEN = 5_000_000
"""Objects counted as old without a look, before all are looked through."""


class _Thresholds:
    """Those of the collector; they are the process's, so the last thread to leave restores them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._before = gc.get_threshold()
        self._unseen = 0

    def raise_them(self, objects: int) -> None:
        with self._lock:
            if not self._inside:
                self._before = gc.get_threshold()
            first, *others = gc.get_threshold()
            gc.set_threshold(first and max(objects, first), *others)  # 0 is never
            self._inside += 1

    def restore_them(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._count_as_old()
                gc.set_threshold(*self._before)

    def _count_as_old(self) -> None:
        """Move what is young to the old objects, at no cost, where the restored thresholds would
        have the collector look through it at once. It looks through all of them now and then."""
        young = gc.get_count()[0]
        if not 0 < self._before[0] < young or gc.get_freeze_count():
            return  # what somebody has frozen stays frozen
        self._unseen += young
        if self._unseen > _UNSEEN:
            self._unseen = 0
            gc.collect()
        else:
            gc.freeze()
            gc.unfreeze()


_thresholds = _Thresholds()


@contextmanager
def seldom_collected(objects: int = 200_000) -> Iterator[None]:
    """Look for reference cycles seldom in this context, or in a function with this decorator: when
    so many objects have been made.

    It is for what makes many objects that are kept, or freed by their last reference: looking for
    cycles takes much of the time of an audit or an assignment, and finds next to none.
    """
    _thresholds.raise_them(objects)
    try:
        yield
    finally:
        _thresholds.restore_them()
