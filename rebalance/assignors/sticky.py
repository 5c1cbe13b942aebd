"""`sticky`: balanced, and members keep what they owned where that allows it (KIP-54). Eager."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ...codec import ConsumerProtocolAssignment
from ..assignments import handed_out
from ..assignor import Assignments, Memory, RebalanceProtocol
from ..compatibility import KAFKAS, Readings
from ..group import Member, Racks, Topics, checked
from ..user_data import sticky_claim, sticky_user_data
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
