"""The audit of one unit, from its records to its tables: a task, wherever it runs."""

from __future__ import annotations

import ctypes
import gc
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ..sources.interface import Unit
from ..tables.broker_assigned import broker_assigned_rows
from ..tables.classic import classic_rows
from ..tables.commits import CommitSummary, offset_rows
from ..tables.fingerprints import fingerprints
from ..tables.payload_deviations import deviation_rows
from ..tables.publishing import Destination
from ..tables.reading import Kind, record_rows
from ..tables.writing import TableWriter, WrittenFile
from .commit_sums import lag_table
from .group_tables import current_table, finding_table
from .groups import CLASSIC, Groups
from .intake import COMMITS, Counts, Intake
from .options import Options

__all__ = ["UnitResult", "audit_unit"]

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE = 1 << 21  # bytes
_MANY = 200_000  # objects made between two looks for cycles


class UnitResult(msgspec.Struct):
    """The result of a unit: files that wait to be published, and the counts."""

    files: list[WrittenFile]
    counts: Counts


def audit_unit(unit: Unit, destination: Destination, options: Options) -> UnitResult:
    """Read a unit to its end, stage its tables and return their files. Raises OSError where it
    cannot be read.
    """
    _large_blocks_go_back()
    with destination.writer() as writer, _seldom_collected():
        return _Task(writer, options.of(unit)).run(unit)


@cache
def _large_blocks_go_back() -> None:
    """From now on large blocks are not taken from the heap, where the C library is glibc's.

    The columns of a batch are made at the size that they could have at most, and shrunk. glibc puts
    such blocks into its heap once it has seen some, up to 32 MB, and what stays between them keeps
    the rest: a process that audits partitions would grow to half as much again.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Look for reference cycles seldom in this context.

    What is made of records is kept, or freed by its last reference: looking for cycles would take a
    third of the time that histories take, and finds next to none.
    """
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
        self._intake = Intake(options)
        self._groups = Groups(options)
        self._commits = CommitSummary()

    def run(self, unit: Unit) -> UnitResult:
        for rows in unit.tables(self._options.cluster_id):
            self._take(rows)
        self._end()
        self._intake.counts.check()
        return UnitResult(self._writer.written(), self._intake.counts)

    def _take(self, rows: pa.Table) -> None:
        wanted, problems = self._intake.chosen(rows)
        self._writer.write("quarantine", problems)
        self._groups.deletions(wanted)
        for found in self._intake.kinds(wanted):
            if isinstance(found, Kind):
                self._kind(found)
            else:
                self._groups.refuse(found)
                self._writer.write("quarantine", found)

    def _kind(self, kind: Kind) -> None:
        self._writer.write("records", record_rows(kind))
        latest = pc.max(kind.rows.column("record_timestamp")).cast(pa.int64()).as_py()
        self._groups.at(-1 if latest is None else latest // 1000)
        self._intake.counts.latest = self._groups.now
        if kind.type.number in COMMITS:
            offsets = offset_rows(kind)
            self._commits.add(offsets)
            self._writer.write("offsets", offsets)
        elif kind.type.number == CLASSIC:
            self._classic(kind)
        else:
            incarnations, _ = self._groups.take(kind)
            self._write(broker_assigned_rows(kind, incarnations))

    def _classic(self, kind: Kind) -> None:
        incarnations, rebalances = self._groups.take(kind, fingerprints(kind))
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
        self._writer.write("findings", finding_table(self._groups.findings(commits)))
        self._writer.write("current", current_table(self._groups, commits, self._options))
        members = {name: state.members for name, state in self._groups.states.items()}
        self._writer.write("lag", lag_table(commits, members, self._options))


def _each_generation_once(groups: pa.Table, rebalances: pa.Table) -> pa.Table:
    """Return the rows without records that repeat a generation, because a static member was
    replaced in it.
    """
    same = pc.equal(rebalances.column("previous_generation"), rebalances.column("generation"))
    again = rebalances.filter(same).column("source_offset")
    if not len(again):
        return groups
    repeats = pc.is_in(groups.column("source_offset"), value_set=again)
    return groups.filter(pc.invert(repeats))
