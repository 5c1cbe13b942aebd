"""How often a group rebalances, and which members cause it.

A generation that nobody recorded (aborted, or compacted away) still counts: the rate is the change
of the generation over the time between the records that there are.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from ....history.causes import CAUSES
from ....history.finding_sentences import duration_text
from ....wording import counted
from ..findings import Basis, Severity, Sign
from ..members import IdentitiesByCount, Identity, who
from ..rule import Rule
from ..storm_causes import (
    MOST_COMPARED,
    Stay,
    Stays,
    cause_of_stays,
    poll_limit_cause,
    stays_in,
    storm_cause,
)
from ..stretch import Stretch
from ..window import DESERTED_MS, RecordChange, Window

_MS = 1000.0
_HOUR_MS = 3_600_000
_MOST_IDENTITIES = 100_000
_PASSING_FACTOR = 3
"""In how many times `seconds` members with new client ids have to come and go."""


def _storm(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    stretch = window.memory
    assert isinstance(stretch, Stretch)
    moment = window.step.place.timestamp
    generations = window.step.generation - stretch.generation
    seconds = (moment - stretch.since) / _MS
    if generations < thresholds["generations"]:
        return
    joins = stretch.rejoined.most_common(10)
    worst, times = joins[0] if joins else (None, 0)
    passing = stretch.passing(int(moment - _PASSING_FACTOR * thresholds["seconds"] * _MS))
    repeated = stretch.repeated
    if times >= thresholds["rejoins"]:
        why = f"{who(worst)} joined {times} times"
    elif passing >= thresholds["rejoins"]:
        why = f"{passing} members came and went again, one after another, each with a new client id"
    elif repeated >= thresholds["repeated"]:
        why = f"its members joined again and again, {who(worst)} {times} times"
    elif stretch.restless > thresholds["rounds"]:
        why = "most of them without a member that came or went"
    else:
        return  # each joined once: a deploy, or scaling
    onset = stretch.onset_at(moment, thresholds)
    is_later = (onset - stretch.since) / _MS >= thresholds["seconds"]
    lately = f", as fast as a storm for {duration_text((moment - onset) / _MS)}" if is_later else ""
    yield Sign(
        "",
        f"{counted(generations, 'epoch' if window.is_of_epochs else 'generation')} in "
        f"{duration_text(seconds)}{lately}; {why}",
        {
            "generations": generations,
            "seconds": round(seconds, 1),
            "joins": [{"who": who(identity), "times": count} for identity, count in joins],
            "came_and_went": passing,
            "members": len(window.step.members),
            "since": onset,
        },
        Severity.WARNING if window.is_of_epochs else None,
        cause=partial(storm_cause, (*stretch.rounds,), stretch.stays, window.step.members),
    )


class _Visit(NamedTuple):
    """When somebody joined, or left again, and whether it was its first time since nobody had been
    in the group.
    """

    timestamp: int
    is_first: bool


class _Beginning(NamedTuple):
    """When somebody began to join again and again, and how many joins and stays there had been
    before."""

    since: int
    joins: int
    stays: int


class _IdentityVisits:
    """The last joins of one identity, and the last of its stays that do not overlap."""

    def __init__(self, most: int) -> None:
        self.slots = 1
        self.joins = deque[_Visit](maxlen=most)
        self.stays = deque[_Visit](maxlen=most)
        self.left = -math.inf
        self.counts = [0, 0]
        """How many joins and stays there were, those that are not kept included."""
        self.beginning: _Beginning | None = None
        """Where it joins often enough."""
        self.all_stays = Stays()
        """Its stays, whether they overlap or not."""

    def join(self, change: RecordChange, slots: int, most: int) -> None:
        """Add a join. So many members look like this one."""
        if slots > self.slots:
            self.slots = slots
            self.joins = deque(self.joins, maxlen=most * slots)
            self.stays = deque(self.stays, maxlen=most + slots)
        self.joins.append(self._visit(change))
        self.counts[0] += 1

    def leave(self, change: RecordChange, began: int) -> None:
        """Add the end of a stay, unless it overlaps the one that ended before."""
        if began >= self.left:
            self.stays.append(self._visit(change))
            self.counts[1] += 1
        self.left = change.timestamp

    def _visit(self, change: RecordChange) -> _Visit:
        run = change.run_began
        return _Visit(change.timestamp, run is not None and self.left < run)

    def times(self, start: float, *, in_runs: bool = False) -> int:
        """Return how often it joined since then; `in_runs` leaves out the first time after nobody
        had been in the group.
        """
        return self._of_each(
            *(
                sum(join.timestamp >= start and not (in_runs and join.is_first) for join in visits)
                for visits in (self.joins, self.stays)
            )
        )

    def begin(self, start: float, least: int) -> None:
        """Note whether it has joined so often since then, and when it began to."""
        if self.times(start) < least:
            self.beginning = None
        elif self.beginning is None:
            joins, stays = (
                count - sum(visit.timestamp >= start for visit in visits)
                for count, visits in zip(self.counts, (self.joins, self.stays), strict=True)
            )
            since = min(join.timestamp for join in self.joins if join.timestamp >= start)
            self.beginning = _Beginning(since, joins, stays)

    def times_since(self, beginning: _Beginning) -> int:
        """Return how often it joined since it began to, whether these joins are kept or not."""
        joins, stays = self.counts
        return self._of_each(joins - beginning.joins, stays - beginning.stays)

    def _of_each(self, joins: int, stays: int) -> int:
        """Return how often each of the members that look alike joined."""
        return max(-(-joins // self.slots), stays - self.slots + 1)


class JoinsByIdentity:
    """The identities that joined, each with its last joins."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self._least_joins = max(math.ceil(thresholds["joins"]), 1)
        self._memory_ms = thresholds["seconds"] * _MS
        self.visits: dict[Identity, _IdentityVisits] = {}
        self.often: dict[Identity, _IdentityVisits] = {}
        """Those that joined often enough when they were there last."""
        self._by_stays = IdentitiesByCount()
        """Those that are remembered, by how many stays each has."""

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        if change.previous is None or change.elapsed < 0:  # or the clock was set back
            self.visits.clear()
            self.often.clear()
            self._by_stays = IdentitiesByCount()
            return
        if not change.rise:
            return  # a static member was replaced, and nobody rebalances
        for member in change.came:
            visits = self.visits.pop(member.identity, None)
            if visits is None:
                visits = _IdentityVisits(self._least_joins)
                self._by_stays.put(member.identity, 0)
            self.visits[member.identity] = visits  # the latest come last
            visits.join(change, change.slots[member.identity], self._least_joins)
        for stay in stays_in(change, 0):
            self._add(stay)
        for member, began in change.departures:
            of_member = self.visits.get(member.identity)
            if of_member is not None and began is not None:
                of_member.leave(change, began)
        start = change.timestamp - self._memory_ms
        for member in (*change.came, *(member for member, _ in change.departures)):
            self._begin(member.identity, start)
        self._forget(start)

    def _begin(self, identity: Identity, start: float) -> None:
        visits = self.visits.get(identity)
        if visits is None:
            return
        visits.begin(start, self._least_joins)
        if visits.beginning is None:
            self.often.pop(identity, None)
        else:
            self.often[identity] = visits

    def _add(self, stay: Stay) -> None:
        visits = self.visits.get(stay.identity)
        if visits is None:
            return
        visits.all_stays = visits.all_stays.plus(stay)
        self._by_stays.put(stay.identity, visits.all_stays.count)

    def in_turn(self, visits: _IdentityVisits) -> tuple[int, Sequence[Stays]]:
        """Return how many members came and went as often as one of them, or once more or less, and
        the stays of as many of these as are compared."""
        count = visits.all_stays.count
        groups = [self._by_stays.of(near) for near in range(count - 1, count + 2)]
        compared: list[Stays] = []
        stays = 0
        for identity in chain.from_iterable(groups):
            if stays >= MOST_COMPARED:
                break
            of_member = self.visits[identity].all_stays
            if of_member.last:
                compared.append(of_member)
                stays += len(of_member.last)
        return sum(map(len, groups)), compared

    def _forget(self, start: float) -> None:
        while self.visits:
            identity, visits = next(iter(self.visits.items()))
            if len(self.visits) <= _MOST_IDENTITIES and visits.joins[-1].timestamp >= start:
                return
            del self.visits[identity]
            self.often.pop(identity, None)
            self._by_stays.remove(identity)


