"""The daemon that forks Spark's Python workers, with the pyspark that is installed.

Spark puts its own archive of pyspark before everything else on their path. Modules in an archive
are compiled again by each process: half a second before the first task of a session begins.
Started as `python -m kproto.pipeline.spark.python_daemon`, by `spark.python.daemon.module`.
"""

from __future__ import annotations

import sys

sys.path.sort(key=lambda place: place.endswith(("pyspark.zip", "-src.zip")))

from pyspark.daemon import manager  # of the package, or else of the archive

if __name__ == "__main__":
    manager()
