"""Captured frames as a source of the story: their events, and the rebalances that they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..capture.frames.error_codes import error_name
from ..capture.frames.frame import Frame
from ..capture.logs.event import LogEvent
from ..capture.logs.layouts import Stamp
from ..codec import ApiVersionsRequest, ConsumerProtocolAssignment, DecodeError
from ..inspector.group_context import Surroundings
from ..inspector.shapes.shape import iso_time
from ..inspector.views.redaction import Redaction
from ..inspector.views.theme import Glyphs
from .capture_story import CaptureStory, Chapter, StorySummary
from .causes import CAUSES
from .clocks import LogSource
from .events import Event
from .group_story import Selection
from .groups import Cause, Group, HistoryMember, Rebalance
from .reasons import LikelyCause, cause_of_reason
from .rebalances import LogRebalance
from .records import group_record
from .topic_names import TopicNames

__all__ = ["CapturedGroups", "read_frames"]


class CapturedGroups(NamedTuple):
    """What frames show: the rebalances of each group, the story of the frames, and what is told of
    each of them, where that is asked for. `names` are the groups by the names that are shown."""

    rebalances: Mapping[str, list[LogRebalance]]
    story: CaptureStory
    chapters: Sequence[Chapter]
    names: Mapping[str, str]

    def chosen(self, selection: Selection, redaction: Redaction | None = None) -> CapturedGroups:
        """Return the part that is told; with a redaction, groups by their stand-ins."""
        names = self.names
        if redaction is not None:
            names = {redaction.name(name, "group").strip('"'): name for name in names}
        chapters = [
            chapter for chapter in self.chapters
            if selection.has_client(chapter.client)
            and selection.has_time(chapter.timestamp or 0)
        ]  # fmt: skip
        return self._replace(chapters=chapters, names=names)

    def chapters_of(self, group: str) -> Iterator[Chapter]:
        """Yield what is told of each frame of a group."""
        name = self.names.get(group)
        return (chapter for chapter in self.chapters if chapter.group == name)

    def summary_of(self, group: str) -> StorySummary:
        """Return what the frames come to for a group."""
        return self.story.summary({self.names.get(group, "")})


def read_frames(
    source: LogSource,
    frames: Iterable[Frame],
    *,
    story: CaptureStory | None = None,
    files: Mapping[str, LogSource] = MappingProxyType({}),
    glyphs: Glyphs | None = None,
) -> CapturedGroups:
    """Read frames, which come in the order of their times, into a source; those of several files
    into that of their file. `story` has the ends of connections. What is told of each frame is
    written with `glyphs`; without them it is left out."""
    story = CaptureStory() if story is None else story
    around = Surroundings()
    chapters: list[Chapter] = []

    def tell(chapters_of_frame: Iterable[Chapter]) -> None:
        written = [
            chapter if glyphs is None else chapter.written(glyphs) for chapter in chapters_of_frame
        ]
        if glyphs is not None:
            chapters.extend(written)

    for number, frame in enumerate(frames, 1):
        tell(story.closings(frame.timestamp))
        chapter = story.tell(frame, around.around(frame))
        if chapter is not None:
            tell((chapter,))
        home = files.get(frame.source, source)
        line = number if frame.packet is None else frame.packet
        home.events += _release(frame, line)
        for event in story.events:
            if event.kind not in ("heard", "answered", "left"):
                entry = _log_event(event, line, story.topics)._replace(text=_text(frame, event))
                if event.kind == "sync-refused":
                    entry = _with_record_size(entry, story.history.groups.get(event.group))
                home.events.append(entry)
        home.events += [
            _gone(event.group, member, frame, line)
            for event in story.events
            for member in story.out
        ]
    tell(story.closings())
    rebalances = {
        name: [
            _rebalance(group, rebalance)
            for rebalance in (*group.rebalances, group.rebalance)
            if rebalance is not None and rebalance.first >= 0
        ]
        for name, group in story.history.groups.items()
    }
    return CapturedGroups(rebalances, story, chapters, {name: name for name in rebalances})


def _log_event(event: Event, number: int, topics: TopicNames) -> LogEvent:
    fields = event.fields
    details: dict[str, Any] = {}
    if fields.get("error"):
        details["error"] = error_name(fields["error"])
    details |= {
        key: fields[key]
        for key in ("reason", "protocol", "leader", "offsets", "by_other")
        if fields.get(key)
    }
    if event.kind == "joins" and "protocols" in fields:
        details["offers"] = (fields.get("protocol_type", ""), tuple(fields["protocols"]))
    if event.kind in ("assigned", "is-given", "reports-it-owns"):
        parts = fields.get("target" if event.kind == "is-given" else "owns")
        if parts is not None:
            details["partitions"] = tuple(
                sorted((str(topics.name(topic)), part) for topic, part in parts)
            )
    if event.kind == "joins" and event.protocol == "classic":
        details["claims"] = tuple((str(topic), part) for topic, part in fields["owns"])
    if event.kind == "leader-assigns":
        details["assignment"] = {
            member: _partitions(share) for member, share in fields.get("shares", {}).items()
        }
    return LogEvent(
        event.kind,
        "frames",
        "frames",
        number,
        _stamp(event.time),
        event.group,
        "" if event.protocol == "classic" else event.protocol,
        event.member,
        event.client,
        fields.get("instance_id") or "",
        event.generation,
        MappingProxyType(details),
    )


def _gone(group: str, member: HistoryMember, frame: Frame, number: int) -> LogEvent:
    """A member that is gone without a word: when it was heard of last, and when it was out at the
    latest."""
    fields = {"heard": member.heard, "closed": member.closed}
    return LogEvent(
        "gone", "frames", "frames", number, _stamp(frame.timestamp), group, "", member.member_id,
        member.client, member.instance_id or "", fields=fields,
    )  # fmt: skip


_SOFTWARE = {
    "apache-kafka-java": "kafka-clients", "sarama": "sarama", "kgo": "franz-go",
    "kafka-python": "kafka-python", "librdkafka": "librdkafka",
}  # fmt: skip
"""The clients of `clients.json` by the names that they give of themselves (KIP-511)."""
_LIBRDKAFKA = re.compile(r"librdkafka-v?(\d[\w.]*)")


def _release(frame: Frame, number: int) -> tuple[LogEvent, ...]:
    """The release that a client names when it asks for the versions of requests."""
    message = frame.body.message if frame.body is not None else None
    if not isinstance(message, ApiVersionsRequest) or not message.client_software_name:
        return ()
    header = frame.header.message if frame.header is not None else None
    client = (header.client_id or "") if header is not None else ""
    release = message.client_software_version
    of_binding = _LIBRDKAFKA.search(release)
    program = _SOFTWARE.get(message.client_software_name, message.client_software_name)
    if of_binding is not None:
        program, release = "librdkafka", of_binding[1]
    fields = {"program": program, "release": release.removeprefix("v")}
    event = LogEvent(
        "release", "frames", "frames", number, _stamp(frame.timestamp), client=client,
        fields=fields, text=f"ApiVersions request of {message.client_software_name} {release}",
    )  # fmt: skip
    return (event,)


def _stamp(time: float | None) -> Stamp:
    return Stamp() if time is None else Stamp(iso_time(time), time, True, True, True)


def _text(frame: Frame, event: Event) -> str:
    """What is shown of a frame as evidence."""
    error = event.fields.get("error")
    who = event.client or event.member
    words = [
        frame.api,
        frame.direction,
        f"of {who}" if who else "",
        event.fields.get("reason") or "",
    ]
    return " ".join(word for word in (*words, error_name(error) if error else "") if word)


def _with_record_size(event: LogEvent, group: Group | None) -> LogEvent:
    """A SyncGroup that failed, with the size of the record that the coordinator was to write."""
    current = group.current if group is not None else None
    if group is None or current is None or not current.shares:
        return event
    size = len(group_record(group, current).to_bytes())
    return event._replace(fields=MappingProxyType({**event.fields, "record_bytes": size}))


def _partitions(share: bytes) -> tuple[tuple[str, int], ...]:
    try:
        assignment = ConsumerProtocolAssignment.from_bytes(share)
    except DecodeError:
        return ()
    return tuple(sorted(
        (topic.topic, part) for topic in assignment.assigned_partitions for part in topic.partitions
    ))  # fmt: skip


_SAME_WORDS = {"member-fenced": "session-expired", "member-rejoined": ""}


def _rebalance(group: Group, rebalance: Rebalance) -> LogRebalance:
    row = LogRebalance(rebalance.last, rebalance.start, rebalance.end, rebalance.start)
    row.is_classic = group.kind == "classic"
    row.first = rebalance.first
    for cause in rebalance.causes:
        likely = _cause(cause)
        if likely is not None:
            row.add(likely)
    return row


def _cause(cause: Cause) -> LikelyCause | None:
    stated = cause_of_reason(cause.reason)
    word, is_certain = (stated[0], stated[1]) if stated else (cause.word, cause.certain)
    word = _SAME_WORDS.get(word, word)
    if word not in CAUSES or word == "unknown":
        return None
    member = cause.member
    rivals = () if is_certain else stated[2] if stated else CAUSES[word].rivals
    return LikelyCause(
        word, is_certain, member.member_id if member else "", member.client if member else "",
        rivals,
    )  # fmt: skip
