"""Read the sources of `kproto story`: files and folders of any kind, standard input, brokers."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from ...capture import MAX_BYTES, read_segment
from ...capture.compression import CannotDecompress, open_log, read_up_to
from ...capture.errors import CaptureError
from ...capture.forms.raw import to_text
from ...capture.logs.event import LogEvent
from ...capture.logs.reader import LogReader
from ...capture.segments.printed_records import (
    has_printed_records,
    read_printed_records,
    refuse_without_bytes,
    with_objects_on_lines,
)
from ...capture.segments.records import Record
from ...capture.summary import Summary
from ...capture.tool_outputs import has_tool_output, member_events, read_tool_outputs, text_of
from ...cluster.admin import OFFSETS_TOPIC
from ...cluster.api import session_of
from ...cluster.config.settings import SCHEME
from ...cluster.errors import ClusterError, ConfigError
from ...cluster.records import batches_of, offsets_bounds
from ...cluster.saved_facts import FACTS_ALONE, has_facts
from ...cluster.saved_history import histories_in
from ...cluster.tool_outputs import ToolSnapshot, events_of, snapshots_of
from ...history.capture_story import CaptureStory
from ...history.captured_groups import CapturedGroups, read_frames
from ...history.clocks import LogSource
from ...history.group_facts import GroupCause
from ...history.rebalances import LogRebalance
from ...history.restarts import Restart
from ...history.topic_names import TopicNames
from ...inspector.shapes.shape import iso_time
from ...inspector.shapes.story_shapes import Look, SourceLine, Unread
from ...inspector.views.redaction import Redaction
from ...inspector.views.theme import glyphs_for
from ...pipeline.groups.topic_story import TopicStory
from ...wording import some_of
from ..options.shared_options import client_settings
from ..output.failures import NOT_DONE, WRONG_USE, Failure, broker_hint, say, unreadable
from ..output.progress import progress_of
from .capture_files import SEGMENTS, STANDARD_INPUT, Capture, as_one, find_capture
from .captures import CaptureOptions, read_items, say_how_to_decrypt

if TYPE_CHECKING:
    from ...capture.frames.frame import Frame

__all__ = ["StorySources", "open_file", "open_source", "unread_lines"]

_NAMES = 5
_HEAD = 16_384
"""Bytes at the beginning of a source that tell whether it is the output of a tool."""
_HEADING = 4
"""Lines of it in which records begin that a tool has printed: kafka-dump-log begins with three."""
_AUDIT_TELLS = (
    "{path}: records of the offsets topic, of which the story tells rebalances alone. What commits "
    "and owners tell (offsets that went back, partitions that stand still): kproto audit {file} "
    "--out DIR"
)


class StorySources:
    """What was read so far: `status` is 3 once a source could not be read to its end. `redaction`
    hides the names in what is told of frames."""

    def __init__(self, arguments: Namespace, redaction: Redaction | None) -> None:
        self.sources: list[LogSource] = []
        self.unread: list[Unread] = []
        self.rebalances: dict[str, list[LogRebalance]] = {}
        """Those of each group that frames and records show."""
        self.captured: list[CapturedGroups] = []
        self.looks: dict[str, list[Look]] = {}
        self.causes: dict[str, tuple[GroupCause, ...]] = {}
        """The causes that the rules of the audit find in records, by group."""
        self.restarts: dict[str, Sequence[Restart]] = {}
        """The members that ended and came back by records, by group."""
        self.status = 0
        self._arguments = arguments
        self._redaction = redaction
        self._topic = TopicStory()
        self._captures: list[tuple[LogSource, Capture]] = []
        self._without_events: dict[str, list[str]] = {}
        """The sources that tell nothing, by the reason."""
        self._unopened = 0
        self.are_records_alone = True
        """Whether no log, output of a tool or capture is among the sources."""

    def read(self) -> None:
        """Read all sources that the arguments name."""
        brokers = [place for place in self._arguments.source if place.startswith(SCHEME)]
        paths = [
            path
            for place in self._arguments.source if place not in brokers
            for path in _files(place)
        ]  # fmt: skip
        for path, name in _short_names(paths).items():
            self._add(path, name)
        self._read_captures()
        for broker in brokers:
            self._read_broker(broker)
        self.causes = self._topic.causes()
        self.restarts = self._topic.restarts()
        for group, rebalances in self._topic.rebalances.items():
            self.rebalances.setdefault(group, []).extend(rebalances)
        if len(self.sources) > 1:
            for reason, names in sorted(self._without_events.items()):
                say(f"{some_of(names, _NAMES)}: {reason}")

    @property
    def is_unopened(self) -> bool:
        """Whether none of the sources could be opened."""
        return 0 < len(self.sources) == self._unopened

    @property
    def is_quiet(self) -> bool:
        """Whether some log has lines of a client or broker, and none of them is an event."""
        return _QUIET in self._without_events

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in any source."""
        return self._are_all(_EMPTY)

    @property
    def has_commits_alone(self) -> bool:
        """Whether every source has records of the offsets topic, and none of them a rebalance."""
        return self._are_all(_NO_REBALANCE)

    def _are_all(self, reason: str) -> bool:
        return 0 < len(self.sources) == len(self._without_events.get(reason, ()))

    @property
    def events(self) -> Iterator[LogEvent]:
        """All events that were read."""
        return (event for source in self.sources for event in source.events)

    def _add(self, path: str, name: str) -> None:
        """Read a file, whatever it is."""
        source = LogSource(name)
        self.sources.append(source)
        how = None if path == "-" else "file"
        capture = find_capture(path, how, None, MAX_BYTES, tells=False)
        try:
            if capture is not None and capture.kind == SEGMENTS:
                self._read_segment(source, capture)
            elif capture is not None:
                self.are_records_alone = False
                self._captures.append((source, capture))
            else:
                self._read_text(source, path)
        except (OSError, CannotDecompress, CaptureError) as error:
            say(f"{path}: {getattr(error, 'strerror', None) or error}")
            self.status = NOT_DONE
            self._unopened += 1

    def _read_text(self, source: LogSource, path: str) -> None:
        """Read a log, the output of a tool, or records that one has printed."""
        reader = LogReader()
        with open_source(path) as file:
            head = cast("io.BufferedReader", file).peek(_HEAD)[:_HEAD]
            for magic, advice in _ARCHIVES.items():
                if head.startswith(magic):
                    raise CannotDecompress(advice.format(file="FILE" if path == "-" else path))
            rows = islice(with_objects_on_lines(enumerate(head.split(b"\n"), 1)), _HEADING)
            if has_printed_records(b"\n".join(row for _, row in rows)):
                self._read_printed(source, path, file)
                return
            self.are_records_alone = False
            if has_facts(head):
                raise CannotDecompress(FACTS_ALONE)
            refuse_without_bytes(head)
            if has_tool_output(head):
                self._add_tool_output(source, text_of(read_up_to(file, MAX_BYTES)))
                if file.read(1):
                    say(f"{path}: of this output of a tool, {MAX_BYTES:,} bytes were read")
                    self.status = NOT_DONE
                return
            source.events = list(reader.read(file))
        self.unread += unread_lines(source.name, reader)
        if not source.events:
            self._without_events.setdefault(_reason(reader), []).append(source.name)

    def _read_segment(self, source: LogSource, capture: Capture) -> None:
        """Read a segment of the offsets topic."""
        summary = Summary()
        with progress_of(0) as bar:
            records = read_items(capture, summary, bar)
            self._topic.read(source, (item for item in records if isinstance(item, Record)))
        if summary.damaged:
            say(f"{source.name}: not all could be read: {summary}")
            self.status = NOT_DONE

    def _read_printed(self, source: LogSource, path: str, file: IO[bytes]) -> None:
        """Read records of the offsets topic that a tool has printed, or lines of JSON have."""
        lines = (to_text(line) for _, line in with_objects_on_lines(enumerate(file, 1)))
        self._topic.read(source, read_printed_records(source.name, lines))
        say(_AUDIT_TELLS.format(path=source.name, file="FILE" if path == "-" else path))
        if not source.events:
            self._without_events.setdefault(_NO_REBALANCE, []).append(source.name)

    def _read_broker(self, place: str) -> None:
        """Read the offsets topic of a broker, without changing anything there."""
        servers = place.removeprefix(SCHEME)
        try:
            self._read_topic(servers)
        except ConfigError as error:
            raise Failure(str(error), WRONG_USE) from None
        except ClusterError as error:
            raise Failure(str(error), NOT_DONE) from None
        say(_AUDIT_TELLS.format(path=place, file=place))

    def _read_topic(self, servers: str) -> None:
        settings = client_settings(servers, self._arguments.command_config)
        with session_of(settings, timeout=self._arguments.timeout) as session:
            for bounds in session.ask(offsets_bounds):
                source = LogSource(f"{servers}/{OFFSETS_TOPIC}-{bounds.partition}")
                self.sources.append(source)
                self._topic.read(source, (
                    record
                    for data in batches_of(session, bounds)
                    for record in read_segment(
                        io.BytesIO(data), source.name, partition=bounds.partition
                    )
                ))  # fmt: skip

    def _read_captures(self) -> None:
        """Read the captures of packets as one, in the order of time, and each of the others."""
        homes = {capture.source: source for source, capture in self._captures}
        for _, capture in as_one([(None, capture) for _, capture in self._captures]):
            if capture is not None:
                self._read_capture(capture, homes)

    def _read_capture(self, capture: Capture, homes: Mapping[str, LogSource]) -> None:
        arguments = self._arguments
        topics, summary = TopicNames(), Summary()
        story = CaptureStory(
            full=arguments.full,
            redaction=self._redaction,
            topics=topics,
            hosts=arguments.hosts,
            files={path: homes[path].name for path in capture.paths} if capture.paths[1:] else {},
        )
        saved_lines: list[bytes] = []
        with progress_of(0) as bar:
            how = CaptureOptions(
                on_closed=story.close, learn=topics.learning, history=saved_lines.append
            )
            frames = cast("Iterator[Frame]", read_items(capture, summary, bar, how))
            source = homes.get(capture.source) or homes[capture.paths[0]]
            glyphs = glyphs_for(getattr(sys.stdout, "encoding", None) or "utf-8")
            is_shown = arguments.full and not arguments.json
            captured = read_frames(
                source, frames, story=story, files=homes, glyphs=glyphs if is_shown else None
            )
        if saved_lines:
            self._read_saved(source, saved_lines, capture.source)
        say(f"{capture.source}: {summary}")
        if is_shown and story.untold:
            untold = ", ".join(f"{times:,} of {api}" for api, times in story.untold.items())
            say(f"routine frames, which are not in the story: {untold}")
        say_how_to_decrypt(summary)
        if summary.damaged:
            self.status = NOT_DONE
        self.captured.append(captured)
        for group, rebalances in captured.rebalances.items():
            self.rebalances.setdefault(group, []).extend(rebalances)

    def _read_saved(self, source: LogSource, lines: Iterable[bytes], file: str) -> None:
        """Read the records that a file of `kproto group --save` has beside its frames."""
        histories = histories_in(lines)
        for recent in histories.values():
            self._topic.read(source, recent.records)
        if histories:
            named = "FILE" if file == STANDARD_INPUT else file
            say(_AUDIT_TELLS.format(path=source.name, file=named))

    def _add_tool_output(self, source: LogSource, text: str) -> None:
        """Read what Kafka's or other tools print of groups: what is at that moment, and what must
        have happened between two."""
        outputs = read_tool_outputs(text)
        snapshots = snapshots_of(outputs)
        events = (*events_of(snapshots), *member_events(outputs))
        source.events = sorted(events, key=lambda event: event.line)
        for tool in sorted({line.tool for line in outputs.unread} - {""}):
            rows = [line for line in outputs.unread if line.tool == tool]
            examples = tuple(SourceLine(source.name, row.line, row.text) for row in rows)
            self.unread.append(Unread(source.name, tool, len(rows), examples))
        if not snapshots and not source.events:
            reason = "a table without a row" if outputs.outputs else "nothing of a group"
            self._without_events.setdefault(reason, []).append(source.name)
        for snapshot in snapshots:
            look = _look(source.name, snapshot)
            self.looks.setdefault(snapshot.group.group_id, []).append(look)


