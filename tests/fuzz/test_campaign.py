"""Campaigns: repeatable, resumable, and ended by nothing that a target does."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import msgspec
import pytest

from kproto.fuzz import campaign, targets
from kproto.fuzz.campaign import Campaign, CampaignSettings, State
from kproto.fuzz.engines import processes
from kproto.fuzz.engines.execution import Execution
from kproto.fuzz.engines.job import Job, SharedStatus
from kproto.fuzz.engines.processes import judge, replay
from kproto.fuzz.findings import FindingKind, FuzzFinding, Store, load
from kproto.tools.main import main

PLANTED = """
import os, sys, time, types
import kproto.fuzz.targets as targets

def check(data):
    if b"hang" in data:
        time.sleep(60)
    if b"eat" in data:
        bytearray(1 << 40)
    if b"die" in data:
        os._exit(3)
    boom(data)

def boom(data):
    if b"boom" in data:
        raise ValueError("boom \\x1b[31m\\"\\"\\" </failure>")

class Form:
    raw_every = 2

    def __init__(self, *words):
        self.words = words

    def splices(self, data):
        from kproto.fuzz.mutators import Splice
        return [Splice(0, 0, word, repr(word)) for word in self.words]

    def head(self, data):
        return 0

    def tokens(self):
        return [b"boom"]

FORMS = {"planted": Form(b"hang", b"boom", b"eat", b"die", b"x"), "booming": Form(b"x", b"boom")}

class Slow(Form):  # as one whose first call imports all messages
    def splices(self, data):
        if not self.words:
            time.sleep(3)
            self.words = (b"x",)
        return super().splices(data)

FORMS["slowly"] = Slow()

def nothing_there():
    raise targets.Missing("no judge on this machine")

REQUIRE = {"judgeless": nothing_there, "late": lambda: time.sleep(60)}
FORMS |= dict.fromkeys(REQUIRE, Form())

for name, form in FORMS.items():
    module = types.ModuleType(f"kproto.fuzz.targets.{name}", "No input is special.")
    module.check = boom if name == "booming" else check
    module.FORMS = {"": form}
    if name in REQUIRE:
        module.require = REQUIRE[name]
    sys.modules[module.__name__] = module
    targets.TABLE[name] = targets._Row(module.__name__, (), slow=True)
"""


PLANTS = ("planted", "booming", "slowly", "judgeless", "late")
OWN = """
from kproto.fuzz.mutators import FRAMES

FORMS = {{"": FRAMES}}

def check(data):
    {body}
"""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """More targets, here and in every worker: `planted` hangs, blows up, dies and raises, `booming`
    only raises; the form of `slowly` takes its time, once; the judge of `judgeless` is not there,
    that of `late` does not come."""
    folder = tmp_path / "planted"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(PLANTED)
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setattr(targets, "TABLE", dict(targets.TABLE))
    monkeypatch.setattr(targets, "NAMES", (*targets.NAMES, *PLANTS))
    monkeypatch.setattr(campaign, "TRIES", 3)
    exec(compile(PLANTED, "planted", "exec"), {})  # noqa: S102  # the text above
    yield
    for name in PLANTS:
        del sys.modules[f"kproto.fuzz.targets.{name}"]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two targets of somebody else's, in one package: `loud` raises, `quiet` never."""
    package = tmp_path / "path" / "own_targets"
    package.mkdir(parents=True)
    (package / "loud.py").write_text(OWN.format(body="raise ValueError('loud')"))
    (package / "quiet.py").write_text(OWN.format(body="return"))
    path = f"{package.parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.syspath_prepend(package.parent)


def settings(*names: str, engine: str = "atheris", **asked: float) -> CampaignSettings:
    if engine == "atheris":
        pytest.importorskip("atheris")
    return CampaignSettings(targets=names, engine=engine, **({"seed": 5} | asked))  # type: ignore[arg-type]


def ran(out: Path, asked: CampaignSettings) -> Campaign:
    made = Campaign(State.new(asked), out)
    made.run(lambda: None)
    return made


@pytest.mark.slow
@pytest.mark.usefixtures("planted")
def test_hangs_deaths_and_blow_ups_are_findings_not_ends(tmp_path: Path) -> None:
    out = tmp_path / "out"
    store = ran(out, settings("planted", runs=60, timeout=1.0)).store
    found = {one.kind: one for one in store}
    assert set(found) == {
        FindingKind.HANG,
        FindingKind.MEMORY,
        FindingKind.CRASH,
        FindingKind.ERROR,
    }
    assert State.load(out).targets["planted"].executions >= 60
    assert found[FindingKind.ERROR].minimal == b"boom"
    assert b"hang" in found[FindingKind.HANG].minimal
    assert b"die" in found[FindingKind.CRASH].minimal
    check_reports(out, list(found.values()))


def check_reports(out: Path, found: list[FuzzFinding]) -> None:
    results = json.loads((out / "findings.sarif").read_text())["runs"][0]["results"]
    assert {one["partialFingerprints"]["kproto/v1"] for one in results} == {
        one.key for one in found
    }
    suite = ET.parse(out / "junit.xml").getroot()  # noqa: S314  # our own
    assert suite.get("failures") == str(len(found))
    for one in found:
        folder = Store(out).folder(one)
        assert (folder / "input.bin").read_bytes() == one.minimal
        ast.parse((folder / "test_finding.py").read_text())
        assert one.minimal.hex() in (folder / "view.txt").read_text()
        assert "\x1b" not in (folder / "test_finding.py").read_text()


@pytest.mark.usefixtures("planted")
def test_the_ready_test_fails(tmp_path: Path) -> None:
    store = ran(tmp_path / "out", settings("booming", engine="hypothesis", runs=40)).store
    (boom,) = store
    test = store.folder(boom) / "test_finding.py"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "1 failed" in done.stdout
    with pytest.raises(AssertionError, match="boom"):
        replay("booming", boom.minimal)
    assert judge("booming", b"well") == []


@pytest.mark.usefixtures("planted")
def test_a_seed_repeats_executions_corpus_and_findings(tmp_path: Path) -> None:
    def run(name: str) -> tuple[object, ...]:
        asked = settings("decode-consumer", "booming", runs=700)
        made = ran(tmp_path / name, asked)
        kept = sorted(file.name for file in (made.corpus / "decode-consumer").iterdir())
        told = [(one.key, one.execution, one.input, one.minimal) for one in made.store]
        return kept, told, [one.executions for one in made.state.targets.values()]

    first = run("one")
    assert all(first)
    assert run("two") == first


def test_an_interrupted_campaign_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    begun = Campaign(State.new(settings("decode-consumer", "round-trip-consumer", runs=1000)), out)

    def interrupt() -> None:
        if begun.state.targets["decode-consumer"].executions > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun.run(interrupt)
    left = State.load(out)
    before = left.targets["decode-consumer"].executions
    assert before > 100
    assert not left.targets["round-trip-consumer"].done
    Campaign(left, out).run(lambda: None)
    after = State.load(out)
    assert [one.executions for one in after.targets.values()] == [1000, 1000]
    assert all(one.done for one in after.targets.values())


def test_what_a_killed_campaign_had_done_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "SAVED", 0.0)
    out = tmp_path / "out"
    begun = Campaign(State.new(settings("decode-consumer", runs=3000)), out)
    known: list[int] = []

    def look() -> None:
        known.append(State.load(out).targets["decode-consumer"].executions)

    begun.run(look)
    assert 0 < max(known) <= 3000
    assert len(set(known)) > 1


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = Campaign(State.new(settings("decode-consumer", runs=4000)), out)
    killed: list[int] = []

    def kill() -> None:
        done = made.state.targets["decode-consumer"].executions
        if done > 100 and not killed:
            killed.append(done)
            os.kill(made.running[0].pid, signal.SIGKILL)

    made.run(kill)
    assert killed
    assert made.state.targets["decode-consumer"].executions == 4000
    assert not list(made.store)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are found in /proc")
