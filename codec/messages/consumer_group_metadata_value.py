"""ConsumerGroupMetadataValue, generated from schemas/ConsumerGroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, RawTaggedField, VersionedMessage
from ..runtime.tags import Tags, read_tags, write_tags
from ..wire.primitives import INT32, INT64, OddBytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupMetadataValue, versions 0.

    The state of a group of the new consumer group protocol (KIP-848): how often it has changed, and
    with which topics.

    Attributes:
        epoch (int32): Grows with every change of members, subscriptions or topics. Version 0; default
            0.
        metadata_hash (int64): A hash of the subscribed topics; 0 if none. Version 0; default 0; tag 0
            in version 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ConsumerGroupMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 3
    FRAMING = Framing("version", "refuse")

    epoch: int = 0
    metadata_hash: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            epoch: int = ...,
            metadata_hash: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            epoch: int = ...,
            metadata_hash: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TAGS_v0: Tags = {
    0: ("metadata_hash", INT64.read),
}


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupMetadataValue, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v0, ())
    if pos > len(data):
        raise OddBytes
    read = ConsumerGroupMetadataValue(epoch=epoch, unknown_tagged_fields=unknown)
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v0(message: ConsumerGroupMetadataValue, parts: list[bytes]) -> None:
    INT32.write(message.epoch, parts)
    tags: dict[int, list[bytes]] = {}
    if message.metadata_hash != 0:
        INT64.write(message.metadata_hash, tags.setdefault(0, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


ConsumerGroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupMetadataValue._by_header = {
    0: _read_v0,
}
ConsumerGroupMetadataValue._headers = {
    0: b"\x00\x00",
}
