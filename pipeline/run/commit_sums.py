"""Sums of the commits of a unit, by group: for the rules, and for the table `current`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ..audit import CommitSeen
from ..columnar.arrays import column
from ..tables.schemas import TABLES, made
from .options import Options, TopicFacts

__all__ = ["commit_sums", "commits_seen", "lag_table", "lags_seen"]

_MOST_TOPICS = 100


class _Sum(NamedTuple):
    """A row of `CommitSummary`; times in microseconds, None where there is none."""

    group_id: str
    topic: str
    partition: int
    committed_offset: int | None
    first: int | None
    last: int | None
    commits: int


def _rows(commits: pa.Table) -> Iterator[_Sum]:
    columns = (column(commits, name) for name in _Sum._fields)
    return map(_Sum._make, zip(*map(_plain, columns), strict=True))


def _plain(values: pa.Array) -> list[Any]:
    found: list[Any] = (
        values.cast(pa.int64()) if pa.types.is_timestamp(values.type) else values
    ).to_pylist()
    return found


def lag_table(commits: pa.Table, members: Mapping[str, int | None], options: Options) -> pa.Table:
    """Return rows of the table `lag`. `members` is how many each group has, where known."""
    rows = commits.filter(pc.is_valid(commits.column("committed_offset")))
    end, before = _ends(rows, options)
    lag = pc.max_element_wise(pc.subtract(end, column(rows, "committed_offset")), 0)
    columns = {
        **{name: column(rows, name) for name in rows.column_names if name in _LAG_NAMES},
        "first_commit_timestamp": column(rows, "first"),
        "last_commit_timestamp": column(rows, "last"),
        "end_offset": end,
        "end_before": before,
        "lag": pc.if_else(end.is_valid(), lag, pa.scalar(None, pa.int64())),
        "members": pa.array(
            [members.get(name) for name in column(rows, "group_id").to_pylist()], pa.int32()
        ),
    }
    return made("lag", rows.num_rows, columns)


_LAG_NAMES = frozenset(TABLES["lag"].names)


def commits_seen(commits: pa.Table, options: Options) -> dict[str, list[CommitSeen]]:
    """Return for each group the partitions it committed, as rules are given them."""
    return lags_seen(lag_table(commits, {}, options))


def lags_seen(lags: pa.Table) -> dict[str, list[CommitSeen]]:
    """Return for each group its rows of `lag`, as rules are given them."""
    times = ("first_commit_timestamp", "last_commit_timestamp")
    lags = lags.filter(pc.and_(*(lags.column(name).is_valid() for name in times)))
    groups = column(lags, "group_id").to_pylist()
    columns = (_milliseconds(column(lags, name)).to_pylist() for name in _SEEN)
    before = column(lags, "end_before").to_pylist()
    commits = map(CommitSeen, *columns, _rewinds(lags), before)
    seen: dict[str, list[CommitSeen]] = {}
    for group_id, commit in zip(groups, commits, strict=True):
        seen.setdefault(group_id, []).append(commit)
    return seen


_SEEN = (
    "topic", "partition", "committed_offset", "first_commit_timestamp", "last_commit_timestamp",
    "commits", "end_offset", "first_offset", "highest_offset", "same_since", "same_commits",
    "longest_gap_ms", "pauses", "rewinds",
)  # fmt: skip
"""The columns of `lag` in the order of the fields of `CommitSeen`, up to the last rewind."""


def _rewinds(lags: pa.Table) -> list[tuple[int, int, int] | None]:
    """Return time and offsets of the last rewind of each row."""
    at = _milliseconds(column(lags, "rewound_at"))
    if at.null_count == len(at):  # nearly always
        return [None] * len(at)
    offsets = (column(lags, name).to_pylist() for name in ("rewound_from", "rewound_to"))
    return [
        None if told[0] is None else told for told in zip(at.to_pylist(), *offsets, strict=True)
    ]


def _milliseconds(values: pa.Array) -> pa.Array:
    """Return times as milliseconds since 1970, and other values as they are."""
    if not pa.types.is_timestamp(values.type):
        return values
    return pc.divide(values.cast(pa.int64()), 1000)


def commit_sums(commits: pa.Table, options: Options) -> dict[str, dict[str, Any]]:
    """Return for each group what `current` says of its commits. The lag is null where no end is
    known.
    """
    sums: dict[str, dict[str, Any]] = {}
    for row in _rows(commits):
        group = sums.setdefault(
            row.group_id,
            {
                "commits": 0,
                "committed_partitions": 0,
                "last_commit_timestamp": None,
                "lag": None,
                "topics": set(),
            },
        )
        group["commits"] += row.commits
        last = group["last_commit_timestamp"]
        if last is None or (row.last is not None and row.last > last):
            group["last_commit_timestamp"] = row.last
        if row.committed_offset is None:
            continue
        group["committed_partitions"] += 1
        group["topics"].add(row.topic)
        end = _end(row, options)
        if end is not None:
            group["lag"] = (group["lag"] or 0) + max(end - row.committed_offset, 0)
    for group in sums.values():
        group["topics"] = sorted(group["topics"])[:_MOST_TOPICS]
    return sums


def _ends(rows: pa.Table, options: Options) -> tuple[pa.Array, pa.Array]:
    """Return where the partition of each row ends, and where it did some minutes before."""
    if not options.topics:
        return (pa.nulls(rows.num_rows, pa.int64()),) * 2
    facts = [(options.topics.get(row.topic, _UNKNOWN), row.partition) for row in _rows(rows)]
    ends = [known.ends.get(number) for known, number in facts]
    before = [known.ends_before.get(number) for known, number in facts]
    return pa.array(ends, pa.int64()), pa.array(before, pa.int64())


_UNKNOWN = TopicFacts(1)
"""A topic of which no end is known."""


def _end(row: _Sum, options: Options) -> int | None:
    return (options.topics or {}).get(row.topic, _UNKNOWN).ends.get(row.partition)
