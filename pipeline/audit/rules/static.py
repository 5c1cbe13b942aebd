"""Static members: fencing is not in the topic, only what it leaves behind."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..findings import Basis, Severity, Sign
from ..members import MemberSeen
from ..rule import Rule
from ..window import Change, Window

_FADES = 3600.0
_MOST_HOMES = 8
_MOST_INSTANCES = 100_000


class _Visit(NamedTuple):
    """The client id and host that a static member had, and when it had them last."""

    home: tuple[str, str]
    until: int


class _Holder:
    """Who had an instance id lately."""

    def __init__(self, most: int) -> None:
        self.visits = deque[_Visit](maxlen=_MOST_HOMES)
        self.replaced = deque[int](maxlen=most)
        """When another member id took over within a generation."""
        self.returned = deque[int](maxlen=most)
        """When it came back to a home that it had left shortly before."""

    def visit(self, home: tuple[str, str], now: int, seconds: float) -> None:
        """Take who has the name now."""
        if self.visits and self.visits[-1].home != home:
            if any(
                visit.home == home and now - visit.until <= seconds * 1000 for visit in self.visits
            ):
                self.returned.append(now)
        elif self.visits:
            self.visits.pop()
        self.visits.append(_Visit(home, now))


class Holders:
    """Who had each instance id."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self._most = max(math.ceil(max(thresholds["returns"], thresholds["replacements"])), 1)
        self._seconds = thresholds["seconds"]
        self.holders: dict[str, _Holder] = {}

    def take(self, change: Change) -> None:
        """Take the next record of the group."""
        now = change.timestamp
        if change.elapsed < 0:  # the clock was set back
            self.holders.clear()
        if change.previous is None:
            self.holders.clear()
            self._visit(change.step.members, now)
            return
        left = {member.instance_id for member, _ in change.departures}
        self._visit([member for member, _ in change.departures], now)
        for member in change.came:
            if not change.rise and member.instance_id is not None and member.instance_id in left:
                self._holder(member.instance_id).replaced.append(now)
        self._visit(change.came, now)

    def _visit(self, members: Iterable[MemberSeen], now: int) -> None:
        for member in members:
            if member.instance_id is not None:
                home = (member.client_id, member.host)
                self._holder(member.instance_id).visit(home, now, self._seconds)

    def _holder(self, instance_id: str) -> _Holder:
        holder = self.holders.get(instance_id)
        if holder is None:
            if len(self.holders) >= _MOST_INSTANCES:
                del self.holders[next(iter(self.holders))]
            holder = self.holders[instance_id] = _Holder(self._most)
        return holder


def _ping_pong(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """Two processes carry one name: each that joins takes it from the other.

    A broker that replaces a static member keeps the client id and host of the first, so mostly
    the member ids alone tell; a process that restarts in a loop looks the same.
    """
    memory, now = window.memory, window.step.place.timestamp
    assert isinstance(memory, Holders)
    for member in window.step.members:
        instance_id = member.instance_id
        holder = None if instance_id is None else memory.holders.get(instance_id)
        if holder is None:
            continue
        returns = [time for time in holder.returned if now - time <= _FADES * 1000]
        recent = [time for time in holder.replaced if now - time <= thresholds["seconds"] * 1000]
        if len(returns) < thresholds["returns"] and len(recent) < thresholds["replacements"]:
            continue
        homes = sorted({f"{client} at {host}" for (client, host), _ in holder.visits})
        yield Sign(
            str(instance_id),
            f"the static member {instance_id} "
            + (
                f"went back and forth between {' and '.join(homes)}"
                if returns
                else f"was replaced {len(recent)} times within {thresholds['seconds']:.0f} s"
            ),
            {
                "group_instance_id": instance_id,
                "homes": homes,
                "replacements": len(recent),
                "since": min([*returns, *recent], default=now),
            },
            basis=Basis.OBSERVED if returns else Basis.INFERRED,
        )


def _unseen_subscription(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    """A static member that comes back subscribing to something else causes no rebalance."""
    step, previous = window.step, window.previous
    if previous is None or step.generation != previous.generation or not step.is_consumer:
        return
    old = {m.instance_id: m for m in previous.members if m.instance_id is not None}
    for member in step.members:
        was = old.get(member.instance_id) if member.instance_id is not None else None
        added = member.topics - was.topics if was is not None else frozenset()
        if was is not None and was.member_id != member.member_id and added:
            topics = sorted(added)
            yield Sign(
                str(member.instance_id),
                f"the static member {member.instance_id} came back subscribing to "
                f"{', '.join(topics[:5])} too, and nobody assigns what is new",
                {"group_instance_id": member.instance_id, "topics": topics[:20]},
            )


RULES = (
    Rule(
        id="static-ping-pong",
        title="Two processes carry one group.instance.id",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "Each process that joins fences the other: both restart for ever, and the one that "
            "joined last reads the partitions."
        ),
        source="KIP-345 (FENCED_INSTANCE_ID, error 82 in frames)",
        predicate="One instance id alternates `returns` times between client ids or hosts A, B, A, "
        "and is back within `seconds`; or (inferred, for brokers keep the first one's) it gets "
        "another member id within one generation `replacements` times within `seconds`.",
        next_action="Give every process an instance id of its own; look for a copied file.",
        find=_ping_pong,
        settles=True,
        memory=Holders,
        fades=_FADES,
        thresholds={"returns": 1, "replacements": 3, "seconds": 600},
    ),
    Rule(
        id="static-unseen-subscription",
        title="A static member's new topics are not assigned",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning=(
            "A static member that comes back within its session timeout gets its old assignment "
            "without a rebalance. The topics that it has subscribed to in addition stay unread."
        ),
        source="KIP-345; the coordinator replaces the member within the generation",
        predicate=(
            "A record has the generation of the one before it, and a static member has a new "
            "member id and topics that it did not have."
        ),
        next_action="Force a rebalance: remove the member from the group (kafka-consumer-groups "
        "cannot; AdminClient.removeMembersFromConsumerGroup can), or restart any dynamic member.",
        find=_unseen_subscription,
        settles=True,
    ),
)
