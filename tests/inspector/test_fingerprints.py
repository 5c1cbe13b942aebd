"""Each client's fingerprint holds on its own bytes: all that real clients sent to a broker."""

from __future__ import annotations

import zlib
from collections import Counter

import pytest

from kproto.clients.catalog import writers, writers_of
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    Policy,
    StickyAssignorUserData,
    decode,
)
from kproto.codec.messages import MODULES
from kproto.inspector import examine
from kproto.inspector.diagnose.fingerprints import Fingerprint, fingerprint

from ..schemas.captures import records
from .captured_clients import Release, Written, groups, sent, stored
from .samples import CLIENTS


def judge(one: Written, assignor: str | None) -> Fingerprint:
    return fingerprint(decode(one.data, one.cls, policy=Policy.LENIENT), assignor)


@pytest.fixture(scope="module")
def written() -> list[Written]:
    return list({*stored(), *sent()})


def test_every_client_is_there(written: list[Written]) -> None:
    seen = {one.release for one in written}
    assert {name for name, _ in seen} >= {
        name
        for members in groups().values()
        for name in (member["client"].partition(" ")[0] for member in members)
        if any(member["group_protocol"] == "classic" for member in members)
    }
    assert len(seen) > 20 and len(written) > 500


def test_it_holds_on_each_client_s_own_bytes(written: list[Written]) -> None:
    for one in written:
        for assignor in (None, one.assignor):
            found = judge(one, assignor)
            assert found.allows(*one.release), (one, assignor, found)


def test_what_a_broker_writes_is_told_from_what_a_leader_does() -> None:
    """librdkafka writes assignments of version 0; this group was turned into a classic one."""
    members = [
        member
        for record in records()
        if record.type == GroupMetadataValue.API_KEY and record.value is not None
        if GroupMetadataKey.from_bytes(record.key).group == "mixed.migrate-librdkafka"
        for member in GroupMetadataValue.from_bytes(record.value).members
    ]
    by_broker = [one.assignment for one in members if one.assignment.startswith(b"\0\3")]
    assert by_broker
    for assignment in by_broker:
        found = fingerprint(decode(assignment, ConsumerProtocolAssignment))
        assert found.allows("kafka-broker", "4.3.1")
        assert not found.allows("confluent-kafka", "2.16.1")


def test_it_tells_clients_apart(written: list[Written]) -> None:
    """What is ruled out is worth something: of the clients that were seen, few could have."""
    names = {name for name, _ in {one.release for one in written}}
    left: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for one in written:
        found = judge(one, one.assignor)
        total[one.cls.NAME] += len(names) - 1
        left[one.cls.NAME] += sum(
            any(
                entry.label in found.could
                for entry in writers()
                if name in (entry.name, *entry.also)
            )
            for name in names - {one.release[0]}
        )
    for name, others in total.items():
        assert left[name] < others / 3, (name, left[name], others)


FIRST_BYTES = [  # what real consumers of one topic sent first, and who it cannot have been
    ("kafka-go", ("kafka-go", "0.4.51"), ("kafka-clients", "4.3.1"), ("sarama", "1.61.1")),
    ("Sarama 2.0", ("sarama", "1.61.1"), ("kafka-clients", "4.3.1"), ("aiokafka", "0.14.0")),
    ("Sarama 2.6", ("sarama", "1.61.1"), ("franz-go", "1.22.2"), ("librdkafka", "2.16.1")),
    ("franz-go", ("franz-go", "1.22.2"), ("librdkafka", "2.16.1"), ("sarama", "1.61.1")),
    ("KafkaJS", ("kafkajs", "2.2.4"), ("kafkajs", "2.1.0"), ("franz-go", "1.22.2")),
    (
        "kafka-python 3",
        ("kafka-python", "3.0.12"),
        ("kafka-python", "2.3.3"),
        ("aiokafka", "0.14.0"),
    ),
    ("librdkafka", ("confluent-kafka", "2.16.1"), ("confluent-kafka", "2.0.2"), ("faust", "0.15")),
]


@pytest.mark.parametrize(
    ("name", "writer", "others"), [(one[0], one[1], one[2:]) for one in FIRST_BYTES]
)
def test_first_bytes(name: str, writer: Release, others: tuple[Release, ...]) -> None:
    found = fingerprint(bytes.fromhex(CLIENTS[name]))
    assert found.allows(*writer)
    for other in others:
        assert not found.allows(*other)
        for entry in writers_of(*other):
            assert found.ruled_out[entry.label]


def test_faust_s_json_under_a_label_of_its_own() -> None:
    body = ConsumerProtocolSubscription(topics=["a"], user_data=b'{"__faust": {}}').to_body(0)
    found = fingerprint(b"\0\4" + body)
    assert found.could == ("faust",)
    inside = zlib.compress(b'{"__faust": {}}')
    body = ConsumerProtocolAssignment(user_data=inside).to_body(0)
    found = fingerprint(decode(b"\0\4" + body, ConsumerProtocolAssignment))
    assert found.could == ("faust",)


def test_the_assignor_narrows() -> None:
    """Sticky's layout under `sticky` is Java's too; under `cooperative-sticky` it is not."""
    inside = StickyAssignorUserData(generation=3).to_body(1)
    data = ConsumerProtocolSubscription(topics=["a"], user_data=inside, generation_id=3).to_bytes(3)
    assert fingerprint(data, "sticky").allows("kafka-clients", "4.3.1")
    found = fingerprint(data, "cooperative-sticky")
    assert not found.allows("kafka-clients", "4.3.1")
    assert found.allows("franz-go", "1.22.2")
    assert "has no assignor sticky" in fingerprint(data, "sticky").ruled_out.values()


