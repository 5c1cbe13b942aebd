"""Static members: fencing is not in the topic, only what it leaves behind."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ....history.finding_sentences import duration_text
from ..findings import Basis, Severity, Sign
from ..members import MemberSeen
from ..rule import Rule
from ..window import RecordChange, Window

_FADES = 3600.0
_DAY_MS = 86_400_000
_MOST_HOMES = 8
_NAMED = 3  # instance ids in one sentence
_FEW = 4  # of so many that are gone, one may have come back
_MOST_INSTANCES = 100_000
_MOST_RETURNS = 1000


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
        """When it came back to a home that it had left; `quick` where that was shortly before."""
        self.quick = deque[int](maxlen=most)

    def visit(self, home: tuple[str, str], moment: int, seconds: float) -> None:
        """Take who has the name now."""
        if self.visits and self.visits[-1].home != home:
            left = [visit.until for visit in self.visits if visit.home == home]
            if left:
                self.returned.append(moment)
            if left and moment - left[-1] <= seconds * 1000:
                self.quick.append(moment)
        elif self.visits:
            self.visits.pop()
        self.visits.append(_Visit(home, moment))


class Holders:
    """Who had each instance id."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self._most = max(math.ceil(max(thresholds["returns"], thresholds["replacements"])), 1)
        self._seconds = thresholds["seconds"]
        self.holders: dict[str, _Holder] = {}

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        moment = change.timestamp
        if change.elapsed < 0:  # the clock was set back
            self.holders.clear()
        if change.previous is None:
            self.holders.clear()
            self._visit(change.step.members, moment)
            return
        left = {member.instance_id for member, _ in change.departures}
        self._visit([member for member, _ in change.departures], moment)
        for member in change.came:
            if not change.rise and member.instance_id is not None and member.instance_id in left:
                self._holder(member.instance_id).replaced.append(moment)
        self._visit(change.came, moment)

    def _visit(self, members: Iterable[MemberSeen], moment: int) -> None:
        for member in members:
            if member.instance_id is not None:
                home = (member.client_id, member.host)
                self._holder(member.instance_id).visit(home, moment, self._seconds)

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
    memory, moment = window.memory, window.step.place.timestamp
    assert isinstance(memory, Holders)
    for member in window.step.members:
        instance_id = member.instance_id
        holder = None if instance_id is None else memory.holders.get(instance_id)
        if holder is None:
            continue
        returns = [time for time in holder.quick if moment - time <= _FADES * 1000]
        slow = [time for time in holder.returned if moment - time <= _DAY_MS]
        if len(slow) >= max(thresholds["replacements"], thresholds["returns"]):
            returns = slow
        recent = [time for time in holder.replaced if moment - time <= thresholds["seconds"] * 1000]
        if len(returns) < thresholds["returns"] and len(recent) < thresholds["replacements"]:
            continue
        homes = sorted({f"{client} at {host}" for (client, host), _ in holder.visits})
        yield Sign(
            str(instance_id),
            f"the static member {instance_id} "
            + (
                f"went back and forth between {' and '.join(homes)}"
                if returns
                else f"was replaced {len(recent)} times within "
                f"{duration_text(thresholds['seconds'])}"
            ),
            {
                "group_instance_id": instance_id,
                "homes": homes,
                "replacements": len(recent),
                "since": min([*returns, *recent], default=moment),
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


class Turnover:
    """The instance ids that went away and have not come back, and those that came instead; each
    with the time of that.
    """

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self._lasts = thresholds["seconds"] * 1000
        self.gone: dict[str, int] = {}
        self.new: dict[str, int] = {}
        self.returned = deque[int](maxlen=_MOST_RETURNS)

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        moment = change.timestamp
        if change.previous is None or change.elapsed < 0:  # or the clock was set back
            self.__init__({"seconds": self._lasts / 1000})  # type: ignore[misc]  # it begins anew
            return
        came = {member.instance_id for member in change.came if member.instance_id is not None}
        left = {member.instance_id for member, _ in change.departures} - {None}
        self.gone |= {str(name): moment for name in left - came}
        for name in came - left:
            if name in self.gone:
                del self.gone[name]
                self.returned.append(moment)
            elif self.gone:  # what comes while nobody has gone stands for nobody
                self.new[name] = moment
        for times in (self.gone, self.new):
            while times and (
                len(times) > _MOST_INSTANCES or moment - next(iter(times.values())) > self._lasts
            ):
                del times[next(iter(times))]
        while self.returned and moment - self.returned[0] > self._lasts:
            self.returned.popleft()


def _never_returns(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """Instance ids that are made anew at each start, as those of pods are."""
    memory = window.memory
    assert isinstance(memory, Turnover)
    absent, new = [*memory.gone], [*memory.new]
    fewest = thresholds["instances"]
    if (
        not absent
        or len(absent) < fewest
        or len(new) < fewest
        or _FEW * len(memory.returned) > len(absent)
    ):
        return
    yield Sign(
        "",
        f"{len(absent)} instance ids went away and did not come back, {len(new)} new ones came: "
        f"{', '.join(absent[:_NAMED])} went, {', '.join(new[:_NAMED])} came",
        {
            "departed_instances": absent[:20],
            "new_instances": new[:20],
            "last_departure_at": memory.gone[absent[-1]],
            "since": memory.gone[absent[0]],
        },
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
        "and is back within `seconds`, or `replacements` times within a day; or (inferred, for "
        "brokers keep the first one's) it gets another member id within one generation "
        "`replacements` times within `seconds`.",
        next_action="Give every process an instance id of its own; look for a copied file.",
        find=_ping_pong,
        settles=True,
        memory=Holders,
        fades=_FADES,
        thresholds={"returns": 1, "replacements": 3, "seconds": 600},
    ),
    Rule(
        id="static-never-returns",
        title="Instance ids are made anew at each start",
        severity=Severity.WARNING,
        basis=Basis.INFERRED,
        meaning=(
            "A static member is missed for its whole session timeout when it goes away: its "
            "partitions are not read so long, although a new process has started already."
        ),
        source="KIP-345: group.instance.id has to be the same after a restart",
        predicate=(
            "Within `seconds`, `instances` or more instance ids went away and did not come back, "
            "and as many new ones came after the first had gone; hardly one came back."
        ),
        next_action=(
            "Take group.instance.id from something that stays: the ordinal of a StatefulSet, a "
            "configured name; not the name of a pod of a Deployment, and nothing random."
        ),
        find=_never_returns,
        settles=True,
        memory=Turnover,
        fades="seconds",
        thresholds={"instances": 3, "seconds": 604_800},
    ),
    Rule(
        id="static-unseen-subscription",
        is_of_changes=True,
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
