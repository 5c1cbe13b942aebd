"""Run `kproto story`: tell what happened in groups, from logs."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import stat
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..capture import MAX_BYTES
from ..capture.logs.layouts import read_time
from ..capture.logs.reader import LogReader
from ..capture.segments.records import Record
from ..capture.summary import Summary
from ..capture.tool_outputs import has_tool_output, member_events, read_tool_outputs, text_of
from ..clients.faults import faults, kafka_release
from ..cluster.tool_outputs import ToolSnapshot, events_of, snapshots_of
from ..history.clocks import LogSource
from ..history.group_facts import GroupCause, GroupFacts
from ..history.group_story import JudgeSettings, Selection, event_of, tell
from ..history.group_story_page import story_page
from ..history.group_story_view import StoryView, event_line
from ..history.of_frames import read_frames
from ..history.rebalances import LogRebalance
from ..inspector.shapes.group_shapes import SettingJudgement
from ..inspector.shapes.shape import iso_time
from ..inspector.shapes.story_shapes import Look, SourceLine, StoryOfGroups, Unread
from ..pipeline.groups.topic_story import TopicStory
from ..rebalance.client_settings import judge_settings
from ..rebalance.observed import observed_in_story
from ..wording import no_such
from .input.capture_files import SEGMENTS, Capture, find_capture
from .input.captures import read_items
from .input.client_settings import read_client_settings, settings_of_events
from .output.failures import (
    NOT_DONE,
    REFUSED,
    WRONG_USE,
    Failure,
    hide_with,
    say,
    unreadable,
)
from .output.hidden import hiding
from .output.json_output import print_json
from .output.progress import progress_of
from .output.story_redaction import redacted_story
from .output.terminal import check_export, console, screen
from .output.written import write_output

if TYPE_CHECKING:
    from ..capture.frames.frame import Frame

_UNPACKERS: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open),
)  # fmt: skip
_MAGIC = 5
_NAMES = 5
_HEAD = 16_384
"""Bytes at the beginning of a source that tell whether it is the output of a tool."""


def run(arguments: Namespace) -> int:
    """Tell the story of all sources together."""
    check_export(arguments)
    if arguments.redact_key:
        hide_with(hiding(arguments))
    if arguments.follow:
        return _follow(arguments)
    zone_ms = None if arguments.zone is None else _zone(arguments.zone)
    read = _Sources()
    names = _short_names([path for source in arguments.source for path in _files(source)])
    for path, name in names.items():
        read.add(path, name)
    read.say_what_tells_nothing()
    if not read.looks and not any(source.events for source in read.sources):
        return _say_nothing(read, arguments)
    selection = _selection(arguments, read.sources)
    for group, rebalances in read.topic.rebalances.items():
        read.captured.setdefault(group, []).extend(rebalances)
    story = tell(
        read.sources,
        read.unread,
        captured=read.captured,
        looks=read.looks,
        zone_ms=zone_ms,
        selection=selection,
        releases=_releases(arguments.release or ()),
        judge_settings=_judge_settings(read.sources, arguments.client_settings),
    )
    if arguments.client and not any(group.events for group in story.groups):
        raise Failure(_no_client(arguments, read.sources), WRONG_USE)
    if arguments.group and not story.groups:
        raise Failure(_no_group(arguments, read.sources), WRONG_USE)
    if _hides_names(arguments):
        events = (event for source in read.sources for event in source.events)
        story = redacted_story(story, events, arguments.redact_key)
    _show(story, arguments)
    return read.status


def _say_nothing(read: _Sources, arguments: Namespace) -> int:
    """Print why there is no story; return the exit status."""
    if read.is_empty and not read.status:
        raise Failure("nothing to tell: every source is empty", WRONG_USE)
    lines = "no line that is known" if read.unread else "no line"
    say(f"{lines} is about a consumer group, as brokers and clients print them")
    if read.unread:
        _show(StoryOfGroups((), (), tuple(read.unread)), arguments)
    return read.status or REFUSED


def _judge_settings(sources: Sequence[LogSource], files: Sequence[str]) -> JudgeSettings:
    """Return what judges the settings of a group's clients: those that logs and `files` have."""
    clients = [
        settings
        for source in sources
        for settings in settings_of_events(source.events, source.name)
        if settings.group
    ]
    clients += read_client_settings(files)

    def judge(
        view: GroupFacts, kind: str, causes: Sequence[GroupCause]
    ) -> tuple[SettingJudgement, ...]:
        return judge_settings(clients, observed_in_story(view, kind, causes))

    return judge


