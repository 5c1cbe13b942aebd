"""Read the batches of a log segment: find them one by one, check them, skip damaged ones.

    bytes 0-7    base offset
    bytes 8-11   length of what follows
    byte 16      magic: 2, or 0 and 1 for messages from before Kafka 0.11

A batch that fails its checksum is skipped. The next one begins where its length says, if a batch
does begin there, and is searched for otherwise; a position that the search finds counts only if a
batch with a right checksum begins there. Only a window of the file is in memory.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from io import SEEK_END
from struct import Struct
from typing import Any, BinaryIO, NamedTuple

from ...codec.runtime import engine
from ..summary import Summary

__all__ = [
    "MAX_BATCH",
    "MAX_SEARCHED",
    "TORN",
    "Batch",
    "batch_reader",
    "is_segment",
    "next_batch",
    "read_batches",
    "whole_batches",
]

MAX_BATCH = 64 * 1024 * 1024
"""The largest batch that is read, in bytes; a broker's default limit is 1 MiB."""
MAX_SEARCHED = 64 * 1024 * 1024
"""Bytes of a file that are searched for the next batch, and bytes whose checksums turn out wrong,
before the rest of the file is given up."""

_FRONT = Struct(">qiiB")  # base offset, length, leader epoch or checksum, magic
_PLACE = Struct(">qi")  # base offset, length
_STEP = Struct(">qi4xb6xi")  # base offset, length, magic, and of magic 2 the last delta
_NEAR_THE_END = 1 << 16  # bytes
_OVERHEAD = 12  # base offset and length
_MINIMUM = {0: 14, 1: 22, 2: 49}  # what a length is at least, by magic
_WINDOW = 1024 * 1024
TORN = "end of a segment inside a batch"  # the broker is still writing

# The front of a batch with an offset below 2^48 and a length below 16 MiB; the checksum decides.
_CANDIDATE = re.compile(
    rb"(?=\x00\x00[\x00-\xff]{6}\x00(?!\x00\x00[\x00-\x0d])[\x00-\xff]{7}[\x00-\x02])"
)
_CHECK = 256  # what looking at a candidate is reckoned at, in bytes


class Batch(NamedTuple):
    """A batch whose checksum is right. `position` is that of its first byte in the file.

    `attributes` are Kafka's, see the properties. `reader` is the library's object for a batch of
    magic 2, else None.
    """

    position: int
    magic: int
    base_offset: int
    attributes: int
    data: bytes
    reader: Any

    @property
    def codec(self) -> int:
        """Kafka's number of the compression; 0 is none."""
        return self.attributes & 0x07

    @property
    def log_append_time(self) -> bool:
        """Whether the records have the time at which the broker wrote them."""
        return bool(self.attributes & 0x08)

    @property
    def transactional(self) -> bool:
        """Whether its records belong to a transaction (magic 2)."""
        return self.magic == 2 and bool(self.attributes & 0x10)

    @property
    def control(self) -> bool:
        """Whether its records are control records, such as the end of a transaction."""
        return self.magic == 2 and bool(self.attributes & 0x20)


class Taken(NamedTuple):
    """The result of batches that were read at once. `position` is that of the first batch in the
    file, and `size` the number of their bytes; a part is lines, or a record in some form."""

    position: int
    parts: list[Any]
    size: int
    batches: int
    records: int


Take = Callable[[bytes, int], tuple[list[Any], int, int, int]]
"""Reads undamaged batches in some bytes from a position on, up to one that it leaves to others:
compressed ones and those of a magic other than 2, at least. Returns parts, and the numbers of
bytes, batches and records."""


def is_segment(head: bytes) -> bool:
    """Return whether a file that begins with these bytes (17 or more) looks like a log segment."""
    if len(head) < _FRONT.size:
        return False
    base_offset, length, _, magic = _FRONT.unpack_from(head)
    return bool(0 <= base_offset < 1 << 48 and length >= _MINIMUM.get(magic, 1 << 31))


def read_batches(
    file: BinaryIO,
    source: str,
    summary: Summary,
    *,
    max_batch: int = MAX_BATCH,
    max_searched: int = MAX_SEARCHED,
) -> Iterator[Batch]:
    """Yield all batches of a file, which has to be seekable; what is no batch goes to `summary`."""
    log = _Log(file, source, summary, max_batch, max_searched)
    for batch in _read(log, None):
        assert isinstance(batch, Batch)
        yield batch


def read_stretches(
    file: BinaryIO,
    source: str,
    summary: Summary,
    take: Take | None,
    *,
    max_batch: int = MAX_BATCH,
    max_searched: int = MAX_SEARCHED,
) -> Iterator[Batch | Taken]:
    """Yield all batches of a file as `read_batches` does, those that `take` (if any) reads many at
    a time."""
    return _read(_Log(file, source, summary, max_batch, max_searched), take)


def _read(log: _Log, take: Take | None) -> Iterator[Batch | Taken]:
    position = 0
    while position < log.size:
        if take is not None:
            stretch = log.taken(position, take)
            if stretch is not None:
                position += stretch.size
                yield stretch
                continue
        try:
            batch = log.batch(position)
        except _Damage as damage:
            position = log.behind(position, damage)
        else:
            position += len(batch.data)
            yield batch


def next_batch(data: bytes, target: int) -> int:
    """Return the first batch at or behind `target`, going from the batch that `data` begins with
    from length to length.

    -1 where there is something on the way that is no batch; the size of `data` or more where the
    next one is not in these bytes.
    """
    if engine.CORE is not None:
        place: int = engine.CORE.next_batch(data, target)
        return place
    at = 0
    while at < target and len(data) - at > 16:
        base_offset, length = _PLACE.unpack_from(data, at)
        if base_offset < 0 or length < 14 or data[at + 16] > 2:
            return -1
        at += _OVERHEAD + length
    return at


