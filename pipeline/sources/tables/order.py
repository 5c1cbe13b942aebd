"""Rows in the order of the log: each as soon as none can come before it, and copies once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...columnar.arrays import column
from .files import NEEDED
from .records import PLACES
from .scan import Lows, lowest

__all__ = ["behind", "in_order", "once", "ready"]

_NOTHING_BEHIND: Lows = {}
_OTHER = "another record has the same partition and offset"


def behind(parts: Sequence[Lows]) -> list[Lows]:
    """For each part, the lows of all that are behind it."""
    found = [_NOTHING_BEHIND]
    for lows in reversed(parts[1:]):
        found.append(lowest([found[-1], lows]))
    return found[::-1] if parts else []


def ready(rows: pa.Table, floors: Lows) -> pa.Array:
    """Return which rows have an offset below all that are still to come of their partition."""
    known, lows = pa.array(list(floors), pa.int32()), pa.array(list(floors.values()), pa.int64())
    floor = lows.take(pc.index_in(column(rows, "source_partition"), known))
    return pc.fill_null(pc.less(column(rows, "source_offset"), floor), True)


def in_order(rows: pa.Table) -> pa.Table:
    """By partition and offset; most rows are so already."""
    by_place = [(name, "ascending") for name in PLACES]
    order = pc.sort_indices(rows, sort_keys=by_place)
    if np.array_equal(order.to_numpy(), np.arange(rows.num_rows)):
        return rows
    return rows.take(order)


def once(rows: pa.Table) -> pa.Table:
    """Return each record once, however many copies there are of it; another one at the same offset
    is a problem: two clusters, or a topic that was made anew. Without a partition no copy is known.
    """
    here, before = rows.slice(1), rows.slice(0, max(rows.num_rows - 1, 0))
    again = _same(here, before, PLACES)
    if not pc.any(again).as_py():
        return rows
    again = pa.concat_arrays([pa.array([False]), again])
    copies = pa.concat_arrays([pa.array([False]), _same(here, before, NEEDED, nulls=True)])
    other = rows.filter(pc.and_(again, pc.invert(copies)))
    place = rows.schema.get_field_index("problem")
    told = pa.repeat(pa.scalar(_OTHER, pa.string()), other.num_rows)
    other = other.set_column(place, rows.schema.field("problem"), told)
    return pa.concat_tables([rows.filter(pc.invert(again)), other])


def _same(one: pa.Table, other: pa.Table, names: Sequence[str], *, nulls: bool = False) -> pa.Array:
    """Where rows have the same in all of these columns; two nulls are the same if so said."""
    found = pa.repeat(pa.scalar(True), one.num_rows)
    for name in names:
        mine, theirs = column(one, name), column(other, name)
        both = pc.and_(mine.is_null(), theirs.is_null())
        same = pc.fill_null(pc.equal(mine, theirs), False)
        found = pc.and_(found, pc.or_(same, both) if nulls else same)
    return found
