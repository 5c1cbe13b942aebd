"""Show a capture, for `kproto decode`: every record or frame, and a summary at the end.

With --json each has a line; without, they are shown as a list.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from json import loads
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from rich.segment import Segments

from ... import capture as captured
from ... import inspector
from ...capture import CaptureError, decode_record, plain_record, read_segment, read_segments
from ...capture.frames.api_keys import apis, apis_of
from ...capture.frames.frame import in_time
from ...capture.packets.followed import read_followed
from ...capture.packets.printed import read_printed
from ...capture.segments.offsets_topic import group_of, is_internal, record_types
from ...capture.segments.records import Record
from ...capture.segments.segment_files import RecordRun, Write, read_runs, segment_files
from ...capture.summary import Summary
from ...codec.read.decoding import Policy
from ...escaping import escaped
from ...history.calls import Calls
from ...history.topic_names import TopicNames
from ...inspector.group_context import Surroundings
from ...inspector.identification import verdict
from ...inspector.reports.compiled_lines import compiled_lines
from ...inspector.reports.frame_lines import FrameLines
from ...inspector.reports.frame_report import is_refused
from ...inspector.reports.record_lines import RecordLines
from ...inspector.shapes.shape import json_line
from ...wording import counted, is_named, no_such
from ..options.moments import Moment
from ..output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say, unreadable
from ..output.progress import Progress, progress_of
from ..output.terminal import redaction_of, screen
from .capture_files import FOLLOWED, FRAMES, PRINTED, SEGMENTS, Capture
from .message_types import load

if TYPE_CHECKING:
    from rich.console import Console

    from ...capture.frames.api_keys import Api
    from ...capture.frames.frame import Closed, Frame
    from ...history.calls import Call
    from ...inspector.views.redaction import Redaction


def never(item: object) -> bool:
    """Return False, whatever the item is."""
    return False


class Shown(NamedTuple):
    """How a capture is shown. `show` shows a record, a run of records or a frame, and returns how
    many of them were refused; `is_over` tells that nothing behind an item is shown. The others are
    those of `CaptureOptions`; without `write`, records are read singly."""

    show: Callable[[Any], int]
    write: Write | None = None
    on_closed: Callable[[Closed], None] | None = None
    learn: Callable[[Iterator[Frame]], Iterator[Frame]] = iter
    is_over: Callable[[Any], bool] = never


class CaptureOptions(NamedTuple):
    """How a capture is read: what makes runs of records, what is told of connections that were
    closed, who learns from frames before they are sorted, the APIs that are decoded, and what takes
    the lines of a group's records that are beside saved frames."""

    write: Write | None = None
    on_closed: Callable[[Closed], None] | None = None
    learn: Callable[[Iterator[Frame]], Iterator[Frame]] = iter
    definitions: Mapping[int, Api] | None = None
    history: Callable[[bytes], object] | None = None


T = TypeVar("T")

_ENCRYPTED = "connection that is encrypted (TLS)"
_DECRYPT = (
    "TLS is not decrypted here. Where there is a key log file of the connections, tshark decrypts "
    "one of them, here the first (0): "
    "tshark -r FILE -q -o tls.keylog_file:KEYS -z follow,tls,raw,0 | kproto decode -"
)

_FOR_ONE_MESSAGE = {
    "name": "--as",
    "body": "--body",
    "reader_version": "--reader-version",
    "field": "--field",
}


