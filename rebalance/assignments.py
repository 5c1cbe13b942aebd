"""From partitions to the messages that the members get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..codec import ConsumerProtocolAssignment
from .assignor import Assignments
from .group import Member
from .user_data import Owned

Entry = ConsumerProtocolAssignment.TopicPartition
"""A topic and the numbers of its partitions."""

Partition: TypeAlias = tuple[str, int]
"""A topic and a number."""


def partitions_of(entries: Iterable[Owned | Entry]) -> list[Partition]:
    """Return the partitions that entries of any kind name, one by one."""
    return [(entry.topic, number) for entry in entries for number in entry.partitions]


def grouped(partitions: Iterable[Partition]) -> list[Entry]:
    """Return an entry a topic, in the order in which topics and numbers come, as Java writes
    them.
    """
    numbers: dict[str, list[int]] = {}
    for topic, number in partitions:
        numbers.setdefault(topic, []).append(number)
    return [Entry(topic=topic, partitions=tuple(found)) for topic, found in numbers.items()]


def handed_out(
    group: Iterable[Member], lined_up: Iterable[Member], shares: Sequence[Iterable[Entry]]
) -> Assignments:
    """Return the messages in the group's order, from shares in another one."""
    by_id = dict(zip((member.member_id for member in lined_up), shares, strict=True))
    return {
        member.member_id: ConsumerProtocolAssignment(assigned_partitions=by_id[member.member_id])
        for member in group
    }
