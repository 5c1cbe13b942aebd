"""Every order of events in small groups of the consumer protocol (KIP-848)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kproto.rebalance.simulation import Setup
from kproto.rebalance.simulation.exploration.explore import ExplorationFinding, Explored, explore
from kproto.rebalance.simulation.exploration.protocols import ConsumerExploration
from kproto.rebalance.simulation.machines.settings import (
    GroupProtocol,
    MemberSettings,
    Remedy,
)
from tests.rebalance.simulation.explore import consumers, history_of
from tests.rebalance.simulation.history import Wrong, play_back

JAVA = frozenset[Remedy]()
SOUND = frozenset(Remedy)


def member(name: str, remedies: frozenset[Remedy], instance: str | None = None) -> MemberSettings:
    return MemberSettings(
        name,
        (),
        ("t",),
        group_instance_id=instance,
        group_protocol=GroupProtocol.CONSUMER,
        remedies=remedies,
    )


def group(
    kind: str = "", *, remedies: frozenset[Remedy] = SOUND, members: int = 2, partitions: int = 2
) -> Setup:
    builds = tuple((member(name, remedies),) for name in "abc"[:members])
    return Setup(builds, (("t", partitions),), faults=bool(kind), kinds=frozenset({kind} - {""}))


def sound(explored: Explored) -> bool:
    """Whether everything was seen, every path comes to an end, and nothing is wrong."""
    return explored.complete and explored.rebalances >= 0 and not explored.findings


def found(explored: Explored) -> dict[str, ExplorationFinding]:
    return {finding.check: finding for finding in explored.findings}


def test_members_join_in_any_order() -> None:
    explored = explore(group(partitions=3))
    assert sound(explored), explored.findings
    assert explored.states > 1_000


def test_members_leave_at_any_time() -> None:
    explored = explore(replace(group(), stops=1))
    assert sound(explored), explored.findings


@pytest.mark.parametrize(
    "kind",
    [
        "crash",
        "disconnect",
        *(pytest.param(k, marks=pytest.mark.slow) for k in ("fail over", "time out")),
    ],
)
def test_a_fault_at_any_time(kind: str) -> None:
    explored = explore(group(kind))
    assert sound(explored), explored.findings


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["expire", "hang"])
def test_a_living_member_falls_out_at_any_time(kind: str) -> None:
    explored = explore(group(kind))
    assert sound(explored), explored.findings


@pytest.mark.slow
def test_three_members_join_in_many_orders() -> None:
    """All states that are a few moves from the beginning; there are too many to see them all."""
    explored = explore(group(members=3, partitions=3), most=40_000)
    assert not explored.findings
    assert explored.states >= 40_000


def test_a_third_member_joins_two_at_rest_in_any_order() -> None:
    explored = explore(consumers(2, 3))
    assert sound(explored), explored.findings
    assert explored.states > 700


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["crash", "disconnect", "fail over"])
def test_a_third_member_joins_while_there_is_a_fault(kind: str) -> None:
    explored = explore(consumers(2, 3, kind=kind))
    assert sound(explored), explored.findings
    assert explored.states > 3_000


def test_what_is_found_among_three_is_played_back() -> None:
    setup = replace(
        consumers(2, 3), broker=ConsumerExploration.broker._replace(gives_unreleased=True)
    )
    (finding,) = explore(setup, stop_at_first=True).findings
    history = history_of("three", finding)
    with pytest.raises(Wrong, match=finding.check):
        play_back(history, setup)
    with pytest.raises(ValueError, match="cannot happen"):
        play_back(replace(history, moves=("answer c",)), setup)


def test_topics_grow_at_any_time() -> None:
    explored = explore(replace(group(members=1), growth=((("t", 3),),)))
    assert sound(explored), explored.findings


def test_a_broker_that_gives_unreleased_partitions_is_found() -> None:
    setup = replace(group(), broker=ConsumerExploration.broker._replace(gives_unreleased=True))
    assert {"assigned-once", "disjoint"} <= found(explore(setup)).keys()


@pytest.mark.parametrize("kind", ["disconnect", "fail over"])
def test_java_reports_too_little_in_a_reconciliation(kind: str) -> None:
    """A heartbeat that is sent anew leaves out what onPartitionsAssigned is being called with, so
    the coordinator gives it to somebody else.
    """
    explored = explore(group(kind, remedies=JAVA), stop_at_first=True)
    assert found(explored).keys() == {"disjoint"}


@pytest.mark.slow
def test_java_takes_an_old_answer_for_that_to_its_join() -> None:
    remedies = SOUND - {Remedy.FORGETS_ANSWERS}
    explored = explore(group("hang", remedies=remedies), stop_at_first=True)
    assert found(explored).keys() == {"disjoint"}


def test_a_static_member_whose_join_is_not_answered_is_refused() -> None:
    """The coordinator refuses the second attempt of the member that it has let in."""
    builds = ((member("a", SOUND, instance="i"),),)
    setup = Setup(builds, (("t", 1),), faults=1, kinds=frozenset({"disconnect"}))
    failed = found(explore(setup))["nobody-failed"]
    assert failed.what == "a has failed: UNRELEASED_INSTANCE_ID"


def test_a_static_member_leaves_and_comes_back() -> None:
    """One that leaves for now keeps its partitions, and whoever comes back has them."""
    builds = ((member("a", SOUND, instance="i"),) * 2,)
    explored = explore(Setup(builds, (("t", 1),), stops=1))
    assert sound(explored), explored.findings
