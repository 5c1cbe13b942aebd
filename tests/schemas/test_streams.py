"""Kafka Streams' user data beside the classes that write it by hand, in all versions.

Java keeps maps where the bytes have lists, so a value here is what remains when order and
repetition are taken away. Where Java has made the bytes, ours are the same to the byte.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import AssignmentInfo, Policy, SubscriptionInfoData, decode
from kproto.fuzz.strategies import messages

from ..codec.strategies import broken
from .java import attempt, from_buffer, text, to_buffer
from .verdicts import agreed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .java import FindClass

VERSIONS = range(1, 12)
NEVER = (1 << 63) - 1
RUNNING, UNKNOWN_SUM = -2, -3  # sums that stand for "active" and "standby" in versions 1 to 6

# A quarter of the profile's examples for each of eleven versions.
each_version = settings(max_examples=max(1, settings().max_examples // 4))


class Task(NamedTuple):
    group: int
    partition: int
    topology: str = ""


Partitions = frozenset[tuple[str | None, int]]
Hosts = dict[tuple[str, int], Partitions]


class Assignment(NamedTuple):
    """What an AssignmentInfo says."""

    common: int
    active: list[Task]
    standby: dict[Task, Partitions]
    hosts: Hosts
    standby_hosts: Hosts
    error: int
    next_rebalance: int


class Subscription(NamedTuple):
    """What a SubscriptionInfo says."""

    version: int
    latest: int
    process: UUID
    endpoint: str | None
    sums: dict[Task, int]
    error: int
    tags: dict[str, str]


class Streams:
    """The classes of Kafka Streams, and the way from them to plain values."""

    def __init__(self, find: FindClass) -> None:
        internals = "org.apache.kafka.streams.processor.internals.assignment"
        self.AssignmentInfo = find(f"{internals}.AssignmentInfo")
        self.SubscriptionInfo = find(f"{internals}.SubscriptionInfo")
        self.TaskId = find("org.apache.kafka.streams.processor.TaskId")
        self.ProcessId = find("org.apache.kafka.streams.processor.assignment.ProcessId")
        self.HostInfo = find("org.apache.kafka.streams.state.HostInfo")
        self.TopicPartition = find("org.apache.kafka.common.TopicPartition")
        self.ArrayList = find("java.util.ArrayList")
        self.HashSet = find("java.util.HashSet")
        self.HashMap = find("java.util.HashMap")
        self.Long = find("java.lang.Long")
        self.JavaUuid = find("java.util.UUID")

    # -- into Java

    def assignment(self, version: int, value: Assignment) -> Any:
        active = self.ArrayList([self.task(task) for task in value.active])
        standby = self.map((self.task(t), self.partitions(p)) for t, p in value.standby.items())
        hosts, spares = self.hosts(value.hosts), self.hosts(value.standby_hosts)
        made = self.AssignmentInfo(
            version, value.common, active, standby, hosts, spares, value.error
        )
        made.setNextRebalanceTime(value.next_rebalance)
        return made

    def subscription(self, value: Subscription, unique: int) -> Any:
        process = self.ProcessId(self.JavaUuid.fromString(str(value.process)))
        sums = self.map((self.task(t), self.Long(n)) for t, n in value.sums.items())
        head = (value.version, value.latest, process, value.endpoint)
        return self.SubscriptionInfo(*head, sums, unique, value.error, self.map(value.tags.items()))

    def task(self, task: Task) -> Any:
        return self.TaskId(task.group, task.partition, task.topology or None)

    def partitions(self, partitions: Partitions) -> Any:
        return self.HashSet([self.TopicPartition(topic, number) for topic, number in partitions])

    def hosts(self, hosts: Hosts) -> Any:
        return self.map((self.HostInfo(*host), self.partitions(p)) for host, p in hosts.items())

    def map(self, entries: Iterable[tuple[Any, Any]]) -> Any:
        """From pairs: as a key of a dict, a Java object whose hashCode is -1 fails in Python."""
        made = self.HashMap()
        for key, value in entries:
            made.put(key, value)
        return made

    # -- out of Java

    def assignment_in(self, info: Any) -> Assignment:
        return Assignment(
            info.commonlySupportedVersion(),
            [_task(task) for task in info.activeTasks()],
            {
                _task(entry.getKey()): _partitions(entry.getValue())
                for entry in info.standbyTasks().entrySet()
            },
            _hosts(info.partitionsByHost()),
            _hosts(info.standbyPartitionByHost()),
            info.errCode(),
            info.nextRebalanceMs(),
        )

    def subscription_in(self, info: Any) -> Subscription:
        return Subscription(
            info.version(),
            info.latestSupportedVersion(),
            UUID(text(info.processId().id().toString())),
            text(info.userEndPoint()),
            {_task(e.getKey()): e.getValue().longValue() for e in info.taskOffsetSums().entrySet()},
            info.errorCode(),
            {_text(e.getKey()): _text(e.getValue()) for e in info.clientTags().entrySet()},
        )


def _text(string: Any) -> str:
    found = text(string)
    assert found is not None
    return found


def _task(task: Any) -> Task:
    return Task(task.subtopology(), task.partition(), text(task.topologyName()) or "")


def _partitions(partitions: Any) -> Partitions:
    return frozenset((text(one.topic()), one.partition()) for one in partitions)


def _hosts(hosts: Any) -> Hosts:
    return {
        (_text(entry.getKey().host()), entry.getKey().port()): _partitions(entry.getValue())
        for entry in hosts.entrySet()
    }


@pytest.fixture(scope="session")
def streams(streams_and_connect: FindClass) -> Streams:
    return Streams(streams_and_connect)


# -- our messages as plain values


def assignment_of(message: AssignmentInfo) -> Assignment:
    names: dict[int, str] = {topic.index: topic.name for topic in message.topics}

    def hosts(found: Iterable[AssignmentInfo.HostPartitions]) -> Hosts:
        return {
            (host.host, host.port): frozenset(
                (one.topic if message.version < 5 else names.get(one.topic_index), one.partition)
                for one in host.partitions
            )
            for host in found
        }

    return Assignment(
        message.commonly_supported_version,
        [_our_task(task) for task in message.active_tasks],
        {
            _our_task(one.task): frozenset((p.topic, p.partition) for p in one.partitions)
            for one in message.standby_tasks
        },
        hosts(message.partitions_by_host),
        hosts(message.standby_partitions_by_host),
        message.error_code,
        message.next_rebalance_ms,
    )


def _our_task(task: AssignmentInfo.TaskId) -> Task:
    return Task(task.topic_group_id, task.partition, task.named_topology)


def message_of(version: int, value: Assignment) -> AssignmentInfo:
    """In an order of our own, with topics numbered as they come."""
    message = AssignmentInfo
    named = {
        topic
        for host in (value.hosts, value.standby_hosts)
        for p in host.values()
        for topic, _ in p
    }
    numbers = {topic: number for number, topic in enumerate(named, 7)} if version >= 5 else {}

    def task(one: Task) -> AssignmentInfo.TaskId:
        return message.TaskId(
            topic_group_id=one.group, partition=one.partition, named_topology=one.topology
        )

    def hosts(found: Hosts) -> list[AssignmentInfo.HostPartitions]:
        return [
            message.HostPartitions(
                host=host,
                port=port,
                partitions=[
                    message.HostPartition(topic_index=numbers[topic], partition=number)
                    if numbers
                    else message.HostPartition(topic=topic or "", partition=number)
                    for topic, number in partitions
                ],
            )
            for (host, port), partitions in found.items()
        ]

    return message(
        version=version,
        commonly_supported_version=value.common,
        active_tasks=[task(one) for one in value.active],
        standby_tasks=[
            message.StandbyTask(
                task=task(one),
                partitions=[
                    message.TopicPartition(topic=t or "", partition=n) for t, n in partitions
                ],
            )
            for one, partitions in value.standby.items()
        ],
        topics=[message.IndexedTopic(index=n, name=t or "") for t, n in numbers.items()],
        partitions_by_host=hosts(value.hosts),
        standby_partitions_by_host=hosts(value.standby_hosts),
        error_code=value.error,
        next_rebalance_ms=value.next_rebalance,
    )


def subscription_of(message: SubscriptionInfoData) -> Subscription:
    sums: dict[Task, int] = {}
    for task in message.prev_tasks:
        sums[Task(task.topic_group_id, task.partition)] = RUNNING
    for task in message.standby_tasks:
        sums[Task(task.topic_group_id, task.partition)] = UNKNOWN_SUM
    for one in message.task_offset_sums:
        if message.version >= 10:
            sums[Task(one.topic_group_id, one.partition, one.named_topology or "")] = one.offset_sum
        for part in one.partition_to_offset_sum:
            sums[Task(one.topic_group_id, part.partition)] = part.offset_sum
    return Subscription(
        message.version,
        message.latest_supported_version,
        message.process_id,
        message.user_end_point.decode() or None,
        sums,
        message.error_code,
        {tag.key.decode(): tag.value.decode() for tag in message.client_tags},
    )


# -- random values

int32 = st.integers(-(1 << 31), (1 << 31) - 1)
int64 = st.integers(-(1 << 63), (1 << 63) - 1)
# Every width of modified UTF-8, the two-byte U+0000 and pairs of surrogates among them.
names = st.text(st.sampled_from("ab.-_é߿ࠀ日￿\0𝄞😀"), max_size=6)
partitions = st.frozensets(st.tuples(names, int32), max_size=3)
hosts = st.dictionaries(st.tuples(names, int32), partitions, max_size=3)


def tasks(version: int) -> st.SearchStrategy[Task]:
    return st.builds(Task, int32, int32, names if version >= 10 else st.just(""))


def assignments(version: int) -> st.SearchStrategy[Assignment]:
    task = tasks(version)
    return st.builds(
        Assignment,
        common=int32 if version >= 3 else st.just(-1),
        active=st.lists(task, max_size=4),
        standby=st.dictionaries(task, partitions, max_size=3),
        hosts=hosts if version >= 2 else st.just({}),
        standby_hosts=hosts if version >= 6 else st.just({}),
        error=int32 if version >= 4 else st.just(0),
        next_rebalance=int64 if version >= 7 else st.just(NEVER),
    )


def subscriptions(version: int) -> st.SearchStrategy[Subscription]:
    sums = int64 if version >= 7 else st.sampled_from([RUNNING, UNKNOWN_SUM])
    return st.builds(
        Subscription,
        version=st.just(version),
        latest=st.integers(version, (1 << 31) - 1) if version >= 3 else st.just(-1),
        process=st.uuids(),
        endpoint=names.map(lambda text: text or None) if version >= 2 else st.none(),
        sums=st.dictionaries(tasks(version), sums, max_size=5),
        error=int32 if version >= 9 else st.just(0),
        tags=st.dictionaries(names, names, max_size=3) if version >= 11 else st.just({}),
    )


# -- AssignmentInfo


@pytest.mark.parametrize("version", VERSIONS)
@each_version
@given(data=st.data())
def test_assignment_that_java_wrote(version: int, data: st.DataObject, streams: Streams) -> None:
    value = data.draw(assignments(version))
    raw = from_buffer(streams.assignment(version, value).encode())
    message = decode(raw, AssignmentInfo, policy=Policy.STRICT).message
    assert message is not None
    assert message.version == version
    assert assignment_of(message) == value
    assert message.to_bytes(version) == raw


@pytest.mark.parametrize("version", VERSIONS)
@each_version
@given(data=st.data())
def test_assignment_that_we_wrote(version: int, data: st.DataObject, streams: Streams) -> None:
    value = data.draw(assignments(version))
    raw = message_of(version, value).to_bytes(version)
    assert streams.assignment_in(streams.AssignmentInfo.decode(to_buffer(raw))) == value


@pytest.mark.parametrize("version", VERSIONS)
@each_version
@given(data=st.data())
def test_broken_assignment(version: int, data: st.DataObject, streams: Streams) -> None:
    whole = message_of(version, data.draw(assignments(version))).to_bytes(version)
    agree_on_assignment(streams, data.draw(broken(whole)))


def agree_on_assignment(streams: Streams, raw: bytes) -> bool:
    """The same verdict and, where it is accepted, the same value. True if accepted."""
    java = attempt(streams.AssignmentInfo.decode, raw)
    message = agreed(java, AssignmentInfo.from_bytes, raw)
    if message is None:
        return False
    assert streams.assignment_in(java) == assignment_of(message), raw.hex()
    return True


def ints(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


NO_HOSTS = ints(0, 0, 0, 0) + bytes(8)  # topics, hosts, standby hosts, error, next rebalance
COUNTS = {
    "active tasks": (ints(1), ints(0)),
    "standby tasks": (ints(1, 0), b""),
    "partitions of a standby task": (ints(1, 0, 1, 3, 4), b""),
    "hosts": (ints(2, 0, 0), b""),
    "partitions of a host": (ints(2, 0, 0, 1) + b"\0\1h" + ints(80), b""),
    "topics": (ints(5, 5, 0, 0), ints(0, 0)),
    "hosts by number": (ints(5, 5, 0, 0, 0), ints(0)),
    "partitions by number": (ints(5, 5, 0, 0, 0, 1) + b"\0\1h" + ints(80), ints(0)),
    "hosts of spares": (ints(6, 6, 0, 0, 0, 0), ints(0)),
}


@pytest.mark.parametrize("where", COUNTS)
def test_negative_and_large_counts(where: str, streams: Streams) -> None:
    before, after = COUNTS[where]
    assert agree_on_assignment(streams, before + ints(0) + after)
    for count in (-1, -2, -(1 << 31), (1 << 31) - 1, 1_000_000, 40):
        assert not agree_on_assignment(streams, before + ints(count) + after)


@pytest.mark.parametrize("count", [-1, -5, -(1 << 31)])
def test_negative_count_of_utf_16_units_is_no_name(count: int, streams: Streams) -> None:
    assert agree_on_assignment(streams, ints(10, 10, 1, 1, 2, count) + ints(0) + NO_HOSTS)


@pytest.mark.parametrize("units", ["d800", "dc00", "dc00d800", "d83d", "0000", "ffff", "0061dfff"])
def test_lone_surrogates_of_utf_16(units: str, streams: Streams) -> None:
    raw = bytes.fromhex(units)
    task = ints(10, 10, 1, 1, 2, len(raw) // 2) + raw
    assert agree_on_assignment(streams, task + ints(0) + NO_HOSTS)


@pytest.mark.parametrize("count", [1, 2, 1_000, (1 << 31) - 1])
def test_utf_16_units_that_are_not_there(count: int, streams: Streams) -> None:
    assert not agree_on_assignment(streams, ints(10, 10, 1, 1, 2, count) + b"\0")


# One to three bytes for each UTF-16 unit; Java reads overlong ones and single surrogates.
MODIFIED_UTF_8 = """00 41 7f c080 c181 c280 dfbf e08080 e0a080 efbfbf eda080 edb080 eda080edb080
    4100 80 bf c0 c1 df c328 c3c3 e0 e080 e08041 e04180 f09f9880 f8 ff fe 41c0 41e280""".split()
ACCEPTED = 14


def test_modified_utf_8(streams: Streams) -> None:
    def host(raw: bytes) -> bytes:
        return ints(2, 0, 0, 1) + struct.pack(">H", len(raw)) + raw + ints(80, 0)

    verdicts = [agree_on_assignment(streams, host(bytes.fromhex(raw))) for raw in MODIFIED_UTF_8]
    assert verdicts == [number < ACCEPTED for number in range(len(MODIFIED_UTF_8))]


@pytest.mark.parametrize("version", [0, -1, 12, 100, 65537, (1 << 31) - 1, -(1 << 31)])
def test_unknown_version_of_an_assignment(version: int, streams: Streams) -> None:
    assert not agree_on_assignment(streams, ints(version, 12, 0, 0) + NO_HOSTS)


def test_topic_number_that_nobody_explains(streams: Streams) -> None:
    """Java takes it for a topic without a name."""
    raw = ints(5, 5, 0, 0, 0, 1) + b"\0\1h" + ints(80, 1, 3, 9, 0)
    assert agree_on_assignment(streams, raw)


# -- SubscriptionInfo


@pytest.mark.parametrize("version", VERSIONS)
@each_version
@given(data=st.data())
def test_subscription_that_java_wrote(version: int, data: st.DataObject, streams: Streams) -> None:
    value = data.draw(subscriptions(version))
    unique = data.draw(st.integers(-128, 127))
    raw = from_buffer(streams.subscription(value, unique).encode())
    message = decode(raw, SubscriptionInfoData, policy=Policy.STRICT).message
    assert message is not None
    assert subscription_of(message) == value
    assert message.unique_field == (unique if version >= 8 else 0)
    assert message.to_bytes(version) == raw


@pytest.mark.parametrize("version", VERSIONS)
@each_version
@given(data=st.data())
def test_subscription_that_we_wrote(version: int, data: st.DataObject, streams: Streams) -> None:
    """What Java holds is what it writes again: its class is generated from the definition."""
    latest = data.draw(st.integers(version, (1 << 31) - 1)) if version >= 3 else -1
    chosen = messages(classes=st.just(SubscriptionInfoData), versions=[version])
    message = data.draw(chosen).message.replace(version=version, latest_supported_version=latest)
    raw = message.to_body(version)
    assert from_buffer(streams.SubscriptionInfo.decode(to_buffer(raw)).encode()) == raw


@pytest.mark.parametrize("version", VERSIONS)
@each_version
@given(data=st.data())
def test_broken_subscription(version: int, data: st.DataObject, streams: Streams) -> None:
    value = data.draw(subscriptions(version))
    whole = from_buffer(streams.subscription(value, 0).encode())
    agree_on_subscription(streams, data.draw(broken(whole)))


def agree_on_subscription(streams: Streams, raw: bytes) -> bool:
    """The same verdict and, where it is accepted, the same value. True if accepted."""
    java = attempt(streams.SubscriptionInfo.decode, raw)
    message = agreed(java, SubscriptionInfoData.from_bytes, raw)
    if message is None:
        return False
    assert message.version == java.version(), raw.hex()
    assert message.latest_supported_version == java.latestSupportedVersion(), raw.hex()
    if message.version in VERSIONS:  # of a newer one Java can write nothing
        assert message.to_bytes(message.version) == from_buffer(java.encode()), raw.hex()
    return True


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("below", [0, 1, 2, 100])
def test_latest_version_below_the_own(version: int, below: int, streams: Streams) -> None:
    """Kafka refuses who claims not to know the version that it writes."""
    latest = version if version >= 3 else -1
    data = SubscriptionInfoData(version=version, latest_supported_version=latest).to_bytes(version)
    if version >= 3:  # which ours refuses to write
        data = data[:4] + (version - below).to_bytes(4, "big", signed=True) + data[8:]
    accepted = agree_on_subscription(streams, data)
    assert accepted == (version < 3 or below == 0)


@pytest.mark.parametrize("tail", [b"", b"\0", b"whatever comes"])
def test_newer_subscription_is_its_head(tail: bytes, streams: Streams) -> None:
    for version in (12, 100, 65537, (1 << 31) - 1):
        for latest in (version, version - 1, -1, 0, (1 << 31) - 1):
            accepted = agree_on_subscription(streams, ints(version, latest) + tail)
            assert accepted == (latest >= version)
        for size in range(8):
            assert not agree_on_subscription(streams, ints(version, version)[:size])


@pytest.mark.parametrize("version", [0, -1, -65535, -(1 << 31)])
def test_version_below_all(version: int, streams: Streams) -> None:
    assert not agree_on_subscription(streams, ints(version, 11) + bytes(60))
