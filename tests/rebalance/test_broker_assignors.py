"""The broker's assignors against the classes of kafka-group-coordinator, on random groups."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kproto.fuzz.oracles.java import load_jpype
from kproto.rebalance.broker_assignors import (
    BROKER_ASSIGNORS,
    BrokerGroup,
    BrokerMember,
    StreamsMember,
    Subtopology,
    Targets,
    Task,
    Tasks,
    UnassignableError,
    assign_simple,
    assign_tasks,
)
from tests.schemas.java import FindClass

GROUPS = 400

many = settings(max_examples=2 * settings().max_examples)
GROUP = "org.apache.kafka.coordinator.group"

AskJava = Callable[[str, BrokerGroup], Targets | None]


@pytest.fixture(scope="module")
def ask_java(find: FindClass) -> AskJava:
    """The coordinator's own assignors; None where they refuse."""
    return JavaAssignors(find).assign


class JavaAssignors:
    """Groups as Java's objects, and targets as ours."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._jpype = load_jpype()
        self._assignors = {
            "uniform": find(f"{GROUP}.assignor.UniformAssignor")(),
            "range": find(f"{GROUP}.assignor.RangeAssignor")(),
            "simple": find(f"{GROUP}.assignor.SimpleAssignor")(),
        }
        self._uuid = find("org.apache.kafka.common.Uuid")
        self._spec = find(f"{GROUP}.modern.GroupSpecImpl")
        self._member = find(f"{GROUP}.modern.MemberSubscriptionAndAssignmentImpl")
        self._assignment = find(f"{GROUP}.modern.Assignment")
        self._kinds = find(f"{GROUP}.api.assignor.SubscriptionType")
        self._describer = find(f"{GROUP}.api.assignor.SubscribedTopicDescriber")
        self._map, self._set = find("java.util.HashMap"), find("java.util.HashSet")
        self._list, self._optional = find("java.util.ArrayList"), find("java.util.Optional")
        self._integer = find("java.lang.Integer")

    def assign(self, name: str, group: BrokerGroup) -> Targets | None:
        members = self._map()
        inverted = self._map()
        for member_id, member in group.members.items():
            members.put(member_id, self._member_of(member))
            for topic, partitions in member.target.items():
                owners = inverted.computeIfAbsent(
                    self._topic(topic),
                    self._jpype.JProxy("java.util.function.Function", {"apply": self._new_map}),
                )
                for partition in partitions:
                    owners.put(self._integer(partition), member_id)
        kind = self._kinds.HOMOGENEOUS if group.is_homogeneous else self._kinds.HETEROGENEOUS
        spec = self._spec(members, kind, inverted, self._optional.empty())
        try:
            result = self._assignors[name].assign(spec, self._describing(group))
        except self._jpype.JException:
            return None
        return {
            str(entry.getKey()): {
                self._python(topic.getKey()): {int(number) for number in topic.getValue()}
                for topic in entry.getValue().partitions().entrySet()
            }
            for entry in result.members().entrySet()
        }

    def _new_map(self, _: Any) -> Any:
        return self._map()

    def _describing(self, group: BrokerGroup) -> Any:
        counts = {self._topic(topic).toString(): count for topic, count in group.topics.items()}
        methods = {"numPartitions": lambda topic: counts.get(topic.toString(), -1)}
        return self._jpype.JProxy(self._describer, methods)

    def _member_of(self, member: BrokerMember) -> Any:
        names = self._list([self._topic(topic) for topic in member.topics])
        partitions = self._map()
        for topic, numbers in member.target.items():
            partitions.put(
                self._topic(topic),
                self._set(self._list([self._integer(number) for number in _inserted(numbers)])),
            )
        instance = self._optional.ofNullable(member.instance_id)
        return self._member(
            self._optional.empty(), instance, self._set(names), self._assignment(partitions)
        )

    def _topic(self, topic: UUID) -> Any:
        high, low = topic.int >> 64, topic.int & (1 << 64) - 1
        return self._uuid(_signed(high), _signed(low))

    def _python(self, uuid: Any) -> UUID:
        high, low = int(uuid.getMostSignificantBits()), int(uuid.getLeastSignificantBits())
        return UUID(int=(high % (1 << 64)) << 64 | low % (1 << 64))


def _inserted(numbers: Collection[int]) -> Collection[int]:
    """A set says nothing of the order in which its numbers go into Java's; a broker sorts them."""
    return sorted(numbers) if isinstance(numbers, set) else numbers


def _signed(half: int) -> int:
    return half - (1 << 64) if half >> 63 else half