def run_capture(capture: Capture, arguments: Namespace, frame_options: list[str]) -> int:
    """Show a capture; return 3 if it is damaged, 1 if something was refused or it is empty.

    `frame_options` are those of the call that are for packets and frames alone.
    """
    about = f"{capture.source!r} is a capture of {capture.kind}"
    for name, option in _FOR_ONE_MESSAGE.items():
        if getattr(arguments, name, None) is not None:
            raise Failure(f"{option} is for single messages, and {about}", WRONG_USE)
    if capture.kind == SEGMENTS:
        definitions = ["--definitions"] if arguments.definitions is not None else []
        for option in [*(option for option in frame_options if option != "--group"), *definitions]:
            raise Failure(f"{option} is for packets and frames, and {about}", WRONG_USE)
    summary = Summary()
    show_with = _records_shown if capture.kind == SEGMENTS else _frames_shown
    refusals = 0
    apis = _apis_with(arguments.definitions)
    with progress_of(_size(capture)) as bar, show_with(arguments) as view:
        how = CaptureOptions(view.write, view.on_closed, view.learn, apis)
        for item in read_items(capture, summary, bar, how):
            if view.is_over(item):
                break
            refusals += view.show(item)
    also = f"; {refusals:,} of them refused" if refusals else ""
    say(f"{summary}{also}")
    say_how_to_decrypt(summary)
    nothing = not summary.read.get("records") and not summary.read.get("frames")
    if summary.damaged:
        return NOT_DONE
    return REFUSED if refusals or nothing else 0


def say_how_to_decrypt(summary: Summary) -> None:
    """Print how to read connections that are encrypted, where there are some."""
    if any(skip.reason == _ENCRYPTED for skip in summary.skipped):
        say(_DECRYPT)


# -- reading


def read_items(
    capture: Capture, summary: Summary, bar: Progress, how: CaptureOptions | None = None
) -> Iterator[Record | RecordRun] | Iterator[Frame]:
    """Return an iterator of every record or frame, and of runs of those records that `how.write`
    writes. Raises Failure where a file cannot be read at all.
    """
    how = CaptureOptions() if how is None else how
    if capture.kind == SEGMENTS:
        return bar.records(_readable(_records(capture, summary, how.write), capture.source))
    frames = how.learn(_readable(_frames(capture, summary, bar, how), capture.source))
    return in_time(frames) if capture.path is not None else frames


def _frames(
    capture: Capture, summary: Summary, bar: Progress, how: CaptureOptions
) -> Iterator[Frame]:
    if capture.kind == FRAMES:
        read_lines = partial(_frame_lines, definitions=how.definitions, history=how.history)
        return _from_file(capture, summary, bar, read_lines)
    if capture.kind == FOLLOWED:
        return _from_file(capture, summary, bar, partial(_followed, definitions=how.definitions))
    if capture.kind == PRINTED:
        read_text = partial(read_printed, definitions=how.definitions, closed=how.on_closed)
        return _from_file(capture, summary, bar, read_text)
    read = partial(captured.read_pcap, closed=how.on_closed, definitions=how.definitions)
    if capture.paths:
        return read(capture.paths, summary=summary)
    return _from_file(capture, summary, bar, read)


def _records(
    capture: Capture, summary: Summary, write: Write | None
) -> Iterator[Record] | Iterator[Record | RecordRun]:
    if capture.path is None:
        assert capture.file is not None
        return read_segment(capture.file, capture.source, summary=summary)
    files = segment_files(capture.path, Summary())
    if not files:
        reason = (
            "Is a directory without log segments; kproto lint reads the files of a folder, and "
            "kproto decode FILE... shows them"
        )
        raise Failure(f"{capture.source!r} cannot be read: {reason}", WRONG_USE)
    if write is not None and not any(is_internal(str(file.path)) for file in files):
        return read_runs([capture.path], write, summary=summary)
    return read_segments([capture.path], summary=summary)


def _from_file(
    capture: Capture, summary: Summary, bar: Progress, read: Callable[..., Iterator[Frame]]
) -> Iterator[Frame]:
    if capture.path is None:
        yield from read(capture.file, source=capture.source, summary=summary)
    else:
        with Path(capture.path).open("rb") as file:
            content = file if capture.unpack is None else capture.unpack(file)
            yield from bar.of_file(read(content, source=capture.source, summary=summary), file)


