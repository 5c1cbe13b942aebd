"""Sums of the commits of a unit, by group: for the rules, and for the table `current`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ..audit import CommitSeen
from ..columnar.arrays import column
from ..tables.schemas import TABLES, made
from .options import Options

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
    ends = [_end(row, options) for row in _rows(rows)]
    end = pa.array(ends, pa.int64())
    lag = pc.max_element_wise(pc.subtract(end, column(rows, "committed_offset")), 0)
    columns = {
        **{name: column(rows, name) for name in rows.column_names if name in _LAG_NAMES},
        "first_commit_timestamp": column(rows, "first"),
        "last_commit_timestamp": column(rows, "last"),
        "end_offset": end,
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
    seen: dict[str, list[CommitSeen]] = {}
    names = [name for name in lags.column_names if name != "cluster_id"]
    for values in zip(*(_plain(column(lags, name)) for name in names), strict=True):
        row = dict(zip(names, values, strict=True))
        first, last = row["first_commit_timestamp"], row["last_commit_timestamp"]
        if first is None or last is None:
            continue
        rewound = None
        if row["rewound_at"] is not None:
            rewound = (row["rewound_at"] // 1000, row["rewound_from"], row["rewound_to"])
        told = CommitSeen(
            row["topic"],
            row["partition"],
            row["committed_offset"],
            first // 1000,
            last // 1000,
            row["commits"],
            row["end_offset"],
            row["first_offset"],
            row["highest_offset"],
            None if row["same_since"] is None else row["same_since"] // 1000,
            row["same_commits"],
            row["longest_gap_ms"],
            row["pauses"],
            row["rewinds"],
            rewound,
        )
        seen.setdefault(row["group_id"], []).append(told)
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
