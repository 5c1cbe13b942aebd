"""The division that the sticky assignors share, from claims to codes, equal or unequal
subscriptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..claims import CodedClaim, ReadClaim, Ruling, resolve
from ..compatibility import Readings
from ..group import Member, Racks, Topics, mentioned
from ..java_order import hash_order, string_order
from .numbering import Numbering
from .racks import StickyRacks
from .sticky_equal import EqualDivision
from .sticky_unequal import UnequalDivision


class Division(NamedTuple):
    """Which member gets which codes, and which of them another member has to revoke first."""

    numbering: Numbering
    shares: list[list[int]]
    """A list of codes per member, in the group's order."""
    moving: set[int]


def divide(
    group: Sequence[Member],
    topics: Topics,
    racks: Racks | None,
    read_claim: ReadClaim,
    readings: Readings,
) -> Division:
    """Return a division by the claims that win (see `claims`), moving as little as balance
    allows.
    """
    existing = (topic for topic in mentioned(group) if topics.get(topic, 0) > 0)
    numbering = Numbering(existing, topics)
    claims = [
        CodedClaim(claim.generation, numbering.codes(claim.owned))
        for claim in (read_claim(member.subscription) for member in group)
    ]
    ruling = resolve(claims, below_the_highest=readings.claims_below_the_highest_generation)
    replicas = StickyRacks(group, numbering, racks)
    if not group:
        return Division(numbering, [], set())
    if _all_alike(group):
        return _divide_equally(group, numbering, replicas, ruling)
    ranks = [numbering.ranks(member.subscription.topics) for member in group]
    division = UnequalDivision(numbering, replicas, ranks, _places(group))
    shares = division.run(claims, ruling)
    return Division(numbering, shares, _given_away(claims, shares))


def _all_alike(group: Sequence[Member]) -> bool:
    """Return whether all subscribe to the same topics. As in Java, a topic named twice makes a
    member different; unlike there, no topics at all do too.
    """
    first = frozenset(group[0].subscription.topics)
    return all(
        len(topics) == len(first) and first == frozenset(topics)
        for topics in dict.fromkeys(member.subscription.topics for member in group[1:])
    )


def _divide_equally(
    group: Sequence[Member], numbering: Numbering, racks: StickyRacks, ruling: Ruling
) -> Division:
    indexes = {member.member_id: index for index, member in enumerate(group)}
    walk = [indexes[member_id] for member_id in hash_order(indexes)]
    division = EqualDivision(numbering, racks, walk, _places(group))
    moving = division.run(ruling)
    return Division(numbering, division.shares, moving)


def _places(group: Sequence[Member]) -> list[int]:
    """Return each member's place among the sorted ids."""
    line = sorted(range(len(group)), key=lambda index: string_order(group[index].member_id))
    places = [0] * len(group)
    for place, index in enumerate(line):
        places[index] = place
    return places


def _given_away(claims: Sequence[CodedClaim], shares: Sequence[Sequence[int]]) -> set[int]:
    """Return what a member gets without claiming it while another one claims it, however stale."""
    claimed = set[int]().union(*(claim.codes for claim in claims))
    return {
        code
        for claim, share in zip(claims, shares, strict=True)
        for code in claimed.intersection(share).difference(claim.codes)
    }
