"""`range`: each topic's partitions are cut into one stretch for each of its subscribers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import accumulate, pairwise, starmap
from uuid import UUID

from ...garbage import seldom_collected
from ..java_order import string_order
from .group_spec import BrokerGroup, Targets, numbers_of


@seldom_collected()
def assign_range(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    return _assign_alike(group) if group.is_homogeneous else _assign_mixed(group)


def _assign_alike(group: BrokerGroup) -> Targets:
    targets: Targets = {member_id: {} for member_id in group.members}
    order = _in_order(group)
    stretches = _Stretches()
    for count, topics in _by_count(group).items():
        for member_id, stretch in zip(order, stretches.of(count, len(order)), strict=False):
            new: dict[UUID, AbstractSet[int]] = dict.fromkeys(topics, stretch)
            targets[member_id] = targets[member_id] | new if targets[member_id] else new
    return targets


def _by_count(group: BrokerGroup) -> dict[int, dict[UUID, None]]:
    """Return the topics by their number of partitions: equal ones are cut once. They are keys of a
    dictionary, which keeps their hashes."""
    counts: dict[int, dict[UUID, None]] = {}
    for topic in next((member.topics for member in group.members.values()), ()):
        counts.setdefault(group.count(topic), {})[topic] = None
    return counts


def _assign_mixed(group: BrokerGroup) -> Targets:
    """Give the stretches of each topic to its subscribers. Topics are found by their numbers:
    Python hashes these five times as fast."""
    targets: Targets = {member_id: {} for member_id in group.members}
    subscribers: dict[int, list[dict[UUID, AbstractSet[int]]]] = defaultdict(list)
    for member_id in _in_order(group):
        target = targets[member_id]
        for number in numbers_of(group.members[member_id].topics):
            subscribers[number].append(target)
    stretches = _Stretches()
    for topic in frozenset().union(*(member.topics for member in group.members.values())):
        takers = subscribers[topic.int]
        parts = stretches.of(group.count(topic), len(takers))
        for target, stretch in zip(takers, parts, strict=False):
            target[topic] = stretch
    return targets


class _Stretches:
    """Topics cut into stretches; many topics have the same ones."""

    def __init__(self) -> None:
        self.of = cache(self._cut)
        self._stretch = cache(lambda start, end: frozenset(range(start, end)))

    def _cut(self, count: int, subscribers: int) -> list[frozenset[int]]:
        """Return what each subscriber gets of a topic, as far as there is something."""
        smallest, extra = divmod(count, subscribers)
        sizes = [smallest + 1] * extra + [smallest] * (subscribers - extra if smallest else 0)
        return list(starmap(self._stretch, pairwise(accumulate(sizes, initial=0))))


def _in_order(group: BrokerGroup) -> list[str]:
    """Static members come first, by instance id, so that they keep their stretch."""

    def place(member_id: str) -> tuple[bool, bytes]:
        instance_id = group.members[member_id].instance_id
        return instance_id is None, string_order(member_id if instance_id is None else instance_id)

    return sorted(group.member_ids, key=place)
