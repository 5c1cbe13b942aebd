"""What members wrote, opened by what it is inside of: bytes of real clients, and hostile ones."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from typing import Any

import cramjam
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerGroupMemberMetadataValue,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    DescribeGroupsResponse,
    GroupMetadataValue,
    JoinGroupRequest,
    JoinGroupResponse,
    Policy,
    SyncGroupRequest,
    SyncGroupResponse,
    decode,
    message_class,
)
from kproto.inspector import nested_bytes as module
from kproto.inspector import open_inside
from kproto.inspector.nested_bytes import Around, Opened, user_text

from .samples import CAPTURES, CLIENTS

SUBSCRIPTION = "ConsumerProtocolSubscription"


def opened(data: bytes, around: Around = module.NOTHING) -> tuple[Opened, ...]:
    return open_inside(decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT), around)


def subscription(user_data: bytes) -> bytes:
    return ConsumerProtocolSubscription(topics=["orders"], user_data=user_data).to_bytes(0)


def test_java_sticky() -> None:
    (inner,) = opened(CAPTURES["java-sticky"])
    assert (inner.path, inner.start, inner.version, inner.rivals) == ("user_data", 21, 1, ())
    assert inner.decoded is not None
    message = inner.decoded.message
    assert message is not None
    assert [entry.topic for entry in message.previous_assignment] == ["t", "orders"]
    assert message.previous_assignment[1].partitions == tuple(range(12))
    assert message.generation == 1


@pytest.mark.parametrize(("client", "generation"), [("Sarama 2.6", -1), ("franz-go", 0)])
def test_cooperative_sticky(client: str, generation: int) -> None:
    (inner,) = opened(bytes.fromhex(CLIENTS[client]))
    assert inner.name == "CooperativeStickyUserData"
    assert inner.decoded is not None and inner.decoded.message is not None
    assert inner.decoded.message.generation == generation


def test_what_else_fits_is_said() -> None:
    """Four zero bytes are a generation, and a sticky assignment of no topic."""
    (inner,) = opened(bytes.fromhex(CLIENTS["franz-go"]))
    assert inner.rivals == ("StickyAssignorUserData v0",)


def test_the_protocol_decides() -> None:
    data = bytes.fromhex(CLIENTS["franz-go"])
    (inner,) = opened(data, Around("consumer", "sticky"))
    assert (inner.name, inner.rivals) == ("StickyAssignorUserData", ())


@pytest.mark.parametrize("client", ["librdkafka", "kafka-go", "KafkaJS"])
def test_empty_and_null_hold_nothing(client: str) -> None:
    assert opened(bytes.fromhex(CLIENTS[client])) == ()


def test_unknown_bytes_stay_closed() -> None:
    assert opened(subscription(b"\xff\xfe\xfd\x00\x01\x02\x03")) == ()


def test_expected_bytes_that_do_not_fit_say_why() -> None:
    (inner,) = opened(subscription(b"\xff\xfe\xfd\x00\x01\x02\x03"), Around("consumer", "sticky"))
    assert inner.name == "StickyAssignorUserData"
    assert inner.decoded is not None and inner.decoded.error is not None


def test_user_data_is_opened_where_the_message_fails_behind_it() -> None:
    (inner,) = opened(CAPTURES["java-sticky"][:118])
    assert inner.name == "StickyAssignorUserData"


def test_an_assignment_can_hold_the_sticky_layout() -> None:
    """librdkafka and Sarama put it there."""
    previous = opened(CAPTURES["java-sticky"])[0].decoded
    assert previous is not None
    data = ConsumerProtocolAssignment(user_data=previous.data).to_bytes(0)
    (inner,) = open_inside(decode(data, ConsumerProtocolAssignment))
    assert inner.name == "StickyAssignorUserData"


def test_the_int16_of_kafka_python() -> None:
    """As kafka-python 3.0.12 sent it; the layout behind it is Java's."""
    previous = opened(CAPTURES["java-sticky"])[0].decoded
    assert previous is not None
    data = subscription(b"\0\1" + previous.data)
    (inner,) = opened(data, Around("consumer", "sticky"))
    assert (inner.name, inner.version) == ("StickyAssignorUserData", 1)
    assert data[inner.start :].startswith(previous.data)
    assert "kafka-python" in inner.note


# -- what is no message


