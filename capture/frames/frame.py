"""Requests and responses of Kafka's protocol, with their header and body decoded.

    request     int32 size, RequestHeader, body
    response    int32 size, ResponseHeader, body

A response names neither its API key nor its version: both are those of the request, which the
caller has to know (see `packets.conversation`). Flexible requests have version 2 of the
request header and flexible responses version 1 of theirs, others 1 and 0; the client id is never
compact, so that the front of a request header can be read whatever the API (KIP-482, KIP-511).

Nothing here raises for any bytes. Why something could not be read is in `Frame.reason` or in the
`error` of the header or the body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush
from struct import Struct
from typing import Any, Literal, NamedTuple

from ...codec import Decoded, Message, Policy, decode, message_class
from ...codec.read.version_field import VersionField, read_version_field
from ...codec.runtime.registry import spec_of
from .api_keys import API_VERSIONS, Api, api_name, apis
from .error_codes import UNSUPPORTED_VERSION

__all__ = [
    "Closed",
    "Connection",
    "Direction",
    "Frame",
    "decode_request",
    "decode_response",
    "in_time",
]

Direction = Literal["request", "response"]

_REQUEST = Struct(">hhi")  # API key, API version, correlation id; the client id follows
_REFUSED_VERSION = UNSUPPORTED_VERSION.to_bytes(2, "big")
_SIZE_BYTES = 4
_WAITING_FRAMES = 512  # frames
_WAITING_BYTES = 64 * 1024 * 1024  # bytes of them


class Connection(NamedTuple):
    """A TCP connection of a capture. `number` distinguishes connections that used the same ports;
    `client` and `broker` are empty where they are not known."""

    number: int
    client: str
    broker: str

    def __str__(self) -> str:
        ends = f"{self.client} > {self.broker}" if self.broker else self.client
        return f"{ends} #{self.number}".lstrip()


class Closed(NamedTuple):
    """The end of a connection: the side that closed it first, and whether by a reset.

    `packet` is the number of that packet in its file, from 1.
    """

    connection: Connection
    timestamp: float | None
    by_client: bool
    reset: bool
    packet: int | None = None


class Frame(NamedTuple):
    """A request or response.

    `api_key` and `api_version` of a response are those of its request; None where the request was
    not captured. `data` has the bytes that were captured, with the int32 size where it was given;
    the body begins at position `body_start`. `size` is the number of bytes that the whole frame
    has. `reason` says why `body` is None, or what else is wrong with the frame; "" if nothing is.
    `timestamp` is in milliseconds since the epoch, with a fraction, None where it is not known;
    `offset` is the frame's position in its stream; `packet` is the number, from 1, of the packet
    that completes it, in the file `source`.
    """

    direction: Direction
    api_key: int | None
    api_version: int | None
    correlation_id: int | None
    header: Decoded[Any] | None
    body: Decoded[Any] | None
    reason: str
    data: bytes
    size: int
    body_start: int
    source: str = ""
    connection: Connection | None = None
    timestamp: float | None = None
    offset: int = 0
    packet: int | None = None

    @property
    def api(self) -> str:
        """The name of the API: "JoinGroup"."""
        return "unknown" if self.api_key is None else api_name(self.api_key)

    @property
    def foreign(self) -> bool:
        """Whether its API has no definition here, or its request was not captured."""
        return self.body is None and (self.api_key is None or self.api_key not in apis())

    @property
    def body_data(self) -> bytes:
        """The bytes of the body, decoded or not."""
        return self.data[self.body_start : self.size]


def decode_request(
    data: bytes, *, sized: bool | None = None, definitions: Mapping[int, Api] | None = None
) -> Frame:
    """Read a request: its header, and its body where that is defined, built in or in `definitions`.

    `sized`: the int32 size comes before the header. By default this is found out: it does if it
    is the right number, or if the bytes do not begin with a request header.
    """
    if sized is None:
        sized = _says_its_size(data) or not _may_be_header(data)
    start = _SIZE_BYTES if sized else 0
    size = _declared(data) if sized else len(data)
    return request_frame(data, start, size, definitions=definitions)


def decode_response(
    data: bytes,
    api_key: int,
    api_version: int,
    *,
    sized: bool | None = None,
    definitions: Mapping[int, Api] | None = None,
) -> Frame:
    """Read a response to a request of that API key and version; `sized` and `definitions` as for a
    request.

    By default the size comes first where it is the right number.
    """
    if sized is None:
        sized = _says_its_size(data)
    start = _SIZE_BYTES if sized else 0
    size = _declared(data) if sized else len(data)
    return response_frame(data, start, size, api_key, api_version, definitions=definitions)


def request_frame(
    data: bytes,
    start: int,
    size: int,
    problem: str = "",
    *,
    definitions: Mapping[int, Api] | None = None,
) -> Frame:
    """Return the request whose header begins at position `start` of `data`, a frame of `size` bytes
    in all. `definitions` are the APIs whose bodies are decoded, by default those that are built in.
    """
    if len(data) < start + _REQUEST.size:
        reason = problem or "too short for a request header"
        return Frame("request", None, None, None, None, None, reason, data, size, len(data))
    key, version, correlation_id = _REQUEST.unpack_from(data, start)
    api = (apis() if definitions is None else definitions).get(key)
    flexible = api is not None and _flexible(api.request, version)
    header, at = _header("RequestHeader", 2 if flexible else 1, data, start, size)
    body, reason = _body(api and api.request, key, version, data[at:size], header)
    reason = problem or reason or _ragged(data, size)
    ids = (key, version, correlation_id)
    return Frame("request", *ids, header, body, reason, data, size, at)


def response_frame(
    data: bytes,
    start: int,
    size: int,
    api_key: int,
    api_version: int,
    problem: str = "",
    *,
    definitions: Mapping[int, Api] | None = None,
) -> Frame:
    """Return the response whose header begins at `start`, to a request of that API key and
    version.
    """
    api = (apis() if definitions is None else definitions).get(api_key)
    flexible = api is not None and api_key != API_VERSIONS and _flexible(api.response, api_version)
    header, at = _header("ResponseHeader", int(flexible), data, start, size)
    rest = data[at:size]
    body_version = 0 if api_key == API_VERSIONS and rest[:2] == _REFUSED_VERSION else api_version
    body, reason = _body(api and api.response, api_key, body_version, rest, header)
    reason = problem or reason or _ragged(data, size)
    ids = (api_key, api_version, correlation_id_of(data, start))
    return Frame("response", *ids, header, body, reason, data, size, at)


def unmatched_response(data: bytes, start: int, size: int, problem: str = "") -> Frame:
    """Return a response whose request is not known, of which only the correlation id can be
    read."""
    reason = problem or "its request was not captured, so its API is not known"
    correlation_id = correlation_id_of(data, start)
    at = min(len(data), start + 4)
    return Frame("response", None, None, correlation_id, None, None, reason, data, size, at)


def correlation_id_of(data: bytes, start: int) -> int | None:
    """Return the correlation id of a response; None if it is not there."""
    if len(data) < start + 4:
        return None
    return int.from_bytes(data[start : start + 4], "big", signed=True)


def in_time(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Yield the same frames by timestamp; those without one stay behind the frame before them.

    The buffer is bounded: a capture completes frames nearly in this order, but for those behind a
    hole in the stream.
    """
    waiting: list[tuple[float, int, Frame]] = []
    size, last = 0, 0.0
    for number, frame in enumerate(frames):
        last = last if frame.timestamp is None else frame.timestamp
        heappush(waiting, (last, number, frame))
        size += len(frame.data)
        while len(waiting) > _WAITING_FRAMES or size > _WAITING_BYTES:
            oldest = heappop(waiting)[2]
            size -= len(oldest.data)
            yield oldest
    while waiting:
        yield heappop(waiting)[2]


