"""A definition with one of everything, for the tests of the face."""

from __future__ import annotations

from typing import Any

from kproto.codec import compile_definition

# Version 0 is plain; 1 is flexible; 2 brings a field that must not be lost, and one that may.
EVERYTHING: dict[str, Any] = {
    "type": "request",
    "name": "Everything",
    "validVersions": "0-2",
    "flexibleVersions": "1+",
    "apiKey": 99,
    "fields": [
        {"name": "Flag", "type": "bool", "versions": "0+"},
        {"name": "Tiny", "type": "int8", "versions": "0+"},
        {"name": "Small", "type": "int16", "versions": "0+"},
        {"name": "Port", "type": "uint16", "versions": "0+"},
        {"name": "Number", "type": "int32", "versions": "0+"},
        {"name": "Unsigned", "type": "uint32", "versions": "0+"},
        {"name": "Big", "type": "int64", "versions": "0+"},
        {"name": "Ratio", "type": "float64", "versions": "0+"},
        {"name": "TopicId", "type": "uuid", "versions": "0+"},
        {"name": "Text", "type": "string", "versions": "0+"},
        {"name": "Raw", "type": "bytes", "versions": "0+"},
        {"name": "Records", "type": "records", "versions": "0+", "nullableVersions": "0+"},
        {"name": "Names", "type": "[]string", "versions": "0+"},
        {"name": "Numbers", "type": "[]int32", "versions": "0+"},
        {"name": "Flags", "type": "[]bool", "versions": "0+"},
        {"name": "Ids", "type": "[]uuid", "versions": "0+"},
        {"name": "Blobs", "type": "[]bytes", "versions": "0+"},
        {"name": "MaybeText", "type": "string", "versions": "0+", "nullableVersions": "1+"},
        {"name": "MaybeNumbers", "type": "[]int32", "versions": "0+", "nullableVersions": "1+"},
        {"name": "Inner", "type": "Part", "versions": "0+", "fields": [
            {"name": "Key", "type": "string", "versions": "0+", "mapKey": True},
            {"name": "Deep", "type": "[]Leaf", "versions": "0+", "fields": [
                {"name": "Value", "type": "int8", "versions": "0+"},
            ]},
        ]},
        {"name": "MaybeInner", "type": "Part", "versions": "1+", "nullableVersions": "1+",
         "ignorable": True},
        {"name": "Parts", "type": "[]Part", "versions": "0+"},
        {"name": "Strict", "type": "int32", "versions": "2+", "default": "-1"},
        {"name": "Loose", "type": "int32", "versions": "2+", "ignorable": True},
        {"name": "Extra", "type": "string", "versions": "1+", "tag": 0, "taggedVersions": "1+",
         "ignorable": True},
        {"name": "Late", "type": "int32", "versions": "2+", "tag": 1, "taggedVersions": "2+"},
    ],
}  # fmt: skip

everything: Any = compile_definition(EVERYTHING)


def versioned(**changes: Any) -> Any:
    """A small message with a version in front."""
    definition: dict[str, Any] = {
        "type": "data",
        "name": "Small",
        "validVersions": "0-2",
        "framing": "version",
        "fields": [{"name": "Number", "type": "int32", "versions": "0+"}],
    }
    return compile_definition(definition | changes)
