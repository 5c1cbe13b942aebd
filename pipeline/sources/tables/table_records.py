"""Rows of given files as tables of `RECORDS`, as if they came from segments.

A row that cannot be read, whichever cell it is, becomes a row with a `problem`: its place,
why, and its bytes. `position` is the number of the row in its file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ....capture.segments.segment_files import OFFSETS_TOPIC
from ..record_table import MAX_SHOWN, RECORDS, SourceColumns, key_says, table_of
from .cells import Cells, as_bytes, as_flags, as_numbers, as_text, as_times, is_text, rows_where
from .parts import RawRows
from .table_files import NEEDED, GivenFile

__all__ = ["PLACES", "places_of", "records_of"]

_MOST = {"source_partition": (1 << 31) - 1, "source_offset": (1 << 63) - 1}
PLACES = tuple(_MOST)
"""The columns that say where a record is."""


def records_of(raw: RawRows, file: GivenFile, cluster_id: str | None, rows_before: int) -> pa.Table:
    """Return the rows of a part. Where no offset is said, rows are numbered, behind the
    `rows_before` rows of the files before this one.
    """
    cells = _cells(raw, file)
    cells |= places_of(raw, file, rows_before)
    columns = {name: cell.values for name, cell in cells.items()}
    refusals = _refusals(cells, columns.get("problem"))
    rows = len(raw.numbers)
    bad = [_problem(raw, row, reason) for row, reason in sorted(refusals.items())]
    bad += [
        {"problem": damage.reason, "position": damage.number, "value": damage.data}
        for damage in raw.damages
    ]
    facts = {
        **columns,
        **_said_by_keys(columns["key"]),
        "cluster_id": pa.repeat(pa.scalar(cluster_id, pa.string()), rows),
        "source": pa.repeat(pa.scalar(file.path, pa.string()), rows),
        "position": raw.numbers,
    }
    table = pa.Table.from_arrays(
        [facts.get(field.name, pa.nulls(rows, field.type)).cast(field.type) for field in RECORDS],
        schema=RECORDS,
    )
    if refusals:
        is_readable = [row not in refusals for row in range(rows)]
        table = table.filter(pa.array(is_readable, pa.bool_()))
    if bad:
        table = pa.concat_tables([table, table_of(SourceColumns(cluster_id, file.path, None), bad)])
    return table


def places_of(raw: RawRows, file: GivenFile, rows_before: int) -> dict[str, Cells]:
    """Return partition and offset of each row."""
    cells = {name: _place(raw, file, name) for name in _MOST}
    if _column(raw, file, "source_offset") is None:
        cells["source_offset"] = Cells(pc.add(raw.numbers, rows_before), {})
    return cells


def _place(raw: RawRows, file: GivenFile, name: str) -> Cells:
    column = _column(raw, file, name)
    if column is None:
        return Cells(pa.nulls(len(raw.numbers), pa.int64()), {})
    values, refusals = as_numbers(column)
    fits = pc.and_(pc.greater_equal(values, 0), pc.less_equal(values, _MOST[name]))
    wrong = {row: f"{name} {values[row].as_py()} is none" for row in rows_where(pc.invert(fits))}
    return Cells(pc.if_else(fits, values, pa.scalar(None, pa.int64())), {**refusals, **wrong})


def _cells(raw: RawRows, file: GivenFile) -> dict[str, Cells]:
    """Return the columns that are there, without partition and offset."""
    readers: dict[str, Callable[[pa.Array], Cells]] = {
        **dict.fromkeys(NEEDED, lambda column: as_bytes(column, file.encoding)),
        "record_timestamp": as_times,
        "transactional": as_flags,
        "outcome": as_text,
        "problem": as_text,
        "topic": _of_ours,
    }
    nothing = Cells(pa.nulls(len(raw.numbers), pa.binary()), {})  # a part of tombstones alone
    cells = dict.fromkeys(NEEDED, nothing)
    for name, read in readers.items():
        column = _column(raw, file, name)
        if column is not None:
            cells[name] = read(column)
    return cells


def _column(raw: RawRows, file: GivenFile, name: str) -> Any:
    """Return a column, or the value that the path says for all rows; None where there is
    neither.
    """
    column = raw.columns.get(name)
    if column is not None:
        return column
    text = dict(file.said).get(name)
    return None if text is None else pa.repeat(pa.scalar(text, pa.string()), len(raw.numbers))


def _of_ours(column: pa.Array) -> Cells:
    topics, refusals = as_text(column)
    wrong = {
        row: f"of topic {topics[row].as_py()}, not of {OFFSETS_TOPIC}"
        for row in rows_where(pc.not_equal(topics, OFFSETS_TOPIC))
    }
    return Cells(topics, {**refusals, **wrong})


def _refusals(cells: Mapping[str, Cells], problems: pa.Array | None) -> dict[int, str]:
    refusals: dict[int, str] = {}
    for name, cell in cells.items():
        refusals |= {row: f"{name}: {reason}" for row, reason in cell.refused.items()}
    lacking = cells["source_offset"].values.is_null()
    if problems is not None:  # what could not be read elsewhere has none, and says so itself
        lacking = pc.and_(lacking, problems.is_null())
    return dict.fromkeys(rows_where(lacking), "source_offset: there is none") | refusals


def _problem(raw: RawRows, row: int, reason: str) -> dict[str, Any]:
    if raw.lines is not None:
        data = raw.lines[row]
    else:
        cells = {name: _text_of(column.slice(row, 1)) for name, column in raw.columns.items()}
        data = json.dumps(cells).encode()
    return {"problem": reason, "position": raw.numbers[row].as_py(), "value": data[:MAX_SHOWN]}


def _text_of(cell: pa.Array) -> str | None:
    if is_text(cell.type):
        data = cell.cast(pa.string()).cast(pa.binary())[0].as_py()
        return None if data is None else data.decode("utf-8", "backslashreplace")
    value = cell[0].as_py()
    return value.hex() if isinstance(value, bytes) else None if value is None else str(value)


def _said_by_keys(keys: pa.Array) -> dict[str, pa.Array]:
    """Return the result of `key_says` for each row, computed once for each key: commits of a
    partition repeat theirs.
    """
    coded = keys.dictionary_encode()
    facts = [key_says(key) for key in coded.dictionary.to_pylist()]
    return {
        name: pa.array([row.get(name) for row in facts], kind).take(coded.indices)
        for name, kind in (("record_type", pa.int16()), ("group_id", pa.string()))
    }
