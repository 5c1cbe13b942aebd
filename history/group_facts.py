"""What the rules of causes ask of a group's timeline, and the cause that they give."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from .causes import CAUSES
from .programs import Programs
from .reasons import LikelyCause
from .rebalances import LogRebalance
from .restarts import ListedMember, MemberChange, Restart, Restarts
from .timeline import Fact, Line, Timeline, client_of

__all__ = [
    "WHY_SILENT", "GroupCause", "GroupFacts", "cause_of", "evidence_of", "lines_of",
    "name_of", "names_of", "triggered", "was",
]  # fmt: skip

MAX_EVIDENCE = 5
"""Lines that a cause shows."""
WHY_SILENT = frozenset({"process-died", "process-stood-still", "network-cut"})
"""Causes of a session that ended."""


class GroupCause(NamedTuple):
    """A cause for a group: `summary` says in a sentence what happened, `next_step` what to look at
    or to change, or what would decide between it and its `rivals`. `span` is from when to when it
    was seen, in milliseconds since 1970, where it is judged by more than the story tells of."""

    cause: str
    is_certain: bool
    rivals: tuple[str, ...]
    summary: str
    next_step: str
    evidence: tuple[Line, ...]
    span: tuple[float, float] | None = None


@dataclass(frozen=True)
class GroupFacts:
    """A group's facts and rebalances, with what the rules ask of them."""

    timeline: Timeline
    rebalances: Sequence[LogRebalance]
    restarts: Sequence[Restart] = ()
    """The members that ended and came back, by the records of the group."""

    def facts(self, *events: str) -> list[Fact]:
        """The facts of some events, in order."""
        entries_of_events = [self._by_event[event] for event in events if event in self._by_event]
        if len(entries_of_events) < 2:
            return [fact for entries in entries_of_events for _, fact in entries]
        return [
            fact for _, fact in sorted(chain.from_iterable(entries_of_events), key=itemgetter(0))
        ]

    @cached_property
    def _by_event(self) -> dict[str, list[tuple[int, Fact]]]:
        by_event: dict[str, list[tuple[int, Fact]]] = {}
        for entry in enumerate(self.timeline.facts):
            by_event.setdefault(entry[1].event, []).append(entry)
        return by_event

    def of_client(
        self, client: str, since: float = -math.inf, until: float = math.inf
    ) -> list[Fact]:
        """The facts of a client, by its id, from one time to another, in order; none of a client
        without an id."""
        orders, facts = self._by_client.get(client, ([], []))
        return facts[bisect_left(orders, since) : bisect_right(orders, until)]

    @cached_property
    def _by_client(self) -> dict[str, tuple[list[float], list[Fact]]]:
        by_client: dict[str, tuple[list[float], list[Fact]]] = {}
        for fact in self.timeline.facts:
            if fact.client_id:
                orders, facts = by_client.setdefault(fact.client_id, ([], []))
                orders.append(fact.order)
                facts.append(fact)
        return by_client

    def of_member(self, member: str) -> list[Fact]:
        """What a member's own log tells of it, in order."""
        return self._by_member.get(member, [])

    @cached_property
    def _by_member(self) -> dict[str, list[Fact]]:
        by_member: dict[str, list[Fact]] = {}
        for fact in self.timeline.facts:
            if fact.member and fact.side == "client":
                by_member.setdefault(fact.member, []).append(fact)
        return by_member

    def instance_of(self, member: str) -> str:
        """The instance id of a member that joined, "" of a dynamic one: a static member's id begins
        with it."""
        heads = (client_of(member), member.rpartition("-")[0])
        return next((head for head in heads if head and head in self._instances), "")

    @cached_property
    def _instances(self) -> frozenset[str]:
        return frozenset(fact.instance for fact in self.facts("joins"))

    @cached_property
    def end(self) -> float:
        """The time of the last fact."""
        return max((fact.order for fact in self.timeline.facts), default=0.0)

    def errors(self, *errors: str) -> list[Fact]:
        """The refusals with some errors."""
        return [fact for fact in self.timeline.facts if fact.fields.get("error") in errors]

    @cached_property
    def programs(self) -> Programs:
        """The programs that the group's clients are."""
        return Programs(self.timeline)

    @property
    def has_broker(self) -> bool:
        """Whether the coordinator's log is there."""
        return any(fact.side == "broker" for fact in self.timeline.facts)

    @cached_property
    def restarts_by_lists(self) -> Sequence[Restart]:
        """Who ended and came back by lists of members: those of the records, else what members tell
        of them. None where the coordinator's log is there, which says more."""
        if self.has_broker:
            return ()
        return self.restarts or _restarts_of(self.rebalances)

    def settings(self, client: str) -> dict[str, str]:
        """The settings that a client printed last."""
        settings: dict[str, str] = {}
        for fact in self.facts("settings"):
            if not client or fact.client in ("", client):
                settings = fact.fields.get("settings", {})
        return settings


