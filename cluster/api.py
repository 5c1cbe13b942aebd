"""The face of the room: list and describe groups, from synchronous and asynchronous code."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ..files import read_bounded
from ..inspector.shapes.group_shapes import Group, Listing
from .admin import Cluster
from .config.properties import read_properties
from .config.settings import Settings
from .config.settings import settings as made_of
from .described_group import build
from .errors import ConfigError, Rebalancing, Silent
from .gathering import gather, gather_again
from .listing import list_all
from .recent_records import Bounds, RecentRecords, read_all_recent, read_recent
from .session import Session
from .transport import Recorder, within
from .watching import REQUESTS_PER_SECOND, Look, watch_all, watch_one

T = TypeVar("T")
Config: TypeAlias = str | os.PathLike[str] | Mapping[str, str] | Settings | None
"""Settings of a client: the path of a properties file, a mapping, or what `settings_of` made."""
_AGAIN_S = 0.3  # seconds after which a group that is rebalancing is asked for again
TIMEOUT = 15.0
"""Seconds after which a call gives up, whatever the brokers do."""


def settings_of(
    bootstrap: str | None = None,
    config: Config = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings of a client: `config` is a properties file or a mapping, under the names
    of the Java client or of librdkafka. Raises ConfigError."""
    if isinstance(config, Settings):
        return config
    variables = os.environ if environment is None else environment
    if isinstance(config, Mapping):
        return made_of(("the configuration", config), variables, bootstrap)
    file = None
    if config is not None:
        path = os.fspath(config)
        try:
            file = (path, read_properties(read_bounded(path).decode(), path))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8"
            raise ConfigError(f"{path!r} cannot be read: {reason}") from None
    return made_of(file, variables, bootstrap)


