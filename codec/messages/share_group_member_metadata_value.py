"""ShareGroupMemberMetadataValue, generated from schemas/ShareGroupMemberMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    OddBytes,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ShareGroupMemberMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupMemberMetadataValue, versions 0.

    A member of a share group (KIP-932), in which several members may read one partition.

    Attributes:
        rack_id (string): The rack that the member runs in; null if not told. Version 0; may be null;
            default ''.
        client_id (string): What the member's client calls itself. Version 0; default ''.
        client_host (string): The address that it connected from. Version 0; default ''.
        subscribed_topic_names ([]string): The topics that it subscribes to. Version 0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

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
    rack_id, pos = read_compact_nullable_string(data, pos)
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    subscribed_topic_names, pos = read_compact_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupMemberMetadataValue(
        rack_id=rack_id,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: ShareGroupMemberMetadataValue, parts: list[bytes]) -> None:
    write_compact_nullable_string(message.rack_id, parts)
    write_compact_string(message.client_id, parts)
    write_compact_string(message.client_host, parts)
    write_compact_array(message.subscribed_topic_names, parts, write_compact_string)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupMemberMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupMemberMetadataValue._by_header = {
    0: _read_v0,
}
ShareGroupMemberMetadataValue._headers = {
    0: b"\x00\x00",
}
