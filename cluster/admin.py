"""Questions to a cluster, each to the broker that can answer it. They only read.

`Cluster` finds the brokers, keeps a connection to each, repeats what a broker asks to be repeated,
and stops at one deadline. Which ACL each question needs is in `errors`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from itertools import islice
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from ..capture.frames.error_codes import error_name
from ..codec import (
    ConsumerGroupDescribeRequest,
    ListOffsetsRequest,
    Message,
    MetadataRequest,
    message_class,
)
from ..rebalance.java_order import string_hash
from .config.login import mechanism_of
from .config.settings import Settings
from .config.tls import tls_context
from .connection.sasl import SaltedPasswords
from .connection.wire import Exchange
from .errors import (
    TOPIC_REFUSED,
    AuthenticationFailed,
    ClusterError,
    ConfigError,
    NotKafka,
    Silent,
    Unreachable,
    denied,
)
from .transport import Link, Recorder, within

_AGAIN = frozenset({5, 6, 7, 14, 15, 16})
"""Errors that pass: no leader yet, another leader, timed out; the coordinator loads, is not there,
is another broker."""
MOST_BROKERS = 500
"""To how many addresses a `Cluster` connects, besides those of bootstrap.servers: an answer may
name any, and each of them gets the credentials of the login."""
_OPENED_AT_ONCE = 8
_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0
_ESSENTIAL, _OPTIONAL = 0.9, 0.5
"""The part of the time that is left which one question may take: the rest is for telling about a
broker that is silent, and for what others answer."""
OFFSETS_TOPIC = "__consumer_offsets"
_UNKNOWN_TOPIC = 3
_DESCRIBE_BIT = 1 << 8
LATEST, EARLIEST = -1, -2
"""What ListOffsets is asked for in place of a time: where a partition ends, and begins."""


class Node(NamedTuple):
    """A broker of the cluster. `node_id` is -1 for a bootstrap server, whose id is not known."""

    node_id: int
    host: str
    port: int
    rack: str | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class Topic(NamedTuple):
    """A topic: the leader of each partition, the racks of its replicas, why it is not known, and
    its id, which brokers tell since 2.8."""

    name: str
    leaders: dict[int, int]
    racks: tuple[tuple[str | None, ...], ...] = ()
    error: int = 0
    topic_id: UUID | None = None
    out_of_sync: Mapping[int, tuple[int, int]] = MappingProxyType({})
    """The partitions that have replicas which are not in sync: how many are, of how many."""

    @property
    def partitions(self) -> int:
        """The number of partitions."""
        return len(self.leaders)

    def partition_of(self, group: str) -> int:
        """Return the partition of the offsets topic that holds a group, as the coordinator does:
        by the absolute value of a Java string's hash code, 0 for the smallest int32."""
        code = string_hash(group)
        return min(code, (1 << 32) - code) % (1 << 31) % self.partitions

    def leader_of(self, group: str) -> int | None:
        """Return the broker that leads the partition that holds a group; None where the partitions
        are not known."""
        return self.leaders.get(self.partition_of(group), -1) if self.leaders else None

    def without_leader(self, nodes: Mapping[int, Node]) -> list[int]:
        """Return the partitions that none of these brokers leads."""
        return [number for number, leader in self.leaders.items() if leader not in nodes]


Offsets: TypeAlias = dict[tuple[str, int], int]
"""By topic and partition: an offset."""


def earlier_ends(younger: Offsets, ends: Offsets) -> Offsets:
    """Return where partitions ended at a time: `younger` has the offset of the first record that is
    younger, -1 where there is none, `ends` where they end now."""
    return {
        place: younger[place] if younger[place] >= 0 else ends[place]
        for place in younger.keys() & ends.keys()
    }


