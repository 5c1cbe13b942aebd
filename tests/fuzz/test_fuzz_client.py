"""`kproto fuzz client`: a search led by the branches of somebody's decoder."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from kproto.fuzz.adapter import read_adapter
from kproto.fuzz.campaign import CampaignSettings, State
from kproto.fuzz.findings import FindingKind, FuzzFinding
from kproto.fuzz.targets import client_target, covered
from kproto.tools.main import main

from .planted import decoders
from .planted.decoders import STYLES, source

CLIENT = """
import struct

class DecodeError(Exception):
    pass

def decode(data):
    try:
        version, count = struct.unpack_from(">hi", data)
        if version < 0 or not 0 <= count <= len(data):
            raise DecodeError(version, count)
        at, topics = 6, []
        for _ in range(count):
            (size,) = struct.unpack_from(">h", data, at)
            if not 0 <= size <= len(data) - at - 2:
                raise DecodeError(size)
            topics.append(data[at + 2 : at + 2 + size].decode(errors="replace"))
            at += 2 + size
        (size,) = struct.unpack_from(">i", data, at)
        user_data = None if size < 0 else data[at + 4 : at + 4 + size]
        if user_data is not None and len(user_data) < size:
            raise DecodeError(size)
    except struct.error as error:
        raise DecodeError(str(error)) from None
    FAULT
    return {"topics": topics, "userData": user_data}
"""

ADAPTER = '''
"""The adapter of a client."""
import json
import my_client

ERRORS = my_client.DecodeError
NAMES = ["ConsumerProtocolSubscription"]

def decode(name, data):
    return my_client.decode(data)
'''

# Each step is a branch that an input of the corpus gets nearer to; no seed takes them all.
STEPS = """
    if len(topics) == 3:
        if user_data:
            if len(user_data) > 4:
                if topics[1] == topics[2]:
                    raise KeyError("deep")
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(here: Path, fault: str = "", adapter: str = ADAPTER) -> None:
    (here / "my_client.py").write_text(CLIENT.replace("    FAULT", fault))
    (here / "my_adapter.py").write_text(adapter)


def run(*words: str) -> int:
    return main(["fuzz", *words])


def test_a_client_without_a_fault(here: Path) -> None:
    write(here)
    assert run("client", "my_adapter", "--runs", "300", "--seed", "1", "--out", "out") == 0


