"""Ask everything that is to be known of a group, and keep the answers as they are.

A `Gathered` is made of answers alone, whether they came from a cluster now or from a file that
`--save` wrote; `described_group` makes a `Group` of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..capture.frames.error_codes import GROUP_ID_NOT_FOUND, UNSUPPORTED_VERSION
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
from ..rebalance.frameworks import topics_by_subtopology
from ..rebalance.judgements import EARLIER_MS
from ..wording import no_such
from .admin import EARLIEST, OFFSETS_TOPIC, Cluster, Node, Offsets, Topic, earlier_ends
from .errors import ClusterError, NoSuchGroup, NotKafka, Unreachable, Unsupported, most_of
from .unloaded import NOT_SERVED, not_loaded

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


class Earlier(NamedTuple):
    """What was committed, and where partitions ended, so many seconds before."""

    seconds: float
    commits: Commits
    ends: Mapping[tuple[str, int], int]


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
    starts: Mapping[tuple[str, int], int] = MappingProxyType({})
    """Where partitions begin that have a committed offset: what was before is deleted, and does not
    wait."""
    ends_before: Mapping[tuple[str, int], int] = MappingProxyType({})
    """Where these ended `EARLIER_MS` before."""
    earlier: Earlier | None = None


async def gather(cluster: Cluster, group: str, *, settings: bool = False) -> Gathered:
    """Ask a cluster for one group, and if `settings` for what is configured for it. Raises
    NoSuchGroup, Denied or another ClusterError."""
    node = (await cluster.coordinators([group])).get(group)
    if node is None:
        raise NoSuchGroup(await _no_such(cluster, group))
    description, committed = await gather_all(
        (_described(cluster, node, group), _commits(cluster, node, group))
    )
    if isinstance(description, Unreachable):
        raise Unreachable(f"{description}; it coordinates {group!a}")
    if isinstance(description, ClusterError):
        raise description
    kind, described = description
    problems: list[str] = [*_out_of_sync(cluster.last_offsets_topic, group)]
    commits: Commits = {}
    lags: dict[tuple[str, int], int] = {}
    if kind == "share":
        (committed,) = await gather_all([share_offsets(cluster, node, [group])])
    if isinstance(committed, ClusterError):
        problems.append(str(committed))
    elif kind == "share":
        commits, lags = committed.get(group, ({}, {}))
    else:
        commits = committed
    topic_names = {topic for topic, _ in commits} | set(topics_of(kind, described))
    read = () if kind == "share" else commits
    topics, ends, starts, before = await _topics(cluster, topic_names, commits, read, problems)
    has_consumer = await cluster.knows(node, "ConsumerGroupHeartbeatRequest")
    answers = (group, kind, described, node, commits, topics, ends, most_of(problems))
    gathered = Gathered(*answers, has_consumer, lags, starts=starts, ends_before=before)
    return await _with_settings(cluster, gathered) if settings else gathered


async def starts_of(
    cluster: Cluster,
    topics: Mapping[str, Topic],
    commits: Commits,
    ends: Mapping[tuple[str, int], int],
) -> dict[tuple[str, int], int]:
    """Return where partitions begin, of those in which records wait: of others it does not
    matter."""
    waiting = [place for place, commit in commits.items() if commit[0] < ends.get(place, 0)]
    if not waiting:
        return {}
    try:
        starts, _ = await cluster.offsets(topics, waiting, EARLIEST)
    except ClusterError:  # the ends were answered: what is deleted counts as waiting
        return {}
    return starts


async def gather_again(cluster: Cluster, first: Gathered, seconds: float) -> Gathered:
    """Wait so long, and return the answers with the commits and ends of then, and the first ones as
    the earlier ones."""
    if first.kind == "share":  # its coordinator counts, and it commits nothing
        return first
    start = asyncio.get_running_loop().time()
    await asyncio.sleep(seconds)
    commits = await _commits(cluster, first.coordinator, first.group_id)
    ends, _ = await cluster.offsets(first.topics, {*first.ends, *commits})
    elapsed = asyncio.get_running_loop().time() - start
    starts = {**first.starts, **await starts_of(cluster, first.topics, commits, ends)}
    earlier = Earlier(elapsed, first.commits, first.ends)
    return first._replace(commits=commits, ends=ends, starts=starts, earlier=earlier)


async def _with_settings(cluster: Cluster, answers: Gathered) -> Gathered:
    """Return the answers with the settings of the coordinator and of the group, as far as they are
    told."""
    settings: dict[str, str] = {}
    problem = ""
    resources: list[tuple[int, str, tuple[str, ...] | None]] = [
        (BROKER_RESOURCE, str(answers.coordinator.node_id), COORDINATOR_SETTINGS)
    ]
    if answers.has_consumer:  # as old as settings of groups
        resources.append((GROUP_RESOURCE, answers.group_id, None))
    for kind, name, keys in resources:
        try:
            settings |= await settings_of(cluster, answers.coordinator, kind, name, keys)
        except ClusterError as error:
            problem = problem or str(error)
    return answers._replace(settings=settings, settings_problem=problem)


async def settings_of(
    cluster: Cluster, node: Node, kind: int, name: str, keys: tuple[str, ...] | None
) -> dict[str, str]:
    """Return the settings of a resource that have these names, all where that is None. Raises
    ClusterError where the broker does not tell them."""
    cls = DescribeConfigsRequest
    resource = cls.DescribeConfigsResource(
        resource_type=kind, resource_name=name, configuration_keys=keys
    )
    settings: dict[str, str] = {}
    for result in (await cluster.ask(node, cls(resources=(resource,)))).results:
        if result.error_code:
            raise cluster.refusal(result.error_code, "DescribeConfigs", name)
        settings |= settings_in(result)
    return settings


def settings_in(result: Any) -> dict[str, str]:
    """Return the settings of one resource by name, without those that are secret."""
    return {
        config.name: config.value
        for config in result.configs
        if config.value is not None and not config.is_sensitive
    }


Shared: TypeAlias = tuple[Commits, dict[tuple[str, int], int]]
"""The start offsets of a share group, and its lags."""


async def share_offsets(cluster: Cluster, node: Node, groups: Iterable[str]) -> dict[str, Shared]:
    """Return where share groups read, by group id. Raises ClusterError where the broker refuses
    one."""
    cls = DescribeShareGroupOffsetsRequest
    if not await cluster.knows(node, cls.NAME):
        return {}
    group_class = cls.DescribeShareGroupOffsetsRequestGroup
    requested = tuple(group_class(group_id=group, topics=None) for group in groups)
    response = await cluster.repeated(node, cls(groups=requested), requested[0].group_id)
    for group in response.groups:
        if group.error_code not in (0, GROUP_ID_NOT_FOUND):
            raise cluster.refusal(group.error_code, "DescribeShareGroupOffsets", group.group_id)
    return {group.group_id: shared_of(group) for group in response.groups}


def shared_of(group: Any) -> Shared:
    """Return the start offsets and the lags in an answer about one share group; -1 stands for
    either where it is not known."""
    starts: Commits = {}
    lags: dict[tuple[str, int], int] = {}
    for topic in group.topics:
        for partition in topic.partitions:
            place = (topic.topic_name, partition.partition_index)
            if not partition.error_code and partition.start_offset >= 0:
                starts[place] = (partition.start_offset, partition.leader_epoch, None)
            if not partition.error_code and partition.lag >= 0:
                lags[place] = partition.lag
    return starts, lags


async def _topics(
    cluster: Cluster,
    names: set[str],
    commits: Iterable[tuple[str, int]],
    read: Iterable[tuple[str, int]],
    problems: list[str],
) -> tuple[dict[str, Topic], Offsets, Offsets, Offsets]:
    """Return the topics, where their partitions end, and of those that are `read` where they begin
    and where they ended before; what is refused goes to `problems`."""
    try:
        topics = await cluster.topics(names)
        for name, topic in topics.items():
            if topic.error:
                problems.append(str(cluster.refusal(topic.error, "Metadata", name)))
        places = {
            (name, number)
            for name, topic in topics.items()
            if not topic.error
            for number in topic.leaders
        }
        (ends, refusals), (starts, _), (younger, _) = await asyncio.gather(
            cluster.offsets(topics, places | set(commits)),
            cluster.offsets(topics, read, EARLIEST),
            cluster.offsets(topics, read, int(time.time() * 1000) - EARLIER_MS),
        )
    except ClusterError as error:
        problems.append(str(error))
        return {}, {}, {}, {}
    problems += map(str, refusals)
    return topics, ends, starts, earlier_ends(younger, ends)


async def _described(cluster: Cluster, node: Node, group: str) -> tuple[str, Any]:
    """Return the kind of a group and its description: which request knows it is found out, by
    sending all of them at once."""
    kinds = [kind for kind, name in DESCRIPTIONS.items() if await cluster.knows(node, name)]
    refusal: ClusterError | None = None
    empty: tuple[str, Any] | None = None
    responses = await gather_all(
        cluster.repeated(node, description_request(kind, [group]), group) for kind in kinds
    )
    for kind, response in zip(kinds, responses, strict=True):
        if isinstance(response, Unsupported):
            continue
        if isinstance(response, ClusterError):
            raise response
        described = _only(response.groups, kind, group)
        if not described.error_code and not _is_unknown(kind, described):
            if kind == "classic" and described.group_state == "Empty" and not described.members:
                empty = kind, described  # a group of another kind may say so, too
                continue
            return kind, described
        if described.error_code in NOT_SERVED:  # whatever kind of group it is
            raise await _not_served(cluster, node, group, described.error_code)
        # Before 4.0 Apache Kafka names the description of consumer groups among its requests, and
        # answers so where the consumer protocol is not switched on.
        unserved = described.error_code == UNSUPPORTED_VERSION and kind != "classic"
        if described.error_code not in (0, GROUP_ID_NOT_FOUND) and not unserved:
            name = DESCRIPTIONS[kind].removesuffix("Request")
            refusal = cluster.refusal(described.error_code, name, group)
    if empty is not None:
        return empty
    raise refusal or NoSuchGroup(await _no_such(cluster, group))


async def _no_such(cluster: Cluster, group: str) -> str:
    """Return that the cluster has no such group, with those of a near name that it lists."""
    names: set[str] = set()
    for node in await cluster.coordinating():
        try:
            response = await cluster.ask(node, message_class("ListGroupsRequest")())
        except ClusterError:
            continue
        names |= {listed.group_id for listed in response.groups}
    if not names:
        return f"the cluster has no group {group!a}: none that {cluster.principal} may see"
    return f"the cluster has {no_such('group', [group], names)}"


def _out_of_sync(topic: Topic | None, group: str) -> Iterator[str]:
    """Yield what to say where the partition of the offsets topic that holds a group has replicas
    that are not in sync."""
    if topic is not None and topic.leaders:
        partition = topic.partition_of(group)
        in_sync, replicas = topic.out_of_sync.get(partition, (0, 0))
        if replicas:
            yield (
                f"partition {partition} of {OFFSETS_TOPIC}, which holds the group, has {in_sync} "
                f"of {replicas} replicas in sync: its commits and rebalances fail with fewer than "
                "min.insync.replicas"
            )


async def _not_served(cluster: Cluster, node: Node, group: str, code: int) -> ClusterError:
    """Return why the leader of a group's partition does not coordinate the group."""
    topic = await cluster.offsets_topic()
    is_placed = topic is not None and topic.leader_of(group) == node.node_id
    partition = topic.partition_of(group) if topic is not None and is_placed else None
    return ClusterError(f"{group!a}: {not_loaded(partition, node, code)}")


