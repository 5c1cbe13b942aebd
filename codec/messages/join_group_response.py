"""JoinGroupResponse, generated from schemas/JoinGroupResponse.json; change that file and run `make generate`."""

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
    strings,
    truth,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack__string_h = pack_strings("", "h")
_pack__string_i = pack_strings("", "i")
_pack_b = packed("b")
_pack_h_string = pack_strings("h")
_pack_h_string_h = pack_strings("h", "h")
_pack_h_string_i = pack_strings("h", "i")
_pack_hi = packed("hi")
_pack_i = packed("i")
_pack_ihi = packed("ihi")
_short_string_h = short_strings("h")
_short_string_i = short_strings("i")
_string_u_h = strings("H")
_string_u_i = strings("I")
_unpack_bool_u_b = fixed("?B")
_unpack_hiu_h = fixed("hiH")
_unpack_i = fixed("i")
_unpack_ihiu_b = fixed("ihiB")
_unpack_ihiu_h = fixed("ihiH")
_unpack_u_b = fixed("B")


class JoinGroupResponse(Message, frozen=True, kw_only=True, gc=False):
    """JoinGroupResponse, versions 0-9."""

    NAME = "JoinGroupResponse"
    VERSIONS = VersionRange(0, 9)
    LATEST = 9
    API_KEY = 11
    FRAMING = Framing("none", "refuse")

    class JoinGroupResponseMember(MessagePart, frozen=True, kw_only=True, gc=False):
        """JoinGroupResponseMember of JoinGroupResponse, versions 0-9."""

        member_id: str = ""
        group_instance_id: str | None = None
        metadata: bytes = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)
        _blobs = ("metadata",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple or type(self.metadata) is not bytes:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                metadata: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                metadata: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    generation_id: int = -1
    protocol_type: str | None = None
    protocol_name: str | None = ""
    leader: str = ""
    skip_assignment: bool = False
    member_id: str = ""
    members: tuple[JoinGroupResponse.JoinGroupResponseMember, ...] = ()
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
            generation_id: int = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            leader: str = ...,
            skip_assignment: bool = ...,
            member_id: str = ...,
            members: Iterable[JoinGroupResponse.JoinGroupResponseMember] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            generation_id: int = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            leader: str = ...,
            skip_assignment: bool = ...,
            member_id: str = ...,
            members: Iterable[JoinGroupResponse.JoinGroupResponseMember] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_JoinGroupResponseMember = JoinGroupResponse.JoinGroupResponseMember


def _read_v0_1(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    error_code, generation_id, protocol_name_size = _unpack_hiu_h(data, pos)
    pos += 8
    raw, leader_size = _string_u_h[protocol_name_size](data, pos)
    pos += protocol_name_size + 2
    protocol_name = raw.decode()
    raw, member_id_size = _string_u_h[leader_size](data, pos)
    pos += leader_size + 2
    leader = raw.decode()
    raw, members_count = _string_u_i[member_id_size](data, pos)
    pos += member_id_size + 4
    member_id = raw.decode()
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_JoinGroupResponseMember] = []
    for _ in range(members_count):
        member_id_2_size = data[pos + 1]
        high, raw, metadata_size = _short_string_i[member_id_2_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_2_size + 6
        member_id_2 = raw.decode()
        if metadata_size < 0:
            raise OddBytes
        end = pos + metadata_size
        metadata = data[pos:end]
        pos = end
        members_list.append(_JoinGroupResponseMember(member_id=member_id_2, metadata=metadata))
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return JoinGroupResponse(
        error_code=error_code,
        generation_id=generation_id,
        protocol_name=protocol_name,
        leader=leader,
        member_id=member_id,
        members=members,
    ), pos


def _write_v0_1(message: JoinGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.skip_assignment is not False:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_hi(message.error_code, message.generation_id))
    protocol_name = message.protocol_name
    if protocol_name is None:
        raise OddValue
    protocol_name_raw = protocol_name.encode()
    leader_raw = message.leader.encode()
    add(
        _pack_h_string_h[len(protocol_name_raw)](
            len(protocol_name_raw), protocol_name_raw, len(leader_raw)
        )
    )
    member_id_raw = message.member_id.encode()
    add(_pack__string_h[len(leader_raw)](leader_raw, len(member_id_raw)))
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack__string_i[len(member_id_raw)](member_id_raw, len(members)))
    for members_item in members:
        if type(members_item) is not _JoinGroupResponseMember:
            raise OddValue
        member_id_raw_2 = members_item.member_id.encode()
        add(
            _pack_h_string_i[len(member_id_raw_2)](
                len(member_id_raw_2), member_id_raw_2, len(members_item.metadata)
            )
        )
        add(members_item.metadata)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v2_4(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, protocol_name_size = _unpack_ihiu_h(data, pos)
    pos += 12
    raw, leader_size = _string_u_h[protocol_name_size](data, pos)
    pos += protocol_name_size + 2
    protocol_name = raw.decode()
    raw, member_id_size = _string_u_h[leader_size](data, pos)
    pos += leader_size + 2
    leader = raw.decode()
    raw, members_count = _string_u_i[member_id_size](data, pos)
    pos += member_id_size + 4
    member_id = raw.decode()
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_JoinGroupResponseMember] = []
    for _ in range(members_count):
        member_id_2_size = data[pos + 1]
        high, raw, metadata_size = _short_string_i[member_id_2_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_2_size + 6
        member_id_2 = raw.decode()
        if metadata_size < 0:
            raise OddBytes
        end = pos + metadata_size
        metadata = data[pos:end]
        pos = end
        members_list.append(_JoinGroupResponseMember(member_id=member_id_2, metadata=metadata))
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return JoinGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        generation_id=generation_id,
        protocol_name=protocol_name,
        leader=leader,
        member_id=member_id,
        members=members,
    ), pos


def _write_v2_4(message: JoinGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.skip_assignment is not False:
        raise OddValue
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id))
    protocol_name = message.protocol_name
    if protocol_name is None:
        raise OddValue
    protocol_name_raw = protocol_name.encode()
    leader_raw = message.leader.encode()
    add(
        _pack_h_string_h[len(protocol_name_raw)](
            len(protocol_name_raw), protocol_name_raw, len(leader_raw)
        )
    )
    member_id_raw = message.member_id.encode()
    add(_pack__string_h[len(leader_raw)](leader_raw, len(member_id_raw)))
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack__string_i[len(member_id_raw)](member_id_raw, len(members)))
    for members_item in members:
        if type(members_item) is not _JoinGroupResponseMember:
            raise OddValue
        member_id_raw_2 = members_item.member_id.encode()
        add(
            _pack_h_string_i[len(member_id_raw_2)](
                len(member_id_raw_2), member_id_raw_2, len(members_item.metadata)
            )
        )
        add(members_item.metadata)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v5(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, protocol_name_size = _unpack_ihiu_h(data, pos)
    pos += 12
    raw, leader_size = _string_u_h[protocol_name_size](data, pos)
    pos += protocol_name_size + 2
    protocol_name = raw.decode()
    raw, member_id_size = _string_u_h[leader_size](data, pos)
    pos += leader_size + 2
    leader = raw.decode()
    raw, members_count = _string_u_i[member_id_size](data, pos)
    pos += member_id_size + 4
    member_id = raw.decode()
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_JoinGroupResponseMember] = []
    for _ in range(members_count):
        member_id_2_size = data[pos + 1]
        high, raw, group_instance_id_size = _short_string_h[member_id_2_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_2_size + 4
        member_id_2 = raw.decode()
        if group_instance_id_size < 0:
            group_instance_id = None
        else:
            end = pos + group_instance_id_size
            group_instance_id = data[pos:end].decode()
            pos = end
        (metadata_size,) = _unpack_i(data, pos)
        pos += 4
        if metadata_size < 0:
            raise OddBytes
        end = pos + metadata_size
        metadata = data[pos:end]
        pos = end
        members_list.append(
            _JoinGroupResponseMember(
                member_id=member_id_2, group_instance_id=group_instance_id, metadata=metadata
            )
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return JoinGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        generation_id=generation_id,
        protocol_name=protocol_name,
        leader=leader,
        member_id=member_id,
        members=members,
    ), pos


def _write_v5(message: JoinGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.skip_assignment is not False:
        raise OddValue
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id))
    protocol_name = message.protocol_name
    if protocol_name is None:
        raise OddValue
    protocol_name_raw = protocol_name.encode()
    leader_raw = message.leader.encode()
    add(
        _pack_h_string_h[len(protocol_name_raw)](
            len(protocol_name_raw), protocol_name_raw, len(leader_raw)
        )
    )
    member_id_raw = message.member_id.encode()
    add(_pack__string_h[len(leader_raw)](leader_raw, len(member_id_raw)))
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack__string_i[len(member_id_raw)](member_id_raw, len(members)))
    for members_item in members:
        if type(members_item) is not _JoinGroupResponseMember:
            raise OddValue
        member_id_raw_2 = members_item.member_id.encode()
        add(_pack_h_string[len(member_id_raw_2)](len(member_id_raw_2), member_id_raw_2))
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
        add(_pack_i(len(members_item.metadata)))
        add(members_item.metadata)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v6(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, protocol_name_size = _unpack_ihiu_b(data, pos)
    pos += 11
    if protocol_name_size > 127:
        protocol_name_size, pos = read_varint(data, pos - 1)
    if protocol_name_size < 1 or protocol_name_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + protocol_name_size - 1
    protocol_name = data[pos:end].decode()
    pos = end
    (leader_size,) = _unpack_u_b(data, pos)
    pos += 1
    if leader_size > 127:
        leader_size, pos = read_varint(data, pos - 1)
    if leader_size < 1 or leader_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + leader_size - 1
    leader = data[pos:end].decode()
    pos = end
    (member_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    (members_count,) = _unpack_u_b(data, pos)
    pos += 1
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_JoinGroupResponseMember] = []
    for _ in range(members_count):
        (member_id_2_size,) = _unpack_u_b(data, pos)
        pos += 1
        if member_id_2_size > 127:
            member_id_2_size, pos = read_varint(data, pos - 1)
        if member_id_2_size < 1 or member_id_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + member_id_2_size - 1
        member_id_2 = data[pos:end].decode()
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
        (metadata_size,) = _unpack_u_b(data, pos)
        pos += 1
        if metadata_size > 127:
            metadata_size, pos = read_varint(data, pos - 1)
        if metadata_size < 1:
            raise OddBytes
        end = pos + metadata_size - 1
        metadata = data[pos:end]
        pos = end
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        members_list.append(
            _JoinGroupResponseMember(
                member_id=member_id_2,
                group_instance_id=group_instance_id,
                metadata=metadata,
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
    return JoinGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        generation_id=generation_id,
        protocol_name=protocol_name,
        leader=leader,
        member_id=member_id,
        members=members,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v6(message: JoinGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.skip_assignment is not False:
        raise OddValue
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id))
    protocol_name = message.protocol_name
    if protocol_name is None:
        raise OddValue
    protocol_name_raw = protocol_name.encode()
    if len(protocol_name_raw) > MAX_STRING:
        raise OddValue
    protocol_name_size = len(protocol_name_raw) + 1
    add(VARINT[protocol_name_size] if protocol_name_size < 128 else varint(protocol_name_size))
    add(protocol_name_raw)
    leader_raw = message.leader.encode()
    if len(leader_raw) > MAX_STRING:
        raise OddValue
    leader_size = len(leader_raw) + 1
    add(VARINT[leader_size] if leader_size < 128 else varint(leader_size))
    add(leader_raw)
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _JoinGroupResponseMember:
            raise OddValue
        member_id_raw_2 = members_item.member_id.encode()
        if len(member_id_raw_2) > MAX_STRING:
            raise OddValue
        member_id_size_2 = len(member_id_raw_2) + 1
        add(VARINT[member_id_size_2] if member_id_size_2 < 128 else varint(member_id_size_2))
        add(member_id_raw_2)
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
        metadata_size = len(members_item.metadata) + 1
        add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
        add(members_item.metadata)
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


def _read_v7_8(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, protocol_type_size = _unpack_ihiu_b(data, pos)
    pos += 11
    if protocol_type_size > 127:
        protocol_type_size, pos = read_varint(data, pos - 1)
    if protocol_type_size < 1:
        protocol_type = None
    elif protocol_type_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_type_size - 1
        protocol_type = data[pos:end].decode()
        pos = end
    (protocol_name_size,) = _unpack_u_b(data, pos)
    pos += 1
    if protocol_name_size > 127:
        protocol_name_size, pos = read_varint(data, pos - 1)
    if protocol_name_size < 1:
        protocol_name = None
    elif protocol_name_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_name_size - 1
        protocol_name = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_u_b(data, pos)
    pos += 1
    if leader_size > 127:
        leader_size, pos = read_varint(data, pos - 1)
    if leader_size < 1 or leader_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + leader_size - 1
    leader = data[pos:end].decode()
    pos = end
    (member_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    (members_count,) = _unpack_u_b(data, pos)
    pos += 1
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_JoinGroupResponseMember] = []
    for _ in range(members_count):
        (member_id_2_size,) = _unpack_u_b(data, pos)
        pos += 1
        if member_id_2_size > 127:
            member_id_2_size, pos = read_varint(data, pos - 1)
        if member_id_2_size < 1 or member_id_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + member_id_2_size - 1
        member_id_2 = data[pos:end].decode()
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
        (metadata_size,) = _unpack_u_b(data, pos)
        pos += 1
        if metadata_size > 127:
            metadata_size, pos = read_varint(data, pos - 1)
        if metadata_size < 1:
            raise OddBytes
        end = pos + metadata_size - 1
        metadata = data[pos:end]
        pos = end
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        members_list.append(
            _JoinGroupResponseMember(
                member_id=member_id_2,
                group_instance_id=group_instance_id,
                metadata=metadata,
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
    return JoinGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        generation_id=generation_id,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        leader=leader,
        member_id=member_id,
        members=members,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v7_8(message: JoinGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.skip_assignment is not False:
        raise OddValue
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id))
    protocol_type = message.protocol_type
    if protocol_type is None:
        add(b"\x00")
    else:
        protocol_type_raw = protocol_type.encode()
        if len(protocol_type_raw) > MAX_STRING:
            raise OddValue
        protocol_type_size = len(protocol_type_raw) + 1
        add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
        add(protocol_type_raw)
    protocol_name = message.protocol_name
    if protocol_name is None:
        add(b"\x00")
    else:
        protocol_name_raw = protocol_name.encode()
        if len(protocol_name_raw) > MAX_STRING:
            raise OddValue
        protocol_name_size = len(protocol_name_raw) + 1
        add(VARINT[protocol_name_size] if protocol_name_size < 128 else varint(protocol_name_size))
        add(protocol_name_raw)
    leader_raw = message.leader.encode()
    if len(leader_raw) > MAX_STRING:
        raise OddValue
    leader_size = len(leader_raw) + 1
    add(VARINT[leader_size] if leader_size < 128 else varint(leader_size))
    add(leader_raw)
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _JoinGroupResponseMember:
            raise OddValue
        member_id_raw_2 = members_item.member_id.encode()
        if len(member_id_raw_2) > MAX_STRING:
            raise OddValue
        member_id_size_2 = len(member_id_raw_2) + 1
        add(VARINT[member_id_size_2] if member_id_size_2 < 128 else varint(member_id_size_2))
        add(member_id_raw_2)
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
        metadata_size = len(members_item.metadata) + 1
        add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
        add(members_item.metadata)
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


def _read_v9(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, protocol_type_size = _unpack_ihiu_b(data, pos)
    pos += 11
    if protocol_type_size > 127:
        protocol_type_size, pos = read_varint(data, pos - 1)
    if protocol_type_size < 1:
        protocol_type = None
    elif protocol_type_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_type_size - 1
        protocol_type = data[pos:end].decode()
        pos = end
    (protocol_name_size,) = _unpack_u_b(data, pos)
    pos += 1
    if protocol_name_size > 127:
        protocol_name_size, pos = read_varint(data, pos - 1)
    if protocol_name_size < 1:
        protocol_name = None
    elif protocol_name_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_name_size - 1
        protocol_name = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_u_b(data, pos)
    pos += 1
    if leader_size > 127:
        leader_size, pos = read_varint(data, pos - 1)
    if leader_size < 1 or leader_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + leader_size - 1
    leader = data[pos:end].decode()
    pos = end
    skip_assignment, member_id_size = _unpack_bool_u_b(data, pos)
    pos += 2
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    (members_count,) = _unpack_u_b(data, pos)
    pos += 1
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_JoinGroupResponseMember] = []
    for _ in range(members_count):
        (member_id_2_size,) = _unpack_u_b(data, pos)
        pos += 1
        if member_id_2_size > 127:
            member_id_2_size, pos = read_varint(data, pos - 1)
        if member_id_2_size < 1 or member_id_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + member_id_2_size - 1
        member_id_2 = data[pos:end].decode()
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
        (metadata_size,) = _unpack_u_b(data, pos)
        pos += 1
        if metadata_size > 127:
            metadata_size, pos = read_varint(data, pos - 1)
        if metadata_size < 1:
            raise OddBytes
        end = pos + metadata_size - 1
        metadata = data[pos:end]
        pos = end
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        members_list.append(
            _JoinGroupResponseMember(
                member_id=member_id_2,
                group_instance_id=group_instance_id,
                metadata=metadata,
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
    return JoinGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        generation_id=generation_id,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        leader=leader,
        skip_assignment=skip_assignment,
        member_id=member_id,
        members=members,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v9(message: JoinGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id))
    protocol_type = message.protocol_type
    if protocol_type is None:
        add(b"\x00")
    else:
        protocol_type_raw = protocol_type.encode()
        if len(protocol_type_raw) > MAX_STRING:
            raise OddValue
        protocol_type_size = len(protocol_type_raw) + 1
        add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
        add(protocol_type_raw)
    protocol_name = message.protocol_name
    if protocol_name is None:
        add(b"\x00")
    else:
        protocol_name_raw = protocol_name.encode()
        if len(protocol_name_raw) > MAX_STRING:
            raise OddValue
        protocol_name_size = len(protocol_name_raw) + 1
        add(VARINT[protocol_name_size] if protocol_name_size < 128 else varint(protocol_name_size))
        add(protocol_name_raw)
    leader_raw = message.leader.encode()
    if len(leader_raw) > MAX_STRING:
        raise OddValue
    leader_size = len(leader_raw) + 1
    add(VARINT[leader_size] if leader_size < 128 else varint(leader_size))
    add(leader_raw)
    member_id_raw = message.member_id.encode()
    add(_pack_b(truth(message.skip_assignment)))
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _JoinGroupResponseMember:
            raise OddValue
        member_id_raw_2 = members_item.member_id.encode()
        if len(member_id_raw_2) > MAX_STRING:
            raise OddValue
        member_id_size_2 = len(member_id_raw_2) + 1
        add(VARINT[member_id_size_2] if member_id_size_2 < 128 else varint(member_id_size_2))
        add(member_id_raw_2)
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
        metadata_size = len(members_item.metadata) + 1
        add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
        add(members_item.metadata)
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


JoinGroupResponse._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
    2: Codec(_read_v2_4, _write_v2_4),
    3: Codec(_read_v2_4, _write_v2_4),
    4: Codec(_read_v2_4, _write_v2_4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6, _write_v6),
    7: Codec(_read_v7_8, _write_v7_8),
    8: Codec(_read_v7_8, _write_v7_8),
    9: Codec(_read_v9, _write_v9),
}
