"""Frames that are no part of a capture: `--as request`, `--as response --api-key KEY …`.

A response has neither API key nor version; a request has both. The size may come first or not;
where it does, several frames may follow each other.

A request that was pasted as if it were a message is recognised, by the front of its header and then
by all of its fields; for other bytes, the responses are named that they may be.

Readers of frames and reports are imported late: most bytes are no frames, and views need no report.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from struct import Struct
from typing import TYPE_CHECKING

from ...codec.messages.programs import PROGRAMS
from ...codec.read.decoding import Policy
from ...codec.read.shape import shape_of
from ...inspector.identification import Examined, verdict
from ..output.failures import REFUSED, WRONG_USE, Failure, say
from ..output.terminal import redaction_of
from .inputs import InputMessage

if TYPE_CHECKING:
    from ...capture.frames.frame import Frame
    from ...inspector.views.redaction import Redaction

_HEADER = Struct(">hhih")  # API key, API version, correlation id, length of the client id
_SIZE = 4
_UNDECODED = ("FetchResponse", "SaslAuthenticateResponse")  # as `capture.frames.api_keys` has it
_KEYS = 128  # Kafka has fewer APIs
_VERSIONS = 64
_LARGEST = 1 << 16  # bytes of a response that is read in every version of every API
_LEAST_BODY = 12  # bytes: a shorter body fits almost every API
_NAMED = 3  # APIs


# -- frames that are asked for


def run(
    messages: Iterable[InputMessage],
    arguments: Namespace,
    show: Callable[[InputMessage, Examined], bool],
    remark: Callable[[InputMessage, Examined], None],
) -> int:
    """Show every frame; return 1 if something was refused, or a frame lacks the field asked for."""
    policy = Policy(arguments.policy)
    redaction = redaction_of(arguments)
    status = 0
    for message in messages:
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
    parts = [
        Examined(part, *verdict(part, policy, body_version=part.version), ())
        for part in (frame.header, frame.body)
        if part is not None
    ]
    if field is None:
        return parts
    from ..output.one_field import field_path, has_field  # late: few calls ask for one field

    path = field_path(field)
    return [part for part in parts if has_field(part, path)] or parts[-1:]


def requests(data: bytes) -> Iterator[Frame]:
    """Yield the requests in `data`, which follow each other where each has its size in front."""
    from ...capture.frames.frame import decode_request

    yield from _in_sequence(data, decode_request)


def _frames(data: bytes, arguments: Namespace) -> Iterator[Frame]:
    if arguments.name != "response":
        return requests(data)
    from ...capture.frames.frame import decode_response

    api = _api_key(arguments.api_key), arguments.api_version
    return _in_sequence(data, lambda rest: decode_response(rest, *api))


def _in_sequence(data: bytes, decode: Callable[[bytes], Frame]) -> Iterator[Frame]:
    while data:
        frame = decode(data)
        rest = data[frame.size :] if frame.body is not None and frame.body.complete else b""
        yield frame._replace(data=data[: frame.size], reason="") if rest else frame
        data = rest


def _api_key(text: str) -> int:
    from ...capture.frames.api_keys import API_NAMES

    keys = {name.lower(): number for number, name in enumerate(API_NAMES)}
    key = keys.get(text.lower().removesuffix("response").removesuffix("request"))
    if key is None and text.isdecimal() and int(text) < 1 << 15:
        key = int(text)
    if key is None:
        raise Failure(f"{text!r} is no API key: 11, JoinGroup", WRONG_USE)
    return key


def _print_line(
    message: InputMessage, frame: Frame, policy: Policy, redaction: Redaction | None
) -> None:
    from msgspec import to_builtins
    from msgspec.structs import replace

    from ...inspector.opening import NOTHING
    from ...inspector.reports.frame_report import frame_report
    from ..output.json_output import print_json

    report, _ = frame_report(frame, NOTHING, policy)
    report = replace(report, **message.about() | {"source": report.source})
    if redaction is None:
        print_json(report)
        return
    from ...inspector.views.redaction import redacted

    print_json(redacted(to_builtins(report), redaction))


class FrameJudge:
    """A judge of bytes in a text as frames, one or several behind each other."""

    def __init__(self, arguments: Namespace) -> None:
        self._arguments = arguments

    def weigh(self, data: bytes) -> int:
        """Return how much of `data` is explained by frames that are read to their last byte."""
        from ...capture.chunks import CLEAN

        frames = list(_frames(data, self._arguments))
        if any(frame.reason or not _is_read(frame) for frame in frames):
            return 0
        # Frames may follow each other, but a line for each is likelier.
        return (CLEAN if len(frames) == 1 else CLEAN - 1) * len(data)

    def ends(self, data: bytes) -> Iterable[int]:
        """Yield the positions where frames end that follow each other from the first byte on."""
        end = 0
        for frame in _frames(data, self._arguments):
            end += len(frame.data)
            yield end


def _is_read(frame: Frame) -> bool:
    """Whether the body is read to its last byte."""
    body = frame.body
    return body is not None and body.complete and not body.remainder


# -- bytes that may be frames


def may_be_requests(data: bytes) -> bool:
    """Return whether `data` begins like a request: size, if there is one, API key, version and
    client id agree."""
    size = int.from_bytes(data[:_SIZE], "big", signed=True)
    sized = 0 < size <= len(data) - _SIZE and _begins_with_header(data, _SIZE)
    return sized or _begins_with_header(data, 0)


def _begins_with_header(data: bytes, start: int) -> bool:
    if len(data) < start + _HEADER.size:
        return False
    key, version, _, length = _HEADER.unpack_from(data, start)
    start += _HEADER.size
    client_id = data[start : start + max(length, 0)]
    return (
        0 <= key < _KEYS
        and 0 <= version < _VERSIONS
        and length >= -1
        and len(client_id) == max(length, 0)
        and all(0x20 <= byte < 0x7F for byte in client_id)
    )


def are_requests(data: bytes, examined: Examined) -> bool:
    """Return whether `data` is one request or several, and not rather what it was identified as."""
    return not examined.is_certain and all(map(_is_complete, requests(data)))


def _is_complete(frame: Frame) -> bool:
    """Whether header and body are read to the last byte; a body without a definition counts where
    the size is right and the client has a name."""
    header, body = frame.header, frame.body
    if header is None or not header.complete:
        return False
    if body is None:
        sized = frame.data[:_SIZE] == (len(frame.data) - _SIZE).to_bytes(_SIZE, "big")
        has_name = header.message is not None and header.message.client_id
        return sized and frame.foreign and bool(has_name)
    return not frame.reason and _is_read(frame)


def response_guess(data: bytes, examined: Examined) -> str:
    """Return the APIs and versions whose responses `data` may be, in words, and how to read it as
    one; "" where it is rather what it was identified as, or fits none.

    A response has its size in front, or the bytes are no message that can be read to its end.
    """
    if not _SIZE + _LEAST_BODY <= len(data) <= _LARGEST or examined.is_certain:
        return ""
    sized = int.from_bytes(data[:_SIZE], "big") == len(data) - _SIZE
    unread = not examined.identified or not examined.decoded.complete
    fitting = _fitting_responses(data) if sized or unread else {}
    if not fitting:
        return ""
    names = [f"{name} {_versions(versions)}" for name, versions in fitting.items()]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    name, versions = next(iter(fitting.items()))
    return (
        f"it may be a response without its request, such as {', '.join(names[:_NAMED])}{more}: "
        f"--as response --api-key {name} --api-version {versions[-1]}"
    )


def _fitting_responses(data: bytes) -> dict[str, list[int]]:
    """The APIs, and their versions, whose response `data` is to the last byte, without a
    deviation."""
    fitting: dict[str, list[int]] = {}
    for name in _responses_of_its_length(data):
        from ...capture.frames.frame import decode_response

        (_, _, api_key), _, versions, _, _ = PROGRAMS[name]
        assert api_key is not None
        for version, _, _ in versions:
            frame = decode_response(data, api_key, version)
            if _is_complete(frame) and frame.body is not None and not frame.body.deviations:
                fitting.setdefault(name.removesuffix("Response"), []).append(version)
    return fitting


def _responses_of_its_length(data: bytes) -> Iterator[str]:
    """The names of the responses that end, in some version, where `data` does.

    Their shapes tell, which import no message class and decode nothing.
    """
    header = shape_of("ResponseHeader")
    starts = {
        end
        for start in (0, _SIZE)
        for version in (0, 1)
        if (end := header.end(version, data, start)[1]) is not None
    }
    for name, (_, _, versions, _, _) in PROGRAMS.items():
        if name.endswith("Response") and name not in _UNDECODED:
            ends = {shape_of(name).end(row[0], data, at) for row in versions for at in starts}
            if not ends.isdisjoint({(True, len(data)), (True, None)}):
                yield name


def _versions(versions: list[int]) -> str:
    first, last = versions[0], versions[-1]
    return f"{first}" if first == last else f"{first} to {last}"