def random_group(rng: random.Random) -> BrokerGroup:
    """Return a group with targets that it may have come by in any way: from other members and
    subscriptions, or from a classic group whose leader gave what does not exist."""
    topics = {
        UUID(int=rng.getrandbits(128)): rng.choice([1, 2, 3, 7, 12, 30])
        for _ in range(rng.randint(1, 5))
    }
    alike = rng.random() < 0.5
    common = _some(rng, list(topics))
    count = rng.choice([1, 2, 3, 5, 8, 20])
    subscriptions = [common if alike else _some(rng, list(topics)) for _ in range(count)]
    targets: list[dict[UUID, list[int]]] = [{} for _ in range(count)]
    settled = rng.choice([0.0, 0.3, 0.9, 1.0])
    drawn = rng.sample(range(count), rng.randint(1, count))  # others have just joined
    for topic, size in topics.items():
        for partition in range(size):
            if rng.random() < settled:
                targets[rng.choice(drawn)].setdefault(topic, []).append(partition)
    if rng.random() < 0.05:
        topic = rng.choice(list(topics))
        targets[rng.choice(drawn)].setdefault(topic, []).append(rng.choice([-1, topics[topic]]))
    return BrokerGroup(
        {
            f"{rng.choice(['consumer', 'm', 'Ω'])}-{rng.getrandbits(64):x}": BrokerMember(
                subscription,
                f"static-{index}" if rng.random() < 0.2 else None,
                target,
            )
            for index, (subscription, target) in enumerate(zip(subscriptions, targets, strict=True))
        },
        topics,
    )


def _some(rng: random.Random, topics: list[UUID]) -> frozenset[UUID]:
    return frozenset(rng.sample(topics, rng.randint(0 if rng.random() < 0.1 else 1, len(topics))))


def targets_of(name: str, group: BrokerGroup) -> Targets | None:
    """Return what our assignor gives; None if it refuses the group."""
    try:
        return BROKER_ASSIGNORS[name](group)
    except UnassignableError:
        return None


@pytest.mark.parametrize("name", BROKER_ASSIGNORS)
@many
@given(group=st.randoms(use_true_random=False).map(random_group))
def test_targets_are_those_of_the_coordinator(
    ask_java: AskJava, group: BrokerGroup, name: str
) -> None:
    assert targets_of(name, group) == ask_java(name, group)


@pytest.mark.parametrize("name", BROKER_ASSIGNORS)
@given(group=st.randoms(use_true_random=False).map(random_group))
def test_targets_are_as_dictionaries(group: BrokerGroup, name: str) -> None:
    """Also where they are made when somebody looks: they compare, print and pickle as such."""
    for member_id, target in (targets_of(name, group) or {}).items():
        as_dict = {topic: target[topic] for topic in target}
        assert target == as_dict == dict(target.items())
        assert [*target.values()] == [*as_dict.values()]
        assert len(target) == len(as_dict)
        assert pickle.loads(pickle.dumps(target)) == as_dict, member_id  # noqa: S301  # our own
        assert repr(target) == repr(as_dict)


@pytest.mark.parametrize("name", BROKER_ASSIGNORS)
def test_some_groups_are_refused_by_uniform_alone(rng: random.Random, name: str) -> None:
    """A count over many groups, of which none fails by itself."""
    refused = [targets_of(name, random_group(rng)) is None for _ in range(GROUPS)]
    assert any(refused) == (name == "uniform")


def random_share_group(rng: random.Random) -> BrokerGroup:
    """Return a group as `random_group` does, in which several members may have one partition; none
    has one that does not exist, for no classic leader has ever assigned any."""
    group = random_group(rng)
    members = dict(group.members)
    for member_id, member in members.items():
        target = {
            topic: {number for number in numbers if 0 <= number < group.topics[topic]}
            for topic, numbers in member.target.items()
        }
        for topic, size in group.topics.items():
            if rng.random() < 0.3:
                some = rng.sample(range(size), rng.randint(1, size))
                target.setdefault(topic, set()).update(some)
        members[member_id] = replace(member, target=target)
    return BrokerGroup(members, group.topics)


def _few_takers() -> BrokerGroup:
    """Return a share group in which a partition needs three members, and two want one."""
    wide, narrow = UUID(int=1), UUID(int=0)
    had: dict[str, set[int]] = {
        "consumer-0": {0, 1, 2}, "consumer-1": {1}, "consumer-2": {0, 2}, "consumer-3": {2},
        "consumer-4": {1}, "consumer-116e": set(), "m-0": set(), "m-10": {0, 1},
    }  # fmt: skip
    wanted = {"consumer-2": (), "m-0": (narrow, wide)}
    members = {
        member_id: BrokerMember(
            frozenset(wanted.get(member_id, (narrow,))), None, {narrow: numbers} if numbers else {}
        )
        for member_id, numbers in had.items()
    }
    return BrokerGroup(members, {narrow: 3, wide: 30})


