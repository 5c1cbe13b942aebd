"""The groups of one partition of the topic, record by record: folds, rebalances, findings.

Only records about groups come here, as objects; commits arrive as sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...capture.segments.offsets_topic import record_types
from ...clients.settings import ClientSettings
from ..audit import Context, Finding, GroupFold, Place, Refused, end_findings, lacking
from ..audit.group_state import CLASSIC, ENDING, GroupState
from ..audit.loading import Loading
from ..audit.modern import kind_of
from ..audit.repetition import ClassicRecord, Fingerprint, Repetitions
from ..audit.storm_causes import Costs, no_costs, with_commits
from ..columnar.arrays import column
from ..tables.classic import RebalanceRows
from ..tables.record_kinds import COMMITS, Kind
from ..tables.schemas import TABLES
from .commit_sums import deleted_commits, lag_table
from .commits_seen import CommitsSeen
from .options import Options

__all__ = ["GroupState", "Groups"]

Prints: TypeAlias = Sequence[Fingerprint | None]
_MODERN = pa.array(
    [number for number, type_ in record_types().items() if kind_of(type_.key.NAME)], pa.int16()
)
"""Types of the records of groups whose broker assigns."""


class Groups:
    """All groups of a unit, or the one that is followed."""

    def __init__(self, options: Options, states: Mapping[str, GroupState] | None = None) -> None:
        """`states` are those of groups of which records were read before."""
        self._options = options
        self._context = Context(partitions=options.counts)
        self.states = dict(states or {})
        self._repetitions: dict[str, Repetitions] = {}
        self._first_fold = GroupFold(
            options.cluster_id,
            "",
            rules=options.step_rules,
            context=self._context,
            inputs=options.inputs,
        )
        self.latest: dict[int, int] = {}
        """The latest time of each partition of the topic (-1: not known), in milliseconds since
        1970: the moment that the end of its groups is judged at."""
        self._least = -1 if options.now is None else options.now
        self._committed: set[str] = set()
        """The groups that have committed so far."""

    def deletions(self, rows: pa.Table) -> None:
        """Take the tombstones of groups among records of several types, before `take` is given the
        records type by type, which loses their order: a record does not say which incarnation it is
        of.
        """
        values = column(rows, "value")
        if not values.null_count:
            return
        types = column(rows, "record_type")
        ended = pc.is_in(types, value_set=pa.array(ENDING, pa.int16()))
        ended = pc.and_(ended, values.is_null())
        if not pc.any(ended).as_py():
            return
        closing = rows.filter(ended)
        for group_id, offset in zip(
            *(column(closing, name).to_pylist() for name in ("group_id", "source_offset")),
            strict=True,
        ):
            self.states.setdefault(group_id, GroupState()).delete(offset)

    def load(self, rows: pa.Table) -> None:
        """Take records of several types in their order, before `take` is given them type by type:
        whether a coordinator can load them. Of nearly all groups there are classic records and
        commits alone, which it can.
        """
        types = column(rows, "record_type")
        modern = pc.fill_null(pc.is_in(types, value_set=_MODERN), False)
        groups = column(rows, "group_id")
        names = set(groups.filter(modern).unique().to_pylist()) - {None}
        names |= {name for name, state in self.states.items() if state.loading is not None}
        is_commit = pc.fill_null(pc.less_equal(types, max(COMMITS)), False)
        committed = set(groups.filter(is_commit).unique().to_pylist())
        if names:
            chosen = pc.is_in(groups.cast(pa.string()), value_set=pa.array(sorted(names)))
            self._load(rows.filter(pc.fill_null(chosen, False)))
        self._committed |= committed

    def _load(self, rows: pa.Table) -> None:
        """Take the records of groups that may be of several kinds; of commits the first counts."""
        names = column(rows, "group_id").cast(pa.string()).to_pylist()
        types, values = column(rows, "record_type").to_pylist(), column(rows, "value").is_valid()
        kinds = record_types()
        new: set[str] = set()
        for name, number, place, is_value in zip(
            names, types, _places(rows), values.to_pylist(), strict=True
        ):
            if number in COMMITS and name in new:
                continue
            new.add(name)
            state = self.states.setdefault(name, GroupState())
            if state.loading is None:
                is_classic = state.fold is not None and state.fold.last is not None
                state.loading = Loading("classic" if is_classic else "")
                if name in self._committed:
                    state.loading.commit()
            if number in COMMITS:
                state.loading.commit()
            elif number in kinds:
                state.loading.take(kinds[number].key.NAME, place, is_tombstone=not is_value)

    def take(self, kinds: Sequence[tuple[Kind, Prints]]) -> list[tuple[pa.Array, pa.Table]]:
        """Take the records of a chunk about groups, with the fingerprints of those of classic ones:
        each group's by offset, whatever their types, as a group may turn from one kind into another
        and back. Return for each type the incarnations of its records, and rows of `rebalances`,
        which only classic groups have. See `classic` for fingerprints.
        """
        if len(kinds) == 1 and kinds[0][0].type.number == CLASSIC:
            return [self.classic(*kinds[0])]
        rows = [RebalanceRows(self._options.cluster_id, kind) for kind, _ in kinds]
        records: dict[str, list[_Record]] = {}
        for at, (kind, prints) in enumerate(kinds):
            for record in _records(at, kind, prints):
                records.setdefault(record.group_id, []).append(record)
        for group_id, of_group in records.items():
            of_group.sort(key=lambda record: record.content.place.offset)
            for record in of_group:
                self._take_record(group_id, record, kinds[record.kind][0], rows[record.kind])
        return [self._rows_of(kind, made) for (kind, _), made in zip(kinds, rows, strict=True)]

    def _rows_of(self, kind: Kind, rows: RebalanceRows) -> tuple[pa.Array, pa.Table]:
        incarnations = pa.array(rows.incarnations, pa.int32())
        if kind.type.number == CLASSIC:
            return incarnations, rows.table()
        if kind_of(kind.type.key.NAME) is None:
            incarnations = pa.nulls(kind.rows.num_rows, pa.int32())
        return incarnations, TABLES["rebalances"].empty_table()

    def _take_record(self, group_id: str, record: _Record, kind: Kind, rows: RebalanceRows) -> None:
        content = record.content
        state = self._state(group_id, content.place)
        if kind.type.number == CLASSIC:
            self._take_classic(group_id, state, content, record.number, rows)
            rows.incarnations[record.number] = state.incarnation(content.place.offset)
        elif (group_kind := kind_of(kind.type.key.NAME)) is not None:
            rows.incarnations[record.number] = state.incarnation(content.place.offset)
            fold = state.broker_assigned_fold(self._options.cluster_id, group_id, group_kind)
            state.observe_broker_assigned(fold, kind.type, content.place, record.key, content.value)

    def refuse(self, rows: pa.Table) -> None:
        """Take rows of `quarantine` for records that name a group and cannot be read."""
        for row in rows.filter(column(rows, "group_id").is_valid()).to_pylist():
            state = self.states.setdefault(row["group_id"], GroupState())
            time = row["record_timestamp"]
            state.refused = Refused(
                row["field"] and f"record's {row['field']}",
                row["reason"],
                row["source"],
                row["source_partition"],
                row["source_offset"],
                -1 if time is None else int(time.timestamp() * 1000),
                1 + (state.refused.times if state.refused is not None else 0),
                row["data"] or b"",
            )

    def classic(
        self, kind: Kind, fingerprints: Sequence[Fingerprint | None] = ()
    ) -> tuple[pa.Array, pa.Table]:
        """Take records of classic groups. Return the incarnation of each, and rows of `rebalances`.

        With `fingerprints`, one for each record, records that repeat the one before are not read.
        Call `catch_up` then before anything is asked about the groups.
        """
        rows = RebalanceRows(self._options.cluster_id, kind)
        for group_id, records in _by_group(kind, fingerprints).items():
            state = self._state(group_id, records[0][1].place)
            for number, record in records:
                self._take_classic(group_id, state, record, number, rows)
                rows.incarnations[number] = state.incarnation(record.place.offset)
            state.last = records[-1][1].place
        return pa.array(rows.incarnations), rows.table()

    def _take_classic(
        self,
        group_id: str,
        state: GroupState,
        record: ClassicRecord,
        number: int,
        rows: RebalanceRows,
    ) -> None:
        """Take a record of a group, which is read where it is no repetition at rest."""
        previous = self._repetitions.get(group_id)
        repetition = previous.take(record) if previous is not None else None
        if previous is not None and repetition is not None:
            state.rebalances += 1
            rows.add(number, record.generation, previous.protocol, previous.members, repetition)
            return
        if previous is not None:
            previous.read_last()
            del self._repetitions[group_id]
        fold = self._fold(group_id, state)
        rebalance = state.observe_classic(fold, record.place, record.value)
        if rebalance is not None and (step := fold.last) is not None:
            rows.add(number, step.generation, step.protocol, len(step.members), rebalance)
        if record.fingerprint is not None:
            self._repetitions[group_id] = Repetitions(fold, record.fingerprint, previous)

    def catch_up(self) -> None:
        """Read the last record of each group whose last records were only repetitions."""
        for repetitions in self._repetitions.values():
            repetitions.read_last()
        self._repetitions.clear()

    def _fold(self, group_id: str, state: GroupState) -> GroupFold:
        if state.fold is None:
            state.fold = self._first_fold.of(group_id)
        return state.fold

    def findings(
        self, commits: pa.Table, costs: Costs = no_costs, *, late: bool = False
    ) -> Iterator[Finding]:
        """Yield the findings of all groups. `commits` are the sums of their commits, and `costs`
        returns what their rebalances did from a moment on; with `late`, rules that wait until all
        is read are asked, too.
        """
        options = self._options
        inputs, states = options.inputs, options.states or {}
        facts = {name: state.facts for name, state in self.states.items()} if late else {}
        settings: dict[str, list[ClientSettings]] = {}
        for of_client in options.client_settings:
            settings.setdefault(of_client.group, []).append(of_client)
        all_commits = CommitsSeen(lag_table(commits, facts, options))
        deleted = deleted_commits(commits, facts) if late else {}
        topic_ids = options.topic_names if late else {}
        rules_for = all_commits.asked(rule for rule in options.end_rules if late or not rule.late)
        for group_id, state in self.states.items():
            of_records = list(with_commits(state.observed, all_commits.of(group_id), costs))
            yield from of_records
            end = state.end(
                group_id,
                self._moment(state),
                commits=all_commits.of(group_id),
                committed=all_commits.places(group_id),
                deleted=deleted.get(group_id, ()),
                topic_ids=topic_ids,
                state=states.get(group_id),
                counts=self._context.counts,
                topics=options.topics or {},
                inputs=inputs,
                findings=of_records,
                client_settings=settings.get(group_id, ()),
            )
            yield from end_findings(options.cluster_id, end, rules_for(group_id))

    def not_evaluated(self) -> list[str]:
        """Return the rules that lack an input in any group."""
        rules = (*self._options.step_rules, *self._options.end_rules)
        return [rule.id for rule in rules if lacking(rule, self._options.inputs)]

    def at(self, milliseconds: int, partition: int | None = None) -> None:
        """Note that the records of a partition (None: of all) have reached this time, in
        milliseconds since 1970.
        """
        if partition is None:
            self._least = max(self._least, milliseconds)
        else:
            self.latest[partition] = max(self.latest.get(partition, -1), milliseconds)

    def moment(self, group_id: str) -> int:
        """Return the moment that the end of a group is judged at, in milliseconds since 1970."""
        return self._moment(self.states.get(group_id, GroupState()))

    def _moment(self, state: GroupState) -> int:
        place = state.last or state.refused
        partition = place.partition if place is not None else None
        return max(self._least, self.latest.get(-1 if partition is None else partition, -1))

    def _state(self, group_id: str, place: Place) -> GroupState:
        state = self.states.get(group_id)
        if state is None:
            state = self.states[group_id] = GroupState()
        if state.first_seen < 0:
            state.first_seen = place.timestamp
        state.last = place
        return state


def _by_group(
    kind: Kind, fingerprints: Prints
) -> Mapping[str, Sequence[tuple[int, ClassicRecord]]]:
    """Return the records of each group with their numbers in the table. The groups are in the order
    in which they come first.
    """
    records_by_group: dict[str, list[tuple[int, ClassicRecord]]] = {}
    group_ids = column(kind.rows, "group_id").to_pylist()
    contents = _contents(kind, fingerprints)
    for number, (group_id, record) in enumerate(zip(group_ids, contents, strict=True)):
        records_by_group.setdefault(group_id, []).append((number, record))
    return records_by_group


def _contents(kind: Kind, prints: Prints) -> Iterator[ClassicRecord]:
    """Yield what is in each record; `prints`, if there are any, are those of classic groups."""
    columns: list[Iterable[Any]] = [_places(kind.rows), column(kind.rows, "value").to_pylist()]
    if prints:
        times = kind.value("current_state_timestamp")
        columns += [prints, kind.value("generation").to_pylist(), times.to_pylist()]
    return (ClassicRecord(*record) for record in zip(*columns, strict=True))


def _places(rows: pa.Table) -> Iterator[Place]:
    times = column(rows, "record_timestamp").cast(pa.int64()).to_pylist()
    partitions = column(rows, "source_partition").fill_null(-1).to_pylist()
    offsets = column(rows, "source_offset").to_pylist()
    # A list is made of coded text forty times as fast where it is not coded.
    sources = column(rows, "source").cast(pa.string()).to_pylist()
    for source, partition, offset, time in zip(sources, partitions, offsets, times, strict=True):
        yield Place(source, partition, offset, -1 if time is None else time // 1000)


class _Record(NamedTuple):
    """A record about a group: the position of its type among those of a chunk, its number among the
    records of that type, and what is in it."""

    kind: int
    number: int
    group_id: str
    key: bytes
    content: ClassicRecord


def _records(at: int, kind: Kind, prints: Prints) -> Iterator[_Record]:
    names, keys = (column(kind.rows, name).to_pylist() for name in ("group_id", "key"))
    rows = zip(names, keys, _contents(kind, prints), strict=True)
    for number, (name, key, content) in enumerate(rows):
        yield _Record(at, number, name, key, content)
