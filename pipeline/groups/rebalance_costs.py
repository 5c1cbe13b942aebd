"""What rebalances did to the data: rows of the table `rebalance_costs`, and their sums.

A rebalance stands between two commits of a partition. The second one is lower where records are
read again, and higher, in a group without members, where a tool skipped some; in between nobody is
known to have read. What a member had read and not committed when it lost the partition is read
again, too: no record tells how much that is, so it is estimated by the pace of the commits before.
Commits alone do not tell a skipped record from one that was read, so nothing is known of skipped
records while the group has members.

Records come batch by batch, and each type by itself. A batch is put into the order of the log here,
behind the last commit that earlier batches had of each partition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..columnar.arrays import column
from ..tables.commits import COMMIT_KEY, STRETCH, CommitSummary, commit_times, key_numbers
from ..tables.schemas import TABLES, empty, made

__all__ = ["RebalanceCosts"]

MAX_ROWS = 200_000
"""Of how many rows, of all groups together, sums are kept for findings: the latest ones."""
_SHOWN = 10
_SHOWN_PARTITIONS = 5
_COOPERATIVE = pa.array(["cooperative-sticky", "stream", None])
"""Protocols under which a partition that stays with its owner is read on; a group without members
has none."""
_TABLE = "rebalance_costs"
_OF_STEP = ("generation", "rebalanced_at", "cause", "members")
_WAITING = pa.schema(
    [
        *((name, pa.int32() if name == "partition" else pa.string()) for name in COMMIT_KEY),
        ("rebalances", pa.int64()),
        ("estimate", pa.int64()),
        ("generation", pa.int32()),
        ("rebalanced_at", pa.int64()),
        ("cause", pa.string()),
        ("members", pa.int32()),
        ("offset", pa.int64()),
        ("at", pa.int64()),
    ]
)
"""A partition that was not committed since a rebalance: how many there were, the records that were
read and not committed before the first of them, the last of them, and the last commit."""


class RebalanceCosts:
    """What the rebalances of all groups did, as far as their commits are read."""

    def __init__(self) -> None:
        self._waiting = _WAITING.empty_table()
        self._rows: list[pa.Table] = []
        self._is_cut = False

    def take(
        self, offsets: Sequence[pa.Table], rebalances: Sequence[pa.Table], earlier: CommitSummary
    ) -> pa.Table:
        """Take the rows of `offsets` and `rebalances` of a batch, and return rows of
        `rebalance_costs`. `earlier` are the commits before the batch.
        """
        steps = _steps(rebalances)
        groups = pc.unique(pa.concat_arrays([_texts(steps), _texts(self._waiting)]))
        if not len(groups):
            return empty(_TABLE)
        commits = _commits(offsets, groups)
        groups = pc.unique(pa.concat_arrays([_texts(steps), _texts(commits)]))
        is_touched = pc.is_in(_texts(self._waiting), value_set=groups)
        waiting = self._waiting.filter(is_touched)
        batch = _Batch(earlier.latest(groups), commits, steps, waiting)
        rest = self._waiting.filter(pc.invert(is_touched))
        self._waiting = pa.concat_tables([rest, batch.waiting()])
        costs = batch.costs()
        self._keep(costs)
        return costs

    def _keep(self, rows: pa.Table) -> None:
        if rows.num_rows:
            self._rows.append(rows)
        count = sum(part.num_rows for part in self._rows)
        while count > MAX_ROWS:
            self._is_cut = True
            count -= self._rows.pop(0).num_rows

    def unfinished(self, lags: pa.Table, moment: Callable[[str], int]) -> pa.Table:
        """Return the rows of partitions that nobody has committed since, though records wait by the
        table `lag`; `moment` returns the end of a group, in milliseconds since 1970.
        """
        of_groups = pc.is_in(lags.column("group_id"), value_set=pc.unique(_texts(self._waiting)))
        waits = pc.fill_null(pc.greater(lags.column("lag"), 0), False)
        lags = lags.filter(pc.and_(of_groups, waits))
        if not lags.num_rows:
            return empty(_TABLE)
        names = ("group_id", "topic", "partition")
        late = set(zip(*(lags.column(name).to_pylist() for name in names), strict=True))
        places = zip(*(self._waiting.column(name).to_pylist() for name in names), strict=True)
        rows = self._waiting.filter(pa.array([place in late for place in places], pa.bool_()))
        ends = pa.array([moment(name) for name in _texts(rows).to_pylist()], pa.int64())
        silence = pc.subtract(ends, pc.divide(column(rows, "at"), 1000))
        costs = made(
            _TABLE,
            rows.num_rows,
            {
                **{name: column(rows, name) for name in (*COMMIT_KEY, "generation", "cause")},
                "rebalances": column(rows, "rebalances"),
                "rebalanced_at": _times(column(rows, "rebalanced_at").to_numpy()),
                "committed_before": column(rows, "offset"),
                "committed_before_at": _times(column(rows, "at").to_numpy()),
                "records_again_estimate": _numbers(column(rows, "estimate").to_numpy()),
                "without_commit_ms": pc.max_element_wise(silence, 0),
            },
        )
        self._keep(costs)
        return costs

    def evidence(self, group_id: str, since: int) -> dict[str, Any]:
        """Return what the rebalances of a group did from a moment on, in milliseconds since 1970,
        as the evidence of a finding; {} where no commit tells.
        """
        since_us = pa.scalar(since * 1000, pa.timestamp("us", tz="UTC"))
        parts = [
            part.filter(
                (pc.field("group_id") == group_id) & (pc.field("rebalanced_at") >= since_us)
            )
            for part in self._rows
        ]
        rows = pa.concat_tables([empty(_TABLE), *parts]).to_pylist()
        if not rows:
            return {}
        of_steps: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            of_steps.setdefault(row["generation"], []).append(row)
        steps = sorted(of_steps.values(), key=_badness, reverse=True)
        return {
            **_sums(rows),
            "rebalances_with_cost": len(steps),
            "worst_rebalances": [_of_rebalance(step) for step in steps[:_SHOWN]],
            "not_known": _NOT_KNOWN + (_CUT if self._is_cut else ""),
        }


_NOT_KNOWN = (
    "commits do not tell what was read and not committed (the estimate is by the pace before), nor "
    "which records were skipped while the group had members"
)
_CUT = "; only the latest rebalances are counted"


def _sums(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "records_read_again": sum(row["records_again"] or 0 for row in rows),
        "records_read_again_estimate": sum(row["records_again_estimate"] or 0 for row in rows),
        "records_skipped": sum(row["records_skipped"] or 0 for row in rows),
        "longest_without_commit_ms": max(row["without_commit_ms"] or 0 for row in rows),
    }


def _badness(rows: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    sums = _sums(rows)
    records = sums["records_read_again"] + sums["records_skipped"]
    return records, sums["records_read_again_estimate"], sums["longest_without_commit_ms"]


def _of_rebalance(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what a finding has of one rebalance, the worst partitions first."""
    first = rows[0]
    worst = sorted(rows, key=lambda row: _badness([row]), reverse=True)
    return {
        "at": int(first["rebalanced_at"].timestamp() * 1000),
        "generation": first["generation"],
        "cause": first["cause"],
        **_sums(rows),
        "partitions_in_all": len(rows),
        "partitions": [
            {
                "partition": f"{row['topic']}-{row['partition']}",
                "committed_before": row["committed_before"],
                "committed_after": row["committed_after"],
                "records_read_again": row["records_again"],
                "records_read_again_estimate": row["records_again_estimate"],
                "records_skipped": row["records_skipped"],
                "without_commit_ms": row["without_commit_ms"],
            }
            for row in worst[:_SHOWN_PARTITIONS]
        ],
    }


