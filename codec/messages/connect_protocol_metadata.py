"""ConnectProtocolMetadata, generated from schemas/ConnectProtocolMetadata.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import (
    INT64,
    OddValue,
    read_nullable_bytes,
    read_string,
    write_nullable_bytes,
    write_string,
)

if TYPE_CHECKING:
    from typing import Self


class ConnectProtocolMetadata(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConnectProtocolMetadata, versions 0-2."""

    NAME = "ConnectProtocolMetadata"
    VERSIONS = VersionRange(0, 2)
    LATEST = 2
    API_KEY = None
    FRAMING = Framing("version", "accept")

    url: str = ""
    config_offset: int = 0
    allocation: bytes | None = None

    _blobs = ("allocation",)

    def __post_init__(self) -> None:
        if self.allocation is not None and type(self.allocation) is not bytes:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            url: str = ...,
            config_offset: int = ...,
            allocation: bytes | None = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            url: str = ...,
            config_offset: int = ...,
            allocation: bytes | None = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ConnectProtocolMetadata, int]:
    url, pos = read_string(data, pos)
    config_offset, pos = INT64.read(data, pos)
    return ConnectProtocolMetadata(url=url, config_offset=config_offset), pos


def _write_v0(message: ConnectProtocolMetadata, parts: list[bytes]) -> None:
    if message.allocation is not None:
        raise OddValue
    write_string(message.url, parts)
    INT64.write(message.config_offset, parts)


def _read_v1_2(data: bytes, pos: int) -> tuple[ConnectProtocolMetadata, int]:
    url, pos = read_string(data, pos)
    config_offset, pos = INT64.read(data, pos)
    if pos == len(data):
        return ConnectProtocolMetadata(url=url, config_offset=config_offset), pos
    allocation, pos = read_nullable_bytes(data, pos)
    return ConnectProtocolMetadata(url=url, config_offset=config_offset, allocation=allocation), pos


def _write_v1_2(message: ConnectProtocolMetadata, parts: list[bytes]) -> None:
    write_string(message.url, parts)
    INT64.write(message.config_offset, parts)
    write_nullable_bytes(message.allocation, parts)


ConnectProtocolMetadata._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
}
ConnectProtocolMetadata._by_header = {
    0: _read_v0,
    1: _read_v1_2,
    2: _read_v1_2,
}
ConnectProtocolMetadata._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
}