@pytest.mark.parametrize(
    ("data", "name", "value"),
    [
        (b"lab-user-data", "text", "lab-user-data"),  # Sarama passes on what its user gives it
        (b"lab1", "text", "lab1"),  # a generation of 1818321457 as well
        (b'{"url":"http://x:6066"}', "JSON", {"url": "http://x:6066"}),  # Faust
        (zlib.compress(b'{"a":[1]}'), "zlib-compressed JSON", {"a": [1]}),
        (zlib.compress(b"plain"), "zlib-compressed text", "plain"),
        (gzip.compress(b'{"a":[1]}', mtime=0), "gzip-compressed JSON", {"a": [1]}),
        (bytes(cramjam.zstd.compress(b"plain")), "zstd-compressed text", "plain"),
        (
            b"\x28\xb5\x2f\xfd broken",
            "zstd-compressed data of more than 1,048,576 bytes, or damaged",
            None,
        ),
        (zlib.compress(b"\xff\xfe"), "zlib-compressed data", None),
        (b"xkcd", "text", "xkcd"),
        (b'{"a":', "text", '{"a":'),
        (b"{" * 5000, "text", "{" * 5000),
    ],
)
def test_text_and_json(data: bytes, name: str, value: Any) -> None:
    (inner,) = opened(subscription(data))
    assert (inner.name, inner.version, inner.decoded, inner.value) == (name, None, None, value)


def test_a_generation_that_is_text_is_a_rival() -> None:
    (inner,) = opened(subscription(b"lab1"))
    assert inner.rivals == ("CooperativeStickyUserData v0",)
    (inner,) = opened(subscription(b"lab1"), Around("consumer", "cooperative-sticky"))
    assert (inner.name, inner.rivals) == ("CooperativeStickyUserData", ("text",))


