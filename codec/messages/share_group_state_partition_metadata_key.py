"""ShareGroupStatePartitionMetadataKey, generated from schemas/ShareGroupStatePartitionMetadataKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddBytes, pack_strings, short_strings

if TYPE_CHECKING:
    from typing import Self

_pack_h_string = pack_strings("h")
_short_string = short_strings("")


class ShareGroupStatePartitionMetadataKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupStatePartitionMetadataKey, versions 0."""

    NAME = "ShareGroupStatePartitionMetadataKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 15
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


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupStatePartitionMetadataKey, int]:
    group_id_size = data[pos + 1]
    high, raw = _short_string[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 2
    group_id = raw.decode()
    return ShareGroupStatePartitionMetadataKey(group_id=group_id), pos


def _write_v0(message: ShareGroupStatePartitionMetadataKey, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    add(_pack_h_string[len(group_id_raw)](len(group_id_raw), group_id_raw))


ShareGroupStatePartitionMetadataKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupStatePartitionMetadataKey._by_header = {
    15: _read_v0,
}
ShareGroupStatePartitionMetadataKey._headers = {
    0: b"\x00\x0f",
}
