"""Whose claim wins: the generation rule.

A member that missed a rebalance still claims what it owned (KIP-792, KAFKA-12984, KAFKA-13406). So
claims are judged partition by partition: the one of the highest generation wins (KAFKA-14639), and
two of the same generation are void, since at most one of them is true and nothing tells which.

The rule does not depend on the order of members. Java's does in two cases, and then it forgets who
owned a partition; tests/rebalance/known_differences.py has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from .compatibility import Reading


class CodedClaim(NamedTuple):
    """A member's claim: what it says it owned, as integers, and the generation of that."""

    generation: int
    codes: Sequence[int]


class Ruling(NamedTuple):
    """What each member owned in truth, in the order of its claim, and what nobody did."""

    owned: list[Sequence[int]]
    void: frozenset[int]
    """Claimed twice at the highest generation. It counts as changing its owner."""


def resolve(
    claims: Sequence[CodedClaim],
    *,
    below_the_highest: Reading = Reading.KAFKA,
    equals: Reading = Reading.KAFKA,
) -> Ruling:
    """Apply the rule to the claims of a group, given in the group's order.

    `below_the_highest` and `equals` as in `Readings` (the latter: of epochs).
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
    """What is claimed more than once: nothing in almost every group, so that is found out first."""
    different = set[int]().union(*(claim.codes for claim in claims))
    if len(different) == sum(len(claim.codes) for claim in claims):
        return set()
    times = Counter(chain.from_iterable(claim.codes for claim in claims))
    return {code for code, count in times.items() if count > 1}
