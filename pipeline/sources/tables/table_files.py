"""Files of records that others have written: parquet, JSON lines or CSV, alone or in folders.

A file says by its name what it is: .parquet, .jsonl, .ndjson or .json (an object a line, as Spark
writes it, or on several, as jq does, or an array of them), .csv (a header, and a record a line);
text may be compressed (.gz, .zst, .bz2, .lz4). A file of any other name may be what Kafka's tools
print of records, as its first lines tell.
What begins with `_` or `.` is nobody's data. `NAME=VALUE` in a path is a column, as Spark and Hive
have it.

Columns go by the names of Spark's Kafka connector, or by those of kproto's own tables; `key` and
`value` have to be there. `docs/reference/audit.md` says what stands for the others where they are
missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from pyarrow import fs

from ....capture.segments.printed_records import has_printed_records
from ..record_table import NotRecords

__all__ = [
    "COLUMNS",
    "NEEDED",
    "PRINTED",
    "GivenFile",
    "check_names",
    "found_in",
    "is_compressed",
    "named",
]

COLUMNS: dict[str, tuple[str, ...]] = {
    "key": ("key",),
    "value": ("value",),
    "source_partition": ("source_partition", "partition"),
    "source_offset": ("source_offset", "offset"),
    "record_timestamp": ("record_timestamp", "timestamp"),
    "topic": ("topic",),
    "transactional": ("transactional",),
    "outcome": ("outcome",),
    "problem": ("problem",),
}
"""Our name of a column, and those that it may have."""

NEEDED = ("key", "value")
_COMPRESSED = {".gz", ".zst", ".bz2", ".lz4"}
PRINTED = "printed"
_HEAD = 1 << 16
_FORMS = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
}


class GivenFile(NamedTuple):
    """A file, its form, the columns that its path names, and the encoding of text in it."""

    path: str
    form: str
    said: tuple[tuple[str, str], ...]
    encoding: str | None = None


def found_in(store: fs.FileSystem, path: str) -> list[GivenFile]:
    """Return the files of records in a place, sorted by path."""
    info = store.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        return []
    if info.type == fs.FileType.File:
        form = _form(path) or _printed(store, path)
        return [GivenFile(path, form, ())] if form else []
    root = len(PurePosixPath(path).parts)
    infos = store.get_file_info(fs.FileSelector(path, recursive=True))
    files = []
    for path_ in sorted(info.path for info in infos if info.type == fs.FileType.File):
        parts = PurePosixPath(path_).parts[root:]
        form = _form(path_)
        if form and not any(part.startswith(("_", ".")) for part in parts):
            files.append(GivenFile(path_, form, _as_pairs(parts)))
    return files


def _form(path: str) -> str | None:
    """Return the form that a file's name says; None for an unknown name."""
    name = PurePosixPath(path.lower())
    if is_compressed(path) and not name.stem.endswith(".parquet"):
        name = PurePosixPath(name.stem)
    return _FORMS.get(name.suffix)


def _printed(store: fs.FileSystem, path: str) -> str | None:
    """Return the form of a text with records that Kafka's tools have printed; None for others."""
    try:
        with store.open_input_stream(path) as stream:
            head = stream.read(_HEAD)
    except OSError:
        return None
    return PRINTED if b"\0" not in head and has_printed_records(head) else None


def is_compressed(path: str) -> bool:
    """Return whether the name of a file says that its text is compressed."""
    return PurePosixPath(path.lower()).suffix in _COMPRESSED


def _as_pairs(parts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    pairs = [part.split("=", 1) for part in parts if "=" in part]
    names = {name: unquote(value) for name, value in pairs}
    return tuple((ours, names[theirs]) for ours, theirs in named(names).items())


def named(names: Iterable[str]) -> dict[str, str]:
    """Return the columns that are read, of those a file has: our name of each, and the file's."""
    available = set(names)
    columns = {}
    for ours, theirs in COLUMNS.items():
        for name in theirs:
            if name in available:
                columns[ours] = name
                break
    return columns


def check_names(path: str, names: Iterable[str]) -> None:
    """Raise NotRecords where a column is missing without which there is no record."""
    available = sorted(names)
    missing = [f"`{name}`" for name in NEEDED if name not in available]
    if not missing:
        return
    if {"header", "body"} <= set(available):
        raise NotRecords(
            f"{path}: these frames are decoded, as `kproto decode --json` prints them; an audit "
            "needs the capture itself"
        )
    if {"group", "members"} <= set(available):
        raise NotRecords(
            f"{path}: these lines are groups at one moment; an audit needs records of the offsets "
            f"topic (kproto migrate {path} judges the groups)"
        )
    raise NotRecords(
        f"{path}: there is no column {' and no '.join(missing)}; a table of records has key and "
        f"value, and this one {', '.join(name[:40] for name in available[:12]) or 'nothing'}"
    )
