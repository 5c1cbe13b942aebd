"""`kproto audit` against an earlier audit, and against the places where both are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.tools.conftest import CAPTURES, Run

pytest.importorskip("pyarrow")
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.audit import findings_of, say_difference
from kproto.tools.input.audit_inputs import check_apart, check_not_empty
from kproto.tools.output.failures import Failure
from kproto.wording import counted

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
    assert {row["finding_id"] for row in rows} == findings_of(str(out)).keys()


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
        findings_of(str(tmp_path))
    assert said in str(failure.value)
    assert failure.value.status == 2


def test_what_became_of_findings(
    earlier: tuple[Path, Audit], capsys: pytest.CaptureFixture[str]
) -> None:
    now = findings_of(str(earlier[0]))
    (error,) = (one for one, row in now.items() if row["severity"] == "error")
    (still,) = (one for one, row in now.items() if row["status"] == "open")
    over, new, *rest = (one for one in now if one not in {error, still})
    before = {one: dict(row) for one, row in now.items()}
    before[error]["severity"] = "warning"
    before[still]["status"] = "over"
    before[over]["status"] = "open"
    before["of old"] = before.pop(new) | {"explanation": "as it was"}
    say_difference(before, earlier[1], Options())
    said = capsys.readouterr().err.removesuffix("\n").split("\n")
    assert sorted(said) == sorted(
        [
            *(
                f"kproto: {word}: {row['severity']} {row['rule']} "
                f"{row['group_id'] or '(fleet)'}: {row['explanation']}"
                for word, row in (
                    ("worse", now[error]),
                    ("again", now[still]),
                    ("over", now[over]),
                    ("new", now[new]),
                    ("gone", before["of old"]),
                )
            ),
            f"kproto: {counted(len(rest), 'finding')} as before",
        ]
    )


def test_what_was_not_asked_for_is_not_gone(
    earlier: tuple[Path, Audit], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = findings_of(str(earlier[0]))
    assert {row["group_id"] for row in before.values()} > {"leader-ck+kafkago"}
    now = audit(tmp_path, "leader-*")
    say_difference(before, now, Options(groups=("leader-*",)))
    same = sum(row["group_id"] == "leader-ck+kafkago" for row in before.values())
    same += sum(row["group_id"] is None for row in now.findings.to_pylist())
    assert capsys.readouterr().err == f"kproto: {counted(same, 'finding')} as before\n"


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
        check_not_empty(source, out)
    assert failure.value.status == 2


def test_the_command_looks_where_it_writes(kproto: Run, tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "in")
    before = sorted((tmp_path / "in").iterdir())
    done = kproto("audit", tmp_path / "in", "--out", tmp_path / "in", status=2)
    assert b"never writes there" in done.stderr
    assert sorted((tmp_path / "in").iterdir()) == before
