"""Tables of records that others have written, as a source.

Files that have a partition in common are one unit, for a group is followed in the order of its
partition. The files are looked through once before, for what partitions and offsets each part has;
then a row is handed on as soon as no part behind it has a lower offset of its partition. So what
was written in order passes through, and only what was not is held and sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count, groupby, zip_longest
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import fs

from ....wording import counted
from ...columnar.arrays import column
from ..places import everywhere, filesystem
from ..record_table import NotRecords
from ..refused_unit import RefusedUnit, refused
from .log_order import Times, once
from .parts import part_number, read_file
from .scan import Lows, Scanned, lowest, lows_of, scan
from .table_files import found_in
from .table_records import PLACES, records_of

__all__ = ["TableUnit", "table_units"]

_NOTHING_BEHIND: Lows = {}
_ENOUGH = 1 << 14  # rows


class TableUnit(NamedTuple):
    """Files of records that have partitions in common."""

    source: str
    files: tuple[Scanned, ...]
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield the records of the files, each partition in order. Raises OSError, and NotRecords
        where a file has changed since it was scanned.
        """
        store, _ = filesystem(self.source)
        floors = _lows_after([lows for file in self.files for lows in file.parts])
        waiting, times = _Waiting(), Times()
        problems, ready = _Several(), _Several()
        for rows, floor in zip_longest(_parts(store, self.files, cluster_id), floors):
            if rows is None or floor is None:
                raise NotRecords(f"{self.source}: a file changed while it was read")
            has_problem = column(rows, "problem").is_valid()
            problems.add(rows.filter(has_problem))
            for table in waiting.released(floor, rows.filter(pc.invert(has_problem))):
                ready.add(table)
            if problems.are_enough:
                yield problems.taken()
            if ready.are_enough:
                yield times.filled(once(_in_order(ready.taken())))
        if problems.rows:
            yield problems.taken()
        if ready.rows:
            yield times.filled(once(_in_order(ready.taken())))


class _Several:
    """Tables that are passed on as one: thousands of row groups may have a row each."""

    def __init__(self) -> None:
        self._tables: list[pa.Table] = []
        self.rows = 0

    def add(self, table: pa.Table) -> None:
        if table.num_rows:
            self._tables.append(table)
            self.rows += table.num_rows

    @property
    def are_enough(self) -> bool:
        return self.rows >= _ENOUGH

    def taken(self) -> pa.Table:
        """Return all of them, which leaves none."""
        table = pa.concat_tables(self._tables).combine_chunks()
        self._tables, self.rows = [], 0
        return table


class _Waiting:
    """Records before which others belong that are still to come. Each table is looked at again
    only where some of it passes."""

    def __init__(self) -> None:
        self._tables: dict[int, pa.Table] = {}
        self._lows: dict[int | None, list[tuple[int, int]]] = {}
        self._numbers = count()

    def released(self, floor: Lows, rows: pa.Table) -> list[pa.Table]:
        """Return what passes, of these rows and of those that wait, with the lowest offsets of all
        rows that are still to come."""
        tables = [rows]
        for partition, lows in self._lows.items():
            while lows and (partition not in floor or lows[0][0] < floor[partition]):
                table = self._tables.pop(heappop(lows)[1], None)
                if table is not None:  # of another partition it has passed already
                    tables.append(table)
        return [self._passing(table, floor) for table in tables]

    def _passing(self, rows: pa.Table, floor: Lows) -> pa.Table:
        passes = _ready(rows, floor)
        held = rows.filter(pc.invert(passes))
        if held.num_rows:
            number = next(self._numbers)
            self._tables[number] = held
            for partition, low in lows_of(*(column(held, name) for name in PLACES)).items():
                heappush(self._lows.setdefault(partition, []), (low, number))
        return rows.filter(passes)


