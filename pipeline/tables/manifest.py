"""The manifest of an audit: the published files, and reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ...codec import KprotoError
from ..sources.places import filesystem
from .schemas import TABLES
from .writing import WrittenFile

__all__ = [
    "MANIFEST",
    "Manifest",
    "NoAudit",
    "columns_of",
    "digest",
    "listing",
    "manifest_of",
    "paths_of",
    "published",
    "published_files",
    "replace_file",
]

MANIFEST = "manifest.json"


class NoAudit(KprotoError):
    """The place holds no audit, or one that cannot be read."""


class _Part(msgspec.Struct):
    file: str


class Manifest(msgspec.Struct):
    """The fields that are read of a manifest, of a single audit or of a follower."""

    tables: dict[str, list[_Part]]
    files: list[str] = []

    @classmethod
    def of(cls, data: bytes) -> Manifest | None:
        """Return the manifest in these bytes; None where they are of no audit."""
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None

    @property
    def parts(self) -> set[str]:
        """The names of the files of all tables."""
        return {file.file for files in self.tables.values() for file in files}


def listing(files: Sequence[WrittenFile]) -> dict[str, list[dict[str, Any]]]:
    """Return the files of each table as the manifest lists them."""
    files_by_table: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for file in files:
        files_by_table[file.table].append({"file": f"{file.table}/{file.name}", "rows": file.rows})
    return files_by_table


def published(uri: str, table: str, columns: list[str]) -> pa.Table:
    """Return columns of a table of the audit at this place, by its manifest. Raises `NoAudit`."""
    store, path = filesystem(uri)
    manifest = _read_manifest(store, path, uri)
    paths = [f"{path}/{part.file}" for part in manifest.tables.get(table, [])]
    try:
        return columns_of(store, paths, table, columns)
    except (OSError, pa.ArrowException) as error:
        raise NoAudit(f"{uri}: the audit here cannot be read: {error}") from None


def published_files(uri: str) -> dict[str, list[str]]:
    """Return the URIs of the files of each table of the audit at this place. Raises `NoAudit`."""
    tables = _read_manifest(*filesystem(uri), uri).tables
    return {name: [f"{uri}/{part.file}" for part in tables.get(name, [])] for name in TABLES}


def _read_manifest(store: fs.FileSystem, path: str, uri: str) -> Manifest:
    data = manifest_of(store, path)
    if data is None:
        raise NoAudit(f"{uri}: there is no audit here (no {MANIFEST})")
    manifest = Manifest.of(data)
    if manifest is None:
        raise NoAudit(f"{uri}/{MANIFEST} is of no audit")
    return manifest


def paths_of(folder: str, table: str, files: Iterable[WrittenFile]) -> list[str]:
    """Return the paths of the files of a table that have rows."""
    return [f"{folder}/{table}/{file.name}" for file in files if file.table == table and file.rows]


def columns_of(
    store: fs.FileSystem,
    paths: Iterable[str],
    table: str,
    columns: list[str],
    rows: pc.Expression | None = None,
) -> pa.Table:
    """Return columns of a table that these files hold. Raises pyarrow.ArrowInvalid where a file has
    not all of them.
    """
    schema = pa.schema([TABLES[table].field(name) for name in columns])
    parts = (
        part.select(columns).cast(schema)
        for path in paths
        for part in _parts(store, path, columns, rows)
    )
    return pa.concat_tables([schema.empty_table(), *parts])


def _parts(
    store: fs.FileSystem, path: str, columns: list[str], rows: pc.Expression | None
) -> Iterator[pa.Table]:
    """Yield columns of a file, the rows that an expression selects of each row group. A data set
    of Arrow does the same, and takes longer to begin with than to read a small file.
    """
    is_far = not isinstance(store, fs.LocalFileSystem)  # then a request takes long
    with pq.ParquetFile(path, filesystem=store, pre_buffer=is_far) as file:
        missing = set(columns).difference(file.schema_arrow.names)
        if missing:
            raise pa.ArrowInvalid(f"{path} has no column {', '.join(sorted(missing))}")
        if rows is None:
            yield file.read(columns)
            return
        for number in range(file.num_row_groups):
            yield file.read_row_group(number, columns).filter(rows)


def manifest_of(store: fs.FileSystem, path: str) -> bytes | None:
    """Return the bytes of the manifest; None where there is none."""
    if store.get_file_info(f"{path}/{MANIFEST}").type != fs.FileType.File:
        return None
    with store.open_input_stream(f"{path}/{MANIFEST}") as file:
        data: bytes = file.read()
    return data


def replace_file(store: fs.FileSystem, path: str, name: str, data: bytes) -> None:
    """Write a file of a folder under another name first: renaming it replaces the old one at
    once.
    """
    with store.open_output_stream(f"{path}/.{name}") as out:
        out.write(data)
    store.move(f"{path}/.{name}", f"{path}/{name}")


def digest(data: bytes | None) -> str:
    """Return the SHA-256 of a file in hex; empty where there is no file."""
    return "" if data is None else sha256(data).hexdigest()
