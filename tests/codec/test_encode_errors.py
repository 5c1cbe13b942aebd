"""What cannot be written: each rule broken once, with the path and the reason."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import construct
import pytest

from kproto.codec import (
    ConsumerProtocolSubscription,
    EncodeError,
    KprotoError,
    Policy,
    RawTaggedField,
    SubscriptionInfoData,
    construct_for,
    decode,
)
from kproto.codec.runtime.registry import layout_of

from .shapes import everything, versioned

Part, Leaf = everything.Part, everything.Leaf
TopicPartition = ConsumerProtocolSubscription.TopicPartition
LONG = "x" * 32768

# Fields, the version, the path, a word of the reason.
WRONG: list[tuple[dict[str, Any], int, str, str]] = [
    # ranges
    ({"tiny": 128}, 0, "tiny", "-128 to 127"),
    ({"tiny": -129}, 0, "tiny", "-129"),
    ({"small": 1 << 15}, 1, "small", "32768"),
    ({"port": -1}, 0, "port", "0 to 65535"),
    ({"port": 65536}, 2, "port", "65536"),
    ({"number": 1 << 31}, 0, "number", "int32"),
    ({"unsigned": -1}, 0, "unsigned", "uint32"),
    ({"unsigned": 1 << 32}, 0, "unsigned", "4294967295"),
    ({"big": 1 << 63}, 0, "big", "int64"),
    ({"numbers": [0, 1 << 31]}, 0, "numbers[1]", "int32"),
    ({"inner": Part(deep=[Leaf(), Leaf(value=200)])}, 0, "inner.deep[1].value", "200"),
    ({"parts": [Part(), Part(deep=[Leaf(value=-200)])]}, 1, "parts[1].deep[0].value", "-200"),
    ({"number": 10**5000}, 0, "number", "a huge int"),
    ({"numbers": [10**5000]}, 0, "numbers[0]", "a huge int"),
    ({"ratio": 10**400}, 0, "ratio", "out of range for float64"),
    ({"ratio": -(10**5000)}, 0, "ratio", "a huge int is out of range"),
    # a bool is no number, though Python lets it be one
    *(({name: value}, 2, name, str(value))
      for name in ("tiny", "small", "port", "number", "unsigned", "big", "ratio", "strict", "late")
      for value in (True, False)
      if (name, value) != ("late", False)),  # equal to the default: a tagged field not written
    ({"inner": Part(deep=[Leaf(value=True)])}, 0, "inner.deep[0].value", "True"),
    # types
    ({"text": 10**5000}, 0, "text", "a huge int"),
    ({"names": [[10**5000]]}, 0, "names[0]", "a huge list"),
    ({"flag": 1}, 0, "flag", "bool"),
    ({"flag": None}, 0, "flag", "null"),
    ({"flag": "true"}, 0, "flag", "'true'"),
    ({"flags": [True, 0]}, 0, "flags[1]", "bool"),
    ({"number": "1"}, 0, "number", "'1'"),
    ({"number": 1.0}, 0, "number", "1.0"),
    ({"number": None}, 0, "number", "null"),
    ({"ratio": "1.5"}, 0, "ratio", "number"),
    ({"topic_id": "AAAA"}, 0, "topic_id", "UUID"),
    ({"topic_id": b"\0" * 16}, 0, "topic_id", "UUID"),
    ({"ids": [UUID(int=1), None]}, 0, "ids[1]", "UUID"),
    ({"text": b"raw"}, 0, "text", "string"),
    ({"text": 5}, 1, "text", "string"),
    ({"names": ["a", b"b"]}, 0, "names[1]", "string"),
    ({"names": ["a", None]}, 0, "names[1]", "string"),
    ({"raw": "text"}, 0, "raw", "bytes"),
    ({"raw": [1]}, 0, "raw", "bytes"),
    ({"blobs": ["text"]}, 0, "blobs[0]", "bytes"),
    ({"inner": {"key": "k"}}, 0, "inner", "Part"),
    ({"inner": Leaf()}, 0, "inner", "Part"),
    ({"parts": [{"key": "k"}]}, 0, "parts[0]", "Part"),
    ({"parts": [None]}, 0, "parts[0]", "Part"),
    # strings
    ({"text": LONG}, 0, "text", "32767"),
    ({"text": LONG}, 1, "text", "32768"),
    ({"text": "é" * 16384}, 1, "text", "32768"),
    ({"names": ["a", LONG]}, 0, "names[1]", "32767"),
    ({"names": ["a", LONG]}, 2, "names[1]", "32767"),
    ({"maybe_text": LONG}, 0, "maybe_text", "32767"),
    ({"text": "a\ud800"}, 0, "text", "surrogate"),
    ({"parts": [Part(key="\udfff")]}, 2, "parts[0].key", "surrogate"),
    # null
    ({"text": None}, 0, "text", "null"),
    ({"raw": None}, 2, "raw", "null"),
    ({"names": None}, 0, "names", "null"),
    ({"numbers": None}, 1, "numbers", "null"),
    ({"inner": None}, 0, "inner", "null"),
    ({"parts": None}, 0, "parts", "null"),
    ({"maybe_text": None}, 0, "maybe_text", "version 0"),
    ({"maybe_numbers": None}, 0, "maybe_numbers", "version 0"),
    # fields that the version lacks
    ({"strict": 0}, 0, "strict", "version 0 lacks"),
    ({"strict": 5}, 1, "strict", "2+"),
    ({"late": 1}, 1, "late", "lacks"),
    # unknown tagged fields
    ({"unknown_tagged_fields": [RawTaggedField(tag=5, data=b"")]}, 0,
     "unknown_tagged_fields", "tagged fields"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=0, data=b"")]}, 1,
     "unknown_tagged_fields[0]", "tag 0"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=1, data=b"")]}, 1,
     "unknown_tagged_fields[0]", "tag 1"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=-1, data=b"")]}, 1,
     "unknown_tagged_fields[0]", "tag -1"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=1 << 31, data=b"")]}, 1,
     "unknown_tagged_fields[0]", "tag 2147483648"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=10**5000, data=b"")]}, 1,
     "unknown_tagged_fields[0]", "a huge int"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=True, data=b"")]}, 2,
     "unknown_tagged_fields[0]", "RawTaggedField"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=t, data=b"") for t in (5, 5)]}, 1,
     "unknown_tagged_fields[1]", "ascend"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=t, data=b"") for t in (6, 5)]}, 2,
     "unknown_tagged_fields[1]", "ascend"),
    ({"unknown_tagged_fields": [RawTaggedField(tag=5, data="x")]}, 1,  # type: ignore[arg-type]
     "unknown_tagged_fields[0]", "bytes"),
    ({"unknown_tagged_fields": [RawTaggedField(tag="5", data=b"")]}, 1,  # type: ignore[arg-type]
     "unknown_tagged_fields[0]", "RawTaggedField"),
    ({"unknown_tagged_fields": [(5, b"")]}, 1, "unknown_tagged_fields[0]", "RawTaggedField"),
    ({"parts": [Part(unknown_tagged_fields=[RawTaggedField(tag=5, data=b"")])]}, 0,
     "parts[0].unknown_tagged_fields", "tagged fields"),
    # tagged fields
    ({"extra": 5}, 1, "extra", "string"),
    ({"extra": LONG}, 1, "extra", "32767"),
    ({"late": 1 << 31}, 2, "late", "int32"),
]  # fmt: skip
IDS = [
    f"{path} in {version}: {word} ({number})"
    for number, (_, version, path, word) in enumerate(WRONG)
]


@pytest.mark.parametrize(("fields", "version", "path", "word"), WRONG, ids=IDS)
def test_is_refused(fields: dict[str, Any], version: int, path: str, word: str) -> None:
    message = everything(**fields)
    with pytest.raises(EncodeError) as refused:
        message.to_body(version)
    error = refused.value
    assert isinstance(error, KprotoError)
    assert error.path == path
    assert word in error.reason
    assert str(error) == f"{path}: {error.reason}"
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    ("fields", "version", "path", "word"),
    [case for case in WRONG if "Part" not in case[3]],  # it takes any mapping for a struct
    ids=[name for name in IDS if "Part" not in name],
)
def test_construct_refuses_it_too(
    fields: dict[str, Any], version: int, path: str, word: str
) -> None:
    with pytest.raises(construct.ConstructError):
        construct_for(everything, version).build(everything(**fields))


@pytest.mark.parametrize("version", [-1, 3, 32767, 1 << 40])
def test_an_unknown_version(version: int) -> None:
    for write in (everything().to_body, everything().to_json, versioned()().to_bytes):
        with pytest.raises(EncodeError, match="no version") as refused:
            write(version)
        assert refused.value.path == ""
    with pytest.raises(ValueError, match="no version"):
        construct_for(everything, version)
    with pytest.raises(KeyError):
        layout_of(everything, version)


def test_the_head_of_a_newer_version_is_no_version() -> None:
    """Streams' SubscriptionInfo has one more layout than versions, for what is too new."""
    message = SubscriptionInfoData(version=11, latest_supported_version=11)
    for write in (message.to_body, message.to_bytes, message.to_json):
        with pytest.raises(EncodeError, match="no version -1"):
            write(-1)
    with pytest.raises(ValueError, match="no version -1"):
        construct_for(SubscriptionInfoData, -1)


