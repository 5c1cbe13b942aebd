"""What a call in this process takes."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

from .subject import Cost

try:
    import resource
except ImportError:  # Windows: what Python itself allocates is measured all the same
    resource = None  # type: ignore[assignment]


def measured(call: Callable[[], object]) -> Cost:
    """Seconds, and bytes at the peak: of Python's allocator, or of the process if it grew by more.

    The process's own peak sees what extensions in C or Rust take, but only where it is a new one.
    """
    outside = _resident_peak()
    already = tracemalloc.is_tracing()
    if not already:
        tracemalloc.start(1)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    start = time.perf_counter()
    try:
        call()
    finally:
        seconds = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1]
        if not already:
            tracemalloc.stop()
    return Cost(seconds, max(peak - before, _resident_peak() - outside))


def _resident_peak() -> int:
    if resource is None:
        return 0
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024
