"""LeaveGroupRequest, generated from schemas/LeaveGroupRequest.json; change that file and run `make generate`."""

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
    read_varint,
    short_strings,
    strings,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack__string = pack_strings("")
_pack_h_string = pack_strings("h")
_pack_h_string_h = pack_strings("h", "h")
_pack_h_string_i = pack_strings("h", "i")
_short_string_h = short_strings("h")
_short_string_u_h = short_strings("H")
_short_string_u_i = short_strings("I")
_string = strings("")
_unpack_u_b = fixed("B")


class LeaveGroupRequest(Message, frozen=True, kw_only=True, gc=False):
    """LeaveGroupRequest, versions 0-5."""

    NAME = "LeaveGroupRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 13
    FRAMING = Framing("none", "refuse")

    class MemberIdentity(MessagePart, frozen=True, kw_only=True, gc=False):
        """MemberIdentity of LeaveGroupRequest, versions 3-5."""

        member_id: str = ""
        group_instance_id: str | None = None
        reason: str | None = None
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
                reason: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                reason: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    member_id: str = ""
    members: tuple[LeaveGroupRequest.MemberIdentity, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("members", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            members: Iterable[LeaveGroupRequest.MemberIdentity] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            members: Iterable[LeaveGroupRequest.MemberIdentity] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MemberIdentity = LeaveGroupRequest.MemberIdentity


def _read_v0_2(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, member_id_size = _short_string_u_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 4
    group_id = raw.decode()
    (raw,) = _string[member_id_size](data, pos)
    pos += member_id_size
    member_id = raw.decode()
    return LeaveGroupRequest(group_id=group_id, member_id=member_id), pos


def _write_v0_2(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.members != ():
        raise OddValue
    group_id_raw = message.group_id.encode()
    member_id_raw = message.member_id.encode()
    add(_pack_h_string_h[len(group_id_raw)](len(group_id_raw), group_id_raw, len(member_id_raw)))
    add(_pack__string[len(member_id_raw)](member_id_raw))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, members_count = _short_string_u_i[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 6
    group_id = raw.decode()
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberIdentity] = []
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
        members_list.append(
            _MemberIdentity(member_id=member_id, group_instance_id=group_instance_id)
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupRequest(group_id=group_id, members=members), pos


def _write_v3(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.member_id != "":
        raise OddValue
    group_id_raw = message.group_id.encode()
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_h_string_i[len(group_id_raw)](len(group_id_raw), group_id_raw, len(members)))
    for members_item in members:
        if type(members_item) is not _MemberIdentity:
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
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    (members_count,) = _unpack_u_b(data, pos)
    pos += 1
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberIdentity] = []
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
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        members_list.append(
            _MemberIdentity(
                member_id=member_id,
                group_instance_id=group_instance_id,
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
    return LeaveGroupRequest(
        group_id=group_id, members=members, unknown_tagged_fields=unknown_tagged_fields_2
    ), pos


def _write_v4(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.member_id != "":
        raise OddValue
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _MemberIdentity:
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


def _read_v5(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    (members_count,) = _unpack_u_b(data, pos)
    pos += 1
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberIdentity] = []
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
        (reason_size,) = _unpack_u_b(data, pos)
        pos += 1
        if reason_size > 127:
            reason_size, pos = read_varint(data, pos - 1)
        if reason_size < 1:
            reason = None
        elif reason_size > MAX_STRING + 1:
            raise OddBytes
        else:
            end = pos + reason_size - 1
            reason = data[pos:end].decode()
            pos = end
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        members_list.append(
            _MemberIdentity(
                member_id=member_id,
                group_instance_id=group_instance_id,
                reason=reason,
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
    return LeaveGroupRequest(
        group_id=group_id, members=members, unknown_tagged_fields=unknown_tagged_fields_2
    ), pos


def _write_v5(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.member_id != "":
        raise OddValue
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _MemberIdentity:
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
        reason = members_item.reason
        if reason is None:
            add(b"\x00")
        else:
            reason_raw = reason.encode()
            if len(reason_raw) > MAX_STRING:
                raise OddValue
            reason_size = len(reason_raw) + 1
            add(VARINT[reason_size] if reason_size < 128 else varint(reason_size))
            add(reason_raw)
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


LeaveGroupRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
