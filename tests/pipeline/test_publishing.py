"""Publishing: all of an audit or nothing, whatever happens on the way."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyarrow import fs

from kproto.pipeline import segment_files
from kproto.pipeline.driver import Audit, Options, run_audit
from kproto.pipeline.driver.units import units_of
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import Destination

SOURCE = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"


def audit(out: Path | str, *groups: str, replace: bool = True) -> Audit:
    destination = Destination.new(str(out), replace=replace)
    options = Options(cluster_id="c", groups=groups)
    return run_audit(
        units_of(str(SOURCE)), destination, options, beside=lambda *_: {"said.txt": str(groups)}
    )


def published(out: Path) -> dict[str, Any]:
    """What the manifest names, read."""
    manifest = json.loads((out / "manifest.json").read_text())
    return {
        table: [pq.read_table(out / one["file"]).to_pylist() for one in files]
        for table, files in manifest["tables"].items()
    }


def all_there(out: Path) -> list[str]:
    """Every file that is there, and not only those that the manifest names."""
    return sorted(one.relative_to(out).as_posix() for one in out.rglob("*") if one.is_file())


class Failing(fs.LocalFileSystem):  # type: ignore[misc]  # it ships no types
    """A filesystem of which one move does not succeed, after so many that do."""

    left = 0
    error: BaseException = OSError()

    def move(self, src: str, dest: str) -> None:
        if not self.left:
            raise self.error
        self.left -= 1
        super().move(src, dest)


def let_fail(monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> None:
    failing = Failing()
    failing.left, failing.error = at, error

    def of(uri: str) -> tuple[Any, str]:
        return failing, segment_files.filesystem(uri)[1]

    monkeypatch.setattr("kproto.pipeline.tables.publishing.filesystem", of)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    out = tmp_path / "out"
    audit(out, "java.*")
    return out


@pytest.mark.parametrize("at", [0, 3, 14])
def test_what_cannot_be_moved_leaves_the_old_audit(
    first: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    before, files = published(first), all_there(first)
    let_fail(monkeypatch, at, OSError("no space"))
    with pytest.raises(OSError, match="no space"):
        audit(first, "kp.*")
    assert published(first) == before
    assert all_there(first) == files


def test_one_that_is_killed_on_the_way_counts_for_nothing(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = published(first)
    with monkeypatch.context() as patched:
        let_fail(patched, 5, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            audit(first, "kp.*")
    assert published(first) == before
    again = audit(first, "franz.*")
    names = {row["group_id"] for row in pq.read_table(first / "current").to_pylist()}
    assert names == set(again.current.column("group_id").to_pylist())
    files = json.loads((first / "manifest.json").read_text())["tables"].values()
    listed = [one["file"] for table in files for one in table]
    assert all_there(first) == sorted([*listed, "manifest.json", "said.txt"])


def test_what_stands_beside_is_of_the_same_audit(first: Path) -> None:
    assert (first / "said.txt").read_text() == "('java.*',)"
    assert json.loads((first / "manifest.json").read_text())["files"] == ["said.txt"]
    audit(first, "kp.*")
    assert (first / "said.txt").read_text() == "('kp.*',)"


def test_a_uri_is_a_place(tmp_path: Path) -> None:
    """As of an object store: by pyarrow's filesystems."""
    audit((tmp_path / "out").as_uri(), "java.*", replace=False)
    assert {one.name for one in (tmp_path / "out").iterdir()} == {
        *TABLES, "manifest.json", "said.txt",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("uri", "staged"),
    [("/a/b", "/a/b/.staging-r"), ("s3://b/k/?region=x", "s3://b/k/.staging-r?region=x")],
)
def test_where_the_staged_tables_are(uri: str, staged: str) -> None:
    assert Destination(uri, "r").staged_uri == staged


def test_a_task_that_outlives_its_audit_leaves_nothing(tmp_path: Path) -> None:
    """One that Spark cancelled, or whose twin was faster: it writes while its audit goes away."""
    destination = Destination.new(str(tmp_path), replace=False)
    destination.stage()
    writing, ended = Event(), Event()

    def straggle() -> None:
        for _ in range(1_000):
            try:
                destination.writer().write_empty("records")
            except FileNotFoundError:
                ended.set()
                break
            writing.set()
            sleep(0.01)

    task = Thread(target=straggle, daemon=True)
    task.start()
    writing.wait()
    destination.discard()
    assert ended.wait(10)
    task.join()
    assert not list(tmp_path.iterdir())
