"""A fake broker: as much of one as a consumer needs to be a member of a group, and to lead it.

It reads and writes bytes on a socket of this machine. Requests that are not about the group it
answers at once; those about the group wait until somebody answers them. What a member asks for
after it has its partitions (offsets, records) gets no answer.
"""

from __future__ import annotations

import queue
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from ...capture.frames.frame import decode_request
from ...codec import Message, compile_definition, message_class

_HEADER = struct.Struct(">hhi")
_NOW = b"\0\0\0\0"  # an int32 throttle time of 0


def _definition(name: str, version: int, *fields: dict[str, Any]) -> type[Message]:
    return compile_definition(
        {"type": "data", "name": name, "validVersions": str(version), "fields": list(fields)}
    )


def _field(name: str, type_: str, *fields: dict[str, Any]) -> dict[str, Any]:
    field: dict[str, Any] = {"name": name, "type": type_, "versions": "0+"}
    if type_ in ("string", "[]int32") and name in ("Rack", "ClusterId", "ErrorMessage"):
        field["nullableVersions"] = "0+"
    return {**field, "fields": list(fields)} if fields else field


# Of each the one version that is offered, without what groups have nothing to do with.
_ApiVersions = _definition(
    "ApiVersions", 0,
    _field("ErrorCode", "int16"),
    _field("Keys", "[]Key", _field("Key", "int16"), _field("Min", "int16"), _field("Max", "int16")),
)  # fmt: skip
_Coordinator = _definition(
    "Coordinator", 1,
    _field("ThrottleTimeMs", "int32"),
    _field("ErrorCode", "int16"),
    _field("ErrorMessage", "string"),
    _field("NodeId", "int32"),
    _field("Host", "string"),
    _field("Port", "int32"),
)  # fmt: skip
_Wanted = compile_definition({
    "type": "data", "name": "Wanted", "validVersions": "4", "fields": [
        {"name": "Topics", "type": "[]string", "versions": "0+", "nullableVersions": "0+"},
        {"name": "AllowAutoTopicCreation", "type": "bool", "versions": "0+"},
    ],
})  # fmt: skip
_Metadata = _definition(
    "Metadata", 4,
    _field("ThrottleTimeMs", "int32"),
    _field(
        "Brokers", "[]Broker", _field("NodeId", "int32"), _field("Host", "string"),
        _field("Port", "int32"), _field("Rack", "string"),
    ),
    _field("ClusterId", "string"),
    _field("ControllerId", "int32"),
    _field(
        "Topics", "[]Topic", _field("ErrorCode", "int16"), _field("Name", "string"),
        _field("IsInternal", "bool"),
        _field(
            "Partitions", "[]Partition", _field("ErrorCode", "int16"), _field("Index", "int32"),
            _field("LeaderId", "int32"), _field("Replicas", "[]int32"), _field("Isr", "[]int32"),
        ),
    ),
)  # fmt: skip

_METADATA, _COORDINATOR, _API_VERSIONS = 3, 10, 18
JOIN, HEARTBEAT, LEAVE, SYNC = 11, 12, 13, 14
_OFFERED = {
    1: 4, 2: 1, _METADATA: 4, 8: 2, 9: 1, _COORDINATOR: 1, JOIN: 5, HEARTBEAT: 3, LEAVE: 1,
    SYNC: 3, _API_VERSIONS: 0,
}  # fmt: skip
REBALANCE_IN_PROGRESS = 27
_LONG = "x" * 8192
"""A long text: librdkafka sizes its buffer by the length of the metadata, and names of one letter
need more.
"""
_ISR = [1] * 16
"""Long for the same reason, of each partition where there are many topics."""
_MANY = 500  # topics


class Asked(NamedTuple):
    """A request about the group, and the way to answer it."""

    key: int
    message: Any
    answer: Callable[[Any], None]
    """Sends the response's message."""


class FakeBroker:
    """The fake broker; `topics` has the partition counts, and every topic that is asked for
    exists.
    """

    def __init__(self, partitions: int = 1) -> None:
        self.partitions = partitions
        self.counts: dict[str, int] = {}
        """Partitions of topics that have another number of them."""
        self.topics: tuple[str, ...] = ()
        """The topics of the last request for metadata that named any."""
        self.asked: queue.SimpleQueue[Asked] = queue.SimpleQueue()
        self.rebalance = threading.Event()
        """Set: members are told to join again."""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            for data in _frames(connection):
                key, version, number = _HEADER.unpack_from(data)
                if version != _OFFERED.get(key):  # a newer ApiVersions: the oldest one it knows
                    self._send(connection, number, struct.pack(">hi", 35, 0))
                elif key == HEARTBEAT:
                    code = REBALANCE_IN_PROGRESS if self.rebalance.is_set() else 0
                    self._send(connection, number, _NOW + struct.pack(">h", code))
                elif key in (JOIN, SYNC):
                    self._hand_over(connection, key, version, number, data)
                else:
                    response = self._say(key, data)
                    if response is not None:
                        self._send(connection, number, response.to_body(_OFFERED[key]))

    def _hand_over(
        self, connection: socket.socket, key: int, version: int, number: int, data: bytes
    ) -> None:
        frame = decode_request(data, sized=False)
        assert frame.body is not None

        def answer(response: Message) -> None:
            self._send(connection, number, response.to_body(version))

        self.asked.put(Asked(key, frame.body.message, answer))

    def _send(self, connection: socket.socket, number: int, body: bytes) -> None:
        with suppress(OSError):
            connection.sendall(struct.pack(">ii", 4 + len(body), number) + body)

    def _say(self, key: int, data: bytes) -> Any:
        if key == _API_VERSIONS:
            part: Any = _ApiVersions
            keys = [part.Key(key=key, min=0, max=version) for key, version in _OFFERED.items()]
            return part(error_code=0, keys=keys)
        if key == _COORDINATOR:
            return _Coordinator(node_id=1, host="127.0.0.1", port=self.port)
        if key == _METADATA:
            request: Any = _Wanted.from_body(_body(data), version=4)
            self.topics = request.topics or self.topics
            return self._metadata(request)
        if key == LEAVE:
            return message_class("LeaveGroupResponse")()
        return None

    def _metadata(self, request: Any) -> Any:
        part: Any = _Metadata
        isr = _ISR if len(request.topics or ()) > _MANY else [1]
        topics = [
            part.Topic(name=name, partitions=[
                part.Partition(index=index, leader_id=1, replicas=[1], isr=isr)
                for index in range(self.counts.get(name, self.partitions))
            ])
            for name in request.topics or ()
        ]  # fmt: skip
        broker = part.Broker(node_id=1, host="127.0.0.1", port=self.port, rack=None)
        return part(brokers=[broker], cluster_id=_LONG, controller_id=1, topics=topics)


def _frames(connection: socket.socket) -> Iterator[bytes]:
    with connection, connection.makefile("rb") as stream:
        while len(size := stream.read(4)) == 4:
            yield stream.read(int.from_bytes(size, "big"))


def _body(data: bytes) -> bytes:
    """Return the offset behind the client id."""
    length = int.from_bytes(data[8:10], "big", signed=True)
    return data[10 + max(length, 0) :]
