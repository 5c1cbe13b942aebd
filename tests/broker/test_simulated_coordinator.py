"""The simulated coordinator of KIP-848 beside a real one: the same requests, the same answers.

Members of both protocols ask in any order, with epochs and claims that are right, late or wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from confluent_kafka import TopicCollection
from confluent_kafka import admin as kafka_admin

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    SyncGroupRequest,
    SyncGroupResponse,
)
from kproto.rebalance.assignments import Partition, grouped, partitions_of
from kproto.rebalance.java_order import bucket, string_hash
from kproto.rebalance.simulation.machines.coordinator_state import Asked, GroupSettings, Reply
from kproto.rebalance.simulation.modern import broker as simulated
from kproto.rebalance.simulation.modern import targets
from kproto.rebalance.simulation.modern.group_state import ConsumerGroup
from tests.broker.test_migration import settled_broker
from tests.broker.wire import Wire
from tests.rebalance.simulation import record_kinds, written_records
from tests.rebalance.simulation.written_records import NO_GROUP, group_of, records_between

KAFKA: Any = kafka_admin
TOPICS = {"orders": 5, "clicks": 3, "lone": 1}
GROUPS, REQUESTS = 60, 60
SETTINGS = GroupSettings(assignment_interval_ms=0)
TIMEOUT_MS = 120_000


class Asker:
    """A member to be, as far as it knows by what it was answered."""

    def __init__(self, member_id: str, instance_id: str | None, *, classic: bool) -> None:
        self.member_id = member_id
        self.instance_id = instance_id
        self.classic = classic
        self.epoch = 0
        self.before = 0
        self.topics: tuple[str, ...] = ("orders",)
        self.owned: frozenset[Partition] = frozenset()
        self.given: frozenset[Partition] = frozenset()


class Both:
    """A group at the broker and the same group in the simulation."""

    def __init__(self, bootstrap: str, group_id: str, rng: random.Random) -> None:
        self._wire = Wire(bootstrap, "c")
        self._group_id = group_id
        self._rng = rng
        self._assignor = rng.choice(
            ["range", "uniform"]
        )  # one: among two a broker has its own order
        self._names = {targets.topic_id(topic): topic for topic in TOPICS}
        self.group: simulated.AnyGroup = NO_GROUP
        self.story: list[str] = []
        self.errors: set[int] = set()

    def close(self) -> None:
        self._wire.close()

    def ask(self, message: Any, version: int) -> Any:
        """Return the broker's answer. It has to be the simulation's."""
        message = message.replace(group_id=self._group_id)
        self._wire.send(message, version)
        real = self._wire.receive(20)
        before = self.group
        asked = Asked("c", "c", version, message)
        self.group, actions = simulated.step(SETTINGS, TOPICS, before, asked)
        (ours,) = (action.message for action in actions if isinstance(action, Reply))
        self.story.append(f"{message} -> {real}")
        assert self._told(ours) == self._told(real), "\n".join(self.story)
        self._check_records()
        self.errors.add(real.error_code)
        return real

    def _told(self, answer: Any) -> tuple[Any, ...]:
        match answer:
            case ConsumerGroupHeartbeatResponse() if not answer.error_code:
                return answer.member_epoch, answer.heartbeat_interval_ms, self.assigned(answer)
            case JoinGroupResponse() if not answer.error_code:
                return answer.generation_id, answer.protocol_name, answer.leader, answer.members
            case SyncGroupResponse() if not answer.error_code:
                share = ConsumerProtocolAssignment.from_bytes(answer.assignment)
                return answer.assignment[:2], sorted(partitions_of(share.assigned_partitions))
            case _:
                return (answer.error_code,)

    def assigned(self, answer: ConsumerGroupHeartbeatResponse) -> frozenset[Partition] | None:
        """Return the assignment of an answer, None if it has none."""
        if answer.assignment is None:
            return None
        return frozenset(
            (self._names[one.topic_id], number)
            for one in answer.assignment.topic_partitions
            for number in one.partitions
        )

    def _check_records(self) -> None:
        """A coordinator that takes over finds the group in its records."""
        group = self.group
        assert isinstance(group, ConsumerGroup)
        found = group_of(records_between(NO_GROUP, group), TOPICS)
        assert _stored(found) == _stored(group)

    # -- what members ask

    def beat(self, asker: Asker, *, full: bool = False) -> None:
        """Send a heartbeat, most often a right one; the first of all is."""
        rng = self._rng
        epoch = asker.epoch
        if self.story and rng.random() < 0.08:
            epoch = rng.choice([asker.before, epoch + 1, max(0, epoch - 1), 0])
        joins = epoch == 0
        if rng.random() < 0.06:
            asker.topics = rng.choice(
                [("orders",), ("orders", "clicks"), ("clicks",), ("lone", "orders"), ("ghost",)]
            )
            full = True
        owned: Any = None
        if full or joins or rng.random() < 0.6:
            claimed = frozenset() if joins else asker.owned
            owned = [
                ConsumerGroupHeartbeatRequest.TopicPartitions(topic_id=uuid, partitions=numbers)
                for uuid, numbers in targets.by_topic_id(claimed).items()
            ]
        answer = self.ask(
            ConsumerGroupHeartbeatRequest(
                member_id=asker.member_id,
                member_epoch=epoch,
                instance_id=asker.instance_id,
                rebalance_timeout_ms=TIMEOUT_MS if full or joins else -1,
                subscribed_topic_names=list(asker.topics) if full or joins else None,
                server_assignor=rng.choice([None, self._assignor]) if joins else None,
                topic_partitions=owned,
            ),
            1,
        )
        if answer.error_code:
            asker.epoch, asker.owned, asker.given = 0, frozenset(), frozenset()
            return
        asker.before, asker.epoch = asker.epoch, answer.member_epoch
        told = self.assigned(answer)
        asker.given = asker.given if told is None else told
        if rng.random() < 0.8:
            asker.owned = asker.given

    def leave(self, asker: Asker) -> None:
        """Leave for good, or as a static member for now."""
        static = asker.instance_id is not None
        epoch = self._rng.choice([-2, -2, -1]) if static else -1
        self.ask(
            ConsumerGroupHeartbeatRequest(
                member_id=asker.member_id, member_epoch=epoch, instance_id=asker.instance_id
            ),
            1,
        )
        asker.epoch, asker.owned, asker.given = 0, frozenset(), frozenset()
        if static:
            asker.member_id = member_id_in(bucket_of(asker.member_id), f"{asker.member_id}+")

    def join(self, asker: Asker) -> None:
        """Join by the classic protocol, and synchronise."""
        version = self._rng.choice([0, 1, 2, 3])
        subscription = ConsumerProtocolSubscription(
            topics=list(asker.topics),
            owned_partitions=[
                ConsumerProtocolSubscription.TopicPartition(
                    topic=one.topic, partitions=one.partitions
                )
                for one in grouped(sorted(asker.owned))
            ]
            if version
            else [],
        )
        joined = self.ask(
            JoinGroupRequest(
                session_timeout_ms=45_000,
                rebalance_timeout_ms=TIMEOUT_MS,
                member_id=asker.member_id,
                protocol_type="consumer",
                protocols=[
                    JoinGroupRequest.JoinGroupRequestProtocol(
                        name="range", metadata=subscription.to_bytes(version=version)
                    )
                ],
            ),
            9,
        )
        if joined.error_code:
            return
        asker.epoch = joined.generation_id
        synced = self.ask(
            SyncGroupRequest(
                generation_id=asker.epoch,
                member_id=asker.member_id,
                protocol_type="consumer",
                protocol_name="range",
            ),
            5,
        )
        if not synced.error_code:
            share = ConsumerProtocolAssignment.from_bytes(synced.assignment)
            asker.owned = frozenset(partitions_of(share.assigned_partitions))

    def beat_classic(self, asker: Asker) -> None:
        """Send a Heartbeat; join again where the answer says so."""
        answer = self.ask(HeartbeatRequest(generation_id=asker.epoch, member_id=asker.member_id), 4)
        if answer.error_code:
            self.join(asker)

    def leave_classic(self, asker: Asker) -> None:
        """Send LeaveGroup."""
        identity = LeaveGroupRequest.MemberIdentity(
            member_id=asker.member_id, group_instance_id=None, reason=None
        )
        self.ask(LeaveGroupRequest(members=[identity]), 5)
        asker.epoch, asker.owned = 0, frozenset()


def bucket_of(member_id: str) -> int:
    """Return the bucket of a member id in Java's hash maps of a few members."""
    return bucket(string_hash(member_id), 16)


