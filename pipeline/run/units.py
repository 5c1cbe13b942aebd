"""Which source a folder, file or URI is, and its units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyarrow import fs

from ..sources.places import filesystem
from ..sources.segments.files import clusters
from ..sources.segments.segment_units import file_units, folder_units
from ..sources.tables.table_files import found_in
from ..sources.tables.table_units import table_units
from ..sources.units import Unit

__all__ = ["clusters_of", "is_table", "units_of"]


def clusters_of(source: str) -> dict[str, Sequence[Unit]]:
    """Return the units of each cluster, where the source is a folder of log segments of several by
    their brokers' `meta.properties`; nothing where it is not. Raises NotRecords where some of them
    name none.
    """
    try:
        homes_by_cluster = clusters(source)
    except FileNotFoundError:
        return {}
    return {cluster: folder_units(source, homes) for cluster, homes in homes_by_cluster.items()}


def is_table(source: str) -> bool:
    """Return whether a source is one file with a table of records, by its name: no capture."""
    store, path = filesystem(source)
    if store.get_file_info(path).type != fs.FileType.File or not found_in(store, path):
        return False
    return not _captures().is_capture(store, path)


def _captures() -> Any:
    from ..sources import captures  # late: slow, and seldom given

    return captures


def units_of(source: str, encoding: str | None = None) -> Sequence[Unit]:
    """Return the units of a folder, file or URI, the largest first, so that no long task begins
    late: of log segments, else of tables of records, else of a capture. `encoding` is how text in
    tables is written (None: found out for each file).

    Raises FileNotFoundError where nothing is there, and NotRecords where only other things are.
    """
    store, path = filesystem(source)
    info = store.get_file_info(path)
    kind = info.type
    if kind == fs.FileType.File:
        units: Sequence[Unit] = ()
        if not path.endswith(".log"):
            units = _captures().capture_units(source) or table_units([source], encoding)
        return units or file_units(source, store, info)
    try:
        return folder_units(source)
    except FileNotFoundError as error:
        if kind != fs.FileType.Directory:
            raise
        units = table_units([source], encoding)
        if not units:
            instead = "no parquet, JSON lines or CSV (a capture is given by its own name)"
            line = f"{error}, and {instead}"
            raise FileNotFoundError(line) from None
        return units
