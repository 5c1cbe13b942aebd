"""The model of a group: its members and generations, who owns what, its rebalances.

It has what the events show, and no more: a member that only a leader's list names has no
`connection`, and its client is not known. Times are in milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..capture.frames.frame import Connection
from .events import Event, Kind
from .ownership import NONE, Interval, Ownership, Parts

__all__ = [
    "Cause", "EventChange", "Generation", "Group", "HistoryMember", "Listed", "Rebalance", "Wait",
    "WaitedFor",
]  # fmt: skip

MAX_REBALANCES = 1_000
"""Rebalances of a group that are remembered, the first ones; later ones are counted."""

MAX_CAUSES, MAX_REJOINED = 100, 10
"""Causes of a rebalance that are remembered; members that join again only follow others."""
MAX_MEMBERS = 10_000
"""Members of a group that are remembered, those that were seen first go first."""


@dataclass(slots=True)
class HistoryMember:
    """A member as its own requests and the broker's answers show it. `epoch` is the generation in a
    classic group. `session_ms` is None until it was seen to join; `rebalance_ms` may be -1."""

    member_id: str
    client: str = ""
    host: str = ""
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

    @property
    def limit_ms(self) -> int | None:
        """How long the coordinator waits for it in a rebalance; -1 means the session timeout."""
        unset = self.rebalance_ms is not None and self.rebalance_ms < 0
        return self.session_ms if unset else self.rebalance_ms


class Listed(NamedTuple):
    """A member of a generation, as the leader was told of it."""

    member: HistoryMember
    instance_id: str | None
    metadata: bytes


@dataclass(slots=True)
class Generation:
    """A generation of a classic group. `since` is when its leader was told of it."""

    number: int
    protocol_type: str
    protocol: str | None
    leader: str
    since: float | None
    members: dict[str, Listed]
    shares: dict[str, bytes] = field(default_factory=dict)
    """What the leader gives each member."""
    shared_by: Event | None = None
    """The leader's SyncGroup."""
    in_force: bool = False
    """Whether the coordinator has answered with an assignment, and so has stored it."""

    def carrier(self, instance_id: str | None) -> str | None:
        """Return the id of the member that has an instance id."""
        if instance_id is None:
            return None
        return next(
            (member_id for member_id, listed in self.members.items()
             if listed.instance_id == instance_id),
            None,
        )  # fmt: skip

    def replace_static(self, old: str, new: HistoryMember, offered: Mapping[str, bytes]) -> None:
        """Put a static member in the place of the id that it had: it has what that one had."""
        listed = self.members[old]
        metadata = offered.get(self.protocol or "", listed.metadata)
        ids = {member_id: new.member_id if member_id == old else member_id
               for member_id in self.members}  # fmt: skip
        self.members = {ids[member_id]: member for member_id, member in self.members.items()} | {
            new.member_id: Listed(new, listed.instance_id, metadata)
        }
        self.shares = {ids.get(member_id, member_id): share
                       for member_id, share in self.shares.items()}  # fmt: skip
        self.leader = ids.get(self.leader, self.leader)


class Cause(NamedTuple):
    """Why a rebalance began: a word of `CAUSES`. `certain`: the events show it. `evidence` says
    what shows a rebalance whose cause is not known."""

    word: str
    member: HistoryMember | None = None
    reason: str = ""
    certain: bool = True
    evidence: str = ""


class WaitedFor(NamedTuple):
    """A member that the others waited for, as it was when the wait ended. `joined` is when it
    joined at last; None if it did not."""

    member: HistoryMember
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
    """When the last member got its assignment; None where nobody did."""
    first: int = -1
    last: int = -1
    """The generations or epochs that it led to."""
    needs: int = -1
    """The lowest epoch that shows the causes' effect: each raises the epoch of a group whose broker
    assigns."""
    idle: list[Interval] = field(default_factory=list)
    """When nobody owned any part."""
    following: Rebalance | None = None
    """Of a classic group: the next one, if that begins before this one is over."""


