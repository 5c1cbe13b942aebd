"""The rules of clients' code, held to what these clients did with every measured input."""

from __future__ import annotations

import pytest

from kproto.clients.consequences import (
    FAILS,
    NOT_KNOWN,
    READS,
    READS_OTHERWISE,
    REFUSES,
    TAKES,
    UNKNOWN,
)
from kproto.clients.reader_rules import outcome_by_rules
from kproto.clients.readers import Reader, measured_readers
from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription

SUBSCRIPTION, ASSIGNMENT = ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME


@pytest.mark.parametrize("reader", measured_readers().readers, ids=lambda reader: reader.name)
def test_the_rules_say_what_was_measured(reader: Reader) -> None:
    asked = uncertain = 0
    for item, does in zip(measured_readers().inputs, reader.does, strict=True):
        if does == UNKNOWN:
            continue
        how = outcome_by_rules(reader.name, item.message, item.data)
        asked += 1
        uncertain += how == NOT_KNOWN
        assert how in (NOT_KNOWN, does), item.data.hex()
    assert uncertain < asked / 7


ENTRY = "000171 00000001 00000003"  # partition 3 of q


# By hand, from the source of each, and confirmed by `kproto conform --adapter READER --ask`.
@pytest.mark.parametrize(
    ("reader", "name", "data", "how"),
    [
        # A length of -2 leads KafkaJS back, so the next two topics are that length again.
        ("kafkajs", SUBSCRIPTION, "0000 00000003 fffe fffe 00000000", TAKES),
        # The same until there is no memory left; or as long as somebody waits.
        ("kafkajs", SUBSCRIPTION, "0000 7ffffff0 fffe", FAILS),
        ("kafkajs", SUBSCRIPTION, "0000 01fffff0 fffe", NOT_KNOWN),
        # A map has a topic once: the second entry replaces the first.
        ("sarama", ASSIGNMENT, f"0000 00000002 {ENTRY} 000171 00000000 ffffffff",
         READS_OTHERWISE),
        ("kafka-python", ASSIGNMENT, f"0000 00000002 {ENTRY} 000171 00000000 ffffffff",
         READS),
        # kmsg checks a count against the bytes; the Rust crate reserves 56 bytes for each element.
        ("franz-go-kmsg", ASSIGNMENT, "0000 33333333", REFUSES),
        ("kafka-protocol", ASSIGNMENT, "0000 33333333", FAILS),
        # An array of kafka-go's Client ends where the bytes end, its last element zero.
        ("kafka-go-client", SUBSCRIPTION, f"0001 00000000 ffffffff 00000002 {ENTRY}",
         TAKES),
        ("kafka-go-reader", SUBSCRIPTION, "0001 00000000 ffffffff 00000000", REFUSES),
        # Label 1 with the body of version 0.
        ("sarama", SUBSCRIPTION, "0001 00000001 000171 ffffffff", TAKES),
        ("franz-go-kgo", SUBSCRIPTION, "0001 00000001 000171 ffffffff", TAKES),
        ("java-4.4", SUBSCRIPTION, "0001 00000001 000171 ffffffff", REFUSES),
        # Labels 2 and 3 with the body of version 1: for Java 2.4 these are versions to come.
        ("java-2.4", SUBSCRIPTION, "0002 00000001 000171 ffffffff 00000000", TAKES),
        ("platformatic", SUBSCRIPTION, "0003 00000001 000171 ffffffff 00000000", TAKES),
        # Go and Java see a different number of characters in what is no UTF-8.
        ("sarama", SUBSCRIPTION, "0000 00000001 0003 eda081 ffffffff", READS_OTHERWISE),
        ("aiokafka", SUBSCRIPTION, "0000 00000001 0003 eda081 ffffffff", REFUSES),
    ],
)  # fmt: skip
def test_what_follows_from_the_source(reader: str, name: str, data: str, how: str) -> None:
    assert outcome_by_rules(reader, name, bytes.fromhex(data)) == how


def assigned(size: int, partitions: str) -> str:
    """An assignment of a topic with a name of so many bytes."""
    return f"0000 00000001 {size:04x} {size * '78'} {partitions} ffffffff"


NO_UTF8 = "0000 00000001 0001ff 00000001 00000000 ffffffff"
ONE, TWICE, NONE = "00000001 00000000", "00000002 00000003 00000003", "00000000"


# From rdkafka_cgrp.c, rdkafka_topic.c and rdkafka_assignment.c, and the sources of the bindings.
@pytest.mark.parametrize(
    ("reader", "name", "data", "how"),
    [
        ("librdkafka", SUBSCRIPTION, "", FAILS),  # the assertion of a slice of no bytes
        ("librdkafka", ASSIGNMENT, "", TAKES),
        ("librdkafka", SUBSCRIPTION, "0000 00000000 ffffffff", REFUSES),  # 1 to 10,000 topics
        ("librdkafka", SUBSCRIPTION, "0000 00002711", REFUSES),
        # A list that is null is none of partitions, and an error of topics.
        ("librdkafka", ASSIGNMENT, "0004 00000001 000161 ffffffff 00000000", TAKES),
        ("librdkafka", ASSIGNMENT, "0000 ffffffff ffffffff", REFUSES),
        # A partition of a topic of 513 bytes is a null pointer, where there is a partition.
        ("librdkafka", ASSIGNMENT, assigned(512, ONE), READS),
        ("librdkafka", ASSIGNMENT, assigned(513, ONE), FAILS),
        ("librdkafka", ASSIGNMENT, assigned(513, NONE), READS),
        ("librdkafka", SUBSCRIPTION, f"0000 00000001 0201 {513 * '78'} ffffffff", READS),
        ("librdkafka", ASSIGNMENT, assigned(1, TWICE), REFUSES),
        # Bindings make text of a name that is not UTF-8: an exception, U+FFFD, a panic.
        ("librdkafka", ASSIGNMENT, NO_UTF8, REFUSES),
        ("kafka-javascript", ASSIGNMENT, NO_UTF8, READS),
        ("rdkafka", ASSIGNMENT, NO_UTF8, FAILS),
        ("confluent-kafka-go", ASSIGNMENT, NO_UTF8, READS),
        ("kafka-javascript", ASSIGNMENT, assigned(0, ONE), REFUSES),
        # The one for JavaScript makes -1 of both partitions.
        ("kafka-javascript", ASSIGNMENT, assigned(1, "00000002 ffffffff fffffffe"), REFUSES),
    ],
)
def test_what_follows_from_the_source_of_librdkafka(
    reader: str, name: str, data: str, how: str
) -> None:
    assert outcome_by_rules(reader, name, bytes.fromhex(data)) == how


def test_more_partitions_than_librdkafka_assigns_in_a_second() -> None:
    many = "".join(f"{number:08x}" for number in range(20_000))
    data = bytes.fromhex(assigned(1, f"{20_000:08x} {many}"))
    assert outcome_by_rules("librdkafka", ASSIGNMENT, data) == NOT_KNOWN
    assert outcome_by_rules("java-4.4", ASSIGNMENT, data) == READS
