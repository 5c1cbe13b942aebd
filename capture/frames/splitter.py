"""Cut one direction of a stream, which may have holes, into frames.

Sans-IO: bytes and holes are fed in as they come, and frames are returned. Where a hole is inside a
frame whose size is known, the next frame is found all the same. Otherwise the splitter searches for
the next position where a frame may begin, and reports how many bytes it skipped.

Memory is bounded: of a frame larger than `max_held` only the beginning is kept, and an int32 above
`max_frame` is not taken for a size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from struct import Struct
from typing import NamedTuple, Protocol

__all__ = [
    "BEGINS_INSIDE",
    "CUT",
    "ENDS_INSIDE",
    "MAX_FRAME",
    "MAX_HELD",
    "MISSING",
    "AnyBoundary",
    "Boundary",
    "FrameSplitter",
    "Lost",
    "RawFrame",
    "RequestBoundary",
    "ResponseBoundary",
]

MAX_FRAME = 100 * 1024 * 1024
"""The largest size that a frame may claim: a broker's default limit."""
MAX_HELD = 16 * 1024 * 1024
"""The number of bytes of one frame that are kept."""

BEGINS_INSIDE = "the capture begins in the middle of a frame"
ENDS_INSIDE = "the capture ends in the middle of it"
MISSING = "bytes are missing in the capture"
CUT = "its packets were cut as they were captured (snap length; tcpdump -s 0 keeps them whole)"

_HEAD = 8  # the size and, of a response, the correlation id: no frame is shorter


class RawFrame(NamedTuple):
    """The bytes of a frame, which begin with its int32 size.

    `offset` is its position in the stream. `data` has its first bytes, all `size` of them unless
    `problem` says why not.
    """

    offset: int
    size: int
    data: bytes
    problem: str


class Lost(NamedTuple):
    """Bytes of the stream that belong to no frame that could be read."""

    offset: int
    size: int
    reason: str


class Boundary(Protocol):
    """A rule that tells where a frame may begin.

    `keep` is the number of the last bytes that are searched again when more is known.
    """

    min_size: int
    keep: int

    def plausible(self, head: bytes) -> bool:
        """Return whether a frame can begin with these 8 bytes, whose size was checked before."""

    def find(self, data: bytes, max_frame: int) -> int:
        """Return the first position in `data` where a frame very likely begins, or -1."""


class AnyBoundary:
    """A rule that knows nothing but sizes: a stream that is out of step stays so."""

    min_size = 4
    keep = 0

    def plausible(self, head: bytes) -> bool:
        return True

    def find(self, data: bytes, max_frame: int) -> int:
        return -1


class RequestBoundary:
    """The rule for requests: API key, version and, mostly, a client id.

    `client_id` is that of earlier requests on the connection, which has one. Without it, requests
    without a client id are not searched for, since too little identifies them.
    """

    min_size = 8
    keep = 320  # no header that is accepted is longer
    _FRONT = Struct(">ihhih")
    _CANDIDATE = re.compile(
        rb"(?=\x00(?!\x00\x00[\x00-\x09])[\x00-\xff]{3}"  # size: 10 to 16 MiB
        rb"\x00[\x00-\x7f]\x00[\x00-\x3f][\x00-\x7f][\x00-\xff]{3}"  # key, version, correlation id
        rb"(?:\xff\xff|\x00[\x00-\xff]))"
    )

    def __init__(self) -> None:
        self.client_id: bytes | None = None

    def plausible(self, head: bytes) -> bool:
        return head[4] < 4 and head[6] == 0 and head[7] < 64

    def find(self, data: bytes, max_frame: int) -> int:
        for candidate in self._CANDIDATE.finditer(data):
            at = candidate.start()
            size, _, _, _, length = self._FRONT.unpack_from(data, at)
            start = at + self._FRONT.size
            client_id = data[start : start + max(length, 0)]
            fits = 10 + max(length, 0) <= size <= max_frame and length <= len(client_id)
            follower = data[at + 4 + size :][:_HEAD]
            if fits and self._is_name(client_id) and self._may_follow(follower, max_frame):
                return at
        return -1

    def _may_follow(self, head: bytes, max_frame: int) -> bool:
        if len(head) < _HEAD:
            return True
        size = int.from_bytes(head[:4], "big", signed=True)
        return self.min_size <= size <= max_frame and self.plausible(head)

    def _is_name(self, client_id: bytes) -> bool:
        if self.client_id is not None:
            return client_id == self.client_id
        try:
            return bool(client_id) and client_id.decode().isprintable()
        except UnicodeDecodeError:
            return False


