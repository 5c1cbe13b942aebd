"""The records of a source: those that are asked for, those that cannot be read, and how many.

An audit that runs once and one that follows a broker take in records here, so that both count and
quarantine the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import KprotoError
from ..tables.reading import Kind, quarantined_problems, read_kinds
from .options import Options

__all__ = ["COMMITS", "Counts", "Intake"]

COMMITS = (0, 1)
"""The record types of commits."""


class Counts(msgspec.Struct):
    """How many records were read, and where they went. `damages` are stretches of bytes without a
    readable record.
    """

    read: int = 0
    written: int = 0
    quarantined: int = 0
    not_wanted: int = 0
    damages: int = 0
    latest: int = -1
    """The time of the latest record, in milliseconds since 1970."""

    def said(self) -> dict[str, int]:
        """Return the counts by their names."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "latest"}

    def check(self) -> None:
        """Raise `KprotoError` where the counts do not add up: a record is missing."""
        if self.read != self.written + self.quarantined + self.not_wanted:
            raise KprotoError(
                f"{self.read:,} records were read, and {self.written:,} written, "
                f"{self.quarantined:,} quarantined, {self.not_wanted:,} not asked for: "
                "that is no balance, and nothing is published"
            )

    def add(self, other: Counts) -> None:
        """Add the counts of another unit."""
        for name in self.said():
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.latest = max(self.latest, other.latest)


class Intake:
    """Takes in tables of records, and counts them."""

    def __init__(self, options: Options) -> None:
        self.counts = Counts()
        self._options = options

    def chosen(self, rows: pa.Table) -> tuple[pa.Table, pa.Table]:
        """Return the records of groups that are asked for, and rows of `quarantine` for what the
        source could not read.
        """
        unreadable = rows.column("problem").is_valid()
        problems = rows.slice(0, 0)
        if pc.any(unreadable).as_py():
            problems, rows = rows.filter(unreadable), rows.filter(pc.invert(unreadable))
        wanted = self._options.wanted(rows)
        self.counts.damages += problems.num_rows
        self.counts.read += rows.num_rows
        self.counts.not_wanted += rows.num_rows - wanted.num_rows
        return wanted, quarantined_problems(problems)

    def kinds(self, wanted: pa.Table) -> Iterator[Kind | pa.Table]:
        """Yield chosen records type by type, and rows of `quarantine` for those that cannot be
        read; nothing that is empty.
        """
        for found in read_kinds(wanted):
            refused = found.refused if isinstance(found, Kind) else found
            if refused.num_rows:
                self.counts.quarantined += refused.num_rows
                yield refused
            if isinstance(found, Kind) and found.rows.num_rows:
                self.counts.written += found.rows.num_rows
                yield found
