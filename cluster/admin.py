"""Questions to a cluster, each to the broker that can answer it. They only read.

`Cluster` finds the brokers, keeps a connection to each, repeats what a broker asks to be repeated,
and stops at one deadline. Which ACL each question needs is in `errors`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple
from uuid import UUID

from ..capture.frames.error_codes import error_name
from ..codec import ListOffsetsRequest, Message, MetadataRequest, message_class
from ..rebalance.java_order import string_hash
from .config.login import mechanism_of
from .config.settings import Settings
from .config.tls import tls_context
from .connection.wire import Exchange
from .errors import (
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
_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0
_ESSENTIAL, _OPTIONAL = 0.9, 0.5
"""The part of the time that is left which one question may take: the rest is for telling about a
broker that is silent, and for what others answer."""
OFFSETS_TOPIC = "__consumer_offsets"
_UNKNOWN_TOPIC = 3
_DESCRIBE_BIT = 1 << 8
_LATEST = -1


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

    @property
    def partitions(self) -> int:
        """The number of partitions."""
        return len(self.leaders)

    def partition_of(self, group: str) -> int:
        """Return the partition of the offsets topic that holds a group, as the coordinator does:
        by the absolute value of a Java string's hash code, 0 for the smallest int32."""
        code = string_hash(group)
        return min(code, (1 << 32) - code) % (1 << 31) % self.partitions

    def without_leader(self, nodes: Mapping[int, Node]) -> list[int]:
        """Return the partitions that none of these brokers leads."""
        return [number for number, leader in self.leaders.items() if leader not in nodes]


def topic_of(said: Any, nodes: Mapping[int, Node]) -> Topic:
    """Return a topic of a Metadata response; `nodes` have the racks."""
    partitions = sorted(said.partitions, key=lambda each: each.partition_index)
    racks = tuple(
        tuple(nodes[replica].rack if replica in nodes else None for replica in each.replica_nodes)
        for each in partitions
    )
    leaders = {each.partition_index: each.leader_id for each in partitions}
    topic_id = said.topic_id if said.topic_id.int else None
    return Topic(said.name, leaders, racks, said.error_code, topic_id)


