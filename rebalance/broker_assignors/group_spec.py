"""The input and output of a server-side assignor.

Where Java's result depends on the order of its hash maps, the same order is followed: of members by
their ids, of topics by their ids, of partitions by their numbers.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import repeat
from operator import attrgetter, setitem
from typing import TypeAlias
from uuid import UUID

from ..java_order import hash_order, presized_int_order, sized_order, uuid_hash

Targets: TypeAlias = Mapping[str, Mapping[UUID, AbstractSet[int]]]
"""The partition numbers of each topic that each member is to have. Members and topics may share a
set, so nobody changes it."""

SELDOM = 2_000_000
"""Objects that an assignor makes between two looks for reference cycles, of which it makes none."""


class UnassignableError(Exception):
    """The assignor cannot divide the group; a broker answers UNKNOWN_SERVER_ERROR."""


@dataclass(frozen=True)
class BrokerMember:
    """A member as the coordinator knows it; `target` is what it was to have before."""

    topics: frozenset[UUID]
    instance_id: str | None = None
    target: Mapping[UUID, Collection[int]] = field(default_factory=dict)

    def target_topics(self) -> list[UUID]:
        """Return the topics of the target as Java's map goes through them."""
        return sized_order(self.target, uuid_hash)

    def target_in_order(self) -> list[tuple[UUID, list[int]]]:
        """Return the target as Java's maps and sets go through it."""
        return [(topic, presized_int_order(self.target[topic])) for topic in self.target_topics()]

    def subscribed_target(self) -> dict[UUID, AbstractSet[int]]:
        """Return the target without topics that the member no longer subscribes to."""
        target = self.frozen_target()
        if all(target.values()) and self.subscribes_to(target):
            return target
        return {
            topic: partitions
            for topic, partitions in target.items()
            if partitions and topic in self.topics
        }

    def frozen_target(self) -> dict[UUID, AbstractSet[int]]:
        """Return the target as sets that nobody changes; where it has such, it is shared."""
        if {*map(type, self.target.values())} <= {frozenset}:
            return dict(self.target)  # type: ignore[arg-type]  # of frozensets
        return {topic: frozenset(partitions) for topic, partitions in self.target.items()}

    def subscribes_to(self, topics: Iterable[UUID]) -> bool:
        """Return whether the member has all of these topics; sets are compared, for they keep
        hashes."""
        return self.topics.issuperset(frozenset(topics))


@dataclass(frozen=True)
class BrokerGroup:
    """A group; `topics` has the number of partitions of every topic that anybody subscribes to."""

    members: Mapping[str, BrokerMember]
    topics: Mapping[UUID, int]

    @cached_property
    def member_ids(self) -> list[str]:
        """The member ids in the order of a `HashMap`."""
        return hash_order(self.members)

    @property
    def is_homogeneous(self) -> bool:
        """Whether all members subscribe to the same topics."""
        return len({member.topics for member in self.members.values()}) <= 1

    @cached_property
    def owned(self) -> Mapping[int, AbstractSet[int]]:
        """The partitions in anybody's target, by the topic's number. They are found once for a
        group; a coordinator has a map of owners at hand, which each of its records changes."""
        owned: dict[int, list[Collection[int]]] = defaultdict(list)
        for member in self.members.values():
            for topic, partitions in member.target.items():
                owned[topic.int].append(partitions)
        return {topic: set().union(*parts) for topic, parts in owned.items()}

    def count(self, topic: UUID) -> int:
        """Return the number of partitions. Raises UnassignableError for a topic that is gone."""
        try:
            return self.topics[topic]
        except KeyError:
            raise UnassignableError(f"members subscribe to {topic}, which does not exist") from None


def numbers_of(topics: Iterable[UUID]) -> Iterator[int]:
    """Return the topics as numbers, which are hashed five times as fast."""
    return map(attrgetter("int"), topics)


def subscribers(members: Iterable[BrokerMember]) -> Mapping[int, list[int]]:
    """Return who subscribes to a topic, by its number: the members' indexes in ascending order."""
    subscribed: dict[int, list[int]] = defaultdict(list)
    for index, member in enumerate(members):
        lists = map(subscribed.__getitem__, numbers_of(member.topics))
        deque(map(list.append, lists, repeat(index)), maxlen=0)
    return subscribed


def hold(
    holders: Mapping[int, dict[int, AbstractSet[int]]],
    index: int,
    target: Mapping[UUID, AbstractSet[int]],
) -> None:
    """Add a member to `holders`: its partitions by the topic's number and the member's index."""
    held_of = map(holders.__getitem__, numbers_of(target))
    deque(map(setitem, held_of, repeat(index), target.values()), maxlen=0)


def unowned(count: int, owned: AbstractSet[int]) -> AbstractSet[int]:
    """Return the partitions of a topic that nobody owns; what is owned need not exist."""
    partitions = _all_partitions(count)
    return frozenset() if owned == partitions else partitions - owned


@lru_cache(16)
def _all_partitions(count: int) -> frozenset[int]:
    """Return all partitions of a topic; many topics have as many."""
    return frozenset(range(count))