class ResponseBoundary:
    """The rule for responses: the correlation id of a request without a response.

    The request may become known later, where it is behind a hole.
    """

    min_size = 4
    keep = 8 * 1024

    def __init__(self, pending: Iterable[int]) -> None:
        self._pending = pending

    def plausible(self, head: bytes) -> bool:
        return True

    def find(self, data: bytes, max_frame: int) -> int:
        oldest = islice(self._pending, 8)  # brokers answer in order
        places = [_response(data, id_, max_frame) for id_ in oldest]
        return min((place for place in places if place >= 0), default=-1)


def _response(data: bytes, correlation_id: int, max_frame: int) -> int:
    """The first position where a response with that correlation id may begin, or -1.

    A small number is easily found among other bytes, so the next frame must begin with a size too.
    """
    id_bytes = correlation_id.to_bytes(4, "big", signed=True)
    at = data.find(id_bytes, 4)
    while at >= 0:
        size = int.from_bytes(data[at - 4 : at], "big", signed=True)
        follower = data[at + size : at + size + 4]
        next_size = int.from_bytes(follower, "big", signed=True)
        if 4 <= size <= max_frame and (len(follower) < 4 or 4 <= next_size <= max_frame):
            return at - 4
        at = data.find(id_bytes, at + 1)
    return -1


