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
from typing import TYPE_CHECKING, Any

from ..codec.decoding import Policy
from ..codec.message import Message
from ..inspector.examined import Examined, examine
from . import inputs
from .capture_files import find_capture
from .failures import REFUSED, WRONG_USE, Failure, say
from .frame_options import FRAMES, add_frame_options, check_options
from .messages import add_definitions, find, load
from .one_field import field_json, field_path, is_there
from .view_options import add_export, add_view, check_export

if TYPE_CHECKING:
    from rich.console import Console

    from ..inspector.redaction import Redaction


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
    """Decode every message of INPUT; 1 if one was refused."""
    check_export(arguments)
    check_options(arguments)
    where = (arguments.input, arguments.how, arguments.format, arguments.max_bytes)
    capture = find_capture(*where)
    if capture is not None:
        from .captures import run as run_capture

        return run_capture(capture, arguments)
    if arguments.name in FRAMES:
        return _frames(inputs.messages(*where), arguments)
    loaded = load(arguments.definitions)
    wanted = _wanted(arguments, loaded)
    _check_body(arguments.body, wanted)
    refused = 0
    found = inputs.messages(*where)
    with _shower(arguments) as show:
        for place, data in found:
            examined = _examine(data, wanted, arguments)
            shown = show(place, examined)
            refused += examined.refused or not shown
            sys.stdout.flush()
            _remark(place, examined, arguments)
    return REFUSED if refused else 0


def _frames(found: list[inputs.Message], arguments: Namespace) -> int:
    from .frames_alone import run as run_frames

    with _shower(arguments) as show:
        return run_frames(found, arguments, show, partial(_remark, arguments=arguments))


def _wanted(arguments: Namespace, loaded: dict[str, type[Message]]) -> type[Message] | None:
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


def _check_body(body: int | None, wanted: type[Message] | None) -> None:
    if body is not None and wanted is not None and body not in wanted.VERSIONS:
        known = wanted.VERSIONS
        raise Failure(f"--body {body}: {wanted.NAME} has the versions {known}", WRONG_USE)


def _examine(data: bytes, wanted: type[Message] | None, arguments: Namespace) -> Examined:
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


Show = Callable[[str, Examined], bool]
"""Shows a message of some place; False where there was nothing to show of it."""


@contextmanager
def _shower(arguments: Namespace) -> Iterator[Show]:
    """What shows each message."""
    path = None if arguments.field is None else field_path(arguments.field)
    redaction = None
    if arguments.redact:
        from ..inspector.redaction import Redaction

        redaction = Redaction()
    if arguments.json:
        yield _json_printer(path, redaction)
    else:
        from .terminal import screen

        with screen(arguments) as console:
            yield _inspector(arguments, console, path, redaction)


def _json_printer(path: str | None, redaction: Redaction | None) -> Show:
    from json import dumps

    from ..inspector.json_report import report

    def show(place: str, examined: Examined) -> bool:
        if path is not None:
            made = field_json(place, examined, path, redaction)
        else:
            made = report(examined)
            if redaction is not None:
                from ..inspector.redaction import redacted

                made = redacted(made, redaction)
        if made is not None:  # JSON leaves one control character as it is.
            print(dumps(made).replace("\x7f", "\\u007f"))
        return made is not None

    return show


def _inspector(
    arguments: Namespace, console: Console, path: str | None, redaction: Redaction | None
) -> Show:
    from ..inspector.inspection import Inspection
    from ..inspector.shown import shown
    from .terminal import shows_hex

    how: dict[str, Any] = {
        "with_hex": path is not None or shows_hex(arguments),
        "full": arguments.full,
    }

    def show(place: str, examined: Examined) -> bool:
        if path is not None and not is_there(place, examined, path):
            return False
        if place:
            console.rule(shown(place), style="none", align="left")
        console.print(Inspection(examined, **how, field=path, redaction=redaction))
        return True

    return show


def _remark(place: str, examined: Examined, arguments: Namespace) -> None:
    """What a reader of the result alone would miss. On a terminal the view has said it."""
    if not arguments.json and sys.stdout.isatty() and sys.stderr.isatty():
        return
    name = examined.decoded.message_class.NAME
    where = f"{place}: " if place else ""
    if arguments.json and examined.rivals:
        others = " or ".join(f"--as {rival}" for rival in examined.rivals)
        say(f"{where}read as {name}; it could also be {others}")
    if examined.refused:
        say(f"{where}{name} refused: {examined.error}")
