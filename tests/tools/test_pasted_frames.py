"""Requests pasted without --as: recognised with their size in front, and without."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription, message_class
from kproto.codec.runtime.registry import spec_of
from kproto.inspector import recognise

from ..inspector.samples import CLIENTS, vectors
from .conftest import Run

METADATA = ConsumerProtocolSubscription(topics=["orders"]).to_bytes(1)


def request(name: str, version: int, client_id: str | None, **fields: Any) -> bytes:
    """A request as RequestHeader and body lay it out (KIP-482): flexible ones end the header with a
    tag section."""
    cls = message_class(name)
    assert cls.API_KEY is not None
    known = b"" if client_id is None else client_id.encode()
    length = -1 if client_id is None else len(known)
    header = struct.pack(">hhih", cls.API_KEY, version, 77, length) + known
    flexible = spec_of(cls).flexible
    tags = b"\0" if flexible and version >= flexible.lowest else b""
    return header + tags + cls(**fields).to_body(version)


def join(version: int, client_id: str | None) -> bytes:
    protocol = message_class("JoinGroupRequest").JoinGroupRequestProtocol  # type: ignore[attr-defined]
    protocols = [protocol(name="range", metadata=METADATA)]
    fields = {"group_id": "billing", "protocol_type": "consumer", "protocols": protocols}
    return request("JoinGroupRequest", version, client_id, **fields)


REQUESTS = [
    *(join(version, client_id) for version in (0, 4, 5, 9) for client_id in ("pay-1", "", None)),
    *(
        request("HeartbeatRequest", version, "c", group_id="g", generation_id=4, member_id="m")
        for version in (0, 4)
    ),
    request("SyncGroupRequest", 5, "rdkafka", group_id="g", member_id="m-1", generation_id=2),
]


@pytest.mark.parametrize("sized", [True, False])
@pytest.mark.parametrize("data", REQUESTS, ids=range(len(REQUESTS)))
def test_a_pasted_request_is_one(data: bytes, sized: bool) -> None:
    frame = len(data).to_bytes(4, "big") + data if sized else data
    assert [found.frame.direction for found in recognise(frame).frames] == ["request"]


def test_several_requests_behind_each_other() -> None:
    frames = b"".join(len(data).to_bytes(4, "big") + data for data in REQUESTS)
    assert len(recognise(frames).frames) == len(REQUESTS)


@pytest.mark.parametrize("client", CLIENTS)
def test_what_members_send_is_no_frame(client: str) -> None:
    assert recognise(bytes.fromhex(CLIENTS[client])).message is not None


def test_no_vector_is_a_frame() -> None:
    tried = 0
    for vector in vectors("consumer-protocol.jsonl"):
        tried += 1
        assert not recognise(bytes.fromhex(vector["hex"])).frames, vector
    assert tried > 100


@pytest.mark.parametrize("end", [4, 12, 20])
def test_the_front_of_a_request_alone_is_none(end: int) -> None:
    assert not recognise(join(5, "pay-1")[:end]).frames


def test_the_command_says_what_it_took_it_for(kproto: Run) -> None:
    data = join(9, "pay-1")
    done = kproto("decode", data.hex())
    text = done.stdout.decode()
    assert "RequestHeader version 2" in text and "JoinGroupRequest version 9" in text
    assert '"orders"' in text  # what is inside is opened
    assert b"read as a request" in done.stderr
    line = json.loads(kproto("decode", "--json", data.hex()).stdout)
    assert (line["direction"], line["apiKey"], line["apiVersion"]) == ("request", 11, 9)
    assert line["correlationId"] == 77
    named = kproto("decode", "--as", "ConsumerProtocolSubscription", data.hex(), status=1)
    assert b"request" not in named.stderr


def _response(name: str, version: int, **fields: Any) -> bytes:
    header = struct.pack(">i", 7)
    body = header + message_class(name)(**fields).to_body(version)
    return struct.pack(">i", len(body)) + body


_MEMBER = message_class("JoinGroupResponse").JoinGroupResponseMember  # type: ignore[attr-defined]
JOINED = _response(
    "JoinGroupResponse", 2, generation_id=4, protocol_name="range", leader="m-1",
    members=[
        _MEMBER(
            member_id="m-1",
            metadata=ConsumerProtocolSubscription(topics=["clicks"]).to_bytes(1),
        )
    ],
)  # fmt: skip
SYNCED = _response("SyncGroupResponse", 1, assignment=bytes(20))


@pytest.mark.parametrize(
    ("data", "api"),
    [(JOINED, "JoinGroup"), (JOINED[4:], "JoinGroup"), (SYNCED, "SyncGroup")],
    ids=["JoinGroup", "without its size", "SyncGroup"],
)
def test_a_response_without_its_request_is_shown_as_a_guess(
    kproto: Run, data: bytes, api: str
) -> None:
    done = kproto("decode", data.hex())
    said = done.stderr.decode()
    assert "a response without its request, of " + api in said
    assert f"{api}Response version" in done.stdout.decode()
    command = said.partition("--as response")[2].split()[:4]
    assert command[0] == "--api-key"
    again = kproto("decode", "--as", "response", *command, data.hex())
    assert again.returncode == 0


def test_what_a_guess_costs_is_bounded() -> None:
    data = (100_000).to_bytes(4, "big") + bytes(100_000)
    assert [found.frame.api_key for found in recognise(data).frames] in ([], [None])