class Pace:
    """At most so many requests a second, evenly."""

    def __init__(self, per_second: float | None) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._next = 0.0

    async def wait(self) -> None:
        """Wait until the next request may be sent."""
        if self._gap:
            now = asyncio.get_running_loop().time()
            start = max(now, self._next)
            self._next = start + self._gap
            await asyncio.sleep(start - now)


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
        self.principal = _principal(settings)
        self.lists_all: bool | None = None
        """Whether the principal may DESCRIBE the CLUSTER, None where the broker does not tell."""
        self._recorder = recorder
        self._pace = Pace(per_second)
        self._tls = tls_context(settings)
        self._links: dict[tuple[str, int], Link] = {}
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
        for link in self._links.values():
            await link.close()

    # -- time

    def start(self, seconds: float | None = None) -> None:
        """Give the questions that follow so many seconds in all, the timeout by default."""
        given = self.timeout if seconds is None else seconds
        self._deadline = asyncio.get_running_loop().time() + given
        self._silent.clear()

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
        failed: list[ClusterError] = []
        share = self._left() / (len(servers) + 1) if len(servers) > 1 else self._left()
        for server in servers:
            try:
                what = f"{server} does not answer"
                await within(share, self._meet(server), what)
            except (AuthenticationFailed, ConfigError):
                raise
            except ClusterError as error:
                failed.append(error)
            else:
                return
        if len(failed) == 1:
            raise failed[0]
        reasons = "; ".join(dict.fromkeys(str(error) for error in failed[:3]))
        raise Unreachable(f"none of {len(failed)} bootstrap servers answers: {reasons}")

    def _servers(self) -> list[Node]:
        """Return where to ask for the brokers: first the server that answered last."""
        places = [*self.settings.servers, *((each.host, each.port) for each in self.nodes.values())]
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
        opened = await link.opened()
        if not opened.has(cls, 8):
            request = request.replace(include_cluster_authorized_operations=False)
        response = (await self._ask(link, request)).response
        self._learn(response)

    def _learn(self, response: Any) -> None:
        self.nodes = {
            each.node_id: Node(each.node_id, each.host, each.port, each.rack)
            for each in response.brokers
        }
        operations = response.cluster_authorized_operations
        if operations != -(1 << 31):
            self.lists_all = bool(operations & _DESCRIBE_BIT)
        if not self.nodes and self._bootstrap is not None:
            raise NotKafka(f"{self._bootstrap} names no broker of its cluster")

    def link(self, node: Node) -> Link:
        """Return the connection to a broker, the same one for one address."""
        address = (node.host, node.port)
        if address not in self._links:
            self._links[address] = Link(
                address,
                tls=self._tls,
                login=partial(mechanism_of, self.settings, self.timeout),
                release=self.release,
                client_id=self.settings.get("client.id") or "kproto",
                recorder=self._recorder,
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
        what = f"{node} does not answer"
        try:
            asked = self._ask(link, message, at_least)
            return (await within(self._left(part), asked, what)).response
        except Silent:
            raise
        except Unreachable:
            asked = self._ask(link, message, at_least)
            return (await within(self._left(part), asked, what)).response

    async def knows(self, node: Node, name: str, at_least: int = 0) -> bool:
        """Return whether a broker knows a request, from a version on."""
        opening = self.link(node).opened()
        opened = await within(self._left(_ESSENTIAL), opening, f"{node} does not answer")
        return opened.has(message_class(name), at_least)

    @property
    def any_node(self) -> Node:
        """The broker that answered first."""
        assert self._bootstrap is not None
        return self._bootstrap

    # -- questions

    async def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        """Return the topics of these names; none is created by asking."""
        wanted = sorted(set(names))
        found: dict[str, Topic] = {}
        for part in _batches(wanted, 1000):
            cls = MetadataRequest
            topics = tuple(cls.MetadataRequestTopic(name=name) for name in part)
            request = cls(topics=topics, allow_auto_topic_creation=False)
            response = await self.ask(self.any_node, request, at_least=4)
            self.nodes = {
                each.node_id: Node(each.node_id, each.host, each.port, each.rack)
                for each in response.brokers
            } or self.nodes
            found |= {each.name: topic_of(each, self.nodes) for each in response.topics}
        return found

    async def coordinators(self, groups: Sequence[str]) -> dict[str, Node]:
        """Return the coordinator of each group. Raises Denied without DESCRIBE on a GROUP.

        A cluster without an offsets topic has no groups, and is not asked: it would create the
        topic.
        """
        if not await self._has_offsets_topic():
            return {}
        cls = message_class("FindCoordinatorRequest")
        found: dict[str, Node] = {}
        batches = await self.knows(self.any_node, cls.NAME, 4)
        for part in _batches(groups, 100) if batches else ([group] for group in groups):
            request = cls(coordinator_keys=tuple(part)) if batches else cls(key=part[0])
            found |= await self._coordinators(request, part, batches=batches)
        return found

    async def offsets_topic(self) -> Topic | None:
        """Return the offsets topic; None where it is not there, is out of sight, or cannot be asked
        for without a risk that the broker creates it."""
        if not await self.knows(self.any_node, "ConsumerGroupDescribeRequest"):
            return None
        found = (await self.topics([OFFSETS_TOPIC])).get(OFFSETS_TOPIC)
        return found if found is not None and found.partitions else None

    async def _has_offsets_topic(self) -> bool:
        """Whether the cluster has its offsets topic. Old brokers create it when they are asked for
        it by name, whatever the request says; they are asked for the names of all topics."""
        if await self.knows(self.any_node, "ConsumerGroupDescribeRequest"):
            found = (await self.topics([OFFSETS_TOPIC])).get(OFFSETS_TOPIC)
            return found is None or found.error != _UNKNOWN_TOPIC
        request = MetadataRequest(topics=None, allow_auto_topic_creation=False)
        said = await self.ask(self.any_node, request, at_least=4)
        seen = any(each.name == OFFSETS_TOPIC for each in said.topics)
        return seen or await self._lists_groups()

    async def _lists_groups(self) -> bool:
        """Whether a broker names a group, or may not: the topic is there, if out of sight."""
        away: Unreachable | None = None
        for node in list(self.nodes.values()):
            try:
                said = await self.repeated(node, message_class("ListGroupsRequest")(), "")
            except Unreachable as error:
                away = error
                continue
            if said.error_code or said.groups:
                return True
        if away is not None:  # it may have the only groups
            raise away
        return False

    async def _coordinators(
        self, request: Message, groups: Sequence[str], *, batches: bool
    ) -> dict[str, Node]:
        pauses = self._pauses()
        while True:
            said = await self.ask(self.any_node, request)
            answers = said.coordinators if batches else [said]
            if not any(each.error_code in _AGAIN for each in answers):
                break
            if (pause := next(pauses, None)) is None:
                break
            await asyncio.sleep(pause)
        found: dict[str, Node] = {}
        for name, each in zip(groups, answers, strict=False):
            group = each.key if batches else name
            if each.error_code in _AGAIN:
                raise await self._no_coordinator(each.error_code, group)
            if each.error_code:
                raise self.refusal(each.error_code, "FindCoordinator", group)
            found[group] = Node(each.node_id, each.host, each.port)
        return found

    async def _no_coordinator(self, code: int, group: str) -> ClusterError:
        """Return why a group has no coordinator, as far as the offsets topic tells."""
        topic = await self.offsets_topic()
        if topic is None or topic.partition_of(group) not in topic.without_leader(self.nodes):
            return self.refusal(code, "FindCoordinator", group)
        return Unreachable(
            f"no broker coordinates {group!a}: partition {topic.partition_of(group)} of "
            f"{OFFSETS_TOPIC}, which holds the group, has no leader; is its broker away?"
        )

    def _pauses(self) -> Iterator[float]:
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
        pauses = self._pauses()
        while True:
            said = await self.ask(node, message)
            if _error_of(said) not in _AGAIN or (pause := next(pauses, None)) is None:
                return said
            await asyncio.sleep(pause)
            if group:
                node = (await self.coordinators([group])).get(group, node)

    async def end_offsets(
        self, topics: Mapping[str, Topic], wanted: Iterable[tuple[str, int]]
    ) -> tuple[dict[tuple[str, int], int], list[ClusterError]]:
        """Return the end offset of each partition, asked of its leader, and what was refused."""
        by_leader: dict[int, dict[str, list[int]]] = {}
        for topic, number in sorted(set(wanted)):
            leader = topics[topic].leaders.get(number, -1) if topic in topics else -1
            if leader in self.nodes and leader not in self._silent:
                by_leader.setdefault(leader, {}).setdefault(topic, []).append(number)
        ends: dict[tuple[str, int], int] = {}
        problems: list[ClusterError] = []
        asked = [self._ends_of(self.nodes[leader], each) for leader, each in by_leader.items()]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for leader, answer in zip(by_leader, answers, strict=True):
            if isinstance(answer, ClusterError):
                problems.append(answer)
                if isinstance(answer, Unreachable):
                    self._silent.add(leader)  # it is not waited for again
            elif isinstance(answer, BaseException):
                raise answer
            else:
                ends |= answer[0]
                problems += answer[1]
        return ends, problems

    async def _ends_of(
        self, node: Node, topics: dict[str, list[int]]
    ) -> tuple[dict[tuple[str, int], int], list[ClusterError]]:
        cls = ListOffsetsRequest
        ends: dict[tuple[str, int], int] = {}
        problems: dict[str, ClusterError] = {}
        for part in _batches(sorted(topics), 500):
            request = cls(
                replica_id=-1,
                topics=tuple(
                    cls.ListOffsetsTopic(
                        name=topic,
                        partitions=tuple(
                            cls.ListOffsetsPartition(partition_index=number, timestamp=_LATEST)
                            for number in topics[topic]
                        ),
                    )
                    for topic in part
                ),
            )
            said = await self.ask(node, request, part=_OPTIONAL)
            for topic in said.topics:
                for each in topic.partitions:
                    if not each.error_code:
                        ends[topic.name, each.partition_index] = each.offset
                    elif topic.name not in problems:
                        problems[topic.name] = self.refusal(
                            each.error_code, "ListOffsets", topic.name
                        )
        return ends, list(problems.values())

    def refusal(self, code: int, api: str, resource: str) -> ClusterError:
        """Return the error of an answer: the ACL that is missing, or the error's name."""
        found = denied(code, api, resource, self.principal)
        return found or ClusterError(f"{api} of {resource!a}: {error_name(code)}")


def _principal(settings: Settings) -> str:
    jaas = settings.jaas
    name = (jaas.options.get("username") if jaas is not None else "") or settings.get(
        "sasl.username"
    )
    return f"User:{name}" if name and settings.protocol.startswith("SASL_") else "the principal"


def _error_of(said: Any) -> int:
    """Return the error code of an answer, or of the first group in it."""
    first = next(iter(getattr(said, "groups", ())), None)
    code: int = getattr(first, "error_code", 0) or getattr(said, "error_code", 0)
    return code


def _batches(items: Sequence[Any], size: int) -> Iterable[Any]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
