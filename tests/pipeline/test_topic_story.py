"""The story of the offsets topic: what its records show, alone and beside other sources."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from kproto.capture.segments.offsets_topic import decode_record
from kproto.capture.segments.records import Record
from kproto.capture.summary import Summary
from kproto.codec import GroupMetadataKey, GroupMetadataValue
from kproto.history.causes import CAUSES
from kproto.tools.input import find_capture, read_items
from kproto.tools.main import main
from kproto.tools.output.progress import progress_of
from tests.inspector.samples import VECTORS

TOPIC = VECTORS / "captures" / "offsets-topic"


def _story(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict]:  # type: ignore[type-arg]
    assert main(["story", *arguments, "--json"]) == 0
    return {group["group"]: group for group in json.loads(capsys.readouterr().out)["groups"]}


def _records() -> dict[str, list[tuple[int, GroupMetadataValue]]]:
    """The records of classic groups with members, by group: offset and value."""
    found: defaultdict[str, list[tuple[int, GroupMetadataValue]]] = defaultdict(list)
    capture = find_capture(str(TOPIC), "file", None, 1 << 30)
    assert capture is not None
    with progress_of(0) as bar:
        for record in read_items(capture, Summary(), bar):
            if not isinstance(record, Record) or record.value is None:
                continue
            decoded = decode_record(record)
            key = decoded.key and decoded.key.message
            value = decoded.value and decoded.value.message
            if not isinstance(key, GroupMetadataKey):
                continue
            if isinstance(value, GroupMetadataValue) and value.members:
                found[key.group].append((record.offset, value))
    return found


def test_each_generation_of_the_records_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = _story(capsys, str(TOPIC))
    for group, records in _records().items():
        here = {
            rebalance["generation"]: rebalance for rebalance in told[group]["rebalances"]
        }  # fmt: skip
        for offset, value in records:
            rebalance = here[value.generation]
            assert rebalance["leader"] == value.leader or len(records) > 1
            events = [
                event for event in told[group]["events"]
                if any(place["line"] == offset for place in event["places"])
            ]  # fmt: skip
            members = {event["member"] for event in events if event["event"] == "assigned"}
            assert members <= {member.member_id for member in value.members}
            assert any(event["event"] == "leader-assigns" for event in events)


def test_causes_are_as_certain_as_records_make_them(capsys: pytest.CaptureFixture[str]) -> None:
    for group in _story(capsys, str(TOPIC)).values():
        for rebalance in group["rebalances"]:
            for cause in rebalance["causes"]:
                facts = CAUSES[cause["cause"]]
                assert not cause["certain"] or facts.in_records == "certain"
                if cause["cause"] != "unknown" and facts.in_records == "likely":
                    assert cause["rivals"]


def test_records_and_frames_are_one_story(capsys: pytest.CaptureFixture[str]) -> None:
    """The frames of the same run make certain what records make likely."""
    frames = str(VECTORS / "captures" / "frames.jsonl")
    both = _story(capsys, str(TOPIC), frames)
    alone = _story(capsys, str(TOPIC))
    shared = 0
    for name, group in alone.items():
        for rebalance in both[name]["rebalances"]:
            numbers = [other["generation"] for other in group["rebalances"]]
            shared += rebalance["generation"] in numbers
        sources = {
            place["source"] for event in both[name]["events"] for place in event["places"]
        }  # fmt: skip
        assert any("consumer_offsets" in source for source in sources)
    assert shared > 100


def test_a_log_beside_the_records_keeps_what_it_proves(capsys: pytest.CaptureFixture[str]) -> None:
    broker = str(VECTORS / "logs" / "slow-poll" / "broker.log.gz")
    alone = _story(capsys, broker)
    both = _story(capsys, broker, str(TOPIC))
    assert both["orders-slow"]["rebalances"] == alone["orders-slow"]["rebalances"]
