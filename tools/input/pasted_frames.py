"""Recognise a request that was pasted as if it were a message: with its size in front, or without;
and guess what a response may be, which names neither its API nor its version.

The check reads the front of the header alone, so that the readers of frames are imported only where
there may be a frame. `requests` then wants every field of the body read, to the last byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import TYPE_CHECKING

from ...codec.messages.programs import PROGRAMS
from ...codec.read.shape import shape_of
from ...inspector.identification.identify import Examined

if TYPE_CHECKING:
    from ...capture.frames.frame import Frame

_HEADER = Struct(">hhih")  # API key, API version, correlation id, length of the client id
_SIZE = 4
_KEYS = 128  # Kafka has fewer APIs
_VERSIONS = 64


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
    if _is_labelled_and_whole(examined):
        return False
    from .frames_alone import requests  # late: most bytes are no frames

    frames = list(requests(data))
    return all(_is_whole(frame) for frame in frames)


def _is_labelled_and_whole(examined: Examined) -> bool:
    seen = examined.decoded
    labelled = seen.message_class.FRAMING.kind != "none"
    known = seen.version == seen.schema_version
    return examined.identified and labelled and known and seen.complete and not seen.remainder


def _is_whole(frame: Frame) -> bool:
    """Return whether header and body are read to the last byte; a body without a definition counts
    where the size is right and the client has a name."""
    header, body = frame.header, frame.body
    if header is None or not header.complete:
        return False
    if body is None:
        sized = frame.data[:_SIZE] == (len(frame.data) - _SIZE).to_bytes(_SIZE, "big")
        named = header.message is not None and header.message.client_id
        return sized and frame.foreign and bool(named)
    return not frame.reason and body.complete and not body.remainder


_LARGEST = 1 << 16  # bytes of a response that is read in every version of every API
_LEAST_BODY = 12  # bytes: a shorter body fits almost every API
_NAMED = 3  # APIs
_UNDECODED = "SaslAuthenticateResponse"  # it holds credentials


def response_guess(data: bytes, examined: Examined) -> str:
    """Return the APIs and versions whose responses `data` may be, in words, and how to read it as
    one; "" where it is rather what it was identified as, or fits none.

    A response has its size in front, or the bytes are no message that can be read to its end.
    """
    if not _SIZE + _LEAST_BODY <= len(data) <= _LARGEST or _is_labelled_and_whole(examined):
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
        from ...capture.frames.frame import decode_response  # late: most bytes are no frames

        (_, _, api_key), _, versions, _, _ = PROGRAMS[name]
        assert api_key is not None
        for version, _, _ in versions:
            frame = decode_response(data, api_key, version)
            if _is_whole(frame) and frame.body is not None and not frame.body.deviations:
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
        if name.endswith("Response") and name != _UNDECODED:
            ends = {shape_of(name).end(row[0], data, at) for row in versions for at in starts}
            if not ends.isdisjoint({(True, len(data)), (True, None)}):
                yield name


def _versions(versions: list[int]) -> str:
    first, last = versions[0], versions[-1]
    return f"{first}" if first == last else f"{first} to {last}"
