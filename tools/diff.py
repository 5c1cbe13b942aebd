"""Run `kproto diff`: compare two messages or captures."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..codec.read.decoding import Policy
from ..codec.runtime.message import Message
from ..escaping import escaped
from ..inspector.identification import Examined, examine
from ..inspector.recognition import Recognised, Recogniser
from ..inspector.views.diff_json import diff_report
from ..inspector.views.diff_view import DiffView
from .input import inputs
from .input.capture_files import find_capture
from .input.evidence import MessageJudge
from .input.inputs import InputMessage
from .input.message_types import find, load
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
    lefts, rights = (_messages(source, arguments) for source in (arguments.a, arguments.b))
    pairs = list(_pairs(lefts, rights, arguments))
    redaction = redaction_of(arguments)
    if arguments.json:
        _print_json(pairs, redaction)
    else:
        _show(pairs, arguments, redaction)
    for number, (left, right) in enumerate(zip_longest(lefts, rights), start=1):
        if left is None or right is None:
            say(f"only {'B' if left is None else 'A'} has a message {number}")
    differ = any(left.data != right.data for left, right in zip(lefts, rights, strict=False))
    return REFUSED if differ or len(lefts) != len(rights) else 0


def _messages(source: str, arguments: Namespace) -> list[InputMessage]:
    where = (source, arguments.how, arguments.format, arguments.max_bytes)
    capture = find_capture(*where)
    if capture is not None:
        problem = f"{source!r} is a capture of {capture.kind}"
        raise Failure(f"{problem}; messages are compared, and kproto decode shows them", WRONG_USE)
    message_type = _message_type(arguments)
    result = inputs.messages(*where, partial(MessageJudge, message_type, arguments.body))
    if arguments.redact:  # the label is the text in front of a message
        return [replace(message, source="", label="") for message in result]
    return list(result)


def _pairs(
    lefts: list[InputMessage], rights: list[InputMessage], arguments: Namespace
) -> Iterator[tuple[str, Both]]:
    """The messages of A with those of B, and their places in A. Of frames, headers and bodies."""
    recognisers = Recogniser(Policy.LENIENT), Recogniser(Policy.LENIENT)
    for left, right in zip(lefts, rights, strict=False):
        if _message_type(arguments) is not None or arguments.body is not None:
            yield left.place, _as_named(left.data, right.data, arguments)
            continue
        first, second = (
            recogniser.recognise(
                side.data, side.context, is_inside=side.is_inside, is_cut=side.is_cut
            )
            for recogniser, side in zip(recognisers, (left, right), strict=True)
        )
        for name, side in (("A", first), ("B", second)):
            if side.remark:
                say(f"{name}: {side.remark}")
        if first.message is not None and second.message is not None:
            yield left.place, _with_one_type(first.message, second.message)
        else:
            yield from _parts(left.place, first, second)


def _parts(place: str, first: Recognised, second: Recognised) -> Iterator[tuple[str, Both]]:
    """The parts of frames in pairs; of a frame and a message, the body with the message."""
    lefts, rights = ([part for part, _ in side.parts(Policy.LENIENT)] for side in (first, second))
    if len(lefts) != len(rights):
        lefts, rights = lefts[-1:], rights[-1:]
    for left, right in zip(lefts, rights, strict=False):
        name = left.decoded.message_class.NAME
        yield f"{place}, {name}" if place else name, (left, right)


def _with_one_type(first: Examined, second: Examined) -> Both:
    """Both messages, the second as the first one's type if the bytes can be that."""
    message_class = first.decoded.message_class
    if message_class.NAME in second.rivals:
        second = examine(second.decoded.data, message_class, policy=Policy.LENIENT)
    return first, second


def _as_named(left: bytes, right: bytes, arguments: Namespace) -> Both:
    """Both as the message that --as names."""
    message_type = _message_type(arguments)
    return _examine(left, message_type, arguments), _examine(right, message_type, arguments)


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


def _show(pairs: list[tuple[str, Both]], arguments: Namespace, redaction: Redaction | None) -> None:
    with screen(arguments) as console:
        for place, (left, right) in pairs:
            if place:
                console.rule(escaped(place), style="none", align="left")
            console.print(DiffView(left, right, full=arguments.full, redaction=redaction))
            sys.stdout.flush()
