"""Show what bytes are: type, version, every field with its place, and what deviates.

On a terminal the inspector is shown, with the bytes in hex beside the fields; elsewhere the tree
of fields, 100 columns wide. Without --as the type is found out, and rivals are named.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..codec.read.decoding import Policy
from ..codec.runtime import message as codec
from ..inspector.identification.identify import Examined, examine
from .input import inputs
from .input.capture_files import find_capture
from .input.messages import add_definitions, find, load
from .input.texts import Judging, Message
from .options.frame_options import FRAMES, add_frame_options, check_options
from .options.view_options import add_export, add_view, check_export
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.one_field import field_json, field_path, is_there

if TYPE_CHECKING:
    from rich.console import Console

    from ..capture.text import Judge
    from ..inspector.views.redaction import Redaction


def configure(parser: ArgumentParser) -> None:
    """The arguments of `kproto decode`."""
    parser.epilog = (
        "exit status: 0 decoded under the policy, whatever deviates; 1 refused; 2 wrong use"
    )
    inputs.add_input(parser)
    parser.add_argument("--as", dest="name", metavar="NAME", help="what the bytes are")
    add_definitions(parser)
    add_frame_options(parser)
    parser.add_argument(
        "--body",
        metavar="VERSION",
        type=int,
        help="no version stands in front: the fields are of this one",
    )
    parser.add_argument(
        "--reader-version",
        metavar="N",
        type=int,
        help="read as a reader does whose highest known version is N",
    )
    parser.add_argument(
        "--policy",
        choices=[policy.value for policy in Policy],
        default=Policy.KAFKA.value,
        help="what is refused: what Apache Kafka refuses (the default); every deviation of the "
        "encoding too; nothing",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a message")
    parser.add_argument("--full", action="store_true", help="fold nothing")
    parser.add_argument(
        "--field", metavar="PATH", help="one field alone, with what is in it: owned_partitions[3]"
    )
    add_view(parser)
    add_export(parser)


def run(arguments: Namespace) -> int:
    """Decode every message of every INPUT; 1 if one was refused."""
    check_export(arguments)
    check_options(arguments)
    given = inputs.joined(arguments.input, arguments.how, arguments.format)
    how = (arguments.how, arguments.format, arguments.max_bytes)
    found = [(each, find_capture(each, *how)) for each in given]
    captures = sum(capture is not None for _, capture in found)
    if (arguments.svg or arguments.html) and captures + (captures < len(found)) > 1:
        raise Failure("a picture is of one capture, or of messages: give them apart", WRONG_USE)
    statuses = [0]
    for is_capture, group in groupby(found, key=lambda each: each[1] is not None):
        if not is_capture:
            statuses.append(_messages([each for each, _ in group], arguments, len(found) > 1))
            continue
        from .input.captures import run as run_capture

        for each, capture in group:
            assert capture is not None
            about = Namespace(**{**vars(arguments), "input": each})
            statuses.append(run_capture(capture, about))
    return max(statuses)


def _messages(given: list[str | None], arguments: Namespace, several: bool) -> int:
    """Decode what is no capture. Of several inputs one that fails does not hide the others."""
    if arguments.name in FRAMES:
        from .input.frames_alone import FrameJudge
        from .input.frames_alone import run as run_frames

        found = _Found(given, arguments, partial(FrameJudge, arguments), several)
        with _shower(arguments) as show:
            status = run_frames(found, arguments, show, partial(_remark, arguments=arguments))
        return max(status, found.status)
    loaded = load(arguments.definitions)
    wanted = _wanted(arguments, loaded)
    _check_body(arguments.body, wanted)
    found = _Found(given, arguments, partial(_judge, wanted, arguments.body), several)
    status = 0
    with _shower(arguments) as show:
        for message in found:
            examined = _examine(message.data, wanted, arguments)
            shown = show(message, examined)
            if examined.refused or not shown:
                status = REFUSED
            sys.stdout.flush()
            _remark(message, examined, arguments)
    return max(status, found.status)


class _Found:
    """The messages of all inputs. `status` is that of the inputs that could not be read."""

    def __init__(
        self, given: list[str | None], arguments: Namespace, judging: Judging, several: bool
    ) -> None:
        self._given = given
        self._how = (arguments.how, arguments.format, arguments.max_bytes, judging)
        self._several = several
        self._redact: bool = arguments.redact
        self._sources: dict[str, int] = {}
        self.status = 0

    def __iter__(self) -> Iterator[Message]:
        for each in self._given:
            try:
                for message in inputs.messages(each, *self._how):
                    yield self._shown(message)
            except Failure as failure:
                if not self._several:
                    raise
                say(str(failure))
                self.status = max(self.status, failure.status)

    def _shown(self, message: Message) -> Message:
        """The message; with --redact without the source's name and the text that it stood in."""
        if self._redact:
            number = self._sources.setdefault(message.source, len(self._sources) + 1)
            message = message._replace(source=f"<source-{number}>", label="")
        return message._replace(alone=not self._several)


