"""The rules of clients' code, held to what these clients did with every measured input."""

from __future__ import annotations

import pytest

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.inspector.diagnose.client_rules import walked
from kproto.inspector.diagnose.client_walks import Walked
from kproto.inspector.diagnose.readers import (
    FAILS,
    READS,
    READS_OTHERWISE,
    REFUSES,
    TAKES,
    UNKNOWN,
    Reader,
    measured,
)

SUBSCRIPTION, ASSIGNMENT = ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME
MEANING = {
    READS: Walked.READ,
    READS_OTHERWISE: Walked.READ_OTHERWISE,
    TAKES: Walked.TAKEN,
    REFUSES: Walked.REFUSED,
    FAILS: Walked.DIED,
}
# C, as a whole consumer.
WITHOUT_RULES = {"librdkafka", "confluent-kafka-go", "kafka-javascript", "rdkafka"}


@pytest.mark.parametrize("reader", measured().readers, ids=lambda reader: reader.name)
def test_the_rules_say_what_was_measured(reader: Reader) -> None:
    if reader.name in WITHOUT_RULES:
        assert walked(reader.name, SUBSCRIPTION, b"") is None
        return
    asked = uncertain = 0
    for item, does in zip(measured().inputs, reader.does, strict=True):
        if does == UNKNOWN:
            continue
        how = walked(reader.name, item.message, item.data)
        asked += 1
        uncertain += how is Walked.UNCERTAIN
        assert how in (Walked.UNCERTAIN, MEANING[does]), item.data.hex()
    assert uncertain < asked / 7


ENTRY = "000171 00000001 00000003"  # partition 3 of q


# By hand, from the source of each, and confirmed by `kproto conform --testee READER --ask`.
@pytest.mark.parametrize(
    ("reader", "name", "data", "how"),
    [
        # A length of -2 leads KafkaJS back, so the next two topics are that length again.
        ("kafkajs", SUBSCRIPTION, "0000 00000003 fffe fffe 00000000", Walked.TAKEN),
        # The same until there is no memory left; or as long as somebody waits.
        ("kafkajs", SUBSCRIPTION, "0000 7ffffff0 fffe", Walked.DIED),
        ("kafkajs", SUBSCRIPTION, "0000 01fffff0 fffe", Walked.UNCERTAIN),
        # A map has a topic once: the second entry replaces the first.
        ("sarama", ASSIGNMENT, f"0000 00000002 {ENTRY} 000171 00000000 ffffffff",
         Walked.READ_OTHERWISE),
        ("kafka-python", ASSIGNMENT, f"0000 00000002 {ENTRY} 000171 00000000 ffffffff",
         Walked.READ),
        # kmsg checks a count against the bytes; the Rust crate reserves 56 bytes for each element.
        ("franz-go-kmsg", ASSIGNMENT, "0000 33333333", Walked.REFUSED),
        ("kafka-protocol", ASSIGNMENT, "0000 33333333", Walked.DIED),
        # An array of kafka-go's Client ends where the bytes end, its last element zero.
        ("kafka-go-client", SUBSCRIPTION, f"0001 00000000 ffffffff 00000002 {ENTRY}",
         Walked.TAKEN),
        ("kafka-go-reader", SUBSCRIPTION, "0001 00000000 ffffffff 00000000", Walked.REFUSED),
        # Label 1 with the body of version 0.
        ("sarama", SUBSCRIPTION, "0001 00000001 000171 ffffffff", Walked.TAKEN),
        ("franz-go-kgo", SUBSCRIPTION, "0001 00000001 000171 ffffffff", Walked.TAKEN),
        ("java-4.4", SUBSCRIPTION, "0001 00000001 000171 ffffffff", Walked.REFUSED),
        # Labels 2 and 3 with the body of version 1: for Java 2.4 these are versions to come.
        ("java-2.4", SUBSCRIPTION, "0002 00000001 000171 ffffffff 00000000", Walked.TAKEN),
        ("platformatic", SUBSCRIPTION, "0003 00000001 000171 ffffffff 00000000", Walked.TAKEN),
        # Go and Java see a different number of characters in what is no UTF-8.
        ("sarama", SUBSCRIPTION, "0000 00000001 0003 eda081 ffffffff", Walked.READ_OTHERWISE),
        ("aiokafka", SUBSCRIPTION, "0000 00000001 0003 eda081 ffffffff", Walked.REFUSED),
    ],
)  # fmt: skip
def test_what_follows_from_the_source(reader: str, name: str, data: str, how: Walked) -> None:
    assert walked(reader, name, bytes.fromhex(data)) is how
