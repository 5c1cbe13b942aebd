"""The same audit on Spark: a task a unit, which writes its tables itself.

Bytes do not cross into the JVM: a task reads its part of the source, writes parquet where it is to
be published, and gives back the names of its files. A task that is retried, or runs twice, writes
files under other names; only those of the attempt that Spark takes are published.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa

from ..tables.publishing import Destination, WrittenFile
from .options import Options
from .partition import Counts, UnitResult, audit_unit
from .units import Unit

__all__ = ["on_spark"]


def on_spark(
    master: str = "local[*]",
) -> Callable[[Sequence[Unit], Destination, Options], Iterator[UnitResult]]:
    """A runner for `run_audit`: in the session that runs already, else in one of this master.

    Raises NoJava where Spark cannot be started.
    """

    def run(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        from pyspark.sql.pandas import functions

        from ..session import spark_session

        spark = spark_session(master)
        work = [(pickle.dumps(unit),) for unit in units]
        if not work:
            return
        # Not deterministic, so that no plan evaluates it twice.
        arrow_udf: Any = functions.arrow_udf
        audit = arrow_udf(_task(destination, options), "binary").asNondeterministic()
        table = spark.createDataFrame(work, "unit binary").repartition(len(work))
        for (said,) in table.select(audit("unit")).toLocalIterator():
            yield _read(bytes(said))

    return run


def _task(destination: Destination, options: Options) -> Callable[[pa.Array], pa.Array]:
    # Mappings that are read only cannot be pickled.
    plain = msgspec.structs.replace(options, topics=None, states=None)
    known = pickle.dumps((plain, _plain(options.topics), _plain(options.states)))

    def audit(units: pa.Array) -> pa.Array:
        asked, topics, states = pickle.loads(known)  # noqa: S301  # our own, three lines above
        chosen = msgspec.structs.replace(asked, topics=topics, states=states)
        results = [
            audit_unit(pickle.loads(unit), destination, chosen)  # noqa: S301  # from `run`
            for unit in units.to_pylist()
        ]
        return pa.array([msgspec.msgpack.encode(one) for one in results], pa.binary())

    return audit


def _plain(mapping: Any) -> Any:
    return None if mapping is None else dict(mapping)


class _Result(msgspec.Struct):
    files: list[tuple[str, str, int]]
    counts: Counts


def _read(said: bytes) -> UnitResult:
    read = msgspec.msgpack.decode(said, type=_Result)
    return UnitResult([WrittenFile(*file) for file in read.files], read.counts)
