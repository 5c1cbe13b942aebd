"""What every source gives: units, which can be read independently of each other.

Each source has a module of its own with a subclass of `Unit` and a function that returns the units
of a place:

    segments.source   log segments of the topic
    tables.source     tables of records that other programs have written
    captures.source   a packet capture, or a file of frames
    broker            a live broker
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import pyarrow as pa

__all__ = ["Unit", "accounts", "encodings", "lacked"]


class Unit(Protocol):
    """A partition of the topic, wherever it is; it can be pickled."""

    @property
    def size(self) -> int:
        """How much there is to read, compared with others of the source."""

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Return its records, in the order of the log: tables of `record_table`."""


def encodings(units: Iterable[Any]) -> dict[str, list[str]]:
    """Return how text is written in tables, and the files where it is so."""
    found: dict[str, list[str]] = {}
    for file in (one.file for unit in units for one in getattr(unit, "files", ())):
        if file.encoding is not None:
            found.setdefault(file.encoding, []).append(file.path)
    return found


def accounts(units: Iterable[Any]) -> list[str]:
    """Return what was made of captures, and what was not."""
    return [unit.account for unit in units if hasattr(unit, "account")]


def lacked(units: Iterable[Any]) -> frozenset[str]:
    """Return what rules may need and units cannot have."""
    return frozenset[str]().union(*(getattr(unit, "lacks", ()) for unit in units))