# -- parts


def _header(
    name: str, version: int, data: bytes, start: int, size: int
) -> tuple[Decoded[Any], int]:
    """The header, decoded from its own bytes alone, and where the body begins."""
    cls = _header_class(name)
    rest = data[start:size]
    plain = cls._plainly(version, rest, 0)
    if plain is not None:
        message, length = plain
        version_field = _version_field(cls, version)
        return Decoded(cls, rest[:length], version_field, message, None, length), start + length
    header = decode(rest, cls, policy=Policy.LENIENT, body_version=version)
    if not header.complete:
        return header, start + len(rest)
    length = len(rest) - len(header.remainder)
    own = rest[:length]
    return Decoded(cls, own, header.reading, header.message, None, length), start + length


@cache
def _header_class(name: str) -> type[Message]:
    return message_class(name)


@lru_cache(maxsize=2048)
def _version_field(cls: type[Message], version: int) -> VersionField:
    return read_version_field(cls, b"", None, version)


def _body(
    cls: type[Message] | None, key: int, version: int, body: bytes, header: Decoded[Any]
) -> tuple[Decoded[Any] | None, str]:
    if not header.complete:
        return None, f"the header cannot be read: {header.error}"
    if cls is None:
        return None, f"{api_name(key)} is not defined here"
    if version not in cls.VERSIONS:
        newer = "newer than" if version > cls.VERSIONS.highest else "not among"
        return None, f"version {version} of {cls.NAME} is {newer} the known {cls.VERSIONS}"
    decode_body = _decode_short if len(body) <= _SHORT else _decode
    return decode_body(body, cls, version), ""


_SHORT = 256
"""Bytes of a body up to which it is remembered: clients repeat short ones, heartbeats above all."""


def _decode(body: bytes, cls: type[Message], version: int) -> Decoded[Any]:
    plain = cls._plainly(version, body, 0) if cls.FRAMING.kind == "none" else None
    if plain is not None:
        message, end = plain
        return Decoded(cls, body, _version_field(cls, version), message, None, end)
    return decode(body, cls, policy=Policy.LENIENT, body_version=version)


_decode_short = lru_cache(maxsize=512)(_decode)


@lru_cache(maxsize=2048)  # bounded: the version is of foreign bytes
def _flexible(cls: type[Message], version: int) -> bool:
    """Whether a version is flexible; those newer than known are if the newest known one is."""
    flexible = spec_of(cls).flexible
    return bool(flexible) and version >= flexible.lowest


def _ragged(data: bytes, size: int) -> str:
    """What is wrong where a frame's size and the bytes at hand differ."""
    if len(data) < size:
        return f"{size - len(data):,} of {size:,} bytes are missing"
    if len(data) > size:
        return f"{len(data) - size:,} bytes follow the frame"
    return ""


# -- whether the size comes first


def _declared(data: bytes) -> int:
    """The size of the whole frame that the int32 in front of it claims, itself included."""
    return max(0, int.from_bytes(data[:_SIZE_BYTES], "big", signed=True)) + _SIZE_BYTES


def _says_its_size(data: bytes) -> bool:
    return len(data) >= _SIZE_BYTES and _declared(data) == len(data)


def _may_be_header(data: bytes) -> bool:
    start = _REQUEST.size + 2
    if len(data) < start:
        return False
    key, version, _ = _REQUEST.unpack_from(data)
    client_id = int.from_bytes(data[_REQUEST.size : start], "big", signed=True)
    return key in apis() and 0 <= version < 64 and client_id <= len(data) - start
