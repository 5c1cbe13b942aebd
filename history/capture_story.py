"""What a capture tells frame by frame (`kproto story CAPTURE --full`): who joined, led, assigned,
got what, in order; and what no log tells: who was waited for, and which partition had no owner.

    08:29:34.485 [12]  java.range  consumer-1 joins (JoinGroup 9, …, connection 1)
                range  subscription v3: topics orders
    08:29:37.501 [17]  java.range  generation 1: consumer-1-7d05 leads, by range
                consumer-1-7d05  subscription v3: topics orders
    08:29:37.507 [18]  java.range  consumer-1-7d05 assigns in generation 1
                consumer-1-7d05  assignment v3: assigned partitions orders 0-11
    08:29:37.510 [19]  java.range  consumer-1-7d05 gets assignment v3: …

In brackets is the number of the packet that completes the frame, behind the name of its file where
there are several. A routine frame (a heartbeat, a request without news) is counted, not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from types import MappingProxyType
from typing import TypeAlias

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ..capture.frames.frame import Closed, Connection, Frame
from ..codec.read.decoding import Policy
from ..inspector.candidates import MEMBERSHIP
from ..inspector.nested_bytes import Around, Opened, open_inside
from ..inspector.reports.frame_report import is_refused, read_so_far
from ..inspector.views import theme
from ..inspector.views.redaction import Redaction
from ..inspector.views.summary_line import Brief, moment
from ..inspector.views.theme import Glyphs, HangingIndent, glyphs_for
from ..wording import counted
from .calls import Call, Calls
from .events import Event
from .frame_events import events_of
from .groups import EventChange, Group, HistoryMember, Rebalance
from .history import History
from .ownership import Downtime, Interval, Part
from .sentences import (
    MemberNames,
    Paragraph,
    Scene,
    Words,
    clock,
    from_to,
    paragraph_of,
    says_something,
    seconds,
)
from .topic_names import TopicNames

_WIDE = 80  # columns; in fewer, details are less indented
_HEAD = 12  # columns of a time of day
_REBALANCES = 20
_DOWNTIMES = 12
_TELLING_MS = 10
"""Downtime below this is that of answers that cross each other."""
_LONG_MS = 1_000
"""Downtime from which on it is told where not everything is."""

_Writer: TypeAlias = Callable[["Words", Glyphs], Paragraph]


class CaptureStory:
    """The story of frames, which are given in order; `tell` returns what to print of each.

    `topics` knows the names of topics by their ids; the story learns more of them from its frames.
    `hosts`: each frame's line names both ends of its connection. `files`: the names of several
    files by their paths, for the numbers of packets.
    """

    def __init__(
        self,
        *,
        full: bool = False,
        redaction: Redaction | None = None,
        topics: TopicNames | None = None,
        hosts: bool = False,
        files: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._full = full
        self._redaction = redaction
        self._hosts = hosts
        self.topics = TopicNames() if topics is None else topics
        self.calls = Calls()
        self.history = History()
        self._names = MemberNames()
        self._closings: list[tuple[float, int, Closed]] = []
        self._closed = 0
        self._files = files
        self.events: tuple[Event, ...] = ()
        """The events of the latest frame."""
        self.out: tuple[HistoryMember, ...] = ()
        """The members that are gone without a word, as the latest frame shows."""
        self.untold: dict[str, int] = {}
        """The number of frames that were read and not shown, by API."""

    def tell(self, frame: Frame, around: Around) -> Chapter | None:
        """Return what to print of the next frame, None if it is routine; `around` is what its
        connection named before."""
        call = self.calls.take(frame)
        self.topics.learn(frame)
        look = _Inside(frame, around)
        change = self._change(call, frame, look)
        if frame.foreign:
            return None
        message = frame.body.message if frame.body is not None else None
        membership = frame.api_key in MEMBERSHIP
        if message is None:  # of other frames that the capture has cut, none would be told whole
            is_told = membership or not frame.reason
        else:
            is_told = says_something(frame, message, change, membership)
        if not is_told:
            self.untold[frame.api] = self.untold.get(frame.api, 0) + 1
            return None
        group = self.history.groups.get(call.group)
        writer = partial(_frame_paragraph, look, call, change, group)
        ends = frame.connection if self._hosts else None
        return Chapter(
            writer, self._words, frame.timestamp, call.group, call.client, frame.packet,
            self._files.get(frame.source, ""), ends, frame,
        )  # fmt: skip

    def _change(self, call: Call, frame: Frame, look: _Inside) -> EventChange:
        """Bring the history up to date; a frame has several events where several members leave."""
        self.history.reach(frame.timestamp)
        self.events = tuple(map(self.history.named, events_of(call, frame, look)))
        changes = [self.history.take(event) for event in self.events]
        self.out = tuple(member for change in changes for member in change.out)
        if len(changes) < 2:
            return changes[0] if changes else EventChange()
        return EventChange(releases=frozenset().union(*(change.releases for change in changes)))

    def close(self, closed: Closed) -> None:
        """Take note of a connection that was closed, before the frames that come later."""
        self._closed += 1
        when = -1.0 if closed.timestamp is None else closed.timestamp
        heappush(self._closings, (when, self._closed, closed))

    def closings(self, until: float | None = None) -> Iterator[Chapter]:
        """Yield what to print of the connections that were closed before a time, or at all: of
        those whose members have not left."""
        while self._closings and (until is None or self._closings[0][0] < until):
            closed = heappop(self._closings)[2]
            for group, member in self.history.close(closed.connection, closed.timestamp):
                writer = partial(_closing_paragraph, closed, member)
                ends = closed.connection if self._hosts else None
                packet = None if self._files else closed.packet
                yield Chapter(
                    writer, self._words, closed.timestamp, group.name, member.client, packet, "",
                    ends,
                )  # fmt: skip

    def summary(self, groups: Container[str] | None = None) -> StorySummary:
        """Return what the story comes to, for these groups, or all."""
        return StorySummary(self.history, self._words, groups=groups, full=self._full)

    def _words(self, glyphs: Glyphs) -> Words:
        brief = Brief(glyphs, full=self._full, redaction=self._redaction)
        return Words(brief, self._names, self.topics)


class _Inside:
    """Opens what is inside of a frame, once."""

    def __init__(self, frame: Frame, around: Around) -> None:
        self.frame = frame
        self._around = around
        self._opened: tuple[Opened, ...] | None = None

    def __call__(self) -> tuple[Opened, ...]:
        if self._opened is None:
            body = self.frame.body
            self._opened = () if body is None else open_inside(body, self._around)
        return self._opened


def _frame_paragraph(
    look: _Inside,
    call: Call,
    change: EventChange,
    group: Group | None,
    words: Words,
    glyphs: Glyphs,
) -> Paragraph:
    frame, body = look.frame, look.frame.body
    if body is not None and body.message is not None:
        return paragraph_of(Scene(body, frame, call, look(), change, group, words))
    why = frame.reason or (body.error if body is not None else "")
    fields = [] if body is None else list(read_so_far(body))
    values = [
        f"{path} {words.brief.text(value, path) if isinstance(value, str) else value}"
        for path, value in fields
        if value not in ("", None) and not isinstance(value, bytes)
    ]
    details = (("read before", words.brief.listed(values)),) if values else ()
    sentence = f"{glyphs.failed} {frame.api} {frame.direction} cannot be read: {why}"
    return Paragraph(sentence, details, failed=True)


def _closing_paragraph(
    closed: Closed, member: HistoryMember, words: Words, glyphs: Glyphs
) -> Paragraph:
    verb = "reset" if closed.reset else "closed"
    side = "the client" if closed.by_client else "the broker"
    name, number = words.member(member), closed.connection.number
    return Paragraph(
        f"{side} has {verb} connection {number} of {name}, which has not left the group"
    )


@dataclass(frozen=True, slots=True)
class Chapter:
    """What is printed of one frame, or of the end of a connection: `ends` names both sides of the
    connection, `file` the file of the packet where there are several."""

    writer: _Writer
    words: Callable[[Glyphs], Words]
    timestamp: float | None
    group: str
    client: str
    packet: int | None = None
    file: str = ""
    ends: Connection | None = None
    frame: Frame | None = None

    def written(self, glyphs: Glyphs) -> Chapter:
        """Return the chapter in words, which name members as they are known now."""
        paragraph = self.writer(self.words(glyphs), glyphs)
        return replace(self, writer=lambda words, glyphs: paragraph)

    def refused(self, policy: Policy) -> bool:
        """Return whether the policy refuses header or body."""
        return self.frame is not None and is_refused(self.frame, policy)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        words = self.words(glyphs)
        paragraph = self.writer(words, glyphs)
        file = f"{words.brief.text(self.file, 'source')}:" if self.file else ""
        packet = f" [{file}{self.packet}]" if self.packet else ""
        when = moment(self.timestamp)
        head = Text(f"{when[11:] or when}{packet}  ", theme.QUIET)
        style = theme.FAILED if paragraph.failed else theme.PLAIN
        body = Text(paragraph.sentence, style)
        if self.group:
            group = words.brief.text(self.group, "group_id")
            body = Text.assemble((f"{group}  ", theme.TITLE), body)
        yield HangingIndent(head, body)
        indent = Text(" " * (_HEAD + 4 if options.max_width >= _WIDE else 6))
        ends = (("between", _ends(self.ends, words)),) if self.ends is not None else ()
        for label, detail in (*paragraph.details, *ends):
            yield HangingIndent(
                indent, Text.assemble((label, theme.QUIET), "  " * bool(label), detail)
            )


def _ends(connection: Connection, words: Words) -> str:
    hosts = [connection.client, connection.broker]
    names = " > ".join(words.brief.text(host, "client_host") for host in hosts if host)
    return f"{names} #{connection.number}".lstrip()


# -- the summary


class StorySummary:
    """A renderable: what members were waited for, and what had no owner. `groups` are the names of
    those that are summed up, None for all."""

    def __init__(
        self,
        history: History,
        words: Callable[[Glyphs], Words],
        *,
        groups: Container[str] | None,
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
        for group in self._groups:
            yield HangingIndent(
                Text("  "), Text.assemble(("in the capture", theme.TITLE), "  ", _head(group))
            )
            for label, line in self._lines(group, words):
                yield HangingIndent(Text("    "), Text.assemble((label, theme.QUIET), "  ", line))

    def _lines(self, group: Group, words: Words) -> Iterator[tuple[str, str]]:
        telling = [
            rebalance for rebalance in group.rebalances if self._full or _tells_more(rebalance)
        ]
        listed = telling if self._full else telling[:_REBALANCES]
        for rebalance in listed:
            yield clock(rebalance.start), _rebalance(group, rebalance, words)
        more = len(telling) - len(listed) + group.uncounted
        if more:
            yield "", counted(more, "more rebalance")
        if group.rebalance is not None:
            end = self._history.end or group.rebalance.start
            yield clock(group.rebalance.start), _open(group, group.rebalance, end, words)
        yield from self._downtime(group, words)

    def _downtime(self, group: Group, words: Words) -> Iterator[tuple[str, str]]:
        """Parts without an owner, those of equal downtime together, the longest first."""
        end = self._history.end or 0.0
        down: list[tuple[float, Part, str]] = []
        for part, downtime in group.ownership.downtimes():
            lasting = downtime if group.members else downtime._replace(since=None)
            total = lasting.total + (0.0 if lasting.since is None else end - lasting.since)
            if total >= (_TELLING_MS if self._full else _LONG_MS):
                down.append((total, part, _downtime(lasting, end)))
        by_text: dict[str, set[Part]] = {}
        for _, part, text in sorted(down, key=lambda row: -row[0]):
            by_text.setdefault(text, set()).add(part)
        visible = list(by_text) if self._full else list(by_text)[:_DOWNTIMES]
        for text in visible:
            yield "without an owner", f"{words.parts(frozenset(by_text[text]), group.kind)}, {text}"
        if len(visible) < len(by_text):
            parts = sum(map(len, by_text.values())) - sum(len(by_text[text]) for text in visible)
            yield "without an owner", f"{counted(parts, 'more partition')} for less"


def _tells_more(rebalance: Rebalance) -> bool:
    """Whether the capture shows more of a rebalance than when it was, and who caused it."""
    return any(interval.length >= _LONG_MS for interval in rebalance.idle) or any(
        not cause.certain for cause in rebalance.causes
    )


def _head(group: Group) -> str:
    kinds = {"classic": "classic group", "consumer": "consumer group (KIP-848)",
             "share": "share group (KIP-932)", "streams": "Streams group (KIP-1071)"}  # fmt: skip
    members = counted(len(group.seen), "member")
    if group.unseen:
        members += f" ({len(group.unseen):,} of them without a request in this capture)"
    idle = [interval for rebalance in group.rebalances for interval in rebalance.idle]
    text = f"{kinds[group.kind]}, {members}"
    if idle:
        total = seconds(sum(interval.length for interval in idle))
        text += f"; no member here owned anything for {total} in all"
    return text


def _rebalance(group: Group, rebalance: Rebalance, words: Words) -> str:
    text = "nobody got an assignment"
    if rebalance.end is not None:
        text = seconds(rebalance.end - rebalance.start)
    word = "generation" if group.kind == "classic" else "epoch"
    if rebalance.first == rebalance.last >= 0:
        text += f", {word} {rebalance.last}"
    elif rebalance.first >= 0:
        text += f", {word}s {rebalance.first} to {rebalance.last}"
    long = [interval for interval in rebalance.idle if interval.length >= _TELLING_MS]
    if long:
        text += "; no member here owned anything " + ", ".join(map(from_to, long))
    return text + _causes(rebalance, words)


_STRANGERS = 3
"""How many members are named of which a capture has no request."""


def _open(group: Group, rebalance: Rebalance, end: float, words: Words) -> str:
    """A rebalance that is not over when the capture ends."""
    text = "not over when the capture ends"
    if end > rebalance.start:
        text += f", {seconds(end - rebalance.start)} later"
    awaited = _awaited(group)
    members = [member for member in awaited if member.heard or member.asked_back]
    if len(awaited) - len(members) <= _STRANGERS:
        members = awaited
    else:
        number = len(awaited) - len(members)
        text += f"; waits for {number:,} members of which this capture has no request"
    for member in members:
        text += f"; waits for {words.member(member)} ({words.last_seen(member)})"
        if member.asked_back is not None and member.limit_ms:
            until = clock(member.asked_back + member.limit_ms)
            back = words.parts(member.owned - (member.target or member.owned), group.kind)
            start = clock(member.asked_back)
            text += f" to give up {back}, as it was told at {start}; until {until} at the latest"
    limits = [member.limit_ms for member in group.members.values() if member.limit_ms]
    if awaited and limits and group.kind == "classic":
        until, start = clock(rebalance.start + max(limits)), clock(rebalance.start)
        text += f"; until {until} at the latest, if it began at {start}"
    return text + _causes(rebalance, words)


def _awaited(group: Group) -> list[HistoryMember]:
    members = list(group.members.values())
    if group.kind != "classic":
        return [
            member
            for member in members
            if member.epoch != group.generation or member.asked_back is not None
        ]
    absent = [member for member in members if member.member_id not in group.joined]
    if group.joined:
        return absent
    return [member for member in absent if member.member_id not in group.synced]


def _causes(rebalance: Rebalance, words: Words) -> str:
    causes = [cause for cause in rebalance.causes if cause.word != "member-rejoined"]
    causes = [cause for cause in causes if cause.member is not None] or causes or rebalance.causes
    text = words.brief.listed([words.cause(cause) for cause in causes])
    return f": {text}" if text else ""


def _downtime(downtime: Downtime, end: float) -> str:
    parts = []
    if downtime.times == 1:
        parts.append(from_to(downtime.longest))
    elif downtime.times:
        longest = from_to(downtime.longest)
        parts.append(f"{seconds(downtime.total)} in {downtime.times} times, the longest {longest}")
    if downtime.since is not None:
        since = Interval(downtime.since, end)
        parts.append(f"since {clock(since.start)} until the end ({seconds(since.length)})")
    return ", ".join(parts)
