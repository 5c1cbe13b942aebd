"""What rebalances did to the data: rows of the table `rebalance_costs`, and their sums.

A rebalance stands between two commits of a partition. The second one is lower where records are
read again, and higher, in a group without members, where a tool skipped some; in between nobody is
known to have read. What a member had read and not committed when it lost the partition is read
again, too: no record tells how much that is, so the most is estimated, as if it had read at the
pace of the commits before until the rebalance, and no more than what the next commit is ahead. A
member that polled no more, or had ended, had read less: its records do not tell when that was.
Commits alone do not tell a skipped record from one that was read, so nothing is known of skipped
records while the group has members.

Records come batch by batch, and each type by itself. `CommitSummary` goes through the commits of a
batch in the order of the log and returns those that come after a rebalance, with the last commit
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..columnar.arrays import column, exploded
from ..tables.commits import COMMIT_KEY, Commits, CommitSummary, Steps
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
_OF_EVIDENCE = (
    "group_id", "generation", "rebalanced_at", "cause", "topic", "partition", "committed_before",
    "committed_after", "records_again", "records_again_at_most", "records_skipped",
    "without_commit_ms",
)  # fmt: skip
"""The columns of which a finding has something."""
_OF_STEP = ("generation", "rebalanced_at", "cause", "members")
_WAITING = pa.schema(
    [
        ("number", pa.int32()),
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
"""A partition that was not committed since a rebalance: its number, how many rebalances there were,
the records that were read and not committed before the first of them, the last of them, and the
last commit."""


class RebalanceCosts:
    """What the rebalances of all groups did, as far as their commits are read."""

    def __init__(self, commits: CommitSummary) -> None:
        """`commits` are those before the first batch; those of each batch are added to them."""
        self._commits = commits
        self._waiting = _WAITING.empty_table()
        self._rows: list[pa.Table] = []
        self._is_cut = False

    def take(self, commits: Commits, rebalances: Sequence[pa.Table]) -> pa.Table:
        """Take the commits and the rows of `rebalances` of a batch, and return rows of
        `rebalance_costs`."""
        steps = _Steps(self._commits, commits, rebalances)
        waiting = self._waiting.column("number").to_numpy()
        columns = self._commits.add(commits, steps.of_core, waiting)
        if not len(columns["number"]):
            return empty(_TABLE)
        batch = _Interruptions(columns, steps, self._waiting)
        is_touched = np.isin(waiting, columns["number"])
        rest = self._waiting.filter(pa.array(~is_touched))
        self._waiting = pa.concat_tables([rest, batch.waiting()])
        costs = batch.costs(commits, self._commits)
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
        if not self._waiting.num_rows:
            return empty(_TABLE)
        late = lags.filter(pc.fill_null(pc.greater(lags.column("lag"), 0), False))
        numbers = self._commits.find(late)
        rows = self._waiting.filter(pc.is_in(self._waiting.column("number"), pa.array(numbers)))
        if not rows.num_rows:
            return empty(_TABLE)
        keys = self._commits.keys(column(rows, "number").to_numpy())
        ends = pa.array([moment(name) for name in column(keys, "group_id").to_pylist()], pa.int64())
        silence = pc.subtract(ends, pc.divide(column(rows, "at"), 1000))
        costs = made(
            _TABLE,
            rows.num_rows,
            {
                **{name: column(keys, name) for name in COMMIT_KEY},
                **{name: column(rows, name) for name in ("generation", "cause", "rebalances")},
                "rebalanced_at": _times(column(rows, "rebalanced_at").to_numpy()),
                "committed_before": column(rows, "offset"),
                "committed_before_at": _times(column(rows, "at").to_numpy()),
                "records_again_at_most": _numbers(column(rows, "estimate").to_numpy()),
                "without_commit_ms": pc.max_element_wise(silence, 0),
            },
        )
        self._keep(costs)
        return costs

    def evidence(self, group_id: str, since: int) -> dict[str, Any]:
        """Return what the rebalances of a group did from a moment on, in milliseconds since 1970,
        as the evidence of a finding; {} where no commit tells.
        """
        all_rows = pa.concat_tables([empty(_TABLE), *self._rows]).select(_OF_EVIDENCE)
        times = all_rows.column("rebalanced_at").cast(pa.int64())
        is_shown = pc.and_(
            pc.equal(all_rows.column("group_id"), group_id),
            pc.greater_equal(times, since * 1000),
        )
        at = all_rows.schema.get_field_index("rebalanced_at")
        # Python takes long to make times of a calendar.
        rows = all_rows.set_column(at, "rebalanced_at", times).filter(is_shown).to_pylist()
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
    "commits do not tell what was read and not committed (the estimate is the most: as if members "
    "had read until the rebalance, at the pace before), nor which records were skipped while the "
    "group had members"
)
_CUT = "; only the latest rebalances are counted"


def _sums(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "records_read_again": sum(row["records_again"] or 0 for row in rows),
        "records_read_again_at_most": sum(row["records_again_at_most"] or 0 for row in rows),
        "records_skipped": sum(row["records_skipped"] or 0 for row in rows),
        "longest_without_commit_ms": max(row["without_commit_ms"] or 0 for row in rows),
    }


def _badness(rows: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    sums = _sums(rows)
    records = sums["records_read_again"] + sums["records_skipped"]
    return records, sums["records_read_again_at_most"], sums["longest_without_commit_ms"]


def _of_rebalance(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what a finding has of one rebalance, the worst partitions first."""
    first = rows[0]
    worst = sorted(rows, key=lambda row: _badness([row]), reverse=True)
    return {
        "at": first["rebalanced_at"] // 1000,
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
                "records_read_again_at_most": row["records_again_at_most"],
                "records_skipped": row["records_skipped"],
                "without_commit_ms": row["without_commit_ms"],
            }
            for row in worst[:_SHOWN_PARTITIONS]
        ],
    }


