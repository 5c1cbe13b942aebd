"""Every way in which an adapter can be wrong is its own mistake, with what to change, and no
finding of the client.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.conformance.judging import judge
from kproto.fuzz.conformance.process import AdapterProcess
from kproto.fuzz.contract import answer_in_form
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.subjects import GENERATED, subject_of
from kproto.fuzz.guarantees.table import Scope, of_scope
from kproto.fuzz.subject import Failed, Failure, Read
from kproto.tools.main import main

SUBSCRIPTION = "ConsumerProtocolSubscription"
TOPICS = {"topics": ["orders"], "userData": None}
OWNED = {"topic": "orders", "partitions": [0]}

RIGHT: dict[str, Any] = {
    "fields": TOPICS,
    "fields with bytes": {"topics": ["orders"], "userData": b"\0"},
    "a tuple of topics": {"topics": ("orders",)},
    "a Read": Read(TOPICS, 3, b""),
    "a Read of the value alone": Read(TOPICS),
    "the keys of JSON lines": {"version": 3, "value": TOPICS, "remainder": b""},
    "the value alone": {"value": TOPICS},
    "no field that it shows": {},
    "null where none is allowed": {"topics": None},
    "entries": {"ownedPartitions": [OWNED]},
}
WRONG: dict[str, tuple[Any, str]] = {
    "nothing": (None, "decode returned None"),
    "a tuple": ((3, TOPICS), "decode returned"),
    "a text": ("orders", "decode returned 'orders' (str)"),
    "swapped": (Read(3, TOPICS), "the wrong way round"),  # type: ignore[arg-type]
    "no value": (Read(None, 3), "the value is None"),  # type: ignore[arg-type]
    "a version of text": (Read(TOPICS, "3"), "the version is '3'"),  # type: ignore[arg-type]
    "a version that is true": (Read(TOPICS, True), "the version is True"),
    "a remainder of text": (Read(TOPICS, 3, "00"), "the remainder is '00'"),  # type: ignore[arg-type]
    "an unknown field": ({"topic": ["a"]}, "topic is no field of it: the fields are topics, "),
    "a name in snake_case": ({"user_data": None}, "write 'userData'"),
    "the version among the fields": ({"version": 3, **TOPICS}, "'version' is no field"),
    "fields beside the value": ({"value": TOPICS, "topics": []}, "put all fields into 'value'"),
    "one topic": ({"topics": "orders"}, "topics is 'orders' (str): it has to be a list"),
    "a name as a number": ({"topics": ["a", 12345]}, "topics[1] is 12345 (int): it has to be a"),
    "topics as bytes": ({"topics": [b"orders"]}, "topics[0] is b'orders' (bytes)"),
    "user data of text": ({"userData": "no base64!"}, "give bytes or their base64"),
    "user data with a line end": ({"userData": "AP8=\n"}, "base64 is without line ends"),
    "user data without an end": ({"userData": "AP8"}, "base64 is with = at its end"),
    "user data for addresses": ({"userData": "_-8="}, "base64 is with + and / here, not - and _"),
    "user data as in a token": ({"userData": "_-8"}, "with + and /, and = at its end"),
    "user data in quotes": ({"userData": "'AP8='"}, "give bytes or their base64"),
    "user data of a list": ({"userData": [1]}, "give bytes or their base64"),
    "a generation of text": ({"generationId": "5"}, "it has to be a whole number"),
    "a generation that is true": ({"generationId": True}, "it has to be a whole number"),
    "a generation with a point": ({"generationId": 5.0}, "it has to be a whole number"),
    "entries as a dict": ({"ownedPartitions": {"orders": [0]}}, "it has to be a list"),
    "entries as pairs": ({"ownedPartitions": [("orders", [0])]}, "a dict of topic, partitions"),
    "an entry without partitions": ({"ownedPartitions": [{"topic": "a"}]}, "has no 'partitions'"),
    "an entry with more": ({"ownedPartitions": [{**OWNED, "id": 1}]}, "[0].id is no field of it"),
    "partitions of text": (
        {"ownedPartitions": [{"topic": "a", "partitions": ["0"]}]},
        "ownedPartitions[0].partitions[0] is '0' (str)",
    ),
}


@pytest.mark.parametrize("answer", RIGHT.values(), ids=list(RIGHT))
def test_an_answer_in_form(answer: Any) -> None:
    assert isinstance(answer_in_form(SUBSCRIPTION, answer), Read)


@pytest.mark.parametrize(("answer", "words"), WRONG.values(), ids=list(WRONG))
def test_an_answer_in_another_form_is_a_mistake_of_the_adapter(answer: Any, words: str) -> None:
    failed = answer_in_form(SUBSCRIPTION, answer)
    assert isinstance(failed, Failed)
    assert failed.how is Failure.ADAPTER
    assert words in failed.detail


def test_no_guarantee_is_judged_with_a_mistake() -> None:
    cases = [Case(SUBSCRIPTION, bytes.fromhex("0000 00000001 0001 61 ffffffff"), None, "valid")]
    for answer, _ in WRONG.values():
        subject = subject_of(lambda name, data, answer=answer: answer)
        results, left = judge(subject, cases, of_scope(Scope.REQUIRED, Scope.RECOMMENDED))
        assert not any(result.checks for result in results)
        assert [why.partition(":")[0] for why in left] == ["adapter error"]


ADAPTER = """
import json, sys

