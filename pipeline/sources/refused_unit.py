"""A source, or a file of one, that cannot be audited, beside others that have records: there is
nothing of the kind in it, or its cluster does not answer.

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
    """What was given, and why nothing of it is audited; the name of the cluster of which nothing
    is, None where other sources are of the same cluster."""

    source: str
    reason: str
    lost_cluster: str | None = None
    size: int = 0

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield the row that says so."""
        place = SourceColumns(self.lost_cluster or cluster_id, self.source, None)
        yield table_of(place, [{"value": b"", "problem": self.reason}])


def refused(source: str, error: Exception, lost_cluster: str | None = None) -> RefusedUnit:
    """Return the unit of what cannot be audited; the error's message may begin with the name."""
    reason = str(error)
    place = everywhere(source)
    for name in (source, place):
        reason = reason.removeprefix(f"{name}: ")
    is_skipped = isinstance(error, NotRecords)
    return RefusedUnit(place, f"skipped: {reason}" if is_skipped else reason, lost_cluster)
