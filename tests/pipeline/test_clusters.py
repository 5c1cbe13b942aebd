"""Several clusters in one audit: groups of one name are two groups, and each has its own ends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kproto.codec import GroupMetadataKey, OffsetCommitKey, OffsetCommitValue
from kproto.pipeline.sources.places import cluster_of
from kproto.pipeline.sources.segments.segment_units import SegmentUnit
from kproto.tools.main import main
from tests.pipeline.test_audit_sizes import START, generation, write

MINUTE = 60_000


def cluster(folder: Path, name: str, ends: int) -> Path:
    """A group `g` that commits 60 records a minute; the topic's end is in a file beside it."""
    key = OffsetCommitKey(group="g", topic="t", partition=0).to_bytes()
    records: list[tuple[bytes, bytes | None]] = [
        (GroupMetadataKey(group="g").to_bytes(), generation(1)),
    ]
    for number in range(1, 20):
        value = OffsetCommitValue(
            offset=number * 60, metadata="", commit_timestamp=START + number * MINUTE
        )
        records.append((key, value.to_bytes()))
    write(folder / name, records)
    (folder / name / "meta.properties").write_text(f"version=1\ncluster.id={name}\n")
    (folder.parent / f"{name}.json").write_text(
        f'{{"t": {{"partitions": 1, "ends": {{"0": {ends}}}}}}}'
    )
    return folder / name


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A folder of two clusters."""
    folder = tmp_path / "in"
    cluster(folder, "east", 19 * 60)
    cluster(folder, "west", 20_000_000)
    return folder


def test_a_folder_of_two_clusters(two: Path, tmp_path: Path) -> None:
    topics = [f"--topics={name}=@{tmp_path / name}.json" for name in ("east", "west")]
    out = tmp_path / "out"
    assert main(["audit", str(two), "--out", str(out), *topics]) == 1
    found = json.loads((out / "findings.json").read_text())["findings"]
    loud = [(row["cluster"], row["group"], row["code"]) for row in found
            if row["severity"] != "info"]  # fmt: skip
    assert loud == [("west", "g", "lag-falling-behind")]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["clusters"] == ["east", "west"]
    groups = pq.read_table(out / "current").select(["cluster_id", "group_id", "lag"]).to_pylist()
    assert groups == [
        {"cluster_id": "west", "group_id": "g", "lag": 20_000_000 - 19 * 60},
        {"cluster_id": "east", "group_id": "g", "lag": 0},
    ]
    metrics = (out / "metrics.txt").read_text()
    assert 'kproto_group_lag{group="g",cluster="east"} 0' in metrics
    labels = set(re.findall(r'cluster="(.*?)"', metrics))
    assert labels == {"east", "west"}  # a label of both would join with nothing
    read = pq.read_table(out / "records").num_rows
    assert f'kproto_run_records{{fate="written"}} {read}\n' in metrics
    assert "kproto_records" not in metrics
    page = (out / "report.html").read_text()
    assert "<title>Consumer groups of east, west</title>" in page
    assert "Broken then: 1 of 2 groups" in page
    assert "<p>All of this is as of 2023-11-14 " in page and "UTC, its newest record, " in page


def test_sources_by_name(two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The names are the clusters', whatever their brokers say."""
    east, west = two / "east", two / "west"
    out = tmp_path / "out"
    assert main(["audit", f"a={east}", f"b={west}", f"c={east}", "--out", str(out)]) == 0
    clusters = pq.read_table(out / "records").column("cluster_id").to_pylist()
    assert {name: clusters.count(name) for name in "abc"} == {"a": 20, "b": 20, "c": 20}
    assert main(["audit", f"a={east}", f"a={west}", "--out", str(tmp_path / "x")]) == 2
    assert "'a' is there twice" in capsys.readouterr().err
    wrong = ["--topics", f"z=@{tmp_path / 'east.json'}"]
    assert main(["audit", str(two), "--out", str(tmp_path / "x"), *wrong]) == 2
    assert "no cluster is called z, but east, west" in capsys.readouterr().err