# -- a batch


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


class _Steps:
    """The rebalances of a batch, sorted by group and place, of groups that have committed."""

    def __init__(
        self, earlier: CommitSummary, commits: Commits, rebalances: Sequence[pa.Table]
    ) -> None:
        steps = _steps(rebalances)
        earlier.note(commits.keys)
        names = column(steps, "group_id").cast(pa.string()).dictionary_encode()
        groups = earlier.groups(names.dictionary.to_pylist())[names.indices.to_numpy()]
        order = np.lexsort((_plain(steps, "source_offset"), groups))
        order = order[groups[order] >= 0]
        self.rows = steps.take(pa.array(order))
        self.at = _plain(self.rows, "rebalanced_at")
        moves = column(self.rows, "moves")
        is_whole = pc.less_equal(column(self.rows, "moved"), pc.list_value_length(moves))
        keeps = pc.and_(
            pc.is_in(column(self.rows, "protocol"), _COOPERATIVE), pc.fill_null(is_whole, False)
        ).to_numpy(zero_copy_only=False)
        steps_moving, partitions = exploded(moves)
        steps_moving = steps_moving.to_numpy()
        keys = pa.table(
            {
                "group_id": column(self.rows, "group_id").cast(pa.string()).take(steps_moving),
                "topic": partitions.field("topic"),
                "partition": partitions.field("partition"),
            }
        )
        self.of_core = Steps(
            groups[order],
            _plain(self.rows, "source_offset"),
            keeps.astype(np.uint8),
            steps_moving.astype(np.int32),
            earlier.find(keys),
        )


