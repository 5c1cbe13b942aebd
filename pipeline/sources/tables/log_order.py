"""Records in the order of the log: each once, and with a time where one can be known.

A commit has its commit's time, and the record of a classic group the moment when it came into its
state (a few milliseconds before the record, as measured). What states none has the time of the
record before it in its partition, and before the first one that is known, of that: so it keeps its
place, and nothing seems to have been quiet for years.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ....capture.segments.offsets_topic import record_types
from ....capture.segments.records import LAST_TIME
from ...columnar import decode_column
from ...columnar.arrays import column
from ..record_table import TIMESTAMP
from .table_files import NEEDED
from .table_records import PLACES

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
        codes = column(rows, _PARTITION).dictionary_encode("encode")
        numbers = codes.indices.to_numpy()
        if np.any(numbers[1:] < numbers[:-1]):
            order = np.argsort(numbers, kind="stable")
            rows, numbers = rows.take(pa.array(order)), numbers[order]
        starts = np.searchsorted(numbers, np.arange(len(codes.dictionary) + 1))
        return rows.set_column(
            place, RECORD_TIME, self._carried(rows, codes.dictionary.to_pylist(), starts)
        )

    def _carried(self, rows: pa.Table, partitions: Sequence[int | None], starts: Any) -> pa.Array:
        """Return the times of rows by partition, each of which begins at a start, and the last one
        ends at the last."""
        times = column(rows, "record_timestamp")
        count = len(times)
        sizes, places = np.diff(starts), np.arange(count)
        is_valid = times.is_valid().to_numpy(zero_copy_only=False)
        before = np.maximum.accumulate(np.where(is_valid, places, -1))
        after = np.minimum.accumulate(np.where(is_valid, places, count)[::-1])[::-1]
        known = pa.array([self._last.get(partition) for partition in partitions], TIMESTAMP)
        carried = pc.coalesce(
            times.take(_where(before >= np.repeat(starts[:-1], sizes), before)),
            known.take(pa.array(np.repeat(np.arange(len(partitions)), sizes))),
            times.take(_where(after < np.repeat(starts[1:], sizes), after)),
        )
        lasts = carried.take(pa.array(starts[1:] - 1)).to_pylist()
        self._last |= zip(partitions, lasts, strict=True)
        return carried


def _where(mask: Any, numbers: Any) -> pa.Array:
    """The numbers where the mask is true, else null."""
    return pa.array(numbers, pa.int64(), mask=~mask)


RECORD_TIME = pa.field("record_timestamp", TIMESTAMP)


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


_OTHER = "another record has the same partition and offset"


class Copies:
    """Passes on rows in the order of the log, which come in several tables, each record once."""

    def __init__(self) -> None:
        self._last: pa.Table | None = None

    def once(self, rows: pa.Table) -> pa.Table:
        """Return the rows of the next table that are no copies; see `once`."""
        if not rows.num_rows:
            return rows
        previous, self._last = self._last, rows.slice(rows.num_rows - 1)
        return once(rows) if previous is None else once(pa.concat_tables([previous, rows])).slice(1)


def once(rows: pa.Table) -> pa.Table:
    """Return each record once, however many copies there are of it; another one at the same offset
    is a problem: two clusters, or a topic that was made anew. Without a partition no copy is known.
    """
    later, earlier = rows.slice(1), rows.slice(0, max(rows.num_rows - 1, 0))
    again = _is_same(later, earlier, PLACES)
    if not pc.any(again).as_py():
        return rows
    again = pa.concat_arrays([pa.array([False]), again])
    copies = pa.concat_arrays([pa.array([False]), _is_same(later, earlier, NEEDED, nulls=True)])
    conflicts = rows.filter(pc.and_(again, pc.invert(copies)))
    place = rows.schema.get_field_index("problem")
    problem = pa.repeat(pa.scalar(_OTHER, pa.string()), conflicts.num_rows)
    conflicts = conflicts.set_column(place, rows.schema.field("problem"), problem)
    return pa.concat_tables([rows.filter(pc.invert(again)), conflicts])


def _is_same(
    table: pa.Table, theirs_table: pa.Table, names: Sequence[str], *, nulls: bool = False
) -> pa.Array:
    """Return where rows are equal in all of these columns; `nulls` says whether two nulls are
    equal.
    """
    result = pa.repeat(pa.scalar(True), table.num_rows)
    for name in names:
        mine, theirs = column(table, name), column(theirs_table, name)
        both_null = pc.and_(mine.is_null(), theirs.is_null())
        is_equal = pc.fill_null(pc.equal(mine, theirs), False)
        result = pc.and_(result, pc.or_(is_equal, both_null) if nulls else is_equal)
    return result
