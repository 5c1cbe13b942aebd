"""Every kind of refusal, in its smallest form: kind, offset, path and version, the same from every
decoder and under every policy."""

from __future__ import annotations

import gc
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import construct
import pytest

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    ErrorKind,
    KprotoError,
    Message,
    Policy,
    compile_definition,
    construct_for,
    decode,
    message_class,
)
from kproto.codec.construct_schema import MAX_INPUT, ConstructRefused

from .shapes import versioned

if TYPE_CHECKING:
    from collections.abc import Iterable

Subscription = ConsumerProtocolSubscription
K = ErrorKind


def flexible(*fields: tuple[str, str], **more: Any) -> type[Message]:
    made = [{"name": name, "type": type_, "versions": "0+", **more} for name, type_ in fields]
    return compile_definition(
        {"type": "data", "name": "Flexible", "validVersions": "0", "flexibleVersions": "0+",
         "fields": made,
         "commonStructs": [{"name": "Part", "versions": "0+", "fields": [
             {"name": "Number", "type": "int32", "versions": "0+"}]}]},
    )  # fmt: skip


TEXT, MAYBE_TEXT = flexible(("Text", "string")), flexible(("Text", "string"), nullableVersions="0+")
BLOB, NUMBERS = flexible(("Raw", "bytes")), flexible(("Numbers", "[]int32"))
PARTS, EMPTY = flexible(("Parts", "[]Part")), flexible()
TAGGED = flexible(("Late", "int32"), tag=0, taggedVersions="0+")
LATER = compile_definition(
    {"type": "data", "name": "Later", "validVersions": "0-1", "flexibleVersions": "0+", "fields": [
        {"name": "Late", "type": "int32", "tag": 0, "versions": "1+", "taggedVersions": "1+"}]}
)  # fmt: skip
MAYBE_PART = flexible(("Part", "Part"), nullableVersions="0+")

