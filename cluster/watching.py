"""Look at a group, or at all groups, at intervals, and tell what changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import NamedTuple

from ..inspector.shapes.group_shapes import Group, GroupChange
from .admin import Cluster, Node, Topic
from .changes import REBALANCING, Watched, WatchedList
from .described_group import build
from .errors import ClusterError, Denied, NoSuchGroup, Unreachable
from .gathering import Gathered, describe_one, gather, gather_all
from .listing import named_groups

REQUESTS_PER_SECOND = 10.0
"""Requests a second that are sent at most, unless asked otherwise."""
ALL_OF_IT_S = 10.0  # offsets, and the brokers of the cluster, are asked for again after so long
_LAST_LOOK_S = 0.2  # less time than a look needs


class Look(NamedTuple):
    """One look: the group, None where all groups are watched or none answered, and the changes."""

    group: Group | None
    changes: tuple[GroupChange, ...]


async def watch_one(
    cluster: Cluster, name: str, interval: float, clock: Callable[[], float] = time.time
) -> AsyncIterator[Look]:
    """Yield a look at a group every `interval` seconds, for ever, or as often as the pace of
    requests permits.

    Offsets take some requests. They are asked for after changes, and now and then, in the time
    between two looks: the description, which tells of rebalances, comes last.

    A cluster that does not answer is asked again until its timeout has passed; then ClusterError is
    raised.
    """
    watched = Watched()
    cluster.start()
    loop = asyncio.get_running_loop()
    asked, began = clock(), loop.time()
    answers = await gather(cluster, name)
    answer_time = asked_in_full = loop.time()
    full_look_s = answer_time - began
    away = False
    while True:
        group = build(answers)
        changes = watched.look(group, clock(), asked)
        yield Look(group, tuple(changes))
        changed = bool(changes) and group.state not in REBALANCING
        stale = changed or away or loop.time() - asked_in_full > ALL_OF_IT_S
        await asyncio.sleep(interval - full_look_s if stale and not away else interval)
        cluster.start(_patience(cluster, answer_time))
        try:
            if away:  # another broker may coordinate it now, and this one be away itself
                await cluster.connect()
            if stale:
                began = loop.time()
                answers = await gather(cluster, name)
                full_look_s = loop.time() - began
            asked = clock()
            answers = await _described_again(cluster, answers)
        except (Denied, NoSuchGroup):
            raise
        except ClusterError as error:
            if loop.time() - answer_time >= cluster.timeout - _LAST_LOOK_S:
                raise
            away = True
            yield Look(None, (GroupChange(clock(), name, "unanswered", str(error)),))
            continue
        away = False
        answer_time = loop.time()
        asked_in_full = answer_time if stale else asked_in_full


def _patience(cluster: Cluster, answer_time: float) -> float:
    """Return the seconds that a look may take: half the timeout, so that a silent broker is told of
    before the command ends; at most what is left of the timeout since the last answer."""
    left = answer_time + cluster.timeout - asyncio.get_running_loop().time()
    return min(cluster.timeout / 2, max(left, _LAST_LOOK_S))


async def _described_again(cluster: Cluster, last: Gathered) -> Gathered:
    node, described = await describe_one(cluster, last.coordinator, last.kind, last.group_id)
    if described is None:  # it is gone, or of another kind now
        return await gather(cluster, last.group_id)
    return last._replace(coordinator=node, described=described)


async def watch_all(
    cluster: Cluster, interval: float, clock: Callable[[], float] = time.time
) -> AsyncIterator[Look]:
    """Yield a look at the states of all groups every `interval` seconds, for ever.

    The groups of a broker that is away are told as unanswered. A cluster none of whose brokers
    answers is asked again until its timeout has passed; then ClusterError is raised.
    """
    watched = WatchedList()
    brokers = _Brokers(cluster)
    loop = asyncio.get_running_loop()
    answer_time = loop.time()
    while True:
        cluster.start(_patience(cluster, answer_time))
        look = await brokers.look()
        if look.heard:
            answer_time = loop.time()
        elif loop.time() - answer_time >= cluster.timeout - _LAST_LOOK_S:
            raise look.problem or Unreachable("no broker of the cluster answers")
        yield Look(None, tuple(watched.look(look.states, clock(), look.away)))
        await asyncio.sleep(interval)


class _Groups(NamedTuple):
    """The groups that were listed, and those that were before and whose broker is away, with the
    reason. `heard` are the brokers that answered."""

    states: dict[str, str]
    away: dict[str, str]
    heard: frozenset[int]
    problem: ClusterError | None


class _Brokers:
    """The brokers of a cluster, asked for their groups again and again."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._homes: dict[str, int] = {}
        self._heard: frozenset[int] = frozenset()
        self._asked: list[Node] = []
        self._met = asyncio.get_running_loop().time()
        self._troubled = False

    async def look(self) -> _Groups:
        """Return the groups that each broker names now."""
        await self._meet_again()
        self._asked = nodes = await self._coordinating()
        answers = await gather_all(named_groups(self._cluster, node) for node in nodes)
        states: dict[str, str] = {}
        homes: dict[str, int] = {}
        failures: dict[int, ClusterError] = {}
        for node, answer in zip(nodes, answers, strict=True):
            if isinstance(answer, Unreachable):
                failures[node.node_id] = answer
            elif isinstance(answer, ClusterError):
                raise answer
            else:
                states |= {group.group_id: group.state for group in answer}
                homes |= {group.group_id: node.node_id for group in answer}
        heard = frozenset(node.node_id for node in nodes) - failures.keys()
        missing = {name: home for name, home in self._homes.items() if name not in states}
        away = await self._away(missing, heard, failures)
        self._homes = homes | {name: missing[name] for name in away}
        self._troubled = bool(failures or away)
        self._heard = heard
        return _Groups(states, away, heard, next(iter(failures.values()), None))

    async def _coordinating(self) -> list[Node]:
        """Return the brokers that may coordinate groups. Where the broker that tells them is away,
        another one tells them; where none does, they are those that were asked before."""
        try:
            return await self._cluster.coordinating()
        except Unreachable:
            if not self._asked:
                raise
        with suppress(Unreachable):
            await self._cluster.connect()
            return await self._cluster.coordinating()
        return self._asked

    async def _meet_again(self) -> None:
        """Ask for the brokers of the cluster, if one was away, and now and then."""
        moment = asyncio.get_running_loop().time()
        if self._troubled or moment - self._met > ALL_OF_IT_S:
            with suppress(ClusterError):  # each of those that are known is asked
                await self._cluster.connect()
            self._met = moment

    async def _away(
        self, missing: dict[str, int], heard: frozenset[int], failures: dict[int, ClusterError]
    ) -> dict[str, str]:
        """Return those of the missing groups that may be there still, and why they are not listed:
        their broker was not heard, and no other one has taken them over. A broker that has just
        come back, or taken groups over, lists none before it has read them: it is asked twice."""
        settled = heard & self._heard
        missed = {name: home for name, home in missing.items() if home not in settled}
        if not missed:
            return {}
        topic: Topic | None = None
        with suppress(ClusterError):
            topic = await self._cluster.offsets_topic()
        reasons: dict[str, str] = {}
        for name, home in missed.items():
            leader = topic.leader_of(name) if topic is not None else None
            leader = home if leader is None else leader
            if leader not in settled:
                away = failures.get(home)
                reasons[name] = str(away) if away is not None else "its coordinator is away"
        return reasons
