"""ResponseHeader, generated from schemas/ResponseHeader.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import INT32, OddBytes, OddValue

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ResponseHeader(Message, frozen=True, kw_only=True, gc=False):
    """ResponseHeader, versions 0-1.

    What comes before every response, after the int32 size of the frame. It tells neither the
    request nor the version: who reads it must remember, by correlation id, what was asked.

    Version 1 (KIP-482): tagged fields, in front of a flexible response.

    Attributes:
        correlation_id (int32): The number that the request carried. Versions 0-1; default 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 1; default ().
    """

    NAME = "ResponseHeader"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = None
    FRAMING = Framing("none", "refuse")

    correlation_id: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            correlation_id: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            correlation_id: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ResponseHeader, int]:
    (correlation_id,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return ResponseHeader(correlation_id=correlation_id), pos


def _write_v0(message: ResponseHeader, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.correlation_id, parts)


def _read_v1(data: bytes, pos: int) -> tuple[ResponseHeader, int]:
    (correlation_id,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ResponseHeader(correlation_id=correlation_id, unknown_tagged_fields=unknown), pos


def _write_v1(message: ResponseHeader, parts: list[bytes]) -> None:
    INT32.write(message.correlation_id, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ResponseHeader._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