# Bodies: class, version, hex (of the fields alone), kind, offset, path.
REFUSED: list[tuple[type[Message], int, str, ErrorKind, int, str]] = [
    (Subscription, 0, "", K.TRUNCATED, 0, "topics"),
    (Subscription, 0, "000000", K.TRUNCATED, 0, "topics"),
    (Subscription, 0, "00000001 00", K.TRUNCATED, 4, "topics[0]"),
    (Subscription, 0, "00000001 0002 61", K.TRUNCATED, 4, "topics[0]"),
    (Subscription, 0, "00000002 0001 61 0005 61", K.TRUNCATED, 7, "topics[1]"),
    (Subscription, 0, "00000000 00000001", K.TRUNCATED, 4, "user_data"),
    (Subscription, 1, "00000000 ffffffff", K.TRUNCATED, 8, "owned_partitions"),
    (Subscription, 1, "00000000 ffffffff 00000001 0001 61 00000002 00000000 0000", K.TRUNCATED,
     23, "owned_partitions[0].partitions[1]"),
    (Subscription, 2, "00000000 ffffffff 00000000 0000", K.TRUNCATED, 12, "generation_id"),
    (Subscription, 3, "00000000 ffffffff 00000000 00000000 0003 61", K.TRUNCATED, 16, "rack_id"),
    (Subscription, 0, "ffffffff", K.NULL_NOT_ALLOWED, 0, "topics"),
    (Subscription, 0, "fffffffe", K.NEGATIVE_LENGTH, 0, "topics"),
    (Subscription, 0, "80000000", K.NEGATIVE_LENGTH, 0, "topics"),
    (Subscription, 0, "00000001 ffff 0000", K.NULL_NOT_ALLOWED, 4, "topics[0]"),
    (Subscription, 0, "00000001 8000 0000", K.NEGATIVE_LENGTH, 4, "topics[0]"),
    (Subscription, 0, "00000003 0000", K.COUNT_EXCEEDS_INPUT, 0, "topics"),
    (Subscription, 0, "7fffffff 0000", K.COUNT_EXCEEDS_INPUT, 0, "topics"),
    (Subscription, 1, "00000000 ffffffff 00000001 0000 00000005 00000000",
     K.COUNT_EXCEEDS_INPUT, 14, "owned_partitions[0].partitions"),
    (ConsumerProtocolAssignment, 3, "00000001 0001 61 ffffffff", K.NULL_NOT_ALLOWED, 7,
     "assigned_partitions[0].partitions"),
    (TEXT, 0, "00", K.NULL_NOT_ALLOWED, 0, "text"),
    (TEXT, 0, "ffffffff0f", K.NEGATIVE_LENGTH, 0, "text"),
    # The one length that is below 0, and less one is the greatest of all: Java's int wraps.
    (TEXT, 0, "8080808008", K.STRING_TOO_LONG, 0, "text"),
    (MAYBE_TEXT, 0, "8080808008", K.STRING_TOO_LONG, 0, "text"),
    (BLOB, 0, "8080808008", K.TRUNCATED, 0, "raw"),
    (NUMBERS, 0, "8080808008", K.COUNT_EXCEEDS_INPUT, 0, "numbers"),
    (TEXT, 0, "", K.TRUNCATED, 0, "text"),
    (TEXT, 0, "80", K.TRUNCATED, 0, "text"),
    (TEXT, 0, "03 61", K.TRUNCATED, 0, "text"),
    (TEXT, 0, "8080808080", K.VARINT_TOO_LONG, 0, "text"),
    (TEXT, 0, "808080808001", K.VARINT_TOO_LONG, 0, "text"),
    (TEXT, 0, "818002" + "61" * 32768 + "00", K.STRING_TOO_LONG, 0, "text"),
    (MAYBE_TEXT, 0, "818002" + "61" * 32768 + "00", K.STRING_TOO_LONG, 0, "text"),
    (TEXT, 0, "818002", K.STRING_TOO_LONG, 0, "text"),
    (BLOB, 0, "00", K.NULL_NOT_ALLOWED, 0, "raw"),
    (BLOB, 0, "02", K.TRUNCATED, 0, "raw"),
    (NUMBERS, 0, "00", K.NULL_NOT_ALLOWED, 0, "numbers"),
    (NUMBERS, 0, "06 00000000", K.COUNT_EXCEEDS_INPUT, 0, "numbers"),
    (NUMBERS, 0, "03 00000000 0000", K.TRUNCATED, 5, "numbers[1]"),
    (PARTS, 0, "02 000000", K.TRUNCATED, 1, "parts[0].number"),
    (PARTS, 0, "02 00000000 02", K.BAD_TAGGED_FIELD, 5, "parts[0]"),
    (MAYBE_PART, 0, "01 0000", K.TRUNCATED, 1, "part.number"),
    (EMPTY, 0, "ffffffff0f", K.BAD_TAGGED_FIELD, 0, ""),
    (EMPTY, 0, "ffffffff0f 0000", K.BAD_TAGGED_FIELD, 0, ""),
    (EMPTY, 0, "01 05 03 0000", K.BAD_TAGGED_FIELD, 2, "unknown_tagged_fields[0]"),
    (EMPTY, 0, "01 05 ffffffff0f", K.BAD_TAGGED_FIELD, 2, "unknown_tagged_fields[0]"),
    (NUMBERS, 0, "c2843d" + "00" * 4_000_004 + "00", K.COUNT_EXCEEDS_INPUT, 0, "numbers"),
    (EMPTY, 0, "914e" + "0100" * 10_001, K.BAD_TAGGED_FIELD, 0, ""),
    (LATER, 0, "01 00 04 00000000", K.BAD_TAGGED_FIELD, 1, ""),
    (TAGGED, 0, "01 00 04 0000", K.TRUNCATED, 3, "late"),
    (TAGGED, 0, "02 00 04 00000007", K.TRUNCATED, 7, ""),
    (TAGGED, 0, "01 00 8080808080", K.VARINT_TOO_LONG, 2, ""),
]  # fmt: skip
IDS = [
    f"{cls.NAME} {version} {path} {kind.value} {number}"
    for number, (cls, version, _, kind, _, path) in enumerate(REFUSED)
]
refused_bodies = pytest.mark.parametrize(
    ("cls", "version", "given", "kind", "offset", "path"), REFUSED, ids=IDS
)


