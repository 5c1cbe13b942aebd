"""Readers and writers of tag sections (KIP-482), which generated code calls.

A tag section ends each struct of a flexible version: a count, then for each field its tag, the size
of its data, and the data; the numbers are unsigned varints. Tags ascend when written; any order is
accepted when read, as in Kafka.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from ..wire.primitives import MAX_TAGS, OddBytes, OddValue, Read, T, Write, read_varint, varint
from .message import RawTaggedField

Tags = Mapping[int, tuple[str, Read[Any]]]
"""The name and the reader of each tagged field of a layout, by its tag."""
Unknown = tuple[RawTaggedField, ...]


def read_unknown_tags(data: bytes, pos: int) -> tuple[Unknown, int]:
    """Return the raw fields of a section in which the layout knows none, and the section's end."""
    if data[pos] == 0:  # the common case
        return (), pos + 1
    _, unknown, pos = read_tags(data, pos, {}, ())
    return unknown, pos


def read_tags(
    data: bytes, pos: int, own_tags: Tags, foreign: Container[int]
) -> tuple[dict[str, Any], Unknown, int]:
    """Return the known fields of a section by name, the unknown ones raw, and the section's end.

    Tags in `foreign` belong to other versions, and Kafka refuses them. The size of a known field is
    not looked at, as in Kafka.
    """
    if data[pos] == 0:  # the common case
        return {}, (), pos + 1
    count, pos = read_varint(data, pos)
    if not 0 <= count <= MAX_TAGS:
        raise OddBytes
    values: dict[str, Any] = {}
    unknown = []
    for _ in range(count):
        tag, pos = read_varint(data, pos)
        size, pos = read_varint(data, pos)
        if tag in own_tags:
            name, read = own_tags[tag]
            values[name], pos = read(data, pos)
            continue
        end = pos + size
        if tag in foreign or size < 0 or end > len(data):
            raise OddBytes
        unknown.append(RawTaggedField(tag=tag, data=data[pos:end]))
        pos = end
    return values, tuple(unknown), pos


def read_tagged_nullable(data: bytes, pos: int, read: Read[T]) -> tuple[T | None, int]:
    """Return the struct in a tagged field, and its end; None where the varint in front is 0, or
    negative, as in Java's int."""
    marker, pos = read_varint(data, pos)
    return read(data, pos) if marker > 0 else (None, pos)


def write_tagged_nullable(value: T | None, parts: list[bytes], write: Write[T]) -> None:
    """Append the varint 1 and a struct, or the varint 0 for None."""
    if value is None:
        parts.append(b"\0")
    else:
        parts.append(b"\1")
        write(value, parts)


def write_unknown_tags(unknown: Unknown, parts: list[bytes]) -> None:
    """Append a tag section in which the layout has no tagged field."""
    if unknown:
        write_tags({}, unknown, parts, ())
    else:
        parts.append(b"\0")


def write_tags(
    own_tags: Mapping[int, list[bytes]],
    unknown: Unknown,
    parts: list[bytes],
    defined: Container[int],
) -> None:
    """Append a tag section, by ascending tag.

    `own_tags` holds the fields that are not at their default. The tags of `unknown` have to ascend,
    and none may be in `defined`, the tags that the definition uses; otherwise OddValue is raised.
    """
    fields = [(tag, b"".join(data)) for tag, data in own_tags.items()]
    last = -1
    for field in unknown:
        if type(field.tag) is bool or not last < field.tag <= 0x7FFFFFFF or field.tag in defined:
            raise OddValue
        last = field.tag
        fields.append((last, field.data))
    fields.sort(key=_tag_of)
    parts.append(varint(len(fields)))
    for tag, data in fields:
        parts += (varint(tag), varint(len(data)), data)


def _tag_of(field: tuple[int, bytes]) -> int:
    return field[0]
