"""ConsumerGroupMemberMetadataValue, generated from schemas/ConsumerGroupMemberMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field as _field
from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import (
    Tags,
    read_tagged_nullable,
    read_tags,
    read_unknown_tags,
    write_tagged_nullable,
    write_tags,
    write_unknown_tags,
)
from ..wire.primitives import (
    INT32,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_bytes,
    read_compact_nullable_string,
    read_compact_string,
    write_compact_array,
    write_compact_bytes,
    write_compact_nullable_string,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupMemberMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupMemberMetadataValue, versions 0.

    A member of the new consumer group protocol (KIP-848), as its heartbeats have described it.

    Attributes:
        instance_id (string): The name of a static member; null if dynamic. Version 0; may be null;
            default ''.
        rack_id (string): The rack that the member runs in; null if not told. Version 0; may be null;
            default ''.
        client_id (string): What the member's client calls itself. Version 0; default ''.
        client_host (string): The address that it connected from. Version 0; default ''.
        subscribed_topic_names ([]string): The topics that it subscribes to by name. Version 0;
            default ().
        subscribed_topic_regex (string): The pattern that it subscribes by; null if none. Version 0;
            may be null; default ''.
        rebalance_timeout_ms (int32): How long it may take to give partitions back; milliseconds.
            Version 0; default -1.
        server_assignor (string): The assignor that it would like; null if it does not mind. Version
            0; may be null; default ''.
        classic_member_metadata (ClassicMemberMetadata): Only of a member that still speaks the
            classic protocol. Version 0; may be null; default ClassicMemberMetadata(); tag 0 in
            version 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ConsumerGroupMemberMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 5
    FRAMING = Framing("version", "refuse")

    class ClassicProtocol(MessagePart, frozen=True, kw_only=True, gc=False):
        """ClassicProtocol of ConsumerGroupMemberMetadataValue, versions 0.

        The assignors that it listed.

        Attributes:
            name (string): The assignor's name. Version 0; default ''.
            metadata (bytes): Its subscription. Version 0; default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
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

    class ClassicMemberMetadata(MessagePart, frozen=True, kw_only=True, gc=False):
        """ClassicMemberMetadata of ConsumerGroupMemberMetadataValue, versions 0.

        Only of a member that still speaks the classic protocol.

        Attributes:
            session_timeout_ms (int32): Its session timeout; milliseconds. Version 0; default 0.
            supported_protocols ([]ClassicProtocol): The assignors that it listed. Version 0; default
                ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        session_timeout_ms: int = 0
        supported_protocols: tuple[ConsumerGroupMemberMetadataValue.ClassicProtocol, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("supported_protocols", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.supported_protocols) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                session_timeout_ms: int = ...,
                supported_protocols: Iterable[
                    ConsumerGroupMemberMetadataValue.ClassicProtocol
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                session_timeout_ms: int = ...,
                supported_protocols: Iterable[
                    ConsumerGroupMemberMetadataValue.ClassicProtocol
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    instance_id: str | None = ""
    rack_id: str | None = ""
    client_id: str = ""
    client_host: str = ""
    subscribed_topic_names: tuple[str, ...] = ()
    subscribed_topic_regex: str | None = ""
    rebalance_timeout_ms: int = -1
    server_assignor: str | None = ""
    classic_member_metadata: ConsumerGroupMemberMetadataValue.ClassicMemberMetadata | None = _field(
        default_factory=lambda: _DEFAULT_ClassicMemberMetadata
    )
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("subscribed_topic_names", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.subscribed_topic_names) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            client_id: str = ...,
            client_host: str = ...,
            subscribed_topic_names: Iterable[str] = ...,
            subscribed_topic_regex: str | None = ...,
            rebalance_timeout_ms: int = ...,
            server_assignor: str | None = ...,
            classic_member_metadata: ConsumerGroupMemberMetadataValue.ClassicMemberMetadata
            | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            client_id: str = ...,
            client_host: str = ...,
            subscribed_topic_names: Iterable[str] = ...,
            subscribed_topic_regex: str | None = ...,
            rebalance_timeout_ms: int = ...,
            server_assignor: str | None = ...,
            classic_member_metadata: ConsumerGroupMemberMetadataValue.ClassicMemberMetadata
            | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_ClassicMemberMetadata = ConsumerGroupMemberMetadataValue.ClassicMemberMetadata
_ClassicProtocol = ConsumerGroupMemberMetadataValue.ClassicProtocol
_DEFAULT_ClassicMemberMetadata: ConsumerGroupMemberMetadataValue.ClassicMemberMetadata = (
    ConsumerGroupMemberMetadataValue.ClassicMemberMetadata()
)


def _read_classic_protocol_v0(data: bytes, pos: int) -> tuple[_ClassicProtocol, int]:
    name, pos = read_compact_string(data, pos)
    metadata, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _ClassicProtocol(name=name, metadata=metadata, unknown_tagged_fields=unknown), pos


def _write_classic_protocol_v0(item: _ClassicProtocol, parts: list[bytes]) -> None:
    if type(item) is not _ClassicProtocol:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_bytes(item.metadata, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_classic_member_metadata_v0(data: bytes, pos: int) -> tuple[_ClassicMemberMetadata, int]:
    (session_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    supported_protocols, pos = read_compact_array(data, pos, _read_classic_protocol_v0)
    unknown, pos = read_unknown_tags(data, pos)
    return _ClassicMemberMetadata(
        session_timeout_ms=session_timeout_ms,
        supported_protocols=supported_protocols,
        unknown_tagged_fields=unknown,
    ), pos


def _write_classic_member_metadata_v0(item: _ClassicMemberMetadata, parts: list[bytes]) -> None:
    if type(item) is not _ClassicMemberMetadata:
        raise OddValue
    INT32.write(item.session_timeout_ms, parts)
    write_compact_array(item.supported_protocols, parts, _write_classic_protocol_v0)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v0: Tags = {
    0: (
        "classic_member_metadata",
        lambda data, pos: read_tagged_nullable(data, pos, _read_classic_member_metadata_v0),
    ),
}


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    subscribed_topic_names, pos = read_compact_array(data, pos, read_compact_string)
    subscribed_topic_regex, pos = read_compact_nullable_string(data, pos)
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    server_assignor, pos = read_compact_nullable_string(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v0, ())
    if pos > len(data):
        raise OddBytes
    read = ConsumerGroupMemberMetadataValue(
        instance_id=instance_id,
        rack_id=rack_id,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        subscribed_topic_regex=subscribed_topic_regex,
        rebalance_timeout_ms=rebalance_timeout_ms,
        server_assignor=server_assignor,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v0(message: ConsumerGroupMemberMetadataValue, parts: list[bytes]) -> None:
    write_compact_nullable_string(message.instance_id, parts)
    write_compact_nullable_string(message.rack_id, parts)
    write_compact_string(message.client_id, parts)
    write_compact_string(message.client_host, parts)
    write_compact_array(message.subscribed_topic_names, parts, write_compact_string)
    write_compact_nullable_string(message.subscribed_topic_regex, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_compact_nullable_string(message.server_assignor, parts)
    tags: dict[int, list[bytes]] = {}
    if message.classic_member_metadata != _DEFAULT_ClassicMemberMetadata:
        write_tagged_nullable(
            message.classic_member_metadata,
            tags.setdefault(0, []),
            _write_classic_member_metadata_v0,
        )
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


ConsumerGroupMemberMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupMemberMetadataValue._by_header = {
    0: _read_v0,
}
ConsumerGroupMemberMetadataValue._headers = {
    0: b"\x00\x00",
}
