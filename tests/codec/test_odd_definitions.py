"""Oddities that are legal: Kafka's own definitions have most of them."""

from __future__ import annotations

import json
import math
from typing import Any
from uuid import UUID

import pytest

from kproto import schemas
from kproto.codec import (
    DecodeError,
    EncodeError,
    ErrorKind,
    Framing,
    Message,
    SchemaError,
    VersionRange,
    compile_definition,
    construct_for,
)

from .ways import by_construct, by_decode, plain

Object = dict[str, Any]
INNER = {"name": "Number", "type": "int8", "versions": "0+"}


def define(*fields: Object, **changes: Any) -> type[Message]:
    whole = {
        "type": "data",
        "name": "Made",
        "validVersions": "0-2",
        "flexibleVersions": "none",
        "fields": list(fields),
    }
    return compile_definition(whole | changes)


def given(type_: str, **changes: Any) -> Object:
    return {"name": "Given", "type": type_, "versions": "0+"} | changes


# -- defaults

NOTHING = "no default"
DEFAULTS: list[tuple[str, Any, Any]] = [
    *(("bool", spelled, False) for spelled in (NOTHING, None, "", False, "false", "False")),
    *(("bool", spelled, True) for spelled in (True, "true", "True", "TRUE")),
    *(("int8", spelled, 0) for spelled in (NOTHING, None, "", 0, "0", "-0", "0x0")),
    ("int8", -128, -128),
    ("int8", "127", 127),
    ("int8", "0x7F", 127),
    ("int8", "-0x80", -128),
    ("int16", "0x7fff", 32767),
    ("uint16", "65535", 65535),
    ("uint16", "0xFFFF", 65535),
    ("int32", "-2147483648", -(1 << 31)),
    ("int32", -1, -1),
    ("uint32", "0xffffffff", (1 << 32) - 1),
    ("int64", "0x7fffffffffffffff", (1 << 63) - 1),
    ("int64", "-9223372036854775808", -(1 << 63)),
    *(("float64", spelled, 0.0) for spelled in (NOTHING, None, "", 0, "0", "0.0")),
    ("float64", "-1.5", -1.5),
    ("float64", 2, 2.0),
    ("float64", "1e-3", 0.001),
    ("float64", "Infinity", math.inf),
    ("float64", "-Infinity", -math.inf),
    *(("string", spelled, "") for spelled in (NOTHING, None, "")),
    ("string", "none", "none"),
    ("string", "None", "None"),
    ("string", "0", "0"),
    ("string", 'a "quoted" \\ {text}\n', 'a "quoted" \\ {text}\n'),
    ("string", "日本 𝄞 \0", "日本 𝄞 \0"),
    *(("bytes", spelled, b"") for spelled in (NOTHING, None, "")),
    *(("records", spelled, b"") for spelled in (NOTHING, None, "")),
    *(("uuid", spelled, UUID(int=0)) for spelled in (NOTHING, None, "")),
    ("uuid", "AAAAAAAAAAAAAAAAAAAAAQ", UUID(int=1)),
    *(("[]int32", spelled, ()) for spelled in (NOTHING, None, "")),
    *(("[]string", spelled, ()) for spelled in (NOTHING, None, "")),
]


DEFAULT_IDS = [f"{type_}-{spelled!r}" for type_, spelled, _ in DEFAULTS]


@pytest.mark.parametrize(("type_", "spelled", "value"), DEFAULTS, ids=DEFAULT_IDS)
def test_defaults(type_: str, spelled: Any, value: Any) -> None:
    field = given(type_) if spelled == NOTHING else given(type_, default=spelled)
    cls = define(field)
    assert cls().given == value  # type: ignore[attr-defined]
    assert type(cls().given) is type(value)  # type: ignore[attr-defined]
    assert cls.from_json({}, version=0) == cls()
    for version in cls.VERSIONS:
        assert cls.from_body(cls().to_body(version), version) == cls()


@pytest.mark.parametrize(("type_", "spelled", "value"), DEFAULTS, ids=DEFAULT_IDS)
def test_defaults_of_fields_that_a_version_lacks(type_: str, spelled: Any, value: Any) -> None:
    field = given(type_, versions="2+")
    cls = define(field if spelled == NOTHING else field | {"default": spelled})
    assert cls().to_body(1) == b""
    assert cls.from_body(b"", 1).given == value  # type: ignore[attr-defined]


def test_a_default_that_is_no_number() -> None:
    """It equals nothing, itself included, so a tagged field at it is always written, as in Java."""
    tagged = given("float64", default="NaN", tag=0, taggedVersions="0+")
    cls = define(tagged, flexibleVersions="0+")
    assert math.isnan(cls().given)  # type: ignore[attr-defined]
    assert cls().to_body(0).hex() == "0100087ff8000000000000"


