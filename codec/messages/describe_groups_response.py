"""DescribeGroupsResponse, generated from schemas/DescribeGroupsResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_array,
    read_bytes,
    read_compact_array,
    read_compact_bytes,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    write_array,
    write_bytes,
    write_compact_array,
    write_compact_bytes,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class DescribeGroupsResponse(Message, frozen=True, kw_only=True, gc=False):
    """DescribeGroupsResponse, versions 0-6.

    What the broker knows about classic groups. Here an admin client finds the bytes that members
    exchange: metadata as it came in JoinGroup, assignments as they came in SyncGroup.

    Version 1 (KIP-124): the throttle time. Version 2 (KIP-219): throttling begins after the answer.
    Version 3 (KIP-430): authorized operations. Version 4 (KIP-345): static membership.
    Version 5 (KIP-482): flexible.
    Version 6 (KIP-1043): GROUP_ID_NOT_FOUND instead of a group that looks dead, with a message.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds
            (KIP-124). Versions 1-6; default 0; other versions leave it out.
        groups ([]DescribedGroup): The groups that were asked for. Versions 0-6; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 5-6; default ().
    """

    NAME = "DescribeGroupsResponse"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 15
    FRAMING = Framing("none", "refuse")

    class DescribedGroupMember(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroupMember of DescribeGroupsResponse, versions 0-6.

        The members of the group.

        Attributes:
            member_id (string): The member's id. Versions 0-6; default ''.
            group_instance_id (string): The name of a static member; null if dynamic (KIP-345).
                Versions 4-6; may be null; default None; other versions leave it out.
            client_id (string): What the member's client calls itself. Versions 0-6; default ''.
            client_host (string): The address that it connected from. Versions 0-6; default ''.
            member_metadata (bytes): Its metadata under the chosen assignor. Versions 0-6; default
                b''.
            member_assignment (bytes): Its assignment; empty unless stable. Versions 0-6; default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 5-6; default ().
        """

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
        """DescribedGroup of DescribeGroupsResponse, versions 0-6.

        The groups that were asked for.

        Attributes:
            error_code (int16): Why this group could not be described; 0 if it could. Versions 0-6;
                default 0.
            error_message (string): The same in words; null if there is nothing to say (KIP-1043).
                Version 6; may be null; default None; other versions cannot hold it.
            group_id (string): The group's id. Versions 0-6; default ''.
            group_state (string): Empty, PreparingRebalance, CompletingRebalance, Stable or Dead.
                Versions 0-6; default ''.
            protocol_type (string): The kind of the group: what its metadata means. Versions 0-6;
                default ''.
            protocol_data (string): The assignor that was chosen; empty unless the group is stable.
                Versions 0-6; default ''.
            members ([]DescribedGroupMember): The members of the group. Versions 0-6; default ().
            authorized_operations (int32): What the asker may do: bit n stands for operation n
                (KIP-430). Versions 3-6; default -2147483648; other versions cannot hold it.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 5-6; default ().
        """

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


def _read_described_group_member_v0_3(data: bytes, pos: int) -> tuple[_DescribedGroupMember, int]:
    member_id, pos = read_string(data, pos)
    client_id, pos = read_string(data, pos)
    client_host, pos = read_string(data, pos)
    member_metadata, pos = read_bytes(data, pos)
    member_assignment, pos = read_bytes(data, pos)
    return _DescribedGroupMember(
        member_id=member_id,
        client_id=client_id,
        client_host=client_host,
        member_metadata=member_metadata,
        member_assignment=member_assignment,
    ), pos


