"""Parquet files of tables, as one task writes them."""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from inspect import signature
from types import TracebackType
from typing import Any, NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from ..columnar.arrays import coded, coded_schema
from .schemas import TABLES

__all__ = ["TableWriter", "WrittenFile"]

ROWS_A_FILE = 8 << 20
"""How many rows a file has at most, about: some hundred megabytes of offsets."""
_ROW_GROUP = 1 << 18  # rows; what is held in memory of a table that is being written
_HELD = 3 << 20  # bytes of it
_BATCH = 1 << 16  # values that are encoded at once
_MIXED = {"key_size"}  # numbers that come again and again, in no order
_UNIQUE = {"metadata"}  # bytes that nearly never come again
_PAGES = (
    {"max_rows_per_page": _ROW_GROUP}
    if "max_rows_per_page" in signature(pq.ParquetWriter).parameters
    else {}
)
"""Newer releases of Arrow begin a page every 20,000 rows: the files are a third larger then, and
take a tenth longer. Older ones go by the bytes of a page alone."""
_WAITING = 8  # row groups that wait for the thread, and are held in memory as long


class WrittenFile(NamedTuple):
    """A staged file of a table, and how many rows it has."""

    table: str
    name: str
    rows: int


class _Jobs:
    """Does jobs in their order: at once, or in a thread while the caller goes on."""

    def __init__(self, in_thread: bool) -> None:
        self._pool = ThreadPoolExecutor(1, "kproto-writer") if in_thread else None
        self._waiting: deque[Future[None]] = deque()

    def add(self, job: Callable[[], None]) -> None:
        """Do a job, or wait until few are left to do and leave it to the thread. Raises what a job
        has raised.
        """
        if self._pool is None:
            job()
            return
        self._waiting.append(self._pool.submit(job))
        self._wait(_WAITING)

    def finish(self) -> None:
        """Wait until all jobs are done. Raises what a job has raised."""
        self._wait(0)

    def close(self) -> None:
        """End the thread. Jobs that were not begun are not done."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _wait(self, left: int) -> None:
        while len(self._waiting) > left:
            self._waiting.popleft().result()


class TableWriter:
    """Writes staged files, one a table, and begins another where one is full."""

    def __init__(
        self, store: fs.FileSystem, path: str, run: str, *, in_thread: bool = False
    ) -> None:
        """`in_thread` is whether a thread encodes and compresses, while the caller goes on."""
        self.store = store
        self.path = path
        self.run = run
        self._jobs = _Jobs(in_thread)
        self._open: dict[str, _File] = {}
        self._files: list[_File] = []
        self._written: list[WrittenFile] = []

    def write(self, table: str, rows: pa.Table) -> None:
        """Add rows to a table; they are cast to its schema."""
        if not rows.num_rows:
            return
        file = self._open.get(table)
        if file is None:
            file = self._open[table] = self._file(table)
        file.add(rows)
        if file.rows >= ROWS_A_FILE:
            self._close(table)

    def written(self) -> list[WrittenFile]:
        """Close all files and return them."""
        for table in list(self._open):
            self._close(table)
        self._jobs.finish()
        return self._written

    def write_empty(self, table: str) -> None:
        """Write a file that has only the schema of a table."""
        self._written.append(self._file(table).close())

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            for file in self._open.values():
                file.close()
            self._jobs.finish()
        finally:
            self._jobs.close()
            for file in self._files:
                file.forget()

    def _file(self, table: str) -> _File:
        self._files.append(_File(self.store, self.path, table, self.run, self._jobs))
        return self._files[-1]

    def _close(self, table: str) -> None:
        self._written.append(self._open.pop(table).close())


class _File:
    """A parquet file that is being written; small additions are gathered into row groups."""

    def __init__(self, store: fs.FileSystem, path: str, table: str, run: str, jobs: _Jobs) -> None:
        self._table = table
        self._jobs = jobs
        self._name = f"part-{run}{uuid4().hex}.parquet"
        # Not recursive: a task that outlives its audit makes no folder that nobody deletes.
        store.create_dir(f"{path}/{table}", recursive=False)
        self._schema = _schema(table)
        self._writer = pq.ParquetWriter(
            f"{path}/{table}/{self._name}", self._schema, filesystem=store, **_encodings(table)
        )
        # That the values came once each is nothing about the table.
        self._writer.add_key_value_metadata(_metadata(table))
        self._held: list[pa.Table] = []
        self._waiting = 0
        self._bytes = 0
        self.rows = 0

    def add(self, rows: pa.Table) -> None:
        self._held.append(rows)
        self._waiting += rows.num_rows
        self._bytes += rows.nbytes
        self.rows += rows.num_rows
        if self._waiting >= _ROW_GROUP or self._bytes >= _HELD:
            self._flush()

    def close(self) -> WrittenFile:
        self._flush()
        self._jobs.add(self._writer.close)
        return WrittenFile(self._table, self._name, self.rows)

    def _flush(self) -> None:
        if self._held:
            self._jobs.add(partial(self._write, self._held))
        self._held, self._waiting, self._bytes = [], 0, 0

    def _write(self, tables: list[pa.Table]) -> None:
        rows = pa.concat_tables([coded(table, self._schema) for table in tables])
        self._writer.write_table(rows.unify_dictionaries())

    def forget(self) -> None:
        """Leave the file as it is: else it is closed as garbage, which fails where the disk is
        full."""
        self._writer.is_open = False


@cache
def _encodings(table: str) -> dict[str, Any]:
    """Offsets and times go up from row to row: their differences take an eighth of the room, in
    half of the time. Other numbers mostly stay the same from row to row: looking each up takes
    longer than writing it. Text is in no order: the least and the greatest of a row group would
    let nobody skip it."""
    numbers = {
        field.name: field.type
        for field in TABLES[table]
        if pa.types.is_integer(field.type) or pa.types.is_timestamp(field.type)
    }
    rising = [name for name, kind in numbers.items() if kind.bit_width == 64]
    not_numbers = [
        name for name in TABLES[table].names if name not in numbers and name not in _UNIQUE
    ]
    return {
        "compression": "zstd",
        "store_schema": False,
        "write_batch_size": _BATCH,
        **_PAGES,
        "write_statistics": [*numbers],
        "use_dictionary": [*not_numbers, *(_MIXED & numbers.keys())],
        "column_encoding": dict.fromkeys(rising, "DELTA_BINARY_PACKED"),
    }


@cache
def _schema(table: str) -> pa.Schema:
    """Return the schema of a table with its text coded."""
    return coded_schema(TABLES[table])


@cache
def _metadata(table: str) -> dict[bytes, bytes]:
    """Return what pyarrow writes of a schema that is stored."""
    schema = TABLES[table]
    return {**schema.metadata, b"ARROW:schema": b64encode(schema.serialize())}
