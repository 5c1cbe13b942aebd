"""StreamsGroupDescribeRequest, generated from schemas/StreamsGroupDescribeRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, RawTaggedField
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
    VARINT,
    OddBytes,
    OddValue,
    fixed,
    packed,
    read_varint,
    truth,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_b = packed("b")
_pack_bb = packed("bb")
_unpack_bool_bool_u_b = fixed("??B")
_unpack_bool_u_b = fixed("?B")
_unpack_u_b = fixed("B")


class StreamsGroupDescribeRequest(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupDescribeRequest, versions 0-1."""

    NAME = "StreamsGroupDescribeRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 89
    FRAMING = Framing("none", "refuse")

    group_ids: tuple[str, ...] = ()
    include_authorized_operations: bool = False
    include_topology_description: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("group_ids", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.group_ids) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_ids: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            include_topology_description: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_ids: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            include_topology_description: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupDescribeRequest, int]:
    (group_ids_count,) = _unpack_u_b(data, pos)
    pos += 1
    if group_ids_count > 127:
        group_ids_count, pos = read_varint(data, pos - 1)
    group_ids_count -= 1
    if not 0 <= group_ids_count <= MAX_ELEMENTS:
        raise OddBytes
    group_ids_list: list[str] = []
    for _ in range(group_ids_count):
        (group_ids_item_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_ids_item_size > 127:
            group_ids_item_size, pos = read_varint(data, pos - 1)
        if group_ids_item_size < 1 or group_ids_item_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_ids_item_size - 1
        group_ids_list.append(data[pos:end].decode())
        pos = end
    group_ids = tuple(group_ids_list)
    include_authorized_operations, count = _unpack_bool_u_b(data, pos)
    pos += 2
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeRequest(
        group_ids=group_ids,
        include_authorized_operations=include_authorized_operations,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v0(message: StreamsGroupDescribeRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.include_topology_description is not False:
        raise OddValue
    group_ids = message.group_ids
    if type(group_ids) is not tuple:
        raise OddValue
    group_ids_size = len(group_ids) + 1
    add(VARINT[group_ids_size] if group_ids_size < 128 else varint(group_ids_size))
    for group_ids_item in group_ids:
        raw_2 = group_ids_item.encode()
        if len(raw_2) > MAX_STRING:
            raise OddValue
        group_ids_size_2 = len(raw_2) + 1
        add(VARINT[group_ids_size_2] if group_ids_size_2 < 128 else varint(group_ids_size_2))
        add(raw_2)
    add(_pack_b(truth(message.include_authorized_operations)))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v1(data: bytes, pos: int) -> tuple[StreamsGroupDescribeRequest, int]:
    (group_ids_count,) = _unpack_u_b(data, pos)
    pos += 1
    if group_ids_count > 127:
        group_ids_count, pos = read_varint(data, pos - 1)
    group_ids_count -= 1
    if not 0 <= group_ids_count <= MAX_ELEMENTS:
        raise OddBytes
    group_ids_list: list[str] = []
    for _ in range(group_ids_count):
        (group_ids_item_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_ids_item_size > 127:
            group_ids_item_size, pos = read_varint(data, pos - 1)
        if group_ids_item_size < 1 or group_ids_item_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_ids_item_size - 1
        group_ids_list.append(data[pos:end].decode())
        pos = end
    group_ids = tuple(group_ids_list)
    include_authorized_operations, include_topology_description, count = _unpack_bool_bool_u_b(
        data, pos
    )
    pos += 3
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeRequest(
        group_ids=group_ids,
        include_authorized_operations=include_authorized_operations,
        include_topology_description=include_topology_description,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v1(message: StreamsGroupDescribeRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_ids = message.group_ids
    if type(group_ids) is not tuple:
        raise OddValue
    group_ids_size = len(group_ids) + 1
    add(VARINT[group_ids_size] if group_ids_size < 128 else varint(group_ids_size))
    for group_ids_item in group_ids:
        raw_2 = group_ids_item.encode()
        if len(raw_2) > MAX_STRING:
            raise OddValue
        group_ids_size_2 = len(raw_2) + 1
        add(VARINT[group_ids_size_2] if group_ids_size_2 < 128 else varint(group_ids_size_2))
        add(raw_2)
    add(
        _pack_bb(
            truth(message.include_authorized_operations),
            truth(message.include_topology_description),
        )
    )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupDescribeRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
