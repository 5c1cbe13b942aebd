"""How many partitions leave their owner when a new-protocol member joins a classic group."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

from ..broker_assignors import BROKER_ASSIGNORS, BrokerGroup, BrokerMember, UnassignableError
from .described_group import ClassicGroup
from .judge import Converted, converted_members

_NEW_IDS = ("", "\uffff")
"""Ids of the new member: `range` follows the order of ids, and nobody knows where a new one is in
it."""
_LARGEST = 200_000
"""Partitions of a group up to which its moves are counted."""


class Moves(NamedTuple):
    """The most partitions that leave their owner, by assignor; `total` is how many have one."""

    counts: Mapping[str, int]
    total: int


def moves_of(group: ClassicGroup) -> Moves | None:
    """Return what moves when a member joins that subscribes to all topics of the group; None where
    the members or the topics' partitions are not known, or an assignor cannot divide them."""
    members = converted_members(group)
    if not members or group.topics is None or sum(group.topics.values()) > _LARGEST:
        return None
    groups = [_broker_group(members, group.topics, new_id) for new_id in _NEW_IDS]
    owners = _owners({name: member.target for name, member in groups[0].members.items()})
    try:
        counts = {
            name: max(_moves(owners, _owners(assign(group))) for group in groups)
            for name, assign in BROKER_ASSIGNORS.items()
        }
    except UnassignableError:
        return None
    return Moves(counts, len(owners))


def _broker_group(members: list[Converted], topics: Mapping[str, int], new_id: str) -> BrokerGroup:
    ids = {topic: uuid5(NAMESPACE_OID, topic) for topic in topics}
    by_id = {
        member.member_id: BrokerMember(
            frozenset(ids[topic] for topic in subscription if topic in ids),
            member.instance_id,
            {ids[topic]: numbers for topic, numbers in share.items() if topic in ids},
        )
        for member, subscription, share in members
    }
    everything = frozenset().union(*(member.topics for member in by_id.values()))
    by_id[new_id] = BrokerMember(everything)
    return BrokerGroup(by_id, {ids[topic]: count for topic, count in topics.items()})


def _owners(targets: Mapping[str, Mapping[UUID, Collection[int]]]) -> dict[tuple[UUID, int], str]:
    return {
        (topic, number): member_id
        for member_id, shares in targets.items()
        for topic, numbers in shares.items()
        for number in numbers
    }


def _moves(previous: Mapping[tuple[UUID, int], str], owners: Mapping[tuple[UUID, int], str]) -> int:
    return sum(owners.get(partition) != owner for partition, owner in previous.items())
