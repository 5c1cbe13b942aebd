"""librdkafka: a real consumer in a group whose broker is `fake_broker`.

There is no API that takes the bytes. So the consumer is made the leader of a group with one other
member, whose subscription the question is, and its own log says what it read of it; or that other
member leads, and the question is what the consumer gets assigned. What it writes is what it sends:
when it joins after it got some partitions, and when it leads.

    python -m kproto.fuzz.clients.librdkafka            confluent-kafka of this environment
    python -m kproto.fuzz.clients.librdkafka COMMAND    a program that drives another binding

The consumer is a process of its own, in any language that has a binding. Its program gets its
configuration as JSON in its last argument, and says on standard output, a JSON object a line:
{"client": ..., "release": ...} at once, with "log": "late" if its log has a queue, then
{"assigned": [[TOPIC, PARTITION], ...]} for each assignment that it took and {"refused": WHY} for
each that it could not take. On standard input it gets {"subscribe": [TOPIC, ...]} and
{"assign": []}, and {} if its log is late; it answers {"done": ""}, when the queue is empty, or
{"done": ERROR}. Standard error is librdkafka's log. What ends that program ends this one.
"""

from __future__ import annotations

import json
import os
import queue
import re
import select
import signal
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import resources
from typing import Any

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    EncodeError,
    StickyAssignorUserData,
    message_class,
)
from ..guarantees import comparison as comparing
from ..line_protocol import serve
from ..oracles.python_clients import ClientUnavailable
from ..subject import (
    CONSUMER_PROTOCOL,
    Cost,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Unsupported,
    WriteAnswer,
    Written,
)
from .fake_broker import JOIN, REBALANCE_IN_PROGRESS, Asked, FakeBroker

_CHUNK = 1 << 16  # the size of a pipe
_TURN = 0.0005  # seconds to wait for its output
_COMMAND_SECONDS = 8.0  # for the answer to a command
_RECORD = re.compile(rb"\n(?=%\d\|)")
_NOT_TEXT = re.compile("[\udc80-\udcff]")


class Rejected(Exception):
    """The consumer does not take such topics."""