def reply(question, **more):
    print(json.dumps({{"id": question["id"], **more}}), flush=True)

def reply_with_name(question, name):
    print('{{"id": %d, "ok": true, "value": {{"topics": ["' % question["id"], end="", flush=True)
    sys.stdout.buffer.write(name + b'"]}}}}\\n')
    sys.stdout.flush()

for line in sys.stdin:
    question = json.loads(line)
    if question["op"] == "hello":
        reply(question, ok=True, protocol=1, client="c", release="1",
              names=["ConsumerProtocolSubscription"], ops=["decode", "encode"])
        continue
    value = {{"topics": ["a"], "userData": None}}
    reads = question["op"] == "decode"
    {act}
"""
READS = "if reads: reply(question, ok=True, value=value)\n    else: "
ACTS = {
    "prints": ("print('reading'); reply(question, ok=True, value=value)", "standard output is for"),
    "dies": ("raise KeyError('x')", "crash for every ordinary message"),
    "dies under a runner that has the last word": (
        "sys.exit('decode is to be filled in\\nexit status 1')", "decode is to be filled in",
    ),
    "hangs": ("import time; time.sleep(60)", "hang for every ordinary message"),
    "answers twice": (
        "reply(question, ok=True, value=value); reply(question, ok=True, value=value)",
        "question once",
    ),
    "answers with another id": (
        "question['id'] += 1; reply(question, ok=True, value=value)", "with its id",
    ),
    "no value": ("reply(question, ok=True)", "put the fields into it"),
    "another key": (
        "reply(question, ok=True, val=value)",
        '"value" is absent (the keys are ["id", "ok", "val"]), not an object; put the',
    ),
    "null": ("reply(question, ok=True, value=None)", '"value" is null, not an object'),
    "an extra key": ("reply(question, ok=True, value={**value, 'a': 1})", "a is no field of it"),
    "a wrong type": ("reply(question, ok=True, value={'topics': 'a'})", "it has to be a list"),
    "bytes for text": ("reply(question, ok=True, value={'topics': [[97]]})", "has to be a text"),
    "a version of text": ("reply(question, ok=True, value=value, version='1')", "not a number"),
    "a remainder in base64": (
        "reply(question, ok=True, value=value, remainder='AAE=')", '"AAE=", not hex',
    ),
    "no id": ("print(json.dumps({'ok': True}), flush=True)", "with its id"),
    "prints as it reads": ("print('{', flush=True); reply(question, ok=True)", "no JSON"),
    "no reason": ("reply(question, ok=False)", '"error" is absent'),
    "bytes in a text": ("reply_with_name(question, b'\\xff')", "write U+FFFD"),
    "bytes of a name that is no text": (
        "reply_with_name(question, b'\\xed' if 'ed' in question.get('hex', '') else b'a')",
        "the reply is not UTF-8",
    ),
    "dies as it writes": (f"{READS}raise KeyError('x')", "crash for every ordinary value to write"),
    "writes base64": (f"{READS}reply(question, ok=True, hex='AAE=')", '"AAE=", not hex'),
    "writes a value": (f"{READS}reply(question, ok=True, value=value)", '"hex" is absent'),
}  # fmt: skip


@pytest.mark.parametrize(("act", "words"), ACTS.values(), ids=list(ACTS))
def test_an_adapter_that_is_wrong_is_not_judged(
    act: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "adapter.py"
    file.write_text(ADAPTER.format(act=act))
    limit = "2s" if "sleep" in act else "10s"  # a busy machine starts a Python in seconds
    assert main(["conform", "--timeout", limit, "--", sys.executable, str(file)]) == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "adapter error, nothing was judged: " in shown.err
    assert words in shown.err


HELLO = """
print('{{"id": 1, "ok": true, "protocol": 1, "client": "c", "release": "1", "ops": ["decode"], '
      '"names": {names}}}', flush=True)
