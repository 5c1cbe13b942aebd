"""What `kproto conform` prints and writes, and how it ends."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as Xml

import pytest
from rich.console import Console

from kproto.fuzz.conformance.judging import judge
from kproto.fuzz.conformance.matrix.matrix_page import page
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import NoAdapter, Remote
from kproto.fuzz.conformance.report import (
    Report,
    run_from_json,
    run_shape,
    to_junit,
    to_vectors,
)
from kproto.fuzz.conformance.results import ConformanceRun, Example, Result, read_expected
from kproto.fuzz.guarantees.cases import Case, recorded_cases
from kproto.fuzz.guarantees.table import BY_ID, Scope, of_scope
from kproto.inspector.shapes.shape import json_line
from kproto.tools.main import main

from .mutants.codec import SUBSCRIPTION, Codec
from .mutants.faults import AcceptsNegativeVersions, RefusesInvalidUtf8

DOCS = Path(__file__).parents[2] / "docs"
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


def run_of(codec: Codec, client: str = "mine") -> ConformanceRun:
    cases = [case for case in recorded_cases() if case.name == SUBSCRIPTION]
    rows = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
    results, _ = judge(codec, cases, rows)
    return ConformanceRun(client, "1", ("x",), 0, (SUBSCRIPTION,), results, len(cases), 0.5)


class Both(AcceptsNegativeVersions, RefusesInvalidUtf8):
    """Breaks one that is required and one that is recommended."""


@pytest.fixture(scope="module")
def broken() -> ConformanceRun:
    return run_of(Both(), HOSTILE)


@pytest.fixture(scope="module")
def sound() -> ConformanceRun:
    return run_of(Codec())


def text(run: ConformanceRun, *expected: str) -> str:
    screen = Console(file=io.StringIO(), width=100, markup=False, highlight=False)
    screen.print(Report(run, read_expected("\n".join(expected))))
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_required_and_recommended_stand_apart(broken: ConformanceRun) -> None:
    said = text(broken)
    assert "required: 1 of" in said and "recommended: 1 of" in said
    assert re.search(r"✗ G07-negative-version +\d+ of \d+", said)
    assert "✗ G25-utf-8" in said and "✓ G03-reads-valid" in said and "· G31" not in said
    assert "ffff" in said and "version" in said
    assert "\x1b" not in said and "\u202e" not in said


def test_nothing_broken(sound: ConformanceRun) -> None:
    said = text(sound)
    assert said.count("nothing broken") == 2
    assert "✗" not in said


def test_expected_and_unexpected(broken: ConformanceRun) -> None:
    said = text(broken, "G07 # known", "G03 # not so")
    assert "~ G07" in said and "! G03" in said and "and holds" in said
    assert "required: nothing new is broken, 1 known" in said and "nothing broken" not in said
    ends = said.rstrip().splitlines()[-5:]
    assert ends == [
        (
            "marks: ✓ kept, ✗ broken, ~ broken and in the baseline, ! kept and in the baseline, "
            "· not judged"
        ),
        "kept now, so remove it from the baseline: G03",
        "required and broken: nothing new; in the baseline: G07",
        "recommended and broken: G25",
        "exit status 1 (with --recommended, too)",
    ]


def test_lines_fit_a_narrow_screen_and_end_without_blanks(broken: ConformanceRun) -> None:
    for width in (40, 80):
        screen = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
        screen.print(Report(broken, read_expected("G07 # known")))
        assert isinstance(screen.file, io.StringIO)
        lines = screen.file.getvalue().splitlines()
        assert [line for line in lines if line.endswith(" ")] == []
        assert max(map(len, lines[-4:])) <= 80


def test_json_there_and_back(broken: ConformanceRun) -> None:
    kept = json.loads(json_line(run_shape(broken)))
    again = run_from_json(kept)
    assert json.loads(json_line(run_shape(again))) == kept
    older = {"client" if key == "library" else key: value for key, value in kept.items()}
    assert json.loads(json_line(run_shape(run_from_json(older)))) == kept
    assert text(again) == text(broken)
    statuses = {(one["guarantee"], one["status"]) for one in kept["results"]}
    assert {("G07", "broken"), ("G03", "held"), ("G08", "not judged")} <= statuses
    with pytest.raises(ValueError, match="not a run"):
        run_from_json({"client": "x"})


def test_failures_as_vectors(broken: ConformanceRun) -> None:
    """A test in another language needs no kproto: the input, and what is right."""
    vectors = [json.loads(line) for line in to_vectors(broken).splitlines()]
    by_guarantee = {vector["guarantee"]: vector for vector in vectors}
    negative = by_guarantee["G07-negative-version"]
    assert negative["op"] == "decode" and negative["hex"][0] in "89abcdef"
    assert negative["accept"] is False and "json" not in negative and negative["complaint"]
    text_of = by_guarantee["G25-utf-8"]
    assert text_of["accept"] is True and text_of["json"]["topics"] is not None
    case = Case(SUBSCRIPTION, b"", 0, value={"topics": ["a" * 40_000], "userData": None})
    result = Result(BY_ID["G13"], SUBSCRIPTION)
    result.note(Example(case, "written"))
    run = run_from_json(json.loads(json_line(run_shape(broken))))
    run.results[:] = [result]
    (vector,) = map(json.loads, to_vectors(run).splitlines())
    assert (vector["op"], vector["accept"], vector["hex"]) == ("encode", False, None)


def test_junit(broken: ConformanceRun) -> None:
    root = Xml.fromstring(to_junit(broken, read_expected("G03\n")))  # noqa: S314  # our own
    suites = {suite.get("name"): suite for suite in root}
    assert suites["required"].get("failures") == "1"
    assert suites["recommended"].get("failures") == "0"
    assert suites["recommended"].get("skipped") == "1"
    assert suites["expected failures"].get("failures") == "1"
    (failure,) = suites["required"].iter("failure")
    assert "accepted" in (failure.get("message") or "")
    assert SUBSCRIPTION in (failure.text or "")


def test_the_page(broken: ConformanceRun, sound: ConformanceRun) -> None:
    html = page([broken, sound])
    assert html.count('<th class="') == 2
    assert "<script" not in html and "&lt;script&gt;" in html
    assert "http" not in html.replace("http-equiv", "") and "src=" not in html
    assert "\x1b" not in html and "\u202e" not in html
    for link in re.findall(r'href="#([^"]+)"', html):
        assert f'id="{link}"' in html
    shown = re.sub(r"<[^>]+>", "", html)
    assert "unsupported-version" in shown  # the inspector's picture of the offending bytes


ADAPTER = """
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    hello = {"ok": True, "protocol": 1, "client": "all-refusing", "release": "0",
             "names": ["ConsumerProtocolAssignment", "NoSuchMessage"], "ops": ["decode"]}
    said = hello if q["op"] == "hello" else {"ok": False, "error": "Error: no"}
    print(json.dumps({"id": q["id"], **said}), flush=True)
