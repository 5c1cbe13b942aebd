"""Tag sections of flexible versions (KIP-482), which generated readers and writers call.

On the wire: a count, then for each field its tag, the size of its data, its data; the numbers are
unsigned varints. Tags ascend when written; any order is accepted when read, as Kafka does.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from ..wire.primitives import MAX_TAGS, OddBytes, OddValue, Read, T, Write, read_varint, varint
from .message import RawTaggedField

Tags = Mapping[int, tuple[str, Read[Any]]]
"""Tag -> name and reader, of each tagged field that a layout has."""
Unknown = tuple[RawTaggedField, ...]


def read_unknown_tags(data: bytes, pos: int) -> tuple[Unknown, int]:
    """Return the section of a layout without tagged fields: each is kept raw."""
    _, unknown, pos = read_tags(data, pos, {}, ())
    return unknown, pos


def read_tags(
    data: bytes, pos: int, known: Tags, foreign: Container[int]
) -> tuple[dict[str, Any], Unknown, int]:
    """Return the values of the known fields that are there, by name; the unknown ones, raw; the
    end.

    Tags in `foreign` are those of other versions, which Kafka refuses. The size of a known field is
    not looked at, as in Kafka.
    """
    if data[pos] == 0:  # as nearly always
        return {}, (), pos + 1
    count, pos = read_varint(data, pos)
    if not 0 <= count <= MAX_TAGS:
        raise OddBytes
    values: dict[str, Any] = {}
    unknown = []
    for _ in range(count):
        tag, pos = read_varint(data, pos)
        size, pos = read_varint(data, pos)
        if tag in known:
            name, read = known[tag]
            values[name], pos = read(data, pos)
            continue
        end = pos + size
        if tag in foreign or size < 0 or end > len(data):
            raise OddBytes
        unknown.append(RawTaggedField(tag=tag, data=data[pos:end]))
        pos = end
    return values, tuple(unknown), pos


def read_tagged_nullable(data: bytes, pos: int, read: Read[T]) -> tuple[T | None, int]:
    """Return a struct in a tagged field, behind a varint that is 0 for null."""
    present, pos = read_varint(data, pos)
    return read(data, pos) if present else (None, pos)


def write_tagged_nullable(value: T | None, parts: list[bytes], write: Write[T]) -> None:
    """The reverse."""
    if value is None:
        parts.append(b"\0")
    else:
        parts.append(b"\1")
        write(value, parts)


def write_unknown_tags(unknown: Unknown, parts: list[bytes]) -> None:
    """The section of a layout without tagged fields."""
    if unknown:
        write_tags({}, unknown, parts, ())
    else:
        parts.append(b"\0")


def write_tags(
    known: Mapping[int, list[bytes]],
    unknown: Unknown,
    parts: list[bytes],
    defined: Container[int],
) -> None:
    """A section, tags ascending: the known fields that are not at their default, and the unknown
    ones, whose tags must ascend and be none of those that the definition uses."""
    fields = [(tag, b"".join(data)) for tag, data in known.items()]
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
