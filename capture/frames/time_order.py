"""Frames in the order of their timestamps, as far as a bounded number that waits can bring it.

A capture completes frames nearly in this order: one that stood behind a hole comes late.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from .frame import Frame

__all__ = ["in_time"]

_WAITING = 512  # frames
_HELD = 64 * 1024 * 1024  # bytes of them


def in_time(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Yield the same frames; those without a timestamp keep their place behind the one before."""
    waiting: list[tuple[float, int, Frame]] = []
    held, last = 0, 0.0
    for number, frame in enumerate(frames):
        last = last if frame.timestamp is None else frame.timestamp
        heappush(waiting, (last, number, frame))
        held += len(frame.data)
        while len(waiting) > _WAITING or held > _HELD:
            oldest = heappop(waiting)[2]
            held -= len(oldest.data)
            yield oldest
    while waiting:
        yield heappop(waiting)[2]