# -- a batch


def _texts(rows: pa.Table) -> pa.Array:
    return column(rows, "group_id").cast(pa.string())


def _steps(rebalances: Sequence[pa.Table]) -> pa.Table:
    """Return the rebalances with another generation than the record before."""
    parts = [
        rows.select(_STEP_COLUMNS.names).cast(_STEP_COLUMNS) for rows in rebalances if rows.num_rows
    ]
    steps = pa.concat_tables([_STEP_COLUMNS.empty_table(), *parts])
    is_step = pc.not_equal(steps.column("generation"), steps.column("previous_generation"))
    return steps.filter(pc.fill_null(is_step, False)).rename_columns(
        ["rebalanced_at" if name == "record_timestamp" else name for name in steps.column_names]
    )


_STEP_COLUMNS = pa.schema(
    [
        TABLES["rebalances"].field(name).remove_metadata()
        for name in (
            "group_id", "source_offset", "record_timestamp", "generation", "previous_generation",
            "protocol", "members", "cause", "moved", "moves",
        )
    ]
)  # fmt: skip


def _commits(offsets: Sequence[pa.Table], groups: pa.Array) -> pa.Table:
    """Return the commits of these groups: their keys, places, offsets and times."""
    parts = [
        pa.table(
            {
                **{name: column(rows, name).cast(_WAITING.field(name).type) for name in COMMIT_KEY},
                "position": column(rows, "source_offset"),
                "offset": column(rows, "committed_offset"),
                "at": commit_times(rows).cast(pa.int64()),
            }
        )
        for rows in (rows.filter(_is_of(rows, groups)) for rows in offsets)
    ]
    return pa.concat_tables([_NO_COMMITS, *parts])