NULLABLE = ("string", "bytes", "records", "[]int8", "[]string", "[]Inner", "Inner")


@pytest.mark.parametrize("type_", NULLABLE)
@pytest.mark.parametrize("spelled", [NOTHING, None, "null"])
def test_null_and_a_bare_null(type_: str, spelled: Any) -> None:
    """The text "null" is a default; a bare null declares none."""
    field = given(type_, nullableVersions="0+")
    if spelled != NOTHING:
        field["default"] = spelled
    if "Inner" in type_:
        field["fields"] = [INNER]
    cls = define(field)
    value = cls().given  # type: ignore[attr-defined]
    if spelled == "null":
        assert value is None
    elif type_ == "Inner":
        assert value == cls.Inner(number=0)  # type: ignore[attr-defined]
    else:
        assert value in ("", b"", ())
    for other in (None, value):
        message = cls(given=other)
        assert cls.from_body(message.to_body(0), 0) == message
        assert cls.from_json(message.to_json(0), 0) == message


# -- versions


def test_versions_none() -> None:
    cls = define(validVersions="none")
    assert (cls.VERSIONS, cls.LATEST) == (VersionRange.NONE, -1)
    assert (str(cls.VERSIONS), list(cls.VERSIONS)) == ("none", [])
    with pytest.raises(EncodeError, match="no version"):
        cls().to_body()
    with pytest.raises(EncodeError, match="no version"):
        cls().to_body(0)


@pytest.mark.parametrize("framing", ["none", "version", "record-type"])
def test_versions_none_with_framing(framing: str) -> None:
    cls = define(validVersions="none", framing=framing, apiKey=3)
    assert not cls.VERSIONS


@pytest.mark.parametrize(
    ("versions", "there"),
    [
        ("0+", {0, 1, 2}), ("0", {0}), ("1-7", {1, 2}), ("2-32767", {2}), ("0-1", {0, 1}),
        ("3+", set()), ("7", set()),
    ],
)  # fmt: skip
def test_field_versions_are_intersected(versions: str, there: set[int]) -> None:
    cls = define(given("int8", versions=versions))
    for version in cls.VERSIONS:
        assert len(cls().to_body(version)) == (version in there)
        if version not in there:
            with pytest.raises(EncodeError, match="given"):
                cls(given=1).to_body(version)


def test_a_struct_wider_than_its_field() -> None:
    struct = {"name": "Inner", "versions": "1+", "fields": [INNER | {"versions": "0-9"}]}
    cls = define(given("[]Inner", versions="2+"), commonStructs=[struct])
    inner = cls.Inner(number=5)  # type: ignore[attr-defined]
    assert cls(given=[inner]).to_body(2).hex() == "0000000105"


def test_versions_not_from_0() -> None:
    cls = define(given("int8"), validVersions="5-6")
    assert (VersionRange(5, 6), 6) == (cls.VERSIONS, cls.LATEST)
    assert cls(given=3).to_body(5) == b"\3"
    for version in (0, 4, 7):
        with pytest.raises(EncodeError):
            cls().to_body(version)


def test_tagged_versions_are_a_field_s_versions() -> None:
    field = {"name": "Given", "type": "int8", "tag": 0, "taggedVersions": "1+"}
    cls = define(field, flexibleVersions="1+")
    assert cls(given=5).to_body(1).hex() == "01000105"
    with pytest.raises(EncodeError, match="given"):
        cls(given=5).to_body(0)


def test_a_field_that_becomes_tagged() -> None:
    field = given("int8", tag=0, taggedVersions="2+")
    cls = define(field, flexibleVersions="1+")
    assert [cls(given=5).to_body(v).hex() for v in (0, 1, 2)] == ["05", "0500", "01000105"]


def test_one_field_that_is_not_flexible() -> None:
    """The request header's ClientId (KIP-511)."""
    cls = define(
        given("string", flexibleVersions="none"),
        given("string") | {"name": "Other"},
        flexibleVersions="0+",
    )
    assert cls(given="a", other="b").to_body(0).hex() == "000161" + "0262" + "00"


# -- keys, comments, structs


def test_every_key_of_the_dialect() -> None:
    cls = define(
        given(
            "string", nullableVersions="1+", default="x", ignorable=True, mapKey=True,
            entityType="topicName", zeroCopy=True, about="What it is.", flexibleVersions="2+",
        ),
        apiKey=11, listeners=["broker", "controller", "zkBroker"], latestVersionUnstable=True,
        deprecatedVersions="0", about="What it is.", flexibleVersions="2+", type="request",
    )  # fmt: skip
    assert ("Made", 11, Framing("none")) == (cls.NAME, cls.API_KEY, cls.FRAMING)