input()
"""
NO_HELLO = {
    "ends": ("pass", "answer line after line"),
    "dies": ("raise SystemExit('no such module')", "no such module; try echo '"),
    "prints a banner": ("print('my client 1.0', flush=True); input()", '"my client 1.0"; standard'),
    "writes an object on several lines": ("print('{\\n}', flush=True); input()", "on one line"),
    "writes UTF-16": ("import sys; sys.stdout.buffer.write('{}\\n'.encode('utf-16-le'))",
                      "write UTF-8, not UTF-16"),
    "begins with a mark": ("print('\\ufeff{}', flush=True); input()", "without a byte order mark"),
    "refuses": ("print('{\"id\": 1, \"ok\": false, \"error\": \"no op\"}', flush=True); input()",
                'refuses to say hello: "no op"'),
    "has no names": (HELLO.format(names='["Subscription"]'), "'Subscription' is no message that"),
    "has names of no list": (HELLO.format(names='"all"'), '"names" is "all", not a list of names'),
}  # fmt: skip


@pytest.mark.parametrize("is_busy", [False, True], ids=["", "busy"])
@pytest.mark.parametrize(("program", "words"), NO_HELLO.values(), ids=list(NO_HELLO))
def test_an_adapter_that_says_no_hello_is_told_what_to_change(
    program: str,
    words: str,
    is_busy: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if is_busy:  # what the program writes is there before it is asked

        def ask_late(process: AdapterProcess, line: bytes, seconds: float) -> tuple[bytes, bytes]:
            select.select([process._stdout], [], [], 30)
            return ask_first(process, line, seconds)

        ask_first = AdapterProcess.ask_first
        monkeypatch.setattr(AdapterProcess, "ask_first", ask_late)
    file = tmp_path / "adapter.py"
    file.write_text(program)
    assert main(["conform", "--", sys.executable, str(file)]) == 3
    shown = capsys.readouterr().err
    assert "adapter error, nothing was judged: " in shown and words in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "words"),
    [("", "comes only as its standard input ends; flush after each line"),
     ("time.sleep(99)", "no reply in time; flush after each line")],
)  # fmt: skip
def test_an_adapter_that_does_not_flush_is_told_so(
    end: str,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    file = tmp_path / "adapter.py"
    lines = ADAPTER.format(act="pass").replace(", flush=True", "")
    file.write_text(f"import time\n{lines}\n{end}\n")
    start = time.monotonic()
    assert main(["conform", "--", sys.executable, str(file)]) == 3
    assert words in capsys.readouterr().err
    assert time.monotonic() - start < 20


NOT_STARTED: dict[str, tuple[str, int, str]] = {
    "not executable": ("#!/usr/bin/env python3\n", 0o600, "make it executable (chmod +x)"),
    "no first line": ("print(1)\n", 0o700, "begin it with a line such as #!"),
    "another program's": (
        "#!/no/such/program\n",
        0o700,
        "in its first line (#!) that is not there",
    ),
}


@pytest.mark.skipif(os.name == "nt", reason="it has no such permissions")
@pytest.mark.parametrize(("text", "mode", "words"), NOT_STARTED.values(), ids=list(NOT_STARTED))
def test_an_adapter_that_cannot_be_started_is_told_what_to_change(
    text: str, mode: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "adapter.py"
    file.write_text(text)
    file.chmod(mode)
    assert main(["conform", "--", str(file)]) == 3
    assert words in capsys.readouterr().err
    assert main(["conform", "--", str(tmp_path)]) == 3
    assert "is a folder, not a program" in capsys.readouterr().err


class Clamping:
    """An encoder that writes version 3 whatever unknown version it is asked for."""

    def __init__(self, number: Callable[[int], int]) -> None:
        self._number = number

    def encode(self, name: str, version: int, value: dict[str, Any]) -> bytes:
        message = ConsumerProtocolSubscription.from_json(value, self._number(version))
        return message.to_bytes(self._number(version))


@pytest.mark.parametrize(
    ("number", "version"),
    [(lambda version: min(version, 3), 4), (lambda version: 3 if version < 0 else version, -1)],
)
def test_an_encoder_that_writes_another_version_is_found(
    number: Callable[[int], int], version: int
) -> None:
    value = ConsumerProtocolSubscription().to_json()
    case = Case(SUBSCRIPTION, b"", version, "unknown-version", value=value)
    subject = subject_of(encode=Clamping(number).encode, names=[SUBSCRIPTION])
    results, _ = judge(subject, [case], of_scope(Scope.RECOMMENDED))
    assert [result.guarantee.id for result in results if result.violations] == ["G33"]
    results, _ = judge(GENERATED, [case], of_scope(Scope.RECOMMENDED))
    assert [result.guarantee.id for result in results if result.passes] == ["G33"]