_NO_COMMITS = pa.schema(
    [
        *(_WAITING.field(name) for name in COMMIT_KEY),
        ("position", pa.int64()),
        ("offset", pa.int64()),
        ("at", pa.int64()),
    ]
).empty_table()


def _is_of(rows: pa.Table, groups: pa.Array) -> pa.Array:
    """Return which commits are of these groups, and count: deletions do not."""
    names = column(rows, "group_id").dictionary_encode()
    is_of = pc.is_in(names.dictionary, value_set=groups).take(names.indices)
    undecided = pc.fill_null(pc.equal(column(rows, "outcome"), "undecided"), False)
    is_commit = pc.and_not(column(rows, "committed_offset").is_valid(), undecided)
    return pc.and_(pc.fill_null(is_of, False), is_commit)


class _Range(NamedTuple):
    """The rebalances that interrupted partitions: how many of each, and the numbers of the first
    and the last step."""

    count: Any
    first: Any
    last: Any


class _Batch:
    """The last commits before a batch and the commits of it, in the order of the log, each with the
    number of rebalances before it; arrays of numpy, -1 for what is not known."""

    def __init__(
        self, earlier: pa.Table, commits: pa.Table, steps: pa.Table, waiting: pa.Table
    ) -> None:
        self._count = earlier.num_rows
        keys = [rows.select(COMMIT_KEY) for rows in (earlier, commits, waiting)]
        self._keys = pa.concat_tables(keys[:2])
        numbers = key_numbers(pa.concat_tables(keys))
        rows = self._keys.num_rows
        self._number, of_waiting = numbers[:rows], numbers[rows:]
        self._position = np.concatenate([np.full(self._count, -1), _plain(commits, "position")])
        self._offset = _in_one((earlier, "known_offset"), (commits, "offset"))
        self._at = _in_one((earlier, "known_at"), (commits, "at"))
        self._anchors = {
            name: _plain(earlier, name)
            for name in ("recent_at", "recent_offset", "before_at", "before_offset")
        }
        self._number_steps(steps)
        self._order = np.lexsort((self._position, self._number))
        self._waiting = waiting
        self._waits = _places_of(self._number[: self._count], of_waiting)
        self._pace = self._paces()

    def _number_steps(self, steps: pa.Table) -> None:
        """Put the steps into the order of the log, and count those before each commit."""
        rows = self._keys.num_rows
        names = pa.concat_arrays([_texts(self._keys), _texts(steps)]).dictionary_encode()
        groups = names.indices.to_numpy()
        positions = np.concatenate([self._position, _plain(steps, "source_offset")])
        order = np.lexsort((positions, groups))
        is_step = order >= rows
        counts = np.empty(len(order), np.int64)
        counts[order] = np.cumsum(is_step)
        self._before = counts[:rows]
        in_all = np.zeros(len(names.dictionary), np.int64)
        np.maximum.at(in_all, groups, counts)
        self._in_all = in_all[groups[:rows]]
        self._steps = steps.take(pa.array(order[is_step] - rows))
        self._step_at = _plain(self._steps, "rebalanced_at")
        is_kept = pc.is_in(self._steps.column("protocol"), _COOPERATIVE)
        self._keepers = np.concatenate([[0], np.cumsum(is_kept.to_numpy())])
        self._moved: dict[int, frozenset[tuple[str, int]] | None] = {}

    def _paces(self) -> Any:
        """Return how many records a microsecond were read up to each commit: from the first commit
        of its stretch by the clock, or of the stretch before."""
        order, count = self._order, len(self._order)
        number, at, offset = self._number[order], self._at[order], self._offset[order]
        is_first = np.ones(count, np.bool_)
        is_first[1:] = number[1:] != number[:-1]
        begins = is_first.copy()
        begins[1:] |= at[1:] // STRETCH != at[:-1] // STRETCH
        start = np.maximum.accumulate(np.where(begins, np.arange(count), 0))
        anchor_at, anchor = self._in_order("recent_at", at), self._in_order("recent_offset", offset)
        prior = np.maximum(start - 1, 0)
        has_prior = ~is_first[start]
        prior_at, prior_offset = (
            np.where(has_prior, own[start[prior]], self._in_order(name, _NONE)[start])
            for own, name in ((anchor_at, "before_at"), (anchor, "before_offset"))
        )
        at_start = (anchor_at[start] >= 0) & (at > anchor_at[start])
        base_at = np.where(at_start, anchor_at[start], prior_at)
        base = np.where(at_start, anchor[start], prior_offset)
        is_known = (base_at >= 0) & (at > base_at)
        pace = np.maximum(offset - base, 0) / np.where(is_known, at - base_at, 1)
        paces = np.empty(count)
        paces[order] = np.where(is_known, pace, np.nan)
        return paces

    def _in_order(self, name: str, of_commits: Any) -> Any:
        """Return an anchor of each row in order: of commits of the batch their own."""
        values = np.full(len(self._order), -1)
        values[: self._count] = self._anchors[name]
        values = values[self._order]
        return np.where(self._order < self._count, values, of_commits)

    def costs(self) -> pa.Table:
        """Return the rows of partitions that were committed again."""
        order = self._order
        left, right = order[:-1], order[1:]
        is_pair = self._number[left] == self._number[right]
        left, right = left[is_pair], right[is_pair]
        steps = self._interrupting(left, self._before[left], self._before[right])
        waits = self._waits_of(left)
        is_cost = (steps.count > 0) | (waits >= 0)
        left, right, waits = left[is_cost], right[is_cost], waits[is_cost]
        steps = _Range(*(values[is_cost] for values in steps))
        in_log_order = np.lexsort((self._number[right], self._position[right]))
        left, right, waits = left[in_log_order], right[in_log_order], waits[in_log_order]
        steps = _Range(*(values[in_log_order] for values in steps))
        step = {name: self._of_step(name, steps, waits) for name in _OF_STEP}
        rise = self._offset[right] - self._offset[left]
        is_vacant = pc.fill_null(pc.equal(step["members"], 0), False)
        is_timed = (self._at[left] >= 0) & (self._at[right] >= 0)
        silence = np.maximum(self._at[right] - self._at[left], 0) // 1000
        return made(
            _TABLE,
            len(left),
            {
                **{name: column(self._keys, name).take(pa.array(right)) for name in COMMIT_KEY},
                **{name: step[name] for name in ("generation", "cause")},
                "rebalanced_at": _times(step["rebalanced_at"].to_numpy()),
                "rebalances": pa.array(steps.count + self._counts(waits)),
                "committed_before": pa.array(self._offset[left]),
                "committed_before_at": _times(self._at[left]),
                "committed_after": pa.array(self._offset[right]),
                "committed_after_at": _times(self._at[right]),
                "records_again": pa.array(np.maximum(-rise, 0)),
                "records_again_estimate": _numbers(self._estimates(left, steps, waits)),
                "records_skipped": pc.if_else(is_vacant, pa.array(np.maximum(rise, 0)), None),
                "without_commit_ms": pa.array(silence, mask=~is_timed),
            },
        )

    def waiting(self) -> pa.Table:
        """Return the partitions that were not committed since a rebalance."""
        order = self._order
        is_last = np.ones(len(order), np.bool_)
        is_last[:-1] = self._number[order[1:]] != self._number[order[:-1]]
        rows = order[is_last]
        steps = self._interrupting(rows, self._before[rows], self._in_all[rows])
        waits = self._waits_of(rows)
        is_waiting = (steps.count > 0) | (waits >= 0)
        rows, waits = rows[is_waiting], waits[is_waiting]
        steps = _Range(*(values[is_waiting] for values in steps))
        columns = [
            *(column(self._keys, name).take(pa.array(rows)) for name in COMMIT_KEY),
            pa.array(steps.count + self._counts(waits)),
            pa.array(self._estimates(rows, steps, waits)),
            *(self._of_step(name, steps, waits) for name in _OF_STEP),
            pa.array(self._offset[rows]),
            pa.array(self._at[rows]),
        ]
        return pa.Table.from_arrays(columns, schema=_WAITING)

    def _waits_of(self, rows: Any) -> Any:
        """Return the number of the row of `waiting` that each row is of; -1 for none."""
        waits = np.full(self._keys.num_rows, -1)
        waits[: self._count] = self._waits
        return waits[rows]

    def _counts(self, waits: Any) -> Any:
        counts = np.zeros(len(waits), np.int64)
        counts[waits >= 0] = _plain(self._waiting, "rebalances")[waits[waits >= 0]]
        return counts

    def _interrupting(self, rows: Any, low: Any, high: Any) -> _Range:
        """Return which of the steps from `low` up to `high` interrupted the partitions of these
        rows: cooperative members read on what stays with them."""
        count, first, last = high - low, low.copy(), high - 1
        for at in np.flatnonzero(self._keepers[high] > self._keepers[low]).tolist():
            row = rows[at].item()
            moved = [step for step in range(low[at], high[at]) if self._moves(step, row)]
            count[at] = len(moved)
            if moved:
                first[at], last[at] = moved[0], moved[-1]
        return _Range(count, first, last)

    def _moves(self, step: int, row: int) -> bool:
        """Return whether a step took a partition away, for a moment at least."""
        if self._keepers[step + 1] == self._keepers[step]:
            return True
        if step not in self._moved:
            self._moved[step] = _moved_partitions(self._steps, step)
        moves = self._moved[step]
        return moves is None or (self._names[0][row], self._names[1][row]) in moves

    @cached_property
    def _names(self) -> list[list[Any]]:
        return [self._keys.column(name).to_pylist() for name in ("topic", "partition")]

    def _of_step(self, name: str, steps: _Range, waits: Any) -> pa.Array:
        """Return a column of the last of the steps, or of what waits since earlier batches."""
        is_here = steps.count > 0
        of_batch = column(self._steps, name).cast(_WAITING.field(name).type)
        earlier = column(self._waiting, name)
        return pc.if_else(
            pa.array(is_here),
            of_batch.take(pa.array(steps.last, mask=~is_here)),
            earlier.take(pa.array(waits, mask=waits < 0)),
        )

    def _estimates(self, rows: Any, steps: _Range, waits: Any) -> Any:
        """Return how many records had been read and not committed before the first of the steps."""
        is_waiting = waits >= 0
        is_here = ~is_waiting
        estimates = np.full(len(rows), -1)
        estimates[is_waiting] = _plain(self._waiting, "estimate")[waits[is_waiting]]
        at, pace = self._at[rows[is_here]], self._pace[rows[is_here]]
        span = np.maximum(self._step_at[steps.first[is_here]] - at, 0)
        is_known = (at >= 0) & ~np.isnan(pace)
        records = np.where(is_known, pace, 0) * span
        estimates[is_here] = np.where(is_known, np.rint(records), -1)
        return estimates


