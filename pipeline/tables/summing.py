"""Commits summed up by their keys, in the order of the log: in the compiled core, or by numpy where
it is not installed.

A sum is `NUMBERS`, each an int64; times are microseconds, and -1 is what is not known. A commit is
a sum, too, so that sums can be summed up as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...codec.runtime import engine

__all__ = ["NUMBERS", "PAUSE_MS", "REWIND", "Summed", "summed"]

NUMBERS = (
    "committed_offset", "first", "last", "commits", "first_offset", "highest_offset", "same_since",
    "same_commits", "longest_gap_ms", "pauses", "rewinds", "rewound_at", "rewound_from",
    "rewound_to",
)  # fmt: skip
"""The numbers of a sum, in the order in which the core writes them."""
PAUSE_MS = 600_000
REWIND = 10

_MOST = (1 << 63) - 1
_Columns = dict[str, Any]


class Summed(NamedTuple):
    """The sum of each key, in the order of the keys' numbers: the row that has it first, and the
    columns of `NUMBERS`.
    """

    rows: Any
    columns: _Columns


def summed(keys: Any, parts: Sequence[Any]) -> Summed:
    """Return the sum of each key. `keys` has an int64 for each part, equal where the key is; the
    parts are offsets and times of commits, or the columns of sums.
    """
    if engine.CORE is None:
        offset, *others = parts
        columns = dict(zip(NUMBERS, parts, strict=True)) if others[1:] else _each(offset, *others)
        return _summed(keys, columns)
    given = parts if len(parts) == 2 else [np.column_stack(parts)]
    found, sums = map(_int64, engine.CORE.sum_commits(keys, given, (PAUSE_MS, REWIND)))
    order = np.argsort(keys[found])
    by_name = np.ascontiguousarray(sums.reshape(-1, len(NUMBERS))[order].T)
    return Summed(found[order], dict(zip(NUMBERS, by_name, strict=True)))


def _int64(data: bytes) -> Any:
    return np.frombuffer(data, np.int64)


# -- by numpy


def _each(offset: Any, time: Any) -> _Columns:
    """Return the sum of every single commit. What is the same for all takes no memory."""
    none, nothing, once = (np.broadcast_to(np.int64(value), len(offset)) for value in (-1, 0, 1))
    return {
        "committed_offset": offset,
        "first": time,
        "last": time,
        "commits": (offset >= 0).astype(np.int64),
        "first_offset": offset,
        "highest_offset": offset,
        "same_since": time,
        "same_commits": once,
        "longest_gap_ms": nothing,
        "pauses": nothing,
        "rewinds": nothing,
        "rewound_at": none,
        "rewound_from": none,
        "rewound_to": none,
    }


def _summed(keys: Any, parts: _Columns) -> Summed:
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    part = _ordered(parts, order)
    follows = np.concatenate([[False], keys[1:] == keys[:-1]])
    starts = np.flatnonzero(~follows)
    ends = np.concatenate([starts[1:], [len(keys)]]) - 1
    before = {name: np.roll(part[name], 1) for name in ("committed_offset", "last")}
    columns = {
        "committed_offset": part["committed_offset"][ends],
        "first": _least(part["first"], starts),
        "last": np.maximum.reduceat(part["last"], starts),
        "commits": np.add.reduceat(part["commits"], starts),
        "first_offset": part["first_offset"][starts],
        "highest_offset": np.maximum.reduceat(part["highest_offset"], starts),
        **_paused(part, before, follows, starts),
        **_same(part, before, follows, starts, ends),
        **_rewound(part, before, follows, starts),
    }
    return Summed(order[starts], columns)


def _ordered(columns: _Columns, order: Any) -> _Columns:
    """Return the columns in an order. One that has several names is put into it once, and one that
    has the same value everywhere not at all.
    """
    done = {id(values): values if values.strides == (0,) else None for values in columns.values()}
    for values in columns.values():
        if done[id(values)] is None:
            done[id(values)] = values[order]
    return {name: done[id(values)] for name, values in columns.items()}


def _least(times: Any, starts: Any) -> Any:
    found = np.minimum.reduceat(np.where(times < 0, _MOST, times), starts)
    return np.where(found == _MOST, -1, found)


def _paused(part: _Columns, before: _Columns, follows: Any, starts: Any) -> _Columns:
    known = follows & (part["first"] >= 0) & (before["last"] >= 0)
    gap = np.where(known, np.maximum(part["first"] - before["last"], 0) // 1000, 0)
    return {
        "longest_gap_ms": np.maximum.reduceat(np.maximum(part["longest_gap_ms"], gap), starts),
        "pauses": np.add.reduceat(part["pauses"] + (gap >= PAUSE_MS), starts),
    }


def _same(part: _Columns, before: _Columns, follows: Any, starts: Any, ends: Any) -> _Columns:
    """Since when, and how often, the last offset was committed again."""
    # A part that has one offset alone, the one that stood there before.
    goes_on = follows & (part["first_offset"] == before["committed_offset"])
    goes_on &= part["same_commits"] == part["commits"]
    goes_on &= (part["first_offset"] == part["committed_offset"]) & (part["first_offset"] >= 0)
    numbers = np.arange(len(goes_on))
    begin = np.maximum.accumulate(np.where(goes_on, 0, numbers))[ends]
    total = np.cumsum(part["same_commits"])
    return {
        "same_since": part["same_since"][begin],
        "same_commits": total[ends] - total[begin] + part["same_commits"][begin],
    }


def _rewound(part: _Columns, before: _Columns, follows: Any, starts: Any) -> _Columns:
    here = follows & (part["first_offset"] >= 0)
    here &= part["first_offset"] <= before["committed_offset"] - REWIND
    numbers = np.arange(len(here))
    last = np.maximum.reduceat(np.where(here | (part["rewinds"] > 0), numbers, -1), starts)
    inside = part["rewinds"][last] > 0
    told = {
        "rewound_at": np.where(inside, part["rewound_at"][last], part["first"][last]),
        "rewound_from": np.where(
            inside, part["rewound_from"][last], before["committed_offset"][last]
        ),
        "rewound_to": np.where(inside, part["rewound_to"][last], part["first_offset"][last]),
    }
    none = last < 0
    return {
        "rewinds": np.add.reduceat(part["rewinds"] + here, starts),
        **{name: np.where(none, -1, values) for name, values in told.items()},
    }