def _frame_lines(
    file: BinaryIO,
    *,
    source: str,
    summary: Summary,
    definitions: Mapping[int, Api] | None,
    history: Callable[[bytes], object] | None,
) -> Iterator[Frame]:
    return captured.read_frame_lines(file, source, summary, definitions, history=history)


def _followed(
    file: BinaryIO, *, source: str, summary: Summary, definitions: Mapping[int, Api] | None
) -> Iterator[Frame]:
    return read_followed(file, source, summary, definitions)


def _apis_with(definitions: str | None) -> Mapping[int, Api] | None:
    """The APIs whose frames are decoded: those that are built in, and those of --definitions."""
    if definitions is None:
        return None

    return {**apis(), **apis_of(load(definitions))}


def _readable(items: Iterator[T], source: str) -> Iterator[T]:
    """Yield the items; errors in reading become Failure, since `main` takes others for errors in
    writing."""
    try:
        yield from items
    except CaptureError as error:
        raise Failure(f"{source!r}: {error}", NOT_DONE) from None
    except OSError as error:
        name = error.filename or source
        raise unreadable(repr(name), error) from None


def _size(capture: Capture) -> int:
    """The number of bytes to read; 0 if that is not known."""
    if capture.path is None:
        return 0
    try:
        files = segment_files(capture.path, Summary()) if capture.kind == SEGMENTS else ()
        paths = [file.path for file in files] or [Path(capture.path)]
        return sum(path.stat().st_size for path in paths)
    except OSError:
        return 0


# -- showing


def _detail(arguments: Namespace) -> dict[str, bool]:
    """What lines of JSON have besides, by the arguments of `decoded_report`. What --redact hides
    would have to be hidden in it, field by field."""
    is_open = not arguments.redact
    return {"with_fields": is_open and arguments.full, "with_bytes": is_open and arguments.bytes}


@contextmanager
def _records_shown(arguments: Namespace) -> Iterator[Shown]:
    groups, present = tuple(arguments.group or ()), set[str]()
    shown = _record_lines_shown if arguments.json else _records_listed
    with shown(arguments) as view:
        yield view if not groups else Shown(_of_groups(groups, present, view.show))
    _check_groups(groups, present, arguments)


def _of_groups(
    groups: tuple[str, ...], present: set[str], show: Callable[[Record], int]
) -> Callable[[Record], int]:
    """Return what shows the records of groups alone; `present` becomes the groups of all records,
    the first of many."""

    def show_chosen(record: Record) -> int:
        group = group_of(record)
        if group and len(present) < _MOST_GROUPS:
            present.add(group)
        return show(record) if group and is_named(group, groups) else 0

    return show_chosen


def _check_groups(groups: Sequence[str], present: set[str], arguments: Namespace) -> None:
    """Raise Failure where a group that is asked for is not there."""
    missing = [name for name in groups if not any(is_named(group, [name]) for group in present)]
    if missing and present and not arguments.redact:  # a name would be quoted
        raise Failure(no_such("group", missing, present), WRONG_USE)


@contextmanager
def _record_lines_shown(arguments: Namespace) -> Iterator[Shown]:
    detail = _detail(arguments)
    in_runs = not (arguments.redact or arguments.group or any(detail.values()))
    with _json_written(arguments) as write:
        yield _record_lines(write, Policy(arguments.policy), in_runs=in_runs, detail=detail)


@contextmanager
def _records_listed(arguments: Namespace) -> Iterator[Shown]:
    policy = Policy(arguments.policy)
    redaction = redaction_of(arguments)
    with screen(arguments) as console:
        source = ""

        def show(record: Record) -> bool:
            nonlocal source
            if record.source != source:
                source = record.source
                _print_place(console, source, redaction)
            read = decode_record(record)
            parts = [part for part in (read.key, read.value) if part is not None]
            unread = bool(read.reason) and not record.control
            is_refused = unread or any(verdict(part, policy)[1] for part in parts)
            console.print(
                inspector.RecordView(
                    record, read, refused=is_refused, full=arguments.full, redaction=redaction
                )
            )
            return is_refused

        yield Shown(show)


