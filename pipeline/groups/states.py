"""The groups of one partition of the topic, record by record: folds, rebalances, findings.

Only records about groups come here, as objects; commits arrive as sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...capture.segments.offsets_topic import record_types
from ...clients.settings import ClientSettings
from ..audit import Context, Finding, GroupFold, Place, Refused, end_findings, lacking
from ..audit.group_state import CLASSIC, ENDING, GroupState
from ..audit.loading import Loading
from ..audit.modern import kind_of
from ..audit.repetition import ClassicRecord, Fingerprint, Repetitions
from ..audit.storm_causes import Costs, no_costs, with_commits, with_logs
from ..columnar.arrays import column
from ..tables.classic import RebalanceRows, milliseconds
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
        chunks = [_Chunk(self._options.cluster_id, kind, prints) for kind, prints in kinds]
        records: dict[str, list[tuple[int, _Chunk, int]]] = {}
        for chunk in chunks:
            for group_id, numbers in chunk.by_group().items():
                of_group = [(chunk.offsets[number], chunk, number) for number in numbers]
                records.setdefault(group_id, []).extend(of_group)
        for group_id, of_group in records.items():
            of_group.sort(key=lambda record: record[0])
            for _, chunk, number in of_group:
                self._take_record(group_id, chunk, number)
        return [self._rows_of(chunk.kind, chunk.rows) for chunk in chunks]

    def _rows_of(self, kind: Kind, rows: RebalanceRows) -> tuple[pa.Array, pa.Table]:
        incarnations = pa.array(rows.incarnations, pa.int32())
        if kind.type.number == CLASSIC:
            return incarnations, rows.table()
        if kind_of(kind.type.key.NAME) is None:
            incarnations = pa.nulls(kind.rows.num_rows, pa.int32())
        return incarnations, TABLES["rebalances"].empty_table()

    def _take_record(self, group_id: str, chunk: _Chunk, number: int) -> None:
        type_, place = chunk.kind.type, chunk.place(number)
        state = self._state(group_id, place)
        if type_.number == CLASSIC:
            self._take_classic(group_id, state, chunk, [number])
        elif (group_kind := kind_of(type_.key.NAME)) is not None:
            chunk.rows.incarnations[number] = state.incarnation(place.offset)
            fold = state.broker_assigned_fold(group_id, group_kind, self._first_fold)
            state.observe_broker_assigned(
                fold,
                type_,
                place,
                chunk.bytes_of("key", number) or b"",
                chunk.bytes_of("value", number),
            )

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
        chunk = _Chunk(self._options.cluster_id, kind, fingerprints)
        for group_id, numbers in chunk.by_group().items():
            state = self._state(group_id, chunk.place(numbers[0]))
            self._take_classic(group_id, state, chunk, numbers)
            state.last = chunk.place(numbers[-1])
        return pa.array(chunk.rows.incarnations), chunk.rows.table()

    def _take_classic(
        self, group_id: str, state: GroupState, chunk: _Chunk, numbers: Sequence[int]
    ) -> None:
        """Take records of a group. Those are read that are no repetitions at rest."""
        at = 0
        while at < len(numbers):
            previous = self._repetitions.get(group_id)
            if previous is not None and (run := chunk.take_run(previous, numbers, at)):
                state.rebalances += len(run)
                for number in run if state.deletions else ():
                    chunk.rows.incarnations[number] = state.incarnation(chunk.offsets[number])
                if not state.deletions:
                    chunk.rows.incarnations[run] = state.restarts
                at += len(run)
                continue
            self._read_classic(group_id, state, chunk, numbers[at], previous)
            at += 1

    def _read_classic(
        self,
        group_id: str,
        state: GroupState,
        chunk: _Chunk,
        number: int,
        previous: Repetitions | None,
    ) -> None:
        if previous is not None:
            previous.read_last()
            del self._repetitions[group_id]
        record, fold = chunk.record(number), self._fold(group_id, state)
        rebalance = state.observe_classic(fold, record.place, record.value)
        if rebalance is not None and (step := fold.last) is not None:
            chunk.rows.add(number, step.generation, step.protocol, len(step.members), rebalance)
        if record.fingerprint is not None:
            self._repetitions[group_id] = Repetitions(fold, record.fingerprint, previous)
        chunk.rows.incarnations[number] = state.incarnation(record.place.offset)

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
        settings: dict[str, list[ClientSettings]] = {}
        for of_client in options.client_settings:
            settings.setdefault(of_client.group, []).append(of_client)
        facts = {
            name: state.facts for name, state in self.states.items() if late or name in settings
        }
        all_commits = CommitsSeen(lag_table(commits, facts, options))
        deleted = deleted_commits(commits, self.states)
        topic_ids = options.topic_names if late else {}
        rules_for = all_commits.asked(rule for rule in options.end_rules if late or not rule.late)
        for group_id, state in self.states.items():
            of_records = list(self._of_records(group_id, state, all_commits, costs))
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

    def observed(self, commits: pa.Table) -> Iterator[Finding]:
        """Yield the findings of the records so far. `commits` are the sums of the groups' commits,
        which decide between causes that look alike in the groups' records."""
        states = {group_id: state for group_id, state in self.states.items() if state.observed}
        if not states:
            return  # a batch of a group that is followed: most have no findings
        all_commits = CommitsSeen(lag_table(commits, {}, self._options))
        for group_id, state in states.items():
            yield from self._of_records(group_id, state, all_commits)

    def _of_records(
        self, group_id: str, state: GroupState, commits: CommitsSeen, costs: Costs = no_costs
    ) -> Iterator[Finding]:
        logs = (self._options.logs or {}).get(group_id)
        observed: Iterable[Finding] = state.observed
        if logs is not None:
            observed = with_logs(observed, logs.causes, logs.latest_ms)
        return with_commits(observed, commits.of(group_id), costs)

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


