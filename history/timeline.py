"""What several sources tell of groups, on one clock, and each fact once with all its places.

The events of logs (and of frames, and of two looks at a group) become facts. A fact that two
sources tell is one, with two places; its time is that of the coordinator where that has one, since
clients write when their application polls.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..capture.logs.event import LogEvent, Side
from .clocks import Clock, LogSource, set_clocks

__all__ = ["ClientsOfGroups", "Fact", "Line", "Timeline", "make_timelines"]

ClientsOfGroups: TypeAlias = Mapping[str, Collection[str]]
"""The client ids that are known of each group."""


class Line(NamedTuple):
    """The place of a fact: the source, and the number of its line, from 1."""

    source: str
    line: int
    text: str = ""


@dataclass(slots=True)
class Fact:
    """An event of a group, with every line that tells it. `order` is a time for sorting, that of
    the line before where its own has none."""

    event: str
    group: str
    time: float | None
    time_text: str
    order: float
    side: Side
    family: str
    member: str = ""
    client: str = ""
    instance: str = ""
    generation: int = -1
    fields: dict[str, Any] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    kind: str = ""

    @property
    def sources(self) -> set[str]:
        """The names of the sources that tell it."""
        return {line.source for line in self.lines}

    @property
    def client_id(self) -> str:
        """The client id: as a line has it, else as the member id begins; "" where neither tells."""
        return self.client or client_of(self.member, self.instance)

    @property
    def speaker(self) -> str:
        """Whose fact it is: its client's, or, where no line names that, its source's."""
        return self.client_id or self.member or self.lines[0].source


@dataclass(slots=True)
class Timeline:
    """The facts of a group, in their order. `ends` is when each client's log ends, by client id;
    `releases` are those of programs that the user states."""

    group: str
    facts: list[Fact]
    ends: Mapping[str, float] = field(default_factory=dict)
    releases: Mapping[str, str] = field(default_factory=dict)


_WINDOWS_MS = {
    "joins": 10_000.0, "leaves": 60_000.0, "joined": 600_000.0, "assigned": 600_000.0,
    "leader-assigns": 600_000.0, "stabilized": 600_000.0, "rebalance-began": 600_000.0,
    "group-empty": 60_000.0, "epoch-bumped": 60_000.0, "member-fenced": 600_000.0,
    "member-removed": 60_000.0,
}  # fmt: skip
"""How far apart two sources may tell the same fact."""
_WITHOUT_GENERATION = frozenset({"joined", "assigned"})
"""Facts that some clients tell without their generation, as KafkaJS does."""
_NEAR_MS = 2_000.0
"""How far from another source's such a fact may be."""
_OF_GENERATION = frozenset(
    {"leader-assigns", "stabilized", "rebalance-began", "group-empty", "epoch-bumped"}
)
_OF_MEMBER = frozenset({"joins", "leaves", "joined", "assigned", "member-fenced", "member-removed"})
_TOLD_ONCE = frozenset({"broker", "frames"})
"""Sides of which two sources are parts or copies of one: a log that was rotated, a capture in two
files."""
_OUT = frozenset({"UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"})


def make_timelines(
    sources: Sequence[LogSource],
    *,
    zone_ms: float | None = None,
    clients: ClientsOfGroups = MappingProxyType({}),
) -> tuple[list[Timeline], list[Clock]]:
    """Return the groups that the sources tell of, by name, and what was taken of each clock.
    `clients` are those that the caller knows of groups, such as by records; each source learns
    which groups its lines are about."""
    set_clocks(sources, zone_ms=zone_ms)
    facts: dict[str, _Merge] = {}
    ends: dict[str, dict[str, float]] = {}
    for source in sorted(sources, key=_rank):
        carried: float | None = None  # the time of the fact before, of a source without dates
        for fact in _facts_of(source):
            if not source.is_dated and carried is not None:
                fact.order = carried
            told = facts.setdefault(fact.group, _Merge()).add(fact)
            carried = told.order if told is not fact else carried
            if fact.side == "client" and fact.client:
                of_group = ends.setdefault(fact.group, {})
                of_group[fact.client] = max(fact.order, of_group.get(fact.client, fact.order))
    unnamed = facts.pop("", None)
    for merge in facts.values():
        merge.name_clients()
        merge.name_speakers()
    timelines = [
        Timeline(group, facts[group].facts() if group in facts else [], ends.get(group, {}))
        for group in sorted(facts.keys() | clients.keys())
    ]
    homeless = [] if unnamed is None else _share(unnamed.facts(), timelines, clients)
    timelines = [timeline for timeline in timelines if timeline.facts]
    _note_groups(sources, timelines)
    if any(map(_is_of_some_group, homeless)):
        timelines.insert(0, Timeline("", homeless))
    return timelines, [source.clock for source in sources]


