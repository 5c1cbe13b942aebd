"""Read log segments of the offsets topic from the files and folders of a broker, or copies.

    for record in read_segments(["/var/lib/kafka/__consumer_offsets-7"], summary=summary):
        decoded = decode_record(record)

One batch is in memory at a time, whatever the size of the files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fspath, walk
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..compression import Unpacker
from ..summary import Summary
from .batches import MAX_BATCH, MAX_SEARCHED, Batch, Taken, read_batches, read_stretches
from .records import MAX_DECOMPRESSED, BatchInfo, Outcome, Record, read_records
from .transactions import Transactions, read_transactions

__all__ = ["SegmentLimits", "read_segment", "read_segments", "segment_files"]

OFFSETS_TOPIC = "__consumer_offsets"
MAX_DEPTH = 4
"""The depth to which folders are read, below one that may hold the folders of several brokers."""

_NOT_NAMED = "file that is no log segment by its name"

_SEGMENT = re.compile(r"\d{20}\.log")
_FOLDER = re.compile(r"(.+)-(\d+)(?:\.[0-9a-f]+-(?:delete|future|stray))?")


def topic_of(source: str) -> str | None:
    """Return the topic that the folder of a segment is named after; None where it names none."""
    folder = _FOLDER.fullmatch(Path(source).parent.name)
    return None if folder is None else folder[1]


class SegmentLimits(NamedTuple):
    """Limits of what is held while segments are read, in bytes; see the constants of these
    names."""

    max_batch: int = MAX_BATCH
    max_decompressed: int = MAX_DECOMPRESSED
    max_searched: int = MAX_SEARCHED


class RecordRun(NamedTuple):
    """The records of successive batches, written as lines. `batch` is the info of the first batch;
    a part is lines as bytes, or a record that was not written."""

    batch: BatchInfo
    parts: Iterator[bytes | Record]


Write = Callable[[bytes, int, str, int | None], tuple[list[Any], int, int, int]]
"""Writes the records of undamaged batches (see `batches.Take`) of a source and partition. A part is
lines as bytes, or a record that was not written: the distance of its batch from the first one, base
offset, producer id, offset, timestamp, key, value."""


class SegmentFile(NamedTuple):
    """A segment and its partition, None where its folder does not name one."""

    path: Path
    partition: int | None


def read_segments(
    paths: Iterable[str | PathLike[str]],
    *,
    summary: Summary | None = None,
    limits: SegmentLimits | None = None,
) -> Iterator[Record]:
    """Yield all records of files and folders, one file after the other.

    What cannot be read is skipped and goes to `summary`; where there is one file only, OSError is
    raised as by `open`.
    """
    for segment in _segments(paths, summary, limits):
        yield from segment.records()


def read_runs(
    paths: Iterable[str | PathLike[str]],
    write: Write,
    *,
    summary: Summary | None = None,
) -> Iterator[Record | RecordRun]:
    """Yield all records as `read_segments` does; those that `write` writes come as runs."""
    for segment in _segments(paths, summary, None):
        yield from segment.runs(write)


def _segments(
    paths: Iterable[str | PathLike[str]], summary: Summary | None, limits: SegmentLimits | None
) -> Iterator[_Segment]:
    """The segments, each of them open until the next one is asked for."""
    summary = Summary() if summary is None else summary
    limits = SegmentLimits() if limits is None else limits
    files = [file for path in paths for file in segment_files(path, summary)]
    for number, file in enumerate(files):
        rest = [later.path for later in files[number:] if later.path.parent == file.path.parent]
        try:
            stream = file.path.open("rb")
        except OSError:
            if len(files) == 1:
                raise
            summary.skip("segment that cannot be opened", str(file.path))
            continue
        with stream:
            yield _Segment(stream, fspath(file.path), file.partition, rest, summary, limits)


def read_segment(
    file: BinaryIO,
    source: str,
    *,
    partition: int | None = None,
    summary: Summary | None = None,
    limits: SegmentLimits | None = None,
) -> Iterator[Record]:
    """Yield all records of one open, seekable file. The outcome of transactions is not known."""
    summary = Summary() if summary is None else summary
    limits = SegmentLimits() if limits is None else limits
    yield from _Segment(file, source, partition, [], summary, limits).records()


def segment_files(path: str | PathLike[str], summary: Summary) -> list[SegmentFile]:
    """Return the segments of a path: itself, or all below it, by folder and offset.

    Where folders of the offsets topic are among them, those of other topics are skipped.
    """
    path = Path(path)
    if not path.is_dir():
        return [_segment_file(path)]
    files = []
    for folder, folders, names in walk(path):
        folders.sort()
        if len(Path(folder).relative_to(path).parts) >= MAX_DEPTH:
            folders.clear()
        segments = sorted(name for name in names if _SEGMENT.fullmatch(name))
        files += [_segment_file(Path(folder, name)) for name in segments]
        for name in names:
            if name.endswith(".log") and not _SEGMENT.fullmatch(name):
                summary.skip(_NOT_NAMED, str(Path(folder, name)), expected=True)
    ours = [file for file in files if _topic(file.path) == OFFSETS_TOPIC]
    if ours and len(ours) < len(files):
        for file in files:
            if _topic(file.path) != OFFSETS_TOPIC:
                size = file.path.stat().st_size
                summary.skip("segment of another topic", str(file.path), size, expected=True)
    return ours or files


def _segment_file(path: Path) -> SegmentFile:
    folder = _FOLDER.fullmatch(path.absolute().parent.name)
    return SegmentFile(path, int(folder[2]) if folder else None)


def _topic(path: Path) -> str:
    folder = _FOLDER.fullmatch(path.absolute().parent.name)
    return folder[1] if folder else ""


class _Segment:
    """One segment; `rest` are the files of its partition from this one on."""

    def __init__(
        self,
        file: BinaryIO,
        source: str,
        partition: int | None,
        rest: list[Path],
        summary: Summary,
        limits: SegmentLimits,
    ) -> None:
        self._file = file
        self._source = source
        self._partition = partition
        self._rest = rest
        self._summary = summary
        self._limits = limits
        self._transactions: Transactions | None = None
        self._unpacker = Unpacker()

    def records(self) -> Iterator[Record]:
        summary, limits = self._summary, self._limits
        summary.count("segments")
        for batch in read_batches(
            self._file,
            self._source,
            summary,
            max_batch=limits.max_batch,
            max_searched=limits.max_searched,
        ):
            summary.count("batches")
            info = self._info(batch)
            yield from self._read(batch, info)

    def runs(self, write: Write) -> Iterator[Record | RecordRun]:
        """Yield the records; those that `write` writes come as runs."""
        summary, limits = self._summary, self._limits
        summary.count("segments")

        def take(data: bytes, at: int) -> tuple[list[Any], int, int, int]:
            return write(data, at, self._source, self._partition)

        for item in read_stretches(
            self._file,
            self._source,
            summary,
            take,
            max_batch=limits.max_batch,
            max_searched=limits.max_searched,
        ):
            if isinstance(item, Taken):
                summary.count("batches", item.batches)
                if item.records:
                    summary.count("records", item.records)
                yield RecordRun(self._place(item.position), self._parts(item))
                continue
            summary.count("batches")
            yield from self._read(item, self._info(item))

    def _read(self, batch: Batch, info: BatchInfo) -> Iterator[Record]:
        limit = self._limits.max_decompressed
        return read_records(batch, info, self._summary, limit=limit, unpacker=self._unpacker)

    def _parts(self, stretch: Taken) -> Iterator[bytes | Record]:
        info = self._place(stretch.position)
        for part in stretch.parts:
            if isinstance(part, bytes):
                yield part
                continue
            distance, base_offset, producer, *rest = part
            position = stretch.position + distance
            if position != info.position or base_offset != info.base_offset:
                info = self._place(position, base_offset, producer)
            yield Record(info, *rest)

    def _place(self, position: int, base_offset: int = -1, producer: int = -1) -> BatchInfo:
        """The info of the batch at `position`, which is of no transaction."""
        return BatchInfo(
            self._source,
            self._partition,
            position,
            base_offset,
            transactional=False,
            control=False,
            producer_id=producer,
            outcome=None,
        )

    def _info(self, batch: Batch) -> BatchInfo:
        producer, outcome = -1, None
        if batch.magic == 2:
            producer = batch.reader.producer_id
            if batch.transactional:
                outcome = self._outcome(producer, batch)
        return BatchInfo(
            self._source,
            self._partition,
            batch.position,
            batch.base_offset,
            batch.transactional,
            batch.control,
            producer,
            outcome,
        )

    def _outcome(self, producer: int, batch: Batch) -> Outcome | None:
        """The outcome of the batch's transaction. Its control record comes later in the log, so at
        the first transaction all of the log is read."""
        if not self._rest:
            return None
        if self._transactions is None:
            self._transactions = Transactions(self._ahead())
        return self._transactions.outcome(producer, batch.base_offset)

    def _ahead(self) -> Iterator[Batch | Taken]:
        limits = self._limits
        for path in self._rest:
            with path.open("rb") as file:
                yield from read_transactions(
                    file, "", max_batch=limits.max_batch, max_searched=limits.max_searched
                )
