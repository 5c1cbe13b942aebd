"""Any bytes are a frame or are refused with a reason: no other error is raised, every byte is
header, body or rest, and a stream cut anywhere gives the same frames.
"""

from __future__ import annotations

from ...capture.frames.splitter import AnyBoundary, FrameSplitter, Lost, RawFrame
from ..mutators.frames import FRAMES, frame_of
from . import Broken

FORMS = {"": FRAMES}

_MAX_FRAME = 1 << 20


def check(data: bytes) -> None:
    """Check a head and a frame."""
    frame, payload = frame_of(data)
    if frame is None:
        return
    if frame.data != payload:
        raise Broken("the frame does not hold the bytes that it was read from")
    if (frame.body is None) and not frame.reason:
        raise Broken("there is no body, and no reason why")
    if frame.body is not None and frame.body.data != payload[frame.body_start : frame.size]:
        raise Broken(f"the body is not what stands from byte {frame.body_start}")
    str(frame.reason), frame.api
    _check_cuts(payload)


def _check_cuts(stream: bytes) -> None:
    whole = _split(stream, len(stream) or 1)
    for step in (1, 5):
        if _split(stream, step) != whole:
            raise Broken(f"split otherwise when it comes in pieces of {step}")


def _split(stream: bytes, step: int) -> list[RawFrame | Lost]:
    splitter = FrameSplitter(AnyBoundary(), max_frame=_MAX_FRAME)
    found: list[RawFrame | Lost] = []
    for start in range(0, len(stream), step):
        found += splitter.feed(stream[start : start + step])
    return found + splitter.close()
