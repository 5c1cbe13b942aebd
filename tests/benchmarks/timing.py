"""Measuring several things fairly: A B C A B C, in many short turns.

A machine that slows down, or is shared, slows neighbours in a turn down alike. So two contestants
are compared turn by turn, and the median of those ratios is what stands: it need not be the ratio
of their medians, which may come from a slow and a quick minute. The garbage collector runs as it
does in any program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import perf_counter

Call = Callable[[], object]

TURN = 0.004  # seconds


class Times:
    """Seconds a call, of each contestant in each turn."""

    def __init__(self, turns: Mapping[str, Sequence[float]]) -> None:
        self._turns = turns

    def __contains__(self, name: str) -> bool:
        return name in self._turns

    def medians(self) -> dict[str, float]:
        """The median time of a call of each contestant, in seconds."""
        return {name: median(times) for name, times in self._turns.items()}

    def ratio(self, one: str, other: str) -> float:
        """How many times as long as `other` `one` takes."""
        pairs = zip(self._turns[one], self._turns[other], strict=True)
        return median(mine / theirs for mine, theirs in pairs)


def alternate(contestants: Mapping[str, Sequence[Call]], turns: int) -> Times:
    """Let each contestant make its calls for a moment, in turn, `turns` times."""
    work = {name: _fill(calls) for name, calls in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(turns):
        for name, calls in work.items():
            times[name].append(_turn(calls) / len(calls))
    return Times(times)


def _fill(calls: Sequence[Call]) -> list[Call]:
    """`calls`, again and again until they fill a turn; a list, so that the loop costs next to
    nothing."""
    _turn(calls)  # what is made once is made now
    return list(calls) * max(1, round(TURN / _turn(calls)))


def _turn(work: Sequence[Call]) -> float:
    start = perf_counter()
    for call in work:
        call()
    return perf_counter() - start
