"""AddOffsetsToTxnResponse, generated from schemas/AddOffsetsToTxnResponse.json; change that file and run `make generate`."""

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


class AddOffsetsToTxnResponse(Message, frozen=True, kw_only=True, gc=False):
    """AddOffsetsToTxnResponse, versions 0-4.

    Whether a group's offsets belong to the transaction now.

    Version 1 (KIP-219): throttled after the answer, not before it. Version 2 (KIP-588):
    PRODUCER_FENCED. Version 3 (KIP-482): flexible. Version 4 (KIP-890): TRANSACTION_ABORTABLE.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-4; default 0.
        error_code (int16): Why they do not; 0 if they do. Versions 0-4; default 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-4; default ().
    """

    NAME = "AddOffsetsToTxnResponse"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 25
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


def _read_v0_2(data: bytes, pos: int) -> tuple[AddOffsetsToTxnResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return AddOffsetsToTxnResponse(throttle_time_ms=throttle_time_ms, error_code=error_code), pos


def _write_v0_2(message: AddOffsetsToTxnResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)


def _read_v3_4(data: bytes, pos: int) -> tuple[AddOffsetsToTxnResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return AddOffsetsToTxnResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, unknown_tagged_fields=unknown
    ), pos


def _write_v3_4(message: AddOffsetsToTxnResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


AddOffsetsToTxnResponse._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3_4, _write_v3_4),
    4: Codec(_read_v3_4, _write_v3_4),
}
