"""The bytes of members as a 4.3.1 coordinator reads them, asked of its own classes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.fuzz.oracles.java import JavaOracle, JavaUnavailable
from kproto.fuzz.oracles.java.toolchain import fetch_jars
from kproto.rebalance.migration.embedded import Unreadable, read_embedded
from tests.conftest import do_without
from tests.rebalance.odd_bytes import TOPICS, assignment, spoiled, subscription
from tests.schemas.java import Refused, attempt, class_loader

POM = Path(__file__).parent.parent / "broker" / "pom.xml"
INPUTS = 3000


@pytest.fixture(scope="module")
def protocol(java_oracle: JavaOracle) -> Any:
    """ConsumerProtocol of the broker's release; the oracle has started the JVM."""
    try:
        jars = sorted(fetch_jars(POM.read_bytes()).glob("*.jar"))
    except JavaUnavailable as reason:
        do_without(reason)
    return class_loader(jars)("org.apache.kafka.clients.consumer.internals.ConsumerProtocol")


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
