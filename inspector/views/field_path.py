"""Paths of fields, `owned_partitions[3].topic` or as JSON spells them, and the report on a
field."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from ...codec.dialect.names import camel, snake
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.message import RawTaggedField
from ...codec.wire.uuids import format_uuid
from .display_tree import DisplayTree, Line
from .redaction import Redaction, redacted_field

_STEP = re.compile(r"([A-Za-z_]\w*)((?:\[\d+\])*)")


def normal_path(given: str) -> str:
    """Return a path in snake_case. Raises ValueError for a text that is no path.

    >>> normal_path("ownedPartitions[3].Topic")
    'owned_partitions[3].topic'
    """
    steps = [_STEP.fullmatch(step) for step in given.strip().split(".")]
    if not all(steps):
        raise ValueError(f"{given!r} is no path of a field: owned_partitions[3].topic")
    return ".".join(snake(step[1]) + step[2] for step in steps if step)


def known_paths(tree: DisplayTree) -> list[str]:
    """Return the paths of the fields that were read, without those inside of arrays."""
    read = [line.path for line, _ in tree.walk() if line.node is not None]
    return [path for path in read if "[" not in path]


def field_report(
    tree: DisplayTree, line: Line, redaction: Redaction | None = None
) -> dict[str, Any]:
    """Return the JSON object of one field. `value` is in Kafka's JSON form, as far as it was read;
    `deviations` are the codes of the deviations in it."""
    assert line.node is not None
    made = {
        "path": line.path,
        "type": line.node.type,
        "start": line.start,
        "end": line.end,
        "hex": tree.data[line.start : line.end].hex(),
        "value": _json_value(line.node),
        "deviations": sorted({each.code for each in tree.deviations}),
    }
    return made if redaction is None else redacted_field(made, redaction)


def _json_value(node: FieldNode) -> Any:
    if node.type.startswith("[]"):
        null = node.value is None and node.complete
        return None if null else list(map(_json_value, node.children))
    if node.children:
        return {camel_of(child.name): _json_value(child) for child in _known_fields(node)}
    match node.value:
        case bytes() as data:
            return b64encode(data).decode("ascii")
        case UUID() as uuid:
            return format_uuid(uuid)
        case RawTaggedField() as tagged:
            return {"tag": tagged.tag, "data": tagged.data.hex()}
        case _:
            return node.value


def _known_fields(node: FieldNode) -> Iterator[FieldNode]:
    """The fields that Kafka's JSON has: tagged ones like all others, unknown ones not at all."""
    for child in node.children:
        if child.name == "tagged_fields":
            yield from (tag for tag in child.children if tag.name != "unknown_tagged_fields")
        else:
            yield child


def camel_of(name: str) -> str:
    """Return the JSON key of a field in snake_case.

    >>> camel_of("owned_partitions")
    'ownedPartitions'
    """
    return camel("".join(part[:1].upper() + part[1:] for part in name.split("_")))
