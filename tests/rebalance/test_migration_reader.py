"""The bytes of members as a 4.3.1 coordinator reads them, asked of its own classes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.rebalance.migration.embedded import Unreadable, read_embedded
from tests.rebalance.odd_bytes import TOPICS, assignment, spoiled, subscription
from tests.schemas.java import FindClass, Refused, attempt

INPUTS = 3000


@pytest.fixture(scope="module")
def protocol(find: FindClass) -> Any:
    """ConsumerProtocol of the broker's release."""
    return find("org.apache.kafka.clients.consumer.internals.ConsumerProtocol")


def kind(answer: Any) -> str:
    """Return what the coordinator makes of an answer: it expects SchemaException alone."""
    if not isinstance(answer, Refused):
        return "read"
    return "malformed" if "SchemaException" in answer.error else "unexpected"


def test_subscriptions_fail_as_they_do_in_the_coordinator(
    protocol: Any, rng: random.Random
) -> None:
    seen = set()
    for _ in range(INPUTS):
        data = spoiled(rng, subscription(rng))
        expected = kind(attempt(protocol.deserializeConsumerProtocolSubscription, data))
        assert foretold(data, ConsumerProtocolSubscription) == expected, data.hex()
        seen.add(expected)
    assert seen == {"read", "malformed", "unexpected"}


def test_assignments_fail_as_they_do_in_the_coordinator(protocol: Any, rng: random.Random) -> None:
    seen = set()
    for _ in range(INPUTS):
        share = {topic: [0, 1] for topic in rng.sample(list(TOPICS), rng.randint(0, 2))}
        data = spoiled(rng, assignment(rng, share, rng.choice([None, b"", b"\x00\x01"])))
        expected = kind(attempt(protocol.deserializeConsumerProtocolAssignment, data))
        assert foretold(data, ConsumerProtocolAssignment) == expected, data.hex()
        seen.add(expected)
    assert seen == {"read", "malformed", "unexpected"}


def foretold(
    data: bytes, cls: type[ConsumerProtocolSubscription] | type[ConsumerProtocolAssignment]
) -> str:
    read = read_embedded(data, cls)
    if not isinstance(read, Unreadable):
        return "read"
    return "malformed" if read.expected else "unexpected"
