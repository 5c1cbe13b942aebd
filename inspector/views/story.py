"""A packet capture as a story, in time order: who joined with what, who led, who got what.

    2026-11-21
    08:29:34.485  java.range  consumer-1 joins (JoinGroup 9, protocol type consumer)
                range  subscription v3: topics orders
    08:29:37.501  java.range  generation 1: consumer-1 leads, by range
                consumer-1  subscription v3: topics orders
    08:29:37.507  java.range  consumer-1 assigns
                consumer-1  assignment v3: assigned partitions orders 0-11
    08:29:37.510  java.range  consumer-1 gets assignment v3: …

A frame that says nothing new (a heartbeat, a request that only asks) is counted, not shown.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...capture.frames.error_codes import ROUTINE, error_name
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
"""Connections of which client and group are known, the last ones heard of."""

_UNSUPPORTED_VERSION = 35  # of ApiVersions it is how versions are negotiated (KIP-511)
_WIDE = 80  # columns; below, what belongs to a frame stands further left
_UUID = re.compile(r"-?([0-9a-f]{4})[0-9a-f]{4}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


class Told(NamedTuple):
    """What is said of a frame: one sentence, and a line for each of what belongs to it, with what
    stands in front. `failed`: a broker's refusal."""

    sentence: str
    details: tuple[tuple[str, str], ...] = ()
    failed: bool = False


class _Peer(NamedTuple):
    """What is known of who asks on a connection."""

    client: str = ""
    group: str = ""
    request: Any = None


class Story:
    """Tells of frames, in order; `tell` gives what to print, None for what says nothing new."""

    def __init__(self, *, full: bool = False, redaction: Redaction | None = None) -> None:
        self._full = full
        self._redaction = redaction
        self._peers: OrderedDict[tuple[object, int | None], _Peer] = OrderedDict()
        self._day = ""
        self.untold: dict[str, int] = {}
        """API to the number of its frames that were read and not shown."""

    def tell(self, frame: Frame, around: Around) -> Chapter | None:
        """Return the next frame; `around` is what its conversation said before."""
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
        """Who asks, or asked."""
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
    """One frame of the story. `day` is given where one begins."""

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
        if (self._frame.api, self._frame.direction) in _ONLY_ASK:
            return not _ONLY_ASK[self._frame.api, self._frame.direction](seen.message)
        return self._frame.api_key in MEMBERSHIP or not _is_well(seen.message)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        if self._day:
            yield Text(self._day, theme.TITLE)
        brief = self._brief(glyphs)
        told = self._told(brief, glyphs)
        head = Text(f"{self._time}  ", theme.QUIET)
        style = theme.FAILED if told.failed else theme.PLAIN
        body = Text(told.sentence, style)
        if self._peer.group:
            group = brief.text(self._peer.group, "group_id")
            body = Text.assemble((f"{group}  ", theme.TITLE), body)
        yield HangingIndent(head, body)
        indent = Text(" " * (len(self._time) + 4 if options.max_width >= _WIDE else 6))
        for name, detail in told.details:
            yield HangingIndent(
                indent, Text.assemble((name, theme.QUIET), "  " * bool(name), detail)
            )

    def _told(self, brief: Brief, glyphs: Glyphs) -> Told:
        frame, seen = self._frame, self._frame.body
        if seen is None or seen.message is None:
            why = seen.error if seen is not None else frame.reason
            sign = f"{glyphs.failed} "
            return Told(f"{sign}{frame.api} {frame.direction} cannot be read: {why}", failed=True)
        opened = open_inside(seen, self._around)
        teller = _TELLERS.get((frame.api, frame.direction), _of_any)
        return teller(_Scene(seen, frame, self._peer, opened, brief))


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
        """Who asks or is answered."""
        return self.brief.text(self.peer.client, "client_id") if self.peer.client else "somebody"

    def member(self, member_id: str) -> str:
        """A member id, its random part made short."""
        return self.brief.text(_UUID.sub(r"-\1", member_id).lstrip("-"), "member_id")

    def refusal(self) -> Told | None:
        """If the broker answers with an error."""
        code = getattr(self.message, "error_code", 0)
        if not code:
            return None
        told = f"{self.client} is told {error_name(code)} ({self.frame.api})"
        return Told(told, failed=code not in ROUTINE)

    def inside(self, array: str) -> Iterator[tuple[Any, str]]:
        """The elements of an array with what is inside of them."""
        found = {inner.path.partition(".")[0]: inner for inner in self.opened}
        for number, item in enumerate(getattr(self.message, array)):
            inner = found.get(f"{array}[{number}]")
            yield item, self.brief.opened(inner) if inner is not None else "no bytes that are known"


def _joins(scene: _Scene) -> Told:
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
    return Told(f"{scene.client} joins{again}{named} ({about}){why}", details)


def _joined(scene: _Scene) -> Told:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    message = scene.message
    generation = f"generation {message.generation_id}: "
    if message.member_id != message.leader:
        return Told(f"{generation}{scene.client} follows {scene.member(message.leader)}")
    details = tuple(
        (scene.member(member.member_id), inside) for member, inside in scene.inside("members")
    )
    protocol = scene.brief.text(message.protocol_name or "", "protocol_name")
    kept = ", and leaves the assignment as it is" if message.skip_assignment else ""
    return Told(f"{generation}{scene.client} leads, by {protocol}{kept}", details)


def _assigns(scene: _Scene) -> Told:
    details = tuple(
        (scene.member(each.member_id), inside if each.assignment else "nothing at all")
        for each, inside in scene.inside("assignments")
    )
    generation = f"generation {scene.message.generation_id}"
    return Told(f"{scene.client} assigns in {generation}", details)


def _gets(scene: _Scene) -> Told:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    given = [scene.brief.opened(inner) for inner in scene.opened]
    nothing = "bytes that are not known" if scene.message.assignment else "nothing at all"
    return Told(f"{scene.client} gets {given[0] if given else nothing}")


def _leaves(scene: _Scene) -> Told:
    message = scene.message
    who = [scene.member(member.member_id) for member in message.members]
    who = who or [scene.member(message.member_id)]
    return Told(f"{scene.client} leaves: {', '.join(who)}")


def _of_any(scene: _Scene) -> Told:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    left_out = {inner.path.partition("[")[0] for inner in scene.opened} | {"group_id"}
    said = scene.brief.message(scene.message, scene.seen.schema_version, left_out)
    verb = "asks" if scene.frame.direction == "request" else "is answered"
    details = tuple((inner.path, scene.brief.opened(inner)) for inner in scene.opened)
    about = f"{scene.frame.api} {scene.frame.api_version}"
    return Told(f"{scene.client} {verb} ({about}){': ' if said else ''}{said}", details)


_TELLERS: dict[tuple[str, str], Callable[[_Scene], Told]] = {
    ("JoinGroup", "request"): _joins,
    ("JoinGroup", "response"): _joined,
    ("SyncGroup", "request"): _assigns,
    ("SyncGroup", "response"): _gets,
    ("LeaveGroup", "request"): _leaves,
}


def _is_well(message: Any) -> bool:
    return not getattr(message, "error_code", 0)


_ONLY_ASK: dict[tuple[str, str], Callable[[Any], bool]] = {
    ("ApiVersions", "response"): lambda message: message.error_code in (0, _UNSUPPORTED_VERSION),
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
"""What is only counted, if this is true of the message."""
