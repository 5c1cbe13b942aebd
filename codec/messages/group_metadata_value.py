"""GroupMetadataValue, generated from schemas/GroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    INT64,
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


class GroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """GroupMetadataValue, versions 0-4.

    A classic group as the broker stores it after each rebalance: its members, with what each said
    and was given. This is where the bytes that consumers exchange are kept.

    Version 1 (KIP-62): a timeout of its own for the rebalance.
    Version 2 (KIP-211): since when the group is in its state, so that an empty one can expire.
    Version 3 (KIP-345): static membership.
    Version 4 (KIP-915): flexible; an older broker can read what a newer one wrote.

    Attributes:
        protocol_type (string): The kind of the group: "consumer", "connect". Versions 0-4; default
            ''.
        generation (int32): The generation that the members below are of. Versions 0-4; default 0.
        protocol (string): The assignor that was chosen; null in an empty group. Versions 0-4; may be
            null; default ''.
        leader (string): The member id of the leader; null in an empty group. Versions 0-4; may be
            null; default ''.
        current_state_timestamp (int64): Since when it is in its state; milliseconds since 1970
            (KIP-211). Versions 2-4; default -1; other versions leave it out.
        members ([]MemberMetadata): The members; none in an empty group. Versions 0-4; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 4; default ().
    """

    NAME = "GroupMetadataValue"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 2
    FRAMING = Framing("version", "refuse")

    class MemberMetadata(MessagePart, frozen=True, kw_only=True, gc=False):
        """MemberMetadata of GroupMetadataValue, versions 0-4.

        One member.

        Attributes:
            member_id (string): The member's id. Versions 0-4; default ''.
            group_instance_id (string): The name of a static member; null if dynamic (KIP-345).
                Versions 3-4; may be null; default None; other versions leave it out.
            client_id (string): What the member's client calls itself. Versions 0-4; default ''.
            client_host (string): The address that it connected from. Versions 0-4; default ''.
            rebalance_timeout (int32): How long it may take to rejoin; milliseconds (KIP-62). Versions
                1-4; default -1; other versions leave it out.
            session_timeout (int32): Without a heartbeat for so long it is dead; milliseconds.
                Versions 0-4; default 0.
            subscription (bytes): What it told the leader: a consumer's subscription. Versions 0-4;
                default b''.
            assignment (bytes): What the leader gave it. Versions 0-4; default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 4; default ().
        """

        member_id: str = ""
        group_instance_id: str | None = None
        client_id: str = ""
        client_host: str = ""
        rebalance_timeout: int = -1
        session_timeout: int = 0
        subscription: bytes = b""
        assignment: bytes = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)
        _blobs = ("subscription", "assignment")

        def __post_init__(self) -> None:
            if (
                type(self.unknown_tagged_fields) is not tuple
                or type(self.subscription) is not bytes
                or type(self.assignment) is not bytes
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
                rebalance_timeout: int = ...,
                session_timeout: int = ...,
                subscription: bytes = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                rebalance_timeout: int = ...,
                session_timeout: int = ...,
                subscription: bytes = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    protocol_type: str = ""
    generation: int = 0
    protocol: str | None = ""
    leader: str | None = ""
    current_state_timestamp: int = -1
    members: tuple[GroupMetadataValue.MemberMetadata, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("members", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            protocol_type: str = ...,
            generation: int = ...,
            protocol: str | None = ...,
            leader: str | None = ...,
            current_state_timestamp: int = ...,
            members: Iterable[GroupMetadataValue.MemberMetadata] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            protocol_type: str = ...,
            generation: int = ...,
            protocol: str | None = ...,
            leader: str | None = ...,
            current_state_timestamp: int = ...,
            members: Iterable[GroupMetadataValue.MemberMetadata] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MemberMetadata = GroupMetadataValue.MemberMetadata


def _read_member_metadata_v0(data: bytes, pos: int) -> tuple[_MemberMetadata, int]:
    member_id, pos = read_string(data, pos)
    client_id, pos = read_string(data, pos)
    client_host, pos = read_string(data, pos)
    (session_timeout,), pos = INT32.unpack(data, pos), pos + 4
    subscription, pos = read_bytes(data, pos)
    assignment, pos = read_bytes(data, pos)
    return _MemberMetadata(
        member_id=member_id,
        client_id=client_id,
        client_host=client_host,
        session_timeout=session_timeout,
        subscription=subscription,
        assignment=assignment,
    ), pos


def _write_member_metadata_v0(item: _MemberMetadata, parts: list[bytes]) -> None:
    if type(item) is not _MemberMetadata:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_string(item.client_id, parts)
    write_string(item.client_host, parts)
    INT32.write(item.session_timeout, parts)
    write_bytes(item.subscription, parts)
    write_bytes(item.assignment, parts)


def _read_v0(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type, pos = read_string(data, pos)
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    protocol, pos = read_nullable_string(data, pos)
    leader, pos = read_nullable_string(data, pos)
    members, pos = read_array(data, pos, _read_member_metadata_v0)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        members=members,
    ), pos


def _write_v0(message: GroupMetadataValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.protocol_type, parts)
    INT32.write(message.generation, parts)
    write_nullable_string(message.protocol, parts)
    write_nullable_string(message.leader, parts)
    write_array(message.members, parts, _write_member_metadata_v0)


def _read_member_metadata_v1_2(data: bytes, pos: int) -> tuple[_MemberMetadata, int]:
    member_id, pos = read_string(data, pos)
    client_id, pos = read_string(data, pos)
    client_host, pos = read_string(data, pos)
    (rebalance_timeout,), pos = INT32.unpack(data, pos), pos + 4
    (session_timeout,), pos = INT32.unpack(data, pos), pos + 4
    subscription, pos = read_bytes(data, pos)
    assignment, pos = read_bytes(data, pos)
    return _MemberMetadata(
        member_id=member_id,
        client_id=client_id,
        client_host=client_host,
        rebalance_timeout=rebalance_timeout,
        session_timeout=session_timeout,
        subscription=subscription,
        assignment=assignment,
    ), pos


def _write_member_metadata_v1_2(item: _MemberMetadata, parts: list[bytes]) -> None:
    if type(item) is not _MemberMetadata:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_string(item.client_id, parts)
    write_string(item.client_host, parts)
    INT32.write(item.rebalance_timeout, parts)
    INT32.write(item.session_timeout, parts)
    write_bytes(item.subscription, parts)
    write_bytes(item.assignment, parts)


def _read_v1(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type, pos = read_string(data, pos)
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    protocol, pos = read_nullable_string(data, pos)
    leader, pos = read_nullable_string(data, pos)
    members, pos = read_array(data, pos, _read_member_metadata_v1_2)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        members=members,
    ), pos


def _write_v1(message: GroupMetadataValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.protocol_type, parts)
    INT32.write(message.generation, parts)
    write_nullable_string(message.protocol, parts)
    write_nullable_string(message.leader, parts)
    write_array(message.members, parts, _write_member_metadata_v1_2)


def _read_v2(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type, pos = read_string(data, pos)
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    protocol, pos = read_nullable_string(data, pos)
    leader, pos = read_nullable_string(data, pos)
    (current_state_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    members, pos = read_array(data, pos, _read_member_metadata_v1_2)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        current_state_timestamp=current_state_timestamp,
        members=members,
    ), pos


def _write_v2(message: GroupMetadataValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.protocol_type, parts)
    INT32.write(message.generation, parts)
    write_nullable_string(message.protocol, parts)
    write_nullable_string(message.leader, parts)
    INT64.write(message.current_state_timestamp, parts)
    write_array(message.members, parts, _write_member_metadata_v1_2)


def _read_member_metadata_v3(data: bytes, pos: int) -> tuple[_MemberMetadata, int]:
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    client_id, pos = read_string(data, pos)
    client_host, pos = read_string(data, pos)
    (rebalance_timeout,), pos = INT32.unpack(data, pos), pos + 4
    (session_timeout,), pos = INT32.unpack(data, pos), pos + 4
    subscription, pos = read_bytes(data, pos)
    assignment, pos = read_bytes(data, pos)
    return _MemberMetadata(
        member_id=member_id,
        group_instance_id=group_instance_id,
        client_id=client_id,
        client_host=client_host,
        rebalance_timeout=rebalance_timeout,
        session_timeout=session_timeout,
        subscription=subscription,
        assignment=assignment,
    ), pos


def _write_member_metadata_v3(item: _MemberMetadata, parts: list[bytes]) -> None:
    if type(item) is not _MemberMetadata:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_nullable_string(item.group_instance_id, parts)
    write_string(item.client_id, parts)
    write_string(item.client_host, parts)
    INT32.write(item.rebalance_timeout, parts)
    INT32.write(item.session_timeout, parts)
    write_bytes(item.subscription, parts)
    write_bytes(item.assignment, parts)


def _read_v3(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type, pos = read_string(data, pos)
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    protocol, pos = read_nullable_string(data, pos)
    leader, pos = read_nullable_string(data, pos)
    (current_state_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    members, pos = read_array(data, pos, _read_member_metadata_v3)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        current_state_timestamp=current_state_timestamp,
        members=members,
    ), pos


def _write_v3(message: GroupMetadataValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.protocol_type, parts)
    INT32.write(message.generation, parts)
    write_nullable_string(message.protocol, parts)
    write_nullable_string(message.leader, parts)
    INT64.write(message.current_state_timestamp, parts)
    write_array(message.members, parts, _write_member_metadata_v3)


def _read_member_metadata_v4(data: bytes, pos: int) -> tuple[_MemberMetadata, int]:
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    (rebalance_timeout,), pos = INT32.unpack(data, pos), pos + 4
    (session_timeout,), pos = INT32.unpack(data, pos), pos + 4
    subscription, pos = read_compact_bytes(data, pos)
    assignment, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MemberMetadata(
        member_id=member_id,
        group_instance_id=group_instance_id,
        client_id=client_id,
        client_host=client_host,
        rebalance_timeout=rebalance_timeout,
        session_timeout=session_timeout,
        subscription=subscription,
        assignment=assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_metadata_v4(item: _MemberMetadata, parts: list[bytes]) -> None:
    if type(item) is not _MemberMetadata:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.group_instance_id, parts)
    write_compact_string(item.client_id, parts)
    write_compact_string(item.client_host, parts)
    INT32.write(item.rebalance_timeout, parts)
    INT32.write(item.session_timeout, parts)
    write_compact_bytes(item.subscription, parts)
    write_compact_bytes(item.assignment, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type, pos = read_compact_string(data, pos)
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    protocol, pos = read_compact_nullable_string(data, pos)
    leader, pos = read_compact_nullable_string(data, pos)
    (current_state_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    members, pos = read_compact_array(data, pos, _read_member_metadata_v4)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        current_state_timestamp=current_state_timestamp,
        members=members,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4(message: GroupMetadataValue, parts: list[bytes]) -> None:
    write_compact_string(message.protocol_type, parts)
    INT32.write(message.generation, parts)
    write_compact_nullable_string(message.protocol, parts)
    write_compact_nullable_string(message.leader, parts)
    INT64.write(message.current_state_timestamp, parts)
    write_compact_array(message.members, parts, _write_member_metadata_v4)
    write_unknown_tags(message.unknown_tagged_fields, parts)


GroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
GroupMetadataValue._by_header = {
    0: _read_v0,
    1: _read_v1,
    2: _read_v2,
    3: _read_v3,
    4: _read_v4,
}
GroupMetadataValue._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
    4: b"\x00\x04",
}
