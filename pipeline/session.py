"""A Spark session on this machine, with what this room needs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .java import use_java
from .registration import register

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SETTINGS", "spark_session"]

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    # Values of 10 MB are legal: a batch is bounded by its bytes, not by 10,000 rows.
    "spark.sql.execution.arrow.maxBytesPerBatch": "64m",
    "spark.sql.execution.arrow.maxBytesPerOutputBatch": "64m",
    "spark.sql.python.filterPushdown.enabled": "true",
    # Half again as fast between Spark and Python: Arrow in the JVM does not check each access.
    "spark.driver.extraJavaOptions": "-Darrow.enable_unsafe_memory_access=true "
    "-Darrow.enable_null_check_for_get=false",
}
"""What is set where the caller does not say otherwise."""


def spark_session(
    master: str = "local[*]",
    app_name: str = "kproto",
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """A session with `SETTINGS` and these, the data source `kproto.offsets` registered.

    A session that runs already is taken as it is. Raises `NoJava` where there is no Java that
    Spark runs on.
    """
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        use_java()
        # Workers run the Python that has kproto, not the first one on the path.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        chosen = {**SETTINGS, **(settings or {})}
        builder = SparkSession.builder.master(master).appName(app_name)
        for name, value in chosen.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    register(session)
    return session
