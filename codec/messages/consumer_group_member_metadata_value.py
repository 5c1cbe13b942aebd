"""ConsumerGroupMemberMetadataValue, generated from schemas/ConsumerGroupMemberMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field as _field

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_raw_tag, read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
    MAX_TAGS,
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

_pack_i = packed("i")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")


class ConsumerGroupMemberMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupMemberMetadataValue, versions 0."""

    NAME = "ConsumerGroupMemberMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 5
    FRAMING = Framing("version", "refuse")

    class ClassicProtocol(MessagePart, frozen=True, kw_only=True, gc=False):
        """ClassicProtocol of ConsumerGroupMemberMetadataValue, versions 0."""

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
        """ClassicMemberMetadata of ConsumerGroupMemberMetadataValue, versions 0."""

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


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
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
    (subscribed_topic_names_count,) = _unpack_u_b(data, pos)
    pos += 1
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, pos = read_varint(data, pos - 1)
    subscribed_topic_names_count -= 1
    if not 0 <= subscribed_topic_names_count <= MAX_ELEMENTS:
        raise OddBytes
    subscribed_topic_names_list: list[str] = []
    for _ in range(subscribed_topic_names_count):
        (subscribed_topic_names_item_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subscribed_topic_names_item_size > 127:
            subscribed_topic_names_item_size, pos = read_varint(data, pos - 1)
        if (
            subscribed_topic_names_item_size < 1
            or subscribed_topic_names_item_size > MAX_STRING + 1
        ):
            raise OddBytes
        end = pos + subscribed_topic_names_item_size - 1
        subscribed_topic_names_list.append(data[pos:end].decode())
        pos = end
    subscribed_topic_names = tuple(subscribed_topic_names_list)
    (subscribed_topic_regex_size,) = _unpack_u_b(data, pos)
    pos += 1
    if subscribed_topic_regex_size > 127:
        subscribed_topic_regex_size, pos = read_varint(data, pos - 1)
    if subscribed_topic_regex_size < 1:
        subscribed_topic_regex = None
    elif subscribed_topic_regex_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + subscribed_topic_regex_size - 1
        subscribed_topic_regex = data[pos:end].decode()
        pos = end
    rebalance_timeout_ms, server_assignor_size = _unpack_iu_b(data, pos)
    pos += 5
    if server_assignor_size > 127:
        server_assignor_size, pos = read_varint(data, pos - 1)
    if server_assignor_size < 1:
        server_assignor = None
    elif server_assignor_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + server_assignor_size - 1
        server_assignor = data[pos:end].decode()
        pos = end
    (count,) = _unpack_u_b(data, pos)
    pos += 1
    classic_member_metadata: _ClassicMemberMetadata | None = _DEFAULT_ClassicMemberMetadata
    unknown: list[RawTaggedField] = []
    if count > 127:
        count, pos = read_varint(data, pos - 1)
        if not 0 <= count <= MAX_TAGS:
            raise OddBytes
    for _ in range(count):
        tag = data[pos]
        pos += 1
        if tag > 127:
            tag, pos = read_varint(data, pos - 1)
        if tag == 0:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            classic_member_metadata_present, pos = read_varint(data, pos)
            if not classic_member_metadata_present:
                classic_member_metadata = None
            else:
                session_timeout_ms, supported_protocols_count = _unpack_iu_b(data, pos)
                pos += 5
                if supported_protocols_count > 127:
                    supported_protocols_count, pos = read_varint(data, pos - 1)
                supported_protocols_count -= 1
                if not 0 <= supported_protocols_count <= MAX_ELEMENTS:
                    raise OddBytes
                supported_protocols_list: list[_ClassicProtocol] = []
                for _ in range(supported_protocols_count):
                    (name_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if name_size > 127:
                        name_size, pos = read_varint(data, pos - 1)
                    if name_size < 1 or name_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + name_size - 1
                    name = data[pos:end].decode()
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
                    (count_2,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
                    if count_2:
                        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
                    supported_protocols_list.append(
                        _ClassicProtocol(
                            name=name,
                            metadata=metadata,
                            unknown_tagged_fields=unknown_tagged_fields_2,
                        )
                    )
                supported_protocols = tuple(supported_protocols_list)
                (count_3,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
                if count_3:
                    unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
                classic_member_metadata = _ClassicMemberMetadata(
                    session_timeout_ms=session_timeout_ms,
                    supported_protocols=supported_protocols,
                    unknown_tagged_fields=unknown_tagged_fields_3,
                )
        else:
            known, pos = read_raw_tag(data, pos, tag)
            unknown.append(known)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupMemberMetadataValue(
        instance_id=instance_id,
        rack_id=rack_id,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        subscribed_topic_regex=subscribed_topic_regex,
        rebalance_timeout_ms=rebalance_timeout_ms,
        server_assignor=server_assignor,
        classic_member_metadata=classic_member_metadata,
        unknown_tagged_fields=tuple(unknown),
    ), pos


def _write_v0(message: ConsumerGroupMemberMetadataValue, parts: list[bytes]) -> None:
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
    subscribed_topic_names = message.subscribed_topic_names
    if type(subscribed_topic_names) is not tuple:
        raise OddValue
    subscribed_topic_names_size = len(subscribed_topic_names) + 1
    add(
        VARINT[subscribed_topic_names_size]
        if subscribed_topic_names_size < 128
        else varint(subscribed_topic_names_size)
    )
    for subscribed_topic_names_item in subscribed_topic_names:
        raw_2 = subscribed_topic_names_item.encode()
        if len(raw_2) > MAX_STRING:
            raise OddValue
        subscribed_topic_names_size_2 = len(raw_2) + 1
        add(
            VARINT[subscribed_topic_names_size_2]
            if subscribed_topic_names_size_2 < 128
            else varint(subscribed_topic_names_size_2)
        )
        add(raw_2)
    subscribed_topic_regex = message.subscribed_topic_regex
    if subscribed_topic_regex is None:
        add(b"\x00")
    else:
        subscribed_topic_regex_raw = subscribed_topic_regex.encode()
        if len(subscribed_topic_regex_raw) > MAX_STRING:
            raise OddValue
        subscribed_topic_regex_size = len(subscribed_topic_regex_raw) + 1
        add(
            VARINT[subscribed_topic_regex_size]
            if subscribed_topic_regex_size < 128
            else varint(subscribed_topic_regex_size)
        )
        add(subscribed_topic_regex_raw)
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    add(_pack_i(message.rebalance_timeout_ms))
    server_assignor = message.server_assignor
    if server_assignor is None:
        add(b"\x00")
    else:
        server_assignor_raw = server_assignor.encode()
        if len(server_assignor_raw) > MAX_STRING:
            raise OddValue
        server_assignor_size = len(server_assignor_raw) + 1
        add(
            VARINT[server_assignor_size]
            if server_assignor_size < 128
            else varint(server_assignor_size)
        )
        add(server_assignor_raw)
    fields: list[tuple[int, bytes]] = []
    classic_member_metadata = message.classic_member_metadata
    if classic_member_metadata != _DEFAULT_ClassicMemberMetadata:
        tagged: list[bytes] = []
        add = tagged.append
        classic_member_metadata_2 = classic_member_metadata
        if classic_member_metadata_2 is None:
            add(b"\0")
        else:
            add(b"\1")
            if type(classic_member_metadata_2) is not _ClassicMemberMetadata:
                raise OddValue
            if type(classic_member_metadata_2.session_timeout_ms) is bool:
                raise OddValue
            supported_protocols = classic_member_metadata_2.supported_protocols
            if type(supported_protocols) is not tuple:
                raise OddValue
            add(_pack_i(classic_member_metadata_2.session_timeout_ms))
            supported_protocols_size = len(supported_protocols) + 1
            add(
                VARINT[supported_protocols_size]
                if supported_protocols_size < 128
                else varint(supported_protocols_size)
            )
            for supported_protocols_item in supported_protocols:
                if type(supported_protocols_item) is not _ClassicProtocol:
                    raise OddValue
                name_raw = supported_protocols_item.name.encode()
                if len(name_raw) > MAX_STRING:
                    raise OddValue
                name_size = len(name_raw) + 1
                add(VARINT[name_size] if name_size < 128 else varint(name_size))
                add(name_raw)
                metadata_size = len(supported_protocols_item.metadata) + 1
                add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
                add(supported_protocols_item.metadata)
                add(
                    write_tags([], supported_protocols_item.unknown_tagged_fields, ())
                    if supported_protocols_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], classic_member_metadata_2.unknown_tagged_fields, ())
                if classic_member_metadata_2.unknown_tagged_fields
                else b"\0"
            )
        fields.append((0, b"".join(tagged)))
        add = parts.append
    add(write_tags(fields, message.unknown_tagged_fields, (0,)))


ConsumerGroupMemberMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupMemberMetadataValue._by_header = {
    0: _read_v0,
}
ConsumerGroupMemberMetadataValue._headers = {
    0: b"\x00\x00",
}
