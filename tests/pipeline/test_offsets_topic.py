"""The offsets topic itself: who fills it, and groups that tools leave behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kproto.cluster.admin import Topic
from kproto.cluster.gathering import _out_of_sync
from kproto.codec import OffsetCommitKey, OffsetCommitValue
from kproto.tools.main import main

START = 1_700_000_000_000


def commits(groups: list[str], folder: Path) -> Path:
    """A commit of each group long ago, and one of another now."""
    records = [(group, START + number) for number, group in enumerate(groups)]
    records.append(("now", START + 7_200_000))
    path = folder / "records.jsonl"
    with path.open("w") as out:
        for offset, (group, time) in enumerate(records):
            key = OffsetCommitKey(group=group, topic="t", partition=0).to_bytes()
            value = OffsetCommitValue(offset=10, metadata="", commit_timestamp=time).to_bytes()
            record = {"partition": 7, "offset": offset, "timestamp": time}
            out.write(json.dumps({**record, "key": key.hex(), "value": value.hex()}) + "\n")
    (folder / "topics.json").write_text('{"t": {"partitions": 1, "ends": {"0": 5000}}}')
    return path


def audited(
    groups: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> dict[str, list[Any]]:
    source = commits(groups, folder)
    topics = f"@{folder / 'topics.json'}"
    main(["audit", str(source), "--out", str(folder / "out"), "--topics", topics, "--json"])
    found: dict[str, list[Any]] = {}
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        found.setdefault(finding["code"], []).append(finding)
    return found


def test_120_groups_of_a_tool_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = audited([f"console-consumer-{n * 37}" for n in range(120)], tmp_path, capsys)
    (finding,) = found["groups-left-behind"]
    assert finding["explanation"].startswith("120 groups console-consumer-* without members")
    assert {each["group"] for each in found.get("lag-stopped", ())} <= {"now"}


def test_a_few_groups_are_judged_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = audited(["orders-1", "orders-2"], tmp_path, capsys)
    assert "groups-left-behind" not in found
    assert {each["group"] for each in found["lag-stopped"]} == {"orders-1", "orders-2"}


def test_records_and_bytes_are_counted_by_group(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audited(["a", "a", "b"], tmp_path, capsys)
    rows = pq.read_table(tmp_path / "out" / "current").to_pylist()
    sizes = {row["group_id"]: (row["records"], row["source_partition"]) for row in rows}
    assert sizes == {"a": (2, 7), "b": (1, 7), "now": (1, 7)}
    assert len({row["bytes"] // row["records"] for row in rows if row["group_id"] in "ab"}) == 1


def test_replicas_that_are_not_in_sync_are_named() -> None:
    topic = Topic("__consumer_offsets", {0: 1, 1: 2}, out_of_sync={0: (1, 3), 1: (2, 3)})
    partition = topic.partition_of("g")
    (text,) = _out_of_sync(topic, "g")
    assert text.startswith(f"partition {partition} of __consumer_offsets, which holds the group")
    assert not list(_out_of_sync(topic._replace(out_of_sync={}), "g"))
    assert not list(_out_of_sync(None, "g"))
