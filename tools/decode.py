"""Run `kproto decode`: show the messages, captures and segments of every INPUT."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from .. import inspector
from ..codec.read.decoding import Policy
from ..codec.runtime.message import Message
from ..escaping import escaped
from ..inspector.identification import Examined, examine, resembles_nothing
from ..inspector.recognition import Recognised, Recogniser, Repeated, expected_by
from ..wording import counted
from . import input as readers
from . import output
from .input import inputs
from .input.message_types import find, load
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.terminal import check_export, redaction_of, screen, shows_hex

if TYPE_CHECKING:
    from rich.console import Console
    from rich.segment import Segment

    from ..capture.text import Judge
    from ..inspector.views.page_parts import PartStart
    from ..inspector.views.redaction import Redaction
    from .input.capture_files import Capture
    from .input.frames import Remark
    from .input.inputs import InputMessage


_FRAMES = ("request", "response")  # what --as takes besides the names of messages
_FOR_CAPTURES = {
    "group": "--group",
    "client": "--client",
    "topic": "--topic",
    "since": "--since",
    "until": "--until",
    "hosts": "--hosts",
}
_FOR_MESSAGES = {
    "definitions": "--definitions",
    "body": "--body",
    "reader_version": "--reader-version",
}


def run(arguments: Namespace) -> int:
    """Decode every message of every INPUT; return 1 if one was refused."""
    check_export(arguments)
    _check_frame_options(arguments)
    if arguments.bytes and (not arguments.json or arguments.redact):
        raise Failure("--bytes goes with --json, and not with --redact", WRONG_USE)
    inputs_ = inputs.join_hex(arguments.input, arguments.how, arguments.format)
    sources = _as_one([(source, _capture(source, arguments)) for source in inputs_])
    captures = sum(capture is not None for _, capture in sources)
    if (arguments.svg or arguments.html) and captures + (captures < len(sources)) > 1:
        raise Failure("a picture is of one capture, or of messages: give them apart", WRONG_USE)
    statuses = [0]
    for is_capture, group in groupby(sources, key=lambda source: source[1] is not None):
        if not is_capture:
            statuses.append(_messages([source for source, _ in group], arguments, len(sources) > 1))
            continue
        for source, capture in group:
            assert capture is not None
            about = Namespace(**{**vars(arguments), "input": source})
            statuses.append(readers.run_capture(capture, about, _capture_options(arguments)))
    return max(statuses)


def _check_frame_options(arguments: Namespace) -> None:
    """--api-key and --api-version belong to a response, which needs both; a request says both, and
    neither takes the options for messages. Raises Failure."""
    has_option = [value is not None for value in (arguments.api_key, arguments.api_version)]
    if arguments.name == "response" and not all(has_option):
        raise Failure("--as response needs --api-key and --api-version: it says neither", WRONG_USE)
    if arguments.name != "response" and any(has_option):
        raise Failure("--api-key and --api-version go with --as response", WRONG_USE)
    for name, option in _FOR_MESSAGES.items():
        if arguments.name in _FRAMES and getattr(arguments, name) is not None:
            raise Failure(f"{option} is for messages, and {arguments.name} is a frame", WRONG_USE)


def _capture_options(arguments: Namespace) -> list[str]:
    """The options of a call that are for captures of packets and frames."""
    return [option for name, option in _FOR_CAPTURES.items() if getattr(arguments, name)]


def _as_one(
    sources: list[tuple[str | None, Capture | None]],
) -> list[tuple[str | None, Capture | None]]:
    if len(sources) < 2 or not any(capture is not None for _, capture in sources):
        return sources
    return readers.as_one(sources)


def _capture(input_: str | None, arguments: Namespace) -> Capture | None:
    if arguments.format is not None or (input_ is not None and _is_text(input_, arguments)):
        return None
    return readers.find_capture(input_, arguments.how, None, arguments.max_bytes)


def _is_text(input_: str, arguments: Namespace) -> bool:
    return inputs.is_text(input_, arguments.how, arguments.format)


def _messages(sources: list[str | None], arguments: Namespace, several: bool) -> int:
    """Decode the inputs that are no captures. Of several, one that fails does not hide the
    others."""
    for option in _capture_options(arguments):
        raise Failure(f"{option} is for captures, not for single messages", WRONG_USE)
    if arguments.name in _FRAMES:
        judging = partial(readers.FrameJudge, arguments)
        read = inputs.AllMessages(sources, arguments, judging, several)
        with _printer(arguments, sources) as show, _remarking(arguments) as about:
            status = readers.run_frames(read, arguments, show, about)
        return max(status, read.status)
    message_class = _message_type(arguments, load(arguments.definitions))
    recogniser = Recogniser(Policy(arguments.policy))
    of_type = partial(_judge, message_class, arguments.body)
    read = inputs.AllMessages(sources, arguments, of_type, several, recogniser)
    finds_out = message_class is None and arguments.reader_version is None
    status = 0
    with _printer(arguments, sources) as show, _remarking(arguments) as remark:
        for message in read:
            if finds_out and arguments.body is None:
                recognised = recogniser.recognise(
                    message.data,
                    message.context,
                    is_inside=message.is_inside,
                    is_cut=message.is_cut,
                )
                if recognised.message is None:
                    status = max(status, _frames(message, recognised, arguments, show, remark))
                    continue
                examined = recognised.message
                notes = recognised.remarks
            else:
                examined = _examine(message, message_class, arguments)
                notes = ()
            is_shown = show(message, examined)
            if examined.refused or not is_shown:
                status = REFUSED
            sys.stdout.flush()
            remark(message, examined, notes)
    return max(status, read.status)


def _frames(
    message: InputMessage,
    recognised: Recognised,
    arguments: Namespace,
    show: Show,
    remark: Remark,
) -> int:
    """Show a message that is frames, as --as request does; and say so."""
    remark(message, notes=recognised.remarks)
    return readers.show_frames(message, recognised.frames, arguments, show, remark)


def _judge(message_class: type[Message] | None, body: int | None) -> Judge:
    return inspector.MessageJudge(message_class, body)


def _message_type(arguments: Namespace, loaded: dict[str, type[Message]]) -> type[Message] | None:
    """The class of --as, or the only one of --definitions; None if it is to be found out."""
    if arguments.name is not None:
        return find(arguments.name, loaded)
    if len(loaded) == 1:
        return next(iter(loaded.values()))
    for option, value in (("--definitions", loaded), ("--body", arguments.body is not None)):
        if value:
            raise Failure(
                f"{option} needs --as NAME: what is built in alone is found out", WRONG_USE
            )
    return None


def _examine(
    message: InputMessage, message_class: type[Message] | None, arguments: Namespace
) -> Examined:
    try:
        return examine(
            message.data,
            message_class,
            expected=expected_by(message.context),
            policy=Policy(arguments.policy),
            reader_version=arguments.reader_version,
            body_version=arguments.body,
        )
    except ValueError as error:  # a version that does not exist
        raise Failure(str(error), WRONG_USE) from None


_IN_FULL = 50  # messages: to lay out fields takes far longer than to read them
_RULE = 3  # columns of a heading's line behind it
Show = Callable[["InputMessage", Examined], bool]
"""Prints a message; False where the field that was asked for was not read."""


@contextmanager
def _printer(arguments: Namespace, sources: list[str | None]) -> Iterator[Show]:
    """Prints each message: as JSON, or in the inspector's view."""
    path = None
    if arguments.field is not None:
        path = output.field_path(arguments.field)
    redaction = redaction_of(arguments)
    if arguments.json:
        yield _json_printer(arguments, path, redaction)
    else:
        is_short = all(source is not None and _is_text(source, arguments) for source in sources)
        with screen(arguments, is_short=is_short) as console:
            yield _view_printer(arguments, console, path, redaction)