async def list_groups_async(  # noqa: PLR0913  # all but two by name
    bootstrap: str | None = None,
    config: Config = None,
    *,
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
    name: Callable[[str], bool] | None = None,
    lag: bool = True,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> Listing:
    """Return the groups of a cluster, of all kinds or of some, in all states or in some.

    `name` chooses by group id; `timeout` is in seconds; `recorder` is given each answered request.
    Raises ClusterError.
    """

    async def work(cluster: Cluster) -> Listing:
        return await list_all(cluster, states=states, kinds=kinds, name=name, lag=lag)

    return await _in_cluster(work, settings_of(bootstrap, config), timeout, recorder)


class InspectedGroups(NamedTuple):
    """The groups of a cluster, and the newest records of their partitions of the offsets topic,
    where these were asked for."""

    listing: Listing
    recent: tuple[RecentRecords, ...] = ()


def inspect_groups(  # noqa: PLR0913  # all by name
    *,
    config: Config = None,
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
    name: Callable[[str], bool] | None = None,
    lag: bool = True,
    settings: bool = False,
    records: Bounds | None = None,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> InspectedGroups:
    """Return what `list_groups` does, and with `records` the newest records of the partitions that
    hold these groups, within these bounds. With `settings` the recorder is given the settings of
    the brokers, too. Raises the same."""

    async def work(cluster: Cluster) -> InspectedGroups:
        listing = await list_all(
            cluster, states=states, kinds=kinds, name=name, lag=lag, settings=settings
        )
        topic = cluster.last_offsets_topic
        if records is None or topic is None:
            return InspectedGroups(listing)
        partitions = {
            topic.partition_of(row.group_id) if topic.leaders else -1 for row in listing.groups
        }
        recent = await read_all_recent(cluster, topic, partitions, records)
        return InspectedGroups(listing, tuple(recent))

    return asyncio.run(_in_cluster(work, settings_of(None, config), timeout, recorder))


async def describe_group_async(  # noqa: PLR0913  # all but three by name
    group: str,
    bootstrap: str | None = None,
    config: Config = None,
    *,
    settings: bool = False,
    at_rest: bool = False,
    apart: float | None = None,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> Group:
    """Return one group of a cluster, with its members' bytes opened.

    With `apart` its offsets are asked for twice, so many seconds apart, which tells rates. With
    `settings` what is configured for the group is asked for, too. With `at_rest` a group that
    is rebalancing is asked for again until brokers report what its members subscribe to, and
    Rebalancing is raised where they do not within `timeout` seconds. `recorder` is given each
    answered request. Raises NoSuchGroup, Denied or another ClusterError.
    """
    described = await inspect_group_async(
        group,
        bootstrap,
        config,
        settings=settings,
        at_rest=at_rest,
        apart=apart,
        timeout=timeout,
        recorder=recorder,
    )
    return described.group


class InspectedGroup(NamedTuple):
    """A group, and the newest records of its partition of the offsets topic, where these were asked
    for."""

    group: Group
    recent: RecentRecords | None = None


async def inspect_group_async(  # noqa: PLR0913  # all but three by name
    group: str,
    bootstrap: str | None = None,
    config: Config = None,
    *,
    settings: bool = False,
    at_rest: bool = False,
    apart: float | None = None,
    records: Bounds | None = None,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> InspectedGroup:
    """Return what `describe_group_async` does, and with `records` the newest records of the group's
    partition within these bounds. Raises the same."""
    last: list[Group] = []

    async def read_records(cluster: Cluster) -> RecentRecords | None:
        topic = cluster.last_offsets_topic
        if records is None or topic is None:
            return None
        partition = topic.partition_of(group) if topic.leaders else -1
        return await read_recent(cluster, topic, partition, records)

    async def work(cluster: Cluster) -> InspectedGroup:
        reading = asyncio.create_task(read_records(cluster))
        try:
            while True:
                first = await gather(cluster, group, settings=settings)
                last[:] = [build(first)]
                if not (at_rest and last[0].rebalancing):
                    break
                await asyncio.sleep(_AGAIN_S)
            recent = await reading or await read_records(cluster)  # of what is known only now
        finally:
            reading.cancel()
        if apart is not None:
            last[:] = [build(await gather_again(cluster, first, apart))]
        return InspectedGroup(last[0], recent)

    try:
        limit = timeout + (apart or 0)
        return await _in_cluster(work, settings_of(bootstrap, config), limit, recorder)
    except Silent:
        if not (last and at_rest and last[0].rebalancing):
            raise
        late = f"it was not within {timeout:g} seconds, and --timeout waits longer"
        raise Rebalancing(f"{group!a}: {last[0].rebalancing}; {late}") from None


def list_groups(  # noqa: PLR0913  # all but two by name
    bootstrap: str | None = None,
    config: Config = None,
    *,
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
    name: Callable[[str], bool] | None = None,
    lag: bool = True,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> Listing:
    """Return what `list_groups_async` does, from code that is not asynchronous."""
    return asyncio.run(
        list_groups_async(
            bootstrap,
            config,
            states=states,
            kinds=kinds,
            name=name,
            lag=lag,
            timeout=timeout,
            recorder=recorder,
        )
    )


def describe_group(  # noqa: PLR0913  # all but three by name
    group: str,
    bootstrap: str | None = None,
    config: Config = None,
    *,
    settings: bool = False,
    at_rest: bool = False,
    apart: float | None = None,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> Group:
    """Return what `describe_group_async` does, from code that is not asynchronous."""
    return asyncio.run(
        describe_group_async(
            group,
            bootstrap,
            config,
            settings=settings,
            at_rest=at_rest,
            apart=apart,
            timeout=timeout,
            recorder=recorder,
        )
    )


def inspect_group(group: str, **options: Any) -> InspectedGroup:
    """Return what `inspect_group_async` does, from code that is not asynchronous."""
    return asyncio.run(inspect_group_async(group, **options))


async def watch_group_async(
    group: str | None,
    bootstrap: str | None = None,
    config: Config = None,
    *,
    interval: float = 1.0,
    per_second: float = REQUESTS_PER_SECOND,
    timeout: float = TIMEOUT,
    recorder: Recorder | None = None,
) -> AsyncIterator[Look]:
    """Yield a look at a group, or at the states of all groups (None), every `interval` seconds.

    At most `per_second` requests are sent a second. Raises ClusterError where the cluster does not
    answer for `timeout` seconds.
    """
    settings = settings_of(bootstrap, config)
    options: dict[str, Any] = {"timeout": timeout, "recorder": recorder, "per_second": per_second}
    async with Cluster(settings, release=_release(), **options) as cluster:
        await within(timeout, cluster.connect(), _silent(settings))
        looks = (
            watch_all(cluster, interval) if group is None else watch_one(cluster, group, interval)
        )
        async for look in looks:
            yield look


def session_of(settings: Settings, *, timeout: float = TIMEOUT) -> Session:
    """Return a session with a cluster: its connections stay open between questions, each of which
    is given up after `timeout` seconds. Raises ConfigError."""
    return Session(settings, timeout=timeout, release=_release())


def _silent(settings: Settings) -> str:
    names = ", ".join(f"{host}:{port}" for host, port in settings.servers[:3])
    return f"the cluster of {names} does not answer"


async def _in_cluster(
    work: Callable[[Cluster], Coroutine[Any, Any, T]],
    made: Settings,
    timeout: float,
    recorder: Recorder | None,
) -> T:
    async with Cluster(made, timeout=timeout, recorder=recorder, release=_release()) as cluster:

        async def all_of_it() -> T:
            await cluster.connect()
            return await work(cluster)

        return await within(timeout, all_of_it(), _silent(made))


def _release() -> str:
    from .. import __version__

    return __version__