_NONE = np.array(-1)


def _plain(rows: pa.Table, name: str) -> Any:
    """Return integers as numpy has them; -1 for null."""
    return pc.fill_null(column(rows, name).cast(pa.int64()), -1).to_numpy()


def _in_one(*columns: tuple[pa.Table, str]) -> Any:
    return np.concatenate([_plain(rows, name) for rows, name in columns])


def _places_of(numbers: Any, of_waiting: Any) -> Any:
    """Return where each number stands among those that wait; -1 for none."""
    if not len(of_waiting):
        return np.full(len(numbers), -1)
    order = np.argsort(of_waiting)
    places = np.minimum(np.searchsorted(of_waiting, numbers, sorter=order), len(order) - 1)
    return np.where(of_waiting[order[places]] == numbers, order[places], -1)


def _moved_partitions(steps: pa.Table, step: int) -> frozenset[tuple[str, int]] | None:
    """Return the partitions that a step moved; None where not all are there."""
    count, moves = (steps.column(name)[step].as_py() for name in ("moved", "moves"))
    if count > len(moves):
        return None
    return frozenset((move["topic"], move["partition"]) for move in moves)


def _numbers(values: Any) -> pa.Array:
    return pa.array(values, pa.int64(), mask=values < 0)


def _times(microseconds: Any) -> pa.Array:
    return _numbers(microseconds).cast(pa.timestamp("us", tz="UTC"))
