"""The view of a packet capture as a story, in time order: who joined, led, assigned and got what.

    2026-11-21
    08:29:34.485  java.range  consumer-1 joins (JoinGroup 9, protocol type consumer)
                range  subscription v3: topics orders
    08:29:37.501  java.range  generation 1: consumer-1 leads, by range
                consumer-1  subscription v3: topics orders
    08:29:37.507  java.range  consumer-1 assigns
                consumer-1  assignment v3: assigned partitions orders 0-11
    08:29:37.510  java.range  consumer-1 gets assignment v3: …

A routine frame (a heartbeat, a request without news) is counted, not shown.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...capture.frames.error_codes import ROUTINE, UNSUPPORTED_VERSION, error_name
from ...capture.frames.frame import Frame
from ...codec.read.decoding import Decoded, Policy
from ..identification.candidates import MEMBERSHIP
from ..open.opening import Around, Opened, open_inside
from ..reports.frame_report import is_refused
from . import theme
from .redaction import Redaction
from .summary_line import Brief, moment
from .theme import Glyphs, HangingIndent, glyphs_for

MAX_REMEMBERED = 10_000
"""Requests whose client and group are remembered until the response, the latest ones."""

_WIDE = 80  # columns; in fewer, details are less indented
_UUID = re.compile(r"-?([0-9a-f]{4})[0-9a-f]{4}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


class Paragraph(NamedTuple):
    """The text on a frame: a sentence, and details with their labels. `failed`: the frame is an
    error response, or cannot be read."""

    sentence: str
    details: tuple[tuple[str, str], ...] = ()
    failed: bool = False


class _Peer(NamedTuple):
    """The client that sent a request, its group, and the request."""

    client: str = ""
    group: str = ""
    request: Any = None


class Story:
    """The story of frames, which are given in order; `tell` returns what to print of each."""

    def __init__(self, *, full: bool = False, redaction: Redaction | None = None) -> None:
        self._full = full
        self._redaction = redaction
        self._peers: OrderedDict[tuple[object, int | None], _Peer] = OrderedDict()
        self._day = ""
        self.untold: dict[str, int] = {}
        """The number of frames that were read and not shown, by API."""

    def tell(self, frame: Frame, around: Around) -> Chapter | None:
        """Return what to print of the next frame, None if it is routine; `around` is what its
        connection named before."""
        peer = self._peer(frame)
        if frame.foreign:
            return None
        when = moment(frame.timestamp)
        day, time = when[:10], when[11:] or when
        new_day = day if day != self._day else ""
        chapter = Chapter(frame, around, peer, time, new_day, self._brief)
        if not chapter.says_something:
            self.untold[frame.api] = self.untold.get(frame.api, 0) + 1
            return None
        self._day = day
        return chapter

    def _brief(self, glyphs: Glyphs) -> Brief:
        return Brief(glyphs, full=self._full, redaction=self._redaction)

    def _peer(self, frame: Frame) -> _Peer:
        """The client that sent the request, or the one that this is the response to."""
        place = frame.connection, frame.correlation_id
        if frame.direction == "response":
            return self._peers.pop(place, _Peer())
        header = frame.header.message if frame.header is not None else None
        request = frame.body.message if frame.body is not None else None
        client = (header.client_id or "") if header is not None else ""
        group = getattr(request, "group_id", "")
        peer = self._peers[place] = _Peer(client, group, request)
        if len(self._peers) > MAX_REMEMBERED:
            self._peers.popitem(last=False)
        return peer


class Chapter:
    """What is printed of one frame. `day` is the date, where a new day begins."""

    def __init__(
        self,
        frame: Frame,
        around: Around,
        peer: _Peer,
        time: str,
        day: str,
        brief: Callable[[Glyphs], Brief],
    ) -> None:
        self._frame = frame
        self._around = around
        self._peer = peer
        self._time = time
        self._day = day
        self._brief = brief

    def refused(self, policy: Policy) -> bool:
        """Return whether the policy refuses header or body."""
        return is_refused(self._frame, policy)

    @property
    def says_something(self) -> bool:
        seen = self._frame.body
        if seen is None or seen.message is None:
            return True
        if (self._frame.api, self._frame.direction) in _ROUTINE_FRAMES:
            return not _ROUTINE_FRAMES[self._frame.api, self._frame.direction](seen.message)
        return self._frame.api_key in MEMBERSHIP or not _is_well(seen.message)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        if self._day:
            yield Text(self._day, theme.TITLE)
        brief = self._brief(glyphs)
        paragraph = self._paragraph(brief, glyphs)
        head = Text(f"{self._time}  ", theme.QUIET)
        style = theme.FAILED if paragraph.failed else theme.PLAIN
        body = Text(paragraph.sentence, style)
        if self._peer.group:
            group = brief.text(self._peer.group, "group_id")
            body = Text.assemble((f"{group}  ", theme.TITLE), body)
        yield HangingIndent(head, body)
        indent = Text(" " * (len(self._time) + 4 if options.max_width >= _WIDE else 6))
        for name, detail in paragraph.details:
            yield HangingIndent(
                indent, Text.assemble((name, theme.QUIET), "  " * bool(name), detail)
            )

    def _paragraph(self, brief: Brief, glyphs: Glyphs) -> Paragraph:
        frame, seen = self._frame, self._frame.body
        if seen is None or seen.message is None:
            why = seen.error if seen is not None else frame.reason
            sign = f"{glyphs.failed} "
            return Paragraph(
                f"{sign}{frame.api} {frame.direction} cannot be read: {why}", failed=True
            )
        opened = open_inside(seen, self._around)
        write = _WRITERS.get((frame.api, frame.direction), _of_any)
        return write(_Scene(seen, frame, self._peer, opened, brief))


class _Scene(NamedTuple):
    seen: Decoded[Any]
    frame: Frame
    peer: _Peer
    opened: tuple[Opened, ...]
    brief: Brief

    @property
    def message(self) -> Any:
        return self.seen.message

    @property
    def client(self) -> str:
        """The name of the client that asks or is answered."""
        return self.brief.text(self.peer.client, "client_id") if self.peer.client else "somebody"

    def member(self, member_id: str) -> str:
        """Return a member id with its random part cut short."""
        return self.brief.text(_UUID.sub(r"-\1", member_id).lstrip("-"), "member_id")

    def refusal(self) -> Paragraph | None:
        """Return the paragraph of an error response; None for any other frame."""
        code = getattr(self.message, "error_code", 0)
        if not code:
            return None
        paragraph = f"{self.client} is told {error_name(code)} ({self.frame.api})"
        return Paragraph(paragraph, failed=code not in ROUTINE)

    def inside(self, array: str) -> Iterator[tuple[Any, str]]:
        """Yield the elements of an array, each with the line of what is inside of it."""
        found = {inner.path.partition(".")[0]: inner for inner in self.opened}
        for number, item in enumerate(getattr(self.message, array)):
            inner = found.get(f"{array}[{number}]")
            yield item, self.brief.opened(inner) if inner is not None else "no bytes that are known"


def _joins(scene: _Scene) -> Paragraph:
    message = scene.message
    again = " again" if message.member_id else ""
    static = message.group_instance_id
    named = f" as static member {scene.brief.text(static, 'group_instance_id')}" if static else ""
    why = f" because {scene.brief.text(message.reason, 'reason')}" if message.reason else ""
    details = tuple(
        (scene.brief.text(protocol.name, "protocol_name"), inside)
        for protocol, inside in scene.inside("protocols")
    )
    type_ = scene.brief.text(message.protocol_type, "protocol_type")
    about = f"JoinGroup {scene.frame.api_version}, protocol type {type_}"
    return Paragraph(f"{scene.client} joins{again}{named} ({about}){why}", details)


def _joined(scene: _Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    message = scene.message
    generation = f"generation {message.generation_id}: "
    if message.member_id != message.leader:
        return Paragraph(f"{generation}{scene.client} follows {scene.member(message.leader)}")
    details = tuple(
        (scene.member(member.member_id), inside) for member, inside in scene.inside("members")
    )
    protocol = scene.brief.text(message.protocol_name or "", "protocol_name")
    kept = ", and leaves the assignment as it is" if message.skip_assignment else ""
    return Paragraph(f"{generation}{scene.client} leads, by {protocol}{kept}", details)


def _assigns(scene: _Scene) -> Paragraph:
    details = tuple(
        (scene.member(each.member_id), inside if each.assignment else "nothing at all")
        for each, inside in scene.inside("assignments")
    )
    generation = f"generation {scene.message.generation_id}"
    return Paragraph(f"{scene.client} assigns in {generation}", details)


def _gets(scene: _Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    given = [scene.brief.opened(inner) for inner in scene.opened]
    nothing = "bytes that are not known" if scene.message.assignment else "nothing at all"
    return Paragraph(f"{scene.client} gets {given[0] if given else nothing}")


def _leaves(scene: _Scene) -> Paragraph:
    message = scene.message
    who = [scene.member(member.member_id) for member in message.members]
    who = who or [scene.member(message.member_id)]
    return Paragraph(f"{scene.client} leaves: {', '.join(who)}")


def _of_any(scene: _Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    left_out = {inner.path.partition("[")[0] for inner in scene.opened} | {"group_id"}
    said = scene.brief.message(scene.message, scene.seen.schema_version, left_out)
    verb = "asks" if scene.frame.direction == "request" else "is answered"
    details = tuple((inner.path, scene.brief.opened(inner)) for inner in scene.opened)
    about = f"{scene.frame.api} {scene.frame.api_version}"
    return Paragraph(f"{scene.client} {verb} ({about}){': ' if said else ''}{said}", details)


_WRITERS: dict[tuple[str, str], Callable[[_Scene], Paragraph]] = {
    ("JoinGroup", "request"): _joins,
    ("JoinGroup", "response"): _joined,
    ("SyncGroup", "request"): _assigns,
    ("SyncGroup", "response"): _gets,
    ("LeaveGroup", "request"): _leaves,
}


def _is_well(message: Any) -> bool:
    return not getattr(message, "error_code", 0)


_ROUTINE_FRAMES: dict[tuple[str, str], Callable[[Any], bool]] = {
    # How versions are negotiated (KIP-511).
    ("ApiVersions", "response"): lambda message: message.error_code in (0, UNSUPPORTED_VERSION),
    ("Heartbeat", "request"): lambda _: True,
    ("Heartbeat", "response"): _is_well,
    ("LeaveGroup", "response"): _is_well,
    ("SyncGroup", "request"): lambda message: not message.assignments,
    ("ConsumerGroupHeartbeat", "request"): lambda message: (
        not (
            message.member_epoch <= 0 or message.topic_partitions or message.subscribed_topic_names
        )
    ),
    ("ConsumerGroupHeartbeat", "response"): lambda message: (
        not message.error_code and message.assignment is None
    ),
}
"""Frames that are only counted, where the function is true of their message."""
