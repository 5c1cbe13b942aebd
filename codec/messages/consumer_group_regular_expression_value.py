"""ConsumerGroupRegularExpressionValue, generated from schemas/ConsumerGroupRegularExpressionValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, RawTaggedField, VersionedMessage
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

_pack_qq = packed("qq")
_unpack_qqu_b = fixed("qqB")
_unpack_u_b = fixed("B")


class ConsumerGroupRegularExpressionValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupRegularExpressionValue, versions 0."""

    NAME = "ConsumerGroupRegularExpressionValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 16
    FRAMING = Framing("version", "refuse")

    topics: tuple[str, ...] = ()
    version: int = 0
    timestamp: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            topics: Iterable[str] = ...,
            version: int = ...,
            timestamp: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topics: Iterable[str] = ...,
            version: int = ...,
            timestamp: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    (topics_count,) = _unpack_u_b(data, pos)
    pos += 1
    if topics_count > 127:
        topics_count, pos = read_varint(data, pos - 1)
    topics_count -= 1
    if not 0 <= topics_count <= MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[str] = []
    for _ in range(topics_count):
        (topics_item_size,) = _unpack_u_b(data, pos)
        pos += 1
        if topics_item_size > 127:
            topics_item_size, pos = read_varint(data, pos - 1)
        if topics_item_size < 1 or topics_item_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + topics_item_size - 1
        topics_list.append(data[pos:end].decode())
        pos = end
    topics = tuple(topics_list)
    version, timestamp, count = _unpack_qqu_b(data, pos)
    pos += 17
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupRegularExpressionValue(
        topics=topics,
        version=version,
        timestamp=timestamp,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v0(message: ConsumerGroupRegularExpressionValue, parts: list[bytes]) -> None:
    add = parts.append
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    topics_size = len(topics) + 1
    add(VARINT[topics_size] if topics_size < 128 else varint(topics_size))
    for topics_item in topics:
        raw_2 = topics_item.encode()
        if len(raw_2) > MAX_STRING:
            raise OddValue
        topics_size_2 = len(raw_2) + 1
        add(VARINT[topics_size_2] if topics_size_2 < 128 else varint(topics_size_2))
        add(raw_2)
    if type(message.version) is bool:
        raise OddValue
    if type(message.timestamp) is bool:
        raise OddValue
    add(_pack_qq(message.version, message.timestamp))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupRegularExpressionValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupRegularExpressionValue._by_header = {
    0: _read_v0,
}
ConsumerGroupRegularExpressionValue._headers = {
    0: b"\x00\x00",
}
