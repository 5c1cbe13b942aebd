"""DescribeGroupsResponse, generated from schemas/DescribeGroupsResponse.json; change that file and run `make generate`."""

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
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack__string_h = pack_strings("", "h")
_pack__string_i = pack_strings("", "i")
_pack_h = packed("h")
_pack_h_string = pack_strings("h")
_pack_h_string_h = pack_strings("h", "h")
_pack_hh_string_h = pack_strings("hh", "h")
_pack_i = packed("i")
_pack_ii = packed("ii")
_short_string_h = short_strings("h")
_short_string_u_h = short_strings("H")
_string_i = strings("i")
_string_u_h = strings("H")
_string_u_i = strings("I")
_unpack_hu_b = fixed("hB")
_unpack_hu_h = fixed("hH")
_unpack_i = fixed("i")
_unpack_iu_b = fixed("iB")
_unpack_iu_i = fixed("iI")
_unpack_u_b = fixed("B")
_unpack_u_i = fixed("I")


class DescribeGroupsResponse(Message, frozen=True, kw_only=True, gc=False):
    """DescribeGroupsResponse, versions 0-6."""

    NAME = "DescribeGroupsResponse"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 15
    FRAMING = Framing("none", "refuse")

    class DescribedGroupMember(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroupMember of DescribeGroupsResponse, versions 0-6."""

        member_id: str = ""
        group_instance_id: str | None = None
        client_id: str = ""
        client_host: str = ""
        member_metadata: bytes = b""
        member_assignment: bytes = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)
        _blobs = ("member_metadata", "member_assignment")

        def __post_init__(self) -> None:
            if (
                type(self.unknown_tagged_fields) is not tuple
                or type(self.member_metadata) is not bytes
                or type(self.member_assignment) is not bytes
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                member_metadata: bytes = ...,
                member_assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                member_metadata: bytes = ...,
                member_assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribedGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroup of DescribeGroupsResponse, versions 0-6."""

        error_code: int = 0
        error_message: str | None = None
        group_id: str = ""
        group_state: str = ""
        protocol_type: str = ""
        protocol_data: str = ""
        members: tuple[DescribeGroupsResponse.DescribedGroupMember, ...] = ()
        authorized_operations: int = -2147483648
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("members", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                protocol_type: str = ...,
                protocol_data: str = ...,
                members: Iterable[DescribeGroupsResponse.DescribedGroupMember] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                protocol_type: str = ...,
                protocol_data: str = ...,
                members: Iterable[DescribeGroupsResponse.DescribedGroupMember] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    groups: tuple[DescribeGroupsResponse.DescribedGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[DescribeGroupsResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[DescribeGroupsResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_DescribedGroup = DescribeGroupsResponse.DescribedGroup
_DescribedGroupMember = DescribeGroupsResponse.DescribedGroupMember


def _read_v0(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    (groups_count,) = _unpack_u_i(data, pos)
    pos += 4
    if groups_count > MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hu_h(data, pos)
        pos += 4
        raw, group_state_size = _string_u_h[group_id_size](data, pos)
        pos += group_id_size + 2
        group_id = raw.decode()
        raw, protocol_type_size = _string_u_h[group_state_size](data, pos)
        pos += group_state_size + 2
        group_state = raw.decode()
        raw, protocol_data_size = _string_u_h[protocol_type_size](data, pos)
        pos += protocol_type_size + 2
        protocol_type = raw.decode()
        raw, members_count = _string_u_i[protocol_data_size](data, pos)
        pos += protocol_data_size + 4
        protocol_data = raw.decode()
        if members_count > MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_DescribedGroupMember] = []
        for _ in range(members_count):
            member_id_size = data[pos + 1]
            high, raw, client_id_size = _short_string_u_h[member_id_size](data, pos)
            if high:
                raise OddBytes
            pos += member_id_size + 4
            member_id = raw.decode()
            raw, client_host_size = _string_u_h[client_id_size](data, pos)
            pos += client_id_size + 2
            client_id = raw.decode()
            raw, member_metadata_size = _string_i[client_host_size](data, pos)
            pos += client_host_size + 4
            client_host = raw.decode()
            if member_metadata_size < 0:
                raise OddBytes
            end = pos + member_metadata_size
            member_metadata = data[pos:end]
            pos = end
            (member_assignment_size,) = _unpack_i(data, pos)
            pos += 4
            if member_assignment_size < 0:
                raise OddBytes
            end = pos + member_assignment_size
            member_assignment = data[pos:end]
            pos = end
            members_list.append(
                _DescribedGroupMember(
                    member_id=member_id,
                    client_id=client_id,
                    client_host=client_host,
                    member_metadata=member_metadata,
                    member_assignment=member_assignment,
                )
            )
        members = tuple(members_list)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                group_id=group_id,
                group_state=group_state,
                protocol_type=protocol_type,
                protocol_data=protocol_data,
                members=members,
            )
        )
    groups = tuple(groups_list)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(groups=groups), pos


def _write_v0(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    add = parts.append
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(len(groups)))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if groups_item.error_message is not None:
            raise OddValue
        if groups_item.authorized_operations != -2147483648:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        group_id_raw = groups_item.group_id.encode()
        group_state_raw = groups_item.group_state.encode()
        add(
            _pack_hh_string_h[len(group_id_raw)](
                groups_item.error_code, len(group_id_raw), group_id_raw, len(group_state_raw)
            )
        )
        protocol_type_raw = groups_item.protocol_type.encode()
        add(_pack__string_h[len(group_state_raw)](group_state_raw, len(protocol_type_raw)))
        protocol_data_raw = groups_item.protocol_data.encode()
        add(_pack__string_h[len(protocol_type_raw)](protocol_type_raw, len(protocol_data_raw)))
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        add(_pack__string_i[len(protocol_data_raw)](protocol_data_raw, len(members)))
        for members_item in members:
            if type(members_item) is not _DescribedGroupMember:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            client_id_raw = members_item.client_id.encode()
            add(
                _pack_h_string_h[len(member_id_raw)](
                    len(member_id_raw), member_id_raw, len(client_id_raw)
                )
            )
            client_host_raw = members_item.client_host.encode()
            add(_pack__string_h[len(client_id_raw)](client_id_raw, len(client_host_raw)))
            add(
                _pack__string_i[len(client_host_raw)](
                    client_host_raw, len(members_item.member_metadata)
                )
            )
            add(members_item.member_metadata)
            add(_pack_i(len(members_item.member_assignment)))
            add(members_item.member_assignment)
            if members_item.unknown_tagged_fields:
                raise OddValue
        if groups_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1_2(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_i(data, pos)
    pos += 8
    if groups_count > MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hu_h(data, pos)
        pos += 4
        raw, group_state_size = _string_u_h[group_id_size](data, pos)
        pos += group_id_size + 2
        group_id = raw.decode()
        raw, protocol_type_size = _string_u_h[group_state_size](data, pos)
        pos += group_state_size + 2
        group_state = raw.decode()
        raw, protocol_data_size = _string_u_h[protocol_type_size](data, pos)
        pos += protocol_type_size + 2
        protocol_type = raw.decode()
        raw, members_count = _string_u_i[protocol_data_size](data, pos)
        pos += protocol_data_size + 4
        protocol_data = raw.decode()
        if members_count > MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_DescribedGroupMember] = []
        for _ in range(members_count):
            member_id_size = data[pos + 1]
            high, raw, client_id_size = _short_string_u_h[member_id_size](data, pos)
            if high:
                raise OddBytes
            pos += member_id_size + 4
            member_id = raw.decode()
            raw, client_host_size = _string_u_h[client_id_size](data, pos)
            pos += client_id_size + 2
            client_id = raw.decode()
            raw, member_metadata_size = _string_i[client_host_size](data, pos)
            pos += client_host_size + 4
            client_host = raw.decode()
            if member_metadata_size < 0:
                raise OddBytes
            end = pos + member_metadata_size
            member_metadata = data[pos:end]
            pos = end
            (member_assignment_size,) = _unpack_i(data, pos)
            pos += 4
            if member_assignment_size < 0:
                raise OddBytes
            end = pos + member_assignment_size
            member_assignment = data[pos:end]
            pos = end
            members_list.append(
                _DescribedGroupMember(
                    member_id=member_id,
                    client_id=client_id,
                    client_host=client_host,
                    member_metadata=member_metadata,
                    member_assignment=member_assignment,
                )
            )
        members = tuple(members_list)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                group_id=group_id,
                group_state=group_state,
                protocol_type=protocol_type,
                protocol_data=protocol_data,
                members=members,
            )
        )
    groups = tuple(groups_list)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(throttle_time_ms=throttle_time_ms, groups=groups), pos


def _write_v1_2(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_ii(message.throttle_time_ms, len(groups)))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if groups_item.error_message is not None:
            raise OddValue
        if groups_item.authorized_operations != -2147483648:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        group_id_raw = groups_item.group_id.encode()
        group_state_raw = groups_item.group_state.encode()
        add(
            _pack_hh_string_h[len(group_id_raw)](
                groups_item.error_code, len(group_id_raw), group_id_raw, len(group_state_raw)
            )
        )
        protocol_type_raw = groups_item.protocol_type.encode()
        add(_pack__string_h[len(group_state_raw)](group_state_raw, len(protocol_type_raw)))
        protocol_data_raw = groups_item.protocol_data.encode()
        add(_pack__string_h[len(protocol_type_raw)](protocol_type_raw, len(protocol_data_raw)))
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        add(_pack__string_i[len(protocol_data_raw)](protocol_data_raw, len(members)))
        for members_item in members:
            if type(members_item) is not _DescribedGroupMember:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            client_id_raw = members_item.client_id.encode()
            add(
                _pack_h_string_h[len(member_id_raw)](
                    len(member_id_raw), member_id_raw, len(client_id_raw)
                )
            )
            client_host_raw = members_item.client_host.encode()
            add(_pack__string_h[len(client_id_raw)](client_id_raw, len(client_host_raw)))
            add(
                _pack__string_i[len(client_host_raw)](
                    client_host_raw, len(members_item.member_metadata)
                )
            )
            add(members_item.member_metadata)
            add(_pack_i(len(members_item.member_assignment)))
            add(members_item.member_assignment)
            if members_item.unknown_tagged_fields:
                raise OddValue
        if groups_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_i(data, pos)
    pos += 8
    if groups_count > MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hu_h(data, pos)
        pos += 4
        raw, group_state_size = _string_u_h[group_id_size](data, pos)
        pos += group_id_size + 2
        group_id = raw.decode()
        raw, protocol_type_size = _string_u_h[group_state_size](data, pos)
        pos += group_state_size + 2
        group_state = raw.decode()
        raw, protocol_data_size = _string_u_h[protocol_type_size](data, pos)
        pos += protocol_type_size + 2
        protocol_type = raw.decode()
        raw, members_count = _string_u_i[protocol_data_size](data, pos)
        pos += protocol_data_size + 4
        protocol_data = raw.decode()
        if members_count > MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_DescribedGroupMember] = []
        for _ in range(members_count):
            member_id_size = data[pos + 1]
            high, raw, client_id_size = _short_string_u_h[member_id_size](data, pos)
            if high:
                raise OddBytes
            pos += member_id_size + 4
            member_id = raw.decode()
            raw, client_host_size = _string_u_h[client_id_size](data, pos)
            pos += client_id_size + 2
            client_id = raw.decode()
            raw, member_metadata_size = _string_i[client_host_size](data, pos)
            pos += client_host_size + 4
            client_host = raw.decode()
            if member_metadata_size < 0:
                raise OddBytes
            end = pos + member_metadata_size
            member_metadata = data[pos:end]
            pos = end
            (member_assignment_size,) = _unpack_i(data, pos)
            pos += 4
            if member_assignment_size < 0:
                raise OddBytes
            end = pos + member_assignment_size
            member_assignment = data[pos:end]
            pos = end
            members_list.append(
                _DescribedGroupMember(
                    member_id=member_id,
                    client_id=client_id,
                    client_host=client_host,
                    member_metadata=member_metadata,
                    member_assignment=member_assignment,
                )
            )
        members = tuple(members_list)
        (authorized_operations,) = _unpack_i(data, pos)
        pos += 4
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                group_id=group_id,
                group_state=group_state,
                protocol_type=protocol_type,
                protocol_data=protocol_data,
                members=members,
                authorized_operations=authorized_operations,
            )
        )
    groups = tuple(groups_list)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(throttle_time_ms=throttle_time_ms, groups=groups), pos


