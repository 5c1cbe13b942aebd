"""kafka-python, aiokafka and kio as judges: what they say differently is known, and still so."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from kproto.fuzz.conformance.inputs import inputs
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.oracles.python_clients import ORACLES, ClientOracle, ClientUnavailable
from kproto.fuzz.subject import Read, Written

from .known_differences import Difference, known_differences, still_shows, unexplained


def oracle_of(client: str) -> ClientOracle:
    try:
        return ORACLES[client]()
    except ClientUnavailable as reason:
        pytest.skip(str(reason))


@cache
def cases(names: tuple[str, ...]) -> list[Case]:
    return inputs(names, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("client", ORACLES)
def test_nothing_is_left_unexplained(client: str) -> None:
    oracle = oracle_of(client)
    news = [
        (guarantee.title, complaint, str(case))
        for case in cases(oracle.names)[:900]
        for guarantee, complaint in unexplained(oracle, case)
    ]
    assert news == []


@pytest.mark.parametrize(
    "difference", known_differences(), ids=lambda one: f"{one.client}-{one.guarantee.title}"
)
def test_every_witness_still_shows_its_difference(difference: Difference) -> None:
    oracle_of(difference.client)
    assert still_shows(difference)


def test_a_witness_that_shows_nothing_is_noticed() -> None:
    first = known_differences()[0]
    harmless = Case(first.witness.name, bytes.fromhex("00010000000000000007"), 1)
    oracle_of(first.client)
    assert not still_shows(first._replace(client="aiokafka", witness=harmless))


# Bytes that real clients sent, from PEERS' list of first bytes: what each of them reads in them.
SELF: dict[str, tuple[int, dict[str, Any]]] = {
    "000000000001000473656c6600000000": (0, {"topics": ["self"], "userData": ""}),
    "000000000001000473656c66ffffffff": (0, {"topics": ["self"], "userData": None}),
}


@pytest.mark.parametrize("client", ORACLES)
@pytest.mark.parametrize("given", SELF)
def test_what_they_read(client: str, given: str) -> None:
    version, value = SELF[given]
    oracle = oracle_of(client)
    name = "ConsumerProtocolSubscription"
    answer = oracle.decode(name, bytes.fromhex(given) + b"\1\2")
    assert isinstance(answer, Read)
    assert (answer.version, answer.remainder) == (version, b"\1\2")
    assert value.items() <= answer.value.items()
    assert oracle.encode(name, version, value) == Written(bytes.fromhex(given))
