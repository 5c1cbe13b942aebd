"""Kafka's JSON form, and where reading differs from Kafka's on purpose."""

from __future__ import annotations

import base64
import json
import math
from typing import Any
from uuid import UUID

import pytest

from kproto.codec import ConsumerProtocolSubscription, EncodeError, RawTaggedField
from kproto.codec.json_form import unknown_tags_to_json

from .shapes import everything

Part, Leaf = everything.Part, everything.Leaf

# As Kafka's JsonConverters print them; what its Java client says is in the vectors.
PRINTED: list[tuple[dict[str, Any], str, Any]] = [
    ({"flag": True}, "flag", True),
    ({"number": -5}, "number", -5),
    ({"unsigned": (1 << 32) - 1}, "unsigned", (1 << 32) - 1),
    ({"big": -(1 << 63)}, "big", -(1 << 63)),
    ({"ratio": 2}, "ratio", 2.0),
    ({"ratio": math.inf}, "ratio", "Infinity"),
    ({"ratio": -math.inf}, "ratio", "-Infinity"),
    ({"ratio": math.nan}, "ratio", "NaN"),
    ({"topic_id": UUID(int=1)}, "topicId", "AAAAAAAAAAAAAAAAAAAAAQ"),
    ({"topic_id": UUID(int=(1 << 128) - 1)}, "topicId", "_____________________w"),
    ({"text": "ж"}, "text", "ж"),
    ({"raw": b"\xfb\xff"}, "raw", "+/8="),
    ({"records": b"\0"}, "records", "AA=="),
    ({"records": None}, "records", None),
    ({"blobs": [b"", b"a"]}, "blobs", ["", "YQ=="]),
    ({"ids": [UUID(int=0)]}, "ids", ["AAAAAAAAAAAAAAAAAAAAAA"]),
    ({"maybe_numbers": None}, "maybeNumbers", None),
    ({"inner": Part(key="k", deep=[Leaf(value=1)])}, "inner", {"key": "k", "deep": [{"value": 1}]}),
    ({"maybe_inner": None}, "maybeInner", None),
    ({"extra": "x"}, "extra", "x"),
]


@pytest.mark.parametrize(("fields", "key", "value"), PRINTED, ids=range(len(PRINTED)))
def test_printed_and_read(fields: dict[str, Any], key: str, value: Any) -> None:
    message = everything(**fields)
    printed = message.to_json(2)
    assert printed[key] == value and type(printed[key]) is type(value)
    text = json.dumps(printed, allow_nan=False)
    again = everything.from_json(json.loads(text), version=2)
    assert again.to_body(2) == message.to_body(2)


def test_only_the_fields_of_the_version() -> None:
    plain = everything().to_json(0)
    assert {"maybeInner", "strict", "loose", "extra", "late"}.isdisjoint(plain)
    assert {"maybeInner", "strict"} & everything().to_json(1).keys() == {"maybeInner"}
    latest = everything(late=1).to_json()
    assert latest["strict"] == -1
    assert "extra" not in latest, "a tagged field at its default is left out"
    assert latest["late"] == 1


def test_a_missing_field_is_at_its_default() -> None:
    assert everything.from_json({}, version=0) == everything()
    assert everything.from_json({"inner": {}}) == everything()
    assert everything.from_json({"parts": [{}]}).parts == (Part(),)
    assert ConsumerProtocolSubscription.from_json({}).generation_id == -1


def test_a_field_of_another_version_is_read() -> None:
    """Whether it may be lost is the writer's question."""
    message = everything.from_json({"strict": 5}, version=0)
    assert message.strict == 5
    with pytest.raises(EncodeError, match="strict"):
        message.to_body(0)


READ: list[tuple[Any, str, str]] = [
    ({"nothing": 1}, "", 'unknown key "nothing"'),
    ({"topic_id": None}, "", 'unknown key "topic_id"'),
    ({"TopicId": None}, "", "unknown key"),
    ({"unknownTaggedFields": []}, "", "unknown key"),
    ({3: 4}, "", "unknown key 3"),
    ({"inner": {"key": "k", "more": 1}}, "inner", 'unknown key "more"'),
    ({"parts": [{}, {"deep": [{"x": 1}]}]}, "parts[1].deep[0]", 'unknown key "x"'),
    ({"inner": []}, "inner", "object"),
    ({"parts": [None]}, "parts[0]", "object"),
    ({"parts": {}}, "parts", "list"),
    ({"names": "ab"}, "names", "list"),
    ({"names": [1]}, "names[0]", "string"),
    ({"text": None}, "text", "null"),
    ({"text": 1}, "text", "string"),
    ({"flag": 1}, "flag", "bool"),
    ({"flag": "true"}, "flag", "bool"),
    ({"number": True}, "number", "int32"),
    ({"number": 1.0}, "number", "int32"),
    ({"number": "1"}, "number", "int32"),
    ({"number": None}, "number", "null"),
    ({"ratio": "half"}, "ratio", "float64"),
    ({"ratio": True}, "ratio", "float64"),
    ({"ratio": 10**400}, "ratio", "float64"),
    ({"raw": "not base64"}, "raw", "base64"),
    ({"raw": "YQ"}, "raw", "base64"),
    ({"raw": "_-8="}, "raw", "base64"),
    ({"raw": "é"}, "raw", "base64"),
    ({"raw": b"YQ=="}, "raw", "base64"),
    ({"topicId": "short"}, "topicId", "uuid"),
    ({"topicId": "AAAAAAAAAAAA!AAAAAAAAAQ"}, "topicId", "uuid"),
    ({"topicId": "AAAAAAAAAAAAAAAAAAAA+/"}, "topicId", "uuid"),
    ({"topicId": "é" * 22}, "topicId", "uuid"),
    ({"topicId": 5}, "topicId", "uuid"),
    ({"ids": ["x"]}, "ids[0]", "uuid"),
]


