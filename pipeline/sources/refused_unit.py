"""A source, or a file of one, in which there is nothing to audit, beside others that have records.

It is a unit with one row for the quarantine, so that the summary, the page and the manifest name
it, and the exit status counts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from .places import everywhere
from .record_table import NotRecords, SourceColumns, table_of

__all__ = ["RefusedUnit", "refused"]


class RefusedUnit(NamedTuple):
    """What was given, and why nothing of it is audited."""

    source: str
    reason: str
    size: int = 0

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield the row that says so."""
        place = SourceColumns(cluster_id, self.source, None)
        yield table_of(place, [{"value": b"", "problem": self.reason}])


def refused(source: str, refusal: NotRecords) -> RefusedUnit:
    """Return the unit of what was refused; its message may begin with the name."""
    reason = str(refusal)
    place = everywhere(source)
    for name in (source, place):
        reason = reason.removeprefix(f"{name}: ")
    return RefusedUnit(place, f"skipped: {reason}")