def _show(story: StoryOfGroups, arguments: Namespace) -> None:
    if arguments.json:
        print_json(story)
    elif arguments.html:
        write_output(arguments.html, story_page(story))
    else:
        with screen(arguments) as terminal:
            terminal.print(StoryView(story, full=arguments.full))


class _Sources:
    """What was read so far: `status` is 3 once a source could not be read to its end."""

    def __init__(self) -> None:
        self.sources: list[LogSource] = []
        self.unread: list[Unread] = []
        self.captured: dict[str, list[LogRebalance]] = {}
        self.looks: dict[str, list[Look]] = {}
        self.topic = TopicStory()
        self.status = 0
        self._without_events: dict[str, list[str]] = {}
        """The sources that tell nothing, by the reason."""

    def add(self, path: str, name: str) -> None:
        """Read a file, whatever it is."""
        source = LogSource(name)
        self.sources.append(source)
        capture = find_capture(path, "file", None, MAX_BYTES, tells=False) if path != "-" else None
        try:
            if capture is not None and capture.kind == SEGMENTS:
                self._add_segment(source, capture)
                return
            if capture is not None:
                self._add_capture(source, capture)
                return
            reader = LogReader()
            with _open_source(path) as file:
                if has_tool_output(cast("io.BufferedReader", file).peek(_HEAD)[:_HEAD]):
                    self._add_tool_output(source, text_of(file.read(MAX_BYTES)))
                    if file.read(1):
                        say(f"{path}: of this output of a tool, {MAX_BYTES:,} bytes were read")
                        self.status = NOT_DONE
                    return
                source.events = list(reader.read(file))
            self.unread += _unread(name, reader)
            if not source.events:
                self._without_events.setdefault(_reason(reader), []).append(name)
        except (OSError, EOFError, lzma.LZMAError) as error:
            say(f"{path}: {getattr(error, 'strerror', None) or error}")
            self.status = NOT_DONE

    def _add_segment(self, source: LogSource, capture: Capture) -> None:
        """Read a segment of the offsets topic."""
        summary = Summary()
        with progress_of(0) as bar:
            records = read_items(capture, summary, bar)
            self.topic.read(source, (item for item in records if isinstance(item, Record)))
        self._note_damage(source, summary)

    def _add_capture(self, source: LogSource, capture: Capture) -> None:
        """Read the frames of a packet capture."""
        summary = Summary()
        with progress_of(0) as bar:
            frames = cast("Iterator[Frame]", read_items(capture, summary, bar))
            for group, rebalances in read_frames(source, frames).items():
                self.captured.setdefault(group, []).extend(rebalances)
        self._note_damage(source, summary)

    def _note_damage(self, source: LogSource, summary: Summary) -> None:
        if summary.damaged:
            say(f"{source.name}: not all could be read: {summary}")
            self.status = NOT_DONE

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in any source."""
        return len(self._without_events.get(_EMPTY, ())) == len(self.sources)

    def say_what_tells_nothing(self) -> None:
        """Print which of several sources tell nothing, and why."""
        if len(self.sources) > 1:
            for reason, names in sorted(self._without_events.items()):
                more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
                say(f"{', '.join(names[:_NAMES])}{more}: {reason}")

    def _add_tool_output(self, source: LogSource, text: str) -> None:
        """Read what Kafka's or other tools print of groups: what is at that moment, and what must
        have happened between two."""
        outputs = read_tool_outputs(text)
        snapshots = snapshots_of(outputs)
        events = (*events_of(snapshots), *member_events(outputs))
        source.events = sorted(events, key=lambda event: event.line)
        if not snapshots and not source.events:
            reason = "a table without a row" if outputs.outputs else "nothing of a group"
            self._without_events.setdefault(reason, []).append(source.name)
        for snapshot in snapshots:
            look = _look(source.name, snapshot)
            self.looks.setdefault(snapshot.group.group_id, []).append(look)


_EMPTY = "empty"


def _reason(reader: LogReader) -> str:
    """Return why a log tells nothing."""
    if reader.is_empty:
        return _EMPTY
    if reader.is_binary:
        return "binary, no text (logs may be compressed with gzip, bzip2 or xz)"
    return "no line is about a consumer group"


def _look(source: str, snapshot: ToolSnapshot) -> Look:
    lags = [row.lag for row in snapshot.group.partitions if row.lag is not None]
    stamp = snapshot.stamp
    return Look(
        source,
        snapshot.lines[0],
        iso_time(stamp.milliseconds) if stamp.has_date and stamp.milliseconds is not None else None,
        stamp.text,
        snapshot.group.state,
        len(snapshot.group.members),
        sum(lags) if lags else None,
        len(snapshot.group.partitions) - len(lags),
        snapshot.group.remarks,
        snapshot.unasked,
    )


def _follow(arguments: Namespace) -> int:
    """Print the events of a log that grows; at its end, or at Ctrl-C, its story."""
    is_written = arguments.html or arguments.svg
    if len(arguments.source) > 1 or is_written or _hides_names(arguments):
        raise Failure("--follow takes one SOURCE, and prints what comes", WRONG_USE)
    (path,) = arguments.source
    source = LogSource("standard input" if path == "-" else path)
    reader = LogReader()
    chosen = _selection(arguments, [])
    output = console(arguments.color)
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        file = sys.stdin.buffer if path == "-" else stack.enter_context(_file(path))
        is_pipe = not stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        for event in reader.follow(cast("BinaryIO", file), is_pipe=is_pipe):
            source.events.append(event)
            told = event_of(event, source.name)
            if told is None or not (
                chosen.has_group(event.group) and chosen.has_client(event.client)
            ):
                continue
            if arguments.json:
                print_json(told)
            else:
                output.print(event_line(told, told.group))
            sys.stdout.flush()
    if not arguments.json and source.events:
        story = tell([source], _unread(source.name, reader), selection=chosen)
        output.print(StoryView(story, full=False))
    return 0


def _file(path: str) -> IO[bytes]:
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise unreadable(path, error) from None


def _no_client(arguments: Namespace, sources: list[LogSource]) -> str:
    names = {event.client for source in sources for event in source.events}
    return no_such("client", arguments.client, _shown(arguments, names))


def _no_group(arguments: Namespace, sources: list[LogSource]) -> str:
    names = {event.group for source in sources for event in source.events}
    return no_such("group", arguments.group, _shown(arguments, names))


def _shown(arguments: Namespace, names: set[str]) -> set[str]:
    """Names that a message may suggest: none where names are hidden."""
    return set() if _hides_names(arguments) else names


def _hides_names(arguments: Namespace) -> bool:
    return bool(arguments.redact or arguments.redact_key)


# -- sources


def _files(source: str) -> Iterator[str]:
    """The files of a source: a folder's, without what is hidden."""
    if source == "-":
        yield source
        return
    path = Path(source)
    if not path.exists():
        raise Failure(f"{source}: there is no such file or folder", WRONG_USE)
    if not path.is_dir():
        yield source
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.parts):
            yield str(file)


