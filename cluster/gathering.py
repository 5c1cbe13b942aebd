"""Ask everything that is to be known of a group, and keep the answers as they are.

A `Gathered` is made of answers alone, whether they came from a cluster now or from a file that
`--save` wrote; `building` makes a `Group` of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DescribeConfigsRequest,
    DescribeShareGroupOffsetsRequest,
    Message,
    OffsetFetchRequest,
    Policy,
    decode,
    message_class,
)
from ..wording import no_such
from .admin import Cluster, Node, Topic
from .errors import ClusterError, NoSuchGroup, NotKafka, Unreachable, Unsupported
from .unloaded import NOT_SERVED, not_loaded

_NO_GROUP = 69
_UNSUPPORTED = 35
"""UNSUPPORTED_VERSION: Apache Kafka before 4.0 names the description of consumer groups among its
requests and answers so where the consumer protocol is not switched on."""
_DEAD = "Dead"
DESCRIPTIONS = {
    "classic": "DescribeGroupsRequest",
    "consumer": "ConsumerGroupDescribeRequest",
    "share": "ShareGroupDescribeRequest",
    "streams": "StreamsGroupDescribeRequest",
}
"""The request that describes each kind of group."""
BROKER_RESOURCE, GROUP_RESOURCE = 4, 32
COORDINATOR_SETTINGS = (
    "group.consumer.assignors",
    "group.consumer.heartbeat.interval.ms",
    "group.consumer.max.size",
    "group.consumer.migration.policy",
    "group.consumer.session.timeout.ms",
    "group.coordinator.rebalance.protocols",
    "group.initial.rebalance.delay.ms",
    "group.max.session.timeout.ms",
    "group.max.size",
    "group.min.session.timeout.ms",
)
"""The settings of a broker that concern its groups."""


Commits: TypeAlias = dict[tuple[str, int], tuple[int, int, str | None]]
"""By topic and partition: the committed offset, its leader epoch, and its metadata."""


class Gathered(NamedTuple):
    """The answers about one group. `described` is the struct of its description."""

    group_id: str
    kind: str
    described: Any
    coordinator: Node
    commits: Commits
    topics: dict[str, Topic]
    ends: dict[tuple[str, int], int]
    problems: tuple[str, ...] = ()
    has_consumer: bool | None = None
    """Whether the broker has the consumer protocol."""
    lags: Mapping[tuple[str, int], int] = MappingProxyType({})
    """Of a share group: what its coordinator counts itself. `commits` has the start offsets."""
    settings: Mapping[str, str] = MappingProxyType({})
    settings_problem: str = ""


async def gather(cluster: Cluster, group: str, *, settings: bool = False) -> Gathered:
    """Ask a cluster for one group, and if `settings` for what is configured for it. Raises
    NoSuchGroup, Denied or another ClusterError."""
    node = (await cluster.coordinators([group])).get(group)
    if node is None:
        raise NoSuchGroup(await _no_such(cluster, group))
    try:
        kind, described = await _described(cluster, node, group)
    except Unreachable as error:
        raise Unreachable(f"{error}; it coordinates {group!a}") from None
    problems: list[str] = []
    commits: Commits = {}
    lags: dict[tuple[str, int], int] = {}
    try:
        if kind == "share":
            commits, lags = (await share_offsets(cluster, node, [group])).get(group, ({}, {}))
        else:
            commits = await _commits(cluster, node, group)
    except ClusterError as error:
        problems.append(str(error))
    wanted = {topic for topic, _ in commits} | set(topics_of(kind, described))
    topics, ends = await _topics(cluster, wanted, commits, problems)
    has_consumer = await cluster.knows(node, "ConsumerGroupHeartbeatRequest")
    answers = (group, kind, described, node, commits, topics, ends, tuple(problems))
    found = Gathered(*answers, has_consumer, lags)
    return await _with_settings(cluster, found) if settings else found


async def _with_settings(cluster: Cluster, found: Gathered) -> Gathered:
    """Return the answers with the settings of the coordinator and of the group, as far as they are
    told."""
    settings: dict[str, str] = {}
    problem = ""
    asked: list[tuple[int, str, tuple[str, ...] | None]] = [
        (BROKER_RESOURCE, str(found.coordinator.node_id), COORDINATOR_SETTINGS)
    ]
    if found.has_consumer:  # as old as settings of groups
        asked.append((GROUP_RESOURCE, found.group_id, None))
    for kind, name, keys in asked:
        try:
            settings |= await _settings(cluster, found.coordinator, kind, name, keys)
        except ClusterError as error:
            problem = problem or str(error)
    return found._replace(settings=settings, settings_problem=problem)


async def _settings(
    cluster: Cluster, node: Node, kind: int, name: str, keys: tuple[str, ...] | None
) -> dict[str, str]:
    cls = DescribeConfigsRequest
    of = cls.DescribeConfigsResource(
        resource_type=kind, resource_name=name, configuration_keys=keys
    )
    found: dict[str, str] = {}
    for each in (await cluster.ask(node, cls(resources=(of,)))).results:
        if each.error_code:
            raise cluster.refusal(each.error_code, "DescribeConfigs", name)
        found |= settings_in(each)
    return found


def settings_in(result: Any) -> dict[str, str]:
    """Return the settings of one resource by name, without those that are secret."""
    return {
        each.name: each.value
        for each in result.configs
        if each.value is not None and not each.is_sensitive
    }


Shared: TypeAlias = tuple[Commits, dict[tuple[str, int], int]]
"""The start offsets of a share group, and its lags."""


async def share_offsets(cluster: Cluster, node: Node, groups: Iterable[str]) -> dict[str, Shared]:
    """Return where share groups read, by group id. Raises ClusterError where the broker refuses
    one."""
    cls = DescribeShareGroupOffsetsRequest
    if not await cluster.knows(node, cls.NAME):
        return {}
    named = cls.DescribeShareGroupOffsetsRequestGroup
    asked = tuple(named(group_id=each, topics=None) for each in groups)
    said = await cluster.repeated(node, cls(groups=asked), asked[0].group_id)
    for each in said.groups:
        if each.error_code not in (0, _NO_GROUP):
            raise cluster.refusal(each.error_code, "DescribeShareGroupOffsets", each.group_id)
    return {each.group_id: shared_of(each) for each in said.groups}


def shared_of(said: Any) -> Shared:
    """Return the start offsets and the lags in an answer about one share group; -1 stands for
    either where it is not known."""
    starts: Commits = {}
    lags: dict[tuple[str, int], int] = {}
    for topic in said.topics:
        for each in topic.partitions:
            place = (topic.topic_name, each.partition_index)
            if not each.error_code and each.start_offset >= 0:
                starts[place] = (each.start_offset, each.leader_epoch, None)
            if not each.error_code and each.lag >= 0:
                lags[place] = each.lag
    return starts, lags


async def _topics(
    cluster: Cluster,
    wanted: set[str],
    commits: Iterable[tuple[str, int]],
    problems: list[str],
) -> tuple[dict[str, Topic], dict[tuple[str, int], int]]:
    """Return the topics and their end offsets; what is refused goes to `problems`."""
    try:
        topics = await cluster.topics(wanted)
        for name, topic in topics.items():
            if topic.error:
                problems.append(str(cluster.refusal(topic.error, "Metadata", name)))
        every = {
            (name, number)
            for name, topic in topics.items()
            if not topic.error
            for number in topic.leaders
        }
        ends, refused = await cluster.offsets(topics, every | set(commits))
    except ClusterError as error:
        problems.append(str(error))
        return {}, {}
    problems += map(str, refused)
    return topics, ends


async def _described(cluster: Cluster, node: Node, group: str) -> tuple[str, Any]:
    """Return the kind of a group and its description: which request knows it is found out."""
    kinds = [kind for kind, name in DESCRIPTIONS.items() if await cluster.knows(node, name)]
    refused: ClusterError | None = None
    empty: tuple[str, Any] | None = None
    for kind in kinds:
        try:
            said = await cluster.repeated(node, description_request(kind, [group]), group)
        except Unsupported:
            continue
        described = _only(said.groups, kind, group)
        if not described.error_code and not _is_unknown(kind, described):
            if kind == "classic" and described.group_state == "Empty" and not described.members:
                empty = kind, described  # a group of another kind may say so, too
                continue
            return kind, described
        if described.error_code in NOT_SERVED:  # whatever kind of group it is
            raise await _not_served(cluster, node, group, described.error_code)
        unserved = described.error_code == _UNSUPPORTED and kind != "classic"
        if described.error_code not in (0, _NO_GROUP) and not unserved:
            name = DESCRIPTIONS[kind].removesuffix("Request")
            refused = cluster.refusal(described.error_code, name, group)
    if empty is not None:
        return empty
    raise refused or NoSuchGroup(await _no_such(cluster, group))


async def _no_such(cluster: Cluster, group: str) -> str:
    """Return that the cluster has no such group, with those of a near name that it lists."""
    names: set[str] = set()
    for node in list(cluster.nodes.values()):
        try:
            listed = await cluster.ask(node, message_class("ListGroupsRequest")())
        except ClusterError:
            continue
        names |= {each.group_id for each in listed.groups}
    if not names:
        return f"the cluster has no group {group!a}: none that {cluster.principal} may see"
    return f"the cluster has {no_such('group', [group], names)}"


async def _not_served(cluster: Cluster, node: Node, group: str, code: int) -> ClusterError:
    """Return why the leader of a group's partition does not coordinate the group."""
    topic = await cluster.offsets_topic()
    is_placed = topic is not None and topic.leader_of(group) == node.node_id
    partition = topic.partition_of(group) if topic is not None and is_placed else None
    return ClusterError(f"{group!a}: {not_loaded(partition, node, code)}")


