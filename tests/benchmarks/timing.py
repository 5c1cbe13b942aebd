"""Measuring several contestants fairly: A B C A B C, in many short turns.

A machine that slows down, or is shared, slows neighbours in a turn down alike. So two contestants
are compared turn by turn, and the median of those ratios is what counts: it need not be the ratio
of their medians, which may come from a slow and a quick minute. The garbage collector runs as it
does in any program.

Calls are timed by the processor time of their thread: a contestant that another process interrupts
has not become slower. Time of other threads is not in it; only Java has some, for its compiler and
its collector, so Java's time is rather too short than too long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import thread_time

Call = Callable[[], object]
Turn = Callable[[int], float]
"""Makes so many rounds of a contestant's calls; returns the seconds that they took."""

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


def alternate(
    contestants: Mapping[str, Turn], turns: int, *, calls: int = 1, length: float = TURN
) -> Times:
    """Let each contestant work for about `length` seconds, in turn, `turns` times.

    A round of any contestant has `calls` calls.
    """
    rounds = {name: _rounds(turn, length) for name, turn in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(turns):
        for name, turn in contestants.items():
            times[name].append(turn(rounds[name]) / rounds[name] / calls)
    return Times(times)


def timed(calls: Sequence[Call], clock: Callable[[], float] = thread_time) -> Turn:
    """The turn that makes `calls`, round after round, timed by `clock`, in seconds."""

    def turn(rounds: int) -> float:
        work = list(calls) * rounds  # a list, so that the loop costs next to nothing
        start = clock()
        for call in work:
            call()
        return clock() - start

    return turn


def _rounds(turn: Turn, length: float) -> int:
    """How many rounds take so long."""
    turn(1)  # what is made once is made now
    few = max(1, round(length / turn(1) / 4))  # one may be too short for the clock
    return max(1, round(length / (turn(few) / few)))
