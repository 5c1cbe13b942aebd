"""Who has which partitions in a group whose broker assigns, by the names of topics.

Its records have ids of topics (KIP-848), or tasks of subtopologies (KIP-1071). The name of an id is
what the broker says, or an older broker wrote; where nobody says it, it is the one topic that a
member subscribes to, if all that the member should have is of one topic. A task reads the partition
of its number of each topic that its subtopology reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from ...rebalance.frameworks import topics_by_subtopology
from .modern import ModernFold, ModernState
from .rebalances import Takeover

__all__ = ["NOTHING", "Holdings", "holdings_of"]

Partition: TypeAlias = tuple[str, int]


class Holdings(NamedTuple):
    """The member id that has each partition; since when members have some of each topic, in
    milliseconds since 1970; and the last takeover of each partition."""

    owner: Mapping[Partition, str]
    given_since: Mapping[str, int]
    takeovers: Mapping[Partition, Takeover]


NOTHING = Holdings({}, {}, {})


def holdings_of(
    fold: ModernFold,
    topic_ids: Mapping[UUID, str],
    counts: Mapping[str, int],
    committed: Collection[Partition],
) -> Holdings:
    """Return who has which partitions. `counts` are the partitions of topics, as far as they are
    known; of others a task may read fewer than it has numbers, unless they are committed."""
    state = fold.state
    if not fold.owners or state.kind == "share":
        return NOTHING
    topics: Mapping[Any, tuple[str, ...]] = (
        topics_by_subtopology(state.topology and state.topology.value)
        if state.kind == "streams"
        else {topic_id: (name,) for topic_id, name in _names_of_ids(fold, topic_ids).items()}
    )

    def is_there(topic: str, number: int, among: int) -> bool:
        if topic in counts:
            return number < counts[topic]
        return among == 1 or (topic, number) in committed

    def partitions(part: tuple[Any, int]) -> Iterator[Partition]:
        key, number = part
        read = topics.get(key, ())
        yield from ((topic, number) for topic in read if is_there(topic, number, len(read)))

    return Holdings(
        _by_name(fold.owners, partitions),
        {topic: time for key, time in fold.given_since.items() for topic in topics.get(key, ())},
        _by_name(fold.takeovers, partitions),
    )


def _by_name(
    facts: Mapping[tuple[Any, int], Any], partitions: Callable[[Any], Iterable[Partition]]
) -> dict[Partition, Any]:
    return {partition: fact for part, fact in facts.items() for partition in partitions(part)}


def _names_of_ids(fold: ModernFold, topic_ids: Mapping[UUID, str]) -> dict[UUID, str]:
    """Return the names of the ids of the group's topics, as far as anything tells them."""
    state = fold.state
    ids = {*fold.given_since}
    for target in state.targets.values():
        ids.update([entry.topic_id for entry in target.value.topic_partitions])
    names = {topic_id: topic_ids[topic_id] for topic_id in ids & topic_ids.keys()}
    if state.topics is not None:
        names.update({topic.topic_id: topic.topic_name for topic in state.topics.value.topics})
    pending = _subscriptions(state, names)
    while pending:
        certain = {
            next(iter(ids)): next(iter(topics))
            for ids, topics in pending
            if len(ids) == len(topics) == 1
        }
        if not certain:
            break
        names |= certain
        named = set(certain.values())
        pending = [
            (unsure, topics - named)
            for ids, topics in pending
            if (unsure := ids - certain.keys()) and topics - named
        ]
    return names


def _subscriptions(
    state: ModernState, names: Mapping[UUID, str]
) -> list[tuple[frozenset[UUID], frozenset[str]]]:
    """Return of each member the ids of what it should have, and the topics that it subscribes to,
    both without those of which the name is known; no member twice that is like another one."""
    epoch, target = state.epoch, state.target_epoch
    is_current = (
        epoch is not None
        and target is not None
        and target.value.assignment_epoch == epoch.value.epoch
    )
    if not is_current:  # else what members should have is of earlier subscriptions
        return []
    known_names = set(names.values())
    pairs = {
        (
            frozenset(
                entry.topic_id
                for entry in state.targets[member_id].value.topic_partitions
                if entry.topic_id not in names
            ),
            frozenset(member.value.subscribed_topic_names) - known_names,
        )
        for member_id, member in state.members.items()
        if member_id in state.targets and not member.value.subscribed_topic_regex
    }
    return [(ids, topics) for ids, topics in pairs if ids and topics]
