"""ShareGroupMetadataValue, generated from schemas/ShareGroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import INT32, INT64, OddBytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ShareGroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupMetadataValue, versions 0.

    The state of a share group (KIP-932): how often it has changed, and with which topics.

    Attributes:
        epoch (int32): Grows with every change of members, subscriptions or topics. Version 0; default
            0.
        metadata_hash (int64): A hash of the subscribed topics (KIP-1101); 0 if none. Version 0;
            default 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ShareGroupMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 11
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


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupMetadataValue, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    (metadata_hash,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupMetadataValue(
        epoch=epoch, metadata_hash=metadata_hash, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: ShareGroupMetadataValue, parts: list[bytes]) -> None:
    INT32.write(message.epoch, parts)
    INT64.write(message.metadata_hash, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupMetadataValue._by_header = {
    0: _read_v0,
}
ShareGroupMetadataValue._headers = {
    0: b"\x00\x00",
}