def whole_batches(data: bytes) -> tuple[int, int]:
    """Return the size of the whole batches that `data` begins with, of which the last may be cut
    off, and the offset behind them; 0 and -1 where none is whole.
    """
    jump = max(0, next_batch(data, max(0, len(data) - _NEAR_THE_END)))
    size, next_offset = _hops(data, jump)
    return (size, next_offset) if next_offset >= 0 or not jump else _hops(data, 0)


def _hops(data: bytes, start: int) -> tuple[int, int]:
    at, next_offset = start, -1
    while len(data) - at >= _STEP.size:
        base, length, magic, delta = _STEP.unpack_from(data, at)
        if length < _STEP.size - _OVERHEAD or at + _OVERHEAD + length > len(data):
            break
        at += _OVERHEAD + length
        next_offset = base + 1 + (delta if magic == 2 else 0)
    return at, next_offset


@cache
def batch_reader() -> Any:
    """Return the library's class for batches of magic 2, which takes long to import."""
    from aiokafka.record.default_records import DefaultRecordBatch  # late: it imports asyncio

    return DefaultRecordBatch


class _Damage(Exception):
    """There is no undamaged batch at a position; the message is one of a few phrases, and `size` is
    the size that the batch claims."""

    def __init__(self, reason: str, size: int = 0) -> None:
        super().__init__(reason)
        self.size = size


class _Log:
    """A log file, of which a window is in memory."""

    def __init__(
        self, file: BinaryIO, source: str, summary: Summary, max_batch: int, max_searched: int
    ) -> None:
        self.size = file.seek(0, SEEK_END)
        self._file = file
        self._source = source
        self._summary = summary
        self._max_batch = max_batch
        self._searchable = max_searched
        self._checkable = max_searched
        self._window = b""
        self._start = 0  # position of the window

    def _see(self, position: int, size: int) -> int:
        """Load `size` bytes at `position` into the window, as far as the file goes, and return
        where in the window they begin."""
        at = position - self._start
        if at < 0 or at + size > len(self._window):
            self._window = b""  # before the next one is there
            self._file.seek(position)
            self._window = self._file.read(max(size, _WINDOW))
            self._start, at = position, 0
        return at

    def batch(self, position: int) -> Batch:
        """The batch at `position`. Raises _Damage."""
        if self.size - position < _FRONT.size:
            raise _Damage(TORN)
        at = self._see(position, _FRONT.size)
        base_offset, length, _, magic = _FRONT.unpack_from(self._window, at)
        if length < _MINIMUM.get(magic, 1 << 31) or base_offset < 0:
            raise _Damage("bytes in a segment that are no batch")
        size = length + _OVERHEAD
        if position + size > self.size:
            raise _Damage(TORN)
        if size > self._max_batch:
            raise _Damage("batch above the limit for its size", size)
        at = self._see(position, size)
        data = self._window[at : at + size]
        if magic == 2:
            reader, attributes = batch_reader()(data), data[22]
            intact = reader.validate_crc()
        else:
            reader, attributes = None, data[17]
            intact = zlib.crc32(data[16:]) == int.from_bytes(data[12:16], "big")
        if not intact:
            raise _Damage("batch with a wrong checksum", size)
        return Batch(position, magic, base_offset, attributes, data, reader)

    def taken(self, position: int, take: Take) -> Taken | None:
        """The result of `take` for the batches at `position`, as far as the window goes."""
        if self.size - position < _FRONT.size:
            return None
        at = self._see(position, _FRONT.size)
        size = _OVERHEAD + _FRONT.unpack_from(self._window, at)[1]
        if size > _WINDOW or position + size > self.size:
            return None
        at = self._see(position, size)
        parts, size, batches, records = take(self._window, at)
        return Taken(position, parts, size, batches, records) if size else None

    # -- where there is no undamaged batch

    def behind(self, position: int, damage: _Damage) -> int:
        """The position where reading goes on; the end of the file if there is none."""
        if self._only_zeros(position):
            self._summary.note("bytes reserved at the end of a segment", self.size - position)
            return self.size
        end = position + damage.size
        if damage.size == 0 or (end < self.size and not self._is_batch(end)):
            end = self._search(position + 1)
        torn = str(damage) == TORN and end == self.size
        where = f"{self._source}, byte {position:,}"
        self._summary.skip(str(damage), where, end - position, expected=torn)
        return end

    def _only_zeros(self, position: int) -> bool:
        """Whether zeros fill the rest of the file: Kafka can reserve a segment in advance."""
        if self.size - position < _OVERHEAD:
            return False
        while position < self.size:
            at = self._see(position, 1)
            if self._window.count(0, at) < len(self._window) - at:
                return False
            position = self._start + len(self._window)
        return True

    def _search(self, position: int) -> int:
        """The position of the next batch, or the end of the file."""
        while self.size - position >= _FRONT.size and min(self._searchable, self._checkable) > 0:
            at = self._see(position, _FRONT.size)
            candidate = _CANDIDATE.search(self._window, at)
            end = candidate.start() if candidate else len(self._window) - _FRONT.size + 1
            self._searchable -= end - at
            position += end - at
            if candidate and self._is_batch(position):
                return position
            position += bool(candidate)
        return self.size

    def _is_batch(self, position: int) -> bool:
        try:
            self.batch(position)
        except _Damage as damage:
            self._checkable -= max(damage.size, _CHECK)
            return False
        return True
