"""librdkafka, through confluent-kafka: a real Consumer in a group whose broker is `fake_broker`.

There is no way to hand it the bytes. So it is made the leader of a group with one other member,
whose subscription the question is, and its own log says what it read of it; or that other member
leads, and the question is what the Consumer gets assigned. What it writes is what it sends: when it
joins after it got some partitions, and when it leads.
"""

from __future__ import annotations

import logging
import queue
import re
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterable
from typing import Any

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, message_class
from ..oracles.client import ClientUnavailable
from ..subject import Cost, JsonObject, Read, ReadAnswer, Refused, Unsupported, WriteAnswer, Written
from .fake_broker import JOIN, REBALANCE_IN_PROGRESS, SYNC, Asked, FakeBroker
from .serve import serve

_Joined: Any = message_class("JoinGroupResponse")
_Synced: Any = message_class("SyncGroupResponse")

_OWN = "the-leaders-own-topic"
_ME, _OTHER = "me", "other"
_COOPERATIVE, _RANGE = "cooperative-sticky", "range"
_SECONDS = 8.0  # more than an answer may take: the runner's clock is the one that counts

_MEMBER = re.compile(r'ASSIGN .*:  Member "([^"]*)".* with \d+ owned partition\(s\) and \d+ subsc')
_PARTITION = re.compile(r"ASSIGN .*?:   (.*) \[(-?\d+)\]$", re.DOTALL)
_FAILED = re.compile(r"synchronization failed: (.*): rejoining")


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class _Member:
    """A Consumer with one assignor, which has asked to join its group and waits for an answer."""

    def __init__(self, assignor: str) -> None:
        from confluent_kafka import Consumer

        self.assignor = assignor
        self.broker = FakeBroker()
        self.log = _Log()
        logger = logging.Logger(assignor, logging.DEBUG)
        logger.addHandler(self.log)
        self.assigned: list[Any] | None = None
        self._consumer = Consumer(
            {
                "bootstrap.servers": f"127.0.0.1:{self.broker.port}",
                "group.id": "g",
                "partition.assignment.strategy": assignor,
                "heartbeat.interval.ms": 1,
                "topic.metadata.refresh.interval.ms": -1,
                "debug": "cgrp,assignor",
            },
            logger=logger,
        )
        self._join: Asked | None = None
        self.subscribe([_OWN])

    def subscribe(self, topics: list[str]) -> None:
        """Another subscription makes it join at once, whatever it was waiting for."""
        self._join = None
        self._consumer.subscribe(topics, on_assign=self._on_assign)

    def _on_assign(self, _: object, partitions: list[Any]) -> None:
        self.assigned = partitions

    def wait(self, done: Callable[[], Any]) -> Any:
        """What `done` finds, while the Consumer works; whatever asks it something wakes it up."""
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            self._consumer.poll(0.0005)
            self._consumer.assignment()
            found = done()
            if found is not None:
                return found
        raise TimeoutError(f"no answer from the consumer; {self.log.lines[-1:]}")

    def _asked(self, key: int) -> Callable[[], Asked | None]:
        def find() -> Asked | None:
            try:
                asked = self.broker.asked.get_nowait()
            except queue.Empty:
                return None
            return asked if asked.key == key else None

        return find

    @property
    def join(self) -> Asked:
        """Its request to join, which waits for an answer."""
        if self._join is None:
            self._join = self.wait(self._asked(JOIN))
        assert self._join is not None
        return self._join

    @property
    def metadata(self) -> bytes:
        """What it sends of itself."""
        return bytes(self.join.message.protocols[0].metadata)

    def lead(self, subscription: bytes) -> bytes | None:
        """The assignment that it makes, as leader, for a member with this subscription."""
        join, own = self.join, self.metadata
        self.log.lines.clear()
        part = _Joined.JoinGroupResponseMember
        members = [part(member_id=_ME, metadata=own), part(member_id=_OTHER, metadata=subscription)]
        self._answer_join(join, _ME, 1, members)
        sync = self.wait(self._asked(SYNC))
        sync.answer(_Synced(error_code=REBALANCE_IN_PROGRESS))
        found = {one.member_id: one.assignment for one in sync.message.assignments}
        return found.get(_OTHER)

    def follow(self, assignment: bytes, generation: int = 1) -> list[Any] | str:
        """The partitions that it gets by these bytes, or why it does not."""
        self._answer_join(self.join, _OTHER, generation, [])
        sync = self.wait(self._asked(SYNC))
        self.log.lines.clear()
        self.assigned = None
        sync.answer(_Synced(assignment=assignment))
        return self.wait(self._outcome)  # type: ignore[no-any-return]

    def _outcome(self) -> list[Any] | str | None:
        failed = [found[1] for line in self.log.lines if (found := _FAILED.search(line))]
        return failed[0] if failed else self.assigned

    def again(self) -> None:
        """It joins again, with what it has."""
        self.broker.rebalance.set()
        try:
            self._join = self.wait(self._asked(JOIN))
        finally:
            self.broker.rebalance.clear()

    def _answer_join(self, join: Asked, leader: str, generation: int, members: list[Any]) -> None:
        self._join = None
        join.answer(_Joined(
            generation_id=generation, protocol_name=self.assignor, leader=leader, member_id=_ME,
            members=members,
        ))  # fmt: skip


