"""Tables of records that others have written, as a source.

Files that have a partition in common are one unit, for a group is followed in the order of its
partition. The files are looked through once before, for what partitions and offsets each part has;
then a row is handed on as soon as no part behind it has a lower offset of its partition. So what
was written in order passes through, and only what was not is held and sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import fs

from ..given_cells import detected, is_binary, is_text
from ..given_files import NEEDED, GivenFile, check_names, found_in
from ..given_parts import RawRows, read_file, row_groups
from ..given_records import places_of, records_of
from ..given_times import Times
from ..record_table import NotRecords
from ..segment_files import filesystem
from ..tables.arrays import column

__all__ = ["GivenUnit", "given_units"]

Lows: TypeAlias = Mapping[int | None, int]
"""For each partition the lowest offset."""

_PLACES = ("source_partition", "source_offset")
_NOTHING_BEHIND: Lows = {}
_OTHER = "another record has the same partition and offset"


class _Scanned(NamedTuple):
    """A file, how many rows the files before it have, and the lows of its parts."""

    file: GivenFile
    before: int
    parts: tuple[Lows, ...]

    @property
    def partitions(self) -> set[int | None]:
        return {partition for lows in self.parts for partition in lows}


class GivenUnit(NamedTuple):
    """Files that have partitions in common."""

    source: str
    files: tuple[_Scanned, ...]
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Their records, each partition in order. Raises OSError, and NotRecords where a file is
        no longer what it was when it was looked through."""
        store, _ = filesystem(self.source)
        behind = _behind([lows for one in self.files for lows in one.parts])
        held: list[pa.Table] = []
        times = Times()
        for rows, floors in zip_longest(_parts(store, self.files, cluster_id), behind):
            if rows is None or floors is None:
                raise NotRecords(f"{self.source}: a file changed while it was read")
            troubled = column(rows, "problem").is_valid()
            yield rows.filter(troubled)
            known = pa.concat_tables([*held, rows.filter(pc.invert(troubled))])
            ready = _ready(known, floors)
            held = [known.filter(pc.invert(ready))]
            yield times.filled(_once(_in_order(known.filter(ready))))


def given_units(source: str, encoding: str | None) -> list[GivenUnit]:
    """The units of a file or folder, the largest first; none where there is no such file.

    `encoding` says how text is written; None: as each file shows. Raises NotRecords where a file
    has other things in it, OSError where it cannot be read.
    """
    store, path = filesystem(source)
    scanned = []
    before = 0
    reasons: list[str] = []
    for file in found_in(store, path):
        one, rows = _scan(store, file, encoding, before, reasons)
        scanned.append(one)
        before += rows
    if reasons and not any(one.partitions for one in scanned):
        raise NotRecords(f"{source}: not one row can be read; {reasons[0]}")
    units = []
    for files in _together(scanned):
        size = sum(info.size for info in store.get_file_info([one.file.path for one in files]))
        units.append(GivenUnit(source, tuple(_ordered(files)), size))
    return sorted(units, key=lambda unit: -unit.size)


def _scan(
    store: fs.FileSystem, file: GivenFile, encoding: str | None, before: int, reasons: list[str]
) -> tuple[_Scanned, int]:
    """What is where in a file, and how many rows it has; to `reasons` goes why some are not
    read."""
    file = file._replace(encoding=_encoding(store, file, encoding))
    parts: list[Lows] = []
    rows = 0
    for _, group in groupby(read_file(store, file, _PLACES), key=_number):
        lows: list[Lows] = []
        for _, raw in group:
            found = places_of(raw, file, before)
            lows.append(_lows(*(found[name].values for name in _PLACES)))
            reasons += [one.reason for one in raw.damages[:1]]
            numbers = [one.number or 0 for one in raw.damages]
            rows = max(rows, pc.max(raw.numbers).as_py() or 0, *numbers)
        parts.append(_lowest(lows))
    return _Scanned(file, before, tuple(parts)), rows


def _number(part: tuple[int, RawRows]) -> int:
    return part[0]


def _encoding(store: fs.FileSystem, file: GivenFile, forced: str | None) -> str | None:
    """How text is written in a file; None where it has none. Raises NotRecords where it has no
    keys and values, or does not show how they are written."""
    first = next((raw for _, raw in read_file(store, file) if len(raw.numbers)), None)
    if first is None:
        return None
    check_names(file.path, _names(store, file, first))
    for name, values in first.columns.items():
        if values.type.num_fields or (name in NEEDED and not _readable(values.type)):
            raise NotRecords(f"{file.path}: {name} is {values.type}, and no plain column of it")
    text = [first.columns[name] for name in NEEDED if is_text(first.columns[name].type)]
    found = (forced or detected(text)) if text else None
    if found is None and any(len(each) > each.null_count for each in text):
        raise NotRecords(
            f"{file.path}: key and value are text, and neither hex nor base64 of records of the "
            "offsets topic; --encoding says what they are"
        )
    return found