@pytest.mark.parametrize(("release", "has"), [("1.60.0", False), ("1.60.1", True)])
def test_sarama_has_cooperative_sticky_since_1_60_1(release: str, has: bool) -> None:
    """balance_strategy.go of 1.60.0 has range, roundrobin and sticky alone."""
    (client,) = writers_of("sarama", release)
    named = {name for habit in client.habits for name in habit.assignors}
    assert named - {"cooperative-sticky"} == {"range", "roundrobin", "sticky"}
    assert ("cooperative-sticky" in named) is has


def test_in_short() -> None:
    assert fingerprint(bytes.fromhex(CLIENTS["librdkafka"])).in_short == (
        "librdkafka (2.2 and newer)",
    )
    assert fingerprint(bytes.fromhex(CLIENTS["Sarama 2.0"])).in_short == (
        "franz-go (before 1.14.1)",
        "sarama",
        "platformatic-kafka",
    )


def test_an_assignor_of_a_user_s_own_may_write_what_it_likes() -> None:
    data = b""
    for inside in (None, b"", b"mine", StickyAssignorUserData().to_body(1)):
        data = ConsumerProtocolSubscription(topics=["a"], user_data=inside).to_bytes(3)
        found = fingerprint(data, "of-my-own")
        assert found.allows("kafka-clients", "4.3.1") and found.allows("franz-go", "1.22.2")
        assert not found.allows("librdkafka", "2.16.1")  # which takes none
        assert not found.allows("kafka-clients", "2.4.1")
    assert not fingerprint(data, "range").allows("kafka-clients", "4.3.1")


BROKEN = [
    "0003 00000001 0005 61",
    "0003 00000000 ffffffff 00000000 ffffffff ffff 00",
    "ffff",
    "0000",
]


@pytest.mark.parametrize("given", BROKEN)
def test_nobody_writes_what_cannot_be_read_to_its_end(given: str) -> None:
    seen = decode(bytes.fromhex(given), ConsumerProtocolSubscription, policy=Policy.LENIENT)
    found = fingerprint(seen)
    assert found.could == () and len(found.ruled_out) == len(writers())


def test_where_no_habit_shows() -> None:
    assert fingerprint(GroupMetadataValue().to_bytes()) == Fingerprint((), {})
    empty = decode(b"", ConsumerProtocolAssignment, policy=Policy.LENIENT)
    assert fingerprint(empty) == Fingerprint((), {})


def test_a_topic_that_stands_twice_is_not_java_s() -> None:
    topic = ConsumerProtocolAssignment.TopicPartition
    twice = [topic(topic="a", partitions=[0]), topic(topic="a", partitions=[1])]
    data = ConsumerProtocolAssignment(assigned_partitions=twice).to_bytes(3)
    assert not fingerprint(data).allows("kafka-clients", "4.3.1")


def test_a_client_that_nobody_knows() -> None:
    with pytest.raises(KeyError):
        fingerprint(bytes.fromhex(CLIENTS["KafkaJS"])).allows("pigeon", "1.0")


def test_the_table_speaks_of_what_there_is() -> None:
    layouts = {"null", "empty", "own", "any", "JSON", "zlib-compressed JSON"}
    for client in writers():
        assert client.source and client.habits
        for habit in client.habits:
            assert habit.message in MODULES
            for form in habit.user_data:
                name = form.removeprefix("int16 + ").partition(" v")[0]
                assert form in layouts or name in MODULES
            assert set(habit.rack) <= {"null", "empty", "text"}
            assert set(habit.sorted) <= {"topics", "owned", "partitions"}


# -- of the bytes, not of the reading


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("reader_version", [0, 1, 2, 3])
def test_the_reader_s_version_changes_no_fingerprint(client: str, reader_version: int) -> None:
    data = bytes.fromhex(CLIENTS[client])
    seen = examine(data, reader_version=reader_version).decoded
    assert fingerprint(seen) == fingerprint(data) != Fingerprint((), {})


def test_a_version_without_a_label_is_read_as_it_was_written() -> None:
    data = bytes.fromhex(CLIENTS["librdkafka"])
    whole = decode(data[2:], ConsumerProtocolSubscription, body_version=3)
    old = decode(data[2:], ConsumerProtocolSubscription, body_version=3, reader_version=1)
    assert fingerprint(whole) == fingerprint(old) == fingerprint(data)


EMPTY = bytes.fromhex("000000000000ffffffff")


def test_bytes_that_are_two_messages_rule_nobody_out() -> None:
    """An empty assignment of version 0 has the bytes of an empty subscription."""
    found = fingerprint(EMPTY)
    assert not found.ruled_out
    for cls in (ConsumerProtocolSubscription, ConsumerProtocolAssignment):
        as_one = fingerprint(decode(EMPTY, cls))
        assert as_one.could and as_one.ruled_out  # who says what they are is told
        assert set(as_one.could) <= set(found.could)


def test_what_resembles_nothing_has_no_fingerprint() -> None:
    assert fingerprint(b"\x7fELF" + bytes(200)) == Fingerprint((), {})
