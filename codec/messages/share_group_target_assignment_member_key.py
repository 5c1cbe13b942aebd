"""ShareGroupTargetAssignmentMemberKey, generated from schemas/ShareGroupTargetAssignmentMemberKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddBytes, pack_strings, short_strings, strings

if TYPE_CHECKING:
    from typing import Self

_pack__string = pack_strings("")
_pack_h_string_h = pack_strings("h", "h")
_short_string_u_h = short_strings("H")
_string = strings("")


class ShareGroupTargetAssignmentMemberKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupTargetAssignmentMemberKey, versions 0."""

    NAME = "ShareGroupTargetAssignmentMemberKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 13
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


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupTargetAssignmentMemberKey, int]:
    group_id_size = data[pos + 1]
    high, raw, member_id_size = _short_string_u_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 4
    group_id = raw.decode()
    (raw,) = _string[member_id_size](data, pos)
    pos += member_id_size
    member_id = raw.decode()
    return ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), pos


def _write_v0(message: ShareGroupTargetAssignmentMemberKey, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    member_id_raw = message.member_id.encode()
    add(_pack_h_string_h[len(group_id_raw)](len(group_id_raw), group_id_raw, len(member_id_raw)))
    add(_pack__string[len(member_id_raw)](member_id_raw))


ShareGroupTargetAssignmentMemberKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupTargetAssignmentMemberKey._by_header = {
    13: _read_v0,
}
ShareGroupTargetAssignmentMemberKey._headers = {
    0: b"\x00\r",
}
