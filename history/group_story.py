"""The story of groups out of logs: facts, rebalances and causes as the objects that are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from msgspec import structs

from ..capture.logs.event import LogEvent
from ..escaping import without_secrets
from ..inspector.shapes.group_shapes import SettingJudgement
from ..inspector.shapes.shape import Shares, iso_time
from ..inspector.shapes.story_shapes import (
    FollowedEvent,
    GroupEvent,
    GroupStory,
    LagChange,
    Look,
    MissingGenerations,
    PartitionDowntime,
    PartitionEffect,
    RebalanceCause,
    RootCause,
    SourceClock,
    SourceLine,
    SourcePlace,
    StoryOfGroups,
    ToldRebalance,
    UncountedGaps,
    Unread,
)
from ..wording import is_named
from .clocks import Clock, LogSource
from .data_effects import PartitionGap, add_effects
from .group_facts import MAX_EVIDENCE, GroupCause, GroupFacts
from .possible_causes import PossibleCauses
from .programs import WORKER
from .reasons import LikelyCause
from .rebalances import LogRebalance, rebalances_of
from .restarts import Restart
from .roots import causes_of_group
from .timeline import ClientsOfGroups, Fact, Line, Timeline, client_of, make_timelines
from .verdict import verdict_of, weighed

__all__ = ["Selection", "event_of", "tell"]

TOLD_EVENTS = frozenset({
    "joins", "join-refused", "joined", "leader-assigns", "assigned", "sync-refused",
    "heartbeat-refused", "leaves", "leave-refused", "commit-refused", "epoch", "is-given",
    "reports-it-owns", "partitions-assigned", "partitions-revoked", "partitions-lost", "closed",
    "error", "rebalance-began", "stabilized", "group-empty", "member-removed", "member-fenced",
    "group-loaded", "group-unloaded", "settings", "process-started", "process-ended", "pause",
})  # fmt: skip
"""The words for events that are printed; other facts are signs, which the rules of causes use."""

JudgeSettings: TypeAlias = Callable[
    [GroupFacts, str, Sequence[GroupCause]], tuple[SettingJudgement, ...]
]
"""Judges the settings of a group's clients by its facts, kind and causes."""

_AS_EVENT = {"epoch-bumped": "rebalance-began"}


@dataclass(frozen=True)
class Selection:
    """Which part of the story is told: names may have wildcards; times are in milliseconds."""

    groups: Sequence[str] = ()
    clients: Sequence[str] = ()
    since: float | None = None
    until: float | None = None

    def has_group(self, name: str) -> bool:
        """Return whether a group is told of."""
        return is_named(name, self.groups)

    def has_time(self, time: float) -> bool:
        """Return whether a time is told of."""
        return (self.since is None or time >= self.since) and (
            self.until is None or time <= self.until
        )

    def has_cause(self, cause: GroupCause) -> bool:
        """Return whether a cause is told of: it began before the end and was seen since."""
        first, last = cause.span or (self.until or 0.0, self.since or 0.0)
        return (self.until is None or first <= self.until) and (
            self.since is None or last >= self.since
        )

    def cuts(self, cause: GroupCause) -> bool:
        """Return whether a cause was seen outside of these times, too."""
        return cause.span is not None and not all(map(self.has_time, cause.span))

    def has_any_of(self, rebalance: LogRebalance) -> bool:
        """Return whether a rebalance is told of: it began or ended at such a time, or without one
        that is known."""
        times = [time for time in (rebalance.began, rebalance.ended) if time]
        return not times or any(map(self.has_time, times))

    def has_client(self, client: str) -> bool:
        """Return whether a client is told of."""
        return is_named(client, self.clients)


def tell(  # noqa: PLR0913  # all but two by name
    sources: Sequence[LogSource],
    unread: Iterable[Unread] = (),
    *,
    captured: Mapping[str, Sequence[LogRebalance]] = MappingProxyType({}),
    looks: Mapping[str, Sequence[Look]] = MappingProxyType({}),
    more_causes: Mapping[str, Sequence[GroupCause]] = MappingProxyType({}),
    restarts: Mapping[str, Sequence[Restart]] = MappingProxyType({}),
    zone_ms: float | None = None,
    selection: Selection | None = None,
    releases: Mapping[str, str] = MappingProxyType({}),
    judge_settings: JudgeSettings | None = None,
    clients: ClientsOfGroups = MappingProxyType({}),
) -> StoryOfGroups:
    """Return the story that sources tell together. By group, `captured` are the rebalances that
    frames show, `looks` the groups as tools show them, and `more_causes` causes that the caller
    knows from elsewhere, such as the rules of an audit; of one cause, that of the sources counts.
    `restarts` are the members that came back, by lists of members.
    `releases` are those of programs that no source names. `judge_settings` judges the settings of
    a group's clients by what happened. `clients` are those that the caller knows of groups: lines
    that name one of them and no group are about its group."""
    chosen = Selection() if selection is None else selection
    timelines, clocks = make_timelines(sources, zone_ms=zone_ms, clients=clients)
    told = {
        timeline.group: _group(
            replace(timeline, releases=releases),
            chosen,
            captured.get(timeline.group, ()),
            [cause for cause in more_causes.get(timeline.group, ()) if chosen.has_cause(cause)],
            [one for one in restarts.get(timeline.group, ()) if chosen.has_time(one.back)],
            judge_settings,
        )
        for timeline in timelines
        if chosen.has_group(timeline.group)
    }
    for name, of_group in looks.items():
        if chosen.has_group(name):
            group = told.get(name) or GroupStory(name, "classic", (), (), ())
            told[name] = structs.replace(group, looks=tuple(of_group))
    groups = [_completed(told[name]) for name in sorted(told)]
    return StoryOfGroups(
        tuple(map(_clock, clocks)),
        tuple(
            group
            for group in groups
            if group.events
            or (not chosen.clients and (group.rebalances or group.causes or group.looks))
        ),
        tuple(unread),
    )


