"""What a live broker knows besides the records: the states of its groups, and where topics end.

Nothing is written: no group is joined, nothing is committed, no topic is made. An answer holds for
one moment; `snapshot` can ask again for some time, because one answer does not tell a rebalance
from one that never ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...cluster.admin import EARLIEST, LATEST, Cluster, Node, Topic, earlier_ends
from ...cluster.errors import ClusterError, Denied, Unsupported
from ...cluster.gathering import description_request, gather_all
from ...cluster.listing import Named, named_groups
from ...cluster.session import Session
from ...codec.wire.primitives import format_uuid
from ...rebalance.judgements import EARLIER_MS
from ..audit import BrokerState
from ..groups.options import TopicFacts, some
from ..sources.broker import ClientSettings, connected

__all__ = ["Snapshot", "snapshot", "unstable_groups"]

_STABLE = ("stable", "empty", "dead", "unknown")
_WORDS = {
    "PreparingRebalance": "preparing rebalancing",
    "CompletingRebalance": "completing rebalancing",
}
"""The states of a group that findings call otherwise than brokers do."""
_EVERY = 1.0  # seconds between two looks
_STATES_RIGHT = "DESCRIBE on the cluster, or on the groups"


class Snapshot(NamedTuple):
    """What a broker knows besides the records."""

    cluster_id: str
    topics: Mapping[str, TopicFacts]
    states: Mapping[str, BrokerState] | None
    withheld: Mapping[str, str] = {}  # a NamedTuple's default; it is only read
    """What cannot be asked, by the input of rules that it would be: the right that is missing, or
    the request that the broker does not have."""
    now: int = -1
    """When it was asked, in milliseconds since 1970."""
    lists_all: bool = False
    """Whether the principal may see all groups."""


def snapshot(client: ClientSettings, watch: float = 0) -> Snapshot:
    """Return what the broker knows. Where groups are rebalancing, it is asked again for up to
    `watch` seconds. Raises ClusterError where it does not answer.
    """
    withheld: dict[str, str] = {}
    with connected(client) as broker:
        states = _states_unless_withheld(broker, watch, dict(client), withheld)
        cluster_id, topics = broker.ask(lambda cluster: _topics(cluster, withheld))
        lists_all = broker.ask(_lists_all)
    return Snapshot(cluster_id, topics, states, withheld, int(time.time() * 1000), lists_all)


def unstable_groups(broker: Session) -> dict[str, str] | None:
    """Return the states of the groups that the brokers say are rebalancing; None where brokers do
    not list groups."""
    try:
        looks = broker.ask(_look)
    except Unsupported:
        return None
    return {group: look.state.state for group, look in _unstable(looks).items()}


async def _lists_all(cluster: Cluster) -> bool:
    return cluster.lists_all is True


async def _topics(cluster: Cluster, withheld: dict[str, str]) -> tuple[str, dict[str, TopicFacts]]:
    """Return the id of the cluster, and its topics but for Kafka's own."""
    topics = {
        name: topic
        for name, topic in (await cluster.topics(None)).items()
        if name[:2] != "__" and topic.leaders
    }
    places = [(name, number) for name, topic in topics.items() for number in topic.leaders]
    newest, problems = await cluster.offsets(topics, places, LATEST)
    # The first offset that is younger; -1 where there is none.
    since, more = await cluster.offsets(topics, places, int(time.time() * 1000) - EARLIER_MS)
    oldest, _ = await cluster.offsets(topics, places, EARLIEST)
    hidden = {error.resource for error in (*problems, *more) if isinstance(error, Denied)}
    if hidden:
        withheld["ends"] = f"DESCRIBE on the topics {some(hidden)}"
    earlier = earlier_ends(since, newest)
    facts = {name: _facts(topic, newest, earlier, oldest) for name, topic in topics.items()}
    return str(cluster.cluster_id), facts


