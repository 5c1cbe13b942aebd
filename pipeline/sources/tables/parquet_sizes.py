"""How large the row groups of a parquet file become, found out before they are read.

A reader allocates what the headers of pages claim, and repeats each value of a dictionary for every
row that has it: a file of a kilobyte could take gigabytes. So the headers of all pages are read
here (Thrift's compact protocol, parquet-format's `PageHeader`), and dictionaries are taken out as
such and measured. A file may become `LEAST` bytes and `MOST_TIMES` times as large as it is stored.
Of the first, and of the least number of rows, a row group gets its share of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["LEAST", "MOST_TIMES", "Bound", "bounds", "check_pages", "decoded", "dictionary_names"]

LEAST = 32 * 1024 * 1024
MOST_TIMES = 100
_LEAST_ROWS = 1 << 16  # besides one for each byte
_HEADER = 1 << 16  # bytes of a page's header; statistics in it may be long
_SLICE = 16 << 20


class Bound(NamedTuple):
    """How much a row group may become: `stored` are its bytes in the file, `share` is the part of
    the file that it is."""

    stored: int
    share: float

    def refuse_rows(self, rows: int) -> None:
        """Raise ArrowInvalid if there are too many rows for the size."""
        if rows > self.share * _LEAST_ROWS + self.stored:
            raise pa.ArrowInvalid(f"{self.stored:,} bytes are too few for {rows:,} rows")

    def refuse_size(self, size: int) -> None:
        """Raise ArrowInvalid if so many bytes are too many for the size."""
        if size > self.share * LEAST + MOST_TIMES * self.stored:
            raise pa.ArrowInvalid(
                f"{self.stored:,} bytes become {size:,} or more, over {MOST_TIMES} times as many"
            )


def bounds(about: Any) -> list[Bound]:
    """Return the bound of each row group of a file, of which the metadata is given."""
    sizes = [_stored_size(about.row_group(number)) for number in range(about.num_row_groups)]
    total = max(sum(sizes), 1)
    return [Bound(size, size / total) for size in sizes]


def _columns(group: Any) -> Iterator[Any]:
    return (group.column(number) for number in range(group.num_columns))


def _stored_size(group: Any) -> int:
    return sum(max(column.total_compressed_size, 0) for column in _columns(group))


def check_pages(stream: Any, group: Any, bound: Bound) -> None:
    """Raise ArrowInvalid if a row group (of the file's metadata) has too many rows for its size, or
    pages that become too large."""
    bound.refuse_rows(group.num_rows)
    size = 0
    for column in _columns(group):
        for page in _pages(stream, column):
            size += page
            bound.refuse_size(size)


def _pages(stream: Any, column: Any) -> Iterator[int]:
    """Yield the size of each page of a column once decompressed."""
    starts = (column.dictionary_page_offset or 0, column.data_page_offset)
    at = min(start for start in starts if start > 0)
    end = at + column.total_compressed_size
    while at < end:
        stream.seek(at)
        header = _Compact(stream.read(min(_HEADER, end - at)))
        try:
            numbers = header.numbers()
            unpacked, packed = numbers[2], numbers[3]
        except (IndexError, KeyError):
            raise pa.ArrowInvalid(f"the header of a page is damaged, at byte {at:,}") from None
        if unpacked < 0 or packed < 0:
            raise pa.ArrowInvalid(f"a page of {unpacked} bytes, at byte {at:,}")
        yield unpacked
        at += header.at + packed


class _Compact:
    """Reads a struct of Thrift's compact protocol, of which only the numbers are kept."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def numbers(self) -> dict[int, int]:
        """Return the integers of the struct that begins here, by field; moves behind it. Raises
        IndexError where it breaks off."""
        numbers: dict[int, int] = {}
        field = 0
        while byte := self._byte():
            delta, kind = byte >> 4, byte & 15
            field = field + delta if delta else self._zigzag()
            if kind in _INTEGERS:
                numbers[field] = self._zigzag()
            else:
                self._skip(kind, 0)
        return numbers

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
            if shift > 63:
                raise IndexError
        return value | byte << shift

    def _zigzag(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)

    def _skip(self, kind: int, depth: int) -> None:
        if depth > 4:
            raise IndexError
        if kind in _INTEGERS:
            self._varint()
        elif kind in _SIZES:
            self.at += _SIZES[kind]
        elif kind == _BINARY:
            size = self._varint()
            self.at += size
        elif kind in _LISTS:
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            for _ in range(min(count, len(self._data) + 1)):
                self._skip(head & 15, depth + 1)
        elif kind == _STRUCT:
            while byte := self._byte():
                if not byte >> 4:
                    self._varint()
                self._skip(byte & 15, depth + 1)
        else:
            raise IndexError


_INTEGERS = frozenset({4, 5, 6})
_SIZES = {1: 0, 2: 0, 3: 1, 7: 8}  # true, false, a byte, a double
_BINARY, _STRUCT = 8, 12
_LISTS = frozenset({9, 10})


def dictionary_names(group: Any, names: Sequence[str]) -> list[str]:
    """Return those columns of a row group that are bytes or text and have a dictionary."""
    return [
        column.path_in_schema
        for column in _columns(group)
        if column.path_in_schema in names
        and column.physical_type == "BYTE_ARRAY"
        and column.has_dictionary_page
    ]


def decoded(batches: Sequence[pa.RecordBatch], bound: Bound) -> Iterator[pa.RecordBatch]:
    """Yield the rows of batches without dictionaries, a few at a time. Raises ArrowInvalid before
    the first where all of them are too much."""
    sizes = [_sizes(batch) for batch in batches]
    bound.refuse_size(sum(int(pc.sum(rows).as_py() or 0) for rows in sizes if rows is not None))
    for batch, rows in zip(batches, sizes, strict=True):
        if rows is None:
            yield batch
            continue
        step = max(1, _SLICE * len(rows) // max(pc.sum(rows).as_py() or 0, 1))
        for start in range(0, batch.num_rows, step):
            yield _plain(batch.slice(start, step))


def _sizes(batch: pa.RecordBatch) -> pa.Array | None:
    """The bytes of each row in dictionaries; None for a batch without any."""
    total = None
    for column in batch.columns:
        if pa.types.is_dictionary(column.type):
            lengths = pc.cast(pc.binary_length(column.dictionary), pa.int64())
            rows = pc.fill_null(lengths.take(column.indices), 0)
            total = rows if total is None else pc.add(total, rows)
    return total


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
