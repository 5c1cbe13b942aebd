"""The audit of a stream of records, wherever they come from and wherever it runs.

`audited` is the one function: tables of records in, rows of the audit's tables out. In process it
is called directly (`audit_unit`); on Spark by each task, which writes files (`on_spark`) or returns
the rows (`on_frames`).
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import msgspec
import pyarrow as pa

from ...garbage import seldom_collected
from ..sources.interface import Unit
from ..sources.segments.source import SegmentUnit
from ..tables.publishing import Destination
from ..tables.writing import WrittenFile
from .group_audit import GroupAudit, Rows
from .intake import Counts, Intake
from .options import EVERY_GROUP, Options, Share

__all__ = ["UnitResult", "audit_unit", "audited"]

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE = 1 << 21  # bytes


class UnitResult(msgspec.Struct):
    """The result of a unit: files that wait to be published, and the counts."""

    files: list[WrittenFile]
    counts: Counts


def audit_unit(
    unit: Unit,
    destination: Destination,
    options: Options,
    share: Share = EVERY_GROUP,
    *,
    in_threads: bool = False,
) -> UnitResult:
    """Read a unit to its end, stage the tables of a share of its groups, and return their files.
    Raises OSError where it cannot be read.

    `in_threads` is whether a thread reads ahead and another one encodes files: not in a task, whose
    core is all that it is given.
    """
    chosen, counts = options.of(unit), Counts()
    with destination.writer(in_thread=in_threads) as writer:
        tables = unit.tables(chosen.cluster_id)
        if in_threads and isinstance(unit, SegmentUnit) and unit.is_local:
            tables = _read_ahead(tables)
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
    intake, audit = Intake(options, counts, share), GroupAudit(options)
    with seldom_collected():
        for records in tables:
            wanted, problems = intake.chosen(records)
            yield "quarantine", problems
            audit.groups.deletions(wanted)
            yield from audit.take(intake.kinds(wanted))
        for partition, time in (*intake.latest.items(), *(latest or {}).items()):
            audit.groups.at(time, partition)
        yield from audit.judged()
        yield "lag", audit.lag()
    counts.check()


def _read_ahead(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Yield the tables, the next of which a thread reads meanwhile. Reading must not wait for
    long: whoever closes this waits for the thread.
    """
    with ThreadPoolExecutor(1, "kproto-reader") as thread:
        following = thread.submit(next, tables, None)
        while (table := following.result()) is not None:
            following = thread.submit(next, tables, None)
            yield table


@cache
def _large_blocks_go_back() -> None:
    """From now on large blocks are not taken from the heap, where the C library is glibc's.

    The columns of a batch are made at the size that they could have at most, and shrunk. glibc puts
    such blocks into its heap once it has seen some, up to 32 MB, and what stays between them keeps
    the rest: a process that audits partitions would grow to half as much again.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
