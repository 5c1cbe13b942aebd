"""What a followed audit has found, batch by batch: what is new, worse, again open or over.

`findings` and `current` are what is true now: a batch that changes something replaces them. A
finding that later records take back, since they show another cause, is over, and leaves them.
`rebalances` and `quarantine` grow. A batch that is repeated counts once. The files are written by
`tables.publishing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import KprotoError
from ..audit import Fleet, new_finding, signs
from ..audit.changes import change_of
from ..groups.fleet import lacking_inputs
from ..groups.group_tables import finding_table
from ..groups.intake import Counts
from ..groups.options import Options
from ..groups.ranking import ranked
from ..run.audit import Audit
from ..sources.places import filesystem
from ..tables.manifest import MANIFEST, manifest_of
from ..tables.publishing import BatchFile, BatchFiles, refuse_others
from ..tables.schemas import TABLES, VERSION, empty
from .group_follower import FORGOTTEN
from .position import Position

__all__ = ["TABLES_FOLLOWED", "FollowedBatch", "FollowedChange", "Published"]

NOW = ("findings", "current")
GROWING = ("rebalances", "quarantine")
TABLES_FOLLOWED = (*NOW, *GROWING)
MAX_REBALANCES = 100_000
"""How many of the last rebalances the rules about the fleet look at."""

Row = dict[str, Any]


class FollowedBatch(NamedTuple):
    """The results of a batch, which are to be published."""

    number: int
    tables: Mapping[str, pa.Table]
    counts: Counts
    end: Position


class FollowedChange(NamedTuple):
    """A finding that is "new", "worse" (its severity has risen), "again" open, or "over"; and the
    milliseconds from the record or the moment that it is about to its publication."""

    word: str
    finding: Row
    milliseconds: int


class _State(msgspec.Struct):
    """The fields of a follower's manifest."""

    following: str
    version: int
    batch: int = -1
    position: Position | None = None
    """Where the last batch ended."""
    known: int = 0
    behind: int = 0
    lost: list[str] = []
    records: Counts = msgspec.field(default_factory=Counts)
    before: Counts = msgspec.field(default_factory=Counts)
    """The counts without the last batch, for when that is repeated."""
    not_evaluated: dict[str, list[str]] = {}
    tables: dict[str, list[BatchFile]] = {}


