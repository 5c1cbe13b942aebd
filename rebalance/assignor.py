"""The public protocol that assignors follow, built-in and custom ones alike.

An assignor is stateless, so one object serves every member of every group. What Java's assignors
keep between rebalances is a value here: `on_assignment` gives it to the member, which hands it back
to `subscription_user_data` when it joins again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import IntEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from ..codec import ConsumerProtocolAssignment
from .group import Member, Racks, Topics

Assignments: TypeAlias = dict[str, ConsumerProtocolAssignment]
"""An assignment for each member id, also for members without partitions."""

Memory: TypeAlias = Any
"""What an assignor wants to remember of the last assignment; None before the first."""


class RebalanceProtocol(IntEnum):
    """How the members of a group rebalance (KIP-429). A higher one is preferred."""

    EAGER = 0
    """A member revokes everything before it joins."""
    COOPERATIVE = 1
    """A member joins with what it owns, and revokes what is not assigned to it again."""


@runtime_checkable
class Assignor(Protocol):
    """Divides the partitions of subscribed topics among the members of a group.

    A member runs the highest protocol that all its assignors support. One that supports
    COOPERATIVE must never give a partition to a member while another still owns it
    (`kproto.rebalance.assignors.cooperation` does that to any assignment).

        class Everything:
            name = "everything-to-one"
            protocols = (RebalanceProtocol.EAGER,)

            def subscription_user_data(self, topics, memory):
                return None

            def assign(self, members, topics, racks=None):
                ...

            def on_assignment(self, assignment, generation):
                return None
    """

    @property
    def name(self) -> str:
        """The assignor's name in JoinGroup. All members of a group need one name in common."""

    @property
    def protocols(self) -> Collection[RebalanceProtocol]:
        """The rebalance protocols that the assignor supports."""

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return the user data of a member's next subscription to `topics`. Called as it joins."""

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Divide the partitions. Called on the leader alone.

        Members come in the order of the JoinGroup response. Whatever a decoder accepted is divided:
        unknown topics are skipped, and claims that cannot be used are ignored.
        """

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return what to remember of an assignment. Called on every member, after it has revoked
        partitions.
        """


class WithoutUserData:
    """A base for assignors that neither write user data nor remember anything."""

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return None: the subscription has no user data."""
        return None

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return None: there is nothing to remember."""
        return None