@pytest.mark.parametrize(("cls", "given", "size"), [(TEXT, "14 6162", 19), (BLOB, "03 61", 2)])
def test_a_string_that_is_cut_says_its_size(cls: type[Message], given: str, size: int) -> None:
    error = decode(bytes.fromhex(given), cls, policy=Policy.LENIENT, body_version=0).error
    assert error is not None
    assert (error.kind, error.size) == (K.TRUNCATED, size)


@pytest.mark.parametrize(
    ("cls", "given", "reason"),
    [
        (Subscription, "000000", "int32 of 4 bytes, 3 left"),
        (TEXT, "03 61", "string of 2 bytes, 1 left"),
        (EMPTY, "ffffffff0f", "-1 tagged fields; 0 bytes left, and at most 10,000 fields"),
        (EMPTY, "02 05", "2 tagged fields; 1 byte left, and at most 10,000 fields"),
        (EMPTY, "01 05 03 0000", "tag 5 of 3 bytes, 2 left"),
        (EMPTY, "00 61", "1 byte after the fields"),
    ],
)
def test_why_bytes_are_refused(cls: type[Message], given: str, reason: str) -> None:
    with pytest.raises(DecodeError) as refused:
        decode(bytes.fromhex(given), cls, policy=Policy.STRICT, body_version=0)
    assert refused.value.reason == reason


@pytest.mark.parametrize("version", range(4))
def test_bytes_behind_the_fields_do_not_change_them(version: int) -> None:
    """Read a byte further on, the text behind an empty message would be its user data."""
    message = Subscription(topics=[], user_data=b"")
    assert Subscription.from_bytes(message.to_bytes(version) + b"\x01a") == message


@refused_bodies
def test_kind_offset_and_path(
    cls: type[Message], version: int, given: str, kind: ErrorKind, offset: int, path: str
) -> None:
    body = bytes.fromhex(given)
    for policy in (Policy.KAFKA, Policy.STRICT):
        with pytest.raises(DecodeError) as refused:
            decode(body, cls, policy=policy, body_version=version)
        error = refused.value
        assert isinstance(error, KprotoError)
        assert (error.kind, error.offset, error.version) == (kind, offset, version)
        assert _path(error.path) == path
        assert str(error).startswith(f"{kind.value} at byte {offset}")
    with pytest.raises(DecodeError):
        cls.from_body(body, version)
    seen = decode(body, cls, policy=Policy.LENIENT, body_version=version)
    assert seen.error is not None and seen.error.__traceback__ is None
    assert (seen.error.kind, seen.error.offset, _path(seen.error.path)) == (kind, offset, path)
    assert (seen.message, seen.complete) == (None, False)
    assert (seen.version, seen.schema_version) == (version, version)
    assert seen.remainder == body[offset:]
    assert seen.to_bytes() == body
    assert all(node.end <= offset for node in seen.fields)


def _path(path: str) -> str:
    """A tag section's own count and tags belong to the struct, whatever the section is called."""
    parts = path.split(".")
    kept = [part for part in parts if part != "tagged_fields"]
    return ".".join(kept)


@refused_bodies
def test_construct_refuses_alike(
    cls: type[Message], version: int, given: str, kind: ErrorKind, offset: int, path: str
) -> None:
    for made in (construct_for(cls, version), construct_for(cls, version).compile()):
        with pytest.raises(ConstructRefused) as refused:
            made.parse(bytes.fromhex(given))
        assert isinstance(refused.value, construct.ConstructError)
        assert (refused.value.kind, refused.value.offset) == (kind, offset)


