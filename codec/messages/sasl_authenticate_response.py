"""SaslAuthenticateResponse, generated from schemas/SaslAuthenticateResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT64,
    OddBytes,
    OddValue,
    read_bytes,
    read_compact_bytes,
    read_compact_nullable_string,
    read_nullable_string,
    write_bytes,
    write_compact_bytes,
    write_compact_nullable_string,
    write_nullable_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class SaslAuthenticateResponse(Message, frozen=True, kw_only=True, gc=False):
    """SaslAuthenticateResponse, versions 0-2.

    The broker's token of a SASL exchange.

    Version 1 (KIP-368): the session's lifetime. Version 2 (KIP-482): flexible.

    Attributes:
        error_code (int16): Why the client is refused; 0 if it is not. Versions 0-2; default 0.
        error_message (string): The same in words; null if there is no error. Versions 0-2; may be
            null; default ''.
        auth_bytes (bytes): The broker's token, as the mechanism defines it. Versions 0-2; default
            b''.
        session_lifetime_ms (int64): How long the connection may be used before it authenticates
            again; 0 is for ever. Versions 1-2; default 0; other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 2; default ().
    """

    NAME = "SaslAuthenticateResponse"
    VERSIONS = VersionRange(0, 2)
    LATEST = 2
    API_KEY = 36
    FRAMING = Framing("none", "refuse")

    error_code: int = 0
    error_message: str | None = ""
    auth_bytes: bytes = b""
    session_lifetime_ms: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)
    _blobs = ("auth_bytes",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple or type(self.auth_bytes) is not bytes:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            error_code: int = ...,
            error_message: str | None = ...,
            auth_bytes: bytes = ...,
            session_lifetime_ms: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            error_code: int = ...,
            error_message: str | None = ...,
            auth_bytes: bytes = ...,
            session_lifetime_ms: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[SaslAuthenticateResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_nullable_string(data, pos)
    auth_bytes, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SaslAuthenticateResponse(
        error_code=error_code, error_message=error_message, auth_bytes=auth_bytes
    ), pos


def _write_v0(message: SaslAuthenticateResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    write_nullable_string(message.error_message, parts)
    write_bytes(message.auth_bytes, parts)


def _read_v1(data: bytes, pos: int) -> tuple[SaslAuthenticateResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_nullable_string(data, pos)
    auth_bytes, pos = read_bytes(data, pos)
    (session_lifetime_ms,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return SaslAuthenticateResponse(
        error_code=error_code,
        error_message=error_message,
        auth_bytes=auth_bytes,
        session_lifetime_ms=session_lifetime_ms,
    ), pos


def _write_v1(message: SaslAuthenticateResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    write_nullable_string(message.error_message, parts)
    write_bytes(message.auth_bytes, parts)
    INT64.write(message.session_lifetime_ms, parts)


def _read_v2(data: bytes, pos: int) -> tuple[SaslAuthenticateResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    auth_bytes, pos = read_compact_bytes(data, pos)
    (session_lifetime_ms,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return SaslAuthenticateResponse(
        error_code=error_code,
        error_message=error_message,
        auth_bytes=auth_bytes,
        session_lifetime_ms=session_lifetime_ms,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v2(message: SaslAuthenticateResponse, parts: list[bytes]) -> None:
    INT16.write(message.error_code, parts)
    write_compact_nullable_string(message.error_message, parts)
    write_compact_bytes(message.auth_bytes, parts)
    INT64.write(message.session_lifetime_ms, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


SaslAuthenticateResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
}
