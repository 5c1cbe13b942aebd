"""The testees for tests: one that cannot be had here is done without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from kproto.fuzz.conformance.limits import Limits
from kproto.fuzz.conformance.remote import NoTestee, Remote
from kproto.fuzz.oracles.java import JavaUnavailable
from kproto.fuzz.testees import TESTEES, Unavailable, command

from ..conftest import do_without


@contextmanager
def remote_of(name: str, limits: Limits | None = None) -> Iterator[Remote]:
    """A testee, asked with patience. Skips without its tools, but not where Java is required."""
    try:
        remote = Remote(command(name), limits or Limits(reply_seconds=5, failures_of_a_kind=8))
    except (Unavailable, NoTestee) as reason:
        if TESTEES[name].language == "Java":
            do_without(JavaUnavailable(str(reason)))
        pytest.skip(f"no {name}: {reason}")
    with closing(remote):
        yield remote
