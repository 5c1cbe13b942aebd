"""An audit in this process: one unit after the other, with threads that read ahead and encode.

A task elsewhere audits its units in the same way, without threads.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import groupby
from typing import NamedTuple

import msgspec
import pyarrow as pa

from ..groups.intake import Batch, Counts, Intake
from ..groups.options import EVERY_GROUP, Options, Share
from ..groups.partition import audited_batches
from ..sources.broker import one_session
from ..sources.segments.segment_units import SegmentUnit
from ..sources.units import Unit
from ..tables.publishing import Destination
from ..tables.writing import WrittenFile

__all__ = ["UnitResult", "audit_units", "in_process"]

_MANY = 500_000  # records
_SMALL = 20_000  # records; an audit with fewer takes the next unit, too
_FEW = 4_096  # rows of a table


def in_process(
    units: Sequence[Unit],
    destination: Destination,
    options: Options,
    *,
    share: Share = EVERY_GROUP,
    in_threads: bool = True,
) -> Iterator[UnitResult]:
    """Audit a share of the groups of one unit after the other, several small ones together, and
    yield the results. The last has the files: they are of all units together, for many small ones
    take long to write and to read. Raises OSError where a unit cannot be read.

    `in_threads` is whether a thread reads ahead and another one encodes files.
    """
    read = _read(units, options, share)
    if in_threads and all(isinstance(unit, SegmentUnit) and unit.is_local for unit in units):
        read = _ahead(read)
    # Closed here: the reader's thread may be the one that collects it as garbage, and waits for
    # itself then.
    with closing(read), one_session(), destination.writer(in_thread=in_threads) as writer:
        for intake, parts in groupby(read, lambda part: part.intake):
            batches = (part.batch for part in parts if part.batch is not None)
            for name, rows in audited_batches(batches, intake):
                writer.write(name, rows)
            if intake.counts.read > _MANY:  # else the next one needs what Arrow keeps
                pa.default_memory_pool().release_unused()
            yield UnitResult([], intake.counts)
        yield UnitResult(writer.written(), Counts())


def audit_units(
    units: Sequence[Unit], destination: Destination, options: Options, share: Share = EVERY_GROUP
) -> UnitResult:
    """Do the same without threads, and return the files and the counts of all units."""
    files, counts = [], Counts()
    for result in in_process(units, destination, options, share=share, in_threads=False):
        files += result.files
        counts.add(result.counts)
    return UnitResult(files, counts)


class UnitResult(msgspec.Struct):
    """The result of some units: files that wait to be published, and the counts; `lost` is why
    their cluster, of several, cannot be read to its end, and its name."""

    files: list[WrittenFile]
    counts: Counts
    lost: tuple[str, str] | None = None


class _Part(NamedTuple):
    """What is read for an audit: each batch, and nothing once before all of them, for there may be
    none."""

    intake: Intake
    batch: Batch | None = None


class _Reading:
    """What is read for one audit: tables of one unit, or of several small ones."""

    def __init__(self, options: Options, share: Share) -> None:
        self.intake = Intake(options, share=share)
        self._held: list[pa.Table] = []
        self._held_rows = 0
        self._rows = 0
        self._is_placed = True

    @property
    def has_room(self) -> bool:
        """Whether the next unit can be part of it. Groups are judged at the time that their
        partition has reached, so that one without a number is alone."""
        return self._rows < _SMALL and self._is_placed

    def take(self, table: pa.Table) -> Iterator[_Part]:
        """Take a table, and yield what is large enough by now."""
        if self._held and self._held[0].schema != table.schema:  # of another kind of source
            yield from self.rest()
        self._held.append(table)
        self._rows += table.num_rows
        self._held_rows += max(table.num_rows, 1)
        self._is_placed &= not table.column("source_partition").null_count
        if self._held_rows >= _FEW:
            yield from self.rest()

    def rest(self) -> Iterator[_Part]:
        """Yield what has been taken since."""
        held, self._held, self._held_rows = self._held, [], 0
        if held:
            table = held[0] if len(held) == 1 else pa.concat_tables(held).combine_chunks()
            for batch in self.intake.batches([table]):
                yield _Part(self.intake, batch)


def _read(units: Sequence[Unit], options: Options, share: Share) -> Generator[_Part, None, None]:
    """Yield what is read of the units. Small ones of a cluster share an audit: one more costs as
    much as thousands of records, and so does one more table."""
    reading: _Reading | None = None
    for unit in units:
        of_unit = options.of(unit)
        if reading is None or reading.intake.options is not of_unit or not reading.has_room:
            if reading is not None:
                yield from reading.rest()
            reading = _Reading(of_unit, share)
            yield _Part(reading.intake)
        for table in unit.tables(of_unit.cluster_id):
            yield from reading.take(table)
    if reading is not None:
        yield from reading.rest()


def _ahead(parts: Iterator[_Part]) -> Generator[_Part, None, None]:
    """Yield the parts, the next of which a thread reads meanwhile. Reading must not wait for long:
    whoever closes this waits for the thread.
    """
    with ThreadPoolExecutor(1, "kproto-reader") as thread:
        following = thread.submit(_next_decoded, parts)
        while (part := following.result()) is not None:
            following = thread.submit(_next_decoded, parts)
            yield part


def _next_decoded(parts: Iterator[_Part]) -> _Part | None:
    """Return the next part with its records decoded; None where there is none."""
    part = next(parts, None)
    if part is None or part.batch is None:
        return part
    return part._replace(batch=part.batch._replace(kinds=[*part.batch.kinds]))
