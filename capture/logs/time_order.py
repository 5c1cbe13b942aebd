"""Put the lines of a log into the order of their times: exports have the newest first, collectors
mix lines up.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice, pairwise
from operator import itemgetter
from typing import TypeAlias

from .layouts import LogLine
from .spill import RUN, in_file

__all__ = ["in_time"]

_LOOKED_AT = 2_000
"""Lines by which it is decided whether a log is in the order of time."""
_MIXED_MS = 500.0
"""A shorter step back is that of lines that a collector has mixed up; after a longer one, another
log begins, or that of another program."""
_FEW, _MANY = 4, 20
"""With so many steps back, and one step in so many, a log is in no order."""


def in_time(lines: Iterator[LogLine]) -> Iterator[LogLine]:
    """Yield the lines in the order of their times, where the log has them in another one: exports
    have the newest first, and collectors mix them up. What a line leaves out, those before it
    tell."""
    head = list(islice(lines, _LOOKED_AT))
    times = [line.stamp.milliseconds for line in head if line.stamp.milliseconds is not None]
    steps = [later - time for time, later in pairwise(times) if later != time]
    back = [-step for step in steps if step < 0]
    is_turned = 2 * len(back) > len(steps)
    is_mixed = any(step < _MIXED_MS for step in back) or (
        len(back) >= _FEW and len(back) * _MANY > len(steps)
    )
    has_dates = all(line.stamp.has_date for line in head)
    if is_turned or (is_mixed and has_dates):
        yield from _sorted(chain(head, lines), is_turned=is_turned, has_dates=has_dates)
        return
    yield from head
    yield from lines


_MOST_FILES = 64

_Keyed: TypeAlias = tuple[float, int, LogLine]


def _sorted(lines: Iterator[LogLine], *, is_turned: bool, has_dates: bool) -> Iterator[LogLine]:
    """Yield lines in the order of their times, those of one moment as they stand, or, if the log is
    turned round, the other way round. Most of a long log waits in temporary files."""
    numbered = enumerate(lines)
    with ExitStack() as files:
        runs: list[Iterable[_Keyed]] = []
        while part := list(islice(numbered, RUN)):
            keyed = _keyed(part[::-1] if is_turned else part, is_turned, has_dates)
            run = sorted(keyed, key=_KEY)
            if len(runs) == _MOST_FILES:
                runs = [in_file(heapq.merge(*runs, key=_KEY), files)]
            is_only = not runs and len(part) < RUN
            runs.append(run if is_only else in_file(run, files))
        for _, _, line in heapq.merge(*runs, key=_KEY):
            yield line


_KEY = itemgetter(0, 1)


def _keyed(
    lines: Iterable[tuple[int, LogLine]], is_turned: bool, has_dates: bool
) -> Iterator[_Keyed]:
    carried = 0.0
    for number, line in lines:
        time = line.stamp.milliseconds
        carried = carried if time is None or not has_dates else time
        yield carried, -number if is_turned else number, line
