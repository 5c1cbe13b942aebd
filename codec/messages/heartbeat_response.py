"""HeartbeatResponse, generated from schemas/HeartbeatResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, RawTaggedField
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import OddBytes, OddValue, fixed, packed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_h = packed("h")
_pack_ih = packed("ih")
_unpack_h = fixed("h")
_unpack_ih = fixed("ih")
_unpack_ihu_b = fixed("ihB")


class HeartbeatResponse(Message, frozen=True, kw_only=True, gc=False):
    """HeartbeatResponse, versions 0-4."""

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
    (error_code,) = _unpack_h(data, pos)
    pos += 2
    return HeartbeatResponse(error_code=error_code), pos


def _write_v0(message: HeartbeatResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_h(message.error_code))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1_3(data: bytes, pos: int) -> tuple[HeartbeatResponse, int]:
    throttle_time_ms, error_code = _unpack_ih(data, pos)
    pos += 6
    return HeartbeatResponse(throttle_time_ms=throttle_time_ms, error_code=error_code), pos


def _write_v1_3(message: HeartbeatResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[HeartbeatResponse, int]:
    throttle_time_ms, error_code, count = _unpack_ihu_b(data, pos)
    pos += 7
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return HeartbeatResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v4(message: HeartbeatResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


HeartbeatResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_3, _write_v1_3),
    2: Codec(_read_v1_3, _write_v1_3),
    3: Codec(_read_v1_3, _write_v1_3),
    4: Codec(_read_v4, _write_v4),
}
