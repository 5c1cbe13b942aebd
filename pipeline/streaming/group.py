"""One group, batch by batch: its signals go into the folds of the audit, in order.

Findings of its records are said as the records come. What only silence tells (a partition that is
not committed, a rebalance that does not end, a member that does not follow) is asked for by the
clock, and only once all records up to that moment are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import msgspec
import pyarrow as pa

from ...capture.segments.offsets_topic import record_types
from ..audit import BrokerState, Context, Finding, Rule
from ..run.group_tables import current_table, finding_table
from ..run.groups import Groups, GroupState
from ..run.judgement import fade
from ..run.options import Options
from ..sources.record_table import RECORDS
from ..tables.commits import CommitSummary
from ..tables.packing import packed, unpacked
from ..tables.reading import Kind
from ..tables.schemas import empty as empty_table
from .memory import Keeper, Memory
from .position import Look
from .signals import COMMITS, LOOK, RECORD, Signal

__all__ = ["DAY_MS", "FORGOTTEN", "MAX_PARTITIONS", "GroupFollower", "Patience", "Turn"]

DAY_MS = 86_400_000
FORGOTTEN = "forgotten"
"""The table of groups that are no longer kept; it is not published."""

MAX_PARTITIONS = 100_000
"""Of how many partitions a group's commits are kept: those that were committed last."""
MAX_STANDING = 100
"""How many findings of silence that are over are kept."""
_MOST_PARTS = 8  # packed sums that wait to become one
_HOUR_MS = 3_600_000


class Patience(NamedTuple):
    """How long to wait, in milliseconds: `judge` between two judgements of a group that is not at
    rest, `forget` without a record before a group is forgotten.

    Kafka itself forgets an empty group's offsets after seven days. A group that has members is
    alive, however silent: it could not lose them without a record.
    """

    judge: int = 60_000
    forget: int = 7 * DAY_MS


class Turn(NamedTuple):
    """The result of a batch for a group: what is kept (None: nothing), and rows of tables."""

    memory: Memory | None
    tables: dict[str, pa.Table]


