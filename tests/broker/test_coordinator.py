"""The simulated coordinator against a real broker: the same requests in the same order get the same
answers, and lead to the same group."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from kproto.fuzz.building import JavaUnavailable
from kproto.rebalance.simulation import Setup
from tests.broker.broker import Broker, running_broker
from tests.broker.mirror import OPENING_MS, AnotherLeaderError, mirrored
from tests.conftest import do_without
from tests.rebalance.simulation.explore import setup_of
from tests.rebalance.simulation.fate import WAYS
from tests.rebalance.simulation.history import hostile, read_history

HISTORIES = sorted(
    (Path(__file__).parent.parent / "rebalance" / "simulation" / "found").glob("*.json")
)
SETTINGS = f"group.initial.rebalance.delay.ms={OPENING_MS}\n"
TIMERS = frozenset({"session expires", "pending expires", "time out"})


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker of this module's own."""
    try:
        with running_broker(tmp_path_factory.mktemp("patient"), SETTINGS) as broker:
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


LONG = {"static-id-expired-and-lost-with-its-coordinator"}
"""Histories in which a session of a minute expires."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.long] * (path.stem in LONG)) for path in HISTORIES],
    ids=lambda path: path.stem,
)
def test_what_was_found_once(patient: Broker, path: Path) -> None:
    history = read_history(path)
    setup = setup_of(history)
    assert isinstance(setup, Setup)
    with mirrored(setup, patient, path.stem) as mirror:
        for name in history.moves:
            mirror.go_by_name(name)
        mirror.rest()


@pytest.mark.parametrize("number", range(8))
def test_drawn_orders(patient: Broker, number: int) -> None:
    """What can happen without waiting for a timer of the coordinator, in any order."""
    # Of a live broker, whose timers run: an order cannot be tried again in part.
    drawn = random.Random(number)  # noqa: S311
    path = drawn.choice(WAYS)
    setup = hostile(path, [drawn.random() < 0.5 for _ in range(3)])
    setup = replace(setup, kinds=frozenset({"crash", "disconnect", "hang"}))
    with mirrored(setup, patient, f"drawn-{number}") as mirror, suppress(AnotherLeaderError):
        for _ in range(80):
            waits = TIMERS - {"time out"} if mirror.coordinator.opening else TIMERS
            moves = [move for move in mirror.model.moves(mirror.group) if move.kind not in waits]
            if not moves:
                break
            quiet = [move for move in moves if not move.fault]
            mirror.go(drawn.choice(quiet if quiet and drawn.random() < 0.9 else moves))
        mirror.rest()
