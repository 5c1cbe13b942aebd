"""StreamJoinAssignmentUserData, generated from schemas/StreamJoinAssignmentUserData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import INT32, OddBytes

if TYPE_CHECKING:
    from typing import Self


class StreamJoinAssignmentUserData(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamJoinAssignmentUserData, versions 0.

    The user data of an assignment under KIP-315's stream-join assignor: the epoch that members send
    back in their next subscription, so that the newest claim wins. The layout is this project's own.

    Attributes:
        epoch (int32): The highest epoch that the leader received, plus one. Version 0; default -1.
    """

    NAME = "StreamJoinAssignmentUserData"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = None
    FRAMING = Framing("version", "refuse")

    epoch: int = -1

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            epoch: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            epoch: int = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[StreamJoinAssignmentUserData, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return StreamJoinAssignmentUserData(epoch=epoch), pos


def _write_v0(message: StreamJoinAssignmentUserData, parts: list[bytes]) -> None:
    INT32.write(message.epoch, parts)


StreamJoinAssignmentUserData._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamJoinAssignmentUserData._by_header = {
    0: _read_v0,
}
StreamJoinAssignmentUserData._headers = {
    0: b"\x00\x00",
}
