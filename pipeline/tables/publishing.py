"""Writing tables so that a reader never sees half of them.

Files are written below `DIR/.staging-RUN/`, moved to `DIR/TABLE/`, and a manifest comes last: what
no manifest names is not published. A rename is not atomic on an object store; one small write is.
A folder that holds an audit already is refused, or replaced as a whole: the files of the new one,
whose names are new, come beside those of the old one, the manifest changes from one to the other,
and the old files go. Whatever fails before that moment leaves the old audit as it is.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from time import sleep
from types import TracebackType
from typing import Any, NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from ...codec import KprotoError
from ..segment_files import filesystem
from .arrays import coded, coded_schema
from .schemas import TABLES, VERSION

__all__ = ["MANIFEST", "Destination", "NotEmpty", "TableWriter", "WrittenFile"]

MANIFEST = "manifest.json"
ROWS_A_FILE = 8 << 20
"""How many rows a file has at most, about: some hundred megabytes of offsets."""
_ROW_GROUP = 1 << 18  # rows; what is held in memory of a table that is being written
_HELD = 1 << 25  # bytes of it
_BATCH = 1 << 16  # values that are encoded at once
_PAUSES = (0.1, 0.3, 1.0, 3.0)  # seconds between attempts to delete what is still written to


class NotEmpty(KprotoError):
    """The place holds an audit, or something else."""


class WrittenFile(NamedTuple):
    """A staged file of a table, and how many rows it has."""

    table: str
    name: str
    rows: int


class Destination(NamedTuple):
    """Where an audit goes: a folder, or a URI of a filesystem that pyarrow knows."""

    uri: str
    run: str

    @classmethod
    def new(cls, uri: str, *, replace: bool) -> Destination:
        """A place to write to. Raises `NotEmpty` where something is there and `replace` is not
        given; where it is, only an audit is ever replaced."""
        store, path = filesystem(uri)
        there = [info.base_name for info in _listed(store, path)]
        ours = {*TABLES, MANIFEST}
        if any(name in ours for name in there) and not replace:
            raise NotEmpty(f"{uri} holds an audit already: choose another place, or --replace")
        return cls(uri, uuid4().hex[:12])

    @property
    def staging(self) -> str:
        """The folder of what is not published."""
        return f".staging-{self.run}"

    def stage(self) -> None:
        """Make the folder of what is not published, without which nothing can be staged."""
        store, path = filesystem(self.uri)
        store.create_dir(f"{path}/{self.staging}", recursive=True)

    def writer(self) -> TableWriter:
        """A writer of staged files; each has a name of its own, so that tasks may be retried."""
        store, path = filesystem(self.uri)
        return TableWriter(store, f"{path}/{self.staging}")

    @property
    def staged_uri(self) -> str:
        """The folder of what is not published, as `filesystem` takes it."""
        place, mark, settings = self.uri.partition("?") if "://" in self.uri else (self.uri, "", "")
        return f"{place.rstrip('/')}/{self.staging}{mark}{settings}"

    def publish(
        self,
        files: Sequence[WrittenFile],
        manifest: dict[str, Any],
        beside: Mapping[str, str] | None = None,
    ) -> None:
        """Make these files the audit that is here, in place of any other. `beside` are texts, by
        the names of files that stand beside the tables."""
        store, path = filesystem(self.uri)
        texts = dict(beside or {})
        said = {"run": self.run, "version": VERSION, "files": sorted(texts)}
        said |= {"tables": _listing(files)} | manifest
        texts[MANIFEST] = json.dumps(said, indent=1) + "\n"  # the last one
        for name, text in texts.items():
            with store.open_output_stream(f"{path}/{self.staging}/{name}") as out:
                out.write(text.encode("utf-8", "backslashreplace"))
        for table in TABLES:
            store.create_dir(f"{path}/{table}", recursive=True)
        moved: list[str] = []
        try:
            for name in (*(f"{file.table}/{file.name}" for file in files), *texts):
                store.move(f"{path}/{self.staging}/{name}", f"{path}/{name}")
                moved.append(name)
        except OSError:
            for name in moved:
                if name not in texts:  # of those there may be no other
                    store.delete_file(f"{path}/{name}")
            raise
        _delete_others(store, path, files)
        self.discard()

    def discard(self) -> None:
        """Forget what was staged. A task that was cancelled, or has a twin, may write for a moment
        longer: what it has begun is deleted with the rest, and it can begin nothing more."""
        store, path = filesystem(self.uri)
        for pause in _PAUSES:
            try:
                return _delete(store, f"{path}/{self.staging}")
            except OSError:
                sleep(pause)
        return _delete(store, f"{path}/{self.staging}")

    def staged(self, files: Iterable[WrittenFile], table: str, columns: list[str]) -> pa.Table:
        """Columns of a staged table."""
        store, path = filesystem(self.uri)
        schema = pa.schema([TABLES[table].field(name) for name in columns])
        parts = [
            pq.read_table(
                f"{path}/{self.staging}/{table}/{file.name}", filesystem=store, columns=columns
            )
            for file in files
            if file.table == table and file.rows
        ]
        return pa.concat_tables([schema.empty_table(), *parts])


class TableWriter:
    """Writes staged files, a table each, and begins another where one is full."""

    def __init__(self, store: fs.FileSystem, path: str) -> None:
        self._store = store
        self._path = path
        self._open: dict[str, _File] = {}
        self._written: list[WrittenFile] = []

    def write(self, table: str, rows: pa.Table) -> None:
        """Add rows to a table; they are cast to its schema."""
        if not rows.num_rows:
            return
        file = self._open.get(table)
        if file is None:
            file = self._open[table] = _File(self._store, self._path, table)
        file.add(rows)
        if file.rows >= ROWS_A_FILE:
            self._close(table)

    def written(self) -> list[WrittenFile]:
        """Close all files and say what they are."""
        for table in list(self._open):
            self._close(table)
        return self._written

    def write_empty(self, table: str) -> None:
        """A file with the schema alone."""
        file = _File(self._store, self._path, table)
        self._written.append(file.close())

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._open.values():
            file.close()

    def _close(self, table: str) -> None:
        self._written.append(self._open.pop(table).close())


class _File:
    """A parquet file that is being written; small additions are gathered into row groups."""

    def __init__(self, store: fs.FileSystem, path: str, table: str) -> None:
        self._table = table
        self._name = f"part-{uuid4().hex}.parquet"
        # Not recursive: a task that outlives its audit makes no folder that nobody deletes.
        store.create_dir(f"{path}/{table}", recursive=False)
        self._schema = coded_schema(TABLES[table])
        self._writer = pq.ParquetWriter(
            f"{path}/{table}/{self._name}", self._schema, filesystem=store, **_encodings(table)
        )
        # That the values came once each is nothing about the table.
        self._writer.add_key_value_metadata(_metadata(TABLES[table]))
        self._held: list[pa.Table] = []
        self._waiting = 0
        self.rows = 0

    def add(self, rows: pa.Table) -> None:
        self._held.append(coded(rows, self._schema))
        self._waiting += rows.num_rows
        self.rows += rows.num_rows
        if self._waiting >= _ROW_GROUP or sum(one.nbytes for one in self._held) >= _HELD:
            self._flush()

    def close(self) -> WrittenFile:
        self._flush()
        self._writer.close()
        return WrittenFile(self._table, self._name, self.rows)

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(pa.concat_tables(self._held).unify_dictionaries())
        self._held, self._waiting = [], 0


def _encodings(table: str) -> dict[str, Any]:
    """Offsets and times go up from row to row: their differences take an eighth of the room, in
    half of the time. The rest repeats itself. Text stands in no order: the least and the greatest
    of a row group would let nobody skip it."""
    rising = [
        field.name
        for field in TABLES[table]
        if pa.types.is_int64(field.type) or pa.types.is_timestamp(field.type)
    ]
    return {
        "compression": "zstd",
        "store_schema": False,
        "write_batch_size": _BATCH,
        "write_statistics": [
            field.name
            for field in TABLES[table]
            if pa.types.is_integer(field.type) or pa.types.is_timestamp(field.type)
        ],
        "use_dictionary": [name for name in TABLES[table].names if name not in rising],
        "column_encoding": dict.fromkeys(rising, "DELTA_BINARY_PACKED"),
    }


def _metadata(schema: pa.Schema) -> dict[bytes, bytes]:
    """What pyarrow writes of a schema that is stored."""
    return {**schema.metadata, b"ARROW:schema": b64encode(schema.serialize())}


def _listing(files: Sequence[WrittenFile]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for file in files:
        found[file.table].append({"file": f"{file.table}/{file.name}", "rows": file.rows})
    return found


def _delete_others(store: fs.FileSystem, path: str, files: Sequence[WrittenFile]) -> None:
    """What an earlier audit left, or one that was killed."""
    kept = {f"{path}/{file.table}/{file.name}" for file in files}
    for table in TABLES:
        for info in store.get_file_info(fs.FileSelector(f"{path}/{table}")):
            if info.path not in kept:
                _delete(store, info.path)


def _listed(store: fs.FileSystem, path: str) -> list[fs.FileInfo]:
    info = store.get_file_info(path)
    if info.type == fs.FileType.File:
        raise NotEmpty(f"{path} is a file; a folder is wanted")
    found: list[fs.FileInfo] = store.get_file_info(fs.FileSelector(path, allow_not_found=True))
    return found


def _delete(store: fs.FileSystem, path: str) -> None:
    info = store.get_file_info(path)
    if info.type == fs.FileType.Directory:
        store.delete_dir(path)
    elif info.type == fs.FileType.File:
        store.delete_file(path)
