"""What rebalances did to the data, as far as lines, frames, records and looks tell: how long nobody
read a partition, and which records were read twice or skipped.

Nobody reads a partition from when its owner gives it up or leaves until a member has it again. Of
an owner that is gone without a word it is known when it was heard of last, and when its connection
was closed or the group went on without it: it stopped between these. Records are read twice where
a commit is refused, or the next one is lower; they are skipped where the next reader begins behind
the last commit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..capture.whole_numbers import whole_number
from .rebalances import DataEffect, LogRebalance
from .timeline import Fact, Timeline, client_of

__all__ = [
    "EAGER_ASSIGNORS",
    "Part",
    "PartitionGap",
    "Unbounded",
    "add_effects",
    "effect_of_commits",
    "gaps_of",
    "records_again",
]

Part: TypeAlias = tuple[str, int]
_SOME_MS = 1.0
_GIVES_ALL = frozenset({"leaves", "closed", "partitions-lost", "process-ended", "process-started"})
_HAS_ALL = frozenset({"assigned", "reports-it-owns", "owned"})
"""Events that tell all that a member has."""
_HAS: dict[str, Callable[[set[Part], set[Part]], set[Part]]] = {
    "joins": set.__and__,  # what it still claims: before it joins it gives up what it does not
    "partitions-assigned": set.__or__,
    "partitions-revoked": set.__sub__,
    **{event: lambda earlier, now: now for event in _HAS_ALL},
}
"""What a member has after an event that tells of partitions, by what it had."""
_REMOVES = frozenset({"member-removed", "member-fenced"})
EAGER_ASSIGNORS = frozenset({"range", "roundrobin", "sticky", "RoundRobinAssigner"})
"""Assignors with which members give up everything before a round: no second one follows."""


class PartitionGap(NamedTuple):
    """A time in which nobody read a partition; `end` is None where nobody has it again. It began at
    `start` at the earliest, and at `latest`. `given` is when the one that had it last was given
    it."""

    part: Part
    start: float
    end: float | None
    given: float
    latest: float

    @property
    def length(self) -> float:
        """How long it was at most, in milliseconds; 0 where it is not over."""
        return 0.0 if self.end is None else self.end - self.start

    @property
    def least(self) -> float:
        """How long it was at least, in milliseconds; 0 where it is not over."""
        return 0.0 if self.end is None else max(0.0, self.end - self.latest)


class Unbounded(NamedTuple):
    """How often a member gave up partitions, and nothing tells since when: it was "gone", or its
    log is missing and it "rejoined" a group with the eager protocol."""

    client: str
    why: str
    times: int


def add_effects(
    timeline: Timeline, rebalances: Sequence[LogRebalance]
) -> tuple[list[PartitionGap], list[Unbounded]]:
    """Give each rebalance what it did to the data, and return the times without a reader, with
    those that cannot be bounded."""
    starts = _starts(rebalances)
    told, unbounded = gaps_of(timeline)
    gaps = _sure_gaps(told, timeline.facts, rebalances)
    silences: defaultdict[tuple[int, Part], float] = defaultdict(float)
    for gap in gaps:
        at = None if gap.end is None else _last(starts, gap.end)
        if at is not None:
            silences[at, gap.part] += gap.length
    effects: dict[tuple[int, Part], DataEffect] = {
        (at, (effect.topic, effect.partition)): effect
        for at, rebalance in enumerate(rebalances) for effect in rebalance.effects
    }  # fmt: skip
    for at, effect in _of_offsets(timeline.facts, starts):
        known = effects.setdefault((at, (effect.topic, effect.partition)), effect)
        if (effect.records_again or 0) > (known.records_again or 0):
            effects[at, (effect.topic, effect.partition)] = effect
    for (at, part), length in silences.items():
        effect = effects.get((at, part), DataEffect(*part))
        effects[at, part] = effect._replace(without_reader_ms=round(length))
    for rebalance in rebalances:
        rebalance.effects = []
    for (at, _), effect in sorted(effects.items(), key=lambda entry: entry[0]):
        rebalances[at].effects.append(effect)
    return gaps, unbounded


def _starts(rebalances: Sequence[LogRebalance]) -> list[tuple[float, int]]:
    """When each rebalance began, or the first that is known of it, with its place."""
    starts = []
    for at, rebalance in enumerate(rebalances):
        times = (rebalance.began, rebalance.joined, rebalance.ended)
        starts += [(time, at) for time in times if time is not None][:1]
    return sorted(starts)


def _last(starts: Sequence[tuple[float, int]], time: float) -> int | None:
    """The place of the last rebalance that began before a time."""
    at = bisect_right(starts, (time, len(starts)))
    return starts[at - 1][1] if at else None


# -- who has what


def gaps_of(timeline: Timeline) -> tuple[list[PartitionGap], list[Unbounded]]:
    """Return the times without a reader, in their order, and those that cannot be bounded."""
    owners = _Owners(timeline)
    for fact in timeline.facts:
        if fact.kind == "share":  # whose members have partitions together
            return [], []
        owners.take(fact)
    unbounded = [Unbounded(*key, times) for key, times in sorted(owners.unbounded.items())]
    return owners.all(), unbounded


class _Owners:
    """Who has which partitions, by what members say, one fact after the other."""

    def __init__(self, timeline: Timeline) -> None:
        self._parts: defaultdict[str, set[Part]] = defaultdict(set)
        self._owners: defaultdict[Part, set[str]] = defaultdict(set)
        self._since: dict[Part, tuple[float, float, str]] = {}
        """Since when nobody has it: at the earliest, at the latest, and who had it last."""
        self._given: dict[Part, float] = {}
        self._gaps: list[PartitionGap] = []
        self._ids: dict[str, str] = {}
        """The member id with which each was given what it has."""
        self._recorded: dict[str, str] = {}
        """The member id of each that has what a record gave it, of which no own line tells."""
        self._generation = -1
        self._told = _told_generations(timeline.facts)
        self._ends = timeline.ends
        self._sessions: dict[str, float] = {}
        self._shared = _shared_names(timeline.facts)
        self.unbounded: Counter[tuple[str, str]] = Counter()
        """How often each gave up partitions, and why, where nothing tells since when."""

    def take(self, fact: Fact) -> None:
        name = self._who(fact)
        if not name or fact.time is None:
            return
        if fact.event == "settings":
            length = str(fact.fields.get("settings", {}).get("session.timeout.ms", ""))
            self._sessions[name] = float(whole_number(length) or 0)
        if fact.event == "leader-assigns" and "assignment" in fact.fields:
            self._note_generation(fact)
        elif fact.event in _REMOVES:
            self._note_removed(name, fact)
        elif fact.event == "gone":
            self._note_gone(name, fact)
        elif fact.side == "broker" and not self._is_own(name, fact):
            return
        elif fact.fields.get("by_other"):
            return  # it reads on until it learns that it was removed
        elif fact.event in _GIVES_ALL or self._is_thrown_out(name, fact):
            self._give(name, set(), fact.order)
        elif fact.event in _HAS:
            self._note_parts(name, fact)

    def _note_parts(self, name: str, fact: Fact) -> None:
        """Take what a member says that it has, got or gave up."""
        key = "claims" if fact.event == "joins" else "partitions"
        if key not in fact.fields:
            return
        if fact.side == "records" and (fact.client_id, fact.generation) in self._told:
            return  # the coordinator wrote it before the member had its answer
        self._recorded.pop(name, None)
        if fact.side == "records" and len(fact.sources) == 1:
            self._recorded[name] = fact.member
            self._sessions[name] = fact.fields.get("session_ms") or 0.0
        if fact.event in _HAS_ALL:
            self._ids[name] = fact.member
        parts = _HAS[fact.event](self._parts[name], set(fact.fields[key]))
        self._give(name, parts, fact.order)

    def _note_removed(self, name: str, fact: Fact) -> None:
        """The broker removes a member once its session is over. Where the broker assigns, the
        session is the broker's, and no line tells its length."""
        if fact.member and self._ids.get(name, fact.member) not in ("", fact.member):
            return  # it was another process of that client
        session = self._sessions.get(name) if fact.event == "member-removed" else None
        heard = fact.order - session if session else None
        end = self._ends.get(fact.client_id, fact.order)
        if end < fact.order:  # its log ends before: after its last heartbeat, perhaps
            heard = end if heard is None else max(heard, end)
        if heard is None and self._parts[name]:
            self.unbounded[name, "gone"] += 1
        self._recorded.pop(name, None)
        self._give(name, set(), heard, fact.order)

    def _note_generation(self, fact: Fact) -> None:
        """A member that a generation has no more, and of which no source tells how it went, was
        killed or left at any time since the generation before. With the eager protocol the others
        gave up all that they had, when they learned that they had to join again."""
        is_next = fact.generation != self._generation  # else a static member is replaced
        is_eager = is_next and fact.fields.get("protocol") in EAGER_ASSIGNORS
        self._generation = fact.generation
        for name, member in list(self._recorded.items()):
            is_gone = member not in fact.fields["assignment"]
            if self._parts[name] and (is_gone or is_eager):
                self.unbounded[name, "gone" if is_gone else "rejoined"] += 1
            if is_gone:
                del self._recorded[name]
                self._give(name, set(), None)

    def _is_own(self, name: str, fact: Fact) -> bool:
        """Whether a coordinator's line is told by its member, too, or stands for the line of a
        member of which only records tell."""
        return bool(fact.fields.get("is_own")) or (
            bool(fact.member) and self._recorded.get(name) == fact.member
        )

    def all(self) -> list[PartitionGap]:
        rest = [
            PartitionGap(part, start, None, self._given[part], latest)
            for part, (start, latest, _) in self._since.items()
        ]
        return sorted([*self._gaps, *rest], key=lambda gap: (gap.start, gap.part))

    def _who(self, fact: Fact) -> str:
        client = fact.client_id or fact.instance
        return fact.member if not client or client in self._shared else client

    def _is_thrown_out(self, name: str, fact: Fact) -> bool:
        """Whether a member is told that it has lost what it had."""
        is_refused = fact.event in ("heartbeat-refused", "sync-refused")
        return (
            is_refused and fact.fields.get("error") in _LOST and self._ids.get(name) == fact.member
        )

    def _note_gone(self, name: str, fact: Fact) -> None:
        """A member that is gone stopped after it was heard of last; a new one of its client may
        have joined since."""
        start = fact.fields.get("heard") or fact.order
        latest = fact.fields.get("closed") or fact.order
        if self._ids.get(name) == fact.member:
            self._give(name, set(), min(start, latest), latest)
        for part, (since, until, owner) in self._since.items():
            if owner == name:
                began = max(self._given[part], min(since, start))
                self._since[part] = began, max(began, min(until, latest)), name

    def _give(
        self, name: str, parts: set[Part], when: float | None, latest: float | None = None
    ) -> None:
        """Set what a member has from a moment on, which may be as late as `latest`; None where
        nothing tells since when it has it no more: how long nobody had it is not known then."""
        earlier, self._parts[name] = self._parts[name], parts
        for part in parts - earlier:
            self._owners[part].add(name)
            since = self._since.pop(part, None)
            if since is not None and when is not None and when - since[0] >= _SOME_MS:
                self._gaps.append(
                    PartitionGap(part, since[0], when, self._given[part], min(since[1], when))
                )
            self._given[part] = when or 0.0
        for part in earlier - parts:
            self._owners[part].discard(name)
            if not self._owners[part] and when is not None:
                self._since[part] = when, when if latest is None else latest, name