"""


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(ADAPTER)
    files = [tmp_path / name for name in ("junit.xml", "page.html", "kept.json", "expected")]
    junit, html, kept, expected = files
    command = ["--time", "30m", "--", sys.executable, "-u", str(adapter)]
    status = main(["conform", "--json", "--junit", str(junit), "--html", str(html), *command])
    said = capsys.readouterr()
    assert status == 1
    run = json.loads(said.out)
    assert run["library"] == "all-refusing" and "NoSuchMessage" in run["remarks"][0]
    assert junit.read_text().startswith("<?xml") and "all-refusing" in html.read_text()
    kept.write_text(said.out)
    broken = sorted({one["guarantee"] for one in run["results"] if one["status"] == "broken"})
    expected.write_text("".join(f"{one}  # it refuses everything\n" for one in broken))
    status = main(["conform", "--from", str(kept), "--baseline", str(expected), "--recommended"])
    assert status == 0
    assert "all-refusing" in capsys.readouterr().out


DEAF = """
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    hello = {"ok": True, "protocol": 1, "client": "deaf", "release": "0",
             "names": ["ConsumerProtocolAssignment"], "ops": ["decode", "encode"]}
    said = hello if q["op"] == "hello" else {"ok": False, "unsupported": True, "error": "later"}
    print(json.dumps({"id": q["id"], **said}), flush=True)
"""


def test_an_adapter_of_which_nothing_can_be_judged_is_a_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["conform", "--time", "30m", "--", sys.executable, "-c", DEAF]) == 1
    said = capsys.readouterr().out
    assert "required: nothing judged" in said and "nothing broken" not in said
    assert "nothing required was judged" in said


def test_what_takes_long_to_begin_is_part_of_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ends(command: tuple[str, ...], limits: ProcessLimits, *, began: float) -> Remote:
        with closing(Remote(command, limits, began=began)) as remote:
            raise NoAdapter(f"{remote.seconds:.0f} s, out of time: {remote.out_of_time}")

    start = time.monotonic() - 1000
    monkeypatch.setattr("kproto.tools.conform.time", SimpleNamespace(monotonic=lambda: start))
    monkeypatch.setattr("kproto.tools.conform.Remote", ends)
    assert main(["conform", "--time", "10m", "--", sys.executable, "-c", DEAF]) == 3
    assert re.search("judged: 10[0-9][0-9] s, out of time: True", capsys.readouterr().err)


def test_the_workflow_writes_what_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = (DOCS / "ci" / "kproto-client.yml").read_text("utf-8")
    found = re.search(r"^ +kproto conform (.*?) -- bash -c", workflow, re.MULTILINE)
    assert found is not None
    monkeypatch.chdir(tmp_path)
    options = found[1].removeprefix('"${options[@]}" ').split()
    main(["conform", *options, "--", sys.executable, "-c", DEAF])
    written = {file.suffix for file in tmp_path.glob("kproto-*")}  # these are uploaded
    assert written == {".xml", ".html"}
    said = (DOCS / "reference" / "fuzzing.md").read_text("utf-8")
    assert "JUnit\nreport" in said and "the page of its run" in said
    assert "!cancelled() && inputs.adapter" in workflow  # what the tests found is no reason to stop


KNOWS_NOTHING = """
input()
print('{"id": 1, "ok": true, "protocol": 1, "client": "c", "release": "1",'
      ' "names": ["Elsewhere"], "ops": ["decode"]}', flush=True)
input()
"""


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "nothing to judge"),
        (["--", sys.executable, "-c", KNOWS_NOTHING], 3, "'Elsewhere' is no message that"),
        (["--adapter", "nobody"], 2, "there are: aiokafka"),
        (["--", "/no/such/program"], 2, "No such file"),
        (["--from", "/no/such/file"], 2, "No such file"),
        (["--baseline", "/no/such/file", "--", "x"], 2, "No such file"),
        (["--timeout", "0", "--", "x"], 2, "--timeout"),
        (["--junit", "x", "--adapter", "kio", "--adapter", "kio"], 2, "one run"),
    ],
)
def test_wrong_use(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", *arguments]) == status
    assert words in capsys.readouterr().err


def test_what_a_case_says_of_itself() -> None:
    long = Case(SUBSCRIPTION, bytes(500))
    assert len(str(long)) < 240 and str(long).startswith(SUBSCRIPTION)
