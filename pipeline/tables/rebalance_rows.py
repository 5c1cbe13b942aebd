"""Rows of the table `rebalances`: those of records that were read, and those of repetitions, which
are made in columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..audit import Place, Step
from ..audit.rebalances import MOST, NOTHING_NEW, Rebalance
from ..columnar.arrays import column
from .reading import PLACE, Kind
from .schemas import TABLES, made

__all__ = ["RebalanceRows"]


class _Repetition(NamedTuple):
    """The place of a record in its kind, the record before it, and the topics of both."""

    number: int
    previous_generation: int
    previous_timestamp: int
    topics: tuple[str, ...]


class RebalanceRows:
    """Collects rows for the records of one kind, which come in their order."""

    def __init__(self, cluster_id: str, kind: Kind) -> None:
        self._cluster_id = cluster_id
        self._kind = kind
        self._numbers: list[int] = []
        self._rows: list[dict[str, Any]] = []
        self._repetitions: list[_Repetition] = []

    def add(
        self, number: int, group_id: str, incarnation: int, step: Step, rebalance: Rebalance
    ) -> None:
        """Add the row of a record that was read and compared."""
        place = step.place
        self._numbers.append(number)
        self._rows.append(
            {
                "cluster_id": self._cluster_id,
                "source": place.source,
                "source_partition": place.known_partition,
                "source_offset": place.offset,
                "record_timestamp": None if place.timestamp < 0 else place.timestamp * 1000,
                "group_id": group_id,
                "incarnation": incarnation,
                "generation": step.generation,
                "protocol": step.protocol,
                "members": len(step.members),
                **rebalance._asdict(),
                "basis": rebalance.basis.value,
                "moves": [move._asdict() for move in rebalance.moves],
            }
        )

    def repeat(self, number: int, generation: int, before: Place, topics: tuple[str, ...]) -> None:
        """Add the row of a record that repeats the one of `generation`, whose place is `before`."""
        self._repetitions.append(_Repetition(number, generation, before.timestamp, topics))

    def table(self, incarnations: pa.Array) -> pa.Table:
        """Return all rows, in order. `incarnations` has one for each record of the kind."""
        rows = pa.Table.from_pylist(self._rows, TABLES["rebalances"])
        if not self._repetitions:
            return rows
        numbers, *columns = map(list, zip(*self._repetitions, strict=True))
        repeated = self._repeated(numbers, incarnations.take(pa.array(numbers)), *columns)
        order = np.argsort(np.array(self._numbers + numbers))
        return pa.concat_tables([rows, repeated.cast(rows.schema)]).take(pa.array(order))

    def _repeated(
        self,
        numbers: list[int],
        incarnations: pa.Array,
        generations: list[int],
        timestamps: list[int],
        topics: list[tuple[str, ...]],
    ) -> pa.Table:
        chosen = pa.array(numbers)
        kind = self._kind
        rows = kind.rows.select([*PLACE, "group_id"]).take(chosen)
        now = _milliseconds(column(rows, "record_timestamp"))
        since = kind.value("current_state_timestamp").take(chosen).to_numpy()
        generation = kind.value("generation").take(chosen)
        unrecorded = generation.to_numpy().astype(np.int64) - np.array(generations) - 1
        count = len(numbers)
        nothing: pa.Array = pa.array([[]] * count)
        return made(
            "rebalances",
            count,
            {
                "cluster_id": pa.repeat(pa.scalar(self._cluster_id), count),
                "source": column(rows, "source"),
                "source_partition": column(rows, "source_partition"),
                "source_offset": column(rows, "source_offset"),
                "record_timestamp": pa.array(
                    now * 1000, pa.timestamp("us", tz="UTC"), mask=now < 0
                ),
                "group_id": column(rows, "group_id"),
                "incarnation": incarnations,
                "generation": generation,
                "protocol": kind.value("protocol").take(chosen),
                "members": pc.list_value_length(kind.value("members")).take(chosen),
                "previous_generation": pa.array(generations),
                "unrecorded": pa.array(np.minimum(unrecorded, MOST)),
                "joined": nothing,
                "left": nothing,
                "moved": pa.repeat(NOTHING_NEW.moved, count),
                "moves": nothing,
                "cause": pa.repeat(NOTHING_NEW.cause, count),
                "basis": pa.repeat(NOTHING_NEW.basis.value, count),
                "topics": pa.array(topics, pa.list_(pa.string())),
                "sync_ms": _if_positive(now - since, since >= 0),
                "since_previous_ms": _if_positive(now - np.array(timestamps)),
            },
        )


def _milliseconds(times: pa.Array) -> Any:
    """Return milliseconds since 1970, -1 for none, as in `Place`."""
    known = times.cast(pa.int64()).fill_null(-1000).to_numpy()
    return known // 1000


def _if_positive(milliseconds: Any, known: Any = True) -> pa.Array:
    return pa.array(
        milliseconds, mask=(milliseconds < 0) | ~np.broadcast_to(known, milliseconds.shape)
    )
