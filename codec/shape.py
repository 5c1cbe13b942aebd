"""Layouts reduced to what says where a message ends: for finding out what bytes are.

Whoever tries all built-in messages on some bytes cannot afford to import them all. A shape is a
tuple of plain values, so that all of them together load in a millisecond (`messages/shapes.py`,
generated). A shape is a sequence of

- a number: so many bytes
- "string", "bytes", "varint bytes": a length of 2 or 4 bytes or a varint of length + 1, and data
- (count, shape): an array, whose count is "int32" or "varint"
- ("struct", shape): a nullable struct
- "tags": a tag section
- "end": the message may end here

with a "?" in front of a length or count that may be negative, which is null.
"""

from __future__ import annotations

from typing import Any

from .layout import Layout, Slot, layout
from .spec import FIXED_BYTES, Spec

Shape = tuple[Any, ...]
Front = tuple[str, str, int | None]  # framing: kind and newer versions; apiKey
Shapes = tuple[Front, tuple[tuple[int, int, Shape], ...]]


def shapes(spec: Spec) -> Shapes:
    """What stands in front, then lowest version, highest version and shape, for each run of
    versions of one shape."""
    found: list[tuple[int, int, Shape]] = []
    for version in spec.versions:
        made = _struct(layout(spec, version))
        if found and found[-1][2] == made:
            found[-1] = (found[-1][0], version, made)
        else:
            found.append((version, version, made))
    return (spec.framing.kind, spec.framing.newer, spec.api_key), tuple(found)


def _struct(layout: Layout) -> Shape:
    made: list[Any] = []
    for slot in layout.slots:
        for part in (*_MAY_END[: slot.optional], *_slot(slot)):
            if isinstance(part, int) and made and isinstance(made[-1], int):
                made[-1] += part
            else:
                made.append(part)
    return (*made, "tags") if layout.flexible else tuple(made)


def _slot(slot: Slot) -> Shape:
    null = "?" if slot.nullable else ""
    if slot.field.type.array:
        return ((f"{null}{'varint' if slot.compact else 'int32'}", _element(slot, "")),)
    if slot.element is not None and null:
        return (("struct", _struct(slot.element)),)
    return _element(slot, null)


_MAY_END = ("end",)
_ENCODED: dict[str, Shape] = {"modified-utf-8": ("string",), "utf-16": (("?int32", (2,)),)}


def _element(slot: Slot, null: str) -> Shape:
    if slot.element is not None:
        return _struct(slot.element)
    if slot.base in _ENCODED:
        return _ENCODED[slot.base]
    if slot.base in FIXED_BYTES:
        return (FIXED_BYTES[slot.base],)
    if slot.compact:
        return (f"{null}varint bytes",)
    return (f"{null}{'string' if slot.base == 'string' else 'bytes'}",)
