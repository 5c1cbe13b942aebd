"""`sticky`: balanced, and members keep what they owned where that allows it (KIP-54); and
`cooperative-sticky`: the same division, in two steps where partitions move (KIP-429).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ...codec import ConsumerProtocolAssignment
from ..assignments import handed_out
from ..assignor import Assignments, Memory, RebalanceProtocol
from ..compatibility import KAFKAS, Reading, Readings
from ..group import Member, Racks, Topics, checked
from ..user_data import (
    NO_GENERATION,
    cooperative_claim,
    cooperative_user_data,
    sticky_claim,
    sticky_user_data,
)
from .cooperation import give_back
from .sticky_division import divide


@dataclass(frozen=True, slots=True)
class StickyAssignor:
    """The `sticky` assignor: members revoke everything and get most of it back.

    What a member owned is in its user data, since an eager member owns nothing when it joins.
    """

    readings: Readings = KAFKAS

    @property
    def name(self) -> str:
        """The assignor's name in JoinGroup."""
        return "sticky"

    @property
    def protocols(self) -> tuple[RebalanceProtocol, ...]:
        """Eager alone, so that an upgrade to cooperative has to choose another name."""
        return (RebalanceProtocol.EAGER,)

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return what the member owned last, and in which generation; None before it owned
        anything.
        """
        user_data: bytes | None = memory
        return user_data

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return a division by what the members' user data claims."""
        group = checked(members)
        division = divide(group, topics, racks, sticky_claim, self.readings)
        shares = [division.numbering.entries(codes) for codes in division.shares]
        return handed_out(group, group, shares)

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return the user data of the next subscription."""
        return sticky_user_data(assignment, generation)


@dataclass(frozen=True, slots=True)
class CooperativeStickyAssignor:
    """The `cooperative-sticky` assignor: no member stops, and a partition that moves is left out
    until its owner has revoked it (KIP-429).

    Members that still rebalance eagerly own nothing as they join, so the two may be mixed.
    """

    readings: Readings = KAFKAS

    @property
    def name(self) -> str:
        """The assignor's name in JoinGroup."""
        return "cooperative-sticky"

    @property
    def protocols(self) -> tuple[RebalanceProtocol, ...]:
        """Cooperative, and eager for the first of the two bounces of an upgrade."""
        return (RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER)

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return the generation as user data: subscriptions before version 2 do not hold it."""
        return cooperative_user_data(NO_GENERATION if memory is None else memory)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return a division by the owned partitions, without those that another member has to
        revoke.
        """
        group = checked(members)
        numbering, shares, moving = divide(group, topics, racks, cooperative_claim, self.readings)
        if moving:
            shares = [[code for code in codes if code not in moving] for codes in shares]
        assignments = handed_out(group, group, [numbering.entries(codes) for codes in shares])
        if self.readings.owned_but_unknown is Reading.TEXT:
            return give_back(group, assignments, existing=set(numbering.partitions()))
        return assignments

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return the generation of the assignment."""
        return generation