def _json_printer(arguments: Namespace, path: str | None, redaction: Redaction | None) -> Show:
    hide = None if redaction is None else partial(inspector.redacted, redaction=redaction)
    lines = Repeated[bytes]()

    def show(message: InputMessage, examined: Examined) -> bool:
        about = message.about() | {"body_version": arguments.body}
        if path is not None:
            field = output.field_json(message.heading, about, examined, path, redaction)
            if field is not None:
                output.print_json(field)
            return field is not None
        make = partial(inspector.message_line, examined, hide, with_bytes=arguments.bytes)
        print(inspector.placed_line(about, lines.of(examined, make)).decode())
        return True

    return show


def _view_printer(
    arguments: Namespace, console: Console, path: str | None, redaction: Redaction | None
) -> Show:
    how: dict[str, Any] = {
        "with_hex": path is not None or shows_hex(arguments),
        "full": arguments.full,
    }
    from rich.segment import Segments  # late: for JSON it is not needed

    views: Repeated[list[Segment]] = Repeated()
    are_all_in_full = path is not None or arguments.full
    number = 0

    def show(message: InputMessage, examined: Examined) -> bool:
        nonlocal number
        if path is not None and not output.is_there(message.heading, examined, path):
            return False
        rule: list[Segment] = []
        if message.heading:
            rule = inspector.heading_line(console, _title(message, console.width - _RULE))
        number += 1
        is_short = number > _IN_FULL and not are_all_in_full
        is_first_short = is_short and number == _IN_FULL + 1
        if console.record and (is_first_short or not is_short):
            console.print(
                inspector.PartStart() if is_short else _start_of(message, examined), end=""
            )
        if is_short:
            if is_first_short:
                say(f"a message a line behind the first {_IN_FULL}; --full shows the fields of all")
            line = inspector.summary_line(console, examined, redaction)
            if console.record:
                console.print(Segments([*rule, *line]), end="")
            else:  # it has no style, and rich takes as long for it as all else together
                console.file.write("".join(segment.text for segment in (*rule, *line)))
            return True
        view = partial(inspector.Inspection, examined, **how, field=path, redaction=redaction)
        if console.record:  # a page shows it in two widths
            if rule:
                console.print(Segments(rule))
            console.print(view())
        else:
            segments = views.of(examined, lambda: [*console.render(view())])
            console.print(Segments([*rule, *segments]))
        return True

    return show


