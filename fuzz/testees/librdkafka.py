"""librdkafka, through confluent-kafka: a real Consumer in a group whose broker is `fake_broker`.

There is no API that takes the bytes. So the Consumer is made the leader of a group with one other
member, whose subscription the question is, and its own log says what it read of it; or that other
member leads, and the question is what the Consumer gets assigned. What it writes is what it sends:
when it joins after it got some partitions, and when it leads.
"""

from __future__ import annotations

import logging
import queue
import re
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from typing import Any

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    EncodeError,
    Policy,
    StickyAssignorUserData,
    decode,
    message_class,
)
from ..guarantees import comparison as comparing
from ..oracles.client import ClientUnavailable
from ..subject import Cost, JsonObject, Read, ReadAnswer, Refused, Unsupported, WriteAnswer, Written
from .fake_broker import JOIN, REBALANCE_IN_PROGRESS, Asked, FakeBroker
from .serve import serve

_Joined: Any = message_class("JoinGroupResponse")
_Synced: Any = message_class("SyncGroupResponse")

_OWN = "the-leaders-own-topic"
_ME, _OTHER = "me", "other"
_COOPERATIVE, _RANGE = "cooperative-sticky", "range"
_SECONDS = 8.0  # more than an answer may take: the runner's clock is the one that counts

_MEMBER = re.compile(r'ASSIGN .*:  Member "([^"]*)".* with (\d+) owned partition\(s\) and \d+ sub')
_TOPIC = re.compile(r"ASSIGN .*?:   (.*) \[-1\]$", re.DOTALL)
_FAILED = re.compile(r"synchronization failed: (.*): rejoining")


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class _Member:
    """A Consumer with one assignor that has asked to join its group and waits for an answer."""

    def __init__(self, assignor: str) -> None:
        from confluent_kafka import Consumer  # late: an extra

        self.assignor = assignor
        self.broker = FakeBroker()
        self.log = _Log()
        logger = logging.getLogger(f"{__name__}.{assignor}")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self.log)
        self.assigned: list[Any] | None = None
        self.refused = ""
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
        """Change the subscription, so that it joins again, at the latest when what it waits for is
        over. Raises confluent_kafka.KafkaException for topics that it does not take.
        """
        if self._join is not None and self._wants == set(topics):
            return
        self._consumer.subscribe(topics, on_assign=self._on_assign)
        while self._join is None or self._wants != set(topics):
            if self._join is not None:
                self._join.answer(_Joined(error_code=REBALANCE_IN_PROGRESS))
            self._join = self.wait(self._next)

    @property
    def _wants(self) -> set[str]:
        return set(ConsumerProtocolSubscription.from_bytes(self.metadata).topics)

    def _on_assign(self, consumer: Any, partitions: list[Any]) -> None:
        """Take the partitions here: the binding does not survive it if its own call fails."""
        cooperative = self.assignor == _COOPERATIVE
        try:
            (consumer.incremental_assign if cooperative else consumer.assign)(partitions)
            self.assigned = partitions
        except _rejected() as error:
            self.refused = str(error)

    def wait(self, done: Callable[[], Any]) -> Any:
        """Return what `done` finds, while the Consumer works; a request of its wakes it up."""
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            self._consumer.poll(0.0005)
            self._consumer.assignment()
            found = done()
            if found is not None:
                return found
        raise TimeoutError(f"no answer from the consumer; {self.log.lines[-1:]}")

    def _next(self) -> Asked | None:
        try:
            return self.broker.asked.get_nowait()
        except queue.Empty:
            return None

    @property
    def metadata(self) -> bytes:
        """The metadata that it sends."""
        assert self._join is not None
        return bytes(self._join.message.protocols[0].metadata)

    def lead(self, subscription: bytes) -> bytes | None:
        """Return the assignment that it makes, as leader, for a member with this subscription."""
        self.log.lines.clear()
        sync = self._joined(_ME, 1, subscription)
        found = {
            assignment.member_id: assignment.assignment for assignment in sync.message.assignments
        }
        sync.answer(_Synced(error_code=REBALANCE_IN_PROGRESS))
        self._join = self.wait(self._next)
        return found.get(_OTHER)

    def follow(self, assignment: bytes, generation: int = 1) -> list[Any] | str:
        """Return the partitions that it gets by these bytes, or why it does not."""
        sync = self._joined(_OTHER, generation, None)
        self.log.lines.clear()
        self.assigned, self.refused = None, ""
        sync.answer(_Synced(assignment=assignment))
        return self.wait(self._outcome)  # type: ignore[no-any-return]

    def _outcome(self) -> list[Any] | str | None:
        failed = (_FAILED.search(line) for line in self.log.lines)
        return next((error[1] for error in failed if error), self.refused or self.assigned)

    def recover(self) -> None:
        """Join again after partitions that it did not take."""
        if self.refused:  # librdkafka waits for as long as its application takes nothing
            self._consumer.assign([])
            self.again()
        else:
            self.subscribe([_OWN])

    def again(self) -> None:
        """Let it join again, with what it has."""
        self.broker.rebalance.set()
        try:
            self._join = self.wait(self._next)
        finally:
            self.broker.rebalance.clear()

    def _joined(self, leader: str, generation: int, subscription: bytes | None) -> Asked:
        """Answer its JoinGroup, and return the request that follows. Only the leader is told the
        members.
        """
        asked = self._join
        part = _Joined.JoinGroupResponseMember
        while asked is None or asked.key == JOIN:  # it may change its mind and ask again
            if asked is not None:
                own = asked.message.protocols[0].metadata
                both = [part(member_id=_ME, metadata=own),
                        part(member_id=_OTHER, metadata=subscription or b"")]  # fmt: skip
                asked.answer(_Joined(
                    generation_id=generation, protocol_name=self.assignor, leader=leader,
                    member_id=_ME, members=both if leader == _ME else [],
                ))  # fmt: skip
            asked = self.wait(self._next)
        self._join = None
        return asked


