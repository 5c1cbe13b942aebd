"""Parts of given files, as they are read: row groups of parquet, stretches of lines of text.

A part is small enough to be held: a row group comes in batches by its bytes, text in stretches of
`_STRETCH` bytes. A line is read by itself, so that a damaged one costs only itself: one that is no
JSON object, has too few columns or too many, or is longer than `_LONGEST` is refused, with its
number. So is a parquet file, or a row group, that cannot be read.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from io import BufferedReader
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from ....capture.chunks import DumpedRecord
from ....capture.compression import most_inside
from ....capture.errors import CaptureError
from ....capture.forms.dump_log import apart
from ....capture.segments.offsets_topic import written_record
from ....capture.segments.printed_records import (
    WITHOUT_BYTES,
    PrintedRecords,
    with_objects_on_lines,
    with_plain_bytes,
)
from ..record_table import MAX_SHOWN, NotRecords
from .parquet_sizes import Bound, bounds, decoded, dictionary_names, held, rows_at_once
from .table_files import COLUMNS, NEEDED, PRINTED, GivenFile, is_compressed, named

__all__ = ["Damage", "RawRows", "metadata_of", "part_number", "read_file"]

_STRETCH = 16 << 20
_LONGEST = 64 << 20  # a value of 10 MB in hex, several times
_BOM = b"\xef\xbb\xbf"
_DELIMITERS = ",;\t"


class Damage(NamedTuple):
    """Part of a file in which no row can be read: why, the number of the row, and the bytes."""

    reason: str
    number: int | None
    data: bytes


class RawRows(NamedTuple):
    """Rows of a file: columns under our names, the number of each row (from 1; of
    text, of its line), and what could not be read among them. `lines` are those of text."""

    columns: Mapping[str, pa.Array]
    numbers: pa.Array
    damages: Sequence[Damage]
    lines: Sequence[bytes] | None


def read_file(
    store: fs.FileSystem, file: GivenFile, columns: Sequence[str] = tuple(COLUMNS)
) -> Iterator[tuple[int, RawRows]]:
    """Yield all parts of a file, in order, each with its number. Raises OSError, and NotRecords for
    decoded records.
    """
    if file.form == "parquet":
        yield from _parquet(store, file, columns)
    else:
        yield from enumerate(_stretches(store, file))


def part_number(part: tuple[int, RawRows]) -> int:
    """Return the number of a piece's part, to group by: a part comes in as many pieces as it has
    batches.
    """
    return part[0]


# -- parquet


def metadata_of(store: fs.FileSystem, file: GivenFile) -> tuple[list[str], Any]:
    """Return the names of the columns, and the metadata. Raises pa.ArrowInvalid or OSError for what
    is no parquet.
    """
    with store.open_input_file(file.path) as stream:
        parquet = pq.ParquetFile(stream)
        return list(parquet.schema_arrow.names), parquet.metadata


def _parquet(
    store: fs.FileSystem, file: GivenFile, columns: Sequence[str]
) -> Iterator[tuple[int, RawRows]]:
    try:
        names, about = metadata_of(store, file)
        limits = bounds(about, store.get_file_info(file.path).size or 0)
    except (pa.ArrowException, OSError) as error:
        yield 0, _unreadable(store, file, f"no parquet: {error}", None)
        return
    theirs = {ours: name for ours, name in named(names).items() if ours in columns}
    first = 1
    for number, bound in enumerate(limits):
        row_count = about.row_group(number).num_rows
        if not row_count:
            continue  # what a task of Spark without a row leaves; its columns may have no page
        try:
            for rows in _row_group(store, file, (about, number, bound), theirs, first):
                yield number, rows
        except (pa.ArrowException, OSError) as error:
            reason = f"row group {number} cannot be read: {error}"
            yield number, _unreadable(store, file, reason, first)
        first += row_count


def _row_group(
    store: fs.FileSystem,
    file: GivenFile,
    place: tuple[Any, int, Bound],
    names: Mapping[str, str],
    first: int,
) -> Iterator[RawRows]:
    metadata, number, bound = place
    with store.open_input_file(file.path) as stream:
        about = metadata.row_group(number)
        size = rows_at_once(stream, metadata, number, bound)
        columns_read = list(names.values())
        coded = dictionary_names(about, columns_read)
        parquet = pq.ParquetFile(stream, metadata=metadata, read_dictionary=coded or None)
        reading = parquet.iter_batches(size, [number], columns_read, use_threads=False)
        batches = held(reading, bound)
    count = sum(batch.num_rows for batch in batches)
    if count != about.num_rows:
        raise pa.ArrowInvalid(f"{about.num_rows:,} rows are promised, and {count:,} are there")
    for batch in decoded(batches, bound):
        columns = {ours: batch.column(name) for ours, name in names.items()}
        numbers = pa.array(range(first, first + batch.num_rows), pa.int64())
        yield RawRows(columns, numbers, (), None)
        first += batch.num_rows


def _unreadable(store: fs.FileSystem, file: GivenFile, reason: str, number: int | None) -> RawRows:
    with store.open_input_file(file.path) as stream:  # a store that is down is no damage
        data = stream.read(MAX_SHOWN)
    return RawRows({}, pa.array([], pa.int64()), [Damage(reason, number, data)], None)


# -- text


class _Stretch:
    """Lines that are collected until there are enough."""

    def __init__(self) -> None:
        self.size = 0
        self._rows: list[dict[str, str | None]] = []
        self._numbers: list[int] = []
        self._lines: list[bytes] = []
        self._damages: list[Damage] = []
        self._names: dict[str, None] = {}

    def add(self, number: int, line: bytes, row: dict[str, str | None]) -> None:
        self._rows.append(row)
        self._numbers.append(number)
        self._lines.append(line)
        self._names.update(dict.fromkeys(row))

    def refuse(self, number: int, line: bytes, reason: str) -> None:
        self._damages.append(Damage(reason, number, line[:MAX_SHOWN]))

    def rows(self) -> RawRows:
        columns = {
            name: pa.array([row.get(name) for row in self._rows], pa.string())
            for name in self._names
        }
        return RawRows(columns, pa.array(self._numbers, pa.int64()), self._damages, self._lines)


def _stretches(store: fs.FileSystem, file: GivenFile) -> Iterator[RawRows]:
    stretch = _Stretch()
    read: Any = _PrintedRow() if file.form == PRINTED else _json_row
    last = 0
    lines = _lines(store, file.path)
    for number, line in lines if file.form == "csv" else with_objects_on_lines(lines):
        if isinstance(line, OSError):
            stretch.refuse(number, b"", f"cannot be decompressed from here on: {line}")
            break
        if number == 1 and file.form == "csv":
            read = _CsvRow(line)
            continue
        stretch.size += len(line)
        try:
            for part in _apart(_full_line(line)):
                if row := read(part):
                    last = max(last + 1, number)
                    stretch.add(last, part, row)
        except RecursionError:
            stretch.refuse(number, line, "nested too deeply")
        except NotRecords as error:
            raise NotRecords(f"{file.path}: {error}") from None
        except ValueError as error:
            stretch.refuse(number, line, str(error))
        if stretch.size >= _STRETCH:
            yield stretch.rows()
            stretch = _Stretch()
    yield stretch.rows()


_LEAST_LINE = 32
"""Bytes that a line of a compressed file counts as: an empty one takes as long as a short one."""


def _lines(store: fs.FileSystem, path: str) -> Iterator[tuple[int, bytes | OSError]]:
    """Lines that are not empty, with their numbers; of one that is too long only the beginning.
    The last may be why there are no more: a compressed file that is damaged, or torn."""
    number = size = 0
    most = most_inside(store.get_file_info(path).size or 0) if is_compressed(path) else sys.maxsize
    with closing(BufferedReader(store.open_input_stream(path), 1 << 16)) as stream:
        try:
            while line := stream.readline(_LONGEST + 1):
                number += 1
                size += max(len(line), _LEAST_LINE)
                if size > most:
                    yield number, OSError(f"it unpacks to more than {most:,} bytes of lines")
                    return
                bare = (line.removeprefix(_BOM) if number == 1 else line).rstrip(b"\r\n")
                while len(line) > _LONGEST and not line.endswith(b"\n"):
                    line = stream.readline(_LONGEST + 1)
                if bare:
                    yield number, bare
        except OSError as error:
            if error.errno is not None or not is_compressed(path):
                raise
            yield number + 1, error


def _apart(line: bytes) -> list[bytes]:
    """The records of a line, of which the formatters of Kafka 4 print all on one, and an array."""
    if line.startswith(b"[{"):
        try:
            return [bytes(part) for part in msgspec.json.decode(line, type=list[msgspec.Raw])]
        except msgspec.DecodeError:
            return [line]
    if b'}{"key":{"' not in line:
        return [line]
    return [part.encode() for part in apart(line.decode("utf-8", "replace"))]


def _full_line(line: bytes) -> bytes:
    if len(line) > _LONGEST:
        raise ValueError(f"a line of more than {_LONGEST:,} bytes")
    return line


def _json_row(line: bytes) -> dict[str, str | None]:
    row = msgspec.json.decode(line)
    if not isinstance(row, dict):
        raise ValueError("the line is no JSON object")
    row = _with_bytes(with_plain_bytes(row))
    cells = {ours: _cell(row[theirs], theirs) for ours, theirs in named(row).items()}
    # A name that is not read says what the file is, where those are missing that have to be there.
    return cells or dict.fromkeys(list(row)[:12])


def _with_bytes(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the bytes of key and value, where the console consumer's formatters of Kafka 4
    have decoded them: they print all fields."""
    key, value = row.get("key"), row.get("value")
    if not isinstance(key, dict) or not isinstance(key.get("data"), dict):
        return row
    if value is not None and not isinstance(value, dict):
        return row
    try:
        version = None if value is None else int(value["version"])
        data = None if value is None else value["data"]
        dumped = DumpedRecord(int(key["type"]), key["data"], version, data)
    except (KeyError, TypeError, ValueError):
        return row
    record = written_record(dumped)
    if record is None:
        return row
    return row | {"key": record.key.hex(), "value": _hex(record.value)}


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _cell(value: Any, name: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if name in NEEDED:
        raise NotRecords(WITHOUT_BYTES)
    raise ValueError(f"{name} is no text")


class _PrintedRow:
    """Reads the lines that Kafka's tools print; those without a record are none."""

    def __init__(self) -> None:
        self._records = PrintedRecords()

    def __call__(self, line: bytes) -> dict[str, str | None] | None:
        try:
            record = self._records.read(line.decode("utf-8", "replace"))
        except CaptureError as error:
            raise ValueError(error.problem) from None
        if record is None:
            return None
        if record.missing:
            raise ValueError(record.missing)
        places = {
            "source_partition": record.partition,
            "source_offset": record.offset,
            "record_timestamp": record.timestamp,
        }
        row = {name: str(value) for name, value in places.items() if value is not None}
        return {"key": record.key.hex(), "value": _hex(record.value), **row}


class _CsvRow:
    """Reads lines below a header. Quotes are understood; a line break in them is not."""

    def __init__(self, header: bytes) -> None:
        text = header.decode("utf-8", "replace")
        splits = {mark: _fields(text, mark) for mark in _DELIMITERS}
        self._mark = next((mark for mark in splits if "key" in splits[mark]), _DELIMITERS[0])
        self._names = [name.strip() for name in splits[self._mark]]
        columns = named(self._names)
        self._places = {ours: self._names.index(theirs) for ours, theirs in columns.items()}
        if not {*NEEDED} <= columns.keys():  # then all that is asked is what there is instead
            self._places = {name: place for place, name in enumerate(self._names[:12])}

    def __call__(self, line: bytes) -> dict[str, str | None]:
        cells = _fields(line.decode("utf-8"), self._mark)
        if len(cells) != len(self._names):
            raise ValueError(f"{len(cells)} columns, and the header has {len(self._names)}")
        # CSV has no other way to write null.
        return {ours: cells[place] or None for ours, place in self._places.items()}


def _fields(line: str, mark: str) -> list[str]:
    csv.field_size_limit(_LONGEST)
    try:
        return next(csv.reader([line], delimiter=mark, strict=True), [])
    except csv.Error as error:
        raise ValueError(f"the line is no CSV: {error}") from None
