"""Brokers for tests that are none: sockets that answer from a table, or misbehave on purpose."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from kproto.capture import decode_request
from kproto.cluster.connection.wire import flexible
from kproto.codec import (
    ApiVersionsResponse,
    FetchRequest,
    Message,
    MetadataResponse,
    RequestHeader,
    ResponseHeader,
    message_class,
)

Serve = Callable[[socket.socket], None]
Answer = Callable[[Any, int], Message]
"""Takes a request and its version, and returns the response."""


@contextmanager
def listening(serve: Serve) -> Iterator[str]:
    """The address of a socket on which each connection is served by `serve`."""
    server = socket.create_server(("127.0.0.1", 0))

    def connection(line: socket.socket) -> None:
        with line, suppress(OSError):
            line.settimeout(20)
            serve(line)

    def accept() -> None:
        with suppress(OSError):
            while True:
                line, _ = server.accept()
                threading.Thread(target=connection, args=(line,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.getsockname()[1]}"
    finally:
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()


def exactly(line: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = line.recv(count - len(data))
        if not more:
            raise ConnectionError
        data += more
    return data


def read_frame(line: socket.socket) -> bytes:
    """The next request, its size in front."""
    size = exactly(line, 4)
    return size + exactly(line, int.from_bytes(size, "big"))


def framed(response: Message, version: int, correlation_id: int) -> bytes:
    """A response as it is on the wire."""
    cls = type(response)
    header = int(flexible(cls, version) and cls.API_KEY != 18)
    data = ResponseHeader(correlation_id=correlation_id).to_body(header) + response.to_body(version)
    return len(data).to_bytes(4, "big") + data


def fetch_request(frame: bytes) -> Message:
    """The request in a frame of Fetch, which `decode_request` leaves alone."""
    key, version = (int.from_bytes(frame[at : at + 2], "big") for at in (4, 6))
    assert key == FetchRequest.API_KEY, "its frames are not decoded"
    form = 2 if flexible(FetchRequest, version) else 1
    header = RequestHeader.from_body(frame[4:], form)
    return FetchRequest.from_body(frame[4 + len(header.to_body(form)) :], version)


class FakeBroker:
    """Answers requests from a table by API name; ApiVersions names what is in it."""

    def __init__(self, answers: dict[str, Answer], versions: dict[str, int] | None = None) -> None:
        self.answers: dict[str, Answer] = {
            "ApiVersions": self._api_versions,
            "Metadata": self._metadata,
            **answers,
        }
        self.versions = versions or {}
        self.asked: list[str] = []
        self.port = 0
        self.topics: dict[str, int] = {}
        self.replicas: tuple[int, ...] = (1,)
        self.in_sync: tuple[int, ...] = (1,)

    def __call__(self, line: socket.socket) -> None:
        self.port = line.getsockname()[1]
        while True:
            frame = read_frame(line)
            request = decode_request(frame)
            body = request.body.message if request.body is not None else fetch_request(frame)
            assert body is not None, request.reason
            assert request.correlation_id is not None and request.api_version is not None
            self.asked.append(request.api)
            version = request.api_version
            response = self.answers[request.api](body, version)
            line.sendall(framed(response, version, request.correlation_id))

    def highest(self, name: str) -> int:
        cls = message_class(f"{name}Request")
        return self.versions.get(name, cls.LATEST)

    def _api_versions(self, request: Any, version: int) -> Message:
        keys = tuple(
            ApiVersionsResponse.ApiVersion(
                api_key=message_class(f"{name}Request").API_KEY or 0,
                min_version=message_class(f"{name}Request").VERSIONS.lowest,
                max_version=self.highest(name),
            )
            for name in self.answers
        )
        return ApiVersionsResponse(api_keys=keys)

    def _metadata(self, request: Any, version: int) -> Message:
        cls = MetadataResponse
        broker = cls.MetadataResponseBroker(node_id=1, host="127.0.0.1", port=self.port)
        wanted = [topic.name for topic in request.topics or ()]
        if request.topics is None:
            wanted = list(self.topics)
        topics = tuple(
            cls.MetadataResponseTopic(
                name=name,
                error_code=0 if name in self.topics else 3,
                partitions=tuple(
                    cls.MetadataResponsePartition(
                        partition_index=number,
                        leader_id=1,
                        replica_nodes=self.replicas,
                        isr_nodes=self.in_sync,
                    )
                    for number in range(self.topics.get(name, 0))
                ),
            )
            for name in wanted
        )
        return cls(brokers=(broker,), topics=topics, controller_id=1)
