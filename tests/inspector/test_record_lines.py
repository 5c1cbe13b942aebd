"""Records as JSON lines: the fast way says exactly what the careful one says."""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import Record, decode_record, plain_record, read_segments
from kproto.capture.segments.offsets_topic import record_types
from kproto.capture.segments.records import BatchInfo
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
    Policy,
    decode,
)
from kproto.inspector.diagnose.clean_check import clean_check
from kproto.inspector.recognition import BoundedCache
from kproto.inspector.reports.record_lines import RecordLines

from ..codec.strategies import broken
from .samples import VECTORS, vectors

BATCH = BatchInfo("made", 3, 0, 0, False, False, -1, None)


@cache
def captured() -> list[Record]:
    return list(read_segments([VECTORS / "captures"]))


@cache
def from_java() -> list[Record]:
    """Keys and values that Java's classes wrote, one record each: made to fit by record type."""
    found = []
    kinds = {kind.key.NAME: kind for kind in record_types().values()}
    values = {kind.value.NAME: kind for kind in record_types().values()}
    for vector in vectors("group-messages.jsonl"):
        body, version = bytes.fromhex(vector["hex"]), vector["version"]
        if vector["name"] in kinds:
            kind = kinds[vector["name"]]
            found.append(Record(BATCH, 1, 2, kind.number.to_bytes(2, "big") + body, None))
        elif vector["name"] in values:
            kind = values[vector["name"]]
            key = kind.key().to_bytes()
            found.append(Record(BATCH, 1, None, key, version.to_bytes(2, "big") + body))
    return found


def both(record: Record, policy: Policy = Policy.KAFKA) -> tuple[Any, Any, bool]:
    """The line as it is made, the line of the careful way alone, and whether it is refused."""
    line, refused = RecordLines(plain_record, decode_record, policy).line(record)
    careful, refused_too = RecordLines(lambda _: None, decode_record, policy).line(record)
    assert refused == refused_too
    assert line.isascii() and b"\x7f" not in line and b"\n" not in line
    return json.loads(line), json.loads(careful), refused


def test_captured_records() -> None:
    for record in captured():
        line, careful, refused = both(record)
        assert line == careful
        assert not refused
        assert list(line) == ["source", "partition", "offset", "time", "key", "value"]


def test_records_of_java() -> None:
    assert len(from_java()) > 100
    for record in from_java():
        line, careful, _ = both(record)
        assert line == careful


def test_nothing_is_unexplained() -> None:
    """Every record of real brokers is read to its last byte, and so is all that is inside."""
    for record in captured():
        line, _, _ = both(record)
        for part in (line["key"], line["value"]):
            if part is not None:
                assert part["error"] is None and part["remainder"] == ""
                assert part["message"] is not None
    assert sum(record.value is None for record in captured()) > 10


Pair = tuple[bytes | None, bytes | None]


@st.composite
def damaged_records(draw: st.DrawFn) -> Pair:
    """The key and the value of a record of a broker or of Java, with a change or two, or as they
    are.
    """
    record = draw(st.sampled_from(captured()) | st.sampled_from(from_java()))
    key = draw(broken(record.key or b""))
    return key, None if record.value is None else draw(broken(record.value))


@given(damaged_records())
def test_damaged_records(pair: Pair) -> None:
    """The proof that nothing deviates is none where something does."""
    changed = Record(BATCH, 5, 6, *pair)
    for policy in Policy:
        line, careful, _ = both(changed, policy)
        assert line == careful


NAMES = st.lists(st.sampled_from(["a", "b", "c", "", "__proto__", "x\0y", "é", "日本"]), max_size=4)
NUMBERS = st.lists(st.integers(-2, 4), max_size=4)
DATA = st.sampled_from([None, b"", b"text", b"\0\0\0\0", b"\0\0\0\x05"])


@given(
    NAMES,
    st.lists(st.tuples(st.sampled_from(["a", "b", "", "é"]), NUMBERS), max_size=3),
    DATA,
    st.tuples(st.sampled_from([-3, -1, 0, 7]), st.sampled_from([None, "", "r"])),
    st.integers(0, 3),
    st.sampled_from(["sticky", "cooperative-sticky", "range"]),
)
def test_odd_and_sound_members(
    topics: list[str],
    owned: list[tuple[str, list[int]]],
    data: bytes | None,
    told: tuple[int, str | None],
    version: int,
    protocol: str,
) -> None:
    """Every rule on content and style, and what is next to it."""
    generation, rack = told
    said = ConsumerProtocolSubscription(
        topics=topics,
        user_data=data,
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=partitions)
            for topic, partitions in owned
        ],
        generation_id=generation,
        rack_id=rack,
    )
    given_ = ConsumerProtocolAssignment(
        assigned_partitions=[
            ConsumerProtocolAssignment.TopicPartition(topic=topic, partitions=partitions)
            for topic, partitions in owned
        ],
        user_data=data,
    )
    member = GroupMetadataValue.MemberMetadata(
        member_id="m",
        client_id="c",
        client_host="h",
        subscription=said.to_bytes(version),
        assignment=given_.to_bytes(version),
    )
    value = GroupMetadataValue(
        protocol_type="consumer", protocol=protocol, generation=generation, members=[member]
    )
    key = GroupMetadataKey(group="g").to_bytes()
    line, careful, _ = both(Record(BATCH, 1, 2, key, value.to_bytes(3)))
    assert line == careful


