"""StreamsGroupMemberMetadataValue, generated from schemas/StreamsGroupMemberMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
    VARINT,
    OddBytes,
    OddValue,
    fixed,
    packed,
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_ii = packed("ii")
_pack_u_h = packed("H")
_unpack_b = fixed("b")
_unpack_iiu_b = fixed("iiB")
_unpack_u_b = fixed("B")
_unpack_u_hu_b = fixed("HB")


class StreamsGroupMemberMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupMemberMetadataValue, versions 0."""

    NAME = "StreamsGroupMemberMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 19
    FRAMING = Framing("version", "refuse")

    class Endpoint(MessagePart, frozen=True, kw_only=True, gc=False):
        """Endpoint of StreamsGroupMemberMetadataValue, versions 0."""

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
        """KeyValue of StreamsGroupMemberMetadataValue, versions 0."""

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


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupMemberMetadataValue, int]:
    (instance_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if instance_id_size > 127:
        instance_id_size, pos = read_varint(data, pos - 1)
    if instance_id_size < 1:
        instance_id = None
    elif instance_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + instance_id_size - 1
        instance_id = data[pos:end].decode()
        pos = end
    (rack_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if rack_id_size > 127:
        rack_id_size, pos = read_varint(data, pos - 1)
    if rack_id_size < 1:
        rack_id = None
    elif rack_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + rack_id_size - 1
        rack_id = data[pos:end].decode()
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
    rebalance_timeout_ms, topology_epoch, process_id_size = _unpack_iiu_b(data, pos)
    pos += 9
    if process_id_size > 127:
        process_id_size, pos = read_varint(data, pos - 1)
    if process_id_size < 1 or process_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + process_id_size - 1
    process_id = data[pos:end].decode()
    pos = end
    (user_endpoint_present,) = _unpack_b(data, pos)
    pos += 1
    if user_endpoint_present < 0:
        user_endpoint = None
    else:
        (host_size,) = _unpack_u_b(data, pos)
        pos += 1
        if host_size > 127:
            host_size, pos = read_varint(data, pos - 1)
        if host_size < 1 or host_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + host_size - 1
        host = data[pos:end].decode()
        pos = end
        port, count = _unpack_u_hu_b(data, pos)
        pos += 3
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        user_endpoint = _Endpoint(host=host, port=port, unknown_tagged_fields=unknown_tagged_fields)
    (client_tags_count,) = _unpack_u_b(data, pos)
    pos += 1
    if client_tags_count > 127:
        client_tags_count, pos = read_varint(data, pos - 1)
    client_tags_count -= 1
    if not 0 <= client_tags_count <= MAX_ELEMENTS:
        raise OddBytes
    client_tags_list: list[_KeyValue] = []
    for _ in range(client_tags_count):
        (key_size,) = _unpack_u_b(data, pos)
        pos += 1
        if key_size > 127:
            key_size, pos = read_varint(data, pos - 1)
        if key_size < 1 or key_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + key_size - 1
        key = data[pos:end].decode()
        pos = end
        (value_size,) = _unpack_u_b(data, pos)
        pos += 1
        if value_size > 127:
            value_size, pos = read_varint(data, pos - 1)
        if value_size < 1 or value_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + value_size - 1
        value = data[pos:end].decode()
        pos = end
        (count_2,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        client_tags_list.append(
            _KeyValue(key=key, value=value, unknown_tagged_fields=unknown_tagged_fields_2)
        )
    client_tags = tuple(client_tags_list)
    (count_3,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
    if count_3:
        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
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
        unknown_tagged_fields=unknown_tagged_fields_3,
    ), pos


def _write_v0(message: StreamsGroupMemberMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    instance_id = message.instance_id
    if instance_id is None:
        add(b"\x00")
    else:
        instance_id_raw = instance_id.encode()
        if len(instance_id_raw) > MAX_STRING:
            raise OddValue
        instance_id_size = len(instance_id_raw) + 1
        add(VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size))
        add(instance_id_raw)
    rack_id = message.rack_id
    if rack_id is None:
        add(b"\x00")
    else:
        rack_id_raw = rack_id.encode()
        if len(rack_id_raw) > MAX_STRING:
            raise OddValue
        rack_id_size = len(rack_id_raw) + 1
        add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
        add(rack_id_raw)
    client_id_raw = message.client_id.encode()
    if len(client_id_raw) > MAX_STRING:
        raise OddValue
    client_id_size = len(client_id_raw) + 1
    add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
    add(client_id_raw)
    client_host_raw = message.client_host.encode()
    if len(client_host_raw) > MAX_STRING:
        raise OddValue
    client_host_size = len(client_host_raw) + 1
    add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
    add(client_host_raw)
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    if type(message.topology_epoch) is bool:
        raise OddValue
    process_id_raw = message.process_id.encode()
    add(_pack_ii(message.rebalance_timeout_ms, message.topology_epoch))
    if len(process_id_raw) > MAX_STRING:
        raise OddValue
    process_id_size = len(process_id_raw) + 1
    add(VARINT[process_id_size] if process_id_size < 128 else varint(process_id_size))
    add(process_id_raw)
    user_endpoint = message.user_endpoint
    if user_endpoint is None:
        add(b"\xff")
    else:
        add(b"\1")
        if type(user_endpoint) is not _Endpoint:
            raise OddValue
        host_raw = user_endpoint.host.encode()
        if len(host_raw) > MAX_STRING:
            raise OddValue
        host_size = len(host_raw) + 1
        add(VARINT[host_size] if host_size < 128 else varint(host_size))
        add(host_raw)
        if type(user_endpoint.port) is bool:
            raise OddValue
        add(_pack_u_h(user_endpoint.port))
        add(
            write_tags([], user_endpoint.unknown_tagged_fields, ())
            if user_endpoint.unknown_tagged_fields
            else b"\0"
        )
    client_tags = message.client_tags
    if type(client_tags) is not tuple:
        raise OddValue
    client_tags_size = len(client_tags) + 1
    add(VARINT[client_tags_size] if client_tags_size < 128 else varint(client_tags_size))
    for client_tags_item in client_tags:
        if type(client_tags_item) is not _KeyValue:
            raise OddValue
        key_raw = client_tags_item.key.encode()
        if len(key_raw) > MAX_STRING:
            raise OddValue
        key_size = len(key_raw) + 1
        add(VARINT[key_size] if key_size < 128 else varint(key_size))
        add(key_raw)
        value_raw = client_tags_item.value.encode()
        if len(value_raw) > MAX_STRING:
            raise OddValue
        value_size = len(value_raw) + 1
        add(VARINT[value_size] if value_size < 128 else varint(value_size))
        add(value_raw)
        add(
            write_tags([], client_tags_item.unknown_tagged_fields, ())
            if client_tags_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupMemberMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupMemberMetadataValue._by_header = {
    0: _read_v0,
}
StreamsGroupMemberMetadataValue._headers = {
    0: b"\x00\x00",
}
