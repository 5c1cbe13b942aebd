"""The adapters for tests: one that cannot be had here is done without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from kproto.fuzz.building import JavaUnavailable
from kproto.fuzz.clients import CLIENTS, Unavailable, command
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import NoAdapter, Remote

from ..conftest import do_without

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


PATIENT = ProcessLimits(reply_seconds=60, start_seconds=300, run_seconds=1800, failures_of_a_kind=8)
"""For clients that answer: how busy the machine is has no say in what they answer."""

READY = {"aiokafka", "kafka-python", "kproto", "librdkafka"}
"""The clients that come with the environment and answer at once. The others are fetched or built
first; kio comes with it, too, and takes memory and time by the count that is written."""


HEAVY = {"kafka-javascript", "krafka", "rdkafka", "samsa"}
"""The clients whose build, in C and in Rust, takes minutes."""


def parameters(names: Iterable[str]) -> list[ParameterSet]:
    """One for each of these clients; those that are not `READY` are slow, the `HEAVY` ones long."""
    return [pytest.param(name, marks=_marks(name)) for name in names]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    if name in HEAVY:
        return [pytest.mark.long]
    return [] if name in READY else [pytest.mark.slow]


@contextmanager
def remote_of(name: str, limits: ProcessLimits = PATIENT) -> Iterator[Remote]:
    """An adapter, asked with patience. Skips without its tools, but not where Java is required."""
    try:
        remote = Remote(command(name), limits)
    except (Unavailable, NoAdapter) as reason:
        if CLIENTS[name].language == "Java":
            do_without(JavaUnavailable(str(reason)))
        pytest.skip(f"no {name}: {reason}")
    with closing(remote):
        yield remote