def _told_generations(facts: Iterable[Fact]) -> set[tuple[str, int]]:
    """Return the clients that tell themselves what a generation gave them, with its number, which
    only the line that they joined may have."""
    joined: dict[str, int] = {}
    told = set()
    for fact in facts:
        if fact.side != "client" and not fact.fields.get("is_own"):
            continue
        if fact.generation >= 0:
            joined[fact.client_id] = fact.generation
        if fact.event == "partitions-assigned":
            told.add((fact.client_id, joined.get(fact.client_id, -1)))
    return told


def _shared_names(facts: Iterable[Fact]) -> set[str]:
    """The client ids that several members have at once, as Java's default is."""
    members: defaultdict[tuple[str, object], set[str]] = defaultdict(set)
    for fact in facts:
        if fact.event == "joined" and fact.member and fact.generation >= 0:
            members[fact.client_id, fact.generation].add(fact.member)
        elif fact.event == "assigned" and fact.side == "records":  # one record has all at once
            members[fact.client_id, fact.lines[0][:2]].add(fact.member)
    return {client for (client, _), ids in members.items() if len(ids) > 1}


# -- members of which no log is there


def _sure_gaps(
    gaps: Sequence[PartitionGap], facts: Sequence[Fact], rebalances: Sequence[LogRebalance]
) -> list[PartitionGap]:
    """Return the gaps in which no member can have had the partition whose own lines are not there:
    no rebalance since it was given to the one that had it gave it to those, by the leaders' lists,
    and there is none that no source shows. A member that was out long ago tells so late."""
    silent, is_whole = _silent_members(facts)
    if is_whole and not silent:
        return list(gaps)
    plans = {
        fact.generation: fact.fields["assignment"] for fact in facts
        if fact.event == "leader-assigns" and fact.fields.get("assignment")
    }  # fmt: skip
    ends = [
        (end, rebalance.generation) for rebalance in rebalances
        if (end := rebalance.ended or rebalance.joined) is not None
    ]  # fmt: skip

    is_classic = not any(fact.kind in _ASSIGNED_BY_BROKER for fact in facts)

    def generation_at(time: float) -> int:
        _, generation = max((entry for entry in ends if entry[0] <= time), default=(0.0, -1))
        return generation

    def gave_to_none(generation: int, part: Part) -> bool:
        plan = plans.get(generation)
        return plan is not None and not any(part in plan.get(member, ()) for member in silent)

    def is_sure(gap: PartitionGap) -> bool:
        inside = {
            generation for end, generation in ends
            if gap.given + _LATE_MS < end and (gap.end is None or end < gap.end - _LATE_MS)
        }  # fmt: skip
        first = generation_at(gap.given + _LATE_MS)
        last = max(inside, default=first) if gap.end is None else generation_at(gap.end + _SOON_MS)
        if min(first, last) < 0:
            return False
        if last - first - 1 > len(plans):  # a damaged one may be billions later
            return False
        between = range(first + 1, last)
        return all(gave_to_none(generation, gap.part) for generation in inside.union(between))

    return [gap for gap in gaps if is_sure(gap)] if is_classic else []