def table_units(sources: Sequence[str], encoding: str | None) -> list[TableUnit | RefusedUnit]:
    """Return the units of files and folders of one store, the largest first; none where there is no
    such file.

    `encoding` is how text is written; None: detected for each file. A file that holds other things
    is refused beside those that do not. Raises NotRecords where all do, or no row of any can be
    read; OSError where one cannot be read.
    """
    store, _ = filesystem(sources[0])
    scanned: list[Scanned] = []
    row_count = 0
    reasons: list[str] = []
    refusals: dict[str, NotRecords] = {}
    files_given = [file for source in sources for file in found_in(store, filesystem(source)[1])]
    for file in files_given:
        try:
            entry, rows = scan(store, file, encoding, row_count, reasons)
        except NotRecords as refusal:
            refusals[file.path] = refusal
            continue
        scanned.append(entry)
        row_count += rows
    if not row_count and refusals:
        raise next(iter(refusals.values()))
    place = ", ".join(sources)
    if scanned and not row_count and not reasons:
        files_read = counted(len(scanned), "file")
        raise NotRecords(f"{place}: no row ({files_read} read): there is nothing to audit")
    if reasons and not any(file.partitions for file in scanned):
        raise NotRecords(f"{place}: not one row can be read; {reasons[0]}")
    units: list[TableUnit | RefusedUnit] = []
    for files in _together(scanned):
        size = sum(info.size for info in store.get_file_info([file.file.path for file in files]))
        units.append(TableUnit(everywhere(sources[0]), tuple(_ordered(files)), size))
    units += [refused(path, refusal) for path, refusal in refusals.items()]
    return sorted(units, key=lambda unit: -unit.size)


def _together(files: Sequence[Scanned]) -> list[list[Scanned]]:
    """Return the files in groups that have partitions in common."""
    groups: list[tuple[set[int | None], list[Scanned]]] = []
    for file in files:
        mine, members = file.partitions, [file]
        apart = []
        for partitions, files_of_group in groups:
            if partitions & mine:
                mine, members = mine | partitions, [*files_of_group, *members]
            else:
                apart.append((partitions, files_of_group))
        groups = [*apart, (mine, members)]
    return [members for _, members in groups]


def _ordered(files: Sequence[Scanned]) -> list[Scanned]:
    """Return the files by their offsets where they are all of one partition, else by their
    paths.
    """
    partitions = set[int | None]().union(*(file.partitions for file in files))
    if len(partitions) > 1:
        return sorted(files, key=lambda file: file.file.path)
    return sorted(files, key=lambda file: min(lowest(file.parts).values(), default=-1))


def _parts(store: fs.FileSystem, files: Sequence[Scanned], cluster_id: str) -> Iterator[pa.Table]:
    for file in files:
        for _, parts in groupby(read_file(store, file.file), key=part_number):
            tables = [records_of(raw, file.file, cluster_id, file.before) for _, raw in parts]
            yield pa.concat_tables(tables)


# -- the order of the log


def _lows_after(parts: Sequence[Lows]) -> list[Lows]:
    """Return for each part the lowest offsets of all parts behind it."""
    result = [_NOTHING_BEHIND]
    for lows in reversed(parts[1:]):
        result.append(lowest([result[-1], lows]))
    return result[::-1] if parts else []


def _ready(rows: pa.Table, floors: Lows) -> pa.Array:
    """Return which rows have an offset below all that are still to come of their partition."""
    partitions, lows = (
        pa.array(list(floors), pa.int32()),
        pa.array(list(floors.values()), pa.int64()),
    )
    floor = lows.take(pc.index_in(column(rows, "source_partition"), partitions))
    return pc.fill_null(pc.less(column(rows, "source_offset"), floor), True)


def _in_order(rows: pa.Table) -> pa.Table:
    """Return the rows by partition and offset; most are in this order already."""
    by_place = [(name, "ascending") for name in PLACES]
    order = pc.sort_indices(rows, sort_keys=by_place)
    if np.array_equal(order.to_numpy(), np.arange(rows.num_rows)):
        return rows
    return rows.take(order)
