"""Writing tables so that a reader never sees half of them.

Files are written below `DIR/.staging-RUN/`, moved to `DIR/TABLE/`, and then the manifest: what no
manifest names is not published. A rename is not atomic on an object store; one small write is.
A folder that holds an audit already is refused, or replaced as a whole: the files of the new one,
whose names are new, come beside those of the old one, the manifest changes from one to the other,
and the old files go. Whatever fails before that moment leaves the old audit as it is. Texts beside
the tables keep their names from audit to audit, so they follow the manifest, which has their
digests: one that has another digest is still that of the audit before.

Of two audits at once at most one publishes: each looks whether another one is at it, and whether
the manifest is still the one that it began with. Nothing is deleted but what the old manifest
names, and files of runs that are over.

An audit that goes on publishes batch by batch (`BatchFiles`), and owns its place: files have the
number of their batch in their name, so that a batch that is repeated writes the same ones again,
and the manifest, written after each batch, names those that count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ...codec import KprotoError
from ..sources.places import everywhere, filesystem
from . import staging
from .manifest import (
    MANIFEST,
    Manifest,
    columns_of,
    digest,
    listing,
    manifest_of,
    paths_of,
    replace_file,
)
from .schemas import TABLES, VERSION, empty
from .writing import TableWriter, WrittenFile

__all__ = ["TEXTS", "BatchFile", "BatchFiles", "Destination", "NotEmpty", "refuse_others"]

TEXTS = ("findings.json", "findings.sarif", "metrics.txt", "report.html")
"""The files beside the tables. Where no manifest is, files of these names are somebody's own."""
_PART = re.compile(r"part-([0-9a-f]{12})[0-9a-f]+\.parquet")  # the run, and what is its own
MAX_SMALL = 64
"""How many files of a table that grows by batches there are before they become one."""
FULL_BYTES = 256 << 20
"""Of such a file that is left as it is."""
_BATCH = "batch-"
_PAUSES = (0.1, 0.3, 1.0, 3.0)  # seconds between attempts to delete what is still written to


class NotEmpty(KprotoError):
    """The place holds an audit, or something else."""


