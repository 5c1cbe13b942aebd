"""StreamsGroupMemberMetadataValue, generated from schemas/StreamsGroupMemberMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    UINT16,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupMemberMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupMemberMetadataValue, versions 0.

    A member of a Streams group (KIP-1071), as its heartbeats have described it.

    Attributes:
        instance_id (string): The name of a static member; null if dynamic. Version 0; may be null;
            default ''.
        rack_id (string): The rack that the member runs in; null if not told. Version 0; may be null;
            default ''.
        client_id (string): What the member's client calls itself. Version 0; default ''.
        client_host (string): The address that it connected from. Version 0; default ''.
        rebalance_timeout_ms (int32): How long it may take to give tasks back; milliseconds. Version
            0; default -1.
        topology_epoch (int32): The version of the topology that it runs. Version 0; default 0.
        process_id (string): The process, which may run several members. Version 0; default ''.
        user_endpoint (Endpoint): Where it answers interactive queries; null if nowhere. Version 0;
            may be null; default None.
        client_tags ([]KeyValue): Labels for rack-aware assignment (KIP-708). Version 0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "StreamsGroupMemberMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 19
    FRAMING = Framing("version", "refuse")

    class Endpoint(MessagePart, frozen=True, kw_only=True, gc=False):
        """Endpoint of StreamsGroupMemberMetadataValue, versions 0.

        Where a member answers interactive queries.

        Attributes:
            host (string): The host. Version 0; default ''.
            port (uint16): The port. Version 0; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        host: str = ""
        port: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                host: str = ...,
                port: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                host: str = ...,
                port: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class KeyValue(MessagePart, frozen=True, kw_only=True, gc=False):
        """KeyValue of StreamsGroupMemberMetadataValue, versions 0.

        A label.

        Attributes:
            key (string): The label's name. Version 0; default ''.
            value (string): The label's value. Version 0; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        key: str = ""
        value: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                key: str = ...,
                value: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                key: str = ...,
                value: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    instance_id: str | None = ""
    rack_id: str | None = ""
    client_id: str = ""
    client_host: str = ""
    rebalance_timeout_ms: int = -1
    topology_epoch: int = 0
    process_id: str = ""
    user_endpoint: StreamsGroupMemberMetadataValue.Endpoint | None = None
    client_tags: tuple[StreamsGroupMemberMetadataValue.KeyValue, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("client_tags", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.client_tags) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            client_id: str = ...,
            client_host: str = ...,
            rebalance_timeout_ms: int = ...,
            topology_epoch: int = ...,
            process_id: str = ...,
            user_endpoint: StreamsGroupMemberMetadataValue.Endpoint | None = ...,
            client_tags: Iterable[StreamsGroupMemberMetadataValue.KeyValue] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            client_id: str = ...,
            client_host: str = ...,
            rebalance_timeout_ms: int = ...,
            topology_epoch: int = ...,
            process_id: str = ...,
            user_endpoint: StreamsGroupMemberMetadataValue.Endpoint | None = ...,
            client_tags: Iterable[StreamsGroupMemberMetadataValue.KeyValue] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Endpoint = StreamsGroupMemberMetadataValue.Endpoint
_KeyValue = StreamsGroupMemberMetadataValue.KeyValue


def _read_endpoint_v0(data: bytes, pos: int) -> tuple[_Endpoint, int]:
    host, pos = read_compact_string(data, pos)
    (port,), pos = UINT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _Endpoint(host=host, port=port, unknown_tagged_fields=unknown), pos


def _write_endpoint_v0(item: _Endpoint, parts: list[bytes]) -> None:
    if type(item) is not _Endpoint:
        raise OddValue
    write_compact_string(item.host, parts)
    UINT16.write(item.port, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_key_value_v0(data: bytes, pos: int) -> tuple[_KeyValue, int]:
    key, pos = read_compact_string(data, pos)
    value, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _KeyValue(key=key, value=value, unknown_tagged_fields=unknown), pos


def _write_key_value_v0(item: _KeyValue, parts: list[bytes]) -> None:
    if type(item) is not _KeyValue:
        raise OddValue
    write_compact_string(item.key, parts)
    write_compact_string(item.value, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupMemberMetadataValue, int]:
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (topology_epoch,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_compact_string(data, pos)
    user_endpoint, pos = read_nullable(data, pos, _read_endpoint_v0)
    client_tags, pos = read_compact_array(data, pos, _read_key_value_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupMemberMetadataValue(
        instance_id=instance_id,
        rack_id=rack_id,
        client_id=client_id,
        client_host=client_host,
        rebalance_timeout_ms=rebalance_timeout_ms,
        topology_epoch=topology_epoch,
        process_id=process_id,
        user_endpoint=user_endpoint,
        client_tags=client_tags,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: StreamsGroupMemberMetadataValue, parts: list[bytes]) -> None:
    write_compact_nullable_string(message.instance_id, parts)
    write_compact_nullable_string(message.rack_id, parts)
    write_compact_string(message.client_id, parts)
    write_compact_string(message.client_host, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    INT32.write(message.topology_epoch, parts)
    write_compact_string(message.process_id, parts)
    write_nullable(message.user_endpoint, parts, _write_endpoint_v0)
    write_compact_array(message.client_tags, parts, _write_key_value_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupMemberMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupMemberMetadataValue._by_header = {
    0: _read_v0,
}
StreamsGroupMemberMetadataValue._headers = {
    0: b"\x00\x00",
}
