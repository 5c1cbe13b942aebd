"""docs/findings: sentences about clients that no command of their page shows, each with the
question to the client itself. `tests/fuzz/test_findings.py` runs the pages' commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from aiokafka import TopicPartition
from aiokafka.coordinator.assignors.sticky import sticky_assignor as aiokafka_sticky

from kproto.clients.consequences import FAILS, READS, READS_OTHERWISE, REFUSES, TAKES
from kproto.clients.group_runs import runs
from kproto.fuzz.conformance.endurance import endurance, pairs_of
from kproto.fuzz.conformance.matrix.measure import outcome
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.subject import Read, Refused, Written
from kproto.tools.main import main

from ..fuzz.client_remotes import parameters, remote_of
from ..fuzz.test_findings import PAGES, shown

ROOT = Path(__file__).parents[2]
FOLDER, MATRIX = ROOT / "docs" / "findings", ROOT / "docs" / "matrix" / "matrix.json"
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
TOPIC_A = "00000001 000161 ffffffff"
UP_TO_3 = f"{TOPIC_A} 00000000 ffffffff ffff"
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
    Claim("kafka-protocol-counts-are-allocated", "an array of as many elements as the wire says",
          ("kafka-protocol",), ASSIGNMENT, MUCH, FAILS),
    *(Claim("kafka-protocol-newer-versions", "decodes versions 0 to 3 and returns an error for any",
            ("kafka-protocol",), SUBSCRIPTION, data, does)
      for data, does in {"0000" + TOPIC_A: READS, f"0001 {TOPIC_A} 00000000": READS,
                         f"0002 {TOPIC_A} 00000000 ffffffff": READS, "0003" + UP_TO_3: READS,
                         "0004" + UP_TO_3: REFUSES, "7fff" + UP_TO_3: REFUSES,
                         "ffff" + UP_TO_3: REFUSES}.items()),
    Claim("kafka-protocol-newer-versions", "has to pass 3 instead, and to ignore what is left over",
          ("kafka-protocol",), SUBSCRIPTION, f"0003 {UP_TO_3} 07", READS),
    Claim("kafka-go-client-cut-partitions", "that ends in front of its owned partitions is refused",
          ("kafka-go-client",), SUBSCRIPTION, "0001" + TOPIC_A, REFUSES),
    Claim("kafkajs-proto", "1.16.0 and 2.2.4, all that were measured", ("kafkajs", "kafkajs-1.16"),
          ASSIGNMENT, "0000 00000001 00095f5f70726f746f5f5f 00000001 00000000 ffffffff",
          READS_OTHERWISE),
    Claim("rdkafka-topic-no-utf-8", "The library itself takes the assignment",
          ("confluent-kafka-go", "kafka-javascript"), ASSIGNMENT, NO_UTF8, READS),
    Claim("kio-counts-are-allocated", "Apache Kafka compares the count with the bytes",
          ("java",), SUBSCRIPTION, MUCH, REFUSES),
    *(Claim("apache-kafka-join-never-answered", "the reader of kafka-clients 3.9.1 raises the same",
            ("java-3.9",), SUBSCRIPTION, data, REFUSES)
      for data in (MUCH, "0000 fffffffe", "0000 00000001 ffff", "0000 00000001 0005 6162")),
    Claim("kafka-go-and-franz-go-long-names", "Readers refuse the whole message",
          ("java", "sarama", "kafkajs", "kafka-python", "aiokafka", "franz-go-kgo", "librdkafka"),
          SUBSCRIPTION, f"0001 00000001 8000 {32_768 * '78'} ffffffff", REFUSES),
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
                if claim.page == "apache-kafka-join-never-answered":
                    assert "SchemaException" not in detail  # for which the coordinator is prepared


class Writing(NamedTuple):
    """A sentence of a page, and how the bytes begin that these clients write for a subscription."""

    page: str
    sentence: str
    adapters: tuple[str, ...]
    version: int
    topic: str
    begin: str


V1 = ("topics", "userData", "ownedPartitions")
WRITINGS = (
    Writing("kafka-go-and-franz-go-long-names", "kafka-go 0.4.51; franz-go kmsg 1.6.1 and 1.15.1",
            ("kafka-go-client", "franz-go-kmsg", "franz-go-kmsg-1.6"), 1, "x" * 32_768,
            "0001000000018000"),
    Writing("kafka-go-and-franz-go-long-names", "kgo 1.22.3", ("franz-go-kgo",), 3, "x" * 32_768,
            "0003000000018000"),
    Writing("kafka-go-describe-groups", "Java 4.4.0, librdkafka 2.16.0 and franz-go 1.22.3 write",
            ("java-4.4", "librdkafka", "franz-go-kgo"), 3, "a", "0003"),
    Writing("librdkafka-members-left-out", "as kafka-go's Reader writes it",
            ("kafka-go-reader",), 1, "a", f"0001{TOPIC_A}"),
)  # fmt: skip
WRITERS = sorted({adapter for writing in WRITINGS for adapter in writing.adapters})


def test_the_sentences_on_writers_are_on_their_pages() -> None:
    for writing in WRITINGS:
        assert writing.sentence in prose(writing.page), writing


@pytest.mark.parametrize("name", parameters(WRITERS))
def test_the_client_writes_what_the_sentence_says(name: str) -> None:
    with remote_of(name) as remote:
        for writing in WRITINGS:
            if name in writing.adapters:
                value = {"topics": [writing.topic], "userData": None, "ownedPartitions": [],
                         "generationId": -1, "rackId": None}  # fmt: skip
                shown = {key: value[key] for key in (V1 if writing.version == 1 else value)}
                answer = remote.encode(SUBSCRIPTION, writing.version, shown)
                assert isinstance(answer, Written), answer
                assert answer.data.startswith(bytes.fromhex(writing.begin)), writing


@pytest.mark.parametrize("name", parameters(["sarama", "sarama-1.40"]))
def test_what_sarama_shows_for_a_generation_that_is_not_there(name: str) -> None:
    text = "1.61.1; 1.40.1 has no such field. Public issue"
    assert text in prose("sarama-generation")
    with remote_of(name) as remote:
        for data in ("0000" + TOPIC_A, f"0001 {TOPIC_A} 00000000"):
            answer = remote.decode(SUBSCRIPTION, bytes.fromhex(data))
            assert isinstance(answer, Read)
            assert answer.value.get("generationId") == (0 if name == "sarama" else None)


@pytest.mark.parametrize("name", parameters(["sarama", "sarama-1.40"]))
def test_sarama_reads_no_version_of_empty_sticky_user_data(name: str) -> None:
    """`make patches` shows that the plan fails: the patch has a test of it."""
    text = "Of no bytes Sarama reads neither version 1 nor version 0 of it, and returns an error"
    assert text in prose("sarama-sticky-empty-user-data")
    with remote_of(name) as remote:
        answers = [remote.decode("StickyAssignorUserData", b"", version) for version in (0, 1)]
    assert all(isinstance(answer, Refused) for answer in answers), answers


@pytest.mark.parametrize("name", parameters(["librdkafka", "rdkafka"]))
def test_what_librdkafka_reserves_for_a_count(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = prose("librdkafka-counts-are-reserved")
    assert "2.12.1 (rdkafka) and 2.16.0, the two" in page
    text = re.search(r'--input (\w+) --guarantee G02` says "([^"]+)"', page)
    assert text is not None
    with remote_of(name):  # else it cannot be had here
        main(["conform", "--adapter", name, "--input", text[1], "--guarantee", "G02"])
    assert text[2] in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("name", [*LIBRDKAFKA[1:], "librdkafka"])
def test_what_partitions_cost_that_librdkafka_does_not_know(name: str) -> None:
    assert "2.11.1 (confluent-kafka-go), 2.12.1 (rdkafka)" in prose("librdkafka-unknown-partitions")
    with remote_of(name) as remote:
        endurance(remote, [], pairs_of([ASSIGNMENT]))
        complaints = [incident.complaint for incident in remote.incidents]
    assert any(re.search(r"40,000 partitions .* times the", text) for text in complaints)


_STICKY = bytes.fromhex("00000001000161000000010000000000000007")
STICKY = {"previousAssignment": [{"topic": "a", "partitions": [0]}], "generation": 7}


@pytest.mark.parametrize("name", parameters(["kafka-python-2", "sarama", "franz-go-kmsg"]))
def test_who_writes_sticky_user_data_without_a_version(name: str) -> None:
    text = "kafka-python 2, aiokafka, Sarama and franz-go write it so"
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


# -- the class: what a page names is asked

ADAPTERS_OF = {
    "Apache Kafka": "java", "Sarama": "sarama", "KafkaJS": "kafkajs", "kio": "kio",
    "platformatic": "platformatic", "kafka-python": "kafka-python", "aiokafka": "aiokafka",
    "franz-go": "franz-go", "kgo": "franz-go-kgo", "kmsg": "franz-go-kmsg",
    "kafka-go": "kafka-go", "kafka-protocol": "kafka-protocol", "rdkafka": "rdkafka",
    "kafka-javascript": "kafka-javascript", "confluent-kafka-go": "confluent-kafka-go",
    "librdkafka": "librdkafka|confluent-kafka-go|rdkafka|kafka-javascript",
}  # fmt: skip
"""What the adapters of a client begin with, by the name that pages have for it."""
RELEASES = {"2.0.2": "librdkafka-2.0", "2.16.1": "librdkafka", "0.39.0": "rdkafka",
            "1.10.1": "kafka-javascript"}  # fmt: skip
"""The adapters with releases that the matrix does not have: of what is around a library."""
_WRITTEN = "tests/broker/test_findings.py::test_the_version_that_members_write"
_STICKY_OF = "tests/clients/test_findings_sentences.py::"
ELSEWHERE = {
    "apache-kafka-join-never-answered": {
        "4.3.1": "tests/broker/test_migration_facts.py::"
        "test_a_count_that_is_too_large_keeps_the_group_from_every_answer",
    },
    "kafka-go-client-version-0": dict.fromkeys(
        ("KafkaJS", "kafka-python", "aiokafka", "0.14.0", "2.2.4", "3.0.12", "2.4.0"), _WRITTEN
    ),
    "kafka-python-sticky-user-data": {
        "aiokafka": f"{_STICKY_OF}test_aiokafka_writes_it_so",
    },
    "kafka-go-version-field": {"0.4.40": ""},  # of reports, as it says
    "sarama-generation": {"1.40.1": f"{_STICKY_OF}test_what_sarama_shows_for_a_generation"},
    "sarama-sticky-empty-user-data": {
        "1.40.1": f"{_STICKY_OF}test_sarama_reads_no_version_of_empty_sticky_user_data",
    },
    "librdkafka-counts-are-reserved": dict.fromkeys(
        ("rdkafka", "2.12.1"), f"{_STICKY_OF}test_what_librdkafka_reserves_for_a_count"
    ),
    "librdkafka-unknown-partitions": dict.fromkeys(
        ("rdkafka", "kafka-javascript", "confluent-kafka-go", "2.11.1", "2.12.1", "2.15.1"),
        f"{_STICKY_OF}test_what_partitions_cost_that_librdkafka_does_not_know",
    ),
}  # fmt: skip
"""The clients and releases of a page that another test asks."""


def asked_adapters(page: Path) -> set[str]:
    """The adapters that the commands of a page and the tables above ask for it."""
    asked = {one.adapter for one in shown(page)}
    tables = [(claim.page, claim.adapters) for claim in CLAIMS]
    tables += [(writing.page, writing.adapters) for writing in WRITINGS]
    return asked.union(*(adapters for name, adapters in tables if name == page.stem))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_client_and_release_that_a_page_names_is_asked(page: Path) -> None:
    """A sentence about a client has a run of that client; one about a release, of that release."""
    text = page.read_text("utf-8").partition("\n## Patch")[0].partition("\n## To send")[0]
    text = re.sub(r"\nPublic issue: .*?\n\n|```.*?```", "\n", text, flags=re.DOTALL)
    adapters = asked_adapters(page)
    columns = json.loads(MATRIX.read_bytes())["columns"]
    releases = {column["release"] for column in columns if column["name"] in adapters}
    releases |= {release for release, adapter in RELEASES.items() if adapter in adapters}
    names = {name for name in ADAPTERS_OF if re.search(rf"(?<![\w-]){name}(?![\w-])", text)}
    unasked = {
        name for name in names
        if not any(re.match(ADAPTERS_OF[name], adapter) for adapter in adapters)
    }  # fmt: skip
    unasked |= set(re.findall(r"\d+\.\d+\.\d+", text)) - releases
    assert unasked == set(ELSEWHERE.get(page.stem, {})), page


def test_the_other_tests_are_there() -> None:
    for tests in ELSEWHERE.values():
        for file, _, name in (test.partition("::") for test in tests.values() if test):
            assert f"def {name}" in (ROOT / file).read_text("utf-8"), name