class Published:
    """A folder, or the URI of one, that a follower publishes to and resumes from."""

    def __init__(self, uri: str, source: str, options: Options) -> None:
        """Raises `KprotoError` where something else is there, or the audit of another source."""
        self._options = options
        self._ends = {rule.id for rule in options.end_rules}
        self._state = self._state_at(uri, source)
        self._files = BatchFiles(uri, self._state.tables)
        if self.began:
            self._files.sweep()  # what a batch left that was cut off
        rows = {name: self._files.read(name) for name in ("findings", "current", "rebalances")}
        self._findings = {row["finding_id"]: row for row in rows["findings"].to_pylist()}
        self._current = {row["group_id"]: row for row in rows["current"].to_pylist()}
        self._rebalances = _last(rows["rebalances"])
        self._audit: Audit | None = None

    @property
    def audit(self) -> Audit:
        """The audit that is published, the worst first."""
        if self._audit is None:
            self._audit = self._ranked()
        return self._audit

    @property
    def began(self) -> bool:
        """Whether a batch was ever published here."""
        return self._state.batch >= 0

    @property
    def known(self) -> int:
        """The time up to which all is read (milliseconds since 1970); 0 while catching up."""
        return self._state.known

    @property
    def position(self) -> Position | None:
        """Where the last published batch ended; None before the first."""
        return self._state.position

    def publish(self, batch: FollowedBatch, moment: int) -> list[FollowedChange]:
        """Publish the results of a batch, and return what has changed; `moment` is in
        milliseconds since 1970.
        """
        state = self._state
        again = batch.number <= state.batch
        if not again:
            state.before = msgspec.structs.replace(state.records)
        state.records = msgspec.structs.replace(state.before)
        state.records.add(batch.counts)
        state.position, state.known, state.behind = batch.end, batch.end.known, batch.end.behind
        state.lost += [loss for loss in batch.end.lost if loss not in state.lost]
        changes = list(self._changed(batch, moment))
        state.batch = batch.number
        if again or state.tables.keys() != set(TABLES_FOLLOWED) or self._news(batch):
            self._audit = None
            for name, rows in (("findings", self.audit.findings), ("current", self.audit.current)):
                self._files.replace(name, batch.number, rows)
        for name in GROWING:
            self._files.grow(name, batch.number, batch.tables.get(name, empty(name)))
        self._files.commit(msgspec.to_builtins(state))
        return changes

    def _news(self, batch: FollowedBatch) -> bool:
        return any(batch.tables.get(name) is not None for name in (*NOW, FORGOTTEN))

    # -- what is true now

    def _changed(self, batch: FollowedBatch, moment: int) -> Iterator[FollowedChange]:
        for group_id in _column(batch.tables, FORGOTTEN):
            self._current.pop(group_id, None)
        for row in _rows(batch.tables, "current"):
            self._current[row["group_id"]] = row
        findings = _rows(batch.tables, "findings")
        # A batch has all that a group's records tell; what silence tells is only in a judgement,
        # which says itself what is over.
        groups = set(_column(batch.tables, "current"))
        dropped = self._drop(
            lambda row: row["group_id"] in groups and row["rule"] not in self._ends, findings
        )
        if "rebalances" in batch.tables:
            rebalances = pa.concat_tables([self._rebalances, batch.tables["rebalances"]])
            self._rebalances = _last(_each_once(rebalances))
        if self._news(batch):
            fleet = self._about_all().to_pylist()
            # They are found anew each time, over all that is known.
            dropped += self._drop(lambda row: row["group_id"] is None, fleet)
            findings += fleet
        for row in dropped:
            if row["status"] != "over":
                yield _change("over", row | {"status": "over"}, moment)
        for row in findings:
            previous = self._findings.get(row["finding_id"])
            if previous is not None:
                row["first_seen"] = min(row["first_seen"], previous["first_seen"])
            word = change_of(previous, row)
            self._findings[row["finding_id"]] = row
            if word is not None:
                yield _change(word, row, moment)
        self._forget()

    def _about_all(self) -> pa.Table:
        current = pa.Table.from_pylist(list(self._current.values()), TABLES["current"])
        fleet = Fleet(current, self._rebalances)
        latest = pc.max(self._rebalances.column("record_timestamp")).cast(pa.int64()).as_py() or 0
        return finding_table(
            new_finding(self._options.cluster_id, None, rule, sign, latest // 1000)
            for rule in self._options.fleet_rules
            for sign in signs(rule, rule.find, "the fleet", fleet)
        )

    def _drop(self, is_told: Callable[[Row], bool], findings: Iterable[Row]) -> list[Row]:
        """Drop those of the findings that are told anew which are not there any more, and return
        them."""
        kept = {row["finding_id"] for row in findings}
        gone = [key for key, row in self._findings.items() if is_told(row) and key not in kept]
        return [self._findings.pop(key) for key in gone]

    def _forget(self) -> None:
        """Remove findings that are over from the tables, for groups that are forgotten."""
        for key, row in list(self._findings.items()):
            group = row["group_id"]
            if group is not None and group not in self._current and row["status"] == "over":
                del self._findings[key]

    def _ranked(self) -> Audit:
        findings, current = ranked(
            pa.Table.from_pylist(list(self._findings.values()), TABLES["findings"]),
            pa.Table.from_pylist(list(self._current.values()), TABLES["current"]),
        )
        return Audit(findings, current, self._state.records, self._state.not_evaluated)

    # -- the manifest

    def _state_at(self, uri: str, source: str) -> _State:
        lacks = lacking_inputs(self._options, self._options.withheld)
        store, path = filesystem(uri)
        manifest = manifest_of(store, path)
        if manifest is None:
            # Tables without a manifest: a first batch that was cut off, or somebody else's.
            refuse_others(uri, set(TABLES_FOLLOWED))
            return _State(source, VERSION, not_evaluated=lacks)
        try:
            state = msgspec.json.decode(manifest, type=_State)
        except msgspec.ValidationError:
            raise KprotoError(
                f"{uri} holds an audit that was not followed: choose another place"
            ) from None
        except msgspec.DecodeError as error:
            raise KprotoError(f"{uri}/{MANIFEST} cannot be read: {error}") from None
        if state.following != source:
            raise KprotoError(f"{uri} follows {state.following}: choose another place")
        state.not_evaluated = lacks
        state.version = VERSION  # of what is written from here on
        return state


def _change(word: str, row: Row, moment: int) -> FollowedChange:
    return FollowedChange(word, row, moment - int(row["last_seen"].timestamp() * 1000))


def _rows(tables: Mapping[str, pa.Table], name: str) -> list[Row]:
    return tables[name].to_pylist() if name in tables else []


def _column(tables: Mapping[str, pa.Table], name: str) -> Iterable[str]:
    names: list[str] = tables[name].column("group_id").to_pylist() if name in tables else []
    return names


def _last(rebalances: pa.Table) -> pa.Table:
    return rebalances.slice(max(rebalances.num_rows - MAX_REBALANCES, 0))


def _each_once(rebalances: pa.Table) -> pa.Table:
    """Return the rows without those that a repeated batch brought again."""
    numbered = rebalances.append_column("row", pa.array(range(rebalances.num_rows), pa.int64()))
    place = ["source_partition", "source_offset", "record_timestamp"]
    first_rows = numbered.group_by(place, use_threads=False).aggregate([("row", "min")])
    return rebalances.take(first_rows.column("row_min").combine_chunks().sort())
