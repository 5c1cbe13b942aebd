"""The rebalances of a group out of its facts: when each began and ended, and why.

A coordinator's log tells each of them. Without it a client's log tells those that the client took
part in: that of a generation began when the first member of it noticed.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from ..capture.logs.event import Side
from .causes import CAUSES
from .programs import Programs
from .reasons import (
    WHY_OUT,
    Departures,
    LikelyCause,
    cause_of_fact,
    cause_of_reason,
    causes_of_reason,
    coordinator_cause,
    delay_of,
    doubted,
    of_connect_assignment,
    of_departure,
    second_round_last,
)
from .timeline import Fact, Line, Timeline, client_of

__all__ = ["DataEffect", "LogRebalance", "rebalances_of"]


class DataEffect(NamedTuple):
    """What a rebalance did to a partition; None where nothing tells. `committed_before` is what was
    committed, or read and not committed, before it; `committed_after` is the next commit, or where
    the next reader began."""

    topic: str
    partition: int
    without_reader_ms: int | None = None
    committed_before: int | None = None
    committed_after: int | None = None
    records_again: int | None = None
    records_skipped: int | None = None


@dataclass(slots=True)
class LogRebalance:
    """A rebalance: `generation` is the one (or the epoch) that it led to. `began` is None where no
    line shows it, `ended` where it did not end, or no line shows it. `is_broker`: the coordinator's
    own log tells it."""

    generation: int
    began: float | None = None
    ended: float | None = None
    joined: float | None = None
    leader: str = ""
    count: int | None = None
    causes: list[LikelyCause] = field(default_factory=list)
    members: set[str] = field(default_factory=set)
    is_whole: bool = False
    """Whether `members` are all of them: the leader has listed them."""
    answered: set[str] = field(default_factory=set)
    """The clients that have their assignment."""
    is_broker: bool = False
    is_classic: bool = False
    is_empty: bool = False
    effects: list[DataEffect] = field(default_factory=list)
    """What it did to partitions."""
    lines: list[Line] = field(default_factory=list)
    roster: tuple[Line, ...] = ()
    """The lines in which the leader lists `members`."""
    first: int | None = None
    """Of frames: the first of the generations that it led through, where it was begun anew before
    one had its assignment."""
    _places: dict[tuple[str, str], int] = field(default_factory=dict, repr=False, compare=False)
    """Where in `causes` each is, by its key, of the list that `_placed` is."""
    _placed: list[LikelyCause] | None = field(default=None, repr=False, compare=False)

    def add(self, cause: LikelyCause) -> None:
        """Note a cause, once; what makes a guess certain replaces it."""
        if self._placed is not self.causes or len(self._places) != len(self.causes):
            self._placed = self.causes  # another list since, or one that was changed
            self._places = {_key(known): at for at, known in reversed([*enumerate(self.causes)])}
        at = self._places.setdefault(_key(cause), len(self.causes))
        if at == len(self.causes):
            self.causes.append(cause)
        elif cause.is_certain and not (earlier := self.causes[at]).is_certain:
            self.causes[at] = cause._replace(evidence=(*earlier.evidence, *cause.evidence))


def _key(cause: LikelyCause) -> tuple[str, str]:
    return cause.cause, cause.member or cause.client


# -- what begins a rebalance, beside its reason


def _of_join(fact: Fact) -> LikelyCause | None:
    if fact.fields.get("replaces"):
        return None  # within its session: what that costs, the coordinator's reason tells
    return cause_of_fact(fact, "member-joined") if fact.side == "broker" else None


def _of_stated_cause(fact: Fact) -> LikelyCause | None:
    word = fact.fields.get("cause", "")
    return cause_of_fact(fact, word) if word in CAUSES else None


def _of_wish(fact: Fact) -> LikelyCause | None:
    stated = cause_of_reason(str(fact.fields.get("reason", "")))
    return cause_of_fact(fact, *stated) if stated else _of_stated_cause(fact)


_TRIGGERS: dict[str, Callable[[Fact], LikelyCause | None]] = {
    "joins": _of_join,
    "leaves": of_departure,
    "member-removed": _of_stated_cause,
    "member-fenced": _of_stated_cause,
    "metadata-changed": lambda fact: (
        None if fact.fields.get("is_empty") else cause_of_fact(fact, "metadata-changed")
    ),
    "subscription-changed": lambda fact: cause_of_fact(fact, "subscription-changed"),
    "migration": lambda fact: cause_of_fact(fact, "migration"),
    "wants-to-join": _of_wish,
    "config-changed": lambda fact: cause_of_fact(fact, "connect-config-changed"),
    "connect-assigned": of_connect_assignment,
    "connect-offsets-differ": lambda fact: cause_of_fact(
        fact, "two-clusters-in-one-group", False, ("connect-config-behind",)
    ),
}
_SAYS_THAT_IT_LEAVES = frozenset({"java", "kafka-python", "kafka-go", "franz-go"})
"""Programs that print a line when they leave their group."""
_OF_AN_END = ("process-died", "process-stood-still", "network-cut", "removed-by-admin")
_UNCERTAIN_MS = 60_000.0
_AT_ONCE_MS = 1_000.0
_FIRST_EPOCH = 2
"""The epoch to which the first member bumps a group whose broker assigns: before 4.3 it is 1."""
_AT_ONCE_WISH_MS = 100.0
"""How much later than the coordinator's line the wish that it follows may be, by another clock."""
_SECOND_ROUND_MS = 60_000.0
"""How long after a first round its second one still may begin: revocations take that long."""
_EARLY_MS = 1_000.0
"""How much earlier than its delay a rebalance of Connect may begin, by other clocks."""
_LATE_MS = 2_000.0
"""How much later than the leader's a member's own clock may be."""


