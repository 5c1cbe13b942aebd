"""Log segments of the offsets topic as a source."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow import fs

from ....capture.segments.batches import read_batches
from ....capture.segments.segment_files import OFFSETS_TOPIC
from ....capture.summary import Summary
from ..places import everywhere, filesystem
from ..record_table import NotRecords
from .files import FileRange, Split, open_range, plan
from .split_reader import read_split

__all__ = ["SegmentUnit", "file_units", "folder_units"]

SPLIT_BYTES = 256 << 20


class SegmentUnit(NamedTuple):
    """A partition in log segments: its splits, in order."""

    source: str
    splits: tuple[Split, ...]
    size: int

    @property
    def is_local(self) -> bool:
        """Whether the segments are files of this machine."""
        return isinstance(filesystem(self.source)[0], fs.LocalFileSystem)

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield the records of the partition. Raises OSError."""
        store, _ = filesystem(self.source)
        for split in self.splits:
            yield from read_split(store, split, cluster_id)


def file_units(source: str, store: fs.FileSystem, info: fs.FileInfo) -> list[SegmentUnit]:
    """Return the unit of a single log segment. Raises NotRecords for a file without a batch: a
    wrong file must not look like a fleet without problems.
    """
    with closing(open_range(store, FileRange(info.path, 0, info.size))) as file:
        if next(read_batches(file, info.path, Summary()), None) is None:
            raise NotRecords(
                f"{source}: there is no batch of records in it ({info.size:,} bytes), so it is no "
                "log segment; nor is it a capture, a log with a line of a broker or client that "
                "is known, or by its name parquet, JSON lines or CSV"
            )
    return _segment_units(source)


def folder_units(source: str, homes: Collection[str] | None = None) -> list[SegmentUnit]:
    """Return the units of the log segments in a folder, with `homes` in these of its folders alone.
    Empty segments are a partition without records where the name of their folder says so. Raises
    NotRecords for others.
    """
    units = _segment_units(source, homes)
    paths = [part.path for unit in units for split in unit.splits for part in split.ranges]
    ours = any(Path(path).parent.name.startswith(f"{OFFSETS_TOPIC}-") for path in paths)
    if not ours and not any(unit.size for unit in units):
        raise NotRecords(
            f"{source}: the log segments here are empty, and in no folder of {OFFSETS_TOPIC}"
        )
    return units


def _segment_units(source: str, homes: Collection[str] | None = None) -> list[SegmentUnit]:
    by_partition: dict[object, list[Split]] = {}
    for split in plan(source, SPLIT_BYTES, homes):
        key = split.partition
        home = str(Path(split.ranges[0].path).parent) if key is None else key
        by_partition.setdefault(home, []).append(split)
    units = [
        SegmentUnit(
            everywhere(source),
            tuple(splits),
            sum(part.end - part.start for split in splits for part in split.ranges),
        )
        for splits in by_partition.values()
    ]
    return sorted(units, key=lambda unit: -unit.size)
