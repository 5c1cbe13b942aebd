"""The driver of every audit: it takes records of groups, observes and judges the groups, and
returns rows of the audit's tables.

The audit of a partition gives it all records, then asks for its verdict once. A follower begins
each batch with what it kept of a group, and keeps what the batch has made of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..audit import Finding
from ..audit.group_state import CLASSIC, GroupState
from ..columnar.arrays import column
from ..tables.broker_assigned import broker_assigned_rows
from ..tables.classic import classic_rows
from ..tables.commits import Commits, CommitSummary, commits_of, offset_rows
from ..tables.fingerprints import fingerprints
from ..tables.payload_deviations import deviation_rows
from ..tables.record_kinds import COMMITS, Kind, record_rows
from .commit_sums import lag_table
from .group_tables import GroupSize, current_table, finding_table
from .options import Options
from .rebalance_costs import RebalanceCosts
from .states import Groups

__all__ = ["GroupAudit", "Review", "Rows"]

Rows: TypeAlias = tuple[str, pa.Table]
"""The name of a table, and rows of it."""
Review: TypeAlias = Callable[[list[Finding]], list[Finding]]
"""Returns the findings that are told, of those that rules have found."""


class GroupAudit:
    """The audit of some groups: those of a partition, or one that is followed."""

    def __init__(
        self,
        options: Options,
        states: Mapping[str, GroupState] | None = None,
        commits: CommitSummary | None = None,
    ) -> None:
        """`states` and `commits` are what is known of the groups from earlier batches."""
        self.groups = Groups(options, states)
        self._commits = CommitSummary() if commits is None else commits
        self._costs = RebalanceCosts(self._commits)
        self._options = options
        self._sizes: dict[str, GroupSize] = {}

    def take(self, kinds: Iterable[Kind | pa.Table]) -> Iterator[Rows]:
        """Take records type by type, and rows of `quarantine` for those that cannot be read. Yield
        rows of the tables that are made of records: of all of them where the columns of keys and
        values are there, else of `rebalances` alone.
        """
        commits: list[Commits] = []
        rebalances: list[pa.Table] = []
        of_groups: list[Kind] = []
        for kind in kinds:
            if not isinstance(kind, Kind):
                self.groups.refuse(kind)
                yield "quarantine", kind
            elif kind.type.number not in COMMITS:
                of_groups.append(kind)
            else:
                yield "records", self._sized(kind)
                rows = offset_rows(kind)
                commits.append(commits_of(kind, rows))
                yield "offsets", rows
        for name, rows in self._take_groups(of_groups):
            yield name, rows
            if name == "rebalances":
                rebalances.append(rows)
        costs = self._costs.take(Commits.joined(commits), rebalances)
        if costs.num_rows:
            yield "rebalance_costs", costs

    def _sized(self, kind: Kind) -> pa.Table:
        """Return rows of the table `records`, and count the records of each group and their
        bytes."""
        records = record_rows(kind)
        codes, keys = kind.codes.to_numpy(), len(kind.keys)
        values = pc.fill_null(kind.sizes, 0).to_numpy()
        counts = np.bincount(codes, minlength=keys)
        sizes = np.bincount(codes, values, keys).astype(np.int64)
        sizes += counts * pc.fill_null(kind.key_sizes, 0).to_numpy()
        rows = np.zeros(keys, np.int64)
        rows[codes] = np.arange(len(codes))
        partitions = column(records, "source_partition").take(pa.array(rows[counts > 0]))
        groups = kind.groups.filter(pa.array(counts > 0))
        columns = (groups, partitions, counts[counts > 0], sizes[counts > 0])
        for group_id, partition, count, size in zip(
            *(values.tolist() for values in columns), strict=True
        ):
            of_group = self._sizes.setdefault(group_id, GroupSize())
            of_group.records += count
            of_group.bytes += size
            of_group.partition = partition
        return records

    def _take_groups(self, kinds: Sequence[Kind]) -> Iterator[Rows]:
        marked = [
            (kind, fingerprints(kind) if kind.type.number == CLASSIC and kind.has_columns else ())
            for kind in kinds
        ]
        for kind, (incarnations, rebalances) in zip(kinds, self.groups.take(marked), strict=True):
            yield from self._rows_of_groups(kind, incarnations, rebalances)

    def _rows_of_groups(
        self, kind: Kind, incarnations: pa.Array, rebalances: pa.Table
    ) -> Iterator[Rows]:
        classic = kind.type.number == CLASSIC
        if kind.has_columns:
            yield "records", self._sized(kind)
            rows = classic_rows if classic else broker_assigned_rows
            tables = rows(kind, incarnations)
            if classic:
                tables["groups"] = _each_generation_once(tables["groups"], rebalances)
                tables["deviations"] = deviation_rows(tables["members"])
            yield from tables.items()
        yield "rebalances", rebalances

    def observed(self) -> Iterator[Rows]:
        """Yield rows of `findings` and `current` for the records so far. Rules that judge the end
        of a group are not asked.
        """
        self.groups.catch_up()
        yield "findings", finding_table([*self.groups.observed(self._commits.table())])
        yield "current", self._current()

    def judged(self, moment: int | None = None, review: Review = list) -> Iterator[Rows]:
        """Yield rows of `findings` and `current`, now that all records are taken.

        With a `moment`, in milliseconds since 1970, no more records come up to it: findings are
        judged at it, and rules that wait until all is read are asked, too.
        """
        self.groups.catch_up()
        late = moment is not None
        findings = self.groups.findings(self._commits.table(), self._costs.evidence, late=late)
        yield "findings", finding_table(review(list(findings)), moment)
        yield "current", self._current()

    def ended(self) -> Iterator[Rows]:
        """Yield the same, and rows of `lag` for all commits, now that all records of a source are
        taken; first those of `rebalance_costs` for partitions that nobody has committed since.
        """
        facts = {name: state.facts for name, state in self.groups.states.items()}
        lags = lag_table(self._commits.table(), facts, self._options)
        yield "rebalance_costs", self._costs.unfinished(lags, self.groups.moment)
        yield from self.judged()
        yield "lag", lags

    def _current(self) -> pa.Table:
        return current_table(self.groups, self._commits.table(), self._options, self._sizes)


def _each_generation_once(groups: pa.Table, rebalances: pa.Table) -> pa.Table:
    """Return the rows without records that repeat a generation, because a static member was
    replaced in it.
    """
    is_repeat = pc.equal(rebalances.column("previous_generation"), rebalances.column("generation"))
    again = rebalances.filter(is_repeat)
    if not again.num_rows:
        return groups
    repeats = set(_places(again))
    return groups.filter(pa.array([place not in repeats for place in _places(groups)]))


def _places(rows: pa.Table) -> Iterator[tuple[int | None, int]]:
    """Return partition and offset of each row: a table may have several partitions."""
    names = ("source_partition", "source_offset")
    return zip(*(rows.column(name).to_pylist() for name in names), strict=True)
