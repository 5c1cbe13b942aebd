"""Typed modules for definitions: their class is that of `compile_definition`, and their text is
what mypy, ruff and a reader can use.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto import schemas
from kproto.codec import (
    Framing,
    SchemaError,
    compile_definition,
    decode,
    generate_module,
    message_class,
)
from kproto.fuzz.strategies import messages

from .strategies import definitions
from .test_hostile_definitions import CODE, FREE, TRICKS, tricked, use

__all__ = ["tricked"]

Object = dict[str, Any]
RUFF = Path(sys.executable).with_name("ruff")


def imported(source: str) -> dict[str, Any]:
    """The names of a module of this source."""
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(source, "generated.py", "exec"), names)  # noqa: S102
    return names


def laid_out(source: str) -> str:
    """As ruff sorts the imports and lays out the code, at its own width."""
    for command in (["check", "--select=I", "--fix-only"], ["format"]):
        done = subprocess.run(
            [RUFF, *command, "--isolated", "-"],
            input=source,
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        source = done.stdout
    return source


# A definition whose names are all in use already: by Python, by the module, or twice.
CLASHES: Object = {
    "type": "data", "name": "Note", "validVersions": "0-2", "flexibleVersions": "2+",
    "framing": "version", "newerVersions": "clamp",
    "fields": [
        {"name": "Int", "type": "int32", "versions": "0+"},
        {"name": "Str", "type": "string", "versions": "0+"},
        {"name": "Bytes", "type": "bytes", "versions": "0+", "nullableVersions": "1+"},
        {"name": "Tuple", "type": "[]Note", "versions": "0+", "fields": [
            {"name": "self", "type": "uuid", "versions": "0+"},
            {"name": "Float", "type": "float64", "versions": "0+"},
            {"name": "Class", "type": "[]UUID", "versions": "0+", "fields": [
                {"name": "Bool", "type": "bool", "versions": "0+"}]}]},
        {"name": "Self", "type": "[]Self", "versions": "0+", "nullableVersions": "0+", "fields": [
            {"name": "Replace", "type": "int8", "versions": "0+"}]},
        {"name": "cls", "type": "MessagePart", "versions": "1+", "nullableVersions": "1+",
         "default": "null", "fields": [{"name": "X", "type": "int8", "versions": "0+"}]},
        {"name": "Raw", "type": "RawTaggedField", "versions": "1+", "fields": [
            {"name": "X", "type": "Iterable", "versions": "0+", "fields": [
                {"name": "Y", "type": "records", "versions": "0+"}]}]},
    ],
}  # fmt: skip
NAMES = "annotations Framing Message VersionedMessage Iterable int str UUID None note".split()


def named(name: str) -> Object:
    """A message of this name that has a field, and a struct, called like others."""
    part = {"name": "A", "type": "int8", "versions": "0+"}
    return {
        "type": "data", "name": name, "validVersions": "0", "framing": "version",
        "fields": [
            {"name": "Note", "type": "[]Part", "versions": "0+", "fields": [part]},
            {"name": "Text", "type": "string", "versions": "0+"},
        ],
    }  # fmt: skip


FRESH: dict[str, Object] = {
    "clashes": CLASHES,
    **{f"named {name}": named(name) for name in NAMES},
    "no fields": {"type": "request", "name": "Empty", "validVersions": "0", "apiKey": 7},
    "no versions": {"type": "request", "name": "Gone", "validVersions": "none", "fields": []},
    "an empty struct": {
        "type": "header", "name": "Holder", "validVersions": "0", "fields": [
            {"name": "In", "type": "Inner", "versions": "0+", "fields": []}],
    },
    "a key": {
        "type": "coordinator-key", "name": "Key", "validVersions": "0", "apiKey": 99, "fields": [
            {"name": "Group", "type": "string", "versions": "0"}],
    },
    "long names": {
        "type": "data", "name": "L" + "o" * 28 + "ng", "validVersions": "0", "fields": [
            {"name": "Many", "type": "[]V" + "e" * 22 + "ry", "versions": "0+", "fields": [
                {"name": "Deep", "type": "D" + "e" * 22 + "p", "versions": "0+", "fields": [
                    {"name": "A", "type": "int8", "versions": "0+"}]},
                {"name": "Deeper", "type": "D" + "e" * 22 + "p", "versions": "0+",
                 "nullableVersions": "0+"}]},
            {"name": "Some", "type": "[]V" + "e" * 22 + "ry", "versions": "0+",
             "nullableVersions": "0+"}],
    },
}  # fmt: skip


@pytest.mark.parametrize("definition", FRESH.values(), ids=FRESH)
def test_the_class_is_that_of_the_definition(definition: Object) -> None:
    cls = compile_definition(definition)
    names = imported(generate_module(definition))
    assert names[cls.__name__] is cls
    use(cls)


@pytest.mark.no_cover
@given(definitions())
def test_any_definition(definition: Object) -> None:
    cls = compile_definition(definition)
    assert imported(generate_module(definition))["Made"] is cls


@cache
def typed_class(name: str) -> Any:
    """The class of a built-in definition's module."""
    return imported(generate_module(schemas.text(name)))[message_class(name).__name__]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", schemas.names())
@given(data=st.data())
@settings(max_examples=3)
def test_a_built_in_definition_reads_the_same_bytes(name: str, data: st.DataObject) -> None:
    built_in, made = message_class(name), typed_class(name)
    assert (made.VERSIONS, made.FRAMING) == (built_in.VERSIONS, built_in.FRAMING)
    for version in built_in.VERSIONS:
        chosen = messages(classes=st.just(built_in), versions=[version], unknown_tags=False)
        message = data.draw(chosen).message
        read = made.from_body(message.to_body(version), version)
        assert read.to_json(version) == message.to_json(version)


