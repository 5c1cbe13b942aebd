"""Frames: a request or response with its size in front, header and body known by their layouts.

request\\n            a request follows, which says itself what it is
response 11 9\\n      the response to a request of API key 11, version 9
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...capture import Frame, decode_request, decode_response
from ...capture.frames.api_keys import apis
from .messages import Prefix, _of_decoded, _resized
from .splices import EDGES, Splice, ends_and_tails, thinned

_HEAD = re.compile(rb"request|response (\d{1,3}) (\d{1,3})")
_MOST = 1500


def frame_of(data: bytes) -> tuple[Frame | None, bytes]:
    """Return the frame that the input is, read with its size, and its bytes; the frame is None if
    the head is none.
    """
    head, _, payload = data.partition(b"\n")
    match = _HEAD.fullmatch(head)
    if match is None:
        return None, payload
    if match[1] is None:
        return decode_request(payload, sized=True), payload
    return decode_response(payload, int(match[1]), int(match[2]), sized=True), payload


class _Frames:
    """The form of inputs that are a head and a frame."""

    raw_every = 4

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        frame, payload = frame_of(data)
        size = len(data) - len(payload)
        if frame is None:
            return [Splice(0, size, b"request\n", "as request")]
        heads = [
            Splice(0, size, b"response %d %d\n" % (key, version), f"as response {key} {version}")
            for key, api in sorted(apis().items())
            for version in api.response.VERSIONS
        ]
        found = [splice.moved(size) for splice in _in_frame(frame)]
        return thinned(heads, 40) + thinned(found, _MOST)

    def head(self, data: bytes) -> int:
        """Return the length of the first line."""
        return data.find(b"\n") + 1

    def tokens(self) -> Iterable[bytes]:
        """Return the edges, and each API key as in a request's header."""
        return (*EDGES, *(b"\0" + bytes([key]) for key in apis()))


def _in_frame(frame: Frame) -> list[Splice]:
    there = min(4, len(frame.data))
    size = Prefix(0, there, 4, int.from_bytes(frame.data[:there], "big", signed=True))
    found = ends_and_tails(len(frame.data), (0, 3, 4, 6, 8, 12, 14, frame.body_start))
    found += [Splice(0, there, size.written(size.value + by), f"size {by:+}") for by in (-1, 1, 9)]
    found += [
        Splice(0, there, edge, f"size {edge.hex()}") for edge in EDGES if len(edge) == size.width
    ]
    for part, start in ((frame.header, size.width), (frame.body, frame.body_start)):
        if part is not None:
            inner = (splice.moved(start) for splice in _of_decoded(part))
            found += [_resized(frame.data, splice, size) for splice in inner]
    return found


FRAMES = _Frames()
