"""`kproto encode`: JSON in Kafka's form, as Java writes it, to the bytes that Java writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run
from .test_main import one_line

SUBSCRIPTION = "ConsumerProtocolSubscription"
VECTORS = Path(__file__).parents[1] / "vectors" / "consumer-protocol.jsonl"


def test_what_java_wrote(kproto: Run, tmp_path: Path) -> None:
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    valid = [vector for vector in map(json.loads, lines) if vector["kind"] == "valid"]
    for vector in valid[::20]:
        file = tmp_path / "message.json"
        file.write_text(json.dumps(vector["json"]), encoding="utf-8")
        chosen = ["--as", vector["name"], "--version", str(vector["version"])]
        assert kproto("encode", *chosen, file).stdout.decode().strip() == vector["hex"]


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_and_the_newest_version(kproto: Run, arguments: list[str]) -> None:
    done = kproto("encode", "--as", SUBSCRIPTION.lower(), *arguments, stdin=b'{"topics": ["a"]}')
    assert done.stdout == b"000300000001000161ffffffff00000000ffffffffffff\n"


def test_what_has_nothing_in_front(kproto: Run) -> None:
    done = kproto("encode", "--as", "CooperativeStickyUserData", stdin=b'{"generation": 5}')
    assert done.stdout == b"00000005\n"


@pytest.mark.parametrize(
    ("stdin", "line"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "not a JSON object"),
        (b'{"topics": [], "topics": ["a"]}', "'topics' stands twice"),
        (b'{"topic": []}', "unknown key 'topic'"),
        (b'{"topics": [1]}', "topics[0]"),
        (b'{"topics": ["\\ud800"]}', "topics[0]"),
        (b'{"topics": null}', "topics: null is not allowed"),
        (b'{"generationId": 2147483648}', "generation_id"),
        (b'{"userData": "%%"}', "user_data"),
        (b'{"topics": ["' + b"x" * 32768 + b'"]}', "topics[0]"),
    ],
)
def test_what_is_refused_is_one_line(kproto: Run, stdin: bytes, line: str) -> None:
    done = kproto("encode", "--as", SUBSCRIPTION, stdin=stdin, status=1)
    assert line in one_line(done.stderr)
    assert not done.stdout


def test_versions_that_there_are_not(kproto: Run) -> None:
    for version in ("4", "-1"):
        done = kproto("encode", "--as", SUBSCRIPTION, "--version", version, stdin=b"{}", status=1)
        assert f"no version {version}" in one_line(done.stderr)


def test_files_that_there_are_not(kproto: Run) -> None:
    done = kproto("encode", "--as", SUBSCRIPTION, "no-such.json", status=2)
    assert "'no-such.json' cannot be read: No such file" in one_line(done.stderr)
