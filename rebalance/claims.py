"""Where claims of ownership are judged: whose claim to a partition wins, by the generation rule.

A member that missed a rebalance still claims what it owned (KIP-792, KAFKA-12984, KAFKA-13406). So
claims are judged partition by partition: the one of the highest generation wins (KAFKA-14639), and
two of the same generation are void, since at most one of them is true and nothing tells which.

The rule does not depend on the order of members. Java's does in two cases, and then it forgets who
owned a partition; tests/rebalance/known_differences.py lists them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from ..codec import ConsumerProtocolSubscription
from .assignments import Partition, partitions_of
from .compatibility import Reading
from .group import Member
from .user_data import Claim, cooperative_claim

ReadClaim: TypeAlias = Callable[[ConsumerProtocolSubscription], Claim]
"""Reads a member's claim from its subscription, as an assignor does (`user_data` has the built-in
ones).
"""


class Overlap(NamedTuple):
    """A partition that more than one member claims."""

    partition: Partition
    claims: tuple[tuple[str, int], ...]
    """Member ids, and the generation of each one's claim, in the group's order."""
    owner: str | None
    """The member id whose claim wins; None if no claim does."""


def owners(
    members: Iterable[Member], read_claim: ReadClaim = cooperative_claim
) -> dict[Partition, str]:
    """Return each partition whose claim wins, and the id of the member that makes it.

    Partitions that were claimed and do not exist are included.
    """
    return judged(members, read_claim).owners


def validate_subscriptions(
    members: Iterable[Member], read_claim: ReadClaim = cooperative_claim
) -> list[Overlap]:
    """Return the partitions that several members claim: the check that KIP-792 asks of every
    assignor.

    An overlap is no error by itself: a member that missed a rebalance claims what has gone to
    another one since. Two claims of one generation are an error.
    """
    return judged(members, read_claim).overlaps


class JudgedClaims(NamedTuple):
    """The claims of a group's members: what `owners` and `validate_subscriptions` return."""

    owners: dict[Partition, str]
    overlaps: list[Overlap]


class StatedClaim(NamedTuple):
    """A claim as its member states it: the partitions that it owned, and the generation of that."""

    member_id: str
    generation: int
    partitions: Sequence[Partition]


def judged(members: Iterable[Member], read_claim: ReadClaim = cooperative_claim) -> JudgedClaims:
    """Return each partition whose claim wins, and the partitions that several members claim."""
    claims = [(member.member_id, read_claim(member.subscription)) for member in members]
    return judge_claims(
        StatedClaim(member_id, claim.generation, partitions_of(claim.owned))
        for member_id, claim in claims
    )


def judge_claims(claims: Iterable[StatedClaim]) -> JudgedClaims:
    """Return what the rule makes of a group's claims, in the group's order."""
    stated = list(claims)
    codes: dict[Partition, int] = {}
    coded = [
        CodedClaim(
            claim.generation,
            [codes.setdefault(partition, len(codes)) for partition in claim.partitions],
        )
        for claim in stated
    ]
    ruling = resolve(coded)
    partitions = list(codes)
    winners = {
        partitions[code]: claim.member_id
        for claim, owned in zip(stated, ruling.owned, strict=True)
        for code in owned
    }
    claimants: dict[int, list[tuple[str, int]]] = {code: [] for code in _contested(coded)}
    for claim, (generation, claimed) in zip(stated, coded, strict=True):
        for code in filter(claimants.__contains__, claimed):
            claimants[code].append((claim.member_id, generation))
    overlaps = [
        Overlap(partitions[code], tuple(rivals), winners.get(partitions[code]))
        for code, rivals in sorted(claimants.items())  # in the order in which they are claimed
    ]
    return JudgedClaims(winners, overlaps)


# -- the rule itself, on integers


class CodedClaim(NamedTuple):
    """A member's claim: what it says it owned, as integers, and the generation of that."""

    generation: int
    codes: Sequence[int]


class Ruling(NamedTuple):
    """What each member truly owned, in the order of the claims, and what none did."""

    owned: list[Sequence[int]]
    void: frozenset[int]
    """Codes claimed twice at the highest generation. They count as changing their owner."""


def resolve(
    claims: Sequence[CodedClaim],
    *,
    below_the_highest: Reading = Reading.KAFKA,
    equals: Reading = Reading.KAFKA,
) -> Ruling:
    """Return what the rule makes of a group's claims, given in the group's order.

    `below_the_highest` and `equals` are `claims_below_the_highest_generation` and
    `same_epoch_claims` of `Readings`.
    """
    if below_the_highest is Reading.TEXT:
        highest = max((claim.generation for claim in claims), default=0)
        claims = [
            claim if claim.generation == highest else claim._replace(codes=()) for claim in claims
        ]
    contested = _contested(claims)
    if not contested:
        return Ruling([claim.codes for claim in claims], frozenset())
    best: dict[int, tuple[int, int]] = {}  # the generation, and the first who claims with it
    void: set[int] = set()
    for claimant, (generation, codes) in enumerate(claims):
        for code in filter(contested.__contains__, codes):
            if code not in best or generation > best[code][0]:
                best[code] = (generation, claimant)
                void.discard(code)
            elif generation == best[code][0] and equals is Reading.KAFKA:
                void.add(code)
    owned: list[Sequence[int]] = [
        [
            code
            for code in dict.fromkeys(codes)
            if code not in contested or (best[code][1] == claimant and code not in void)
        ]
        for claimant, (_, codes) in enumerate(claims)
    ]
    return Ruling(owned, frozenset(void))


def _contested(claims: Sequence[CodedClaim]) -> set[int]:
    """Return the codes that are claimed more than once. Almost every group has none, so that is
    checked first.
    """
    different = set[int]().union(*(claim.codes for claim in claims))
    if len(different) == sum(len(claim.codes) for claim in claims):
        return set()
    times = Counter(chain.from_iterable(claim.codes for claim in claims))
    return {code for code, count in times.items() if count > 1}
