"""ResponseHeader, generated from schemas/ResponseHeader.json; change that file and run `make generate`."""

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

_pack_i = packed("i")
_unpack_i = fixed("i")
_unpack_iu_b = fixed("iB")


class ResponseHeader(Message, frozen=True, kw_only=True, gc=False):
    """ResponseHeader, versions 0-1."""

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
    (correlation_id,) = _unpack_i(data, pos)
    pos += 4
    return ResponseHeader(correlation_id=correlation_id), pos


def _write_v0(message: ResponseHeader, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.correlation_id) is bool:
        raise OddValue
    add(_pack_i(message.correlation_id))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1(data: bytes, pos: int) -> tuple[ResponseHeader, int]:
    correlation_id, count = _unpack_iu_b(data, pos)
    pos += 5
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ResponseHeader(
        correlation_id=correlation_id, unknown_tagged_fields=unknown_tagged_fields
    ), pos


def _write_v1(message: ResponseHeader, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.correlation_id) is bool:
        raise OddValue
    add(_pack_i(message.correlation_id))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ResponseHeader._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