# With something in front: offsets count from there.
FRAMED: list[tuple[str, ErrorKind, int, str, int | None]] = [
    ("", K.TRUNCATED, 0, "version", None),
    ("00", K.TRUNCATED, 0, "version", None),
    ("ffff", K.UNSUPPORTED_VERSION, 0, "version", -1),
    ("8000 00000000", K.UNSUPPORTED_VERSION, 0, "version", -32768),
    ("0000", K.TRUNCATED, 2, "topics", 0),
    ("0001 00000000 ffffffff", K.TRUNCATED, 10, "owned_partitions", 1),
    ("0064 00000000 ffffffff", K.TRUNCATED, 10, "owned_partitions", 100),
]


@pytest.mark.parametrize(("given", "kind", "offset", "path", "version"), FRAMED)
def test_with_a_version_in_front(
    given: str, kind: ErrorKind, offset: int, path: str, version: int | None
) -> None:
    data = bytes.fromhex(given)
    for read in (Subscription.from_bytes, lambda data: decode(data, Subscription)):
        with pytest.raises(DecodeError) as refused:
            read(data)
        error = refused.value
        assert (error.kind, error.offset, error.path, error.version) == (
            kind,
            offset,
            path,
            version,
        )
    seen = decode(data, Subscription, policy=Policy.LENIENT)
    assert seen.error is not None
    assert (seen.error.kind, seen.version, seen.message) == (kind, version, None)
    assert seen.remainder == data[offset:]
    with pytest.raises(ValueError, match="message"):
        seen.with_message(Subscription())
    assert "error" in repr(seen)


def test_every_kind_has_its_example() -> None:
    shown = {kind for *_, kind, _, _ in REFUSED} | {kind for _, kind, *_ in FRAMED}
    assert shown | {K.UNKNOWN_RECORD_TYPE, K.REMAINDER, K.DEVIATION} == set(ErrorKind)


def test_unknown_record_type() -> None:
    key = versioned(framing="record-type", apiKey=3, validVersions="0")
    assert key.from_bytes(bytes.fromhex("0003 00000007")) == key(number=7)
    for given in ("0004 00000007", "ffff 00000007"):
        with pytest.raises(DecodeError) as refused:
            key.from_bytes(bytes.fromhex(given))
        assert (refused.value.kind, refused.value.offset) == (K.UNKNOWN_RECORD_TYPE, 0)


# -- policies


def test_a_policy_by_its_name() -> None:
    """It is never taken for another one."""
    given: Any = "strict"
    with pytest.raises(DecodeError, match="remainder"):
        decode(Subscription().to_bytes() + b"more", Subscription, policy=given)
    given = "lenient"
    assert decode(b"", Subscription, policy=given).error is not None


@pytest.mark.parametrize("wrong", ["Strict", "", None, True, 1, []], ids=repr)
def test_a_policy_that_there_is_not(wrong: Any) -> None:
    with pytest.raises(ValueError, match="Policy"):
        decode(Subscription().to_bytes(), Subscription, policy=wrong)


ENCODING: list[tuple[type[Message], int, str, int, str]] = [
    # class, version, hex, offset and path of what STRICT refuses and KAFKA reads
    (Subscription, 0, "00000000 fffffffe", 4, "user_data"),
    (Subscription, 3, "00000000 ffffffff 00000000 00000000 8000", 16, "rack_id"),
    (Subscription, 0, "00000001 0001 ff ffffffff", 4, "topics[0]"),
    (TEXT, 0, "8200 61 00", 0, "text"),
    (TEXT, 0, "8280808010 61 00", 0, "text"),
    (TEXT, 0, "02 61 8000", 2, ""),
    (EMPTY, 0, "02 0700 0600", 3, ""),
    (EMPTY, 0, "02 0700 0700", 3, ""),
    (TAGGED, 0, "01 00 05 00000007", 2, ""),
    (flexible(("Flag", "bool")), 0, "02 00", 0, "flag"),
    (MAYBE_PART, 0, "fe 00", 0, "part"),
    (MAYBE_PART, 0, "02 00000000 00 00", 0, "part"),
]


