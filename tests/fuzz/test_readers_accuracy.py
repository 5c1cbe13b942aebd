"""Predictions of `kproto lint --readers`, held to what clients do with bytes of real consumers."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.clients.consequences import NOT_KNOWN, UNKNOWN
from kproto.clients.readers import predict_as
from kproto.fuzz.conformance.matrix.measure import outcome
from kproto.fuzz.guarantees.cases import Case

from .measure_readers import captured, neighbours
from .testee_remotes import READY, parameters, remote_of

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
SUBSCRIPTION = "ConsumerProtocolSubscription"


@pytest.mark.parametrize("name", parameters([*sorted(READY - {"kproto"}), "java-4.4", "sarama"]))
def test_what_is_predicted_of_captured_bytes_is_what_the_client_does(name: str) -> None:
    cases = captured(CAPTURES)
    assert len(cases) > 250
    wrong = []
    with remote_of(name) as remote:
        for case in cases:
            (predicted,) = predict_as(case.name, case.data, (name,))
            does, _ = outcome(case, remote.decode(case.name, case.data))
            if does not in (UNKNOWN, predicted.does):
                wrong.append((case, predicted.does, does))
    assert wrong == []


@pytest.mark.parametrize(
    "name", parameters(["aiokafka", "kafka-python", "kio", "java-4.4", "sarama", "kafka-go-client"])
)
def test_what_is_predicted_of_random_neighbours_is_what_the_client_does(name: str) -> None:
    cases = list(neighbours(200, seed=3))
    wrong, known = [], 0
    with remote_of(name) as remote:
        for case in cases:
            (predicted,) = predict_as(case.name, case.data, (name,))
            does, _ = outcome(case, remote.decode(case.name, case.data))
            known += predicted.does != NOT_KNOWN
            if predicted.does != NOT_KNOWN and does not in (UNKNOWN, predicted.does):
                wrong.append((case, predicted.does, does))
    assert wrong == [] and known > len(cases) / 2


def test_where_nothing_near_was_measured_it_says_how_to_find_out() -> None:
    odd = Case(SUBSCRIPTION, bytes.fromhex("0002 fffffffe 00000001 ff 7fffffff 0102030405"))
    (found,) = predict_as(odd.name, odd.data, ("librdkafka",))
    assert found.does == NOT_KNOWN and found.said == "" and found.differs
    assert found.question == (
        f"kproto conform --testee librdkafka --as {SUBSCRIPTION} --ask {odd.data.hex()}"
    )
