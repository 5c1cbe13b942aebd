"""Several clusters in one audit: groups of one name are two groups, and each has its own ends."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kproto.codec import GroupMetadataKey, OffsetCommitKey, OffsetCommitValue
from kproto.pipeline.sources.places import cluster_of
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