async def describe_one(cluster: Cluster, node: Node, kind: str, group: str) -> tuple[Node, Any]:
    """Return the coordinator and the description of a group whose kind is known; None where the
    group is gone, or of another kind."""
    response = await cluster.repeated(node, description_request(kind, [group]), group)
    described = _only(response.groups, kind, group)
    if described.error_code in (0, GROUP_ID_NOT_FOUND):
        is_gone = described.error_code or _is_unknown(kind, described)
        return node, None if is_gone else described
    name = DESCRIPTIONS[kind].removesuffix("Request")
    raise cluster.refusal(described.error_code, name, group)


def _only(groups: Any, kind: str, group: str) -> Any:
    """Return the one group of an answer. Raises NotKafka where another one was asked for."""
    own = next((group_ for group_ in groups if group_.group_id == group), None)
    if own is None:
        name = DESCRIPTIONS[kind].removesuffix("Request")
        raise NotKafka(f"{name}: the answer is not about {group!a}")
    return own


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
    response = await cluster.repeated(node, request, group)
    own = response.groups[0] if response.groups else response
    if own.error_code:
        raise cluster.refusal(own.error_code, "OffsetFetch", group)
    return commits_of(own)


def fetch_request(groups: Iterable[str]) -> Message:
    """Return the request for all committed offsets of groups (version 8 and newer)."""
    cls = OffsetFetchRequest
    return cls(
        groups=tuple(cls.OffsetFetchRequestGroup(group_id=group, topics=None) for group in groups)
    )


