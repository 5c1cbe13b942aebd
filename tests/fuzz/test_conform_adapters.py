"""Adapters that behave as adapters do: correct, dying, hanging, flooding, lying, deaf."""

from __future__ import annotations

import re
import sys
import time
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from kproto.fuzz.conformance.inputs import draw_examples, inputs
from kproto.fuzz.conformance.judging import conform
from kproto.fuzz.conformance.process import ProcessLimits, _telling, reserves_more
from kproto.fuzz.conformance.remote import NoAdapter, Remote
from kproto.fuzz.conformance.results import (
    INCOMPLETE,
    ConformanceRun,
    Status,
    exit_status,
    is_failure,
    read_expected,
    status_of_all,
)
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.table import Scope, of_scope
from kproto.fuzz.strategies import valid_bytes

ROOT = Path(__file__).parents[2]
NAMES = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
PATIENT = ProcessLimits(reply_seconds=60, start_seconds=300, run_seconds=1800)
IMPATIENT = PATIENT._replace(reply_seconds=0.3)
"""For those that never answer: whoever does may take its time on a busy machine."""

HELLO = """
import json, sys, os, time
HELLO = {"ok": True, "protocol": 1, "client": "bad", "release": "0", "ops": ["decode"],
         "names": ["ConsumerProtocolSubscription"]}
def say(question, **said):
    print(json.dumps({"id": question["id"], **said}), flush=True)
for line in sys.stdin:
    q = json.loads(line)
    if q["op"] == "hello":
        say(q, **HELLO)
        continue
"""
REFUSE = '    say(q, ok=False, error="Error: no")\n'


LAST_WORDS = {
    'Traceback (most recent call last):\n  File "/a/adapter.py", line 62, in <module>\n    f()\n'
    '  File "/a/client.py", line 41, in f\n    {}[4]\nKeyError: 4': "KeyError: 4, at client.py:41",
    "panic: odd\n\ngoroutine 1 [running]:\nmain.decode({0xc, 0x2})\n\t/a/calls.go:56 +0x2e5\n"
    "main.main()\n\t/a/main.go:64 +0x24f": "panic: odd, at calls.go:56",
    "fatal error: odd\n\nruntime stack:\nthrow()\n\t/go/src/runtime/a.go:9": "fatal error: odd",
    "thread 'main' (7) panicked at src/calls.rs:53:22:\nodd\nnote: run with": "odd, at calls.rs:53",
    "OddException: 4\n\tat a.Calls.decode(Calls.java:31)": "OddException: 4, at Calls.java:31",
    "file:///a/calls.mjs:33\n  odd()\n  ^\n\nTypeError: odd\n    at node:internal/x:1:2\n"
    "    at decode (file:///a/calls.mjs:33:9)\n": "TypeError: odd, at calls.mjs:33",
    "first\nlast": "last",
    "": "",
}


@pytest.mark.parametrize("words", LAST_WORDS)
def test_the_last_words_of_a_process_name_the_error_and_its_place(words: str) -> None:
    assert _telling(words.splitlines()) == LAST_WORDS[words]


def program_of_the_page() -> str:
    """The program of docs/reference/conform.md."""
    page = (ROOT / "docs" / "reference" / "conform.md").read_text("utf-8")
    program = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert program is not None
    return program[1]


def judged(
    tmp_path: Path, program: str, limits: ProcessLimits = PATIENT, few: int = 600
) -> ConformanceRun:
    """A run over some of the inputs."""
    file = tmp_path / "adapter.py"
    file.write_text(program)
    with closing(Remote((sys.executable, str(file)), limits)) as remote:
        cases = [case for case in all_inputs() if case.name in remote.hello.names]
        cases = cases[:few] if few > FEW else [c for c in cases if c.kind == "valid"][:few]
        guarantees = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
        return conform(remote, cases, guarantees, seed=0)


@cache
def all_inputs() -> list[Case]:
    return inputs(NAMES, seed=0)


def statuses(run: ConformanceRun) -> dict[str, Status]:
    return {guarantee.id: status_of_all(results, ()) for guarantee, results in run.by_guarantee()}


@pytest.mark.slow
def test_the_program_of_the_page_passes_everything_required(tmp_path: Path) -> None:
    program = program_of_the_page()
    assert sum(bool(line.strip()) for line in program.splitlines()) <= 51
    run = judged(tmp_path, program)
    assert not is_failure(run, ())
    assert run.failures == run.skipped == {}
    found = statuses(run)
    assert found["G03"] is found["G04"] is found["G10"] is Status.HELD
    assert found["G25"] is Status.BROKEN  # it refuses invalid UTF-8, which is recommended only
    assert is_failure(run, (), recommended=True)


FEW = 8