@many
@given(group=st.randoms(use_true_random=False).map(random_share_group))
@example(group=_few_takers())
def test_partitions_of_share_groups_are_those_of_the_coordinator(
    ask_java: AskJava, group: BrokerGroup
) -> None:
    assert assign_simple(group) == ask_java("simple", group)


# -- tasks of streams groups


class StreamsGroup(NamedTuple):
    members: dict[str, StreamsMember]
    topology: dict[str, Subtopology]
    standby: int


class JavaTasks:
    """StickyTaskAssignor, and its result as ours."""

    def __init__(self, find: FindClass) -> None:
        package = f"{GROUP}.streams.assignor"
        self._assignor = find(f"{package}.StickyTaskAssignor")()
        self._spec = find(f"{package}.GroupSpecImpl")
        self._member = find(f"{package}.AssignmentMemberSpec")
        self._describer = find(f"{package}.TopologyDescriber")
        self._map, self._set = find("java.util.HashMap"), find("java.util.HashSet")
        self._list, self._integer = find("java.util.ArrayList"), find("java.lang.Integer")
        self._nothing = find("java.util.Optional").empty()

    def assign(self, group: StreamsGroup) -> dict[str, Tasks]:
        members = self._map()
        for member_id, member in group.members.items():
            spec = self._member(
                self._nothing, self._nothing, self._tasks(member.active),
                self._tasks(member.standby), self._map(), member.process_id, self._map(),
                self._map(), self._map(),
            )  # fmt: skip
            members.put(member_id, spec)
        settings = self._map()
        settings.put("num.standby.replicas", str(group.standby))
        topology = group.topology
        describer = load_jpype().JProxy(
            self._describer,
            {
                "subtopologies": lambda: self._list(list(topology)),
                "maxNumInputPartitions": lambda name: topology[str(name)].partitions,
                "isStateful": lambda name: topology[str(name)].stateful,
            },
        )
        result = self._assignor.assign(self._spec(members, settings), describer)
        return {
            str(entry.getKey()): Tasks(
                self._python(entry.getValue().activeTasks()),
                self._python(entry.getValue().standbyTasks()),
            )
            for entry in result.members().entrySet()
        }

    def _tasks(self, tasks: Mapping[str, Collection[int]]) -> Any:
        made = self._map()
        for name, partitions in tasks.items():
            numbers = self._list([self._integer(number) for number in partitions])
            made.put(name, self._set(numbers))
        return made

    def _python(self, tasks: Any) -> set[Task]:
        return {
            Task(str(entry.getKey()), int(number))
            for entry in tasks.entrySet()
            for number in entry.getValue()
        }


def random_streams_group(rng: random.Random) -> StreamsGroup:
    """Return a streams group some of whose members had tasks and copies before, any of them."""
    topology = {
        str(number): Subtopology(rng.choice([1, 2, 3, 5, 8, 16]), rng.random() < 0.6)
        for number in rng.sample(range(12), rng.randint(1, 4))
    }
    ids = [f"m-{rng.getrandbits(48):x}" for _ in range(rng.choice([1, 2, 3, 5, 8, 13]))]
    processes = [f"p-{rng.getrandbits(48):x}" for _ in range(rng.randint(1, len(ids)))]
    active: dict[str, dict[str, list[int]]] = {member_id: {} for member_id in ids}
    standby: dict[str, dict[str, list[int]]] = {member_id: {} for member_id in ids}
    settled = rng.choice([0.0, 0.5, 1.0])
    drawn = rng.sample(ids, rng.randint(1, len(ids)))
    for name, part in topology.items():
        for number in range(part.partitions):
            if rng.random() < settled:
                active[rng.choice(drawn)].setdefault(name, []).append(number)
            for holder in rng.sample(drawn, min(len(drawn), rng.choice([0, 0, 1, 2]))):
                standby[holder].setdefault(name, []).append(number)
    members = {
        member_id: StreamsMember(rng.choice(processes), active[member_id], standby[member_id])
        for member_id in ids
    }
    return StreamsGroup(members, topology, rng.choice([0, 1, 1, 2, 3]))


@pytest.fixture(scope="module")
def java_tasks(find: FindClass) -> JavaTasks:
    return JavaTasks(find)


@many
@given(group=st.randoms(use_true_random=False).map(random_streams_group))
def test_tasks_are_those_of_the_coordinator(java_tasks: JavaTasks, group: StreamsGroup) -> None:
    assert assign_tasks(*group) == java_tasks.assign(group)


def test_tasks_without_members_are_refused() -> None:
    with pytest.raises(UnassignableError):
        assign_tasks({}, {"0": Subtopology(1)})