def _facts(
    topic: Topic,
    newest: Mapping[tuple[str, int], int],
    earlier: Mapping[tuple[str, int], int],
    oldest: Mapping[tuple[str, int], int],
) -> TopicFacts:
    def of_topic(offsets: Mapping[tuple[str, int], int]) -> dict[int, int]:
        places = ((number, (topic.name, number)) for number in sorted(topic.leaders))
        return {number: offsets[place] for number, place in places if place in offsets}

    return TopicFacts(
        partitions=topic.partitions,
        ends=of_topic(newest),
        topic_id=None if topic.topic_id is None else format_uuid(topic.topic_id),
        ends_before=of_topic(earlier),
        starts=of_topic(oldest),
    )


class _Look(NamedTuple):
    """A group as the broker names it that coordinates it."""

    node: Node
    group: Named
    state: BrokerState


def _states_unless_withheld(
    broker: Session, watch: float, client: Mapping[str, str], withheld: dict[str, str]
) -> dict[str, BrokerState] | None:
    try:
        return _states(broker, watch, client["bootstrap.servers"])
    except Denied:
        withheld["states"] = _STATES_RIGHT
    except Unsupported as error:
        withheld["states"] = str(error)
    return None


def _states(broker: Session, watch: float, source: str) -> dict[str, BrokerState]:
    begin = time.monotonic()
    looks = broker.ask(_look)
    since = dict.fromkeys(_unstable(looks), begin)
    while since and time.monotonic() - begin < watch:
        time.sleep(_EVERY)
        looks = broker.ask(_look)
        still = _unstable(looks)
        since = {group: at for group, at in since.items() if group in still}
    moment, observed_ms = time.monotonic(), int(time.time() * 1000)
    described = broker.ask(lambda cluster: _described(cluster, _unstable(looks).values()))
    return {
        group: look.state._replace(
            unstable_ms=int((moment - since[group]) * 1000) if group in since else 0,
            source=source,
            observed_ms=observed_ms,
            **described.get(group, {}),
        )
        for group, look in looks.items()
    }


async def _look(cluster: Cluster) -> dict[str, _Look]:
    """Return the groups, as their coordinators name them. One that does not answer is
    passed over where another one does. Raises Denied where one may not be asked.
    """
    nodes = await cluster.coordinating()
    answers = await gather_all(named_groups(cluster, node) for node in nodes)
    failures = [answer for answer in answers if isinstance(answer, ClusterError)]
    refusal = next((error for error in failures if isinstance(error, Denied)), None)
    if refusal is not None or len(failures) == len(nodes):
        raise refusal or failures[0]
    return {
        group.group_id: _Look(node, group, BrokerState(_word(group.state), group_type=group.kind))
        for node, groups in zip(nodes, answers, strict=True)
        if not isinstance(groups, ClusterError)
        for group in groups
    }


def _word(state: str) -> str:
    return _WORDS.get(state, state.lower())


def _unstable(looks: Mapping[str, _Look]) -> dict[str, _Look]:
    return {group: look for group, look in looks.items() if _is_unstable(look.state.state)}


def _is_unstable(state: str) -> bool:
    return bool(state) and not state.startswith(_STABLE)


async def _described(cluster: Cluster, looks: Iterable[_Look]) -> dict[str, dict[str, Any]]:
    """Return more facts about these groups; none about a group that is gone by now."""
    names_by_kind: dict[tuple[Node, str], list[str]] = {}
    for look in looks:
        names_by_kind.setdefault((look.node, look.group.kind), []).append(look.group.group_id)
    facts: dict[str, dict[str, Any]] = {}
    for (node, kind), groups in names_by_kind.items():
        response = await cluster.ask(node, description_request(kind, groups))
        for group in response.groups:
            if not group.error_code:
                assignor = group.protocol_data if kind == "classic" else group.assignor_name
                facts[group.group_id] = {
                    "protocol": assignor or None,
                    "coordinator": node.node_id,
                    "members": len(group.members),
                }
    return facts
