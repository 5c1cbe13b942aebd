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
    expected = {
        (code, form, role, data.hex(), *client)
        for code, form, role, data, client in trials((), ())
    }  # fmt: skip
    runs_of_all = [
        (run.code, run.form, run.role, run.input, run.client, run.release)
        for code in facts() for run in runs(code)
    ]  # fmt: skip
    assert set(runs_of_all) == expected and len(runs_of_all) == len(expected)
    assert {run[-2] for run in runs_of_all} <= clients().keys()


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
        "No leader reads it (with more topics than bytes), since Apache Kafka 4.3.1 does not "
        "complete the rebalance: "
    )
    assert sentences("KP003") == "" and meaning_for_group("KP003") == facts()["KP003"].group


def test_what_clients_do_in_one_form_is_not_said_of_another() -> None:
    new_field = "with the bytes of a new field behind the known ones"
    assert sentences("KP020", SUBSCRIPTION) == (
        "A leader that reads it (with the known fields alone) assigns partitions to the member, "
        f"whatever its client. The same {new_field}, except that sarama tries again and again."
    )
    assert sentences("KP011", SUBSCRIPTION).startswith(
        "No leader reads it (with null as the topics), since Apache Kafka 4.3.1 does not "
    )
    assert "With null as the owned partitions: librdkafka leaves " in sentences("KP011")
    # Clients did the same with both forms: no form is named.
    assert sentences("KP021", SUBSCRIPTION).startswith("A leader that reads it: ")


@pytest.mark.parametrize("message", [SUBSCRIPTION, ASSIGNMENT])
@pytest.mark.parametrize("code", CASES)
def test_each_run_is_in_the_sentences(code: str, message: str) -> None:
    """A client is named with its outcome in the part about its form, or did as the form before."""
    text = sentences(code, message)
    forms = list(dict.fromkeys(run.form for run in runs(code, message)))
    first = {(run.client, run.release): run.then for run in runs(code, message)
             if run.form == forms[0]}  # fmt: skip
    for run in runs(code, message):
        if run.form == forms[0] or first.get((run.client, run.release)) != run.then:
            parts = text.split(". ")
            of_form = [part for part in parts if run.form and run.form in part.lower()]
            part = (of_form or parts)[0]
            assert "whatever its client" in part or run.client in part


@pytest.mark.parametrize("code", CASES)
def test_what_clients_print_is_shown_in_printable_characters(code: str) -> None:
    assert all(line.isascii() and line.isprintable() for line in prints_of(code))
