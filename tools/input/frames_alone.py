"""Show frames that are no part of a capture: `--as request`, `--as response --api-key KEY …`.

A response has neither API key nor version; a request has both. The size may come first or not;
where it does, several frames may follow each other. Reports are imported late: views need none.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ...capture.chunks import CLEAN
from ...capture.frames.api_keys import API_NAMES
from ...capture.frames.frame import Frame, decode_request, decode_response
from ...codec.read.decoding import Policy
from ...inspector.identification.identify import Examined, verdict
from ...inspector.open.opening import NOTHING
from ..options.view_options import redaction_of
from ..output.failures import REFUSED, WRONG_USE, Failure, say
from .texts import InputMessage

if TYPE_CHECKING:
    from ...inspector.views.redaction import Redaction


def run(
    found: Iterable[InputMessage],
    arguments: Namespace,
    show: Callable[[InputMessage, Examined], bool],
    remark: Callable[[InputMessage, Examined], None],
) -> int:
    """Show every frame; return 1 if something was refused, or a frame lacks the field asked for."""
    policy = Policy(arguments.policy)
    redaction = redaction_of(arguments)
    status = 0
    for message in found:
        for unplaced in _frames(message.data, arguments):
            frame = unplaced._replace(source=message.source)
            parts = list(_parts(frame, policy, arguments.field))
            if arguments.json and arguments.field is None:
                _print_line(message, frame, policy, redaction)
                missing = 0
            else:
                missing = sum(not show(message, part) for part in parts)
            if frame.reason:
                where = f"{message.heading}: " if message.heading else ""
                say(f"{where}{frame.direction} of {frame.api}: {frame.reason}")
            elif parts:
                remark(message, parts[-1])
            if missing or frame.body is None or any(part.refused for part in parts):
                status = REFUSED
            sys.stdout.flush()
    return status


def _parts(frame: Frame, policy: Policy, field: str | None) -> Iterable[Examined]:
    """Header and body, as far as they were read; with --field the one of them that has it."""
    seen = [part for part in (frame.header, frame.body) if part is not None]
    parts = [Examined(part, *verdict(part, policy, body_version=part.version), ()) for part in seen]
    if field is None:
        return parts
    from ..output.one_field import field_path, has_field  # late: few calls ask for one field

    path = field_path(field)
    return [part for part in parts if has_field(part, path)] or parts[-1:]


_SEVERAL = CLEAN - 1  # frames may follow each other, but a line for each is likelier


class FrameJudge:
    """A judge of bytes in a text as frames, one or several behind each other."""

    def __init__(self, arguments: Namespace) -> None:
        self._arguments = arguments

    def weigh(self, data: bytes) -> int:
        """Return how much of `data` is explained by frames that are read to their last byte."""
        frames = list(_frames(data, self._arguments))
        whole = [frame for frame in frames if frame.body is not None and not frame.reason]
        if len(whole) < len(frames) or any(_left_over(frame) for frame in whole):
            return 0
        return (CLEAN if len(frames) == 1 else _SEVERAL) * len(data)

    def ends(self, data: bytes) -> Iterable[int]:
        """Yield the positions where frames end that follow each other from the first byte on."""
        end = 0
        for frame in _frames(data, self._arguments):
            end += len(frame.data)
            yield end


def _left_over(frame: Frame) -> bool:
    return frame.body is None or not frame.body.complete or bool(frame.body.remainder)


def requests(data: bytes) -> Iterator[Frame]:
    """Yield the requests in `data`, which follow each other where each has its size in front."""
    yield from _each(data, decode_request)


def _frames(data: bytes, arguments: Namespace) -> Iterator[Frame]:
    if arguments.name != "response":
        return requests(data)
    api = _api_key(arguments.api_key), arguments.api_version
    return _each(data, lambda rest: decode_response(rest, *api))


def _each(data: bytes, decode: Callable[[bytes], Frame]) -> Iterator[Frame]:
    while data:
        frame = decode(data)
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


def _print_line(
    message: InputMessage, frame: Frame, policy: Policy, redaction: Redaction | None
) -> None:
    from ...inspector.reports.frame_report import frame_report
    from ...inspector.reports.json_report import json_line

    made, _ = frame_report(frame, NOTHING, policy)
    made = message.about() | made
    if redaction is not None:
        from ...inspector.views.redaction import redacted

        made = redacted(made, redaction)
    print(json_line(made).decode())
