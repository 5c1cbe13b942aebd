"""Who owned what, by the claims of a group: the generation rule, in topics and numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from ..codec import ConsumerProtocolSubscription
from .assignments import Partition, partitions_of
from .claims import CodedClaim, Ruling, resolve
from .group import Member
from .user_data import Claim, cooperative_claim

ReadClaim: TypeAlias = Callable[[ConsumerProtocolSubscription], Claim]
"""Where an assignor finds a member's claim (`user_data` has those of the built-in ones)."""


class Overlap(NamedTuple):
    """A partition that more than one member claims."""

    partition: Partition
    claims: tuple[tuple[str, int], ...]
    """Member ids, and the generation of each one's claim, in the group's order."""
    owner: str | None
    """Whose claim wins; None where it is nobody's."""


def owners(
    members: Iterable[Member], read_claim: ReadClaim = cooperative_claim
) -> dict[Partition, str]:
    """Return each partition whose claim wins, and the member that makes it.

    Of any topic and number that was claimed, whether it exists or not.
    """
    group = list(members)
    codes: dict[Partition, int] = {}
    ruling = _rule([read_claim(member.subscription) for member in group], codes)
    partitions = list(codes)
    return {
        partitions[code]: member.member_id
        for member, mine in zip(group, ruling.owned, strict=True)
        for code in mine
    }


def validate_subscriptions(
    members: Iterable[Member], read_claim: ReadClaim = cooperative_claim
) -> list[Overlap]:
    """Return the check that KIP-792 asks of every assignor: do the claims of the members overlap?

    An empty list says no. An overlap is no error by itself: a member that missed a rebalance
    claims what has gone to another one since. Two claims of one generation are.
    """
    group = list(members)
    winner = owners(group, read_claim)
    claimants: dict[Partition, list[tuple[str, int]]] = defaultdict(list)
    for member in group:
        claim = read_claim(member.subscription)
        for partition in partitions_of(claim.owned):
            claimants[partition].append((member.member_id, claim.generation))
    return [
        Overlap(partition, tuple(claims), winner.get(partition))
        for partition, claims in claimants.items()
        if len(claims) > 1
    ]


def _rule(claims: Iterable[Claim], codes: dict[Partition, int]) -> Ruling:
    """The rule's verdict, and in `codes` the integers that stand for partitions in it."""
    return resolve(
        [
            CodedClaim(
                claim.generation,
                [
                    codes.setdefault(partition, len(codes))
                    for partition in partitions_of(claim.owned)
                ],
            )
            for claim in claims
        ]
    )
