"""What the tests of the assignors share."""

from __future__ import annotations

import os
import random

import pytest


@pytest.fixture
def rng() -> random.Random:
    """Fresh at every run. Where a test fails, its seed stands in the captured output."""
    seed = int(os.environ.get("KPROTO_SEED") or random.SystemRandom().getrandbits(64))
    print(f"KPROTO_SEED={seed} repeats this run")
    return random.Random(seed)  # noqa: S311 - not for secrets
