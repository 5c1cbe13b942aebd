"""A Spark session on this machine, with the settings that the pipeline needs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...codec import KprotoError
from .java import use_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["EVERY_CORE", "SETTINGS", "NoSpark", "bare_session", "java_reason", "spark_session"]

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


_LOCAL = re.compile(r"local(?:\[(\d+|\*)\])?")
_ATTEMPTS = 4
EVERY_CORE = "local[*]"
_CAUSE = re.compile(r"^Caused by: (.*)", re.MULTILINE)


class NoSpark(KprotoError):
    """Spark cannot be started, or the given master is none."""


def spark_session(
    master: str = EVERY_CORE,
    app_name: str = "kproto",
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return a Spark session with `SETTINGS` and these, with the data source `kproto.offsets`
    registered where Spark is 4.3 or newer.

    In a program that `spark-submit` has started, `local[*]` stands for the master that it was
    given. A session that runs already is taken as it is. Raises `NoSpark` where none can be
    started, and `NoJava` where there is no Java that Spark runs on.
    """
    session = bare_session(master, app_name, settings)
    try:
        from .offsets_source import register  # late: it imports pyspark, which is optional
    except ImportError:  # before Spark 4.3, whose data sources it is written for
        return session
    register(session)
    return session


def bare_session(
    master: str, app_name: str = "kproto", settings: Mapping[str, str] | None = None
) -> SparkSession:
    """Return the same session without the data source, for which Spark would load all of its SQL:
    another second.
    """
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # late: optional
    from pyspark.errors import PySparkException  # late: an optional dependency
    from pyspark.sql import SparkSession  # late: an optional dependency

    session = SparkSession.getActiveSession()
    if session is None:
        if MASTER.fullmatch(master) is None:
            raise NoSpark(
                f"{master!r} is no master of Spark: local[*], local[4], spark://host:7077, yarn or "
                "k8s://https://host:443"
            )
        use_java()
        builder = SparkSession.builder.appName(app_name)
        if master != EVERY_CORE or not _is_submitted():
            builder = builder.master(_patient(master))
        for name, value in settings_of(master, settings).items():
            builder = builder.config(name, value)
        try:
            session = builder.getOrCreate()
        except (Py4JError, PySparkException) as error:
            raise NoSpark(f"Spark does not start on {master}: {java_reason(str(error))}") from error
    return session


def _is_submitted() -> bool:
    """Return whether `spark-submit` has started this program, and knows its master."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _patient(master: str) -> str:
    """Return the master with as many attempts at a task as a cluster has: a local one has a single
    attempt, and a worker may fail to start while the machine is busy.
    """
    local = _LOCAL.fullmatch(master)
    return master if local is None else f"local[{local[1] or 1},{_ATTEMPTS}]"


def _has_its_own_spark() -> bool:
    """Return whether workers on this machine are of this Python, and Spark is of its pyspark. Of a
    program that `spark-submit` has started that is not known: its master may be a cluster.
    """
    return (
        os.environ["PYSPARK_PYTHON"] == sys.executable
        and "SPARK_HOME" not in os.environ
        and not _is_submitted()
    )


def settings_of(master: str, settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the settings of a session with this master, where the caller gives some, and name the
    Python of its workers.
    """
    chosen = {**SETTINGS, **(settings or {})}
    name_python(chosen)
    if _LOCAL.fullmatch(master) and _has_its_own_spark():
        chosen.setdefault("spark.python.daemon.module", "kproto.pipeline.spark.python_daemon")
    return chosen


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
    said = next((line for line in lines if line.startswith(": ")), lines[0]).removeprefix(": ")
    causes = _CAUSE.findall(text)
    return f"{said}: {causes[-1]}" if causes and causes[-1] not in said else said
