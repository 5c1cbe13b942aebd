"""An audit on Spark: a task for some units, or for a share of the groups of one, which writes its
tables itself.

Records do not cross into the JVM: a task reads its part of the source, writes parquet where it is
to be published, and returns the names of its files. A task that is retried, or runs twice, writes
files under other names; the manifest lists those of the attempt that Spark accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapreplace

import msgspec

from ..groups.intake import Counts
from ..groups.options import EVERY_GROUP, Options, Share
from ..sources.units import ClusterLost, Unit
from ..spark.session import EVERY_CORE, bare_session
from ..spark.tasks import scattered
from ..tables.publishing import Destination
from .hadoop import audit_hadoop_units, hadoop_unit
from .in_process import UnitResult, audit_units

__all__ = ["on_spark", "orders_of"]

_HOT = 128 << 20  # bytes; a unit that is smaller is one task's


def on_spark(
    master: str = EVERY_CORE, settings: Mapping[str, str] | None = None
) -> Callable[[Sequence[Unit], Destination, Options], Iterator[UnitResult]]:
    """Return a runner for `run_audit` that uses the running Spark session, or else one of this
    master, which is started here with these settings: where it cannot be, nothing has been staged
    yet.

    Raises NoSpark and NoJava where it cannot be started; the runner raises `KprotoError` where a
    task fails for good, and ClusterLost where one of several clusters cannot be read to its end.
    """
    spark = bare_session(master, settings=settings)

    def run(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        def audit(order: tuple[Sequence[Unit], Share]) -> bytes:
            destination.check_reached()
            of_task, share = order
            try:
                result = audit_units(of_task, destination, options, share)
            except ClusterLost as error:  # Spark would return its text alone
                result = UnitResult([], Counts(), (str(error), error.cluster))
            return msgspec.msgpack.encode(result)

        near = [unit for unit in units if hadoop_unit(unit) is None]
        orders = [*orders_of(near, spark.sparkContext.defaultParallelism)]
        results = scattered(spark, audit, orders)
        results += audit_hadoop_units(spark, units, destination, options)
        for encoded in results:
            result = msgspec.msgpack.decode(encoded, type=UnitResult)
            if result.lost is not None:
                raise ClusterLost(*result.lost)
            yield result

    return run


def orders_of(units: Sequence[Unit], cores: int) -> Iterator[tuple[Sequence[Unit], Share]]:
    """Yield the units of each task, and the share of their groups, for so many cores.

    A unit that is larger than a core's part of all is read by several tasks, each of which audits
    the groups of a share: reading a record is a small part of the work, and nothing is shuffled. Of
    smaller units a task takes several, whose rows go into the same files: as many as are a core's
    part, and 128 MB at most, about, for that is what is lost with a task that fails.
    """
    part = max(sum(unit.size for unit in units) // max(cores, 1), _HOT)
    small = []
    for unit in units:
        total = min(max(round(unit.size / part), 1), cores)
        if total == 1:
            small.append(unit)
        else:
            yield from (([unit], Share(number, total)) for number in range(total))
    yield from ((together, EVERY_GROUP) for together in _together(small, cores))


def _together(units: Sequence[Unit], cores: int) -> list[list[Unit]]:
    """Divide units, of which the largest come first, among tasks of about the same size."""
    count = min(max(sum(unit.size for unit in units) // _HOT, cores, 1), len(units))
    tasks: list[list[Unit]] = [[] for _ in range(count)]
    loads = [(0, 0, number) for number in range(count)]  # bytes and units of each; a heap
    for unit in units:
        size, length, number = loads[0]
        tasks[number].append(unit)
        heapreplace(loads, (size + unit.size, length + 1, number))
    return tasks
