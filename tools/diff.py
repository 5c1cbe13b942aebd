"""Run `kproto diff`: compare two messages or captures."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..codec.read.decoding import Policy
from ..codec.runtime.message import Message
from ..escaping import escaped
from ..inspector.identification import Examined, examine
from ..inspector.views.diff_json import diff_report
from ..inspector.views.diff_view import DiffView
from .input import inputs
from .input.capture_files import find_capture
from .input.evidence import MessageJudge
from .input.inputs import InputMessage
from .input.messages import find, load
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json
from .output.terminal import check_export, redaction_of, screen

if TYPE_CHECKING:
    from ..inspector.views.redaction import Redaction


Both = tuple[Examined, Examined]


def run(arguments: Namespace) -> int:
    """Compare each message of A with that of B; return 1 if one differs, or has no counterpart."""
    check_export(arguments)
    if arguments.a == arguments.b == "-":
        raise Failure("standard input can be A or B, not both", WRONG_USE)
    lefts, rights = (_messages(given, arguments) for given in (arguments.a, arguments.b))
    pairs = [
        (left.place, _examined(left.data, right.data, arguments))
        for left, right in zip(lefts, rights, strict=False)
    ]
    redaction = redaction_of(arguments)
    if arguments.json:
        _print_json(pairs, redaction)
    else:
        _show(pairs, arguments, redaction)
    for number, (left, right) in enumerate(zip_longest(lefts, rights), start=1):
        if left is None or right is None:
            say(f"only {'B' if left is None else 'A'} has a message {number}")
    differ = any(left.decoded.data != right.decoded.data for _, (left, right) in pairs)
    return REFUSED if differ or len(lefts) != len(rights) else 0


def _messages(given: str, arguments: Namespace) -> list[InputMessage]:
    where = (given, arguments.how, arguments.format, arguments.max_bytes)
    capture = find_capture(*where)
    if capture is not None:
        what = f"{given!r} is a capture of {capture.kind}"
        raise Failure(f"{what}; messages are compared, and kproto decode shows them", WRONG_USE)
    wanted = _wanted(arguments)
    found = inputs.messages(*where, partial(MessageJudge, wanted, arguments.body))
    if arguments.redact:  # the label is the text in front of a message
        return [message._replace(source="", label="") for message in found]
    return list(found)


def _examined(left: bytes, right: bytes, arguments: Namespace) -> Both:
    """Both as the message that --as names, or else as what A is identified as, or, where B cannot
    be that, each as what it is identified as."""
    wanted = _wanted(arguments)
    first = _examine(left, wanted, arguments)
    if wanted is not None:
        return first, _examine(right, wanted, arguments)
    second = examine(right, policy=Policy.LENIENT)
    if first.decoded.message_class.NAME in second.rivals:
        second = _examine(right, first.decoded.message_class, arguments)
    return first, second


def _wanted(arguments: Namespace) -> type[Message] | None:
    loaded = load(arguments.definitions)
    return find(arguments.name, loaded) if arguments.name is not None else None


def _examine(data: bytes, wanted: type[Message] | None, arguments: Namespace) -> Examined:
    if arguments.body is not None and wanted is None:
        raise Failure("--body needs --as NAME: what is built in alone is found out", WRONG_USE)
    try:
        return examine(data, wanted, policy=Policy.LENIENT, body_version=arguments.body)
    except ValueError as error:  # a version that does not exist
        raise Failure(str(error), WRONG_USE) from None


def _print_json(pairs: list[tuple[str, Both]], redaction: Redaction | None) -> None:
    for place, (left, right) in pairs:
        print_json(diff_report(left, right, redaction, place))


def _show(pairs: list[tuple[str, Both]], arguments: Namespace, redaction: Redaction | None) -> None:
    with screen(arguments) as console:
        for place, (left, right) in pairs:
            if place:
                console.rule(escaped(place), style="none", align="left")
            console.print(DiffView(left, right, full=arguments.full, redaction=redaction))
            sys.stdout.flush()
