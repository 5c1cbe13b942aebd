"""One Spark session for all tests of this room; without a Java for it they skip."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kproto.pipeline.spark.java import NoJava
from tests.conftest import do_without
from tests.rooms import FOLDERS, ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUICK_JAVA = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
"""The environment of a Java that begins quickly: tests are over before it would pay to optimise."""


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session of one JVM and two threads, as `spark_session` makes it."""
    pytest.importorskip("pyspark")
    from kproto.pipeline import spark_session

    os.environ.update(QUICK_JAVA)
    settings = {"spark.sql.shuffle.partitions": "2", "spark.log.level": "ERROR"}
    try:
        session = spark_session("local[2]", "tests", settings)
    except NoJava as reason:
        do_without(reason)
    finally:
        for name in QUICK_JAVA:
            del os.environ[name]
    yield session
    session.stop()


def pack(folder: Path) -> None:
    """Write `kproto.tar.gz`: the archive that `docs/reference/spark.md` describes, of this tree,
    without the packages that kproto needs.
    """
    with tarfile.open(folder / "kproto.tar.gz", "w:gz") as archive:
        for package, folder_name in FOLDERS.items():
            archive.add(ROOT / folder_name, package.replace(".", "/"), filter=_source)


def _source(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    left_out = {"__pycache__", "native"}  # of the latter cargo may have made hundreds of megabytes
    return None if left_out.intersection(Path(entry.name).parts) else entry


def last_line_of(program: str, *arguments: object, seconds: float) -> Any:
    """Run a program of this folder with a Java that begins quickly; return the JSON that it prints
    as its last line.
    """
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name(program), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
        env=os.environ | QUICK_JAVA,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
