"""How members of streams and share groups move, against the broker's own classes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import given as given_examples
from hypothesis import settings
from hypothesis import strategies as st

from kproto.fuzz.oracles.java import load_jpype
from kproto.rebalance.assignments import Partition
from kproto.rebalance.simulation.modern.group_state import (
    ConsumerMember,
    Epochs,
    MemberProgress,
)
from kproto.rebalance.simulation.modern.share_and_streams_groups import with_target
from kproto.rebalance.simulation.modern.targets import TaskAim, reconciled_tasks
from kproto.rebalance.simulation.modern.tasks import Role, numbers_in, role_of, task
from tests.rebalance.simulation.java_partitions import TOPICS, JavaPartitions
from tests.schemas.java import FindClass

STATES = 1_000

many = settings(max_examples=8 * settings().max_examples)
STREAMS = "org.apache.kafka.coordinator.group.streams"
TASKS = [task(role, name, number) for role in Role for name in "01" for number in range(4)]
PROCESSES = ("p", "q", "r")
STATE_NAMES = {
    MemberProgress.STABLE: "STABLE",
    MemberProgress.UNREVOKED_PARTITIONS: "UNREVOKED_TASKS",
    MemberProgress.UNRELEASED_PARTITIONS: "UNRELEASED_TASKS",
}

Moved = tuple[str, int, int, Epochs, Epochs]


class Case(NamedTuple):
    """A member of a streams group, and what it is to reach."""

    member: ConsumerMember
    aim: TaskAim


class JavaBuilder:
    """The broker's class, with states as ours."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._jpype = load_jpype()
        self._builder = find(f"{STREAMS}.CurrentAssignmentBuilder")
        self._member = find(f"{STREAMS}.StreamsGroupMember$Builder")
        self._states = find(f"{STREAMS}.MemberState")
        self._plain_tuple = find(f"{STREAMS}.TasksTuple")
        self._epoch_tuple = find(f"{STREAMS}.TasksTupleWithEpochs")
        self._integer = find("java.lang.Integer")
        self._map, self._set = find("java.util.HashMap"), find("java.util.HashSet")
        self._list = find("java.util.ArrayList")

    def move(self, case: Case) -> Moved:
        """Return state, epochs, assigned and revoked tasks of the member afterwards."""
        member, aim = case
        reported = None if aim.reported is None else self._plain(aim.reported)
        moved = (
            self._builder(self._of(member))
            .withTargetAssignment(aim.epoch, self._plain(aim.target))
            .withCurrentActiveTaskProcessId(self._asked(self._holder(aim, Role.ACTIVE)))
            .withCurrentStandbyTaskProcessIds(self._asked(self._holders(aim, Role.STANDBY)))
            .withCurrentWarmupTaskProcessIds(self._asked(self._holders(aim, Role.WARMUP)))
            .withOwnedAssignment(reported)
            .build()
        )
        return (
            str(moved.state().name()),
            int(moved.memberEpoch()),
            int(moved.previousMemberEpoch()),
            self._python(moved.assignedTasks()),
            self._python(moved.tasksPendingRevocation()),
        )

    def _of(self, member: ConsumerMember) -> Any:
        return (
            self._member(member.member_id)
            .setState(getattr(self._states, STATE_NAMES[member.progress]))
            .setMemberEpoch(member.epoch)
            .setPreviousMemberEpoch(member.previous_epoch)
            .setProcessId(member.process_id)
            .setAssignedTasks(self._with_epochs(member.assigned))
            .setTasksPendingRevocation(self._with_epochs(member.revoking))
            .build()
        )

    def _asked(self, answer: Callable[[str, int], Any]) -> Any:
        methods = {"apply": lambda name, number: answer(str(name), int(number))}
        return self._jpype.JProxy("java.util.function.BiFunction", methods)

    def _holder(self, aim: TaskAim, role: Role) -> Callable[[str, int], Any]:
        return lambda name, number: next(iter(aim.holders.get(task(role, name, number), ())), None)

    def _holders(self, aim: TaskAim, role: Role) -> Callable[[str, int], Any]:
        return lambda name, number: self._set(
            self._list(list(aim.holders.get(task(role, name, number), ())))
        )

    def _plain(self, tasks: Iterable[Partition]) -> Any:
        tasks = list(tasks)
        return self._plain_tuple(*(self._sets(numbers_in(role, tasks)) for role in Role))

    def _sets(self, numbers: Mapping[str, list[int]]) -> Any:
        made = self._map()
        for name, found in numbers.items():
            made.put(name, self._set(self._list([self._integer(number) for number in found])))
        return made

    def _with_epochs(self, tasks: Epochs) -> Any:
        epochs = dict(tasks)
        made = self._map()
        for name, found in numbers_in(Role.ACTIVE, epochs).items():
            made.put(name, self._map())
            for number in found:
                epoch = epochs[task(Role.ACTIVE, name, number)]
                made.get(name).put(self._integer(number), self._integer(epoch))
        copies = (self._sets(numbers_in(role, epochs)) for role in (Role.STANDBY, Role.WARMUP))
        return self._epoch_tuple(made, *copies)

    def _python(self, tasks: Any) -> Epochs:
        found = [
            (task(Role.ACTIVE, str(name.getKey()), int(one.getKey())), int(one.getValue()))
            for name in tasks.activeTasksWithEpochs().entrySet()
            for one in name.getValue().entrySet()
        ]
        for role, copies in (
            (Role.STANDBY, tasks.standbyTasks()),
            (Role.WARMUP, tasks.warmupTasks()),
        ):
            found += [
                (task(role, str(name.getKey()), int(number)), -1)
                for name in copies.entrySet()
                for number in name.getValue()
            ]
        return tuple(sorted(found))


