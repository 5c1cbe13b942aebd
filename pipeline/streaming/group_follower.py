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
from ..audit.rule import fade
from ..groups.group_audit import GroupAudit
from ..groups.options import Options
from ..groups.states import GroupState
from ..sources.record_table import RECORDS
from ..tables.commits import CommitSummary
from ..tables.packing import packed, unpacked
from ..tables.record_kinds import Kind
from .memory import Keeper, Memory
from .position import RebalancingGroup
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
    """Takes groups through batches, with `GroupAudit`. It keeps nothing of them itself."""

    def __init__(self, source: str, options: Options, patience: Patience | None = None) -> None:
        self._source = source
        self._options = options
        self._patience = patience or Patience()
        self._rules: tuple[Rule, ...] = options.step_rules
        self._ends = {rule.id for rule in options.end_rules}
        self._keeper = Keeper(self._rules, Context(partitions=options.counts))

    def take(
        self, group_id: str, memory: Memory | None, signals: Iterable[Signal], moment: int
    ) -> Turn:
        """Return what follows from the signals of a batch. They are put into the order of the log
        first.
        """
        memory = Memory() if memory is None else memory
        in_order = sorted(signals, key=attrgetter("partition", "offset"))
        memory.heard = max(memory.heard, *(signal.timestamp for signal in in_order))
        memory.commits += [
            signal.value for signal in in_order if signal.kind == COMMITS and signal.value
        ]
        if len(memory.commits) > _MOST_PARTS:
            _merge_commits(memory)
        for signal in in_order:
            if signal.kind == LOOK:
                memory.look = (
                    RebalancingGroup(signal.value.decode(), signal.timestamp)
                    if signal.value
                    else None
                )
        soon = moment + self._patience.judge
        memory.due = min(memory.due or soon, soon)
        memory.restless = True
        records = [signal for signal in in_order if signal.kind == RECORD]
        return Turn(memory, self._observe(group_id, memory, records) if records else {})

    def judge(self, group_id: str, memory: Memory, moment: int) -> Turn:
        """Return what holds for the group at a moment, up to which all records have been read."""
        silent = moment - memory.heard
        state = self._state_of(memory)
        nothing = state is None and not memory.commits
        silent_for_good = silent >= self._patience.forget and not _has_members(state)
        is_gone = memory.look is None and (nothing or silent_for_good)
        if memory.commits:
            _merge_commits(memory)
        audit = self._audit(group_id, memory, state or GroupState(), moment)

        def review(findings: list[Finding]) -> list[Finding]:
            return self._reviewed(memory, findings, moment, is_gone)

        tables = dict(audit.judged(moment, review))
        if is_gone:
            forgotten = pa.table({"group_id": [group_id]})
            return Turn(None, {"findings": tables["findings"], FORGOTTEN: forgotten})
        restless = memory.restless or memory.look is not None
        wait = (
            self._patience.judge if restless else min(max(silent, self._patience.judge), _HOUR_MS)
        )
        memory.restless = False
        memory.due = moment + wait
        return Turn(memory, tables)

    def _reviewed(
        self, memory: Memory, findings: list[Finding], moment: int, is_gone: bool
    ) -> list[Finding]:
        """Return the findings of a judgement, and those of silence that are over since an earlier
        one. Where the group is gone, all are over.
        """
        if memory.look is None:
            fade(findings, self._rules, moment)
        of_silence = [finding for finding in findings if finding.rule in self._ends and not is_gone]
        memory.standing = _standing(memory.standing, of_silence)
        reported = [
            finding for finding in findings if finding.rule not in self._ends
        ] + memory.standing
        if is_gone:
            for finding in reported:
                finding.status = "over"
        return reported

    def _observe(
        self, group_id: str, memory: Memory, records: Sequence[Signal]
    ) -> dict[str, pa.Table]:
        audit = self._audit(group_id, memory, self._state_of(memory))
        rebalances = [rows for _, rows in audit.take(self._kinds(group_id, records))]
        state = audit.groups.states.get(group_id)
        if state is None:  # records that no state is made of
            return {}
        tables = dict(audit.observed())
        state.forget_deletions()
        memory.folds = self._keeper.packed(state)
        return {**tables, "rebalances": pa.concat_tables(rebalances)}

    def _state_of(self, memory: Memory) -> GroupState | None:
        return None if memory.folds is None else self._keeper.opened(memory.folds)

    def _audit(
        self, group_id: str, memory: Memory, state: GroupState | None, moment: int = -1
    ) -> GroupAudit:
        """Return the audit of the group as it is after the earlier batches."""
        options, look = self._options, memory.look
        if options.states is not None:
            states_of_broker = (
                {} if look is None else {group_id: BrokerState(look.state, moment - look.since)}
            )
            options = msgspec.structs.replace(options, states=states_of_broker)
        states = {} if state is None else {group_id: state}
        audit = GroupAudit(options, states, _summary(memory))
        audit.groups.at(moment)
        return audit

    def _kinds(self, group_id: str, records: Sequence[Signal]) -> Iterator[Kind]:
        """Yield the records in their order; consecutive ones of one type come together."""
        for number, run in groupby(records, key=attrgetter("record_type")):
            rows = [_row(group_id, self._source, signal) for signal in run]
            yield Kind.of_rows(record_types()[number], pa.Table.from_pylist(rows, RECORDS))


def _has_members(state: GroupState | None) -> bool:
    if state is None:
        return False
    step = state.fold.last if state.fold is not None else None
    modern = state.broker_assigned
    return bool(step is not None and step.members) or bool(modern and modern.state.members)


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


def _summary(memory: Memory) -> CommitSummary:
    """Return the sums of a group's commits, for at most `MAX_PARTITIONS` partitions."""
    return CommitSummary(map(unpacked, memory.commits), MAX_PARTITIONS)


def _merge_commits(memory: Memory) -> None:
    memory.commits = [packed(_summary(memory).table())]


def _standing(previous: Sequence[Finding], findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that hold now, with the time when each was first found, and those that
    are over.
    """
    earlier = {finding.finding_id: finding for finding in previous}
    for finding in findings:
        previous_finding = earlier.pop(finding.finding_id, None)
        if previous_finding is not None:
            finding.first_seen = min(finding.first_seen, previous_finding.first_seen)
    for finding in earlier.values():
        finding.status = "over"
    past = sorted(earlier.values(), key=lambda finding: -finding.last_seen)[:MAX_STANDING]
    return [*findings, *past]
