"""DescribeGroupsRequest, generated from schemas/DescribeGroupsRequest.json; change that file and run `make generate`."""

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
    pack_strings,
    packed,
    read_varint,
    strings,
    truth,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_b = packed("b")
_pack_h_string = pack_strings("h")
_pack_i = packed("i")
_string_u_h = strings("H")
_unpack_bool = fixed("?")
_unpack_bool_u_b = fixed("?B")
_unpack_u_b = fixed("B")
_unpack_u_h = fixed("H")
_unpack_u_i = fixed("I")


class DescribeGroupsRequest(Message, frozen=True, kw_only=True, gc=False):
    """DescribeGroupsRequest, versions 0-6."""

    NAME = "DescribeGroupsRequest"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 15
    FRAMING = Framing("none", "refuse")

    groups: tuple[str, ...] = ()
    include_authorized_operations: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            groups: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            groups: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[DescribeGroupsRequest, int]:
    (groups_count,) = _unpack_u_i(data, pos)
    pos += 4
    if groups_count > MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[str] = []
    if groups_count:
        (size,) = _unpack_u_h(data, pos)
        pos += 2
        for _ in range(groups_count - 1):
            raw, following = _string_u_h[size](data, pos)
            pos += size + 2
            groups_list.append(raw.decode())
            size = following
        if size > MAX_STRING:
            raise OddBytes
        end = pos + size
        groups_list.append(data[pos:end].decode())
        pos = end
    groups = tuple(groups_list)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsRequest(groups=groups), pos


def _write_v0_2(message: DescribeGroupsRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.include_authorized_operations is not False:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(len(groups)))
    for groups_item in groups:
        raw_2 = groups_item.encode()
        add(_pack_h_string[len(raw_2)](len(raw_2), raw_2))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3_4(data: bytes, pos: int) -> tuple[DescribeGroupsRequest, int]:
    (groups_count,) = _unpack_u_i(data, pos)
    pos += 4
    if groups_count > MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[str] = []
    if groups_count:
        (size,) = _unpack_u_h(data, pos)
        pos += 2
        for _ in range(groups_count - 1):
            raw, following = _string_u_h[size](data, pos)
            pos += size + 2
            groups_list.append(raw.decode())
            size = following
        if size > MAX_STRING:
            raise OddBytes
        end = pos + size
        groups_list.append(data[pos:end].decode())
        pos = end
    groups = tuple(groups_list)
    (include_authorized_operations,) = _unpack_bool(data, pos)
    pos += 1
    return DescribeGroupsRequest(
        groups=groups, include_authorized_operations=include_authorized_operations
    ), pos


def _write_v3_4(message: DescribeGroupsRequest, parts: list[bytes]) -> None:
    add = parts.append
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(len(groups)))
    for groups_item in groups:
        raw_2 = groups_item.encode()
        add(_pack_h_string[len(raw_2)](len(raw_2), raw_2))
    add(_pack_b(truth(message.include_authorized_operations)))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v5_6(data: bytes, pos: int) -> tuple[DescribeGroupsRequest, int]:
    (groups_count,) = _unpack_u_b(data, pos)
    pos += 1
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[str] = []
    for _ in range(groups_count):
        (groups_item_size,) = _unpack_u_b(data, pos)
        pos += 1
        if groups_item_size > 127:
            groups_item_size, pos = read_varint(data, pos - 1)
        if groups_item_size < 1 or groups_item_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + groups_item_size - 1
        groups_list.append(data[pos:end].decode())
        pos = end
    groups = tuple(groups_list)
    include_authorized_operations, count = _unpack_bool_u_b(data, pos)
    pos += 2
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsRequest(
        groups=groups,
        include_authorized_operations=include_authorized_operations,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v5_6(message: DescribeGroupsRequest, parts: list[bytes]) -> None:
    add = parts.append
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        raw_2 = groups_item.encode()
        if len(raw_2) > MAX_STRING:
            raise OddValue
        groups_size_2 = len(raw_2) + 1
        add(VARINT[groups_size_2] if groups_size_2 < 128 else varint(groups_size_2))
        add(raw_2)
    add(_pack_b(truth(message.include_authorized_operations)))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


DescribeGroupsRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3_4, _write_v3_4),
    4: Codec(_read_v3_4, _write_v3_4),
    5: Codec(_read_v5_6, _write_v5_6),
    6: Codec(_read_v5_6, _write_v5_6),
}
