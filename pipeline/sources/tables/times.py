"""Times of records that have none, from the times that their values contain.

A commit has its commit's time, and the record of a classic group the moment when it came into its
state (a few milliseconds before the record, as measured). What states none has the time of the
record before it in its partition, and before the first one that is known, of that: so it stands in
its order, and nothing seems to have been quiet for years.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ....capture.last_time import LAST_TIME
from ....capture.segments.offsets_topic import record_types
from ...columnar import decode_column
from ...columnar.arrays import column
from ..record_table import TIMESTAMP

__all__ = ["Times"]

_STATED = {0: "commit_timestamp", 1: "commit_timestamp", 2: "current_state_timestamp"}
_PARTITION = "source_partition"


class Times:
    """Fills in times, table by table, each in the order of the log within a partition."""

    def __init__(self) -> None:
        self._last: dict[int | None, Any] = {}

    def filled(self, rows: pa.Table) -> pa.Table:
        """Return the rows, partition by partition, with a time wherever one is known."""
        times = column(rows, "record_timestamp")
        if not times.null_count:
            return rows
        place = rows.schema.get_field_index("record_timestamp")
        rows = rows.set_column(place, RECORD_TIME, pc.coalesce(times, _stated(rows)))
        parts = []
        for number in pc.unique(column(rows, _PARTITION)).to_pylist():
            mine = rows.filter(_is(rows, number))
            parts.append(mine.set_column(place, RECORD_TIME, self._carried(mine, number)))
        return pa.concat_tables(parts)

    def _carried(self, rows: pa.Table, number: int | None) -> pa.Array:
        times = column(rows, "record_timestamp")
        previous = pa.array([self._last.get(number)], TIMESTAMP)
        carried = pc.fill_null_forward(pa.concat_arrays([previous, times]))
        self._last[number] = carried[-1].as_py()
        return pc.fill_null_backward(carried)[1:]


RECORD_TIME = pa.field("record_timestamp", TIMESTAMP)


def _is(rows: pa.Table, number: int | None) -> Any:
    partitions = column(rows, _PARTITION)
    return partitions.is_null() if number is None else pc.equal(partitions, number)


def _stated(rows: pa.Table) -> pa.Array:
    types, values = column(rows, "record_type"), column(rows, "value")
    times = pa.nulls(rows.num_rows, TIMESTAMP)
    for number, field in _STATED.items():
        mine = pc.fill_null(pc.equal(types, number), False)
        only = pc.if_else(mine, values, pa.scalar(None, pa.binary()))
        decoded_values = decode_column(only, record_types()[number].value)
        millis = pc.struct_field(decoded_values, ["message", field])
        is_in_range = pc.and_(pc.greater_equal(millis, 0), pc.less_equal(millis, LAST_TIME))
        stated = pc.if_else(is_in_range, millis, pa.scalar(None, pa.int64()))
        times = pc.coalesce(times, pc.multiply(stated, 1000).cast(TIMESTAMP))
    return times
