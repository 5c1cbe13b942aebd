"""Where our sticky assignors part from Java's on purpose: when, and a group that shows it.

Each is a defect of Java's (4.4.0): a member is given what it does not want, an owner is forgotten,
or the assignor fails. `applies` says of any group whether it may be met there; everywhere else the
results are equal. `witness` is a group in which Java's answer can be seen to be wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kproto.codec import ConsumerProtocolSubscription, CooperativeStickyUserData
from kproto.rebalance import Member
from kproto.rebalance.user_data import Claim, cooperative_claim, sticky_claim

from .groups import Group, Shares

READ_CLAIM = {"sticky": sticky_claim, "cooperative-sticky": cooperative_claim}


class KnownDifference(NamedTuple):
    name: str
    applies: Callable[[Group, str], bool]
    witness: Group
    """For cooperative-sticky, whose claims are easiest to read."""
    java: Shares | None
    """Java's answer to the witness; None for an exception."""
    ours: Shares


def _claims(group: Group, assignor: str) -> list[tuple[Member, Claim]]:
    return [(m, READ_CLAIM[assignor](m.subscription)) for m in group.members]


def _contested(group: Group, assignor: str) -> Iterator[list[tuple[int, int]]]:
    """Of each partition claimed more than once: each claim's generation, and the one that Java
    compares it with, which is the subscription's own even where the claim's is another."""
    claims = defaultdict(list)
    for member, claim in _claims(group, assignor):
        for one in claim.owned:
            for number in one.partitions:
                own = max(member.subscription.generation_id, -1)
                claims[one.topic, number].append((claim.generation, own))
    yield from (found for found in claims.values() if len(found) > 1)


def without_topics(group: Group, assignor: str) -> bool:
    return any(not member.subscription.topics for member in group.members)


def another_generation(group: Group, assignor: str) -> bool:
    return any(
        generation != own for found in _contested(group, assignor) for generation, own in found
    )


def third_claim(group: Group, assignor: str) -> bool:
    return any(
        count > 1 and generation < max(generation for generation, _ in found)
        for found in _contested(group, assignor)
        for generation, count in Counter(generation for generation, _ in found).items()
    )


def wish_given_up(group: Group, assignor: str) -> bool:
    claims = _claims(group, assignor)
    newest = max(claim.generation for _, claim in claims)
    return any(
        claim.generation < newest and one.topic not in member.subscription.topics
        for member, claim in claims
        for one in claim.owned
    )


def no_such_partition(group: Group, assignor: str) -> bool:
    return any(
        one.topic in group.topics and not 0 <= number < group.topics[one.topic]
        for _, claim in _claims(group, assignor)
        for one in claim.owned
        for number in one.partitions
    )


def _member(
    member_id: str, topics: list[str], generation: int = -1, v1: bool = False, **owned: list[int]
) -> tuple[Member, int]:
    """A member, and the version of its subscription."""
    subscription = ConsumerProtocolSubscription(
        topics=topics,
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in owned.items()
        ],
        generation_id=-1 if v1 else generation,
        user_data=CooperativeStickyUserData(generation=generation).to_body() if v1 else None,
    )
    return Member(member_id, subscription), 1 if v1 else 3


def _group(topics: dict[str, int], *members: tuple[Member, int]) -> Group:
    return Group(tuple(m for m, _ in members), topics, None, tuple(v for _, v in members))


KNOWN_DIFFERENCES = (
    KnownDifference(
        "a member without topics is taken for one that has the topics of the others",
        without_topics,
        _group({"t": 4}, _member("a", []), _member("b", ["t"])),
        java={"a": [("t", 0), ("t", 2)], "b": [("t", 1), ("t", 3)]},
        ours={"a": [], "b": [("t", 0), ("t", 1), ("t", 2), ("t", 3)]},
    ),
    KnownDifference(
        "a claim is compared with the other subscription's own generation, not with the claim's",
        another_generation,
        _group({"t": 2}, _member("a", ["t"], 5, v1=True, t=[0]), _member("b", ["t"], 4, t=[0])),
        java={"a": [("t", 1)], "b": [("t", 0)]},
        ours={"a": [("t", 0)], "b": [("t", 1)]},
    ),
    KnownDifference(
        "two void claims make void a newer one that is met after them",
        third_claim,
        _group(
            {"t": 3},
            _member("a", ["t"], 4, t=[0]),
            _member("b", ["t"], 4, t=[0]),
            _member("c", ["t"], 5, t=[0]),
        ),
        java={"a": [], "b": [("t", 1)], "c": [("t", 2)]},
        ours={"a": [("t", 1)], "b": [("t", 2)], "c": [("t", 0)]},
    ),
    KnownDifference(
        "a partition moves back to an older owner that does not subscribe to it any more",
        wish_given_up,
        _group(
            {"t": 1, "u": 4},
            _member("a", ["u"], 5, u=[0, 1, 2, 3]),
            _member("x", ["t"], 4, u=[0]),
            _member("y", ["t", "u"], 5),
        ),
        java={"a": [("u", 2), ("u", 3)], "x": [("t", 0), ("u", 0)], "y": []},
        ours={"a": [("u", 2), ("u", 3)], "x": [("t", 0)], "y": []},
    ),
    KnownDifference(
        "the same, where that owner takes no part in balancing",
        wish_given_up,
        _group(
            {"t": 1, "u": 4},
            _member("a", ["u"], 5, u=[0, 1, 2, 3]),
            _member("x", ["t"], 4, u=[0]),
            _member("y", ["u"], 5),
        ),
        java=None,
        ours={"a": [("u", 2), ("u", 3)], "x": [("t", 0)], "y": []},
    ),
    KnownDifference(
        "a claim of a partition that does not exist is kept, and others are then given twice",
        no_such_partition,
        _group(
            {"t": 2, "u": 2},
            _member("a", ["t", "u"], 5, t=[1, 9]),
            _member("b", ["t", "u"], 5, u=[0]),
        ),
        java=None,
        ours={"a": [("t", 1), ("t", 0)], "b": [("u", 0), ("u", 1)]},
    ),
)
