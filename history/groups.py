"""The groups of a capture, kept up to date with its frames in the order in which they were sent.

What is told is what the frames show. The capture may lack members' connections: a member that only
a leader's list names has no `connection`. Times are in milliseconds since the epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..capture.frames.frame import Connection
from .ownership import NONE, Interval, Ownership, Parts

__all__ = ["Cause", "Change", "Group", "Member", "Rebalance", "Wait", "WaitedFor"]

Kind = Literal["classic", "consumer", "share", "streams"]

MAX_REBALANCES = 1_000
"""Rebalances of a group that are remembered, the first ones; later ones are counted."""

MAX_CAUSES, MAX_REJOINED = 100, 10
"""Causes of a rebalance that are remembered; members that join again only follow others."""
MAX_MEMBERS = 10_000
"""Members of a group that are remembered, those that were seen first go first."""


@dataclass(slots=True)
class Member:
    """A member as its own requests and the broker's answers show it. `epoch` is the generation in a
    classic group."""

    member_id: str
    client: str = ""
    connection: Connection | None = None
    instance_id: str | None = None
    heard: float | None = None
    """When its last request was sent."""
    epoch: int = -1
    session_ms: int | None = None
    rebalance_ms: int | None = None
    closed: float | None = None
    """When its connection was closed, if it has sent nothing since."""
    owned: Parts = NONE
    """What it has reported."""
    target: Parts | None = None
    """What the broker has assigned to it last."""
    asked_back: float | None = None
    """Since when it has to give parts back."""
    subscribed: tuple[str, ...] | None = None
    spares: tuple[Parts, Parts] = (NONE, NONE)
    """The standby and warm-up tasks of a Streams member."""
    status: tuple[tuple[int, str], ...] = ()
    """What the broker has said of the Streams group last."""


class Cause(NamedTuple):
    """Why a rebalance began. `what` is a word of `story`'s table; `certain`: the frames show it."""

    what: str
    member: Member | None = None
    reason: str = ""
    certain: bool = True


class WaitedFor(NamedTuple):
    """A member that the others waited for, as it was when the wait ended. `joined` is when it
    joined at last; None if it did not."""

    member: Member
    joined: float | None


class Wait(NamedTuple):
    """The time in which members that had joined were not answered. `limit` is the longest that a
    coordinator waits, by the rebalance timeouts that the members have told."""

    time: Interval
    last: tuple[WaitedFor, ...]
    limit: int | None


@dataclass(slots=True)
class Rebalance:
    """A rebalance: of a classic group from the first request that shows it until every member has
    its assignment; of others until all are in the newest epoch and have reported what they own."""

    start: float
    causes: list[Cause] = field(default_factory=list)
    end: float | None = None
    first: int = -1
    last: int = -1
    """The generations or epochs that it led to."""
    needs: int = -1
    """The lowest epoch that shows the causes' effect: each raises the epoch of a group whose broker
    assigns."""
    idle: list[Interval] = field(default_factory=list)
    """When nobody owned any part."""


class Change(NamedTuple):
    """What a frame changes. `parts` are those that a member reports or is given now; `new` and
    `gone` are what it got and gave up; `back` is what it has to give back; `lost` is what it had
    when it was thrown out."""

    member: Member | None = None
    what: frozenset[str] = frozenset()
    parts: Parts = NONE
    new: Parts = NONE
    gone: Parts = NONE
    back: Parts = NONE
    lost: Parts = NONE
    waited: float | None = None
    wait: Wait | None = None
    out: tuple[Member, ...] = ()
    idle: Interval | None = None
    spares: tuple[Parts, Parts] = (NONE, NONE)
    status: tuple[tuple[int, str], ...] = ()


_RAISING = frozenset({"joined", "left", "subscribed", "fenced"})


class Group:
    """One group. The protocols' rules are in `classic` and `modern`."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind: Kind = kind
        self.members: dict[str, Member] = {}
        self.seen: set[str] = set()
        """The ids of all members so far."""
        self.unseen: set[str] = set()
        """The ids of members that only a leader's list names."""
        self.away: dict[str, Member] = {}
        """Static members that have left and mean to come back."""
        self.ownership = Ownership()
        self.rebalance: Rebalance | None = None
        self.rebalances: list[Rebalance] = []
        self.uncounted = 0
        """Rebalances beyond those that are remembered."""
        self.generation = -1
        self.generation_members: frozenset[str] = frozenset()
        self.synced: set[str] = set()
        self.expected: dict[str, Member] = {}
        """The members that have to join again, since the rebalance began."""
        self.joined: dict[str, float] = {}
        """When members joined, of those that wait for the answer."""
        self.first_join: float | None = None

    def member(self, member_id: str) -> Member:
        """Return a member, a new one if its id was not seen yet."""
        member = self.members.get(member_id)
        if member is None:
            if len(self.members) >= MAX_MEMBERS:
                oldest = next(iter(self.members))
                self.ownership.give(oldest, NONE, 0.0)
                del self.members[oldest]
            member = self.members[member_id] = Member(member_id)
            if len(self.seen) < 10 * MAX_MEMBERS:
                self.seen.add(member_id)
        return member

    def begin(self, when: float, cause: Cause) -> None:
        """Note a cause: a rebalance begins, or goes on."""
        if self.rebalance is None:
            self.rebalance = Rebalance(when)
            self.expected = dict(self.members)
            self.joined = {}
            self.first_join = None
        most = MAX_REJOINED if cause.what == "rejoined" else MAX_CAUSES
        if len(self.rebalance.causes) < most and cause not in self.rebalance.causes:
            self.rebalance.causes.append(cause)
        if cause.what in _RAISING:
            self.rebalance.needs = self.generation + 1

    def reached(self, epoch: int) -> None:
        """Note a generation or an epoch."""
        self.generation = max(self.generation, epoch)
        if self.rebalance is not None:
            if self.rebalance.first < 0:
                self.rebalance.first = epoch
            self.rebalance.last = max(self.rebalance.last, epoch)

    def finish(self, when: float) -> None:
        """Note the time at which the rebalance ended."""
        rebalance, self.rebalance = self.rebalance, None
        if rebalance is None:
            return
        rebalance.end = when
        if len(self.rebalances) < MAX_REBALANCES:
            self.rebalances.append(rebalance)
        else:
            self.uncounted += 1

    def give(self, member: Member, parts: Parts, when: float) -> Interval | None:
        """Set what a member owns, and return how long nobody owned anything, if that ends now."""
        idle = self.ownership.give(member.member_id, parts, when)
        if self.unseen:  # what they own is not known
            return None
        if idle is not None and self.rebalance is not None:
            self.rebalance.idle.append(idle)
        return idle

    def remove(self, member_id: str, when: float) -> Parts:
        """Remove a member, and return what it owned."""
        member = self.members.pop(member_id, None)
        lost = self.ownership.of(member_id)
        if member is not None:
            self.give(member, NONE, when)
        self.joined.pop(member_id, None)
        return lost
