"""`uniform` for members with different subscriptions, as UniformHeterogeneousAssignmentBuilder."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from .group_spec import BrokerGroup, Targets, UnassignableError

_ROUNDS = 16
_NOBODY = -1


def assign_mixed(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    division = _Division(group)
    division.place_the_rest()
    division.balance()
    return division.targets()


class _Division:
    """Owners of partitions, as indexes of members, and how many each member has."""

    def __init__(self, group: BrokerGroup) -> None:
        self._ids = group.member_ids
        self._subscribers: dict[UUID, list[int]] = {}
        for index, member_id in enumerate(self._ids):
            for topic in group.members[member_id].topics:
                self._subscribers.setdefault(topic, []).append(index)
        self._counts = {topic: group.count(topic) for topic in self._subscribers}
        self._owners = {topic: [_NOBODY] * count for topic, count in self._counts.items()}
        self._sizes = [0] * len(self._ids)
        self._empty: list[tuple[int, UUID]] = []
        for index, member_id in enumerate(self._ids):
            self._keep(index, group.members[member_id].topics, group)

    def _keep(self, index: int, topics: frozenset[UUID], group: BrokerGroup) -> None:
        for topic, partitions in group.members[self._ids[index]].target.items():
            if topic not in topics:
                continue
            self._sizes[index] += len(partitions)
            owners = self._owners[topic]
            for partition in partitions:
                if not 0 <= partition < len(owners):
                    raise UnassignableError(f"{topic}-{partition} is assigned and does not exist")
                owners[partition] = index

    def place_the_rest(self) -> None:
        """Give every free partition to the subscriber with the fewest."""
        free = {
            topic: [number for number, owner in enumerate(owners) if owner == _NOBODY]
            for topic, owners in self._owners.items()
        }
        for topic in self._sorted(topic for topic, numbers in free.items() if numbers):
            balancer = _Balancer(self._subscribers[topic], self._sizes)
            for partition in free[topic]:
                self._give(topic, partition, balancer.next_least())

    def balance(self) -> None:
        """Move partitions from who has most to who has least, topic by topic, until nothing moves
        in a whole round."""
        topics = self._sorted(topic for topic, who in self._subscribers.items() if len(who) > 1)
        last = -1
        for _ in range(_ROUNDS):
            for place, topic in enumerate(topics):
                if place == last:
                    return
                if self._balance_topic(topic) or last == -1:
                    last = place

    def targets(self) -> Targets:
        """Return the division by member id."""
        if not self._subscribers:
            return {}
        targets: dict[str, dict[UUID, set[int]]] = {member_id: {} for member_id in self._ids}
        for topic, owners in self._owners.items():
            for partition, owner in enumerate(owners):
                targets[self._ids[owner]].setdefault(topic, set()).add(partition)
        return {member_id: {**target} for member_id, target in targets.items()}

    def _balance_topic(self, topic: UUID) -> int:
        balancer = _Balancer(self._subscribers[topic], self._sizes)
        if balancer.imbalance <= 1:
            return 0
        has: dict[int, list[int]] = {}
        for partition, owner in enumerate(self._owners[topic]):
            has.setdefault(owner, []).append(partition)
        moved = 0
        while not balancer.is_balanced:
            giver = balancer.next_most()
            while giver != _NOBODY and not has.get(giver):
                balancer.exclude_most()
                giver = balancer.next_most()
            if giver == _NOBODY:
                break
            partition = has[giver].pop()
            taker = balancer.next_least()
            if balancer.is_balanced:
                break
            self._give(topic, partition, taker)
            moved += 1
        return moved

    def _give(self, topic: UUID, partition: int, index: int) -> None:
        old = self._owners[topic][partition]
        if old != _NOBODY:
            self._sizes[old] -= 1
        self._sizes[index] += 1
        self._owners[topic][partition] = index

    def _sorted(self, topics: Iterable[UUID]) -> list[UUID]:
        """Topics with most partitions a subscriber come first, then those with fewer
        subscribers."""
        return sorted(
            topics,
            key=lambda topic: (
                -(self._counts[topic] / len(self._subscribers[topic])),
                len(self._subscribers[topic]),
                _signed(topic),
            ),
        )


def _signed(topic: UUID) -> tuple[int, int]:
    """Return a sort key that orders like Java's Uuid: by two signed 64-bit numbers."""
    return tuple(
        half - (1 << 64) if half >> 63 else half
        for half in (topic.int >> 64, topic.int & (1 << 64) - 1)
    )  # type: ignore[return-value]  # of two halves


class _Balancer:
    """The subscribers of a topic by their number of partitions, from both ends.

    The least loaded take one each before any takes two; the most loaded give one each before any
    gives two.
    """

    def __init__(self, members: list[int], sizes: list[int]) -> None:
        self._sizes = sizes
        self._members = sorted(members, key=lambda index: (sizes[index], index))
        self.imbalance = sizes[self._members[-1]] - sizes[self._members[0]]
        self._least_end = 0
        self._least = sizes[self._members[0]] - 1
        self._next_least = 0
        self._most_start = self._most_end = len(self._members)
        self._most = sizes[self._members[-1]] + 1
        self._next_most = len(self._members) - 1

    @property
    def is_balanced(self) -> bool:
        return self._most - self._least <= 1

    def next_least(self) -> int:
        if self._next_least >= self._least_end:
            self._least += 1
            while (
                self._least_end < len(self._members)
                and self._sizes[self._members[self._least_end]] == self._least
            ):
                self._least_end += 1
            self._next_least = 0
        self._next_least += 1
        return self._members[self._next_least - 1]

    def next_most(self) -> int:
        if self._next_most < self._most_start:
            if self._most_end <= self._most_start and self._most_start > 0:
                self._most = self._sizes[self._members[self._most_start - 1]]
            else:
                self._most -= 1
            while (
                self._most_start > 0
                and self._sizes[self._members[self._most_start - 1]] == self._most
            ):
                self._most_start -= 1
            self._next_most = self._most_end - 1
        if self._next_most < 0:
            return _NOBODY
        self._next_most -= 1
        return self._members[self._next_most + 1]

    def exclude_most(self) -> None:
        place = self._next_most + 1
        last = self._most_end - 1
        self._members[place], self._members[last] = self._members[last], self._members[place]
        self._most_end = last
