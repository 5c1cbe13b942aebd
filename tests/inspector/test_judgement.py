"""What is found in what real clients wrote is what is known of them, client by client."""

from __future__ import annotations

import zlib
from collections import defaultdict
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataValue,
    JoinGroupRequest,
    OffsetCommitValue,
    Policy,
    StickyAssignorUserData,
    decode,
)
from kproto.codec.read.deviations import CODES
from kproto.inspector.diagnose.levels import LEVELS, level_of
from kproto.inspector.diagnose.lint import Judged, judge
from kproto.inspector.nested_bytes import NOTHING, Around

from .captured_clients import Release, Written, sent, stored

Subscription, Assignment = ConsumerProtocolSubscription, ConsumerProtocolAssignment


def judged(given: str | bytes, cls: Any = Subscription, around: Around = NOTHING) -> list[Judged]:
    data = bytes.fromhex(given) if isinstance(given, str) else given
    return list(judge(decode(data, cls, policy=Policy.LENIENT), around))


def codes(found: list[Judged]) -> list[str]:
    return [one.code for each in found for one in each.findings]


# -- what real clients write

PYTHON_2, PYTHON_3 = ("kafka-python", "2.3.0"), ("kafka-python", "3.0.12")
JAVA_EMPTY = {("kafka-clients", release) for release in ("0.11.0.3", "1.1.1", "2.3.1")}
LIBRDKAFKA = {("confluent-kafka", "2.0.2"), ("confluent-kafka", "2.16.1")}
KAFKAJS = {("kafkajs", "1.16.0"), ("kafkajs", "2.1.0")}
SARAMA, KAFKA_GO, AIOKAFKA = ("sarama", "1.61.1"), ("kafka-go", "0.4.51"), ("aiokafka", "0.14.0")
EMPTY = {
    *JAVA_EMPTY,
    *LIBRDKAFKA,
    *KAFKAJS,
    AIOKAFKA,
    ("kafka-python", "2.0.2"),
    PYTHON_2,
    PYTHON_3,
}

# Whose bytes show what. Sarama hands on what other leaders assign, their empty user data too. A
# topic stands twice in one assignment of librdkafka 2.0.2. What KafkaJS and aiokafka and others
# subscribe to is in the order of their user or of a set.
KNOWN: dict[str, set[Release]] = {
    "KP040": {KAFKA_GO, *KAFKAJS},
    "KP041": {("confluent-kafka", "2.0.2")},
    "KP061": {*EMPTY, SARAMA},
    "KP062": {("confluent-kafka", "2.16.1")},
    "KP070": {PYTHON_3},
    "KP071": {*LIBRDKAFKA, ("franz-go", "1.22.2")},
    "KP072": {*LIBRDKAFKA, SARAMA},
    "KP073": {KAFKA_GO, SARAMA},
}
SORTING = {
    *(("kafka-clients", release) for release in ("2.8.2", "3.1.2", "3.3.2", "3.5.2", "4.3.1")),
    *LIBRDKAFKA,
    ("franz-go", "1.22.2"),
    ("platformatic-kafka", "2.12.1"),
    ("kafka-streams", "4.3.1"),
    ("kafka-connect", "4.3.1"),
}


@pytest.fixture(scope="module")
def written() -> list[Written]:
    return list({*stored(), *sent()})


def test_what_each_client_is_known_for(written: list[Written]) -> None:
    found: dict[str, set[Release]] = defaultdict(set)
    for one in written:
        seen = decode(one.data, one.cls, policy=Policy.LENIENT)
        for each in judge(seen, Around(None, one.assignor)):
            for finding in each.findings:
                found[finding.code].add(one.release)
    unsorted = found.pop("KP060")
    assert found == KNOWN
    assert unsorted and not unsorted & SORTING


def test_without_the_assignor_s_name(written: list[Written]) -> None:
    """What is told from the bytes alone is told of the same clients."""
    for one in written:
        seen = decode(one.data, one.cls, policy=Policy.LENIENT)
        for code in set(codes(list(judge(seen)))) & KNOWN.keys():
            assert one.release in KNOWN[code], (code, one)


# -- what is inside


def test_members_of_a_stored_group() -> None:
    inside = StickyAssignorUserData(generation=1).to_body(1)
    kafka_go = b"\0\1" + Subscription(topics=["a"]).to_body(0)
    empty = GroupMetadataValue.MemberMetadata(member_id="a", subscription=b"")
    broken = GroupMetadataValue.MemberMetadata(
        member_id="b",
        subscription=kafka_go,
        assignment=Assignment(user_data=inside).to_bytes(0),
    )
    group = GroupMetadataValue(
        protocol_type="consumer", protocol="sticky", leader="a", members=[empty, broken]
    )
    data = group.to_bytes(3)
    value, subscription, assignment, user_data = judged(data, GroupMetadataValue)
    (finding,) = value.findings
    assert (finding.code, finding.path) == ("KP015", "members[0].subscription")
    assert data[finding.offset : finding.offset + 4] == bytes(4)  # its length
    assert subscription.path == "members[1].subscription"
    assert data[subscription.start :].startswith(kafka_go)
    assert codes([subscription]) == ["KP040"]
    assert subscription.fingerprint.allows("kafka-go", "0.4.51")
    assert codes([assignment]) == ["KP072"]
    assert not assignment.fingerprint.allows("kafka-clients", "4.3.1")
    assert user_data.path == "members[1].assignment.user_data"
    assert data[user_data.start :].startswith(inside)
    assert user_data.findings == () and user_data.fingerprint.could == ()