def _completed(group: GroupStory) -> GroupStory:
    """Add what follows from the parts of a story together."""
    missing = tuple(
        MissingGenerations(earlier.generation + 1, later.generation - 1)
        for earlier, later in pairwise(group.rebalances)
        if later.generation - earlier.generation > 1 and earlier.generation >= 0
    )
    changes = []
    for earlier, later in pairwise(look for look in group.looks if look.lag is not None):
        began, ended = earlier.time or "", later.time or ""
        number = sum(began < (rebalance.began or "") <= ended for rebalance in group.rebalances)
        if began and ended and number and earlier.source == later.source:
            lags = earlier.lag or 0, later.lag or 0
            changes.append(LagChange(began, ended, number, *lags))
    return structs.replace(group, missing_generations=missing, lag_changes=tuple(changes))


def _clock(clock: Clock) -> SourceClock:
    error = None if clock.error_ms is None else round(clock.error_ms)
    return SourceClock(clock.source, clock.zone, round(clock.offset_ms), error)


def _group(  # all are its group's
    timeline: Timeline,
    chosen: Selection,
    captured: Sequence[LogRebalance],
    more_causes: Sequence[GroupCause],
    restarts: Sequence[Restart],
    judge_settings: JudgeSettings | None,
) -> GroupStory:
    facts = [fact for fact in timeline.facts if chosen.has_time(fact.order)]
    part = replace(timeline, facts=facts)
    rebalances = rebalances_of(part, [each for each in captured if chosen.has_any_of(each)])
    gaps, unbounded = add_effects(part, rebalances)
    view = GroupFacts(part, rebalances, restarts)
    kind = _kind(facts)
    possible = PossibleCauses(view, kind)
    for rebalance in rebalances:
        rebalance.causes = list(map(possible.of, rebalance.causes))
    judged = {cause.cause: cause for cause in more_causes}
    own = [
        _beside_judged(cause, judged.get(cause.cause)) for cause in causes_of_group(view)
        if cause.cause != "rolling-restart" or cause.is_certain or view.has_broker
        or cause.cause not in judged
    ]  # fmt: skip
    words = {cause.cause for cause in own}
    more = [cause for cause in more_causes if cause.cause not in words]
    causes = weighed(view, tuple(map(possible.of, (*own, *more))))
    is_dated = any(fact.time is not None for fact in facts)
    return GroupStory(
        timeline.group,
        kind,
        tuple(
            _event(fact) for fact in facts
            if _word(fact) in TOLD_EVENTS and chosen.has_client(fact.client)
        ),
        tuple(_rebalance(rebalance, is_dated) for rebalance in rebalances),
        _roots(causes, facts),
        verdict=without_secrets(verdict_of(view, causes)),
        client_settings=judge_settings(view, kind, causes) if judge_settings else (),
        downtimes=_downtimes(gaps),
        uncounted=tuple(UncountedGaps(*each) for each in unbounded),
    )  # fmt: skip


def _beside_judged(cause: GroupCause, judged: GroupCause | None) -> GroupCause:
    """Return a cause with what the records of its group leave open, too: so many restarts may be
    crashes of processes that leave in order."""
    is_open = judged is not None and "crash-loop" in judged.rivals and not cause.is_certain
    if cause.cause != "rolling-restart" or not is_open:
        return cause
    return cause._replace(rivals=(*cause.rivals, "crash-loop"))


def _word(fact: Fact) -> str:
    return _AS_EVENT.get(fact.event, fact.event)


def _kind(facts: Sequence[Fact]) -> str:
    """The kind of a group by what its members and its coordinator say."""
    kinds = {fact.kind for fact in facts if fact.kind}
    if any(fact.fields.get("what") == "Worker" for fact in facts) or _are_workers(facts):
        return "connect"
    if any(fact.fields.get("what") == "ShareConsumer" for fact in facts):
        return "share"
    for kind in ("streams", "share", "consumer"):
        if kind in kinds:
            return kind
    is_bumped = any(fact.event in ("epoch-bumped", "member-state") for fact in facts)
    return "consumer" if is_bumped else "classic"