NO_VERSIONS: list[Any] = ["2", b"2", 2.0, True, False, [2], {}, 10**5000]


@pytest.mark.parametrize("version", NO_VERSIONS, ids=range(len(NO_VERSIONS)))
def test_what_is_no_version(version: Any) -> None:
    """One rule for every argument that is a version: True is not 1, and 2.0 is not 2."""
    small = versioned()
    message = small(number=7)
    writes = (message.to_body, message.to_json, message.to_bytes)
    for write in (*writes, lambda version: small.from_json({}, version)):
        with pytest.raises(EncodeError, match="no version") as failed:
            write(version)
        assert len(str(failed.value)) < 150
    for read in (
        lambda version: construct_for(small, version),
        lambda version: small.from_body(message.to_body(), version),
        lambda version: decode(message.to_bytes(), small, reader_version=version),
        lambda version: decode(message.to_body(), small, body_version=version),
        lambda version: decode(b"", small, body_version=version, policy=Policy.LENIENT),
    ):
        with pytest.raises(ValueError, match="no version") as refused:
            read(version)
        assert len(str(refused.value)) < 150


def test_no_version_at_all() -> None:
    """None is the latest when writing; a body says nothing, so reading it needs one."""
    small = versioned()
    message = small(number=7)
    assert message.to_bytes(None) == message.to_bytes(small.LATEST)
    assert small.from_json(message.to_json(None), None) == message
    for read in (small.from_body, lambda _, version: construct_for(small, version)):
        with pytest.raises(ValueError, match="None is no version"):
            read(message.to_body(), None)