def _write_v3(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_ii(message.throttle_time_ms, len(groups)))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if groups_item.error_message is not None:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        group_id_raw = groups_item.group_id.encode()
        group_state_raw = groups_item.group_state.encode()
        add(
            _pack_hh_string_h[len(group_id_raw)](
                groups_item.error_code, len(group_id_raw), group_id_raw, len(group_state_raw)
            )
        )
        protocol_type_raw = groups_item.protocol_type.encode()
        add(_pack__string_h[len(group_state_raw)](group_state_raw, len(protocol_type_raw)))
        protocol_data_raw = groups_item.protocol_data.encode()
        add(_pack__string_h[len(protocol_type_raw)](protocol_type_raw, len(protocol_data_raw)))
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        add(_pack__string_i[len(protocol_data_raw)](protocol_data_raw, len(members)))
        for members_item in members:
            if type(members_item) is not _DescribedGroupMember:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            client_id_raw = members_item.client_id.encode()
            add(
                _pack_h_string_h[len(member_id_raw)](
                    len(member_id_raw), member_id_raw, len(client_id_raw)
                )
            )
            client_host_raw = members_item.client_host.encode()
            add(_pack__string_h[len(client_id_raw)](client_id_raw, len(client_host_raw)))
            add(
                _pack__string_i[len(client_host_raw)](
                    client_host_raw, len(members_item.member_metadata)
                )
            )
            add(members_item.member_metadata)
            add(_pack_i(len(members_item.member_assignment)))
            add(members_item.member_assignment)
            if members_item.unknown_tagged_fields:
                raise OddValue
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        if groups_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_i(data, pos)
    pos += 8
    if groups_count > MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hu_h(data, pos)
        pos += 4
        raw, group_state_size = _string_u_h[group_id_size](data, pos)
        pos += group_id_size + 2
        group_id = raw.decode()
        raw, protocol_type_size = _string_u_h[group_state_size](data, pos)
        pos += group_state_size + 2
        group_state = raw.decode()
        raw, protocol_data_size = _string_u_h[protocol_type_size](data, pos)
        pos += protocol_type_size + 2
        protocol_type = raw.decode()
        raw, members_count = _string_u_i[protocol_data_size](data, pos)
        pos += protocol_data_size + 4
        protocol_data = raw.decode()
        if members_count > MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_DescribedGroupMember] = []
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
            client_id_size = data[pos + 1]
            high, raw, client_host_size = _short_string_u_h[client_id_size](data, pos)
            if high:
                raise OddBytes
            pos += client_id_size + 4
            client_id = raw.decode()
            raw, member_metadata_size = _string_i[client_host_size](data, pos)
            pos += client_host_size + 4
            client_host = raw.decode()
            if member_metadata_size < 0:
                raise OddBytes
            end = pos + member_metadata_size
            member_metadata = data[pos:end]
            pos = end
            (member_assignment_size,) = _unpack_i(data, pos)
            pos += 4
            if member_assignment_size < 0:
                raise OddBytes
            end = pos + member_assignment_size
            member_assignment = data[pos:end]
            pos = end
            members_list.append(
                _DescribedGroupMember(
                    member_id=member_id,
                    group_instance_id=group_instance_id,
                    client_id=client_id,
                    client_host=client_host,
                    member_metadata=member_metadata,
                    member_assignment=member_assignment,
                )
            )
        members = tuple(members_list)
        (authorized_operations,) = _unpack_i(data, pos)
        pos += 4
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                group_id=group_id,
                group_state=group_state,
                protocol_type=protocol_type,
                protocol_data=protocol_data,
                members=members,
                authorized_operations=authorized_operations,
            )
        )
    groups = tuple(groups_list)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(throttle_time_ms=throttle_time_ms, groups=groups), pos


