"""Rows of the table `rebalances`: those of records that were read, and those of repetitions, which
are made in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..audit import Step
from ..audit.rebalances import MOST, NOTHING_NEW, Rebalance
from ..columnar.arrays import column
from .reading import PLACE, Kind
from .schemas import TABLES, made

__all__ = ["RebalanceRows"]


_READ = ("generation", "protocol", "members", *Rebalance._fields)
"""The columns of a record that was read and compared, which are not those of its place."""


_OF_ALL = NOTHING_NEW._asdict()
"""What all repetitions say, as far as it is the same."""


class RebalanceRows:
    """Collects rows for the records of one kind."""

    def __init__(self, cluster_id: str, kind: Kind) -> None:
        self.incarnations = np.zeros(kind.rows.num_rows, np.int32)
        """The incarnation of each record, tombstones included, as the caller finds them."""
        self._cluster_id = cluster_id
        self._kind = kind
        self._numbers: list[int] = []
        self._read: list[tuple[Any, ...]] = []
        self._repeated: list[int] = []
        self._generations: list[int] = []
        self._timestamps: list[int] = []
        self._topics: list[tuple[tuple[str, ...], int]] = []

    def add(self, number: int, step: Step, rebalance: Rebalance) -> None:
        """Add the row of the record with this number, which was read and compared."""
        self._numbers.append(number)
        self._read.append((step.generation, step.protocol, len(step.members), *rebalance))

    def repeat(
        self,
        numbers: Sequence[int],
        generations: Sequence[int],
        timestamps: Sequence[int],
        topics: tuple[str, ...],
    ) -> None:
        """Add the rows of records that repeat the ones before them: of these the generations, the
        times in milliseconds, and the topics of all.
        """
        self._repeated += numbers
        self._generations += generations
        self._timestamps += timestamps
        self._topics.append((topics, len(numbers)))

    def table(self) -> pa.Table:
        """Return all rows, in the order of the records."""
        numbers = np.array(self._numbers + self._repeated, np.int64)
        places = np.argsort(numbers)
        chosen = numbers[places]
        placed = self._kind.rows.select([*PLACE, "group_id"])
        if len(chosen) < placed.num_rows:  # there are tombstones
            placed = placed.take(pa.array(chosen))
        columns = {name: column(placed, name) for name in placed.column_names}
        columns["cluster_id"] = pa.repeat(pa.scalar(self._cluster_id), len(chosen))
        columns["incarnation"] = pa.array(self.incarnations[chosen])
        read = zip(*self._read, strict=True) if self._read else [()] * len(_READ)
        repeated = self._of_repeated() if self._repeated else {}
        order, once = pa.array(places), pa.array(np.minimum(places, len(self._read)))
        for name, values in zip(_READ, read, strict=True):
            kind = TABLES["rebalances"].field(name).type
            if name in repeated:
                both = [pa.array(values, kind), repeated[name].cast(kind)]
                columns[name] = pa.concat_arrays(both).take(order)
            else:  # all repetitions have the same
                columns[name] = pa.array([*values, _OF_ALL.get(name)], kind).take(once)
        return made("rebalances", len(chosen), columns)

    def _of_repeated(self) -> dict[str, pa.Array]:
        kind, chosen = self._kind, pa.array(self._repeated, pa.int64())
        now = _milliseconds(column(kind.rows, "record_timestamp").take(chosen))
        since = kind.value("current_state_timestamp").take(chosen).to_numpy()
        generation = kind.value("generation").take(chosen)
        before = np.array(self._generations, np.int64)
        unrecorded = generation.to_numpy().astype(np.int64) - before - 1
        return {
            "generation": generation,
            "protocol": kind.value("protocol").take(chosen),
            "members": pc.list_value_length(kind.value("members")).take(chosen),
            "previous_generation": pa.array(before),
            "unrecorded": pa.array(np.minimum(unrecorded, MOST)),
            "topics": self._topics_of_repeated(),
            "sync_ms": _if_positive(now - since, since >= 0),
            "since_previous_ms": _if_positive(now - np.array(self._timestamps, np.int64)),
        }

    def _topics_of_repeated(self) -> pa.Array:
        kind = TABLES["rebalances"].field("topics").type
        lists = pa.array([topics for topics, _ in self._topics], kind)
        counts = [count for _, count in self._topics]
        return lists.take(pa.array(np.repeat(np.arange(len(counts)), counts)))


def _milliseconds(times: pa.Array) -> Any:
    """Return milliseconds since 1970, -1 for none, as in `Place`."""
    known = times.cast(pa.int64()).fill_null(-1000).to_numpy()
    return known // 1000


def _if_positive(milliseconds: Any, known: Any = True) -> pa.Array:
    return pa.array(milliseconds, mask=~((milliseconds >= 0) & known))
