"""How large the row groups of a parquet file become, found out before they are read.

A reader allocates what the headers of pages claim, repeats each value of a dictionary for every row
that has it, and of values that share a prefix (DELTA_BYTE_ARRAY) the prefix: a file of a kilobyte
could take gigabytes. So the headers of all pages are read here (Thrift's compact protocol,
parquet-format's `PageHeader`), dictionaries are taken out as such and measured, and what may share
prefixes is read a few rows at a time. A file may become `LEAST` bytes and `MOST_TIMES` times as
large as it is stored. Of the first, and of the least number of rows, a row group gets its share of
the file. Row groups that claim more bytes than the file has lie on the same bytes: such a file is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

__all__ = [
    "LEAST",
    "MOST_TIMES",
    "Bound",
    "bounds",
    "decoded",
    "dictionary_names",
    "held",
    "rows_at_once",
]

LEAST = 32 * 1024 * 1024
MOST_TIMES = 100
_LEAST_ROWS = 1 << 16  # besides one for each byte
_HEADER = 1 << 16  # bytes of a page's header; statistics in it may be long
_SLICE = 16 << 20
_PREFIXED = 64 << 20  # bytes of values that may share prefixes, at once
_LEAST_READS, _STORED_A_READ = 4096, 256
_DELTA_BYTE_ARRAY = 7


class Bound(NamedTuple):
    """How much a row group may become: `stored` are its bytes in the file, `share` is the part of
    the file that it is."""

    stored: int
    share: float

    def refuse_rows(self, rows: int) -> None:
        """Raise ArrowInvalid if there are too many rows for the size."""
        if rows > self.share * _LEAST_ROWS + self.stored:
            raise pa.ArrowInvalid(f"{self.stored:,} bytes are too few for {rows:,} rows")

    def refuse_reads(self, reads: int) -> None:
        """Raise ArrowInvalid if the rows have to be read in too many parts."""
        if reads > self.share * _LEAST_READS + self.stored // _STORED_A_READ + 1:
            raise pa.ArrowInvalid(
                f"{self.stored:,} bytes have pages of prefixes that are too large"
            )

    def refuse_size(self, size: int) -> None:
        """Raise ArrowInvalid if so many bytes are too many for the size."""
        if size > self.share * LEAST + MOST_TIMES * self.stored:
            raise pa.ArrowInvalid(
                f"{self.stored:,} bytes become {size:,} or more, over {MOST_TIMES} times as many"
            )


def bounds(about: Any, size: int) -> list[Bound]:
    """Return the bound of each row group of a file of so many bytes, of which the metadata is
    given. Raises ArrowInvalid where they claim more bytes than these."""
    claims = [_claimed_size(about.row_group(number)) for number in range(about.num_row_groups)]
    total = sum(claims)
    if total > size:
        raise pa.ArrowInvalid(f"row groups of {total:,} bytes in a file of {size:,}")
    return [Bound(claim, claim / max(total, 1)) for claim in claims]


def _columns(group: Any) -> Iterator[Any]:
    return (group.column(number) for number in range(group.num_columns))


def _claimed_size(group: Any) -> int:
    return sum(max(column.total_compressed_size, 0) for column in _columns(group))


def rows_at_once(stream: Any, about: Any, number: int, bound: Bound) -> int:
    """Return how many rows of a row group may be read at a time. Raises ArrowInvalid if it has too
    many rows for its size, or what becomes too large."""
    group = about.row_group(number)
    bound.refuse_rows(group.num_rows)
    size: int = sum(
        max(about.schema.column(place).length, 0) * group.num_rows
        for place, column in enumerate(_columns(group))
        if column.physical_type == "FIXED_LEN_BYTE_ARRAY"  # a dictionary may have each value once
    )
    bound.refuse_size(size)
    prefixed = 0
    for column in _columns(group):
        for page in _pages(stream, column):
            size += page.unpacked
            bound.refuse_size(size)
            if page.shares_prefixes and page.unpacked * page.values > _PREFIXED:
                prefixed = max(prefixed, page.unpacked)
    rows: int = min(_LEAST_ROWS, group.num_rows * _SLICE // max(size, 1))
    if prefixed:
        rows = min(rows, _PREFIXED // prefixed)
    rows = max(rows, 1)
    bound.refuse_reads(group.num_rows // rows)
    return rows


class _Page(NamedTuple):
    """What the header of a page claims: the bytes once decompressed, the number of values."""

    unpacked: int
    values: int
    shares_prefixes: bool


def _pages(stream: Any, column: Any) -> Iterator[_Page]:
    """Yield the pages of a column."""
    offsets = (column.dictionary_page_offset or 0, column.data_page_offset)
    starts = [offset for offset in offsets if offset > 0]
    if not starts:
        raise pa.ArrowInvalid(f"the column {column.path_in_schema} has no page")
    at = min(starts)
    end = at + column.total_compressed_size
    while at < end:
        stream.seek(at)
        header = _Compact(stream.read(min(_HEADER, end - at)))
        try:
            numbers = header.numbers()
            unpacked, packed = numbers[_UNPACKED], numbers[_PACKED]
        except (IndexError, KeyError):
            raise pa.ArrowInvalid(f"the header of a page is damaged, at byte {at:,}") from None
        if unpacked < 0 or packed < 0:
            raise pa.ArrowInvalid(f"a page of {unpacked} bytes, at byte {at:,}")
        values = max(numbers.get(place, 0) for place in _VALUES)
        encodings = {numbers.get(place) for place in _ENCODINGS}
        yield _Page(unpacked, values, _DELTA_BYTE_ARRAY in encodings)
        at += header.at + packed


_UNPACKED, _PACKED = (2,), (3,)
_VALUES = (5, 1), (8, 1)
_ENCODINGS = (5, 2), (8, 4)
"""Where a page's header has its numbers: fields of `PageHeader`, and of its `DataPageHeader` and
`DataPageHeaderV2`."""


class _Compact:
    """Reads a struct of Thrift's compact protocol, of which only the numbers are kept."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def numbers(self, *path: int) -> dict[tuple[int, ...], int]:
        """Return the integers of the struct that begins here, by field, those of structs in it by
        both; moves behind it. Raises IndexError where it breaks off or is nested too deeply."""
        if len(path) > _DEEPEST:
            raise IndexError
        numbers: dict[tuple[int, ...], int] = {}
        field = 0
        while byte := self._byte():
            delta, kind = byte >> 4, byte & 15
            field = field + delta if delta else self._zigzag()
            if kind in _INTEGERS:
                numbers[*path, field] = self._zigzag()
            elif kind == _STRUCT:
                numbers |= self.numbers(*path, field)
            else:
                self._skip(kind, len(path))
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
        if kind in _INTEGERS:
            self._varint()
        elif kind in _SIZES:
            self.at += _SIZES[kind]
        elif kind == _BINARY:
            size = self._varint()
            self.at += size
        elif kind in _LISTS and depth < _DEEPEST:
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            kind = head & 15
            if kind in _TRUTHS:  # in a list they have a byte each
                self.at += count
                return
            for _ in range(min(count, len(self._data) + 1)):
                self._skip(kind, depth + 1)
        elif kind == _STRUCT:
            self.numbers(*range(depth + 1))
        else:
            raise IndexError


