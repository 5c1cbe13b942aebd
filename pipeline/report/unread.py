"""What an audit could not read, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...wording import counted
from ..run.audit import Audit

__all__ = ["unread_sentences"]


def unread_sentences(audit: Audit, most: int) -> Iterator[str]:
    """Yield where records could not be read and why, a sentence for the first `most` of files and
    reasons; how many more there are; and how many segments end too early. Nothing where all was
    read.
    """
    rows = [] if audit.unread is None else audit.unread.to_pylist()
    alike: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        place = row["source"], row["source_partition"], row["reason"]
        alike.setdefault(place, []).append(row)
    groups = list(alike.values())[:most]
    for first, *rest in groups:
        also = f", and {len(rest):,} more like it" if rest else ""
        yield f"not read: {_place(first)}{also}: {first['reason']}"
    if (left := audit.counts.unread - sum(map(len, groups))) > 0:
        yield f"{left:,} more could not be read: they are in the table quarantine"
    if torn := audit.counts.torn:
        ends = "1 segment ends" if torn == 1 else f"{counted(torn, 'segment')} end"
        yield f"{ends} inside a batch: a broker still writes to it, or the copy was cut"


def _place(row: dict[str, Any]) -> str:
    parts = [str(row["source"])]
    for name, column in (
        ("partition", "source_partition"), ("offset", "source_offset"), ("position", "position"),
    ):  # fmt: skip
        if row[column] is not None and row[column] >= 0:
            parts.append(f"{name} {row[column]}")
    return ", ".join(parts)
