"""Partitions of the offsets topic that their leaders have not loaded: none of their groups has a
coordinator, and brokers leave these groups out of their lists without a word."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count

from ..codec import DescribeGroupsRequest
from .admin import OFFSETS_TOPIC, Cluster, Node, Topic

__all__ = ["NOT_SERVED", "not_loaded", "unloaded_partitions"]

_LOADING, _NOT_COORDINATOR = 14, 16
NOT_SERVED = frozenset({_LOADING, _NOT_COORDINATOR})
"""COORDINATOR_LOAD_IN_PROGRESS and NOT_COORDINATOR."""
_AGAIN_AFTER = 0.5  # seconds
_MOST_PARTITIONS = 1000


def not_loaded(partition: int | None, node: Node, code: int) -> str:
    """Return what to say of a partition that a broker leads and does not serve."""
    where = "the partition" if partition is None else f"partition {partition}"
    if code == _LOADING:
        return f"{node} is still loading {where} of {OFFSETS_TOPIC}: ask again"
    name = OFFSETS_TOPIC if partition is None else f"{OFFSETS_TOPIC}-{partition}"
    return (
        f"{node} leads {where} of {OFFSETS_TOPIC} and has not loaded it (NOT_COORDINATOR): its "
        f"groups have no coordinator. The broker's log says why, with the record (Failed to load "
        f"metadata from {name}); so does kproto audit of its records"
    )


async def unloaded_partitions(cluster: Cluster, topic: Topic) -> list[str]:
    """Return what to say of each partition that is not loaded. Groups are asked for that do not
    exist, one a partition: a coordinator that has loaded it answers that there is none."""
    probes = _probes(topic)
    refusals = await _errors(cluster, topic, probes)
    if refusals:
        await asyncio.sleep(_AGAIN_AFTER)  # it may just have become the leader
        refusals = await _errors(cluster, topic, {number: probes[number] for number in refusals})
    return [
        not_loaded(number, cluster.nodes[topic.leaders[number]], code)
        for number, code in sorted(refusals.items())
    ]


def _probes(topic: Topic) -> dict[int, str]:
    """Return the name of a group for each partition, which nobody is likely to have."""
    names: dict[int, str] = {}
    numbers = count()
    while len(names) < topic.partitions <= _MOST_PARTITIONS:
        name = f"kproto-asks-{next(numbers)}"
        names.setdefault(topic.partition_of(name), name)
    return names


async def _errors(cluster: Cluster, topic: Topic, probes: Mapping[int, str]) -> dict[int, int]:
    """Return the partitions whose leader does not coordinate the groups that they hold, and its
    error. A broker that places groups in its own way names other coordinators; it is not asked."""
    places = await cluster.coordinators(list(probes.values()))
    by_node: dict[int, list[int]] = {}
    for number, name in probes.items():
        leader = topic.leaders.get(number, -1)
        node = places.get(name)
        if node is not None and node.node_id == leader and leader in cluster.nodes:
            by_node.setdefault(leader, []).append(number)
        elif node is not None:
            return {}
    partitions = {name: number for number, name in probes.items()}
    codes: dict[int, int] = {}
    for leader, numbers in by_node.items():
        names = tuple(probes[number] for number in numbers)
        answer = await cluster.ask(cluster.nodes[leader], DescribeGroupsRequest(groups=names))
        codes |= {
            partitions[group.group_id]: group.error_code
            for group in answer.groups
            if group.error_code in NOT_SERVED and group.group_id in partitions
        }
    return codes