def rebalances_of(timeline: Timeline, captured: Sequence[LogRebalance] = ()) -> list[LogRebalance]:
    """Return the rebalances of a group in the order of their generations; `captured` are those that
    frames show."""
    rebalances = _Rebalances(timeline).all()
    begins_anew = any(
        later.generation < earlier.generation for earlier, later in itertools.pairwise(rebalances)
    )
    by_generation: defaultdict[int, list[LogRebalance]] = defaultdict(list)
    for rebalance in rebalances:
        by_generation[rebalance.generation].append(rebalance)
    recorded = {rebalance.generation for rebalance in captured}
    for rebalance in captured:
        same = by_generation[rebalance.generation]
        if not same:
            rebalances.append(rebalance)
            continue
        known = min(same, key=partial(_apart, rebalance))
        known.effects += rebalance.effects
        if known.is_broker:
            known.causes = [
                _settled(cause, rebalance, has_earlier=rebalance.generation - 1 in recorded)
                for cause in known.causes
            ]
        else:
            passed = _passed(rebalance, rebalances)
            _give_begin(known, rebalance, passed)
            known.ended = known.ended if rebalance.ended is None else rebalance.ended
            if rebalance.causes:
                named = {
                    name for cause in rebalance.causes for name in (cause.member, cause.client)
                }
                known.causes = [
                    cause for cause in known.causes
                    if cause.cause != "unknown"
                    and not (cause.evidence == known.roster and cause.member in named - {""})
                ]  # fmt: skip
            earlier = {_key(cause) for generation in passed for cause in generation.causes}
            told = {(cause.cause, cause.client) for cause in known.causes if cause.member}
            for cause in rebalance.causes:
                is_told = not cause.member and (cause.cause, cause.client) in told
                if _key(cause) not in earlier and not is_told:
                    known.add(cause)
    if not captured:
        return rebalances
    return sorted(
        rebalances, key=_time_of if begins_anew else lambda rebalance: rebalance.generation
    )


def _settled(cause: LikelyCause, captured: LogRebalance, *, has_earlier: bool) -> LikelyCause:
    """Return a cause that the coordinator leaves open as the bytes decide it. Where these show a
    leader that joined again alone, nobody subscribes to other topics than before."""
    if cause.is_certain:
        return cause
    words = (cause.cause, *cause.rivals)
    for other in captured.causes:
        if other.is_certain and other.cause in words:
            evidence = (*cause.evidence, *other.evidence)
            return cause._replace(cause=other.cause, is_certain=True, rivals=(), evidence=evidence)
        if other.cause == "leader-rejoined" and has_earlier:
            kept = tuple(word for word in words if word != "subscription-changed")
            return cause._replace(cause=kept[0], rivals=kept[1:] or ("unknown",)) if kept else cause
    return cause