class FrameSplitter:
    """Cuts a stream into frames (see the module). `synced`: the stream begins with a frame."""

    def __init__(
        self,
        boundary: Boundary | None = None,
        *,
        max_frame: int = MAX_FRAME,
        max_held: int = MAX_HELD,
        synced: bool = True,
    ) -> None:
        self._boundary = AnyBoundary() if boundary is None else boundary
        self._max_frame = max_frame
        self._max_held = max_held
        self._offset = 0  # of the first byte in the buffer
        self.buffer = bytearray()
        """The bytes that are held."""
        self._size: int | None = None  # of the frame in the buffer, once it is known
        self._passed = 0  # bytes of that frame that are not held
        self._problem = ""
        self._lost_from = -1 if synced else 0
        self._why_lost = "" if synced else BEGINS_INSIDE

    @property
    def is_lost(self) -> bool:
        """Whether the next position where a frame may begin is searched for."""
        return self._lost_from >= 0

    def look_again(self) -> list[RawFrame | Lost]:
        """Search the kept bytes again, when the boundary knows more, and return the frames
        found."""
        frames: list[RawFrame | Lost] = []
        if self._lost_from < 0:
            return frames
        rest = self._search(memoryview(b""), frames)
        return frames + self.feed(rest)

    def feed(self, data: bytes | memoryview) -> list[RawFrame | Lost]:
        """Take the next bytes of the stream and return the frames that are complete now."""
        is_between = self._lost_from < 0 and self._size is None and not self.buffer
        if is_between and self._end_of_whole(data) == len(data) > 0:  # as most packets are
            self._offset += len(data)
            return [RawFrame(self._offset - len(data), len(data), bytes(data), "")]
        frames: list[RawFrame | Lost] = []
        rest = memoryview(data)
        while rest:
            if self._lost_from >= 0:
                rest = self._search(rest, frames)
            elif self._size is None:
                end = 0 if self.buffer else self._end_of_whole(rest)
                if end:
                    frames.append(RawFrame(self._offset, end, bytes(rest[:end]), ""))
                    self._offset += end
                rest = rest[end:] if end else self._begin(rest, frames)
            else:
                rest = self._fill(rest, frames)
        return frames

    def gap(self, size: int, problem: str = MISSING) -> list[RawFrame | Lost]:
        """Take a hole of `size` bytes, with its cause, and return the frames that end with it."""
        frames: list[RawFrame | Lost] = []
        if self._size is not None and size:
            inside = min(size, self._left)
            size -= inside
            self._passed += inside
            self._problem = self._problem or problem
            self._finish(frames)
        if size:
            if self._lost_from < 0:
                self._lose(problem)
            self._forget()
            self._offset += size
        return frames

    def close(self, problem: str = ENDS_INSIDE) -> list[RawFrame | Lost]:
        """End the stream and return what is left of it."""
        frames: list[RawFrame | Lost] = []
        if self._lost_from >= 0:
            self._forget()
            self._append_lost(self._offset, frames)
        elif self._size is not None:
            self._problem = self._problem or problem
            self._append_frame(frames)
        elif self.buffer:
            frames.append(Lost(self._offset, len(self.buffer), problem))
        self.buffer.clear()
        return frames

    # -- in step

    @property
    def _left(self) -> int:
        assert self._size is not None
        return self._size - len(self.buffer) - self._passed

    def _end_of_whole(self, data: bytes | memoryview) -> int:
        """Return where the first frame ends that is whole in these bytes, as most are; 0 where it
        has to be collected, or is none."""
        size = int.from_bytes(data[:4], "big", signed=True)
        is_whole = _HEAD <= size + 4 <= min(len(data), self._max_held)
        fits = is_whole and self._boundary.min_size <= size <= self._max_frame
        return size + 4 if fits and self._boundary.plausible(bytes(data[:_HEAD])) else 0

    def _begin(self, data: memoryview, frames: list[RawFrame | Lost]) -> memoryview:
        """Collect the first bytes of a frame, and check them."""
        need = _HEAD - len(self.buffer)
        self.buffer += data[:need]
        if len(self.buffer) < _HEAD:
            return data[need:]
        size = int.from_bytes(self.buffer[:4], "big", signed=True)
        if not self._boundary.min_size <= size <= self._max_frame:
            self._lose("what should be the size of a frame is none")
        elif not self._boundary.plausible(bytes(self.buffer)):
            self._lose("what should be a frame is none")
        else:
            self._size = size + 4
            self._finish(frames)
        return data[need:]

    def _fill(self, data: memoryview, frames: list[RawFrame | Lost]) -> memoryview:
        part = data[: self._left]
        room = 0 if self._passed else max(0, self._max_held - len(self.buffer))
        self.buffer += part[:room]
        if len(part) > room:
            self._passed += len(part) - room
            self._problem = self._problem or "larger than what is kept of a frame"
        self._finish(frames)
        return data[len(part) :]

    def _finish(self, frames: list[RawFrame | Lost]) -> None:
        """Append the frame to `frames` if all of it was read."""
        if self._left == 0:
            self._append_frame(frames)

    def _append_frame(self, frames: list[RawFrame | Lost]) -> None:
        assert self._size is not None
        frames.append(RawFrame(self._offset, self._size, bytes(self.buffer), self._problem))
        self._offset += len(self.buffer) + self._passed
        self.buffer.clear()
        self._size, self._passed, self._problem = None, 0, ""

    # -- out of step

    def _lose(self, why: str) -> None:
        self._lost_from, self._why_lost = self._offset, why

    def _search(self, data: memoryview, frames: list[RawFrame | Lost]) -> memoryview:
        self.buffer += data
        buffer = bytes(self.buffer)
        at = self._boundary.find(buffer, self._max_frame)
        if at < 0:
            self._forget(self._boundary.keep)
            return data[:0]
        self.buffer.clear()
        self._offset += at
        self._append_lost(self._offset, frames)
        self._lost_from = -1
        return memoryview(buffer)[at:]

    def _forget(self, keep: int = 0) -> None:
        count = max(0, len(self.buffer) - keep)
        del self.buffer[:count]
        self._offset += count

    def _append_lost(self, end: int, frames: list[RawFrame | Lost]) -> None:
        if end > self._lost_from:
            frames.append(Lost(self._lost_from, end - self._lost_from, self._why_lost))
