"""One unit, from its bytes to its tables: what a task does, wherever it runs."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import KprotoError
from ..audit import Finding
from ..memory import large_blocks_go_back
from ..sources.source import Unit
from ..tables.broker_assigned import broker_assigned_rows
from ..tables.classic import classic_rows
from ..tables.commits import CommitSummary, offset_rows
from ..tables.fingerprint_columns import outlines
from ..tables.payload_deviations import deviation_rows
from ..tables.publishing import Destination
from ..tables.reading import Kind, quarantined_problems, read_kinds, record_rows
from ..tables.schemas import TABLES
from ..tables.writing import TableWriter, WrittenFile
from .groups import CLASSIC, Groups, current_rows
from .options import Options

__all__ = ["Counts", "UnitResult", "audit_unit", "finding_table"]

COMMITS = (0, 1)
_MANY = 200_000  # objects made between two looks for cycles


class Counts(msgspec.Struct):
    """Records that were read, and where they went; `damages` are stretches that hold none that
    could be read."""

    read: int = 0
    written: int = 0
    quarantined: int = 0
    not_wanted: int = 0
    damages: int = 0

    def check(self) -> None:
        """Raises `KprotoError` where a record is missing."""
        if self.read != self.written + self.quarantined + self.not_wanted:
            raise KprotoError(
                f"{self.read:,} records were read, and {self.written:,} written, "
                f"{self.quarantined:,} quarantined, {self.not_wanted:,} not asked for: "
                "that is no balance, and nothing is published"
            )

    def add(self, other: Counts) -> None:
        """Count those too."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class UnitResult(msgspec.Struct):
    """What came of a unit: files that wait to be published, and the counts."""

    files: list[WrittenFile]
    counts: Counts


def audit_unit(unit: Unit, destination: Destination, options: Options) -> UnitResult:
    """Read a unit to its end and stage its tables. Raises OSError where it cannot be read."""
    large_blocks_go_back()
    with destination.writer() as writer, _seldom_collected():
        return _Task(writer, options).run(unit)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """What is made of records is kept, or freed by its last reference: looking for cycles in it
    takes a third of the time that histories take, and finds next to none."""
    before = gc.get_threshold()
    gc.set_threshold(_MANY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Task:
    def __init__(self, writer: TableWriter, options: Options) -> None:
        self._writer = writer
        self._options = options
        self._counts = Counts()
        self._groups = Groups(options)
        self._commits = CommitSummary()

    def run(self, unit: Unit) -> UnitResult:
        for rows in unit.tables(self._options.cluster_id):
            self._take(rows)
        self._end()
        self._counts.check()
        return UnitResult(self._writer.written(), self._counts)

    def _take(self, rows: pa.Table) -> None:
        troubled = rows.column("problem").is_valid()
        if pc.any(troubled).as_py():
            problems = rows.filter(troubled)
            self._counts.damages += problems.num_rows
            self._writer.write("quarantine", quarantined_problems(problems))
            rows = rows.filter(pc.invert(troubled))
        self._counts.read += rows.num_rows
        wanted = self._options.wanted(rows)
        self._counts.not_wanted += rows.num_rows - wanted.num_rows
        self._groups.deletions(wanted)
        for found in read_kinds(wanted):
            if isinstance(found, Kind):
                self._kind(found)
            else:
                self._quarantine(found)

    def _quarantine(self, rows: pa.Table) -> None:
        self._counts.quarantined += rows.num_rows
        self._writer.write("quarantine", rows)

    def _kind(self, kind: Kind) -> None:
        self._quarantine(kind.refused)
        if not kind.rows.num_rows:
            return
        self._counts.written += kind.rows.num_rows
        self._writer.write("records", record_rows(kind))
        latest = pc.max(kind.rows.column("record_timestamp")).cast(pa.int64()).as_py()
        self._groups.at(-1 if latest is None else latest // 1000)
        if kind.type.number in COMMITS:
            offsets = offset_rows(kind)
            self._commits.add(offsets)
            self._writer.write("offsets", offsets)
        elif kind.type.number == CLASSIC:
            self._classic(kind)
        else:
            incarnations = self._groups.broker_assigned(kind)
            self._write(broker_assigned_rows(kind, incarnations))

    def _classic(self, kind: Kind) -> None:
        incarnations, rebalances = self._groups.classic(kind, outlines(kind))
        tables = classic_rows(kind, incarnations)
        tables["groups"] = _each_generation_once(tables["groups"], rebalances)
        self._write(tables)
        self._writer.write("deviations", deviation_rows(tables["members"]))
        self._writer.write("rebalances", rebalances)

    def _write(self, tables: dict[str, pa.Table]) -> None:
        for name, rows in tables.items():
            self._writer.write(name, rows)

    def _end(self) -> None:
        commits = self._commits.table()
        self._groups.catch_up()
        findings = finding_table(self._groups.findings(commits))
        current = list(current_rows(self._groups, commits, self._options))
        self._writer.write("findings", findings)
        self._writer.write("current", pa.Table.from_pylist(current, TABLES["current"]))


def _each_generation_once(groups: pa.Table, rebalances: pa.Table) -> pa.Table:
    """Without the records that repeat a generation: a static member was replaced in it."""
    same = pc.equal(rebalances.column("previous_generation"), rebalances.column("generation"))
    again = rebalances.filter(same).column("source_offset")
    if not len(again):
        return groups
    repeats = pc.is_in(groups.column("source_offset"), value_set=again)
    return groups.filter(pc.invert(repeats))


def finding_table(findings: Iterable[Finding]) -> pa.Table:
    """Return rows of the table `findings`."""
    return pa.Table.from_pylist([_row(finding) for finding in findings], TABLES["findings"])


def _row(finding: Finding) -> dict[str, Any]:
    return {
        **msgspec.structs.asdict(finding),
        "severity": finding.severity.value,
        "basis": finding.basis.value,
        "evidence": json.dumps(finding.evidence, sort_keys=True),
        "first_seen": max(finding.first_seen, 0) * 1000,
        "last_seen": max(finding.last_seen, 0) * 1000,
    }