def _places(rows: pa.Table) -> Iterator[Place]:
    times = column(rows, "record_timestamp").cast(pa.int64()).to_pylist()
    partitions = column(rows, "source_partition").fill_null(-1).to_pylist()
    offsets = column(rows, "source_offset").to_pylist()
    # A list is made of coded text forty times as fast where it is not coded.
    sources = column(rows, "source").cast(pa.string()).to_pylist()
    for source, partition, offset, time in zip(sources, partitions, offsets, times, strict=True):
        yield Place(source, partition, offset, -1 if time is None else time // 1000)


class _Chunk:
    """The records of one type in a chunk, by their numbers. Few of them become objects: most repeat
    the one before."""

    def __init__(self, cluster_id: str, kind: Kind, prints: Prints) -> None:
        """`prints`, if there are any, are those of classic groups."""
        self.kind = kind
        self.rows = RebalanceRows(cluster_id, kind)
        self.offsets: list[int] = column(kind.rows, "source_offset").to_numpy().tolist()
        self._columns = {name: column(kind.rows, name) for name in ("key", "value")}
        sources = column(kind.rows, "source").dictionary_encode()
        self._sources, self._codes = sources.dictionary.to_pylist(), sources.indices.to_numpy()
        self._prints = prints
        self._partitions = pc.fill_null(column(kind.rows, "source_partition"), -1).to_numpy()
        self._times: list[int] = milliseconds(kind.rows).tolist()
        self._generations = kind.value("generation").to_pylist() if prints else []

    def by_group(self) -> Mapping[str, Sequence[int]]:
        """Return the numbers of the records of each group. The groups are in the order in which
        they come first."""
        numbers: dict[str, list[int]] = {}
        for number, group_id in enumerate(column(self.kind.rows, "group_id").to_pylist()):
            numbers.setdefault(group_id, []).append(number)
        return numbers

    def bytes_of(self, name: str, number: int) -> bytes | None:
        """Return the key or the value of a record."""
        data: bytes | None = self._columns[name][number].as_py()
        return data

    def place(self, number: int) -> Place:
        """Return where a record is from."""
        source = self._sources[self._codes[number]]
        partition = int(self._partitions[number])
        return Place(source, partition, self.offsets[number], self._times[number])

    def record(self, number: int) -> ClassicRecord:
        """Return a record of a classic group."""
        fingerprint = self._prints[number] if self._prints else None
        return ClassicRecord(self.place(number), self.bytes_of("value", number), fingerprint)

    def take_run(
        self, repetitions: Repetitions, numbers: Sequence[int], first: int
    ) -> Sequence[int]:
        """Have the repetitions take records of their group from the first of these on, and return
        the numbers of those that they took."""
        if not self._prints:
            return ()
        previous = repetitions.latest
        following = (numbers[at] for at in range(first, len(numbers)))
        count = repetitions.take(self._prints, self._generations, self._times, following)
        run = numbers[first : first + count]
        if run:
            repetitions.last = self.record(run[-1])
            self.rows.add_run(
                run, previous, repetitions.protocol, repetitions.members, repetitions.topics
            )
        return run
