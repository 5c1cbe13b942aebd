"""HeartbeatResponse, generated from schemas/HeartbeatResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import INT16, INT32, OddBytes, OddValue

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class HeartbeatResponse(Message, frozen=True, kw_only=True, gc=False):
    """HeartbeatResponse, versions 0-4.

    Whether the member still is what it believes to be: the error says so, REBALANCE_IN_PROGRESS
    above all, upon which it joins again.

    Version 1 (KIP-124): the throttle time. Version 2 (KIP-219): throttling begins after the answer.
    Version 3 (KIP-345): the error FENCED_INSTANCE_ID; the layout stays. Version 4 (KIP-482):
    flexible.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds
            (KIP-124). Versions 1-4; default 0; other versions leave it out.
        error_code (int16): Why it failed; 0 if it did not. Versions 0-4; default 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 4; default ().
    """

    NAME = "HeartbeatResponse"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 12
    FRAMING = Framing("none", "refuse")

    throttle_time_ms: int = 0
    error_code: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[HeartbeatResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return HeartbeatResponse(error_code=error_code), pos


def _write_v0(message: HeartbeatResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)


def _read_v1_3(data: bytes, pos: int) -> tuple[HeartbeatResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return HeartbeatResponse(throttle_time_ms=throttle_time_ms, error_code=error_code), pos


def _write_v1_3(message: HeartbeatResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)


def _read_v4(data: bytes, pos: int) -> tuple[HeartbeatResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return HeartbeatResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, unknown_tagged_fields=unknown
    ), pos


def _write_v4(message: HeartbeatResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


HeartbeatResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_3, _write_v1_3),
    2: Codec(_read_v1_3, _write_v1_3),
    3: Codec(_read_v1_3, _write_v1_3),
    4: Codec(_read_v4, _write_v4),
}
