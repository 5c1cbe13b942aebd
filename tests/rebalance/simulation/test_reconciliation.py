"""How members move towards their targets, against the broker's own CurrentAssignmentBuilder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.fuzz.oracles.java import load_jpype
from kproto.rebalance.assignments import Partition
from kproto.rebalance.simulation.modern.group_state import (
    ConsumerMember,
    Epochs,
    MemberProgress,
)
from kproto.rebalance.simulation.modern.targets import Aim, by_topic_id, reconciled, topic_id
from tests.rebalance.simulation.java_partitions import TOPICS, JavaPartitions
from tests.schemas.java import FindClass

STATES = 1_000
MODERN = "org.apache.kafka.coordinator.group.modern"
PARTITIONS = [(topic, number) for topic in TOPICS for number in range(4)]

Moved = tuple[str, int, int, Epochs, Epochs]


class Case(NamedTuple):
    """A member, what it reports, and what it is to reach."""

    member: ConsumerMember
    aim: Aim


class JavaBuilder:
    """The broker's class, with states as ours."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._jpype = load_jpype()
        self._find = find
        self._builder = find(f"{MODERN}.consumer.CurrentAssignmentBuilder")
        self._member = find(f"{MODERN}.consumer.ConsumerGroupMember$Builder")
        self._states = find(f"{MODERN}.MemberState")
        self._assignment = find(f"{MODERN}.Assignment")
        self._entry = find(
            "org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData$TopicPartitions"
        )
        self._integer = find("java.lang.Integer")
        self._map, self._list = find("java.util.HashMap"), find("java.util.ArrayList")
        self._objects = JavaPartitions(find)
        self._topics, self._names = self._objects.topics, self._objects.names

    def move(self, case: Case) -> Moved:
        """Return state, epochs, assigned and revoked partitions of the member afterwards."""
        member, aim = case
        moved = (
            self._builder(self._of(member))
            .withMetadataImage(self._objects.existing(aim.subscribed))
            .withTargetAssignment(aim.epoch, self._assignment(self._objects.java(aim.target)))
            .withHasSubscriptionChanged(aim.subscription_changed)
            .withCurrentPartitionEpoch(self._epochs(aim.owned_by_anybody))
            .withOwnedTopicPartitions(self._reported(aim.reported))
            .build()
        )
        return (
            str(moved.state().name()),
            int(moved.memberEpoch()),
            int(moved.previousMemberEpoch()),
            self._python(moved.assignedPartitions()),
            self._python(moved.partitionsPendingRevocation()),
        )

    def _of(self, member: ConsumerMember) -> Any:
        return (
            self._member(member.member_id)
            .setState(getattr(self._states, member.progress.name))
            .setMemberEpoch(member.epoch)
            .setPreviousMemberEpoch(member.previous_epoch)
            .setSubscribedTopicNames(self._list(list(member.topics)))
            .setAssignedPartitions(self._with_epochs(member.assigned))
            .setPartitionsPendingRevocation(self._with_epochs(member.revoking))
            .build()
        )

    def _with_epochs(self, partitions: Epochs) -> Any:
        made = self._map()
        for (topic, number), epoch in partitions:
            if not made.containsKey(self._topics[topic]):
                made.put(self._topics[topic], self._map())
            made.get(self._topics[topic]).put(self._integer(number), self._integer(epoch))
        return made

    def _reported(self, partitions: frozenset[Partition] | None) -> Any:
        if partitions is None:
            return None
        made = self._list()
        for topic in TOPICS:
            numbers = [self._integer(number) for of, number in partitions if of == topic]
            if numbers:
                entry = self._entry().setTopicId(self._topics[topic])
                made.add(entry.setPartitions(self._list(numbers)))
        return made

    def _epochs(self, owned: Iterable[Partition]) -> Any:
        known = {(topic, number) for topic, number in owned}

        def current(topic: Any, number: Any) -> Any:
            there = (self._names[str(topic.toString())], int(number)) in known
            return self._integer(7 if there else -1)

        return self._jpype.JProxy("java.util.function.BiFunction", {"apply": current})

    def _python(self, partitions: Any) -> Epochs:
        return tuple(
            sorted(
                (
                    (self._names[str(topic.getKey().toString())], int(one.getKey())),
                    int(one.getValue()),
                )
                for topic in partitions.entrySet()
                for one in topic.getValue().entrySet()
            )
        )