def test_one_of_several_that_says_no_cluster_is_refused(
    two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (cluster(two, "north", 0) / "meta.properties").unlink()
    assert main(["audit", str(two), "--out", str(tmp_path / "out")]) == 3
    assert "north has no meta.properties" in capsys.readouterr().err


def test_backups_of_brokers_of_one_cluster(tmp_path: Path) -> None:
    """The cluster is what all of their `meta.properties` name."""
    for broker in ("b1", "b2/data"):
        (tmp_path / broker).mkdir(parents=True)
        (tmp_path / broker / "meta.properties").write_text("version=1\ncluster.id=one\n")
    assert cluster_of(str(tmp_path)) == "one"
    (tmp_path / "b1" / "meta.properties").write_text("version=1\ncluster.id=two\n")
    assert cluster_of(str(tmp_path)) is None


DEAD = "kafka://127.0.0.1:1"
"""A port of this machine on which nothing listens."""


def test_a_cluster_that_does_not_answer(
    two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are audited, and it is named with the reason wherever the audit is read."""
    out = tmp_path / "out"
    sources = [f"east={two / 'east'}", f"north={DEAD}", f"west={two / 'west'}"]
    junit = tmp_path / "audit.xml"
    assert main(["audit", *sources, "--out", str(out), "--junit", str(junit)]) == 3
    assert '<testcase classname="cluster" name="north"><error message="' in junit.read_text()
    reason = "127.0.0.1:1 cannot be reached: connection refused"
    assert f"cluster north is not audited: {DEAD}: {reason}\n2 groups" in capsys.readouterr().out
    assert (
        f'<b class="error">Cluster north is not audited.</b> {DEAD}: {reason}.'
        in (out / "report.html").read_text()
    )
    (lost,) = json.loads((out / "findings.json").read_text())["notRead"]
    assert (lost["cluster"], lost["source"], lost["reason"]) == ("north", DEAD, reason)
    metrics = (out / "metrics.txt").read_text()
    assert re.findall(r'kproto_cluster_audited{cluster="(.*)"} (.)', metrics) == [
        ("east", "1"), ("west", "1"), ("north", "0"),
    ]  # fmt: skip
    assert json.loads((out / "manifest.json").read_text())["clusters"] == ["east", "west"]
    quarantine = pq.read_table(out / "quarantine").select(["cluster_id", "source"]).to_pylist()
    assert quarantine == [{"cluster_id": "north", "source": DEAD}]


def test_one_of_two_that_does_not_answer(two: Path, tmp_path: Path) -> None:
    """What is left is an audit of one cluster; a group may be one of the other."""
    sources, out = [str(two / "east"), DEAD], str(tmp_path / "out")
    assert main(["audit", *sources, "--out", out, "--group", "nowhere"]) == 3
    assert main(["audit", *sources, "--out", out, "--replace", "--fail-on", "info"]) == 3
    metrics = (tmp_path / "out" / "metrics.txt").read_text()
    assert 'kproto_records{fate="written",cluster="east"} 20\n' in metrics
    assert 'kproto_cluster_audited{cluster="127.0.0.1:1"} 0\n' in metrics


def test_a_cluster_without_a_record_beside_one_that_does_not_answer(tmp_path: Path) -> None:
    write(tmp_path / "in", [])
    out = tmp_path / "out"
    assert main(["audit", f"a={tmp_path / 'in'}", f"b={DEAD}", "--out", str(out)]) == 3
    assert 'kproto_cluster_audited{cluster="a"} 1\n' in (out / "metrics.txt").read_text()


def test_no_cluster_that_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = "kafka://127.0.0.1:2"
    assert main(["audit", f"a={DEAD}", f"b={other}", "--out", str(tmp_path / "out")]) == 3
    said = capsys.readouterr().err
    assert "127.0.0.1:1 cannot be reached" in said and "127.0.0.1:2 cannot be reached" in said
    assert not (tmp_path / "out").exists()


def test_names_of_clusters_that_do_not_answer(
    two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are as much part of the command line as the others."""
    sources, out = [f"a={two / 'east'}", f"a={DEAD}"], ["--out", str(tmp_path / "out")]
    assert main(["audit", *sources, *out]) == 2
    assert "'a' is there twice" in capsys.readouterr().err
    sources = [str(two / "east"), DEAD]
    assert main(["audit", *sources, *out, "--cluster-id", "x"]) == 2
    assert "--cluster-id is of one source" in capsys.readouterr().err


def test_a_cluster_that_is_lost_while_it_is_read(
    two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of its records would tell of troubles that it does not have."""
    read = SegmentUnit.tables

    def tables(unit: SegmentUnit, cluster_id: str) -> Any:
        yield from read(unit, cluster_id)
        if cluster_id == "west":
            raise OSError("the store has not answered")

    monkeypatch.setattr(SegmentUnit, "tables", tables)
    out = tmp_path / "out"
    sources = [f"{name}={two / name}" for name in ("east", "west")]
    assert main(["audit", *sources, "--out", str(out)]) == 3
    said = capsys.readouterr()
    assert "west cannot be read, and the others are read again" in said.err
    sentence = f"cluster west is not audited: {two / 'west'}: the store has not answered"
    assert sentence in " ".join(said.out.split())
    assert pq.read_table(out / "current").column("cluster_id").to_pylist() == ["east"]
    assert set(pq.read_table(out / "records").column("cluster_id").to_pylist()) == {"east"}
    assert main(["audit", f"west={two / 'west'}", "--out", str(tmp_path / "y")]) == 3
    assert not (tmp_path / "y").exists()


def test_what_is_known_of_a_cluster_that_does_not_answer_stays_known(
    two: Path, tmp_path: Path
) -> None:
    """The night after, its findings are neither gone nor new."""
    known, out = tmp_path / "known.json", tmp_path / "out"
    topics = f"--topics=west=@{tmp_path / 'west.json'}"
    east, west = (f"{name}={two / name}" for name in ("east", "west"))
    night = ["audit", "--out", str(out), "--replace", topics]
    both = ["--baseline", str(known), "--write-baseline", str(known)]
    assert main([*night, *both, east, west]) == 1
    before = known.read_bytes()
    assert b"lag-falling-behind" in before
    assert main([*night, *both, east, f"west={DEAD}"]) == 3
    assert known.read_bytes() == before
    assert json.loads((out / "findings.json").read_text())["gone"] == []
    assert main([*night, *both, east, west]) == 0