def _start_of(message: InputMessage, examined: Examined) -> PartStart:
    labels = _labels(examined)
    heading = ", ".join([message.heading, *labels["message"], *labels["verdict"]])
    return inspector.PartStart(labels, heading if message.heading else "")


def _labels(examined: Examined) -> dict[str, list[str]]:
    """Return what a message is chosen by on a page."""
    decoded = examined.decoded
    codes = dict.fromkeys(deviation.code for deviation in decoded.deviations)
    return {
        "message": [decoded.message_class.NAME if examined.identified else "unknown"],
        "verdict": ["refused" if examined.refused else "complete"],
        "code": list(codes),
    }


def _title(message: InputMessage, width: int) -> str:
    """The heading in a width: without the label where there is no room, and with the end of the
    file's path."""
    heading = escaped(message.heading)
    if len(heading) <= width:
        return heading
    bare = replace(message, label="")
    heading = escaped(bare.heading)
    place = f", {escaped(bare.place)}" if bare.place else ""
    room = max(width - len(place) - len(_ELLIPSIS), _LEAST_NAME)
    source = escaped(message.source)
    return heading if len(heading) <= width else f"{_ELLIPSIS}{source[-room:]}{place}"


_ELLIPSIS = "..."
_LEAST_NAME = 12  # characters of the name of a file
_MOST_REMARKS = 20  # messages of which standard error says more than the output


@contextmanager
def _remarking(arguments: Namespace) -> Iterator[Remark]:
    """Say on standard error what a result alone does not tell its reader: that it was refused,
    and for JSON the rivals. On a terminal the view tells both; what is noted of the bytes is said
    there, too. Of the messages about which there is something to say the first are told, and the
    others counted: the output has it of all."""
    number = 0
    last: InputMessage | None = None
    is_seen = not arguments.json and sys.stdout.isatty() and sys.stderr.isatty()

    def remark(
        message: InputMessage, examined: Examined | None = None, notes: Sequence[str] = ()
    ) -> None:
        nonlocal number, last
        remarks = [*notes]
        if examined is not None and not is_seen:
            remarks += _remarks(examined, arguments)
        if remarks and message is not last:
            number, last = number + 1, message
        if number <= _MOST_REMARKS:
            where = f"{message.heading}: " if message.heading else ""
            for text in remarks:
                say(f"{where}{text}")

    yield remark
    if number > _MOST_REMARKS:
        more = counted(number - _MOST_REMARKS, "more message")
        where = "the output says what" if arguments.json else "--json says what of each"
        say(f"there is something to say of {more}, too: {where}")


def _remarks(examined: Examined, arguments: Namespace) -> Iterator[str]:
    if not examined.identified:
        yield resembles_nothing(examined.decoded.data)
        return
    name = examined.decoded.message_class.NAME
    if arguments.json and examined.rivals:
        names = " or ".join(f"--as {rival}" for rival in examined.rivals)
        yield f"read as {name}; it could also be {names}"
    if examined.refused:
        yield f"{name} refused: {examined.error}"
