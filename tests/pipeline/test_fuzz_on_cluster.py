"""`kproto fuzz run --spark` on real executors, one of which is killed in the middle of a piece."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from kproto.fuzz.campaign import DistributedCampaign, State
from kproto.pipeline.spark.java import NoJava, find_java_home

from .conftest import QUICK_JAVA

TARGET = "planted.target"
PLANTED = '''"""No input has a word in it that booms."""

import os
import time
from pathlib import Path

from kproto.fuzz.mutators import Splice


class Form:
    raw_every = 2

    def splices(self, data):
        return [Splice(0, 0, word, repr(word)) for word in (b"boom", b"x", b"y")]

    def head(self, data):
        return 0

    def tokens(self):
        return [b"boom"]


FORMS = {"": Form()}


def check(data):
    Path(os.environ["PLANTED"], str(os.getpid())).touch()
    time.sleep(0.02)
    if b"boom" in data:
        raise ValueError("boom")
'''
RUNS = 300


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the target, which all processes find; those that run it leave their numbers in
    `workers`."""
    pytest.importorskip("pyspark")
    pytest.importorskip("atheris")
    try:
        find_java_home()
    except NoJava as reason:
        pytest.skip(f"no Java for Spark: {reason}")
    for folder in ("planted", "workers", "workers alone"):
        (tmp_path / folder).mkdir()
    (tmp_path / "planted" / "target.py").write_text(PLANTED)
    monkeypatch.setenv("PLANTED", str(tmp_path / "workers"))
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def workers(folder: Path) -> list[int]:
    return [int(one.name) for one in folder.iterdir()]


def executor_of(process: int) -> int | None:
    """The JVM among those that have started a process, if it is there still."""
    while process > 1:
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            if b"CoarseGrainedExecutorBackend" in command:
                return process
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            return None
        process = int(status.partition("PPid:")[2].split()[0])
    return None


def killed_while_it_works(folder: Path, running: subprocess.Popen[str]) -> int:
    """The number of an executor that was busy with a piece, and is no more."""
    limit = time.monotonic() + 200
    while running.poll() is None and time.monotonic() < limit:
        for worker in workers(folder / "workers"):
            executor = executor_of(worker)
            if executor is not None:
                os.kill(executor, signal.SIGKILL)
                return executor
        time.sleep(0.02)
    running.terminate()
    raise AssertionError(f"no piece was begun: {running.communicate()[0][-3000:]}")


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
def test_a_campaign_that_loses_an_executor(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The piece is done again and counts once: it all comes to what it does without a cluster."""
    command = "from kproto.tools.main import main; raise SystemExit(main())"
    asked = f"fuzz run {TARGET} --runs {RUNS} --seed 7 --jobs 2 --spark local-cluster[2,1,1024]"
    out = campaign / "out"
    with subprocess.Popen(
        [sys.executable, "-c", command, *asked.split(), "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | QUICK_JAVA,
    ) as running:
        killed = killed_while_it_works(campaign, running)
        said, _ = running.communicate(timeout=200)
    assert running.returncode == 1, said  # there is a finding
    assert executor_of(killed) is None
    spread = State.load(out)
    (one,) = spread.targets.values()
    assert (one.done, one.left, one.rounds) == (True, "", 2)
    assert RUNS <= one.executions < RUNS * 1.5, "a lost piece does not count"

    monkeypatch.setenv("PLANTED", str(campaign / "workers alone"))
    alone = DistributedCampaign(State.new(spread.settings), campaign / "alone", here)
    alone.run(lambda: None)
    again = len(workers(campaign / "workers")) - len(workers(campaign / "workers alone"))
    assert again > 0, "the piece was begun twice"
    assert found(out) == found(campaign / "alone")
    assert len(found(out)) == 1
    assert corpus(out) == corpus(campaign / "alone")


def here(function: Callable[[bytes], bytes], orders: Sequence[bytes]) -> Iterator[bytes]:
    return map(function, orders)


def found(out: Path) -> set[tuple[str, bytes]]:
    return {(one.name, (one / "input.bin").read_bytes()) for one in (out / "findings").iterdir()}


def corpus(out: Path) -> set[bytes]:
    return {one.read_bytes() for one in (out / "corpus" / TARGET).iterdir()}
