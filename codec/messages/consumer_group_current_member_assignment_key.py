"""ConsumerGroupCurrentMemberAssignmentKey, generated from schemas/ConsumerGroupCurrentMemberAssignmentKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class ConsumerGroupCurrentMemberAssignmentKey(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """ConsumerGroupCurrentMemberAssignmentKey, versions 0.

    The key of what one member owns at the moment (KIP-848): record type 8.

    Attributes:
        group_id (string): The group's id. Version 0; default ''.
        member_id (string): The member's id. Version 0; default ''.
    """

    NAME = "ConsumerGroupCurrentMemberAssignmentKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 8
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


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupCurrentMemberAssignmentKey, int]:
    group_id, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), pos


def _write_v0(message: ConsumerGroupCurrentMemberAssignmentKey, parts: list[bytes]) -> None:
    write_string(message.group_id, parts)
    write_string(message.member_id, parts)


ConsumerGroupCurrentMemberAssignmentKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupCurrentMemberAssignmentKey._by_header = {
    8: _read_v0,
}
ConsumerGroupCurrentMemberAssignmentKey._headers = {
    0: b"\x00\x08",
}