def _write_v4(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_ii(message.throttle_time_ms, len(groups)))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if groups_item.error_message is not None:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        group_id_raw = groups_item.group_id.encode()
        group_state_raw = groups_item.group_state.encode()
        add(
            _pack_hh_string_h[len(group_id_raw)](
                groups_item.error_code, len(group_id_raw), group_id_raw, len(group_state_raw)
            )
        )
        protocol_type_raw = groups_item.protocol_type.encode()
        add(_pack__string_h[len(group_state_raw)](group_state_raw, len(protocol_type_raw)))
        protocol_data_raw = groups_item.protocol_data.encode()
        add(_pack__string_h[len(protocol_type_raw)](protocol_type_raw, len(protocol_data_raw)))
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        add(_pack__string_i[len(protocol_data_raw)](protocol_data_raw, len(members)))
        for members_item in members:
            if type(members_item) is not _DescribedGroupMember:
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
            client_id_raw = members_item.client_id.encode()
            client_host_raw = members_item.client_host.encode()
            add(
                _pack_h_string_h[len(client_id_raw)](
                    len(client_id_raw), client_id_raw, len(client_host_raw)
                )
            )
            add(
                _pack__string_i[len(client_host_raw)](
                    client_host_raw, len(members_item.member_metadata)
                )
            )
            add(members_item.member_metadata)
            add(_pack_i(len(members_item.member_assignment)))
            add(members_item.member_assignment)
            if members_item.unknown_tagged_fields:
                raise OddValue
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        if groups_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v5(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_b(data, pos)
    pos += 5
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hu_b(data, pos)
        pos += 3
        if group_id_size > 127:
            group_id_size, pos = read_varint(data, pos - 1)
        if group_id_size < 1 or group_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_id_size - 1
        group_id = data[pos:end].decode()
        pos = end
        (group_state_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_state_size > 127:
            group_state_size, pos = read_varint(data, pos - 1)
        if group_state_size < 1 or group_state_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_state_size - 1
        group_state = data[pos:end].decode()
        pos = end
        (protocol_type_size,) = _unpack_u_b(data, pos)
        pos += 1
        if protocol_type_size > 127:
            protocol_type_size, pos = read_varint(data, pos - 1)
        if protocol_type_size < 1 or protocol_type_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + protocol_type_size - 1
        protocol_type = data[pos:end].decode()
        pos = end
        (protocol_data_size,) = _unpack_u_b(data, pos)
        pos += 1
        if protocol_data_size > 127:
            protocol_data_size, pos = read_varint(data, pos - 1)
        if protocol_data_size < 1 or protocol_data_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + protocol_data_size - 1
        protocol_data = data[pos:end].decode()
        pos = end
        (members_count,) = _unpack_u_b(data, pos)
        pos += 1
        if members_count > 127:
            members_count, pos = read_varint(data, pos - 1)
        members_count -= 1
        if not 0 <= members_count <= MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_DescribedGroupMember] = []
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
            (client_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_id_size > 127:
                client_id_size, pos = read_varint(data, pos - 1)
            if client_id_size < 1 or client_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_id_size - 1
            client_id = data[pos:end].decode()
            pos = end
            (client_host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_host_size > 127:
                client_host_size, pos = read_varint(data, pos - 1)
            if client_host_size < 1 or client_host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_host_size - 1
            client_host = data[pos:end].decode()
            pos = end
            (member_metadata_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_metadata_size > 127:
                member_metadata_size, pos = read_varint(data, pos - 1)
            if member_metadata_size < 1:
                raise OddBytes
            end = pos + member_metadata_size - 1
            member_metadata = data[pos:end]
            pos = end
            (member_assignment_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_assignment_size > 127:
                member_assignment_size, pos = read_varint(data, pos - 1)
            if member_assignment_size < 1:
                raise OddBytes
            end = pos + member_assignment_size - 1
            member_assignment = data[pos:end]
            pos = end
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            members_list.append(
                _DescribedGroupMember(
                    member_id=member_id,
                    group_instance_id=group_instance_id,
                    client_id=client_id,
                    client_host=client_host,
                    member_metadata=member_metadata,
                    member_assignment=member_assignment,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        members = tuple(members_list)
        authorized_operations, count_2 = _unpack_iu_b(data, pos)
        pos += 5
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                group_id=group_id,
                group_state=group_state,
                protocol_type=protocol_type,
                protocol_data=protocol_data,
                members=members,
                authorized_operations=authorized_operations,
                unknown_tagged_fields=unknown_tagged_fields_2,
            )
        )
    groups = tuple(groups_list)
    (count_3,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
    if count_3:
        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(
        throttle_time_ms=throttle_time_ms,
        groups=groups,
        unknown_tagged_fields=unknown_tagged_fields_3,
    ), pos


def _write_v5(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(message.throttle_time_ms))
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if groups_item.error_message is not None:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        group_id_raw = groups_item.group_id.encode()
        add(_pack_h(groups_item.error_code))
        if len(group_id_raw) > MAX_STRING:
            raise OddValue
        group_id_size = len(group_id_raw) + 1
        add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
        add(group_id_raw)
        group_state_raw = groups_item.group_state.encode()
        if len(group_state_raw) > MAX_STRING:
            raise OddValue
        group_state_size = len(group_state_raw) + 1
        add(VARINT[group_state_size] if group_state_size < 128 else varint(group_state_size))
        add(group_state_raw)
        protocol_type_raw = groups_item.protocol_type.encode()
        if len(protocol_type_raw) > MAX_STRING:
            raise OddValue
        protocol_type_size = len(protocol_type_raw) + 1
        add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
        add(protocol_type_raw)
        protocol_data_raw = groups_item.protocol_data.encode()
        if len(protocol_data_raw) > MAX_STRING:
            raise OddValue
        protocol_data_size = len(protocol_data_raw) + 1
        add(VARINT[protocol_data_size] if protocol_data_size < 128 else varint(protocol_data_size))
        add(protocol_data_raw)
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        members_size = len(members) + 1
        add(VARINT[members_size] if members_size < 128 else varint(members_size))
        for members_item in members:
            if type(members_item) is not _DescribedGroupMember:
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
            client_id_raw = members_item.client_id.encode()
            if len(client_id_raw) > MAX_STRING:
                raise OddValue
            client_id_size = len(client_id_raw) + 1
            add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
            add(client_id_raw)
            client_host_raw = members_item.client_host.encode()
            if len(client_host_raw) > MAX_STRING:
                raise OddValue
            client_host_size = len(client_host_raw) + 1
            add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
            add(client_host_raw)
            member_metadata_size = len(members_item.member_metadata) + 1
            add(
                VARINT[member_metadata_size]
                if member_metadata_size < 128
                else varint(member_metadata_size)
            )
            add(members_item.member_metadata)
            member_assignment_size = len(members_item.member_assignment) + 1
            add(
                VARINT[member_assignment_size]
                if member_assignment_size < 128
                else varint(member_assignment_size)
            )
            add(members_item.member_assignment)
            add(
                write_tags([], members_item.unknown_tagged_fields, ())
                if members_item.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        add(
            write_tags([], groups_item.unknown_tagged_fields, ())
            if groups_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v6(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_b(data, pos)
    pos += 5
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hu_b(data, pos)
        pos += 3
        if error_message_size > 127:
            error_message_size, pos = read_varint(data, pos - 1)
        if error_message_size < 1:
            error_message = None
        elif error_message_size > MAX_STRING + 1:
            raise OddBytes
        else:
            end = pos + error_message_size - 1
            error_message = data[pos:end].decode()
            pos = end
        (group_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_id_size > 127:
            group_id_size, pos = read_varint(data, pos - 1)
        if group_id_size < 1 or group_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_id_size - 1
        group_id = data[pos:end].decode()
        pos = end
        (group_state_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_state_size > 127:
            group_state_size, pos = read_varint(data, pos - 1)
        if group_state_size < 1 or group_state_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_state_size - 1
        group_state = data[pos:end].decode()
        pos = end
        (protocol_type_size,) = _unpack_u_b(data, pos)
        pos += 1
        if protocol_type_size > 127:
            protocol_type_size, pos = read_varint(data, pos - 1)
        if protocol_type_size < 1 or protocol_type_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + protocol_type_size - 1
        protocol_type = data[pos:end].decode()
        pos = end
        (protocol_data_size,) = _unpack_u_b(data, pos)
        pos += 1
        if protocol_data_size > 127:
            protocol_data_size, pos = read_varint(data, pos - 1)
        if protocol_data_size < 1 or protocol_data_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + protocol_data_size - 1
        protocol_data = data[pos:end].decode()
        pos = end
        (members_count,) = _unpack_u_b(data, pos)
        pos += 1
        if members_count > 127:
            members_count, pos = read_varint(data, pos - 1)
        members_count -= 1
        if not 0 <= members_count <= MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_DescribedGroupMember] = []
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
            (client_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_id_size > 127:
                client_id_size, pos = read_varint(data, pos - 1)
            if client_id_size < 1 or client_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_id_size - 1
            client_id = data[pos:end].decode()
            pos = end
            (client_host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_host_size > 127:
                client_host_size, pos = read_varint(data, pos - 1)
            if client_host_size < 1 or client_host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_host_size - 1
            client_host = data[pos:end].decode()
            pos = end
            (member_metadata_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_metadata_size > 127:
                member_metadata_size, pos = read_varint(data, pos - 1)
            if member_metadata_size < 1:
                raise OddBytes
            end = pos + member_metadata_size - 1
            member_metadata = data[pos:end]
            pos = end
            (member_assignment_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_assignment_size > 127:
                member_assignment_size, pos = read_varint(data, pos - 1)
            if member_assignment_size < 1:
                raise OddBytes
            end = pos + member_assignment_size - 1
            member_assignment = data[pos:end]
            pos = end
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            members_list.append(
                _DescribedGroupMember(
                    member_id=member_id,
                    group_instance_id=group_instance_id,
                    client_id=client_id,
                    client_host=client_host,
                    member_metadata=member_metadata,
                    member_assignment=member_assignment,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        members = tuple(members_list)
        authorized_operations, count_2 = _unpack_iu_b(data, pos)
        pos += 5
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                error_message=error_message,
                group_id=group_id,
                group_state=group_state,
                protocol_type=protocol_type,
                protocol_data=protocol_data,
                members=members,
                authorized_operations=authorized_operations,
                unknown_tagged_fields=unknown_tagged_fields_2,
            )
        )
    groups = tuple(groups_list)
    (count_3,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
    if count_3:
        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(
        throttle_time_ms=throttle_time_ms,
        groups=groups,
        unknown_tagged_fields=unknown_tagged_fields_3,
    ), pos


def _write_v6(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(message.throttle_time_ms))
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        add(_pack_h(groups_item.error_code))
        error_message = groups_item.error_message
        if error_message is None:
            add(b"\x00")
        else:
            error_message_raw = error_message.encode()
            if len(error_message_raw) > MAX_STRING:
                raise OddValue
            error_message_size = len(error_message_raw) + 1
            add(
                VARINT[error_message_size]
                if error_message_size < 128
                else varint(error_message_size)
            )
            add(error_message_raw)
        group_id_raw = groups_item.group_id.encode()
        if len(group_id_raw) > MAX_STRING:
            raise OddValue
        group_id_size = len(group_id_raw) + 1
        add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
        add(group_id_raw)
        group_state_raw = groups_item.group_state.encode()
        if len(group_state_raw) > MAX_STRING:
            raise OddValue
        group_state_size = len(group_state_raw) + 1
        add(VARINT[group_state_size] if group_state_size < 128 else varint(group_state_size))
        add(group_state_raw)
        protocol_type_raw = groups_item.protocol_type.encode()
        if len(protocol_type_raw) > MAX_STRING:
            raise OddValue
        protocol_type_size = len(protocol_type_raw) + 1
        add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
        add(protocol_type_raw)
        protocol_data_raw = groups_item.protocol_data.encode()
        if len(protocol_data_raw) > MAX_STRING:
            raise OddValue
        protocol_data_size = len(protocol_data_raw) + 1
        add(VARINT[protocol_data_size] if protocol_data_size < 128 else varint(protocol_data_size))
        add(protocol_data_raw)
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        members_size = len(members) + 1
        add(VARINT[members_size] if members_size < 128 else varint(members_size))
        for members_item in members:
            if type(members_item) is not _DescribedGroupMember:
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
            client_id_raw = members_item.client_id.encode()
            if len(client_id_raw) > MAX_STRING:
                raise OddValue
            client_id_size = len(client_id_raw) + 1
            add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
            add(client_id_raw)
            client_host_raw = members_item.client_host.encode()
            if len(client_host_raw) > MAX_STRING:
                raise OddValue
            client_host_size = len(client_host_raw) + 1
            add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
            add(client_host_raw)
            member_metadata_size = len(members_item.member_metadata) + 1
            add(
                VARINT[member_metadata_size]
                if member_metadata_size < 128
                else varint(member_metadata_size)
            )
            add(members_item.member_metadata)
            member_assignment_size = len(members_item.member_assignment) + 1
            add(
                VARINT[member_assignment_size]
                if member_assignment_size < 128
                else varint(member_assignment_size)
            )
            add(members_item.member_assignment)
            add(
                write_tags([], members_item.unknown_tagged_fields, ())
                if members_item.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        add(
            write_tags([], groups_item.unknown_tagged_fields, ())
            if groups_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


DescribeGroupsResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6, _write_v6),
}
