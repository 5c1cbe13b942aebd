"""Commits: rows of the table `offsets`, and their sums for each group and partition.

By far most records of a topic are commits. They never become Python objects: the compiled core sums
them up in the order of the log, and tells which of them come after a rebalance; where it is not
installed, `python_sums` does. A sum is `NUMBERS`,
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
from ..audit.commit_sum import LIMITS
from ..columnar.arrays import column, instants, topic_ids
from .python_sums import DELETED, PythonSums
from .record_kinds import Kind, places
from .schemas import made

__all__ = [
    "COMMIT_KEY",
    "INTERRUPTIONS",
    "NUMBERS",
    "SUMS",
    "CommitSummary",
    "Commits",
    "Steps",
    "commits_of",
    "offset_rows",
]

_LARGEST = (1 << 63) - 1
COMMIT_KEY = ["cluster_id", "group_id", "topic", "partition"]
"""The columns that name a partition and the group that commits it."""
_NONE = np.zeros(0, np.int32)


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
    is_counted = _not_aborted(rows)
    return made_rows if pc.all(is_counted).as_py() else made_rows.filter(is_counted)


def _not_aborted(rows: pa.Table) -> pa.Array:
    aborted = pc.equal(column(rows, "outcome"), "aborted")
    return pc.fill_null(pc.invert(aborted), True)


class Commits(NamedTuple):
    """The commits of a batch that count, in the order of the log: `keys` has the columns of
    `COMMIT_KEY`, each key once, and `codes` the number of each commit's. The others are arrays of
    numpy: the offsets (`DELETED`: the commit deletes one), the times in microseconds (-1: unknown),
    and the places in the log.
    """

    keys: pa.Table
    codes: Any  # int32
    offsets: Any  # int64, as are the others
    times: Any
    positions: Any

    @classmethod
    def of(cls, keys: pa.Table, codes: Any, rows: pa.Table) -> Commits:
        """Return the commits of rows of `offsets`, which have the keys with these numbers."""
        undecided = pc.fill_null(pc.equal(rows.column("outcome"), "undecided"), False)
        if pc.any(undecided).as_py():
            is_decided = pc.invert(undecided)
            rows, codes = rows.filter(is_decided), codes[is_decided.to_numpy()]
        offsets = pc.fill_null(rows.column("committed_offset"), DELETED).to_numpy()
        positions = _plain(rows.column("source_offset"))
        return cls(keys, codes, offsets, _plain(_commit_times(rows)), positions)

    @classmethod
    def joined(cls, parts: Sequence[Commits]) -> Commits:
        """Return the commits of several types of a batch."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            none = np.zeros(0, np.int64)
            return cls(SUMS_KEY.empty_table(), none.astype(np.int32), *[none] * 3)
        starts = np.cumsum([0, *(part.keys.num_rows for part in parts)])
        codes = [part.codes + start for part, start in zip(parts, starts, strict=False)]
        columns = [
            np.concatenate(values) for values in zip(*(part[2:] for part in parts), strict=True)
        ]
        order = np.argsort(columns[-1], kind="stable")
        keys = pa.concat_tables([part.keys for part in parts])
        in_order = np.concatenate(codes)[order].astype(np.int32)
        return cls(keys, in_order, *(values[order] for values in columns))


def commits_of(kind: Kind, rows: pa.Table) -> Commits:
    """Return the commits of records, of which `rows` are those of `offsets`."""
    codes = kind.codes.to_numpy()
    if len(codes) > rows.num_rows:
        codes = codes[_not_aborted(kind.rows).to_numpy(zero_copy_only=False)]
    return Commits.of(_keys_of(kind), codes, rows)


def _keys_of(kind: Kind) -> pa.Table:
    """Return each key once, with the cluster that all records are of."""
    count = len(kind.keys)
    clusters = column(kind.rows, "cluster_id").slice(0, 1)
    cluster = clusters[0].as_py() if len(clusters) else None
    message = kind.keys.field("message")
    names = [message.field(name) for name in ("group", "topic", "partition")]
    cluster_ids = pa.repeat(pa.scalar(cluster, pa.string()), count)
    return pa.Table.from_arrays([cluster_ids, *names], schema=SUMS_KEY)


class Steps(NamedTuple):
    """The rebalances of a batch, sorted by group and place, as the core takes them: the numbers of
    their groups, their places in the log, whether members read on what stays with them, and what
    those moved, as numbers of steps and of partitions."""

    groups: Any  # int32
    positions: Any  # int64
    keeps: Any  # uint8
    moving: Any  # int32
    moved: Any  # int32

    @classmethod
    def none(cls) -> Steps:
        """Return the steps of a batch without rebalances."""
        dtypes = (np.int32, np.int64, np.uint8, np.int32, np.int32)
        return cls(*(np.zeros(0, dtype) for dtype in dtypes))