def test_a_bomb_is_not_inflated() -> None:
    bomb = zlib.compress(bytes(200 << 20), 9)
    tracemalloc.start()
    found = user_text(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found is not None
    assert (found.name, found.value) == ("zlib-compressed data of more than 1,048,576 bytes", None)
    assert peak < 4 << 20


@given(st.recursive(st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=50))
def test_json_of_any_depth(value: Any) -> None:
    found = user_text(json.dumps([value]).encode())
    assert found is not None and found.value == [value]


def test_json_that_is_nested_too_deeply_is_text() -> None:
    for depth in (65, 900, 100_000):
        found = user_text(b"[" * depth + b"]" * depth)
        assert found is not None and found.name == "text"


@given(st.binary(max_size=60), st.sampled_from(["sticky", "stream", "cooperative-sticky", None]))
def test_any_user_data(data: bytes, protocol: str | None) -> None:
    for inner in opened(subscription(data), Around("consumer", protocol)):
        assert inner.path == "user_data"


# -- what carries it

JAVA = CAPTURES["java-sticky"]
NAMED: dict[str, Any] = {"protocol_type": "consumer", "protocol_name": "sticky"}
MEMBER: dict[str, Any] = {"member_id": "m", "client_id": "c", "client_host": "h"}
GIVEN = ConsumerProtocolAssignment().to_bytes(0)


CARRIERS = {
    "JoinGroupRequest": JoinGroupRequest(
        protocol_type="consumer",
        protocols=[JoinGroupRequest.JoinGroupRequestProtocol(name="sticky", metadata=JAVA)],
    ),
    "JoinGroupResponse": JoinGroupResponse(
        **NAMED,
        members=[JoinGroupResponse.JoinGroupResponseMember(member_id="m", metadata=JAVA)],
    ),
    "SyncGroupRequest": SyncGroupRequest(
        **NAMED,
        assignments=[SyncGroupRequest.SyncGroupRequestAssignment(member_id="m", assignment=GIVEN)],
    ),
    "SyncGroupResponse": SyncGroupResponse(**NAMED, assignment=GIVEN),
    "GroupMetadataValue": GroupMetadataValue(
        protocol_type="consumer",
        protocol="sticky",
        members=[
            GroupMetadataValue.MemberMetadata(**MEMBER, subscription=JAVA, assignment=GIVEN),
        ],
    ),
    "DescribeGroupsResponse": DescribeGroupsResponse(
        groups=[
            DescribeGroupsResponse.DescribedGroup(
                group_id="g",
                protocol_type="consumer",
                protocol_data="sticky",
                members=[
                    DescribeGroupsResponse.DescribedGroupMember(
                        **MEMBER, member_metadata=JAVA, member_assignment=GIVEN
                    )
                ],
            )
        ]
    ),
    "ConsumerGroupMemberMetadataValue": ConsumerGroupMemberMetadataValue(
        client_id="c",
        client_host="h",
        classic_member_metadata=ConsumerGroupMemberMetadataValue.ClassicMemberMetadata(
            supported_protocols=[
                ConsumerGroupMemberMetadataValue.ClassicProtocol(name="sticky", metadata=JAVA)
            ]
        ),
    ),
}
PATHS = {
    "JoinGroupRequest": ["protocols[0].metadata"],
    "JoinGroupResponse": ["members[0].metadata"],
    "SyncGroupRequest": ["assignments[0].assignment"],
    "SyncGroupResponse": ["assignment"],
    "GroupMetadataValue": ["members[0].subscription", "members[0].assignment"],
    "DescribeGroupsResponse": [
        "groups[0].members[0].member_metadata",
        "groups[0].members[0].member_assignment",
    ],
    "ConsumerGroupMemberMetadataValue": ["classic_member_metadata.supported_protocols[0].metadata"],
}


@pytest.mark.parametrize("name", CARRIERS)
def test_carriers(name: str) -> None:
    message = CARRIERS[name]
    version = message.LATEST
    data = message.to_body(version)
    found = open_inside(decode(data, type(message), body_version=version))
    assert [inner.path for inner in found] == PATHS[name]
    for inner in found:
        content = GIVEN if "assignment" in inner.path else JAVA
        assert data[inner.start :].startswith(content)
        assert inner.decoded is not None and inner.decoded.data == content
        if content is JAVA:
            (again,) = inner.opened
            assert (again.path, again.name) == ("user_data", "StickyAssignorUserData")
            assert data[inner.start + again.start :].startswith(again.decoded.data)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", CARRIERS)
def test_carriers_cut_anywhere(name: str) -> None:
    message = CARRIERS[name]
    data = message.to_body(message.LATEST)
    for end in range(len(data)):
        seen = decode(data[:end], type(message), policy=Policy.LENIENT, body_version=message.LATEST)
        assert len(open_inside(seen)) <= len(PATHS[name])


def test_what_the_conversation_said_before() -> None:
    """Before version 5, SyncGroup does not name the protocol."""
    data = SyncGroupResponse(assignment=GIVEN).to_body(3)
    seen = decode(data, SyncGroupResponse, body_version=3)
    (inner,) = open_inside(seen, Around("consumer", "sticky"))
    assert inner.name == "ConsumerProtocolAssignment"


def test_protocol_types_of_others() -> None:
    """The registry of schemas has JSON in its groups; of other types nothing is known."""
    for data, names in ((b'{"version":1}', ["JSON"]), (b"\0\1\2\xff", [])):
        message = SyncGroupResponse(protocol_type="sr", protocol_name="v0", assignment=data)
        seen = decode(message.to_body(5), SyncGroupResponse, body_version=5)
        assert [inner.name for inner in open_inside(seen)] == names


def test_every_place_and_layout_exists() -> None:
    for name, places in module._PLACES.items():
        whole = message_class(name)
        for place in places:
            known = {field for part in _parts(whole) for field in part.__struct_fields__}
            named = [place.each, place.inside, place.protocol_type, place.protocol]
            fields = [field for field, _ in place.fields]
            assert {*fields, *filter(None, named)} <= known
    for by_protocol in module._BY_PROTOCOL.values():
        for layouts in by_protocol.values():
            assert all(message_class(layout.name) for layout in layouts)
    for by_type in module._BY_TYPE.values():
        assert all(message_class(layout.name) for layout in by_type.values())


def _parts(cls: Any) -> list[Any]:
    from kproto.codec.runtime.message import MessagePart

    inner = [one for one in vars(cls).values() if isinstance(one, type)]
    return [cls, *(one for one in inner if issubclass(one, MessagePart))]


def test_generation_of_java() -> None:
    data = subscription(CooperativeStickyUserData(generation=7).to_body(0))
    (inner,) = opened(data, Around("consumer", "cooperative-sticky"))
    assert (inner.name, inner.rivals) == ("CooperativeStickyUserData", ())


@pytest.mark.parametrize("generation", [-1, 1, 7, 1 << 30])
@pytest.mark.parametrize("protocol", ["cooperative-sticky", None])
def test_a_generation_that_a_leader_copied(generation: int, protocol: str | None) -> None:
    """A librdkafka leader copies a member's user data into its assignment: of a Java member under
    cooperative-sticky that is the generation."""
    user_data = generation.to_bytes(4, "big", signed=True)
    data = ConsumerProtocolAssignment(user_data=user_data).to_bytes(0)
    around = Around("consumer", protocol)
    (opened,) = open_inside(decode(data, ConsumerProtocolAssignment), around)
    assert opened.name == "CooperativeStickyUserData"
    seen = opened.decoded
    assert seen is not None and seen.message is not None
    assert seen.message.generation == generation
    assert "librdkafka leader" in opened.note
