"""What a live broker knows besides the records: the states of its groups, and where topics end.

Nothing is written: no group is joined, nothing is committed, no topic is made. An answer holds for
one moment; `snapshot` can ask again for some time, because one answer does not tell a rebalance
from one that never ends.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ..audit import BrokerState
from ..sources.broker import (
    AT_ONCE,
    SECONDS,
    WITHHELD,
    ClientSettings,
    administrator,
    answering,
    ends,
)
from .options import TopicFacts, some

__all__ = ["Snapshot", "snapshot", "unstable_groups"]

_STABLE = ("stable", "empty", "dead", "unknown")
_EVERY = 1.0  # seconds between two looks
_BEFORE_MS = 300_000  # for how long records have to wait before a lag is one
_STATES_RIGHT = "DESCRIBE on the cluster, or on the groups"


class Snapshot(NamedTuple):
    """What a broker knows besides the records."""

    cluster_id: str
    topics: Mapping[str, TopicFacts]
    states: Mapping[str, BrokerState] | None
    withheld: Mapping[str, str] = {}  # a NamedTuple's default; it is only read
    """What may not be asked, by the input of rules that it would be, and the right that is missing.
    """
    now: int = -1
    """When it was asked, in milliseconds since 1970."""


def snapshot(client: ClientSettings, watch: float = 0) -> Snapshot:
    """Return what the broker knows. Where groups are rebalancing, it is asked again for up to
    `watch` seconds. Raises BrokerError where it does not answer.

    Raises BrokerError where it does not answer.
    """
    admin = administrator(client)
    withheld: dict[str, str] = {}
    with answering(admin=admin):
        about = admin.list_topics(timeout=SECONDS)
        states = _states_unless_withheld(admin, watch, dict(client)["bootstrap.servers"], withheld)
        topics = _topics(admin, about, withheld)
    return Snapshot(str(about.cluster_id), topics, states, withheld, int(time.time() * 1000))


def unstable_groups(admin: Any) -> dict[str, str]:
    """Return the states of the groups that the broker of an AdminClient says are rebalancing."""
    return {group: seen.state for group, seen in _look(admin).items() if _unstable(seen.state)}


def _states_unless_withheld(
    admin: Any, watch: float, source: str, withheld: dict[str, str]
) -> dict[str, BrokerState] | None:
    from confluent_kafka import KafkaException  # late: an optional dependency

    try:
        return _states(admin, watch, source)
    except KafkaException as error:
        if error.args[0].code() not in WITHHELD:
            raise
        withheld["states"] = _STATES_RIGHT
        return None


def _topics(admin: Any, about: Any, withheld: dict[str, str]) -> dict[str, TopicFacts]:
    from confluent_kafka import TopicPartition  # late: an optional dependency
    from confluent_kafka.admin import OffsetSpec  # type: ignore[attr-defined]  # late: optional

    there = {
        name: sorted(topic.partitions) for name, topic in about.topics.items() if name[:2] != "__"
    }
    asked = [TopicPartition(name, number) for name, numbers in there.items() for number in numbers]
    spec: Any = OffsetSpec
    hidden: set[str] = set()
    newest = ends(admin, asked, spec.latest(), hidden)
    # The first offset that is younger; -1 where there is none.
    since = ends(admin, asked, spec.for_timestamp(int(time.time() * 1000) - _BEFORE_MS), hidden)
    before = {
        place: since[place] if since[place] >= 0 else newest[place]
        for place in since.keys() & newest.keys()
    }
    if hidden:
        withheld["ends"] = f"DESCRIBE on the topics {some(hidden)}"
    ids = _topic_ids(admin, list(there))
    return {
        name: TopicFacts(
            len(numbers),
            {number: newest[name, number] for number in numbers if (name, number) in newest},
            ids.get(name),
            {number: before[name, number] for number in numbers if (name, number) in before},
        )
        for name, numbers in there.items()
        if numbers
    }


def _topic_ids(admin: Any, names: list[str]) -> dict[str, str]:
    """Return topic ids in the form that Kafka prints them in; a topic that is gone by now has
    none.
    """
    from confluent_kafka import KafkaException, TopicCollection  # late: an optional dependency

    found = {}
    for start in range(0, len(names), AT_ONCE):
        asked = TopicCollection(names[start : start + AT_ONCE])
        for name, answer in admin.describe_topics(asked, request_timeout=SECONDS).items():
            with suppress(KafkaException):
                found[name] = str(answer.result().topic_id)
    return found


def _states(admin: Any, watch: float, source: str) -> dict[str, BrokerState]:
    begin = time.monotonic()
    found = _look(admin)
    since = {group: begin for group, seen in found.items() if _unstable(seen.state)}
    while since and time.monotonic() - begin < watch:
        time.sleep(_EVERY)
        found = _look(admin)
        still = {group for group, seen in found.items() if _unstable(seen.state)}
        since = {group: at for group, at in since.items() if group in still}
    now, seen_at = time.monotonic(), int(time.time() * 1000)
    described = _described(admin, [group for group in found if _unstable(found[group].state)])
    return {
        group: seen._replace(
            unstable_ms=int((now - since[group]) * 1000) if group in since else 0,
            source=source,
            observed_ms=seen_at,
            **described.get(group, {}),
        )
        for group, seen in found.items()
    }


def _look(admin: Any) -> dict[str, BrokerState]:
    from confluent_kafka import KafkaException  # late: an optional dependency

    answer = admin.list_consumer_groups(request_timeout=SECONDS).result()
    for error in answer.errors or ():
        refused = error.args[0] if isinstance(error, KafkaException) else error
        if refused.code() in WITHHELD:
            raise KafkaException(refused)
    return {
        group.group_id: BrokerState(_word(group.state), group_type=_word(group.type))
        for group in answer.valid
    }


def _word(value: Any) -> str:
    return str(value.name).lower().replace("_", " ")


def _described(admin: Any, groups: list[str]) -> dict[str, dict[str, Any]]:
    """Return more facts about these groups; none about a group that is gone by now."""
    from confluent_kafka import KafkaException  # late: an optional dependency

    found = {}
    for start in range(0, len(groups), AT_ONCE):
        asked = groups[start : start + AT_ONCE]
        answers = admin.describe_consumer_groups(asked, request_timeout=SECONDS)
        for group, answer in answers.items():
            with suppress(KafkaException):
                said = answer.result()
                found[group] = {
                    "protocol": said.partition_assignor or None,
                    "coordinator": said.coordinator.id if said.coordinator is not None else None,
                    "members": len(said.members),
                }
    return found


def _unstable(state: str) -> bool:
    return bool(state) and not state.startswith(_STABLE)