@pytest.mark.parametrize(
    ("cls", "version", "given", "offset", "path"), ENCODING, ids=range(len(ENCODING))
)
def test_strict_refuses_what_no_writer_emits(
    cls: type[Message], version: int, given: str, offset: int, path: str
) -> None:
    body = bytes.fromhex(given)
    with pytest.raises(DecodeError, match="KP0") as refused:
        decode(body, cls, policy=Policy.STRICT, body_version=version)
    error = refused.value
    assert (error.kind, error.offset, _path(error.path)) == (K.DEVIATION, offset, path)
    for policy in (Policy.KAFKA, Policy.LENIENT):
        seen = decode(body, cls, policy=policy, body_version=version)
        assert seen.complete and seen.remainder == b""
        encoding = [one for one in seen.deviations if one.class_ == "encoding"]
        assert [one.offset for one in encoding] == [offset]
        assert encoding[0].code in error.reason
        assert seen.deviations is seen.deviations and seen.fields is seen.fields


def test_strict_refuses_a_remainder() -> None:
    data = Subscription().to_bytes() + b"tail"
    with pytest.raises(DecodeError) as refused:
        decode(data, Subscription, policy=Policy.STRICT)
    assert (refused.value.kind, refused.value.offset) == (K.REMAINDER, len(data) - 4)
    seen = decode(data, Subscription)
    assert seen.remainder == b"tail"
    assert "complete" in repr(seen)


def test_strict_refuses_a_version_that_is_not_known() -> None:
    data = b"\0\4" + Subscription().to_body()
    with pytest.raises(DecodeError) as refused:
        decode(data, Subscription, policy=Policy.STRICT)
    assert (refused.value.kind, refused.value.version) == (K.UNSUPPORTED_VERSION, 4)
    with pytest.raises(DecodeError):
        decode(data[:1] + b"\3" + data[2:], Subscription, policy=Policy.STRICT, reader_version=2)


@pytest.mark.parametrize("deviation", ["duplicates", "order", "unknown tag"])
def test_strict_takes_the_other_deviations(deviation: str) -> None:
    cases: dict[str, tuple[bytes, type[Message]]] = {
        "duplicates": (Subscription(topics=["a", "a"], user_data=b"").to_body(0), Subscription),
        "order": (Subscription(topics=["b", "a"]).to_body(0), Subscription),
        "unknown tag": (bytes.fromhex("01 07 00"), EMPTY),
    }
    body, cls = cases[deviation]
    assert decode(body, cls, policy=Policy.STRICT, body_version=0).deviations


# -- versions that are asked for


def test_reader_version() -> None:
    data = Subscription(topics=["a"], generation_id=5, rack_id="r").to_bytes()
    seen = decode(data, Subscription, reader_version=1)
    assert (seen.version, seen.schema_version) == (3, 1)
    assert seen.message == Subscription(topics=["a"])
    assert seen.remainder == bytes.fromhex("00000005 0001 72")
    assert seen.message_class is Subscription


@pytest.mark.parametrize("version", [-1, 4, 100])
def test_a_reader_version_that_there_is_not(version: int) -> None:
    for policy in Policy:
        with pytest.raises(ValueError, match="reader_version"):
            decode(b"\0\0", Subscription, policy=policy, reader_version=version)


def test_body_version_is_needed_where_nothing_stands_in_front() -> None:
    for policy in Policy:
        with pytest.raises(ValueError, match="body_version"):
            decode(b"", EMPTY, policy=policy)


@pytest.mark.parametrize("version", [-1, 1, 40_000])
def test_a_body_version_that_there_is_not(version: int) -> None:
    for policy in (Policy.KAFKA, Policy.STRICT):
        with pytest.raises(DecodeError) as refused:
            decode(b"\0", EMPTY, policy=policy, body_version=version)
        assert (refused.value.kind, refused.value.version) == (K.UNSUPPORTED_VERSION, version)
    with pytest.raises(DecodeError):
        EMPTY.from_body(b"\0", version)
    seen = decode(b"\0", EMPTY, policy=Policy.LENIENT, body_version=version)
    assert seen.error is not None and seen.error.kind is K.UNSUPPORTED_VERSION