def test_workers_end_with_their_campaign(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = "from kproto.tools.main import main; main()"
    command = ["fuzz", "run", "decode-consumer", "--runs", "1000000000", "--out", str(out)]
    with subprocess.Popen([sys.executable, "-c", code, *command]) as whole:
        until(lambda: bool(_workers(out)) and _executions(out) > 0)
        whole.kill()
    until(lambda: not _workers(out))


def _workers(out: Path) -> list[Path]:
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ended just now
            words = file.read_bytes().split(b"\0")
            if b"kproto.fuzz.engines.worker" in words and bytes(out) in b" ".join(words):
                found.append(file)
    return found


def _executions(out: Path) -> int:
    return max(
        (SharedStatus(one).progress().executions for one in out.glob("run/*.status")), default=0
    )


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_target_without_its_judge_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "without"
    folder.mkdir()
    (folder / "jpype.py").write_text("raise ImportError('there is none')\n")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    pytest.importorskip("atheris")
    out = tmp_path / "out"
    command = ["fuzz", "run", "java-agreement", "--runs", "10", "--out", str(out)]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert "java-agreement left out: no Java" in shown.err
    assert "left out" in shown.out


@pytest.mark.usefixtures("planted")
def test_no_judge_here_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither for the campaign itself, which needs none, nor a finding for who asks for one."""
    out = tmp_path / "out"
    assert main(["fuzz", "run", "judgeless", "--runs", "10", "--out", str(out)]) == 0
    assert "judgeless left out: no judge on this machine\n" in capsys.readouterr().err
    data = tmp_path / "data"
    data.write_bytes(b"boom")
    for action in ("replay", "minimise"):
        assert main(["fuzz", action, str(data), "--target", "judgeless"]) == 2
        shown = capsys.readouterr()
        assert shown == ("", "kproto: judgeless: no judge on this machine\n")


@pytest.mark.usefixtures("planted")
def test_a_judge_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "START", 1.0)
    with pytest.raises(targets.Missing, match="does not begin"):
        judge("late", b"")


@pytest.mark.usefixtures("planted")
def test_what_a_form_takes_to_begin_is_no_hang(tmp_path: Path) -> None:
    made = ran(tmp_path, settings("slowly", runs=20, timeout=2.0))
    assert not list(made.store)
    (one,) = made.state.targets.values()
    assert (one.executions, one.rounds) == (20, 1)


@pytest.mark.usefixtures("own")
def test_targets_of_one_package_do_not_meet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    names = ("own_targets.loud", "own_targets.quiet")
    made = ran(out, settings(*names, engine="hypothesis", runs=20, jobs=2))
    assert [one.executions for one in made.state.targets.values()] == [20, 20]
    (loud,) = made.store
    assert loud.target == "own_targets.loud"
    for name in names:
        assert json.loads((out / "run" / f"{name}-0.json").read_bytes())["target"] == name
    folder = made.store.folder(loud)
    (test,) = [
        node
        for node in ast.parse((folder / "test_finding.py").read_text()).body
        if isinstance(node, ast.FunctionDef)
    ]
    assert test.name == f"test_own_targets_loud_{loud.key}"
    assert main(["fuzz", "minimise", str(folder), "--runs", "2", "--target", loud.target]) == 0
    assert f"{folder / folder.name}.min: " in capsys.readouterr().out


# -- the command


@pytest.mark.usefixtures("planted")
def test_the_command_runs_lists_and_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    run = ["fuzz", "run", "booming", "--runs", "40", "--seed", "5", "--engine", "hypothesis"]
    assert main([*run, "--out", str(out)]) == 1
    assert "boom" in capsys.readouterr().out
    finding = next(out.glob("findings/*/finding.json"))
    quoting = msgspec.structs.replace(load(finding), message='in {"topics": []}')
    monkeypatch.setattr("kproto.tools.fuzz.judge", lambda *_, **__: [quoting])
    assert main(["fuzz", "replay", str(finding.parent)]) == 1
    assert 'in {"topics": []}' in capsys.readouterr().out
    assert main(["fuzz", "list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in targets.NAMES)


@pytest.mark.parametrize(
    "wrong",
    [
        ["run", "no-such-target"], ["run", "--time", "soon"], ["run", "--runs", "0"],
        ["run", "--jobs", "0"], ["run", "--resume"], ["replay"], ["replay", "nothing.bin"],
        ["replay", "nothing.bin", "--target", "frames"], ["fly"],
        ["run", "os.path"], ["run", "email.mime"], ["run", "../x"], ["run", "no_package.target"],
        ["list", "frames"], ["minimise", "--corpus", "nowhere"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_use_is_one_line(
    wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fuzz", *wrong, "--out", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_module_that_is_no_target_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for name, said in {
        "os.path": "os.path is not a target: it has no check",
        "no_package.target": "there is no target no_package.target: No module named 'no_package'",
        "../x": "there is no target '../x'; there are: ",
    }.items():
        assert main(["fuzz", "run", name, "--runs", "5"]) == 2
        assert said in capsys.readouterr().err


def test_a_corpus_is_made_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "decode-consumer"
    folder.mkdir()
    empty = b"ConsumerProtocolAssignment\n" + bytes.fromhex("0000 00000000 ffffffff")
    for number, data in enumerate((empty, empty + b"\0", empty + b"\0\0", b"nothing")):
        (folder / str(number)).write_bytes(data)
    assert main(["fuzz", "minimise", "decode-consumer", "--corpus", str(tmp_path)]) == 0
    assert "inputs reach all that they reach" in capsys.readouterr().out
    assert {file.read_bytes() for file in folder.iterdir()} < {
        empty, empty + b"\0", empty + b"\0\0", b"nothing"
    }  # fmt: skip
    assert empty in {file.read_bytes() for file in folder.iterdir()}


def test_loading_a_target_is_part_of_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or twenty targets in a minute take three."""
    ended: list[float] = []
    monkeypatch.setattr(Execution, "finish", lambda _: ended.append(time.monotonic()))
    status = tmp_path / "status"
    SharedStatus(status, create=True)
    job = Job("frames", "hypothesis", 1, tmp_path, tmp_path, status, tmp_path / "f", seconds=60)
    now = time.monotonic()
    execution = Execution(targets.load("frames"), job, began=now - 60)
    execution.start()
    while not ended and time.monotonic() < now + 300:
        execution(b"")
    assert ended
    assert ended[0] >= now + 1  # something is run in any case


# -- the time that was asked for


@pytest.mark.slow
def test_the_time_asked_for_is_the_time_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However many targets there are: those that come too late are told of."""
    out = tmp_path / "out"
    names = [
        "decode-consumer",
        "frames",
        "text-forms",
        "guarantees",
        "round-trip",
        "decode-streams",
    ]
    began = time.monotonic()
    assert main(["fuzz", "run", *names, "--time", "12s", "--out", str(out)]) == 0
    taken = time.monotonic() - began
    state = State.load(out)
    assert taken < 12 + 20  # what has to end, ends; on whatever machine this is
    assert all(one.done for one in state.targets.values())
    assert 11 < state.spent < 32
    shown = capsys.readouterr()
    assert "of known inputs)" in shown.out
    assert "--time 1m is enough for all of them" in shown.err
    short = [one.target for one in state.targets.values() if one.short]
    assert short and all(name in shown.err for name in short)


@pytest.mark.slow
def test_known_inputs_come_first_and_break_within_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rack that is a byte short is accepted: by the diagnostic reader, in every worker."""
    folder = tmp_path / "planted"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SHORT_RACK)
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setenv("KPROTO_ENGINE", "python")
    out = tmp_path / "out"
    assert main(["fuzz", "run", "--time", "40s", "--out", str(out)]) == 1
    found = {one.target for one in Store(out)}
    assert found & {"decode-consumer", "decoder-agreement", "engine-agreement", "guarantees"}