def name_of(fact_or_cause: Fact | LikelyCause) -> str:
    """Return how people know a member: its instance id, its client id, or its id."""
    instance = getattr(fact_or_cause, "instance", "")
    return (
        instance
        or fact_or_cause.client
        or client_of(fact_or_cause.member)
        or fact_or_cause.member
        or _NAMELESS
    )


def names_of(items: Iterable[Fact | LikelyCause]) -> str:
    """Return the names of members, each once, the first four; who has no name is counted.

    >>> names_of([LikelyCause("member-left", client=name) for name in ("a", "b", "", "")])
    'a, b and another member'
    """
    names = list(dict.fromkeys(name_of(item) for item in items))
    identified = [name for name in names if name != _NAMELESS]
    shown, hidden = identified[:_SHOWN], len(identified) - _SHOWN
    if _NAMELESS in names:
        rest = "another member" if shown else _NAMELESS
    else:
        rest = f"{hidden} more" if hidden > 0 else shown.pop() if len(shown) > 1 else ""
    return " and ".join(part for part in (", ".join(shown), rest) if part)


def was(items: Iterable[Fact | LikelyCause]) -> str:
    """Return "was" for one member, "were" for several."""
    return "was" if len({name_of(item) for item in items}) == 1 else "were"


_NAMELESS = "a member"
_SHOWN = 4


def lines_of(facts: Iterable[Fact]) -> tuple[Line, ...]:
    """Return the lines of facts, as evidence."""
    return tuple(line for fact in facts for line in fact.lines)


def cause_of(
    word: str,
    summary: str,
    facts: Iterable[Fact] = (),
    *,
    certain: bool = True,
    rivals: tuple[str, ...] | None = None,
    next_step: str = "",
    evidence: tuple[Line, ...] = (),
) -> GroupCause:
    """Return a cause for the group, with the rivals and the advice of its word."""
    rivals_left = () if certain else (CAUSES[word].rivals if rivals is None else rivals)
    step = next_step or CAUSES[word].advice
    return GroupCause(word, certain, rivals_left, summary, step, evidence or lines_of(facts))


def triggered(view: GroupFacts, *words: str) -> list[LikelyCause]:
    """Return the causes of single rebalances with some words."""
    return [
        cause for rebalance in view.rebalances for cause in rebalance.causes if cause.cause in words
    ]


def evidence_of(causes: Iterable[LikelyCause]) -> tuple[Line, ...]:
    """Return the lines that show causes of rebalances."""
    return tuple(line for cause in causes for line in cause.evidence)


def _restarts_of(rebalances: Iterable[LogRebalance]) -> Sequence[Restart]:
    """Return who ended and came back from one list of members to the next."""
    restarts, present = Restarts(), dict[str, ListedMember]()
    for rebalance in rebalances:
        causes = [cause for cause in rebalance.causes if not cause.is_certain]
        came = _named(causes, "member-joined")
        left = {*_named(causes, "member-left")}
        if rebalance.is_whole or rebalance.is_empty:
            left = present.keys() - rebalance.members
            came = {one: member for one, member in came.items() if one in rebalance.members}
        departures = [present.pop(one) for one in sorted(left & present.keys())]
        arrivals = [came[one] for one in sorted(came.keys() - present.keys())]
        present |= {member.member_id: member for member in arrivals}
        time = rebalance.ended or rebalance.began or 0.0
        restarts.take(MemberChange(time, departures, arrivals))
    return list(restarts.latest)


def _named(causes: Iterable[LikelyCause], word: str) -> dict[str, ListedMember]:
    return {
        cause.member: ListedMember(cause.member, cause.client)
        for cause in causes if cause.cause == word and cause.client
    }  # fmt: skip