_LATE_MS = 1_500.0
"""How long before a partition is read the rebalance that gives it may be over."""
_SOON_MS = 100.0
"""How long after it is read the last line of that rebalance may come."""


def _silent_members(facts: Iterable[Fact]) -> tuple[set[str], bool]:
    """Return the members that say nowhere what they have, and whether a coordinator names all."""
    clients: dict[str, str] = {}
    speakers: set[str] = set()
    own_ids: defaultdict[str, set[str]] = defaultdict(set)
    is_whole = False
    for fact in facts:
        is_whole = is_whole or (fact.side in ("broker", "frames") and fact.event == "joins")
        for member in (fact.member, *fact.fields.get("assignment", ())):
            if member:
                clients[member] = clients.get(member) or client_of(member)
        if fact.member:
            clients[fact.member] = fact.client_id or clients[fact.member]
            if fact.side == "client":
                own_ids[clients[fact.member]].add(fact.member)
        if fact.side != "broker" and "partitions" in fact.fields and fact.event in _SPEAKS:
            speakers |= {fact.member, fact.client_id} - {""}

    def speaks(member: str, client: str) -> bool:
        """Whether it says what it has: a client with that id may be another process."""
        ids = own_ids.get(client, set())
        return member in speakers or (client in speakers and (member in ids or not ids))

    return {member for member, client in clients.items() if not speaks(member, client)}, is_whole