def member_id_in(wanted: int, beginning: str) -> str:
    """Return a member id with that beginning in that bucket. With two members in one bucket the
    result of `uniform` depends on the order in a broker's own hash table, which is not simulated.
    """
    return next(
        member_id
        for number in range(1_000)
        if bucket_of(member_id := f"{beginning}-{number}") == wanted
    )


def _stored(group: ConsumerGroup) -> ConsumerGroup:
    """Return what the records hold: the order of members and versions of requests are not there."""
    members = (
        member._replace(classic=member.classic and member.classic._replace(version=0))
        for member in sorted(group.members)
    )
    return group._replace(members=tuple(members), refresh_due=False, born=0)


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A broker without a least time between target assignments; the simulation has its topic ids,
    by which `uniform` goes.
    """
    settings = {"group.consumer.assignment.interval.ms": 0}
    with settled_broker(tmp_path, settings, TOPICS) as broker:
        admin = KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap})
        ids = dict(_topic_ids(admin.describe_topics(TopicCollection([*TOPICS])).values()))
        ids["ghost"] = UUID(int=1)
        monkeypatch.setattr(targets, "topic_id", ids.__getitem__)
        for module in (written_records, record_kinds):
            monkeypatch.setattr(module, "topic_id", ids.__getitem__)
        yield broker.bootstrap


def _topic_ids(described: Iterable[Any]) -> Iterator[tuple[str, UUID]]:
    for future in described:
        topic = future.result(30)
        high = topic.topic_id.get_most_significant_bits() % (1 << 64)
        low = topic.topic_id.get_least_significant_bits() % (1 << 64)
        yield topic.name, UUID(int=high << 64 | low)


def test_answers_are_those_of_a_broker(bootstrap: str, rng: random.Random) -> None:
    # Groups talk to one live broker at once, and what it keeps of them cannot be undone to shrink.
    seeds = [rng.randrange(2**32) for _ in range(GROUPS)]
    with ThreadPoolExecutor(8) as threads:
        found = set().union(*threads.map(lambda seed: converse(bootstrap, seed), seeds))
    assert {0, 25, 27, 110, 111} <= found, found


def converse(bootstrap: str, seed: int) -> set[int]:
    """Let a group of both protocols ask for a while; return the errors that were answered."""
    rng = random.Random(seed)  # noqa: S311  # a test, no secret
    with closing(Both(bootstrap, f"g{seed}", rng)) as both:
        askers = [
            Asker(member_id_in(3 * number, f"m{number}-{seed}"), instance, classic=classic)
            for number, (instance, classic) in enumerate(
                [(None, False), (None, False), ("static", False), (None, True), (None, True)]
            )
        ]
        keeper, *_ = askers
        both.beat(keeper, full=True)
        for _ in range(REQUESTS):
            asker = rng.choice(askers)
            leaves = rng.random() < 0.07 and asker is not keeper
            if asker.classic:
                if not asker.epoch:
                    both.join(asker)
                else:
                    (both.leave_classic if leaves else both.beat_classic)(asker)
            else:
                both.leave(asker) if leaves else both.beat(asker, full=rng.random() < 0.1)
        return both.errors
