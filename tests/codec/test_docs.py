"""Docstrings: every field of every message, from its definition; prose that stays prose."""

from __future__ import annotations

import ast
import inspect
import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kproto import schemas
from kproto.codec import ErrorKind, Message, Policy, compile_definition, message_class
from kproto.codec.dialect.names import snake
from kproto.codec.dialect.spec import parse
from kproto.codec.generate.docstrings import docstrings, literal
from kproto.schemas import loads

Object = dict[str, Any]


def words(text: str) -> str:
    return " ".join(text.split())


def entries(cls: type) -> dict[str, str]:
    """The `Attributes` section as documentation generators take it apart."""
    _, _, section = inspect.cleandoc(cls.__doc__ or "").partition("\nAttributes:\n")
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if line.startswith("     "):
            found[name] += f" {line.strip()}"
        else:
            name, _, found[name] = line.strip().partition(": ")
    return {key.partition(" (")[0]: f"{key}: {text}" for key, text in found.items()}


def declared(obj: Object) -> list[tuple[str, list[Object]]]:
    """The fields of the message ("") and of each struct, as the JSON has them."""
    found = [("", obj.get("fields", []))]
    found += [(one["name"], one["fields"]) for one in obj.get("commonStructs", [])]
    for _, fields in found:
        found += [
            (field["type"].removeprefix("[]"), field["fields"])
            for field in fields
            if "fields" in field
        ]
    return found


@pytest.mark.parametrize("name", schemas.names())
def test_every_field_is_told(name: str) -> None:
    """Its type and what the definition says of it."""
    cls = message_class(name)
    for struct, fields in declared(loads(schemas.text(name))):
        told = entries(getattr(cls, struct) if struct else cls)
        for field in fields:
            entry = told[snake(field["name"])]
            assert f"({field['type']}): {words(field['about'])}" in entry
            assert "default " in entry
            assert ("may be null" in entry) == ("nullableVersions" in field)


def test_a_message_says_what_it_is_for() -> None:
    doc = words(message_class("ConsumerProtocolSubscription").__doc__ or "")
    assert "What a consumer tells the leader of its group" in doc
    assert "Version 2 (KIP-792)" in doc
    assert "owned_partitions ([]TopicPartition): The partitions that the member owns" in doc


def define(**changes: Any) -> type[Message]:
    whole = {"type": "data", "name": "Made", "validVersions": "0-3", "fields": []}
    return compile_definition(json.dumps(whole | changes))


def test_what_a_field_is() -> None:
    cls = define(
        about="A message.",
        flexibleVersions="3",
        fields=[
            {"name": "Text", "type": "string", "versions": "1+", "nullableVersions": "2+"},
            {"name": "Id", "type": "uuid", "versions": "0+", "ignorable": True, "about": "An id"},
            {"name": "Tag", "type": "int8", "versions": "3+", "tag": 0, "taggedVersions": "3+",
             "default": "5", "ignorable": True},
            {"name": "In", "type": "Inner", "versions": "1+", "about": "One.", "fields": [
                {"name": "Far", "type": "string", "versions": "0+", "flexibleVersions": "none"},
            ]},
        ],
    )  # fmt: skip
    told = entries(cls)
    assert cls.__doc__ is not None
    assert cls.__doc__.startswith("Made, versions 0-3.\n\nA message.\n\nAttributes:\n")
    assert told["text"] == (
        "text (string): Versions 1-3; may be null in versions 2-3; default ''; "
        "other versions cannot hold it."
    )
    assert told["id"] == "id (uuid): An id. Versions 0-3; default UUID(int=0)."
    assert told["tag"] == (
        "tag (int8): Version 3; default 5; tag 0 in version 3; other versions leave it out."
    )
    assert told["in_"] == (
        "in_ (Inner): One. Versions 1-3; default Inner(); other versions cannot hold it."
    )
    assert "Version 3; default ()" in told["unknown_tagged_fields"]
    inner = cls.Inner  # type: ignore[attr-defined]
    assert inner.__doc__.startswith("Inner of Made, versions 1-3.\n\nOne.\n\nAttributes:\n")
    assert entries(inner)["far"] == "far (string): Versions 1-3; default ''."


def test_what_is_only_in_the_dialect_here() -> None:
    cls = define(
        fields=[
            {"name": "Text", "type": "string", "versions": "0+", "encoding": "utf-16"},
            {"name": "Last", "type": "int8", "versions": "0+", "optionalVersions": "2+"},
        ]
    )
    told = entries(cls)
    assert told["text"].endswith("default ''; in utf-16.")
    assert told["last"].endswith("default 0; the message may end before it in versions 2-3.")


def test_text_that_would_command_a_terminal_is_shown() -> None:
    cls = define(about="red \x1b[31m, \u202eback", fields=[])
    assert cls.__doc__ == "Made, versions 0-3.\n\nred \\x1b[31m, \\u202eback"


def test_an_empty_message_has_no_list_of_fields() -> None:
    assert define().__doc__ == "Made, versions 0-3."


@example('ends in a "quote"')
@example('"""\nimport os\n"""')
@example("a backslash at the end \\")
@given(st.text(st.characters() | st.sampled_from("\"\\\n'")))
def test_a_docstring_ends_where_it_says(text: str) -> None:
    """As source it is one string, of this text, whatever the text."""
    spec = parse({"type": "data", "name": "Made", "validVersions": "0", "fields": []})
    made = docstrings(spec, text)[""]
    (statement,) = ast.parse(literal(made)).body
    assert isinstance(statement, ast.Expr)
    assert inspect.cleandoc(ast.literal_eval(statement.value)) == inspect.cleandoc(made)


@pytest.mark.parametrize("members", [Policy, ErrorKind])
def test_every_member_has_a_sentence(members: type[Enum]) -> None:
    """In the source below it, where editors and documentation generators look."""
    (cls,) = ast.parse(inspect.getsource(members)).body
    assert isinstance(cls, ast.ClassDef)
    told = {}
    for before, one in zip(cls.body, cls.body[1:], strict=False):
        if isinstance(before, ast.Assign) and isinstance(one, ast.Expr):
            (target,) = before.targets
            told[ast.unparse(target)] = ast.literal_eval(one.value)
    assert told.keys() == members.__members__.keys()
    assert all(text.endswith(".") for text in told.values())
