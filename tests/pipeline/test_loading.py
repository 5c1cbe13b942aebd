"""Whether a coordinator can load records; tests/broker/test_loading.py asks a real one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kproto.codec import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
)
from kproto.pipeline.audit import Place
from kproto.pipeline.audit.loading import Loading
from kproto.pipeline.audit.modern import ModernFold
from kproto.tools.main import main

from .test_storm_causes import REPORTS, findings_of

CLASSIC, COMMIT = "GroupMetadataKey", "commit"
CONSUMER = ("ConsumerGroupMemberMetadataKey", "ConsumerGroupMetadataKey")
STREAMS = ("StreamsGroupMemberMetadataKey", "StreamsGroupMetadataKey")
SHARE = ("ShareGroupMemberMetadataKey", "ShareGroupMetadataKey")


def gone(*names: str) -> tuple[str, ...]:
    """Tombstones."""
    return tuple(f"-{name}" for name in names)


def loaded(*records: str) -> Loading:
    loading = Loading()
    for offset, record in enumerate(records):
        if record == COMMIT:
            loading.commit()
        else:
            is_tombstone = record.startswith("-")
            place = Place("log", 7, offset, 1_700_000_000_000)
            loading.take(record.lstrip("-"), place, is_tombstone=is_tombstone)
    return loading


@pytest.mark.parametrize("records", [
    (CLASSIC, COMMIT, CLASSIC),
    (COMMIT, *CONSUMER, COMMIT),
    (COMMIT, *CONSUMER, *gone(*CONSUMER)),
    (CLASSIC, COMMIT, f"-{CLASSIC}", *CONSUMER, COMMIT),  # upgraded
    (CLASSIC, f"-{CLASSIC}", *CONSUMER, *gone(*CONSUMER), CLASSIC),  # and back
    (*gone(*CONSUMER), CLASSIC),  # compacted
    (*CONSUMER, *gone(*CONSUMER), *STREAMS),
    (*STREAMS, COMMIT),
    (*SHARE, *gone(*SHARE), CLASSIC),
])  # fmt: skip
def test_what_loads(records: tuple[str, ...]) -> None:
    assert loaded(*records).obstacle is None


@pytest.mark.parametrize(("records", "offset", "issue", "is_mended"), [
    ((CLASSIC, *CONSUMER), 1, "KAFKA-21117", False),
    ((CLASSIC, COMMIT, *STREAMS), 2, "KAFKA-21117", False),
    ((CLASSIC, *gone(*CONSUMER)), 1, "KAFKA-21117", False),
    ((COMMIT, *STREAMS), 1, "KAFKA-20254", True),
    ((*CONSUMER, *STREAMS), 2, "KAFKA-21117", False),
])  # fmt: skip
def test_what_does_not(records: tuple[str, ...], offset: int, issue: str, is_mended: bool) -> None:
    obstacle = loaded(*records).obstacle
    assert obstacle is not None
    assert (obstacle.place.offset, obstacle.issue, obstacle.is_mended) == (
        offset, issue, is_mended,
    )  # fmt: skip


def test_a_partition_that_two_members_have() -> None:
    """KAFKA-19862: the record that takes it from the first was compacted away."""
    fold = ModernFold("c", "g", "consumer")
    value = ConsumerGroupCurrentMemberAssignmentValue
    for offset, (member_id, partitions) in enumerate([("a", [0, 1]), ("b", [2]), ("b", [1, 2])]):
        fold.observe(
            Place("log", 7, offset, -1),
            ConsumerGroupCurrentMemberAssignmentKey(group_id="g", member_id=member_id),
            value(
                member_epoch=3, previous_member_epoch=2, state=0,
                assigned_partitions=[value.TopicPartitions(partitions=partitions)],
                partitions_pending_revocation=[],
            ),
        )  # fmt: skip
    assert fold.overlap is not None
    assert fold.overlap[0].offset == 2
    assert "is given to b while a still has it" in fold.overlap[1]


def test_the_record_and_what_follows_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ConsumerGroup record behind a classic one: a 4.3.1 broker does not load the partition."""
    found = {each["code"]: each for each in findings_of("k21117.jsonl", tmp_path, capsys)}
    finding = found["partition-not-loadable"]
    assert (finding["group"], finding["severity"]) == ("g", "critical")
    assert (finding["cause"], finding["certainty"]) == (
        "offsets-partition-not-loadable", "certain",
    )  # fmt: skip
    assert finding["evidence"]["sourceOffset"] == 2
    assert finding["evidence"]["record"] == "ConsumerGroupMemberMetadata"
    assert "every group of it has no coordinator" in finding["explanation"]


@pytest.mark.parametrize("tombstone", [False, True])
def test_a_broker_that_loads_its_own_layout_is_not_accused(
    tombstone: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Redpanda's records: a version in front of each member, and a size in front of a key."""
    record = (REPORTS / "rp.jsonl").read_text().splitlines()[0]
    lines = [record]
    if tombstone:
        key = "0b0000000002000762696c6c696e67"  # of the group billing
        lines.append(json.dumps({**json.loads(record), "offset": 13, "key": key, "value": None}))
    source = tmp_path / "rp.jsonl"
    source.write_text("\n".join(lines) + "\n")
    main(["audit", str(source), "--out", str(tmp_path / "out"), "--json"])
    written = json.loads(capsys.readouterr().out)
    assert written["records"]["quarantined"] == 0
    assert written["records"]["written"] == len(lines)
    assert not {each["code"] for each in written["findings"]} & {
        "unreadable-record", "unreadable-member", "partition-not-loadable",
    }  # fmt: skip
