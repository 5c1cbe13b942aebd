"""Commits summed up by their keys, and the rebalances that interrupt them: both engines say the
same, and sums can be summed up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec.runtime import engine
from kproto.pipeline.audit.commit_sum import PAUSE_MS
from kproto.pipeline.tables.commits import (
    COMMIT_KEY,
    SUMS,
    Commits,
    CommitSummary,
    Steps,
)
from kproto.pipeline.tables.python_sums import DELETED

pytestmark = pytest.mark.skipif(engine.CORE is None, reason=f"no compiled core: {engine.WHY_NOT}")

KEYS = pa.Table.from_pylist(
    [
        {"cluster_id": "c", "group_id": group, "topic": topic, "partition": partition}
        for group in ("g", "other")
        for topic, partition in (("t", 0), ("t", 1), ("u", 0))
    ],
    pa.schema([SUMS.field(name) for name in COMMIT_KEY]),
)
GROUPS = np.array([0, 0, 0, 1, 1, 1])
unknown_or = st.just(-1).__or__
commits = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.sampled_from((DELETED, -1, 0, 5, 5, 5, 30, 1 << 62)),
        unknown_or(st.integers(0, 5).map(lambda n: n * PAUSE_MS * 500)),
    ),
    min_size=1,
)
steps = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 30), st.booleans(), st.sets(st.integers(0, 5)))
)
Drawn = tuple[int, int, bool, set[int]]


def commits_of_rows(rows: Sequence[tuple[int, int, int]], start: int = 0) -> Commits:
    codes, offsets, times = np.array(rows, np.int64).reshape(-1, 3).T.copy()
    places = 2 * (start + np.arange(len(rows))) + 1
    return Commits(KEYS, codes.astype(np.int32), offsets, times, places)


def steps_of(drawn: Sequence[Drawn], low: int, high: int) -> Steps:
    """Those before a place in the log, and not before another; they are at even places."""
    chosen = sorted((*step[:3], tuple(step[3])) for step in drawn if low <= 2 * step[1] < high)
    moves = [(number, entry) for number, step in enumerate(chosen) for entry in step[3]]
    moving, moved = np.array(moves, np.int32).reshape(-1, 2).T.copy()
    groups, places, keeps = ([step[field] for step in chosen] for field in range(3))
    return Steps(
        np.array(groups, np.int32), 2 * np.array(places, np.int64), np.array(keeps, np.uint8),
        moving, moved,
    )  # fmt: skip


def added(
    rows: Sequence[tuple[int, int, int]], drawn: Sequence[Drawn], size: int, waiting: Any
) -> tuple[list[Any], list[dict[str, list[int]]]]:
    """The sums of rows that come in batches of a size, and the interruptions of each batch."""
    summary, interruptions = CommitSummary(), []
    for start in range(0, len(rows), size):
        end = 2 * (start + size) if start + size < len(rows) else 1 << 40
        part = commits_of_rows(rows[start : start + size], start)
        columns = summary.add(part, steps_of(drawn, 2 * start, end), waiting)
        interruptions.append({name: values.tolist() for name, values in columns.items()})
    return summary.table().to_pylist(), interruptions


@given(commits, steps, st.integers(1, 9), st.sets(st.integers(0, 5)))
def test_both_engines_say_the_same(
    rows: list[tuple[int, int, int]], drawn: list[Drawn], size: int, waits: set[int]
) -> None:
    waiting = np.array(sorted(waits), np.int32)
    by_core = added(rows, drawn, size, waiting)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "CORE", None)
        assert added(rows, drawn, size, waiting) == by_core
    assert added(rows, drawn, len(rows), waiting)[0] == by_core[0]


@given(commits, st.integers(1, 9))
def test_sums_can_be_summed_up_by_both_engines(rows: list[tuple[int, int, int]], size: int) -> None:
    parts = []
    for start in range(0, len(rows), size):
        summary = CommitSummary()
        summary.add(commits_of_rows(rows[start : start + size]))
        parts.append(summary.table())
    by_core = CommitSummary(parts).table().to_pylist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "CORE", None)
        assert CommitSummary(parts).table().to_pylist() == by_core


def test_partitions_have_numbers() -> None:
    summary = CommitSummary()
    assert summary.note(KEYS).tolist() == [*range(6)]
    assert summary.find(KEYS.slice(2, 2)).tolist() == [2, 3]
    strangers = KEYS.set_column(1, KEYS.field(1), pa.repeat("nobody", 6))
    assert summary.find(strangers).tolist() == [-1] * 6
    assert summary.groups(["other", "nobody", "g"]).tolist() == [1, -1, 0]
    assert summary.keys([3, 0]).to_pylist() == KEYS.take([3, 0]).to_pylist()
    assert not summary.table().num_rows
