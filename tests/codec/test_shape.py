"""Shapes: what is committed is what the definitions say, and means what it says."""

from __future__ import annotations

import pytest

from kproto.codec import built_in_names
from kproto.codec.built_in import built_in_spec
from kproto.codec.messages.shapes import SHAPES
from kproto.codec.shape import shapes
from kproto.codec.spec import parse


@pytest.mark.parametrize("name", built_in_names())
def test_the_committed_shapes_are_those_of_the_definitions(name: str) -> None:
    assert shapes(built_in_spec(name)) == SHAPES[name]


def test_every_kind_of_field() -> None:
    spec = parse(
        """{ "type": "data", "name": "All", "validVersions": "0-1", "flexibleVersions": "1+",
        "framing": "version", "newerVersions": "clamp", "fields": [
        { "name": "A", "type": "int8", "versions": "0+" },
        { "name": "B", "type": "uuid", "versions": "0+" },
        { "name": "C", "type": "string", "versions": "0+", "nullableVersions": "0+" },
        { "name": "D", "type": "bytes", "versions": "0+" },
        { "name": "E", "type": "[]int32", "versions": "0+", "nullableVersions": "1+" },
        { "name": "F", "type": "[]string", "versions": "0+" },
        { "name": "G", "type": "Part", "versions": "0+", "fields": [
          { "name": "X", "type": "int64", "versions": "0+" } ] },
        { "name": "H", "type": "Maybe", "versions": "1+", "nullableVersions": "1+", "fields": [
          { "name": "Y", "type": "bool", "versions": "1+" } ] },
        { "name": "I", "type": "int32", "versions": "1+", "taggedVersions": "1+", "tag": 0 } ] }"""
    )
    front, ((low, _, plain), (_, high, flexible)) = shapes(spec)
    assert (front, low, high) == (("version", "clamp", None), 0, 1)
    arrays = ("int32", (4,)), ("int32", ("string",))
    assert plain == (17, "?string", "bytes", *arrays, 8)
    assert flexible == (
        *(17, "?varint bytes", "varint bytes", ("?varint", (4,)), ("varint", ("varint bytes",))),
        *(8, "tags", ("struct", (1, "tags")), "tags"),
    )
