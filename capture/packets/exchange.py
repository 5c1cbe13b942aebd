"""Match the requests and responses of one connection.

Brokers answer in order, so a response belongs to the oldest request with its correlation id;
requests before that one will not be answered (a producer may want no response). A response that was
captured before its request is kept until the request comes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..frames.api_keys import Api
from ..frames.frame import (
    Connection,
    Frame,
    correlation_id_of,
    request_frame,
    response_frame,
    unmatched_response,
)
from ..frames.splitter import (
    BEGINS_INSIDE,
    CUT,
    ENDS_INSIDE,
    MISSING,
    FrameSplitter,
    Lost,
    RawFrame,
    RequestBoundary,
    ResponseBoundary,
)
from ..summary import Summary
from .tcp import Hole

__all__ = ["Exchange", "Moment"]

_EARLY_FRAMES = 32  # responses kept for their request
_PENDING = 4096  # requests kept for their response
_ENTRY = 256  # bytes that a kept one takes besides its own
_SIZE_BYTES = 4


class Moment(NamedTuple):
    """A packet's time, its number and its file."""

    timestamp: float | None
    packet: int | None
    source: str


class _Early(NamedTuple):
    """A response that was captured before its request."""

    frame: RawFrame
    moment: Moment


class Exchange:
    """A connection with Kafka's protocol whose client side is known.

    `known` are the APIs whose bodies are decoded. `synced`: both streams were captured from their
    first byte on.
    """

    def __init__(
        self,
        connection: Connection,
        source: str,
        summary: Summary,
        *,
        synced: bool,
        max_frame: int,
        max_held: int,
        known: Mapping[int, Api],
    ) -> None:
        self.connection = connection
        self._known = known
        self._source = source
        self._summary = summary
        self._max_held = max_held
        self._names = RequestBoundary()
        self._waiting: deque[tuple[int, int, int]] = deque()  # correlation id, API key, version
        self._ids: Counter[int] = Counter()  # the correlation ids in it
        self._early: deque[_Early] = deque()
        self._early_size = 0
        limits = {"max_frame": max_frame, "max_held": max_held}
        self._requests = FrameSplitter(self._names, synced=synced, **limits)
        answers = ResponseBoundary(_Ids(self._waiting))
        self._responses = FrameSplitter(answers, synced=synced, **limits)

    @property
    def held(self) -> int:
        """The memory that is held, in bytes, roughly."""
        waiting = _ENTRY * (len(self._waiting) + len(self._early))
        return self._requests.held + self._responses.held + self._early_size + waiting

    def feed(self, items: list[bytes | Hole], moment: Moment, *, asks: bool) -> list[Frame]:
        """Take the next part of the client's (`asks`) or the broker's stream, and return the frames
        that are complete now.
        """
        splitter = self._requests if asks else self._responses
        frames: list[Frame] = []
        for item in items:
            if isinstance(item, Hole):
                found = splitter.gap(item.size, CUT if item.cut else MISSING)
            else:
                found = splitter.feed(item)
            for each in found:
                frames += self._take(each, moment, asks=asks)
        return frames

    def close(self, moment: Moment) -> list[Frame]:
        """End both streams, and return the frames that are held, as far as they were captured."""
        frames: list[Frame] = []
        for asks, splitter in ((True, self._requests), (False, self._responses)):
            for each in splitter.close():
                frames += self._take(each, moment, asks=asks)
        while self._early:
            frames.append(self._release())
        self._summary.note("requests without a response", len(self._waiting))
        return frames

    def _take(self, found: RawFrame | Lost, moment: Moment, *, asks: bool) -> list[Frame]:
        if isinstance(found, Lost):
            side = "client" if asks else "broker"
            where = f"{self._source}, {self.connection}, byte {found.offset:,} of the {side}"
            reason = f"bytes of no frame: {found.reason}"
            at_an_end = found.reason in (BEGINS_INSIDE, ENDS_INSIDE)
            self._summary.skip(reason, where, found.size, expected=at_an_end)
            return []
        return self._request(found, moment) if asks else self._response(found, moment)

    def _request(self, raw: RawFrame, moment: Moment) -> list[Frame]:
        frame = request_frame(raw.data, _SIZE_BYTES, raw.size, raw.problem, known=self._known)
        frames = [self._placed(frame, raw, moment)]
        key, version, id_ = frame.api_key, frame.api_version, frame.correlation_id
        if key is None or version is None or id_ is None:
            return frames
        if frame.header is not None and frame.header.message is not None:
            self._names.client_id = (frame.header.message.client_id or "").encode()
        self._waiting.append((id_, key, version))
        self._ids[id_] += 1
        if len(self._waiting) > _PENDING:
            self._answered(self._waiting[0][0])
            self._summary.note("requests without a response")
        for early in [each for each in self._early if _id(each.frame) == id_][:1]:
            self._early.remove(early)
            self._early_size -= len(early.frame.data)
            frames += self._response(early.frame, early.moment)
        for found in self._responses.look_again():
            frames += self._take(found, moment, asks=False)
        return frames

    def _response(self, raw: RawFrame, moment: Moment) -> list[Frame]:
        id_ = _id(raw)
        if id_ is not None and self._ids[id_] > 0:
            key, version = self._answered(id_)
            args = (raw.data, _SIZE_BYTES, raw.size, key, version, raw.problem)
            return [self._placed(response_frame(*args, known=self._known), raw, moment)]
        self._early.append(_Early(raw, moment))
        self._early_size += len(raw.data)
        frames = []
        while len(self._early) > _EARLY_FRAMES or self._early_size > self._max_held:
            frames.append(self._release())
        return frames

    def _answered(self, id_: int) -> tuple[int, int]:
        """The key and version of the oldest request with that correlation id; older requests are
        dropped."""
        while True:
            found, key, version = self._waiting.popleft()
            self._ids[found] -= 1
            if not self._ids[found]:
                del self._ids[found]
            if found == id_:
                return key, version
            self._summary.note("requests without a response")

    def _release(self) -> Frame:
        """Return the oldest kept response, whose request was not captured."""
        raw, moment = self._early.popleft()
        self._early_size -= len(raw.data)
        frame = unmatched_response(raw.data, _SIZE_BYTES, raw.size, raw.problem)
        where = f"{self._source}, {self.connection}, byte {raw.offset:,} of the broker"
        reason = "response whose request was not captured"
        self._summary.skip(reason, where, raw.size, expected=True)
        return self._placed(frame, raw, moment, kept=False)

    def _placed(self, frame: Frame, raw: RawFrame, moment: Moment, *, kept: bool = True) -> Frame:
        if kept:
            self._count(frame, raw)
        return frame._replace(
            source=moment.source,
            connection=self.connection,
            timestamp=moment.timestamp,
            offset=raw.offset,
            packet=moment.packet,
        )

    def _count(self, frame: Frame, raw: RawFrame) -> None:
        self._summary.count("frames")
        where = f"{self._source}, {self.connection}, byte {raw.offset:,} of its {frame.direction}s"
        if raw.problem:
            missing = raw.size - len(raw.data)
            reason = f"part of a frame: {raw.problem}"
            self._summary.skip(reason, where, missing, expected=raw.problem == ENDS_INSIDE)
        elif frame.header is None or not frame.header.complete:
            self._summary.skip("frame whose header cannot be read", where, raw.size)
        elif frame.body is None:
            self._summary.note(f"frames of {frame.api}, not decoded")


class _Ids:
    """The correlation ids of the requests without a response, the oldest first."""

    def __init__(self, waiting: deque[tuple[int, int, int]]) -> None:
        self._waiting = waiting

    def __iter__(self) -> Iterator[int]:
        return (id_ for id_, _, _ in self._waiting)


def _id(raw: RawFrame) -> int | None:
    return correlation_id_of(raw.data, _SIZE_BYTES)