class CommitSummary:
    """For each group and partition: its commits in short (`SUMS`). What it keeps grows with the
    partitions, not with the commits. A partition has a number, from 0 on."""

    def __init__(self, sums: Iterable[pa.Table] = (), most: int | None = None) -> None:
        """Beginning with what others have summed up, in the order of the log. `most` is of how many
        partitions sums are returned: those that were committed last.
        """
        core = engine.CORE
        self._sums: Any = PythonSums(LIMITS) if core is None else core.CommitSums(LIMITS)
        self._most_rows = most
        self._keys: list[pa.Table] = []
        self._table: pa.Table | None = None
        for part in map(_completed, sums):
            numbers = np.column_stack([_plain(part.column(name)) for name in NUMBERS])
            self._sums.add_sums(self.note(part.select(COMMIT_KEY)), numbers)

    def add(
        self, commits: Commits, steps: Steps | None = None, waiting: Any = _NONE
    ) -> dict[str, Any]:
        """Add commits, and return the columns of `INTERRUPTIONS`: of commits that come after
        `steps`, of partitions of which no commit comes after them, and of the next commit of those
        `waiting`.
        """
        numbers = self.note(commits.keys)
        self._table = None
        events = self._sums.add([numbers, *commits[1:]], steps or Steps.none(), waiting)
        columns = _int64(events).reshape(-1, len(INTERRUPTIONS)).T
        return dict(zip(INTERRUPTIONS, columns, strict=True))

    def note(self, keys: pa.Table) -> Any:
        """Note partitions that are new, and return the numbers of all these."""
        count = len(self._sums)
        numbers = _int32(self._sums.numbers(_buffers(keys)))
        if len(self._sums) > count:
            new, places = np.unique(numbers, return_index=True)
            self._keys.append(keys.take(pa.array(places[new >= count])))
        return numbers

    def find(self, keys: pa.Table) -> Any:
        """Return the numbers of partitions; -1 for one without a commit."""
        return _int32(self._sums.find(_buffers(keys)))

    def groups(self, names: Sequence[str]) -> Any:
        """Return the numbers of groups; -1 for one without a commit."""
        return np.array(self._sums.groups(names), np.int32)

    def keys(self, numbers: Any) -> pa.Table:
        """Return the columns of `COMMIT_KEY` of the partitions with these numbers."""
        if len(self._keys) != 1:
            parts = [SUMS_KEY.empty_table(), *self._keys]
            self._keys = [pa.concat_tables(parts).combine_chunks()]
        return self._keys[0].take(pa.array(numbers))

    def table(self) -> pa.Table:
        """Return the sums so far, with the columns of `SUMS`."""
        if self._table is None:
            self._table = self._made()
        return self._table

    def _made(self) -> pa.Table:
        numbers, sums = map(_int64, self._sums.sums())
        keys = self.keys(numbers)
        order = np.argsort(_key_numbers(keys)) if len(numbers) else numbers
        by_name = np.ascontiguousarray(sums.reshape(-1, len(NUMBERS))[order].T)
        columns = [
            _typed(SUMS.field(name), values) for name, values in zip(NUMBERS, by_name, strict=True)
        ]
        keys = keys.take(pa.array(order))
        table = pa.Table.from_arrays([*keys.columns, *columns], schema=SUMS)
        if self._most_rows is not None and table.num_rows > self._most_rows:
            table = table.sort_by([("last", "descending")]).slice(0, self._most_rows)
        return table


def _commit_times(offsets: pa.Table) -> pa.ChunkedArray:
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
        ("jump_gap_ms", pa.int64()),  # from the commit before to the longest step forward
        ("jump_deleted", pa.int64()),  # whether the offset had been deleted in between
    ]
)
"""The columns of a summary. What is not known is null."""
SUMS_KEY = pa.schema([SUMS.field(name) for name in COMMIT_KEY])


def _plain(values: pa.ChunkedArray) -> Any:
    """Return integers as numpy has them; -1 for null."""
    return pc.fill_null(values.cast(pa.int64()), -1).to_numpy()


def _buffers(keys: pa.Table) -> list[Any]:
    """Return the memory of keys as the core reads it: offsets and bytes of groups and topics, and
    partitions."""
    buffers: list[Any] = []
    for name in ("group_id", "topic"):
        texts = column(keys, name)
        if texts.offset:
            texts = pa.concat_arrays([texts, texts.slice(0, 0)])
        _, offsets, data = texts.buffers()
        buffers += [offsets, data]
    return [*buffers, pc.fill_null(column(keys, "partition"), 0).to_numpy()]


def _typed(field: pa.Field, values: Any) -> pa.Array:
    """Return a column of a summary. Counts are never missing; of everything else -1 is what is not
    known.
    """
    missing = None if field.name in _COUNTS else values < 0
    return pa.array(values, field.type, mask=missing)


_COUNTS = {
    "commits", "same_commits", "longest_gap_ms", "pauses", "rewinds", "second_gap_ms",
    "rewound_gap_ms", "rewound_deleted", "again", "day_commits", "day_rewinds", "eve_commits",
    "eve_rewinds", "jump_gap_ms", "jump_deleted",
}  # fmt: skip


def _completed(part: pa.Table) -> pa.Table:
    """Return sums with all columns: a follower may have kept some of an earlier release."""
    for field in list(SUMS)[part.num_columns :]:
        value = 0 if field.name in _COUNTS else None
        column_ = pa.repeat(pa.scalar(value, field.type), part.num_rows)
        part = part.append_column(field, column_)
    return part


def _key_numbers(rows: pa.Table) -> Any:
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

INTERRUPTIONS = (
    "number", "before", "before_at", "base", "base_at", "row", "steps", "first", "last",
)  # fmt: skip
"""What is known of the interruption of a partition: its number; offset and time of the commit
before, and of the one that its pace is reckoned from (times -1: not known); the commit after, -1
where there is none; how many rebalances there are, the first and the last of them."""


def _int64(data: bytes) -> Any:
    return np.frombuffer(data, np.int64)


def _int32(data: bytes) -> Any:
    return np.frombuffer(data, np.int32)