def _passed(captured: LogRebalance, told: list[LogRebalance]) -> list[LogRebalance]:
    """Return those of the generations that a captured rebalance led through before its last one."""
    first = captured.generation if captured.first is None else captured.first
    if first >= captured.generation:
        return []
    return [
        rebalance for rebalance in told
        if first <= rebalance.generation < captured.generation and not rebalance.is_broker
        and _time_of(rebalance) >= (captured.began or 0.0)
    ]  # fmt: skip


def _give_begin(
    known: LogRebalance, captured: LogRebalance, passed: Sequence[LogRebalance]
) -> None:
    """Give what frames show of a begin to the first generation that follows it. A later one, which
    is not over, began when the one before it was given up."""
    if captured.began is None:
        return
    (passed[0] if passed else known).began = captured.began
    if passed and captured.ended is None and known.began is None:
        known.began = passed[-1].ended or passed[-1].joined


def _time_of(rebalance: LogRebalance) -> float:
    """When a rebalance was, by what is known of it."""
    times = (rebalance.ended, rebalance.joined, rebalance.began)
    return next((time for time in times if time is not None), 0.0)


def _apart(first: LogRebalance, second: LogRebalance) -> float:
    """How far two of one generation are apart: a group that was deleted counts anew."""
    return abs(_time_of(first) - _time_of(second))


def _shows_that_it_is_out(fact: Fact) -> bool:
    return fact.event == "session-timed-out" or (
        fact.event != "commit-refused" and fact.fields.get("error") == "UNKNOWN_MEMBER_ID"
    )


class _Pending(NamedTuple):
    """A cause of a rebalance whose own line has not come yet. `newest` is the generation that the
    group was at, -1 where no line tells; of what a client says, None."""

    order: float
    cause: LikelyCause
    newest: int | None

    def of(self, generation: int, began: Fact) -> LikelyCause:
        """Return it as the cause of the rebalance that comes next: where a generation between is
        missing, perhaps that one was because of it."""
        if self.newest is None:
            return doubted(self.cause)
        if self.newest >= 0:
            is_next = self.newest + 1 == generation
        else:
            is_at_once = began.event == "epoch-bumped" and began.order - self.order < _AT_ONCE_MS
            is_next = generation <= (_FIRST_EPOCH if is_at_once else 1)
        return self.cause if is_next else doubted(self.cause)


@dataclass(slots=True)
class _Wish:
    """A cause that a client tells, after it was in the generation before that of `key`.
    `is_granted`: the next one that it joined is that of `key`."""

    key: tuple[int, int]
    order: float
    cause: LikelyCause
    due: float = 0.0
    """Not before this time, by the client's clock."""
    is_granted: bool = False
    is_early: bool = False
    """The client joined the next one before that."""