def random_case(rng: random.Random) -> Case:
    """Return a member in any state, and any report: what the processes have is consistent with what
    the member has, as in a broker, and the rest is not.
    """
    epoch = rng.choice([0, rng.randint(1, 9)])
    shuffled = rng.sample(TASKS, len(TASKS))
    assigned, rest = _cut(rng, shuffled)
    revoking, rest = _cut(rng, rest) if rng.random() < 0.6 else ([], rest)
    others, _ = _cut(rng, rest)
    holders: dict[Partition, frozenset[str]] = {
        one: frozenset({"p"}) for one in (*assigned, *revoking)
    }
    for one in others:
        many = 1 if role_of(one) is Role.ACTIVE else rng.randint(1, 3)
        holders[one] = frozenset(rng.sample(PROCESSES, many))
    reported = None
    if rng.random() < 0.8:
        pool = rng.choice([assigned, assigned, revoking, [*assigned, *revoking], TASKS])
        reported = frozenset(rng.sample(pool, rng.randint(0, len(pool))))
    member = ConsumerMember(
        "m",
        epoch=epoch,
        previous_epoch=rng.randint(0, epoch),
        progress=rng.choice(list(MemberProgress)),
        assigned=_in_epochs(rng, assigned),
        revoking=_in_epochs(rng, revoking),
        process_id="p",
    )
    pool = rng.choice([TASKS, assigned, [*assigned, *revoking]])
    target = frozenset(rng.sample(pool, rng.randint(0, len(pool))))
    reached = epoch if rng.random() < 0.3 else epoch + rng.randint(1, 3)
    return Case(member, TaskAim(reached, target, reported, holders))


def _cut(rng: random.Random, tasks: list[Partition]) -> tuple[list[Partition], list[Partition]]:
    at = rng.randint(0, min(6, len(tasks)))
    return tasks[:at], tasks[at:]


def _in_epochs(rng: random.Random, tasks: Iterable[Partition]) -> Epochs:
    return tuple((one, rng.randint(0, 9)) for one in sorted(tasks))


def _without_epochs_of_copies(tasks: Epochs) -> Epochs:
    """Return tasks as Java keeps them: copies have no epoch there."""
    return tuple((one, epoch if role_of(one) is Role.ACTIVE else -1) for one, epoch in tasks)


@pytest.fixture(scope="module")
def java(find: FindClass) -> JavaBuilder:
    return JavaBuilder(find)