def _readable(kind: pa.DataType) -> bool:
    return is_text(kind) or is_binary(kind)


def _names(store: fs.FileSystem, file: GivenFile, first: RawRows) -> Sequence[str]:
    return row_groups(store, file)[0] if file.form == "parquet" else list(first.columns)


def _lows(partitions: pa.Array, offsets: pa.Array) -> Lows:
    rows = pa.table({"partition": partitions, "offset": offsets}).group_by("partition")
    found = rows.aggregate([("offset", "min")]).to_pylist()
    return {row["partition"]: row["offset_min"] for row in found if row["offset_min"] is not None}


def _lowest(lows: Sequence[Lows]) -> Lows:
    found: dict[int | None, int] = {}
    for one in lows:
        for partition, low in one.items():
            found[partition] = min(low, found.get(partition, low))
    return found


def _together(files: Sequence[_Scanned]) -> list[list[_Scanned]]:
    """The files, those together that have a partition in common."""
    groups: list[tuple[set[int | None], list[_Scanned]]] = []
    for one in files:
        mine, members = one.partitions, [one]
        apart = []
        for partitions, others in groups:
            if partitions & mine:
                mine, members = mine | partitions, [*others, *members]
            else:
                apart.append((partitions, others))
        groups = [*apart, (mine, members)]
    return [members for _, members in groups]


def _ordered(files: Sequence[_Scanned]) -> list[_Scanned]:
    """By their offsets where they are all of one partition, else by their paths."""
    partitions = set[int | None]().union(*(one.partitions for one in files))
    if len(partitions) > 1:
        return sorted(files, key=lambda one: one.file.path)
    return sorted(files, key=lambda one: min(_lowest(one.parts).values(), default=-1))


def _behind(parts: Sequence[Lows]) -> list[Lows]:
    """For each part, the lows of all that are behind it."""
    found = [_NOTHING_BEHIND]
    for lows in reversed(parts[1:]):
        found.append(_lowest([found[-1], lows]))
    return found[::-1] if parts else []


def _parts(store: fs.FileSystem, files: Sequence[_Scanned], cluster_id: str) -> Iterator[pa.Table]:
    for one in files:
        for _, parts in groupby(read_file(store, one.file), key=_number):
            tables = [records_of(raw, one.file, cluster_id, one.before) for _, raw in parts]
            yield pa.concat_tables(tables)


def _ready(rows: pa.Table, floors: Lows) -> pa.Array:
    """Which rows have an offset below all that are still to come of their partition."""
    known, lows = pa.array(list(floors), pa.int32()), pa.array(list(floors.values()), pa.int64())
    floor = lows.take(pc.index_in(column(rows, "source_partition"), known))
    return pc.fill_null(pc.less(column(rows, "source_offset"), floor), True)


def _in_order(rows: pa.Table) -> pa.Table:
    by_place = [(name, "ascending") for name in _PLACES]
    order = pc.sort_indices(rows, sort_keys=by_place)
    if np.array_equal(order.to_numpy(), np.arange(rows.num_rows)):
        return rows
    return rows.take(order)


def _once(rows: pa.Table) -> pa.Table:
    """Each record once, however many copies there are of it; another one at the same offset is
    a problem: two clusters, or a topic that was made anew. Without a partition no copy is known."""
    here, before = rows.slice(1), rows.slice(0, max(rows.num_rows - 1, 0))
    again = _same(here, before, _PLACES)
    if not pc.any(again).as_py():
        return rows
    again = pa.concat_arrays([pa.array([False]), again])
    copies = pa.concat_arrays([pa.array([False]), _same(here, before, NEEDED, nulls=True)])
    other = rows.filter(pc.and_(again, pc.invert(copies)))
    place = rows.schema.get_field_index("problem")
    told = pa.repeat(pa.scalar(_OTHER, pa.string()), other.num_rows)
    other = other.set_column(place, rows.schema.field("problem"), told)
    return pa.concat_tables([rows.filter(pc.invert(again)), other])


def _same(one: pa.Table, other: pa.Table, names: Sequence[str], *, nulls: bool = False) -> pa.Array:
    """Where rows have the same in all of these columns; two nulls are the same if so said."""
    found = pa.repeat(pa.scalar(True), one.num_rows)
    for name in names:
        mine, theirs = column(one, name), column(other, name)
        both = pc.and_(mine.is_null(), theirs.is_null())
        same = pc.fill_null(pc.equal(mine, theirs), False)
        found = pc.and_(found, pc.or_(same, both) if nulls else same)
    return found
