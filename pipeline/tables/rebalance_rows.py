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
        self._topics: list[tuple[str, ...]] = []

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
        self._topics += [topics] * len(numbers)

    def table(self) -> pa.Table:
        """Return all rows, in the order of the records."""
        numbers = np.array(self._numbers + self._repeated, np.int64)
        order = np.argsort(numbers)
        placed = self._kind.rows.select([*PLACE, "group_id"]).take(pa.array(numbers[order]))
        columns = {name: column(placed, name) for name in placed.column_names}
        columns["cluster_id"] = pa.repeat(pa.scalar(self._cluster_id), len(numbers))
        columns["incarnation"] = pa.array(self.incarnations[numbers[order]])
        found = self._of_read()
        if self._repeated:
            found = [*map(_joined, found, self._of_repeated())]
        places = pa.array(order)
        columns |= {name: values.take(places) for name, values in zip(_READ, found, strict=True)}
        return made("rebalances", len(numbers), columns)

    def _of_read(self) -> list[pa.Array]:
        columns = zip(*self._read, strict=True) if self._read else [()] * len(_READ)
        return [
            pa.array(values, TABLES["rebalances"].field(name).type)
            for name, values in zip(_READ, columns, strict=True)
        ]

    def _of_repeated(self) -> list[pa.Array]:
        count, kind, chosen = len(self._repeated), self._kind, pa.array(self._repeated)
        now = _milliseconds(column(kind.rows, "record_timestamp").take(chosen))
        since = kind.value("current_state_timestamp").take(chosen).to_numpy()
        generation = kind.value("generation").take(chosen)
        unrecorded = generation.to_numpy().astype(np.int64) - np.array(self._generations) - 1
        nothing: pa.Array = pa.array([[]] * count)
        columns = {
            "generation": generation,
            "protocol": kind.value("protocol").take(chosen),
            "members": pc.list_value_length(kind.value("members").take(chosen)),
            "previous_generation": pa.array(self._generations),
            "unrecorded": pa.array(np.minimum(unrecorded, MOST)),
            "joined": nothing,
            "left": nothing,
            "moved": pa.repeat(NOTHING_NEW.moved, count),
            "moves": nothing,
            "cause": pa.repeat(NOTHING_NEW.cause, count),
            "basis": pa.repeat(NOTHING_NEW.basis.value, count),
            "topics": pa.array(self._topics, pa.list_(pa.string())),
            "sync_ms": _if_positive(now - since, since >= 0),
            "since_previous_ms": _if_positive(now - np.array(self._timestamps)),
        }
        return [columns[name] for name in _READ]


def _joined(read: pa.Array, repeated: pa.Array) -> pa.Array:
    return pa.concat_arrays([read, repeated.cast(read.type)])


def _milliseconds(times: pa.Array) -> Any:
    """Return milliseconds since 1970, -1 for none, as in `Place`."""
    known = times.cast(pa.int64()).fill_null(-1000).to_numpy()
    return known // 1000


def _if_positive(milliseconds: Any, known: Any = True) -> pa.Array:
    return pa.array(
        milliseconds, mask=(milliseconds < 0) | ~np.broadcast_to(known, milliseconds.shape)
    )
