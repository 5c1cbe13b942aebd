"""What the tests of the codec share."""

from __future__ import annotations

import os
import random
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


@pytest.fixture
def rng() -> random.Random:
    """Fresh at every run. Where a test fails, its seed stands in the captured output."""
    seed = int(os.environ.get("KPROTO_SEED") or random.SystemRandom().getrandbits(64))
    print(f"KPROTO_SEED={seed} repeats this run")
    return random.Random(seed)  # noqa: S311
