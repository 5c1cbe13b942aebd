"""The target assignment: what each member is to have, by a server-side assignor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from uuid import NAMESPACE_OID, UUID, uuid5
from zlib import crc32

from ...assignments import Partition
from ...broker_assignors import BROKER_ASSIGNORS, BrokerGroup, BrokerMember
from ...group import Topics
from .group_state import ConsumerGroup


@lru_cache(maxsize=10_000)
def topic_id(topic: str) -> UUID:
    """Return the id of a topic; simulated topics have theirs by their name."""
    return uuid5(NAMESPACE_OID, topic)


def by_topic_id(partitions: Iterable[Partition]) -> dict[UUID, list[int]]:
    """Return partition numbers by topic id, topics and numbers in order."""
    numbers: dict[UUID, list[int]] = {}
    for topic, number in sorted(partitions):
        numbers.setdefault(topic_id(topic), []).append(number)
    return numbers


def by_name(entries: Mapping[UUID, Iterable[int]], topics: Iterable[str]) -> frozenset[Partition]:
    """Return partitions by topic name, without those of unknown topics."""
    names = {topic_id(topic): topic for topic in topics}
    return frozenset(
        (names[uuid], number)
        for uuid, numbers in entries.items()
        if uuid in names
        for number in numbers
    )


def by_name_or_id(
    entries: Mapping[UUID, Iterable[int]], topics: Iterable[str]
) -> frozenset[Partition]:
    """Return partitions by topic name, and those of unknown topics by the topic's id: a
    member keeps them until its metadata has the name (`renamed`).
    """
    names = {topic_id(topic): topic for topic in topics}
    return frozenset(
        (names.get(uuid, str(uuid)), number)
        for uuid, numbers in entries.items()
        for number in numbers
    )


def renamed(partitions: Iterable[Partition], topics: Iterable[str]) -> frozenset[Partition]:
    """Return partitions with the names of topics whose ids were all that was known."""
    names = {str(topic_id(topic)): topic for topic in topics}
    return frozenset((names.get(topic, topic), number) for topic, number in partitions)


def metadata_hash(subscribed: Iterable[str], topics: Topics) -> int:
    """Return a hash of the topics that members subscribe to, 0 without any. A broker's own is of
    more than names and counts, and nobody but the broker reads it.
    """
    existing = sorted({topic for topic in subscribed if topic in topics})
    text = ",".join(f"{topic}:{topics[topic]}" for topic in existing)
    return crc32(text.encode())


def preferred_assignor(group: ConsumerGroup, default: str) -> str:
    """Return the assignor that most members ask for. Of several it is the first by name; a broker's
    choice among them depends on the order in its hash tables.
    """
    votes = Counter(member.assignor for member in group.members if member.assignor is not None)
    return min(votes, key=lambda name: (-votes[name], name), default=default)


def make_targets(
    group: ConsumerGroup, topics: Topics, assignor: str
) -> dict[str, frozenset[Partition]]:
    """Return the target assignment of each member. Raises UnassignableError."""
    targets = BROKER_ASSIGNORS[assignor](broker_group(group, topics))
    return {
        member.member_id: by_name(targets.get(member.member_id, {}), topics)
        for member in group.members
    }


def broker_group(group: ConsumerGroup, topics: Topics) -> BrokerGroup:
    """Return the group as a server-side assignor is given it."""
    members = {
        member.member_id: BrokerMember(
            frozenset(topic_id(topic) for topic in group.subscription(member) if topic in topics),
            member.instance_id,
            by_topic_id(group.target(member.member_id)),
        )
        for member in group.members
    }
    return BrokerGroup(members, {topic_id(topic): count for topic, count in topics.items()})
