"""What the payloads of all members of a record say together.

Most records are in order: Apache Kafka can read every payload, no partition is assigned twice, and
no member claims a partition that it is not assigned. Rules about unreadable payloads and about
claims have nothing to say of such a record, and the few facts that other rules need are found
without making messages of the payloads. Of any other record there is no summary, and rules look at
its members one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...codec.runtime import engine
from .members import MemberSeen, by_topic

__all__ = ["PayloadSummary", "payload_summary"]


class PayloadSummary(NamedTuple):
    """Facts about a record that is in order."""

    versions: tuple[int, ...]
    """The version labels of subscriptions, in ascending order."""
    topics: tuple[str, ...]
    """The topics that any member subscribes to, in ascending order."""
    assigned: Mapping[str, tuple[int, int]]
    """How many partitions of each topic are assigned, and the highest of them."""
    all_claim: bool
    """Whether every member claims a partition."""
    subscribed: bytes
    """The bytes of the topics of all subscriptions, member by member."""


def payload_summary(members: Sequence[MemberSeen]) -> PayloadSummary | None:
    """Return the facts about the payloads of consumers; None where they are not in order, or the
    name of a topic is not ASCII text.
    """
    if engine.CORE is None:
        return _of_messages(members)
    found = engine.CORE.payload_summary(
        [member.metadata for member in members], [member.assignment for member in members]
    )
    return None if found is None else PayloadSummary._make(found)


def _of_messages(members: Sequence[MemberSeen]) -> PayloadSummary | None:
    """The same, for where the compiled core is not installed."""
    if any(member.unreadable for member in members):
        return None
    topics = [member.subscription.topics for member in members if member.subscription is not None]
    claims = [_entries(member.subscription, "owned_partitions") for member in members]
    assigned = [_entries(member.given, "assigned_partitions") for member in members]
    if not _are_plain(topics, claims + assigned) or not _are_in_order(claims, assigned):
        return None
    numbers = by_topic(partition for entries in assigned for partition in _partitions(entries))
    return PayloadSummary(
        tuple(sorted({member.version for member in members if member.version is not None})),
        tuple(sorted({topic for named in topics for topic in named})),
        {topic: (len(found), max(found)) for topic, found in numbers.items()},
        all(map(_partitions, claims)),
        b"".join(map(_encoded, topics)),
    )


def _entries(message: Any, name: str) -> Sequence[Any]:
    return () if message is None else getattr(message, name)


def _partitions(entries: Sequence[Any]) -> list[tuple[str, int]]:
    return [(entry.topic, number) for entry in entries for number in entry.partitions]


def _are_plain(topics: Iterable[Sequence[str]], held: Iterable[Sequence[Any]]) -> bool:
    names = [topic for named in topics for topic in named]
    numbers = [number for entries in held for _, number in _partitions(entries)]
    names += [entry.topic for entries in held for entry in entries]
    return all(map(str.isascii, names)) and min(numbers, default=0) >= 0


def _are_in_order(claims: Sequence[Sequence[Any]], assigned: Sequence[Sequence[Any]]) -> bool:
    everything = [
        [part for each in held for part in _partitions(each)] for held in (claims, assigned)
    ]
    return all(len(set(parts)) == len(parts) for parts in everything) and all(
        set(_partitions(claim)) <= set(_partitions(given))
        for claim, given in zip(claims, assigned, strict=True)
    )


def _encoded(topics: Sequence[str]) -> bytes:
    names = [len(topic).to_bytes(2, "big") + topic.encode() for topic in topics]
    return len(topics).to_bytes(4, "big") + b"".join(names)
