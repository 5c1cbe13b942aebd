"""Read the messages that `kproto lint` judges, from inputs of any kind."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from ... import capture
from ...capture.frames.frame import Frame
from ...capture.segments.records import Record
from ...capture.summary import Summary
from ...codec.read.decoding import Decoded, Policy, decode
from ...inspector.candidates import EACH_WITH_USER_DATA
from ...inspector.diagnose.clean_check import clean_check
from ...inspector.evidence import MessageJudge
from ...inspector.group_context import Surroundings
from ...inspector.identification import examine, resembles_nothing
from ...inspector.nested_bytes import NOTHING, Around, carries
from ...inspector.recognition import DOUBT, Recognised, Recogniser
from .. import input as readers
from ..output.failures import NOT_DONE, WRONG_USE, Failure, say
from ..output.progress import Progress
from ..output.terminal import redaction_of
from . import inputs
from .capture_files import SEGMENTS, Capture, find_capture
from .message_types import find, load

if TYPE_CHECKING:
    from ...inspector.views.redaction import Redaction

_NO_NAMES = ("standard input", "INPUT")
_CALLED = 40  # characters of INPUT itself, where it is no file


class Item(NamedTuple):
    """A message and its place: `source` is a file, or names another source ("INPUT"); `place` is
    the place in it, "" where the source has nothing but this message; `equals` are the messages
    that the bytes are as well; `is_cut`: a tool has left out some of them."""

    source: str
    place: str
    decoded: Decoded[Any]
    around: Around = NOTHING
    equals: tuple[str, ...] = ()
    is_cut: bool = False


def items(arguments: Namespace, summary: Summary) -> Iterator[Item]:
    """Yield every message of every INPUT. In a folder, files that are no capture go to
    `summary`. With --redact the places have no names."""
    redaction = redaction_of(arguments)
    for item in _items(arguments, summary, redaction):
        if redaction is None or item.source in _NO_NAMES:
            yield item
        else:
            yield item._replace(source=redaction.name(item.source, "source"))


def _items(arguments: Namespace, summary: Summary, redaction: Redaction | None) -> Iterator[Item]:
    loaded = load(arguments.definitions)
    message_class = None if arguments.name is None else find(arguments.name, loaded)
    for input_ in arguments.input or [None]:
        if input_ is not None and arguments.how is None and os.path.isdir(input_):  # noqa: PTH112
            for path in _files(input_):
                yield from _of_file(path, message_class, arguments, summary, redaction)
        else:
            yield from _of_input(input_, message_class, arguments, summary, redaction)


def _files(folder: str) -> Iterator[str]:
    if os.path.realpath(folder) == os.sep:  # as for `decode`: nobody means everything
        raise Failure(f"{folder!r} cannot be read: Is a directory", WRONG_USE)
    for root, folders, names in os.walk(folder):
        folders.sort()
        yield from (str(Path(root, name)) for name in sorted(names))


def _of_file(
    path: str,
    message_class: Any,
    arguments: Namespace,
    summary: Summary,
    redaction: Redaction | None,
) -> Iterator[Item]:
    """The messages of a file in a folder, which may have any other files too, and devices."""
    if not os.path.isfile(path):  # noqa: PTH113
        summary.skip("file: no regular file", path, expected=True)
        return
    try:
        yield from _of_input(path, message_class, arguments, summary, redaction)
    except Failure as failure:
        reason = str(failure).removeprefix(path).lstrip(": ").partition(": ")[0]
        summary.skip(f"file: {reason}", path, expected=failure.status != NOT_DONE)


def _of_input(
    input_: str | None,
    message_class: Any,
    arguments: Namespace,
    summary: Summary,
    redaction: Redaction | None,
) -> Iterator[Item]:
    where = (input_, arguments.how, arguments.format, arguments.max_bytes)
    capture = None if message_class is not None else find_capture(*where)
    if capture is not None:
        yield from _of_capture(capture, summary, redaction)
        return
    source = _source(*where[:3], quoted=redaction is None)
    recogniser = Recogniser()
    judging = partial(MessageJudge, message_class, arguments.body)
    for message in inputs.messages(*where, judging, recogniser):
        summary.count("messages")
        if message_class is None and arguments.body is None:
            recognised = recogniser.recognise(
                message.data,
                message.context,
                is_inside=message.is_inside,
                is_cut=message.is_cut,
            )
        else:
            recognised = _examined(message, message_class, arguments)
        # A label is text around the message.
        place = (message if redaction is None else replace(message, label="")).place
        examined = recognised.message
        if recognised.remark == DOUBT:
            summary.skip(
                f"message: {DOUBT}", f"{source}, {place}" if place else source, refused=True
            )
            continue
        if recognised.remark:
            say(f"{f'{source}, {place}' if place else source}: {recognised.remark}")
        for frame in recognised.frames:
            yield from _of_frame(frame.frame, frame.around, source, place)
        if examined is not None and examined.identified:
            decoded = examined.decoded
            if examined.repair == EACH_WITH_USER_DATA:  # a writer's mistake, which readers meet
                decoded = decode(message.data, decoded.message_class, policy=Policy.LENIENT)
            equals = examined.equals
            yield Item(source, place, decoded, equals=equals, is_cut=message.is_cut)
        elif examined is not None:
            place = f"{source}, {place}" if place else source
            summary.skip(f"message: {resembles_nothing(message.data)}", place, refused=True)


def _examined(message: inputs.InputMessage, message_class: Any, arguments: Namespace) -> Recognised:
    try:
        return Recognised(examine(message.data, message_class, body_version=arguments.body))
    except ValueError as error:  # a version that does not exist
        raise Failure(str(error), WRONG_USE) from None


def _source(input_: str | None, how: str | None, form: str | None, *, quoted: bool) -> str:
    if input_ is None or (input_ == "-" and how != "file"):
        return "standard input"
    if not quoted and inputs.is_text(input_, how, form):
        return "INPUT"
    if len(input_) > _CALLED and inputs.is_text(input_, how, form):
        return f"{input_[:_CALLED]}..."
    return input_


# -- captures


def _of_capture(capture: Capture, summary: Summary, redaction: Redaction | None) -> Iterator[Item]:
    items = readers.read_items(capture, summary, Progress())
    if capture.kind == SEGMENTS:
        for record in items:
            assert isinstance(record, Record)
            yield from _of_record(record, summary)
    else:
        surroundings = Surroundings()
        for frame in items:
            assert isinstance(frame, Frame)
            around = surroundings.around(frame)
            yield from _of_frame(frame, around, frame.source, _place(frame, redaction))


def _of_frame(frame: Frame, around: Around, source: str, place: str) -> Iterator[Item]:
    """The header of a frame, where it has findings, and its body."""
    if frame.header is not None and (frame.header.error or frame.header.deviations):
        yield Item(source, f"{place}, header".lstrip(", "), frame.header)
    if frame.body is not None:
        yield Item(source, place, frame.body, around)


def _of_record(record: Record, summary: Summary) -> Iterator[Item]:
    plain = capture.plain_record(record)
    if plain is not None and plain.value is not None:  # nearly all records: they have no findings
        assert record.value is not None and plain.value_version is not None
        is_clean = clean_check(type(plain.value), plain.value_version)
        if is_clean(plain.value, record.value) and not carries(plain.value.NAME):
            return
    read = capture.decode_record(record)
    if read.reason and not record.control:
        place = f"{record.source}, offset {record.offset}"
        summary.skip(f"record that is not judged: {read.reason}", place, refused=True)
    for part, record_read in (("key", read.key), ("value", read.value)):
        if record_read is not None:
            yield Item(record.source, f"offset {record.offset}, {part}", record_read)


def _place(frame: Frame, redaction: Redaction | None) -> str:
    connection = "" if frame.connection is None else str(frame.connection)
    if redaction is not None:
        connection = redaction.name(connection, "host").strip('"')
    of = f" of {connection}" if connection else ""
    return f"{frame.direction} {frame.correlation_id}{of}"