def test_body_version_with_a_framing() -> None:
    """It says that nothing stands in front."""
    message = Subscription(topics=["a"], generation_id=5)
    seen = decode(message.to_body(2), Subscription, body_version=2)
    assert (seen.message, seen.version, seen.schema_version) == (message, 2, 2)
    assert seen.with_message(message) == message.to_body(2)
    assert seen.fields[0].name == "topics"


# -- construct's own limit


def test_construct_takes_only_so_much() -> None:
    made = construct_for(BLOB, 0)
    with pytest.raises(construct.ConstructError, match=f"{MAX_INPUT}"):
        made.parse(bytes(MAX_INPUT + 1))


def test_the_cause_of_a_refusal_is_not_kept() -> None:
    """A traceback would keep what was read so far; whoever catches one has it, LENIENT has not."""
    body = bytes.fromhex("00000001 0001 ff 7fffffff")
    seen = decode(body, Subscription, policy=Policy.LENIENT, body_version=0)
    assert seen.error is not None
    assert seen.error.__traceback__ is None and seen.error.__context__ is None


def test_who_looks_for_deviations_in_refused_bytes_is_not_kept() -> None:
    """An error knows the frames that it came through, and these know their callers: were it in one
    of them, all that an audit holds would wait for the collector of cycles."""

    def caller() -> weakref.ref[Any]:
        audit = {"what an audit holds"}
        body = bytes.fromhex("00000001 0005 61")
        with suppress(DecodeError):
            decode(body, Subscription, body_version=0)
        decode(body, Subscription, policy=Policy.LENIENT, body_version=0).deviations  # noqa: B018
        return weakref.ref(audit)

    gc.disable()
    try:
        assert caller()() is None
    finally:
        gc.enable()


def _all_paths(nodes: Iterable[Any]) -> list[str]:
    return [path for node in nodes for path in (node.path, *_all_paths(node.children))]


def test_what_was_read_before_the_failure_is_in_the_tree() -> None:
    body = bytes.fromhex("00000002 0001 61 0005 61")
    seen = decode(body, Subscription, policy=Policy.LENIENT, body_version=0)
    assert _all_paths(seen.fields) == ["topics", "topics[0]"]
    topics = seen.fields[0]
    assert (topics.start, topics.end, topics.complete, topics.value) == (0, 7, False, None)
    assert (topics.children[0].value, topics.children[0].complete) == ("a", True)
    assert "topics[0]" in repr(topics.children[0])


def test_an_older_body_is_named() -> None:
    """Version 1 without owned partitions is truncated, not version 0: a bug of old clients."""
    data = bytes.fromhex("0001") + Subscription(topics=["a"]).to_body(0)
    with pytest.raises(DecodeError) as refused:
        Subscription.from_bytes(data)
    assert refused.value.kind is K.TRUNCATED
    seen = decode(data, Subscription, policy=Policy.LENIENT)
    (deviation,) = [one for one in seen.deviations if one.class_ == "content"]
    assert deviation.path == "version" and "version 0" in deviation.explanation


# -- by name


def test_a_built_in_message_is_decoded_by_its_name() -> None:
    data = Subscription(topics=["a"]).to_bytes(2)
    seen = decode(data, "ConsumerProtocolSubscription")
    assert seen.message_class is Subscription and seen.message == Subscription(topics=["a"])
    body = decode(data[2:], "ConsumerProtocolSubscription", body_version=2)
    assert body.message == seen.message


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("ConsumerProtocolSubscripton", "ConsumerProtocolSubscription"),
        ("consumerprotocolassignment", "ConsumerProtocolAssignment"),
        ("", ""),
        ("q" * 5000, ""),
    ],
)
def test_a_name_that_is_not_built_in(name: str, near: str) -> None:
    for policy in Policy:
        with pytest.raises(ValueError, match="built_in_names") as refused:
            decode(b"", name, policy=policy)
        assert near in str(refused.value) and len(str(refused.value)) < 300
        assert ("did you mean" in str(refused.value)) is bool(near)


