"""What stands in front, and what a newer version there means: every row of the table."""

from __future__ import annotations

import struct
from typing import Any

import construct
import pytest

from kproto.codec import (
    DecodeError,
    EncodeError,
    ErrorKind,
    Framing,
    Message,
    Policy,
    VersionedMessage,
    compile_definition,
    construct_for,
    decode,
    message_class,
)
from kproto.codec.construct_schema import ConstructRefused

from .shapes import versioned

NUMBER = {"name": "Number", "type": "int32", "versions": "0+"}
SEVEN = struct.pack(">i", 7)


def refused(data: bytes, cls: type[Message], **how: Any) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        decode(data, cls, **how)
    return caught.value


def test_none() -> None:
    cls = versioned(framing="none")
    assert not issubclass(cls, VersionedMessage)
    assert cls.FRAMING.header_bytes == 0
    assert decode(SEVEN, cls, body_version=1).message == cls(number=7)


@pytest.mark.parametrize("newer", ["refuse", "clamp", "accept"])
def test_version(newer: str) -> None:
    cls = versioned(newerVersions=newer)
    assert Framing("version", newer) == cls.FRAMING and cls.FRAMING.header_bytes == 2
    for version in cls.VERSIONS:
        data = cls(number=7).to_bytes(version)
        assert data == struct.pack(">h", version) + SEVEN
        assert cls.from_bytes(data) == cls(number=7)
    for label in (3, 100, 32767):
        data = struct.pack(">h", label) + SEVEN + b"more"
        if newer == "refuse":
            error = refused(data, cls)
            assert (error.kind, error.version) == (ErrorKind.UNSUPPORTED_VERSION, label)
            continue
        seen = decode(data, cls)
        assert (seen.version, seen.schema_version, seen.remainder) == (label, 2, b"more")
        assert seen.message == cls(number=7)
        assert seen.with_message(cls(number=8)) == data[:2] + struct.pack(">i", 8) + b"more"
        assert seen.deviations[0].code == "KP020"
    assert refused(b"\xff\xff" + SEVEN, cls).kind is ErrorKind.UNSUPPORTED_VERSION


def test_a_reader_of_a_framing_that_refuses() -> None:
    """A value of the offsets topic that an older broker has to read."""
    cls = versioned()
    assert decode(b"\0\1" + SEVEN, cls, reader_version=1).complete
    assert refused(b"\0\2" + SEVEN, cls, reader_version=1).kind is ErrorKind.UNSUPPORTED_VERSION


def test_versions_that_do_not_begin_at_0() -> None:
    cls = versioned(validVersions="2-3", newerVersions="clamp")
    for label in (0, 1):
        assert refused(struct.pack(">h", label) + SEVEN, cls).version == label
    assert decode(b"\0\5" + SEVEN, cls).schema_version == 3


def test_record_type() -> None:
    cls = versioned(framing="record-type", apiKey=3, validVersions="0")
    data = cls(number=7).to_bytes()
    assert data == b"\0\3" + SEVEN
    seen = decode(data, cls)
    assert (seen.version, seen.schema_version) == (0, 0)
    assert (seen.fields[0].name, seen.fields[0].value) == ("record_type", 3)
    for data, kind in (
        (b"\0\2" + SEVEN, ErrorKind.UNKNOWN_RECORD_TYPE),
        (b"\0", ErrorKind.TRUNCATED),
    ):
        error = refused(data, cls)
        assert (error.kind, error.path, error.version) == (kind, "record_type", None)
        seen = decode(data, cls, policy=Policy.LENIENT)
        assert (seen.message, seen.version, seen.schema_version) == (None, None, None)


