"""Each record once, where a table has several copies of it."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ...columnar.arrays import column
from .table_files import NEEDED
from .table_records import PLACES

__all__ = ["Copies", "once"]

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
    again = _same(later, earlier, PLACES)
    if not pc.any(again).as_py():
        return rows
    again = pa.concat_arrays([pa.array([False]), again])
    copies = pa.concat_arrays([pa.array([False]), _same(later, earlier, NEEDED, nulls=True)])
    conflicts = rows.filter(pc.and_(again, pc.invert(copies)))
    place = rows.schema.get_field_index("problem")
    problem = pa.repeat(pa.scalar(_OTHER, pa.string()), conflicts.num_rows)
    conflicts = conflicts.set_column(place, rows.schema.field("problem"), problem)
    return pa.concat_tables([rows.filter(pc.invert(again)), conflicts])


def _same(
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
