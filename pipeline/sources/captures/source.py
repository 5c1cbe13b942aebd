"""A packet capture, or a file of frames, as a source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from ..places import filesystem
from ..record_table import RECORDS
from . import is_capture, read_capture

__all__ = ["CapturedUnit", "captured_units"]


class CapturedUnit(NamedTuple):
    """A whole capture: one unit, for any connection may carry any group. It is read when the unit
    is made; what is held is what coordinators wrote."""

    source: str
    history: tuple[pa.Table, ...]
    size: int
    account: str
    lacks: frozenset[str] = frozenset({"commits", "targets"})
    """What rules may need and no frame says, or none that is decoded."""

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield its records."""
        place = RECORDS.get_field_index("cluster_id")
        for rows in self.history:
            named = pa.repeat(pa.scalar(cluster_id, pa.string()), rows.num_rows)
            yield rows.set_column(place, RECORDS.field(place), named)


def captured_units(source: str) -> list[CapturedUnit]:
    """Return the one unit of a capture; none where the file is something else. Raises NotRecords
    where nothing in it can be audited, and OSError where it cannot be read.
    """
    store, path = filesystem(source)
    if not is_capture(store, path):
        return []
    tables, account = read_capture(store, path)
    size = store.get_file_info(path).size
    return [CapturedUnit(source, tables, size, account)]
