"""One team's groups of an audit: by names, and by patterns of names."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kproto.pipeline.groups.teams import Teams
from kproto.tools.main import main

TOPIC = str(Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic")
TEAMS = {"mixed.*": "mixers", "mixed.all.*": "all", "mixed.all.range": "ranges", "no-*": "none"}


@pytest.fixture
def teams(tmp_path: Path) -> str:
    file = tmp_path / "teams.json"
    file.write_text(json.dumps(TEAMS))
    return str(file)


def test_a_name_counts_before_a_pattern_and_a_longer_pattern_before_a_shorter() -> None:
    """In whatever order the file has them."""
    names = ("mixed.all.range", "mixed.all.roundrobin", "mixed.coop", "other", "no-body")
    expected = ["ranges", "all", "mixers", None, "none"]
    for pairs in (TEAMS.items(), reversed(TEAMS.items())):
        teams = Teams(dict(pairs))
        assert [teams.get(name) for name in names] == expected
        assert [name in teams for name in names] == [True, True, True, False, True]
    assert Teams({"a[1]": "x"}).get("a[1]") == "x"
    assert Teams(TEAMS).unused(names[:2]) == ["no-*"]


def test_the_report_of_a_team(
    teams: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its groups alone are in the tables and the files, and count for the status."""
    out = tmp_path / "out"
    command = ["audit", TOPIC, "--out", str(out), "--replace", "--teams", teams]
    assert main([*command, "--fail-on", "warning"]) == 1
    said = capsys.readouterr()
    assert "--teams: 1 name is no group of the audit: no-*" in said.err
    assert "mixed.all.roundrobin (all)" in said.out
    metrics = (out / "metrics.txt").read_text()
    assert 'group="mixed.all.roundrobin"' in metrics and 'team="all"' in metrics
    assert main([*command, "--fail-on", "warning", "--team", "mix*", "--team", "ranges"]) == 0
    groups = set(pq.read_table(out / "current").column("group_id").to_pylist())
    assert groups == {
        "mixed.all.range", "mixed.coop", "mixed.java+ck.range", "mixed.migrate-librdkafka",
        "mixed.sticky",
    }  # fmt: skip
    assert set(pq.read_table(out / "records").column("group_id").to_pylist()) == groups
    assert "only groups of the teams mix*, ranges" in (out / "report.html").read_text()
    assert main([*command, "--fail-on", "warning", "--team", "all"]) == 1


def test_what_other_teams_have_is_not_gone(teams: str, tmp_path: Path) -> None:
    known, out = str(tmp_path / "known.json"), tmp_path / "out"
    command = ["audit", TOPIC, "--out", str(out), "--replace", "--teams", teams]
    assert main([*command, "--write-baseline", known, "--fail-on", "never"]) == 0
    assert main([*command, "--baseline", known, "--team", "all"]) == 0
    found = json.loads((out / "findings.json").read_text())
    assert found["gone"] == [] and found["findings"]
    assert {row["change"] for row in found["findings"] if row["group"]} == {"persisting"}
    before = Path(known).read_bytes()
    rules = {row["code"] for row in found["findings"] if not row["group"]}
    both = ["--baseline", known, "--write-baseline", known]
    assert main([*command, *both, "--team", "all"]) == 0
    after = Path(known).read_bytes()
    lost = [line for line in before.splitlines() if line not in after.splitlines()]
    assert all(any(rule.encode() in line for rule in rules) for line in lost)
    assert main([*command, *both, "--fail-on", "warning"]) == 0


def test_teams_are_hidden(teams: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["audit", TOPIC, "--out", str(out), "--replace", "--teams", teams, "--redact"]
    assert main([*command, "--fail-on", "never"]) == 0
    assert main([*command, "--team", "mix*", "--team", "all", "--fail-on", "never"]) == 0
    said = capsys.readouterr()
    assert "(<team-" in said.out and "only groups of the teams <team-" in said.out
    page = (out / "report.html").read_text()
    for name in ("mixers", "mix*", "mixed.all", "no-*"):
        assert name not in said.out + said.err + page, name


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--team", "x"], "--team needs --teams FILE"),
        (["--teams", "{file}", "--team", "mixer"], "no team 'mixer'; did you mean 'mixers'?"),
    ],
)
def test_a_team_that_there_is_not(
    arguments: list[str], reason: str, teams: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    given = [argument.format(file=teams) for argument in arguments]
    assert main(["audit", TOPIC, "--out", str(tmp_path / "out"), *given]) == 2
    assert reason in capsys.readouterr().err


def test_a_team_without_a_group_tonight(teams: str, tmp_path: Path) -> None:
    command = ["audit", TOPIC, "--out", str(tmp_path / "out"), "--teams", teams]
    assert main([*command, "--team", "none"]) == 0


def test_what_rules_have_found_that_are_not_asked_stays_known(tmp_path: Path) -> None:
    known, out = str(tmp_path / "known.json"), tmp_path / "out"
    command = ["audit", TOPIC, "--out", str(out), "--replace"]
    both = ["--baseline", known, "--write-baseline", known]
    assert main([*command, "--write-baseline", known, "--fail-on", "never"]) == 0
    before = Path(known).read_bytes()
    assert main([*command, *both, "--ignore", "mixed-versions,unreadable-member"]) == 0
    assert Path(known).read_bytes() == before
    assert main([*command, *both, "--fail-on", "info"]) == 0