@pytest.mark.parametrize("wrong", [None, 3, b"Ping", Subscription(), int, object()])
def test_what_is_no_message_class(wrong: Any) -> None:
    with pytest.raises(TypeError, match="pass a message class"):
        decode(b"\0\1", wrong)


def test_decode_errors_are_value_errors() -> None:
    with pytest.raises(ValueError, match="truncated"):
        Subscription.from_bytes(b"\0")


# -- a label that promises more than there is


@pytest.mark.parametrize("label", [1, 2, 3])
@pytest.mark.parametrize("body", [0, 1, 2])
def test_the_older_body_is_offered(label: int, body: int) -> None:
    message = Subscription(
        topics=["orders", "pay"],
        user_data=b"\1",
        owned_partitions=[Subscription.TopicPartition(topic="orders", partitions=[4])][:body],
        generation_id=7 if body > 1 else -1,
    )
    data = label.to_bytes(2, "big") + message.to_body(body)
    seen = decode(data, Subscription, policy=Policy.LENIENT)
    older = seen.as_older_body
    if label <= body:
        assert older is None and seen.complete
        return
    assert seen.message is None and older is not None and older.complete
    assert older.message == message and older.remainder == b"" and older.error is None
    assert (older.version, older.schema_version) == (label, body)
    assert older.to_bytes() == data
    assert [d for d in older.deviations if d.code == "KP040"] == [
        d for d in seen.deviations if d.code == "KP040"
    ]
    assert older.fields[0].value == label and older.fields[-1].end == len(data)
    other = message.replace(topics=["x"])
    assert older.with_message(other) == data[:2] + other.to_body(body)
    assert older.as_older_body is None


@pytest.mark.parametrize("data", ["", "00", "0001", "0001ffff", "000100000001000161ffffff", "ffff"])
def test_no_older_body_fits(data: str) -> None:
    assert decode(bytes.fromhex(data), Subscription, policy=Policy.LENIENT).as_older_body is None


def test_an_older_body_without_a_label() -> None:
    body = Subscription(topics=["a"]).to_body(0)
    seen = decode(body, Subscription, policy=Policy.LENIENT, body_version=3)
    older = seen.as_older_body
    assert older is not None and older.message == Subscription(topics=["a"])
    assert older.deviations == seen.deviations and older.deviations[0].offset == len(body)


GROUP = "000409636f6e73756d6572000000030672616e67650261ffffffffffffffff0100"


@pytest.mark.parametrize(
    ("data", "end"),
    [
        ("0005" + GROUP[4:], 33),
        ("0005" + GROUP[4:] + "0000", 33),
        (GROUP, None),
        ("ffff" + GROUP[4:], None),
        ("0005" + GROUP[4:30], None),
        ("00", None),
    ],
    ids=["newer", "newer and longer", "known", "negative", "newer and cut", "no version"],
)
def test_a_newer_record_is_read_as_the_newest_known(data: str, end: int | None) -> None:
    """Kafka refuses a record of an unknown version; what stands in it is a guess."""
    value = message_class("GroupMetadataValue")
    refused = decode(bytes.fromhex(data), value, policy=Policy.LENIENT)
    guess = refused.as_newest_known
    if end is None:
        assert guess is None
        return
    assert guess is not None
    assert (guess.message, guess.version, guess.fields[-1].end) == (None, 5, end)
    assert guess.error is refused.error
    texts = {node.path: node.value for node in guess.fields}
    assert (texts["protocol_type"], texts["generation"]) == ("consumer", 3)


def test_a_record_of_an_unknown_type_is_not_guessed_at() -> None:
    key = message_class("GroupMetadataKey")
    refused = decode(bytes.fromhex("7fff 0001 61"), key, policy=Policy.LENIENT)
    assert refused.error is not None
    assert refused.as_newest_known is None
