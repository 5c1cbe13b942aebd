"""The input of an assignor: the members of a group, the topics, the racks of their replicas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from ..codec import ConsumerProtocolSubscription
from .java_order import string_order

Topics: TypeAlias = Mapping[str, int]
"""Each topic's number of partitions, as the leader's metadata has it."""

Racks: TypeAlias = Mapping[str, Sequence[Sequence[str | None]]]
"""The racks of each topic's replicas, a list per partition; None for a broker without a rack."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a group as its leader sees it."""

    member_id: str
    subscription: ConsumerProtocolSubscription
    group_instance_id: str | None = None
    """The instance id of a static member (KIP-345). JoinGroup has it, the subscription's bytes do
    not.
    """

    @property
    def rack(self) -> str | None:
        """The rack the member reads from; the empty name that some clients send means none."""
        return self.subscription.rack_id or None


def in_order(members: Iterable[Member]) -> list[Member]:
    """Return static members first, by instance id, then the others by member id, as Java sorts
    them.
    """
    return sorted(members, key=_place)


def _place(member: Member) -> tuple[bool, bytes]:
    if member.group_instance_id is not None:
        return False, string_order(member.group_instance_id)
    return True, string_order(member.member_id)


def checked(members: Iterable[Member]) -> list[Member]:
    """Return the members as a list. Raises ValueError if two have one id."""
    listed = list(members)
    ids: set[str] = set()
    for member in listed:
        if member.member_id in ids:
            raise ValueError(f"two members of the group have the id {member.member_id!r}")
        ids.add(member.member_id)
    return listed


def mentioned(members: Iterable[Member]) -> list[str]:
    """Return every subscribed topic, whether it exists or not, in the order of first mention."""
    topics: dict[str, None] = {}
    for subscribed in dict.fromkeys(member.subscription.topics for member in members):
        topics |= dict.fromkeys(subscribed)
    return list(topics)


def subscribers(members: Iterable[Member], topics: Topics) -> dict[str, list[int]]:
    """Return the indexes of the members that subscribe to each topic that exists, ascending.

    A member that names a topic twice counts once. Topics come in the order of first mention. Topics
    with the same subscribers may share one list.
    """
    # Most groups subscribe to one and the same thing.
    by_topics: dict[tuple[str, ...], list[int]] = {}
    for index, member in enumerate(members):
        by_topics.setdefault(member.subscription.topics, []).append(index)
    lists_of: dict[str, list[list[int]]] = {}
    for names, indexes in by_topics.items():
        for topic in dict.fromkeys(names):
            lists_of.setdefault(topic, []).append(indexes)
    return {
        topic: lists[0] if len(lists) == 1 else sorted(chain.from_iterable(lists))
        for topic, lists in lists_of.items()
        if topics.get(topic, 0) > 0
    }