def _flapping(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    memory = window.memory
    assert isinstance(memory, JoinsByIdentity)
    moment = window.step.place.timestamp
    start = moment - thresholds["seconds"] * _MS
    for identity, visits in memory.often.items():
        assert visits.beginning is not None
        if visits.times(start) < thresholds["joins"]:
            continue
        is_perhaps_a_job = visits.times(start, in_runs=True) < thresholds["joins"]
        since, times = visits.beginning.since, visits.times_since(visits.beginning)
        yield Sign(
            str(identity),
            f"{who(identity)} joined {times} times in {duration_text((moment - since) / _MS)}"
            + (
                ", mostly a group that nobody was left in: perhaps it is a job"
                if is_perhaps_a_job
                else ""
            ),
            {
                "who": who(identity),
                "times": times,
                "seconds": round((moment - since) / _MS, 1),
                "since": since,
            },
            Severity.INFO if is_perhaps_a_job else None,
            cause=None
            if is_perhaps_a_job
            else partial(cause_of_stays, visits.all_stays, *memory.in_turn(visits)),
        )


class _StayAtPollLimit(NamedTuple):
    """A stay that ended when the member's limit between two polls had passed; times in
    milliseconds. `emptied` is whether nobody was in the group for a minute then, `back` when the
    member came back, None where it has not.
    """

    began: int
    ended: int
    emptied: bool
    back: int | None = None


class StaysAtPollLimit:
    """The last stays of each identity that ended at its limit."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self._least_stays = max(math.ceil(thresholds["times"]), 1)
        self._above = thresholds["above"]
        self.stays: dict[Identity, deque[_StayAtPollLimit]] = {}
        self.limits: dict[Identity, int] = {}
        self.often: dict[Identity, deque[_StayAtPollLimit]] = {}
        """Those with so many stays as the rule asks for."""
        self._last_to_leave: list[Identity] = []
        """Those whose last stay left nobody in the group."""

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        if change.previous is None or change.elapsed < 0:  # or the clock was set back
            self.stays.clear()
            self.often.clear()
            self._last_to_leave.clear()
            return
        if self._last_to_leave:
            self._mark_emptied(change)
        for member, began in change.departures:
            limit = member.rebalance_timeout
            if began is None or limit <= 0:
                continue
            above = change.timestamp - began - limit
            earlier = self.stays.get(member.identity)
            is_beside = earlier is not None and began < earlier[-1].ended
            if is_beside or not 0 <= above <= max(limit * self._above, 1000):
                continue  # stays that overlap are of two members with one identity
            stays = self.stays.pop(member.identity, None) or deque(maxlen=2 * self._least_stays)
            stays.append(_StayAtPollLimit(began, change.timestamp, False))
            self.stays[member.identity], self.limits[member.identity] = stays, limit
            if len(stays) >= self._least_stays:
                self.often[member.identity] = stays
            if not change.step.members:
                self._last_to_leave.append(member.identity)
            if len(self.stays) > _MOST_IDENTITIES:
                oldest = next(iter(self.stays))
                del self.stays[oldest], self.limits[oldest]
                self.often.pop(oldest, None)
        self._mark_returns(change)

    def _mark_returns(self, change: RecordChange) -> None:
        for member in change.came:
            stays = self.stays.get(member.identity)
            if stays is not None and stays[-1].back is None:
                stays[-1] = stays[-1]._replace(back=change.timestamp)

    def _mark_emptied(self, change: RecordChange) -> None:
        if change.elapsed >= DESERTED_MS:
            for identity in self._last_to_leave:
                stays = self.stays.get(identity)
                if stays:
                    stays[-1] = stays[-1]._replace(emptied=True)
        self._last_to_leave.clear()


def _slow_poll(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """Yield each member that stays about as long as its rebalance timeout, in Java
    max.poll.interval.ms."""
    memory = window.memory
    assert isinstance(memory, StaysAtPollLimit)
    moment = window.step.place.timestamp
    for identity, stays_at_limit in memory.often.items():
        limit = memory.limits[identity]
        stays = [
            stay for stay in stays_at_limit if moment - stay.ended <= _period_ms(limit, thresholds)
        ]
        if not stays or len(stays) < thresholds["times"]:
            continue
        is_perhaps_a_job = sum(not stay.emptied for stay in stays) < thresholds["times"]
        at_least = "at least " if len(stays) == stays_at_limit.maxlen else ""
        yield Sign(
            str(identity),
            f"{who(identity)} left {at_least}{len(stays)} times after about "
            f"{duration_text(limit / _MS)}, its limit between two polls{_returns(stays)}"
            + (", and left nobody in the group: perhaps it is a job" if is_perhaps_a_job else ""),
            {
                "who": who(identity),
                "rebalance_timeout_ms": limit,
                "stays_ms": [stay.ended - stay.began for stay in stays[-10:]],
                "came_back": sum(stay.back is not None for stay in stays),
                "since": stays[0].began,
            },
            Severity.INFO if is_perhaps_a_job else None,
            cause=None
            if is_perhaps_a_job
            else poll_limit_cause(who(identity), limit, at_least + counted(len(stays), "stay")),
        )


def _returns(stays: Sequence[_StayAtPollLimit]) -> str:
    """Return how often the member came back, and how long that took."""
    away = [stay.back - stay.ended for stay in stays if stay.back is not None]
    if not away:
        return ", and did not come back"
    often = "each time" if len(away) == len(stays) else f"{len(away)} of {len(stays)} times"
    return f", and came back {often}, after {duration_text(max(away) / _MS)} at most"


def _period_ms(limit: int, thresholds: Mapping[str, float]) -> float:
    """Return the milliseconds in which it has to happen so often: in each turn it may stay as long
    again outside of the group, before it notices.
    """
    turn = limit * (2 + thresholds["above"]) + DESERTED_MS
    return max(turn * (thresholds["times"] + 1), _HOUR_MS)


RULES = (
    Rule(
        id="rebalance-storm",
        title="The group rebalances without end",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning="Every rebalance stops members (all of them, if eager), and nobody reads "
        "meanwhile, though all processes are up.",
        source="KIP-429 (its motivation); KIP-62",
        predicate=(
            "In a stretch in which generations rise by `generations` in `seconds` on average, or "
            "faster, they rise by `generations` or more. In that stretch a process joined "
            "`rejoins` times; or `repeated` joins in all are of processes that had joined twice; "
            "or `rejoins` members with new client ids came and left one after another, within "
            "three times `seconds`; or the generations that nothing explains rise by more than "
            "`rounds` beyond `generations` in `seconds`, or beyond `rounds` in `seconds` where "
            "they have no record. A member that came or went, and a newer configuration of "
            "Connect, explain four each within five minutes. Generations that have no record "
            "count, and the number of members does not matter. A restart of "
            "each process once is a deploy and not a storm, and so is one that is taken back. "
            "Where the broker assigns, its epochs are counted as generations are, and a member "
            "that subscribes to other topics for the first time explains four; a warning, since "
            "only members whose partitions move have to stop."
        ),
        next_action=(
            "Find out which member comes back most often: does a batch take longer than "
            "max.poll.interval.ms, does the process crash, does its session expire? These records "
            "seldom say; its log and that of the group's coordinator do: kproto story LOG LOG."
        ),
        find=_storm,
        settles=True,
        is_of_epochs=True,
        memory=Stretch,
        fades="seconds",
        thresholds={
            "generations": 10,
            "seconds": 600,
            "rejoins": 5,
            "repeated": 10,
            "rounds": 20,
        },
    ),
    Rule(
        id="flapping-member",
        title="A member keeps coming and going",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning="The group rebalances each time, and the member starts without its local state.",
        source="KIP-345 (its motivation)",
        predicate=(
            "One identity (instance id, else client id and host) joined `joins` times or more "
            "within `seconds`, a static member that is replaced within a generation not counted. "
            "Where several members have the same identity, each of them joined "
            "so often, or so many more than these came and went one after another. Info if there "
            "would be fewer without the first time after nobody had been in the group for a "
            "minute: a process that is started by the clock does that."
        ),
        next_action=(
            "Look for restarts, lack of memory or long garbage collections in this process. With a "
            "group.instance.id a member that comes back quickly causes no rebalance."
        ),
        find=_flapping,
        settles=True,
        is_of_epochs=True,
        memory=JoinsByIdentity,
        fades="seconds",
        thresholds={"joins": 5, "seconds": 3600},
    ),
    Rule(
        id="slow-poll",
        title="A member is slower than its poll limit",
        severity=Severity.WARNING,
        basis=Basis.INFERRED,
        meaning=(
            "The client leaves the group when a batch takes longer than max.poll.interval.ms, "
            "rejoins, gets the same batch, and leaves again."
        ),
        source="KIP-62",
        predicate=(
            "An identity left at least `times` times when its rebalance timeout had passed, or up "
            "to `above` of it (at least a second) later, within an hour, or within as long as that "
            "takes if it is away for its rebalance timeout and a minute each time; stays that "
            "overlap count once. Info if nobody "
            "was in the group for a minute then, as after a job that is started by the clock."
        ),
        next_action=CAUSES["poll-timeout-exceeded"].advice,
        find=_slow_poll,
        settles=True,
        is_of_epochs=True,
        memory=StaysAtPollLimit,
        fades=3600.0,
        thresholds={"times": 3, "above": 0.5},
    ),
)
