"""Real executors, whose own Python does not have kproto: it comes in an archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.pipeline.spark.java import NoJava, find_java_home

from .conftest import last_line_of, pack
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
