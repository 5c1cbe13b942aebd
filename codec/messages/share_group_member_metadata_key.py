"""ShareGroupMemberMetadataKey, generated from schemas/ShareGroupMemberMetadataKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class ShareGroupMemberMetadataKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupMemberMetadataKey, versions 0.

    The key of a member of a share group (KIP-932): record type 10. A tombstone says that it has
    left.

    Attributes:
        group_id (string): The group's id. Version 0; default ''.
        member_id (string): The member's id. Version 0; default ''.
    """

    NAME = "ShareGroupMemberMetadataKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 10
    FRAMING = Framing("record-type", "refuse")

    group_id: str = ""
    member_id: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupMemberMetadataKey, int]:
    group_id, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupMemberMetadataKey(group_id=group_id, member_id=member_id), pos


def _write_v0(message: ShareGroupMemberMetadataKey, parts: list[bytes]) -> None:
    write_string(message.group_id, parts)
    write_string(message.member_id, parts)


ShareGroupMemberMetadataKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupMemberMetadataKey._by_header = {
    10: _read_v0,
}
ShareGroupMemberMetadataKey._headers = {
    0: b"\x00\n",
}
