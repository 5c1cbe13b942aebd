"""Sums of the commits of a unit: rows of the table `lag`, and what `current` says of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..columnar.arrays import column
from ..tables.schemas import TABLES, made
from .options import Options, TopicFacts

__all__ = ["commit_sums", "lag_table"]

_MOST_TOPICS = 100


def lag_table(commits: pa.Table, members: Mapping[str, int | None], options: Options) -> pa.Table:
    """Return rows of the table `lag`. `members` is how many each group has, where known."""
    rows = commits.filter(pc.is_valid(commits.column("committed_offset")))
    end, before = _ends(rows, options)
    groups = column(rows, "group_id").dictionary_encode()
    counts = pa.array([members.get(name) for name in groups.dictionary.to_pylist()], pa.int32())
    columns = {
        **{name: column(rows, name) for name in rows.column_names if name in _LAG_NAMES},
        "first_commit_timestamp": column(rows, "first"),
        "last_commit_timestamp": column(rows, "last"),
        "end_offset": end,
        "end_before": before,
        "lag": _behind(end, column(rows, "committed_offset")),
        "members": counts.take(groups.indices),
    }
    return made("lag", rows.num_rows, columns)


_LAG_NAMES = frozenset(TABLES["lag"].names)


def commit_sums(commits: pa.Table, options: Options) -> dict[str, dict[str, Any]]:
    """Return for each group what `current` says of its commits. The lag is null where no end is
    known.
    """
    end, _ = _ends(commits, options)
    offsets = column(commits, "committed_offset")
    rows = pa.table(
        {
            "group_id": column(commits, "group_id"),
            "commits": column(commits, "commits"),
            "last_commit_timestamp": column(commits, "last").cast(pa.int64()),
            "committed_partitions": offsets,
            "lag": _behind(end, offsets),
        }
    )
    found = rows.group_by("group_id", use_threads=False).aggregate(
        [
            ("commits", "sum"),
            ("last_commit_timestamp", "max"),
            ("committed_partitions", "count"),
            ("lag", "sum"),
        ]
    )
    topics = _topics(commits.filter(offsets.is_valid()))
    return {
        group_id: {
            "commits": count,
            "last_commit_timestamp": last,
            "committed_partitions": partitions,
            "lag": lag,
            "topics": sorted(topics.get(group_id, ()))[:_MOST_TOPICS],
        }
        for group_id, count, last, partitions, lag in zip(
            *map(pa.ChunkedArray.to_pylist, found.columns), strict=True
        )
    }


def _topics(commits: pa.Table) -> dict[str, list[str]]:
    """Return the topics that each group has committed."""
    pairs = commits.select(["group_id", "topic"]).group_by(["group_id", "topic"]).aggregate([])
    found: dict[str, list[str]] = {}
    for group_id, topic in zip(*map(pa.ChunkedArray.to_pylist, pairs.columns), strict=True):
        found.setdefault(group_id, []).append(topic)
    return found


def _behind(end: pa.Array, committed: pa.Array) -> pa.Array:
    """Return how many records are between a committed offset and the end, where both are known."""
    return pc.max_element_wise(pc.subtract(end, committed), 0, skip_nulls=False)


def _ends(rows: pa.Table, options: Options) -> tuple[pa.Array, pa.Array]:
    """Return where the partition of each row ends, and where it did some minutes before."""
    if not options.topics:
        return (pa.nulls(rows.num_rows, pa.int64()),) * 2
    places = zip(*(column(rows, name).to_pylist() for name in ("topic", "partition")), strict=True)
    facts = [(options.topics.get(topic, _UNKNOWN), number) for topic, number in places]
    ends = [known.ends.get(number) for known, number in facts]
    before = [known.ends_before.get(number) for known, number in facts]
    return pa.array(ends, pa.int64()), pa.array(before, pa.int64())


_UNKNOWN = TopicFacts(1)
"""A topic of which no end is known."""