class _Rebalances:
    def __init__(self, timeline: Timeline) -> None:
        self._facts = timeline.facts
        self._programs = Programs(timeline)
        self._found: dict[tuple[int, int], LogRebalance] = {}
        self._series = 0  # counts begin again when a group is deleted, or the log starts anew
        self._newest: dict[Side, int] = {}
        """The newest generation that each side tells of: their clocks may differ a little."""
        self._pending: list[_Pending] = []
        self._joined: dict[str, int] = {}
        """The generation that each client joined last."""
        self._wishes: list[_Wish] = []
        self._open_wishes: dict[str, list[_Wish]] = {}
        """Those of each client since it joined last."""
        self._signs: list[Fact] = []
        self._heard: set[str] = set()
        """The members of which the coordinator has told something."""
        self._ends = timeline.ends
        self._clients = {
            fact.member: fact.client for fact in timeline.facts if fact.member and fact.client
        }
        self._says_goodbye = {
            fact.client for fact in timeline.facts if fact.family in _SAYS_THAT_IT_LEAVES
        }
        self._departures: defaultdict[str, list[Fact]] = defaultdict(list)
        """Members that say in their own logs that they leave, or are closed: by their id, or the
        client's where no line has it."""
        self._thrown_out: defaultdict[str, list[Fact]] = defaultdict(list)
        """Members that learned that the coordinator does not know them any more, by client."""
        self._instances = {
            fact.member: fact.instance for fact in timeline.facts if fact.member and fact.instance
        }
        self._instance_ids = {fact.instance for fact in timeline.facts if fact.instance}
        self._abandoned = {
            fact.member for fact in timeline.facts if fact.fields.get("cause") == "join-abandoned"
        }
        """Members that got their ids, and never came to join with them."""
        self._open: LogRebalance | None = None
        self._added: list[tuple[Fact, LogRebalance, LikelyCause]] = []
        """The causes that came while members joined, since the last rebalance began."""
        self._all_added: list[tuple[Fact, LogRebalance, LikelyCause]] = []

    def all(self) -> list[LogRebalance]:
        for fact in self._facts:
            self._take(fact)
        self._doubt_what_was_added()
        keys = sorted(self._found)
        for wish in self._wishes:
            self._grant(wish, keys)
        rebalances = [self._found[key] for key in keys]
        members: set[str] = set()
        for earlier, later in itertools.pairwise((LogRebalance(0, is_whole=True), *rebalances)):
            self._compare_rosters(earlier, later, members)
            members |= later.members
            if _is_hardly_second(earlier, later):
                later.causes = list(map(second_round_last, later.causes))
        departures = Departures(self._facts, self._programs)
        coordinator = coordinator_cause(self._facts)
        for rebalance in rebalances:
            self._name_clients(rebalance)
            rebalance.causes = [
                cause._replace(cause=coordinator, is_certain=True, rivals=())
                if coordinator and cause.cause == "coordinator-restarted"
                else departures.judged(cause)
                for cause in rebalance.causes
            ]
            _drop_what_joins_explain(rebalance)
            _drop_what_is_decided(rebalance)
            _join_what_agrees(rebalance)
            if not rebalance.causes:
                rebalance.add(LikelyCause("unknown", False, evidence=tuple(rebalance.lines[:1])))
        return rebalances

    def _take(self, fact: Fact) -> None:
        rule = _RULES.get(fact.event)
        if rule is not None:
            rule(self, fact)
        is_of_client = fact.side == "client"
        if is_of_client and fact.event in ("leaves", "closed"):
            self._departures[fact.member or fact.client_id].append(fact)
        if is_of_client and _shows_that_it_is_out(fact):
            self._thrown_out[fact.client].append(fact)
        has_come = fact.event != "joins" or fact.member not in self._abandoned
        trigger = _TRIGGERS.get(fact.event) if has_come else None
        cause = trigger(fact) if trigger is not None else None
        if cause is not None:
            self._trigger(fact, self._doubted_first(fact, cause))
        elif is_of_client and fact.event in _SIGNS:
            self._signs.append(fact)
        elif is_of_client and fact.event in _HAS_JOINED:
            self._signs = [
                sign for sign in self._signs
                if sign.client != fact.client or sign.event != "member-id-given"
            ]  # fmt: skip
        if is_of_client and fact.event in ("joined", "assigned"):
            self._note_joined(fact)

    def _doubted_first(self, fact: Fact, cause: LikelyCause) -> LikelyCause:
        """Where the broker assigns, a member that joins prints its subscription, and the topics of
        it, as a change: the first that is told of a member, or of the group, may be that."""
        is_first = fact.member not in self._heard if fact.member else not self._found
        if fact.member:
            self._heard.add(fact.member)
        if fact.side != "broker" or not is_first or cause.cause not in _OF_SUBSCRIPTIONS:
            return cause
        return cause._replace(is_certain=False, rivals=("member-joined",))

    def _compare_rosters(
        self, earlier: LogRebalance, later: LogRebalance, members: set[str]
    ) -> None:
        """Name who came and who is gone between two generations whose leaders list all members. Why
        one is gone, no list tells, but its own log may. One of `members`, of which earlier lists
        tell, is not new: a line of the list between is missing."""
        if not (earlier.is_whole and later.roster):
            return
        if later.is_broker and later.causes:  # to 2.0 it gives no reason
            return
        if later.generation != earlier.generation + 1:
            return
        named = {name for cause in later.causes for name in (cause.member, cause.client)}
        new = later.members - earlier.members - members
        gone = earlier.members - later.members
        replaced = {*map(self._instance, new)} & {*map(self._instance, gone)} - {""}
        for listed, is_gone in ((new, False), (gone, True)):
            for member in sorted(listed):
                client = self._clients.get(member) or client_of(member)
                if member in named or (client in named and client):
                    continue
                if self._instance(member) in replaced:
                    continue
                if is_gone:
                    later.add(self._why_gone(member, client, earlier, later))
                else:
                    later.add(LikelyCause("member-joined", True, member, client, (), later.roster))

    def _instance(self, member: str) -> str:
        """The instance id of a member, "" of a dynamic one: a static member's id begins with it."""
        head = client_of(member)
        return self._instances.get(member) or (head if head in self._instance_ids else "")

    def _why_gone(
        self, member: str, client: str, earlier: LogRebalance, later: LogRebalance
    ) -> LikelyCause:
        since, until = earlier.joined or 0.0, later.joined or later.ended or later.began
        nameless = [fact for fact in self._departures.get(client, ()) if not fact.member and client]
        own = [
            fact
            for fact in (*self._departures.get(member, ()), *nameless)
            if until is None or fact.order <= until + _LATE_MS
        ]
        leaves = [fact for fact in own if fact.event == "leaves"]
        if leaves:
            return of_departure(leaves[-1])._replace(member=member, client=client)
        evidence = (*(line for fact in own[-1:] for line in fact.lines), *later.roster)
        end = self._ends.get(client)
        if own or (end is not None and until is not None and end < until):
            rivals: tuple[str, ...] = ("removed-by-admin",) if own else _OF_AN_END
            rivals += () if client in self._says_goodbye else ("member-left",)
            return LikelyCause("session-expired", False, member, client, rivals, evidence)
        thrown_out = self._thrown_out.get(client, ()) if client else ()
        at = bisect_right(thrown_out, since, key=attrgetter("order"))
        if at < len(thrown_out):
            evidence = (*thrown_out[at].lines, *later.roster)
            return LikelyCause("session-expired", False, member, client, WHY_OUT, evidence)
        rivals = CAUSES["member-left"].rivals
        return LikelyCause("member-left", False, member, client, rivals, evidence)

    def _trigger(self, fact: Fact, cause: LikelyCause) -> None:
        """A cause belongs to the rebalance whose members are joining, else to the next one."""
        rebalance = self._open
        is_of_client = fact.side == "client" and fact.event != "leaves"
        if is_of_client and self._joined.get(fact.client_id, -1) >= 0:
            key = (self._series, self._joined[fact.client_id] + 1)
            delay = delay_of(fact)
            due = fact.order + delay - _EARLY_MS if delay else 0.0
            self._wishes.append(_Wish(key, fact.order, cause, due))
            self._open_wishes.setdefault(fact.client_id, []).append(self._wishes[-1])
        elif rebalance is not None and rebalance.joined is None:
            if cause.cause == "session-expired" and _has_successor(rebalance, fact):
                return  # the rebalance had begun because of that
            rebalance.add(cause)
            self._added.append((fact, rebalance, cause))
            self._all_added.append(self._added[-1])
        elif fact.side == "broker" or is_of_client:
            newest = self._newest_known() if fact.side == "broker" else None
            self._pending.append(_Pending(fact.order, cause, newest))

    def _newest_known(self) -> int:
        """The generation that the coordinator is at; where it has told none, as members tell."""
        of_broker = self._newest.get("broker", -1)
        return of_broker if of_broker >= 0 else max(self._newest.values(), default=-1)

    def _note_joined(self, fact: Fact) -> None:
        if fact.event == "joined" or fact.generation >= 0:
            self._joined[fact.client_id] = fact.generation
        if fact.event == "joined":
            for wish in self._open_wishes.pop(fact.client_id, ()):
                wish.is_early = wish.due > fact.order
                wish.is_granted = fact.generation == wish.key[1] and not wish.is_early

    def _doubt_what_was_added(self) -> None:
        """A cause that came while members joined: where no line tells of the end of that, it may
        have come later, unless the log ends there."""
        last = self._found[max(self._found)] if self._found else None
        for fact, rebalance, cause in self._all_added:
            end = rebalance.joined or rebalance.ended
            if end is not None and fact.order <= end:
                continue
            is_joining = fact.fields.get("state") == "PreparingRebalance"
            is_at_once = fact.order - (rebalance.began or 0.0) < _AT_ONCE_MS
            is_of_client = fact.side == "client" and rebalance.is_broker
            if rebalance is not last or is_of_client or not (is_joining or is_at_once):
                rebalance.causes = [
                    doubted(rival) if rival is cause else rival for rival in rebalance.causes
                ]

    def _grant(self, wish: _Wish, keys: Sequence[tuple[int, int]]) -> None:
        """Give what a client tells to the rebalance that follows its generation; where that one was
        over before, the client has joined another one since, and its line is missing: to the next
        one, perhaps. `keys` are those of all rebalances."""
        if wish.key not in self._found:
            return
        is_open = not wish.is_granted and wish.due - _LATE_MS > (
            self._found[wish.key].began or wish.due
        )
        if wish.is_early or is_open:
            return  # what is held back was given out for another reason
        if wish.is_granted:
            self._found[wish.key].add(wish.cause)
            return
        for key in keys[bisect_left(keys, wish.key) :]:
            rebalance = self._found[key]
            end = rebalance.joined or rebalance.ended or rebalance.began
            if end is None or wish.order <= end + _LATE_MS:
                began = rebalance.began or wish.order
                if key == wish.key or began - wish.order < _UNCERTAIN_MS:
                    is_before = rebalance.is_broker and wish.order <= began + _AT_ONCE_WISH_MS
                    is_next = key == wish.key and is_before
                    rebalance.add(wish.cause if is_next else doubted(wish.cause))
                return

    def _name_clients(self, rebalance: LogRebalance) -> None:
        """Give each cause the client id that some line has for its member; what names a client
        alone is of its member, if that is there."""
        causes = [
            cause._replace(client=self._clients.get(cause.member, cause.client))
            for cause in rebalance.causes
        ]
        members = {(cause.cause, cause.client) for cause in causes if cause.member}
        alone = {
            (cause.cause, cause.client): cause
            for cause in causes if not cause.member and cause.is_certain
        }  # fmt: skip
        rebalance.causes = [
            _made_certain(cause, alone.get((cause.cause, cause.client)))
            for cause in causes
            if cause.member or (cause.cause, cause.client) not in members
        ]

    def _at(self, fact: Fact) -> LogRebalance:
        """The rebalance of a fact's generation, which it may be the first to show."""
        newest = self._newest.get(fact.side, -1)
        is_in_order = fact.event == "rebalance-began" or fact.side == "records"
        if fact.generation < newest - 1_000 or (is_in_order and 0 <= fact.generation < newest):
            self._series += 1
        self._newest[fact.side] = max(fact.generation, newest if fact.generation > 1 else -1)
        key = (self._series, fact.generation)
        rebalance = self._found.get(key)
        if rebalance is None:
            rebalance = self._found[key] = LogRebalance(fact.generation)
        rebalance.lines += fact.lines
        return rebalance

    def began(self, fact: Fact) -> None:
        rebalance = self._at(fact)
        rebalance.began = (
            fact.order if rebalance.began is None else min(rebalance.began, fact.order)
        )
        rebalance.is_broker = rebalance.is_broker or fact.side == "broker"
        self._add_pending(rebalance, fact)
        reasons = causes_of_reason(str(fact.fields.get("reason", "")), fact.lines)
        self._move_here(rebalance, fact, {cause.member for cause in reasons})
        for cause in reasons:
            is_told = any(
                (earlier.member == cause.member and cause.cause == "member-left")
                or (not cause.member and earlier.cause in ("removed-by-admin", "member-left"))
                for earlier in rebalance.causes
            )
            if not is_told:
                rebalance.add(cause)
        self._open = rebalance
        self._signs = []

    def _move_here(self, rebalance: LogRebalance, fact: Fact, members: set[str]) -> None:
        """Take what the reason of a rebalance names from the one before, whose end is missing."""
        for told, earlier, cause in self._added:
            is_at_once = fact.order - told.order < _AT_ONCE_MS
            if is_at_once and earlier is not rebalance and cause.member in members:
                earlier.causes = [
                    of_before for of_before in earlier.causes if of_before is not cause
                ]
                rebalance.add(cause)
        self._added = []

    def _add_pending(self, rebalance: LogRebalance, fact: Fact) -> None:
        """Give a rebalance the causes that came before it."""
        for pending in self._pending:
            if fact.order - pending.order < _UNCERTAIN_MS:
                rebalance.add(pending.of(rebalance.generation, fact))
        self._pending = []

    def stabilized(self, fact: Fact) -> None:
        rebalance = self._at(fact)
        if rebalance.began is None:  # its line is missing
            self._add_pending(rebalance, fact)
        rebalance.joined = fact.order
        rebalance.count = fact.fields.get("count")
        rebalance.is_classic = True
        rebalance.is_broker = True
        self._open = rebalance

    def led(self, fact: Fact) -> None:
        if fact.generation < 0:
            return
        rebalance = self._at(fact)
        self._notice(rebalance, fact)
        if fact.side == "broker" or not (rebalance.ended or fact.side == "frames"):
            rebalance.ended = fact.order  # in frames the answer shows whether it is accepted
        if fact.side == "broker":  # of managed brokers' logs, which tell the reason at the end
            for cause in causes_of_reason(str(fact.fields.get("reason", "")), fact.lines):
                rebalance.add(cause)
        rebalance.leader = fact.member or rebalance.leader
        assignment = fact.fields.get("assignment") or fact.fields.get("target")
        if assignment and not rebalance.is_whole:
            rebalance.members = set(assignment)
            rebalance.is_whole = True
            if fact.side != "records":  # of which the audit decides who came and went
                rebalance.roster = tuple(fact.lines)
        rebalance.joined = rebalance.joined or fact.order

    def joined(self, fact: Fact) -> None:
        if fact.generation < 0:
            return
        rebalance = self._at(fact)
        self._notice(rebalance, fact)
        if fact.member and not rebalance.is_whole:
            rebalance.members.add(fact.member)

    def assigned(self, fact: Fact) -> None:
        if fact.generation < 0:
            return
        rebalance = self._at(fact)
        self._notice(rebalance, fact)
        who = fact.client or fact.member
        if not rebalance.is_broker and who not in rebalance.answered:
            rebalance.answered.add(who)  # a static member may come back within a generation
            rebalance.ended = max(fact.order, rebalance.ended or fact.order)

    def _notice(self, rebalance: LogRebalance, fact: Fact) -> None:
        """Note what a client saw before it joined a generation that no coordinator's log tells."""
        mine = [sign for sign in self._signs if sign.client == fact.client]
        self._signs = [sign for sign in self._signs if sign not in mine]
        if rebalance.is_broker:
            return
        times = [sign.order for sign in mine]
        if rebalance.began is not None:
            times.append(rebalance.began)
        rebalance.began = min(times, default=None)
        if len(rebalance.lines) == len(fact.lines):  # what came later began the next one
            self._add_pending(rebalance, fact)
        for sign in mine:
            if sign.event == "member-id-given":
                cause = cause_of_fact(sign, "member-joined")
                cause = cause._replace(member=fact.member or cause.member)
                # With the id it joins at once. Where no line tells that, others may be missing.
                is_next = any(
                    event.event == "joins" and event.order >= sign.order for event in mine
                )
                rebalance.add(cause if is_next else doubted(cause))

    def emptied(self, fact: Fact) -> None:
        rebalance = self._at(fact)
        rebalance.ended = fact.order
        rebalance.is_empty = True
        rebalance.is_broker = rebalance.is_broker or fact.side == "broker"
        self._open = None

    def bumped(self, fact: Fact) -> None:
        self.began(fact)
        rebalance = self._open
        if rebalance is not None:
            rebalance.joined = fact.order

    def reached(self, fact: Fact) -> None:
        key = (self._series, fact.generation)
        rebalance = self._found.get(key)
        if (
            rebalance is None
            and fact.side == "broker"
            and (0 <= self._newest.get(fact.side, -1) < fact.generation)
        ):
            # Of a share member that is fenced, the coordinator does not print the epoch's bump.
            rebalance = self._at(fact)
            self._add_pending(rebalance, fact)
        if rebalance is not None and fact.fields.get("state") == "STABLE":
            rebalance.ended = max(fact.order, rebalance.ended or fact.order)


