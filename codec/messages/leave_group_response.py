"""LeaveGroupResponse, generated from schemas/LeaveGroupResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, MessagePart, RawTaggedField
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
    short_strings,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_h = packed("h")
_pack_h_string = pack_strings("h")
_pack_ih = packed("ih")
_pack_ihi = packed("ihi")
_short_string_h = short_strings("h")
_unpack_h = fixed("h")
_unpack_hu_b = fixed("hB")
_unpack_ih = fixed("ih")
_unpack_ihu_b = fixed("ihB")
_unpack_ihu_i = fixed("ihI")
_unpack_u_b = fixed("B")


class LeaveGroupResponse(Message, frozen=True, kw_only=True, gc=False):
    """LeaveGroupResponse, versions 0-5."""

    NAME = "LeaveGroupResponse"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 13
    FRAMING = Framing("none", "refuse")

    class MemberResponse(MessagePart, frozen=True, kw_only=True, gc=False):
        """MemberResponse of LeaveGroupResponse, versions 3-5."""

        member_id: str = ""
        group_instance_id: str | None = ""
        error_code: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    members: tuple[LeaveGroupResponse.MemberResponse, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("members", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            members: Iterable[LeaveGroupResponse.MemberResponse] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            members: Iterable[LeaveGroupResponse.MemberResponse] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MemberResponse = LeaveGroupResponse.MemberResponse


def _read_v0(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    (error_code,) = _unpack_h(data, pos)
    pos += 2
    return LeaveGroupResponse(error_code=error_code), pos


def _write_v0(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.members != ():
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_h(message.error_code))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1_2(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code = _unpack_ih(data, pos)
    pos += 6
    return LeaveGroupResponse(throttle_time_ms=throttle_time_ms, error_code=error_code), pos


def _write_v1_2(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.members != ():
        raise OddValue
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code, members_count = _unpack_ihu_i(data, pos)
    pos += 10
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberResponse] = []
    for _ in range(members_count):
        member_id_size = data[pos + 1]
        high, raw, group_instance_id_size = _short_string_h[member_id_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_size + 4
        member_id = raw.decode()
        if group_instance_id_size < 0:
            group_instance_id = None
        else:
            end = pos + group_instance_id_size
            group_instance_id = data[pos:end].decode()
            pos = end
        (error_code_2,) = _unpack_h(data, pos)
        pos += 2
        members_list.append(
            _MemberResponse(
                member_id=member_id, group_instance_id=group_instance_id, error_code=error_code_2
            )
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, members=members
    ), pos


def _write_v3(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, len(members)))
    for members_item in members:
        if type(members_item) is not _MemberResponse:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        add(_pack_h_string[len(member_id_raw)](len(member_id_raw), member_id_raw))
        group_instance_id = members_item.group_instance_id
        if group_instance_id is None:
            add(b"\xff\xff")
        else:
            group_instance_id_raw = group_instance_id.encode()
            add(
                _pack_h_string[len(group_instance_id_raw)](
                    len(group_instance_id_raw), group_instance_id_raw
                )
            )
        if type(members_item.error_code) is bool:
            raise OddValue
        add(_pack_h(members_item.error_code))
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4_5(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code, members_count = _unpack_ihu_b(data, pos)
    pos += 7
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberResponse] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if member_id_size > 127:
            member_id_size, pos = read_varint(data, pos - 1)
        if member_id_size < 1 or member_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + member_id_size - 1
        member_id = data[pos:end].decode()
        pos = end
        (group_instance_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_instance_id_size > 127:
            group_instance_id_size, pos = read_varint(data, pos - 1)
        if group_instance_id_size < 1:
            group_instance_id = None
        elif group_instance_id_size > MAX_STRING + 1:
            raise OddBytes
        else:
            end = pos + group_instance_id_size - 1
            group_instance_id = data[pos:end].decode()
            pos = end
        error_code_2, count = _unpack_hu_b(data, pos)
        pos += 3
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        members_list.append(
            _MemberResponse(
                member_id=member_id,
                group_instance_id=group_instance_id,
                error_code=error_code_2,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    members = tuple(members_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        members=members,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v4_5(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _MemberResponse:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        if len(member_id_raw) > MAX_STRING:
            raise OddValue
        member_id_size = len(member_id_raw) + 1
        add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
        add(member_id_raw)
        group_instance_id = members_item.group_instance_id
        if group_instance_id is None:
            add(b"\x00")
        else:
            group_instance_id_raw = group_instance_id.encode()
            if len(group_instance_id_raw) > MAX_STRING:
                raise OddValue
            group_instance_id_size = len(group_instance_id_raw) + 1
            add(
                VARINT[group_instance_id_size]
                if group_instance_id_size < 128
                else varint(group_instance_id_size)
            )
            add(group_instance_id_raw)
        if type(members_item.error_code) is bool:
            raise OddValue
        add(_pack_h(members_item.error_code))
        add(
            write_tags([], members_item.unknown_tagged_fields, ())
            if members_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


LeaveGroupResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4_5, _write_v4_5),
    5: Codec(_read_v4_5, _write_v4_5),
}
