"""StreamsGroupTargetAssignmentMemberKey, generated from schemas/StreamsGroupTargetAssignmentMemberKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class StreamsGroupTargetAssignmentMemberKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupTargetAssignmentMemberKey, versions 0.

    The key of one member's part of a Streams group's target assignment (KIP-1071): record type 21.

    Attributes:
        group_id (string): The group's id. Version 0; default ''.
        member_id (string): The member's id. Version 0; default ''.
    """

    NAME = "StreamsGroupTargetAssignmentMemberKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 21
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


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupTargetAssignmentMemberKey, int]:
    group_id, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), pos


def _write_v0(message: StreamsGroupTargetAssignmentMemberKey, parts: list[bytes]) -> None:
    write_string(message.group_id, parts)
    write_string(message.member_id, parts)


StreamsGroupTargetAssignmentMemberKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupTargetAssignmentMemberKey._by_header = {
    21: _read_v0,
}
StreamsGroupTargetAssignmentMemberKey._headers = {
    0: b"\x00\x15",
}
