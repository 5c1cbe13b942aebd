"""What an audit could not read: parts of its sources, and whole clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...inspector.shapes.checks import NotRead
from ...wording import counted
from ..run.audit import Audit

__all__ = ["lost_clusters", "not_read", "unread_sentences"]


def not_read(audit: Audit) -> list[NotRead]:
    """Return a row for each reason why a part of a source could not be read: the first place that
    has it, and how many have."""
    rows = [] if audit.unread is None else audit.unread.to_pylist()
    rows_by_reason: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        place = row["cluster_id"], row["source"], row["source_partition"], row["reason"]
        rows_by_reason.setdefault(place, []).append(row)
    return [
        NotRead(
            cluster=first["cluster_id"],
            source=first["source"],
            partition=_number(first["source_partition"]),
            offset=_number(first["source_offset"]),
            position=_number(first["position"]),
            reason=first["reason"],
            count=1 + len(rest),
        )
        for first, *rest in rows_by_reason.values()
    ]


def lost_clusters(audit: Audit) -> dict[str, str]:
    """Return the clusters that were asked for and are not audited, with where they are and why."""
    return {
        part.cluster: f"{part.source}: {part.reason}"
        for part in not_read(audit)
        if part.cluster is not None and part.cluster not in audit.clusters
    }


def unread_sentences(audit: Audit, most: int) -> Iterator[str]:
    """Yield where records could not be read and why, a sentence for the first `most` of files and
    reasons; how many more there are; and how many segments end too early. Nothing where all was
    read.
    """
    reasons = lost_clusters(audit)
    parts = [part for part in not_read(audit) if part.cluster not in reasons]
    for part in parts[:most]:
        also = f", and {part.count - 1:,} more like it" if part.count > 1 else ""
        yield f"not read: {_place(part)}{also}: {part.reason}"
    number = len(reasons) + sum(part.count for part in parts[:most])
    if (left := audit.counts.unread - number) > 0:
        yield f"{left:,} more could not be read: they are in the table quarantine"
    if torn := audit.counts.torn:
        ends = "1 segment ends" if torn == 1 else f"{counted(torn, 'segment')} end"
        yield f"{ends} inside a batch: a broker still writes to it, or the copy was cut"


def _number(value: int | None) -> int | None:
    return None if value is None or value < 0 else value


def _place(part: NotRead) -> str:
    numbers = (("partition", part.partition), ("offset", part.offset), ("position", part.position))
    positions = [f"{name} {number}" for name, number in numbers if number is not None]
    return ", ".join([part.source, *positions])