MISBEHAVIOUR = {
    "exits": ("    sys.exit(3)\n", "crash", "exit status 3"),
    "kills itself": ("    os.kill(os.getpid(), 11)\n", "crash", "SIGSEGV"),
    "raises": ("    1 / 0\n", "crash", "ZeroDivisionError"),
    "hangs": ("    time.sleep(60)\n", "hang", "no reply"),
    "answers in halves": ("    sys.stdout.write('{'); sys.stdout.flush(); time.sleep(60)\n",
                          "hang", "no reply"),
    "floods": ("    while True: sys.stdout.write('x' * 65536)\n", "flood", "without a reply"),
    "floods its standard error": ("    while True: sys.stderr.write('x' * 65536)\n",
                                  "flood", "standard error"),
    "closes its input": ("    os.close(0); time.sleep(60)\n", "hang", "no reply"),
    "closes its output": ("    os.close(1); time.sleep(60)\n", "crash", "closed its output"),
    "prints garbage": ("    print('\\x1b[31mgarbage', flush=True)\n", "lie", "no JSON"),
    "prints no object": ("    print('[]', flush=True)\n", "lie", "no JSON object"),
    "answers another question": ("    q['id'] += 1\n" + REFUSE, "lie", "the reply's id"),
    "says neither yes nor no": ("    say(q)\n", "lie", '"ok"'),
    "gives no value": ("    say(q, ok=True)\n", None, '"value"'),
    "gives no hex": ("    say(q, ok=True, value={}, remainder='zz')\n", None, "not hex"),
    "gives no reason": ("    say(q, ok=False)\n", None, '"error"'),
    # On a busy machine the second line comes behind the next question.
    "answers twice": (REFUSE + REFUSE, "lie", "nobody asked|more than one|the reply's id is"),
    "answers again": (REFUSE + "    time.sleep(0.01)\n" + REFUSE, "lie", "^behind an answer: "),
    "makes up a remainder": ("    say(q, ok=True, value={}, remainder='123456789a')\n", None,
                             "do not end"),
    "nests deeply": ("    print('[' * 100000, flush=True)\n", "lie", "no JSON"),
    "takes all memory": ("    x = bytearray(4 << 30)\n", "memory", "MemoryError"),
}  # fmt: skip


@pytest.mark.slow
def test_a_slow_one_does_not_hang_because_the_run_ends(tmp_path: Path) -> None:
    """The last question has less time than the others had: nothing follows from that."""
    all_inputs()  # so that none of its time goes into making them
    limits = PATIENT._replace(run_seconds=5)
    run = judged(tmp_path, HELLO + "    time.sleep(0.9)\n" + REFUSE, limits)
    assert run.failures == {}
    assert statuses(run)["G01"] is Status.INCOMPLETE
    assert re.match(r"\d+ of 600 inputs: the time was over; growth.* \(--time", run.incomplete)


def test_a_field_that_the_message_does_not_have_is_a_mistake_of_the_adapter(
    tmp_path: Path,
) -> None:
    line = "    say(q, ok=True, value={'brokers': 1})\n"
    run = judged(tmp_path, HELLO + line, PATIENT, few=FEW)
    assert not any(result.violations for result in run.results)
    assert "adapter error: brokers is no field of it" in run.incomplete
    assert exit_status(run, (), recommended=False) == INCOMPLETE


@pytest.mark.parametrize("how", MISBEHAVIOUR)
def test_an_adapter_that(how: str, tmp_path: Path) -> None:
    line, failure, words = MISBEHAVIOUR[how]
    run = judged(tmp_path, HELLO + line, IMPATIENT if failure == "hang" else PATIENT, few=FEW)
    complaints = [e.complaint for r in run.results for e in r.examples]
    assert any(re.search(words, one) for one in (*complaints, *run.remarks))
    assert is_failure(run, ())
    if failure is None:  # it answers, if not well: nothing is skipped
        assert run.failures == {}
    else:
        assert failure in run.failures
        assert sum(run.failures.values()) == 3
        assert FEW - 3 <= run.skipped["valid"] < FEW  # one input may be asked about twice


def test_it_is_restarted_and_the_run_goes_on(tmp_path: Path) -> None:
    """Dies of version 6, as future writers label it, and knows the right answer to all others."""
    dying = "    if question.get('hex', '').startswith('0006'): sys.exit(1)\n"
    program = program_of_the_page().replace("    try:\n", dying + "    try:\n", 1)
    run = judged(tmp_path, program)
    assert run.failures == {"crash": run.failures["crash"]}
    found = statuses(run)
    assert found["G01"] is Status.BROKEN
    assert found["G03"] is Status.HELD
    assert found["G04"] is Status.INCOMPLETE  # the rest of the future messages was not asked