async def describe_one(cluster: Cluster, node: Node, kind: str, group: str) -> tuple[Node, Any]:
    """Return the coordinator and the description of a group whose kind is known; None where the
    group is gone, or of another kind."""
    said = await cluster.repeated(node, description_request(kind, [group]), group)
    described = _only(said.groups, kind, group)
    if described.error_code in (0, _NO_GROUP):
        gone = described.error_code or _is_unknown(kind, described)
        return node, None if gone else described
    name = DESCRIPTIONS[kind].removesuffix("Request")
    raise cluster.refusal(described.error_code, name, group)


def _only(groups: Any, kind: str, group: str) -> Any:
    """Return the one group of an answer. Raises NotKafka where another one was asked for."""
    found = next((each for each in groups if each.group_id == group), None)
    if found is None:
        name = DESCRIPTIONS[kind].removesuffix("Request")
        raise NotKafka(f"{name}: the answer is not about {group!a}")
    return found


def _is_unknown(kind: str, described: Any) -> bool:
    """Whether an answer without an error is about a group that is not there."""
    return kind == "classic" and described.group_state == _DEAD and not described.members


def description_request(kind: str, groups: Iterable[str]) -> Message:
    """Return the request that describes groups of one kind."""
    cls = message_class(DESCRIPTIONS[kind])
    if kind == "classic":
        return cls(groups=tuple(groups))
    return cls(group_ids=tuple(groups))


