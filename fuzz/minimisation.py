"""Where inputs are minimised: those of findings, and those of a corpus.

The input of a finding gets smaller as long as it shows the same finding: whole items are left out
first, then pieces, then bytes become simpler. The number of tries bounds the search, never a clock,
so that the same finding always shrinks to the same bytes.

A corpus keeps the fewest inputs that reach all that it reaches. What an input reaches is counted
with Python's own tracing, under any engine: each pair of lines of kproto that follow one another.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from msgspec.structs import replace

from .findings import FuzzFinding
from .mutators.splices import Form, Splice, spliced
from .targets import Check, Missing, covered

Judge = Callable[[bytes], Sequence[FuzzFinding]]
"""Returns the findings that bytes show. `Missing` counts as none."""


def minimised_finding(
    finding: FuzzFinding, form: Form, judge: Judge, *, tries: int = 3000
) -> FuzzFinding:
    """Return the finding with the smallest input that was found to show it, and what is said of
    that.

    `judge` is called at most `tries` times. An input shows the same finding if the keys are equal.
    """
    smallest = finding

    def shows(data: bytes) -> bool:
        nonlocal smallest
        with suppress(Missing):
            for candidate in judge(data):
                if candidate.key == finding.key:
                    smallest = replace(finding, minimal=data, message=candidate.message)
                    return True
        return False

    minimised_input(finding.minimal, form, shows, tries=tries)
    return smallest


def minimised_input(
    data: bytes, form: Form, shows: Callable[[bytes], bool], *, tries: int = 3000
) -> bytes:
    """Return the smallest bytes found for which `shows` holds; `data` itself if none are smaller.

    `shows` is called at most `tries` times, and not for `data`.
    """
    left = tries
    while left > 0:
        for candidate in _candidates(data, form):
            left -= 1
            if left < 0:
                return data
            if shows(candidate):
                data = candidate
                break
        else:
            return data
    return data


def _candidates(data: bytes, form: Form) -> Iterator[bytes]:
    """Yield simpler bytes, the largest steps first; each is shorter, or has a smaller byte."""
    head = form.head(data)
    size = len(data)
    shorter = [splice for splice in form.splices(data) if _growth(splice) < 0]
    shorter.sort(key=_growth)
    for splice in shorter[:400]:
        if splice.start >= head:
            yield spliced(data, splice)
    piece = max(1, (size - head) // 2)
    while piece:
        for at in range(size - piece, head - 1, -piece):
            yield data[:at] + data[at + piece :]
        piece //= 2
    for at in range(head, size):
        for simple in (b"\0", b"\1", b"a"):
            if simple[0] < data[at]:
                yield data[:at] + simple + data[at + 1 :]


def _growth(splice: Splice) -> int:
    """Return how many bytes longer the splice makes its input."""
    return len(splice.new) - (splice.end - splice.start)


# -- of a corpus

_Arc = tuple[CodeType, int, int, int]
"""Function, line before, line, and the bit length of how often."""


def minimised_corpus(target: str, check: Check, inputs: Iterable[bytes]) -> list[bytes]:
    """Return the inputs that reach something which no smaller one reaches, in order of size."""
    packages = covered(target) or ("kproto.codec",)
    reached: set[_Arc] = set()
    smallest = []
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        arcs = _arcs(check, data, packages)
        if not arcs <= reached:
            reached |= arcs
            smallest.append(data)
    return smallest


def _arcs(check: Check, data: bytes, packages: tuple[str, ...]) -> set[_Arc]:
    """Return the arcs that the check takes in these packages on this input."""
    counts: dict[tuple[CodeType, int, int], int] = {}

    def trace(frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        if not frame.f_globals.get("__name__", "").startswith(packages):
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

    earlier_trace = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(Exception):
            check(data)
    finally:
        sys.settrace(earlier_trace)
    return {(*arc, count.bit_length()) for arc, count in counts.items()}