def _has_successor(rebalance: LogRebalance, fact: Fact) -> bool:
    """Whether a rebalance began because a new member of a client joined, the one before whose
    session ends only then."""
    joined = [cause for cause in rebalance.causes if cause.cause == "member-joined"]
    client = client_of(fact.member)
    return (
        bool(client)
        and fact.member not in {cause.member for cause in joined}
        and any(client_of(cause.member) == client for cause in joined)
    )


def _made_certain(cause: LikelyCause, certain: LikelyCause | None) -> LikelyCause:
    """Return a cause as one that is certain, where its client says the same of itself."""
    if certain is None or cause.is_certain:
        return cause
    evidence = (*cause.evidence, *certain.evidence)
    return cause._replace(is_certain=True, rivals=(), evidence=evidence)


def _is_hardly_second(earlier: LogRebalance, later: LogRebalance) -> bool:
    """Whether a rebalance is hardly the second round of the one before: that had no members, was a
    second round itself, or is long over."""
    if earlier.is_empty or any(
        "cooperative-second-round" in (cause.cause, *cause.rivals) for cause in earlier.causes
    ):
        return True
    if earlier.ended is None or later.began is None:
        return False
    return later.began - earlier.ended > _SECOND_ROUND_MS


def _drop_what_joins_explain(rebalance: LogRebalance) -> None:
    """A member that joins brings its subscription, and the topics of it, with it."""
    joined = {cause.member for cause in rebalance.causes if cause.cause == "member-joined"}
    if joined and not rebalance.is_classic:
        rebalance.causes = [
            cause for cause in rebalance.causes
            if not (cause.cause == "metadata-changed" and not cause.member)
            and not (cause.cause == "subscription-changed" and cause.member in joined)
        ]  # fmt: skip


