"""RequestHeader, generated from schemas/RequestHeader.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_nullable_string,
    write_nullable_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class RequestHeader(Message, frozen=True, kw_only=True, gc=False):
    """RequestHeader, versions 1-2.

    What comes before every request, after the int32 size of the frame. Its version follows
    from the request's: version 2 in front of a flexible request, version 1 in front of any other.
    Version 0, without a client id, is gone since Apache Kafka 4.0.

    Version 2 (KIP-482): tagged fields behind the client id.

    Attributes:
        request_api_key (int16): Which request follows: 11 for JoinGroup, 14 for SyncGroup. Versions
            1-2; default 0.
        request_api_version (int16): The version of the request that follows. Versions 1-2; default 0.
        correlation_id (int32): A number that the client chooses; the answer repeats it. Versions 1-2;
            default 0.
        client_id (string): What the client calls itself (client.id); quotas and logs go by it.
            Versions 1-2; may be null; default ''.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 2; default ().
    """

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
    (request_api_key,), pos = INT16.unpack(data, pos), pos + 2
    (request_api_version,), pos = INT16.unpack(data, pos), pos + 2
    (correlation_id,), pos = INT32.unpack(data, pos), pos + 4
    client_id, pos = read_nullable_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return RequestHeader(
        request_api_key=request_api_key,
        request_api_version=request_api_version,
        correlation_id=correlation_id,
        client_id=client_id,
    ), pos


def _write_v1(message: RequestHeader, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.request_api_key, parts)
    INT16.write(message.request_api_version, parts)
    INT32.write(message.correlation_id, parts)
    write_nullable_string(message.client_id, parts)


def _read_v2(data: bytes, pos: int) -> tuple[RequestHeader, int]:
    (request_api_key,), pos = INT16.unpack(data, pos), pos + 2
    (request_api_version,), pos = INT16.unpack(data, pos), pos + 2
    (correlation_id,), pos = INT32.unpack(data, pos), pos + 4
    client_id, pos = read_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return RequestHeader(
        request_api_key=request_api_key,
        request_api_version=request_api_version,
        correlation_id=correlation_id,
        client_id=client_id,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v2(message: RequestHeader, parts: list[bytes]) -> None:
    INT16.write(message.request_api_key, parts)
    INT16.write(message.request_api_version, parts)
    INT32.write(message.correlation_id, parts)
    write_nullable_string(message.client_id, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


RequestHeader._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
}
