"""Every order of things: nothing is wrong in sound groups, and what was planted is found.

This looks at a part. `make explore` goes everywhere in small groups, and further in larger ones.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from kproto.rebalance.simulation import ExplorationFinding, Setup, explore
from kproto.rebalance.simulation.exploration.explore import STATE_CHECKS
from kproto.rebalance.simulation.exploration.model import Model, begin
from kproto.rebalance.simulation.exploration.state_keys import Keys
from tests.rebalance.simulation.explore import small
from tests.rebalance.simulation.known_bugs import KNOWN_BUGS, SOUND

ASSIGNORS = ["range", "roundrobin", "sticky", "cooperative-sticky", "stream-join"]


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_without_faults_every_order_ends_well(assignor: str) -> None:
    seen = explore(small("a", "b", assignor=assignor, topics=(("t", 2),), faults=0))
    assert seen.complete
    assert not seen.findings
    assert seen.ends > 1
    assert 2 <= seen.rebalances <= 3


def test_a_fault_changes_nothing_of_that() -> None:
    """Complete, for members that die and rebalances that time out."""
    kinds = frozenset({"crash", "time out"})
    seen = explore(replace(SOUND, faults=1, kinds=kinds))
    assert seen.complete
    assert not seen.findings
    assert seen.rebalances <= 4


@pytest.mark.parametrize("kind", ["hang", "expire", "disconnect"])
def test_the_first_thousands_of_states_with_faults(kind: str) -> None:
    seen = explore(replace(SOUND, kinds=frozenset({kind})), most=3_000)
    assert seen.states >= 3_000
    assert not seen.findings


LONG = {"whole-group-claims", "first-claimant"}
"""The bugs that are found only behind thousands of states."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in KNOWN_BUGS]
)
def test_what_is_planted_is_found(name: str) -> None:
    planted = KNOWN_BUGS[name]
    seen = explore(planted.setup, stop_at_first=True)
    (found,) = [one for one in seen.findings if one.check == planted.found_by]
    if planted.found_by == "liveness":
        assert found.cycle
    else:
        assert found.what in replayed(planted.setup, found)


@pytest.mark.parametrize("name", KNOWN_BUGS)
def test_without_it_nothing_is_found(name: str) -> None:
    assert not explore(KNOWN_BUGS[name].sound, most=2_500).findings


def replayed(setup: Setup, finding: ExplorationFinding) -> list[str]:
    """What the check says at the end of the trace."""
    model, state = Model(setup), begin(setup)
    for move in finding.moves:
        assert move in set(model.moves(state))
        state = model.apply(state, move).group
    return list(STATE_CHECKS[finding.check](state))


def test_a_signature_forgets_counts_and_nothing_else() -> None:
    """Two groups that have gone through different numbers of rebalances are one; two in which
    somebody owns something else are not."""
    setup = replace(SOUND, faults=9, kinds=frozenset({"fail over", "expire"}))
    model, state = Model(setup), begin(setup)
    keys, signatures = [], Keys(setup)
    for _ in range(400):
        moves = list(model.moves(state))
        quiet = [one for one in moves if not one.fault]
        if quiet:
            state = model.apply(state, quiet[0]).group
            continue
        keys.append((signatures.of(state._replace(faults=0)), state.coordinator.generation))
        expiries = [one for one in moves if one.kind == "session expires"]
        if not expiries or not state.faults:
            break
        state = model.apply(state, expiries[0]).group
    assert len({generation for _, generation in keys}) == len(keys) > 5
    assert len({key for key, _ in keys[2:]}) < len(keys[2:])
