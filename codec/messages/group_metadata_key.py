"""GroupMetadataKey, generated from schemas/GroupMetadataKey.json; change that file and run `make generate`."""

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


class GroupMetadataKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """GroupMetadataKey, versions 0."""

    NAME = "GroupMetadataKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 2
    FRAMING = Framing("record-type", "refuse")

    group: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group: str = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group: str = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[GroupMetadataKey, int]:
    group_size = data[pos + 1]
    high, raw = _short_string[group_size](data, pos)
    if high:
        raise OddBytes
    pos += group_size + 2
    group = raw.decode()
    return GroupMetadataKey(group=group), pos


def _write_v0(message: GroupMetadataKey, parts: list[bytes]) -> None:
    add = parts.append
    group_raw = message.group.encode()
    add(_pack_h_string[len(group_raw)](len(group_raw), group_raw))


GroupMetadataKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
GroupMetadataKey._by_header = {
    2: _read_v0,
}
GroupMetadataKey._headers = {
    0: b"\x00\x02",
}
