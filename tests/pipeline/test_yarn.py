"""An audit on YARN, as the pages describe it: the driver and its executors run where YARN starts
them, with kproto out of an archive, and everything is read from Hadoop's file system.
"""

from __future__ import annotations

import os
import site
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kproto.fuzz.building import JavaUnavailable, compile_java, fetch_jars
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import Destination
from tests.conftest import do_without

from .conftest import QUICK_JAVA, pack
from .test_hadoop import SOURCE, rows

HERE = Path(__file__).parent
_SECONDS = 300
_JOB = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
from kproto.tools.main import main

source, out = sys.argv[1:]
status = main(["audit", source, "--out", out, "--spark", "--fail-on", "never"])
Path(f"{out}.master").write_text(SparkSession.getActiveSession().sparkContext.master)
sys.exit(status)
"""


@contextmanager
def hadoop(folder: Path, *copied: Path) -> Iterator[None]:
    """Hadoop's servers, whose settings are in the folder. These files are in the root of its file
    system.
    """
    jars = fetch_jars((HERE / "hadoop" / "pom.xml").read_bytes())
    source = (HERE / "hadoop" / "HadoopCluster.java").read_bytes()
    classes = compile_java(source, "HadoopCluster", jars)
    path = os.pathsep.join((str(classes), f"{jars}{os.sep}*"))
    command = ["java", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", path]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            [*command, "HadoopCluster", str(folder), *map(str, copied)],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            env=os.environ | QUICK_JAVA,
        ) as process,
    ):  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert b"ready\n" in process.stdout, (folder / "log").read_text()[-2000:]
            yield
        finally:
            process.stdin.close()
            process.stdout.read()


def submitted(folder: Path, *arguments: str) -> None:
    """Run the job on YARN, in its cluster mode, by the command of the page."""
    import pyspark

    python = getattr(sys, "_base_executable", sys.executable)  # which has no kproto
    packages = site.getsitepackages()[0]
    path = f"./packed{os.pathsep}{packages}"
    settings = {
        "spark.pyspark.python": python,
        "spark.yarn.appMasterEnv.PYTHONPATH": path,
        "spark.executorEnv.PYTHONPATH": path,
        "spark.yarn.appMasterEnv.JDK_JAVA_OPTIONS": QUICK_JAVA["JDK_JAVA_OPTIONS"],
        "spark.executorEnv.JDK_JAVA_OPTIONS": QUICK_JAVA["JDK_JAVA_OPTIONS"],
        "spark.executor.instances": "1",
        "spark.yarn.jars": f"local:{Path(pyspark.__file__).parent / 'jars'}/*",
    }
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit")]
    command += ["--master", "yarn", "--deploy-mode", "cluster"]
    command += ["--archives", "hdfs:///kproto.tar.gz#packed"]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    done = subprocess.run(
        [*command, "hdfs:///job.py", *arguments],
        capture_output=True, text=True, check=False, timeout=_SECONDS,
        env=os.environ | QUICK_JAVA | {"HADOOP_CONF_DIR": str(folder)},
    )  # fmt: skip
    said = [path.read_text()[-20_000:] for path in folder.glob("target/**/stderr")]
    assert done.returncode == 0, "\n".join([done.stderr[-2000:], *said])


@pytest.mark.long
def test_the_tables_are_those_of_an_audit_in_process(tmp_path: Path) -> None:
    """The file system's name has a port, as `hdfs://` has it behind the default one."""
    pytest.importorskip("pyspark")
    pack(tmp_path)
    (tmp_path / "job.py").write_text(_JOB)
    here, there = tmp_path / "here", tmp_path / "there"
    try:
        with hadoop(tmp_path, SOURCE, tmp_path / "kproto.tar.gz", tmp_path / "job.py"):
            submitted(tmp_path, "hdfs:///offsets-topic", str(there))
    except JavaUnavailable as reason:
        do_without(reason)
    assert (tmp_path / "there.master").read_text() == "yarn"
    run_audit(units_of(str(SOURCE)), Destination.new(str(here), replace=False), Options())
    for table in TABLES:
        brought = rows(there, table, "localhost/offsets-topic")
        assert brought == rows(here, table, str(SOURCE)), table
