"""JoinGroupResponse, generated from schemas/JoinGroupResponse.json; change that file and run `make generate`."""

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
    read_bool,
    read_bytes,
    read_compact_array,
    read_compact_bytes,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    required,
    write_array,
    write_bool,
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


class JoinGroupResponse(Message, frozen=True, kw_only=True, gc=False):
    """JoinGroupResponse, versions 0-9.

    The broker's answer when everybody has joined: a new generation with one leader. Only the leader
    is told of the others, for the leader does the assigning and returns it by SyncGroup.

    Version 1 (KIP-62): as version 0; the request changes.
    Version 2 (KIP-124): the throttle time. Version 3 (KIP-219): throttling begins after the answer.
    Version 4 (KIP-394): the error MEMBER_ID_REQUIRED, with a member id to ask again with.
    Version 5 (KIP-345): static membership.
    Version 6 (KIP-482): flexible.
    Version 7 (KIP-559): the protocol's type; its name may be null.
    Version 8 (KIP-800): as version 7; the request changes.
    Version 9 (KIP-814): a static leader that comes back may be told not to assign.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds
            (KIP-124). Versions 2-9; default 0; other versions leave it out.
        error_code (int16): Why it failed; 0 if it did not. Versions 0-9; default 0.
        generation_id (int32): The generation that begins now; -1 with an error. Versions 0-9; default
            -1.
        protocol_type (string): The kind of the group: what its metadata means (KIP-559). Versions
            7-9; may be null; default None; other versions leave it out.
        protocol_name (string): The assignor that the broker chose. Versions 0-9; may be null in
            versions 7-9; default ''.
        leader (string): The member id of the leader. Versions 0-9; default ''.
        skip_assignment (bool): Whether the leader must leave the assignment as it is (KIP-814).
            Version 9; default False; other versions cannot hold it.
        member_id (string): The id of the member that is answered. Versions 0-9; default ''.
        members ([]JoinGroupResponseMember): Every member, for the leader; empty for all others.
            Versions 0-9; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 6-9; default ().
    """

    NAME = "JoinGroupResponse"
    VERSIONS = VersionRange(0, 9)
    LATEST = 9
    API_KEY = 11
    FRAMING = Framing("none", "refuse")

    class JoinGroupResponseMember(MessagePart, frozen=True, kw_only=True, gc=False):
        """JoinGroupResponseMember of JoinGroupResponse, versions 0-9.

        Every member, for the leader; empty for all others.

        Attributes:
            member_id (string): The member's id. Versions 0-9; default ''.
            group_instance_id (string): The name of a static member; null if dynamic (KIP-345).
                Versions 5-9; may be null; default None; other versions leave it out.
            metadata (bytes): What the member tells the leader. Versions 0-9; default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-9; default ().
        """

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


def _read_join_group_response_member_v0_4(
    data: bytes, pos: int
) -> tuple[_JoinGroupResponseMember, int]:
    member_id, pos = read_string(data, pos)
    metadata, pos = read_bytes(data, pos)
    return _JoinGroupResponseMember(member_id=member_id, metadata=metadata), pos


def _write_join_group_response_member_v0_4(
    item: _JoinGroupResponseMember, parts: list[bytes]
) -> None:
    if type(item) is not _JoinGroupResponseMember:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_bytes(item.metadata, parts)


def _read_v0_1(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    protocol_name, pos = read_string(data, pos)
    leader, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_join_group_response_member_v0_4)
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
    if message.skip_assignment is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    INT32.write(message.generation_id, parts)
    write_string(required(message.protocol_name), parts)
    write_string(message.leader, parts)
    write_string(message.member_id, parts)
    write_array(message.members, parts, _write_join_group_response_member_v0_4)


def _read_v2_4(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    protocol_name, pos = read_string(data, pos)
    leader, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_join_group_response_member_v0_4)
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
    if message.skip_assignment is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.generation_id, parts)
    write_string(required(message.protocol_name), parts)
    write_string(message.leader, parts)
    write_string(message.member_id, parts)
    write_array(message.members, parts, _write_join_group_response_member_v0_4)


