"""What Apache Kafka's own groups leave undone, and the simulation with them: real Java consumers.

Exploration found these orders. A static member that comes back gets the share of the process before
it, and nobody asks what that process had still to do.
"""

from __future__ import annotations

from pathlib import Path

from tests.broker.broker import Broker
from tests.broker.members import Event, Members, Step, members_of

SESSION = "session.timeout.ms=15000"
AWARE = "metadata.max.age.ms=300"
"""Notices new partitions at once."""


def owned(step: Step) -> list[str]:
    return sorted(partition for mine in step.owned.values() for partition in mine)


def test_partitions_that_a_static_member_was_about_to_give_up(
    broker: Broker, members: Members, tmp_path: Path
) -> None:
    """It crashes in onPartitionsRevoked, before it has asked for the second rebalance."""
    join = f"group=gives-up topics=gives-up assignors=cooperative-sticky {SESSION}"
    with members_of(broker, tmp_path / "first.log") as first:
        alone = first.step("topic gives-up 2", f"join a {join} group.instance.id=a", "hold a 60000")
        assert owned(alone) == ["gives-up-0", "gives-up-1"]
        members.step(f"join b {join}")
        revoked = first.step()
        assert [event.event for event in revoked.events] == ["revoked"]
        (given_up,) = revoked.events[0].partitions
    back = members.step(f"join a {join} group.instance.id=a", quiet_ms=5_000)
    assert {given_up, *owned(back)} == {"gives-up-0", "gives-up-1"}
    assert given_up not in owned(back)
    assert owned(members.step("leave b")) == ["gives-up-0", "gives-up-1"]


def test_partitions_that_came_while_a_static_leader_was_away(members: Members) -> None:
    join = f"join a group=away topics=away assignors=range group.instance.id=a {SESSION} {AWARE}"
    assert owned(members.step("topic away 2", join)) == ["away-0", "away-1"]
    back = members.step("vanish a", "topic away 3", join, quiet_ms=3_000)
    assert owned(back) == ["away-0", "away-1"]
    assert len(owned(members.step("topic away 4", quiet_ms=3_000))) == 4


def test_partitions_that_a_follower_does_not_know_yet(members: Members) -> None:
    """The leader has seen the topic grow, and the follower has not: it keeps what it is given."""
    join = f"group=ahead topics=ahead assignors=cooperative-sticky {SESSION}"
    members.step("topic ahead 2", f"join a {join} {AWARE}")
    members.step(f"join b {join} metadata.max.age.ms=300000")
    grown = members.step("topic ahead 4", quiet_ms=3_000)
    assert owned(grown) == [f"ahead-{number}" for number in range(4)]
    assert not [event for event in grown.events if event.event == "lost"]
    told = [event for event in grown.events if event.member == "b" and event.partitions]
    assert [event.event for event in told] == ["assigned"]
    assert isinstance(told[0], Event)
