"""The segments of the offsets topic, and the parts of them that tasks read.

A path is a file or a folder, on this machine or by the URI of a filesystem that pyarrow knows
(s3, gs, abfs, hdfs, file). Large files are split where a batch begins. Folders of one partition in
several places are copies that brokers kept of it: each record is wanted once, whichever copy has
it, so a task reads the same offsets of all copies, and compares them. Folders of two clusters are
refused where brokers have left word of their cluster beside them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from io import RawIOBase
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pyarrow import fs

from ....capture.segments.batches import next_batch
from ....capture.segments.segment_files import OFFSETS_TOPIC
from ..places import cluster_in, filesystem
from ..record_table import NotRecords

__all__ = [
    "FileRange",
    "Segment",
    "Split",
    "clusters",
    "one_topic",
    "open_range",
    "plan",
    "segment_of",
    "splits_of",
]

_SEGMENT = re.compile(r"(\d{20})\.log")
_FOLDER = re.compile(r"(.+)-(\d+)(?:\.[0-9a-f]+-future)?")  # -delete, -stray: not this topic's now
_WINDOW = 8 << 20
_PROPERTIES = 1 << 16  # bytes; a broker writes some hundred
_EVERY_OFFSET = (0, (1 << 63) - 1)


class Segment(NamedTuple):
    """A log segment: a file in `folder`, and the offset that its name says it begins with."""

    path: str
    size: int
    base_offset: int
    folder: str
    partition: int | None


class FileRange(NamedTuple):
    """Bytes of a file, from the begin of a batch to the begin of another, or the end."""

    path: str
    start: int
    end: int


class Split(NamedTuple):
    """The part of a source that one task reads: ranges of copies of one partition, and of these the
    offsets from `low` to below `high`.

    For each range, `behind` are the files that follow it in its folder, and `reports` is whether
    this task reports what cannot be read in it.
    """

    partition: int | None
    ranges: tuple[FileRange, ...]
    behind: tuple[tuple[FileRange, ...], ...]
    reports: tuple[bool, ...]
    low: int
    high: int


def plan(uri: str, split_bytes: int, homes: Collection[str] | None = None) -> list[Split]:
    """Return the parts of a file or folder that tasks read; with `homes`, of partitions in these
    folders alone. Raises FileNotFoundError where there is no segment, and NotRecords where there
    are some of two clusters.
    """
    store, path = filesystem(uri)
    segments = _segments(store, path)
    if homes is None:
        _check_cluster(store, segments, uri)
    else:
        segments = [segment for segment in segments if _home(segment) in homes]
    if not segments:
        raise FileNotFoundError(f"{uri}: no log segment (named by 20 digits, .log) is here")
    return _plan_splits(store, segments, split_bytes)


def splits_of(store: fs.FileSystem, path: str, split_bytes: int) -> list[Split]:
    """Return the parts of a folder in a filesystem; of no cluster in particular."""
    return _plan_splits(store, _segments(store, path), split_bytes)


def _plan_splits(
    store: fs.FileSystem, segments: Iterable[Segment], split_bytes: int
) -> list[Split]:
    partitions: dict[Any, dict[str, list[Segment]]] = defaultdict(lambda: defaultdict(list))
    for segment in segments:
        # Without a partition there is nothing to be a copy of.
        key = segment.folder if segment.partition is None else segment.partition
        partitions[key][segment.folder].append(segment)
    splits: list[Split] = []
    for folders in partitions.values():
        copies = [sorted(files, key=lambda file: file.base_offset) for files in folders.values()]
        if len(copies) == 1:
            splits += _splits(store, copies[0], split_bytes)
        else:
            splits += _shared_splits(copies, split_bytes)
    return splits


def _segments(store: fs.FileSystem, path: str) -> list[Segment]:
    info = store.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        raise FileNotFoundError(f"{path}: no such file or folder")
    if info.type == fs.FileType.File:
        return [segment_of(info.path, info.size)]
    infos = store.get_file_info(fs.FileSelector(path, recursive=True))
    files = [info for info in infos if info.type == fs.FileType.File]
    return one_topic(segment_of(info.path, info.size) for info in files)


def one_topic(files: Iterable[Segment]) -> list[Segment]:
    """Return the files that are log segments by their names, of the offsets topic where some are
    of it, in the order of their paths.
    """
    segments = [file for file in files if _SEGMENT.fullmatch(PurePosixPath(file.path).name)]
    ours = [file for file in segments if _topic(file.path) == OFFSETS_TOPIC]
    return sorted(ours or segments, key=lambda file: file.path)


def segment_of(file: str, size: int) -> Segment:
    """Return a file as a segment, by the names of the file and its folder."""
    path = PurePosixPath(file)
    name = _SEGMENT.fullmatch(path.name)
    folder = _FOLDER.fullmatch(path.parent.name)
    return Segment(
        path=file,
        size=size,
        base_offset=int(name[1]) if name else 0,
        folder=str(path.parent),
        partition=int(folder[2]) if folder else None,
    )


def clusters(uri: str) -> dict[str, list[str]]:
    """Return the folders of partitions of each cluster, where brokers' `meta.properties` beside
    them name several; nothing where they name one or none. Raises NotRecords where some of several
    name none.
    """
    store, path = filesystem(uri)
    if store.get_file_info(path).type != fs.FileType.Directory:
        return {}
    segments = _segments(store, path)
    homes_by_cluster = _clusters(store, segments)
    if len(homes_by_cluster) < 2:
        return {}
    unnamed = {_home(segment) for segment in segments}.difference(*homes_by_cluster.values())
    if unnamed:
        line = f"{min(unnamed)} has no meta.properties with a cluster.id, and others do"
        raise NotRecords(f"{uri}: segments of several clusters; {line}")
    return homes_by_cluster


def _check_cluster(store: fs.FileSystem, segments: Iterable[Segment], uri: str) -> None:
    """Raise NotRecords where `meta.properties` beside the partitions name two clusters."""
    homes_by_cluster = _clusters(store, segments)
    if len(homes_by_cluster) > 1:
        text = ", ".join(f"{cluster} ({homes[0]})" for cluster, homes in homes_by_cluster.items())
        raise NotRecords(
            f"{uri}: segments of {len(homes_by_cluster)} clusters, {text}: read each by itself"
        )


def _clusters(store: fs.FileSystem, segments: Iterable[Segment]) -> dict[str, list[str]]:
    homes = sorted({_home(segment) for segment in segments})
    homes_by_cluster: dict[str, list[str]] = {}
    for home in homes if len(homes) > 1 else ():
        with suppress(OSError), store.open_input_file(f"{home}/meta.properties") as file:
            cluster = cluster_in(str(file.read(_PROPERTIES), "utf-8", "replace"))
            if cluster:
                homes_by_cluster.setdefault(cluster, []).append(home)
    return homes_by_cluster


def _home(segment: Segment) -> str:
    return str(PurePosixPath(segment.folder).parent)


def _topic(path: str) -> str:
    folder = _FOLDER.fullmatch(PurePosixPath(path).parent.name)
    return folder[1] if folder else ""


def _splits(store: fs.FileSystem, files: Sequence[Segment], size: int) -> Iterator[Split]:
    """Yield the splits of the only copy of a partition: parts of files."""
    ranges = [FileRange(file.path, 0, file.size) for file in files]
    for number, file in enumerate(files):
        for part in _parts(store, file, size):
            later = (FileRange(file.path, part.end, file.size), *ranges[number + 1 :])
            yield Split(file.partition, (part,), (later,), (True,), *_EVERY_OFFSET)


def _parts(store: fs.FileSystem, file: Segment, size: int) -> Iterator[FileRange]:
    start = 0
    if file.size > size + size // 2:
        with store.open_input_file(file.path) as stream:
            for end in _boundaries(stream, file.size, size):
                yield FileRange(file.path, start, end)
                start = end
    if start < file.size or not file.size:
        yield FileRange(file.path, start, file.size)


def _boundaries(file: Any, total: int, size: int) -> Iterator[int]:
    """Yield where batches begin, about `size` bytes from one to the next. None is behind damage:
    whoever reads up to there finds the next batch.
    """
    at, target = 0, size
    while target < total - size // 2:
        file.seek(at)
        place = next_batch(file.read(_WINDOW), target - at)
        if place <= 0 or at + place >= total:
            return
        at += place
        if at >= target:
            yield at
            target = at + size


def _shared_splits(copies: Sequence[Sequence[Segment]], size: int) -> Iterator[Split]:
    """Yield the splits of a partition that several brokers kept: whole files, cut by the offsets
    where those of the fullest copy begin.
    """
    fullest = max(copies, key=lambda files: sum(file.size for file in files))
    bounds = [_EVERY_OFFSET[0]]
    total = 0
    for file in fullest:
        if total >= size:
            bounds.append(file.base_offset)
            total = 0
        total += file.size
    for low, high in zip(bounds, [*bounds[1:], _EVERY_OFFSET[1]], strict=True):
        parts = [part for files in copies for part in _overlapping(files, low, high)]
        ranges, later, reports = zip(*parts, strict=True)
        yield Split(fullest[0].partition, ranges, later, reports, low, high)


def _overlapping(
    files: Sequence[Segment], low: int, high: int
) -> Iterator[tuple[FileRange, tuple[FileRange, ...], bool]]:
    """Yield the files of a copy that have offsets of `low` to below `high`, those behind each, and
    whether it begins there.
    """
    ranges = [FileRange(file.path, 0, file.size) for file in files]
    ends = [*(file.base_offset for file in files[1:]), _EVERY_OFFSET[1]]
    for number, (file, end) in enumerate(zip(files, ends, strict=True)):
        if file.base_offset < high and end > low:
            yield ranges[number], tuple(ranges[number + 1 :]), file.base_offset >= low


def open_range(store: fs.FileSystem, part: FileRange) -> Any:  # BinaryIO has no `readinto`
    """Return the range as a file that begins at 0."""
    return _Range(store.open_input_file(part.path), part.start, part.end)


class _Range(RawIOBase):
    """A part of a file, seekable, from its own 0 on."""

    def __init__(self, file: Any, start: int, end: int) -> None:
        super().__init__()
        self._file = file
        self._start = start
        self._size = end - start
        self._at = 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = (0, self._at, self._size)[whence] + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = max(self._size - self._at, 0)
        count = left if size < 0 else min(size, left)
        self._file.seek(self._start + self._at)
        data: bytes = self._file.read(count)
        self._at += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from where the file is, and return how many bytes it got."""
        left = max(self._size - self._at, 0)
        self._file.seek(self._start + self._at)
        size: int = self._file.readinto(memoryview(buffer)[:left])
        self._at += size
        return size

    def close(self) -> None:
        self._file.close()
        super().close()
