"""Real executors, whose own Python does not have kproto: it comes in an archive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kproto.pipeline.spark.java import NoJava, find_java_home

from .conftest import QUICK_JAVA, last_line_of, pack
from .test_offsets_source import TOPIC, by_capture


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the archive that `docs/reference/spark.md` describes, of this tree."""
    pytest.importorskip("pyspark")
    try:
        find_java_home()
    except NoJava as reason:
        pytest.skip(f"no Java for Spark: {reason}")
    folder: Path = tmp_path_factory.mktemp("cluster")
    pack(folder)
    return folder


@pytest.mark.long
def test_a_cluster_that_loses_an_executor(packed: Path) -> None:
    """While it decodes, a Python worker; while it audits, an executor and a worker."""
    found = last_line_of("on_a_cluster.py", packed, TOPIC, seconds=240)
    assert (found["right"], found["rows"], found["numbers"]) == (2_000, 2_000, 2_000)
    assert found["records"] == len(by_capture(TOPIC))
    assert found["killed"] == ["auditing executor", "auditing worker", "decoding worker"]
    assert found["audited"] == found["alone"]
    assert found["published"] == found["audited"]["written"] == len(by_capture(TOPIC))
    for file in found["where"]:
        assert "packed/kproto/codec" in file, "the executors had a kproto of their own"


_SOON = """
import signal
import sys
from kproto.pipeline.spark import tasks
from kproto.tools.main import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
tasks._PATIENCE = 3
sys.exit(main())
"""


@pytest.mark.long
@pytest.mark.usefixtures("packed")
@pytest.mark.parametrize(
    ("signals", "last", "status"),
    [
        ([signal.SIGTERM, signal.SIGTERM], b"kproto: terminated", 143),  # as `timeout` sends it
        ([signal.SIGINT], b"kproto: interrupted", 130),
    ],
)
def test_who_waits_for_an_executor_is_told(
    signals: list[signal.Signals], last: bytes, status: int, tmp_path: Path
) -> None:
    """Of more cores than a worker has. Who ends it leaves nothing behind, and is told it once."""
    out = tmp_path / "out"
    arguments = ["audit", str(TOPIC), "--out", str(out), "--spark", "local-cluster[1,1,1024]"]
    with subprocess.Popen(
        [sys.executable, "-c", _SOON, *arguments],
        stderr=subprocess.PIPE,
        env=os.environ
        | QUICK_JAVA
        | {"PYSPARK_SUBMIT_ARGS": "--conf spark.executor.cores=2 pyspark-shell"},
    ) as running:  # fmt: skip
        assert running.stderr is not None
        warnings = (line for line in running.stderr if line.startswith(b"Spark has begun no task"))
        assert b"local-cluster[1,1,1024] for 3 s: its executors do not start" in next(warnings)
        for number in signals:
            running.send_signal(number)
        _, text = running.communicate(timeout=60)
    assert (text.splitlines()[-1:], running.returncode) == ([last], status)
    assert b"Traceback" not in text
    assert not out.exists() or not list(out.iterdir())
