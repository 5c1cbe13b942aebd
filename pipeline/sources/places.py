"""Where sources are: filesystems by their URIs, and the cluster that a broker's folder names."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from pyarrow import fs

__all__ = ["cluster_in", "cluster_of", "everywhere", "filesystem"]


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
