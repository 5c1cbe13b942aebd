"""Groups at random, as assignors meet them: members, topics, racks, and claims true and false."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    StickyAssignorUserData,
)
from kproto.rebalance import Member

Shares = dict[str, list[tuple[str, int]]]
"""Partitions by member id, the topics in the order in which they first come."""

NAMES = ("t0", "t1", "t10", "topic-ä", "T", "z.z", "\U0001f600", "ﬀ", "gone")
STEMS = ("m", "consumer-ü", "\U0001f600")
RACKS = ("r0", "r1", "r2")


@dataclass(frozen=True)
class Group:
    members: tuple[Member, ...]
    topics: Mapping[str, int]
    racks: Mapping[str, Sequence[Sequence[str | None]]] | None
    versions: tuple[int, ...]
    """Of each member's subscription, as it is on the wire."""

    def wire(self) -> list[tuple[str, bytes, str | None]]:
        """The members as the Java oracle wants them."""
        return [
            (member.member_id, member.subscription.to_bytes(version), member.group_instance_id)
            for member, version in zip(self.members, self.versions, strict=True)
        ]


def flat(assigned: Mapping[str, ConsumerProtocolAssignment]) -> Shares:
    """Our answer as partitions."""
    return {
        member_id: [
            (entry.topic, number)
            for entry in assignment.assigned_partitions
            for number in entry.partitions
        ]
        for member_id, assignment in assigned.items()
    }


def as_written(shares: Mapping[str, Sequence[tuple[str, int]]]) -> Shares:
    """Java's answer as it writes it into the bytes: each topic once, where it first came."""
    written = {}
    for member_id, partitions in shares.items():
        by_topic: dict[str, list[tuple[str, int]]] = {}
        for partition in partitions:
            by_topic.setdefault(partition[0], []).append(partition)
        written[member_id] = [one for together in by_topic.values() for one in together]
    return written


def random_group(rng: Random, assignor: str, *, large: bool = False) -> Group:
    """A group that lists `assignor`; what sticky assignors read is in it only for them.

    Large ones outgrow the tables that Java's hash maps begin with, several times.
    """
    names = (
        [*NAMES[:6], *(f"topic-{n}" for n in range(60))] if large else NAMES[: rng.randint(1, 6)]
    )
    topics = {name: rng.choice((1, 2, 3, 5, 8, 16)) for name in names}
    equal = rng.random() < 0.5
    everything = rng.sample([*topics, "gone"], rng.randint(1, len(topics) + 1))
    count = rng.randint(40, 120) if large else rng.choice((1, 2, 3, 4, 6, 9, 17))
    ids = [f"{rng.choice(STEMS)}-{rng.randrange(10**6)}-{n}" for n in range(count)]
    instances = [f"i{rng.randrange(100)}-{n}" if rng.random() < 0.2 else None for n in range(count)]
    with_racks = rng.random() < 0.4
    racks = None
    if with_racks:
        few = rng.random() < 0.7
        racks = {
            name: [rng.sample(RACKS, 2 if few else 3) for _ in range(partitions)]
            for name, partitions in topics.items()
        }
    subscribed = [
        everything if equal else rng.sample([*topics, "gone"], rng.randint(1, len(topics) + 1))
        for _ in ids
    ]
    claims = _claims(rng, topics, subscribed)
    versions = [rng.choice((0, 1, 2, 3)) if rng.random() < 0.3 else 3 for _ in ids]
    members = []
    for n, member_id in enumerate(ids):
        generation, owned = claims[n]
        subscription = ConsumerProtocolSubscription(
            topics=subscribed[n],
            rack_id=rng.choice((*RACKS, None)) if with_racks else None,
        )
        if assignor == "sticky":
            subscription = _with_sticky_claim(rng, subscription, generation, owned)
        elif assignor == "cooperative-sticky":
            subscription = subscription.replace(
                owned_partitions=owned,
                generation_id=generation,
                user_data=CooperativeStickyUserData(generation=generation).to_body()
                if rng.random() < 0.9
                else rng.choice((None, b"", b"\0\0")),
            )
        members.append((member_id, subscription, instances[n]))
    # As the leader sees them: through the bytes.
    return Group(
        tuple(
            Member(
                member_id,
                ConsumerProtocolSubscription.from_bytes(subscription.to_bytes(version)),
                instance,
            )
            for (member_id, subscription, instance), version in zip(members, versions, strict=True)
        ),
        topics,
        racks,
        tuple(versions),
    )


Owned = ConsumerProtocolSubscription.TopicPartition


def _claims(
    rng: Random, topics: Mapping[str, int], subscribed: Sequence[Sequence[str]]
) -> list[tuple[int, list[Owned]]]:
    """Who owned what: most of it true, some of it stale, of a topic that is gone or dropped."""
    newcomers = rng.choice((0.0, 0.2, 1.0))
    trouble = rng.choice((0.0, 0.0, 0.1))
    generations = [rng.choice((6, 6, 6, 5, 4)) if trouble else 6 for _ in subscribed]
    hands: list[dict[str, list[int]]] = [{} for _ in subscribed]
    lopsided = rng.random() < 0.4
    for topic, count in [*topics.items(), ("gone", 2)]:
        wanting = [n for n, names in enumerate(subscribed) if topic in names or rng.random() < 0.05]
        for number in range(count):
            if not wanting or rng.random() < 0.1:
                continue
            owner = wanting[0] if lopsided and rng.random() < 0.5 else rng.choice(wanting)
            claimants = {owner}
            if rng.random() < trouble:
                claimants.add(rng.choice(wanting))
            for claimant in claimants:
                hands[claimant].setdefault(topic, []).append(number)
    claims: list[tuple[int, list[Owned]]] = []
    for generation, hand in zip(generations, hands, strict=True):
        if rng.random() < newcomers:
            claims.append((-1, []))
            continue
        owned = [Owned(topic=topic, partitions=numbers) for topic, numbers in hand.items()]
        rng.shuffle(owned)
        claims.append((generation, owned))
    return claims


def _with_sticky_claim(
    rng: Random,
    subscription: ConsumerProtocolSubscription,
    generation: int,
    owned: Sequence[Owned],
) -> ConsumerProtocolSubscription:
    previous = [
        StickyAssignorUserData.TopicPartition(topic=one.topic, partitions=one.partitions)
        for one in owned
    ]
    data = StickyAssignorUserData(previous_assignment=previous, generation=generation)
    kind = rng.random()
    if kind < 0.85:
        user_data = data.to_body(1)
    elif kind < 0.93:
        user_data = data.to_body(0)
    else:
        user_data = rng.choice((b"", b"\0", data.to_body(1)[:-7], b"\xff" * 9))
    # Java judges a second claim by the subscription's own generation; where that is the claim's,
    # it makes no difference.
    return subscription.replace(user_data=user_data, generation_id=generation)
