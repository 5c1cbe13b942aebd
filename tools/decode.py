"""Show what bytes are: type, version, every field with its place, and what deviates.

On a terminal the inspector is shown, with the bytes in hex beside the fields; elsewhere the tree
of fields, 100 columns wide. Without --as the type is found out, and rivals are named.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from ..codec.decoding import Policy
from ..codec.message import Message
from ..inspector.examined import Examined, examine
from . import inputs
from .failures import REFUSED, WRONG_USE, Failure, say
from .messages import add_definitions, find, load


def configure(parser: ArgumentParser) -> None:
    """The arguments of `kproto decode`."""
    parser.epilog = (
        "exit status: 0 decoded under the policy, whatever deviates; 1 refused; 2 wrong use"
    )
    inputs.add_input(parser)
    parser.add_argument("--as", dest="name", metavar="NAME", help="what the bytes are")
    add_definitions(parser)
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
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help="always: the inspector in colour, wherever it goes; never: without colour",
    )


def run(arguments: Namespace) -> int:
    """Decode every message of INPUT; 1 if one was refused."""
    loaded = load(arguments.definitions)
    wanted = _wanted(arguments, loaded)
    show = _print_json if arguments.json else _inspector(arguments)
    refused = 0
    found = inputs.messages(arguments.input, arguments.how, arguments.format, arguments.max_bytes)
    for place, data in found:
        examined = _examine(data, wanted, arguments)
        show(place, examined)
        refused += examined.refused
        sys.stdout.flush()
        _remark(place, examined, arguments)
    return REFUSED if refused else 0


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


def _print_json(place: str, examined: Examined) -> None:
    from json import dumps

    from ..inspector.json_report import report

    # JSON leaves one control character as it is.
    print(dumps(report(examined)).replace("\x7f", "\\u007f"))


def _inspector(arguments: Namespace) -> Callable[[str, Examined], None]:
    from ..inspector.inspection import Inspection
    from ..inspector.shown import shown
    from .terminal import console, is_terminal

    screen = console(arguments.color)
    with_hex = is_terminal(arguments.color)

    def show(place: str, examined: Examined) -> None:
        if place:
            screen.rule(shown(place), style="none", align="left")
        screen.print(Inspection(examined, with_hex=with_hex, full=arguments.full))

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