def _drop_what_is_decided(rebalance: LogRebalance) -> None:
    """A likely cause whose rival is certain, by another source; or of which another source leaves
    less open, of the same member. What a worker of Connect tells decides why one rejoined."""
    certain = {cause.cause for cause in rebalance.causes if cause.is_certain}
    if certain & _OF_CONNECT:
        certain.add("subscription-changed")
    likely = [
        cause for cause in rebalance.causes
        if not cause.is_certain and not certain & {cause.cause, *cause.rivals}
    ]  # fmt: skip
    kept = [
        cause for cause in likely if not any(_leaves_less_open(rival, cause) for rival in likely)
    ]
    rebalance.causes = [
        cause for cause in rebalance.causes if cause.is_certain or cause in kept
    ]  # fmt: skip


def _leaves_less_open(cause: LikelyCause, other: LikelyCause) -> bool:
    is_same = cause.client == other.client and cause.client
    return bool(is_same) and {cause.cause, *cause.rivals} < {other.cause, *other.rivals}


def _join_what_agrees(rebalance: LogRebalance) -> None:
    """What a client says likely made it join, and a coordinator's guess why it did, that has it
    among its rivals, are one cause."""
    for cause in [cause for cause in rebalance.causes if cause.rivals == ("unknown",)]:
        guess = next(
            (rival for rival in rebalance.causes
             if not rival.is_certain and cause.cause in rival.rivals
             and cause.client == rival.client and cause.client),
            None,
        )  # fmt: skip
        if guess is not None:
            words = [word for word in (guess.cause, *guess.rivals) if word != cause.cause]
            evidence = (*cause.evidence, *guess.evidence)
            both = guess._replace(cause=cause.cause, rivals=tuple(words), evidence=evidence)
            rebalance.causes[rebalance.causes.index(cause)] = both
            rebalance.causes.remove(guess)


_SIGNS = frozenset(
    {
        "joins",
        "heartbeat-refused",
        "member-id-given",
        "wants-to-join",
        "metadata-changed",
        "rebalance-seen",
    }
)
_OF_CONNECT = frozenset({"connect-config-changed", "connect-delayed-rebalance"})
_OF_SUBSCRIPTIONS = frozenset({"subscription-changed", "metadata-changed"})
_HAS_JOINED = frozenset({"partitions-assigned", "partitions-revoked", "leaves"})
"""What a client tells after it has joined: if no line tells that, the next one is of a later
generation."""
_RULES: dict[str, Callable[[_Rebalances, Fact], None]] = {
    "rebalance-began": _Rebalances.began,
    "stabilized": _Rebalances.stabilized,
    "leader-assigns": _Rebalances.led,
    "joined": _Rebalances.joined,
    "assigned": _Rebalances.assigned,
    "partitions-assigned": _Rebalances.assigned,  # of clients that do not say when they are synced
    "group-empty": _Rebalances.emptied,
    "epoch-bumped": _Rebalances.bumped,
    "epoch": _Rebalances.reached,
    "member-state": _Rebalances.reached,
}
