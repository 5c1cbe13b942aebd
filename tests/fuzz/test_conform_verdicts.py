"""A green exit means that everything was asked and answered: adapters are slow, die once, grow,
take time with the square, or say that they have no API for most of it.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from kproto.fuzz.conformance.endurance import endurance, pairs_of
from kproto.fuzz.conformance.inputs import inputs
from kproto.fuzz.conformance.judging import conform
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote
from kproto.fuzz.conformance.results import ConformanceRun, exit_status, read_expected
from kproto.fuzz.guarantees.cases import Case, derived_cases, digest
from kproto.fuzz.guarantees.table import Scope, of_scope
from kproto.fuzz.rehearsal import absent_operations
from kproto.tools.main import main

from .test_conform_adapters import NAMES, PATIENT, all_inputs, program_of_the_page

ASKED = "    question = json.loads(line)\n"


def faulty(tmp_path: Path, lines: str, before: str = "", old: str = ASKED) -> Path:
    """The program of the page, with some lines behind each question, or in the place of others."""
    file = tmp_path / "adapter.py"
    program = program_of_the_page()
    assert old in program
    put = ASKED + lines if old == ASKED else lines
    file.write_text(f"import os, time\n{before}\n{program.replace(old, put)}")
    return file


def judged(
    file: Path, *, lasting: bool, every: int = 4, limits: ProcessLimits = PATIENT
) -> ConformanceRun:
    with closing(Remote((sys.executable, str(file)), limits)) as remote:
        cases = [case for case in all_inputs() if len(case.data) < 1000][::every]
        rows = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
        return conform(remote, cases, rows, seed=0, lasting=lasting)


def broken(run: ConformanceRun) -> dict[str, str]:
    """The required guarantees that are broken, and by what."""
    found = {}
    for guarantee, results in run.by_guarantee():
        example = run.worst(guarantee.id)
        if guarantee.scope is Scope.REQUIRED and any(each.violations for each in results):
            assert example is not None
            found[guarantee.id] = example.complaint
    return found


def command(file: Path, *options: str) -> list[str]:
    return ["conform", *options, "--", sys.executable, str(file)]


# -- green means asked


@pytest.mark.slow
def test_a_slow_adapter_is_incomplete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow = faulty(tmp_path, "    time.sleep(0.1)\n")
    junit, sarif = tmp_path / "junit.xml", tmp_path / "run.sarif"
    files = ("--junit", str(junit), "--sarif", str(sarif))
    assert main(command(slow, "--time", "8s", *files)) == 3
    lines = capsys.readouterr().out.splitlines()
    incomplete = next(line for line in lines if line.startswith("incomplete: "))
    assert re.match(r"incomplete: [\d,]+ of [\d,]+ inputs: the time was over.*--time", incomplete)
    assert "exit status 3 (with --recommended" in lines[-1]
    root = Xml.fromstring(junit.read_text())  # noqa: S314  # our own
    skipped = [each.get("message") or "" for each in root.iter("skipped")]
    assert any("inputs judged" in each and "not asked" in each for each in skipped)
    assert any("the time was over" in each for each in skipped)
    (told,) = json.loads(sarif.read_text())["runs"]
    assert {each["kind"] for each in told["results"] if each["level"] == "none"} == {"open"}
    (invocation,) = told["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "incomplete" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_an_adapter_that_has_no_api_for_most_of_it(tmp_path: Path) -> None:
    """It reads a version 0 of one topic, and says of all else that it cannot be asked."""
    deaf = (
        "    if question['op'] == 'decode' and question['hex'][:16] != '0000000000010001':\n"
        "        print(json.dumps({'id': question['id'], 'ok': False, 'unsupported': True,"
        " 'error': 'later'}), flush=True)\n"
        "        continue\n"
    )
    run = judged(faulty(tmp_path, deaf), lasting=False, every=1)
    assert broken(run) == {}
    assert exit_status(run, (), recommended=False) == 3
    assert re.search(r"G03: \d+ of \d+ inputs were answered, the others are unsupp", run.incomplete)


def test_an_operation_that_is_not_named_is_not_missed(tmp_path: Path) -> None:
    run = judged(faulty(tmp_path, ""), lasting=False)
    assert run.incomplete == "" and exit_status(run, (), recommended=False) == 0
    why = {each.guarantee.id: each.why for each in run.results if not each.checks}
    assert "hello names no encode" in why["G11"] and "records" in why["G08"]
    assert not any(why[key] for key in why if key in ("G01", "G03"))


def test_an_operation_without_any_api_is_judged_as_one_that_is_not_named(tmp_path: Path) -> None:
    """Its adapter names "encode", as those of `--init` do, and answers what does not fit itself."""
    reader = (
        "    if question['op'] == 'encode':\n"
        "        long = len(json.dumps(question['value'])) > 1000\n"
        "        print(json.dumps({'id': question['id'], 'ok': False, 'error': 'later',"
        " **({} if long else {'unsupported': True})}), flush=True)\n"
        "        continue\n"
    )
    file = faulty(tmp_path, reader)
    file.write_text(file.read_text().replace('["decode"]', '["decode", "encode"]'))
    with closing(Remote((sys.executable, str(file)), PATIENT)) as remote:
        assert remote.hello.ops == {"decode", "encode"}
        assert absent_operations(remote, remote.hello.names) == ["encode"]
        remote.leave_out(["encode"])
        cases = [case for case in all_inputs() if case.value is not None][:20]
        cases += all_inputs()[:20]
        rows = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
        run = conform(remote, cases, rows, seed=0, lasting=False)
    assert run.incomplete == "" and exit_status(run, (), recommended=False) == 0
    assert any("judged as a client without encode" in remark for remark in run.remarks)
    assert not any(
        result.checks or result.unsupported
        for result in run.results
        if result.guarantee.id in ("G11", "G12", "G13", "G29", "G30")
    )


# -- a death is a finding

ONCE = "    N = globals().get('N', 0) + 1\n    if N == 333 and not os.path.exists(FLAG):\n        "
DEATHS = {
    "crash": "open(FLAG, 'w'); os.abort()\n",
    "hang": "open(FLAG, 'w'); time.sleep(60)\n",
    "memory": "open(FLAG, 'w'); x = b'x' * (4 << 30)\n",
    "exit": "open(FLAG, 'w'); sys.exit(0)\n",
}


@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=pytest.mark.slow) if how == "hang" else how for how in DEATHS]
)
def test_one_death_is_enough(how: str, tmp_path: Path) -> None:
    """It does not recur, on whatever question, and nothing else is wrong."""
    dying = faulty(tmp_path, ONCE + DEATHS[how], f"FLAG = {str(tmp_path / 'flag')!r}")
    run = judged(dying, lasting=False, limits=PATIENT._replace(reply_seconds=3))
    assert sum(run.failures.values()) == 1
    assert set(broken(run)) == ({"G01", "G02"} if how == "memory" else {"G01"})
    assert exit_status(run, (), recommended=False) == 1


@pytest.mark.parametrize("death", ["{}[4]", "sys.exit(0)", "os.abort()"])
def test_a_reader_that_dies_of_newer_versions(death: str, tmp_path: Path) -> None:
    """It breaks what says that they are read, and is asked about all other versions."""
    front = "int(question.get('hex', '')[:4] or '0', 16)"
    dying = faulty(tmp_path, f"    if 3 < {front} < 0x8000: {death}\n")
    run = judged(dying, lasting=False, every=1)
    complaints = broken(run)
    assert complaints.keys() == {"G01", "G04"}
    assert complaints["G04"] == f"not read: {complaints['G01']}"
    assert death != "{}[4]" or re.search(r"KeyError: 4, at adapter.py:\d+$", complaints["G01"])
    asked = {one.guarantee.id for one in run.results if one.checks and not one.omissions}
    assert {"G03", "G06", "G07"} <= asked


def test_each_way_to_die_is_shown(tmp_path: Path) -> None:
    dying = (
        "    if question.get('hex', '').startswith('ffff'): sys.exit('no such version')\n"
        "    if question.get('hex', '').startswith('0064'): raise OverflowError('a hundred')\n"
    )
    run = judged(faulty(tmp_path, dying), lasting=False, every=1)
    complaints = [*broken(run).values(), *run.remarks]
    assert any("no such version" in complaint for complaint in complaints)
    assert any("OverflowError: a hundred" in complaint for complaint in complaints)


WRITES = '"ops": ["decode"]}'


@pytest.mark.parametrize("op", ["encode", "rewrite"])
def test_a_death_while_it_writes(op: str, tmp_path: Path) -> None:
    file = faulty(tmp_path, "    if question['op'] not in ('hello', 'decode'): os.abort()\n")
    file.write_text(file.read_text().replace(WRITES, f'"ops": ["decode", "{op}"]}}'))
    assert "G01" in broken(judged(file, lasting=False, every=16))


def test_a_peak_of_memory_is_told_without_a_second(tmp_path: Path) -> None:
    peak = "open(FLAG, 'w'); x = b'x' * (700 << 20); del x\n"
    file = faulty(tmp_path, ONCE + peak, f"FLAG = {str(tmp_path / 'flag')!r}")
    run = judged(file, lasting=False)
    assert re.match(r"took [67]\d\d MiB for \d+ bytes", broken(run)["G02"])


# -- growth


def incidents(file: Path, tmp_path: Path, limits: ProcessLimits = PATIENT) -> list[str]:
    with closing(Remote((sys.executable, str(file)), limits)) as remote:
        cases = [case for case in all_inputs() if len(case.data) < 300]
        assert endurance(remote, cases, pairs_of(NAMES)) == []
        return [each.complaint for each in remote.incidents if each.guarantee == "G02"]


@pytest.mark.slow
def test_nothing_is_said_of_an_adapter_that_keeps_nothing(tmp_path: Path) -> None:
    assert incidents(faulty(tmp_path, ""), tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("kib", [4096, 128])
def test_a_leak(kib: int, tmp_path: Path) -> None:
    leaking = faulty(tmp_path, f"    KEPT.append(b'x' * ({kib} << 10))\n", "KEPT = []")
    said = incidents(leaking, tmp_path, PATIENT._replace(memory=8 << 30))
    assert re.match(rf"grew by \d+ MiB over \d+ questions, {kib / 1024:.1f}", said[0])


LIST = "        return [one() for _ in range(self.int(4))]\n"
SQUARE = (
    "        found = []\n"
    "        for _ in range(self.int(4)): found = [*found, one()]\n"
    "        return found\n"
)


@pytest.mark.slow
def test_time_with_the_square_of_an_array(tmp_path: Path) -> None:
    said = incidents(faulty(tmp_path, SQUARE, old=LIST), tmp_path)
    assert any(
        re.search(r"s for 40,000 (topics|partitions).*times the (processor )?time for 4", e)
        for e in said
    )


# -- inputs


@pytest.mark.slow
def test_the_inputs_of_a_seed_are_the_same_whatever_was_imported() -> None:
    """Hypothesis draws constants out of the modules that it finds: of a process of its own, too."""
    program = (
        "import sys, json\n"
        "sys.path.insert(0, '.')\n"
        "import tests.fuzz.mutants.faults, kproto.rebalance.simulation\n"
        "from kproto.fuzz.conformance.inputs import inputs\n"
        "from kproto.fuzz.guarantees.cases import digest\n"
        f"print(digest(inputs({NAMES!r}, seed=7)))"
    )
    import subprocess

    root = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == [digest(inputs(NAMES, seed=7))]


def test_another_set_has_another_digest() -> None:
    some = all_inputs()
    assert digest(some) != digest(some[:-1]) != digest(inputs(NAMES, seed=1))


def test_every_id_is_that_of_one_input() -> None:
    assert len({case.id for case in all_inputs()}) == len(all_inputs())


def test_every_input_that_a_finding_shows_is_asked() -> None:
    drawn = {case.data for case in all_inputs()}
    fixed = drawn & {case.data for case in inputs(NAMES, seed=1)}
    pages = (Path(__file__).parents[2] / "docs" / "findings").glob("*.md")
    shown = {
        (page.name, data)
        for page in pages
        for line in page.read_text("utf-8").splitlines()
        if "--as Sticky" not in line
        for data in re.findall(r"--ask ([0-9a-f]{4,}) *$", line)
    }
    assert len(shown) > 20
    assert {(page, data) for page, data in shown if bytes.fromhex(data) not in fixed} == set()


# -- choosing


def test_one_guarantee_and_one_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = faulty(tmp_path, "")
    assert main(command(file, "--guarantee", "G07", "--json")) == 0
    run = json.loads(capsys.readouterr().out)
    assert {each["guarantee"] for each in run["results"]} == {"G07"}
    assert main(command(file, "--guarantee", "g25-utf-8", "--recommended", "--json")) == 1
    run = json.loads(capsys.readouterr().out)
    example = run["results"][0]["examples"][0]
    assert main(command(file, "--input", example["input"], "--recommended", "--json")) == 1
    again = json.loads(capsys.readouterr().out)
    assert again["inputs"] == 1
    broken = {each["guarantee"] for each in again["results"] if each["violations"]}
    assert broken == {"G25", "G28"}
    known = tmp_path / "known.txt"
    chosen = ("--input", example["input"], "--recommended", "--json")
    assert main(command(file, *chosen, "--write-baseline", str(known))) == 1
    assert {line.guarantee for line in read_expected(known.read_text())} == broken
    assert main(command(file, *chosen, "--baseline", str(known))) == 0
    capsys.readouterr()


def test_each_input_that_a_report_names_can_be_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A message of a size, which the measurement of growth asks, and a value to write."""
    dying = "    if question['op'] == 'encode': sys.exit('cannot write')\n"
    file = faulty(tmp_path, dying)
    file.write_text(file.read_text().replace(WRITES, '"ops": ["decode", "encode"]}'))
    value = next(derived_cases(inputs(NAMES, seed=0)))
    assert value.value is not None
    with closing(Remote((sys.executable, str(file)), PATIENT)) as remote:
        run = conform(remote, [value], of_scope(Scope.REQUIRED)[:1], seed=0, lasting=False)
    assert "cannot write" in broken(run)["G01"]
    for case in (pairs_of(NAMES)[-1].large, value):
        file = faulty(tmp_path, "")
        chosen = ("--guarantee", "G02", "--input", case.id, "--json")
        assert main(command(file, *chosen)) in (0, 1)
        assert json.loads(capsys.readouterr().out)["inputs"] == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--guarantee", "G99"], "there is no guarantee G99"),
        (["--guarantee", "G40"], "one of kproto itself"),
        (["--input", "nothing"], "there is no input nothing under --seed 0"),
        (["--give-up", "-1"], "--give-up is 0 or more"),
    ],
)
def test_what_there_is_not(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(faulty(tmp_path, ""), *options)) == 2
    assert words in capsys.readouterr().err


def test_ask_of_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = faulty(tmp_path, "")
    assert main(command(file, "--ask", "000000000001000161ffffffff")) == 0
    assert 'mine 1 reads version 0 {"topics": ["a"]' in capsys.readouterr().out


def test_the_same_input_of_another_kind_has_the_same_id() -> None:
    one = Case(NAMES[0], b"\0\0", None, "cut")
    assert one.id == Case(NAMES[0], b"\0\0", None, "random").id != Case(NAMES[1], b"\0\0").id
