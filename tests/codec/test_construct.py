"""The readable reference, as construct's users meet it."""

from __future__ import annotations

from typing import Any

import construct
import pytest
from construct import Container

from kproto.codec import (
    ConsumerProtocolSubscription,
    compile_definition,
    construct_for,
    message_class,
)

from .shapes import everything
from .test_face import WHOLE
from .ways import by_careful_reader, by_construct, by_decode, plain

Subscription = ConsumerProtocolSubscription
NUMBER = {"name": "Number", "type": "int8", "versions": "0+"}
LATER = {"name": "Later", "type": "int8", "versions": "1+"}


def flexible(**field: Any) -> Any:
    whole = {"name": "Part", "type": "Part", "versions": "0+", "fields": [NUMBER, LATER]} | field
    return compile_definition(
        {"type": "data", "name": "Flexible", "validVersions": "0-1", "flexibleVersions": "0+",
         "fields": [whole]}
    )  # fmt: skip


def test_names_and_values() -> None:
    made = construct_for(Subscription, 1)
    body = Subscription(
        topics=["a"], owned_partitions=[Subscription.TopicPartition(topic="b", partitions=[7])]
    ).to_body(1)
    found = made.parse(body)
    assert (found.topics, found.user_data) == (["a"], None)
    assert found.owned_partitions[0].topic == "b"
    assert list(found.owned_partitions[0].partitions) == [7]
    assert "generation_id" not in found, "version 1 has none"
    assert made.build(found) == body


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize("compiled", [False, True])
def test_one_of_everything(version: int, compiled: bool) -> None:
    message = WHOLE if version == 2 else everything(number=5, ids=WHOLE.ids, flag=True)
    made = construct_for(everything, version)
    made = made.compile() if compiled else made
    body = message.to_body(version)
    assert made.build(message) == body
    assert made.build(plain(message) | {"ratio": message.ratio}) == body
    assert by_construct(everything, version, body) == by_careful_reader(everything, version, body)
    assert by_construct(everything, version, body) == by_decode(everything, version, body)


@pytest.mark.parametrize("version", [0, 1, 2])
def test_what_is_not_given_is_at_its_default(version: int) -> None:
    made = construct_for(everything, version)
    assert made.build({}) == made.build(Container()) == everything().to_body(version)
    half = everything(inner=everything.Part(key="k"))
    assert made.build({"inner": {"key": "k"}}) == half.to_body(version)


@pytest.mark.parametrize("nullable", [None, "0+"])
def test_a_tagged_struct(nullable: str | None) -> None:
    tagged = {"tag": 0, "taggedVersions": "0+"} | (
        {"nullableVersions": nullable} if nullable else {}
    )
    cls = flexible(**tagged)
    made = construct_for(cls, 0)
    values = [cls(), cls(part=cls.Part(number=5)), *([cls(part=None)] if nullable else [])]
    for message in values:
        body = message.to_body(0)
        assert cls.from_body(body, 0) == message
        assert made.build(message) == body
        assert by_construct(cls, 0, body) == by_decode(cls, 0, body)
    assert made.build({"part": {"number": 0}}) == made.build({}) == cls().to_body(0) == b"\0"
    with pytest.raises(construct.ConstructError, match="later"):
        made.build({"part": {"number": 0, "later": 1}})


def test_what_a_parse_gives_is_the_caller_s_own() -> None:
    """Defaults are made anew for each: what one caller changes, the next does not see."""
    made = construct_for(flexible(tag=0, taggedVersions="0+"), 0)
    made.parse(b"\0").part.number = 99
    assert made.parse(b"\0").part.number == 0


def test_a_long_tag() -> None:
    made = construct_for(flexible(), 0)
    given = {"part": {"number": 1}, "unknown_tagged_fields": [{"tag": 300, "data": b"x" * 200}]}
    body = made.build(given)
    assert body.hex() == "0100" + "01" + "ac02" + "c801" + "78" * 200
    assert plain(made.parse(body).unknown_tagged_fields) == given["unknown_tagged_fields"]


@pytest.mark.parametrize(
    "given",
    [
        None, 5, "text", [], {"topics": 5}, {"topics": "ab"}, {"topics": [5]}, {"topics": None},
        {"user_data": "text"}, {"user_data": 5}, {"owned_partitions": [None]},
        {"owned_partitions": [5]}, {"owned_partitions": [{"topic": b"a"}]},
        {"generation_id": "1"}, {"generation_id": None}, {"generation_id": 1 << 31},
        {"rack_id": 5}, {"unknown_tagged_fields": [{"tag": 1, "data": b""}]},
    ],
    ids=range(18),
)  # fmt: skip
def test_what_cannot_be_built(given: Any) -> None:
    with pytest.raises(construct.ConstructError):
        construct_for(Subscription, 3).build(given)


@pytest.mark.parametrize(
    "tags", [5, "text", [5], [{}], [{"tag": "1", "data": b""}], [{"tag": 1, "data": "x"}],
             [{"tag": 0, "data": b""}], [{"tag": 5, "data": b""}] * 2],
    ids=range(8),
)  # fmt: skip
def test_tags_that_cannot_be_built(tags: Any) -> None:
    made = construct_for(flexible(tag=0, taggedVersions="0+"), 0)
    with pytest.raises(construct.ConstructError):
        made.build({"unknown_tagged_fields": tags})


@pytest.mark.parametrize(
    ("digits", "why", "field"),
    [
        ("ffffffffff7f", "varint-too-long at byte 0: more than five bytes", "group_id"),
        ("026700000001 00", "null-not-allowed at byte 6: null is not allowed here", "member_id"),
        ("026700000001 05 6d", "truncated at byte 6: 4 bytes wanted, 1 left", "member_id"),
        ("0267 0000", "truncated at byte 2: 4 bytes wanted, 2 left", "generation_id"),
        ("026700000001 026d 00 ffffffff0f", "bad-tagged-field at byte 9: -1 fields", ""),
        ("026700000001 026d 00 01 07ffffffff0f", "bad-tagged-field at byte 11: -1 bytes", ""),
    ],
)
def test_a_refusal_says_why_and_in_which_field(digits: str, why: str, field: str) -> None:
    """The tags stand behind all fields."""
    heartbeat = construct_for(message_class("HeartbeatRequest"), 4)
    with pytest.raises(construct.ConstructError) as refused:
        heartbeat.parse(bytes.fromhex(digits))
    where, _, reason = str(refused.value).partition("\n")
    assert reason == why
    assert where == "Error in path (parsing)" + (f" -> {field}" if field else "")


@pytest.mark.parametrize(("size", "is_read"), [(32_767, True), (32_768, False)])
def test_the_longest_compact_string(size: int, is_read: bool) -> None:
    """Kafka's string has at most 32,767 bytes, whatever its length could say."""
    heartbeat = construct_for(message_class("HeartbeatRequest"), 4)
    length = size + 1
    front = bytes([length & 0x7F | 0x80, length >> 7 & 0x7F | 0x80, length >> 14])
    body = front + b"g" * size + bytes.fromhex("00000001 026d 00 00")
    if is_read:
        assert heartbeat.parse(body).group_id == "g" * size
        return
    with pytest.raises(construct.ConstructError, match="32768 bytes, at most 32767") as refused:
        heartbeat.parse(body)
    assert "-> group_id" in str(refused.value)
