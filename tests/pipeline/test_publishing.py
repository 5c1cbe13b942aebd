"""Publishing: all of an audit or nothing, whatever happens on the way."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from time import sleep, time
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyarrow import fs

from kproto.pipeline.report.page import texts_of
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.in_process import in_process
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources import places
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import TEXTS, Destination, NotEmpty

TOPIC = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
SOURCE = TOPIC / "__consumer_offsets-0"


def audit(out: Path | str, *groups: str, replace: bool = True) -> Audit:
    destination = Destination.new(str(out), replace=replace)
    options = Options(cluster_id="c", groups=groups)
    return run_audit(
        units_of(str(SOURCE)), destination, options, make_texts=lambda *_: {"said.txt": str(groups)}
    )


def published(out: Path) -> dict[str, Any]:
    """What the manifest names, read."""
    manifest = json.loads((out / "manifest.json").read_text())
    return {
        table: [pq.read_table(out / one["file"]).to_pylist() for one in files]
        for table, files in manifest["tables"].items()
    }


def named(out: Path) -> list[str]:
    """What an audit is: the files that the manifest names, and itself."""
    manifest = json.loads((out / "manifest.json").read_text())
    listed = [one["file"] for table in manifest["tables"].values() for one in table]
    return sorted([*listed, *manifest["files"], "manifest.json"])


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
        return failing, places.filesystem(uri)[1]

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


def test_a_manifest_that_was_moved_counts_whatever_is_said(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An object store copies and then deletes: that the second fails does not undo the first."""

    class Copying(fs.LocalFileSystem):  # type: ignore[misc]  # it ships no types
        def move(self, src: str, dest: str) -> None:
            super().move(src, dest)
            if dest.endswith("manifest.json"):
                raise OSError("cannot delete")

    copying = Copying()
    monkeypatch.setattr(
        "kproto.pipeline.tables.publishing.filesystem",
        lambda uri: (copying, places.filesystem(uri)[1]),
    )
    with pytest.raises(OSError, match="cannot delete"):
        audit(first, "kp.*")
    assert {row["group_id"].split(".")[0] for row in published(first)["current"][0]} == {"kp"}


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
    assert all_there(first) == named(first)


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
    assert ended.wait(300)
    task.join()
    assert not list(tmp_path.iterdir())


# Dies without a word before a file of this name is moved into its place.
_KILLED = """
import os, signal, sys
from pyarrow import fs
from kproto.pipeline.sources import places
from kproto.pipeline.tables import publishing
from tests.pipeline.test_publishing import audit

class Deadly(fs.LocalFileSystem):
    def move(self, src, dest):
        if sys.argv[2] in dest:
            os.kill(os.getpid(), signal.SIGKILL)
        super().move(src, dest)

store = Deadly()
publishing.filesystem = lambda uri: (store, places.filesystem(uri)[1])
audit(sys.argv[1], "kp.*")
"""


def kill(out: Path, before: str) -> None:
    """Audit in a process that is killed before it moves this file."""
    command = [sys.executable, "-c", _KILLED, str(out), before]
    assert subprocess.run(command, check=False, timeout=600).returncode == -signal.SIGKILL
    assert len(list(out.glob(".staging-*"))) == 1


def test_who_is_killed_before_the_manifest_leaves_the_old_audit(first: Path) -> None:
    before, text = published(first), (first / "said.txt").read_text()
    kill(first, "manifest.json")
    assert published(first) == before
    assert (first / "said.txt").read_text() == text
    audit(first, "franz.*")
    assert all_there(first) == named(first)
    assert not list(first.glob(".staging*"))


def test_who_is_killed_behind_the_manifest_leaves_a_text_that_it_does_not_name(first: Path) -> None:
    def is_named() -> bool:
        digest = json.loads((first / "manifest.json").read_text())["sha256"]["said.txt"]
        return bool(digest == sha256((first / "said.txt").read_bytes()).hexdigest())

    assert is_named()
    kill(first, "said.txt")
    assert {row["group_id"].split(".")[0] for row in published(first)["current"][0]} == {"kp"}
    assert not is_named()
    audit(first, "franz.*")
    assert is_named()
    assert all_there(first) == named(first)
    assert not list(first.glob(".staging*"))


