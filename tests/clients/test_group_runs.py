"""The runs of real consumers in groups: complete, and about the bytes that they name."""

from __future__ import annotations

import pytest

from kproto.clients.catalog import clients
from kproto.clients.consequences import facts, meaning_for_group
from kproto.clients.group_runs import prints_of, runs, sentences
from kproto.codec import Policy, decode
from kproto.inspector.nested_bytes import Around, all_deviations, open_inside
from tests.broker.measure_consequences import ASSIGNORS, CASES, trials

SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"


def test_each_trial_has_its_run() -> None:
    expected = {(code, role, data.hex(), *client) for code, role, data, client in trials((), ())}
    runs_of_all = [
        (run.code, run.role, run.input, run.client, run.release)
        for code in facts() for run in runs(code)
    ]  # fmt: skip
    assert set(runs_of_all) == expected and len(runs_of_all) == len(expected)
    assert {client for _, _, _, client, _ in runs_of_all} <= clients().keys()


@pytest.mark.parametrize("code", CASES)
def test_the_bytes_of_a_run_have_the_deviation(code: str) -> None:
    for run in runs(code):
        assert run.message == (SUBSCRIPTION if run.role == "leader" else ASSIGNMENT)
        decoded = decode(bytes.fromhex(run.input), run.message, policy=Policy.LENIENT)
        around = Around("consumer", ASSIGNORS.get(code))
        inside = open_inside(decoded, around)
        codes = {deviation.code for deviation in all_deviations(decoded, inside, around)}
        assert code in codes or (code == "KP080" and decoded.error is not None)


# From the reports of those who ran these consumers, and from their source.
@pytest.mark.parametrize(
    ("client", "then", "text"),
    [
        ("kafka-clients", "raises an error", "There are insufficient bytes available to read"),
        ("kafka-python", "raises an error", "unpack requires a buffer of 2 bytes"),
        ("aiokafka", "raises an error", "Unexpected error during coordination"),
        ("franz-go", "tries again and again", "sync assignment parse failed"),
        *(
            (client, "stays without partitions", "")
            for client in (
                "librdkafka",
                "sarama",
                "kafkajs",
                "platformatic-kafka",
                "kafka-go Reader",
            )
        ),
    ],
)
def test_an_assignment_of_no_bytes(client: str, then: str, text: str) -> None:
    chosen = [run for run in runs("KP015", ASSIGNMENT) if run.client == client]
    assert chosen and all(run.then == then and text in run.prints for run in chosen)
    assert bool(text) == any(text in line for line in prints_of("KP015") if text)


def test_sentences() -> None:
    assert sentences("KP015", ASSIGNMENT) == (
        "A member that it is assigned to: kafka-clients, kafka-python and aiokafka raise an error; "
        "librdkafka, sarama, kafkajs, platformatic-kafka and kafka-go Reader stay without "
        "partitions; franz-go tries again and again."
    )
    assert sentences("KP070") == (
        "A leader that reads it: kafka-clients, aiokafka and franz-go assign the member other "
        "partitions than it says it owned; sarama tries again and again; kafka-python assigns "
        "partitions to the member."
    )
    whatever = "A member that it is assigned to stays without partitions, whatever its client."
    assert sentences("KP063", ASSIGNMENT) == whatever
    whatever = (
        "A member that it is assigned to consumes, if anything is assigned, whatever its client."
    )
    assert sentences("KP061", ASSIGNMENT) == whatever  # also where there are none
    assert sentences("KP014", SUBSCRIPTION).startswith(
        "No leader reads it, since Apache Kafka 4.3.1 does not complete the rebalance: "
    )
    assert sentences("KP003") == "" and meaning_for_group("KP003") == facts()["KP003"].group


@pytest.mark.parametrize("code", CASES)
def test_what_clients_print_is_shown_in_printable_characters(code: str) -> None:
    assert all(line.isascii() and line.isprintable() for line in prints_of(code))
