"""Groups whose broker assigns: what their records say of who has what, and since when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ShareGroupMemberMetadataKey,
    ShareGroupMemberMetadataValue,
)
from kproto.pipeline.audit import Place
from kproto.pipeline.audit.modern import ModernFold

TOPIC = UUID(int=7)
INSTANCES = {"a#1": "a", "a#2": "a"}
"""Of the static ones among the members: a process has another id each time it comes."""
MEMBERS = ("a#1", "a#2", "b", "c")


class Log:
    """A group, record by record, a second each."""

    def __init__(self) -> None:
        self.fold = ModernFold("test", "g", "consumer")
        self.time = 0

    def write(self, key: Any, value: Any) -> None:
        self.time += 1000
        self.fold.observe(Place("log", 0, self.time, self.time), key, value)

    def join(self, name: str, timeout: int = 60_000) -> None:
        value = ConsumerGroupMemberMetadataValue(
            instance_id=INSTANCES.get(name),
            rack_id=None,
            client_id=f"client-{name}",
            client_host="/h",
            subscribed_topic_names=["t"],
            subscribed_topic_regex=None,
            rebalance_timeout_ms=timeout,
            server_assignor=None,
        )
        self.write(ConsumerGroupMemberMetadataKey(group_id="g", member_id=name), value)

    def leave(self, name: str) -> None:
        self.write(ConsumerGroupCurrentMemberAssignmentKey(group_id="g", member_id=name), None)
        self.write(ConsumerGroupMemberMetadataKey(group_id="g", member_id=name), None)

    def assign(self, name: str, numbers: Sequence[int], epoch: int = 1) -> None:
        now = ConsumerGroupCurrentMemberAssignmentValue
        parts = [now.TopicPartitions(topic_id=TOPIC, partitions=[*numbers])] if numbers else []
        value = now(
            member_epoch=epoch, previous_member_epoch=0, state=0, assigned_partitions=parts,
            partitions_pending_revocation=[],
        )  # fmt: skip
        self.write(ConsumerGroupCurrentMemberAssignmentKey(group_id="g", member_id=name), value)

    def advance(self, epoch: int) -> None:
        value = ConsumerGroupMetadataValue(epoch=epoch)
        self.write(ConsumerGroupMetadataKey(group_id="g"), value)


class Turn(NamedTuple):
    """A member comes where it is not there, and has these partitions; it leaves where None."""

    name: str
    numbers: frozenset[int] | None


class Owner(NamedTuple):
    """Who got a partition, when, and who was in the group then."""

    time: int
    name: str
    members: frozenset[str]

    @property
    def holder(self) -> str:
        return INSTANCES.get(self.name, self.name)


TURNS = st.lists(
    st.builds(
        Turn, st.sampled_from(MEMBERS), st.none() | st.frozensets(st.integers(0, 3), max_size=4)
    ),
    max_size=20,
)


@given(TURNS)
def test_who_has_a_partition_and_who_had_it_before(turns: list[Turn]) -> None:
    """A broker gives a partition to nobody while another one has it. A static member takes over
    nothing from itself."""
    log = Log()
    held: dict[str, frozenset[int]] = {}
    owners: dict[int, list[Owner]] = {}
    for name, numbers in turns:
        if numbers is None:
            if held.pop(name, None) is not None:
                log.leave(name)
            continue
        if name not in held:
            log.join(name)
            held[name] = frozenset()
        taken = frozenset().union(*(held[other] for other in held if other != name))
        held[name] = numbers - taken
        log.assign(name, sorted(held[name]))
        for number in held[name]:
            owners.setdefault(number, []).append(Owner(log.time, name, frozenset(held)))
    assert log.fold.overlap is None
    assert log.fold.owners == {
        (TOPIC, number): name for name, numbers in held.items() for number in numbers
    }
    assert {
        number: (takeover.at, takeover.member_id, takeover.name, takeover.has_left)
        for (_, number), takeover in log.fold.takeovers.items()
    } == {
        number: (
            new.time,
            old.name,
            f"instance {old.holder}" if old.name in INSTANCES else f"client-{old.name}/h",
            old.name not in new.members,
        )
        for number, each in owners.items()
        for old, new in pairwise(each)
        if old.holder != new.holder  # the last one counts
    }


@pytest.mark.parametrize("leaves", [True, False])
def test_since_when_a_topic_is_given(leaves: bool) -> None:
    """That nobody had it while nobody was in the group does not count."""
    log = Log()
    log.join("b")
    log.assign("b", [0, 1])
    first = log.time
    log.assign("b", [1])
    log.assign("b", [0])
    assert log.fold.given_since == {TOPIC: first}
    if leaves:
        log.leave("b")
        log.join("b")
    else:
        log.assign("b", [])
    log.assign("b", [2])
    assert log.fold.given_since == {TOPIC: first if leaves else log.time}


@pytest.mark.parametrize(("set_to", "timeout"), [(60_000, 60_000), (0, 300_000), (-1, 300_000)])
def test_the_timeout_of_a_member(set_to: int, timeout: int) -> None:
    """Kafka's default of max.poll.interval.ms where its record has none."""
    log = Log()
    log.join("b", timeout=set_to)
    assert log.fold.state.timeout("b") == timeout
    assert log.fold.state.timeout("c") == 300_000


def test_members_of_share_groups_have_no_timeout_of_their_own() -> None:
    fold = ModernFold("test", "g", "share")
    value = ShareGroupMemberMetadataValue(client_id="c", client_host="/h")
    key = ShareGroupMemberMetadataKey(group_id="g", member_id="m")
    fold.observe(Place("log", 0, 0, 0), key, value)
    assert fold.state.members.keys() == {"m"}
    assert fold.state.timeout("m") == 300_000


@given(st.integers(2, 200), st.data())
def test_when_the_group_went_beyond_the_epoch_of_a_member(last: int, data: st.DataObject) -> None:
    log = Log()
    times = {}
    reached = data.draw(st.sets(st.integers(1, last - 1), min_size=1, max_size=3))
    for epoch in range(1, last + 1):
        log.advance(epoch)
        times[epoch] = log.time
        if epoch in reached:
            log.join(f"m{epoch}")
            log.assign(f"m{epoch}", [epoch], epoch)
    assert {epoch: log.fold.state.left_at(epoch) for epoch in reached} == {
        epoch: times[epoch + 1] for epoch in reached
    }
