"""ConnectProtocolMetadata, generated from schemas/ConnectProtocolMetadata.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import (
    INT64,
    OddBytes,
    OddValue,
    read_nullable_bytes,
    read_string,
    write_nullable_bytes,
    write_string,
)

if TYPE_CHECKING:
    from typing import Self


class ConnectProtocolMetadata(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConnectProtocolMetadata, versions 0-2.

    What a Connect worker tells the leader of its group, inside JoinGroup: protocol type "connect",
    one of these under each protocol that it supports. Kafka has no definition of it: its classes
    ConnectProtocol and IncrementalCooperativeConnectProtocol write it by hand.

    Version 0, protocol "default": eager; a worker gives up everything before it joins.
    Version 1 (KIP-415), protocol "compatible": incremental; it keeps its work and says what it has.
    Version 2 (KIP-507), protocol "sessioned": the same bytes; requests between workers are signed.

    Any newer version is read as the newest known. In versions 1 and 2 the message may end before its
    last field.

    Attributes:
        url (string): Where the worker's REST interface is reached. Versions 0-2; default ''.
        config_offset (int64): How far the worker has read the topic of configurations. Versions 0-2;
            default 0.
        allocation (bytes): What it runs: a whole ConnectProtocolAssignment; null if nothing
            (KIP-415). Versions 1-2; may be null; default None; the message may end before it in
            versions 1-2; other versions cannot hold it.
    """

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
    (config_offset,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return ConnectProtocolMetadata(url=url, config_offset=config_offset), pos


def _write_v0(message: ConnectProtocolMetadata, parts: list[bytes]) -> None:
    if message.allocation is not None:
        raise OddValue
    write_string(message.url, parts)
    INT64.write(message.config_offset, parts)


def _read_v1_2(data: bytes, pos: int) -> tuple[ConnectProtocolMetadata, int]:
    url, pos = read_string(data, pos)
    (config_offset,), pos = INT64.unpack(data, pos), pos + 8
    if pos == len(data):
        return ConnectProtocolMetadata(url=url, config_offset=config_offset), pos
    allocation, pos = read_nullable_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
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
