"""Strategies for whole groups: what all members send when they join, with consistent claims or
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from hypothesis import strategies as st

from ...codec import (
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    StickyAssignorUserData,
    field_versions,
)
from .messages import known_versions

Claims: TypeAlias = Literal["consistent", "stale", "double"]
"""`consistent`: no member claims what another owns. `stale`: a member that missed rebalances claims
what has long been another's. `double`: two members claim the same at the same generation.
"""

Owner = ConsumerProtocolSubscription.TopicPartition
Partition = tuple[str, int]


class GroupMember(NamedTuple):
    """A member: its id, its subscription, and its static id if it has one."""

    member_id: str
    subscription: ConsumerProtocolSubscription
    version: int
    group_instance_id: str | None

    @property
    def data(self) -> bytes:
        """The bytes of its metadata in JoinGroup."""
        return self.subscription.to_bytes(self.version)


class DrawnGroup(NamedTuple):
    """A group at the moment of a rebalance: its topics' partition counts, its generation, its
    members.
    """

    topics: dict[str, int]
    generation: int
    members: tuple[GroupMember, ...]
    claims: Claims


def groups(
    *,
    claims: Sequence[Claims] = ("consistent", "stale", "double"),
    versions: Sequence[int] | None = None,
    max_members: int = 5,
) -> st.SearchStrategy[DrawnGroup]:
    """Return a strategy for groups of one to `max_members` members, at least two if claims
    conflict.
    """
    if versions is None:
        versions = [*ConsumerProtocolSubscription.VERSIONS][::-1]  # examples shrink to the newest
    checked = known_versions(ConsumerProtocolSubscription, versions)
    return _groups(tuple(claims), checked, max_members)


@st.composite
def _groups(
    draw: st.DrawFn, claims: tuple[Claims, ...], versions: tuple[int, ...], max_members: int
) -> DrawnGroup:
    how = draw(st.sampled_from(claims))
    names = st.sampled_from(["orders", "payments", "returns", "clicks"])
    topics = draw(st.dictionaries(names, st.integers(1, 6), min_size=1, max_size=3))
    size = draw(st.integers(1 if how == "consistent" else 2, max(max_members, 2)))
    generation = draw(st.integers(1, 9))
    owned = _shared_out(draw, topics, size)
    generations = [generation] * size
    if how != "consistent":
        _at_odds(draw, how, topics, owned, generations)
    members = tuple(
        _member(draw, number, owned[number], generations[number], topics, versions)
        for number in range(size)
    )
    return DrawnGroup(topics, generation, members, how)


def _shared_out(draw: st.DrawFn, topics: dict[str, int], size: int) -> list[set[Partition]]:
    owned: list[set[Partition]] = [set() for _ in range(size)]
    for topic, count in topics.items():
        for partition in range(count):
            owner = draw(st.integers(-1, size - 1))  # -1: nobody's
            if owner >= 0:
                owned[owner].add((topic, partition))
    return owned


def _at_odds(
    draw: st.DrawFn,
    how: Claims,
    topics: dict[str, int],
    owned: list[set[Partition]],
    generations: list[int],
) -> None:
    """Let the last member claim what the first one owns."""
    topic = draw(st.sampled_from(sorted(topics)))
    disputed = (topic, draw(st.integers(0, topics[topic] - 1)))
    owned[0].add(disputed)
    owned[-1].add(disputed)
    if how == "stale":
        generations[-1] = draw(st.integers(0, generations[-1] - 1))


def _member(
    draw: st.DrawFn,
    number: int,
    owned: set[Partition],
    generation: int,
    topics: dict[str, int],
    versions: tuple[int, ...],
) -> GroupMember:
    version = draw(st.sampled_from(versions))
    entries = _entries(owned)
    needed = {topic for topic, _ in owned}
    more_topics = draw(st.sets(st.sampled_from(sorted(topics))))
    sticky = StickyAssignorUserData(
        previous_assignment=[
            StickyAssignorUserData.TopicPartition(topic=entry.topic, partitions=entry.partitions)
            for entry in entries
        ],
        generation=generation,
    ).to_body()
    cooperative = CooperativeStickyUserData(generation=generation).to_body()
    subscription = ConsumerProtocolSubscription(
        topics=sorted(needed | more_topics),
        user_data=draw(st.sampled_from([None, cooperative, sticky])),
        owned_partitions=entries if _has(version, "owned_partitions") else [],
        generation_id=generation if _has(version, "generation_id") else -1,
        rack_id=draw(st.sampled_from([None, "r1", "r2"])) if _has(version, "rack_id") else None,
    )
    static = draw(st.booleans())
    return GroupMember(f"m-{number}", subscription, version, f"s-{number}" if static else None)


def _has(version: int, field: str) -> bool:
    return version in field_versions(ConsumerProtocolSubscription, field)


def _entries(owned: set[Partition]) -> list[Owner]:
    topics = sorted({topic for topic, _ in owned})
    return [
        Owner(topic=topic, partitions=sorted(number for name, number in owned if name == topic))
        for topic in topics
    ]
