"""ShareGroupMetadataValue, generated from schemas/ShareGroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import OddBytes, OddValue, fixed, packed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_iq = packed("iq")
_unpack_iqu_b = fixed("iqB")


class ShareGroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupMetadataValue, versions 0."""

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
    epoch, metadata_hash, count = _unpack_iqu_b(data, pos)
    pos += 13
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ShareGroupMetadataValue(
        epoch=epoch, metadata_hash=metadata_hash, unknown_tagged_fields=unknown_tagged_fields
    ), pos


def _write_v0(message: ShareGroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.epoch) is bool:
        raise OddValue
    if type(message.metadata_hash) is bool:
        raise OddValue
    add(_pack_iq(message.epoch, message.metadata_hash))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ShareGroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupMetadataValue._by_header = {
    0: _read_v0,
}
ShareGroupMetadataValue._headers = {
    0: b"\x00\x00",
}
