"""Look at a group, or at all groups, at intervals, and tell what changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from .admin import Cluster, Node
from .building import build
from .changes import Change, Watched, WatchedList
from .errors import ClusterError, Denied, NoSuchGroup
from .gathering import Gathered, describe_one, gather
from .listing import named_groups
from .model import Group

REQUESTS_PER_SECOND = 10.0
"""Requests a second that are sent at most, unless asked otherwise."""
_ALL_OF_IT_S = 10.0  # offsets are asked for again after so long


class Look(NamedTuple):
    """One look: the group, None where all groups are watched or none answered, and the changes."""

    group: Group | None
    changes: tuple[Change, ...]


async def watch_one(
    cluster: Cluster, name: str, interval: float, clock: Callable[[], float] = time.time
) -> AsyncIterator[Look]:
    """Yield a look at a group every `interval` seconds, for ever.

    A cluster that does not answer is asked again until its timeout has passed; then ClusterError is
    raised.
    """
    watched = Watched()
    answers = await gather(cluster, name)
    loop = asyncio.get_running_loop()
    answered = asked_all = loop.time()
    while True:
        group = build(answers)
        changes = watched.look(group, clock())
        yield Look(group, tuple(changes))
        await asyncio.sleep(interval)
        stale = bool(changes) or loop.time() - asked_all > _ALL_OF_IT_S
        try:
            answers = await _again(cluster, answers, all_of_it=stale)
        except (Denied, NoSuchGroup):
            raise
        except ClusterError as error:
            if loop.time() - answered > cluster.timeout:
                raise
            yield Look(None, (Change(clock(), name, "unanswered", str(error)),))
            continue
        answered = loop.time()
        asked_all = answered if stale else asked_all


async def _again(cluster: Cluster, last: Gathered, *, all_of_it: bool) -> Gathered:
    if all_of_it:
        return await gather(cluster, last.group_id)
    node, described = await describe_one(cluster, last.coordinator, last.kind, last.group_id)
    if described is None:  # it is gone, or of another kind now
        return await gather(cluster, last.group_id)
    return last._replace(coordinator=node, described=described)


async def watch_all(
    cluster: Cluster, interval: float, clock: Callable[[], float] = time.time
) -> AsyncIterator[Look]:
    """Yield a look at the states of all groups every `interval` seconds, for ever."""
    watched = WatchedList()
    while True:
        states: dict[str, str] = {}
        nodes: list[Node] = list(cluster.nodes.values())
        for node in nodes:
            states |= {each.group_id: each.state for each in await named_groups(cluster, node)}
        yield Look(None, tuple(watched.look(states, clock())))
        await asyncio.sleep(interval)