@pytest.mark.parametrize(("obj", "path", "word"), READ, ids=range(len(READ)))
def test_what_cannot_be_read(obj: Any, path: str, word: str) -> None:
    with pytest.raises(EncodeError) as refused:
        everything.from_json(obj, version=2)
    snake = {"topicId": "topic_id"}.get(path, path)
    assert refused.value.path == snake
    assert word in refused.value.reason
    assert len(str(refused.value)) < 900


@pytest.mark.parametrize("obj", [None, [], "{}", 3, {"names"}])
def test_what_is_no_object(obj: Any) -> None:
    with pytest.raises(EncodeError, match="object"):
        everything.from_json(obj)


def test_a_value_out_of_range_is_the_writer_s_question() -> None:
    message = everything.from_json({"tiny": 1000})
    with pytest.raises(EncodeError, match="tiny"):
        message.to_body()


@pytest.mark.parametrize("version", [-1, 3])
def test_an_unknown_version(version: int) -> None:
    with pytest.raises(EncodeError, match="no version"):
        everything.from_json({}, version=version)


def test_what_cannot_be_written_has_no_json() -> None:
    with pytest.raises(EncodeError, match="strict"):
        everything(strict=5).to_json(0)
    with pytest.raises(EncodeError, match="flag"):
        everything(flag=3).to_json(0)
    with pytest.raises(EncodeError, match="user_data: 'text' is not bytes"):
        ConsumerProtocolSubscription(user_data="text").to_json()  # type: ignore[arg-type]


def test_tags_out_of_order_are_no_obstacle() -> None:
    """Java reads them, and its JSON has no place for them; it only cannot write them again."""
    tags = [RawTaggedField(tag=tag, data=b"\1") for tag in (9, 5)]
    message = everything(unknown_tagged_fields=tags)
    assert message.to_json(2) == everything().to_json(2)
    with pytest.raises(EncodeError, match="flag"):
        message.replace(flag=3).to_json(2)


def test_unknown_tagged_fields_stand_beside() -> None:
    tag = RawTaggedField(tag=9, data=b"\1\2")
    part = Part(unknown_tagged_fields=[tag], deep=[Leaf(unknown_tagged_fields=[tag])])
    message = everything(inner=part, parts=[Part(), part], unknown_tagged_fields=[tag])
    assert unknown_tags_to_json(message, 2) == [
        {"path": path, "tag": 9, "data": "0102"}
        for path in ("", "inner", "inner.deep[0]", "parts[1]", "parts[1].deep[0]")
    ]
    assert unknown_tags_to_json(everything(), 0) == []


def test_base64_is_standard() -> None:
    data = bytes(range(256))
    printed = ConsumerProtocolSubscription(user_data=data).to_json(0)["userData"]
    assert printed == base64.b64encode(data).decode()


def test_a_string_that_grew_beyond_bytes_has_a_json_form() -> None:
    """32,767 invalid bytes are 32,767 U+FFFD, which bytes cannot hold; Java prints them."""
    data = b"\0\0\0\0\0\1\x7f\xff" + b"\xff" * 32767 + b"\xff" * 4
    message = ConsumerProtocolSubscription.from_bytes(data)
    assert message.to_json(0)["topics"] == ["\ufffd" * 32767]
    with pytest.raises(EncodeError, match="at most 32767"):
        message.to_bytes(0)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"topics": None}, "topics: null is not allowed"),
        ({"topics": ["a", None]}, "topics[1]: null is not string"),
        ({"ownedPartitions": [{"topic": "a", "partitions": None}]},
         "owned_partitions[0].partitions: null is not allowed"),
    ],
)  # fmt: skip
def test_where_null_is_not_allowed(value: Any, words: str) -> None:
    with pytest.raises(EncodeError) as refused:
        ConsumerProtocolSubscription.from_json(value, 1)
    assert str(refused.value) == words
