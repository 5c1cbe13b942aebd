"""`range`: each topic's partitions are cut into one stretch for each of its subscribers."""

from __future__ import annotations

from uuid import UUID

from ..java_order import string_order
from .group_spec import BrokerGroup, Targets


def assign_range(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    targets: Targets = {member_id: {} for member_id in group.members}
    for topic, subscribers in _subscribers(group).items():
        smallest, extra = divmod(group.count(topic), len(subscribers))
        start = 0
        for number, member_id in enumerate(subscribers if smallest else subscribers[:extra]):
            end = start + smallest + (number < extra)
            targets[member_id][topic] = set(range(start, end))
            start = end
    return targets


def _subscribers(group: BrokerGroup) -> dict[UUID, list[str]]:
    """Return the members of each topic in their order."""
    order = _in_order(group)
    if order and group.is_homogeneous:
        return dict.fromkeys(group.members[order[0]].topics, order)
    subscribers: dict[UUID, list[str]] = {}
    for member_id in order:
        for topic in group.members[member_id].topics:
            subscribers.setdefault(topic, []).append(member_id)
    return subscribers


def _in_order(group: BrokerGroup) -> list[str]:
    """Static members come first, by instance id, so that they keep their stretch."""

    def place(member_id: str) -> tuple[bool, bytes]:
        instance_id = group.members[member_id].instance_id
        return instance_id is None, string_order(member_id if instance_id is None else instance_id)

    return sorted(group.member_ids, key=place)
