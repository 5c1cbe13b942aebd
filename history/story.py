"""The view of a packet capture as a story, in time order: who joined, led, assigned and got what.

    2026-11-21
    08:29:34.485 [12]  java.range  consumer-1 joins (JoinGroup 9, …, connection 1)
                range  subscription v3: topics orders
    08:29:37.501 [17]  java.range  generation 1: consumer-1-7d05 leads, by range
                consumer-1-7d05  subscription v3: topics orders
    08:29:37.507 [18]  java.range  consumer-1-7d05 assigns in generation 1
                consumer-1-7d05  assignment v3: assigned partitions orders 0-11
    08:29:37.510 [19]  java.range  consumer-1-7d05 gets assignment v3: …

In brackets is the number of the packet that completes the frame, behind that of its file where
there are several. A routine frame (a heartbeat, a request without news) is counted, not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from pathlib import PurePath
from typing import NamedTuple, Protocol

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ..capture.frames.frame import Closed, Connection, Frame
from ..codec.read.decoding import Policy
from ..inspector.identification.candidates import MEMBERSHIP
from ..inspector.open.opening import Around, Opened, open_inside
from ..inspector.reports.frame_report import is_refused, read_so_far
from ..inspector.views import theme
from ..inspector.views.redaction import Redaction
from ..inspector.views.summary_line import Brief, moment
from ..inspector.views.theme import Glyphs, HangingIndent, glyphs_for
from .groups import Change, Group, Member
from .history import History
from .peers import Peer, Peers
from .story_sentences import Paragraph, Scene, paragraph_of, says_something
from .story_summary import StorySummary
from .story_words import MemberNames, Words
from .topic_names import TopicNames

_WIDE = 80  # columns; in fewer, details are less indented
_HEAD = 12  # columns of a time of day


class Choice(Protocol):
    """What is told: `met` are the groups of the frames that were chosen."""

    met: set[str]

    def chooses(self, frame: Frame, peer: Peer) -> bool:
        """Return whether a frame is told."""

    def chooses_member(self, group: str, client: str, timestamp: float | None) -> bool:
        """Return whether the end of a member's connection is told."""


class Story:
    """The story of frames, which are given in order; `tell` returns what to print of each.

    `topics` knows the names of topics by their ids; the story learns more of them from its frames.
    `hosts`: each frame's line names both ends of its connection. `choice`: what is told.
    """

    def __init__(
        self,
        *,
        full: bool = False,
        redaction: Redaction | None = None,
        topics: TopicNames | None = None,
        hosts: bool = False,
        choice: Choice | None = None,
    ) -> None:
        self._choice = choice
        self._full = full
        self._redaction = redaction
        self._hosts = hosts
        self._topics = TopicNames() if topics is None else topics
        self.peers = Peers()
        self.history = History()
        self._names = MemberNames()
        self._closings: list[tuple[float, int, Closed]] = []
        self._closed = 0
        self._day = ""
        self._sources: dict[str, int] = {}
        self.untold: dict[str, int] = {}
        """The number of frames that were read and not shown, by API."""

    def tell(self, frame: Frame, around: Around) -> Chapter | None:
        """Return what to print of the next frame, None if it is routine, or not chosen; `around`
        is what its connection named before."""
        peer = self.peers.peer(frame)
        self._topics.learn(frame)
        opened: list[tuple[Opened, ...]] = []

        def look() -> tuple[Opened, ...]:
            if not opened:
                opened.append(open_inside(frame.body, around) if frame.body is not None else ())
            return opened[0]

        change = self.history.take(frame, peer, look)
        if frame.foreign or (self._choice is not None and not self._choice.chooses(frame, peer)):
            return None
        message = frame.body.message if frame.body is not None else None
        membership = frame.api_key in MEMBERSHIP
        if message is None:  # of other frames that the capture has cut, none would be told whole
            told = membership or not frame.reason
        else:
            told = says_something(frame, message, change, membership)
        if not told:
            self.untold[frame.api] = self.untold.get(frame.api, 0) + 1
            return None
        paragraph = _FrameParagraph(frame, peer, look, change, self.history.groups.get(peer.group))
        return self._chapter(paragraph, frame.timestamp, peer.group, frame)

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
            for group, member in self.history.closed(closed.connection, closed.timestamp):
                if self._choice is not None and not self._choice.chooses_member(
                    group.name, member.client, closed.timestamp
                ):
                    continue
                paragraph = _ClosingParagraph(closed, member)
                yield self._chapter(paragraph, closed.timestamp, group.name, None, closed)

    def summary(self) -> StorySummary:
        """Return what the story comes to, for the groups that were told of."""
        groups = None if self._choice is None else self._choice.met
        return StorySummary(self.history, self._words, groups=groups, full=self._full)

    def _chapter(
        self,
        paragraph: _FrameParagraph | _ClosingParagraph,
        timestamp: float | None,
        group: str,
        frame: Frame | None,
        closed: Closed | None = None,
    ) -> Chapter:
        when = moment(timestamp)
        day, time = when[:10], when[11:] or when
        new_day = day if day != self._day else ""
        self._day = day
        connection = frame.connection if frame is not None else closed and closed.connection
        packet = frame.packet if frame is not None else closed and closed.packet
        ends = connection if self._hosts else None
        number, new_sources = self._numbered(packet, frame)
        heading = _Heading(time, new_day, new_sources, number, group, ends)
        return Chapter(frame, paragraph, heading, self._words)

    def _numbered(
        self, packet: int | None, frame: Frame | None
    ) -> tuple[str, tuple[tuple[int, str], ...]]:
        """Return the number of a packet, behind that of its file where there are several; and the
        files that have become known."""
        if packet is None or frame is None:  # the end of a connection does not tell its file
            return "" if packet is None or len(self._sources) > 1 else str(packet), ()
        known = len(self._sources)
        file = self._sources.setdefault(frame.source, known + 1)
        if len(self._sources) == 1:
            return str(packet), ()
        named = tuple((at, self._short(source)) for source, at in self._sources.items())
        new = () if len(self._sources) == known else named[0 if known == 1 else known :]
        return f"{file}:{packet}", new

    def _short(self, source: str) -> str:
        """Return a file with its folder: paths differ at their ends. A placeholder stands for the
        whole path."""
        return (
            source if self._redaction is not None else str(PurePath(*PurePath(source).parts[-2:]))
        )

    def _words(self, glyphs: Glyphs) -> Words:
        brief = Brief(glyphs, full=self._full, redaction=self._redaction)
        return Words(brief, self._names, self._topics)


