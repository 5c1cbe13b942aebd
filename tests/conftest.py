"""Fixtures that more than one room's tests share."""

from __future__ import annotations

import os
import random
from typing import NoReturn

import pytest
from hypothesis import settings

from kproto.fuzz.oracles.java import JavaOracle, JavaUnavailable
from kproto.pipeline.java import NoJava


def do_without(reason: JavaUnavailable | NoJava) -> NoReturn:
    """Skip what needs Java, unless KPROTO_REQUIRE_JAVA=1 forbids it."""
    if os.environ.get("KPROTO_REQUIRE_JAVA") == "1":
        pytest.fail(f"Java is required here: {reason}")
    pytest.skip(f"no Java: {reason}")


@pytest.fixture(scope="session")
def java_oracle() -> JavaOracle:
    """Apache Kafka's own classes; skips without them, unless KPROTO_REQUIRE_JAVA=1 forbids it."""
    try:
        return JavaOracle()
    except JavaUnavailable as reason:
        do_without(reason)


@pytest.fixture
def rng() -> random.Random:
    """Fresh at every run. Where a test fails, its seed stands in the captured output."""
    seed = int(os.environ.get("KPROTO_SEED") or random.SystemRandom().getrandbits(64))
    print(f"KPROTO_SEED={seed} repeats this run")
    return random.Random(seed)  # noqa: S311


# HYPOTHESIS_PROFILE=deep for campaigns; quick is every run's. No deadline: the machines that run
# the tests are shared, and a slow moment is not a failure.
settings.register_profile("quick", max_examples=60, deadline=None, print_blob=True)
settings.register_profile("deep", settings.get_profile("quick"), max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
