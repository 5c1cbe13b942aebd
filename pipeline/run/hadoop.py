"""Log segments in a file system that Spark reaches: s3a, abfss, gs, hdfs, viewfs and others.

Spark lists and reads the files, by its own file systems and with its own credentials. A task gets
all segments of a partition of the topic, puts them into a folder of its own, and audits them there.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from itertools import groupby
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import pyarrow as pa
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyarrow import fs
from pyspark.errors import PySparkException

from ...codec import KprotoError
from ..groups.options import Options
from ..sources.places import cluster_in
from ..sources.record_table import NotRecords
from ..sources.segments.files import Segment, Split, one_topic, segment_of, splits_of
from ..sources.segments.split_reader import read_split
from ..sources.units import OfCluster, Unit
from ..spark.session import java_reason
from ..spark.tasks import watched
from ..tables.publishing import Destination
from .in_process import audit_units

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["HadoopUnit", "audit_hadoop_units", "hadoop_unit", "hadoop_units", "has_file_system"]

_SPLIT_BYTES = 256 << 20
_PORT = re.compile(r":\d+$")
_ARROW = {"s3", "file", "kafka"}  # schemes that no file system of Spark has, or needs


class HadoopUnit(NamedTuple):
    """A partition in log segments that Spark's tasks bring to where they are audited."""

    root: str
    paths: tuple[str, ...]
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Raise `KprotoError`: only a task of Spark has the files."""
        raise KprotoError(f"{self.root} of {cluster_id} is read by Spark: --spark")


class _BroughtUnit(NamedTuple):
    """The same partition in a task, below a folder of its own."""

    folder: str
    splits: tuple[Split, ...]
    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        store = fs.SubTreeFileSystem(self.folder, fs.LocalFileSystem())
        for split in self.splits:
            yield from read_split(store, split, cluster_id)


def has_file_system(spark: SparkSession, uri: str) -> bool:
    """Return whether Spark has a file system for a URI, and is the one to read it."""
    scheme = urlsplit(uri).scheme
    if "://" not in uri or scheme in _ARROW:
        return False
    context: Any = spark.sparkContext
    hadoop = context._jvm.org.apache.hadoop.fs.FileSystem  # there is no other way to it
    try:
        hadoop.getFileSystemClass(scheme, context._jsc.hadoopConfiguration())
    except Py4JError:  # UnsupportedFileSystemException, or the class cannot be loaded
        return False
    return True


def hadoop_units(spark: SparkSession, uri: str, seconds: float) -> Sequence[HadoopUnit]:
    """Return the partitions of the log segments below a URI, the largest first.

    Raises FileNotFoundError where there is none, NotRecords where there are some of two clusters,
    and OSError where the store answers with an error, or not within so many seconds.
    """
    segments = _within(seconds, uri, lambda: _listed(spark, uri))
    partitions: dict[object, list[Segment]] = {}
    for segment in one_topic(segments):
        key = segment.folder if segment.partition is None else segment.partition
        partitions.setdefault(key, []).append(segment)
    if not partitions:
        raise FileNotFoundError(f"{uri}: no log segment (named by 20 digits, .log) is here")
    units = [
        HadoopUnit(uri, tuple(file.path for file in files), sum(file.size for file in files))
        for files in partitions.values()
    ]
    return sorted(units, key=lambda unit: -unit.size)


def hadoop_unit(unit: Unit) -> HadoopUnit | None:
    """Return the unit as one that Spark brings, whatever its cluster; None where it is another."""
    inner = unit.unit if isinstance(unit, OfCluster) else unit
    return inner if isinstance(inner, HadoopUnit) else None


def audit_hadoop_units(
    spark: SparkSession, units: Sequence[Unit], destination: Destination, options: Options
) -> list[bytes]:
    """Return the encoded result of each unit that Spark brings. Raises `KprotoError` where a task
    fails for good.
    """
    partitions = [(part, options.of(unit)) for unit in units if (part := hadoop_unit(unit))]
    if not partitions:
        return []
    paths = [(path, n) for n, (part, _) in enumerate(partitions) for path in part.paths]

    def audit(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number, files in groupby(_files(batches), key=lambda file: file[0]):
            _, of_cluster = partitions[number]
            destination.check_reached()
            with TemporaryDirectory(prefix="kproto-") as folder:
                unit = _brought(folder, ((path, content) for _, path, content in files))
                result = msgspec.msgpack.encode(audit_units([unit], destination, of_cluster))
            yield pa.RecordBatch.from_pydict({"result": pa.array([result], pa.binary())})

    with watched(spark):
        units_of_paths = spark.createDataFrame(paths, "path string, unit int")
        rows = (
            _contents(spark, (path for path, _ in paths))
            .join(units_of_paths.hint("broadcast"), "path")
            .select("unit", "path", "content")
            .repartition(len(partitions), "unit")
            .sortWithinPartitions("unit", "path")
            .mapInArrow(audit, "result binary")
            .collect()
        )
    if len(rows) != len(partitions):
        line = f"Spark read {len(rows)} of {len(partitions)} partitions: files have gone"
        raise KprotoError(line)
    return [bytes(row["result"]) for row in rows]


def _contents(spark: SparkSession, paths: Iterable[str]) -> DataFrame:
    """Return the columns `path` and `content` of files."""
    escaped = [re.sub(r"([\\*?\[\]{}])", r"\\\1", path) for path in paths]  # Spark expands globs
    return spark.read.format("binaryFile").load(escaped).select("path", "content")


def _listed(spark: SparkSession, uri: str) -> list[Segment]:
    """Return the segments below a URI. Raises NotRecords where they are of two clusters."""
    files = dict(_files_below(spark, uri))
    segments = [segment_of(path, size) for path, size in files.items()]
    properties = [path for path in files if PurePosixPath(path).name == "meta.properties"]
    clusters: dict[str, str] = {}
    for row in _contents(spark, properties).collect() if properties else ():
        cluster = cluster_in(bytes(row["content"]).decode("utf-8", "replace"))
        if cluster is not None:
            clusters.setdefault(cluster, str(PurePosixPath(row["path"]).parent))
    if len(clusters) > 1:
        listing = ", ".join(f"{name} ({place})" for name, place in sorted(clusters.items()))
        raise NotRecords(
            f"{uri}: segments of {len(clusters)} clusters, {listing}: name one of these"
        )
    return segments


def _files_below(spark: SparkSession, uri: str) -> Iterator[tuple[str, int]]:
    """Yield path and size of each file. Spark's own listing leaves out folders whose names begin
    with `_`, which those of the offsets topic do.
    """
    context: Any = spark.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(uri)
    store = place.getFileSystem(context._jsc.hadoopConfiguration())
    files = store.listFiles(place, True)
    while files.hasNext():
        file = files.next()
        yield file.getPath().toString(), file.getLen()


def _within(seconds: float, uri: str, ask: Callable[[], list[Segment]]) -> list[Segment]:
    """Return what `ask` returns. Raises OSError for Spark's errors, and after so many seconds."""
    answer_of_store: Future[list[Segment]] = Future()

    def answer() -> None:
        try:
            answer_of_store.set_result(ask())
        except BaseException as error:  # noqa: BLE001  # raised in the caller's thread
            answer_of_store.set_exception(error)

    threading.Thread(target=answer, daemon=True).start()  # a store may never answer
    try:
        return answer_of_store.result(seconds)
    except FutureTimeout:
        raise OSError(f"{uri} has not answered within {seconds:g} seconds") from None
    except (Py4JError, PySparkException) as error:
        raise OSError(f"{uri}: {java_reason(str(error))}") from None


# -- on the executors


def _files(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, str, bytes]]:
    for batch in batches:
        for unit, path, content in zip(*batch.columns, strict=True):
            yield unit.as_py(), path.as_py(), content.as_py()


def _brought(folder: str, files: Iterable[tuple[str, bytes]]) -> _BroughtUnit:
    """Write files below a folder, under the paths that their URIs have, and return the unit. Arrow
    would take a host with its port for the scheme of a URI.
    """
    size = 0
    for uri, content in files:
        parts = urlsplit(uri)
        place = Path(folder, _PORT.sub("", parts.netloc), parts.path.lstrip("/"))
        if ".." in place.parts:  # no store has such a name: it would lead out of the folder
            raise OSError(f"{uri}: this is no path of a file")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        size += len(content)
    store = fs.SubTreeFileSystem(folder, fs.LocalFileSystem())
    return _BroughtUnit(folder, tuple(splits_of(store, "", _SPLIT_BYTES)), size)