@pytest.mark.parametrize("spelled", [True, "true"])
def test_a_flag_may_be_text(spelled: Any) -> None:
    """As Jackson, which Kafka reads its definitions with, takes it."""
    cls = define(given("int8", versions="1+", ignorable=spelled))
    assert cls(given=5).to_body(0) == b""
    strict = define(given("int8", versions="1+", ignorable="false"))
    with pytest.raises(EncodeError, match="given"):
        strict(given=5).to_body(0)


def test_a_number_may_be_text() -> None:
    """As Jackson takes it: BrokerHeartbeatRequest of Kafka 3.9 has a tag "0"."""
    tagged = given("int8", taggedVersions="0+", tag="0")
    cls = define(tagged, apiKey="11", flexibleVersions="0+")
    assert (cls.API_KEY, cls(given=5).to_body(0)) == (11, b"\x01\x00\x01\x05")
    with pytest.raises(SchemaError, match="int16"):
        define(apiKey="40000")


def test_a_key_may_be_repeated() -> None:
    """DescribeTopicPartitionsRequest of Kafka 3.9 says twice in which versions a field is."""
    cls = compile_definition(
        """{"type": "data", "name": "Made", "validVersions": "0", "fields": [
        {"name": "Given", "type": "int8", "versions": "0+", "about": "", "versions": "0+"}]}"""
    )
    assert cls(given=5).to_body(0) == b"\x05"


def test_what_the_comments_say() -> None:
    text = '{ // one\n  // and more\n\n // two\n "a": "// no", // three\n //\n /* not */ "b": 1 }'
    assert schemas.comments(text) == ["one and more", "two", "three"]


COMMENTED = """
// a line, with "quotes" and /* no start of a comment
{ "type": "data", /* in between */ "name": "Made", "validVersions": "0", // "name": "Other",
  "about": "not // a comment, nor /* this */",
  /* over
     lines { } " */
  "fields": [ { "name": "Given", "type": "string", "versions": "0+",
                "default": "http://x/*y*/\\\\" } ] } // the end"""


def test_comments_of_both_kinds() -> None:
    cls = compile_definition(COMMENTED)
    assert cls().given == "http://x/*y*/\\"  # type: ignore[attr-defined]


def test_what_is_wrong_behind_comments_is_found_where_it_is() -> None:
    with pytest.raises(SchemaError, match="line 3 column 1"):
        compile_definition("// one\n/* two */\nx")


def test_a_common_struct_before_the_one_it_uses() -> None:
    structs = [
        {"name": "Outer", "versions": "0+", "fields": [given("[]Inner")]},
        {"name": "Inner", "versions": "0+", "fields": [INNER]},
    ]
    for fields in ([given("Outer")], []):  # used or not
        cls = define(*fields, commonStructs=structs)
        message = cls()
        assert cls.from_body(message.to_body(0), 0) == message


def test_a_struct_used_before_it_is_declared() -> None:
    cls = define(given("[]Inner"), given("[]Inner") | {"name": "Second", "fields": [INNER]})
    inner = cls.Inner(number=1)  # type: ignore[attr-defined]
    assert cls(given=[inner], second=[inner]).to_body(0).hex() == "0000000101" * 2


def test_an_empty_struct_that_is_no_array() -> None:
    cls = define(given("Void", fields=[]), given("int8") | {"name": "After"})
    assert cls(after=5).to_body(0) == b"\5"
    assert cls.from_body(b"\5", 0) == cls(after=5)


def test_elements_that_are_only_tags() -> None:
    cls = define(given("[]Void", fields=[]), flexibleVersions="0+")
    void = cls.Void()  # type: ignore[attr-defined]
    assert cls(given=[void, void]).to_body(0).hex() == "03000000"
    assert cls.from_body(bytes.fromhex("03000000"), 0).given == (void, void)  # type: ignore[attr-defined]


def test_a_struct_of_defaults_as_default() -> None:
    cls = define(given("Inner", fields=[INNER | {"default": "7"}], versions="1+"))
    assert cls().given.number == 7  # type: ignore[attr-defined]
    assert cls().to_body(0) == b""
    assert cls().to_body(1) == b"\7"
    with pytest.raises(EncodeError, match="given"):
        cls(given=cls.Inner(number=8)).to_body(0)  # type: ignore[attr-defined]


def test_deep_but_not_too_deep() -> None:
    field: Object = INNER
    for level in range(15):
        field = {"name": f"F{level}", "type": f"[]S{level}", "versions": "0+", "fields": [field]}
    cls = define(field)
    assert cls.from_body(cls().to_body(0), 0) == cls()


