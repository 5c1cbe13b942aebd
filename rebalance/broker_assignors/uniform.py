"""`uniform`: equal numbers of partitions for everybody, and as few moves as that allows."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TypeAlias
from uuid import UUID

from ...garbage import seldom_collected
from ..java_order import presized_int_order, presized_order, uuid_hash
from .group_spec import SELDOM, BrokerGroup, BrokerMember, Targets, UnassignableError, unowned
from .uniform_mixed import assign_mixed

_Kept: TypeAlias = dict[str, dict[UUID, AbstractSet[int]]]
_Stretch: TypeAlias = tuple[UUID, list[int]]
"""Partitions of one topic. Hashing a topic's id is slow, so it is done once for all of them."""


@seldom_collected(SELDOM)
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
    counts = {topic: group.count(topic) for topic in topics}
    free = [
        (topic, sorted(unowned(count, group.owned.get(topic.int, frozenset()))))
        for topic, count in counts.items()
    ]
    targets, wanting = _kept(group, sum(counts.values()), free)
    _hand_out(free, wanting, targets)
    return targets


def _hand_out(free: list[_Stretch], wanting: list[tuple[str, int]], targets: _Kept) -> None:
    """Give the free partitions, in order, to the members that want some."""
    takers = iter(wanting)
    member_id, quota = "", 0
    for topic, partitions in free:
        given = 0
        while given < len(partitions):
            if not quota:
                member_id, quota = next(takers, ("", 0))
            if not quota:
                raise UnassignableError("partitions were left unassigned")
            part = partitions[given : given + quota]
            target = targets[member_id]
            target[topic] = frozenset(part).union(target.get(topic, ()))
            given += len(part)
            quota -= len(part)


def _kept(
    group: BrokerGroup, total: int, free: list[_Stretch]
) -> tuple[_Kept, list[tuple[str, int]]]:
    """Return what each member keeps, and who wants how many more; what a member has too much is
    added to `free`.

    The first members may have the larger share, as long as others are left to make up for those
    that do not take it.
    """
    smallest, extras = divmod(total, len(group.members))
    targets: _Kept = {}
    wanting: list[tuple[str, int]] = []
    left = len(group.members)
    for member_id in group.member_ids:
        larger = extras > 0
        quota = smallest + larger
        target, surplus = _split(group.members[member_id], quota)
        targets[member_id] = target
        free += surplus
        quota -= sum(map(len, target.values()))
        if quota > 0 and larger and left > extras:
            quota -= 1
            larger = False
        if quota > 0:
            wanting.append((member_id, quota))
        extras -= larger
        left -= 1
    return targets, wanting


def _split(member: BrokerMember, quota: int) -> tuple[dict[UUID, AbstractSet[int]], list[_Stretch]]:
    """Return what the member keeps of its target, at most `quota` partitions, and the rest. Java's
    order decides what is kept, and costs too much where everything is."""
    kept = member.kept()
    if sum(map(len, kept.values())) <= quota:
        return kept, []
    surplus: list[_Stretch] = []
    for topic in member.target_topics():
        if len(kept.get(topic, ())) > quota:
            partitions = presized_int_order(member.target[topic])
            surplus.append((topic, partitions[quota:]))
            kept[topic] = frozenset(kept[topic]).difference(partitions[quota:])
        quota -= len(kept.get(topic, ()))
    return {topic: partitions for topic, partitions in kept.items() if partitions}, surplus