class Librdkafka:
    """librdkafka as a subject. Raises `ClientUnavailable` if confluent-kafka is not installed."""

    client = "librdkafka"
    names = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")

    def __init__(self) -> None:
        try:
            import confluent_kafka  # late: an extra
        except ImportError as error:
            raise ClientUnavailable("confluent-kafka is not installed") from error
        self.release = str(confluent_kafka.libversion()[0])
        self._members: dict[str, _Member] = {}
        self._member(_RANGE)  # what it takes belongs to no question

    def _member(self, assignor: str) -> _Member:
        if assignor not in self._members:
            self._members[assignor] = _Member(assignor)
        return self._members[assignor]

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes as leader or as member (see `Subject`)."""
        if not _is_text(name, data):
            return Unsupported("its Python binding has no way to show a name that is not UTF-8")
        member = self._member(_RANGE)
        member.subscribe([_OWN])
        return (_read_subscription if name == self.names[0] else _read_assignment)(member, data)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`): what comes out means what was wanted, or is
        unsupported.
        """
        try:
            data = self._written(name, version, value)
        except _rejected() as error:
            return Refused(str(error))
        except EncodeError as error:  # not its own: of what the question has to be put in
            return Unsupported(f"no other member could ask for that: {error}")
        kind: Any = message_class(name)
        if data is not None:
            written = kind.from_bytes(data).to_json(version)
            if comparing.difference(value, written, exactly=False) is None:
                return Written(data)
        return Unsupported("no consumer comes to write that")

    def _written(self, name: str, version: int, value: JsonObject) -> bytes | None:
        if name == self.names[0]:
            return self._subscribed(value) if version == 3 and value["topics"] else None
        return self._led(value) if version == 0 else None

    def _subscribed(self, value: JsonObject) -> bytes | None:
        """Return the subscription: a cooperative consumer's has what it owns, an eager one's
        nothing.
        """
        if value["rackId"] or any("\0" in topic for topic in value["topics"]):
            return None
        owned, generation = value["ownedPartitions"], value["generationId"]
        if not value["userData"] and not owned and generation == -1:
            member = self._member(_RANGE)
            member.subscribe(value["topics"])
            return member.metadata
        if value["userData"] != _sticky(owned, generation):
            return None
        member = self._member(_COOPERATIVE)
        member.subscribe(value["topics"])
        assignment = ConsumerProtocolAssignment.from_json(
            {"assignedPartitions": owned, "userData": None}, version=0
        )
        if isinstance(member.follow(assignment.to_bytes(0), generation), str):
            return None
        member.again()
        return member.metadata

    def _led(self, value: JsonObject) -> bytes | None:
        """Return the assignment: every partition of a topic goes to the only member that wants it,
        with the user data of its subscription.
        """
        counts = {entry["topic"]: entry["partitions"] for entry in value["assignedPartitions"]}
        if not counts or any(found != list(range(len(found))) for found in counts.values()):
            return None
        if not all(counts.values()) or _OWN in counts:
            return None
        member = self._member(_RANGE)
        member.subscribe([_OWN])
        member.broker.counts = {topic: len(found) for topic, found in counts.items()}
        wanted = ConsumerProtocolSubscription(
            topics=list(counts), user_data=b64decode(value["userData"] or "")
        )
        try:
            return member.lead(wanted.to_bytes(0))
        finally:
            member.broker.counts = {}

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("it keeps nothing of what it does not know")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return None: the runner measures the process."""
        return None


def _is_text(name: str, data: bytes) -> bool:
    """Return whether names are text: others break the binding when librdkafka logs them, which
    reads negative versions too.
    """
    readable = b"\0\0" + data[2:] if data[:1] >= b"\x80" else data
    seen = decode(readable, message_class(name), policy=Policy.LENIENT)
    return data.isascii() or not any(deviation.code == "KP002" for deviation in seen.deviations)


def _rejected() -> type[Exception]:
    from confluent_kafka import KafkaException  # late: an extra

    return KafkaException


def _sticky(owned: list[JsonObject], generation: int) -> str:
    """Return the user data of a cooperative consumer, which repeats what it owns."""
    value = {"previousAssignment": owned, "generation": generation}
    return b64encode(StickyAssignorUserData.from_json(value, version=1).to_body(1)).decode()


def _read_subscription(member: _Member, data: bytes) -> Read | Refused:
    if member.lead(data) is None:
        return Refused("the leader leaves the member out of its assignment")
    return Read(_subscription(member.log.lines))


def _read_assignment(member: _Member, data: bytes) -> Read | Refused:
    found = member.follow(data)
    if isinstance(found, str):
        member.recover()
        return Refused(found)
    member.again()
    return Read(
        {
            "assignedPartitions": _entries(
                (partition.topic, partition.partition) for partition in found
            )
        }
    )


def _subscription(lines: list[str]) -> JsonObject:
    """Return what the leader logs of the other member: its topics, and how many partitions it
    owns.
    """
    topics: list[str] = []
    value: JsonObject = {"topics": topics}
    ours = False
    for line in lines:
        member, topic = _MEMBER.search(line), _TOPIC.search(line)
        if member:
            ours = member[1] == _OTHER
            if ours and member[2] == "0":
                value["ownedPartitions"] = []
        elif not topic:
            ours = False
        elif ours:
            topics.append(topic[1])
    return value


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
