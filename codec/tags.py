"""Tag sections of flexible versions (KIP-482), for generated readers and writers.

On the wire: a count, then for each field its tag, the size of its data, its data; the numbers are
unsigned varints. Tags ascend when written; any order is accepted when read, as Kafka does.
"""

from __future__ import annotations

from .message import RawTaggedField
from .wire import MAX_TAGS, OddBytes, OddValue, read_varint, varint


def read_tags(data: bytes, pos: int) -> tuple[tuple[RawTaggedField, ...], int]:
    """A tag section in which every tag is unknown: kept raw, and its end."""
    count, pos = read_varint(data, pos)
    if not 0 <= count <= MAX_TAGS:
        raise OddBytes
    fields = []
    for _ in range(count):
        tag, pos = read_varint(data, pos)
        field, pos = read_raw_tag(data, pos, tag)
        fields.append(field)
    return tuple(fields), pos


def read_raw_tag(data: bytes, pos: int, tag: int) -> tuple[RawTaggedField, int]:
    """The size and data of one unknown tag, and its end."""
    size, pos = read_varint(data, pos)
    end = pos + size
    if size < 0 or end > len(data):
        raise OddBytes
    return RawTaggedField(tag=tag, data=data[pos:end]), end


def write_tags(
    known: list[tuple[int, bytes]], unknown: tuple[RawTaggedField, ...], defined: tuple[int, ...]
) -> bytes:
    """A tag section, tags ascending: the known fields that are not at their default, and the
    unknown ones, whose tags must ascend and be none of those that the definition uses."""
    fields = list(known)
    last = -1
    for field in unknown:
        if type(field.tag) is bool or not last < field.tag <= 0x7FFFFFFF or field.tag in defined:
            raise OddValue
        last = field.tag
        fields.append((last, field.data))
    fields.sort(key=_tag_of)
    parts = [varint(len(fields))]
    for tag, data in fields:
        parts += (varint(tag), varint(len(data)), data)
    return b"".join(parts)


def _tag_of(field: tuple[int, bytes]) -> int:
    return field[0]