class Destination(NamedTuple):
    """The place that an audit is published to: a folder, or a URI of a filesystem that pyarrow
    knows.
    """

    uri: str
    """Holds in every process: `new` makes a relative path absolute."""
    run: str
    replaced: str = ""
    """The digest of the manifest that was there when this began; empty where there was none."""
    is_new: bool = False
    """Whether it is a folder of this machine that was not there."""

    @classmethod
    def new(cls, uri: str, *, replace: bool) -> Destination:
        """Return a place to write to. Raises `NotEmpty` where something is there and `replace` is
        not given; where it is, only an audit is ever replaced, or what is left of one.
        """
        store, path = filesystem(uri)
        infos = _listed(store, path)
        manifest = manifest_of(store, path)
        if manifest is None:
            _check_left(uri, store, infos, replace=replace)
        elif Manifest.of(manifest) is None:
            raise NotEmpty(f"{uri} holds {MANIFEST}, which is of no audit: choose another place")
        elif not replace:
            raise NotEmpty(f"{uri} holds an audit already: choose another place, or --replace")
        is_absent = store.get_file_info(path).type == fs.FileType.NotFound
        is_new = is_absent and isinstance(store, fs.LocalFileSystem)
        return cls(everywhere(uri), uuid4().hex[:12], digest(manifest), is_new)

    @property
    def staging(self) -> str:
        """The folder of files that are not published yet."""
        return f"{staging.PREFIX}{self.run}"

    def stage(self) -> None:
        """Make the folder of files that are not published yet. Call this before `writer`."""
        store, path = filesystem(self.uri)
        staging.make(store, f"{path}/{self.staging}")

    def check_reached(self) -> None:
        """Raise `KprotoError` where this process does not see the folder that `stage` made: it is
        another machine's.
        """
        store, path = filesystem(self.uri)
        if store.get_file_info(f"{path}/{self.staging}").type != fs.FileType.Directory:
            raise KprotoError(
                f"{self.uri} is not reached by every worker, or the audit has ended: choose a "
                "place that all of them share, such as s3://bucket/audit"
            )

    def writer(self, *, in_thread: bool = False) -> TableWriter:
        """Return a writer of staged files; each has a name of its own, so that tasks may be
        retried. `in_thread` is whether a thread encodes them, while the caller goes on.
        """
        store, path = filesystem(self.uri)
        return TableWriter(store, f"{path}/{self.staging}", self.run, in_thread=in_thread)

    @property
    def staged_uri(self) -> str:
        """The folder of files that are not published yet, in the form that `filesystem` takes."""
        place, mark, settings = self.uri.partition("?") if "://" in self.uri else (self.uri, "", "")
        return f"{place.rstrip('/')}/{self.staging}{mark}{settings}"

    def publish(
        self,
        files: Sequence[WrittenFile],
        manifest: dict[str, Any],
        texts_by_name: Mapping[str, str] | None = None,
    ) -> None:
        """Make these files the audit that is here, in place of the one that was here when this
        began. `texts_by_name` has the texts of files beside the tables. Raises `NotEmpty`
        where another one was published meanwhile."""
        store, path = filesystem(self.uri)
        texts = {
            name: text.encode("utf-8", "backslashreplace")
            for name, text in (texts_by_name or {}).items()
        }
        fields: dict[str, Any] = {"run": self.run, "version": VERSION}
        fields |= {
            "files": sorted(texts),
            "sha256": {name: digest(text) for name, text in texts.items()},
        }
        fields |= {"tables": listing(files)} | manifest
        last = (json.dumps(fields, indent=1) + "\n").encode()
        for name, data in (*texts.items(), (MANIFEST, last)):
            with store.open_output_stream(f"{path}/{self.staging}/{name}") as out:
                out.write(data)
        self._announce(store, path)
        old = self._still_replaced(store, path)
        parts = [f"{file.table}/{file.name}" for file in files]
        self._move_tables(store, path, parts, last)
        try:
            for name in texts:
                store.move(f"{path}/{self.staging}/{name}", f"{path}/{name}")
        finally:
            _delete_others(store, path, {*parts, *texts, MANIFEST}, Manifest.of(old or b""))
        self.discard()

    def _announce(self, store: fs.FileSystem, path: str) -> None:
        """Announce that this audit is being published. Raises `NotEmpty` where another audit has
        done so.
        """
        store_time = staging.announce(store, f"{path}/{self.staging}")
        other_folders = [
            info for info in _unpublished(store, path) if info.base_name != self.staging
        ]
        publishing = staging.announced(store, other_folders, store_time)
        if publishing:
            raise NotEmpty(
                f"{self.uri}: another audit is just being published here (if that one was killed, "
                f"delete {publishing[0]}); this one is not: audit again"
            )

    def _still_replaced(self, store: fs.FileSystem, path: str) -> bytes | None:
        """Return the manifest that is there. Raises `NotEmpty` where it has changed since the audit
        began.
        """
        manifest = manifest_of(store, path)
        if digest(manifest) != self.replaced:
            raise NotEmpty(
                f"{self.uri}: another audit was published here meanwhile; this one is not"
            )
        return manifest

    def _move_tables(
        self, store: fs.FileSystem, path: str, names: Sequence[str], manifest: bytes
    ) -> None:
        """Move the files of the tables, and the manifest behind them: all of it, or nothing."""
        for table in TABLES:
            store.create_dir(f"{path}/{table}", recursive=True)
        moved: list[str] = []
        try:
            for name in names:
                store.move(f"{path}/{self.staging}/{name}", f"{path}/{name}")
                moved.append(name)
            self._still_replaced(store, path)
            store.move(f"{path}/{self.staging}/{MANIFEST}", f"{path}/{MANIFEST}")
            self._check_whole(store, path, names, manifest)
        except BaseException:
            if manifest_of(store, path) != manifest:  # a move may fail when it is done
                for name in moved:
                    _delete(store, f"{path}/{name}")
            raise

    def _check_whole(
        self, store: fs.FileSystem, path: str, names: Sequence[str], manifest: bytes
    ) -> None:
        names_of_files = {name for name, _ in _files(store, path)}
        if manifest_of(store, path) != manifest or not names_of_files.issuperset(names):
            raise NotEmpty(f"{self.uri}: another audit was published here at the same moment")

    def discard(self) -> None:
        """Delete the staged files, and the folder where it is new and nothing was published. A task
        that was cancelled, or runs twice, may write for a moment longer: what it has begun is
        deleted with the rest, and it cannot begin anything new.
        """
        store, path = filesystem(self.uri)
        for pause in _PAUSES:
            try:
                _delete(store, f"{path}/{self.staging}")
                break
            except OSError:
                sleep(pause)
        else:
            _delete(store, f"{path}/{self.staging}")
        if self.is_new:
            with suppress(OSError):  # it has an audit by now
                Path(path).rmdir()

    def staged(
        self,
        files: Iterable[WrittenFile],
        table: str,
        columns: list[str],
        rows: pc.Expression | None = None,
    ) -> pa.Table:
        """Return columns of a staged table, of all rows or those that an expression selects."""
        store, path = filesystem(self.uri)
        paths = paths_of(f"{path}/{self.staging}", table, files)
        return columns_of(store, paths, table, columns, rows)


