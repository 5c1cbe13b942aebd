"""`simple` of share groups (KIP-932): a partition may have several members.

Members with one subscription share all topics; others share each topic among its subscribers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Generic, TypeVar
from uuid import UUID

from ..java_order import int_hash, presized_order, sized_for, sized_order, uuid_hash
from .group_spec import BrokerGroup, Targets
from .java_set import JavaSet

Partition = tuple[UUID, int]
KeyT = TypeVar("KeyT")


def assign_simple(group: BrokerGroup) -> Targets:
    """Return the target assignment of a share group. Raises UnassignableError."""
    if not any(member.topics for member in group.members.values()):
        return {}
    targets = [
        {topic: set(numbers) for topic, numbers in group.members[member_id].target.items()}
        for member_id in group.member_ids
    ]
    share = _share_all if group.is_homogeneous else _share_each
    share(group, targets)
    return {
        member_id: {**target} for member_id, target in zip(group.member_ids, targets, strict=True)
    }


def _share_all(group: BrokerGroup, targets: list[dict[UUID, set[int]]]) -> None:
    topics = presized_order(group.members[group.member_ids[0]].topics, uuid_hash)
    wanted = [(topic, number) for topic in topics for number in range(group.count(topic))]
    sharing = _Sharing(targets, wanted, range(len(targets)), _hash, lambda each: each)
    for index, member_id in enumerate(group.member_ids):
        had = group.members[member_id].target_in_order()
        sharing.had(
            index, [(topic, n) for topic, numbers in had if topic in topics for n in numbers]
        )
        for topic, _ in had:
            if topic not in topics:
                del targets[index][topic]
    sharing.divide(refill=True)


def _share_each(group: BrokerGroup, targets: list[dict[UUID, set[int]]]) -> None:
    """What a member has of a topic to which nobody subscribes any more, it keeps, as in Java."""
    members = [group.members[member_id] for member_id in group.member_ids]
    for topic in frozenset().union(*(member.topics for member in members)):
        wanted = range(group.count(topic))
        subscribed = [index for index, member in enumerate(members) if topic in member.topics]
        sharing = _Sharing(targets, wanted, subscribed, int_hash, _of(topic))
        for index, member in enumerate(members):
            if topic in member.target:
                sharing.had(index, presized_order(member.target[topic], int_hash))
        sharing.divide(refill=False)


def _of(topic: UUID) -> Callable[[int], Partition]:
    return lambda number: (topic, number)


def _hash(partition: Partition) -> int:
    return (31 * uuid_hash(partition[0]) + int_hash(partition[1])) & 0xFFFFFFFF


class _Sharing(Generic[KeyT]):
    """Partitions that members share. `keys` are what Java's maps are keyed by, and `place` tells
    the partition of a key."""

    def __init__(
        self,
        targets: list[dict[UUID, set[int]]],
        keys: Sequence[KeyT],
        members: Sequence[int],
        hash_code: Callable[[KeyT], int],
        place: Callable[[KeyT], Partition],
    ) -> None:
        self._targets = targets
        self._keys = keys
        self._members = members
        self._hash_code = hash_code
        self._place = place
        self._each = -(-len(members) // len(keys)) if keys else 0
        precise = self._each * len(keys) / len(members)
        self._desired = dict.fromkeys(range(len(targets)), 0)
        for number, index in enumerate(members):
            self._desired[index] = ceil(precise * (number + 1)) - ceil(precise * number)
        self._holders: dict[KeyT, JavaSet[int]] = {}
        self._held: dict[int, JavaSet[KeyT]] = {}

    def had(self, index: int, keys: Iterable[KeyT]) -> None:
        """Count what a member had."""
        for key in keys:
            self._holders_of(key).add(index)
            self._held_by(index).add(key)

    def divide(self, *, refill: bool) -> None:
        """Take away what is too much, and give what is missing. With `refill` members that lost a
        partition that too many shared count as wanting more, in any case."""
        short = {index for index in self._members if self._count(index) < self._desired[index]}
        for index in sorted(self._held):
            for key in self._held[index]:
                if self._count(index) <= self._desired[index]:
                    break
                self._take(index, key)
        for key in self._in_order():
            for index in self._holders[key]:
                if len(self._holders[key]) <= self._each:
                    break
                self._take(index, key)
                short.add(index)
        for key in self._keys:
            self._holders_of(key)
        if not refill:
            short = {index for index in self._members if self._count(index) < self._desired[index]}
        self._give(sorted(short))

    def _give(self, short: list[int]) -> None:
        """Go round the members that want more, once through the partitions."""
        at, given = 0, False
        for key in self._in_order():
            if not short:
                break
            holders = self._holders[key]
            while len(holders) < self._each:
                if at >= len(short):
                    if not given:
                        break
                    at, given = 0, False
                    if not short:
                        break
                index = short[at]
                at += 1
                if index in holders:
                    continue
                topic, number = self._place(key)
                self._targets[index].setdefault(topic, set()).add(number)
                holders.add(index)
                self._held_by(index).add(key)
                given = True
                if self._count(index) >= self._desired[index]:
                    at -= 1
                    del short[at]

    def _take(self, index: int, key: KeyT) -> None:
        topic, number = self._place(key)
        self._targets[index][topic].remove(number)
        self._holders[key].remove(index)
        self._held[index].remove(key)

    def _holders_of(self, key: KeyT) -> JavaSet[int]:
        return self._holders.setdefault(key, JavaSet(int_hash))

    def _in_order(self) -> list[KeyT]:
        """Return the keys in the order of a `HashMap` that was filled by `computeIfAbsent`, which
        puts a new key in front of the others of its bucket."""
        size = sized_for((len(self._keys) + 1) * 4 // 3 + 1, len(self._holders))
        return sized_order(list(reversed(self._holders)), self._hash_code, size)

    def _held_by(self, index: int) -> JavaSet[KeyT]:
        return self._held.setdefault(index, JavaSet(self._hash_code))

    def _count(self, index: int) -> int:
        return len(self._held.get(index, ()))