@pytest.mark.parametrize(
    ("framing", "name", "label", "type_"),
    [
        ("version", "version", "0009", "int16"),
        ("version", "version", "8000", "int16"),
        ("record-type", "record_type", "0009", "int16"),
        ("version32", "version", "00000009", "int32"),
    ],
)
def test_a_label_that_is_refused_was_read(framing: str, name: str, label: str, type_: str) -> None:
    version = {"name": "Version", "type": "int32", "versions": "0+"}
    cls = versioned(framing=framing, apiKey=3, fields=[version, NUMBER])
    raw = bytes.fromhex(label)
    seen = decode(raw + SEVEN, cls, policy=Policy.LENIENT)
    (node,) = seen.fields
    assert (node.name, node.path, node.type) == (name, name, type_)
    assert (node.start, node.end) == (0, len(raw))
    assert node.complete and node.value == int.from_bytes(raw, "big", signed=True)
    assert seen.error is not None and seen.error.path == name
    assert seen.remainder == raw + SEVEN
    assert (seen.message, seen.schema_version) == (None, None)
    with pytest.raises(ValueError, match="no complete message"):
        seen.with_message(cls())


def test_a_body_has_no_label() -> None:
    seen = decode(SEVEN, versioned(), body_version=9, policy=Policy.LENIENT)
    assert (seen.version, seen.schema_version, seen.fields) == (9, None, ())


@pytest.mark.parametrize(
    ("valid", "reader_version", "known"),
    [("0-2", None, "0-2"), ("1", None, "1"), ("0-2", 1, "0-1"), ("none", None, "none")],
)
def test_the_versions_that_there_are(valid: str, reader_version: int | None, known: str) -> None:
    cls = versioned(validVersions=valid)
    error = refused(b"\0\7" + SEVEN, cls, reader_version=reader_version)
    assert error.reason == f"version 7 of Small is not among the versions {known}"


@pytest.mark.parametrize("api_key", [-1, 0, 32767, -32768])
def test_any_int16_is_a_record_type(api_key: int) -> None:
    cls = versioned(framing="record-type", apiKey=api_key, validVersions="0")
    data = cls(number=7).to_bytes()
    assert data == struct.pack(">h", api_key) + SEVEN
    assert cls.from_bytes(data) == cls(number=7)


# -- version32: Kafka Streams


def streams(newer: str = "refuse") -> Any:
    return compile_definition(
        {
            "type": "data",
            "name": "Info",
            "validVersions": "1-3",
            "framing": "version32",
            "newerVersions": newer,
            "fields": [
                {"name": "Version", "type": "int32", "versions": "0+"},
                {"name": "LatestSupportedVersion", "type": "int32", "versions": "2+",
                 "default": "-1", "ignorable": True},
                {"name": "Number", "type": "int32", "versions": "0+"},
            ],
        }
    )  # fmt: skip


