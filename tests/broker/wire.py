"""Requests to a real broker, message by message, over connections of one's own."""

from __future__ import annotations

import socket
from struct import pack, unpack
from typing import Any, TypeVar

from kproto.codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    OffsetCommitRequest,
    OffsetCommitResponse,
    RequestHeader,
    ResponseHeader,
    SyncGroupRequest,
    SyncGroupResponse,
)
from kproto.codec.runtime.message import Message

MessageT = TypeVar("MessageT", bound=Message)

_ANSWERS: dict[type[Message], tuple[type[Message], int]] = {
    JoinGroupRequest: (JoinGroupResponse, 6),
    SyncGroupRequest: (SyncGroupResponse, 4),
    HeartbeatRequest: (HeartbeatResponse, 4),
    LeaveGroupRequest: (LeaveGroupResponse, 4),
    OffsetCommitRequest: (OffsetCommitResponse, 8),
    DescribeGroupsRequest: (DescribeGroupsResponse, 5),
    ConsumerGroupHeartbeatRequest: (ConsumerGroupHeartbeatResponse, 0),
}
"""The response to each request, and the first version whose headers are flexible."""

_FIND_COORDINATOR = 10


class Wire:
    """A connection. It answers in order."""

    def __init__(self, bootstrap: str, client_id: str) -> None:
        host, port = bootstrap.split(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10)
        self._client_id = client_id
        self._asked: list[tuple[type[Message], int]] = []

    def send(self, message: Message, version: int) -> None:
        """Send a request."""
        flexible = version >= _ANSWERS[type(message)][1]
        self._asked.append((type(message), version))
        header = self._header(message.API_KEY or 0, version, 2 if flexible else 1)
        self._write(header + message.to_body(version))

    def receive(self, timeout: float) -> Any:
        """Return the answer to the oldest request that has none. Raises `TimeoutError`."""
        asked, version = self._asked[0]
        answer, flexible_from = _ANSWERS[asked]
        body = self._read(1 if version >= flexible_from else 0, timeout)
        self._asked.pop(0)
        return answer.from_body(body, version)

    def find_coordinator(self, group: str) -> int:
        """Return the error of FindCoordinator, version 0; it makes the broker create the offsets
        topic."""
        name = group.encode()
        self._write(self._header(_FIND_COORDINATOR, 0, 1) + pack(">h", len(name)) + name)
        (error,) = unpack(">h", self._read(0, 10)[:2])
        return int(error)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _header(self, api_key: int, version: int, header_version: int) -> bytes:
        header = RequestHeader(
            request_api_key=api_key,
            request_api_version=version,
            correlation_id=0,
            client_id=self._client_id,
        )
        return header.to_body(header_version)

    def _write(self, data: bytes) -> None:
        self._socket.sendall(pack(">i", len(data)) + data)

    def _read(self, header_version: int, timeout: float) -> bytes:
        self._socket.settimeout(timeout)
        first = self._exactly(1)  # what takes time; the rest of the frame follows at once
        self._socket.settimeout(10)
        (size,) = unpack(">i", first + self._exactly(3))
        header = ResponseHeader(correlation_id=0).to_body(header_version)
        return self._exactly(size)[len(header) :]

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            if not more:
                raise ConnectionError("the broker has closed the connection")
            data += more
        return data
