"""Commits: rows of the table `offsets`, and their sums for each group and partition.

By far most records of a topic are commits. They never become Python objects.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..columnar.arrays import column, instants, topic_ids
from .reading import Kind, places
from .schemas import made

__all__ = ["CommitSummary", "offset_rows"]

_MOST_HELD = 1 << 20  # rows of partial sums
_MOST = (1 << 63) - 1
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
    """For each group and partition: how many commits, when the first and the last, and of what
    offset. What it keeps grows with the partitions, not with the commits."""

    def __init__(self, sums: Iterable[pa.Table] = ()) -> None:
        """Beginning with what others have summed up, in the order of the log."""
        self._parts = list(sums)
        self._rows = sum(part.num_rows for part in self._parts)

    def add(self, offsets: pa.Table) -> None:
        """Add rows of `offsets`, in the order of the log."""
        undecided = pc.fill_null(pc.equal(offsets.column("outcome"), "undecided"), False)
        if pc.any(undecided).as_py():
            offsets = offsets.filter(pc.invert(undecided))
        times = pc.coalesce(offsets.column("commit_timestamp"), offsets.column("record_timestamp"))
        sums = pa.table(
            {
                "partition": _numbered(offsets),
                "row": np.arange(offsets.num_rows),
                "time": times,
                "commits": offsets.column("committed_offset").is_valid().cast("int64"),
            }
        ).group_by("partition", use_threads=False)
        found = sums.aggregate(
            [("row", "max"), ("time", "min"), ("time", "max"), ("commits", "sum")]
        )
        latest = offsets.select([*_KEY, "committed_offset"]).take(found.column("row_max"))
        for name, values in (
            ("first", "time_min"),
            ("last", "time_max"),
            ("commits", "commits_sum"),
        ):
            latest = latest.append_column(name, found.column(values))
        self._parts.append(latest.cast(_NOTHING.schema))
        self._rows += self._parts[-1].num_rows
        if self._rows > _MOST_HELD:
            self._parts = [self.table()]
            self._rows = self._parts[0].num_rows // 2  # merging again pays only after many more

    def table(self) -> pa.Table:
        """Return the sums so far: cluster_id, group_id, topic, partition, committed_offset (null:
        deleted), first, last, commits.
        """
        if not self._parts:
            return _NOTHING
        return _merged(pa.concat_tables(self._parts))


_NOTHING = pa.schema(
    [
        ("cluster_id", pa.string()),
        ("group_id", pa.string()),
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("committed_offset", pa.int64()),
        ("first", pa.timestamp("us", tz="UTC")),
        ("last", pa.timestamp("us", tz="UTC")),
        ("commits", pa.int64()),
    ]
).empty_table()


def _numbered(rows: pa.Table) -> pa.Array:
    """Return a number for each row, equal where group, topic and partition are."""
    numbers, room = np.zeros(rows.num_rows, np.int64), 1
    for name in _KEY:
        coded = column(rows, name).dictionary_encode()
        codes = pc.fill_null(coded.indices, len(coded.dictionary)).to_numpy()
        if room * (len(coded.dictionary) + 1) > _MOST:
            once = pa.array(numbers).dictionary_encode()
            numbers, room = once.indices.to_numpy().astype(np.int64), len(once.dictionary)
        room *= len(coded.dictionary) + 1
        numbers = numbers * (len(coded.dictionary) + 1) + codes
    return pa.array(numbers)


def _merged(rows: pa.Table) -> pa.Table:
    keep_nulls = pc.ScalarAggregateOptions(skip_nulls=False)
    found = rows.group_by(_KEY, use_threads=False).aggregate(
        [
            ("committed_offset", "last", keep_nulls),
            ("first", "min"),
            ("last", "max"),
            ("commits", "sum"),
        ]
    )
    names = ["committed_offset", "first", "last", "commits"]
    return found.select(
        [*_KEY, "committed_offset_last", "first_min", "last_max", "commits_sum"]
    ).rename_columns([*_KEY, *names])
