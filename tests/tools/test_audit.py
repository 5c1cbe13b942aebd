"""`kproto audit` as people run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.conftest import CAPTURES, Run

pytest.importorskip("pyarrow")
TOPIC = CAPTURES / "offsets-topic"


def test_the_summary_and_the_files(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, status=1)
    said = done.stdout.decode()
    assert said.index("leader-ck+kafkago") < said.index("mixed.all.roundrobin")
    assert "93 groups, 2 in trouble" in said
    assert "not evaluated: stuck-rebalance" in said
    assert max(map(len, said.splitlines())) <= 120
    for name in ("findings.json", "findings.sarif", "metrics.txt", "report.html", "manifest.json"):
        assert (tmp_path / name).stat().st_size


def test_what_fails_is_chosen(kproto: Run, tmp_path: Path) -> None:
    only = ("audit", TOPIC, "--out", tmp_path, "--replace", "--group", "mixed.all.roundrobin")
    kproto(*only, status=0)
    kproto(*only, "--fail-on", "warning", status=1)
    kproto(*only, "--fail-on", "never", status=0)


def test_json_for_programs(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, "--json", "--group", "ck.*", status=0)
    assert json.loads(done.stdout) == json.loads((tmp_path / "findings.json").read_text())


def test_an_audit_is_not_written_over(kproto: Run, tmp_path: Path) -> None:
    kproto("audit", TOPIC, "--out", tmp_path, "--group", "ck.range", status=0)
    before = (tmp_path / "manifest.json").read_bytes()
    done = kproto("audit", TOPIC, "--out", tmp_path, status=2)
    assert b"--replace" in done.stderr
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_what_is_new_since_the_last_audit(kproto: Run, tmp_path: Path) -> None:
    kproto("audit", TOPIC, "--out", tmp_path / "a", "--group", "leader-*", status=1)
    done = kproto(
        "audit", TOPIC, "--out", tmp_path / "b", "--diff", tmp_path / "a", "--group", "*kafkago",
        "--group", "mixed.all.roundrobin", status=1,
    )  # fmt: skip
    said = done.stderr.decode()
    assert "new: warning unreadable-member mixed.all.roundrobin" in said
    assert "new: error" not in said


def test_findings_that_are_long_over_can_be_left_out(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, "--since", "2100-01-01", "--json", status=0)
    assert json.loads(done.stdout)["findings"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "--out", "DIR"], "no such file"),
        ([str(CAPTURES / "frames.jsonl"), "--out", "DIR", "--since", "soon"], "is no time"),
        ([str(TOPIC), "--out", "DIR", "--topics", "FILE"], "neither a number"),
        ([str(TOPIC)], "--out"),
    ],
)
def test_wrong_use(kproto: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "topics.json").write_text('{"orders": "many"}')
    places = {"DIR": str(tmp_path / "out"), "FILE": str(tmp_path / "topics.json")}
    done = kproto("audit", *(places.get(one, one) for one in arguments), status=2)
    assert said in done.stderr.decode()
    assert not (tmp_path / "out").exists()
