"""What a source is made of: units that can be read by themselves, one a partition of the topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
from pyarrow import fs

from ..segment_files import Split, filesystem, plan
from ..segment_tables import read_split

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


def units_of(source: str, encoding: str | None = None) -> Sequence[Unit]:
    """The units of a folder, file or URI, the largest first, so that no task begins late with much
    to do: log segments, or else tables of records, in which `encoding` says how text is written
    (None: as each file shows), or a capture. Raises FileNotFoundError, and NotRecords where other
    things are."""
    store, path = filesystem(source)
    kind = store.get_file_info(path).type
    if kind == fs.FileType.File and not path.endswith(".log"):
        return _captured(source) or _given(source, encoding) or _segment_units(source)
    try:
        return _segment_units(source)
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
    """How text is written in tables, and the files where it is so."""
    found: dict[str, list[str]] = {}
    for file in (one.file for unit in units for one in getattr(unit, "files", ())):
        if file.encoding is not None:
            found.setdefault(file.encoding, []).append(file.path)
    return found


def accounts(units: Iterable[Any]) -> list[str]:
    """What was made of captures, and what was not."""
    return [unit.account for unit in units if hasattr(unit, "account")]


def lacked(units: Iterable[Any]) -> frozenset[str]:
    """What rules may need and units cannot have."""
    return frozenset[str]().union(*(getattr(unit, "lacks", ()) for unit in units))


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
