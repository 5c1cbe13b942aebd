"""Clusters as a stranger to kproto would make them up: topics, groups of several clients, and what
goes wrong in some of them.

Written from Kafka's protocol and the behaviour of its coordinator, not from the rules of the audit.
A world of topics and groups runs on a clock; its coordinators write the records, and the truth is
what was done to each group. From one seed comes one world.
"""

from __future__ import annotations

import random
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kproto.codec import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)

from .kafka_log import Entry

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
NOW = 1_793_000_000_000
BEGIN = NOW - 26 * HOUR

Place = tuple[str, int]
"""A topic and the number of a partition."""


class Topic(NamedTuple):
    """A topic that producers write to at a rate, always or for a while in each period."""

    name: str
    partitions: int
    id: uuid.UUID
    rate: float
    """Records a second and partition."""
    period: int = 1
    busy: int = 1
    """Milliseconds of each period in which it is written."""

    def end(self, number: int, time: int) -> int:
        """The offset of the next record of a partition at that time."""
        periods, rest = divmod(max(time - BEGIN, 0), self.period)
        written = periods * self.busy + min(rest, self.busy)
        return 100_000 * (number + 1) + int(self.rate * written / SECOND)

    def ends(self, time: int) -> dict[int, int]:
        """The end of each partition at that time."""
        return {number: self.end(number, time) for number in range(self.partitions)}


class Client(NamedTuple):
    """How a client writes."""

    name: str
    version: int
    user_data: bytes | None
    assignment_version: int


JAVA = Client("java", 3, None, 3)
LIBRDKAFKA = Client("rdkafka", 3, b"", 0)
KAFKA_PYTHON = Client("kafka-python", 0, b"", 0)
SARAMA = Client("sarama", 0, None, 0)
KAFKA_GO = Client("kafka-go", 1, None, 1)


@dataclass
class Process:
    """A member of a classic group."""

    member_id: str
    client_id: str
    host: str
    client: Client = JAVA
    instance: str | None = None
    owned: list[Place] = field(default_factory=list)
    claimed_at: int = -1
    """The generation in which it was given what it owns."""


class Planted(NamedTuple):
    """What was done to a group. `partitions` are those it was done to, where not all."""

    group: str
    trouble: str
    partitions: frozenset[str] = frozenset()


