"""Commits: rows of the table `offsets`, and their sums for each group and partition.

By far most records of a topic are commits. They never become Python objects. The compiled core sums
them up in the order of the log, or numpy where it is not installed. A sum is `NUMBERS`, each an
int64; times are microseconds, and -1 is what is not known. A commit is a sum, too, so that sums can
be summed up as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec.runtime import engine
from ..columnar.arrays import column, instants, topic_ids
from .record_kinds import Kind, places
from .schemas import made

__all__ = [
    "NUMBERS",
    "PAUSE_MS",
    "REWIND",
    "SUMS",
    "CommitSummary",
    "Summed",
    "offset_rows",
    "summed",
]

_MOST_HELD = 1 << 18  # rows of partial sums, beside as many as there are sums
_LARGEST = (1 << 63) - 1
_KEY = ["cluster_id", "group_id", "topic", "partition"]


def offset_rows(kind: Kind) -> pa.Table:
    """Return rows of `offsets` for commits of either type."""
    rows = kind.rows
    columns = {
        **places(rows),
        "group_id": kind.key("group"),
        "topic": kind.key("topic"),
        "partition": kind.key("partition"),
        "committed_offset": kind.value("offset"),
        "commit_timestamp": instants(kind.value("commit_timestamp")),
        "commit_metadata": kind.value("metadata"),
        "outcome": column(rows, "outcome"),
    }
    if "LegacyOffset" not in kind.type.value.NAME:
        columns["leader_epoch"] = kind.value("leader_epoch")
        columns["topic_id"] = topic_ids(kind.value("topic_id"))
    made_rows = made("offsets", rows.num_rows, columns)
    aborted = pc.equal(column(rows, "outcome"), "aborted")
    if not pc.any(aborted).as_py():
        return made_rows
    return made_rows.filter(pc.fill_null(pc.invert(aborted), True))  # Arrow's own


class CommitSummary:
    """For each group and partition: its commits in short (`SUMS`). What it keeps grows with the
    partitions, not with the commits."""

    def __init__(self, sums: Iterable[pa.Table] = (), most: int | None = None) -> None:
        """Beginning with what others have summed up, in the order of the log. `most` is of how many
        partitions sums are returned: those that were committed last.
        """
        self._most_rows = most
        self._parts = [_completed(part) for part in sums]
        self._added = 0  # rows since the first part was merged

    def add(self, offsets: pa.Table) -> None:
        """Add rows of `offsets`, in the order of the log."""
        undecided = pc.fill_null(pc.equal(offsets.column("outcome"), "undecided"), False)
        if pc.any(undecided).as_py():
            offsets = offsets.filter(pc.invert(undecided))
        times = pc.coalesce(offsets.column("commit_timestamp"), offsets.column("record_timestamp"))
        committed = offsets.column("committed_offset")
        self._parts.append(_summary(offsets.select(_KEY), [_plain(committed), _plain(times)]))
        self._added += self._parts[-1].num_rows
        if self._added > max(_MOST_HELD, self._parts[0].num_rows):
            self.table()
            self._added = 0

    def table(self) -> pa.Table:
        """Return the sums so far, with the columns of `SUMS`."""
        if not self._parts:
            return SUMS.empty_table()
        if len(self._parts) > 1:
            rows = pa.concat_tables(self._parts)
            sums = [_plain(rows.column(name)) for name in NUMBERS]
            self._parts = [_summary(rows.select(_KEY), sums)]
        (table,) = self._parts
        if self._most_rows is not None and table.num_rows > self._most_rows:
            table = table.sort_by([("last", "descending")]).slice(0, self._most_rows)
        return table


_TIME = pa.timestamp("us", tz="UTC")
SUMS = pa.schema(
    [
        ("cluster_id", pa.string()),
        ("group_id", pa.string()),
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("committed_offset", pa.int64()),  # null: deleted
        ("first", _TIME),
        ("last", _TIME),
        ("commits", pa.int64()),
        ("first_offset", pa.int64()),
        ("highest_offset", pa.int64()),
        ("same_since", _TIME),  # when the last offset was committed first
        ("same_commits", pa.int64()),  # and how often since
        ("longest_gap_ms", pa.int64()),  # between two commits
        ("pauses", pa.int64()),  # gaps of at least PAUSE_MS
        ("rewinds", pa.int64()),  # commits of an offset at least REWIND below the one before
        ("rewound_at", _TIME),  # the last of them
        ("rewound_from", pa.int64()),
        ("rewound_to", pa.int64()),
    ]
)
"""The columns of a summary. What is not known is null."""


def _plain(values: pa.ChunkedArray) -> Any:
    """Return integers as numpy has them; -1 for null."""
    return pc.fill_null(values.cast(pa.int64()), -1).to_numpy()


def _summary(keys: pa.Table, parts: Sequence[Any]) -> pa.Table:
    """Return one summary for each key, of commits or summaries in the order of the log."""
    if not keys.num_rows:
        return SUMS.empty_table()
    sums_by_key = summed(_numbered(keys), parts)
    chosen = keys.take(pa.array(sums_by_key.rows)).cast(
        pa.schema([SUMS.field(name) for name in _KEY])
    )
    sums = [_typed(SUMS.field(name), sums_by_key.columns[name]) for name in NUMBERS]
    return pa.Table.from_arrays([*chosen.columns, *sums], schema=SUMS)


def _typed(field: pa.Field, values: Any) -> pa.Array:
    """Return a column of a summary. Counts are never missing; of everything else -1 is what is not
    known.
    """
    missing = None if field.name in _COUNTS else values < 0
    return pa.array(values, field.type, mask=missing)


_COUNTS = {"commits", "same_commits", "longest_gap_ms", "pauses", "rewinds"}


def _completed(part: pa.Table) -> pa.Table:
    """Return sums with all columns: a follower may have kept some of an earlier release."""
    for field in list(SUMS)[part.num_columns :]:
        value = 0 if field.name in _COUNTS else None
        column_ = pa.repeat(pa.scalar(value, field.type), part.num_rows)
        part = part.append_column(field, column_)
    return part


def _numbered(rows: pa.Table) -> Any:
    """Return a number for each row, equal where group, topic and partition are."""
    numbers, room = np.zeros(rows.num_rows, np.int64), 1
    for name in _KEY:
        coded = column(rows, name).dictionary_encode()
        codes = pc.fill_null(coded.indices, len(coded.dictionary)).to_numpy()
        if room * (len(coded.dictionary) + 1) > _LARGEST:
            numbers, room = _close_together(numbers)
        room *= len(coded.dictionary) + 1
        numbers *= len(coded.dictionary) + 1  # in place: new memory takes longer than the sum
        numbers += codes
    return numbers


def _close_together(numbers: Any) -> tuple[Any, int]:
    """Return other numbers in the same order, equal where these are, from 0 on, and how many there
    are.
    """
    coded = pa.array(numbers).dictionary_encode()
    order = np.argsort(coded.dictionary.to_numpy())
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[coded.indices.to_numpy()], len(order)


NUMBERS = (
    "committed_offset", "first", "last", "commits", "first_offset", "highest_offset", "same_since",
    "same_commits", "longest_gap_ms", "pauses", "rewinds", "rewound_at", "rewound_from",
    "rewound_to",
)  # fmt: skip
"""The numbers of a sum, in the order in which the core writes them."""
PAUSE_MS = 600_000
REWIND = 10

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
        offset, *times = parts
        columns = dict(zip(NUMBERS, parts, strict=True)) if times[1:] else _each(offset, *times)
        return _summed_by_numpy(keys, columns)
    columns_given = parts if len(parts) == 2 else [np.column_stack(parts)]
    rows, sums = map(_int64, engine.CORE.sum_commits(keys, columns_given, (PAUSE_MS, REWIND)))
    order = np.argsort(keys[rows])
    by_name = np.ascontiguousarray(sums.reshape(-1, len(NUMBERS))[order].T)
    return Summed(rows[order], dict(zip(NUMBERS, by_name, strict=True)))


def _int64(data: bytes) -> Any:
    return np.frombuffer(data, np.int64)


# -- by numpy


def _each(offset: Any, time: Any) -> _Columns:
    """Return the sum of every single commit. What is the same for all takes no memory."""
    unknown, nothing, once = (np.broadcast_to(np.int64(value), len(offset)) for value in (-1, 0, 1))
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
        "rewound_at": unknown,
        "rewound_from": unknown,
        "rewound_to": unknown,
    }


def _summed_by_numpy(keys: Any, parts: _Columns) -> Summed:
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    part = _ordered(parts, order)
    follows = np.concatenate([[False], keys[1:] == keys[:-1]])
    starts = np.flatnonzero(~follows)
    ends = np.concatenate([starts[1:], [len(keys)]]) - 1
    previous = {name: np.roll(part[name], 1) for name in ("committed_offset", "last")}
    columns = {
        "committed_offset": part["committed_offset"][ends],
        "first": _least(part["first"], starts),
        "last": np.maximum.reduceat(part["last"], starts),
        "commits": np.add.reduceat(part["commits"], starts),
        "first_offset": part["first_offset"][starts],
        "highest_offset": np.maximum.reduceat(part["highest_offset"], starts),
        **_paused(part, previous, follows, starts),
        **_same(part, previous, follows, starts, ends),
        **_rewound(part, previous, follows, starts),
    }
    return Summed(order[starts], columns)


def _ordered(columns: _Columns, order: Any) -> _Columns:
    """Return the columns in an order. One that has several names is put into it once, and one that
    has the same value everywhere not at all.
    """
    ordered = {
        id(values): values if values.strides == (0,) else None for values in columns.values()
    }
    for values in columns.values():
        if ordered[id(values)] is None:
            ordered[id(values)] = values[order]
    return {name: ordered[id(values)] for name, values in columns.items()}


def _least(times: Any, starts: Any) -> Any:
    least = np.minimum.reduceat(np.where(times < 0, _LARGEST, times), starts)
    return np.where(least == _LARGEST, -1, least)


def _paused(part: _Columns, previous: _Columns, follows: Any, starts: Any) -> _Columns:
    has_gap = follows & (part["first"] >= 0) & (previous["last"] >= 0)
    gap = np.where(has_gap, np.maximum(part["first"] - previous["last"], 0) // 1000, 0)
    return {
        "longest_gap_ms": np.maximum.reduceat(np.maximum(part["longest_gap_ms"], gap), starts),
        "pauses": np.add.reduceat(part["pauses"] + (gap >= PAUSE_MS), starts),
    }


def _same(part: _Columns, previous: _Columns, follows: Any, starts: Any, ends: Any) -> _Columns:
    """Since when, and how often, the last offset was committed again."""
    # A part that has one offset alone, the one that stood there before.
    goes_on = follows & (part["first_offset"] == previous["committed_offset"])
    goes_on &= part["same_commits"] == part["commits"]
    goes_on &= (part["first_offset"] == part["committed_offset"]) & (part["first_offset"] >= 0)
    numbers = np.arange(len(goes_on))
    begin = np.maximum.accumulate(np.where(goes_on, 0, numbers))[ends]
    total = np.cumsum(part["same_commits"])
    return {
        "same_since": part["same_since"][begin],
        "same_commits": total[ends] - total[begin] + part["same_commits"][begin],
    }


def _rewound(part: _Columns, previous: _Columns, follows: Any, starts: Any) -> _Columns:
    is_rewind = follows & (part["first_offset"] >= 0)
    is_rewind &= part["first_offset"] <= previous["committed_offset"] - REWIND
    numbers = np.arange(len(is_rewind))
    last = np.maximum.reduceat(np.where(is_rewind | (part["rewinds"] > 0), numbers, -1), starts)
    inside = part["rewinds"][last] > 0
    last_rewind = {
        "rewound_at": np.where(inside, part["rewound_at"][last], part["first"][last]),
        "rewound_from": np.where(
            inside, part["rewound_from"][last], previous["committed_offset"][last]
        ),
        "rewound_to": np.where(inside, part["rewound_to"][last], part["first_offset"][last]),
    }
    is_missing = last < 0
    return {
        "rewinds": np.add.reduceat(part["rewinds"] + is_rewind, starts),
        **{name: np.where(is_missing, -1, values) for name, values in last_rewind.items()},
    }
