"""Units: the parts of a source, which can be read independently of each other.

Each source has a module of its own with a subclass of `Unit` and a function that returns the units
of a place:

    segments.segment_units  log segments of the topic
    tables.table_units      tables of records that other programs have written
    captures.source         a packet capture, or a file of frames
    broker                  a live broker
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from ...codec import KprotoError
from .tables.table_files import PRINTED

__all__ = [
    "ClusterLost",
    "OfCluster",
    "Unit",
    "accounts",
    "encodings",
    "lacked",
    "of_cluster",
    "unjudged",
]


class Unit(Protocol):
    """A part of a source that is audited by itself: a partition of the topic, wherever it is. It
    can be pickled.

    A unit may also have `account` (what was read of a capture, in words), `lacks` (inputs of rules
    that it cannot have), `unjudged` (groups without a record) and `files` (of a source of tables).
    """

    @property
    def size(self) -> int:
        """How much there is to read, compared with other units of the source."""

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Return its records, in the order of the log: tables of `record_table`."""


def encodings(units: Iterable[Any]) -> dict[str, list[str]]:
    """Return the encodings of text in tables, and the files that have each; the records that a tool
    has printed have none."""
    files: dict[str, list[str]] = {}
    for file in (scanned.file for unit in units for scanned in getattr(unit, "files", ())):
        if file.encoding is not None and file.form != PRINTED:
            files.setdefault(file.encoding, []).append(file.path)
    return files


def accounts(units: Iterable[Any]) -> list[str]:
    """Return the accounts of captures: what was read of each, and what was not."""
    return [unit.account for unit in units if hasattr(unit, "account")]


def unjudged(units: Iterable[Any]) -> dict[str, str]:
    """Return the groups that captures name and of which they have no record, with their kind and
    state."""
    return dict(pair for unit in units for pair in getattr(unit, "unjudged", ()))


def lacked(units: Iterable[Any]) -> frozenset[str]:
    """Return the inputs of rules that one of the units cannot have."""
    return frozenset[str]().union(*(getattr(unit, "lacks", ()) for unit in units))


class ClusterLost(KprotoError):
    """Raised where a cluster, of several, cannot be read to its end."""

    def __init__(self, reason: str, cluster: str = "") -> None:
        super().__init__(reason)
        self.cluster = cluster


class OfCluster(NamedTuple):
    """A unit, and the id of its cluster, of several."""

    unit: Unit
    cluster: str

    @property
    def size(self) -> int:
        """How much there is to read."""
        return self.unit.size

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield its records, as of this cluster. Raises ClusterLost where it cannot be read."""
        try:
            yield from self.unit.tables(cluster_id)
        except (KprotoError, OSError) as error:
            raise ClusterLost(str(error), self.cluster) from error

    def __getattr__(self, name: str) -> Any:
        if name in {"account", "lacks", "unjudged", "files"}:  # what some units have
            return getattr(self.unit, name)
        raise AttributeError(name)


def of_cluster(units: Iterable[Unit], cluster: str) -> list[OfCluster]:
    """Return the units as those of a cluster."""
    return [OfCluster(unit, cluster) for unit in units]