def commits_of(group: Any) -> Commits:
    """Return the committed offsets of an answer about one group: offset, leader epoch, metadata."""
    return {
        (topic.name, partition.partition_index): (
            partition.committed_offset,
            partition.committed_leader_epoch,
            partition.metadata,
        )
        for topic in group.topics
        for partition in topic.partitions
        if not partition.error_code and partition.committed_offset >= 0
    }


def topics_of(kind: str, described: Any) -> set[str]:
    """Return the topics that a description names, and those in the bytes of classic members."""
    if kind == "streams":
        return {
            topic
            for topics in topics_by_subtopology(described.topology).values()
            for topic in topics
        }
    if kind == "classic":
        return _classic_topics(described)
    return {
        name
        for member in described.members
        for name in (
            *member.subscribed_topic_names,
            *(entry.topic_name for entry in member.assignment.topic_partitions),
        )
    }


def _classic_topics(described: Any) -> set[str]:
    """Return the topics in the bytes of a classic group's members."""
    names: set[str] = set()
    if described.protocol_type != "consumer":
        return names
    for member in described.members:
        wants = decode(
            member.member_metadata, ConsumerProtocolSubscription, policy=Policy.LENIENT
        ).message
        has = decode(
            member.member_assignment, ConsumerProtocolAssignment, policy=Policy.LENIENT
        ).message
        if wants is not None:
            names |= {*wants.topics, *(entry.topic for entry in wants.owned_partitions)}
        if has is not None:
            names |= {entry.topic for entry in has.assigned_partitions}
    return names


async def gather_all(work: Iterable[Any]) -> list[Any]:
    """Await everything at once, and return results and ClusterErrors in order."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, ClusterError):
            raise result
    return results