_INTEGERS = frozenset({4, 5, 6})
_TRUTHS = frozenset({1, 2})  # true, false
_SIZES = dict.fromkeys(_TRUTHS, 0) | {3: 1, 7: 8}  # and a byte, a double
_BINARY, _STRUCT = 8, 12
_LISTS = frozenset({9, 10})
_DEEPEST = 4


def dictionary_names(group: Any, names: Sequence[str]) -> list[str]:
    """Return those columns of a row group that are bytes or text and have a dictionary."""
    return [
        column.path_in_schema
        for column in _columns(group)
        if column.path_in_schema in names
        and column.physical_type == "BYTE_ARRAY"
        and column.has_dictionary_page
    ]


def held(reading: Iterable[pa.RecordBatch], bound: Bound) -> list[pa.RecordBatch]:
    """Return all batches: a damaged row group is not read by half. Raises ArrowInvalid where they
    are too much, without dictionaries."""
    batches: list[pa.RecordBatch] = []
    size = 0
    for batch in reading:
        size += sum(column.nbytes for column in batch.columns if not _is_coded(column))
        bound.refuse_size(size)
        batches.append(batch)
    return batches


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
        if _is_coded(column):
            lengths = pc.cast(pc.binary_length(column.dictionary), pa.int64())
            rows = pc.fill_null(lengths.take(column.indices), 0)
            total = rows if total is None else pc.add(total, rows)
    return total


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [
        column.dictionary_decode() if _is_coded(column) else column for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _is_coded(column: pa.Array) -> bool:
    return bool(pa.types.is_dictionary(column.type))