def _short_names(paths: list[str]) -> dict[str, str]:
    """A name for each path: as many of its last parts as tell it apart from the others."""
    names = {path: "standard input" for path in paths if path == "-"}
    parts = {path: Path(path).parts for path in paths if path != "-"}
    length = 1
    while parts:
        counts = Counter(of_path[-length:] for of_path in parts.values())
        for path, of_path in list(parts.items()):
            if counts[of_path[-length:]] == 1 or length >= len(of_path):
                names[path] = str(Path(*of_path[-length:]))
                del parts[path]
        length += 1
    return {path: names[path] for path in paths}


@contextmanager
def _open_source(path: str) -> Iterator[IO[bytes]]:
    """A source, unpacked where it is gzipped."""
    with nullcontext(sys.stdin.buffer) if path == "-" else _file(path) as file:
        buffered = io.BufferedReader(cast("io.RawIOBase", file))
        head = buffered.peek(_MAGIC)[:_MAGIC]
        unpack = next((unpack for magic, unpack in _UNPACKERS if head.startswith(magic)), None)
        if unpack is None:
            yield buffered
        else:
            with unpack(buffered) as unpacked:
                yield cast("IO[bytes]", unpacked)


def _unread(name: str, reader: LogReader) -> list[Unread]:
    return [
        Unread(
            name, family.name, family.unknown,
            tuple(SourceLine(name, number, text) for number, text in family.examples),
        )
        for family in reader.families if family.unknown
    ]  # fmt: skip


