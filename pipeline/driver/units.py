"""What a source is made of: units that can be read by themselves, one a partition of the topic."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import pyarrow as pa

from ..segment_files import Split, filesystem, plan
from ..segment_tables import read_split

__all__ = ["SPLIT_BYTES", "SegmentUnit", "Unit", "cluster_of", "units_of"]

SPLIT_BYTES = 256 << 20


class Unit(Protocol):
    """A partition of the topic, wherever it is; it can be pickled."""

    @property
    def size(self) -> int:
        """How much there is to read, compared with others of the source."""

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Its records, in the order of the log: tables of `record_table`."""


class SegmentUnit(NamedTuple):
    """A partition in log segments: its splits, in order."""

    source: str
    splits: tuple[Split, ...]
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Its records. Raises OSError."""
        store, _ = filesystem(self.source)
        for split in self.splits:
            yield from read_split(store, split, cluster_id)


def units_of(source: str) -> list[SegmentUnit]:
    """The units of a folder, file or URI, the largest first, so that no task begins late with much
    to do. Raises FileNotFoundError."""
    by_partition: dict[object, list[Split]] = {}
    for split in plan(source, SPLIT_BYTES):
        key = split.partition
        home = str(Path(split.ranges[0].path).parent) if key is None else key
        by_partition.setdefault(home, []).append(split)
    units = [
        SegmentUnit(
            source,
            tuple(splits),
            sum(part.end - part.start for one in splits for part in one.ranges),
        )
        for splits in by_partition.values()
    ]
    return sorted(units, key=lambda unit: -unit.size)


def cluster_of(source: str) -> str | None:
    """The cluster's id, where a broker's own folder says it."""
    if "://" in source:
        return None
    path = Path(source)
    for folder in (path, path.parent, path.parent.parent):
        try:
            text = (folder / "meta.properties").read_text("utf-8", "replace")
        except OSError:
            continue
        for line in text.splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "cluster.id" and value.strip():
                return value.strip()
    return None
