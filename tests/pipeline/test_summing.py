"""Commits summed up by their keys: the compiled core and numpy give the same sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec.runtime import engine
from kproto.pipeline.audit.commit_sum import PAUSE_MS
from kproto.pipeline.tables.commits import NUMBERS, Summed, summed

pytestmark = pytest.mark.skipif(engine.CORE is None, reason=f"no compiled core: {engine.WHY_NOT}")

unknown_or = st.just(-1).__or__
commits = st.lists(
    st.tuples(
        st.integers(-2, 2),
        unknown_or(st.sampled_from((0, 5, 5, 5, 30, 1 << 62))),
        unknown_or(st.integers(0, 5).map(lambda n: n * PAUSE_MS * 500)),
    ),
    min_size=1,
)


def by_numpy(keys: Any, parts: Sequence[Any]) -> Summed:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "CORE", None)
        return summed(keys, parts)


def assert_equal(one: Summed, other: Summed) -> None:
    assert one.rows.tolist() == other.rows.tolist()
    for name in NUMBERS:
        assert one.columns[name].tolist() == other.columns[name].tolist(), name


@given(commits, st.integers(1, 9))
def test_both_engines_sum_up_the_same(rows: list[tuple[int, int, int]], size: int) -> None:
    keys, offsets, times = np.array(rows, np.int64).T.copy()
    assert_equal(summed(keys, [offsets, times]), by_numpy(keys, [offsets, times]))
    cuts = [slice(start, start + size) for start in range(0, len(rows), size)]
    parts = [summed(keys[cut], [offsets[cut], times[cut]]) for cut in cuts]
    numbers = np.concatenate([keys[cut][part.rows] for cut, part in zip(cuts, parts, strict=True)])
    sums = [np.concatenate([part.columns[name] for part in parts]) for name in NUMBERS]
    assert_equal(summed(numbers, sums), by_numpy(numbers, sums))