def _print_place(console: Console, source: str, redaction: Redaction | None) -> None:
    place = escaped(source) if redaction is None else redaction.name(source, "source")
    console.print(Segments(inspector.heading_line(console, place)), end="")


def _record_lines(
    write: Callable[[bytes, bool], bool],
    policy: Policy,
    *,
    in_runs: bool,
    detail: dict[str, bool],
) -> Shown:
    plain = (lambda _: None) if any(detail.values()) else plain_record
    lines = RecordLines(plain, decode_record, policy, **detail)
    kinds = {number: (kind.key, kind.value) for number, kind in record_types().items()}
    compiled = compiled_lines(kinds, lines) if in_runs else None

    def show(item: Record | RecordRun) -> int:
        if isinstance(item, Record):
            return write(*lines.line(item))
        refusals = 0
        for part in item.parts:
            line = (part, False) if isinstance(part, bytes) else lines.line(part)
            refusals += write(*line)
        return refusals

    return Shown(show, None if compiled is None else compiled.write)


@contextmanager
def _frames_shown(arguments: Namespace) -> Iterator[Shown]:
    topics = TopicNames()
    choice = FrameFilter(arguments, topics)
    with (_frame_lines_shown if arguments.json else _frames_listed)(
        arguments, topics, choice
    ) as view:
        yield view._replace(learn=topics.learning, is_over=choice.is_over)
    _check_groups(choice.groups, choice.present, arguments)
    if choice.remark:
        say(choice.remark)


@contextmanager
def _frame_lines_shown(
    arguments: Namespace, topics: TopicNames, choice: FrameFilter
) -> Iterator[Shown]:
    policy = Policy(arguments.policy)
    surroundings, calls = Surroundings(), Calls()
    lines = FrameLines(policy, **_detail(arguments))
    with _json_written(arguments) as write:

        def show_line(frame: Frame) -> bool:
            around = surroundings.around(frame)
            if choice.any and not choice.chooses(frame, calls.take(frame)):
                return False
            return write(*lines.line(frame, around))

        yield Shown(show_line)


@contextmanager
def _frames_listed(
    arguments: Namespace, topics: TopicNames, choice: FrameFilter
) -> Iterator[Shown]:
    policy, surroundings, calls = Policy(arguments.policy), Surroundings(), Calls()
    redaction, source = redaction_of(arguments), ""
    groups: set[str] = set()
    with screen(arguments) as console:

        def show(frame: Frame) -> bool:
            nonlocal source
            around, call = surroundings.around(frame), calls.take(frame)
            if frame.foreign or (choice.any and not choice.chooses(frame, call)):
                return False
            groups.add(call.group)
            if frame.source != source:
                source = frame.source
                _print_place(console, source, redaction)
            view = inspector.FrameView(
                frame,
                around,
                client=call.client,
                hosts=arguments.hosts,
                full=arguments.full,
                redaction=redaction,
            )
            console.print(view)
            return is_refused(frame, policy)

        yield Shown(show)
    if groups - {""}:
        say(f"what happened in {counted(len(groups - {''}), 'group')}, and why: kproto story")


_BUFFERED = 1 << 16


@contextmanager
def _json_written(arguments: Namespace) -> Iterator[Callable[[bytes, bool], bool]]:
    """Yield a function that writes a line; lines are collected, except on a terminal and for a
    pipe."""
    output = sys.stdout.buffer
    redaction = redaction_of(arguments)
    redact = None if redaction is None else _redactor(redaction)
    at_once = sys.stdout.isatty() or arguments.input in (None, "-")
    waiting: list[bytes] = []
    size = 0

    def write(line: bytes, is_refused: bool) -> bool:
        nonlocal size
        waiting.append(line if redact is None else redact(line))
        waiting.append(b"\n")
        size += len(line)
        if size > _BUFFERED or at_once:
            flush()
        return is_refused

    def flush() -> None:
        nonlocal size
        output.write(b"".join(waiting))
        waiting.clear()
        size = 0
        if at_once:
            output.flush()

    yield write
    flush()
    output.flush()