class EventChange(NamedTuple):
    """What an event changes. `record_cause` is the event because of which the coordinator of a
    classic group stores it just now: its generation is in force. `news` are words for what is new
    in a heartbeat. `parts` are those that a member reports or is given now. It got `new` and gave
    up `releases`; it has to give back `back`, and had `losses` when it was thrown out."""

    record_cause: Event | None = None
    news: frozenset[str] = frozenset()
    parts: Parts = NONE
    new: Parts = NONE
    releases: Parts = NONE
    back: Parts = NONE
    losses: Parts = NONE
    waited: float | None = None
    wait: Wait | None = None
    out: tuple[HistoryMember, ...] = ()
    idle: Interval | None = None
    spares: tuple[Parts, Parts] = (NONE, NONE)
    status: tuple[tuple[int, str], ...] = ()


_RAISING = frozenset({"member-joined", "member-left", "subscription-changed", "member-fenced"})


class Group:
    """One group. The protocols' rules are in `classic` and `broker_assigned`."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind: Kind = kind
        self.members: dict[str, HistoryMember] = {}
        self.seen: set[str] = set()
        """The ids of all members so far."""
        self.unseen: set[str] = set()
        """The ids of members that only a leader's list names."""
        self.away: dict[str, HistoryMember] = {}
        """Static members that have left and mean to come back."""
        self.ownership = Ownership()
        self.rebalance: Rebalance | None = None
        self.rebalances: list[Rebalance] = []
        self.uncounted = 0
        """Rebalances beyond those that are remembered."""
        self.generation = -1
        """The newest generation, or epoch."""
        self.generation_members: frozenset[str] = frozenset()
        self.current: Generation | None = None
        """The newest generation whose leader was told who is in it; None once there is a newer
        one."""
        self.joining: set[int] = set()
        """The frames of the JoinGroups that wait for their answer."""
        self.statics: dict[str, HistoryMember] = {}
        """The static members that have joined, by instance id."""
        self.synced: set[str] = set()
        self.expected: dict[str, HistoryMember] = {}
        """The members that have to join again, since the rebalance began."""
        self.joined: dict[str, float] = {}
        """When members joined, of those that wait for the answer."""
        self.first_join: float | None = None
        self.leaving: dict[str, Event] = {}
        """What the members sent that leave and wait for the answer to their JoinGroup."""

    def member(self, member_id: str) -> HistoryMember:
        """Return a member, a new one if its id was not seen yet."""
        member = self.members.get(member_id)
        if member is None:
            if len(self.members) >= MAX_MEMBERS:
                oldest = next(iter(self.members))
                self.ownership.give(oldest, NONE, 0.0)
                del self.members[oldest]
            member = self.members[member_id] = HistoryMember(member_id)
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
        rebalance = self.rebalance
        if self.kind == "classic" and rebalance.last >= 0:  # whose members were let in
            rebalance.following = rebalance.following or Rebalance(when)
            rebalance = rebalance.following
        most = MAX_REJOINED if cause.word == "member-rejoined" else MAX_CAUSES
        if len(rebalance.causes) < most and cause not in rebalance.causes:
            rebalance.causes.append(cause)
        if cause.word in _RAISING:
            rebalance.needs = self.generation + 1

    def reached(self, epoch: int, when: float) -> None:
        """Note a generation or an epoch. A generation that follows one which is not over is led to
        by another rebalance."""
        self.generation = max(self.generation, epoch)
        if self.kind == "classic" and self.rebalance is not None and self.rebalance.last >= 0:
            following = self.rebalance.following or Rebalance(when)
            self._close()
            self.rebalance = following
        if self.rebalance is not None:
            if self.rebalance.first < 0:
                self.rebalance.first = epoch
            self.rebalance.last = max(self.rebalance.last, epoch)

    def finish(self, when: float) -> None:
        """Note the time at which the rebalance ended."""
        if self.rebalance is not None:
            self.rebalance.end = when
            self._close()

    def _close(self) -> None:
        """Remember the rebalance; the next one may have begun."""
        rebalance = self.rebalance
        if rebalance is None:
            return
        self.rebalance, rebalance.following = rebalance.following, None
        if len(self.rebalances) < MAX_REBALANCES:
            self.rebalances.append(rebalance)
        else:
            self.uncounted += 1

    def give(self, member: HistoryMember, parts: Parts, when: float) -> Interval | None:
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
        losses = self.ownership.of(member_id)
        if member is not None:
            self.give(member, NONE, when)
        self.joined.pop(member_id, None)
        self.leaving.pop(member_id, None)
        return losses
