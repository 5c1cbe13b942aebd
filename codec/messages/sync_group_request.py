"""SyncGroupRequest, generated from schemas/SyncGroupRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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


class SyncGroupRequest(Message, frozen=True, kw_only=True, gc=False):
    """SyncGroupRequest, versions 0-5.

    The second step of a rebalance. The leader sends every member's assignment, all others send none;
    each asks for its own.

    Versions 1 and 2 (KIP-124, KIP-219): as version 0; the answer changes.
    Version 3 (KIP-345): static membership. Version 4 (KIP-482): flexible.
    Version 5 (KIP-559): the protocol, so that the broker can see that all mean the same one.

    Attributes:
        group_id (string): The group's id. Versions 0-5; default ''.
        generation_id (int32): The generation that the JoinGroup answer named. Versions 0-5; default
            0.
        member_id (string): The member's id. Versions 0-5; default ''.
        group_instance_id (string): The name of a static member; null if dynamic (KIP-345). Versions
            3-5; may be null; default None; other versions cannot hold it.
        protocol_type (string): The kind of the group, as the JoinGroup answer said; null if not told
            (KIP-559). Version 5; may be null; default None; other versions leave it out.
        protocol_name (string): The assignor, as the JoinGroup answer said; null if not told
            (KIP-559). Version 5; may be null; default None; other versions leave it out.
        assignments ([]SyncGroupRequestAssignment): Every member's assignment, from the leader; empty
            from all others. Versions 0-5; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 4-5; default ().
    """

    NAME = "SyncGroupRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 14
    FRAMING = Framing("none", "refuse")

    class SyncGroupRequestAssignment(MessagePart, frozen=True, kw_only=True, gc=False):
        """SyncGroupRequestAssignment of SyncGroupRequest, versions 0-5.

        Every member's assignment, from the leader; empty from all others.

        Attributes:
            member_id (string): The member that it is for. Versions 0-5; default ''.
            assignment (bytes): What the member is given; brokers pass it on unread. Versions 0-5;
                default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 4-5; default ().
        """

        member_id: str = ""
        assignment: bytes = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)
        _blobs = ("assignment",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple or type(self.assignment) is not bytes:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    generation_id: int = 0
    member_id: str = ""
    group_instance_id: str | None = None
    protocol_type: str | None = None
    protocol_name: str | None = None
    assignments: tuple[SyncGroupRequest.SyncGroupRequestAssignment, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("assignments", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.assignments) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            assignments: Iterable[SyncGroupRequest.SyncGroupRequestAssignment] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            assignments: Iterable[SyncGroupRequest.SyncGroupRequestAssignment] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_SyncGroupRequestAssignment = SyncGroupRequest.SyncGroupRequestAssignment


def _read_sync_group_request_assignment_v0_3(
    data: bytes, pos: int
) -> tuple[_SyncGroupRequestAssignment, int]:
    member_id, pos = read_string(data, pos)
    assignment, pos = read_bytes(data, pos)
    return _SyncGroupRequestAssignment(member_id=member_id, assignment=assignment), pos


def _write_sync_group_request_assignment_v0_3(
    item: _SyncGroupRequestAssignment, parts: list[bytes]
) -> None:
    if type(item) is not _SyncGroupRequestAssignment:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_bytes(item.assignment, parts)


def _read_v0_2(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    assignments, pos = read_array(data, pos, _read_sync_group_request_assignment_v0_3)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id, generation_id=generation_id, member_id=member_id, assignments=assignments
    ), pos


def _write_v0_2(message: SyncGroupRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_string(message.member_id, parts)
    write_array(message.assignments, parts, _write_sync_group_request_assignment_v0_3)


def _read_v3(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    assignments, pos = read_array(data, pos, _read_sync_group_request_assignment_v0_3)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        assignments=assignments,
    ), pos


def _write_v3(message: SyncGroupRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_string(message.member_id, parts)
    write_nullable_string(message.group_instance_id, parts)
    write_array(message.assignments, parts, _write_sync_group_request_assignment_v0_3)


def _read_sync_group_request_assignment_v4_5(
    data: bytes, pos: int
) -> tuple[_SyncGroupRequestAssignment, int]:
    member_id, pos = read_compact_string(data, pos)
    assignment, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _SyncGroupRequestAssignment(
        member_id=member_id, assignment=assignment, unknown_tagged_fields=unknown
    ), pos


def _write_sync_group_request_assignment_v4_5(
    item: _SyncGroupRequestAssignment, parts: list[bytes]
) -> None:
    if type(item) is not _SyncGroupRequestAssignment:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_bytes(item.assignment, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    assignments, pos = read_compact_array(data, pos, _read_sync_group_request_assignment_v4_5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        assignments=assignments,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4(message: SyncGroupRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_array(message.assignments, parts, _write_sync_group_request_assignment_v4_5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    protocol_type, pos = read_compact_nullable_string(data, pos)
    protocol_name, pos = read_compact_nullable_string(data, pos)
    assignments, pos = read_compact_array(data, pos, _read_sync_group_request_assignment_v4_5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        assignments=assignments,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v5(message: SyncGroupRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_nullable_string(message.protocol_type, parts)
    write_compact_nullable_string(message.protocol_name, parts)
    write_compact_array(message.assignments, parts, _write_sync_group_request_assignment_v4_5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


SyncGroupRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
