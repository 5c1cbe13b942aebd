"""What the tests of the codec share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kproto.codec import Message, load_definitions
from kproto.fuzz.oracles.java import locate

if TYPE_CHECKING:
    from kproto.fuzz.oracles.java import JavaOracle

REFERENCE_JARS = ("kafka-clients-", "kafka-group-coordinator-")


@pytest.fixture(scope="session")
def reference_classes(java_oracle: JavaOracle) -> dict[str, type[Message]]:
    """A class for every definition in Kafka's own jars; skips as the oracle does."""
    found: dict[str, type[Message]] = {}
    for jar in locate().jars:
        if jar.name.startswith(REFERENCE_JARS):
            found |= load_definitions(jar)
    return found
