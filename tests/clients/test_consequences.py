"""What becomes of readers: every cell is held to its readers' answers."""

from __future__ import annotations

import pytest

from kproto.clients.catalog import clients, writers_of
from kproto.clients.consequences import (
    FAILS,
    REFUSES,
    TAKES,
    Consequence,
    Role,
    consequences,
    facts,
)
from kproto.clients.readers import measured_readers, predict_as
from kproto.codec import Policy, decode
from kproto.codec.read.deviations import CODES

SUBSCRIPTION = "ConsumerProtocolSubscription"
KNOWN = [consequence for code in facts() for consequence in consequences(code)]


def outcomes(code: str, client: str, release: str, role: Role) -> list[str]:
    """What becomes of a client's release that reads a subscription with the deviation."""
    return [
        known.cell.outcome
        for known in consequences(code)
        if (known.message, known.role, known.cell.client) == (SUBSCRIPTION, role, client)
        and known.cell.covers(release)
    ]


def test_every_code_has_facts() -> None:
    assert list(facts()) == list(CODES)


@pytest.mark.parametrize("code", [code for code in facts() if facts()[code].consequences])
def test_the_input_has_the_deviation(code: str) -> None:
    for consequence in consequences(code):
        decoded = decode(consequence.input, consequence.message, policy=Policy.LENIENT)
        by_error = decoded.error is not None and code == "KP080"  # it ends in a field
        assert by_error or code in {deviation.code for deviation in decoded.deviations}
        assert consequence.role == ("leader" if consequence.message == SUBSCRIPTION else "member")


@pytest.mark.parametrize(
    "consequence", KNOWN, ids=lambda known: f"{known.code}-{known.cell.client}-{known.cell.since}"
)
def test_each_cell_is_what_its_readers_did(consequence: Consequence) -> None:
    cell = consequence.cell
    client, releases = (
        clients()[cell.client],
        {r.name: r.release for r in measured_readers().readers},
    )
    assert cell.since in {"", *(part.since for part in client.writers)}
    readers = [name for name in client.readers if cell.covers(releases[name])]
    predictions = predict_as(consequence.message, consequence.input, readers) if readers else ()
    assert {prediction.does for prediction in predictions} <= {cell.outcome}
    assert bool(predictions) != bool(cell.evidence)


@pytest.mark.parametrize(
    ("code", "client", "release", "outcome"),
    [
        ("KP040", "kafka-clients", "4.3.1", REFUSES),
        ("KP040", "kafka-python", "2.3.3", TAKES),
        ("KP040", "kafka-python", "3.0.12", REFUSES),
        ("KP040", "faust", "0.15", TAKES),
        ("KP015", "librdkafka", "2.16.1", FAILS),
        ("KP010", "aiokafka", "0.14.0", TAKES),
    ],
)
def test_what_becomes_of_a_leader(code: str, client: str, release: str, outcome: str) -> None:
    assert outcomes(code, client, release, "leader") == [outcome]
    assert writers_of(client, release)


def test_what_is_not_known() -> None:
    assert not outcomes("KP040", "pigeon", "1.0", "leader")
    assert not outcomes("KP040", "sarama", "1.61.1", "member")
    assert not outcomes("KP003", "sarama", "1.61.1", "leader")
