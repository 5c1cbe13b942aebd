"""Rows of the table `rebalances`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..audit.rebalances import Rebalance
from ..columnar.arrays import column
from .reading import PLACE, Kind
from .schemas import TABLES, made

__all__ = ["RebalanceRows"]

_COMPARED = ("generation", "protocol", "members", *Rebalance._fields)
"""The columns of a record that was compared with the one before, but for those of its place."""


class RebalanceRows:
    """Collects rows for the records of one kind."""

    def __init__(self, cluster_id: str, kind: Kind) -> None:
        self.incarnations = np.zeros(kind.rows.num_rows, np.int32)
        """The incarnation of each record, tombstones included, as the caller finds them."""
        self._cluster_id = cluster_id
        self._kind = kind
        self._rows: dict[int, tuple[Any, ...]] = {}

    def add(
        self,
        number: int,
        generation: int,
        protocol: str | None,
        members: int,
        rebalance: Rebalance,
    ) -> None:
        """Add the row of the record with this number, which has so many members."""
        self._rows[number] = (generation, protocol, members, *rebalance)

    def table(self) -> pa.Table:
        """Return all rows, in the order of the records."""
        numbers = sorted(self._rows)
        placed = self._kind.rows.select([*PLACE, "group_id"])
        if len(numbers) < placed.num_rows:  # there are tombstones
            placed = placed.take(pa.array(numbers, pa.int64()))
        columns = {name: column(placed, name) for name in placed.column_names}
        columns["cluster_id"] = pa.repeat(pa.scalar(self._cluster_id), len(numbers))
        columns["incarnation"] = pa.array(self.incarnations[numbers])
        rows = [self._rows[number] for number in numbers]
        values = zip(*rows, strict=True) if rows else [()] * len(_COMPARED)
        for name, cells in zip(_COMPARED, values, strict=True):
            columns[name] = pa.array(cells, TABLES["rebalances"].field(name).type)
        return made("rebalances", len(numbers), columns)
