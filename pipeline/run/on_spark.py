"""An audit on Spark: each unit is a task, which writes its tables itself.

Bytes do not cross into the JVM: a task reads its part of the source, writes parquet where it is to
be published, and gives back the names of its files. A task that is retried, or runs twice, writes
files under other names; only those of the attempt that Spark takes are published.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ..sources.interface import Unit
from ..spark.session import spark_session
from ..tables.publishing import Destination
from ..tables.writing import WrittenFile
from .intake import Counts
from .options import Options
from .partition import UnitResult, audit_unit
from .portable import pickled, portable
from .spark_map import scattered

__all__ = ["on_spark"]


def on_spark(
    master: str = "local[*]", settings: Mapping[str, str] | None = None
) -> Callable[[Sequence[Unit], Destination, Options], Iterator[UnitResult]]:
    """Return a runner for `run_audit` that uses the running Spark session, or else one of this
    master, which is started here with these settings: where it cannot be, nothing has been staged
    yet.

    Raises NoSpark and NoJava where it cannot be started; the runner raises `KprotoError` where a
    task fails for good.
    """
    spark = spark_session(master, settings=settings)

    def run(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        orders = [pickled(unit) for unit in units]
        for said in scattered(spark, _task(destination, options), orders):
            yield _read(said)

    return run


def _task(destination: Destination, options: Options) -> Callable[[bytes], bytes]:
    known = pickled(portable(options))

    def audit(order: bytes) -> bytes:
        chosen = pickle.loads(known)  # noqa: S301  # our own, from above
        unit = pickle.loads(order)  # noqa: S301  # from `run`
        destination.check_reached()
        return msgspec.msgpack.encode(audit_unit(unit, destination, chosen))

    return audit


class _Result(msgspec.Struct):
    files: list[tuple[str, str, int]]
    counts: Counts


def _read(said: bytes) -> UnitResult:
    read = msgspec.msgpack.decode(said, type=_Result)
    return UnitResult([WrittenFile(*file) for file in read.files], read.counts)