def _rank(source: LogSource) -> tuple[bool, bool, str]:
    """Coordinators first, and those without dates last: they are put beside the others."""
    is_broker = any(event.side == "broker" for event in source.events)
    return (not source.is_dated, not is_broker, source.name)


_OF_NO_GROUP = frozenset({"position", "process-started", "process-ended", "settings", "release"})


def _is_of_some_group(fact: Fact) -> bool:
    """Whether a member of a group, or its coordinator, tells a fact, though it names no group."""
    is_of_member = fact.side == "client" or bool(fact.member)
    return is_of_member and fact.family != "around" and fact.event not in _OF_NO_GROUP


def _note_groups(sources: Iterable[LogSource], timelines: Iterable[Timeline]) -> None:
    """Note in each source which groups its lines are about."""
    groups: dict[str, set[str]] = {}
    for timeline in timelines:
        for name in _sources_of(timeline):
            groups.setdefault(name, set()).add(timeline.group)
    for source in sources:
        source.groups = groups.get(source.name, set())


def _sources_of(timeline: Timeline) -> set[str]:
    return {line.source for fact in timeline.facts for line in fact.lines}


def _share(facts: list[Fact], timelines: list[Timeline], known: ClientsOfGroups) -> list[Fact]:
    """Give what a line says without a group to the groups that it is about: to that of the member
    that it names, else to all those that the same source tells of, else to the only one that has
    its client. Return the facts that are of none of them."""
    homeless = []
    of_member = {
        fact.member: timeline
        for timeline in timelines for fact in timeline.facts if fact.member
    }  # fmt: skip
    additions: dict[str, list[Fact]] = {}
    clients = [
        (timeline, _clients_of(timeline).union(known.get(timeline.group, ())))
        for timeline in timelines
    ]
    sources = [(timeline, _sources_of(timeline)) for timeline in timelines]
    ids = [(timeline, _longest_first(timeline)) for timeline in timelines]
    for fact in facts:
        if fact.family == "around":
            homes = [timeline for timeline, names in ids if _is_about(fact, names)]
        elif fact.member:
            ids_named = (fact.member, *(fact.fields.get(name) for name in ("current", "earlier")))
            homes = [of_member[word] for word in ids_named if word in of_member][:1]
        else:
            own_sources = fact.sources
            homes = [timeline for timeline, names in sources if names & own_sources]
            if fact.event == "position" and len(homes) > 1:
                homes = []  # each group has an offset of its own
            elif not homes:
                homes = [timeline for timeline, names in clients if fact.client in names]
                homes = homes if len(homes) == 1 else []
        for timeline in homes:
            additions.setdefault(timeline.group, []).append(fact)
        if not homes:
            homeless.append(fact)
    for timeline in timelines:
        if timeline.group in additions:
            both = [*timeline.facts, *additions[timeline.group]]
            timeline.facts = sorted(both, key=lambda fact: fact.order)
    return homeless


def _longest_first(timeline: Timeline) -> list[str]:
    """The client ids of a group."""
    clients = {fact.client_id for fact in timeline.facts} - {""}
    return sorted(clients, key=len, reverse=True)


def _is_about(fact: Fact, clients: Iterable[str]) -> bool:
    """Whether a process, or the file that tells of it, has the name of one of a group's clients;
    each fact is given that client."""
    names = (str(fact.fields.get("process", "")), fact.lines[0].source)
    for client in clients:
        if any(is_named_like(name, client) for name in names):
            fact.client = client
            return True
    return False


def is_named_like(name: str, client: str) -> bool:
    """Return whether a process, a pod, a file is called after a client, or the other way round."""
    shorter, longer = sorted((name, client), key=len)
    return len(shorter) > 1 and re.search(rf"(?<!\w){re.escape(shorter)}(?!\w)", longer) is not None


def _clients_of(timeline: Timeline) -> set[str]:
    """Return the client ids of a group, those whose members its leader alone tells of, too."""
    names = {fact.client for fact in timeline.facts}
    for fact in timeline.facts:
        names |= {client_of(member) for member in (fact.member, *fact.fields.get("assignment", ()))}
    return names - {""}