def test_the_assignor_of_each_protocol() -> None:
    """A member offers several, and each has metadata of its own."""
    sticky = StickyAssignorUserData(generation=1).to_body(1)
    data = Subscription(topics=["a"], user_data=sticky).to_bytes(3)
    protocol = JoinGroupRequest.JoinGroupRequestProtocol
    join = JoinGroupRequest(
        protocol_type="consumer",
        protocols=[protocol(name=name, metadata=data) for name in ("sticky", "cooperative-sticky")],
    )
    seen = decode(join.to_body(9), JoinGroupRequest, body_version=9)
    assert codes(list(judge(seen))) == ["KP071"]


@pytest.mark.parametrize(
    ("inside", "protocol", "code"),
    [
        (b"rack-a", None, "KP073"),
        (b'{"a": 1}', None, "KP073"),
        (zlib.compress(b'{"a": 1}'), None, "KP073"),
        (b"\xff\xfe\xfd", None, "KP073"),
        (b"\0\1" + StickyAssignorUserData(generation=7).to_body(1), "sticky", "KP070"),
    ],
)
def test_user_data_of_a_client_s_own(inside: bytes, protocol: str | None, code: str) -> None:
    data = Subscription(topics=["a"], user_data=inside).to_bytes(0)
    found = judged(data, around=Around("consumer", protocol))
    (finding,) = found[0].findings
    assert finding.code == code and finding.path == "user_data"
    assert data[finding.offset :] == len(inside).to_bytes(4, "big") + inside


# -- levels and refusals


def test_levels() -> None:
    assert LEVELS == ("error", "warning", "note")
    assert {level_of(row.code, row.class_) for row in CODES.values()} == set(LEVELS)
    assert level_of("KP040", "content") == level_of("KP081", "evolution") == "error"
    assert level_of("AU001", "warning") == "warning"  # an audit rule's, say


REFUSED = [
    ("0003 00000001 0005 61", "KP080", 6, "topics[0]"),
    ("0000 ffffffff ffffffff", "KP011", 2, "topics"),
    ("ffff 00000000 ffffffff", "KP010", 0, "version"),
    ("0001 00000000 ffffffff", "KP040", 0, "version"),
    ("", "KP015", 0, "version"),
    ("00", "KP080", 0, "version"),
]


@pytest.mark.parametrize(("given", "code", "offset", "path"), REFUSED)
def test_what_is_refused_is_an_error_once(given: str, code: str, offset: int, path: str) -> None:
    (finding,) = judged(given)[0].findings
    assert (finding.code, finding.level) == (code, "error")
    assert (finding.offset, finding.path) == (offset, path)


def test_what_is_cut_behind_a_member_without_metadata() -> None:
    member = GroupMetadataValue.MemberMetadata(member_id="a")
    data = GroupMetadataValue(protocol_type="consumer", members=[member]).to_bytes(3)
    assert codes(judged(data[:-1], GroupMetadataValue)[:1]) == ["KP015", "KP080"]


def test_a_version_that_is_refused() -> None:
    (finding,) = judged("0009", OffsetCommitValue)[0].findings
    assert (finding.code, finding.level) == ("KP081", "error")


def test_what_is_sound_has_no_findings() -> None:
    assert codes(judged(Subscription(topics=["a", "b"]).to_bytes(3))) == []


@pytest.mark.parametrize("cls", [Subscription, Assignment, GroupMetadataValue, JoinGroupRequest])
@given(data=st.binary(max_size=200), label=st.integers(-2, 12))
def test_any_bytes_are_judged(cls: Any, data: bytes, label: int) -> None:
    if cls is JoinGroupRequest:
        seen = decode(data, cls, policy=Policy.LENIENT, body_version=label)
    else:
        front = label.to_bytes(2, "big", signed=True)
        seen = decode(front + data, cls, policy=Policy.LENIENT)
    for one in judge(seen):
        for finding in one.findings:
            assert finding.code in CODES and finding.level in LEVELS
            assert 0 <= one.start + finding.offset <= len(seen.data)
        assert seen.error is None or one.path or any(f.level == "error" for f in one.findings)


# -- the same finding again


def test_a_finding_is_known_by_its_bytes() -> None:
    """Wherever they stand; another path or another message is another finding."""
    alone = judged("0000 00000000 00000000")[0]
    member = GroupMetadataValue.MemberMetadata(subscription=alone.decoded.data)
    group = GroupMetadataValue(protocol_type="consumer", members=[member]).to_bytes(3)
    inside = judged(group, GroupMetadataValue)[1]
    (first,), (second,) = alone.findings, inside.findings
    assert alone.identity(first) == inside.identity(second)
    other = msgspec.structs.replace(first, path="topics")
    assert alone.identity(other) != alone.identity(first)
    assert judged("0000 00000000 00000000", Assignment)[0].identity(first) != alone.identity(first)
