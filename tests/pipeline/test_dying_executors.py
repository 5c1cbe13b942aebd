"""Executors that are killed at different moments, and tasks that run twice: whatever
happens, the audit is the one that nobody disturbed, row by row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kproto.pipeline.spark.java import NoJava, find_java_home
from kproto.pipeline.tables.publishing import TEXTS
from tests.benchmarks.fleet import write

from .conftest import last_line_of

# The audits of files alone took four and a half minutes on two busy cores: for each executor that
# dies, a JVM and a Python are started. The limit is for what hangs.
_SECONDS = 1200
DISTURBED = ("reading", "writing", "both executors", "before the commit", "twice")
_MADE = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d|(?<=kproto_audit_timestamp_seconds)\S+ [\d.]+")
"""When the audit was made."""


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an audit for each disturbance."""
    pytest.importorskip("pyspark")
    try:
        find_java_home()
    except NoJava as reason:
        pytest.skip(f"no Java for Spark: {reason}")
    folder: Path = tmp_path_factory.mktemp("audits")
    write(folder / "fleet", 4, seed=7, partitions=4)
    struck = [
        last_line_of("on_dying_executors.py", folder, folder / "fleet", what, seconds=_SECONDS)
        for what in ("files", "dataframe")
    ]
    assert struck[-1] == [
        "before the commit 0.struck", "both executors 0.struck",
        "both executors 1.struck", "dataframe 0.struck", "dataframe 1.struck",
        "reading 0.struck", "writing 0.struck",
    ]  # fmt: skip
    return folder


@pytest.mark.long
@pytest.mark.parametrize("name", DISTURBED)
def test_the_audit_is_the_undisturbed_one(audits: Path, name: str) -> None:
    clean, other = audits / "undisturbed", audits / name
    said, told = (json.loads((out / "manifest.json").read_text()) for out in (clean, other))
    assert told["records"] == said["records"]
    for table in said["tables"]:
        rows = [rows_of(out, manifest, table) for out, manifest in ((clean, said), (other, told))]
        assert rows[0] == rows[1], table
    for text in TEXTS:
        one, another = (_MADE.sub("", (out / text).read_text()) for out in (clean, other))
        assert one == another, text
    assert not list(other.glob(".staging*"))


@pytest.mark.long
def test_the_tables_of_a_dataframe_are_those_of_the_undisturbed_audit(audits: Path) -> None:
    clean = audits / "undisturbed"
    for table in json.loads((clean / "manifest.json").read_text())["tables"]:
        rows = [
            sorted(map(repr, pq.read_table(out / table).to_pylist()))
            for out in (clean, audits / "dataframe")
        ]
        assert rows[0] == rows[1], table


def rows_of(out: Path, manifest: dict[str, Any], table: str) -> list[str]:
    """Every row of a table, as text: in the order of the ranking, or of the log."""
    files = [pq.read_table(out / part["file"]) for part in manifest["tables"][table]]
    rows = [repr(row) for row in pa.concat_tables(files).to_pylist()]
    return rows if table in {"findings", "current"} else sorted(rows)