class GroupFollower:
    """Takes groups through batches. It keeps nothing of them itself."""

    def __init__(self, source: str, options: Options, patience: Patience | None = None) -> None:
        self._source = source
        self._options = options
        self._patience = patience or Patience()
        self._rules: tuple[Rule, ...] = options.step_rules
        self._ends = {rule.id for rule in options.end_rules}
        self._keeper = Keeper(self._rules, Context(partitions=options.counts))

    def take(
        self, group_id: str, memory: Memory | None, signals: Iterable[Signal], known: int
    ) -> Turn:
        """Return what follows from the signals of a batch. They are put into the order of the log
        first.
        """
        memory = Memory() if memory is None else memory
        told = sorted(signals, key=attrgetter("partition", "offset"))
        memory.heard = max(memory.heard, *(signal.timestamp for signal in told))
        memory.commits += [
            signal.value for signal in told if signal.kind == COMMITS and signal.value
        ]
        if len(memory.commits) > _MOST_PARTS:
            memory.commits = [packed(_summed(memory.commits))]
        for signal in told:
            if signal.kind == LOOK:
                memory.look = (
                    Look(signal.value.decode(), signal.timestamp) if signal.value else None
                )
        soon = known + self._patience.judge
        memory.due = min(memory.due or soon, soon)
        memory.restless = True
        records = [signal for signal in told if signal.kind == RECORD]
        return Turn(memory, self._observe(group_id, memory, records) if records else {})

    def judge(self, group_id: str, memory: Memory, known: int) -> Turn:
        """Return what holds for the group at the moment `known`, up to which all records have been
        read.
        """
        silent = known - memory.heard
        state = self._opened(memory)
        nothing = state is None and not memory.commits
        silent_for_good = silent >= self._patience.forget and not _has_members(state)
        gone = memory.look is None and (nothing or silent_for_good)
        if memory.commits:
            memory.commits = [packed(_summed(memory.commits))]
        groups = self._groups(group_id, state or GroupState(), memory.look, known)
        commits = _summed(memory.commits)
        found = list(groups.findings(commits, late=True))
        if memory.look is None:
            fade(found, self._rules, known)
        memory.standing = _standing(
            memory.standing,
            [finding for finding in found if finding.rule in self._ends and not gone],
        )
        found = [finding for finding in found if finding.rule not in self._ends] + memory.standing
        if gone:
            for finding in found:
                finding.status = "over"
            return Turn(
                None,
                {
                    "findings": finding_table(found, known),
                    FORGOTTEN: pa.table({"group_id": [group_id]}),
                },
            )
        restless = memory.restless or memory.look is not None
        wait = (
            self._patience.judge if restless else min(max(silent, self._patience.judge), _HOUR_MS)
        )
        memory.restless = False
        memory.due = known + wait
        return Turn(
            memory,
            {
                "findings": finding_table(found, known),
                "current": self._current(group_id, state, commits),
            },
        )

    def _observe(
        self, group_id: str, memory: Memory, records: Sequence[Signal]
    ) -> dict[str, pa.Table]:
        state = self._opened(memory)
        groups = self._groups(group_id, state, None, -1)
        rebalances = [groups.take(kind)[1] for kind in self._kinds(group_id, records)]
        state = groups.states.get(group_id)
        if state is None:  # records that no state is made of
            return {}
        # All that comes later is behind these tombstones, which need not be kept one by one.
        state.restarts += len(state.deletions)
        state.deletions = []
        memory.folds = self._keeper.packed(state)
        found = state.fold.findings() if state.fold is not None else ()
        return {
            "findings": finding_table(found),
            "rebalances": pa.concat_tables(rebalances),
            "current": self._current(group_id, state, _summed(memory.commits)),
        }

    def _opened(self, memory: Memory) -> GroupState | None:
        return None if memory.folds is None else self._keeper.opened(memory.folds)

    def _groups(
        self, group_id: str, state: GroupState | None, look: Look | None, known: int
    ) -> Groups:
        """Return the group as an audit that runs once has it."""
        options = self._options
        if options.states is not None:
            seen = {} if look is None else {group_id: BrokerState(look.state, known - look.since)}
            options = msgspec.structs.replace(options, states=seen)
        groups = Groups(options)
        groups.at(known)
        if state is not None:
            groups.states[group_id] = state
        return groups

    def _current(self, group_id: str, state: GroupState | None, commits: pa.Table) -> pa.Table:
        return current_table(self._groups(group_id, state, None, -1), commits, self._options)

    def _kinds(self, group_id: str, records: Sequence[Signal]) -> Iterator[Kind]:
        """Yield the records in their order; consecutive ones of one type come together."""
        nothing = pa.nulls(0, pa.struct([]))
        for number, run in groupby(records, key=attrgetter("record_type")):
            rows = [_row(group_id, self._source, signal) for signal in run]
            yield Kind(
                record_types()[number],
                pa.Table.from_pylist(rows, RECORDS),
                nothing,
                pa.nulls(0, pa.int32()),
                nothing,
                empty_table("quarantine"),
            )


def _has_members(state: GroupState | None) -> bool:
    if state is None:
        return False
    step = state.fold.last if state.fold is not None else None
    other = state.broker_assigned
    return bool(step is not None and step.members) or bool(other and other.state.members)


def _row(group_id: str, source: str, signal: Signal) -> dict[str, object]:
    return {
        "source": source,
        "source_partition": signal.partition,
        "source_offset": signal.offset,
        "record_timestamp": None if signal.timestamp < 0 else signal.timestamp * 1000,
        "group_id": group_id,
        "key": signal.key,
        "value": signal.value,
    }


def _summed(parts: Sequence[bytes]) -> pa.Table:
    """Return the sums of a group's commits, for at most `MAX_PARTITIONS` partitions."""
    table = CommitSummary(unpacked(part) for part in parts).table()
    if table.num_rows > MAX_PARTITIONS:
        table = table.sort_by([("last", "descending")]).slice(0, MAX_PARTITIONS)
    return table


def _standing(before: Sequence[Finding], found: Sequence[Finding]) -> list[Finding]:
    """Return the findings that hold now, with the time when each was first found, and those that
    are over.
    """
    earlier = {finding.finding_id: finding for finding in before}
    for finding in found:
        known = earlier.pop(finding.finding_id, None)
        if known is not None:
            finding.first_seen = min(finding.first_seen, known.first_seen)
    for finding in earlier.values():
        finding.status = "over"
    past = sorted(earlier.values(), key=lambda finding: -finding.last_seen)[:MAX_STANDING]
    return [*found, *past]
