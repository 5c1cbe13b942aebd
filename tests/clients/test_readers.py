"""What readers would do: the table of what was measured, and how it is read."""

from __future__ import annotations

from typing import Any

import pytest

from kproto.clients.consequences import FAILS, NOT_KNOWN, READS, REFUSES, TAKES, UNKNOWN
from kproto.clients.reader_rules import RELEASES
from kproto.clients.readers import (
    from_text,
    measured_readers,
    predict,
    predict_as,
    reader_names,
    select_readers,
    to_text,
    traits,
)
from kproto.codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Message,
    Policy,
    SubscriptionInfoData,
    decode,
)
from kproto.codec.counterexample import sample
from kproto.codec.read.decoding import Decoded
from kproto.fuzz.guarantees.cases import write
from kproto.inspector import examine


def decoded(data: str) -> Decoded[Any]:
    return examine(bytes.fromhex(data)).decoded


def does(data: str, reader: str) -> str:
    seen = decode(bytes.fromhex(data), ConsumerProtocolSubscription, policy=Policy.LENIENT)
    (found,) = predict(seen, [reader])
    return found.does


def test_the_file_there_and_back() -> None:
    table = measured_readers()
    assert from_text(to_text(table).encode()) == table
    assert len(table.readers) >= 10 and len(table.inputs) > 500
    for reader in table.readers:
        assert sum(one == UNKNOWN for one in reader.does) < len(table.inputs) / 3, reader.name


# What was seen of these clients on a real broker, and with their own code.
@pytest.mark.parametrize(
    ("data", "reader", "expected"),
    [
        ("000100000001000161ffffffff", "java-4.4", REFUSES),
        ("000100000001000161ffffffff", "java-2.4", REFUSES),
        ("000100000001000161ffffffff", "kafka-python", REFUSES),
        ("000100000001000161ffffffff", "librdkafka", REFUSES),
        ("000100000001000161ffffffff", "sarama", TAKES),
        ("000100000001000161ffffffff", "franz-go-kgo", TAKES),
        ("000100000001000161ffffffff", "aiokafka", TAKES),
        ("00010000000100066f7264657273ffffffff", "java-4.4", REFUSES),  # another name
        ("00010000000100066f7264657273ffffffff", "kafkajs", TAKES),
        ("00007fffffff000161", "kafka-protocol", FAILS),
        ("00007ffffffffffe", "kafkajs", FAILS),
        ("ffff00000001000161ffffffff", "java-4.4", REFUSES),
        ("ffff00000001000161ffffffff", "aiokafka", TAKES),
        ("ffff00000001000161", "aiokafka", REFUSES),  # read as version 0, and that is refused
        ("ffff00000001000161", "librdkafka", REFUSES),
        # It reserves 16 bytes a topic: 2 GiB, 128 MiB and 8 MiB.
        ("000008000000", "kafka-go-client", FAILS),
        ("000000800000", "kafka-go-client", NOT_KNOWN),
        ("000000080000", "kafka-go-client", REFUSES),
        ("00007fffffff0000", "kafkajs", REFUSES),
        ("ffff00000001000161ffffffff0102", "sarama", REFUSES),
        ("000300000001000161ffffffff00000000ffffffffffff", "java-2.4", READS),
        ("000300000001000161ffffffff00000000ffffffffffff", "kafka-go-describe", REFUSES),
        ("000000000000ffffffff", "librdkafka", REFUSES),
    ],
)
def test_what_is_known_of_them(data: str, reader: str, expected: str) -> None:
    assert does(data, reader) == expected


def test_the_evidence() -> None:
    (exact,) = predict(decoded("000100000001000161ffffffff"), ["sarama"])
    assert exact.exact and exact.differs == () and exact.client.startswith("Sarama ")
    (alike,) = predict(decoded("0001000000010004616c6c61ffffffff"), ["sarama"])
    assert not alike.exact and alike.differs == () and alike.does == exact.does
    odd = ConsumerProtocolSubscription(
        topics=["\0", "__proto__", ""], user_data=b"", rack_id="", generation_id=-7,
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic="", partitions=[-1, -1]),
        ],
    )  # fmt: skip
    (far,) = predict(decoded((odd.to_bytes(3) + b"tail").hex()), ["sarama"])
    assert not far.exact and far.differs
    assert all(" " in one for one in far.differs)


def assigned(entry: ConsumerProtocolAssignment.TopicPartition) -> bytes:
    return ConsumerProtocolAssignment(assigned_partitions=[entry]).to_bytes(1)


def test_no_fields_of_another_input_are_shown_as_those_of_these_bytes() -> None:
    body = "00000001%s00000000"
    readers = ("aiokafka", "kafkajs", "sarama")
    measured, other = (
        predict(decoded("0001" + body % topic), readers)
        for topic in ("00066f7264657273", "000762696c6c696e67")
    )
    assert all(prediction.said.startswith("as {") and prediction.exact for prediction in measured)
    assert [prediction.does for prediction in other] == [TAKES] * 3
    assert not any(prediction.said for prediction in other)


