"""`uniform`: equal numbers of partitions for everybody, and as few moves as that allows.

Members with one subscription are divided as by UniformHomogeneousAssignmentBuilder, others as by
UniformHeterogeneousAssignmentBuilder.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import itemgetter
from typing import TypeAlias
from uuid import UUID

from ...garbage import seldom_collected
from ..java_order import presized_int_order, presized_order, uuid_hash
from .group_spec import (
    SELDOM,
    BrokerGroup,
    BrokerMember,
    Targets,
    UnassignableError,
    numbers_of,
    subscribers,
    unowned,
)

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
    targets, wanting = _keep(group, sum(counts.values()), free)
    _hand_out(free, wanting, targets)
    return targets


def _hand_out(free: list[_Stretch], wanting: list[tuple[str, int]], targets: _Kept) -> None:
    """Give the free partitions, in order, to the members that want some."""
    takers = iter(wanting)
    member_id, quota = "", 0
    for topic, partitions in free:
        start = 0
        while start < len(partitions):
            if not quota:
                member_id, quota = next(takers, ("", 0))
            if not quota:
                raise UnassignableError("partitions were left unassigned")
            part = partitions[start : start + quota]
            target = targets[member_id]
            target[topic] = frozenset(part).union(target.get(topic, ()))
            start += len(part)
            quota -= len(part)


def _keep(
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
    target = member.subscribed_target()
    if sum(map(len, target.values())) <= quota:
        return target, []
    surplus: list[_Stretch] = []
    for topic in member.target_topics():
        if len(target.get(topic, ())) > quota:
            partitions = presized_int_order(member.target[topic])
            surplus.append((topic, partitions[quota:]))
            target[topic] = frozenset(target[topic]).difference(partitions[quota:])
        quota -= len(target.get(topic, ()))
    return {topic: partitions for topic, partitions in target.items() if partitions}, surplus


_ROUNDS = 16
_NOBODY = -1


def assign_mixed(group: BrokerGroup) -> Targets:
    """Return the target assignment. Raises UnassignableError."""
    division = _Division(group)
    division.place_the_rest()
    division.balance()
    return division.targets()


class _Topic:
    """A topic: who subscribes to it, and who has which of its partitions. Members are indexes.
    `changed` is what those have whose partitions are not those that they came with."""

    def __init__(
        self, uuid: UUID, count: int, members: Sequence[BrokerMember], subscribers: list[int]
    ) -> None:
        self.uuid = uuid
        self.count = count
        self.subscribers = subscribers
        self.changed: dict[int, AbstractSet[int]] = {}
        self.free: AbstractSet[int] = frozenset()
        self._members = members

    def partitions_of(self, index: int) -> AbstractSet[int]:
        """Return what a member has."""
        if index in self.changed:
            return self.changed[index]
        target = self._members[index].target
        return frozenset(target.get(self.uuid, ())) if target else frozenset()

    def find_free(self, owned: AbstractSet[int]) -> None:
        """Find the partitions that nobody has; `owned` are those that members came with."""
        if self.changed:
            owned = set().union(*map(self.partitions_of, self.subscribers))
        self.free = unowned(self.count, owned)

    def leave_to_one(self) -> None:
        """Take partitions from all their owners but the last one, if they have several."""
        owned: set[int] = set()
        for index in reversed(self.subscribers):
            partitions = self.partitions_of(index)
            for partition in partitions:
                if not 0 <= partition < self.count:
                    raise UnassignableError(
                        f"{self.uuid}-{partition} is assigned and does not exist"
                    )
            if not owned.isdisjoint(partitions):
                self.changed[index] = partitions - owned
            owned |= partitions

    def move(self, moves: Iterable[tuple[int, int, int]]) -> None:
        """Move partitions, each from one member to another."""
        losses: dict[int, set[int]] = defaultdict(set)
        gains: dict[int, set[int]] = defaultdict(set)
        for partition, giver, taker in moves:
            losses[giver].add(partition)
            gains[taker].add(partition)
        for index in losses.keys() | gains.keys():
            self.changed[index] = self.partitions_of(index) - losses[index] | gains[index]

    def order(self) -> tuple[float, int, int, int]:
        """Return a sort key: topics with most partitions a subscriber come first, then those with
        fewer subscribers; then Java's order of Uuid, which is by two signed 64-bit numbers."""
        halves = (self.uuid.int >> 64, self.uuid.int & (1 << 64) - 1)
        high, low = (half - (1 << 64) if half >> 63 else half for half in halves)
        return -(self.count / len(self.subscribers)), len(self.subscribers), high, low