BEHIND: dict[str, list[Object]] = {
    "nothing": [],
    "a number": [{"type": "int32"}],
    "a byte": [{"type": "int8"}],
    "an array": [{"type": "[]int32"}],
    "a string": [{"type": "string"}],
    "a nullable string": [{"type": "string", "nullableVersions": "0+"}],
    "a struct": [{"type": "Inner", "fields": [INNER]}],
    "an empty struct": [{"type": "Void", "fields": []}, {"type": "int32"}],
    "a string of its own encoding": [{"type": "string", "encoding": "utf-16"}],
    "a missing field": [{"type": "int32", "optionalVersions": "0+"}],
    "a missing struct": [{"type": "Inner", "fields": [INNER], "optionalVersions": "0+"}],
}


@pytest.mark.parametrize("behind", BEHIND.values(), ids=BEHIND)
@pytest.mark.parametrize("type_", ["[]string", "string", "[]Texts"])
def test_what_stands_behind_strings(type_: str, behind: list[Object]) -> None:
    """The end of a string is read together with what follows."""
    first = given(type_)
    if type_ == "[]Texts":
        first["fields"] = [given("[]string"), given("string") | {"name": "Last"}]
    more = [field | {"name": f"Behind{n}", "versions": "0+"} for n, field in enumerate(behind)]
    cls = define(first, *more)
    for texts in ((), ("",), ("a",), ("", "", "a"), ("x" * 255, "y" * 256, "z" * 300), ("ж",)):
        value: Any = texts
        if type_ == "string":
            value = "".join(texts)
        elif type_ == "[]Texts":
            value = [cls.Texts(given=texts, last="end")] * 2  # type: ignore[attr-defined]
        message = cls(given=value)
        body = message.to_body(0)
        assert cls.from_body(body, 0) == message
        assert plain(construct_for(cls, 0).parse(body)) == plain(message)
        assert construct_for(cls, 0).build(message) == body
        for cut in range(0, len(body), 1 + len(body) // 100):
            fast = by_decode(cls, 0, body[:cut])
            assert by_construct(cls, 0, body[:cut]) == fast


def test_equal_definitions_are_one_class() -> None:
    text = json.dumps({"type": "data", "name": "Made", "validVersions": "0", "fields": [INNER]})
    one, two = compile_definition(text), compile_definition(json.loads(text))
    assert one is two
    assert compile_definition(text + " // and a comment") is one
    assert compile_definition(text, framing="version") is not one


@pytest.mark.parametrize("nullable", [{}, {"nullableVersions": "0+"}], ids=["never", "maybe"])
def test_a_struct_alone_in_a_struct(nullable: Object) -> None:
    inner = {"name": "Deep", "type": "Deep", "versions": "0+", "fields": [INNER]} | nullable
    cls = define(given("Outer", fields=[inner]))
    message = cls(given=cls.Outer(deep=cls.Deep(number=5)))  # type: ignore[attr-defined]
    body = message.to_body(0)
    assert body.hex() == ("0105" if nullable else "05")
    assert cls.from_body(body, 0) == message


@pytest.mark.no_cover
def test_a_field_of_one_version_among_all_that_there_can_be() -> None:
    fields = {"name": "Number", "type": "int8", "versions": "1"}
    made = define(fields, validVersions="0+")
    for version, body in ((0, b""), (1, b"\7"), (2, b""), (32767, b"")):
        assert made.from_body(body, version).to_body(version) == body
    # Gigabytes, where a name lists the versions that it is for.
    assert len({codec.read.__name__ for codec in made._codecs.values()}) == 2
    assert all(len(codec.read.__name__) < 20 for codec in made._codecs.values())


@pytest.mark.parametrize("type_", ["[]string", "[]int32", "[]bool"])
@pytest.mark.parametrize("flexible", ["none", "0+"])
def test_what_has_no_order_is_no_array(type_: str, flexible: str) -> None:
    cls = define(given(type_), flexibleVersions=flexible)
    with pytest.raises(EncodeError, match=r"given: .* is not a list"):
        cls(given={1})


@pytest.mark.parametrize("type_", ["int8", "int64", "float64"])
@pytest.mark.parametrize("flexible", ["none", "0+"])
def test_long_arrays_of_numbers(type_: str, flexible: str) -> None:
    """Kafka reads a million elements at most; to write more is not refused."""
    cls = define(given(f"[]{type_}"), flexibleVersions=flexible)
    for count in (0, 127, 128, 511, 512, 513, 1_000_000):
        message = cls(given=(1,) * count)
        assert cls.from_body(message.to_body(0), 0) == message
    too_many = cls(given=(1,) * 1_000_001).to_body(0)
    with pytest.raises(DecodeError) as refused:
        cls.from_body(too_many, 0)
    assert refused.value.kind is ErrorKind.COUNT_EXCEEDS_INPUT
