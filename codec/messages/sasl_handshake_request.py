"""SaslHandshakeRequest, generated from schemas/SaslHandshakeRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class SaslHandshakeRequest(Message, frozen=True, kw_only=True, gc=False):
    """SaslHandshakeRequest, versions 0-1.

    Chooses the SASL mechanism of a connection, before anything else is asked.

    With version 0 the tokens follow without a header; with version 1 (KIP-152) each of them is a
    SaslAuthenticate request.

    Attributes:
        mechanism (string): The mechanism that the client wants: PLAIN, SCRAM-SHA-256, OAUTHBEARER.
            Versions 0-1; default ''.
    """

    NAME = "SaslHandshakeRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 17
    FRAMING = Framing("none", "refuse")

    mechanism: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            mechanism: str = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            mechanism: str = ...,
        ) -> Self: ...


def _read_v0_1(data: bytes, pos: int) -> tuple[SaslHandshakeRequest, int]:
    mechanism, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return SaslHandshakeRequest(mechanism=mechanism), pos


def _write_v0_1(message: SaslHandshakeRequest, parts: list[bytes]) -> None:
    write_string(message.mechanism, parts)


SaslHandshakeRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