SHORT_RACK = """
from kproto.codec.read import diagnostic_reader as reader

take = reader.Cursor.take

def short(self, size, *more, **others):
    left = len(self.data) - self.pos
    return take(self, min(size, left) if size - left == 1 else size, *more, **others)

reader.Cursor.take = short
"""


@pytest.mark.usefixtures("planted")
@pytest.mark.slow
def test_a_hang_that_does_not_come_again_is_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "judge", lambda *_, **__: [])
    store = ran(tmp_path / "out", settings("planted", runs=60, timeout=1.0)).store
    assert FindingKind.HANG not in {one.kind for one in store}


def test_a_target_by_its_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    run = ["fuzz", "run", "--target", "frames", "--runs", "10", "--engine", "hypothesis"]
    assert main([*run, "--out", str(out)]) == 0
    assert list(State.load(out).targets) == ["frames"]
    capsys.readouterr()
    assert main(["fuzz", "list", "--target", "frames"]) == 2
    assert "list takes no TARGET" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["fuzz", "run", "frames", "--runs", "10", "--engine", "hypothesis", "--out"]
    assert main([*command, "/proc/nowhere"]) == 2
    assert capsys.readouterr().err.startswith("kproto: /proc/nowhere")
    file = tmp_path / "file"
    file.write_bytes(b"")
    assert main([*command, str(file)]) == 2
    assert str(file) in capsys.readouterr().err.splitlines()[-1]
    full = tmp_path / "full"
    monkeypatch.setattr("os.statvfs", lambda _: SimpleNamespace(f_bavail=0))
    assert main([*command, str(full)]) == 3
    assert f"{full}: No space left on device" in capsys.readouterr().err
