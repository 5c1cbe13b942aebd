"""Every rule of the dialect, broken once: a SchemaError that names file, field and rule."""

from __future__ import annotations

import json
import math
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from kproto.codec import Framing, KprotoError, SchemaError, compile_definition, load_definitions

if TYPE_CHECKING:
    from pathlib import Path

Object = dict[str, Any]
INNER = {"name": "Number", "type": "int8", "versions": "0+"}
STRUCT: Object = {"name": "Inner", "versions": "0+", "fields": [INNER]}


def definition(**changes: Any) -> Object:
    """A legal definition with some keys changed; None takes a key away."""
    whole: Object = {
        "type": "data",
        "name": "Made",
        "validVersions": "0-3",
        "flexibleVersions": "2+",
        "fields": [],
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


def field(**changes: Any) -> Object:
    """A definition with one field."""
    whole = {"name": "Given", "type": "int32", "versions": "0+"}
    return definition(
        fields=[{key: value for key, value in (whole | changes).items() if value is not None}]
    )


def fields(*given: Object, **changes: Any) -> Object:
    return definition(fields=list(given), **changes)


def default(type_: str, value: Any, **changes: Any) -> Object:
    return field(type=type_, default=value, **changes)


# The definition, the field it names, a word of the rule.
WRONG: dict[str, tuple[Object, str, str]] = {
    # the message
    "unknown key": (definition(speed=1), "", "speed"),
    "no type": (definition(type=None), "", "type"),
    "no name": (definition(name=None), "", "name"),
    "no versions": (definition(validVersions=None), "", "validVersions"),
    "unknown message type": (definition(type="table"), "", "table"),
    "name of the wrong kind": (definition(name=["Made"]), "", "name"),
    "name with a space": (definition(name="Made up"), "", "Made up"),
    "name with an underscore": (definition(name="Made_up"), "", "Made_up"),
    "name with a digit in front": (definition(name="3Made"), "", "3Made"),
    "empty name": (definition(name=""), "", "name"),
    "name with a line end": (definition(name="Made\n"), "", "name"),
    "name beyond ASCII": (definition(name="Größe"), "", "name"),
    "api key too large": (definition(apiKey=40_000), "apiKey", "int16"),
    "api key of the wrong kind": (definition(apiKey=True), "", "apiKey"),
    "unknown listener": (definition(listeners=["moon"]), "listeners", "moon"),
    "listener of the wrong kind": (definition(listeners=[["broker"]]), "listeners", "broker"),
    "fields of the wrong kind": (definition(fields={}), "", "fields"),
    # versions
    "malformed versions": (definition(validVersions="0..3"), "", "0..3"),
    "versions backwards": (definition(validVersions="3-0"), "", "3-0"),
    "negative versions": (definition(validVersions="-1-3"), "", "-1-3"),
    "versions beyond int16": (definition(validVersions="0-40000"), "", "40000"),
    "versions with a space": (definition(validVersions="0 - 3"), "", "0 - 3"),
    "empty versions": (definition(validVersions=""), "", "validVersions"),
    "versions that are open and closed": (definition(validVersions="0-3+"), "", "0-3+"),
    "versions as a number": (definition(validVersions=3), "", "validVersions"),
    "digits of another script": (definition(validVersions="٣"), "", "٣"),
    "malformed flexible versions": (definition(flexibleVersions="some"), "", "some"),
    "malformed deprecated versions": (definition(deprecatedVersions="x"), "", "deprecated"),
    "too many versions": (
        fields(*({**INNER, "name": f"F{n}"} for n in range(200)), validVersions="0+"),
        "",
        "versions",
    ),
    # framing
    "unknown framing": (definition(framing="letter"), "", "letter"),
    "unknown newer versions": (definition(framing="version", newerVersions="guess"), "", "guess"),
    "newer versions without framing": (definition(newerVersions="clamp"), "", "newerVersions"),
    "clamp without a version": (definition(framing="none", newerVersions="clamp"), "", "clamp"),
    "head of an int16 version": (definition(framing="version", newerVersions="head"), "", "head"),
    "record type without api key": (definition(framing="record-type"), "", "apiKey"),
    "version32 without fields": (definition(framing="version32"), "", "version"),
    "version32 of int16": (
        fields({"name": "Version", "type": "int16", "versions": "0+"}, framing="version32"),
        "",
        "int32",
    ),
    "version32 by another name": (
        fields({"name": "Label", "type": "int32", "versions": "0+"}, framing="version32"),
        "",
        "version",
    ),
    "version32 in some versions": (
        fields({"name": "Version", "type": "int32", "versions": "1+"}, framing="version32"),
        "",
        "version",
    ),
    "head without the latest version": (
        fields(
            {"name": "Version", "type": "int32", "versions": "0+"},
            framing="version32",
            newerVersions="head",
        ),
        "",
        "latest",
    ),
    # fields
    "field that is no object": (fields("Given"), "", "field"),  # type: ignore[arg-type]
    "unknown key in a field": (field(size=4), "Given", "size"),
    "no field name": (field(name=None), "", "name"),
    "no field type": (field(type=None), "Given", "type"),
    "no field versions": (field(versions=None), "Given", "versions"),
    "field without versions": (field(versions="none"), "Given", "versions"),
    "bad field name": (field(name="given name"), "given name", "name"),
    "field name of the wrong kind": (field(name=7), "", "name"),
    "unknown type": (field(type="int24"), "Given", "int24"),
    "unknown small type": (field(type="text"), "Given", "text"),
    "array of arrays": (field(type="[][]int8"), "Given", "[][]int8"),
    "array of nothing": (field(type="[]"), "Given", "[]"),
    "malformed field versions": (field(versions="1,2"), "Given", "1,2"),
    "ignorable of the wrong kind": (field(ignorable="yes"), "Given", "ignorable"),
    "map key of the wrong kind": (field(mapKey=1), "Given", "mapKey"),
    "two fields of one name": (fields(INNER, INNER), "Number", "two fields"),
    "two fields of one Python name": (
        fields(*({**INNER, "name": name} for name in ("TopicId", "topicId"))),
        "topicId",
        "TopicId is topic_id, too",
    ),
    "flexible versions of a number": (field(flexibleVersions="none"), "Given", "flexible"),
    # nullable
    "nullable number": (field(nullableVersions="0+"), "Given", "null"),
    "nullable in no version of the field": (
        field(type="string", versions="2+", nullableVersions="0-1"),
        "Given",
        "nullableVersions",
    ),
    "malformed nullable versions": (
        field(type="string", nullableVersions="all"),
        "Given",
        "nullableVersions",
    ),
    # tags
    "tag without tagged versions": (field(tag=0), "Given", "taggedVersions"),
    "tagged versions without tag": (field(taggedVersions="2+"), "Given", "tag"),
    "tagged in no version of the field": (
        field(versions="0-1", tag=0, taggedVersions="2+"),
        "Given",
        "taggedVersions",
    ),
    "tagged where nothing is flexible": (
        field(tag=0, taggedVersions="0+"),
        "Given",
        "flexible",
    ),
    "tags not from 0": (field(tag=1, taggedVersions="2+"), "Given", "tags"),
    "negative tag": (field(tag=-1, taggedVersions="2+"), "Given", "tags"),
    "tag of the wrong kind": (field(tag="first", taggedVersions="2+"), "Given", "tag"),
    "one tag twice": (
        fields(*({**INNER, "name": n, "tag": 0, "taggedVersions": "2+"} for n in "AB")),
        "B",
        "tags",
    ),
    "tags with a gap": (
        fields(
            {**INNER, "name": "A", "tag": 0, "taggedVersions": "2+"},
            {**INNER, "name": "B", "tag": 2, "taggedVersions": "2+"},
        ),
        "B",
        "tags",
    ),
    # defaults
    "default out of range": (default("int8", 128), "Given", "128"),
    "default text out of range": (default("int8", "-129"), "Given", "-129"),
    "default hex out of range": (default("int16", "0x8000"), "Given", "0x8000"),
    "negative default of unsigned": (default("uint16", -1), "Given", "-1"),
    "default that is no number": (default("int32", "many"), "Given", "many"),
    "default with underscores": (default("int32", "1_000"), "Given", "1_000"),
    "default with a space": (default("int32", " 1"), "Given", "1"),
    "fractional default": (default("int32", 1.5), "Given", "1.5"),
    "bool default of a number": (default("int32", True), "Given", "True"),
    "default that is no float": (default("float64", "one"), "Given", "one"),
    "float default with underscores": (default("float64", "1_0"), "Given", "1_0"),
    "float default that JSON has not": (default("float64", math.nan), "Given", "nan"),
    "bool default of a float": (default("float64", True), "Given", "True"),
    "default that is no bool": (default("bool", "yes"), "Given", "yes"),
    "number default of a bool": (default("bool", 1), "Given", "1"),
    "default that is no uuid": (default("uuid", "zero"), "Given", "zero"),
    "uuid default with other letters": (default("uuid", "AAAAAAAAAAAA!AAAAAAAAAQ"), "Given", "!"),
    "uuid default too short": (default("uuid", "AAAA"), "Given", "AAAA"),
    "number default of a uuid": (default("uuid", 0), "Given", "0"),
    "number default of a string": (default("string", 5), "Given", "5"),
    "default string too long": (default("string", "x" * 32768), "Given", "default"),
    "default of bytes": (default("bytes", "AAAA"), "Given", "AAAA"),
    "default of an array": (default("[]int8", "1"), "Given", "1"),
    "default of the wrong kind": (default("int32", [1]), "Given", "default"),
    "null where never null": (default("string", "null"), "Given", "null"),
    "null where not always null": (
        default("string", "null", nullableVersions="1+"),
        "Given",
        "null",
    ),
    # structs
    "struct that is missing": (field(type="Inner"), "Given", "Inner"),
    "struct of the wrong kind": (definition(commonStructs=[1]), "commonStructs", "object"),
    "struct without fields": (
        definition(commonStructs=[{"name": "Inner", "versions": "0+"}]),
        "commonStructs",
        "fields",
    ),
    "unknown key in a struct": (
        definition(commonStructs=[{**STRUCT, "mapKey": True}]),
        "commonStructs",
        "mapKey",
    ),
    "struct with a small letter": (
        definition(commonStructs=[{**STRUCT, "name": "inner"}]),
        "inner",
        "capital",
    ),
    "struct declared twice": (definition(commonStructs=[STRUCT, STRUCT]), "Inner", "twice"),
    "struct declared in two fields": (
        fields(
            *(
                {"name": n, "type": "[]Inner", "versions": "0+", "fields": [INNER]}
                for n in ("A", "B")
            )
        ),
        "Inner",
        "twice",
    ),
    "struct inside itself": (
        fields(
            {"name": "A", "type": "Inner", "versions": "0+"},
            commonStructs=[
                {**STRUCT, "fields": [{"name": "B", "type": "[]Inner", "versions": "0+"}]}
            ],
        ),
        "Inner.B",
        "itself",
    ),
    "structs inside each other": (
        fields(
            {"name": "A", "type": "One", "versions": "0+"},
            commonStructs=[
                {"name": a, "versions": "0+", "fields": [{**INNER, "type": b}]}
                for a, b in (("One", "Two"), ("Two", "One"))
            ],
        ),
        "Two.Number",
        "itself",
    ),
    "struct declared inside itself": (
        fields(
            {
                "name": "A", "type": "Inner", "versions": "0+",
                "fields": [{"name": "B", "type": "Inner", "versions": "0+", "fields": [INNER]}],
            }
        ),
        "Inner",
        "itself",
    ),
    "fields of a number": (field(fields=[INNER]), "Given", "int32"),
    "bad field in a struct": (
        field(type="[]Inner", fields=[{**INNER, "type": "int9"}]),
        "Inner.Number",
        "int9",
    ),
    "struct without that version": (
        field(type="Inner", versions="0+") | {"commonStructs": [{**STRUCT, "versions": "1+"}]},
        "Given",
        "version 0",
    ),
    # much out of little
    "structs within structs from one byte": (
        fields(
            {"name": "Given", "type": "[]Outer", "versions": "0+"},
            flexibleVersions=None,
            commonStructs=[
                {"name": "Outer", "versions": "0+", "fields": [{**INNER, "type": "A"}]},
                {"name": "A", "versions": "0+", "fields": [{**INNER, "type": "B"}]},
                {"name": "B", "versions": "0+", "fields": [{**INNER, "type": "C"}]},
                {"name": "C", "versions": "0+", "fields": [{**INNER, "type": "Thin"}]},
                {"name": "Thin", "versions": "0+", "fields": [{**INNER, "type": "int8"}]},
            ],
        ),
        "Given",
        "5 structs within structs from 1 bytes",
    ),
    # arrays of nothing
    "elements without fields": (
        definition(
            flexibleVersions=None,
            fields=[{"name": "Given", "type": "[]Inner", "versions": "0+", "fields": []}],
        ),
        "Given",
        "take no bytes",
    ),
    "elements empty in one version": (
        field(type="[]Inner", fields=[{**INNER, "versions": "1+"}]),
        "Given",
        "take no bytes",
    ),
    "elements of empty structs": (
        fields(
            {"name": "Given", "type": "[]Inner", "versions": "0+"},
            flexibleVersions=None,
            commonStructs=[
                {"name": "Inner", "versions": "0+", "fields": [{**INNER, "type": "Void"}]},
                {"name": "Void", "versions": "0+", "fields": []},
            ],
        ),
        "Given",
        "take no bytes",
    ),
    # our own keys
    "unknown encoding": (field(type="string", encoding="latin-1"), "Given", "latin-1"),
    "encoding of a number": (
        field(encoding="utf-16") | {"flexibleVersions": "none"},
        "Given",
        "a string that is never null",
    ),
    "encoding of a nullable string": (
        field(type="string", nullableVersions="0+", encoding="utf-16")
        | {"flexibleVersions": "none"},
        "Given",
        "a string that is never null",
    ),
    "encoding in flexible versions": (
        field(type="string", encoding="utf-16"),
        "Given",
        "encoding is for versions that are not flexible",
    ),
    "optional in flexible versions": (field(optionalVersions="0+"), "Given", "flexible"),
    "optional in a struct": (
        definition(
            flexibleVersions=None,
            fields=[
                {
                    "name": "Given", "type": "Inner", "versions": "0+",
                    "fields": [{**INNER, "optionalVersions": "0+"}],
                }
            ],
        ),
        "Inner.Number",
        "optionalVersions",
    ),
    "optional before a field that is not": (
        definition(
            flexibleVersions=None,
            fields=[{**INNER, "optionalVersions": "0+"}, {**INNER, "name": "After"}],
        ),
        "After",
        "has to be optional",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "where", "word"), WRONG.values(), ids=WRONG)
def test_is_refused(wrong: Object, where: str, word: str) -> None:
    texts: list[Object | str] = [] if "nan" in word else [json.dumps(wrong)]
    given: Object | str
    for given in [wrong, *texts]:
        with pytest.raises(SchemaError) as refused:
            compile_definition(given)
        error = refused.value
        assert isinstance(error, KprotoError)
        assert (error.source, error.field) == ("<definition>", where)
        assert word in error.rule
        assert str(error).startswith("<definition>") and error.rule in str(error)


NOT_JSON = {
    "nothing": "",
    "half": '{"type": "data"',
    "two": "{} {}",
    "a list": "[]",
    "a word": "null",
    "a number": "17",
    "a comment alone": "// {}",
    "an open comment": '{"type": "data"} /* and',
    "a comma too many": '{"type": "data",}',
    "single quotes": "{'type': 'data'}",
    "one key twice": '{"type": "data", "type": "header"}',
    "one key twice, deep": '{"fields": [{"name": "A", "name": "B"}]}',
    "not a number": '{"default": NaN}',
    "an endless number": '{"apiKey": ' + "1" * 5000 + "}",
    "a lone surrogate": '{"type": "data", "name": "\\ud800", "validVersions": "0"}',
    "a NUL": "\0",
    "brackets": "[" * 100_000,
    "braces": '{"a":' * 100_000,
}


@pytest.mark.parametrize("text", NOT_JSON.values(), ids=NOT_JSON)
def test_text_that_is_no_definition(text: str) -> None:
    with pytest.raises(SchemaError) as refused:
        compile_definition(text)
    assert refused.value.source == "<definition>"
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("text", ["[]", "null", "17"])
def test_json_that_is_no_object(text: str) -> None:
    with pytest.raises(SchemaError) as refused:
        compile_definition(text)
    assert str(refused.value) == "<definition>: a definition is one JSON object"


@pytest.mark.parametrize(
    ("value", "number"), [("10", 10), ("-10", -10), ("0x10", 16), ("0X1f", 31), (12, 12)]
)
def test_a_default_is_decimal_or_hex(value: Any, number: int) -> None:
    made: Any = compile_definition(default("int32", value))
    assert made().given == number


@pytest.mark.parametrize("values", ['"0+", "versions": "1+"', '1, "versions": true'])
def test_a_key_that_says_two_things(values: str) -> None:
    with pytest.raises(SchemaError, match="key 'versions' has two values"):
        compile_definition('{"fields": [{"versions": ' + values + "}]}")


HUGE = 10**5000  # more digits than Python prints


@pytest.mark.parametrize(
    "wrong",
    [
        definition(apiKey=HUGE),
        definition(name=HUGE),
        definition(listeners=[HUGE]),
        definition() | {HUGE: 1},
        field(tag=HUGE, taggedVersions="2+"),
        field(versions=HUGE),
        field(about=[HUGE]),
        *(default(type_, HUGE) for type_ in ("int8", "int64", "float64", "string", "bytes")),
        *(default(type_, HUGE) for type_ in ("bool", "uuid", "[]int8", "records")),
    ],
)
def test_a_number_too_long_to_be_printed(wrong: Object) -> None:
    with pytest.raises(SchemaError) as refused:
        compile_definition(wrong)
    assert "a huge" in str(refused.value) and len(str(refused.value)) < 200


@pytest.mark.parametrize("given", [None, 7, ["type"], b"{}"])
def test_an_object_that_is_no_definition(given: Any) -> None:
    with pytest.raises((SchemaError, TypeError)):
        compile_definition(given)


def test_the_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "Wrong.json"
    file.write_text(json.dumps(field(type="int24")), encoding="utf-8")
    for read in (compile_definition, load_definitions):
        with pytest.raises(SchemaError, match=r"int24") as refused:
            read(file)
        assert refused.value.source == str(file)
        assert str(refused.value).startswith(f"{file}: Given: ")


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "Wrong.json"
    file.write_bytes(b'{"about": "\xff"}')
    for read in (compile_definition, load_definitions):
        with pytest.raises(SchemaError, match="UTF-8") as refused:
            read(file)
        assert refused.value.source == str(file)


@pytest.mark.parametrize("framing", ["letter", "", "Version"])
def test_a_framing_that_does_not_exist(framing: str) -> None:
    with pytest.raises(ValueError, match="framing"):
        compile_definition(definition(), framing=framing)
    with pytest.raises(ValueError, match="framing"):
        Framing(framing)


def test_an_error_can_be_pickled() -> None:
    error = SchemaError("file", "field", "rule")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), again.source, again.field, again.rule) == (
        "file: field: rule", "file", "field", "rule",
    )  # fmt: skip