def _redactor(redaction: Redaction) -> Callable[[bytes], bytes]:
    return lambda line: json_line(inspector.redacted(loads(line), redaction))


# -- the choice of frames: --group, --client, --topic, --since, --until

_CHOICES = ("group", "client", "topic", "since", "until")


_MOST_GROUPS = 10_000


class FrameFilter:
    """The choice that a call makes; `any` is False where it makes none."""

    def __init__(self, arguments: Namespace, topics: TopicNames) -> None:
        self.groups = tuple(arguments.group or ())
        self._clients = tuple(arguments.client or ())
        self._topics = tuple(arguments.topic or ())
        self._names = topics
        self._since = _Time(arguments.since)
        self._until = _Time(arguments.until)
        options = [f"--{name}" for name in _CHOICES if getattr(arguments, name)]
        self.any = bool(options)
        self.met: set[str] = set()
        """The groups of the frames that were chosen so far."""
        self.present: set[str] = set()
        """The groups of all frames, the first of many."""
        self._options = ", ".join(options)
        self._has_chosen = False

    def is_over(self, frame: Frame) -> bool:
        """Return whether a frame is later than all that are chosen."""
        return self._until.is_set and self._until.is_before(frame.timestamp)

    def chooses(self, frame: Frame, call: Call) -> bool:
        """Return whether a frame is chosen."""
        chosen = self.chooses_member(call.group, call.client, frame.timestamp) and (
            not self._topics or any(self._names_topic(frame, topic) for topic in self._topics)
        )
        self._has_chosen |= chosen
        if chosen and call.group:
            self.met.add(call.group)
        return chosen

    @property
    def remark(self) -> str:
        """What to say where no frame was chosen; it quotes no name, which --redact would hide."""
        return "" if self._has_chosen or not self.any else f"no frame was chosen by {self._options}"

    def chooses_member(self, group: str, client: str, timestamp: float | None) -> bool:
        """Return whether what happens to a group's member is chosen, whatever its topics are."""
        if group and len(self.present) < _MOST_GROUPS:
            self.present.add(group)
        if not is_named(group, self.groups):
            return False
        if not is_named(client, self._clients):
            return False
        return not (
            (self._since.is_set and not self._since.is_at_most(timestamp))
            or (self._until.is_set and self._until.is_before(timestamp))
        )

    def _names_topic(self, frame: Frame, topic: str) -> bool:
        """Whether the body has the topic's name, as any message writes it, or its id."""
        name, body = topic.encode(), frame.body_data
        size = len(name)
        forms = [size.to_bytes(2, "big") + name, _varint(size + 1) + name]
        topic_id = self._names.id_of(topic)
        if topic_id is not None:
            forms.append(topic_id.bytes)
        return any(form in body for form in forms)


def _varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])


class _Time:
    """A time of an option; one without a day is of the day of the first frame that it is compared
    with, and how long ago it was is counted from now."""

    def __init__(self, moment: Moment | None) -> None:
        self.is_set = moment is not None
        self._moment = moment
        self._at: float | None = None

    def is_at_most(self, timestamp: float | None) -> bool:
        """Return whether it is not later than a timestamp."""
        return timestamp is not None and self._on_the_day_of(timestamp) <= timestamp

    def is_before(self, timestamp: float | None) -> bool:
        """Return whether it is earlier than a timestamp."""
        return timestamp is not None and self._on_the_day_of(timestamp) < timestamp

    def _on_the_day_of(self, timestamp: float) -> float:
        if self._at is None:
            assert self._moment is not None
            is_ago = self._moment.back_ms is not None
            self._at = self._moment.at(time() * 1000 if is_ago else timestamp)
        return self._at
