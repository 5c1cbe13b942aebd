"""The tables of a followed audit, replaced batch by batch.

`findings` and `current` are what is true now: one file each, which the next batch that changes
something replaces. `rebalances` and `quarantine` grow by a file a batch, and many small ones become
one. Files have the number of their batch in their name, and the manifest, written last, names those
that count: a batch that is repeated writes the same files again and counts once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ...codec import KprotoError
from ..audit import Fleet, lacking, new_finding, signs
from ..groups.group_tables import finding_table
from ..groups.intake import Counts
from ..groups.options import Options
from ..groups.ranking import ranked
from ..report.changes import change_of
from ..run.audit import Audit
from ..sources.places import filesystem
from ..tables.manifest import MANIFEST
from ..tables.schemas import TABLES, VERSION, empty
from .group_follower import FORGOTTEN
from .position import Position

__all__ = ["TABLES_FOLLOWED", "Batch", "Change", "Published"]

NOW = ("findings", "current")
GROWING = ("rebalances", "quarantine")
TABLES_FOLLOWED = (*NOW, *GROWING)
MAX_SMALL = 64
"""How many files of a growing table there are before they become one."""
FULL_BYTES = 256 << 20
"""Of a file that is left as it is."""
MAX_REBALANCES = 100_000
"""How many of the last rebalances the rules about the fleet look at."""

Row = dict[str, Any]
_PREFIX = "batch-"


class Batch(NamedTuple):
    """The results of a batch, which are to be published."""

    number: int
    tables: Mapping[str, pa.Table]
    counts: Counts
    end: Position


class Change(NamedTuple):
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
    tables: dict[str, list[_File]] = {}


class _File(msgspec.Struct):
    file: str
    rows: int
    size: int


class Published:
    """A folder, or the URI of one, that a follower publishes to and resumes from."""

    def __init__(self, uri: str, source: str, options: Options) -> None:
        """Raises `KprotoError` where something else is there, or the audit of another source."""
        self._store, self._path = filesystem(uri)
        self._options = options
        self._state = self._state_at(uri, source)
        if self.began:
            self._sweep()  # what a batch left that was cut off
        self._findings = {row["finding_id"]: row for row in self._read("findings").to_pylist()}
        self._current = {row["group_id"]: row for row in self._read("current").to_pylist()}
        self._rebalances = _last(self._read("rebalances"))
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

    def publish(self, batch: Batch, moment: int) -> list[Change]:
        """Publish the results of a batch, and return what has changed; `now` is in milliseconds
        since 1970.
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
        grown = {name: rows for name in GROWING if (rows := batch.tables.get(name)) is not None}
        state.batch = batch.number
        if again or state.tables.keys() != set(TABLES_FOLLOWED) or self._news(batch):
            self._audit = None
            self._write_now(batch.number)
        for name in GROWING:
            self._grow(name, batch.number, grown.get(name, empty(name)))
        self._write_manifest()
        return changes

    def _news(self, batch: Batch) -> bool:
        return any(batch.tables.get(name) is not None for name in (*NOW, FORGOTTEN))

    # -- what is true now

    def _changed(self, batch: Batch, moment: int) -> Iterator[Change]:
        for group_id in _column(batch.tables, FORGOTTEN):
            self._current.pop(group_id, None)
        for row in _rows(batch.tables, "current"):
            self._current[row["group_id"]] = row
        findings = _rows(batch.tables, "findings")
        if "rebalances" in batch.tables:
            rebalances = pa.concat_tables([self._rebalances, batch.tables["rebalances"]])
            self._rebalances = _last(_each_once(rebalances))
        if self._news(batch):
            fleet = self._about_all().to_pylist()
            self._drop_fleet({row["finding_id"] for row in fleet})
            findings += fleet
        for row in findings:
            previous = self._findings.get(row["finding_id"])
            if previous is not None:
                row["first_seen"] = min(row["first_seen"], previous["first_seen"])
            word = change_of(previous, row)
            self._findings[row["finding_id"]] = row
            if word is not None:
                yield Change(word, row, moment - int(row["last_seen"].timestamp() * 1000))
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

    def _drop_fleet(self, finding_ids: set[str]) -> None:
        """Drop the findings about all groups: they are found anew each time, over all that is
        known.
        """
        for key, row in list(self._findings.items()):
            if row["group_id"] is None and key not in finding_ids:
                del self._findings[key]

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

    # -- files

    def _write_now(self, number: int) -> None:
        for name, rows in (("findings", self.audit.findings), ("current", self.audit.current)):
            self._state.tables[name] = [self._write(name, _name(number), rows)]

    def _grow(self, name: str, number: int, rows: pa.Table) -> None:
        files = self._state.tables.setdefault(name, [])
        mine = f"{name}/{_name(number)}"
        files[:] = [file for file in files if file.file != mine]
        if rows.num_rows or not files:
            files.append(self._write(name, _name(number), rows))
        small = [file for file in files if file.size < FULL_BYTES]
        if len(small) > MAX_SMALL:
            merged_rows = pa.concat_tables([self._table(name, part.file) for part in small])
            first, last = small[0].file.partition("/")[2], _name(number)
            merged = f"{first.removesuffix('.parquet')}-to-{last}"
            full = [file for file in files if file not in small]
            files[:] = [*full, self._write(name, merged, merged_rows)]

    def _write(self, table: str, name: str, rows: pa.Table) -> _File:
        """Write a table's file under another name first: renaming it replaces the old file at
        once.
        """
        self._store.create_dir(f"{self._path}/{table}", recursive=True)
        place, temporary = f"{self._path}/{table}/{name}", f"{self._path}/.{table}-{name}"
        pq.write_table(
            rows.cast(TABLES[table]), temporary, filesystem=self._store, compression="zstd"
        )
        self._store.move(temporary, place)
        return _File(f"{table}/{name}", rows.num_rows, self._store.get_file_info(place).size)

    def _write_manifest(self) -> None:
        temporary = f"{self._path}/.{MANIFEST}"
        fields = msgspec.to_builtins(self._state)
        fields["published"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._store.open_output_stream(temporary) as out:
            out.write(json.dumps(fields, indent=1).encode())
        self._store.move(temporary, f"{self._path}/{MANIFEST}")
        self._sweep()

    def _sweep(self) -> None:
        """Remove the files that the manifest no longer names."""
        names = {file.file for files in self._state.tables.values() for file in files}
        for table in TABLES_FOLLOWED:
            place = fs.FileSelector(f"{self._path}/{table}", allow_not_found=True)
            for info in self._store.get_file_info(place):
                ours = info.base_name.startswith(_PREFIX)
                if ours and f"{table}/{info.base_name}" not in names:
                    self._store.delete_file(info.path)

    def _state_at(self, uri: str, source: str) -> _State:
        place = f"{self._path}/{MANIFEST}"
        rules = self._options.rules
        lacks = {rule.id: sorted(lacking(rule, self._options.inputs)) for rule in rules}
        lacks = {rule: names for rule, names in lacks.items() if names}
        if self._store.get_file_info(place).type != fs.FileType.File:
            self._refuse_others(uri)
            return _State(source, VERSION, not_evaluated=lacks)
        with self._store.open_input_stream(place) as file:
            data = file.read()
        try:
            state = msgspec.json.decode(data, type=_State)
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

    def _refuse_others(self, uri: str) -> None:
        infos = self._store.get_file_info(fs.FileSelector(self._path, allow_not_found=True))
        foreign = sorted(info.base_name for info in infos if info.base_name in TABLES)
        # Tables without a manifest: a first batch that was cut off, or somebody else's.
        if set(foreign) - set(TABLES_FOLLOWED):
            raise KprotoError(
                f"{uri} holds {foreign[0]}, which is not of this: choose another place"
            )

    def _read(self, table: str) -> pa.Table:
        files = self._state.tables.get(table, [])
        return pa.concat_tables([empty(table), *(self._table(table, file.file) for file in files)])

    def _table(self, table: str, file: str) -> pa.Table:
        read = pq.read_table(f"{self._path}/{file}", filesystem=self._store, partitioning=None)
        older = pa.concat_tables([empty(table), read], promote_options="default")  # or of today
        return older.cast(TABLES[table])


def _name(number: int) -> str:
    return f"{_PREFIX}{number:012}.parquet"


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
