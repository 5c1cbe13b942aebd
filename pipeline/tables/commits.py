"""Commits: rows of the table `offsets`, and their sums for each group and partition.

By far most records of a topic are commits. They never become Python objects: the compiled core sums
them up in the order of the log; where it is not installed, `commit_sum` does. A sum is `NUMBERS`,
each an int64; times are microseconds, and -1 is what is not known. A commit is a sum, too, so that
sums can be summed up as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec.runtime import engine
from ..audit.commit_sum import LIMITS, PAUSE_MS, REWIND, STRETCH, CommitSum
from ..columnar.arrays import column, instants, topic_ids
from .record_kinds import Kind, places
from .schemas import made

__all__ = [
    "COMMIT_KEY",
    "NUMBERS",
    "PAUSE_MS",
    "REWIND",
    "STRETCH",
    "SUMS",
    "CommitSummary",
    "Summed",
    "commit_times",
    "key_numbers",
    "offset_rows",
    "summed",
]

_MOST_HELD = 1 << 18  # rows of partial sums, beside as many as there are sums
_LARGEST = (1 << 63) - 1
COMMIT_KEY = ["cluster_id", "group_id", "topic", "partition"]
"""The columns that name a partition and the group that commits it."""


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
        numbers = [_plain(offsets.column("committed_offset")), _plain(commit_times(offsets))]
        self._parts.append(_summary(offsets.select(COMMIT_KEY), numbers))
        self._added += self._parts[-1].num_rows
        if self._added > max(_MOST_HELD, self._parts[0].num_rows):
            self.table()
            self._added = 0

    def latest(self, groups: pa.Array) -> pa.Table:
        """Return the sums so far of these groups alone, of partitions that have a commit; this
        takes less time than `table` does."""
        parts = [
            part.filter(pc.is_in(part.column("group_id"), value_set=groups)) for part in self._parts
        ]
        sums = _merged(pa.concat_tables([SUMS.empty_table(), *parts]))
        return sums.filter(sums.column("known_offset").is_valid())

    def table(self) -> pa.Table:
        """Return the sums so far, with the columns of `SUMS`."""
        if not self._parts:
            return SUMS.empty_table()
        if len(self._parts) > 1:
            self._parts = [_merged(pa.concat_tables(self._parts))]
        (table,) = self._parts
        if self._most_rows is not None and table.num_rows > self._most_rows:
            table = table.sort_by([("last", "descending")]).slice(0, self._most_rows)
        return table


def commit_times(offsets: pa.Table) -> pa.ChunkedArray:
    """Return when each commit was made: its own time, else that of its record."""
    return pc.coalesce(offsets.column("commit_timestamp"), offsets.column("record_timestamp"))


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
        ("second_gap_ms", pa.int64()),  # the longest but one
        ("known_offset", pa.int64()),  # the last that was not deleted
        ("known_at", _TIME),
        ("first_known", pa.int64()),  # the first
        ("first_known_at", _TIME),
        ("rewound_gap_ms", pa.int64()),  # from the commit before to the rewind
        ("rewound_deleted", pa.int64()),  # whether the offset had been deleted in between
        ("again", pa.int64()),  # by how much offsets went back in all
        ("jump_at", _TIME),  # the longest step forward
        ("jump_from", pa.int64()),
        ("jump_to", pa.int64()),
        ("recent_at", _TIME),  # the first commit of the last STRETCH with any, by the clock
        ("recent_offset", pa.int64()),
        ("before_at", _TIME),  # of the one before that
        ("before_offset", pa.int64()),
        ("day_at", _TIME),  # the same of days, with the commits from then on
        ("day_offset", pa.int64()),
        ("day_commits", pa.int64()),
        ("day_rewinds", pa.int64()),
        ("eve_at", _TIME),
        ("eve_offset", pa.int64()),
        ("eve_commits", pa.int64()),
        ("eve_rewinds", pa.int64()),
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
    sums_by_key = summed(key_numbers(keys), parts)
    chosen = keys.take(pa.array(sums_by_key.rows)).cast(
        pa.schema([SUMS.field(name) for name in COMMIT_KEY])
    )
    sums = [_typed(SUMS.field(name), sums_by_key.columns[name]) for name in NUMBERS]
    return pa.Table.from_arrays([*chosen.columns, *sums], schema=SUMS)


def _merged(rows: pa.Table) -> pa.Table:
    """Return one summary for each key, of summaries in the order of the log."""
    return _summary(rows.select(COMMIT_KEY), [_plain(rows.column(name)) for name in NUMBERS])


def _typed(field: pa.Field, values: Any) -> pa.Array:
    """Return a column of a summary. Counts are never missing; of everything else -1 is what is not
    known.
    """
    missing = None if field.name in _COUNTS else values < 0
    return pa.array(values, field.type, mask=missing)


_COUNTS = {
    "commits", "same_commits", "longest_gap_ms", "pauses", "rewinds", "second_gap_ms",
    "rewound_gap_ms", "rewound_deleted", "again", "day_commits", "day_rewinds", "eve_commits",
    "eve_rewinds",
}  # fmt: skip


def _completed(part: pa.Table) -> pa.Table:
    """Return sums with all columns: a follower may have kept some of an earlier release."""
    for field in list(SUMS)[part.num_columns :]:
        value = 0 if field.name in _COUNTS else None
        column_ = pa.repeat(pa.scalar(value, field.type), part.num_rows)
        part = part.append_column(field, column_)
    return part


def key_numbers(rows: pa.Table) -> Any:
    """Return a number for each row, equal where group, topic and partition are."""
    numbers, room = np.zeros(rows.num_rows, np.int64), 1
    for name in COMMIT_KEY:
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


NUMBERS = tuple(field.name for field in SUMS if field.name not in COMMIT_KEY)
"""The numbers of a sum, in the order in which the core writes them."""
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
        return _summed_by_python(keys, parts)
    columns_given = parts if len(parts) == 2 else [np.column_stack(parts)]
    rows, sums = map(_int64, engine.CORE.sum_commits(keys, columns_given, LIMITS))
    return _by_name(keys, rows, sums)


def _by_name(keys: Any, rows: Any, sums: Any) -> Summed:
    order = np.argsort(keys[rows])
    by_name = np.ascontiguousarray(sums.reshape(-1, len(NUMBERS))[order].T)
    return Summed(rows[order], dict(zip(NUMBERS, by_name, strict=True)))


def _int64(data: bytes) -> Any:
    return np.frombuffer(data, np.int64)


def _summed_by_python(keys: Any, parts: Sequence[Any]) -> Summed:
    """Return what the core does; `commit_sum` has the same algorithm."""
    rows: dict[int, int] = {}
    sums: dict[int, CommitSum] = {}
    numbers = [part.tolist() for part in parts]
    read = CommitSum.of_commit if len(numbers) == 2 else CommitSum.of_numbers
    for row, (key, *values) in enumerate(zip(keys.tolist(), *numbers, strict=True)):
        part = read(*values)
        sums_of_key = sums.get(key)
        if sums_of_key is None:
            rows[key], sums[key] = row, part
        else:
            sums_of_key.add(part, LIMITS)
    columns = [sums_of_key.numbers() for sums_of_key in sums.values()]
    return _by_name(keys, np.array([*rows.values()], np.int64), np.array(columns, np.int64))
