"""`kproto conform` on clients of this environment: what it says of each is known."""

from __future__ import annotations

from functools import cache

import pytest

from kproto.fuzz.conformance.inputs import inputs
from kproto.fuzz.conformance.judging import conform
from kproto.fuzz.conformance.results import ConformanceRun, Status, status_of_all
from kproto.fuzz.guarantees.table import Scope, of_scope

from .client_remotes import parameters, remote_of

ENOUGH = 450  # of the inputs, which come in turns of all kinds
TIMES = {"java": 4, "kafka-python": 6, "kio": 2}
"""Java knows many messages; of kafka-python's, G10 is broken by two or three of all inputs, and so
is kio's G23."""

CLIENTS = {
    # Sticky user data with an int16 in front; null arrays; negative lengths; UTF-8; errors.
    "kafka-python": ("G03 G10 G11 G12", "G22 G23 G24 G25 G28 G29"),
    # Negative versions; the layout of version 0 under every label.
    "aiokafka": ("G07", "G23 G24 G25 G28"),
    # Memory by the count; a newer version has no class.
    "kio": ("G02 G04", "G23 G24 G25 G28"),
    "kproto": ("", ""),
}


@cache
def judged(client: str) -> ConformanceRun:
    with remote_of(client) as remote:
        cases = inputs(remote.hello.names, seed=0)
        cases = cases[: ENOUGH * TIMES.get(client, 1)]
        return conform(remote, cases, of_scope(Scope.REQUIRED, Scope.RECOMMENDED), seed=0)


def broken(run: ConformanceRun, scope: Scope) -> set[str]:
    return {
        guarantee.id
        for guarantee, results in run.by_guarantee()
        if guarantee.scope is scope and status_of_all(results, ()) is Status.BROKEN
    }


@pytest.mark.slow
@pytest.mark.parametrize("client", parameters(CLIENTS))
def test_what_each_client_does_differently(client: str) -> None:
    required, recommended = (set(text.split()) for text in CLIENTS[client])
    run = judged(client)
    # What aborts for want of memory is G02 where its last words were heard, else G01.
    may = {"G01"} if client == "kio" else set()
    assert required <= broken(run, Scope.REQUIRED) <= required | may
    assert broken(run, Scope.RECOMMENDED) == recommended


@pytest.mark.slow
def test_java_is_clean_in_everything_required() -> None:
    run = judged("java")
    assert broken(run, Scope.REQUIRED) == set()
    assert broken(run, Scope.RECOMMENDED) == {"G28"}  # of the messages beside the consumer protocol
    consumer = [r for r in run.results if r.violations and r.name.startswith("ConsumerProtocol")]
    assert consumer == []
    assert run.failures == run.skipped == {}
    assert len(run.names) > 40
