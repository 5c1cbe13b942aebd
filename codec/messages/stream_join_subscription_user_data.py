"""StreamJoinSubscriptionUserData, generated from schemas/StreamJoinSubscriptionUserData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddValue, few_numbers, fixed, numbers, pack_numbers, packed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_i = packed("i")
_pack_numbers_i = pack_numbers("i")
_unpack_i = fixed("i")
_unpack_u_i = fixed("I")


class StreamJoinSubscriptionUserData(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamJoinSubscriptionUserData, versions 0."""

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
    (partition_numbers_count,) = _unpack_u_i(data, pos)
    pos += 4
    partition_numbers = (
        _few_numbers_i[partition_numbers_count]
        if partition_numbers_count < 256
        else _numbers_i[partition_numbers_count]
    )(data, pos)
    pos += partition_numbers_count * 4
    (epoch,) = _unpack_i(data, pos)
    pos += 4
    return StreamJoinSubscriptionUserData(partition_numbers=partition_numbers, epoch=epoch), pos


def _write_v0(message: StreamJoinSubscriptionUserData, parts: list[bytes]) -> None:
    add = parts.append
    partition_numbers = message.partition_numbers
    if type(partition_numbers) is not tuple:
        raise OddValue
    add(_pack_i(len(partition_numbers)))
    add(_pack_numbers_i[len(partition_numbers)](*partition_numbers))
    if type(message.epoch) is bool:
        raise OddValue
    add(_pack_i(message.epoch))


StreamJoinSubscriptionUserData._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamJoinSubscriptionUserData._by_header = {
    0: _read_v0,
}
StreamJoinSubscriptionUserData._headers = {
    0: b"\x00\x00",
}
