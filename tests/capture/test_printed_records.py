"""Records of the offsets topic that Kafka's tools have decoded, written again."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.capture.segments.printed_records import PrintedRecords, has_printed_records
from kproto.capture.text import read
from kproto.codec import (
    ConsumerProtocolAssignment,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from kproto.inspector.evidence import MessageJudge

GOLDEN = Path(__file__).parent / "golden"
HEAD = "CreateTime: 1606746000000 keysize: 20 valuesize: 24 sequence: -1 headerKeys: [] key: "


def test_records_of_kafka_4_are_written_again() -> None:
    """What kafka-dump-log 4.3.1 printed: it prints the sizes of key and value, too."""
    text = (GOLDEN / "kafka-dump-log.txt").read_text(encoding="utf-8")
    records = PrintedRecords()
    sizes = []
    for line in text.splitlines():
        record = records.read(line)
        if record is None:
            continue
        size = -1 if record.value is None else len(record.value)
        sizes.append(f"keySize: {len(record.key)} valueSize: {size} " in line)
    assert sizes == [True] * 6


def test_the_version_of_a_decoded_part_is_told_by_its_fields() -> None:
    text = (GOLDEN / "kafka-dump-log.txt").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "kafkajs" in line)
    record = PrintedRecords().read(line)
    assert record is not None and record.value is not None
    (member,) = GroupMetadataValue.from_bytes(record.value).members
    assignment = ConsumerProtocolAssignment.from_bytes(member.assignment)
    assert assignment.assigned_partitions[0].partitions == tuple(range(12))
    assert "does not print the version of the members' assignment" in record.remark


EPOCH = (
    'OffsetAndMetadata(offset=120, leaderEpoch=OptionalInt[4], metadata={"a": 1, "b": 2}, '
    "commitTimestamp=1714723353123, expireTimestamp=OptionalLong.empty)"
)
RECORD_OFFSET = (
    "OffsetAndMetadata(offset=1, leaderEpoch=Optional.empty, metadata=, commitTimestampMs="
    "1714723353123, expireTimestampMs=OptionalLong.empty, recordOffset=77)"
)
OLD = "[OffsetMetadata[9,NO_METADATA],CommitTime 1520613132835,ExpirationTime 1520699532835]"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            EPOCH,
            OffsetCommitValue(
                offset=120, leader_epoch=4, metadata='{"a": 1, "b": 2}',
                commit_timestamp=1714723353123,
            ).to_bytes(3),
        ),
        (
            RECORD_OFFSET,
            OffsetCommitValue(
                offset=1, leader_epoch=-1, metadata="", commit_timestamp=1714723353123
            ).to_bytes(3),
        ),
        (
            OLD,
            OffsetCommitValue(
                offset=9, metadata="", commit_timestamp=1520613132835,
                expire_timestamp=1520699532835,
            ).to_bytes(1),
        ),
        ("NULL", None),
    ],
)  # fmt: skip
def test_a_commit_that_older_consoles_print(text: str, value: bytes | None) -> None:
    record = PrintedRecords().read(f"[a,b,clicks.raw,11]::{text}")
    assert record is not None
    key = OffsetCommitKey.from_bytes(record.key)
    assert (key.group, key.topic, key.partition) == ("a,b", "clicks.raw", 11)
    assert (record.value, record.missing) == (value, "")


def test_a_group_that_older_consoles_print_as_deleted() -> None:
    """What GroupMetadataMessageFormatter of Kafka 2 and 3 writes for a tombstone."""
    record = PrintedRecords().read("billing::NULL")
    assert record is not None and (record.value, record.missing) == (None, "")
    assert record.key == GroupMetadataKey(group="billing").to_bytes(0)
    (tombstone,) = read(b"billing::NULL\n", judge=MessageJudge()).records
    assert (tombstone.key, tombstone.value) == ({"group": "billing"}, None)


def test_a_group_without_bytes_has_what_is_printed() -> None:
    record = PrintedRecords().read(
        "fleet::GroupMetadata(groupId=fleet, generation=3, protocolType=Some(consumer), "
        "currentState=Stable, members=HashMap(m-1 -> MemberMetadata(memberId=m-1, "
        "groupInstanceId=Some(pod-0), clientId=c1, clientHost=/10.0.0.5, sessionTimeoutMs=45000, "
        "rebalanceTimeoutMs=300000, supportedProtocols=List(range, cooperative-sticky)), m-2 -> "
        "MemberMetadata(memberId=m-2, groupInstanceId=None, clientId=c2, clientHost=/10.0.0.6, "
        "sessionTimeoutMs=45000, rebalanceTimeoutMs=300000, supportedProtocols=List(range))))"
    )
    assert record is not None and record.group is not None
    assert record.key == GroupMetadataKey(group="fleet").to_bytes(0)
    assert record.group.members == (
        ("m-1", "pod-0", "c1", "/10.0.0.5", ("range", "cooperative-sticky")),
        ("m-2", None, "c2", "/10.0.0.6", ("range",)),
    )
    assert "Stable, generation 3, consumer, m-1 (pod-0, c1" in record.missing
    assert "no bytes of members" in record.missing


def test_what_an_older_dump_prints_of_a_group() -> None:
    record = PrintedRecords().read(
        f"| offset: 0 {HEAD}group_metadata::group=fleet payload: protocolType=consumer,"
        "protocol=range,generationId=12,assignment={m-1=[orders-0, orders-1], m-2=[]}"
    )
    assert record is not None and record.group is not None
    assert (record.offset, record.timestamp) == (0, 1606746000000)
    assert [member.member_id for member in record.group.members] == ["m-1", "m-2"]
    assert (record.group.protocol, record.group.generation) == ("range", 12)


def test_places_are_taken_from_the_file_and_the_properties() -> None:
    records = PrintedRecords()
    assert records.read("Dumping /var/kafka/__consumer_offsets-31/00000000000000000000.log") is None
    dumped = records.read(
        f"| offset: 7 {HEAD}offset_commit::group=g,partition=a-b-11 payload: <DELETE>"
    )
    assert dumped is not None
    assert (dumped.partition, dumped.offset, dumped.value, dumped.missing) == (31, 7, None, "")
    assert OffsetCommitKey.from_bytes(dumped.key).topic == "a-b"
    front = "CreateTime:1714723353123\tPartition:4\tOffset:99\tNO_HEADERS\t"
    printed = records.read(rf"{front}\x00\x02\x00\x05fleet" + "\tnull")
    assert printed is not None
    assert printed[:5] == (
        GroupMetadataKey(group="fleet").to_bytes(0), None, 4, 99, 1714723353123
    )  # fmt: skip


@pytest.mark.parametrize("line", ["", "a\tb", r"\x00\x7f\x00" + "\tnull", "x::y", "::GroupMeta("])
def test_other_lines_are_no_records(line: str) -> None:
    assert PrintedRecords().read(line) is None
    assert not has_printed_records(line.encode())