def test_what_it_started_goes_with_it(tmp_path: Path) -> None:
    child = f"""
import subprocess, sys
p = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({str(tmp_path / "pid")!r}, "w").write(str(p.pid))
"""
    judged(tmp_path, child + HELLO + REFUSE, few=FEW)
    pid = int((tmp_path / "pid").read_text())
    stat = Path(f"/proc/{pid}/stat")
    deadline = time.monotonic() + 300
    while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("raise SystemExit('I do not start')", "I do not start"),
        ("import time; time.sleep(60)", "no reply in time"),
        ("input(); print('Welcome!', flush=True); input()", "no JSON"),
        ('input(); print(\'{"id": 1, "ok": true, "protocol": 9}\', flush=True); input()', "9"),
        (
            'input(); print(\'{"id": 1, "ok": true, "protocol": true}\', flush=True); input()',
            "true",
        ),
        ('input(); print(\'{"id": 1, "ok": true, "protocol": 1.0}\', flush=True); input()', "1.0"),
        ('input(); print(\'{"id": 1, "ok": true, "protocol": 1}\', flush=True); input()', "ops"),
    ],
)
def test_one_that_never_says_hello(tmp_path: Path, program: str, words: str) -> None:
    file = tmp_path / "adapter.py"
    file.write_text(program)
    seconds = 0.5 if words == "no reply in time" else PATIENT.start_seconds
    with pytest.raises(NoAdapter, match=words):
        Remote((sys.executable, str(file)), PATIENT._replace(start_seconds=seconds))


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(NoAdapter, match="No such file"):
        Remote(("/no/such/program",), PATIENT)


def test_a_runtime_that_reserves_more_than_it_may_is_watched_instead(tmp_path: Path) -> None:
    """Reserves 4 GiB of addresses as it starts, as a JVM in a script does, and uses nothing."""
    program = "import mmap\nheap = mmap.mmap(-1, 4 << 30)\n" + HELLO + REFUSE
    run = judged(tmp_path, program, few=FEW)
    assert "resident memory is watched" in run.remarks[0]
    hungry = "import mmap\nheap = mmap.mmap(-1, 4 << 30)\n" + HELLO
    eats = "    x = bytearray(200 << 20); x[::4096] = b'x' * len(x[::4096]); time.sleep(60)\n"
    limits = PATIENT._replace(memory=100 << 20)
    run = judged(tmp_path, hungry + eats, limits, few=FEW)
    assert run.failures["memory"] >= 3


def test_a_runtime_may_be_started_by_another_program() -> None:
    assert reserves_more(("python", "-m", "driver", "/usr/bin/node", "consumer.mjs"))
    assert not reserves_more(("python", "-m", "driver", "/usr/bin/consumer"))


def test_what_is_expected_to_fail(tmp_path: Path) -> None:
    run = judged(tmp_path, program_of_the_page(), few=150)
    broken = [guarantee_id for guarantee_id, status in statuses(run).items()
              if status is Status.BROKEN]  # fmt: skip
    expected = read_expected("\n".join(f"{one}  # known" for one in broken))
    assert not is_failure(run, expected, recommended=True)
    passing = read_expected("G03  # it does fail, does it?")
    assert is_failure(run, passing)


@pytest.mark.parametrize("line", ["G99", "reads-valid", "G03 One Two", "G03 Nope"])
def test_an_expectation_of_nothing(line: str) -> None:
    with pytest.raises(ValueError, match="line 2"):
        read_expected(f"# a comment\n{line}\n")


def test_the_inputs_are_the_same_for_the_same_seed() -> None:
    one, other, third = (draw_examples(valid_bytes(), 20, seed) for seed in (5, 5, 6))
    assert [case.data for case in one] == [case.data for case in other]
    assert [case.data for case in one] != [case.data for case in third]
    assert len({case.kind for case in all_inputs()[:40]}) > 15  # they come in turns


@pytest.mark.long
def test_a_run_ends_in_time_whatever_the_adapter_does(tmp_path: Path) -> None:
    start = time.monotonic()
    run = judged(tmp_path, HELLO + "    time.sleep(60)\n", ProcessLimits(run_seconds=30))
    assert time.monotonic() - start < 45
    assert run.failures["hang"] > 3


DOUBT = "find out whether the client or its adapter did that, which is not known"
WHOSE = {
    "exits": ("    sys.exit(3)\n", True),
    "raises in the adapter's file": ("    1 / 0\n", True),
    "raises in the client's file": ("    import its_client; its_client.read()\n", False),
}


@pytest.mark.parametrize("how", WHOSE)
def test_it_is_told_where_nobody_knows_whose_failure_it_is(how: str, tmp_path: Path) -> None:
    line, is_doubted = WHOSE[how]
    (tmp_path / "its_client.py").write_text("def read():\n    raise KeyError('x')\n")
    run = judged(tmp_path, HELLO + line, PATIENT, few=FEW)
    (result, *_) = (result for result in run.results if result.guarantee.id == "G01")
    assert all((DOUBT in example.advice) == is_doubted for example in result.examples)
    assert result.examples
