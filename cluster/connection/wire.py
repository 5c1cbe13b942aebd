"""A connection to a broker without I/O: requests become frames, received bytes become answers.

    frame   int32 size, header, body (see `capture.frames.frame`)

Answers come in the order of the requests, each with its correlation id. A peer that is no broker is
recognised by its first bytes: by a size that no first answer has, or by a correlation id that was
not sent. A size is checked before anything is allocated for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from struct import Struct
from typing import Any, NamedTuple

from ...capture.frames.error_codes import UNSUPPORTED_VERSION
from ...codec import (
    ApiVersionsResponse,
    DecodeError,
    Message,
    RequestHeader,
    decode,
    message_class,
)
from ...codec.runtime.registry import spec_of
from ..errors import NotKafka, Unreachable

MAX_FRAME = 100 * 1024 * 1024
"""The largest frame that is accepted, in bytes: a broker's own default limit for requests."""
MAX_ANSWER = 16 * 1024 * 1024
"""The largest answer to all but Fetch, which brings records: a hundred thousand partitions."""
MAX_FIRST_FRAME = 1024 * 1024
"""The largest first frame: it answers ApiVersions or SaslHandshake, in a few kilobytes."""
API_VERSIONS = 18
_FETCH = 1

_SIZE = Struct(">i")
_FOREIGN = (
    (b"HTTP", "it speaks HTTP"),
    (b"\x15\x03", "it speaks TLS: security.protocol=SSL or SASL_SSL"),
    (b"SSH-", "it speaks SSH"),
)


class Ask(NamedTuple):
    """A request to send, in a version that its class has."""

    message: Message
    version: int


class Raw(NamedTuple):
    """A SASL token to send without a header, as after SaslHandshake 0."""

    data: bytes


class Exchange(NamedTuple):
    """A request that was answered: both messages, and the bytes of both frames."""

    request: Message
    response: Any
    version: int
    sent: bytes
    received: bytes


class _Pending(NamedTuple):
    step: Ask | Raw
    correlation_id: int
    frame: bytes


class Wire:
    """One connection: `send` returns the bytes of a request, `receive` the answers in what was
    read."""

    def __init__(self, peer: str, client_id: str = "kproto") -> None:
        self._peer = peer
        self._client_id = client_id
        self._next_id = 1
        self._pending: deque[_Pending] = deque()
        self._buffer = bytearray()
        self._answered = 0

    def send(self, step: Ask | Raw) -> bytes:
        """Return the frame of a request. Raises EncodeError for a message that does not fit its
        version."""
        if isinstance(step, Raw):
            frame = _SIZE.pack(len(step.data)) + step.data
            self._pending.append(_Pending(step, 0, frame))
            return frame
        message, version = step
        header = RequestHeader(
            request_api_key=message.API_KEY or 0,
            request_api_version=version,
            correlation_id=self._next_id,
            client_id=self._client_id,
        )
        data = header.to_body(2 if flexible(type(message), version) else 1)
        data += message.to_body(version)
        frame = _SIZE.pack(len(data)) + data
        self._pending.append(_Pending(step, self._next_id, frame))
        self._next_id = self._next_id % 0x7FFFFFFF + 1
        return frame

    def receive(self, data: bytes) -> Iterator[Exchange | bytes]:
        """Yield the answers that are complete; the answer to a `Raw` token is bytes.

        No data means that the peer has closed the connection, which raises Unreachable. Raises
        NotKafka for bytes that are no answer to what was sent.
        """
        if not data:
            place = "in the middle of an answer" if self._buffer else "without an answer"
            raise Unreachable(f"{self._peer} closed the connection {place}")
        self._buffer += data
        while (size := self._size()) is not None and len(self._buffer) >= 4 + size:
            frame = bytes(self._buffer[: 4 + size])
            del self._buffer[: 4 + size]
            yield self._answer(frame)

    def _size(self) -> int | None:
        if len(self._buffer) < 4:
            return None
        (size,) = _SIZE.unpack_from(self._buffer)
        if not self._pending:
            raise NotKafka(f"{self._peer} sends what was not asked for: it is no Kafka broker")
        limit = self._limit()
        if self._answered and limit < size <= MAX_FRAME:
            raise NotKafka(f"{self._peer} answers with {size:,} bytes; at most {limit:,} are read")
        if not 0 <= size <= limit:
            raise NotKafka(f"{self._peer} is no Kafka broker on this port: {self._foreign(size)}")
        return int(size)

    def _limit(self) -> int:
        if not self._answered:
            return MAX_FIRST_FRAME
        step = self._pending[0].step
        is_fetch = isinstance(step, Ask) and step.message.API_KEY == _FETCH
        return MAX_FRAME if is_fetch else MAX_ANSWER

    def _foreign(self, size: int) -> str:
        for start, protocol_name in _FOREIGN:
            if self._buffer.startswith(start):
                return protocol_name
        return f"its answer begins with a size of {size:,} bytes"

    def _answer(self, frame: bytes) -> Exchange | bytes:
        pending = self._pending.popleft()
        self._answered += 1
        if isinstance(pending.step, Raw):
            return frame[4:]
        message, version = pending.step
        if int.from_bytes(frame[4:8], "big", signed=True) != pending.correlation_id:
            raise NotKafka(f"{self._peer} is no Kafka broker: its answer is to another request")
        try:
            response = _response(message, version, frame)
        except DecodeError as error:
            name = message.NAME.removesuffix("Request")
            raise NotKafka(
                f"{self._peer} answers {name} version {version} with what is none: "
                f"{error.kind.value} at byte {error.offset}"
            ) from None
        return Exchange(message, response, version, pending.frame, frame)


def _response(message: Message, version: int, frame: bytes) -> Any:
    """Return the message of a response frame. A header of version 1 ends in tagged fields."""
    cls = message_class(f"{message.NAME.removesuffix('Request')}Response")
    start = 8
    if message.API_KEY == API_VERSIONS:  # its header is never flexible (KIP-511)
        if int.from_bytes(frame[8:10], "big") == UNSUPPORTED_VERSION:
            return _unsupported(frame)
    elif flexible(cls, version):
        header = decode(frame[4:], message_class("ResponseHeader"), body_version=1)
        start = len(frame) - len(header.remainder)
    return cls.from_body(frame[start:], version)


def _unsupported(frame: bytes) -> Any:
    """Return the answer to a version of ApiVersions that the broker does not know: of version 0, by
    KIP-511; librdkafka's mock cluster has a form of its own, which says nothing else."""
    try:
        return ApiVersionsResponse.from_body(frame[8:], 0)
    except DecodeError:
        return ApiVersionsResponse(error_code=UNSUPPORTED_VERSION)


def flexible(cls: type[Message], version: int) -> bool:
    """Return whether a version of a message is flexible (KIP-482)."""
    versions = spec_of(cls).flexible
    return bool(versions) and version >= versions.lowest
