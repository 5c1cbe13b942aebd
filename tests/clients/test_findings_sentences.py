"""docs/findings: sentences about clients that no command of their page shows, each with the
question to the client itself. `tests/fuzz/test_findings.py` runs the pages' commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from aiokafka import TopicPartition
from aiokafka.coordinator.assignors.sticky import sticky_assignor as aiokafka_sticky

from kproto.clients.consequences import FAILS, READS, READS_OTHERWISE, REFUSES, TAKES
from kproto.clients.group_runs import runs
from kproto.fuzz.conformance.matrix.measure import outcome
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.subject import Written

from ..fuzz.client_remotes import parameters, remote_of

FOLDER = Path(__file__).parents[2] / "docs" / "findings"
SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"


class Claim(NamedTuple):
    """A sentence of a page, and what each of these clients does with the bytes that it is about."""

    page: str
    sentence: str
    adapters: tuple[str, ...]
    message: str
    data: str
    does: str


def named(size: int) -> str:
    """An assignment of a partition of a topic with a name of so many bytes."""
    return f"0000 00000001 {size:04x} {size * '78'} 00000001 00000000 ffffffff"


TWICE = "0000 00000002 000161 00000001 00000000 000161 00000001 00000001 ffffffff"
NO_UTF8 = "0000 00000001 0002ff61 00000001 00000000 ffffffff"
NEGATIVE = "ffff 00000001 000161 ffffffff"
MUCH = "0000 7fffffff 000161"
LIBRDKAFKA = ("librdkafka-2.0", "confluent-kafka-go", "rdkafka", "kafka-javascript")
EIGHT = ("franz-go-kgo", "franz-go-kgo-1.14", "kafka-go-reader", "kafka-python-2", "kafkajs",
         "kafkajs-1.16", "librdkafka-2.0", "platformatic", "sarama-1.40")  # fmt: skip

CLAIMS = (
    Claim("a-topic-twice", "Sarama 1.40.1 and 1.61.1, KafkaJS 1.16.0 and 2.2.4",
          ("sarama-1.40", "kafkajs-1.16", "franz-go-kgo-1.14"), ASSIGNMENT, TWICE, READS_OTHERWISE),
    Claim("a-topic-twice", "kafka-go's Client merges them, unless they are owned partitions",
          ("kafka-go-client",), SUBSCRIPTION,
          f"0001 00000001 000161 ffffffff {TWICE[5:-9]}", READS_OTHERWISE),
    Claim("librdkafka-long-topic-name", "names a topic of 512 bytes takes it",
          ("librdkafka", *LIBRDKAFKA), ASSIGNMENT, named(512), READS),
    Claim("librdkafka-long-topic-name", "of 513, 1,025 and 32,767 bytes it dies of",
          ("librdkafka", "rdkafka"), ASSIGNMENT, named(513), FAILS),
    Claim("librdkafka-long-topic-name", "of 513, 1,025 and 32,767 bytes it dies of",
          ("librdkafka",), ASSIGNMENT, named(1025), FAILS),
    Claim("librdkafka-long-topic-name", "of 513, 1,025 and 32,767 bytes it dies of",
          ("librdkafka",), ASSIGNMENT, named(32_767), FAILS),
    Claim("librdkafka-members-left-out", "2.16.0, all that were measured",
          LIBRDKAFKA, SUBSCRIPTION, "0000 00000000 ffffffff", REFUSES),
    Claim("librdkafka-names-cut-at-nul", "2.16.0, all that were measured",
          LIBRDKAFKA, SUBSCRIPTION, "0000 00000001 0003610062 ffffffff", READS_OTHERWISE),
    Claim("librdkafka-no-metadata", "2.16.0, all that were measured",
          LIBRDKAFKA, SUBSCRIPTION, "", FAILS),
    Claim("librdkafka-counts-are-reserved", "Counts above 1,000,000 are refused",
          ("librdkafka",), ASSIGNMENT, "0000 000f4241", REFUSES),
    Claim("confluent-kafka-unicode-decode-error", "the one for JavaScript with U+FFFD in it",
          ("kafka-javascript",), ASSIGNMENT, NO_UTF8, READS),
    Claim("confluent-kafka-unicode-decode-error", "kafka-python refuses the name, too",
          ("kafka-python",), ASSIGNMENT, NO_UTF8, REFUSES),
    Claim("kafka-go-counts-are-allocated", "the subscriptions of others it checks first",
          ("kafka-go-reader", "kafka-go-describe"), SUBSCRIPTION, MUCH, REFUSES),
    Claim("kafka-go-counts-are-allocated", "as DescribeGroups checks both",
          ("kafka-go-describe",), ASSIGNMENT, MUCH, REFUSES),
    Claim("kafka-go-describe-groups", "versions 0 and 1 were mended",
          ("kafka-go-describe",), SUBSCRIPTION, "0000 00000001 000161 ffffffff", READS),
    Claim("kafka-go-describe-groups", "versions 0 and 1 were mended",
          ("kafka-go-describe",), SUBSCRIPTION, "0001 00000001 000161 ffffffff 00000000", READS),
    Claim("kafka-go-client-version-0", "kafka-go's own DescribeGroups does",
          ("kafka-go-describe",), SUBSCRIPTION, "0000 00000001 000161 ffffffff", READS),
    Claim("kafka-javascript-empty-topic-name", "The library itself, and its other bindings, take",
          ("librdkafka", "rdkafka"), ASSIGNMENT,
          "0000 00000001 0000 00000001 00011170 ffffffff", READS),
    Claim("kafkajs-and-platformatic-negative-lengths", "KafkaJS 1.16.0 and 2.2.4",
          ("kafkajs-1.16",), SUBSCRIPTION, "0000 7fffffff fffe", FAILS),
    Claim("kafkajs-topic-null", "1.16.0 and 2.2.4, all that were measured",
          ("kafkajs-1.16",), ASSIGNMENT, "0000 00000001 ffff 00000001 00000000 ffffffff", TAKES),
    Claim("kafkajs-user-data-cut-short", "1.16.0 and 2.2.4, all that were measured",
          ("kafkajs-1.16",), SUBSCRIPTION, "0000 00000001 000161 00000005 6162", TAKES),
    Claim("kio-counts-are-allocated", "so do the other Python clients in effect",
          ("aiokafka", "kafka-python-2"), SUBSCRIPTION, MUCH, REFUSES),
    Claim("negative-versions", "Sarama 1.40.1 and 1.61.1", EIGHT, SUBSCRIPTION, NEGATIVE, TAKES),
    Claim("sarama-newer-versions", "The reader knows versions 0 to 3",
          ("sarama",), SUBSCRIPTION, "0003 00000001 000161 ffffffff 00000000 00000007 ffff", READS),
    Claim("kafka-python-and-aiokafka-nulls", "Both libraries read all arrays and strings",
          ("kafka-python", "aiokafka", "kafka-python-2"), ASSIGNMENT,
          "0000 00000001 000161 ffffffff ffffffff", TAKES),
)  # fmt: skip


def prose(page: str) -> str:
    """The text of a page, without its line ends."""
    return " ".join((FOLDER / f"{page}.md").read_text("utf-8").split())


def test_the_sentences_are_on_their_pages() -> None:
    for claim in CLAIMS:
        assert claim.sentence in prose(claim.page), claim


CLIENTS = sorted({adapter for claim in CLAIMS for adapter in claim.adapters})


@pytest.mark.parametrize("name", parameters(CLIENTS))
def test_the_client_does_what_the_sentence_says(name: str) -> None:
    with remote_of(name) as remote:
        for claim in CLAIMS:
            if name in claim.adapters:
                case = Case(claim.message, bytes.fromhex(claim.data))
                does, detail = outcome(case, remote.decode(case.name, case.data))
                assert does == claim.does, (claim.page, claim.sentence, detail)


_STICKY = bytes.fromhex("00000001000161000000010000000000000007")
STICKY = {"previousAssignment": [{"topic": "a", "partitions": [0]}], "generation": 7}


@pytest.mark.parametrize("name", parameters(["kafka-python-2", "sarama", "franz-go-kmsg"]))
def test_who_writes_sticky_user_data_without_a_version(name: str) -> None:
    text = "kafka-python 2, aiokafka, Sarama, franz-go and librdkafka write it so"
    assert text in prose("kafka-python-sticky-user-data")
    with remote_of(name) as remote:
        written = remote.encode("StickyAssignorUserData", 1, STICKY)
    assert written == Written(_STICKY)


def test_aiokafka_writes_it_so() -> None:
    metadata = aiokafka_sticky.StickyPartitionAssignor._metadata(["a"], [TopicPartition("a", 0)], 7)
    assert metadata.user_data == _STICKY


def test_what_leaders_do_with_a_reader_of_kafka_go() -> None:
    """The runs of real leaders (`group_runs`) are what the page says of them."""
    page = prose("kafka-go-version-field")
    assert re.search("a Java or kafka-python leader cannot assign anything to anybody", page)
    assert "librdkafka leaves the member out" in page
    then = {run.client: run.then for run in runs("KP040", SUBSCRIPTION)}
    assert then["kafka-clients"] == then["kafka-python"] == "raises an error"
    assert then["librdkafka"] == "leaves the member out"