@pytest.mark.parametrize(
    ("fault", "words", "runs"),
    [
        pytest.param(
            "    import os; user_data and os.abort()",
            "ended with status -6",
            300,
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "    import time; user_data and time.sleep(60)",
            "no end within 2 seconds",
            60,
            marks=pytest.mark.slow,  # each of its hangs is waited for
        ),
        pytest.param(
            "    import os; user_data and [os.write(2, bytes(1 << 16)) for _ in iter(int, 1)]",
            "wrote 64 MiB of output",
            300,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_ends_the_process_is_a_finding(here: Path, fault: str, words: str, runs: int) -> None:
    write(here, fault)
    asked = ("--runs", str(runs), "--seed", "1", "--timeout", "2s", "--out", "out")
    assert run("client", "my_adapter", *asked) == 1
    found = [file.read_text() for file in here.glob("out/findings/*/view.txt")]
    assert any(words in text for text in found), found
    assert replayed(here) == 1


def replayed(here: Path) -> int:
    """Run the inputs of all findings again."""
    found = map(str, here.glob("out/findings/*"))
    return run("replay", *found, "--target", "client-my_adapter")


@pytest.mark.parametrize("target", ["client-planted_code", "planted_code.inner"])
@pytest.mark.parametrize("action", [["replay"], ["minimise"], ["run", "--resume"]], ids=" ".join)
def test_a_file_does_not_name_the_code_that_is_run(
    action: list[str], target: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "planted_code.py").write_text("open('it-ran', 'w').close()")
    (here / "planted_code").mkdir()
    (here / "planted_code" / "inner.py").write_text("open('it-ran', 'w').close()")
    finding = FuzzFinding(target, FindingKind.ERROR, "KeyError", "", "", b"a", b"a")
    (here / "finding.json").write_bytes(msgspec.json.encode(finding))
    state = State.new(CampaignSettings((target,), "hypothesis", 1, 1.0))
    state.save(here)
    words = ["--out", "."] if action[0] == "run" else ["finding.json"]
    assert run(*action, *words) == 2
    assert "it is run where --target names it" in capsys.readouterr().err
    assert not (here / "it-ran").exists()


BYTES_BEHIND = """
    if version == 0 and len(data) > at + 4 + max(size, 0):
        user_data = data[-1:]
"""


def test_a_breach_is_told_under_the_guarantee_from_which_it_follows(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is in the user data, the bytes behind the message take its place."""
    write(here, BYTES_BEHIND)
    assert run("client", "my_adapter", "--runs", "1500", "--seed", "1", "--out", "out") == 1
    said = capsys.readouterr().out
    assert ": G06-trailing-bytes: userData is " in said
    assert ": G14-" not in said and ": G24-" not in said and ": G25-" not in said


def test_a_known_finding_has_a_mark_of_its_own(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The marks are those of `conform`: one for what is new, another for what a baseline has."""
    faults = "    if topics and not topics[0]: raise KeyError('old')\n"
    write(here, f"{faults}    if user_data: raise IndexError('new')")
    asked = ("client", "my_adapter", "--runs", "600", "--seed", "1")
    assert run(*asked, "--out", "old", "--write-baseline", "known.json") == 0
    known = json.loads((here / "known.json").read_text())
    known["findings"] = [row for row in known["findings"] if "KeyError" in row["title"]]
    (here / "known.json").write_text(json.dumps(known))
    capsys.readouterr()
    assert run(*asked, "--out", "new", "--baseline", "known.json") == 1
    lines = capsys.readouterr().out.splitlines()
    marked = [line for line in lines if line.startswith(("~ ", "✗ "))]
    assert {line[0] for line in marked if "KeyError" in line} == {"~"}
    assert {line[0] for line in marked if "IndexError" in line} == {"✗"}
    assert all(line.endswith(" (in the baseline)") == (line[0] == "~") for line in marked)


def test_an_input_that_is_minimal_already_is_said_to_be(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, "    if topics: raise KeyError('topics')")
    assert run("client", "my_adapter", "--runs", "300", "--seed", "1", "--out", "out") == 1
    (finding,) = here.glob("out/findings/*")
    assert run("minimise", str(finding), "--target", "client-my_adapter") == 0
    (smallest,) = finding.glob("*.min")
    asked = ("minimise", str(smallest), "--target", "client-my_adapter")
    capsys.readouterr()
    assert run(*asked) == 0
    assert "already minimal: none smaller shows the finding" in capsys.readouterr().out


SEVERAL = """
    topics = topics[:2]
    if user_data == b"zq":
        {}["first"]
    if user_data == b"zk":
        {}["second"]
    if len(topics) == 2 and topics[0] == topics[1]:
        topics[7]
    if user_data == b"":
        print("x" * 2_000_000)
    if version == 77:
        while version:
            size = len(topics)
"""


@pytest.mark.slow
def test_all_faults_of_a_decoder_are_findings(here: Path) -> None:
    """A finding is told by guarantee, exception and place; hangs and floods of Python code do not
    end the process."""
    pytest.importorskip("atheris")
    write(here, SEVERAL)
    assert run("client", "my_adapter", "--runs", "20000", "--seed", "1", "--out", "out") == 1
    found = [json.loads(file.read_text()) for file in here.glob("out/findings/*/finding.json")]
    told = {(finding["guarantee"], finding["error"], finding["where"]) for finding in found}
    client = (here / "my_client.py").read_text().splitlines()

    def place(text: str) -> str:
        return f"my_client.py:{1 + client.index(text)} decode"

    assert told >= {
        ("G03", "Broken", "topics"),
        ("G01", "KeyError", place('        {}["first"]')),
        ("G01", "KeyError", place('        {}["second"]')),
        ("G01", "IndexError", place("        topics[7]")),
        ("G01", "Flood", place('        print("x" * 2_000_000)')),
        ("G01", "Hang", "my_client.py decode"),
    }
    assert replayed(here) == 1


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_a_decoder_without_a_fault_has_no_finding(here: Path, style: str) -> None:
    (here / "clean.py").write_text(source(style, {}))
    (here / "my_adapter.py").write_text(decoders.ADAPTER.format(client="clean"))
    assert run("client", "my_adapter", "--runs", "5000", "--seed", "1", "--out", "out") == 0


FLAT = """
def decode(name, data):
    return {"version": 0, **my_client.decode(data)}
"""
FEW = """
def decode(name, data):
    return {}[name] if len(data) < 6 else my_client.decode(data)
"""
ARGUMENTS = """
decode = lambda name, data: my_client.decode(name, data)
"""
TEXT = """
encode = lambda name, version, value: "0000"
"""


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (FLAT, "'version' is no field"),
        (ARGUMENTS, "takes 1 positional argument but 2 were given, my_adapter.py line 12"),
        (TEXT, "encode returned '0000'"),
    ],
)
def test_a_mistake_of_the_adapter_ends_it_at_once(
    here: Path, more: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, adapter=ADAPTER + more)
    assert run("client", "my_adapter", "--time", "10m", "--out", "out") == 3
    said = capsys.readouterr().err
    assert "adapter error, nothing was fuzzed: my_adapter: " in said
    assert words in said
    assert not (here / "out").exists()


def test_a_mistake_that_few_inputs_show_is_a_finding(here: Path) -> None:
    write(here, adapter=ADAPTER + FEW)
    assert run("client", "my_adapter", "--runs", "20", "--seed", "1", "--out", "out") == 1
    (found,) = (file.read_text() for file in here.glob("out/findings/*/view.txt"))
    assert "adapter: KeyError: " in found


@pytest.mark.slow
def test_the_clients_branches_lead_to_a_deep_fault(here: Path) -> None:
    pytest.importorskip("atheris")
    write(here, STEPS)
    asked = ("--runs", "30000", "--seed", "1", "--out", "led")
    assert run("client", "my_adapter", *asked) == 1
    assert "KeyError: 'deep'" in next(here.glob("led/findings/*/view.txt")).read_text()


WRONG = {
    "no module": (("client", "nowhere"), "there is no module nowhere"),
    "no name of one": (("client", "my_adapter:decode"), "is not the name of a module"),
    "no file": (("client", "my_adaptor.py"), "there is no file my_adaptor.py"),
    "a file elsewhere": (("client", "sub/own.py"), "cd sub, then kproto fuzz client own"),
    "a program": (("client", "./adapter"), "kproto conform -- ./adapter"),
    "a program by its name": (("client", "adapter"), "kproto conform -- adapter"),
    "nothing": (("client",), "needs the MODULE of an adapter"),
    "no function": (("client", "empty"), "has neither decode(name, data) nor encode"),
    "no import": (("client", "broken"), "No module named 'nowhere'"),
    "dies": (("client", "dying"), "it does not begin: ended with status 3"),
    "no such message": (("client", "unknown"), "there is no message 'Subscription'"),
    "no list": (("client", "textual"), "NAMES is not a list of texts"),
    "export of nothing": (("export", "Subscription"), "there is no message 'Subscription'"),
    "export of a body": (("export", "JoinGroupRequest"), "has no version in front"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_use_is_one_line(what: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here)
    (here / "empty.py").write_text("")
    (here / "broken.py").write_text("import nowhere\n")
    (here / "dying.py").write_text("import os\nos._exit(3)\n")
    (here / "unknown.py").write_text("NAMES = ['Subscription']\ndecode = lambda name, data: {}\n")
    (here / "textual.py").write_text("NAMES = 'ConsumerProtocolSubscription'\n")
    (here / "adapter").write_text("#!/bin/sh\n")
    (here / "sub").mkdir()
    (here / "sub" / "own.py").write_text("")
    words, said = WRONG[what]
    assert run(*words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_the_file_of_an_adapter_names_its_module(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here)
    assert run("client", "my_adapter.py", "--runs", "20", "--seed", "1", "--out", "out") == 0
    assert "1 target under" in capsys.readouterr().err


def test_what_an_adapter_imports_leads(here: Path) -> None:
    write(here)
    assert covered(client_target("my_adapter")) == ("my_adapter", "my_client")
    (here / "own.py").write_text("COVERED = ['my_client']\nRECOMMENDED = True\n")
    assert read_adapter("own").covered == ("my_client",)
    assert read_adapter("own").recommended
