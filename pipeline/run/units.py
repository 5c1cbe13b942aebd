"""What a source is made of: units that can be read by themselves, one a partition of the topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
from pyarrow import fs

from ...capture.segments.batches import read_batches
from ...capture.segments.files import OFFSETS_TOPIC
from ...capture.summary import Summary
from ..sources.record_table import NotRecords
from ..sources.segment_files import FileRange, Split, cluster_in, filesystem, open_range, plan
from ..sources.segment_tables import read_split

__all__ = [
    "SPLIT_BYTES",
    "SegmentUnit",
    "Unit",
    "accounts",
    "cluster_of",
    "encodings",
    "lacked",
    "units_of",
]

SPLIT_BYTES = 256 << 20


class Unit(Protocol):
    """A partition of the topic, wherever it is; it can be pickled."""

    @property
    def size(self) -> int:
        """How much there is to read, compared with others of the source."""

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Return its records, in the order of the log: tables of `record_table`."""


class SegmentUnit(NamedTuple):
    """A partition in log segments: its splits, in order."""

    source: str
    splits: tuple[Split, ...]
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield its records. Raises OSError."""
        store, _ = filesystem(self.source)
        for split in self.splits:
            yield from read_split(store, split, cluster_id)


def units_of(source: str, encoding: str | None = None) -> Sequence[Unit]:
    """Return the units of a folder, file or URI, the largest first, so that no task begins late
    with much to do: log segments, or else tables of records, in which `encoding` says how text is
    written (None: as each file shows), or a capture. Raises FileNotFoundError, and NotRecords where
    other things are, or nothing.
    """
    store, path = filesystem(source)
    info = store.get_file_info(path)
    kind = info.type
    if kind == fs.FileType.File:
        others = () if path.endswith(".log") else _captured(source) or _given(source, encoding)
        return others or _named_segment(source, store, info)
    try:
        return _segments_below(source)
    except FileNotFoundError as error:
        if kind != fs.FileType.Directory:
            raise
        given = _given(source, encoding)
        if not given:
            instead = "no parquet, JSON lines or CSV (a capture is given by its own name)"
            line = f"{error}, and {instead}"
            raise FileNotFoundError(line) from None
        return given


def _captured(source: str) -> Sequence[Unit]:
    from .captured import captured_units  # few audits need it

    return captured_units(source)


def _given(source: str, encoding: str | None) -> Sequence[Unit]:
    from .given import given_units

    return given_units(source, encoding)


def encodings(units: Iterable[Any]) -> dict[str, list[str]]:
    """Return how text is written in tables, and the files where it is so."""
    found: dict[str, list[str]] = {}
    for file in (one.file for unit in units for one in getattr(unit, "files", ())):
        if file.encoding is not None:
            found.setdefault(file.encoding, []).append(file.path)
    return found


def accounts(units: Iterable[Any]) -> list[str]:
    """Return what was made of captures, and what was not."""
    return [unit.account for unit in units if hasattr(unit, "account")]


def lacked(units: Iterable[Any]) -> frozenset[str]:
    """Return what rules may need and units cannot have."""
    return frozenset[str]().union(*(getattr(unit, "lacks", ()) for unit in units))


def _named_segment(source: str, store: fs.FileSystem, info: fs.FileInfo) -> list[SegmentUnit]:
    """A file that is nothing else. A wrong one must not look like a fleet without trouble."""
    with closing(open_range(store, FileRange(info.path, 0, info.size))) as file:
        if next(read_batches(file, info.path, Summary()), None) is None:
            raise NotRecords(
                f"{source}: there is no batch of records in it ({info.size:,} bytes), so it is no "
                "log segment; nor is it a capture, or by its name parquet, JSON lines or CSV"
            )
    return _segment_units(source)


def _segments_below(source: str) -> list[SegmentUnit]:
    """Those of a folder. Empty ones are a partition without records where its name says so."""
    units = _segment_units(source)
    paths = [part.path for unit in units for split in unit.splits for part in split.ranges]
    ours = any(Path(path).parent.name.startswith(f"{OFFSETS_TOPIC}-") for path in paths)
    if not ours and not any(unit.size for unit in units):
        raise NotRecords(
            f"{source}: the log segments here are empty, and in no folder of {OFFSETS_TOPIC}"
        )
    return units


def _segment_units(source: str) -> list[SegmentUnit]:
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
    """Return the cluster's id, where a broker's own folder says it."""
    if "://" in source:
        return None
    path = Path(source)
    for folder in (path, path.parent, path.parent.parent):
        try:
            text = (folder / "meta.properties").read_text("utf-8", "replace")
        except OSError:
            continue
        found = cluster_in(text)
        if found is not None:
            return found
    return None
