"""Frames without a capture around them: `--as request`, `--as response --api-key KEY …`.

A response says neither what it answers nor in which version; a request says both. The size in
front may be there or not; where it is, several frames may follow one another.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator

from ..capture.api_keys import API_NAMES
from ..capture.frames import Frame, decode_request, decode_response
from ..codec.decoding import Policy
from ..inspector.examined import Examined, verdict
from ..inspector.opening import NOTHING
from .failures import REFUSED, WRONG_USE, Failure, say
from .inputs import is_text


def run(
    found: Iterable[tuple[str, bytes]],
    arguments: Namespace,
    show: Callable[[str, Examined], bool],
) -> int:
    """Show every frame; 1 if something was refused."""
    policy = Policy(arguments.policy)
    status = 0
    for place, data in found:
        source = f"{_name(arguments)}, {place}" if place else _name(arguments)
        for bare in _frames(data, arguments):
            frame = bare._replace(source=source)
            if arguments.json:
                refused = _print_line(frame, policy)
            else:
                refused = _show(place, frame, policy, show)
            if frame.reason:
                where = f"{place}: " if place else ""
                say(f"{where}{frame.direction} of {frame.api}: {frame.reason}")
            status = REFUSED if refused or frame.body is None else status
            sys.stdout.flush()
    return status


def _name(arguments: Namespace) -> str:
    """What the input is called."""
    given = arguments.input
    if given is None or (given == "-" and arguments.how != "file"):
        return "standard input"
    return "INPUT" if is_text(given, arguments.how, arguments.format) else str(given)


def _frames(data: bytes, arguments: Namespace) -> Iterator[Frame]:
    while data:
        if arguments.name == "request":
            frame = decode_request(data)
        else:
            frame = decode_response(data, _api_key(arguments.api_key), arguments.api_version)
        rest = data[frame.size :] if frame.body is not None and frame.body.complete else b""
        yield frame._replace(data=data[: frame.size], reason="") if rest else frame
        data = rest


def _api_key(given: str) -> int:
    names = {name.lower(): number for number, name in enumerate(API_NAMES)}
    number = names.get(given.lower().removesuffix("response").removesuffix("request"))
    if number is None and given.isdecimal() and int(given) < 1 << 15:
        number = int(given)
    if number is None:
        raise Failure(f"{given!r} is no API key: 11, JoinGroup", WRONG_USE)
    return number


def _print_line(frame: Frame, policy: Policy) -> bool:
    from ..inspector.frame_report import frame_report
    from ..inspector.json_line import json_line

    made, refused = frame_report(frame, NOTHING, policy)
    print(json_line(made).decode())
    return refused


def _show(place: str, frame: Frame, policy: Policy, show: Callable[[str, Examined], bool]) -> bool:
    refused = False
    for part in (frame.header, frame.body):
        if part is not None:
            examined = Examined(part, *verdict(part, policy, body_version=part.version), ())
            show(place, examined)
            refused = refused or examined.refused
    return refused