class Librdkafka:
    """A subject. Raises `ClientUnavailable` where confluent-kafka is not installed."""

    client = "librdkafka"
    names = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")

    def __init__(self) -> None:
        try:
            import confluent_kafka
        except ImportError as error:
            raise ClientUnavailable("confluent-kafka is not installed") from error
        self.release = str(confluent_kafka.libversion()[0])
        self._members: dict[str, _Member] = {}

    def _member(self, assignor: str) -> _Member:
        if assignor not in self._members:
            self._members[assignor] = _Member(assignor)
        return self._members[assignor]

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """As `Subject`."""
        member = self._member(_RANGE)
        if name == "ConsumerProtocolSubscription":
            if member.lead(data) is None:
                return Refused("the leader leaves the member out of its assignment", None)
            return Read(_subscription(member.log.lines))
        found = member.follow(data)
        if isinstance(found, str):
            member.subscribe([_OWN])
            return Refused(found)
        member.again()
        return Read({"assignedPartitions": _entries((one.topic, one.partition) for one in found)})

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """As `Subject`: what comes out is the value that was wanted, or there is no way to it."""
        if name == "ConsumerProtocolSubscription":
            data = self._subscribed(value) if version == 3 and value["topics"] else None
            kind: Any = ConsumerProtocolSubscription
        else:
            data = self._led(value) if version == 0 else None
            kind = ConsumerProtocolAssignment
        if data is None or kind.from_bytes(data).to_json(version) != value:
            return Unsupported("no consumer comes to write that")
        return Written(data)

    def _subscribed(self, value: JsonObject) -> bytes | None:
        """A cooperative consumer has what it owns in its subscription, an eager one nothing."""
        if value["rackId"] != "" or any("\0" in topic for topic in value["topics"]):
            return None
        member = self._member(_COOPERATIVE if value["userData"] else _RANGE)
        member.subscribe(value["topics"])
        if not value["userData"] and value["generationId"] == -1:
            return member.metadata
        owned = ConsumerProtocolAssignment.from_json(
            {"assignedPartitions": value["ownedPartitions"], "userData": None}, version=0
        )
        if isinstance(member.follow(owned.to_bytes(0), value["generationId"]), str):
            return None
        member.again()
        return member.metadata

    def _led(self, value: JsonObject) -> bytes | None:
        """Every partition of a topic goes to the only member that wants it; the user data of its
        subscription goes along."""
        counts = {one["topic"]: one["partitions"] for one in value["assignedPartitions"]}
        if not counts or any(found != list(range(len(found))) for found in counts.values()):
            return None
        if not all(counts.values()) or _OWN in counts or value["userData"] is None:
            return None
        member = self._member(_RANGE)
        member.broker.counts = {topic: len(found) for topic, found in counts.items()}
        wanted = ConsumerProtocolSubscription(
            topics=list(counts), user_data=b64decode(value["userData"])
        )
        try:
            return member.lead(wanted.to_bytes(0))
        finally:
            member.broker.counts = {}

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """As `Subject`."""
        return Unsupported("it keeps nothing of what it does not know")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """As `Subject`: the runner measures the process."""
        return None


def _subscription(lines: list[str]) -> JsonObject:
    """What the leader logs of the other member: what it owns, then its topics, as partition -1."""
    topics, owned, ours = [], [], False
    for line in lines:
        member, partition = _MEMBER.search(line), _PARTITION.search(line)
        if member:
            ours = member[1] == _OTHER
        elif not partition:
            ours = False
        elif ours and partition[2] == "-1":
            topics.append(partition[1])
        elif ours:
            owned.append((partition[1], int(partition[2])))
    return {"topics": topics, "ownedPartitions": _entries(owned)}


def _entries(partitions: Iterable[tuple[str, int]]) -> list[JsonObject]:
    entries: list[JsonObject] = []
    for topic, partition in partitions:
        if not entries or entries[-1]["topic"] != topic:
            entries.append({"topic": topic, "partitions": []})
        entries[-1]["partitions"].append(partition)
    return entries


if __name__ == "__main__":
    try:
        subject = Librdkafka()
    except ClientUnavailable as reason:
        sys.exit(str(reason))
    serve(subject, subject.client, subject.release, subject.names, ("decode", "encode"))
