"""ShareGroupMemberMetadataValue, generated from schemas/ShareGroupMemberMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import MAX_ELEMENTS, MAX_STRING, VARINT, OddBytes, OddValue, fixed, read_varint, varint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_unpack_u_b = fixed("B")


class ShareGroupMemberMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupMemberMetadataValue, versions 0."""

    NAME = "ShareGroupMemberMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 10
    FRAMING = Framing("version", "refuse")

    rack_id: str | None = ""
    client_id: str = ""
    client_host: str = ""
    subscribed_topic_names: tuple[str, ...] = ()
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
            rack_id: str | None = ...,
            client_id: str = ...,
            client_host: str = ...,
            subscribed_topic_names: Iterable[str] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            rack_id: str | None = ...,
            client_id: str = ...,
            client_host: str = ...,
            subscribed_topic_names: Iterable[str] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupMemberMetadataValue, int]:
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
    (count,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ShareGroupMemberMetadataValue(
        rack_id=rack_id,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v0(message: ShareGroupMemberMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
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
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ShareGroupMemberMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupMemberMetadataValue._by_header = {
    0: _read_v0,
}
ShareGroupMemberMetadataValue._headers = {
    0: b"\x00\x00",
}
