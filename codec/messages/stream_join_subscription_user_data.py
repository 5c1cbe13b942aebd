"""StreamJoinSubscriptionUserData, generated from schemas/StreamJoinSubscriptionUserData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import INT32, OddBytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamJoinSubscriptionUserData(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamJoinSubscriptionUserData, versions 0.

    The user data of a subscription under KIP-315's stream-join assignor. The proposal, which was
    never merged, names the content but not the bytes; this layout is this project's own.

    Attributes:
        partition_numbers ([]int32): The partition numbers that the member owned. Version 0; default
            ().
        epoch (int32): The epoch of the assignment that gave them; -1 if there was none. Version 0;
            default -1.
    """

    NAME = "StreamJoinSubscriptionUserData"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = None
    FRAMING = Framing("version", "refuse")

    partition_numbers: tuple[int, ...] = ()
    epoch: int = -1

    _sequences = ("partition_numbers",)

    def __post_init__(self) -> None:
        if type(self.partition_numbers) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            partition_numbers: Iterable[int] = ...,
            epoch: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            partition_numbers: Iterable[int] = ...,
            epoch: int = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[StreamJoinSubscriptionUserData, int]:
    partition_numbers, pos = INT32.read_array(data, pos)
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return StreamJoinSubscriptionUserData(partition_numbers=partition_numbers, epoch=epoch), pos


def _write_v0(message: StreamJoinSubscriptionUserData, parts: list[bytes]) -> None:
    INT32.write_array(message.partition_numbers, parts)
    INT32.write(message.epoch, parts)


StreamJoinSubscriptionUserData._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamJoinSubscriptionUserData._by_header = {
    0: _read_v0,
}
StreamJoinSubscriptionUserData._headers = {
    0: b"\x00\x00",
}