@pytest.mark.parametrize(
    ("owner", "hours", "kept"), [(None, 0, True), ("0 pid:[0] 1", 23, True), ("", 25, False)]
)
def test_what_may_still_be_published_stays(
    first: Path, owner: str | None, hours: int, *, kept: bool
) -> None:
    """Of a process that runs, or of another machine: there, time decides."""
    other = Destination.new(str(first), replace=True)
    other.stage()
    staged = first / other.staging
    moved = first / "records" / f"part-{other.run}0123.parquet"
    moved.write_bytes(b"moved")
    if owner is not None:
        (staged / "owner").write_text(owner)
    then = time() - hours * 3600
    os.utime(staged / "owner", (then, then))
    os.utime(staged, (then, then))
    audit(first, "kp.*")
    assert staged.exists() == kept
    assert moved.exists() == kept


@pytest.mark.parametrize(
    "name", ["records/my-important.txt", "current/part-00000-by-spark.parquet", "members", *TEXTS]
)
@pytest.mark.parametrize("replace", [False, True])
def test_what_is_of_no_audit_is_left_alone(tmp_path: Path, name: str, *, replace: bool) -> None:
    own = tmp_path / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine")
    with pytest.raises(NotEmpty, match=f"holds {name}, but no audit"):
        audit(tmp_path, replace=replace)
    assert all_there(tmp_path) == [name]


@pytest.mark.parametrize("said", [b"", b'{"name": "my page", "icons": []}', b"\xff", b"[" * 99_999])
def test_somebody_elses_manifest_is_left_alone(tmp_path: Path, said: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(said)
    with pytest.raises(NotEmpty, match=r"manifest\.json, which is of no audit"):
        audit(tmp_path)
    assert (tmp_path / "manifest.json").read_bytes() == said


def test_what_somebody_put_beside_an_audit_stays(first: Path) -> None:
    own = first / "records" / "notes.txt"
    own.write_text("mine")
    audit(first, "kp.*")
    assert all_there(first) == sorted([*named(first), "records/notes.txt"])


def test_a_text_that_is_of_the_old_audit_alone_goes_with_it(first: Path) -> None:
    destination = Destination.new(str(first), replace=True)
    run_audit(units_of(str(SOURCE)), destination, Options(groups=("kp.*",)))
    assert not (first / "said.txt").exists()
    assert all_there(first) == named(first)


def test_a_manifest_that_names_other_things_deletes_none_of_them(first: Path) -> None:
    (first.parent / "mine").write_text("mine")
    said = json.loads((first / "manifest.json").read_text())
    said["files"] += ["records", "../mine", "manifest.json"]
    said["tables"]["records"].append({"file": "../mine", "rows": 1})
    (first / "manifest.json").write_text(json.dumps(said))
    audit(first, "kp.*")
    assert (first.parent / "mine").read_text() == "mine"
    assert all_there(first) == named(first)


def test_what_was_about_to_be_published_is_no_audit(tmp_path: Path) -> None:
    left = tmp_path / "records" / f"part-{'0' * 44}.parquet"
    left.parent.mkdir()
    left.write_bytes(b"")
    with pytest.raises(NotEmpty, match="--replace"):
        audit(tmp_path, replace=False)
    audit(tmp_path, "kp.*", replace=True)
    assert all_there(tmp_path) == named(tmp_path)


def another_at(monkeypatch: pytest.MonkeyPatch, out: Path, name: str) -> None:
    """Let another audit be made in this place before the next one moves this file."""

    class Slow(fs.LocalFileSystem):  # type: ignore[misc]  # it ships no types
        def move(self, src: str, dest: str) -> None:
            if name in dest:
                monkeypatch.undo()
                with pytest.raises(NotEmpty, match=r"just being published .* delete \.staging"):
                    audit(out, "java.*")
            super().move(src, dest)

    slow = Slow()
    monkeypatch.setattr(
        "kproto.pipeline.tables.publishing.filesystem",
        lambda uri: (slow, places.filesystem(uri)[1]),
    )


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", ["/records/", "/topics/", "manifest.json", "said.txt"])
def test_of_two_at_once_one_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, replace: bool
) -> None:
    if replace:
        audit(tmp_path, "franz.*")
    another_at(monkeypatch, tmp_path, name)
    audit(tmp_path, "kp.*", replace=replace)
    assert (tmp_path / "said.txt").read_text() == "('kp.*',)"
    assert all_there(tmp_path) == named(tmp_path)
    assert not list(tmp_path.glob(".staging*"))


