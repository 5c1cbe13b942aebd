"""ConsumerGroupPartitionMetadataKey, generated from schemas/ConsumerGroupPartitionMetadataKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class ConsumerGroupPartitionMetadataKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupPartitionMetadataKey, versions 0.

    The key of what a group knew about its topics: record type 4. No longer written since the group's
    own record carries a hash instead (KIP-1101); tombstones and old records remain.

    Attributes:
        group_id (string): The group's id. Version 0; default ''.
    """

    NAME = "ConsumerGroupPartitionMetadataKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 4
    FRAMING = Framing("record-type", "refuse")

    group_id: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupPartitionMetadataKey, int]:
    group_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupPartitionMetadataKey(group_id=group_id), pos


def _write_v0(message: ConsumerGroupPartitionMetadataKey, parts: list[bytes]) -> None:
    write_string(message.group_id, parts)


ConsumerGroupPartitionMetadataKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupPartitionMetadataKey._by_header = {
    4: _read_v0,
}
ConsumerGroupPartitionMetadataKey._headers = {
    0: b"\x00\x04",
}