def _are_workers(facts: Iterable[Fact]) -> bool:
    clients = {client_of(fact.member) for fact in facts if fact.member} - {""}
    return bool(clients) and all(WORKER.fullmatch(client) for client in clients)


def _time(value: float | None) -> str | None:
    return None if value is None else iso_time(value)


def _text(value: object) -> str | None:
    return without_secrets(str(value)) if value else None


def event_of(event: LogEvent, source: str) -> FollowedEvent | None:
    """Return what is printed of an event as soon as its line is read; None for a sign."""
    stamp = event.stamp
    fact = Fact(
        event.event, event.group, stamp.milliseconds if stamp.has_date else None, stamp.text, 0.0,
        event.side, event.family, event.member, event.client, event.instance, event.generation,
        dict(event.fields), [Line(source, event.line)], event.kind,
    )  # fmt: skip
    if _word(fact) not in TOLD_EVENTS:
        return None
    return FollowedEvent(**structs.asdict(_event(fact)), group=event.group)


def _event(fact: Fact) -> GroupEvent:
    fields = fact.fields
    return GroupEvent(
        _time(fact.time),
        fact.time_text,
        _word(fact),
        fact.member or None,
        fact.client or None,
        fact.generation if fact.generation >= 0 else None,
        fields.get("certain", True),
        tuple(SourcePlace(line.source, line.line) for line in fact.lines),
        fact.instance or None,
        _text(fields.get("reason")),
        _text(fields.get("error")),
        _shares(fields["partitions"]) if "partitions" in fields else None,
        {member: _shares(parts) for member, parts in fields["assignment"].items()}
        if "assignment" in fields
        else None,
    )


def _shares(parts: Iterable[tuple[str, int]]) -> Shares:
    topics: dict[str, list[int]] = {}
    for topic, number in parts:
        topics.setdefault(topic, []).append(number)
    return {topic: tuple(numbers) for topic, numbers in topics.items()}


def _rebalance(rebalance: LogRebalance, is_dated: bool) -> ToldRebalance:
    # What a source without any time tells is put at 0, in front of what others tell.
    began = (rebalance.began or None) if is_dated else None
    ended = (rebalance.ended or None) if is_dated else None
    whole = len(rebalance.members) if rebalance.is_whole else None
    count = rebalance.count if rebalance.count is not None else whole
    return ToldRebalance(
        rebalance.generation,
        _time(began),
        _time(ended),
        rebalance.leader or None,
        0 if rebalance.is_empty else count,
        tuple(map(_cause, rebalance.causes)),
        tuple(PartitionEffect(*effect) for effect in rebalance.effects),
    )


def _downtimes(gaps: Iterable[PartitionGap]) -> tuple[PartitionDowntime, ...]:
    by_part: dict[tuple[str, int], list[PartitionGap]] = {}
    for gap in gaps:
        by_part.setdefault(gap.part, []).append(gap)
    downtimes = []
    for part, of_part in sorted(by_part.items()):
        over = [gap for gap in of_part if gap.end is not None]
        longest = max(over, key=lambda gap: gap.length, default=None)
        since = of_part[-1].start if of_part[-1].end is None else None
        downtimes.append(PartitionDowntime(
            *part,
            round(sum(gap.length for gap in over)),
            round(sum(gap.least for gap in over)),
            len(over),
            round(longest.length) if longest is not None else 0,
            _time(longest.start) if longest is not None else None,
            _time(since),
        ))  # fmt: skip
    return tuple(downtimes)


def _cause(cause: LikelyCause) -> RebalanceCause:
    return RebalanceCause(
        cause.cause, cause.is_certain, cause.member or None, cause.client or None, cause.rivals,
        _evidence(cause.evidence),
    )  # fmt: skip


def _roots(causes: Iterable[GroupCause], facts: Iterable[Fact]) -> tuple[RootCause, ...]:
    shown = {(line.source, line.line): fact for fact in facts for line in fact.lines}
    return tuple(_root(cause, shown) for cause in causes)


def _root(cause: GroupCause, shown: Mapping[tuple[str, int], Fact]) -> RootCause:
    """Return a cause with its first lines, and when and how often all of them tell of it."""
    places = [(line.source, line.line) for line in cause.evidence]
    seen = {id(fact): fact for fact in map(shown.get, places) if fact is not None}.values()
    times = [fact.time for fact in seen if fact.time is not None]
    return RootCause(
        cause.cause, cause.is_certain, cause.rivals, without_secrets(cause.summary),
        cause.next_step,
        _evidence(dict.fromkeys(cause.evidence[:MAX_EVIDENCE])),
        _time(min(times, default=None)),
        _time(max(times, default=None)),
        max(len(seen), 1),
    )  # fmt: skip


def _evidence(lines: Iterable[Line]) -> tuple[SourceLine, ...]:
    return tuple(
        SourceLine(line.source, line.line, without_secrets(line.text.partition("\n")[0]))
        for line in lines
    )
