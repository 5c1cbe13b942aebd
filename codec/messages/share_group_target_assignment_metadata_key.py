"""ShareGroupTargetAssignmentMetadataKey, generated from schemas/ShareGroupTargetAssignmentMetadataKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class ShareGroupTargetAssignmentMetadataKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupTargetAssignmentMetadataKey, versions 0.

    The key of a share group's target assignment as a whole (KIP-932): record type 12.

    Attributes:
        group_id (string): The group's id. Version 0; default ''.
    """

    NAME = "ShareGroupTargetAssignmentMetadataKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 12
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


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupTargetAssignmentMetadataKey, int]:
    group_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupTargetAssignmentMetadataKey(group_id=group_id), pos


def _write_v0(message: ShareGroupTargetAssignmentMetadataKey, parts: list[bytes]) -> None:
    write_string(message.group_id, parts)


ShareGroupTargetAssignmentMetadataKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupTargetAssignmentMetadataKey._by_header = {
    12: _read_v0,
}
ShareGroupTargetAssignmentMetadataKey._headers = {
    0: b"\x00\x0c",
}
