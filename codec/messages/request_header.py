"""RequestHeader, generated from schemas/RequestHeader.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, RawTaggedField
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import OddBytes, OddValue, fixed, pack_strings, packed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_h_string = pack_strings("h")
_pack_hhi = packed("hhi")
_unpack_hhih = fixed("hhih")
_unpack_u_b = fixed("B")


class RequestHeader(Message, frozen=True, kw_only=True, gc=False):
    """RequestHeader, versions 1-2."""

    NAME = "RequestHeader"
    VERSIONS = VersionRange(1, 2)
    LATEST = 2
    API_KEY = None
    FRAMING = Framing("none", "refuse")

    request_api_key: int = 0
    request_api_version: int = 0
    correlation_id: int = 0
    client_id: str | None = ""
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            request_api_key: int = ...,
            request_api_version: int = ...,
            correlation_id: int = ...,
            client_id: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            request_api_key: int = ...,
            request_api_version: int = ...,
            correlation_id: int = ...,
            client_id: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v1(data: bytes, pos: int) -> tuple[RequestHeader, int]:
    request_api_key, request_api_version, correlation_id, client_id_size = _unpack_hhih(data, pos)
    pos += 10
    if client_id_size < 0:
        client_id = None
    else:
        end = pos + client_id_size
        client_id = data[pos:end].decode()
        pos = end
    if pos > len(data):
        raise OddBytes
    return RequestHeader(
        request_api_key=request_api_key,
        request_api_version=request_api_version,
        correlation_id=correlation_id,
        client_id=client_id,
    ), pos


def _write_v1(message: RequestHeader, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.request_api_key) is bool:
        raise OddValue
    if type(message.request_api_version) is bool:
        raise OddValue
    if type(message.correlation_id) is bool:
        raise OddValue
    add(_pack_hhi(message.request_api_key, message.request_api_version, message.correlation_id))
    client_id = message.client_id
    if client_id is None:
        add(b"\xff\xff")
    else:
        client_id_raw = client_id.encode()
        add(_pack_h_string[len(client_id_raw)](len(client_id_raw), client_id_raw))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v2(data: bytes, pos: int) -> tuple[RequestHeader, int]:
    request_api_key, request_api_version, correlation_id, client_id_size = _unpack_hhih(data, pos)
    pos += 10
    if client_id_size < 0:
        client_id = None
    else:
        end = pos + client_id_size
        client_id = data[pos:end].decode()
        pos = end
    (count,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return RequestHeader(
        request_api_key=request_api_key,
        request_api_version=request_api_version,
        correlation_id=correlation_id,
        client_id=client_id,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v2(message: RequestHeader, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.request_api_key) is bool:
        raise OddValue
    if type(message.request_api_version) is bool:
        raise OddValue
    if type(message.correlation_id) is bool:
        raise OddValue
    add(_pack_hhi(message.request_api_key, message.request_api_version, message.correlation_id))
    client_id = message.client_id
    if client_id is None:
        add(b"\xff\xff")
    else:
        client_id_raw = client_id.encode()
        add(_pack_h_string[len(client_id_raw)](len(client_id_raw), client_id_raw))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


RequestHeader._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
}