_ARCHIVES = {
    b"PK\x03\x04": "a zip archive: unpack it (unzip {file} -d DIR), and give the folder",
    b"7z\xbc\xaf": "a 7-Zip archive: unpack it, and give the folder",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: zstd -dc {file} | kproto story -",
    b"\x04\x22\x4d\x18": "compressed with lz4: lz4 -dc {file} | kproto story -",
}
"""What the first bytes of a file that holds logs in another way say, and what to do."""
_EMPTY = "empty"
_NO_REBALANCE = "its records show no rebalance"
_QUIET = "lines of a client or broker, none of which tells what happened in a group"


def _reason(reader: LogReader) -> str:
    """Return why a log tells nothing."""
    if reader.is_empty:
        return _EMPTY
    if reader.is_binary:
        return "binary, no text (logs may be compressed with gzip, bzip2 or xz)"
    if reader.is_known:
        return _QUIET
    return "no line is about a consumer group"


_WITHOUT_MEMBERS = frozenset({"Empty", "Dead"})


def _look(source: str, snapshot: ToolSnapshot) -> Look:
    lags = [row.lag for row in snapshot.group.partitions if row.lag is not None]
    stamp = snapshot.stamp
    return Look(
        source,
        snapshot.lines[0],
        iso_time(stamp.milliseconds) if stamp.has_date and stamp.milliseconds is not None else None,
        stamp.text,
        snapshot.group.state,
        snapshot.group.size or (0 if snapshot.group.state in _WITHOUT_MEMBERS else None),
        sum(lags) if lags else None,
        len(snapshot.group.partitions) - len(lags),
        snapshot.group.remarks,
        snapshot.unasked,
    )


def open_file(path: str) -> IO[bytes]:
    """Open a file that exists. Raises Failure."""
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise unreadable(path, error) from None


def _files(source: str) -> Iterator[str]:
    """The files of a source: a folder's, without what is hidden."""
    if source == "-":
        yield source
        return
    path = Path(source)
    if not path.exists():
        hint = broker_hint(source)
        raise Failure(f"{source}: there is no such file or folder{hint}", WRONG_USE)
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
def open_source(path: str) -> Iterator[IO[bytes]]:
    """Open a source, unpacked where it is compressed."""
    with (
        nullcontext(sys.stdin.buffer) if path == "-" else open_file(path) as file,
        open_log(io.BufferedReader(cast("io.RawIOBase", file))) as content,
    ):
        yield content


def unread_lines(name: str, reader: LogReader) -> list[Unread]:
    """Return the lines of a log that nearly are known ones, by the program that wrote them."""
    return [
        Unread(
            name, family.name, family.unknown,
            tuple(SourceLine(name, number, text) for number, text in family.examples),
        )
        for family in reader.families if family.unknown
    ]  # fmt: skip
