"""Sort frames by their timestamps, with a bounded buffer.

A capture completes frames nearly in this order; a frame behind a hole in the stream comes late.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from .frame import Frame

__all__ = ["in_time"]

_WAITING = 512  # frames
_HELD = 64 * 1024 * 1024  # bytes of them


def in_time(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Yield the same frames by timestamp; those without one stay behind the frame before them."""
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
