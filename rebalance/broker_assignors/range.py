"""`range`: each topic's partitions are cut into one stretch for each of its subscribers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from uuid import UUID

from ..java_order import string_order
from .group_spec import BrokerGroup, Targets


def assign_range(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    subscribers = Counter(topic for member in group.members.values() for topic in member.topics)
    cuts = {
        topic: iter(_stretches(group.count(topic), number)) for topic, number in subscribers.items()
    }
    targets: Targets = {}
    for member_id in _in_order(group):
        shares: dict[UUID, set[int]] = {}
        for topic in group.members[member_id].topics:
            stretch = next(cuts[topic])
            if stretch:
                shares[topic] = set(stretch)
        targets[member_id] = shares
    return targets


def _stretches(partitions: int, members: int) -> list[range]:
    smallest, extra = divmod(partitions, members)
    ends = [0]
    for number in range(members):
        ends.append(ends[-1] + smallest + (number < extra))
    return [range(start, end) for start, end in pairwise(ends)]


def _in_order(group: BrokerGroup) -> list[str]:
    """Static members come first, by instance id, so that they keep their stretch."""

    def place(member_id: str) -> tuple[bool, bytes]:
        instance_id = group.members[member_id].instance_id
        return instance_id is None, string_order(member_id if instance_id is None else instance_id)

    return sorted(group.member_ids, key=place)