def _write_described_group_member_v0_3(item: _DescribedGroupMember, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroupMember:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_string(item.client_id, parts)
    write_string(item.client_host, parts)
    write_bytes(item.member_metadata, parts)
    write_bytes(item.member_assignment, parts)


def _read_described_group_v0_2(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    group_id, pos = read_string(data, pos)
    group_state, pos = read_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    protocol_data, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_described_group_member_v0_3)
    return _DescribedGroup(
        error_code=error_code,
        group_id=group_id,
        group_state=group_state,
        protocol_type=protocol_type,
        protocol_data=protocol_data,
        members=members,
    ), pos


def _write_described_group_v0_2(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    if item.error_message is not None:
        raise OddValue
    if item.authorized_operations != -2147483648:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(item.group_id, parts)
    write_string(item.group_state, parts)
    write_string(item.protocol_type, parts)
    write_string(item.protocol_data, parts)
    write_array(item.members, parts, _write_described_group_member_v0_3)


def _read_v0(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    groups, pos = read_array(data, pos, _read_described_group_v0_2)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(groups=groups), pos


def _write_v0(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.groups, parts, _write_described_group_v0_2)


def _read_v1_2(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_array(data, pos, _read_described_group_v0_2)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(throttle_time_ms=throttle_time_ms, groups=groups), pos


def _write_v1_2(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.groups, parts, _write_described_group_v0_2)


def _read_described_group_v3(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    group_id, pos = read_string(data, pos)
    group_state, pos = read_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    protocol_data, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_described_group_member_v0_3)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    return _DescribedGroup(
        error_code=error_code,
        group_id=group_id,
        group_state=group_state,
        protocol_type=protocol_type,
        protocol_data=protocol_data,
        members=members,
        authorized_operations=authorized_operations,
    ), pos


def _write_described_group_v3(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    if item.error_message is not None:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(item.group_id, parts)
    write_string(item.group_state, parts)
    write_string(item.protocol_type, parts)
    write_string(item.protocol_data, parts)
    write_array(item.members, parts, _write_described_group_member_v0_3)
    INT32.write(item.authorized_operations, parts)


def _read_v3(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_array(data, pos, _read_described_group_v3)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(throttle_time_ms=throttle_time_ms, groups=groups), pos


def _write_v3(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.groups, parts, _write_described_group_v3)


def _read_described_group_member_v4(data: bytes, pos: int) -> tuple[_DescribedGroupMember, int]:
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    client_id, pos = read_string(data, pos)
    client_host, pos = read_string(data, pos)
    member_metadata, pos = read_bytes(data, pos)
    member_assignment, pos = read_bytes(data, pos)
    return _DescribedGroupMember(
        member_id=member_id,
        group_instance_id=group_instance_id,
        client_id=client_id,
        client_host=client_host,
        member_metadata=member_metadata,
        member_assignment=member_assignment,
    ), pos


def _write_described_group_member_v4(item: _DescribedGroupMember, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroupMember:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_nullable_string(item.group_instance_id, parts)
    write_string(item.client_id, parts)
    write_string(item.client_host, parts)
    write_bytes(item.member_metadata, parts)
    write_bytes(item.member_assignment, parts)


def _read_described_group_v4(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    group_id, pos = read_string(data, pos)
    group_state, pos = read_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    protocol_data, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_described_group_member_v4)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    return _DescribedGroup(
        error_code=error_code,
        group_id=group_id,
        group_state=group_state,
        protocol_type=protocol_type,
        protocol_data=protocol_data,
        members=members,
        authorized_operations=authorized_operations,
    ), pos


def _write_described_group_v4(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    if item.error_message is not None:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(item.group_id, parts)
    write_string(item.group_state, parts)
    write_string(item.protocol_type, parts)
    write_string(item.protocol_data, parts)
    write_array(item.members, parts, _write_described_group_member_v4)
    INT32.write(item.authorized_operations, parts)


def _read_v4(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_array(data, pos, _read_described_group_v4)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(throttle_time_ms=throttle_time_ms, groups=groups), pos


def _write_v4(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.groups, parts, _write_described_group_v4)


def _read_described_group_member_v5_6(data: bytes, pos: int) -> tuple[_DescribedGroupMember, int]:
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    member_metadata, pos = read_compact_bytes(data, pos)
    member_assignment, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroupMember(
        member_id=member_id,
        group_instance_id=group_instance_id,
        client_id=client_id,
        client_host=client_host,
        member_metadata=member_metadata,
        member_assignment=member_assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_member_v5_6(item: _DescribedGroupMember, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroupMember:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.group_instance_id, parts)
    write_compact_string(item.client_id, parts)
    write_compact_string(item.client_host, parts)
    write_compact_bytes(item.member_metadata, parts)
    write_compact_bytes(item.member_assignment, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_described_group_v5(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    group_id, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    protocol_data, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_described_group_member_v5_6)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroup(
        error_code=error_code,
        group_id=group_id,
        group_state=group_state,
        protocol_type=protocol_type,
        protocol_data=protocol_data,
        members=members,
        authorized_operations=authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_v5(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    if item.error_message is not None:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_string(item.group_id, parts)
    write_compact_string(item.group_state, parts)
    write_compact_string(item.protocol_type, parts)
    write_compact_string(item.protocol_data, parts)
    write_compact_array(item.members, parts, _write_described_group_member_v5_6)
    INT32.write(item.authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v5(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_described_group_v6(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    protocol_data, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_described_group_member_v5_6)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroup(
        error_code=error_code,
        error_message=error_message,
        group_id=group_id,
        group_state=group_state,
        protocol_type=protocol_type,
        protocol_data=protocol_data,
        members=members,
        authorized_operations=authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_v6(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_compact_string(item.group_id, parts)
    write_compact_string(item.group_state, parts)
    write_compact_string(item.protocol_type, parts)
    write_compact_string(item.protocol_data, parts)
    write_compact_array(item.members, parts, _write_described_group_member_v5_6)
    INT32.write(item.authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[DescribeGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v6)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v6(message: DescribeGroupsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v6)
    write_unknown_tags(message.unknown_tagged_fields, parts)


DescribeGroupsResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6, _write_v6),
}
