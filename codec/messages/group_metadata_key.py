"""GroupMetadataKey, generated from schemas/GroupMetadataKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class GroupMetadataKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """GroupMetadataKey, versions 0.

    The key of a classic group: record type 2. A tombstone says that the group is gone.

    Attributes:
        group (string): The group's id. Version 0; default ''.
    """

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
    group, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataKey(group=group), pos


def _write_v0(message: GroupMetadataKey, parts: list[bytes]) -> None:
    write_string(message.group, parts)


GroupMetadataKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
GroupMetadataKey._by_header = {
    2: _read_v0,
}
GroupMetadataKey._headers = {
    0: b"\x00\x02",
}