@pytest.fixture(scope="module")
def java(find: FindClass) -> JavaBuilder:
    return JavaBuilder(find)


def random_case(rng: random.Random) -> Case:
    """Return a member in any state, and any report: what its partitions say is consistent, as in a
    broker, and the rest is not.
    """
    epoch = rng.choice([0, rng.randint(1, 9)])
    shuffled = rng.sample(PARTITIONS, len(PARTITIONS))
    assigned, rest = _cut(rng, shuffled)
    revoking, rest = _cut(rng, rest) if rng.random() < 0.6 else ([], rest)
    others, _ = _cut(rng, rest)
    subscribed = frozenset(rng.sample(TOPICS, rng.choice([0, 1, 2, 3, 3, 3])))
    reported = None
    if rng.random() < 0.8:
        pool = rng.choice([assigned, assigned, revoking, [*assigned, *revoking], PARTITIONS])
        reported = frozenset(rng.sample(pool, rng.randint(0, len(pool))))
    # Of a member that subscribes to nothing and has nothing, Java's previous epoch depends on which
    # of two equal objects its empty map is; so every member here subscribes to something.
    member = ConsumerMember(
        "m",
        topics=tuple(sorted(subscribed | set(rng.sample(["w", "x"], rng.randint(1, 2))))),
        epoch=epoch,
        previous_epoch=rng.randint(0, epoch),
        progress=rng.choice(list(MemberProgress)),
        assigned=_in_epochs(rng, assigned),
        revoking=_in_epochs(rng, revoking),
    )
    pool = rng.choice([PARTITIONS, assigned, [*assigned, *revoking]])
    target = frozenset(rng.sample(pool, rng.randint(0, len(pool))))
    aim = Aim(
        epoch if rng.random() < 0.3 else epoch + rng.randint(1, 3),
        target,
        subscribed,
        rng.random() < 0.4,
        reported,
        frozenset([*assigned, *revoking, *others]),
    )
    return Case(member, aim)


def _cut(
    rng: random.Random, partitions: list[Partition]
) -> tuple[list[Partition], list[Partition]]:
    at = rng.randint(0, min(5, len(partitions)))
    return partitions[:at], partitions[at:]


def _in_epochs(rng: random.Random, partitions: Iterable[Partition]) -> Epochs:
    return tuple((partition, rng.randint(0, 9)) for partition in sorted(partitions))


@settings(max_examples=8 * settings().max_examples)
@given(case=st.randoms(use_true_random=False).map(random_case))
def test_members_move_as_on_the_broker(java: JavaBuilder, case: Case) -> None:
    moved = reconciled(*case)
    ours = (
        moved.progress.name,
        moved.epoch,
        moved.previous_epoch,
        moved.assigned,
        moved.revoking,
    )
    assert ours == java.move(case)


def test_cases_are_of_many_kinds(rng: random.Random) -> None:
    """A count over many cases, of which none fails by itself."""
    seen = set()
    for _ in range(STATES):
        case = random_case(rng)
        moved = reconciled(*case)
        seen.add((case.member.progress, moved.progress, moved == case.member))
    assert len(seen) > 8


def test_partitions_of_several_topics_are_reported_by_topic() -> None:
    partitions = frozenset({("t", 3), ("t", 1), ("u", 0)})
    assert by_topic_id(partitions) == {topic_id("t"): [1, 3], topic_id("u"): [0]}
