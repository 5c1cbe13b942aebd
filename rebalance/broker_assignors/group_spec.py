"""The input and output of a server-side assignor.

Where Java's result depends on the order of its hash maps, the same order is followed: of members by
their ids, of topics by their ids, of partitions by their numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias
from uuid import UUID

from ..java_order import hash_order, presized_int_order, sized_order, uuid_hash

Targets: TypeAlias = dict[str, dict[UUID, AbstractSet[int]]]
"""The partition numbers of each topic that each member is to have. Members and topics may share a
set, so nobody changes it."""


class UnassignableError(Exception):
    """The assignor cannot divide the group; a broker answers UNKNOWN_SERVER_ERROR."""


@dataclass(frozen=True)
class BrokerMember:
    """A member as the coordinator knows it; `target` is what it was to have before."""

    topics: frozenset[UUID]
    instance_id: str | None = None
    target: Mapping[UUID, Collection[int]] = field(default_factory=dict)

    def target_in_order(self) -> list[tuple[UUID, list[int]]]:
        """Return the target as Java's maps and sets go through it."""
        order = sized_order(self.target, uuid_hash)
        return [(topic, presized_int_order(self.target[topic])) for topic in order]


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

    def count(self, topic: UUID) -> int:
        """Return the number of partitions. Raises UnassignableError for a topic that is gone."""
        try:
            return self.topics[topic]
        except KeyError:
            raise UnassignableError(f"members subscribe to {topic}, which does not exist") from None