def topic_of(metadata: Any, nodes: Mapping[int, Node]) -> Topic:
    """Return a topic of a Metadata response; `nodes` have the racks."""
    partitions = sorted(metadata.partitions, key=lambda partition: partition.partition_index)
    racks = tuple(
        tuple(
            nodes[replica].rack if replica in nodes else None for replica in partition.replica_nodes
        )
        for partition in partitions
    )
    leaders = {partition.partition_index: partition.leader_id for partition in partitions}
    topic_id = metadata.topic_id if metadata.topic_id.int else None
    out_of_sync = {
        partition.partition_index: (len(partition.isr_nodes), len(partition.replica_nodes))
        for partition in partitions
        if len(partition.isr_nodes) < len(partition.replica_nodes)
    }
    return Topic(metadata.name, leaders, racks, metadata.error_code, topic_id, out_of_sync)


class Pace:
    """At most so many requests a second, evenly."""

    def __init__(self, per_second: float | None) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._next = 0.0

    async def wait(self) -> None:
        """Wait until the next request may be sent."""
        if self._gap:
            time = asyncio.get_running_loop().time()
            start = max(time, self._next)
            self._next = start + self._gap
            await asyncio.sleep(start - time)


class Cluster(AbstractAsyncContextManager["Cluster"]):
    """A cluster, asked over one connection a broker. Use it as an asynchronous context manager."""

    def __init__(
        self,
        settings: Settings,
        *,
        timeout: float = 15.0,
        recorder: Recorder | None = None,
        per_second: float | None = None,
        release: str = "",
    ) -> None:
        self.settings = settings
        self.timeout = timeout
        self.release = release
        self.nodes: dict[int, Node] = {}
        self.cluster_id: str | None = None
        self.principal = _principal(settings)
        self.lists_all: bool | None = None
        """Whether the principal may DESCRIBE the CLUSTER, None where the broker does not tell."""
        self.last_offsets_topic: Topic | None = None
        """The offsets topic as it was when it was asked for last."""
        self._met_offsets_topic: Topic | None = None
        self._recorder = recorder
        self._pace = Pace(per_second)
        self._tls = tls_context(settings)
        self._salted = SaltedPasswords()
        self._links: dict[tuple[str, int], Link] = {}
        self._opening = asyncio.Semaphore(_OPENED_AT_ONCE)
        self._bootstrap: Node | None = None
        self._deadline: float | None = None
        self._silent: set[int] = set()

    async def __aenter__(self) -> Cluster:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        for link in self._links.values():
            await link.close()

    # -- time

    def start(self, seconds: float | None = None) -> None:
        """Give the questions that follow so many seconds in all, the timeout by default."""
        limit = self.timeout if seconds is None else seconds
        self._deadline = asyncio.get_running_loop().time() + limit
        self._silent.clear()

    @property
    def seconds_left(self) -> float:
        """How long the next question may take."""
        return self._left(_ESSENTIAL)

    def _left(self, part: float = 1.0) -> float:
        if self._deadline is None:
            return self.timeout * part
        return max(self._deadline - asyncio.get_running_loop().time(), 0.05) * part

    # -- connections

    async def connect(self) -> None:
        """Find a server that answers, of those that are configured or known, and the brokers.
        Raises ClusterError."""
        if self._deadline is None:
            self.start()
        servers = self._servers()
        errors: list[ClusterError] = []
        share = self._left() / (len(servers) + 1) if len(servers) > 1 else self._left()
        for server in servers:
            try:
                reason = f"{server} does not answer"
                await within(share, self._meet(server), reason)
            except (AuthenticationFailed, ConfigError):
                raise
            except ClusterError as error:
                errors.append(error)
            else:
                return
        if len(errors) == 1:
            raise errors[0]
        reasons = "; ".join(dict.fromkeys(str(error) for error in errors[:3]))
        raise Unreachable(f"none of {len(errors)} bootstrap servers answers: {reasons}")

    def _servers(self) -> list[Node]:
        """Return where to ask for the brokers: first the server that answered last."""
        places = [*self.settings.servers, *((node.host, node.port) for node in self.nodes.values())]
        servers = [Node(-1, host, port) for host, port in dict.fromkeys(places)]
        if self._bootstrap in servers:
            servers.remove(self._bootstrap)
            servers.insert(0, self._bootstrap)
        return servers

    async def _meet(self, server: Node) -> None:
        self._bootstrap = server
        cls = MetadataRequest
        request = cls(topics=(), include_cluster_authorized_operations=True)
        link = self.link(server)
        connection = await link.opened()
        if not connection.has(cls, 8):
            request = request.replace(include_cluster_authorized_operations=False)
        if connection.has(ConsumerGroupDescribeRequest):  # nearly every question is about groups
            topic = cls.MetadataRequestTopic(name=OFFSETS_TOPIC)
            request = request.replace(topics=(topic,), allow_auto_topic_creation=False)
        response = (await self._ask(link, request)).response
        self._learn(response)
        topics = (topic_of(topic, self.nodes) for topic in response.topics)
        self._met_offsets_topic = self.last_offsets_topic = next(topics, None)

    def _learn(self, response: Any) -> None:
        self.nodes = {
            broker.node_id: Node(broker.node_id, broker.host, broker.port, broker.rack)
            for broker in response.brokers
        }
        self.cluster_id = response.cluster_id
        operations = response.cluster_authorized_operations
        if operations != -(1 << 31):
            self.lists_all = bool(operations & _DESCRIBE_BIT)
        if not self.nodes and self._bootstrap is not None:
            raise NotKafka(f"{self._bootstrap} names no broker of its cluster")

    def link(self, node: Node) -> Link:
        """Return the connection to a broker, the same one for one address. Raises ClusterError
        where the cluster has named too many."""
        address = (node.host, node.port)
        if address not in self._links:
            if len(self._links) >= MOST_BROKERS + len(self.settings.servers):
                raise ClusterError(
                    f"{node} is not asked: {MOST_BROKERS} brokers are, and the cluster names more"
                )
            self._links[address] = Link(
                address,
                tls=self._tls,
                login=partial(mechanism_of, self.settings, self.timeout, self._salted),
                release=self.release,
                client_id=self.settings.get("client.id") or "kproto",
                recorder=self._recorder,
                opening=self._opening,
            )
        return self._links[address]

    async def _ask(self, link: Link, message: Message, at_least: int = 0) -> Exchange:
        await self._pace.wait()
        exchange = await link.ask(message, at_least)
        if self._recorder is not None:
            self._recorder(exchange, link.peer)
        return exchange

    async def ask(
        self, node: Node, message: Message, at_least: int = 0, part: float = _ESSENTIAL
    ) -> Any:
        """Return the answer of a broker; a connection that breaks is opened once more."""
        link = self.link(node)
        reason = f"{node} does not answer"
        try:
            question = self._ask(link, message, at_least)
            return (await within(self._left(part), question, reason)).response
        except Silent:
            raise
        except Unreachable:
            question = self._ask(link, message, at_least)
            return (await within(self._left(part), question, reason)).response

    async def knows(self, node: Node, name: str, at_least: int = 0) -> bool:
        """Return whether a broker knows a request, from a version on."""
        opening = self.link(node).opened()
        connection = await within(self._left(_ESSENTIAL), opening, f"{node} does not answer")
        return connection.has(message_class(name), at_least)

    async def coordinating(self) -> list[Node]:
        """Return the brokers that may coordinate groups: those that lead partitions of the offsets
        topic, or all where these are not known. Raises ClusterError."""
        topic = await self.offsets_topic()
        leaders = set(topic.leaders.values()) if topic is not None else set()
        nodes = [node for number, node in self.nodes.items() if number in leaders]
        return (nodes or list(self.nodes.values()))[: MOST_BROKERS + 1]

    @property
    def any_node(self) -> Node:
        """The broker that answered first."""
        assert self._bootstrap is not None
        return self._bootstrap

    # -- questions

    async def topics(self, names: Iterable[str] | None) -> dict[str, Topic]:
        """Return the topics of these names, or all that the principal may see; none is created by
        asking."""
        batches = [None] if names is None else _batches(sorted(set(names)), 1000)
        topics: dict[str, Topic] = {}
        for batch in batches:
            cls = MetadataRequest
            request = cls(
                topics=None
                if batch is None
                else tuple(cls.MetadataRequestTopic(name=name) for name in batch),
                allow_auto_topic_creation=False,
            )
            response = await self.ask(self.any_node, request, at_least=4)
            self.nodes = {
                broker.node_id: Node(broker.node_id, broker.host, broker.port, broker.rack)
                for broker in response.brokers
            } or self.nodes
            topics |= {topic.name: topic_of(topic, self.nodes) for topic in response.topics}
        return topics

    async def coordinators(self, groups: Sequence[str]) -> dict[str, Node]:
        """Return the coordinator of each group. Raises Denied without DESCRIBE on a GROUP.

        A cluster without an offsets topic has no groups, and is not asked: it would create the
        topic.
        """
        if await self.offsets_topic() is None:
            return {}
        cls = message_class("FindCoordinatorRequest")
        nodes: dict[str, Node] = {}
        batches = await self.knows(self.any_node, cls.NAME, 4)
        for part in _batches(groups, 100) if batches else ([group] for group in groups):
            request = cls(coordinator_keys=tuple(part)) if batches else cls(key=part[0])
            nodes |= await self._coordinators(request, part, batches=batches)
        return nodes

    async def offsets_topic(self) -> Topic | None:
        """Return the offsets topic, without partitions and with an error where it may not be seen;
        None where the cluster has none, as no group has ever used it.

        Old brokers create the topic when they are asked for it by name, whatever the request says:
        they are asked for all topics.
        """
        if await self.knows(self.any_node, ConsumerGroupDescribeRequest.NAME):
            topic, self._met_offsets_topic = self._met_offsets_topic, None
            if topic is None:  # or the connection is older than this question
                topic = (await self.topics([OFFSETS_TOPIC])).get(OFFSETS_TOPIC)
            self.last_offsets_topic = topic
            return None if topic is None or topic.error == _UNKNOWN_TOPIC else topic
        topic = (await self.topics(None)).get(OFFSETS_TOPIC)
        if topic is None and await self._lists_groups():
            topic = Topic(OFFSETS_TOPIC, {}, error=TOPIC_REFUSED)
        self.last_offsets_topic = topic
        return topic

    async def _lists_groups(self) -> bool:
        """Whether a broker names a group, or may not: the topic is there, if out of sight."""
        away: Unreachable | None = None
        for node in list(self.nodes.values())[:MOST_BROKERS]:
            try:
                response = await self.repeated(node, message_class("ListGroupsRequest")(), "")
            except Unreachable as error:
                away = error
                continue
            if response.error_code or response.groups:
                return True
        if away is not None:  # it may have the only groups
            raise away
        return False

    async def _coordinators(
        self, request: Message, groups: Sequence[str], *, batches: bool
    ) -> dict[str, Node]:
        pauses = self.pauses()
        while True:
            response = await self.ask(self.any_node, request)
            answers = response.coordinators if batches else [response]
            if not any(answer.error_code in _AGAIN for answer in answers):
                break
            if (pause := next(pauses, None)) is None:
                break
            await asyncio.sleep(pause)
        nodes: dict[str, Node] = {}
        for name, answer in zip(groups, answers, strict=False):
            group = answer.key if batches else name
            if answer.error_code in _AGAIN:
                raise await self._no_coordinator(answer.error_code, group)
            if answer.error_code:
                raise self.refusal(answer.error_code, "FindCoordinator", group)
            nodes[group] = Node(answer.node_id, answer.host, answer.port)
        return nodes

    async def _no_coordinator(self, code: int, group: str) -> ClusterError:
        """Return why a group has no coordinator, as far as the offsets topic tells."""
        topic = await self.offsets_topic()
        leader = topic.leader_of(group) if topic is not None else None
        if topic is None or leader is None or leader in self.nodes:
            return self.refusal(code, "FindCoordinator", group)
        return Unreachable(
            f"no broker coordinates {group!a}: partition {topic.partition_of(group)} of "
            f"{OFFSETS_TOPIC}, which holds the group, has no leader; is its broker away?"
        )

    def pauses(self) -> Iterator[float]:
        """Yield the seconds to wait before a question is asked again, as long as there is time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._left(_ESSENTIAL)
        pause = _PAUSE_S
        while loop.time() + pause < end:
            yield pause
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def repeated(self, node: Node, message: Message, group: str) -> Any:
        """Return the answer to a question about one group, asked until the coordinator has it, or
        the time is up; about no group ("") of this broker itself."""
        pauses = self.pauses()
        while True:
            response = await self.ask(node, message)
            if _error_of(response) not in _AGAIN or (pause := next(pauses, None)) is None:
                return response
            await asyncio.sleep(pause)
            if group:
                node = (await self.coordinators([group])).get(group, node)

    async def offsets(
        self,
        topics: Mapping[str, Topic],
        places: Iterable[tuple[str, int]],
        timestamp: int = LATEST,
    ) -> tuple[dict[tuple[str, int], int], list[ClusterError]]:
        """Return an offset of each partition, asked of its leader, and what was refused, at most
        once a topic. `timestamp` is in milliseconds, and the offset that of the first record that
        is not older, -1 without one; or it is LATEST or EARLIEST."""
        by_leader: dict[int, dict[str, list[int]]] = {}
        for topic, number in sorted(set(places)):
            leader = topics[topic].leaders.get(number, -1) if topic in topics else -1
            if leader in self.nodes and leader not in self._silent:
                by_leader.setdefault(leader, {}).setdefault(topic, []).append(number)
        offsets: dict[tuple[str, int], int] = {}
        problems: list[ClusterError] = []
        if len(by_leader) > MOST_BROKERS:
            leaders = f"{len(by_leader):,} leaders of partitions"
            problems.append(ClusterError(f"of {leaders} {MOST_BROKERS} are asked"))
            by_leader = dict(islice(by_leader.items(), MOST_BROKERS))
        questions = [
            self._offsets_of(self.nodes[leader], partitions, timestamp)
            for leader, partitions in by_leader.items()
        ]
        answers = await asyncio.gather(*questions, return_exceptions=True)
        for leader, answer in zip(by_leader, answers, strict=True):
            if isinstance(answer, ClusterError):
                problems.append(answer)
                if isinstance(answer, Unreachable):
                    self._silent.add(leader)  # it is not waited for again
            elif isinstance(answer, BaseException):
                raise answer
            else:
                offsets |= answer[0]
                problems += answer[1]
        return offsets, problems

    async def _offsets_of(
        self, node: Node, topics: dict[str, list[int]], timestamp: int
    ) -> tuple[dict[tuple[str, int], int], list[ClusterError]]:
        cls = ListOffsetsRequest
        offsets: dict[tuple[str, int], int] = {}
        problems: dict[str, ClusterError] = {}
        for batch in _batches(sorted(topics), 500):
            request = cls(
                replica_id=-1,
                topics=tuple(
                    cls.ListOffsetsTopic(
                        name=topic,
                        partitions=tuple(
                            cls.ListOffsetsPartition(partition_index=number, timestamp=timestamp)
                            for number in topics[topic]
                        ),
                    )
                    for topic in batch
                ),
            )
            response = await self.ask(node, request, part=_OPTIONAL)
            for topic in response.topics:
                for partition in topic.partitions:
                    if not partition.error_code:
                        offsets[topic.name, partition.partition_index] = partition.offset
                    elif topic.name not in problems:
                        problems[topic.name] = self.refusal(
                            partition.error_code, "ListOffsets", topic.name
                        )
        return offsets, list(problems.values())

    def refusal(self, code: int, api: str, resource: str) -> ClusterError:
        """Return the error of an answer: the ACL that is missing, or the error's name."""
        denial = denied(code, api, resource, self.principal)
        return denial or ClusterError(f"{api} of {resource!a}: {error_name(code)}")


def _principal(settings: Settings) -> str:
    jaas = settings.jaas
    name = (jaas.options.get("username") if jaas is not None else "") or settings.get(
        "sasl.username"
    )
    return f"User:{name}" if name and settings.protocol.startswith("SASL_") else "the principal"


def _error_of(answer: Any) -> int:
    """Return the error code of an answer, or of the first group in it."""
    first = next(iter(getattr(answer, "groups", ())), None)
    code: int = getattr(first, "error_code", 0) or getattr(answer, "error_code", 0)
    return code


def _batches(items: Sequence[Any], size: int) -> Iterable[Any]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