class _Division:
    """Owners of partitions, as indexes of members, and how many each member has."""

    def __init__(self, group: BrokerGroup) -> None:
        self._ids = group.member_ids
        members = [group.members[member_id] for member_id in self._ids]
        topics: frozenset[UUID] = frozenset().union(*(member.topics for member in members))
        subscribed = subscribers(members)
        by_number = {
            topic.int: _Topic(topic, group.count(topic), members, subscribed[topic.int])
            for topic in topics
        }
        self._targets: list[dict[UUID, AbstractSet[int]]] = []
        self._sizes: list[int] = []
        for index, member in enumerate(members):  # once: a large group is in no cache
            target = member.subscribed_target()
            self._targets.append(target)
            self._sizes.append(sum(map(len, target.values())))
            if len(target) < len(member.target):
                for number in numbers_of(member.target.keys() - target.keys()):
                    if number in by_number:
                        by_number[number].changed[index] = frozenset()
        self._topics = sorted(by_number.values(), key=_Topic.order)
        for topic in self._topics:
            topic.find_free(group.owned.get(topic.uuid.int, frozenset()))
        if sum(self._sizes) != sum(topic.count - len(topic.free) for topic in self._topics):
            for topic in self._topics:
                topic.leave_to_one()

    def place_the_rest(self) -> None:
        """Give every free partition to the subscriber with the fewest."""
        for topic in self._topics:
            if not topic.free:
                continue
            gains: dict[int, set[int]] = defaultdict(set)
            takers = _Balancer(topic.subscribers, self._sizes).takers
            for partition, index in zip(sorted(topic.free), takers, strict=False):
                gains[index].add(partition)
            for index, partitions in gains.items():
                self._sizes[index] += len(partitions)
                partitions.update(topic.partitions_of(index))
                topic.changed[index] = partitions

    def balance(self) -> None:
        """Move partitions from who has most to who has least, topic by topic, until nothing moves
        in a whole round."""
        topics = [topic for topic in self._topics if len(topic.subscribers) > 1]
        last = -1
        for _ in range(_ROUNDS):
            for place, topic in enumerate(topics):
                if place == last:
                    return
                if self._balance_topic(topic) or last == -1:
                    last = place

    def targets(self) -> Targets:
        """Return the division by member id."""
        if not self._topics:
            return {}
        for topic in self._topics:
            for index, partitions in topic.changed.items():
                if partitions:
                    self._targets[index][topic.uuid] = partitions
                else:
                    self._targets[index].pop(topic.uuid, None)
        return dict(zip(self._ids, self._targets, strict=True))

    def _balance_topic(self, topic: _Topic) -> bool:
        sizes = itemgetter(*topic.subscribers)(self._sizes)
        if max(sizes) - min(sizes) <= 1:
            return False
        balancer = _Balancer(topic.subscribers, self._sizes)
        has: dict[int, list[int]] = {}
        moves: list[tuple[int, int, int]] = []
        while not balancer.is_balanced:
            giver = self._next_giver(balancer, topic, has)
            if giver == _NOBODY:
                break
            partition = has[giver].pop()
            taker = balancer.next_least()
            if balancer.is_balanced:
                break
            self._sizes[giver] -= 1
            self._sizes[taker] += 1
            moves.append((partition, giver, taker))
        topic.move(moves)
        return bool(moves)

    @staticmethod
    def _next_giver(balancer: _Balancer, topic: _Topic, has: dict[int, list[int]]) -> int:
        """Return who has most, and something of the topic; `has` is what givers still have."""
        while (giver := balancer.next_most()) != _NOBODY:
            if giver not in has:
                has[giver] = sorted(topic.partitions_of(giver))
            if has[giver]:
                break
            balancer.exclude_most()
        return giver


class _Balancer:
    """The subscribers of a topic by their number of partitions, from both ends.

    The least loaded take one each before any takes two; the most loaded give one each before any
    gives two.
    """

    def __init__(self, members: Iterable[int], sizes: list[int]) -> None:
        self._sizes = sizes
        self._members = sorted(members, key=sizes.__getitem__)  # of equals the first comes first
        self._least = sizes[self._members[0]]
        self._least_end = bisect_right(self._members, self._least, key=sizes.__getitem__)
        self.takers = chain.from_iterable(self._levels())
        self._most_start = self._most_end = len(self._members)
        self._most = sizes[self._members[-1]] + 1
        self._next_most = len(self._members) - 1

    @property
    def is_balanced(self) -> bool:
        return self._most - self._least <= 1

    def next_least(self) -> int:
        return next(self.takers)

    def _levels(self) -> Iterator[list[int]]:
        """Yield those who take one each, again and again."""
        while True:
            yield self._members[: self._least_end]
            self._least += 1
            while (
                self._least_end < len(self._members)
                and self._sizes[self._members[self._least_end]] == self._least
            ):
                self._least_end += 1

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
