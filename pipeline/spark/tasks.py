"""Calling a function once for each of many orders, on the executors of Spark.

A task an order, without a shuffle: the orders travel with the function, and the rows of a DataFrame
are their numbers. A task that Spark retries or speculates on is called again; of each order the
result of the attempt that Spark accepts is returned.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException

from ...codec import KprotoError
from .session import java_reason

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["reason", "scattered", "watched"]

T = TypeVar("T")

_log = logging.getLogger(__name__)
_PATIENCE = 60  # seconds
# Frames are indented, the exception is not.
_TRACEBACK = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t]+.*\n)+(\S.*)")
_ATTEMPT = "most recent failure: "
_TRACE = "\nDriver stacktrace:"


def scattered(
    spark: SparkSession, function: Callable[[T], bytes], orders: Sequence[T]
) -> list[bytes]:
    """Return the results of `function` for these orders, in the same order. Raises `KprotoError`
    where a task fails for good.
    """
    if not orders:
        return []

    def call(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                result = pa.array([function(orders[number])], pa.binary())
                yield pa.RecordBatch.from_pydict({"number": [number], "result": result})

    with watched(spark):
        numbers = spark.range(0, len(orders), 1, len(orders))
        rows = numbers.mapInArrow(call, "number long, result binary").collect()
    results = {row["number"]: bytes(row["result"]) for row in rows}
    return [results[number] for number in range(len(orders))]


@contextmanager
def watched(spark: SparkSession) -> Iterator[None]:
    """Raise `KprotoError` where a task fails for good in here. Warn, once, where Spark has not
    begun a task after a minute: a cluster that cannot start an executor says nothing, and Spark
    waits for it.
    """
    ended = threading.Event()
    threading.Thread(target=_warn_if_idle, args=(spark, ended), daemon=True).start()
    try:
        yield
    except (Py4JError, PySparkException, ConnectionError) as error:
        raise KprotoError(f"a task failed on Spark: {reason(str(error))}") from error
    finally:
        ended.set()


def _warn_if_idle(spark: SparkSession, ended: threading.Event) -> None:
    while not ended.wait(_PATIENCE):
        tracker = spark.sparkContext.statusTracker()
        infos = map(tracker.getStageInfo, tracker.getActiveStageIds())
        stages = [stage for stage in infos if stage is not None]
        if not stages:  # on a busy machine, Spark may still plan them
            continue
        if not any(stage.numActiveTasks or stage.numCompletedTasks for stage in stages):
            _log.warning(
                "Spark has begun no task on %s for %d s: its executors do not start, or are busy",
                spark.sparkContext.master, _PATIENCE,
            )  # fmt: skip
        return


def reason(text: str) -> str:
    """Return the last line of the worker's own traceback, out of Spark's message; else Java's
    error, of the last attempt where there were several.
    """
    python = _TRACEBACK.findall(text)
    return python[-1] if python else java_reason(text.partition(_TRACE)[0]).rpartition(_ATTEMPT)[2]
