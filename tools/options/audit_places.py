"""Where an audit is read from and where it goes: the source is never written to."""

from __future__ import annotations

import re
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING

from ..output.failures import WRONG_USE, Failure
from ..spark import command_session

if TYPE_CHECKING:
    from pyarrow import fs
    from pyspark.sql import SparkSession

_WITHIN = "--out {out} is SOURCE, or inside of it: an audit never writes there"
_NAMED = re.compile(r"([A-Za-z0-9][\w.-]*)=(.*)", re.DOTALL)


def named(text: str) -> tuple[str | None, str]:
    """Return the cluster and the place in `CLUSTER=PLACE`; no cluster where the text is a place."""
    found = _NAMED.fullmatch(text)
    if found is None or Path(text).exists():
        return None, text
    return found[1], found[2]


def check_given(source: str, out: str) -> None:
    """Refuse an empty name: it is a variable that was not set, and not the current folder."""
    for name, place in (("SOURCE", source), ("--out", out)):
        if not place.strip():
            raise Failure(f"{name} is empty: a place is wanted", WRONG_USE)


def session_for(master: str | None, place: str) -> SparkSession | None:
    """Return the session of Spark that reads a place by a file system of its own: with --spark, and
    where it has one. None where pyarrow, or this machine, reads it.
    """
    if master is None or "://" not in place:
        return None
    from ...pipeline.run.hadoop import has_file_system  # late: slow, and not for --help

    spark = command_session(master)
    return spark if has_file_system(spark, place) else None


def check_apart(source: str, out: str, *, by_spark: bool = False) -> None:
    """Raise `Failure` where the audit would be written into its source, or around it."""
    if source.startswith("kafka://"):
        return
    if by_spark:
        if f"{out}/".startswith(f"{source.rstrip('/')}/"):
            raise Failure(_WITHIN.format(out=out), WRONG_USE)
        return
    store, read = _place(source)
    other, written = _place(out)
    if store != other:
        return
    if written.is_relative_to(read):
        raise Failure(_WITHIN.format(out=out), WRONG_USE)
    if read.is_relative_to(written) and not store.get_file_info(str(read)).is_file:
        line = f"SOURCE {source} is inside of --out {out}: an audit has a folder of its own"
        raise Failure(line, WRONG_USE)


def _place(uri: str) -> tuple[fs.FileSystem, PurePath]:
    from ...pipeline.sources.places import filesystem  # late: slow, and not for --help

    store, path = filesystem(uri)
    local = store.type_name == "local"
    return store, Path(path).resolve() if local else PurePosixPath(path)