def test_the_proof_is_what_makes_it_fast() -> None:
    """Of the records that classic groups leave behind, no value has to be read twice."""
    proved = 0
    for record in captured():
        plain = plain_record(record)
        assert plain is not None
        if plain.value is not None and record.key is not None and record.key[1] in (1, 2):
            proof = clean_check(type(plain.value), plain.value_version or 0)
            assert proof(plain.value, record.value or b"")
            proved += 1
    assert proved > 700


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        (b"\0\x63rest", b"value", "unknown-record-type"),
        (b"\0", b"value", "unknown-record-type"),
        (None, b"value", "unknown-record-type"),
    ],
)
def test_what_nobody_knows_is_kept(key: bytes | None, value: bytes, kind: str) -> None:
    line, _, refused = both(Record(BATCH, 1, 2, key, value))
    assert refused
    assert line["value"]["remainder"] == value.hex()
    assert line["value"]["error"]["kind"] == kind
    assert (line["key"] is None) == (key is None)


def test_control_records() -> None:
    batch = BATCH._replace(control=True, transactional=True)
    line, _, refused = both(Record(batch, 1, 2, b"\0\0\0\1", b"\0\0\0\0\0\0"))
    assert not refused
    for part in ("key", "value"):
        assert line[part]["error"] is None and "commit" in line[part]["note"]
    line, _, refused = both(Record(batch, 1, 2, b"\0\0\0\1", None))
    assert not refused and line["value"] is None


@pytest.mark.parametrize("outcome", ["committed", "aborted", "undecided", None])
def test_transactions(outcome: Any) -> None:
    good = captured()[0]
    batch = BATCH._replace(transactional=True, outcome=outcome)
    line, careful, _ = both(Record(batch, 1, 2, good.key, good.value))
    assert line == careful
    assert line["transaction"] == outcome


def test_names_are_escaped() -> None:
    key = OffsetCommitKey(group="\x1b[2J\u202e\x7f\U0001f600", topic="t", partition=1).to_bytes()
    line, _ = RecordLines(plain_record, decode_record).line(Record(BATCH, 1, 2, key, None))
    assert b"\\u001b[2J\\u202e\\u007f\\ud83d\\ude00" in line
    assert json.loads(line)["key"]["message"]["group"] == "\x1b[2J\u202e\x7f\U0001f600"


def test_unknown_tagged_fields_out_of_order() -> None:
    """They are read, and cannot be written."""
    value = OffsetCommitValue(offset=1, commit_timestamp=2).to_bytes(4)
    assert value.endswith(b"\0")
    key = OffsetCommitKey(group="g", topic="t", partition=1).to_bytes()
    for tags in ("02 05 01 aa 04 01 bb", "02 04 01 aa 04 01 bb", "02 04 01 aa 05 01 bb"):
        for _ in range(2):
            record = Record(BATCH, 1, 2, key, value[:-1] + bytes.fromhex(tags))
            line, careful, _ = both(record)
            assert line == careful
            assert line["value"]["deviations"]


def test_what_was_proved_once_proves_no_other() -> None:
    """Offset commits that differ in numbers alone are looked at once; in tags or text, again."""
    key = OffsetCommitKey(group="g", topic="t", partition=1).to_bytes()
    good = OffsetCommitValue(offset=1, topic_id=UUID(int=7)).to_bytes(4)
    moved = OffsetCommitValue(offset=9, topic_id=UUID(int=7)).to_bytes(4)
    longer = good[:14] + b"\x81\0" + good[15:]  # an empty text, its length in two bytes
    wrong_size = good.replace(b"\0\x10" + bytes(15), b"\0\x11" + bytes(15))
    assert len({good, moved, longer, wrong_size}) == 4
    codes = []
    for value in (good, moved, longer, wrong_size, good, longer, wrong_size):
        line, careful, _ = both(Record(BATCH, 1, 2, key, value))
        assert line == careful
        codes.append([deviation["code"] for deviation in line["value"]["deviations"]])
    assert codes[:2] == [[], []] and codes[4] == []
    assert codes[2] == ["KP003"] == codes[5]


def test_what_is_kept_is_bounded() -> None:
    kept = BoundedCache[bytes](10_000)
    for number in range(1000):
        kept.keep(number, 100, b"x" * 90)
        assert kept.size <= 10_000
    assert kept.get(999) is not None and kept.get(0) is None
    kept.keep("large", 1 << 20, b"")
    assert kept.get("large") is None


def test_versions_of_keys() -> None:
    for record in captured()[:50]:
        assert record.key is not None
        line, _, _ = both(record)
        kind = record_types()[record.key[1]]
        assert line["key"]["name"] == kind.key.NAME
        assert line["key"]["version"] == decode(record.key, kind.key).version


def test_odd_records_have_fields_and_on_demand_all() -> None:
    whole = OffsetCommitValue(offset=3, commit_timestamp=5).to_bytes(3)
    key = OffsetCommitKey(group="g", topic="t", partition=0).to_bytes()
    for value, with_fields, expected in (
        (whole, False, None),
        (whole, True, ["version", "offset", "leader_epoch", "metadata", "commit_timestamp"]),
        (whole[:-1], False, ["version", "offset", "leader_epoch", "metadata"]),
    ):
        record = Record(BATCH, 1, 2, key, value)
        plain = (lambda _: None) if with_fields else plain_record
        lines = RecordLines(plain, decode_record, with_fields=with_fields)
        line = json.loads(lines.line(record)[0])
        fields = line["value"].get("fields")
        paths = None if fields is None else [field["path"] for field in fields]
        assert paths == expected or (paths or [])[:-1] == expected  # the one that is cut