def _judge(wanted: type[codec.Message] | None, body: int | None) -> Judge:
    from .input.evidence import MessageJudge

    return MessageJudge(wanted, body)


def _wanted(
    arguments: Namespace, loaded: dict[str, type[codec.Message]]
) -> type[codec.Message] | None:
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


def _check_body(body: int | None, wanted: type[codec.Message] | None) -> None:
    if body is not None and wanted is not None and body not in wanted.VERSIONS:
        known = wanted.VERSIONS
        raise Failure(f"--body {body}: {wanted.NAME} has the versions {known}", WRONG_USE)


def _examine(data: bytes, wanted: type[codec.Message] | None, arguments: Namespace) -> Examined:
    try:
        return examine(
            data,
            wanted,
            policy=Policy(arguments.policy),
            reader_version=arguments.reader_version,
            body_version=arguments.body,
        )
    except ValueError as error:  # a version that there is not
        raise Failure(str(error), WRONG_USE) from None


_RULE = 3  # columns of a heading's line behind it
Show = Callable[[Message, Examined], bool]
"""Shows a message; False where there was nothing to show of it."""


@contextmanager
def _shower(arguments: Namespace) -> Iterator[Show]:
    """What shows each message."""
    path = None if arguments.field is None else field_path(arguments.field)
    redaction = None
    if arguments.redact:
        from ..inspector.views.redaction import Redaction

        redaction = Redaction()
    if arguments.json:
        yield _json_printer(path, redaction, arguments.body)
    else:
        from .output.terminal import screen

        with screen(arguments) as console:
            yield _inspector(arguments, console, path, redaction)


def _json_printer(path: str | None, redaction: Redaction | None, body: int | None) -> Show:
    from json import dumps

    from ..inspector.reports.json_report import report

    def show(message: Message, examined: Examined) -> bool:
        if path is not None:
            made = field_json(message.heading, examined, path, redaction)
        else:
            made = report(examined)
            if redaction is not None:
                from ..inspector.views.redaction import redacted

                made = redacted(made, redaction)
        if made is not None:
            made = message.about(body=body) | made
            print(dumps(made).replace("\x7f", "\\u007f"))  # JSON leaves this one as it is
        return made is not None

    return show


def _inspector(
    arguments: Namespace, console: Console, path: str | None, redaction: Redaction | None
) -> Show:
    from ..inspector.views.escaping import shown
    from ..inspector.views.inspection import Inspection
    from .output.terminal import shows_hex

    how: dict[str, Any] = {
        "with_hex": path is not None or shows_hex(arguments),
        "full": arguments.full,
    }

    def show(message: Message, examined: Examined) -> bool:
        if path is not None and not is_there(message.heading, examined, path):
            return False
        if message.heading:
            title = _shortened(shown(message.heading), console.width - _RULE)
            console.rule(title, style="none", align="left")
        console.print(Inspection(examined, **how, field=path, redaction=redaction))
        return True

    return show


def _shortened(heading: str, width: int) -> str:
    """A heading whose beginning, the folders of a file, gives way where there is no room."""
    return heading if len(heading) <= width else f"...{heading[3 - width :]}"


def _remark(message: Message, examined: Examined, arguments: Namespace) -> None:
    """What a reader of the result alone would miss. On a terminal the view has said it."""
    if not arguments.json and sys.stdout.isatty() and sys.stderr.isatty():
        return
    name = examined.decoded.message_class.NAME
    where = f"{message.heading}: " if message.heading else ""
    if arguments.json and examined.rivals:
        others = " or ".join(f"--as {rival}" for rival in examined.rivals)
        say(f"{where}read as {name}; it could also be {others}")
    if examined.refused:
        say(f"{where}{name} refused: {examined.error}")
