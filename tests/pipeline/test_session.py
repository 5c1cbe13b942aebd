"""Where Spark cannot be started, and where no filesystem is: one line says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

from pyspark import java_gateway  # behind what it is skipped for

from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.sources.places import filesystem
from kproto.pipeline.spark.java import NoJava, ends_when_interrupted, find_java_home
from kproto.pipeline.spark.session import MASTER, NoSpark, java_reason, name_python, register
from kproto.pipeline.spark.tasks import reason
from kproto.tools.main import main
from tests.conftest import do_without

SOURCE = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"


@pytest.mark.parametrize("master", ["nonsense", "", "local[x]", "local-cluster[1]", "spark://host"])
def test_what_is_no_master(master: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    with pytest.raises(NoSpark, match="is no master of Spark"):
        on_spark(master)


@pytest.mark.parametrize(
    "master",
    ["local", "local[*]", "local[4]", "local[4, 2]", "local-cluster[2, 1, 1024]", "yarn",
     "spark://a:7077", "spark://a:7077,b:7077", "k8s://https://host:443"],
)  # fmt: skip
def test_what_spark_documents_as_one(master: str) -> None:
    assert MASTER.fullmatch(master)


def test_the_setting_names_the_python_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which PySpark itself leaves to spark-submit."""
    monkeypatch.setenv("PYSPARK_PYTHON", "")  # so that it is put back
    monkeypatch.delenv("PYSPARK_PYTHON")
    name_python({})
    assert os.environ["PYSPARK_PYTHON"] == sys.executable
    name_python({"spark.pyspark.python": "/image/bin/python"})
    assert os.environ["PYSPARK_PYTHON"] == "/image/bin/python"
    name_python({})
    assert os.environ["PYSPARK_PYTHON"] == "/image/bin/python"


def test_what_an_old_pyspark_lacks_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    nothing: Any = None
    with pytest.raises(NoSpark, match=r"^kproto.offsets needs PySpark 4.0 or newer; this is 3.5.9"):
        register(nothing)
    broker = ["audit", "kafka://127.0.0.1:1", "--follow", "--out", str(tmp_path / "out")]
    assert main(broker) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "kproto: --follow needs PySpark 4.0 or newer; this is 3.5.9"


def test_what_java_says_is_one_line() -> None:
    """As py4j tells it, and as PySpark does where Java has gone."""
    said = "An error occurred while calling x.\n: org.E: no such host\n\tat org.A(A.scala:1)\n"
    assert java_reason(said) == "org.E: no such host"
    caused = f"{said}Caused by: java.E: a\n\tat java.A\nCaused by: java.F: no class\n\t... 9 more\n"
    assert java_reason(caused) == "org.E: no such host: java.F: no class"
    gone = "[JAVA_GATEWAY_EXITED] Java gateway process exited before sending its port number."
    assert java_reason(gone) == gone


def test_nothing_is_left_where_there_is_no_spark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    out = tmp_path / "out"
    assert main(["audit", str(SOURCE), "--out", str(out), "--spark", "nonsense"])
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_why_a_task_failed_is_one_line() -> None:
    frames = 'Traceback (most recent call last):\n  File "x.py", line 1, in f\n    g()\n    ^^^\n'
    inner = (
        f"An exception was thrown from the Python worker:\n{frames}lib.Invalid: no path\nnor two"
    )
    assert reason(inner) == "lib.Invalid: no path"
    outer = f"{inner}\n\nThe above exception was the direct cause:\n\n{frames}ValueError: {{}}\n"
    assert reason(outer) == "ValueError: {}"
    java = (
        "An error occurred while calling z.\n: org.E: Job aborted: Task 0 failed 4 times, most "
        "recent failure: Lost task 0.3 (host executor 1): org.E: Python worker exited\n\tat org.A\n"
        "\nDriver stacktrace:\n\tat org.B\nCaused by: org.E: Python worker exited\n\tat org.A\n"
        "Caused by: java.io.EOFException\n"
    )
    assert reason(java) == "Lost task 0.3 (host executor 1): org.E: Python worker exited"


@pytest.mark.parametrize("uri", ["foo://bar/x", "://", "http://host/x"])
def test_a_uri_of_no_filesystem(
    uri: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FileNotFoundError, match="s3, gs, abfs, hdfs or file"):
        filesystem(uri)
    places = ([uri, "--out", str(tmp_path / "out")], [str(SOURCE), "--out", uri])
    for arguments in places:
        assert main(["audit", *arguments]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


_DEAF = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(("error", "ends"), [(KeyboardInterrupt, True), (OSError, False)])
def test_what_a_start_has_begun_ends_where_it_is_interrupted(
    error: type[BaseException], ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it does with SIGTERM; not where Spark refuses, for PySpark uses the Java again."""
    monkeypatch.setattr("pyspark.SparkContext._gateway", None)
    monkeypatch.setattr("kproto.pipeline.spark.java._GRACE", 0.1)
    popen = vars(java_gateway)["Popen"]
    started: list[Any] = []

    def start() -> None:
        with ends_when_interrupted():
            command = [sys.executable, "-c", _DEAF]
            started.append(vars(java_gateway)["Popen"](command, stdout=subprocess.PIPE))
            started[0].stdout.readline()
            assert os.getpgid(started[0].pid) == started[0].pid  # a signal to ours is not for it
            raise error

    with pytest.raises(error):
        start()
    assert vars(java_gateway)["Popen"] is popen
    (process,) = started
    with process:
        assert (process.poll() is not None) == ends
        process.kill()


@pytest.mark.long
def test_no_java_outlives_a_start_that_is_ended(tmp_path: Path) -> None:
    """At any moment: without an end of our own, Java stays where it has not told its port yet."""
    try:
        find_java_home()
    except NoJava as reason:
        do_without(reason)
    command = "from kproto.tools.main import main; raise SystemExit(main())"
    words = ["audit", str(SOURCE), "--spark", "local[1]", "--out", str(tmp_path / "out")]
    mark = str(tmp_path)
    for seconds in (1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 12, 20, 30):
        with subprocess.Popen(
            [sys.executable, "-c", command, *words, "--replace"],
            env={**os.environ, "KPROTO_TEST": mark},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=60)
        assert b"WARN" not in err
        assert _ends(mark, 30), f"ended after {seconds} s"


def _ends(mark: str, seconds: float) -> bool:
    """Whether all processes with this in their environment end in that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(_has(process, mark.encode()) for process in Path("/proc").glob("[0-9]*")):
            return True
        time.sleep(0.1)
    return False


def _has(process: Path, mark: bytes) -> bool:
    with suppress(OSError):
        return mark in (process / "environ").read_bytes()
    return False