def words(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


@pytest.mark.parametrize("newer", ["refuse", "head"])
def test_version32(newer: str) -> None:
    cls = streams(newer)
    message = cls(version=2, latest_supported_version=3, number=7)
    assert message.to_bytes(2) == message.to_body(2) == words(2, 3, 7)
    assert cls.from_bytes(words(2, 3, 7)) == cls.from_body(words(2, 3, 7), 2) == message
    assert cls.from_bytes(words(1, 7)) == cls(version=1, number=7)
    seen = decode(words(2, 3, 7) + b"tail", cls)
    assert (seen.version, seen.schema_version, seen.remainder) == (2, 2, b"tail")
    assert seen.fields[0].name == "version" and seen.fields[0].end == 4
    assert seen.with_message(message) == seen.to_bytes()
    for version in (0, -1):
        error = refused(words(version, 3, 7), cls)
        assert (error.kind, error.offset, error.version) == (
            ErrorKind.UNSUPPORTED_VERSION, 0, version,
        )  # fmt: skip
    assert refused(b"\0\0\0", cls).kind is ErrorKind.TRUNCATED


def test_version32_says_its_version_itself() -> None:
    cls = streams()
    with pytest.raises(EncodeError, match="version"):
        cls(version=2).to_bytes(1)
    assert refused(words(2, 3, 7), cls, body_version=1).kind is ErrorKind.UNSUPPORTED_VERSION


def test_version32_cannot_be_above_the_latest() -> None:
    cls = streams("head")
    message = cls(version=3, latest_supported_version=2)
    with pytest.raises(EncodeError, match="below") as refused_value:
        message.to_body(3)
    assert refused_value.value.path == "latest_supported_version"
    with pytest.raises(construct.ConstructError):
        construct_for(cls, 3).build(message)
    fine = cls(version=3, latest_supported_version=3, number=7)
    assert construct_for(cls, 3).build(fine) == fine.to_body(3)
    assert construct_for(cls, 3).parse(fine.to_body(3)).number == 7
    for body in (words(3, 2, 7), words(2, 1, 7)):
        assert refused(body, cls).kind is ErrorKind.UNSUPPORTED_VERSION
        with pytest.raises(ConstructRefused) as also:
            construct_for(cls, body[3]).parse(body)
        assert (also.value.kind, also.value.offset) == (ErrorKind.UNSUPPORTED_VERSION, 0)
    with pytest.raises(EncodeError, match="number"):
        cls(version=3, latest_supported_version=3, number=1 << 31).to_body(3)
    with pytest.raises(EncodeError, match="latest_supported_version"):
        cls(version=3, latest_supported_version="3").to_body(3)


def test_version32_has_no_older_body() -> None:
    """Its version stands in the body, so no other version fits it."""
    seen = decode(words(2, 3), streams(), policy=Policy.LENIENT)
    assert [one.code for one in seen.deviations] == []


def test_version32_refuses_newer_ones() -> None:
    assert refused(words(4, 4, 7), streams()).version == 4


def test_version32_reads_the_head_of_newer_ones() -> None:
    cls = streams("head")
    seen = decode(words(9, 11) + b"whatever", cls)
    assert (seen.version, seen.schema_version) == (9, None)
    assert seen.message == cls(version=9, latest_supported_version=11)
    assert seen.remainder == b"whatever"
    assert cls.from_bytes(words(9, 9)) == cls(version=9, latest_supported_version=9)
    assert seen.with_message(seen.message) == seen.to_bytes()
    assert refused(words(9, 8), cls).kind is ErrorKind.UNSUPPORTED_VERSION
    assert refused(words(9), cls).kind is ErrorKind.TRUNCATED
    assert refused(words(9, 11), cls, policy=Policy.STRICT).kind is ErrorKind.UNSUPPORTED_VERSION
    lenient = decode(words(9, 8), cls, policy=Policy.LENIENT)
    assert lenient.message is None and lenient.version == 9


# -- where a framing comes from


def test_by_type() -> None:
    for type_, kind in (("coordinator-key", "record-type"), ("coordinator-value", "version"),
                        ("request", "none"), ("data", "none")):  # fmt: skip
        cls = compile_definition(
            {"type": type_, "name": "Made", "apiKey": 5, "validVersions": "0", "fields": [NUMBER]}
        )
        assert cls.FRAMING.kind == kind


def test_of_the_built_in_definition_of_the_same_name() -> None:
    """Kafka's own definition of the consumer protocol does not say what stands in front."""
    given = {"type": "data", "name": "ConsumerProtocolSubscription", "validVersions": "0-3"}
    cls = compile_definition(given)
    assert Framing("version", "clamp") == cls.FRAMING
    assert cls.FRAMING == message_class("ConsumerProtocolSubscription").FRAMING
    assert Framing("none") == compile_definition(given | {"framing": "none"}).FRAMING


@pytest.mark.parametrize("framing", ["version", Framing("version", "accept")])
def test_given_to_compile_definition(framing: str | Framing) -> None:
    definition = {"type": "data", "name": "Made", "validVersions": "0", "framing": "none"}
    cls = compile_definition(definition, framing=framing)
    assert (framing if isinstance(framing, Framing) else Framing(framing)) == cls.FRAMING
