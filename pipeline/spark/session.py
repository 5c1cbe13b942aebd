"""A Spark session on this machine, with the settings that the pipeline needs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress

import pyspark
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from . import NoSpark, NotInstalled
from .java import ends_when_interrupted, use_java

__all__ = [
    "EVERY_CORE",
    "SETTINGS",
    "NoSpark",
    "bare_session",
    "java_reason",
    "register",
    "require_data_sources",
    "spark_session",
]

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    # Values of 10 MB are legal: a batch is bounded by its bytes, not by 10,000 rows.
    "spark.sql.execution.arrow.maxBytesPerBatch": "64m",
    "spark.sql.execution.arrow.maxBytesPerOutputBatch": "64m",
    # Half again as fast between Spark and Python: Arrow in the JVM does not check each access.
    "spark.driver.extraJavaOptions": "-Darrow.enable_unsafe_memory_access=true "
    "-Darrow.enable_null_check_for_get=false",
}
"""What is set where the caller does not say otherwise."""


# What Spark can parse. Of others it would tell in a stack trace, after a Java has started.
MASTER = re.compile(
    r"yarn|k8s://.+|spark://[^/,:]+:\d+(,[^/,:]+:\d+)*|local(\[(\d+|\*)(,\s*\d+)?\])?"
    r"|local-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]"
)
EVERY_CORE = "local[*]"
_LOCAL = re.compile(r"local(?:\[(\d+|\*)\])?")
_ATTEMPTS = 4
_CAUSE = re.compile(r"^Caused by: (.*)", re.MULTILINE)


def spark_session(
    master: str = EVERY_CORE,
    app_name: str = "kproto",
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return a Spark session with `SETTINGS` and these, with the data source `kproto.offsets`
    registered where PySpark is 4.0 or newer.

    In a program that `spark-submit` has started, `local[*]` stands for the master that it was
    given. A session that runs already is taken as it is. Raises `NoSpark` where none can be
    started, and `NoJava` where there is no Java that Spark runs on.
    """
    session = bare_session(master, app_name, settings)
    with suppress(NoSpark):
        register(session)
    return session


def register(spark: SparkSession) -> None:
    """Let `spark.read.format("kproto.offsets")` and `spark.readStream` find the data source. Raises
    `NoSpark` before PySpark 4.0.
    """
    require_data_sources("kproto.offsets")
    from .offsets_source import OffsetsSource  # late: PySpark 3.5 has no data sources

    spark.dataSource.register(OffsetsSource)


def require_data_sources(name: str) -> None:
    """Raise `NoSpark` where this release of PySpark has no data sources in Python, which `name`
    needs.
    """
    if pyspark.__version__ < "4":
        raise NotInstalled(f"{name} needs PySpark 4.0 or newer; this is {pyspark.__version__}")


def bare_session(
    master: str, app_name: str = "kproto", settings: Mapping[str, str] | None = None
) -> SparkSession:
    """Return the same session without the data source."""
    session = SparkSession.getActiveSession()
    if session is not None:
        return session
    if MASTER.fullmatch(master) is None:
        raise NotInstalled(
            f"{master!r} is no master of Spark: local[*], local[4], spark://host:7077, yarn or "
            "k8s://https://host:443"
        )
    use_java()
    builder = SparkSession.builder.appName(app_name)
    # `spark-submit` has started this program, and knows its master.
    if master != EVERY_CORE or "PYSPARK_GATEWAY_PORT" not in os.environ:
        builder = builder.master(_patient(master))
    all_settings = {**SETTINGS, **(settings or {})}
    name_python(all_settings)
    for name, value in all_settings.items():
        builder = builder.config(name, value)
    try:
        with ends_when_interrupted():
            return builder.getOrCreate()
    except (Py4JError, PySparkException) as error:
        raise NoSpark(f"Spark does not start on {master}: {java_reason(str(error))}") from error


def _patient(master: str) -> str:
    """Return the master with as many attempts at a task as a cluster has: a local one has a single
    attempt, and a worker may fail to start while the machine is busy.
    """
    local = _LOCAL.fullmatch(master)
    return master if local is None else f"local[{local[1] or 1},{_ATTEMPTS}]"


def name_python(settings: Mapping[str, str]) -> None:
    """Make workers run the Python that has kproto, not the first one on the path. PySpark reads the
    environment alone; the setting is for `spark-submit`, which puts it there.
    """
    if "spark.pyspark.python" in settings:
        os.environ["PYSPARK_PYTHON"] = settings["spark.pyspark.python"]
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def java_reason(text: str) -> str:
    """Return Java's message, which comes behind a colon, with its first cause; else the first
    line.
    """
    lines = text.splitlines() or [""]
    message = next((line for line in lines if line.startswith(": ")), lines[0]).removeprefix(": ")
    causes = _CAUSE.findall(text)
    return f"{message}: {causes[-1]}" if causes and causes[-1] not in message else message