def test_one_that_began_before_another_ended_does_not_replace_it(tmp_path: Path) -> None:
    late = Destination.new(str(tmp_path), replace=False)
    audit(tmp_path, "java.*", replace=False)
    with pytest.raises(NotEmpty, match="another audit was published here meanwhile"):
        run_audit(units_of(str(SOURCE)), late, Options())
    assert all_there(tmp_path) == named(tmp_path)


def test_whoever_loses_his_files_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Losing(fs.LocalFileSystem):  # type: ignore[misc]  # it ships no types
        def move(self, src: str, dest: str) -> None:
            super().move(src, dest)
            if "/records/" in dest:
                Path(dest).unlink()

    losing = Losing()
    monkeypatch.setattr(
        "kproto.pipeline.tables.publishing.filesystem",
        lambda uri: (losing, places.filesystem(uri)[1]),
    )
    with pytest.raises(NotEmpty, match="at the same moment"):
        audit(tmp_path, "java.*", replace=False)


def test_the_texts_are_those_of_the_report(tmp_path: Path) -> None:
    destination = Destination.new(str(tmp_path), replace=False)
    options = Options(groups=("kp.*",))
    run_audit(units_of(str(SOURCE)), destination, options, make_texts=texts_of)
    assert set(TEXTS) == set(json.loads((tmp_path / "manifest.json").read_text())["files"])


def test_what_was_killed_while_it_was_published_is_simply_begun_again(tmp_path: Path) -> None:
    """The same command as before: nobody has to say --replace of what was never an audit."""
    out = tmp_path / "out"
    kill(out, "manifest.json")
    assert any(out.glob("records/*"))
    audit(out, "kp.*", replace=False)
    assert all_there(out) == named(out)


def test_files_of_attempts_that_were_not_taken_are_in_no_report(tmp_path: Path) -> None:
    """A task that ran twice has left whole files, one that was killed half a file."""
    clean = run_audit(
        units_of(str(SOURCE)), Destination.new(str(tmp_path / "a"), replace=False), Options(),
        make_texts=texts_of,
    )  # fmt: skip

    def twice(units: Any, destination: Destination, options: Options) -> Any:
        list(in_process(units, destination, options))
        staged = tmp_path / "b" / destination.staging
        for table in ("rebalances", "members", "groups", "assignments", "findings"):
            (staged / table / f"part-{destination.run}{'0' * 32}.parquet").write_bytes(b"PAR1")
        yield from in_process(units, destination, options)

    destination = Destination.new(str(tmp_path / "b"), replace=False)
    audit = run_audit(units_of(str(SOURCE)), destination, Options(), twice, texts_of)
    assert audit.findings.equals(clean.findings)
    for name in TEXTS:
        one, other = ((tmp_path / out / name).read_text() for out in ("a", "b"))
        assert _MADE.sub("", one) == _MADE.sub("", other)


_MADE = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d|(?<=kproto_audit_timestamp_seconds)[^\n]+")


def test_a_failure_ends_the_thread_that_reads_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever holds the error holds the frames that began to read."""

    def failing(batches: Any, intake: Any) -> Any:
        next(batches)
        raise OSError("no space left")

    monkeypatch.setattr("kproto.pipeline.run.in_process.audited_batches", failing)
    destination = Destination.new(str(tmp_path), replace=False)
    with pytest.raises(OSError, match="no space left") as held:
        run_audit(units_of(str(SOURCE)), destination, Options())
    assert held.tb is not None
    assert not [thread for thread in enumerate_threads() if "reader" in thread.name]


def test_a_place_is_absolute_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers run in folders of their own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").symlink_to(SOURCE.parent)
    destination = Destination.new("out", replace=False)
    units = units_of("in")
    (tmp_path / "elsewhere").mkdir()

    def elsewhere(units: Any, destination: Destination, options: Options) -> Any:
        monkeypatch.chdir(tmp_path / "elsewhere")
        yield from in_process(units, destination, options)

    run_audit(units, destination, Options(), elsewhere)
    assert named(tmp_path / "out") == all_there(tmp_path / "out")
    assert not any((tmp_path / "elsewhere").iterdir())