def _read_join_group_response_member_v5(
    data: bytes, pos: int
) -> tuple[_JoinGroupResponseMember, int]:
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    metadata, pos = read_bytes(data, pos)
    return _JoinGroupResponseMember(
        member_id=member_id, group_instance_id=group_instance_id, metadata=metadata
    ), pos


def _write_join_group_response_member_v5(
    item: _JoinGroupResponseMember, parts: list[bytes]
) -> None:
    if type(item) is not _JoinGroupResponseMember:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_nullable_string(item.group_instance_id, parts)
    write_bytes(item.metadata, parts)


def _read_v5(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    protocol_name, pos = read_string(data, pos)
    leader, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_join_group_response_member_v5)
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
    if message.skip_assignment is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.generation_id, parts)
    write_string(required(message.protocol_name), parts)
    write_string(message.leader, parts)
    write_string(message.member_id, parts)
    write_array(message.members, parts, _write_join_group_response_member_v5)


def _read_join_group_response_member_v6_9(
    data: bytes, pos: int
) -> tuple[_JoinGroupResponseMember, int]:
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    metadata, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _JoinGroupResponseMember(
        member_id=member_id,
        group_instance_id=group_instance_id,
        metadata=metadata,
        unknown_tagged_fields=unknown,
    ), pos


def _write_join_group_response_member_v6_9(
    item: _JoinGroupResponseMember, parts: list[bytes]
) -> None:
    if type(item) is not _JoinGroupResponseMember:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.group_instance_id, parts)
    write_compact_bytes(item.metadata, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    protocol_name, pos = read_compact_string(data, pos)
    leader, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_join_group_response_member_v6_9)
    unknown, pos = read_unknown_tags(data, pos)
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
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6(message: JoinGroupResponse, parts: list[bytes]) -> None:
    if message.skip_assignment is not False:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.generation_id, parts)
    write_compact_string(required(message.protocol_name), parts)
    write_compact_string(message.leader, parts)
    write_compact_string(message.member_id, parts)
    write_compact_array(message.members, parts, _write_join_group_response_member_v6_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v7_8(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    protocol_type, pos = read_compact_nullable_string(data, pos)
    protocol_name, pos = read_compact_nullable_string(data, pos)
    leader, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_join_group_response_member_v6_9)
    unknown, pos = read_unknown_tags(data, pos)
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
        unknown_tagged_fields=unknown,
    ), pos


def _write_v7_8(message: JoinGroupResponse, parts: list[bytes]) -> None:
    if message.skip_assignment is not False:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.generation_id, parts)
    write_compact_nullable_string(message.protocol_type, parts)
    write_compact_nullable_string(message.protocol_name, parts)
    write_compact_string(message.leader, parts)
    write_compact_string(message.member_id, parts)
    write_compact_array(message.members, parts, _write_join_group_response_member_v6_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v9(data: bytes, pos: int) -> tuple[JoinGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    protocol_type, pos = read_compact_nullable_string(data, pos)
    protocol_name, pos = read_compact_nullable_string(data, pos)
    leader, pos = read_compact_string(data, pos)
    skip_assignment, pos = read_bool(data, pos)
    member_id, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_join_group_response_member_v6_9)
    unknown, pos = read_unknown_tags(data, pos)
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
        unknown_tagged_fields=unknown,
    ), pos


def _write_v9(message: JoinGroupResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.generation_id, parts)
    write_compact_nullable_string(message.protocol_type, parts)
    write_compact_nullable_string(message.protocol_name, parts)
    write_compact_string(message.leader, parts)
    write_bool(message.skip_assignment, parts)
    write_compact_string(message.member_id, parts)
    write_compact_array(message.members, parts, _write_join_group_response_member_v6_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


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
