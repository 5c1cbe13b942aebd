"""`range`: each topic's partitions are cut into one stretch for each of its subscribers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from itertools import accumulate
from uuid import UUID

from ..java_order import string_order
from .group_spec import BrokerGroup, Targets


def assign_range(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    targets: Targets = {member_id: {} for member_id in group.members}
    stretches = cache(_stretches)  # of many topics they are the same
    for subscribers, topics in _subscribers(group):
        for count, alike in _by_count(group, topics).items():
            shares = stretches(count, len(subscribers))
            for member_id, stretch in zip(subscribers, shares, strict=False):
                targets[member_id].update(dict.fromkeys(alike, stretch))
    return targets


def _stretches(count: int, subscribers: int) -> list[frozenset[int]]:
    """Return what each subscriber gets of a topic, as far as there is something."""
    smallest, extra = divmod(count, subscribers)
    sizes = [smallest + 1] * extra + [smallest] * (subscribers - extra if smallest else 0)
    ends = accumulate(sizes)
    return [frozenset(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]


def _by_count(group: BrokerGroup, topics: Iterable[UUID]) -> dict[int, dict[UUID, None]]:
    """Return the topics by their number of partitions: equal ones are cut once. They are keys of a
    dictionary, which keeps their hashes."""
    counts: dict[int, dict[UUID, None]] = {}
    for topic in topics:
        counts.setdefault(group.count(topic), {})[topic] = None
    return counts


def _subscribers(group: BrokerGroup) -> list[tuple[list[str], Collection[UUID]]]:
    """Return members in their order, with the topics to which exactly these subscribe."""
    order = _in_order(group)
    if order and group.is_homogeneous:
        return [(order, group.members[order[0]].topics)]
    subscribers: dict[UUID, list[str]] = {}
    for member_id in order:
        for topic in group.members[member_id].topics:
            subscribers.setdefault(topic, []).append(member_id)
    return [(members, (topic,)) for topic, members in subscribers.items()]


def _in_order(group: BrokerGroup) -> list[str]:
    """Static members come first, by instance id, so that they keep their stretch."""

    def place(member_id: str) -> tuple[bool, bytes]:
        instance_id = group.members[member_id].instance_id
        return instance_id is None, string_order(member_id if instance_id is None else instance_id)

    return sorted(group.member_ids, key=place)
