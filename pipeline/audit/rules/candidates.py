"""Rows of the table `lag` in which rules about commits may find something.

A rule that reads a group's commits one by one is asked about groups with such a row alone; of
thousands of groups these are few.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..rule import arrow_compute

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["left_over", "out_of_range", "paused", "rewound", "silent", "skipped", "waiting"]


def waiting(lags: pa.Table, _: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions have a lag."""
    pc = arrow_compute()
    return pc.greater(lags.column("lag"), 0)


def rewound(lags: pa.Table, _: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions have a committed offset that went back."""
    return lags.column("rewound_at").is_valid()


def skipped(lags: pa.Table, _: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions had a step forward while nobody was in the group."""
    return lags.column("skipped_at").is_valid()


def left_over(lags: pa.Table, _: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions are of topics that no member subscribes to."""
    pc = arrow_compute()
    return pc.equal(lags.column("is_subscribed"), False)


def out_of_range(lags: pa.Table, _: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions have a committed offset below their start or beyond their end."""
    pc = arrow_compute()
    committed = lags.column("committed_offset")
    is_below = pc.fill_null(pc.less(committed, lags.column("start_offset")), False)
    return pc.or_(is_below, pc.fill_null(pc.greater(committed, lags.column("end_offset")), False))


def paused(lags: pa.Table, thresholds: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions have enough `pauses`, the longest of them `times` the average
    interval.
    """
    pc = arrow_compute()
    least = pc.multiply(_intervals(lags), float(thresholds["times"]))
    return pc.and_(
        pc.greater_equal(lags.column("pauses"), float(thresholds["pauses"])),
        pc.greater_equal(lags.column("longest_gap_ms"), least),
    )


def silent(lags: pa.Table, thresholds: Mapping[str, float]) -> pa.ChunkedArray:
    """Return which partitions had enough `commits`, and then none for `seconds`, for `paces` times
    the average interval and for twice the longest that is usual, up to the latest commit of their
    group.
    """
    pc = arrow_compute()
    regular = pc.greater_equal(lags.column("commits"), float(thresholds["commits"]))
    rows = lags.select(["group_id"]).append_column("last", _milliseconds(lags, "last"))
    latest = rows.filter(regular).group_by("group_id").aggregate([("last", "max")])
    groups = latest.column("group_id").combine_chunks()
    indices = pc.index_in(rows.column("group_id"), value_set=groups)
    silence = pc.subtract(latest.column("last_max").take(indices), rows.column("last"))
    limit = pc.max_element_wise(
        thresholds["seconds"] * 1000.0,
        pc.multiply(_intervals(lags), float(thresholds["paces"])),
        pc.multiply(lags.column("usual_gap_ms"), 2),
    )
    return pc.and_(regular, pc.greater(silence, limit))


def _intervals(lags: pa.Table) -> pa.ChunkedArray:
    """Return the average time between two commits, in milliseconds."""
    pc = arrow_compute()
    span = pc.subtract(_milliseconds(lags, "last"), _milliseconds(lags, "first"))
    steps = pc.max_element_wise(pc.subtract(lags.column("commits"), 1), 1)
    return pc.divide(span.cast("float64"), steps.cast("float64"))


def _milliseconds(lags: pa.Table, commit: str) -> pa.ChunkedArray:
    """Return the times of the first or the last commit, in milliseconds since 1970."""
    pc = arrow_compute()
    return pc.divide(lags.column(f"{commit}_commit_timestamp").cast("int64"), 1000)