class DrivenConsumer:
    """The consumer. Raises `ClientUnavailable` if its program does not start."""

    def __init__(self, command: Sequence[str], settings: Mapping[str, str]) -> None:
        self.assigned: list[tuple[str, int]] | None = None
        self.refused = ""
        self._done: str | None = None
        self._log = bytearray()
        self._said = b""
        self._hello: dict[str, str] = {}
        self._process = subprocess.Popen(
            [*command, json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin = self._process.stdin
        self._out, self._err = self._process.stdout.fileno(), self._process.stderr.fileno()
        os.set_blocking(self._out, False)
        os.set_blocking(self._err, False)
        try:
            self._await(lambda: self._hello or None, seconds=60.0)
        except EOFError:
            raise ClientUnavailable(self._last_words()[-1:] or "no consumer") from None
        self.client, self.release = self._hello["client"], self._hello["release"]

    def subscribe(self, topics: list[str]) -> None:
        """Change its subscription. Raises `Rejected`."""
        self._command({"subscribe": topics})

    def assign_nothing(self) -> None:
        """Let it take no partition."""
        self._command({"assign": []})

    def catch_up(self) -> None:
        """Wait for what a log holds back that is late, of all that the consumer has done."""
        if self._hello.get("log") == "late":
            self._command({})

    def forget(self) -> None:
        """Forget what it has said so far."""
        self.catch_up()
        self.take()
        self._log.clear()
        self.assigned, self.refused = None, ""

    def log(self) -> list[str]:
        """Return its log's lines; each byte that is no UTF-8 is U+FFFD, as for other clients that
        keep names as bytes.
        """
        self._drain()
        lines = _RECORD.split(self._log.removesuffix(b"\n"))
        return [_NOT_TEXT.sub("\ufffd", line.decode("utf-8", "surrogateescape")) for line in lines]

    def take(self) -> None:
        """Take what it says now, or soon. Ends this process as the other one ended."""
        try:
            self._take()
        except EOFError:
            self._die()

    def _command(self, message: Mapping[str, Any]) -> None:
        self._done = None
        try:
            self._stdin.write(json.dumps(message).encode() + b"\n")
            self._await(lambda: self._done)
        except (EOFError, BrokenPipeError):
            self._die()
        if self._done:
            raise Rejected(self._done)

    def _await(self, probe: Any, seconds: float = _COMMAND_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while probe() is None:
            if time.monotonic() > deadline:
                raise TimeoutError("the consumer does not answer")
            self._take()

    def _take(self) -> None:
        select.select([self._out], [], [], _TURN)
        self._drain()
        try:
            self._said += (output := os.read(self._out, _CHUNK))
        except BlockingIOError:
            return
        if not output:
            raise EOFError
        *lines, self._said = self._said.split(b"\n")
        for line in lines:
            self._hear(json.loads(line))

    def _hear(self, message: dict[str, Any]) -> None:
        if "assigned" in message:
            self.assigned = [(topic, partition) for topic, partition in message["assigned"]]
        elif "refused" in message:
            self.refused = message["refused"]
        elif "done" in message:
            self._done = message["done"]
        else:
            self._hello = message

    def _drain(self) -> None:
        """Take the log of all that it has done: one reading holds a whole pipe. To read until the
        pipe is empty might never end while the consumer writes.
        """
        with suppress(BlockingIOError):
            self._log += os.read(self._err, _CHUNK)

    def _last_words(self) -> list[str]:
        return [line for line in self.log() if not line.startswith("%")]

    def _die(self) -> None:
        """End as the consumer did, with what it said on standard error and is no log."""
        code = self._process.wait()
        lines = self._log.decode("utf-8", "replace").splitlines()
        sys.stderr.write("\n".join(line for line in lines if line[:1] != "%"))
        sys.stderr.flush()
        if code < 0:
            signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(code)


_Joined: Any = message_class("JoinGroupResponse")
_Synced: Any = message_class("SyncGroupResponse")

_OWN = "the-leaders-own-topic"
_ME, _OTHER = "me", "other"
_COOPERATIVE, _RANGE = "cooperative-sticky", "range"
_SECONDS = 8.0  # more than an answer may take: the runner's clock is the one that counts

# Its log has five lines for each partition that it gets, whose time and memory are not what the
# consumer takes. So a large assignment goes to a consumer without a log. Where that does not take
# it, it joins again a second later, and the one with a log says why.
_LARGE = 1 << 12

_MEMBER = re.compile(
    r'\|ASSIGN\|.*:  Member "([^"]*)".* with (\d+) owned partition\(s\) and \d+ sub'
)
_TOPIC = re.compile(r"\|ASSIGN\|.*?:   (.*) \[-1\]$", re.DOTALL)
_CUT_TOPIC = re.compile(r"\|ASSIGN\|.*?:   (.*)$", re.DOTALL)
_LONGEST_LINE = 2047  # bytes of a message of the log, which librdkafka cuts
_FAILED = re.compile(r"synchronization failed: (.*): rejoining")

Partitions = list[tuple[str, int]]


class _Member:
    """A consumer with one assignor that has asked to join its group and waits for an answer. It
    leads only if it has a log.
    """

    def __init__(self, command: Sequence[str], assignor: str, log: bool) -> None:
        self.assignor = assignor
        self._has_log = log
        self.broker = FakeBroker()
        self.consumer = DrivenConsumer(
            command,
            {
                "bootstrap.servers": f"127.0.0.1:{self.broker.port}",
                "group.id": "g",
                "partition.assignment.strategy": assignor,
                "heartbeat.interval.ms": "1",
                # Its main thread looks after the group when it wakes up, once in a second, unless a
                # timer wakes it; a request to wake it would be a line of its log.
                "auto.commit.interval.ms": "2",
                # A request to join waits for the next question for as long as that takes.
                "max.poll.interval.ms": "86400000",
                "topic.metadata.refresh.interval.ms": "-1",
                **({"debug": "cgrp,assignor"} if log else {}),
            },
        )
        self._join: Asked | None = None
        self.subscribe([_OWN])

    def subscribe(self, topics: list[str]) -> None:
        """Change the subscription, so that it joins again, at the latest when what it waits for is
        over. Raises `Rejected` for topics that it does not take.
        """
        if self._join is not None and self._wants == set(topics):
            return
        self.consumer.subscribe(topics)
        while self._join is None or self._wants != set(topics):
            if self._join is not None:
                self._join.answer(_Joined(error_code=REBALANCE_IN_PROGRESS))
            self._join = self.wait(self._next)

    @property
    def _wants(self) -> set[str]:
        return set(ConsumerProtocolSubscription.from_bytes(self.metadata).topics)

    def wait(self, probe: Callable[[], Any]) -> Any:
        """Return what `probe` finds while the consumer works."""
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            self.consumer.take()
            outcome = probe()
            if outcome is not None:
                return outcome
        raise TimeoutError(f"no answer from the consumer; {self.consumer.log()[-1:]}")

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
        self.consumer.forget()
        sync = self._follow_join(_ME, 1, subscription)
        assignments = {
            assignment.member_id: assignment.assignment for assignment in sync.message.assignments
        }
        sync.answer(_Synced(error_code=REBALANCE_IN_PROGRESS))
        self._join = self.wait(self._next)
        return assignments.get(_OTHER)

    def follow(self, assignment: bytes, generation: int = 1) -> Partitions | str:
        """Return the partitions that it gets by these bytes, or why it does not."""
        sync = self._follow_join(_OTHER, generation, None)
        self.consumer.forget()
        sync.answer(_Synced(assignment=assignment))
        return self.wait(self._outcome)  # type: ignore[no-any-return]

    def _outcome(self) -> Partitions | str | None:
        if not self._has_log:
            self._join = self._next()
            rejoining = "it joins the group again" if self._join else ""
            return self.consumer.refused or rejoining or self.consumer.assigned
        failures = (_FAILED.search(line) for line in self.consumer.log())
        refusal = next((error[1] for error in failures if error), self.consumer.refused)
        return refusal or self.consumer.assigned

    def recover(self) -> None:
        """Join again after partitions that it did not take."""
        if self.consumer.refused:  # librdkafka waits for as long as its application takes nothing
            self.consumer.assign_nothing()
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

    def _follow_join(self, leader: str, generation: int, subscription: bytes | None) -> Asked:
        """Answer its JoinGroup, and return the request that follows. Only the leader is told the
        members.
        """
        join = self._join
        part = _Joined.JoinGroupResponseMember
        while join is None or join.key == JOIN:  # it may change its mind and ask again
            if join is not None:
                own = join.message.protocols[0].metadata
                members = [part(member_id=_ME, metadata=own),
                        part(member_id=_OTHER, metadata=subscription or b"")]  # fmt: skip
                join.answer(_Joined(
                    generation_id=generation, protocol_name=self.assignor, leader=leader,
                    member_id=_ME, members=members if leader == _ME else [],
                ))  # fmt: skip
            join = self.wait(self._next)
        self._join = None
        return join


class Librdkafka:
    """librdkafka as a subject, by the program of one of its bindings. Raises `ClientUnavailable` if
    that does not start.
    """

    names = CONSUMER_PROTOCOL

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._members: dict[tuple[str, bool], _Member] = {}
        # What they take to start belongs to no question.
        consumer = self._member(_RANGE).consumer
        self._member(_RANGE, log=False)
        self.client, self.release = consumer.client, consumer.release

    def _member(self, assignor: str, *, log: bool = True) -> _Member:
        if (assignor, log) not in self._members:
            self._members[assignor, log] = _Member(self._command, assignor, log)
        return self._members[assignor, log]

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes as leader or as member (see `Subject`)."""
        if name == self.names[0]:
            return _read_subscription(self._member(_RANGE), data)
        if len(data) >= _LARGE:
            read = _read_assignment(self._member(_RANGE, log=False), data)
            if isinstance(read, Read):
                return read
        return _read_assignment(self._member(_RANGE), data)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`): what comes out means what was wanted, or is
        unsupported.
        """
        try:
            data = self._bytes_for(name, version, value)
        except Rejected as error:
            return Refused(str(error))
        except EncodeError as error:  # not its own: of what the question has to be put in
            return Unsupported(f"no other member could ask for that: {error}")
        kind: Any = message_class(name)
        if data is not None:
            value_written = kind.from_bytes(data).to_json(version)
            if comparing.difference(value, value_written, exactly=False) is None:
                return Written(data)
        return Unsupported("no consumer comes to write that")

    def _bytes_for(self, name: str, version: int, value: JsonObject) -> bytes | None:
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
        if not counts or any(
            partitions != list(range(len(partitions))) for partitions in counts.values()
        ):
            return None
        if not all(counts.values()) or _OWN in counts:
            return None
        member = self._member(_RANGE)
        member.subscribe([_OWN])
        member.broker.counts = {topic: len(partitions) for topic, partitions in counts.items()}
        subscription = ConsumerProtocolSubscription(
            topics=list(counts), user_data=b64decode(value["userData"] or "")
        )
        try:
            return member.lead(subscription.to_bytes(0))
        finally:
            member.broker.counts = {}

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("it keeps nothing of what it does not know")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return None: the runner measures the process."""
        return None


def _sticky(owned: list[JsonObject], generation: int) -> str:
    """Return the user data of a cooperative consumer, which repeats what it owns."""
    value = {"previousAssignment": owned, "generation": generation}
    return b64encode(StickyAssignorUserData.from_json(value, version=1).to_body(1)).decode()


def _read_subscription(member: _Member, data: bytes) -> Read | Refused:
    member.subscribe([_OWN])
    if member.lead(data) is None:
        return Refused("the leader leaves the member out of its assignment")
    member.consumer.catch_up()
    return Read(_subscription(member.consumer.log(), member.broker.topics))


def _read_assignment(member: _Member, data: bytes) -> Read | Refused:
    member.subscribe([_OWN])
    partitions = member.follow(data)
    if isinstance(partitions, str):
        member.recover()
        return Refused(partitions)
    member.again()
    return Read({"assignedPartitions": _entries(partitions)})


def _subscription(lines: list[str], requested: Sequence[str]) -> JsonObject:
    """Return what the leader logs of the other member: its topics, and how many partitions it
    owns. A topic that the log cuts is one of those whose partitions the leader has requested.
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
            cut = _cut_topic(line, requested) if ours else ""
            topics += [cut] if cut else []
            ours = bool(cut)
        elif ours:
            topics.append(topic[1])
    return value


def _cut_topic(line: str, requested: Iterable[str]) -> str:
    """Return the topic whose beginning the line has; "" for none."""
    beginning = _CUT_TOPIC.search(line)
    if not beginning or len(line.encode()) < _LONGEST_LINE:
        return ""
    text = beginning[1].rstrip("\ufffd")  # the rest of a character that is cut
    return next((topic for topic in requested if topic.startswith(text)), "")


def _entries(partitions: Iterable[tuple[str, int]]) -> list[JsonObject]:
    entries: list[JsonObject] = []
    for topic, partition in partitions:
        if not entries or entries[-1]["topic"] != topic:
            entries.append({"topic": topic, "partitions": []})
        entries[-1]["partitions"].append(partition)
    return entries


def _of_this_environment() -> list[str]:
    program = resources.files(__package__) / "consumers" / "confluent_kafka_python.py"
    return [sys.executable, "-I", str(program)]


if __name__ == "__main__":
    try:
        subject = Librdkafka(sys.argv[1:] or _of_this_environment())
    except ClientUnavailable as reason:
        sys.exit(str(reason))
    serve(subject, subject.client, subject.release, subject.names, ("decode", "encode"))
