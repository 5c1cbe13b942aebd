"""JoinGroupRequest, generated from schemas/JoinGroupRequest.json; change that file and run `make generate`."""

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


class JoinGroupRequest(Message, frozen=True, kw_only=True, gc=False):
    """JoinGroupRequest, versions 0-9.

    A consumer's first step into a group of the classic protocol. The broker waits until all members
    have asked, or until the longest rebalance timeout has passed; then it answers all at once.

    Version 1 (KIP-62): a timeout of its own for the rebalance.
    Versions 2 and 3 (KIP-124, KIP-219): as version 1; the answer changes.
    Version 4 (KIP-394): who has no member id is given one and has to ask again with it.
    Version 5 (KIP-345): static membership.
    Version 6 (KIP-482): flexible. Version 7 (KIP-559): as version 6; the answer changes.
    Version 8 (KIP-800): why the member joins. Version 9 (KIP-814): the answer changes.

    Attributes:
        group_id (string): The group to join (group.id). Versions 0-9; default ''.
        session_timeout_ms (int32): Without a heartbeat for so long, the member counts as dead;
            milliseconds. Versions 0-9; default 0.
        rebalance_timeout_ms (int32): How long the broker waits for it to rejoin; milliseconds
            (KIP-62). Versions 1-9; default -1; other versions leave it out.
        member_id (string): The id that the broker gave; empty when it joins for the first time.
            Versions 0-9; default ''.
        group_instance_id (string): The name of a static member (group.instance.id); null if dynamic
            (KIP-345). Versions 5-9; may be null; default None; other versions cannot hold it.
        protocol_type (string): The kind of the group: what its metadata means. Versions 0-9; default
            ''.
        protocols ([]JoinGroupRequestProtocol): The assignors that the member supports, the preferred
            one first. Versions 0-9; default ().
        reason (string): Why the member joins or rejoins, for the broker's log (KIP-800). Versions
            8-9; may be null; default None; other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 6-9; default ().
    """

    NAME = "JoinGroupRequest"
    VERSIONS = VersionRange(0, 9)
    LATEST = 9
    API_KEY = 11
    FRAMING = Framing("none", "refuse")

    class JoinGroupRequestProtocol(MessagePart, frozen=True, kw_only=True, gc=False):
        """JoinGroupRequestProtocol of JoinGroupRequest, versions 0-9.

        The assignors that the member supports, the preferred one first.

        Attributes:
            name (string): The assignor's name, "range" for one. Versions 0-9; default ''.
            metadata (bytes): What the member tells the leader; brokers pass it on unread. Versions
                0-9; default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-9; default ().
        """

        name: str = ""
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
                name: str = ...,
                metadata: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                metadata: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    session_timeout_ms: int = 0
    rebalance_timeout_ms: int = -1
    member_id: str = ""
    group_instance_id: str | None = None
    protocol_type: str = ""
    protocols: tuple[JoinGroupRequest.JoinGroupRequestProtocol, ...] = ()
    reason: str | None = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("protocols", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.protocols) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            session_timeout_ms: int = ...,
            rebalance_timeout_ms: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str = ...,
            protocols: Iterable[JoinGroupRequest.JoinGroupRequestProtocol] = ...,
            reason: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            session_timeout_ms: int = ...,
            rebalance_timeout_ms: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str = ...,
            protocols: Iterable[JoinGroupRequest.JoinGroupRequestProtocol] = ...,
            reason: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_JoinGroupRequestProtocol = JoinGroupRequest.JoinGroupRequestProtocol


def _read_join_group_request_protocol_v0_5(
    data: bytes, pos: int
) -> tuple[_JoinGroupRequestProtocol, int]:
    name, pos = read_string(data, pos)
    metadata, pos = read_bytes(data, pos)
    return _JoinGroupRequestProtocol(name=name, metadata=metadata), pos


def _write_join_group_request_protocol_v0_5(
    item: _JoinGroupRequestProtocol, parts: list[bytes]
) -> None:
    if type(item) is not _JoinGroupRequestProtocol:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_bytes(item.metadata, parts)


def _read_v0(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    (session_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    protocols, pos = read_array(data, pos, _read_join_group_request_protocol_v0_5)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        member_id=member_id,
        protocol_type=protocol_type,
        protocols=protocols,
    ), pos


def _write_v0(message: JoinGroupRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.session_timeout_ms, parts)
    write_string(message.member_id, parts)
    write_string(message.protocol_type, parts)
    write_array(message.protocols, parts, _write_join_group_request_protocol_v0_5)


def _read_v1_4(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    (session_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    protocols, pos = read_array(data, pos, _read_join_group_request_protocol_v0_5)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        protocol_type=protocol_type,
        protocols=protocols,
    ), pos


def _write_v1_4(message: JoinGroupRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.session_timeout_ms, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_string(message.member_id, parts)
    write_string(message.protocol_type, parts)
    write_array(message.protocols, parts, _write_join_group_request_protocol_v0_5)


def _read_v5(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    (session_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    protocols, pos = read_array(data, pos, _read_join_group_request_protocol_v0_5)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocols=protocols,
    ), pos


def _write_v5(message: JoinGroupRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.session_timeout_ms, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_string(message.member_id, parts)
    write_nullable_string(message.group_instance_id, parts)
    write_string(message.protocol_type, parts)
    write_array(message.protocols, parts, _write_join_group_request_protocol_v0_5)


def _read_join_group_request_protocol_v6_9(
    data: bytes, pos: int
) -> tuple[_JoinGroupRequestProtocol, int]:
    name, pos = read_compact_string(data, pos)
    metadata, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _JoinGroupRequestProtocol(
        name=name, metadata=metadata, unknown_tagged_fields=unknown
    ), pos


def _write_join_group_request_protocol_v6_9(
    item: _JoinGroupRequestProtocol, parts: list[bytes]
) -> None:
    if type(item) is not _JoinGroupRequestProtocol:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_bytes(item.metadata, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6_7(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (session_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    protocols, pos = read_compact_array(data, pos, _read_join_group_request_protocol_v6_9)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocols=protocols,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6_7(message: JoinGroupRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.session_timeout_ms, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_string(message.protocol_type, parts)
    write_compact_array(message.protocols, parts, _write_join_group_request_protocol_v6_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v8_9(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (session_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    protocols, pos = read_compact_array(data, pos, _read_join_group_request_protocol_v6_9)
    reason, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocols=protocols,
        reason=reason,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v8_9(message: JoinGroupRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.session_timeout_ms, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_string(message.protocol_type, parts)
    write_compact_array(message.protocols, parts, _write_join_group_request_protocol_v6_9)
    write_compact_nullable_string(message.reason, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


JoinGroupRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_4, _write_v1_4),
    2: Codec(_read_v1_4, _write_v1_4),
    3: Codec(_read_v1_4, _write_v1_4),
    4: Codec(_read_v1_4, _write_v1_4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6_7, _write_v6_7),
    7: Codec(_read_v6_7, _write_v6_7),
    8: Codec(_read_v8_9, _write_v8_9),
    9: Codec(_read_v8_9, _write_v8_9),
}
