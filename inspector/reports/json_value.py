"""The value of a field in the tree of what was read, in Kafka's JSON form."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from ... import capture
from ...codec.dialect.spec import FIXED_BYTES
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.message import RawTaggedField
from ...codec.wire.primitives import format_uuid
from ..shapes.shape import camel_key

__all__ = ["FIXED", "error_name_of", "json_value", "known_fields"]

FIXED = frozenset(FIXED_BYTES)
"""The types of a fixed number of bytes."""


def json_value(node: FieldNode) -> Any:
    """Return the value of a field as far as it was read."""
    if node.type.startswith("[]"):
        null = node.value is None and node.complete
        return None if null else list(map(json_value, node.children))
    if node.children or node.type == "tagged fields":
        return {camel_key(child.name): json_value(child) for child in known_fields(node)}
    match node.value:
        case bytes() as data:
            return b64encode(data).decode("ascii")
        case UUID() as uuid:
            return format_uuid(uuid)
        case RawTaggedField() as tagged:
            return {"tag": tagged.tag, "data": tagged.data.hex()}
        case _:
            return node.value


def known_fields(node: FieldNode) -> Iterator[FieldNode]:
    """Yield the fields that Kafka's JSON has: tagged ones like all others, unknown ones not at
    all."""
    for child in node.children:
        if child.name == "tagged_fields":
            yield from (tag for tag in child.children if tag.name != "unknown_tagged_fields")
        else:
            yield child


def error_name_of(node: FieldNode) -> str:
    """Return the name of the error in a field; "" for no error, and for other fields."""
    if node.name != "error_code" or not node.value:
        return ""
    return capture.error_name(node.value, node.type)