class BatchFile(msgspec.Struct):
    """A file in the manifest of an audit that goes on: its table and name, rows and bytes."""

    file: str
    rows: int
    size: int


class BatchFiles:
    """The tables of an audit that goes on, at a folder or the URI of one."""

    def __init__(self, uri: str, tables: dict[str, list[BatchFile]]) -> None:
        """`tables` are the files of each, as the manifest has them; they are changed here."""
        self._store, self._path = filesystem(uri)
        self._tables = tables

    def read(self, table: str) -> pa.Table:
        """Return all rows of a table."""
        files = self._tables.get(table, [])
        return pa.concat_tables([empty(table), *(self._rows(table, file.file) for file in files)])

    def replace(self, table: str, number: int, rows: pa.Table) -> None:
        """Make these rows of a batch all that a table has."""
        self._tables[table] = [self._write(table, _batch_name(number), rows)]

    def grow(self, table: str, number: int, rows: pa.Table) -> None:
        """Add the rows of a batch to a table. Many small files become one."""
        files = self._tables.setdefault(table, [])
        name = _batch_name(number)
        files[:] = [file for file in files if file.file != f"{table}/{name}"]
        if rows.num_rows or not files:
            files.append(self._write(table, name, rows))
        small = [file for file in files if file.size < FULL_BYTES]
        if len(small) > MAX_SMALL:
            merged_rows = pa.concat_tables([self._rows(table, part.file) for part in small])
            first = small[0].file.partition("/")[2].removesuffix(".parquet")
            full = [file for file in files if file not in small]
            files[:] = [*full, self._write(table, f"{first}-to-{name}", merged_rows)]

    def commit(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, which has the files of the tables, and delete what it does not
        name.
        """
        manifest["published"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        replace_file(self._store, self._path, MANIFEST, json.dumps(manifest, indent=1).encode())
        self.sweep()

    def sweep(self) -> None:
        """Delete the files of batches that the manifest does not name."""
        names = {file.file for files in self._tables.values() for file in files}
        for name, info in _files(self._store, self._path, self._tables):
            if info.base_name.startswith(_BATCH) and name not in names:
                self._store.delete_file(info.path)

    def _write(self, table: str, name: str, rows: pa.Table) -> BatchFile:
        """Write a file under another name first: renaming it replaces the old one at once."""
        self._store.create_dir(f"{self._path}/{table}", recursive=True)
        place, temporary = f"{self._path}/{table}/{name}", f"{self._path}/.{table}-{name}"
        pq.write_table(
            rows.cast(TABLES[table]), temporary, filesystem=self._store, compression="zstd"
        )
        self._store.move(temporary, place)
        return BatchFile(f"{table}/{name}", rows.num_rows, self._store.get_file_info(place).size)

    def _rows(self, table: str, file: str) -> pa.Table:
        read = pq.read_table(f"{self._path}/{file}", filesystem=self._store, partitioning=None)
        older = pa.concat_tables([empty(table), read], promote_options="default")  # or of today
        return older.cast(TABLES[table])


def _batch_name(number: int) -> str:
    return f"{_BATCH}{number:012}.parquet"


def refuse_others(uri: str, own_tables: set[str]) -> None:
    """Raise `KprotoError` where a place has tables besides these."""
    store, path = filesystem(uri)
    infos = store.get_file_info(fs.FileSelector(path, allow_not_found=True))
    foreign = sorted({info.base_name for info in infos} & TABLES.keys() - own_tables)
    if foreign:
        raise KprotoError(f"{uri} holds {foreign[0]}, which is not of this: choose another place")


def _files(
    store: fs.FileSystem, path: str, tables: Iterable[str] = TABLES
) -> Iterator[tuple[str, fs.FileInfo]]:
    """Yield the files in the folders of tables, by their names in the manifest."""
    for table in tables:
        for info in store.get_file_info(fs.FileSelector(f"{path}/{table}", allow_not_found=True)):
            yield f"{table}/{info.base_name}", info


def _check_left(
    uri: str, store: fs.FileSystem, infos: Sequence[fs.FileInfo], *, replace: bool
) -> None:
    """Without a manifest there is no audit. Raises `NotEmpty` where something would be lost all the
    same: somebody's own files, or, unless `replace` is given, what an audit has moved already that
    may still go on."""
    left: set[str] = set()
    for info in infos:
        name, inside = info.base_name, []
        if name in TABLES and info.type == fs.FileType.Directory:
            inside = [child.base_name for child in store.get_file_info(fs.FileSelector(info.path))]
            foreign = [f"{name}/{child}" for child in inside if not _PART.fullmatch(child)]
        else:
            foreign = [name] if name in {*TABLES, *TEXTS, MANIFEST} else []
        if foreign:
            raise NotEmpty(f"{uri} holds {foreign[0]}, but no audit: choose another place")
        left |= {part[1] for part in map(_PART.fullmatch, inside) if part is not None}
    unpublished = [info for info in infos if info.base_name.startswith(staging.PREFIX)]
    if left and not replace and left - staging.gone(store, unpublished):
        line = "holds what one audit was about to publish: choose another place, or --replace"
        raise NotEmpty(f"{uri} {line}")


def _delete_others(store: fs.FileSystem, path: str, names: set[str], old: Manifest | None) -> None:
    """Delete the files of the audit that is replaced, and those left by audits that are over. One
    that is running has a staging folder.
    """
    store_time = store.get_file_info(f"{path}/{MANIFEST}").mtime
    living = staging.clear_dead(store, _unpublished(store, path), store_time)
    replaced = set() if old is None else {*old.parts, *old.files}
    top_level = ((info.base_name, info) for info in _listed(store, path))
    for name, info in (*_files(store, path), *top_level):
        part = _PART.fullmatch(info.base_name)
        over = part is not None and part[1] not in living and "/" in name
        if info.is_file and name not in names and (name in replaced or over):
            store.delete_file(info.path)


def _listed(store: fs.FileSystem, path: str) -> list[fs.FileInfo]:
    info = store.get_file_info(path)
    if info.type == fs.FileType.File:
        raise NotEmpty(f"{path} is a file; a folder is wanted")
    infos: list[fs.FileInfo] = store.get_file_info(fs.FileSelector(path, allow_not_found=True))
    return infos


def _unpublished(store: fs.FileSystem, path: str) -> list[fs.FileInfo]:
    return [info for info in _listed(store, path) if info.base_name.startswith(staging.PREFIX)]


def _delete(store: fs.FileSystem, path: str) -> None:
    info = store.get_file_info(path)
    if info.type == fs.FileType.Directory:
        store.delete_dir(path)
    elif info.type == fs.FileType.File:
        store.delete_file(path)