def test_no_name_plays_a_part_but_odd_ones() -> None:
    plain = ConsumerProtocolAssignment.TopicPartition(topic="a", partitions=[0])
    other = ConsumerProtocolAssignment.TopicPartition(topic="orders-eu", partitions=[7, 9])
    name = ConsumerProtocolAssignment.NAME
    one = assigned(plain)
    assert traits(name, one) == traits(name, assigned(other))
    odd = ConsumerProtocolAssignment.TopicPartition(topic="__proto__", partitions=[0])
    assert traits(name, one) != traits(name, assigned(odd))


def test_other_messages_and_bodies_have_no_readers() -> None:
    body = decode(b"\0\0\0\0\xff\xff\xff\xff", ConsumerProtocolSubscription, policy=Policy.LENIENT,
                  body_version=0)  # fmt: skip
    assert predict(body) == ()
    assert predict(decoded("00010003677270000474657374")) == ()
    assert len(predict(decoded("000000000000ffffffff"))) == len(measured_readers().readers)


# What KIP-415 and KIP-268 say of older members, and what their classes were seen to do.
@pytest.mark.parametrize(
    ("reader", "cls", "version", "expected"),
    [
        ("connect-2.2", ConnectProtocolMetadata, 0, READS),
        ("connect-2.2", ConnectProtocolMetadata, 2, READS),  # the fields of version 0
        ("connect-4.3", ConnectProtocolAssignment, 2, READS),
        ("streams-1.1", SubscriptionInfoData, 2, READS),
        ("streams-1.1", SubscriptionInfoData, 3, REFUSES),
        ("streams-2.8", SubscriptionInfoData, 11, READS),  # its head
        ("streams-2.8", AssignmentInfo, 9, READS),
        ("streams-2.8", AssignmentInfo, 11, REFUSES),
        ("streams-4.3", AssignmentInfo, 11, READS),
    ],
)
def test_connect_and_streams(reader: str, cls: type[Message], version: int, expected: str) -> None:
    message = sample(cls, version)
    if isinstance(message, ConnectProtocolMetadata):
        inner = write(sample(ConnectProtocolAssignment, version), version)
        message = message.replace(allocation=inner if version else None)
    data = write(message, version)
    (found,) = predict(decode(data, cls, policy=Policy.LENIENT), ["sarama", reader])
    assert (found.reader, found.does, found.nearest) == (reader, expected, None)
    assert predict(decoded("000000000000ffffffff"), [reader]) == ()


def test_a_count_that_older_streams_trust() -> None:
    count_of_tasks = bytes.fromhex("000000017fffffff00000000")
    older, newer = predict_as(AssignmentInfo.NAME, count_of_tasks, ["streams-2.8", "streams-4.3"])
    assert older.does == NOT_KNOWN and newer.does == REFUSES
    assert older.question == (
        f"kproto conform --adapter streams-2.8 --as AssignmentInfo --ask {count_of_tasks.hex()}"
    )


def test_names() -> None:
    franz_go = select_readers(["franz-go"])  # both of its packages, and their older releases
    assert {"franz-go-kgo", "franz-go-kmsg"} <= set(franz_go)
    assert all(name.startswith("franz-go-") for name in franz_go)
    assert select_readers(["java", "kafka-python"]) == ("java", "kafka-python")
    java = {
        reader.name for reader in measured_readers().readers if "kafka-clients" in reader.client
    }
    assert set(select_readers(["kafka-clients"])) == java > {"java"}
    assert select_readers(["connect"]) == ("connect-2.2", "connect-2.3", "connect-4.3")
    everyone = {*RELEASES, *(reader.name for reader in measured_readers().readers)}
    assert set(select_readers(["all"])) == set(reader_names()) == everyone
    assert len(reader_names()) == len(everyone)
    with pytest.raises(KeyError):
        select_readers(["nobody"])


def test_the_nearest_one_is_mostly_right() -> None:
    """Each input in turn predictions by all the others."""
    table = measured_readers()
    wanted = ("java-4.4", "sarama", "kafkajs", "librdkafka", "kafka-protocol")
    known = {reader.name: reader for reader in table.readers}
    sets = [traits(one.message, one.data) for one in table.inputs]
    right = asked = 0
    for number in range(0, len(sets), 9):
        others = (
            other for other in range(len(sets))
            if other != number and table.inputs[other].message == table.inputs[number].message
        )  # fmt: skip
        nearest = min(others, key=lambda other: len(sets[number] ^ sets[other]))
        for name in wanted:
            asked += 1
            right += known[name].does[number] == known[name].does[nearest]
    assert right / asked > 0.75
