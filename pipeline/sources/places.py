"""Where sources are: filesystems by their URIs, and the cluster that a broker's folder names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

__all__ = ["check_answers", "cluster_in", "cluster_of", "everywhere", "filesystem"]


_HADOOP_S3 = re.compile(r"s3[an]://")  # Hadoop's names for what Arrow calls s3
_LONGEST_ERROR = 300  # characters: a missing libjvm is reported with 90 paths
_NO_PLACE = "is no place of"


def filesystem(uri: str) -> tuple[fs.FileSystem, str]:
    """Return the filesystem of a path or URI, and the path in it. Raises FileNotFoundError for a
    URI of no known filesystem, and OSError where a library is missing.
    """
    if "://" not in uri:
        return fs.LocalFileSystem(), str(Path(uri).expanduser().absolute())
    try:
        store_and_path: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(
            _HADOOP_S3.sub("s3://", uri, 1)
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        line = f"{uri} {_NO_PLACE} s3, gs, abfs, hdfs or file: {error}"
        raise FileNotFoundError(line) from None
    except OSError as error:
        if "libjvm" not in str(error) and "libhdfs" not in str(error):
            raise
        raise OSError(
            f"{uri}: HDFS is read by Hadoop's own library: JAVA_HOME, HADOOP_HOME and CLASSPATH "
            "(of `hadoop classpath --glob`) have to name it"
        ) from None
    return store_and_path


def check_answers(uri: str, seconds: float) -> None:
    """Raise OSError where the store of a URI does not answer within so many seconds, or answers
    with an error.

    A process of its own asks: a store's client cannot be interrupted, tries again for up to a
    quarter of an hour, and its threads keep a process from ending.
    """
    command = [sys.executable, "-c", _ASK, uri]
    try:
        process = subprocess.run(command, check=False, timeout=seconds, capture_output=True)
    except subprocess.TimeoutExpired:
        raise OSError(f"{uri} has not answered within {seconds:g} seconds") from None
    if process.returncode:
        error = process.stdout.decode(errors="replace").strip() or f"status {process.returncode}"
        text = error if len(error) <= _LONGEST_ERROR else f"{error[:_LONGEST_ERROR]}..."
        kind = FileNotFoundError if _NO_PLACE in text else OSError
        raise kind(text if text.startswith(uri) else f"{uri}: {text}")


_ASK = f"""
import sys
from {__name__} import filesystem
try:
    store, path = filesystem(sys.argv[1])
    store.get_file_info(path)
except Exception as error:  # every store has its own
    print(" ".join(str(error).split()))
    sys.exit(1)
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
    """Return the cluster id in the `meta.properties` of a source's folder, or of the folders of
    brokers in it, where all of these agree; None where there is none.
    """
    if "://" in source:
        return None
    path = Path(source)
    for folder in (path, path.parent, path.parent.parent):
        cluster_id = _cluster_in(folder / _PROPERTIES)
        if cluster_id is not None:
            return cluster_id
    of_brokers = {
        _cluster_in(file) for depth in ("*", "*/*") for file in path.glob(f"{depth}/{_PROPERTIES}")
    }
    return of_brokers.pop() if len(of_brokers) == 1 else None


def _cluster_in(file: Path) -> str | None:
    try:
        return cluster_in(file.read_text("utf-8", "replace"))
    except OSError:
        return None


_PROPERTIES = "meta.properties"