class _Interruptions:
    """The partitions that rebalances of a batch, or of earlier ones, interrupted: `INTERRUPTIONS`,
    and what waits since earlier batches."""

    def __init__(self, columns: dict[str, Any], steps: _Steps, waiting: pa.Table) -> None:
        self._columns = columns
        self._steps = steps
        self._waiting = waiting
        self._waits = _places_of(columns["number"], _plain(waiting, "number"))
        # What waited is over with the first commit, and what comes after that waits anew.
        _, first = np.unique(columns["number"], return_index=True)
        is_later = np.ones(len(self._waits), np.bool_)
        is_later[first] = False
        self._waits[is_later] = -1

    def costs(self, commits: Commits, summary: CommitSummary) -> pa.Table:
        """Return the rows of partitions that were committed again."""
        rows = np.flatnonzero(self._columns["row"] >= 0)
        number, before, before_at, row = self._of(rows, "number", "before", "before_at", "row")
        after, after_at = commits.offsets[row], commits.times[row]
        step = {name: self._of_step(name, rows) for name in _OF_STEP}
        rise = after - before
        # What nobody has committed since was not there to be read before.
        estimates = np.minimum(self._estimates(rows), np.maximum(rise, 0))
        is_vacant = pc.fill_null(pc.equal(step["members"], 0), False)
        is_timed = (before_at >= 0) & (after_at >= 0)
        silence = np.maximum(after_at - before_at, 0) // 1000
        keys = summary.keys(number)
        return made(
            _TABLE,
            len(rows),
            {
                **{name: column(keys, name) for name in COMMIT_KEY},
                **{name: step[name] for name in ("generation", "cause")},
                "rebalanced_at": _times(step["rebalanced_at"].to_numpy()),
                "rebalances": pa.array(self._counts(rows)),
                "committed_before": pa.array(before),
                "committed_before_at": _times(before_at),
                "committed_after": pa.array(after),
                "committed_after_at": _times(after_at),
                "records_again": pa.array(np.maximum(-rise, 0)),
                "records_again_at_most": _numbers(estimates),
                "records_skipped": pc.if_else(is_vacant, pa.array(np.maximum(rise, 0)), None),
                "without_commit_ms": pa.array(silence, mask=~is_timed),
            },
        )

    def waiting(self) -> pa.Table:
        """Return the partitions that were not committed since a rebalance."""
        rows = np.flatnonzero(self._columns["row"] < 0)
        number, before, before_at = self._of(rows, "number", "before", "before_at")
        columns = [
            pa.array(number.astype(np.int32)),
            pa.array(self._counts(rows)),
            pa.array(self._estimates(rows)),
            *(self._of_step(name, rows) for name in _OF_STEP),
            pa.array(before),
            pa.array(before_at),
        ]
        return pa.Table.from_arrays(columns, schema=_WAITING)

    def _of(self, rows: Any, *names: str) -> list[Any]:
        return [self._columns[name][rows] for name in names]

    def _counts(self, rows: Any) -> Any:
        counts, waits = self._columns["steps"][rows], self._waits[rows]
        counts[waits >= 0] += _plain(self._waiting, "rebalances")[waits[waits >= 0]]
        return counts

    def _of_step(self, name: str, rows: Any) -> pa.Array:
        """Return a column of the last of the steps, or of what waits since earlier batches."""
        last, waits = self._columns["last"][rows], self._waits[rows]
        is_here = last >= 0
        of_batch = column(self._steps.rows, name).cast(_WAITING.field(name).type)
        earlier = column(self._waiting, name)
        return pc.if_else(
            pa.array(is_here),
            of_batch.take(pa.array(last, mask=~is_here)),
            earlier.take(pa.array(waits, mask=waits < 0)),
        )

    def _estimates(self, rows: Any) -> Any:
        """Return how many records had been read and not committed, at most, before the first of the
        steps."""
        waits = self._waits[rows]
        is_here = waits < 0
        estimates = np.full(len(rows), -1)
        estimates[~is_here] = _plain(self._waiting, "estimate")[waits[~is_here]]
        names = ("before", "before_at", "base", "base_at", "first")
        offset, at, base, base_at, first = self._of(rows[is_here], *names)
        is_known = base_at >= 0
        pace = np.maximum(offset - base, 0) / np.where(is_known, at - base_at, 1)
        records = np.where(is_known, pace, 0) * np.maximum(self._steps.at[first] - at, 0)
        estimates[is_here] = np.where(is_known, np.rint(records), -1)
        return estimates


def _plain(rows: pa.Table, name: str) -> Any:
    """Return integers as numpy has them; -1 for null."""
    return pc.fill_null(column(rows, name).cast(pa.int64()), -1).to_numpy()


def _places_of(numbers: Any, of_waiting: Any) -> Any:
    """Return where each number stands among those that wait; -1 for none."""
    if not len(of_waiting):
        return np.full(len(numbers), -1)
    order = np.argsort(of_waiting)
    places = np.minimum(np.searchsorted(of_waiting, numbers, sorter=order), len(order) - 1)
    return np.where(of_waiting[order[places]] == numbers, order[places], -1)


def _numbers(values: Any) -> pa.Array:
    return pa.array(values, pa.int64(), mask=values < 0)


def _times(microseconds: Any) -> pa.Array:
    return _numbers(microseconds).cast(pa.timestamp("us", tz="UTC"))