_ASSIGNED_BY_BROKER = ("consumer", "streams")
"""Kinds of groups of which no client's lines tell what other members have."""
_SPEAKS = _HAS_ALL | {"partitions-assigned"}


# -- offsets


def records_again(before: int, after: int) -> int | None:
    """Return how many records are known to be read twice where the next reader begins, or commits,
    at `after`: those up to `before`. None where it is no lower: what was read and not committed is
    read again, too, and nothing tells how much that is.

    >>> records_again(100, 30), records_again(100, 100)
    (70, None)
    """
    return before - after if before > after else None


def effect_of_commits(part: Part, earlier: int, later: int, *, is_vacant: bool) -> DataEffect:
    """Return what lies between the last commit before a rebalance and the first one after it: in a
    group without members a tool may have skipped records."""
    return DataEffect(
        *part,
        None,
        earlier,
        later,
        records_again(earlier, later),
        max(0, later - earlier) if is_vacant else None,
    )


def _of_offsets(
    facts: Iterable[Fact], starts: Sequence[tuple[float, int]]
) -> Iterable[tuple[int, DataEffect]]:
    """Yield what commits, refused commits and the places of new readers tell, each with the place
    of the last rebalance before it."""
    readings: dict[Part, _Reading] = {}
    for fact in facts:
        offsets: Mapping[Part, int] = fact.fields.get("offsets", {})
        is_refused = fact.event == "commit-refused"
        is_out = fact.fields.get("error") in _LOST or fact.fields.get("is_out_of_group")
        if is_refused and not is_out:
            continue  # the same commit may be sent again
        at = _last(starts, fact.order)
        for part, offset in offsets.items():
            reading = readings.setdefault(part, _Reading(part))
            mark = _Mark(fact.event, at, offset, fact.client_id, fact.sources)
            effect = reading.refuse(mark) if is_refused else reading.take(mark, fact)
            if effect is not None:
                yield effect
    for reading in readings.values():
        if (effect := reading.end()) is not None:
            yield effect


