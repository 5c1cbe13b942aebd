"""SaslHandshakeResponse, generated from schemas/SaslHandshakeResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message
from ..wire.primitives import INT16, OddBytes, read_string_array, write_array, write_string

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class SaslHandshakeResponse(Message, frozen=True, kw_only=True, gc=False):
    """SaslHandshakeResponse, versions 0-1.

    Whether the broker takes the SASL mechanism that a client wants.

    Version 1 (KIP-152): as version 0; SaslAuthenticate requests follow.

    Attributes:
        error_code (int16): Why the mechanism is refused; 0 if it is taken. Versions 0-1; default 0.
        mechanisms ([]string): The mechanisms that the broker takes on this listener. Versions 0-1;
            default ().
    """

    NAME = "SaslHandshakeResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 17
    FRAMING = Framing("none", "refuse")

    error_code: int = 0
    mechanisms: tuple[str, ...] = ()

    _sequences = ("mechanisms",)

    def __post_init__(self) -> None:
        if type(self.mechanisms) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            error_code: int = ...,
            mechanisms: Iterable[str] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            error_code: int = ...,
            mechanisms: Iterable[str] = ...,
        ) -> Self: ...


def _read_v0_1(data: bytes, pos: int) -> tuple[SaslHandshakeResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    mechanisms, pos = read_string_array(data, pos)
    if pos > len(data):
        raise OddBytes
    return SaslHandshakeResponse(error_code=error_code, mechanisms=mechanisms), pos


def _write_v0_1(message: SaslHandshakeResponse, parts: list[bytes]) -> None:
    INT16.write(message.error_code, parts)
    write_array(message.mechanisms, parts, write_string)


SaslHandshakeResponse._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