def test_whatever_says_that_it_is_an_integer_is_a_version() -> None:
    class Two:
        def __index__(self) -> int:
            return 2

    small, two = versioned(), Two()
    message = small(number=7)
    assert message.to_bytes(two) == message.to_bytes(2)
    assert message.to_body(two) == message.to_body(2)
    assert small.from_body(message.to_body(2), two) == message
    assert construct_for(small, two).parse(message.to_body(2)).number == 7  # type: ignore[arg-type]


def test_a_bool_in_an_array_of_numbers() -> None:
    """It is written as the number that it equals: what is read again equals what was written."""
    message = everything(numbers=[True, False])
    assert message.to_body(0) == everything(numbers=[1, 0]).to_body(0)
    assert everything.from_body(message.to_body(0), 0) == message
    assert message.to_json(0)["numbers"] == [1, 0]


def test_ignorable_fields_are_left_out() -> None:
    message = everything(loose=5, extra="x", maybe_inner=None)
    assert message.to_body(0) == everything().to_body(0)
    assert message.to_body(1) != everything().to_body(1)
    assert "loose" not in message.to_json(1)
    old = ConsumerProtocolSubscription(
        topics=["a"], owned_partitions=[TopicPartition(topic="a")], generation_id=5, rack_id="r"
    )
    assert old.to_bytes(0) == ConsumerProtocolSubscription(topics=["a"]).to_bytes(0)


def test_a_version_s_own_fields_alone_are_looked_at() -> None:
    """What an ignorable field holds does not matter where the version lacks it."""
    assert everything(loose="text").to_body(1) == everything().to_body(1)


def test_numbers_of_other_kinds() -> None:
    """Whatever says that it is an integer, as `range` and `struct` take it."""

    class Seven:
        def __index__(self) -> int:
            return 7

    assert everything(number=Seven()).to_body(0) == everything(number=7).to_body(0)
    assert everything(ratio=7).to_body(0) == everything(ratio=7.0).to_body(0)


def test_one_that_cannot_be_counted() -> None:
    """Whatever the oddity, it is an EncodeError."""

    class Odd(str):
        __slots__ = ()

        def encode(self, *_: object) -> bytes:
            raise LookupError

    with pytest.raises(EncodeError):
        everything(text=Odd("x")).to_body(0)


def test_the_longest_string() -> None:
    for version in (0, 1):
        for text in ("x" * 32767, "é" * 16383):
            message = everything(text=text, names=[text], extra=text if version else "")
            assert everything.from_body(message.to_body(version), version) == message
