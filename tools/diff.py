"""Run `kproto diff`: compare messages, or captures record by record and frame by frame."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace
from rich.segment import Segments

from .. import capture
from ..capture.frames.frame import Frame
from ..capture.segments.records import Record
from ..capture.summary import Summary
from ..codec.messages import message_class
from ..codec.read.decoding import Decoded, Policy, decode
from ..codec.runtime.message import Message
from ..escaping import escaped
from ..inspector.evidence import MessageJudge
from ..inspector.identification import FALLBACK, Examined, examine, verdict
from ..inspector.recognition import Recognised, RecognisedFrame, Recogniser
from ..inspector.views.diff_json import diff_report
from ..inspector.views.diff_view import DiffView
from ..inspector.views.inspection import heading_line
from . import input as readers
from .input import inputs
from .input.capture_files import find_capture
from .input.message_types import find, load
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json
from .output.progress import Progress
from .output.terminal import check_export, redaction_of, screen

if TYPE_CHECKING:
    from ..inspector.views.redaction import Redaction


Both = tuple[Examined, Examined]


class _Side(NamedTuple):
    """A message, a frame or a record of A or B: its place, its bytes, and its parts, which are
    header and body, or key and value."""

    place: str
    data: bytes
    parts: tuple[Examined, ...]
    is_message: bool = False


def run(arguments: Namespace) -> int:
    """Compare each message of A with that of B; return 1 if one differs, or has no counterpart."""
    check_export(arguments)
    if arguments.a == arguments.b == "-":
        raise Failure("standard input can be A or B, not both", WRONG_USE)
    redaction = redaction_of(arguments)
    summary = Summary()
    lefts = list(_sides("A", arguments.a, arguments, summary))
    rights = list(_sides("B", arguments.b, arguments, summary))
    if summary.read:
        say(str(summary))
    pairs = [pair for both in zip(lefts, rights, strict=False) for pair in _pairs(*both)]
    if arguments.json:
        _print_json(pairs, redaction)
    else:
        _show(pairs, arguments, redaction)
    for number, (left, right) in enumerate(zip_longest(lefts, rights), start=1):
        if left is None or right is None:
            say(f"only {'B' if left is None else 'A'} has a message {number}")
    if summary.damaged:
        return NOT_DONE
    differ = any(left.data != right.data for left, right in zip(lefts, rights, strict=False))
    return REFUSED if differ or len(lefts) != len(rights) else 0


def _sides(side: str, source: str, arguments: Namespace, summary: Summary) -> Iterator[_Side]:
    """What is in A or B, as `decode` and `lint` see it."""
    message_type = _message_type(arguments)
    where = (source, arguments.how, arguments.format, arguments.max_bytes)
    captured = None if message_type is not None else find_capture(*where)
    if captured is not None:
        for item in readers.read_items(captured, summary, Progress()):
            if isinstance(item, Frame):
                yield _of_frame(item)
            else:
                assert isinstance(item, Record)
                yield _of_record(item)
        return
    recogniser = Recogniser(Policy.LENIENT)
    judging = partial(MessageJudge, message_type, arguments.body)
    for message in inputs.messages(*where, judging, recogniser):
        # The label is text around the message.
        place = (replace(message, label="") if arguments.redact else message).place
        if message_type is not None or arguments.body is not None:
            recognised = Recognised(_examine(message.data, message_type, arguments))
        else:
            recognised = recogniser.recognise(
                message.data,
                message.context,
                is_inside=message.is_inside,
                is_cut=message.is_cut,
            )
        if recognised.remark:
            say(f"{side}: {recognised.remark}")
        parts = tuple(part for part, _ in recognised.parts(Policy.LENIENT))
        yield _Side(place, message.data, parts, recognised.message is not None)


def _of_frame(frame: Frame) -> _Side:
    place = f"{frame.direction} {frame.correlation_id}"
    parts = RecognisedFrame(frame).parts(Policy.LENIENT)
    if frame.body is None and not (frame.foreign and frame.api_key is not None):
        parts = (*parts, _of_part(None, frame.body_data))
    return _Side(place, frame.data, parts)


def _of_record(record: Record) -> _Side:
    read = capture.decode_record(record)
    parts = ((read.key, record.key), (read.value, record.value))
    examined = tuple(_of_part(decoded, data) for decoded, data in parts if data is not None)
    return _Side(
        f"offset {record.offset}", b"".join(part.decoded.data for part in examined), examined
    )


def _of_part(decoded: Decoded[Any] | None, data: bytes) -> Examined:
    """A record's key or value; what has no definition is no message."""
    if decoded is not None:
        return Examined(decoded, *verdict(decoded, Policy.LENIENT), ())
    unread = decode(data, message_class(FALLBACK), policy=Policy.LENIENT)
    return Examined(unread, None, False, (), identified=False)


def _pairs(left: _Side, right: _Side) -> Iterator[tuple[str, Both]]:
    """The parts of both sides in pairs; of a message and of anything else, the last part of it."""
    if left.is_message and right.is_message:
        yield left.place, _with_one_type(left.parts[0], right.parts[0])
        return
    lefts, rights = left.parts, right.parts
    if left.is_message != right.is_message:
        lefts, rights = lefts[-1:], rights[-1:]
    for both in zip(lefts, rights, strict=False):
        name = both[0].decoded.message_class.NAME
        yield f"{left.place}, {name}" if left.place else name, both


def _with_one_type(first: Examined, second: Examined) -> Both:
    """Both messages as one type, if the bytes of both can be that: the first one's, or the
    second's."""
    if _can_be(second, first):
        return first, _as_type_of(first, second)
    if _can_be(first, second):
        return _as_type_of(second, first), second
    return first, second


def _can_be(examined: Examined, other: Examined) -> bool:
    return other.decoded.message_class.NAME in examined.rivals


def _as_type_of(other: Examined, examined: Examined) -> Examined:
    message_class = other.decoded.message_class
    return examine(examined.decoded.data, message_class, policy=Policy.LENIENT)


def _message_type(arguments: Namespace) -> type[Message] | None:
    loaded = load(arguments.definitions)
    return find(arguments.name, loaded) if arguments.name is not None else None


def _examine(data: bytes, message_type: type[Message] | None, arguments: Namespace) -> Examined:
    if arguments.body is not None and message_type is None:
        raise Failure("--body needs --as NAME: what is built in alone is found out", WRONG_USE)
    try:
        return examine(data, message_type, policy=Policy.LENIENT, body_version=arguments.body)
    except ValueError as error:  # a version that does not exist
        raise Failure(str(error), WRONG_USE) from None


def _print_json(pairs: list[tuple[str, Both]], redaction: Redaction | None) -> None:
    for place, (left, right) in pairs:
        print_json(diff_report(left, right, redaction, place))


def _total(pairs: list[tuple[str, Both]]) -> str:
    differ = sum(left.decoded.data != right.decoded.data for _, (left, right) in pairs)
    equal = len(pairs) - differ
    parts = [f"{equal:,} equal" * bool(equal), f"{differ:,} different" * bool(differ)]
    return f"{len(pairs):,} messages compared: {', '.join(filter(None, parts))}"


def _show(pairs: list[tuple[str, Both]], arguments: Namespace, redaction: Redaction | None) -> None:
    with screen(arguments) as console:
        for place, (left, right) in pairs:
            if place:
                console.print(Segments(heading_line(console, escaped(place))), end="")
            console.print(DiffView(left, right, full=arguments.full, redaction=redaction))
            sys.stdout.flush()
        if len(pairs) > 1:
            console.print(_total(pairs))