class _FrameParagraph:
    """What is told of a frame."""

    def __init__(
        self,
        frame: Frame,
        peer: Peer,
        opened: Callable[[], tuple[Opened, ...]],
        change: Change,
        group: Group | None,
    ) -> None:
        self._frame = frame
        self._peer = peer
        self._opened = opened
        self._change = change
        self._group = group

    def paragraph(self, words: Words, glyphs: Glyphs) -> Paragraph:
        frame, seen = self._frame, self._frame.body
        if seen is None or seen.message is None:
            why = frame.reason or (seen.error if seen is not None else "")
            what = f"{frame.api} {frame.direction} cannot be read: {why}"
            fields = [] if seen is None else list(read_so_far(seen))
            said = words.brief.listed(
                [f"{path} {_plain(path, value, words)}" for path, value in fields if _tells(value)]
            )
            details = (("read before", said),) if said else ()
            return Paragraph(f"{glyphs.failed} {what}", details, failed=True)
        opened = self._opened()
        return paragraph_of(
            Scene(seen, frame, self._peer, opened, self._change, self._group, words)
        )


def _ends(connection: Connection, words: Words) -> str:
    hosts = [connection.client, connection.broker]
    named = " > ".join(words.brief.text(host, "client_host") for host in hosts if host)
    return f"{named} #{connection.number}".lstrip()


def _tells(value: object) -> bool:
    return value not in ("", None) and not isinstance(value, bytes)


def _plain(path: str, value: object, words: Words) -> str:
    return words.brief.text(value, path) if isinstance(value, str) else str(value)


class _ClosingParagraph:
    """What is told of a connection that was closed."""

    def __init__(self, closed: Closed, member: Member) -> None:
        self._closed = closed
        self._member = member

    def paragraph(self, words: Words, glyphs: Glyphs) -> Paragraph:
        how = "reset" if self._closed.reset else "closed"
        by = "the client" if self._closed.by_client else "the broker"
        who = words.member(self._member)
        number = self._closed.connection.number
        return Paragraph(
            f"{by} has {how} connection {number} of {who}, which has not left the group"
        )


class _Heading(NamedTuple):
    """What is in front of a paragraph, and `ends` of its connection behind it. `day` is the date,
    where a new day begins; `files` are numbers and names of those that have become known."""

    time: str
    day: str
    files: tuple[tuple[int, str], ...]
    packet: str
    group: str
    ends: Connection | None


class Chapter:
    """What is printed of one frame, or of the end of a connection."""

    def __init__(
        self,
        frame: Frame | None,
        paragraph: _FrameParagraph | _ClosingParagraph,
        heading: _Heading,
        words: Callable[[Glyphs], Words],
    ) -> None:
        self._frame = frame
        self._paragraph = paragraph
        self._heading = heading
        self._words = words

    def refused(self, policy: Policy) -> bool:
        """Return whether the policy refuses header or body."""
        return self._frame is not None and is_refused(self._frame, policy)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        time, day, files, number, name, between = self._heading
        words = self._words(glyphs)
        if day:
            yield Text(day, theme.TITLE)
        for file, source in files:
            yield Text(f"[{file}:...] packets of {words.brief.text(source, 'source')}", theme.TITLE)
        paragraph = self._paragraph.paragraph(words, glyphs)
        packet = f" [{number}]" if number else ""
        head = Text(f"{time}{packet}  ", theme.QUIET)
        style = theme.FAILED if paragraph.failed else theme.PLAIN
        body = Text(paragraph.sentence, style)
        if name:
            group = words.brief.text(name, "group_id")
            body = Text.assemble((f"{group}  ", theme.TITLE), body)
        yield HangingIndent(head, body)
        indent = Text(" " * (_HEAD + 4 if options.max_width >= _WIDE else 6))
        ends = (("between", _ends(between, words)),) if between is not None else ()
        for label, detail in (*paragraph.details, *ends):
            yield HangingIndent(
                indent, Text.assemble((label, theme.QUIET), "  " * bool(label), detail)
            )
