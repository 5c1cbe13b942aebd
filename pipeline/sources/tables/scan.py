"""The partitions and offsets in a file, found by a scan before its rows are read in order.

For each part of it the lowest offset of each partition is kept: with that a reader knows when
no row is to come any more that belongs before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import fs

from ..record_table import NotRecords
from .cells import detected, is_binary, is_text
from .parts import RawRows, metadata_of, part_number, read_file
from .table_files import NEEDED, GivenFile, check_names
from .table_records import PLACES, places_of

__all__ = ["Lows", "Scanned", "lowest", "lows_of", "scan"]

Lows: TypeAlias = Mapping[int | None, int]
"""For each partition the lowest offset."""


class Scanned(NamedTuple):
    """A file, how many rows the files before it have, and the lowest offsets of its parts."""

    file: GivenFile
    before: int
    parts: tuple[Lows, ...]

    @property
    def partitions(self) -> set[int | None]:
        return {partition for lows in self.parts for partition in lows}


def scan(
    store: fs.FileSystem,
    file: GivenFile,
    encoding: str | None,
    rows_before: int,
    reasons: list[str],
) -> tuple[Scanned, int]:
    """Return what is where in a file, and how many rows it has; to `reasons` goes why some are not
    read.
    """
    file = file._replace(encoding=_encoding(store, file, encoding))
    parts: list[Lows] = []
    rows = 0
    for _, group in groupby(read_file(store, file, PLACES), key=part_number):
        lows: list[Lows] = []
        for _, raw in group:
            places = places_of(raw, file, rows_before)
            lows.append(lows_of(*(places[name].values for name in PLACES)))
            reasons += [damage.reason for damage in raw.damages[:1]]
            numbers = [damage.number or 0 for damage in raw.damages]
            rows = max(rows, pc.max(raw.numbers).as_py() or 0, *numbers)
        parts.append(lowest(lows))
    return Scanned(file, rows_before, tuple(parts)), rows


def _encoding(store: fs.FileSystem, file: GivenFile, forced: str | None) -> str | None:
    """How text is written in a file; None where it has none. Raises NotRecords where it has no
    keys and values, or does not show how they are written."""
    first = next((raw for _, raw in read_file(store, file) if len(raw.numbers)), None)
    if first is None:
        return None
    check_names(file.path, _names(store, file, first))
    for name, values in first.columns.items():
        if values.type.num_fields or (name in NEEDED and not _readable(values.type)):
            wanted = "bytes, or text of hex or base64" if name in NEEDED else "a column of its own"
            raise NotRecords(f"{file.path}: {name} is {values.type}, and has to be {wanted}")
    text = [first.columns[name] for name in NEEDED if is_text(first.columns[name].type)]
    encoding = (forced or detected(text)) if text else None
    if encoding is None and any(len(values) > values.null_count for values in text):
        raise NotRecords(
            f"{file.path}: key and value are text, and neither hex nor base64 of records of the "
            "offsets topic; --encoding says what they are"
        )
    return encoding


def _readable(kind: pa.DataType) -> bool:
    return is_text(kind) or is_binary(kind)


def _names(store: fs.FileSystem, file: GivenFile, first: RawRows) -> Sequence[str]:
    return metadata_of(store, file)[0] if file.form == "parquet" else list(first.columns)


def lows_of(partitions: pa.Array, offsets: pa.Array) -> Lows:
    """Return the lowest offset of each partition."""
    rows = pa.table({"partition": partitions, "offset": offsets}).group_by("partition")
    lows = rows.aggregate([("offset", "min")]).to_pylist()
    return {row["partition"]: row["offset_min"] for row in lows if row["offset_min"] is not None}


def lowest(lows: Sequence[Lows]) -> Lows:
    """Return the lowest offset of each partition in any of these."""
    result: dict[int | None, int] = {}
    for part in lows:
        for partition, low in part.items():
            result[partition] = min(low, result.get(partition, low))
    return result
