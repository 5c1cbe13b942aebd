"""`kproto audit --select, --ignore, --threshold`: which rules are asked, and how."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.conftest import CAPTURES, Run

pytest.importorskip("pyarrow")

SOURCE = CAPTURES / "offsets-topic"


def codes_of(out: Path) -> set[str]:
    return {row["code"] for row in json.loads((out / "findings.json").read_text())["findings"]}


def test_rules_are_chosen(kproto: Run, tmp_path: Path) -> None:
    """By name; what is left out is not gone from a baseline, and is said of no rule to be
    skipped."""
    known = tmp_path / "known.json"
    kproto("audit", SOURCE, "--out", tmp_path / "all", "--write-baseline", known, status=1)
    everything = codes_of(tmp_path / "all")
    assert {"unreadable-member", "mixed-versions", "old-protocol"} <= everything
    out = ["--out", tmp_path / "some", "--baseline", known]
    done = kproto("audit", SOURCE, *out, "--ignore", "unreadable-member, old-protocol", status=0)
    assert codes_of(tmp_path / "some") == everything - {"unreadable-member", "old-protocol"}
    assert " 0 new, " in done.stdout.decode() and " 0 gone\n" in done.stdout.decode()
    only = ["--select", "old-protocol", "--cluster-id", "unknown"]
    done = kproto("audit", SOURCE, "--out", tmp_path / "one", *only, status=0)
    assert codes_of(tmp_path / "one") == {"old-protocol"}
    assert "skipped" not in done.stdout.decode()


def test_of_several_clusters_the_same_rules_are_asked(kproto: Run, tmp_path: Path) -> None:
    sources = [f"{name}={SOURCE}" for name in ("east", "west")]
    kproto("audit", *sources, "--out", tmp_path, "--select", "unreadable-member", status=1)
    assert codes_of(tmp_path) == {"unreadable-member"}


def test_a_threshold_is_set(kproto: Run, tmp_path: Path) -> None:
    """Here 11 generations of a test are a storm, if a deploy is one."""
    tuned = ["--threshold", "flapping-member.joins=1", "--select", "flapping-member"]
    kproto("audit", SOURCE, "--out", tmp_path / "a", *tuned[2:], status=0)
    assert not codes_of(tmp_path / "a")
    kproto("audit", SOURCE, "--out", tmp_path / "b", *tuned, "--fail-on", "never")
    assert codes_of(tmp_path / "b") == {"flapping-member"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ignore", "slow-pol"], "--ignore: no rule 'slow-pol'; did you mean 'slow-poll'"),
        (["--threshold", "slow-poll.x=1"], "slow-poll has no threshold 'x'; it has "),
        (["--threshold", "rebalance-storm.seconds=-1"], "'-1' is no number from 0 on"),
        (["--threshold", "rebalance-storm.seconds"], "'' is no number from 0 on"),
        (["--threshold", "storm=5"], "--threshold storm=5: no rule 'storm'"),
    ],
)
def test_a_rule_that_is_not_there(
    options: list[str], said: str, kproto: Run, tmp_path: Path
) -> None:
    done = kproto("audit", SOURCE, "--out", tmp_path / "out", *options, status=2)
    assert said in done.stderr.decode()
    assert not (tmp_path / "out").exists()
