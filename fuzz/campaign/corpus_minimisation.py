"""The fewest inputs of a corpus that reach all that it reaches, small ones first.

What an input reaches is counted here with Python's own tracing, so that it works with any engine
and is the same everywhere: each pair of lines that follow one another in the rooms of kproto.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from ..targets import Check, covered

Arc = tuple[CodeType, int, int, int]
"""Function, line before, line, and how often, as a power of two."""


def fewest(target: str, check: Check, inputs: Iterable[bytes]) -> list[bytes]:
    """Return those that are worth keeping, in the order of their size."""
    rooms = covered(target) or ("kproto.codec",)
    reached: set[Arc] = set()
    kept = []
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        arcs = _arcs(check, data, rooms)
        if not arcs <= reached:
            reached |= arcs
            kept.append(data)
    return kept


def _arcs(check: Check, data: bytes, rooms: tuple[str, ...]) -> set[Arc]:
    counts: dict[tuple[CodeType, int, int], int] = {}

    def trace(frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        if not frame.f_globals.get("__name__", "").startswith(rooms):
            return None
        last = frame.f_code.co_firstlineno

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal last
            if event == "line":
                arc = (frame.f_code, last, frame.f_lineno)
                counts[arc] = counts.get(arc, 0) + 1
                last = frame.f_lineno
            return line

        return line

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(Exception):
            check(data)
    finally:
        sys.settrace(before)
    return {(*arc, count.bit_length()) for arc, count in counts.items()}