class _Mark(NamedTuple):
    """A commit, one that was refused, or where a reader began: after which rebalance, at which
    offset, by whom."""

    event: str
    at: int | None
    offset: int
    client: str
    sources: set[str]

    def is_of(self, other: _Mark) -> bool:
        """Whether one reader may have written both; some lines name no client."""
        if self.client and other.client:
            return self.client == other.client
        return not self.sources.isdisjoint(other.sources)


class _Reading:
    """How far one partition was read, by one reader after the other."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._latest: _Mark | None = None
        self._start: _Mark | None = None
        """Where the present reader began, or the last commit of the one before it."""
        self._refused: _Mark | None = None
        """What was read and could not be committed, until another reader begins."""

    def take(self, mark: _Mark, fact: Fact) -> tuple[int, DataEffect] | None:
        """Take a commit, or the place where a reader begins."""
        latest, refused = self._latest, self._refused
        self._latest, self._refused = mark, None
        if latest is None or not latest.is_of(mark):
            is_commit = mark.event == "committed" and latest is not None
            self._start = latest if is_commit else mark
        if mark.at is None:
            return None
        if refused is not None:
            # A reader that is heard of by its first commit began where the last one was accepted.
            begins = latest if mark.event == "committed" and latest is not None else mark
            again = records_again(refused.offset, min(begins.offset, mark.offset))
            return mark.at, self._effect(refused.offset, mark.offset, again)
        if latest is None or latest.at == mark.at:
            return None
        again = records_again(latest.offset, mark.offset)
        is_skipped = bool(fact.fields.get("is_reset")) and latest.event == "committed"
        effect = self._effect(latest.offset, mark.offset, again)
        skipped = max(0, mark.offset - latest.offset) if is_skipped else None
        return mark.at, effect._replace(records_skipped=skipped)

    def refuse(self, mark: _Mark) -> tuple[int, DataEffect] | None:
        """Take a commit that was refused: maybe another reader has begun already."""
        start = self._start
        if self._latest is None or start is None or self._latest.is_of(mark):
            self._refused = mark
            return None
        at = self._latest.at if start.at is None else start.at
        if at is None:
            return None
        again = records_again(mark.offset, start.offset)
        return at, self._effect(mark.offset, start.offset, again)

    def end(self) -> tuple[int, DataEffect] | None:
        """Return what a refused commit tells that no reader came after."""
        refused, latest = self._refused, self._latest
        if refused is None or refused.at is None or latest is None:
            return None
        again = records_again(refused.offset, latest.offset)
        return refused.at, self._effect(refused.offset, None, again)

    def _effect(self, before: int, after: int | None, again: int | None) -> DataEffect:
        return DataEffect(*self._part, None, before, after, again, None)


_LOST = frozenset({
    "UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID", "STALE_MEMBER_EPOCH",
    "FENCED_MEMBER_EPOCH",
})  # fmt: skip
"""Errors that tell a member that it has lost its partitions. Where they answer a commit, its
records are read again, by whoever has the partition."""
