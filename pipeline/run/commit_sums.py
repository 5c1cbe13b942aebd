"""Sums of the commits of a unit, by group: for the rules, and for the table `current`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from ..audit import CommitSeen
from ..columnar.arrays import column
from .options import Options

__all__ = ["commit_sums", "commits_seen"]

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
    plain = (
        column_.cast(pa.int64()) if pa.types.is_timestamp(column_.type) else column_
        for column_ in columns
    )
    return map(_Sum._make, zip(*(values.to_pylist() for values in plain), strict=True))


def commits_seen(commits: pa.Table, options: Options) -> dict[str, list[CommitSeen]]:
    """Return for each group the partitions it committed, as rules are given them."""
    seen: dict[str, list[CommitSeen]] = {}
    for row in _rows(commits):
        if row.first is None or row.last is None:
            continue
        first, last = row.first // 1000, row.last // 1000
        end = _end(row, options)
        told = CommitSeen(
            row.topic, row.partition, row.committed_offset, first, last, row.commits, end
        )
        seen.setdefault(row.group_id, []).append(told)
    return seen


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


def _end(row: _Sum, options: Options) -> int | None:
    facts = (options.topics or {}).get(row.topic)
    return facts.ends.get(row.partition) if facts is not None else None
