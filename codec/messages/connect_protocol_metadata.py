"""ConnectProtocolMetadata, generated from schemas/ConnectProtocolMetadata.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddBytes, OddValue, fixed, pack_strings, packed, short_strings

if TYPE_CHECKING:
    from typing import Self

_pack_h_string_q = pack_strings("h", "q")
_pack_i = packed("i")
_short_string_q = short_strings("q")
_unpack_i = fixed("i")


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
    url_size = data[pos + 1]
    high, raw, config_offset = _short_string_q[url_size](data, pos)
    if high:
        raise OddBytes
    pos += url_size + 10
    url = raw.decode()
    return ConnectProtocolMetadata(url=url, config_offset=config_offset), pos


def _write_v0(message: ConnectProtocolMetadata, parts: list[bytes]) -> None:
    add = parts.append
    if message.allocation is not None:
        raise OddValue
    url_raw = message.url.encode()
    if type(message.config_offset) is bool:
        raise OddValue
    add(_pack_h_string_q[len(url_raw)](len(url_raw), url_raw, message.config_offset))


def _read_v1_2(data: bytes, pos: int) -> tuple[ConnectProtocolMetadata, int]:
    url_size = data[pos + 1]
    high, raw, config_offset = _short_string_q[url_size](data, pos)
    if high:
        raise OddBytes
    pos += url_size + 10
    url = raw.decode()
    if pos == len(data):
        allocation: bytes | None = None
    else:
        (allocation_size,) = _unpack_i(data, pos)
        pos += 4
        if allocation_size < 0:
            allocation = None
        else:
            end = pos + allocation_size
            allocation = data[pos:end]
            pos = end
    if pos > len(data):
        raise OddBytes
    return ConnectProtocolMetadata(url=url, config_offset=config_offset, allocation=allocation), pos


def _write_v1_2(message: ConnectProtocolMetadata, parts: list[bytes]) -> None:
    add = parts.append
    url_raw = message.url.encode()
    if type(message.config_offset) is bool:
        raise OddValue
    add(_pack_h_string_q[len(url_raw)](len(url_raw), url_raw, message.config_offset))
    allocation = message.allocation
    if allocation is None:
        add(b"\xff\xff\xff\xff")
    else:
        add(_pack_i(len(allocation)))
        add(allocation)


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
