"""The audit of a stream of records, wherever they come from and wherever it runs.

`audited` is the one function: tables of records in, rows of the audit's tables out. In process it
is called directly (`audit_unit`); on Spark by each task, which writes files (`on_spark`) or returns
the rows (`on_frames`).
"""

from __future__ import annotations

import ctypes
import gc
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TypeAlias

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
from ..tables.writing import WrittenFile
from .commit_sums import lag_table
from .group_tables import current_table, finding_table
from .groups import CLASSIC, Groups
from .intake import COMMITS, Counts, Intake
from .options import EVERY_GROUP, Options, Share

__all__ = ["Rows", "UnitResult", "audit_unit", "audited"]

Rows: TypeAlias = tuple[str, pa.Table]
"""The name of a table, and rows of it."""

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE = 1 << 21  # bytes
_MANY = 200_000  # objects made between two looks for cycles


class UnitResult(msgspec.Struct):
    """The result of a unit: files that wait to be published, and the counts."""

    files: list[WrittenFile]
    counts: Counts


def audit_unit(
    unit: Unit, destination: Destination, options: Options, share: Share = EVERY_GROUP
) -> UnitResult:
    """Read a unit to its end, stage the tables of a share of its groups, and return their files.
    Raises OSError where it cannot be read.
    """
    chosen, counts = options.of(unit), Counts()
    with destination.writer() as writer:
        tables = unit.tables(chosen.cluster_id)
        for name, rows in audited(tables, chosen, counts, share):
            writer.write(name, rows)
        return UnitResult(writer.written(), counts)


def audited(
    tables: Iterable[pa.Table],
    options: Options,
    counts: Counts,
    share: Share = EVERY_GROUP,
    latest: Mapping[int, int] | None = None,
) -> Iterator[Rows]:
    """Yield rows of the tables of an audit, for records of a cluster.

    `tables` are those of `record_table`; a group's records are all there, in the order of the log.
    Records of other groups may be in between. `counts` is filled in, and complete at the end.
    `latest` is the latest time of each partition in milliseconds since 1970, where the records are
    not all of their partitions. Raises `KprotoError` where a record is missing.
    """
    _large_blocks_go_back()
    task = _Task(options, Intake(options, counts, share))
    with _seldom_collected():
        for records in tables:
            yield from task.take(records)
        yield from task.end(latest or {})
    counts.check()


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
    def __init__(self, options: Options, intake: Intake) -> None:
        self._options = options
        self._intake = intake
        self._groups = Groups(options)
        self._commits = CommitSummary()

    def take(self, rows: pa.Table) -> Iterator[Rows]:
        wanted, problems = self._intake.chosen(rows)
        yield "quarantine", problems
        self._groups.deletions(wanted)
        for found in self._intake.kinds(wanted):
            if isinstance(found, Kind):
                yield from self._kind(found)
            else:
                self._groups.refuse(found)
                yield "quarantine", found

    def _kind(self, kind: Kind) -> Iterator[Rows]:
        yield "records", record_rows(kind)
        if kind.type.number in COMMITS:
            offsets = offset_rows(kind)
            self._commits.add(offsets)
            yield "offsets", offsets
        elif kind.type.number == CLASSIC:
            yield from self._classic(kind)
        else:
            incarnations, _ = self._groups.take(kind)
            yield from broker_assigned_rows(kind, incarnations).items()

    def _classic(self, kind: Kind) -> Iterator[Rows]:
        incarnations, rebalances = self._groups.take(kind, fingerprints(kind))
        tables = classic_rows(kind, incarnations)
        tables["groups"] = _each_generation_once(tables["groups"], rebalances)
        yield from tables.items()
        yield "deviations", deviation_rows(tables["members"])
        yield "rebalances", rebalances

    def end(self, latest: Mapping[int, int]) -> Iterator[Rows]:
        for partition, time in (*self._intake.latest.items(), *latest.items()):
            self._groups.at(time, partition)
        commits = self._commits.table()
        self._groups.catch_up()
        yield "findings", finding_table(self._groups.findings(commits))
        yield "current", current_table(self._groups, commits, self._options)
        members = {name: state.members for name, state in self._groups.states.items()}
        yield "lag", lag_table(commits, members, self._options)


def _each_generation_once(groups: pa.Table, rebalances: pa.Table) -> pa.Table:
    """Return the rows without records that repeat a generation, because a static member was
    replaced in it.
    """
    same = pc.equal(rebalances.column("previous_generation"), rebalances.column("generation"))
    again = rebalances.filter(same)
    if not again.num_rows:
        return groups
    repeats = set(_places(again))
    return groups.filter(pa.array([place not in repeats for place in _places(groups)]))


def _places(rows: pa.Table) -> Iterator[tuple[int | None, int]]:
    """Return partition and offset of each row: a table may have several partitions."""
    names = ("source_partition", "source_offset")
    return zip(*(rows.column(name).to_pylist() for name in names), strict=True)
