"""Units of several clusters in one audit: each says which cluster it is of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from .interface import Unit

__all__ = ["OfCluster", "of_cluster"]


class OfCluster(NamedTuple):
    """A unit, and the id of its cluster."""

    unit: Unit
    cluster: str

    @property
    def size(self) -> int:
        """How much there is to read."""
        return self.unit.size

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield its records, as of this cluster."""
        yield from self.unit.tables(cluster_id)

    def __getattr__(self, name: str) -> Any:
        if name in {"account", "lacks", "files"}:  # what some units have
            return getattr(self.unit, name)
        raise AttributeError(name)


def of_cluster(units: Iterable[Unit], cluster: str) -> list[OfCluster]:
    """Return the units as those of a cluster."""
    return [OfCluster(unit, cluster) for unit in units]