class Cluster:
    """A cluster: its topics, what its coordinators wrote, and what is true of its groups."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name = name
        self.rng = rng
        self.topics: dict[str, Topic] = {}
        self.hidden: set[str] = set()
        """The topics that whoever audits may not describe."""
        self.written: dict[str, list[Entry]] = defaultdict(list)
        """The records, by group."""
        self.planted: list[Planted] = []
        self.healthy: dict[str, str] = {}
        """Groups without a trouble, and what they do."""
        self.states: dict[str, tuple[str, int]] = {}
        """The state of each group, and for how many milliseconds it was seen rebalancing."""

    def topic(self, name: str, partitions: int, rate: float, period: int = 1, busy: int = 1) -> str:
        number = uuid.UUID(int=self.rng.getrandbits(128), version=4)
        self.topics[name] = Topic(name, partitions, number, rate, period, busy)
        return name

    def plant(self, group: str, trouble: str, partitions: Iterable[Place] = ()) -> None:
        names = frozenset(f"{topic}-{number}" for topic, number in partitions)
        self.planted.append(Planted(group, trouble, names))

    def places(self, *topics: str) -> list[Place]:
        return [(name, number) for name in topics for number in range(self.topics[name].partitions)]

    def process(
        self,
        client_id: str,
        client: Client = JAVA,
        instance: str | None = None,
        owned: list[Place] | None = None,
    ) -> Process:
        """A process that has just started, on a host of its own."""
        number = uuid.UUID(int=self.rng.getrandbits(128), version=4)
        host = f"/10.{self.rng.randrange(256)}.{self.rng.randrange(256)}.{self.rng.randrange(256)}"
        return Process(f"{client_id}-{number}", client_id, host, client, instance, owned or [])

    # -- offsets

    def commit(
        self,
        group: str,
        place: Place,
        time: int,
        offset: int | None,
        producer: int = -1,
        committed: bool = True,
    ) -> None:
        """The coordinator's record of a committed offset; None: it has expired."""
        key = OffsetCommitKey(group=group, topic=place[0], partition=place[1]).to_bytes()
        value = None
        if offset is not None:
            said = OffsetCommitValue(
                offset=offset, leader_epoch=-1, metadata="", commit_timestamp=time,
                topic_id=self.topics[place[0]].id,
            )  # fmt: skip
            value = said.to_bytes(version=4 if self.name == "north" else 3)
        self.written[group].append(Entry(time, key, value, producer, committed))

    def read(
        self,
        group: str,
        places: Iterable[Place],
        start: int,
        stop: int = NOW,
        every: int = MINUTE,
        position: Callable[[Place, int], int] | None = None,
    ) -> None:
        """Members poll from `start` to `stop`, and commit what they have processed: all that was
        written two seconds ago, or `position`."""
        for place in places:
            topic = self.topics[place[0]]
            time = start + self.rng.randrange(every)
            while time < stop:
                offset = (
                    topic.end(place[1], time - 2 * SECOND)
                    if position is None
                    else position(place, time)
                )
                self.commit(group, place, time, offset)
                time += every + self.rng.randrange(-every // 10, every // 10 + 1)


class Group:
    """A classic group and its coordinator."""

    def __init__(
        self, cluster: Cluster, name: str, topics: Sequence[str], protocol: str = "range"
    ) -> None:
        self.cluster = cluster
        self.name = name
        self.topics = topics
        self.protocol = protocol
        self.generation = 0
        self.members: list[Process] = []

    @property
    def cooperative(self) -> bool:
        return self.protocol == "cooperative-sticky"

    def change(
        self, time: int, joining: Iterable[Process] = (), leaving: Iterable[Process] = ()
    ) -> int:
        """Members come and go, and the group rebalances until everybody has what it should have.
        Gives the time at which it is done."""
        gone = {process.member_id for process in leaving}
        self.members = [each for each in self.members if each.member_id not in gone]
        self.members += joining
        while not self.rebalance(time):
            time += 800 + self.cluster.rng.randrange(400)
        return time

    def rebalance(self, time: int) -> bool:
        """One generation: all members join, the leader assigns, the coordinator writes. Gives
        whether no partition was withheld for the next one."""
        self.generation += 1
        said = {each.member_id: self._subscription(each) for each in self.members}
        target = self._target()
        owner = {place: each.member_id for each in self.members for place in each.owned}
        withheld = False
        for each in self.members:
            given = target[each.member_id]
            if self.cooperative:
                free = [at for at in given if owner.get(at, each.member_id) == each.member_id]
                withheld |= len(free) < len(given)
                given = free
            each.owned, each.claimed_at = given, self.generation
        self.write(time, said)
        return not withheld

    def write(self, time: int, said: Mapping[str, bytes], cut: int = 0) -> None:
        """The coordinator's record, the end of it `cut` off."""
        entry = GroupMetadataValue.MemberMetadata
        value = GroupMetadataValue(
            protocol_type="consumer",
            generation=self.generation,
            protocol=self.protocol if self.members else None,
            leader=self.members[0].member_id if self.members else None,
            current_state_timestamp=time - 3,
            members=[
                entry(
                    member_id=each.member_id,
                    group_instance_id=each.instance,
                    client_id=each.client_id,
                    client_host=each.host,
                    rebalance_timeout=5 * MINUTE,
                    session_timeout=45 * SECOND,
                    subscription=said[each.member_id],
                    assignment=self._assignment(each),
                )
                for each in self.members
            ],
        ).to_bytes(version=3)
        self._append(time, value[: len(value) - cut])

    def delete(self, time: int) -> None:
        """Somebody deletes the group: tombstones of its offsets, and of itself."""
        for place in self.cluster.places(*self.topics):
            self.cluster.commit(self.name, place, time, None)
        self._append(time, None)
        self.generation, self.members = 0, []

    def said(self) -> dict[str, bytes]:
        """What the members told the leader last."""
        return {each.member_id: self._subscription(each) for each in self.members}

    def _append(self, time: int, value: bytes | None) -> None:
        key = GroupMetadataKey(group=self.name).to_bytes()
        self.cluster.written[self.name].append(Entry(time, key, value))

    def _subscription(self, each: Process) -> bytes:
        """What a member writes when it joins. An eager one has given back what it had."""
        if each.client is KAFKA_GO:  # a version 1 label, and nothing that version 1 added
            names = b"".join(len(name).to_bytes(2, "big") + name.encode() for name in self.topics)
            return b"\0\1" + len(self.topics).to_bytes(4, "big") + names + b"\xff\xff\xff\xff"
        claims = self.cooperative and bool(each.owned)
        user_data = each.client.user_data
        if self.cooperative and each.client is JAVA:
            user_data = (each.claimed_at if claims else -1).to_bytes(4, "big", signed=True)
        entry = ConsumerProtocolSubscription.TopicPartition
        version = each.client.version
        return ConsumerProtocolSubscription(
            topics=sorted(self.topics),
            user_data=user_data,
            owned_partitions=[
                entry(topic=name, partitions=numbers) for name, numbers in _by_topic(each.owned)
            ]
            if claims
            else [],
            generation_id=each.claimed_at if claims else -1,
            rack_id="" if each.client is LIBRDKAFKA else None,
        ).to_bytes(version=version)

    def _assignment(self, each: Process) -> bytes:
        entry = ConsumerProtocolAssignment.TopicPartition
        return ConsumerProtocolAssignment(
            assigned_partitions=[
                entry(topic=name, partitions=numbers) for name, numbers in _by_topic(each.owned)
            ],
            user_data=None,
        ).to_bytes(version=each.client.assignment_version)

    def _target(self) -> dict[str, list[Place]]:
        """What each member should have: round robin, or, where they are cooperative, what it has
        as far as that is balanced."""
        if not self.members:
            return {}
        places = self.cluster.places(*self.topics)
        if not self.cooperative:
            names = sorted(each.member_id for each in self.members)
            return {name: places[at :: len(names)] for at, name in enumerate(names)}
        most = -(-len(places) // len(self.members))
        target = {each.member_id: each.owned[:most] for each in self.members}
        kept = {place for given in target.values() for place in given}
        for place in places:
            if place not in kept:
                fewest = min(self.members, key=lambda each: len(target[each.member_id]))
                target[fewest.member_id].append(place)
        return target


def _by_topic(places: Iterable[Place]) -> list[tuple[str, list[int]]]:
    found: dict[str, list[int]] = defaultdict(list)
    for name, number in sorted(places):
        found[name].append(number)
    return sorted(found.items())


def broker_assigned(cluster: Cluster, name: str, topic: str, members: int, time: int) -> None:
    """A group of the next consumer protocol (KIP-848), that has what it should have."""
    rng, about = cluster.rng, cluster.topics[topic]

    def put(key: bytes, value: bytes) -> None:
        cluster.written[name].append(Entry(time, key, value))

    ids = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in range(members)]
    for each in ids:
        put(
            ConsumerGroupMemberMetadataKey(group_id=name, member_id=each).to_bytes(),
            ConsumerGroupMemberMetadataValue(
                instance_id=None, rack_id=None, client_id="java", client_host="/10.0.0.9",
                subscribed_topic_names=[topic], subscribed_topic_regex=None,
                rebalance_timeout_ms=5 * MINUTE, server_assignor=None,
            ).to_bytes(),
        )  # fmt: skip
    put(
        ConsumerGroupMetadataKey(group_id=name).to_bytes(),
        ConsumerGroupMetadataValue(epoch=members).to_bytes(),
    )
    target, current = (
        ConsumerGroupTargetAssignmentMemberValue,
        ConsumerGroupCurrentMemberAssignmentValue,
    )
    for at, each in enumerate(ids):
        numbers = list(range(about.partitions))[at::members]
        put(
            ConsumerGroupTargetAssignmentMemberKey(group_id=name, member_id=each).to_bytes(),
            target(
                topic_partitions=[target.TopicPartition(topic_id=about.id, partitions=numbers)]
            ).to_bytes(),
        )
        put(
            ConsumerGroupCurrentMemberAssignmentKey(group_id=name, member_id=each).to_bytes(),
            current(
                member_epoch=members,
                previous_member_epoch=members - 1,
                state=0,
                assigned_partitions=[
                    current.TopicPartitions(topic_id=about.id, partitions=numbers)
                ],
                partitions_pending_revocation=[],
            ).to_bytes(),
        )
    put(
        ConsumerGroupTargetAssignmentMetadataKey(group_id=name).to_bytes(),
        ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=members).to_bytes(),
    )
    cluster.states[name] = ("stable", 0)
