"""The bytes of members as a 4.3.1 coordinator reads them, asked of its own classes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.rebalance.migration.judge import Unreadable, read_embedded
from tests.rebalance.odd_bytes import TOPICS, assignment, spoiled, subscription
from tests.schemas.java import FindClass, Refused, attempt

INPUTS = 3000

many = settings(max_examples=6 * settings().max_examples)


@pytest.fixture(scope="module")
def protocol(find: FindClass) -> Any:
    """ConsumerProtocol of the broker's release."""
    return find("org.apache.kafka.clients.consumer.internals.ConsumerProtocol")


def kind(answer: Any) -> str:
    """Return what the coordinator makes of an answer: it expects SchemaException alone."""
    if not isinstance(answer, Refused):
        return "read"
    return "malformed" if "SchemaException" in answer.error else "unexpected"


def odd_subscription(rng: random.Random) -> bytes:
    return spoiled(rng, subscription(rng))


def odd_assignment(rng: random.Random) -> bytes:
    share = {topic: [0, 1] for topic in rng.sample(list(TOPICS), rng.randint(0, 2))}
    return spoiled(rng, assignment(rng, share, rng.choice([None, b"", b"\x00\x01"])))


@many
@given(data=st.randoms(use_true_random=False).map(odd_subscription))
def test_subscriptions_fail_as_they_do_in_the_coordinator(protocol: Any, data: bytes) -> None:
    expected = kind(attempt(protocol.deserializeConsumerProtocolSubscription, data))
    assert foretold(data, ConsumerProtocolSubscription) == expected


@many
@given(data=st.randoms(use_true_random=False).map(odd_assignment))
def test_assignments_fail_as_they_do_in_the_coordinator(protocol: Any, data: bytes) -> None:
    expected = kind(attempt(protocol.deserializeConsumerProtocolAssignment, data))
    assert foretold(data, ConsumerProtocolAssignment) == expected


def test_inputs_are_of_every_kind(rng: random.Random) -> None:
    """A count over many inputs, of which none fails by itself."""
    every = {"read", "malformed", "unexpected"}
    drawn = range(INPUTS)
    assert {foretold(odd_subscription(rng), ConsumerProtocolSubscription) for _ in drawn} == every
    assert {foretold(odd_assignment(rng), ConsumerProtocolAssignment) for _ in drawn} == every


def foretold(
    data: bytes, cls: type[ConsumerProtocolSubscription] | type[ConsumerProtocolAssignment]
) -> str:
    read = read_embedded(data, cls)
    if not isinstance(read, Unreadable):
        return "read"
    return "malformed" if read.expected else "unexpected"
