"""Where sources are: filesystems by their URIs, and the cluster that a broker's folder names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

__all__ = ["check_answers", "cluster_in", "cluster_of", "everywhere", "filesystem"]


def filesystem(uri: str) -> tuple[fs.FileSystem, str]:
    """Return the filesystem of a path or URI, and the path in it. Raises FileNotFoundError for a
    URI of no known filesystem.
    """
    if "://" in uri:
        try:
            found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(uri)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            line = f"{uri} is no place of s3, gs, abfs, hdfs or file: {error}"
            raise FileNotFoundError(line) from None
        return found
    return fs.LocalFileSystem(), str(Path(uri).expanduser().absolute())


def check_answers(uri: str, seconds: float) -> None:
    """Raise OSError where the store of a URI does not answer within so many seconds.

    A process of its own asks: a store's client cannot be interrupted, tries again for up to a
    quarter of an hour, and its threads keep a process from ending. An error of the store is left
    to the first request of this process, which gets it again.
    """
    command = [sys.executable, "-c", _ASK, uri]
    try:
        subprocess.run(
            command, check=False, timeout=seconds, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise OSError(f"{uri} has not answered within {seconds:g} seconds") from None


_ASK = f"""
import sys
from {__name__} import filesystem
store, path = filesystem(sys.argv[1])
store.get_file_info(path)
"""


def everywhere(uri: str) -> str:
    """Return the same place as a name that holds in every process, whatever folder it runs in: an
    absolute path, or the URI as it is.
    """
    return uri if "://" in uri else filesystem(uri)[1]


def cluster_in(properties: str) -> str | None:
    """Return the cluster id in the text of a broker's `meta.properties`; None where it has none."""
    for line in properties.splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "cluster.id" and value.strip():
            return value.strip()
    return None


def cluster_of(source: str) -> str | None:
    """Return the cluster id in the `meta.properties` of a source's folder; None where there is
    none.
    """
    if "://" in source:
        return None
    path = Path(source)
    for folder in (path, path.parent, path.parent.parent):
        try:
            text = (folder / "meta.properties").read_text("utf-8", "replace")
        except OSError:
            continue
        found = cluster_in(text)
        if found is not None:
            return found
    return None
