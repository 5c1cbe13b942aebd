"""A stretch of a group's history in which it rebalances at a rate or faster, whatever its size.

Two levels rise with generations and sink with time, as buckets with a leak do:

1. `level` rises with every generation. A stretch lasts until it has sunk below 0: generations then
   came more slowly than `generations` in `seconds`. It is filled to `generations` at most, so that
   a stretch ends no later than that time after the last of them.
2. `restless` rises with those generations that nobody's coming or going explains, nor a newer
   configuration of Connect: `EXPLAINED` for each, as long as these follow within `FOLLOW_MS`. It
   leaks `generations` in `seconds`, and `rounds` while generations have no record, whose members
   are not known.

Who came during a stretch is counted as long as it lasts, so that neither the number of members nor
the time that each of them takes matters. What is kept grows with the members alone.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping

from .members import IdentitiesByCount, Identity
from .round_facts import NO_FACTS, Round, facts_of
from .storm_causes import MOST_KEPT, Stays, stays_in
from .window import RecordChange

GRACE = 3.0
"""Generations that a stretch may lack when it begins, since they do not come at equal distances."""

EXPLAINED = 4
"""Generations that one member's coming or going may take: of a cooperative group two, of which each
may be begun again because another member came or went meanwhile."""

FOLLOW_MS = 300_000
"""For how long after a member came or went rebalances may follow from that: a member may take as
long to join again (Java's max.poll.interval.ms)."""

TWICE = 2
"""How often each process may join in one stretch before its joins count together with those of
others: in a deploy, and in the one that takes it back."""


class Stretch:
    """The stretch that a group is in, or the one that begins with its last record."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self._leak = thresholds["generations"] / max(thresholds["seconds"], 1e-9) / 1000
        self._rounds = thresholds["rounds"]
        slower = max(self._rounds - thresholds["generations"], 0)
        self._hidden = slower / max(thresholds["seconds"], 1e-9) / 1000
        self._most = max(thresholds["generations"], GRACE)
        self.rounds = deque[Round](maxlen=MOST_KEPT)
        """The last records of the stretch: with its stays they name its cause."""
        self.stays = Stays()
        self._passed = deque[int](maxlen=max(int(thresholds["rejoins"]), 1))
        self._facts = NO_FACTS
        self._config_offset = -1
        """The highest by which a Connect group was assigned."""
        self._forget()
        self._begin(0, 0)

    def _forget(self) -> None:
        self.joins: Counter[Identity] = Counter()
        self.rejoined = IdentitiesByCount()
        """How often each identity came. Where ten members have one identity, each has joined once
        after ten joins; but of stays that do not overlap, all but nine are of one that returned."""
        self.repeated = 0
        """How many joins there were of processes that had joined `TWICE` already."""
        self.slots: dict[Identity, int] = {}
        self.chains: Counter[Identity] = Counter()
        self._free: dict[Identity, int] = {}
        self._passed.clear()
        self._clients: dict[str, int] = {}
        self._resubscribed: set[str] = set()
        """The ids of members that have subscribed to other topics."""

    def _begin(self, timestamp: int, generation: int) -> None:
        self.level = GRACE
        self.onset: int | None = None
        """Since when it is a storm, where it is one."""
        self.since = timestamp
        self.generation = generation
        self.restless = 0.0
        self._explained, self._moved_at = 0, timestamp
        self.rounds.clear()
        self.stays = Stays()
        if self.joins or self.chains or self._passed or self._resubscribed:
            self._forget()

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        generation, timestamp = change.step.generation, change.timestamp
        facts = self._facts = facts_of(change.step, self._facts, change.metadata)
        if change.previous is None or change.elapsed < 0:  # or the clock was set back
            self._begin(timestamp, generation)
            self._note(change)
            return
        moves = len(change.came) + len(change.departures)
        if change.resubscribed:  # all members do that once, where an application changes
            first = set(change.resubscribed) - self._resubscribed
            self._resubscribed |= first
            moves += len(first)
        if facts.connect.config_offset is not None:
            config_offset = facts.connect.config_offset
            moves += 0 <= self._config_offset < config_offset  # a connector was created or changed
            self._config_offset = max(self._config_offset, config_offset)
        self._rise(change.rise, change.elapsed, timestamp, generation, moves)
        if change.came:
            self._count_joins(change)
        if change.departures:
            self._count_stays(change)
        self._note(change)

    def _note(self, change: RecordChange) -> None:
        generation, timestamp = change.step.generation, change.timestamp
        self.rounds.append(Round(generation, timestamp, change.cause, self._facts))

    def _rise(
        self, rise: int, elapsed: int, timestamp: int, generation: int, moves: int = 0
    ) -> None:
        self.level = min(self.level + rise - elapsed * self._leak, self._most)
        if self.level < 0:
            self._begin(timestamp, generation)
            rise = 0
        if moves:
            self._explained += EXPLAINED * moves
            self._moved_at = timestamp
        elif timestamp - self._moved_at > FOLLOW_MS:
            self._explained = 0
        explained = min(rise, self._explained)
        self._explained -= explained
        self.restless = self._restless_after(rise - explained, elapsed)

    def _restless_after(self, rise: int, elapsed: int) -> float:
        """Return what `restless` is after so many generations, of which the last has a record."""
        hidden = max(rise - 1 - elapsed * self._hidden, 0.0)
        return max(self.restless + min(rise, 1) + hidden - elapsed * self._leak, 0.0)

    def _count_joins(self, change: RecordChange) -> None:
        for identity, count in change.slots.items():
            self.repeated -= self._repeated(identity)
            self.slots[identity] = max(self.slots.get(identity, 1), count)
            self.repeated += self._repeated(identity)
        for member in change.came:
            self.repeated -= self._repeated(member.identity)
            self.joins[member.identity] += 1
            self.repeated += self._repeated(member.identity)
            self._rank(member.identity)

    def _count_stays(self, change: RecordChange) -> None:
        """Count the stays of each identity that do not overlap, and those of all of them that have
        different client ids: members that are there at the same time count once, and those
        that came first after nobody had been in the group for a minute do not.
        """
        for stay in stays_in(change, self.since):
            self.stays = self.stays.plus(stay)
        first = max(self.since, -1 if change.run_began is None else change.run_began + 1)
        for member, began in change.departures:
            if began is None or began < first:
                continue
            if began >= self._free.get(member.identity, self.since):
                self.chains[member.identity] += 1
                self._rank(member.identity)
                self._free[member.identity] = change.timestamp
            is_new = member.instance_id is None and member.client_id not in self._clients
            if is_new and began >= (self._passed[-1] if self._passed else self.since):
                if len(self._passed) == self._passed.maxlen and self._clients:
                    self._clients.pop(next(iter(self._clients)))
                self._passed.append(change.timestamp)
                self._clients[member.client_id] = change.timestamp

    def onset_at(self, moment: int, thresholds: Mapping[str, float]) -> int:
        """Return since when there were `generations` within `seconds`, as of the first moment at
        which the rule held: a stretch may have begun quietly, long before."""
        if self.onset is None:
            start = moment - thresholds["seconds"] * 1000
            recent = next(entry for entry in self.rounds if entry.timestamp >= start)
            generations = self.rounds[-1].generation - recent.generation
            is_enough = generations >= thresholds["generations"]
            self.onset = recent.timestamp if is_enough else self.since
        return self.onset

    def passing(self, start: int) -> int:
        """Return how many members came and went since then, one after another, each with a client
        id of its own.
        """
        return sum(end >= start for end in self._passed)

    def _rank(self, identity: Identity) -> None:
        if identity in self.joins:
            slots = self.slots.get(identity, 1)
            times = max(-(-self.joins[identity] // slots), self.chains[identity] - slots + 1)
            self.rejoined.put(identity, times)

    def _repeated(self, identity: Identity) -> int:
        return max(self.joins[identity] - TWICE * self.slots.get(identity, 1), 0)

    def rests(self, rise: int, elapsed: int) -> bool:
        """Return whether a repetition so much later says nothing."""
        if self.joins or self.chains or self._passed or elapsed < 0:
            return False
        return self._restless_after(rise, elapsed) <= self._rounds

    def rest(self, rise: int, elapsed: int, timestamp: int, generation: int) -> None:
        """Take a repetition that says nothing."""
        self._rise(rise, elapsed, timestamp, generation)
        self.rounds.append(Round(generation, timestamp, "leader-rejoined", self._facts))
