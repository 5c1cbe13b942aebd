"""What real clients and a real broker wrote, taken apart as far as definitions are not needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aiokafka.record.memory_records import MemoryRecords

from kproto.codec import (
    GroupMetadataValue,
    JoinGroupRequest,
    JoinGroupResponse,
    Message,
    RequestHeader,
    ResponseHeader,
    SyncGroupRequest,
    SyncGroupResponse,
    built_in_names,
    message_class,
)
from kproto.codec.runtime.registry import built_in_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

CAPTURES = Path(__file__).parent.parent / "vectors" / "captures"

CLASSES = [message_class(name) for name in built_in_names()]
KEYS = {cls.API_KEY: cls for cls in CLASSES if cls.NAME.endswith("Key")}
VALUES = {cls.API_KEY: cls for cls in CLASSES if cls.NAME.endswith("Value")}
REQUESTS = {cls.API_KEY: cls for cls in CLASSES if cls.NAME.endswith("Request")}
RESPONSES = {cls.API_KEY: cls for cls in CLASSES if cls.NAME.endswith("Response")}


class Record(NamedTuple):
    """A record of the offsets topic; a tombstone has no value."""

    key: bytes
    value: bytes | None

    @property
    def type(self) -> int:
        return int.from_bytes(self.key[:2], "big", signed=True)


class Frame(NamedTuple):
    """A request or a response, without the size in front."""

    connection: int
    correlation_id: int
    header: type[Message]
    header_version: int
    body: type[Message]
    body_version: int
    data: bytes


class Payload(NamedTuple):
    """What a member said ("metadata") or was given ("assignment")."""

    client: str
    protocol_type: str
    protocol: str
    kind: str
    data: bytes


def records() -> Iterator[Record]:
    for segment in sorted(CAPTURES.glob("offsets-topic*/**/*.log")):
        batches = MemoryRecords(segment.read_bytes())
        while batches.has_next():
            batch = batches.next_batch()
            assert not batch.is_control_batch
            yield from (Record(record.key, record.value) for record in batch)


def frames() -> Iterator[Frame]:
    with (CAPTURES / "frames.jsonl").open(encoding="utf-8") as lines:
        yield from map(_frame, lines)


def _frame(line: str) -> Frame:
    captured = json.loads(line)
    raw = bytes.fromhex(captured["frame_hex"])
    assert int.from_bytes(raw[:4], "big") == len(raw) - 4
    request = captured["direction"] == "request"
    body = (REQUESTS if request else RESPONSES)[captured["api_key"]]
    flexible = captured["api_version"] in built_in_spec(body.NAME).flexible
    return Frame(
        connection=captured["conn"],
        correlation_id=captured["correlation_id"],
        header=RequestHeader if request else ResponseHeader,
        header_version=flexible + request,
        body=body,
        body_version=captured["api_version"],
        data=raw[4:],
    )


def stored_payloads() -> Iterator[Payload]:
    """Of the members of classic groups in the offsets topic."""
    for record in records():
        if record.type == GroupMetadataValue.API_KEY and record.value is not None:
            group = GroupMetadataValue.from_bytes(record.value)
            for member in group.members:
                names = (member.client_id, group.protocol_type, group.protocol or "")
                yield Payload(*names, "metadata", member.subscription)
                yield Payload(*names, "assignment", member.assignment)


def sent_payloads() -> Iterator[Payload]:
    """Of the members that sent or were sent a frame, under the protocol last agreed on there."""
    asked: dict[tuple[int, int], str] = {}  # by connection and correlation id: the client
    types: dict[int, str] = {}
    chosen: dict[int, str] = {}
    for frame in frames():
        connection = frame.connection
        place = (connection, frame.correlation_id)
        header, message = read(frame)
        if isinstance(header, RequestHeader):
            asked[place] = header.client_id or ""
        client = asked[place]
        match message:
            case JoinGroupRequest():
                types[connection] = message.protocol_type
                for one in message.protocols:
                    yield Payload(client, types[connection], one.name, "metadata", one.metadata)
            case JoinGroupResponse():
                chosen[connection] = message.protocol_name or ""
                names = (types[connection], chosen[connection])
                for member in message.members:
                    # Whose metadata it is, only the id tells: most begin with the client's name.
                    yield Payload(member.member_id, *names, "metadata", member.metadata)
            case SyncGroupRequest():
                names = (types[connection], chosen[connection])
                for given in message.assignments:
                    yield Payload(given.member_id, *names, "assignment", given.assignment)
            case SyncGroupResponse():
                names = (types[connection], chosen[connection])
                yield Payload(client, *names, "assignment", message.assignment)
            case _:
                pass  # the newer protocols have no opaque bytes


def read(frame: Frame) -> tuple[Message, Message]:
    """Header and body, whatever follows."""
    header = frame.header.from_body(frame.data, frame.header_version)
    start = len(header.to_body(frame.header_version))
    return header, frame.body.from_body(frame.data[start:], frame.body_version)