# -- times


def _zone(text: str) -> float:
    """How far a zone is from UTC, in milliseconds; of a place, now."""
    match = re.fullmatch(r"([+-])(\d\d):?(\d\d)", text)
    if match is not None:
        minutes = int(match[2]) * 60 + int(match[3])
        return minutes * 60_000.0 * (-1 if match[1] == "-" else 1)
    try:
        offset = datetime.now(ZoneInfo(text)).utcoffset() or timedelta()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Failure(
            f"--zone: {text!a} is no zone such as Europe/Berlin or +02:00", WRONG_USE
        ) from None
    return offset.total_seconds() * 1000


def _selection(arguments: Namespace, sources: list[LogSource]) -> Selection:
    newest = max(
        (
            event.stamp.milliseconds
            for source in sources for event in source.events
            if event.stamp.milliseconds is not None and event.stamp.has_date
        ),
        default=0.0,
    )  # fmt: skip
    return Selection(
        arguments.group or (),
        arguments.client or (),
        _moment("--since", arguments.since, newest),
        _moment("--until", arguments.until, newest),
    )


_UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_BACK = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[smhd])(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?)?"
    r"(?:\s+(?:ago|back|before))?"
)
"""Back from the newest: `2h`, `90 min ago`, `2 hours back`."""


def _moment(option: str, text: str | None, newest: float) -> float | None:
    """A time: absolute, of the day of the newest, or back from the newest."""
    if text is None:
        return None
    back = _BACK.fullmatch(text.strip())
    if back is not None:
        return newest - float(back["number"]) * _UNITS_MS[back["unit"]]
    whole = text if text.count(":") != 1 else f"{text}:00"
    stamp = read_time(whole)
    if stamp is None or stamp.text != whole or stamp.milliseconds is None:
        raise Failure(
            f"{option}: {text!a} is no time such as 2026-11-21T08:29, 08:29, 2h, 2 hours ago",
            WRONG_USE,
        )
    return (
        stamp.milliseconds if stamp.has_date else newest - newest % 86_400_000 + stamp.milliseconds
    )


def _releases(texts: Sequence[str]) -> dict[str, str]:
    """The releases that `--release` states, by program."""
    programs = sorted({fault.program for fault in faults()})
    releases = {}
    for text in texts:
        program, _, release = text.partition("=")
        if program not in programs or not release[:1].isdigit():
            line = f"PROGRAM is one of {', '.join(programs)}, RELEASE is 2.3.0"
            raise Failure(f"--release: {text!a}: {line}", WRONG_USE)
        releases[program] = kafka_release(release)
    return releases
