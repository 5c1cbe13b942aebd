"""SaslAuthenticateRequest, generated from schemas/SaslAuthenticateRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    OddBytes,
    OddValue,
    read_bytes,
    read_compact_bytes,
    write_bytes,
    write_compact_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class SaslAuthenticateRequest(Message, frozen=True, kw_only=True, gc=False):
    """SaslAuthenticateRequest, versions 0-2.

    One token of a SASL exchange. It holds credentials, or what can be used to guess them.

    Version 1 (KIP-368): as version 0; the answer tells the session's lifetime. Version 2 (KIP-482):
    flexible.

    Attributes:
        auth_bytes (bytes): The client's token, as the mechanism defines it. Versions 0-2; default
            b''.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 2; default ().
    """

    NAME = "SaslAuthenticateRequest"
    VERSIONS = VersionRange(0, 2)
    LATEST = 2
    API_KEY = 36
    FRAMING = Framing("none", "refuse")

    auth_bytes: bytes = b""
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
            auth_bytes: bytes = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            auth_bytes: bytes = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_1(data: bytes, pos: int) -> tuple[SaslAuthenticateRequest, int]:
    auth_bytes, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SaslAuthenticateRequest(auth_bytes=auth_bytes), pos


def _write_v0_1(message: SaslAuthenticateRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_bytes(message.auth_bytes, parts)


def _read_v2(data: bytes, pos: int) -> tuple[SaslAuthenticateRequest, int]:
    auth_bytes, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return SaslAuthenticateRequest(auth_bytes=auth_bytes, unknown_tagged_fields=unknown), pos


def _write_v2(message: SaslAuthenticateRequest, parts: list[bytes]) -> None:
    write_compact_bytes(message.auth_bytes, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


SaslAuthenticateRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
    2: Codec(_read_v2, _write_v2),
}
