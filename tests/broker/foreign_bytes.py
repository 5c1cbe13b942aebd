"""What becomes of a consumer in a real group that gets bytes of a foreign member: of a subscription
where it leads, of an assignment where it does not.

The other member speaks the protocol by hand (`Wire`) and may send anything. The consumer is a
process of its own (`fleet`), watched for some seconds: whether it stays, joins again and again,
leaves, or ends, what it is assigned or assigns, and what it prints.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.codec.messages import HeartbeatRequest, JoinGroupRequest, SyncGroupRequest
from kproto.escaping import cut
from tests.broker.broker import Broker
from tests.broker.fleet import Client, Process, processes
from tests.broker.wire import Wire

LEADER, MEMBER = "leader", "member"
DELAY = "group.initial.rebalance.delay.ms=1500\n"
"""The setting that the broker has to have."""
WATCHED = 3.0
"""Seconds that a consumer is watched after it has got the bytes."""
_TO_JOIN = 40.0
_TO_REBALANCE = 15.0  # more than the time that the other member has to join
_LOADING, _REBALANCING = (14, 15, 16), 27
_STRATEGY = "partition.assignment.strategy"
_PROTOCOLS = {"platformatic-kafka": "roundrobin"}
_OF_LEADERS = {"kafkajs": "RoundRobinAssigner"}

STAYS, CONSUMES, ASSIGNS, ASSIGNS_OTHERS, LEAVES_OUT, RETRIES, LEAVES, RAISES, DIES = (
    "stays without partitions",
    "consumes",
    "assigns partitions to the member",
    "assigns the member other partitions than it says it owned",
    "leaves the member out",
    "tries again and again",
    "leaves the group",
    "raises an error",
    "dies",
)
UNANSWERED = "waits for the broker"


class Seen(NamedTuple):
    """What became of the consumer, and what it printed."""

    then: str
    says: str


class Foreigner:
    """The member that speaks by hand."""

    def __init__(self, broker: Broker, group: str, protocol: str) -> None:
        self._wire = Wire(broker.bootstrap, "foreign")
        while self._wire.find_coordinator(group):
            time.sleep(0.1)
        self._group, self._protocol = group, protocol
        self.id, self.generation, self._metadata = "", -1, b""

    def send_join(self, metadata: bytes) -> None:
        self._metadata = metadata
        protocol = JoinGroupRequest.JoinGroupRequestProtocol
        request = JoinGroupRequest(
            group_id=self._group, session_timeout_ms=30_000, rebalance_timeout_ms=10_000,
            member_id=self.id, protocol_type="consumer",
            protocols=[protocol(name=self._protocol, metadata=metadata)],
        )  # fmt: skip
        self._wire.send(request, 3)

    def joined(self, seconds: float = _TO_JOIN) -> Any:
        answer = self._wire.receive(seconds)
        while answer.error_code in _LOADING:
            time.sleep(0.2)
            self.send_join(self._metadata)
            answer = self._wire.receive(_TO_JOIN)
        assert answer.error_code == 0, answer
        self.id, self.generation = answer.member_id, answer.generation_id
        return answer

    def send_sync(self, shares: dict[str, bytes]) -> None:
        share = SyncGroupRequest.SyncGroupRequestAssignment
        request = SyncGroupRequest(
            group_id=self._group, generation_id=self.generation, member_id=self.id,
            assignments=[share(member_id=name, assignment=data) for name, data in shares.items()],
        )  # fmt: skip
        self._wire.send(request, 3)

    def synced(self, seconds: float = _TO_JOIN) -> Any:
        return self._wire.receive(seconds)

    def is_settled(self) -> bool:
        """Whether the group goes on as it is."""
        return self._heartbeat() == 0

    def is_rebalancing(self) -> bool:
        """Whether the group rebalances."""
        return self._heartbeat() == _REBALANCING

    def _heartbeat(self) -> int:
        request = HeartbeatRequest(
            group_id=self._group, generation_id=self.generation, member_id=self.id
        )
        self._wire.send(request, 3)
        return int(self._wire.receive(10).error_code)

    def form_group(self, topic: str) -> None:
        """Form the group, as its one member and leader, with a subscription to a topic."""
        self.send_join(ConsumerProtocolSubscription(topics=[topic]).to_bytes(0))
        self.joined()
        self.send_sync({self.id: b""})
        self.synced()

    def join_again(self) -> Any:
        """Join with the same metadata, and return the answer."""
        self.send_join(self._metadata)
        return self.joined()

    def close(self) -> None:
        self._wire.close()


def protocol_of(client: Client, role: str) -> str:
    """Return the name of the assignor that the group has."""
    eager = _PROTOCOLS.get(client.name, "range")
    return _OF_LEADERS.get(client.name, eager) if role == LEADER else eager


class Trial:
    """A consumer in a group with the foreign member: `topic` exists, and both subscribe to it.

    `assignor` is that of the group, where it is not the one of all trials of a client; `claims` are
    the partitions that the foreign member says it owned, where a leader has to leave them to it.
    """

    def __init__(
        self, broker: Broker, client: Client, topic: str, group: str, folder: Path,
        *, assignor: str = "", claims: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        self._broker, self._client, self._topic = broker, client, topic
        self._group, self._folder = group, folder
        self._assignor, self._claims = assignor, claims

    def run(self, role: str, data: bytes) -> Seen:
        """Return what becomes of the consumer that reads these bytes in that role."""
        protocol = self._assignor or protocol_of(self._client, role)
        foreigner = Foreigner(self._broker, self._group, protocol)
        fleet = processes(self._broker, self._group, (self._group,), self._topic, self._folder)
        with closing(foreigner), fleet as members:
            process = members[self._group]
            settings = {_STRATEGY: protocol}
            if role == MEMBER:
                foreigner.form_group(self._topic)
                process.start(self._client, settings)
                return self._as_member(foreigner, process, data)
            process.start(self._client, settings)
            self._wait_until_it_leads(process)
            return self._as_leader(foreigner, process, data)

    def _as_member(self, foreigner: Foreigner, process: Process, data: bytes) -> Seen:
        deadline = time.monotonic() + _TO_JOIN
        times, is_there = 0, False
        while time.monotonic() < deadline and times < _TIMES:
            if not foreigner.is_rebalancing():
                if times and not process.is_running():
                    break
                time.sleep(0.1)
                continue
            ids = [member.member_id for member in foreigner.join_again().members]
            foreigner.send_sync({name: b"" if name == foreigner.id else data for name in ids})
            foreigner.synced()
            is_there = len(ids) > 1
            times += is_there
            if times == 1 and is_there:
                deadline = time.monotonic() + WATCHED
        assert times or not process.is_running(), f"{self._client} did not join"
        lines = self._trouble()
        took = any(event["partitions"] for event in process.events if event["event"] == "assigned")
        if end := self._end(process, lines):
            return end
        if times >= _TIMES or (lines and not took):
            return Seen(RETRIES, lines[-1] if lines else "")
        if not is_there:
            return Seen(LEAVES, lines[-1] if lines else "")
        return Seen(CONSUMES if took or self._consumes() else STAYS, "")

    def _as_leader(self, foreigner: Foreigner, process: Process, data: bytes) -> Seen:
        share, times = b"", 0
        deadline = time.monotonic() + _TO_JOIN
        is_settled = False
        foreigner.send_join(data)
        while times < _TIMES and time.monotonic() < deadline and not is_settled:
            try:
                answer = foreigner.joined(_TO_REBALANCE)
                if answer.leader == foreigner.id:
                    break  # the consumer has left
                times += 1
                foreigner.send_sync({})
                synced = foreigner.synced(2 * WATCHED)
            except (TimeoutError, OSError):
                break
            if synced.error_code == 0:
                share = synced.assignment
                limit = time.monotonic() + WATCHED
                while foreigner.is_settled() and not is_settled:
                    time.sleep(0.1)
                    is_settled = time.monotonic() > limit
            if not is_settled:
                foreigner.send_join(data)
        lines = self._trouble()
        if end := self._end(process, lines):
            return end
        if not times and not lines:
            return Seen(UNANSWERED, "")
        if not is_settled:
            return Seen(RETRIES, lines[-1] if lines else "")
        return Seen(self._judged(share), "")

    def _judged(self, share: bytes) -> str:
        """Return what a leader did that assigned these bytes to the member."""
        if len(share) <= _NO_ENTRIES:
            return LEAVES_OUT
        entries = ConsumerProtocolAssignment.from_bytes(share).assigned_partitions
        partitions = {number for entry in entries for number in entry.partitions}
        return ASSIGNS if self._claims <= partitions else ASSIGNS_OTHERS

    def _wait_until_it_leads(self, process: Process) -> None:
        deadline = time.monotonic() + _TO_JOIN
        while time.monotonic() < deadline and not process.events and not self._waits():
            time.sleep(0.05)
        time.sleep(0.3)
        process.events.clear()

    def _end(self, process: Process, lines: list[str]) -> Seen | None:
        """Return how the consumer has ended; None if it goes on."""
        limit = time.monotonic() + 1.0
        while process.is_running() and not process.errors and time.monotonic() < limit:
            time.sleep(0.1)
        if process.errors:
            return Seen(RAISES, self._plain(process.errors[0]))
        if process.is_running():
            return None
        return Seen(DIES, lines[-1] if lines else "")

    def _log(self) -> str:
        file = self._folder / f"{self._group}.log"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def _consumes(self) -> bool:
        """Whether kafka-go, which has no callbacks, logs that it reads partitions."""
        return "initializing kafka reader for partition" in self._log()

    def _waits(self) -> bool:
        """Whether kafka-go has asked to join: it leaves when a group rebalances, and leads only if
        the other member comes while the broker delays the first rebalance (`DELAY`)."""
        return "entering loop for consumer group" in self._log()

    def _trouble(self) -> list[str]:
        """Return the lines of the log that speak of trouble, without times and names."""
        lines = [line for line in self._log().splitlines() if _TROUBLE.search(line)]
        return [self._plain(line) for line in lines if not _HARMLESS.search(line)]

    def _plain(self, text: str) -> str:
        if text.startswith("{"):
            record = json.loads(text)
            text = f"{record.get('message')}: {record.get('error')}"
        text = _VARYING.sub("", " ".join(text.replace(self._group, "GROUP").split()))
        for varying, word in _WORDS.items():
            text = varying.sub(word, text)
        return cut(text, _LONGEST)


_TIMES = 3
"""Bytes that are read so often are read again and again."""
_NO_ENTRIES = 10  # bytes of an assignment
_LONGEST = 240  # characters
_TROUBLE = re.compile(
    r"error|fail|exception|assert|panic|insufficient|not enough|invalid|unexpected|\bWARN\b|kafka:",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"rebalanc|\bINFO\b|throw new|^\s+at |^\s+\w+: |Corrupted log|metadata.max.age", re.IGNORECASE
)
_VARYING = re.compile(
    r"^\d{4}-\d\d-\d\d \S+ |(?<=^error: )\d{4}/\d\d/\d\d \S+ |^%\d\|[^|]*\||"
    r"^\[ERROR\] .*, err: |, consecutive_errors: .*"
)
_WORDS = {
    re.compile(r"\S+-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"): "MEMBER",
    re.compile(r"0x[0-9a-f]{6,}"): "0x...",
    re.compile(r"127\.0\.0\.1:\d+"): "BROKER",
}
