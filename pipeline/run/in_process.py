"""An audit in this process: one unit after the other, with threads that read ahead and encode.

A task elsewhere audits its units in the same way, without threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
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

_LARGE = 64 << 20  # bytes of a unit


def in_process(
    units: Sequence[Unit],
    destination: Destination,
    options: Options,
    *,
    share: Share = EVERY_GROUP,
    in_threads: bool = True,
) -> Iterator[UnitResult]:
    """Audit a share of the groups of one unit after the other, and yield the results. The last has
    the files: they are of all units together, for many small ones take long to write and to read.
    Raises OSError where a unit cannot be read.

    `in_threads` is whether a thread reads ahead and another one encodes files.
    """
    intakes = [Intake(options.of(unit), share=share) for unit in units]
    read = _read(units, intakes)
    if in_threads and all(isinstance(unit, SegmentUnit) and unit.is_local for unit in units):
        read = _ahead(read)
    with one_session(), destination.writer(in_thread=in_threads) as writer:
        for number, parts in groupby(read, lambda part: part.number):
            unit, intake = units[number], intakes[number]
            batches = (part.batch for part in parts if part.batch is not None)
            for name, rows in audited_batches(batches, intake):
                writer.write(name, rows)
            if unit.size > _LARGE:  # else the next one needs what Arrow keeps
                pa.default_memory_pool().release_unused()
            is_last = number == len(units) - 1
            yield UnitResult(writer.written() if is_last else [], intake.counts)


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
    """The result of some units: files that wait to be published, and the counts."""

    files: list[WrittenFile]
    counts: Counts


class _Part(NamedTuple):
    """What is read of the unit with a number: each batch, and nothing once before all of them, for
    there may be none."""

    number: int
    batch: Batch | None = None


def _read(units: Sequence[Unit], intakes: Sequence[Intake]) -> Iterator[_Part]:
    for number, (unit, intake) in enumerate(zip(units, intakes, strict=True)):
        yield _Part(number)
        for batch in intake.batches(unit.tables(intake.options.cluster_id)):
            yield _Part(number, batch)


def _ahead(parts: Iterator[_Part]) -> Iterator[_Part]:
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
