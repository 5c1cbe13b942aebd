"""`kproto audit` against a baseline, and against the places where source and audit are."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.tools.conftest import CAPTURES, Run

pytest.importorskip("pyarrow")
from kproto.pipeline.audit import RULES
from kproto.pipeline.audit.changes import change_of, changes_since
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.input.audit_baseline import read_audit_baseline, write_audit_baseline
from kproto.tools.input.audit_inputs import check_apart, check_named
from kproto.tools.output.failures import Failure

SOURCE = CAPTURES / "offsets-topic" / "__consumer_offsets-1"


def audit(out: Path, *groups: str) -> Audit:
    options = Options(cluster_id="unknown", groups=groups)
    return run_audit(units_of(str(SOURCE)), Destination.new(str(out), replace=True), options)


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Audit]:
    out = tmp_path_factory.mktemp("earlier")
    return out, audit(out)


def test_the_findings_are_those_that_the_manifest_names(
    earlier: tuple[Path, Audit], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(earlier[0], out)
    shutil.copy(next((out / "findings").iterdir()), out / "findings" / "twice.parquet")
    (out / "findings" / "junk.parquet").write_text("junk")
    rows = earlier[1].findings.to_pylist()
    assert {row["finding_id"] for row in rows} == read_audit_baseline(str(out)).keys()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "there is no audit here"),
        ("{}", "is of no audit"),
        ('{"tables": {"findings": [{"file": "findings/junk.parquet"}]}}', "cannot be read"),
        ('{"tables": {"findings": [{"file": "findings/gone.parquet"}]}}', "gone.parquet"),
        ('{"tables": {"findings": [{"file": "findings/other.parquet"}]}}', "finding_id"),
    ],
)
def test_what_is_no_audit(
    earlier: tuple[Path, Audit], tmp_path: Path, manifest: str | None, said: str
) -> None:
    (tmp_path / "findings").mkdir()
    (tmp_path / "findings" / "junk.parquet").write_text("junk")
    (current,) = (earlier[0] / "current").iterdir()
    shutil.copy(current, tmp_path / "findings" / "other.parquet")
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(Failure) as failure:
        read_audit_baseline(str(tmp_path))
    assert said in str(failure.value)
    assert failure.value.status == 3


def test_what_became_of_findings(earlier: tuple[Path, Audit]) -> None:
    rows = earlier[1].findings.to_pylist()
    baseline = read_audit_baseline(str(earlier[0]))
    (error,) = (one for one, row in baseline.items() if row["severity"] == "error")
    (still,) = (one for one, row in baseline.items() if row["status"] == "open")
    over, new, *rest = (one for one in baseline if one not in {error, still})
    baseline[error]["severity"] = "warning"
    baseline[still]["status"] = "over"
    baseline[over]["status"] = "open"
    baseline["of old"] = baseline.pop(new) | {"finding_id": "of old", "explanation": "as it was"}
    by_id = {row["finding_id"]: row for row in rows}
    assert {one: change_of(baseline.get(one), by_id[one]) for one in (error, still, over, new)} == {
        error: "worse", still: "again", over: "over", new: "new",
    }  # fmt: skip
    changes = changes_since(baseline, rows, lambda _: True)
    assert {one for one, word in changes.words.items() if word == "new"} == {error, still, new}
    assert changes.words.keys() == by_id.keys()
    assert [row["explanation"] for row in changes.gone] == ["as it was"]
    assert changes.counts == {"new": 3, "persisting": len(rest) + 1, "gone": 1}


def test_what_was_not_asked_for_is_not_gone(kproto: Run, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    kproto("audit", SOURCE, "--out", tmp_path / "a", "--write-baseline", known, status=1)
    out = ["--out", tmp_path / "b", "--baseline", known]
    done = kproto("audit", SOURCE, "--group", "leader-*", *out, status=0)
    assert b" 0 gone" in done.stdout and b"gone: " not in done.stdout


def test_a_baseline_tells_new_persisting_and_gone_apart(
    earlier: tuple[Path, Audit], kproto: Run, tmp_path: Path
) -> None:
    """On the terminal, in the report, SARIF, findings.json and the metrics; what is known does not
    fail."""
    known = tmp_path / "known.json"
    rows = earlier[1].findings.to_pylist()
    (error,) = (row for row in rows if row["severity"] == "error")
    old = error | {"finding_id": "old", "explanation": "as it <was>"}
    write_audit_baseline(str(known), [old, *(row for row in rows if row is not error)])
    out = tmp_path / "out"
    done = kproto("audit", SOURCE, "--out", out, "--baseline", known, status=1)
    said = done.stdout.decode()
    assert f"since the baseline: 1 new, {len(rows) - 1:,} persisting, 1 gone\n" in said
    assert said.startswith(f"{error['group_id']}\n  new error {error['rule']} ")
    assert f"\ngone: error {error['rule']} {error['group_id']}: as it <was>\n" in said
    kproto("audit", SOURCE, "--out", out, "--replace", "--baseline", known, "--fail-on", "critical")
    told = json.loads((out / "findings.json").read_text())
    assert {row["id"]: row["change"] for row in told["findings"]} == {
        row["finding_id"]: "new" if row is error else "persisting" for row in rows
    }
    assert [(row["id"], row["explanation"]) for row in told["gone"]] == [("old", "as it <was>")]
    results = json.loads((out / "findings.sarif").read_text())["runs"][0]["results"]
    states = [result["baselineState"] for result in results]
    assert {state: states.count(state) for state in states} == {
        "new": 1, "unchanged": len(rows) - 1,
    }  # fmt: skip
    metrics = (out / "metrics.txt").read_text()
    name = "kproto_findings_since_baseline"
    labels = f'rule="{error["rule"]}",severity="error",status="{error["status"]}",cluster="unknown"'
    for change in ("new", "gone"):
        assert f'{name}{{change="{change}",{labels}}} 1\n' in metrics
    counts = re.findall(name + r'{change="(\w+)",[^}]*} (\d+)\n', metrics)
    assert sum(int(count) for change, count in counts if change == "persisting") == len(rows) - 1
    by_group = ["--baseline", known, "--baseline-groups", "--fail-on", "critical"]
    kproto("audit", SOURCE, "--out", tmp_path / "by-group", *by_group)
    metrics = (tmp_path / "by-group" / "metrics.txt").read_text()
    for change in ("new", "gone"):
        group = f'group="{error["group_id"]}"'
        assert f'{name}{{{group},change="{change}",{labels}}} 1\n' in metrics
    page = (out / "report.html").read_text()
    section = page.partition("<h2>Since the baseline</h2>")[2].partition("<h2>")[0]
    assert "as it &lt;was&gt;" in section and error["rule"] in section
    for place in (out, out / "findings.json"):  # of the audit itself nothing is new
        again = ["--out", tmp_path / "again", "--replace", "--baseline", place]
        said = kproto("audit", SOURCE, *again).stdout.decode()
        assert said.startswith(f"as before: error {error['rule']} {error['group_id']}\n")


def test_junit_has_a_case_for_each_rule_and_group(
    earlier: tuple[Path, Audit], kproto: Run, tmp_path: Path
) -> None:
    """Its failures are what --fail-on counts; what is known does not fail, and is shown; what is
    gone passes."""
    file, known = tmp_path / "audit.xml", tmp_path / "known.json"
    rows = earlier[1].findings.to_pylist()
    options = ["--out", tmp_path / "out", "--replace", "--junit", file]

    def cases(*more: str | Path, status: int = 0) -> dict[tuple[str, str], Xml.Element]:
        kproto("audit", SOURCE, *options, *more, status=status)
        suite = Xml.fromstring(file.read_text())  # noqa: S314  # our own
        found = {(case.get("classname", ""), case.get("name", "")): case for case in suite}
        assert suite.get("tests") == str(len(found)) == str(len(suite))
        outcomes = {"failure": "failures", "error": "errors", "skipped": "skipped"}
        for outcome, attribute in outcomes.items():
            count = sum(case.find(outcome) is not None for case in found.values())
            assert suite.get(attribute) == str(count)
        return found

    (error,) = (row for row in rows if row["severity"] == "error")
    key = error["rule"], error["group_id"]
    found = cases(status=1)
    assert {rule for rule, _ in found} >= RULES.keys()
    assert {(row["rule"], row["group_id"] or "(fleet)") for row in rows} <= found.keys()
    failures = {name: case.find("failure") for name, case in found.items()}
    assert [name for name, failure in failures.items() if failure is not None] == [key]
    failure = failures[key]
    assert failure is not None and failure.get("message") == error["explanation"]
    assert failure.get("type") == "error"
    assert (failure.text or "").startswith("error, over now: the subscription of ")
    skipped = found["stuck-rebalance", "all groups"].find("skipped")
    assert skipped is not None and "needs the broker's own account" in skipped.get("message", "")
    gone = error | {"finding_id": "old", "group_id": "was-there"}
    write_audit_baseline(str(known), [gone, *rows])
    teams = tmp_path / "teams.json"
    teams.write_text('{"*": "checkout"}')
    found = cases("--baseline", known, "--teams", teams)
    assert found[key].find("failure") is None
    said = found[key].findtext("system-out", "")
    assert said.startswith("error (team checkout), over now: ") and error["explanation"] in said
    assert list(found[error["rule"], "was-there"]) == []


def test_groups_without_a_baseline_are_refused(kproto: Run, tmp_path: Path) -> None:
    out = ["--out", tmp_path / "out", "--baseline-groups"]
    assert b"--baseline-groups needs --baseline" in kproto("audit", SOURCE, *out, status=2).stderr


def test_a_baseline_that_cannot_be_read(kproto: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"findings": 5}')
    for name, status in (("odd.json", 3), ("none.json", 2)):
        options = ["--out", tmp_path / "out", "--baseline", tmp_path / name]
        assert name.encode() in kproto("audit", SOURCE, *options, status=status).stderr
    assert not (tmp_path / "out").exists()


def test_what_is_left_out_counts_nowhere(kproto: Run, tmp_path: Path) -> None:
    kproto("audit", SOURCE, "--out", tmp_path / "all", status=1)
    kproto("audit", SOURCE, "--out", tmp_path / "late", "--since", "2100-01-01", status=0)

    def scores(out: Path) -> set[float]:
        lines = (out / "metrics.txt").read_text().splitlines()
        return {float(one.split()[-1]) for one in lines if one.startswith("kproto_group_score{")}

    assert max(scores(tmp_path / "all")) == 25.25  # an error and an info, both over
    assert scores(tmp_path / "late") == {0}
    assert json.loads((tmp_path / "late" / "findings.json").read_text())["findings"] == []
    assert "25.25" in (tmp_path / "all" / "report.html").read_text()
    assert "25.25" not in (tmp_path / "late" / "report.html").read_text()


@pytest.mark.parametrize(
    ("source", "out"),
    [
        ("in", "in"),
        ("in", "in/audit"),
        ("in", "out/../in/a/b"),
        ("in", "link/audit"),
        ("link", "in"),
        ("in/part", "in"),
        ("in/part/r.jsonl", "in/part/r.jsonl"),
        ("URI/in", "in/audit"),
        ("in", "URI/in/audit"),
    ],
)
def test_an_audit_is_not_written_into_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, out: str
) -> None:
    _places(tmp_path, monkeypatch)
    uri = tmp_path.as_uri()
    with pytest.raises(Failure, match="inside of") as failure:
        check_apart(source.replace("URI", uri), out.replace("URI", uri))
    assert failure.value.status == 2


@pytest.mark.parametrize(
    ("source", "out"),
    [
        ("in", "out"),
        ("in", "in-audit"),
        ("in/part", "in/audit"),
        ("in/part/r.jsonl", "in/part/audit"),
        ("in/part/r.jsonl", "in/part"),
        ("kafka://in:9092", "in"),
    ],
)
def test_an_audit_is_written_beside_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, out: str
) -> None:
    _places(tmp_path, monkeypatch)
    check_apart(source, out)


def _places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in" / "part").mkdir(parents=True)
    (tmp_path / "in" / "part" / "r.jsonl").write_text("")
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("in")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("source", "out"), [("", "out"), ("in", ""), ("in", " ")])
def test_no_name_is_no_place(source: str, out: str) -> None:
    with pytest.raises(Failure, match="is empty") as failure:
        check_named(source, out)
    assert failure.value.status == 2


def test_the_command_looks_where_it_writes(kproto: Run, tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "in")
    before = sorted((tmp_path / "in").iterdir())
    done = kproto("audit", tmp_path / "in", "--out", tmp_path / "in", status=2)
    assert b"never writes there" in done.stderr
    assert sorted((tmp_path / "in").iterdir()) == before


def test_the_first_of_many_nights(kproto: Run, tmp_path: Path) -> None:
    """The file of the last night is that of this one, too: the first night has none."""
    known = tmp_path / "known.jsonl"
    options = ["--out", tmp_path / "out", "--baseline", known, "--write-baseline", known]
    first = kproto("audit", SOURCE, *options, status=1)
    assert b" new, 0 persisting, 0 gone\n" in first.stdout and b"is no" in first.stderr
    second = kproto("audit", SOURCE, *options, "--replace", status=0)
    assert b"since the baseline: 0 new, " in second.stdout and b"is no" not in second.stderr


def test_a_baseline_of_another_cluster(kproto: Run, tmp_path: Path) -> None:
    known = tmp_path / "known.jsonl"
    kproto("audit", SOURCE, "--out", tmp_path / "a", "--write-baseline", known, status=1)
    options = ["--out", tmp_path / "b", "--baseline", known]
    done = kproto("audit", f"prod={SOURCE}", *options, status=1)
    assert b" 0 persisting, 0 gone\n" in done.stdout
    assert b"the baseline is of 'unknown', the audit of 'prod'" in done.stderr


def test_findings_of_groups_that_the_source_has_no_more(kproto: Run, tmp_path: Path) -> None:
    known = tmp_path / "known.jsonl"
    whole = SOURCE.parent
    kproto("audit", whole, "--out", tmp_path / "a", "--write-baseline", known, status=1)
    done = kproto("audit", SOURCE, "--out", tmp_path / "b", "--baseline", known, status=0)
    assert re.search(rb"gone \(\d+ of groups of which this source has no record\)", done.stdout)


def test_what_is_gone_keeps_the_stand_in_that_the_baseline_has(kproto: Run, tmp_path: Path) -> None:
    known, key = tmp_path / "known.jsonl", tmp_path / "key"
    key.write_bytes(bytes(range(65, 97)))
    out = ["--out", tmp_path / "out", "--replace", "--redact-key", key]
    run = kproto("audit", SOURCE, *out, "--write-baseline", known, status=1)
    assert b" findings written to " in run.stderr
    baseline = read_audit_baseline(str(known))
    old = next(row for row in baseline.values() if row["severity"] == "error")
    write_audit_baseline(str(known), [*baseline.values(), old | {"finding_id": "old"}])
    said = kproto("audit", SOURCE, *out, "--baseline", known).stdout.decode()
    assert old["group_id"].startswith("<group-")
    assert f"gone: error {old['rule']} {old['group_id']}: {old['explanation'][:40]}" in said
    assert " 1 gone\n" in said  # and no word that nothing is known of its group


def test_a_backup_says_as_of_when_it_speaks(kproto: Run, tmp_path: Path) -> None:
    run = kproto("audit", SOURCE, "--out", tmp_path, "--since", "1h", "--fail-on", "never")
    assert b"\nall of this is as of 2026-11-21 05:23 UTC, its newest record, " in run.stdout
    assert b"the newest record is older than --since says" in run.stderr


def test_a_team_of_no_group_is_named(kproto: Run, tmp_path: Path) -> None:
    teams = tmp_path / "teams.json"
    teams.write_text('{"leader-ck+kafkago": "a", "leaders-*": "b"}')
    run = kproto("audit", SOURCE, "--out", tmp_path / "out", "--teams", teams, status=1)
    assert b"--teams: 1 name is no group of the audit: leaders-*\n" in run.stderr
