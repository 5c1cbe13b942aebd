"""The records of a source: those that are asked for, those that cannot be read, and how many.

An audit that runs once and one that follows a broker take in records here, so that both count and
quarantine the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ...capture.segments.batches import TORN
from ...codec import KprotoError
from ..columnar.arrays import column
from ..tables.record_kinds import Kind, quarantined_problems, read_kinds
from .options import EVERY_GROUP, Options, Share

__all__ = ["Batch", "Counts", "Intake", "no_record"]


_NO_COUNTS = frozenset({"latest", "others", "torn"})
_MOST_NAMES = 10_000


class Counts(msgspec.Struct):
    """How many records were read, and where they went. `damages` are stretches of bytes without a
    readable record.
    """

    read: int = 0
    written: int = 0
    quarantined: int = 0
    not_wanted: int = 0
    damages: int = 0
    torn: int = 0
    """Of the damages, the ends of segments to which a broker still writes, or that were cut."""
    latest: int = -1
    """The time of the latest record, in milliseconds since 1970."""
    others: set[str] = set()
    """The names of groups that were not asked for, the first of many."""

    def said(self) -> dict[str, int]:
        """Return the counts by their names."""
        fields = (name for name in self.__struct_fields__ if name not in _NO_COUNTS)
        return {name: getattr(self, name) for name in fields}

    @property
    def unread(self) -> int:
        """The number of records, and of stretches of bytes, that could not be read although they
        should be."""
        return self.quarantined + self.damages - self.torn

    @property
    def are_of_nothing(self) -> bool:
        """Whether there was neither a record nor damage."""
        return not (self.read or self.damages)

    @property
    def are_of_other_things(self) -> bool:
        """Whether there was something, and not one record that can be read."""
        return not (self.written or self.not_wanted or self.are_of_nothing)

    def check(self) -> None:
        """Raise `KprotoError` where the counts do not add up: a record is missing."""
        if self.read != self.written + self.quarantined + self.not_wanted:
            raise KprotoError(
                f"{self.read:,} records were read, and {self.written:,} written, "
                f"{self.quarantined:,} quarantined, {self.not_wanted:,} not asked for: "
                "that is no balance, and nothing is published"
            )

    def add(self, counts: Counts) -> None:
        """Add the counts of another unit."""
        for name in self.said():
            setattr(self, name, getattr(self, name) + getattr(counts, name))
        self.torn += counts.torn
        self.latest = max(self.latest, counts.latest)
        self.others |= counts.others


def no_record(source: str, reason: str) -> str:
    """Return the line that refuses a source of other things, of which the first is not read for
    this reason."""
    return f"{source}: not one record of the offsets topic can be read; {reason}"


class Batch(NamedTuple):
    """What is in a table of records: those that are asked for, as they are and as `Intake.kinds`
    yields them, and rows of `quarantine` for what the source could not read.
    """

    wanted: pa.Table
    problems: pa.Table
    kinds: Iterable[Kind | pa.Table]


class Intake:
    """Takes in tables of records, and counts them."""

    def __init__(
        self, options: Options, counts: Counts | None = None, share: Share = EVERY_GROUP
    ) -> None:
        self.counts = Counts() if counts is None else counts
        self.latest: dict[int, int] = {}
        """The latest time of the records of each partition (-1: not known), of all shares and of
        groups that are not asked for, too; in milliseconds since 1970."""
        self.options = options
        self._share = share

    def batches(self, tables: Iterable[pa.Table]) -> Iterator[Batch]:
        """Yield what is in each table of records."""
        for rows in tables:
            chosen_rows, problems = self.chosen(rows)
            yield Batch(chosen_rows, problems, self.kinds(chosen_rows))

    def chosen(self, rows: pa.Table) -> tuple[pa.Table, pa.Table]:
        """Return the records of groups that are asked for, and rows of `quarantine` for what the
        source could not read.
        """
        unreadable = rows.column("problem").is_valid()
        problems = rows.slice(0, 0)
        if pc.any(unreadable).as_py():
            problems, rows = rows.filter(unreadable), rows.filter(pc.invert(unreadable))
        self._note_times(rows)
        problems, rows = self._share.of(problems), self._share.of(rows)
        chosen_rows = self.options.wanted(rows)
        self.counts.damages += problems.num_rows
        self.counts.torn += pc.sum(pc.equal(problems.column("problem"), TORN)).as_py() or 0
        self.counts.read += rows.num_rows
        self.counts.not_wanted += rows.num_rows - chosen_rows.num_rows
        if chosen_rows.num_rows < rows.num_rows and len(self.counts.others) < _MOST_NAMES:
            names = column(rows, "group_id").unique().to_pylist()
            self.counts.others |= {name for name in names if name and not self.options.wants(name)}
        return chosen_rows, quarantined_problems(problems)

    def _note_times(self, rows: pa.Table) -> None:
        for partition, time in _latest(rows):
            if time is not None:
                place = -1 if partition is None else partition
                self.latest[place] = max(self.latest.get(place, -1), time // 1000)
        self.counts.latest = max(self.latest.values(), default=-1)

    def kinds(self, chosen_rows: pa.Table) -> Iterator[Kind | pa.Table]:
        """Yield chosen records type by type, and rows of `quarantine` for those that cannot be
        read; nothing that is empty.
        """
        for kind_rows in read_kinds(chosen_rows):
            problems = kind_rows.refused if isinstance(kind_rows, Kind) else kind_rows
            if problems.num_rows:
                self.counts.quarantined += problems.num_rows
                yield problems
            if isinstance(kind_rows, Kind) and kind_rows.rows.num_rows:
                self.counts.written += kind_rows.rows.num_rows
                yield kind_rows


def _latest(rows: pa.Table) -> list[tuple[int | None, int | None]]:
    """Return the partitions of the rows, and the latest time of each in microseconds."""
    times = column(rows, "record_timestamp").cast(pa.int64())
    partitions = column(rows, "source_partition")
    known_partitions = pc.unique(partitions).to_pylist()
    if len(known_partitions) == 1:  # of most sources: grouping would take longer than reading
        return [(known_partitions[0], pc.max(times).as_py())]
    latest_times = pa.table([partitions, times], ["partition", "time"]).group_by("partition")
    latest = latest_times.aggregate([("time", "max")])
    return list(
        zip(
            *(latest.column(name).to_pylist() for name in ("partition", "time_max")),
            strict=True,
        )
    )
