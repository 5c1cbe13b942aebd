"""`range`: each topic's partitions are cut into one stretch for each of its subscribers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import accumulate, chain, repeat
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
    for count, topics in _by_count(group).items():
        for member_id, stretch in zip(
            order, map(_stretch, *_cuts(count, len(order))), strict=False
        ):
            targets[member_id].update(dict.fromkeys(topics, stretch))
    return targets


def _by_count(group: BrokerGroup) -> dict[int, dict[UUID, None]]:
    """Return the topics by their number of partitions: equal ones are cut once. They are keys of a
    dictionary, which keeps their hashes."""
    counts: dict[int, dict[UUID, None]] = {}
    for topic in next((member.topics for member in group.members.values()), ()):
        counts.setdefault(group.count(topic), {})[topic] = None
    return counts


def _assign_mixed(group: BrokerGroup) -> Targets:
    """Let each member take the next stretch of each of its topics. Topics are found by their
    numbers: Python hashes these five times as fast."""
    topics: frozenset[UUID] = frozenset().union(*(each.topics for each in group.members.values()))
    wanted = {
        member_id: [*numbers_of(group.members[member_id].topics)] for member_id in _in_order(group)
    }
    subscribers = Counter(chain.from_iterable(wanted.values()))
    stretch = cache(_stretch)  # many topics have the same ones
    shares = {
        topic.int: chain(
            map(stretch, *_cuts(group.count(topic), subscribers[topic.int])), repeat(None)
        )
        for topic in topics
    }
    targets: Targets = {member_id: {} for member_id in group.members}
    for member_id, numbers in wanted.items():
        taken = map(next, map(shares.__getitem__, numbers))
        targets[member_id] = {
            topic: partitions
            for topic, partitions in zip(group.members[member_id].topics, taken, strict=True)
            if partitions
        }
    return targets


def _cuts(count: int, subscribers: int) -> tuple[Iterable[int], Iterable[int]]:
    """Return the starts and ends of what each subscriber gets of a topic, as far as there is
    something."""
    smallest, extra = divmod(count, subscribers)
    sizes = [smallest + 1] * extra + [smallest] * (subscribers - extra if smallest else 0)
    ends = list(accumulate(sizes, initial=0))
    return ends[:-1], ends[1:]


def _stretch(start: int, end: int) -> frozenset[int]:
    return frozenset(range(start, end))


def _in_order(group: BrokerGroup) -> list[str]:
    """Static members come first, by instance id, so that they keep their stretch."""

    def place(member_id: str) -> tuple[bool, bytes]:
        instance_id = group.members[member_id].instance_id
        return instance_id is None, string_order(member_id if instance_id is None else instance_id)

    return sorted(group.member_ids, key=place)
