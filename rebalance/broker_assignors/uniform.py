"""`uniform`: equal numbers of partitions for everybody, and as few moves as that allows."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from ..java_order import presized_order, uuid_hash
from .group_spec import BrokerGroup, Targets, UnassignableError
from .uniform_mixed import assign_mixed


def assign_uniform(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    if not group.members:
        return {}
    return _assign_alike(group) if group.is_homogeneous else assign_mixed(group)


def _assign_alike(group: BrokerGroup) -> Targets:
    """Divide among members with one subscription, as UniformHomogeneousAssignmentBuilder does."""
    topics = presized_order(group.members[group.member_ids[0]].topics, uuid_hash)
    if not topics:
        return {}
    taken: dict[UUID, set[int]] = {topic: set() for topic in topics}
    for member in group.members.values():
        for topic, partitions in member.target.items():
            if topic in taken:
                taken[topic].update(partitions)
    counts = {topic: group.count(topic) for topic in topics}
    free = [
        (topic, partition)
        for topic in topics
        for partition in range(counts[topic])
        if partition not in taken[topic]
    ]
    targets, wanting = _kept(group, taken.keys(), sum(counts.values()), free)
    given = 0
    for member_id, quota in wanting:
        target = targets[member_id]
        for topic, partition in free[given : given + quota]:
            target.setdefault(topic, set()).add(partition)
        given += quota
    if given < len(free):
        raise UnassignableError("partitions were left unassigned")
    return targets


def _kept(
    group: BrokerGroup,
    subscribed: Collection[UUID],
    total: int,
    free: list[tuple[UUID, int]],
) -> tuple[Targets, list[tuple[str, int]]]:
    """Return what each member keeps, and who wants how many more; what a member has too much is
    added to `free`.

    The first members may have the larger share, as long as others are left to make up for those
    that do not take it.
    """
    smallest, extras = divmod(total, len(group.members))
    targets: Targets = {}
    wanting: list[tuple[str, int]] = []
    left = len(group.members)
    for member_id in group.member_ids:
        larger = extras > 0
        quota = smallest + larger
        target = targets[member_id] = {}
        for topic, partitions in group.members[member_id].target_in_order():
            if topic not in subscribed:
                continue
            if partitions[:quota]:
                target[topic] = set(partitions[:quota])
            free += [(topic, partition) for partition in partitions[quota:]]
            quota -= len(partitions[:quota])
        if quota > 0 and larger and left > extras:
            quota -= 1
            larger = False
        if quota > 0:
            wanting.append((member_id, quota))
        extras -= larger
        left -= 1
    return targets, wanting