@many
@given_examples(case=st.randoms(use_true_random=False).map(random_case))
def test_members_of_streams_groups_move_as_on_the_broker(java: JavaBuilder, case: Case) -> None:
    moved = reconciled_tasks(*case)
    ours = (
        STATE_NAMES[moved.progress],
        moved.epoch,
        moved.previous_epoch,
        _without_epochs_of_copies(moved.assigned),
        _without_epochs_of_copies(moved.revoking),
    )
    assert ours == java.move(case)


def test_cases_are_of_many_kinds(rng: random.Random) -> None:
    """A count over many cases, of which none fails by itself."""
    seen = set()
    for _ in range(STATES):
        case = random_case(rng)
        moved = reconciled_tasks(*case)
        seen.add((case.member.progress, moved.progress, moved == case.member))
    assert len(seen) > 8


# -- share groups


class JavaShare:
    """ShareGroupAssignmentBuilder, with states as ours."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        modern = "org.apache.kafka.coordinator.group.modern"
        self._objects = JavaPartitions(find)
        self._builder = find(f"{modern}.share.ShareGroupAssignmentBuilder")
        self._member = find(f"{modern}.share.ShareGroupMember$Builder")
        self._assignment = find(f"{modern}.Assignment")
        self._list = find("java.util.ArrayList")

    def given(
        self,
        member: ConsumerMember,
        epoch: int,
        target: frozenset[Partition],
        subscribed: frozenset[str],
        *,
        subscription_changed: bool,
    ) -> tuple[int, int, frozenset[Partition]]:
        """Return epoch, previous epoch and partitions of the member afterwards."""
        before = (
            self._member(member.member_id)
            .setMemberEpoch(member.epoch)
            .setPreviousMemberEpoch(member.previous_epoch)
            .setSubscribedTopicNames(self._list(list(member.topics)))
            .setAssignedPartitions(self._objects.java(member.assigned_partitions))
            .build()
        )
        after = (
            self._builder(before)
            .withMetadataImage(self._objects.existing(subscribed))
            .withTargetAssignment(epoch, self._assignment(self._objects.java(target)))
            .withHasSubscriptionChanged(subscription_changed)
            .build()
        )
        return (
            int(after.memberEpoch()),
            int(after.previousMemberEpoch()),
            self._objects.python(after.assignedPartitions()),
        )


ShareCase = tuple[ConsumerMember, frozenset[Partition], frozenset[str], bool, int]


def random_share_case(rng: random.Random) -> ShareCase:
    """Return a member of a share group, a target, the topics that exist of those that it subscribes
    to, whether the subscription changes, and the target's epoch.
    """
    partitions = [(topic, number) for topic in TOPICS for number in range(4)]
    epoch = rng.choice([0, rng.randint(1, 9)])
    subscribed = frozenset(rng.sample(TOPICS, rng.randint(0, len(TOPICS))))
    member = ConsumerMember(
        "m",
        topics=tuple(sorted(subscribed | {"w"})),
        epoch=epoch,
        previous_epoch=rng.randint(0, epoch),
        assigned=_in_epochs(rng, rng.sample(partitions, rng.randint(0, 6))),
    )
    target = frozenset(rng.sample(partitions, rng.randint(0, len(partitions))))
    reached = epoch if rng.random() < 0.4 else epoch + rng.randint(1, 3)
    return member, target, subscribed, rng.random() < 0.4, reached


@pytest.fixture(scope="module")
def java_share(find: FindClass) -> JavaShare:
    return JavaShare(find)


@many
@given_examples(case=st.randoms(use_true_random=False).map(random_share_case))
def test_members_of_share_groups_are_given_what_the_broker_gives(
    java_share: JavaShare, case: ShareCase
) -> None:
    member, target, subscribed, changed, epoch = case
    after = with_target(member, epoch, target, subscribed, subscription_changed=changed)
    ours = after.epoch, after.previous_epoch, after.assigned_partitions
    expected = java_share.given(member, epoch, target, subscribed, subscription_changed=changed)
    assert ours == expected
