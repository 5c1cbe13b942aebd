"""The story of groups on a terminal: what is wrong first, then each rebalance, then the events."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice, zip_longest

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ..escaping import escaped
from ..inspector.shapes.group_shapes import SettingJudgement
from ..inspector.shapes.shape import Shares
from ..inspector.shapes.story_shapes import (
    GroupEvent,
    GroupStory,
    LagChange,
    Look,
    PartitionDowntime,
    PartitionEffect,
    RebalanceCause,
    RootCause,
    SourceLine,
    StoryOfGroups,
    ToldRebalance,
    UncountedGaps,
)
from ..inspector.views import theme
from ..inspector.views.summary_line import runs
from ..inspector.views.theme import HangingIndent
from ..wording import counted, some_of
from .captured_groups import CapturedGroups
from .line_meanings import MEANINGS
from .verdict import beside_causes

__all__ = [
    "QUIET_CAUSES",
    "StoryView",
    "downtime_text",
    "event_line",
    "in_order_of_trouble",
    "lag_text",
    "missing_text",
    "rebalance_texts",
    "setting_text",
]

_REBALANCES = 20
_RANGES = 8
UNNAMED = "(group not named)"
"""The heading of what is told by lines that name no group, in logs that name none."""
_ORIGIN = re.compile(r"^\[Group(?:Coordinator|MetadataManager)[^\]]*\]:? ")
"""The prefix of each line of a coordinator; which group the line is about follows it."""
_EVIDENCE = 3
_REMARKS = 6
_TEXT = 160  # characters of a line of evidence
QUIET_CAUSES = frozenset({"member-joined", "member-left"})


def in_order_of_trouble(groups: Iterable[GroupStory]) -> list[GroupStory]:
    """Return the groups that rebalanced most first, and those with causes before others."""
    return sorted(groups, key=lambda group: (-len(group.rebalances), not group.causes, group.group))


_FEW = 5  # groups in which nothing happened, or events of one, that are shown
_LOADS = frozenset({"coordinator-restarted", "coordinator-moved"})


def setting_text(judgement: SettingJudgement) -> str:
    """Return what is set, what follows and what to change; what happened is told before."""
    change = judgement.what_to_change
    follows = judgement.what_follows
    follows = f"probably {follows}" if judgement.certainty == "likely" else follows
    return f"{judgement.what_is_set}: {follows}. {change[0].upper()}{change[1:]}."


def _is_quiet(group: GroupStory) -> bool:
    words = {cause.cause for cause in group.causes}
    return not (group.rebalances or group.looks) and words <= _LOADS


class StoryView:
    """A renderable. `full`: all rebalances and events, and lines of evidence in full. `captured` is
    what frames show of the groups beside."""

    def __init__(
        self,
        story: StoryOfGroups,
        *,
        full: bool = False,
        captured: Sequence[CapturedGroups] = (),
    ) -> None:
        self._story = story
        self._full = full
        self._captured = captured

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._clocks()
        quiet = [] if self._full else [group for group in self._story.groups if _is_quiet(group)]
        for group in in_order_of_trouble(self._story.groups):
            if group not in quiet or len(quiet) < _FEW:
                yield Text()
                yield from self._group(group)
        if len(quiet) >= _FEW:
            names = some_of([escaped(group.group) for group in quiet], _FEW)
            yield Text()
            yield Text(
                f"{len(quiet):,} groups in which nothing happened, but that their coordinator "
                f"was restarted or moved: {names} (--full)",
                theme.QUIET,
            )
        for unread in self._story.unread:
            verb = "looks" if unread.lines == 1 else "look"
            yield Text(
                f"{counted(unread.lines, 'line')} of {escaped(unread.source)} {verb} like one "
                f"about a group ({unread.program}), and kproto does not know it: --full shows the "
                "first",
                theme.QUIET,
            )
            if self._full:
                yield from (self._line(line) for line in unread.examples)

    def _clocks(self) -> Iterator[Text]:
        for clock in self._story.clocks:
            if clock.offset_ms:
                ahead = "ahead" if clock.offset_ms > 0 else "behind"
                how = (
                    "its zone, by events that others show, too"
                    if clock.zone == "estimated"
                    else "by events that others show, too"
                )
                yield Text(
                    f"{escaped(clock.source)} is {_duration(abs(clock.offset_ms))} {ahead} "
                    f"({how}): taken off",
                    theme.QUIET,
                )
        if self._story.clocks and all(clock.zone == "assumed" for clock in self._story.clocks):
            yield Text(
                "no source names its time zone: times are shown as written (--zone)", theme.QUIET
            )

    def _group(self, group: GroupStory) -> RenderResult:
        seen = (time for cause in group.causes for time in (cause.first_seen, cause.last_seen))
        times = [event.time for event in group.events if event.time] or sorted(filter(None, seen))
        span = f", {times[0]} to {times[-1]}" if times else ", without dates" * bool(group.events)
        yield Text.assemble(
            (escaped(group.group) or UNNAMED, theme.TITLE),
            f"  {group.kind} group, {counted(len(group.rebalances), 'rebalance')}{span}"
            if group.group
            else f"  events of members whose lines name no group{span}",
        )
        verdict = beside_causes(group.verdict, (cause.summary for cause in group.causes[:2]))
        if verdict:
            yield HangingIndent(Text("  "), Text(escaped(verdict)))
        for cause in group.causes:
            if cause.cause not in QUIET_CAUSES or len(group.causes) <= 2 or self._full:
                yield from self._root(cause)
        for judgement in group.client_settings:
            yield HangingIndent(
                Text("  setting  ", theme.TITLE), Text(escaped(setting_text(judgement)))
            )
        yield from self._open_questions(group)
        for look in group.looks:
            yield from self._look(look)
        yield from self._rebalances(group)
        for captured in self._captured:
            yield captured.summary_of(group.group)
        if self._full:
            yield from self._events(group)

    def _events(self, group: GroupStory) -> RenderResult:
        yield Text("  events", theme.TITLE)
        for event in group.events:
            yield event_line(event)
        chapters = [
            chapter for captured in self._captured for chapter in captured.chapters_of(group.group)
        ]
        if chapters:
            yield Text("  frames", theme.TITLE)
            yield from chapters

    def _open_questions(self, group: GroupStory) -> Iterator[HangingIndent]:
        """What these sources do not show, and which would."""
        unknown = sum(
            all(cause.cause == "unknown" for cause in rebalance.causes)
            for rebalance in group.rebalances
        )
        if unknown:
            rebalances = counted(len(group.rebalances), "rebalance")
            text = (
                f"{unknown} of {rebalances}: these sources do not show why; the log of the group's "
                "coordinator does"
            )
            yield HangingIndent(Text("  "), Text(text, theme.QUIET))
        elif not (group.causes or group.looks or group.verdict or not group.group):
            if not self._full:
                yield from map(_meaning, group.events[:_FEW])
            text = "no rebalance is told here; the log of the group's coordinator tells all"
            yield HangingIndent(Text("  "), Text(text, theme.QUIET))
        for change in group.lag_changes:
            yield HangingIndent(Text("  "), Text(lag_text(change)))
        downtime = downtime_text(group.downtimes, group.uncounted)
        if downtime:
            yield HangingIndent(Text("  "), Text(downtime))
        missing = missing_text(group)
        if missing:
            yield HangingIndent(Text("  "), Text(f"no source shows {missing}", theme.QUIET))

    def _root(self, cause: RootCause) -> Iterator[Text | HangingIndent]:
        if cause.certain:
            head = Text.assemble("  ", (cause.cause, theme.TITLE), "  ")
            text = Text(cause.summary)
        else:
            head = Text.assemble("  ", (cause.cause, theme.TITLE), (" (likely)", theme.QUIET), "  ")
            rivals = f" Or: {', '.join(cause.rivals)}." if cause.rivals else ""
            text = Text(cause.summary + rivals)
        yield HangingIndent(head, text)
        indent = Text("      ")
        if cause.next_step and cause.cause not in QUIET_CAUSES:
            yield HangingIndent(indent, Text.assemble(("next  ", theme.QUIET), cause.next_step))
        lines = cause.evidence if self._full else cause.evidence[:_EVIDENCE]
        if cause.cause not in QUIET_CAUSES or self._full:
            for line in lines:
                yield HangingIndent(indent, self._line(line))

    def _look(self, look: Look) -> Iterator[Text | HangingIndent]:
        members = "members not told" if look.members is None else counted(look.members, "member")
        parts = [look.state or "state not told", members]
        if look.lag is not None:
            parts.append(f"lag {look.lag:,}")
        if look.partitions_without_lag:
            noun = counted(look.partitions_without_lag, "partition")
            parts.append(f"lag not told for {noun}")
        when = f" at {escaped(look.time_text)}" if look.time_text else ""
        yield Text(f"  {escaped(look.source)}:{look.line}{when}: {', '.join(parts)}")
        remarks = look.remarks if self._full else look.remarks[:_REMARKS]
        for remark in remarks:
            who = f"{escaped(remark.who)} " if remark.who else ""
            head = Text.assemble("    ", (remark.code, theme.TITLE), "  ")
            yield HangingIndent(head, Text(who + escaped(remark.text)))
        if len(remarks) < len(look.remarks):
            yield Text(f"    {counted(len(look.remarks) - len(remarks), 'more remark')}: --full")
        if self._full:
            yield from (Text(f"    {escaped(text)}", theme.QUIET) for text in look.unasked)

    def _line(self, line: SourceLine) -> Text:
        text = escaped(_ORIGIN.sub("", line.text or ""))
        if not self._full and len(text) > _TEXT:
            text = text[:_TEXT] + "..."
        return Text.assemble((f"{escaped(line.source)}:{line.line}  ", theme.QUIET), text)

    def _rebalances(self, group: GroupStory) -> Iterator[Text | HangingIndent]:
        earlier = 0 if self._full else max(len(group.rebalances) - _REBALANCES, 0)
        shown = group.rebalances[earlier:]
        if shown:
            yield Text("  rebalances", theme.TITLE)
        if earlier:
            yield Text(f"    {counted(earlier, 'earlier rebalance')}: --full", theme.QUIET)
        for rebalance, text in zip(shown, rebalance_texts(group, earlier), strict=True):
            yield HangingIndent(Text(f"    {_when(rebalance, group.events)}  "), Text(text))


def _clock(time: str | None) -> str:
    return time[11:23] if time else " " * 12


def _when(rebalance: ToldRebalance, events: Iterable[GroupEvent]) -> str:
    """When a rebalance began; else when it ended, or when the first line names its generation, as
    that line has it."""
    time = rebalance.began or rebalance.ended
    if time is not None:
        return _clock(time)
    texts = (
        _clock(event.time) if event.time else event.time_text for event in events
        if event.generation == rebalance.generation and event.time_text
    )  # fmt: skip
    return next(texts, "").rjust(12)


def missing_text(group: GroupStory) -> str:
    """Return which generations lie between those that the sources show, "" where none does."""
    word = _word_of_generation(group.kind)
    ranges = [
        f"{part.first}" if part.first == part.last else f"{part.first} to {part.last}"
        for part in group.missing_generations
    ]
    text = ", ".join(ranges[:_RANGES]) + (", ..." if len(ranges) > _RANGES else "")
    is_one = len(ranges) == 1 and " to " not in ranges[0]
    return f"{word}{'' if is_one else 's'} {text}" if ranges else ""


def lag_text(change: LagChange) -> str:
    """Return what rebalances did to the data, as far as two looks tell."""
    return (
        f"from {change.began[11:19]} to {change.ended[11:19]}, with "
        f"{counted(change.rebalances, 'rebalance')}, the lag went from {change.lag_before:,} to "
        f"{change.lag_after:,} records"
    )


def _word_of_generation(kind: str) -> str:
    return "generation" if kind in ("classic", "connect") else "epoch"


def _length_ms(began: str, ended: str) -> float:
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds() * 1000


def _duration(milliseconds: float) -> str:
    if milliseconds < 1_000:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 120_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes = round(milliseconds / 60_000)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.4g} h"


def rebalance_texts(group: GroupStory, start: int = 0) -> Iterator[str]:
    """Yield what happened in each rebalance, and why; what else it could be once for a cause."""
    told: Told = {(cause.cause, cause.rivals) for cause in group.causes}
    last = max((event.time for event in group.events if event.time), default=None)
    shown = group.rebalances[start:]
    back = islice(_replaced(group.rebalances), start, None)
    for rebalance, following, replaced in zip_longest(shown, shown[1:], back):
        is_last = following is None or following.began is None
        until = last if is_last else following.began
        yield _rebalance_text(rebalance, group.kind, until, told, replaced)


def _replaced(rebalances: Sequence[ToldRebalance]) -> Iterator[frozenset[str]]:
    """Yield for each rebalance the clients that came back with another member id, as far as no line
    tells: the group is as large as it was one generation before."""
    members: dict[str, str] = {}
    size, generation = None, -1
    for rebalance in rebalances:
        joined = {
            cause.client: cause.member or "" for cause in rebalance.causes
            if cause.cause == "member-joined" and cause.client
        }  # fmt: skip
        is_as_large = rebalance.members == size and rebalance.generation == generation + 1
        yield frozenset(
            client for client, member in joined.items()
            if size and is_as_large and members.get(client, member) != member
        )  # fmt: skip
        members |= joined
        size, generation = rebalance.members, rebalance.generation


Told = set[tuple[str, tuple[str, ...]]]
"""The causes of which it was told what else they could be, with that."""


def _rebalance_text(
    rebalance: ToldRebalance, kind: str, until: str | None, told: Told, replaced: frozenset[str]
) -> str:
    """Return what happened in a rebalance; `until` is when the next one began, or the story's
    end; `replaced` are clients that came back with another member id."""
    word = _word_of_generation(kind)
    text = f"{word} {rebalance.generation}" if rebalance.generation >= 0 else "a rebalance"
    if rebalance.members == 0:
        text += ", the group is empty"
    elif rebalance.members:
        text += f", {counted(rebalance.members, 'member')}"
    began, ended = rebalance.began, rebalance.ended
    if began and ended:
        text += f", {_duration(_length_ms(began, ended))}" if rebalance.members != 0 else ""
    elif began and word == "generation":
        text += ", no assignment was seen"
        if until is not None and until > began:
            text += f" in {_duration(_length_ms(began, until))}"
    causes = [
        cause if times == 1 else f"{cause} ({times} times)"
        for cause, times in Counter(
            _cause(cause, told, replaced) for cause in rebalance.causes
        ).items()
    ]
    causes = causes or [_SENTENCES["unknown"]]
    return f"{text}: {'; '.join((*causes, *_effects(rebalance.effects)))}"


def _effects(effects: Sequence[PartitionEffect]) -> Iterator[str]:
    """What a rebalance did to the data, for all partitions together."""
    silent = [effect.without_reader_ms for effect in effects if effect.without_reader_ms]
    if silent:
        partitions = counted(len(silent), "partition")
        yield f"{partitions} without a reader for up to {_duration(max(silent))}"
    again = sum(effect.records_again or 0 for effect in effects)
    if again:
        yield f"{counted(again, 'record')} read twice"
    skipped = sum(effect.records_skipped or 0 for effect in effects)
    if skipped:
        yield f"{counted(skipped, 'record')} skipped"


_PARTITIONS = 5


def downtime_text(
    downtimes: Sequence[PartitionDowntime], uncounted: Sequence[UncountedGaps] = ()
) -> str:
    """Return how long partitions were without a reader, the worst first, and what that does not
    count; "" where there is neither."""
    is_over = all(part.since for part in downtimes)  # all members are gone
    worst = sorted(downtimes, key=lambda part: (part.since is None, -part.total_ms))
    events = [
        f"{escaped(part.topic)}-{part.partition} {_range(part.at_least_ms, part.total_ms)}"
        + (f" in {part.times} times" if part.times > 1 else "")
        + (f", and since {part.since[11:19]}" if part.since and not is_over else "")
        for part in worst if part.total_ms or (part.since and not is_over)
    ]  # fmt: skip
    more = f"; {len(events) - _PARTITIONS} more" if len(events) > _PARTITIONS else ""
    gaps = f"without a reader: {'; '.join(events[:_PARTITIONS])}{more}" if events else ""
    return ". ".join(text for text in (gaps, uncounted_text(uncounted)) if text)


def uncounted_text(uncounted: Sequence[UncountedGaps]) -> str:
    """Return of which members the times without a reader are not counted, and why; "" of none."""
    reasons = []
    for why, text in _UNCOUNTED.items():
        clients = [escaped(each.client) for each in uncounted if each.why == why]
        number = sum(each.times for each in uncounted if each.why == why)
        if clients:
            hidden = [f"{len(clients) - _CLIENTS} more"] if len(clients) > _CLIENTS else []
            *first, last = clients[:_CLIENTS] + hidden
            names = f"{', '.join(first)} and {last}" if first else last
            reasons.append(text.format(who=names, times=counted(number, "time")))
    return f"Not counted: {'; '.join(reasons)}" if reasons else ""


_UNCOUNTED = {
    "gone": "{times} that {who} left or died, and no source shows when the reading stopped",
    "rejoined": "{times} that {who} joined again: eager members give up all partitions first, and "
    "no log of theirs shows when",
}
_CLIENTS = 4


def _range(least_ms: int, most_ms: int) -> str:
    least, most = _duration(least_ms), _duration(most_ms)
    return most if least == most else f"at least {least} and at most {most}"


_SENTENCES = {
    "member-joined": "{who} joined",
    "member-left": "{who} left",
    "removed-by-admin": "{who} was removed by an administrator",
    "session-expired": "the session of {who} expired",
    "poll-timeout-exceeded": "{who} exceeded its poll limit and left",
    "rebalance-timeout": "{who} did not join in time",
    "slow-revoke-callback": "{who} did not give up its partitions in time",
    "sync-not-sent": "{who} sent no SyncGroup in time",
    "static-member-came-back": "the static member {who} came back",
    "static-member-came-back-too-late": "the static member {who} came back after its session",
    "instance-id-used-twice": "the instance id of {who} was used twice",
    "metadata-changed": "topics or partitions changed",
    "subscription-changed": "{who} changed its subscription",
    "protocol-changed": "another assignor was chosen",
    "rebalance-timeout-unset": "{who} has no rebalance timeout",
    "cooperative-second-round": "revoked partitions are given in a second round",
    "leader-rejoined": "the leader {who} joined again",
    "probing-rebalance": "Streams probes for a task that is warm",
    "connect-config-changed": "a connector's configuration changed",
    "connect-delayed-rebalance": "Connect gives out what it held back",
    "coordinator-restarted": "the coordinator was restarted",
    "coordinator-moved": "the coordinator moved",
    "migration": "the group's protocol was converted",
    "unknown": "why is not shown",
}
"""What a trigger says of one rebalance."""
_OF_LEAVES = {
    "member-left": "by LeaveGroup, whose reason no line tells",
    "poll-timeout-exceeded": "probably since it exceeded its poll limit",
    "removed-by-admin": "probably removed by an administrator",
}
"""Why a member left, where one of these is the cause: a LeaveGroup request shows that it did."""


def _cause(cause: RebalanceCause, told: Told, replaced: frozenset[str]) -> str:
    name = escaped(cause.client or cause.member or "a member")
    text = _SENTENCES.get(cause.cause, cause.cause).format(who=name)
    if cause.cause == "member-joined" and not cause.certain and cause.client in replaced:
        text = f"{name} came back as a new member"
    if cause.certain or cause.cause == "unknown":
        return text
    is_told = not cause.rivals or (cause.cause, cause.rivals) in told
    told.add((cause.cause, cause.rivals))
    likely = f"probably {text}"
    if _OF_LEAVES.keys() >= {cause.cause, *cause.rivals}:
        likely = f"{name} left, {_OF_LEAVES[cause.cause]}"
    closed = "closed, " if likely.endswith(_OF_LEAVES["member-left"]) else ""
    return likely if is_told else f"{likely} ({closed}or {', '.join(cause.rivals)})"


def _meaning(event: GroupEvent) -> HangingIndent:
    """Return who does what, and what that means."""
    name = escaped(event.client or event.member or "")
    meaning = Text(f"{name}: " * bool(name) + MEANINGS.get(event.event, ""))
    return HangingIndent(Text.assemble("  ", (event.event, theme.TITLE), "  "), meaning)


def event_line(event: GroupEvent, group: str = "") -> HangingIndent:
    """Return the line of an event; it begins with the group's name where one is given."""
    when = _clock(event.time) if event.time else event.time_text
    parts = [f"{escaped(group)}:"] if group else []
    if event.client or event.member:
        parts.append(escaped(event.client or event.member or ""))
    parts.append(event.event)
    if event.generation is not None:
        parts.append(f"({event.generation})")
    details = [escaped(text) for text in (event.reason, event.error) if text]
    if event.partitions is not None:
        details.append(_shares(event.partitions))
    if event.assignment:
        details += [
            f"{escaped(member)}: {_shares(shares)}" for member, shares in event.assignment.items()
        ]
    places = ", ".join(f"{escaped(place.source)}:{place.line}" for place in event.places)
    text = " ".join(parts) + (f": {'; '.join(details)}" if details else "")
    return HangingIndent(Text(f"    {when}  "), Text.assemble(text, (f"  {places}", theme.QUIET)))


def _shares(shares: Shares) -> str:
    return (
        ", ".join(
            f"{escaped(topic)} {', '.join(runs(sorted(numbers)))}"
            for topic, numbers in shares.items()
        )
        or "nothing"
    )
