"""An audit on Spark: a task a unit, or a share of its groups, which writes its tables itself.

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
from .hadoop import audit_hadoop_units, hadoop_unit
from .intake import Counts
from .options import Options, Share
from .partition import UnitResult, audit_unit
from .portable import pickled, portable
from .spark_map import scattered

__all__ = ["on_spark", "shared"]

_HOT = 128 << 20  # bytes; what is smaller is one task's


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
        cores = spark.sparkContext.defaultParallelism
        near = [unit for unit in units if hadoop_unit(unit) is None]
        orders = [pickled((unit, share)) for unit, share in shared(near, cores)]
        results = scattered(spark, _task(destination, options), orders)
        results += audit_hadoop_units(spark, units, destination, options)
        yield from map(_read, results)

    return run


def shared(units: Sequence[Unit], cores: int) -> Iterator[tuple[Unit, Share]]:
    """Yield the units and the shares of their groups, a task each, for so many cores.

    A unit that is larger than a core's part of all is read by several tasks, each of which audits
    the groups of a share: reading a record is a small part of the work, and nothing is shuffled.
    """
    part = max(sum(unit.size for unit in units) // max(cores, 1), _HOT)
    for unit in units:
        total = min(max(round(unit.size / part), 1), cores)
        for number in range(total):
            yield unit, Share(number, total)


def _task(destination: Destination, options: Options) -> Callable[[bytes], bytes]:
    known = pickled(portable(options))

    def audit(order: bytes) -> bytes:
        chosen = pickle.loads(known)  # noqa: S301  # our own, from above
        unit, share = pickle.loads(order)  # noqa: S301  # from `run`
        destination.check_reached()
        return msgspec.msgpack.encode(audit_unit(unit, destination, chosen, share))

    return audit


class _Result(msgspec.Struct):
    files: list[tuple[str, str, int]]
    counts: Counts


def _read(said: bytes) -> UnitResult:
    read = msgspec.msgpack.decode(said, type=_Result)
    return UnitResult([WrittenFile(*file) for file in read.files], read.counts)