async def _commits(cluster: Cluster, node: Node, group: str) -> Commits:
    cls = message_class("OffsetFetchRequest")
    if await cluster.knows(node, cls.NAME, 8):
        request = fetch_request([group])
    else:
        request = cls(group_id=group, topics=None)
    said = await cluster.repeated(node, request, group)
    each = said.groups[0] if said.groups else said
    if each.error_code:
        raise cluster.refusal(each.error_code, "OffsetFetch", group)
    return commits_of(each)


def fetch_request(groups: Iterable[str]) -> Message:
    """Return the request for all committed offsets of groups (version 8 and newer)."""
    cls = OffsetFetchRequest
    return cls(
        groups=tuple(cls.OffsetFetchRequestGroup(group_id=each, topics=None) for each in groups)
    )


def commits_of(said: Any) -> Commits:
    """Return the committed offsets of an answer about one group: offset, leader epoch, metadata."""
    return {
        (topic.name, each.partition_index): (
            each.committed_offset,
            each.committed_leader_epoch,
            each.metadata,
        )
        for topic in said.topics
        for each in topic.partitions
        if not each.error_code and each.committed_offset >= 0
    }


def topics_of(kind: str, described: Any) -> set[str]:
    """Return the topics that a description names, and those in the bytes of classic members."""
    if kind == "streams":
        topology = described.topology
        parts = topology.subtopologies or () if topology is not None else ()
        return {
            name
            for part in parts
            for name in (
                *part.source_topics,
                *(each.name for each in part.repartition_source_topics),
            )
        }
    if kind == "classic":
        return _classic_topics(described)
    return {
        name
        for member in described.members
        for name in (
            *member.subscribed_topic_names,
            *(each.topic_name for each in member.assignment.topic_partitions),
        )
    }


def _classic_topics(described: Any) -> set[str]:
    """Return the topics in the bytes of a classic group's members."""
    found: set[str] = set()
    if described.protocol_type != "consumer":
        return found
    for member in described.members:
        wants = decode(
            member.member_metadata, ConsumerProtocolSubscription, policy=Policy.LENIENT
        ).message
        has = decode(
            member.member_assignment, ConsumerProtocolAssignment, policy=Policy.LENIENT
        ).message
        if wants is not None:
            found |= {*wants.topics, *(each.topic for each in wants.owned_partitions)}
        if has is not None:
            found |= {each.topic for each in has.assigned_partitions}
    return found


async def gather_all(work: Iterable[Any]) -> list[Any]:
    """Await everything at once, and return results and ClusterErrors in order."""
    found = await asyncio.gather(*work, return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException) and not isinstance(each, ClusterError):
            raise each
    return found
