"""Show frames that are no part of a capture: recognised ones, and those of `--as request` and
`--as response --api-key KEY …`.

A response has neither API key nor version; a request has both. The size may come first or not;
where it does, several frames may follow each other.

Readers of frames and reports are imported late: most bytes are no frames, and views need no report.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import to_builtins
from msgspec.structs import replace

from ...capture.chunks import CLEAN
from ...capture.frames.api_keys import API_NAMES
from ...capture.frames.frame import decode_request, decode_response
from ...codec.read.decoding import Policy
from ...inspector.identification import Examined
from ...inspector.recognition import RecognisedFrame, is_read
from ...inspector.reports.frame_report import frame_report
from ...inspector.views.redaction import redacted
from ..output.failures import REFUSED, WRONG_USE, Failure, say
from ..output.json_output import print_json
from ..output.one_field import field_path, has_field
from ..output.terminal import redaction_of
from .inputs import InputMessage

if TYPE_CHECKING:
    from ...capture.frames.frame import Frame
    from ...inspector.views.redaction import Redaction

Show = Callable[[InputMessage, Examined], bool]
"""Prints a message; False where the field that was asked for was not read."""


class Remark(Protocol):
    """Says on standard error what a result alone does not tell of a message, or of a part of it."""

    def __call__(
        self, message: InputMessage, examined: Examined | None = None, notes: Sequence[str] = ()
    ) -> None: ...


def show_frames(
    message: InputMessage,
    frames: Iterable[RecognisedFrame],
    arguments: Namespace,
    show: Show,
    remark: Remark,
) -> int:
    """Show the frames that a message is; return 1 if something was refused, or a frame lacks the
    field asked for."""
    policy = Policy(arguments.policy)
    redaction = redaction_of(arguments)
    status = 0
    for recognised in frames:
        named = recognised.frame._replace(source=message.source)
        placed = replace(recognised, frame=named)
        frame = placed.frame
        parts = _with_field(placed.parts(policy), arguments.field)
        if arguments.json and arguments.field is None:
            _print_line(message, placed, policy, redaction, with_bytes=arguments.bytes)
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


def _with_field(parts: tuple[Examined, ...], field: str | None) -> tuple[Examined, ...]:
    """Header and body; with --field the one of them that has it."""
    if field is None:
        return parts

    path = field_path(field)
    return tuple(part for part in parts if has_field(part, path)) or parts[-1:]


# -- frames that are asked for


def run_frames(
    messages: Iterable[InputMessage],
    arguments: Namespace,
    show: Show,
    remark: Remark,
) -> int:
    """Show every frame of every message; return the status as `show_frames` does."""
    status = 0
    for message in messages:
        frames = map(RecognisedFrame, _frames(message.data, arguments))
        status = max(status, show_frames(message, frames, arguments, show, remark))
    return status


def _requests(data: bytes) -> Iterator[Frame]:
    """Yield the requests in `data`, which follow each other where each has its size in front."""
    yield from _in_sequence(data, decode_request)


def _frames(data: bytes, arguments: Namespace) -> Iterator[Frame]:
    if arguments.name != "response":
        return _requests(data)

    api = _api_key(arguments.api_key), arguments.api_version
    return _in_sequence(data, lambda rest: decode_response(rest, *api))


def _in_sequence(data: bytes, decode: Callable[[bytes], Frame]) -> Iterator[Frame]:
    while data:
        frame = decode(data)
        rest = data[frame.size :] if frame.body is not None and frame.body.complete else b""
        yield frame._replace(data=data[: frame.size], reason="") if rest else frame
        data = rest


def _api_key(text: str) -> int:
    keys = {name.lower(): number for number, name in enumerate(API_NAMES)}
    key = keys.get(text.lower().removesuffix("response").removesuffix("request"))
    if key is None and text.isdecimal() and int(text) < 1 << 15:
        key = int(text)
    if key is None:
        raise Failure(f"{text!r} is no API key: 11, JoinGroup", WRONG_USE)
    return key


def _print_line(
    message: InputMessage,
    recognised: RecognisedFrame,
    policy: Policy,
    redaction: Redaction | None,
    *,
    with_bytes: bool,
) -> None:
    frame = recognised.frame
    is_open = redaction is None
    report, _ = frame_report(
        frame,
        recognised.around,
        policy,
        with_fields=is_open,
        with_bytes=is_open and with_bytes,
    )
    about = message.about() | {"source": report.source}
    report = replace(report, **about, guessed=recognised.guessed, rivals=list(recognised.rivals))
    if redaction is not None:
        print_json(redacted(to_builtins(report), redaction))
        return
    print_json(report)


class FrameJudge:
    """A judge of bytes in a text as frames, one or several behind each other."""

    def __init__(self, arguments: Namespace) -> None:
        self._arguments = arguments

    def weigh(self, data: bytes) -> int:
        """Return how much of `data` is explained by frames that are read to their last byte."""
        frames = list(_frames(data, self._arguments))
        if any(frame.reason or not is_read(frame) for frame in frames):
            return 0
        # Frames may follow each other, but a line for each is likelier.
        return (CLEAN if len(frames) == 1 else CLEAN - 1) * len(data)

    def ends(self, data: bytes) -> Iterable[int]:
        """Yield the positions where frames end that follow each other from the first byte on."""
        end = 0
        for frame in _frames(data, self._arguments):
            end += len(frame.data)
            yield end

    def describe(self, data: bytes) -> tuple[str, int]:
        """Return no name, and no deviations: a frame is recognized by its size alone."""
        return "", 0