def _facts_of(source: LogSource) -> Iterator[Fact]:
    """Yield the facts of a source in the order of its lines, members named as far as they are
    known: a client's line has its member id only where it joins or leaves."""
    members: dict[tuple[str, str], str] = {}
    joining: set[str] = set()
    recent: deque[Fact] = deque(maxlen=_RECENT)
    order = next((time for time in source.times if time is not None), 0.0)
    for event, time in _untangled(source):
        order = order if time is None else time
        fact = Fact(
            event.event, event.group, time if source.is_dated else None, event.stamp.text, order,
            event.side, event.family, event.member, event.client, event.instance,
            event.generation, dict(event.fields), [Line(source.name, event.line, event.text)],
            event.kind,
        )  # fmt: skip
        if event.family in _CONTAINERS and _is_told_by(recent, fact):
            continue
        recent.append(fact)
        if event.side == "client" and event.group:
            _name_member(fact, members)
        if fact.event == "joins":
            joining.add(fact.member)
        elif "joining" in fact.fields and fact.fields["joining"] not in joining:
            joining.add(fact.fields["joining"])
            yield replace(fact, event="joins", member=fact.fields["joining"], generation=-1,
                          fields={}, lines=list(fact.lines))  # fmt: skip
        if fact.event != "joined-and-synced":
            yield fact
            continue
        for word in ("joined", "assigned"):  # of old Java clients, which tell both at once
            yield replace(fact, event=word, lines=list(fact.lines), fields=dict(fact.fields))


_CONTAINERS = frozenset({"spring", "smallrye"})
"""What runs a consumer of Java, and tells again what that has told."""
_RECENT = 50


def _is_told_by(recent: Iterable[Fact], fact: Fact) -> bool:
    """Whether the consumer in a container has told what the container tells again."""
    return any(
        earlier.family == "java" and earlier.event == fact.event and earlier.group == fact.group
        and fact.fields.get("partitions") in (None, earlier.fields.get("partitions"))
        and fact.order - earlier.order < _NEAR_MS
        for earlier in recent
    )  # fmt: skip


_RANKS = {"rebalance-began": 1, "epoch-bumped": 1, "stabilized": 2, "assignment-computed": 2,
          "leader-assigns": 3, "group-empty": 3, "epoch": 3}  # fmt: skip
"""What a coordinator prints at one moment, in this order: first what begins a rebalance."""


def _untangled(source: LogSource) -> list[tuple[LogEvent, float | None]]:
    """The events of a source with their times. Where its lines were not in the order of time, the
    order of those of the same moment is not known, and is set by what they tell."""
    events = list(zip(source.events, source.times, strict=True))
    steps = {later[0].line > event.line for (event, _), later in pairwise(events)
             if later[0].line != event.line}  # fmt: skip
    if steps != {True, False} or None in source.times:
        return events
    return sorted(
        events,
        key=lambda entry: (
            entry[1], _RANKS.get(entry[0].event, 0) if entry[0].side == "broker" else 0
        ),
    )  # fmt: skip


def _name_member(fact: Fact, members: dict[tuple[str, str], str]) -> None:
    key = (fact.group, fact.client)
    if fact.event == "process-started":
        members.pop(key, None)
        return
    if fact.event == "leader-assigns":
        fact.member = fact.member or members.get(key, "")
    elif fact.member:
        members[key] = fact.member
    elif fact.event != "settings":
        fact.member = members.get(key, "")
    if not fact.client and fact.member:
        fact.client = client_of(fact.member, fact.instance)
    is_out = fact.event in ("leaves", "partitions-lost") or fact.fields.get("error") in _OUT
    if is_out and fact.event != "commit-refused":
        members.pop(key, None)


def client_of(member: str, instance: str = "") -> str:
    """Return the client id that a member id of a classic group begins with; a static member's
    begins with its instance id, and others' have none."""
    head, tail = member[:-37], member[-37:]
    is_uuid = tail[:1] == "-" and tail.count("-") == 5 and len(tail) == 37
    return head if is_uuid and head != instance else ""


class _InOrder:
    """Facts of one kind, in the order of their times."""

    def __init__(self) -> None:
        self._orders: list[float] = []
        self._facts: list[Fact] = []

    def add(self, fact: Fact) -> None:
        at = bisect_right(self._orders, fact.order)
        self._orders.insert(at, fact.order)
        self._facts.insert(at, fact)

    def nearest(self, order: float) -> list[Fact]:
        """Return the facts around a time, the nearest first."""
        at = bisect_right(self._orders, order)
        around = self._facts[max(0, at - _AROUND) : at + _AROUND]
        return sorted(around, key=lambda fact: abs(fact.order - order))