def test_newer_versions_are_read_as_the_definition_says() -> None:
    note = imported(generate_module(CLASHES))["Note"]
    old = note(int=7, str="seven")
    future = b"\x00\x09" + old.to_body(2) + b"what version 9 appends"
    assert note.from_bytes(future) == old
    seen = decode(future, note)
    assert (seen.version, seen.schema_version) == (9, 2)
    assert seen.remainder == b"what version 9 appends"


@pytest.mark.parametrize("framing", ["version", Framing("version", "accept"), "none"])
def test_framing_that_is_given(framing: Framing | str) -> None:
    definition = named("Framed")
    cls = compile_definition(definition, framing=framing)
    assert imported(generate_module(definition, framing=framing))["Framed"] is cls


# -- what is given


def test_a_text_and_a_file_give_what_an_object_gives(tmp_path: Path) -> None:
    text = f"// a remark\n{json.dumps(CLASHES)}"
    source = generate_module(CLASHES)
    assert generate_module(text) == source
    file = tmp_path / "Note.json"
    file.write_text(text, encoding="utf-8")
    told = "Generated from Note.json by `kproto codegen`: change the definition, not this file."
    docs = [ast.get_docstring(ast.parse(made)) or "" for made in (source, generate_module(file))]
    assert docs[0].splitlines() == [
        "Note, versions 0-2.", "", told.replace(" from Note.json", ""),
    ]  # fmt: skip
    assert docs[1].splitlines()[2] == told
    assert str(tmp_path) not in generate_module(file)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="unknown message type"):
        generate_module(CLASHES | {"type": "message"})
    with pytest.raises(ValueError, match="framing"):
        generate_module(CLASHES, framing="unknown")
    with pytest.raises(FileNotFoundError):
        generate_module(tmp_path / "Note.json")


@pytest.mark.no_cover
@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("make", FREE.values(), ids=FREE)
def test_free_text_does_not_run(make: Any, trick: str, tricked: list[str]) -> None:
    definition = make(trick)
    source = generate_module(definition)
    assert imported(source)["Made"] is compile_definition(definition)
    assert all(line.isprintable() for line in source.split("\n"))
    assert tricked == []


def test_the_file_s_name_does_not_run(tmp_path: Path, tricked: list[str]) -> None:
    file = tmp_path / f'""" + {CODE} + """\n{CODE}.json'
    file.write_text(json.dumps(named("Made")), encoding="utf-8")
    assert imported(generate_module(file))["Made"] is compile_definition(file)
    assert tricked == []


# -- how it looks


@pytest.mark.no_cover
@pytest.mark.parametrize("definition", FRESH.values(), ids=FRESH)
def test_ruff_has_nothing_to_change(definition: Object) -> None:
    source = generate_module(definition)
    assert laid_out(source) == source


def test_ruff_has_nothing_to_change_in_the_built_in_ones(tmp_path: Path) -> None:
    for name in schemas.names():
        (tmp_path / f"{name}.py").write_text(generate_module(schemas.text(name)), encoding="utf-8")
    for command in (["check", "--select=I,F"], ["format", "--diff"]):
        done = subprocess.run(
            [RUFF, *command, "--isolated", tmp_path], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


def test_a_module_needs_public_names_alone() -> None:
    from kproto import codec

    for definition in FRESH.values():
        for node in ast.walk(ast.parse(generate_module(definition))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("kproto"):
                assert node.module == "kproto.codec"
                assert {alias.name for alias in node.names} <= set(dir(codec))


# -- what a type checker makes of it

USE = """
from typing import assert_type
from uuid import UUID

from clashes import Note
from kproto.codec import Message, VersionedMessage, decode
from made import Made

made = Made(topics=["a"], owner=Made.Owner(id=UUID(int=1)), raw=b"")
assert_type(made.topics, tuple[str, ...])
assert_type(made.owner, Made.Owner | None)
assert_type(Made.Owner().id, UUID)
assert_type(Made.from_bytes(b"").replace(topics=("b",)), Made)
assert_type(decode(b"", Made).message, Made | None)
assert_type(Note().bytes, bytes | None)
assert_type(Note(tuple=[Note.Note(class_=[Note.UUID(bool=True)])]).int, int)
message: VersionedMessage = Note()
Made(topics=[1])  # refused
Made(topic=["a"])  # refused
Made(owner="a")  # refused
Made.Owner(id=1)  # refused
made.replace(topics=7)  # refused
made.topics = ()  # refused
made.owners  # refused
made.raw.hex()  # refused
made.to_bytes("1")  # refused
"""
MADE: Object = {
    "type": "data", "name": "Made", "validVersions": "0-3", "framing": "version", "fields": [
        {"name": "Topics", "type": "[]string", "versions": "0+"},
        {"name": "Owner", "type": "Owner", "versions": "1+", "nullableVersions": "2+", "fields": [
            {"name": "Id", "type": "uuid", "versions": "1+"}]},
        {"name": "Raw", "type": "bytes", "versions": "3+", "nullableVersions": "3+"}],
}  # fmt: skip


def test_mypy_knows_the_fields(tmp_path: Path) -> None:
    """Strictly: every module passes, right code passes, each mistake is refused where it stands."""
    definitions = {**FRESH, "made": MADE}
    for name, definition in definitions.items():
        file = tmp_path / f"{name.replace(' ', '_')}.py"
        file.write_text(generate_module(definition), encoding="utf-8")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "."],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    refused = set(re.findall(r"^(\w+\.py):(\d+): error", done.stdout, re.MULTILINE))
    assert refused == {
        ("use.py", str(number))
        for number, line in enumerate(USE.splitlines(), start=1)
        if "# refused" in line
    }, done.stdout
