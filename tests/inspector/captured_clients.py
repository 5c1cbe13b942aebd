"""What every client of the captures wrote, with the truth about who it was.

The truth is `groups.json`, which says which release of which client had a client id; the ids of
clients that it does not list begin with the name and the release all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from kproto.codec import (
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    JoinGroupRequest,
    JoinGroupResponse,
    Message,
    RequestHeader,
    SyncGroupRequest,
)

from ..schemas.captures import CAPTURES, frames, read, records

Release = tuple[str, str]

PAYLOADS: dict[tuple[str, str], type[Message]] = {
    ("consumer", "metadata"): ConsumerProtocolSubscription,
    ("consumer", "assignment"): ConsumerProtocolAssignment,
    ("connect", "metadata"): ConnectProtocolMetadata,
    ("connect", "assignment"): ConnectProtocolAssignment,
}

_SAYS_ITSELF = re.compile(
    r"(kafka-clients|kafka-python|kafka-streams|aiokafka|confluent-kafka|franz-go|kafka-go|kafkajs"
    r"|platformatic-kafka|sarama)-(\d[\d.]*)-"
)


class Written(NamedTuple):
    """What a client wrote, and under which assignor; the release is the truth."""

    release: Release
    assignor: str
    cls: type[Message]
    data: bytes


@cache
def groups() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads((CAPTURES / "groups.json").read_bytes())
    return found


@cache
def release_of(client_id: str) -> Release | None:
    for members in groups().values():
        for member in members:
            if member["client_id"] == client_id:
                return member["client"].partition(" ")[0], member["version"]
    said = _SAYS_ITSELF.match(client_id)
    return (said[1], said[2]) if said else None


def stored() -> Iterator[Written]:
    """Of the offsets topic: what members said of themselves, and, in classic groups of one release,
    what they were given: who wrote the assignment is not certain in others. In a group that mixes
    the protocols it can be the broker itself."""
    for record in records():
        if record.type != GroupMetadataValue.API_KEY or record.value is None:
            continue
        group = GroupMetadataValue.from_bytes(record.value)
        name = GroupMetadataKey.from_bytes(record.key).group
        of_group = {
            release_of(one["client_id"]) if one["group_protocol"] == "classic" else None
            for one in groups().get(name, ())
        }
        for member in group.members:
            release = release_of(member.client_id)
            if release is None:
                continue
            about = (release, group.protocol or "")
            metadata = PAYLOADS[group.protocol_type, "metadata"]
            yield Written(*about, metadata, member.subscription)
            if of_group == {release} and member.assignment:
                assignment = PAYLOADS[group.protocol_type, "assignment"]
                yield Written(*about, assignment, member.assignment)


def sent() -> Iterator[Written]:
    """Of the frames: what members sent when they joined, and what leaders sent."""
    chosen: dict[int, tuple[str, str]] = {}
    types: dict[int, str] = {}
    for frame in frames():
        header, message = read(frame)
        if isinstance(message, JoinGroupRequest):
            types[frame.connection] = message.protocol_type
        if isinstance(message, JoinGroupResponse):
            chosen[frame.connection] = types[frame.connection], message.protocol_name or ""
        if isinstance(header, RequestHeader):
            release = release_of(header.client_id or "")
            if release is not None:
                yield from _of_request(message, release, chosen.get(frame.connection, ("", "")))


def _of_request(message: Message, release: Release, chosen: tuple[str, str]) -> Iterator[Written]:
    type_, protocol = chosen
    match message:
        case JoinGroupRequest():
            metadata = PAYLOADS[message.protocol_type, "metadata"]
            for one in message.protocols:
                yield Written(release, one.name, metadata, one.metadata)
        case SyncGroupRequest():
            assignment = PAYLOADS[type_, "assignment"]
            for given in message.assignments:
                if given.assignment:
                    yield Written(release, protocol, assignment, given.assignment)
        case _:
            pass  # which has no opaque bytes
