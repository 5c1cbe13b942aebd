"""Show a capture, for `kproto decode`: every record or frame, and a summary at the end.

With --json each has a line; without, records are shown as a list, and frames as a story. Views and
reports are imported late, since a call needs either.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from ... import capture as captured
from ...capture import CaptureError, decode_record, plain_record, read_segment, read_segments
from ...capture.frames.frame import in_time
from ...capture.segments.offsets_topic import is_internal, record_types
from ...capture.segments.records import Record
from ...capture.segments.segment_files import RecordRun, Write, read_runs, segment_files
from ...capture.summary import Summary
from ...codec.read.decoding import Policy
from ..options.view_options import redaction_of
from ..output.failures import REFUSED, WRONG_USE, Failure, say
from ..output.progress import Progress, progress
from .capture_files import FOLLOWED, FRAMES, SEGMENTS, Capture
from .frame_filter import FrameFilter, given
from .messages import load

if TYPE_CHECKING:
    from ...capture.frames.api_keys import Api
    from ...capture.frames.frame import Closed, Frame
    from ...history.topic_names import TopicNames
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
    closed: Callable[[Closed], None] | None = None
    learn: Callable[[Iterator[Frame]], Iterator[Frame]] = iter
    is_over: Callable[[Any], bool] = never


class CaptureOptions(NamedTuple):
    """How a capture is read: what makes runs of records, what is told of connections that were
    closed, who learns from frames before they are sorted, and the APIs that are decoded."""

    write: Write | None = None
    closed: Callable[[Closed], None] | None = None
    learn: Callable[[Iterator[Frame]], Iterator[Frame]] = iter
    definitions: Mapping[int, Api] | None = None


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


def run(capture: Capture, arguments: Namespace) -> int:
    """Show a capture; return 1 if something was refused or damaged, or there was nothing in it."""
    for name, option in _FOR_ONE_MESSAGE.items():
        if getattr(arguments, name, None) is not None:
            what = f"{capture.source!r} is a capture of {capture.kind}"
            raise Failure(f"{option} is for single messages, and {what}", WRONG_USE)
    for option in _for_frames(arguments) if capture.kind == SEGMENTS else ():
        what = f"{capture.source!r} is a capture of {capture.kind}"
        raise Failure(f"{option} is for packets and frames, and {what}", WRONG_USE)
    summary = Summary()
    show_with = _records_shown if capture.kind == SEGMENTS else _frames_shown
    refused = 0
    definitions = _apis_with(arguments.definitions)
    with progress(_size(capture)) as bar, show_with(arguments) as shown:
        how = CaptureOptions(shown.write, shown.closed, shown.learn, definitions)
        for item in read_items(capture, summary, bar, how):
            if shown.is_over(item):
                break
            refused += shown.show(item)
    also = f"; {refused:,} of them refused" if refused else ""
    say(f"{summary}{also}")
    if any(skip.reason == _ENCRYPTED for skip in summary.skipped):
        say(_DECRYPT)
    nothing = not summary.read.get("records") and not summary.read.get("frames")
    return REFUSED if refused or nothing or summary.damaged else 0


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
        return _from_file(capture, summary, bar, partial(_frame_lines, definitions=how.definitions))
    if capture.kind == FOLLOWED:
        return _from_file(capture, summary, bar, partial(_followed, definitions=how.definitions))
    read = partial(captured.read_pcap, closed=how.closed, definitions=how.definitions)
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
        reason = "Is a directory without log segments"
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
            yield from bar.of_file(read(file, source=capture.source, summary=summary), file)


def _frame_lines(
    file: BinaryIO, *, source: str, summary: Summary, definitions: Mapping[int, Api] | None
) -> Iterator[Frame]:
    return captured.read_frame_lines(file, source, summary, definitions)


def _followed(
    file: BinaryIO, *, source: str, summary: Summary, definitions: Mapping[int, Api] | None
) -> Iterator[Frame]:
    from ...capture.packets.followed import read_followed  # late: few captures are of this kind

    return read_followed(file, source, summary, definitions)


def _apis_with(definitions: str | None) -> Mapping[int, Api] | None:
    """The APIs whose frames are decoded: those that are built in, and those of --definitions."""
    if definitions is None:
        return None
    from ...capture.frames.api_keys import apis, apis_of

    return {**apis(), **apis_of(load(definitions))}


def _for_frames(arguments: Namespace) -> list[str]:
    """The options of a call that are for packets and frames alone."""
    return [*given(arguments), *(["--definitions"] if arguments.definitions is not None else [])]


def _readable(items: Iterator[T], source: str) -> Iterator[T]:
    """Yield the items; errors in reading become Failure, since `main` takes others for errors in
    writing."""
    try:
        yield from items
    except CaptureError as error:
        raise Failure(f"{source!r}: {error}") from None
    except OSError as error:
        name = error.filename or source
        raise Failure(f"{name!r} cannot be read: {error.strerror or error}", WRONG_USE) from None


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


@contextmanager
def _records_shown(arguments: Namespace) -> Iterator[Shown]:
    policy = Policy(arguments.policy)
    if arguments.json:
        with _json_written(arguments) as write:
            yield _record_lines(write, policy, in_runs=not arguments.redact)
        return
    from ...escaping import escaped
    from ...inspector.identification.identify import verdict
    from ...inspector.views.record_view import RecordView
    from ..output.terminal import screen

    redaction = redaction_of(arguments)
    with screen(arguments) as console:
        source = ""

        def show(record: Record) -> bool:
            nonlocal source
            if record.source != source:
                source = record.source
                place = escaped(source) if redaction is None else redaction.name(source, "source")
                console.rule(place, style="none", align="left")
            read = decode_record(record)
            seen = [each for each in (read.key, read.value) if each is not None]
            unread = bool(read.reason) and not record.control
            refused = unread or any(verdict(each, policy)[1] for each in seen)
            console.print(
                RecordView(record, read, refused=refused, full=arguments.full, redaction=redaction)
            )
            return refused

        yield Shown(show)


def _record_lines(write: Callable[[bytes, bool], bool], policy: Policy, *, in_runs: bool) -> Shown:
    from ...inspector.reports.compiled_lines import compiled_lines
    from ...inspector.reports.record_lines import RecordLines

    lines = RecordLines(plain_record, decode_record, policy)
    kinds = {number: (kind.key, kind.value) for number, kind in record_types().items()}
    compiled = compiled_lines(kinds, lines) if in_runs else None

    def show(item: Record | RecordRun) -> int:
        if isinstance(item, Record):
            return write(*lines.line(item))
        refused = 0
        for part in item.parts:
            made = (part, False) if isinstance(part, bytes) else lines.line(part)
            refused += write(*made)
        return refused

    return Shown(show, None if compiled is None else compiled.write)


@contextmanager
def _frames_shown(arguments: Namespace) -> Iterator[Shown]:
    from ...history.topic_names import TopicNames

    topics = TopicNames()
    choice = FrameFilter(arguments, topics)
    with (_frame_lines_shown if arguments.json else _story_shown)(
        arguments, topics, choice
    ) as shown:
        yield shown._replace(learn=topics.learning, is_over=choice.is_over)
    if choice.remark:
        say(choice.remark)


@contextmanager
def _frame_lines_shown(
    arguments: Namespace, topics: TopicNames, choice: FrameFilter
) -> Iterator[Shown]:
    from ...history.calls import Calls
    from ...inspector.open.group_context import Surroundings
    from ...inspector.reports.frame_report import frame_report
    from ...inspector.reports.json_report import json_line

    policy = Policy(arguments.policy)
    surroundings, calls = Surroundings(), Calls()
    with _json_written(arguments) as write:

        def show_line(frame: Frame) -> bool:
            around = surroundings.around(frame)
            if choice.any and not choice.chooses(frame, calls.take(frame)):
                return False
            made, refused = frame_report(frame, around, policy)
            return write(json_line(made), refused)

        yield Shown(show_line)


@contextmanager
def _story_shown(arguments: Namespace, topics: TopicNames, choice: FrameFilter) -> Iterator[Shown]:
    from ...history.story import Story
    from ...inspector.open.group_context import Surroundings
    from ..output.terminal import screen

    policy, surroundings = Policy(arguments.policy), Surroundings()
    story = Story(
        full=arguments.full,
        redaction=redaction_of(arguments),
        topics=topics,
        hosts=arguments.hosts,
        choice=choice if choice.any else None,
    )
    with screen(arguments) as console:

        def show(frame: Frame) -> bool:
            for closing in story.closings(frame.timestamp):
                console.print(closing)
            chapter = story.tell(frame, surroundings.around(frame))
            if chapter is not None:
                console.print(chapter)
            return chapter is not None and chapter.refused(policy)

        yield Shown(show, closed=story.close)
        for closing in story.closings():
            console.print(closing)
        if summary := story.summary():
            console.print(summary)
    if story.untold:
        untold = ", ".join(f"{times:,} of {api}" for api, times in story.untold.items())
        say(f"routine frames, which are not in the story: {untold}")


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

    def write(line: bytes, refused: bool) -> bool:
        nonlocal size
        waiting.append(line if redact is None else redact(line))
        waiting.append(b"\n")
        size += len(line)
        if size > _BUFFERED or at_once:
            flush()
        return refused

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
    from json import loads

    from ...inspector.reports.json_report import json_line
    from ...inspector.views.redaction import redacted

    return lambda line: json_line(redacted(loads(line), redaction))
