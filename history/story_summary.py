"""What a story comes to: for each group its rebalances, their causes, and downtime by partition."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ..inspector.views import theme
from ..inspector.views.theme import Glyphs, HangingIndent, glyphs_for
from ..inspector.views.values import count
from .groups import Group, Rebalance
from .history import History
from .ownership import Downtime, Interval, Part
from .story_words import Words, clock, from_to, seconds

_GROUPS = 50  # that are summed up, unless all are asked for
_REBALANCES = 20
_DOWNTIMES = 12
_TELLING_MS = 10
"""Downtime below this is that of answers that cross each other."""


class StorySummary:
    """A renderable; `groups` are the names of those that are summed up, None for all."""

    def __init__(
        self,
        history: History,
        words: Callable[[Glyphs], Words],
        *,
        groups: set[str] | None,
        full: bool,
    ) -> None:
        chosen = [
            group for name, group in history.groups.items() if groups is None or name in groups
        ]
        self._groups = [group for group in chosen if group.seen or group.rebalances]
        self._history = history
        self._words = words
        self._full = full

    def __bool__(self) -> bool:
        return bool(self._groups) and self._history.start is not None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        words = self._words(glyphs_for(options.encoding))
        shown = self._groups if self._full else self._groups[:_GROUPS]
        yield Text.assemble(("summary", theme.TITLE), ", of the members that this capture shows")
        for group in shown:
            name = words.brief.text(group.name, "group_id")
            yield HangingIndent(Text("  "), Text.assemble((name, theme.TITLE), "  ", _head(group)))
            for label, line in self._lines(group, words):
                yield HangingIndent(Text("    "), Text.assemble((label, theme.QUIET), "  ", line))
        if len(shown) < len(self._groups):
            yield Text(f"  {count(len(self._groups) - len(shown), 'more group')}: --full")

    def _lines(self, group: Group, words: Words) -> Iterator[tuple[str, str]]:
        listed = group.rebalances if self._full else group.rebalances[:_REBALANCES]
        for rebalance in listed:
            yield clock(rebalance.start), _rebalance(group, rebalance, words)
        more = len(group.rebalances) - len(listed) + group.uncounted
        if more:
            yield "", count(more, "more rebalance")
        if group.rebalance is not None:
            yield clock(group.rebalance.start), self._open(group, group.rebalance, words)
        yield from self._downtime(group, words)

    def _open(self, group: Group, rebalance: Rebalance, words: Words) -> str:
        """A rebalance that is not over when the capture ends."""
        end = self._history.end or rebalance.start
        lasts = seconds(end - rebalance.start)
        said = f"not over when the capture ends, {lasts} later"
        awaited = [
            member
            for member in group.members.values()
            if (member.member_id not in group.joined if group.kind == "classic"
                else member.epoch != group.generation or member.asked_back is not None)
        ]  # fmt: skip
        if group.kind == "classic" and not group.joined:
            awaited = [member for member in awaited if member.member_id not in group.synced]
        for member in awaited:
            said += f"; waits for {words.member(member)} ({words.last_seen(member)})"
            if member.asked_back is not None and member.rebalance_ms:
                until = clock(member.asked_back + member.rebalance_ms)
                back = words.parts(member.owned - (member.target or member.owned), group.kind)
                asked = clock(member.asked_back)
                said += (
                    f" to give up {back}, as it was told at {asked}; until {until} at the latest"
                )
        limits = [each.rebalance_ms for each in group.members.values() if each.rebalance_ms]
        if awaited and limits and group.kind == "classic":
            until = clock(rebalance.start + max(limits))
            said += f"; until {until} at the latest, if it began at {clock(rebalance.start)}"
        return said + _causes(rebalance, words)

    def _downtime(self, group: Group, words: Words) -> Iterator[tuple[str, str]]:
        """Parts without an owner, those of equal downtime together, the longest first."""
        end = self._history.end or 0.0
        found = []
        for part, downtime in group.ownership.downtimes():
            lasting = downtime if group.members else downtime._replace(since=None)
            if _whole(lasting, end) >= _TELLING_MS:
                found.append((_whole(lasting, end), part, _downtime(lasting, end)))
        alike: dict[str, set[Part]] = {}
        for _, part, said in sorted(found, key=lambda each: -each[0]):
            alike.setdefault(said, set()).add(part)
        shown = list(alike) if self._full else list(alike)[:_DOWNTIMES]
        for said in shown:
            yield "without an owner", f"{words.parts(frozenset(alike[said]), group.kind)}, {said}"
        if len(shown) < len(alike):
            parts = sum(map(len, alike.values())) - sum(len(alike[said]) for said in shown)
            yield "without an owner", f"{count(parts, 'more partition')} for less"


def _head(group: Group) -> str:
    number = len(group.rebalances) + group.uncounted + (group.rebalance is not None)
    kinds = {"classic": "classic group", "consumer": "consumer group (KIP-848)",
             "share": "share group (KIP-932)", "streams": "Streams group (KIP-1071)"}  # fmt: skip
    members = count(len(group.seen), "member")
    if group.unseen:
        members += f" ({len(group.unseen):,} of them without a request in this capture)"
    idle = [each for rebalance in group.rebalances for each in rebalance.idle]
    said = f"{kinds[group.kind]}, {members}, {count(number, 'rebalance')}"
    if idle:
        whole = seconds(sum(each.length for each in idle))
        said += f"; no member here owned anything for {whole} in all"
    return said


def _rebalance(group: Group, rebalance: Rebalance, words: Words) -> str:
    assert rebalance.end is not None
    word = "generation" if group.kind == "classic" else "epoch"
    led = (
        f", {word} {rebalance.last}"
        if rebalance.first == rebalance.last
        else (f", {word}s {rebalance.first} to {rebalance.last}")
    )
    said = seconds(rebalance.end - rebalance.start) + (led if rebalance.first >= 0 else "")
    long = [each for each in rebalance.idle if each.length >= _TELLING_MS]
    if long:
        said += "; no member here owned anything " + ", ".join(map(from_to, long))
    return said + _causes(rebalance, words)


def _causes(rebalance: Rebalance, words: Words) -> str:
    causes = [cause for cause in rebalance.causes if cause.what != "rejoined"]
    causes = [cause for cause in causes if cause.member is not None] or causes or rebalance.causes
    said = words.brief.listed([words.cause(cause) for cause in causes])
    return f": {said}" if said else ""


def _whole(downtime: Downtime, end: float) -> float:
    return downtime.total + (0.0 if downtime.since is None else end - downtime.since)


def _downtime(downtime: Downtime, end: float) -> str:
    said = []
    if downtime.times == 1:
        said.append(from_to(downtime.longest))
    elif downtime.times:
        longest = from_to(downtime.longest)
        said.append(f"{seconds(downtime.total)} in {downtime.times} times, the longest {longest}")
    if downtime.since is not None:
        since = Interval(downtime.since, end)
        said.append(f"since {clock(since.start)} until the end ({seconds(since.length)})")
    return ", ".join(said)
