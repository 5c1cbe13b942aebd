"""Partitions, and the assignment messages that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..codec import ConsumerProtocolAssignment
from ..inspector.shapes.shape import Shares
from .assignor import Assignments
from .group import Member
from .user_data import Owned

Entry = ConsumerProtocolAssignment.TopicPartition
"""A topic and the numbers of its partitions."""

Partition: TypeAlias = tuple[str, int]
"""A topic and a partition number."""


def partitions_of(entries: Iterable[Owned | Entry]) -> list[Partition]:
    """Return the partitions that entries name, one by one: owned entries of a subscription or user
    data, or entries of an assignment.
    """
    return [(entry.topic, number) for entry in entries for number in entry.partitions]


def overlaps(owned: Mapping[str, frozenset[Partition]]) -> Iterator[str]:
    """Yield a sentence for each partition that two owners have; `owned` is by the owner's name."""
    if len(frozenset[Partition]().union(*owned.values())) == sum(map(len, owned.values())):
        return  # nearly always
    owners: dict[Partition, str] = {}
    for name, partitions in owned.items():
        for topic, number in sorted(partitions & owners.keys()):
            yield f"{topic}-{number} belongs to {owners[topic, number]} and to {name}"
        owners.update(dict.fromkeys(partitions, name))


def grouped(partitions: Iterable[Partition]) -> list[Entry]:
    """Return one entry per topic, in the order in which topics and numbers first come, as Java
    writes them.
    """
    numbers: dict[str, list[int]] = {}
    for topic, number in partitions:
        numbers.setdefault(topic, []).append(number)
    return [Entry(topic=topic, partitions=tuple(listed)) for topic, listed in numbers.items()]


def shares_of(partitions: Iterable[Partition]) -> Shares:
    """Return partitions as they are printed: numbers by topic."""
    return {entry.topic: tuple(entry.partitions) for entry in grouped(partitions)}


def handed_out(
    group: Iterable[Member], lined_up: Iterable[Member], shares: Sequence[Iterable[Entry]]
) -> Assignments:
    """Return the assignment of each member in the group's order. `shares` are in the order of
    `lined_up`.
    """
    by_id = dict(zip((member.member_id for member in lined_up), shares, strict=True))
    return {
        member.member_id: ConsumerProtocolAssignment(assigned_partitions=by_id[member.member_id])
        for member in group
    }