_AROUND = 32
"""Facts before, and after, a moment that may be the same as another one."""


class _Merge:
    """Puts the facts of a group together."""

    def __init__(self) -> None:
        self._facts: list[Fact] = []
        self._by_key: defaultdict[tuple[object, ...], _InOrder] = defaultdict(_InOrder)
        self._of_member: defaultdict[tuple[str, str], _InOrder] = defaultdict(_InOrder)

    def add(self, fact: Fact) -> Fact:
        """Add a fact, and return it, or the one that says the same already."""
        key = _key(fact)
        if key and key[0] in _WITHOUT_GENERATION and fact.generation < 0:
            of_member = self._of_member[fact.event, fact.member].nearest(fact.order)
            candidates = [
                earlier for earlier in of_member if abs(earlier.order - fact.order) <= _NEAR_MS
            ]
        else:
            candidates = self._by_key[key].nearest(fact.order) if key else []
        for earlier in candidates:
            if _is_same(earlier, fact):
                _join(earlier, fact)
                return earlier
        self._facts.append(fact)
        if key:
            self._by_key[key].add(fact)
            if fact.event in _WITHOUT_GENERATION:
                self._of_member[fact.event, fact.member].add(fact)
        return fact

    def name_clients(self) -> None:
        """Give each fact of a member the client id that another one has for it."""
        clients = {fact.member: fact.client for fact in self._facts if fact.member and fact.client}
        for fact in self._facts:
            fact.client = fact.client or clients.get(fact.member, "")

    def name_speakers(self) -> None:
        """Give facts of a log that names no client the one that its file is called after, or the
        only one that the group has."""
        clients = sorted({fact.client_id for fact in self._facts} - {""})
        of_source: dict[str, str] = {}
        for fact in self._facts:
            if fact.side == "client" and not (fact.client_id or fact.member or fact.instance):
                source = fact.lines[0].source
                if source not in of_source:
                    names = [name for name in clients if is_named_like(source, name)] or clients
                    of_source[source] = names[0] if len(names) == 1 else ""
                fact.client = of_source[source]

    def facts(self) -> list[Fact]:
        """Return the facts in their order."""
        return sorted(self._facts, key=lambda fact: fact.order)


def _key(fact: Fact) -> tuple[object, ...]:
    if fact.event in _OF_GENERATION and fact.generation >= 0:
        return (fact.event, fact.generation)
    if fact.event in _OF_MEMBER and fact.member:
        generation = fact.generation if fact.event in _WITHOUT_GENERATION else -1
        return (fact.event, fact.member, generation)
    text = fact.lines[0].text
    return (fact.event, _LINE, fact.client or fact.member, text) if text else ()


_LINE = "line"
"""Of facts without a member and a generation: the same line in two logs is one fact."""


def _is_same(earlier: Fact, fact: Fact) -> bool:
    """Whether another source tells the same fact. The same log twice (a debug log beside a plain
    one, a line that a collector has doubled) tells it at the same moment."""
    apart = abs(earlier.order - fact.order)
    is_shared = bool(earlier.sources & fact.sources) and earlier.side == fact.side
    if _key(fact)[1] == _LINE:
        return apart < 2 and not is_shared
    if is_shared:
        is_at_once = apart < 2 if fact.time_text else _follows(earlier, fact)
        return is_at_once and fact.lines[0].text == earlier.lines[0].text
    if earlier.side == fact.side and fact.side in _TOLD_ONCE:
        return apart < 2 and any(line.text == fact.lines[0].text for line in earlier.lines)
    if (fact.time is None) != (earlier.time is None):
        return True
    return apart <= _WINDOWS_MS[fact.event]


def _follows(earlier: Fact, fact: Fact) -> bool:
    """Whether a line stands next to one of an earlier fact: in a log without times, it is doubled
    then."""
    (source, number, _) = fact.lines[0]
    return any(line.source == source and number - line.line <= 1 for line in earlier.lines)


def _join(earlier: Fact, fact: Fact) -> None:
    earlier.lines += fact.lines
    earlier.fields = {**fact.fields, **earlier.fields}
    if earlier.side != fact.side and "client" in (earlier.side, fact.side):
        earlier.fields["is_own"] = True  # its member's own log tells it, too
    earlier.client = earlier.client or fact.client
    earlier.instance = earlier.instance or fact.instance
    earlier.kind = earlier.kind or fact.kind
    if earlier.side != "broker" and fact.side == "broker":
        earlier.time, earlier.order, earlier.side = fact.time, fact.order, fact.side
        earlier.time_text = fact.time_text
