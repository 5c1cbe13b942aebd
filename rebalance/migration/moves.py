"""How many partitions move when the broker divides a group anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import NAMESPACE_OID, UUID, uuid5

from ..broker_assignors import BROKER_ASSIGNORS, BrokerGroup, BrokerMember, UnassignableError
from .group import ClassicGroup
from .members import Converted, converted_members

_NEW_IDS = ("", "\uffff")
"""Ids of the new member: `range` follows the order of ids, and nobody knows where a new one is in
it."""
_LARGEST = 200_000
"""Partitions of a group up to which its moves are counted."""


@dataclass(frozen=True, slots=True)
class Moves:
    """The most partitions that leave their owner, by assignor; `total` is how many have one."""

    moved: Mapping[str, int]
    total: int


def moves_of(group: ClassicGroup) -> Moves | None:
    """Return what moves when a member joins that subscribes to all topics of the group; None where
    the members or the topics' partitions are not known, or an assignor cannot divide them."""
    members = converted_members(group)
    if not members or group.topics is None or sum(group.topics.values()) > _LARGEST:
        return None
    divided = [_broker_group(members, group.topics, new_id) for new_id in _NEW_IDS]
    owners = _owners({name: known.target for name, known in divided[0].members.items()})
    try:
        moved = {
            name: max(_moved(owners, _owners(assign(each))) for each in divided)
            for name, assign in BROKER_ASSIGNORS.items()
        }
    except UnassignableError:
        return None
    return Moves(moved, len(owners))


def _broker_group(members: list[Converted], topics: Mapping[str, int], new_id: str) -> BrokerGroup:
    ids = {topic: uuid5(NAMESPACE_OID, topic) for topic in topics}
    known = {
        member.member_id: BrokerMember(
            frozenset(ids[topic] for topic in subscribed if topic in ids),
            member.instance_id,
            {ids[topic]: numbers for topic, numbers in share.items() if topic in ids},
        )
        for member, subscribed, share in members
    }
    everything = frozenset().union(*(member.topics for member in known.values()))
    known[new_id] = BrokerMember(everything)
    return BrokerGroup(known, {ids[topic]: count for topic, count in topics.items()})


def _owners(targets: Mapping[str, Mapping[UUID, Collection[int]]]) -> dict[tuple[UUID, int], str]:
    return {
        (topic, number): member_id
        for member_id, shares in targets.items()
        for topic, numbers in shares.items()
        for number in numbers
    }


def _moved(before: Mapping[tuple[UUID, int], str], after: Mapping[tuple[UUID, int], str]) -> int:
    return sum(after.get(partition) != owner for partition, owner in before.items())
