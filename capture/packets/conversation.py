"""Tell whether a TCP connection carries Kafka's protocol, and which side is the client.

The side that opened the connection sends the requests. Where the opening was not captured, it is
the side whose bytes read as requests. Ports do not matter.

Then requests and responses are matched. Brokers answer in order, so a response belongs to the
oldest request with its correlation id; requests before that one will not be answered (a producer
may want no response). A response that was captured before its request is kept until the request
comes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..frames.api_keys import Api, apis
from ..frames.frame import (
    Closed,
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
    MAX_FRAME,
    MAX_HELD,
    MISSING,
    FrameSplitter,
    Lost,
    RawFrame,
    RequestBoundary,
    ResponseBoundary,
)
from ..summary import Summary
from .tcp import Hole

__all__ = ["Conversation", "Exchange", "Moment"]

_UNDECIDED = 64 * 1024  # bytes of a side that are held until it is clear which is the client
_PARTS = 1024  # and in how many pieces
_HEADER = 320  # bytes that are enough to know a request by
_EARLY_FRAMES = 32  # responses kept for their request
_PENDING = 4096  # requests kept for their response
_ENTRY = 256  # bytes that a kept one takes besides its own
_SIZE_BYTES = 4
_UNPLACED = Frame._fields.index("source")  # fields of a frame before those of its place

Moment = tuple[float | None, int | None, str]
"""A packet's time, its number and its file."""


class Conversation:
    """One connection. `opener` is the side (0 or 1) that opened it, if that was captured; `limits`
    are the bytes that a frame may claim, and those that are held of it; `definitions` are the APIs
    whose bodies are decoded, by default those that are built in."""

    def __init__(
        self,
        ends: tuple[str, str],
        number: int,
        source: str,
        summary: Summary,
        *,
        opener: int | None = None,
        limits: tuple[int, int] = (MAX_FRAME, MAX_HELD),
        definitions: Mapping[int, Api] | None = None,
    ) -> None:
        self._definitions = apis() if definitions is None else definitions
        self._ends = ends
        self._number = number
        self._source = source
        self._summary = summary
        self._opener = opener
        max_frame, max_held = limits
        self._limits = {"max_frame": max_frame, "max_held": max_held}
        self._sides = (_Side(max_frame), _Side(max_frame))
        self._size = 0  # bytes that came before it was decided, or at all if it is not Kafka's
        self._foreign = ""  # why it is not
        self._exchange: Exchange | None = None
        self._client = 0  # the side that asks, once there is an exchange

    @property
    def held(self) -> int:
        """The number of bytes that are held."""
        if self._exchange is not None:
            return self._exchange.held
        return self._sides[0].size + self._sides[1].size

    def feed(self, side: int, items: list[bytes | Hole], moment: Moment) -> list[Frame]:
        """Take the next part of the stream of `side`, and return the frames that are complete
        now."""
        if self._exchange is not None:
            return self._exchange.feed(items, moment, asks=side == self._client)
        self._size += sum(len(item) for item in items if isinstance(item, bytes))
        if self._foreign:
            return []
        self._sides[side].add(items)
        client = self._asking()
        if client is not None:
            return self._begin(client, moment)
        if any(stream.size > _UNDECIDED or len(stream.items) > _PARTS for stream in self._sides):
            self._too_much()
        return []

    def closed(self, side: int, moment: Moment, *, reset: bool) -> Closed | None:
        """Return that `side` has closed the connection; None if it is not known to be Kafka's."""
        if self._exchange is None:
            return None
        timestamp, packet, _ = moment
        by_client = side == self._client
        return Closed(self._exchange.connection, timestamp, by_client, reset, packet)

    def lost(self, size: int) -> None:
        """Note `size` bytes from before the first captured ones, which cannot be read."""
        if size:
            reason = "bytes from before the first ones captured of a connection"
            self._summary.skip(reason, self._where, size, expected=True)

    def close(self, moment: Moment) -> list[Frame]:
        """End the connection, and return the frames that are held."""
        if self._exchange is not None:
            return self._exchange.close(moment)
        if self._size:
            reason = self._foreign or "connection too short to tell whether it is Kafka's protocol"
            self._summary.skip(reason, self._where, self._size, expected=True)
        return []

    @property
    def _where(self) -> str:
        return f"{self._source}, {self._ends[0]} and {self._ends[1]}"

    def _asking(self) -> int | None:
        """The side that sends requests; None if that is not clear yet, or neither does."""
        if self._opener is not None:
            return self._opener if self._opens_well(self._sides[self._opener]) else None
        asking = [side for side in (0, 1) if self._sides[side].request >= 0]
        if len(asking) < 2:
            return asking[0] if asking else None
        with_answers = [side for side in asking if self._answered(side)]
        return min(with_answers or asking, key=lambda side: self._sides[side].request)

    def _answered(self, side: int) -> bool:
        """Whether the other side's bytes have the correlation id of what seems to be a request."""
        asking, replier = self._sides[side], self._sides[1 - side]
        return asking.front[asking.request + 8 :][:4] in replier.front

    def _opens_well(self, side: _Side) -> bool:
        """Whether the opener's first bytes are those of a request, or were not captured."""
        if side.holed:
            return True
        if len(side.front) < 12:
            return False
        front = bytes(side.front[:12])
        size = int.from_bytes(front[:4], "big", signed=True)
        boundary = RequestBoundary()
        if boundary.min_size <= size <= self._limits["max_frame"] and boundary.plausible(front):
            return True
        encrypted = front[0] == 22 and front[1] == 3  # a handshake record of TLS
        trait = "is encrypted (TLS)" if encrypted else "does not speak Kafka's protocol"
        self._give_up(f"connection that {trait}")
        return False

    def _too_much(self) -> None:
        """Drop what may be the middle of one large frame, and wait for more."""
        if self._opener is not None:
            self._give_up("connection that does not speak Kafka's protocol")
        for side in self._sides:
            side.forget()

    def _give_up(self, reason: str) -> None:
        self._foreign = reason
        self._sides = (_Side(0), _Side(0))

    def _begin(self, client: int, moment: Moment) -> list[Frame]:
        connection = Connection(self._number, self._ends[client], self._ends[1 - client])
        synced = self._opener is not None
        exchange = Exchange(
            connection,
            self._source,
            self._summary,
            synced=synced,
            definitions=self._definitions,
            **self._limits,
        )
        frames = exchange.feed(self._sides[client].items, moment, asks=True)
        frames += exchange.feed(self._sides[1 - client].items, moment, asks=False)
        self._exchange, self._client = exchange, client
        self._sides = (_Side(0), _Side(0))
        return frames


class _Side:
    """The stream of one side so far."""

    def __init__(self, max_frame: int) -> None:
        self.items: list[bytes | Hole] = []
        self.size = 0
        """The number of bytes in the items."""
        self.front = bytearray()
        """The bytes since the last hole."""
        self.request = -1
        """The position in `front` where a request seems to begin; -1 if there is none yet."""
        self.holed = False
        self._max_frame = max_frame

    def add(self, items: list[bytes | Hole]) -> None:
        self.items += items
        for item in items:
            if isinstance(item, Hole):
                self.holed = True
                self.front.clear()
                self.request = -1
            else:
                self._look(item)

    def forget(self) -> None:
        """Replace the items with a hole."""
        size = sum(item.size if isinstance(item, Hole) else len(item) for item in self.items)
        self.items.clear()
        self.size = 0
        if size:
            self.add([Hole(size)])

    def _look(self, data: bytes) -> None:
        self.size += len(data)
        looked = max(0, len(self.front) - _HEADER)
        self.front += data
        if self.request < 0:
            start = RequestBoundary().find(bytes(self.front[looked:]), self._max_frame)
            self.request = looked + start if start >= 0 else -1


# -- requests and responses


class _Early(NamedTuple):
    """A response that was captured before its request."""

    frame: RawFrame
    moment: Moment


class Exchange:
    """A connection with Kafka's protocol whose client side is known.

    `definitions` are the APIs whose bodies are decoded. `synced`: both streams were captured from
    their first byte on.
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
        definitions: Mapping[int, Api],
    ) -> None:
        self.connection = connection
        self._definitions = definitions
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
        partial = len(self._requests.buffer) + len(self._responses.buffer)
        return partial + self._early_size + waiting

    def feed(self, items: list[bytes | Hole], moment: Moment, *, asks: bool) -> list[Frame]:
        """Take the next part of the client's (`asks`) or the broker's stream, and return the frames
        that are complete now.
        """
        splitter = self._requests if asks else self._responses
        frames: list[Frame] = []
        for item in items:
            if isinstance(item, Hole):
                parts = splitter.gap(item.size, CUT if item.cut else MISSING)
            else:
                parts = splitter.feed(item)
            for part in parts:
                frames += self._take(part, moment, asks=asks)
        return frames

    def close(self, moment: Moment) -> list[Frame]:
        """End both streams, and return the frames that are held, as far as they were captured."""
        frames: list[Frame] = []
        for asks, splitter in ((True, self._requests), (False, self._responses)):
            for part in splitter.close():
                frames += self._take(part, moment, asks=asks)
        while self._early:
            frames.append(self._release())
        self._summary.note("requests without a response", len(self._waiting))
        return frames

    def _take(self, part: RawFrame | Lost, moment: Moment, *, asks: bool) -> list[Frame]:
        if isinstance(part, Lost):
            side = "client" if asks else "broker"
            where = f"{self._source}, {self.connection}, byte {part.offset:,} of the {side}"
            reason = f"bytes of no frame: {part.reason}"
            at_an_end = part.reason in (BEGINS_INSIDE, ENDS_INSIDE)
            self._summary.skip(reason, where, part.size, expected=at_an_end)
            return []
        return self._request(part, moment) if asks else self._response(part, moment)

    def _request(self, raw: RawFrame, moment: Moment) -> list[Frame]:
        frame = request_frame(
            raw.data, _SIZE_BYTES, raw.size, raw.problem, definitions=self._definitions
        )
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
        if self._early:
            frames += self._response_before(id_)
        if self._responses.is_lost:
            for part in self._responses.look_again():
                frames += self._take(part, moment, asks=False)
        return frames

    def _response_before(self, id_: int) -> list[Frame]:
        """The response to a request that was captured behind it, where there is one."""
        early = next((item for item in self._early if _id(item.frame) == id_), None)
        if early is None:
            return []
        self._early.remove(early)
        self._early_size -= len(early.frame.data)
        return self._response(early.frame, early.moment)

    def _response(self, raw: RawFrame, moment: Moment) -> list[Frame]:
        id_ = _id(raw)
        if id_ is not None and self._ids[id_] > 0:
            key, version = self._answered(id_)
            args = (raw.data, _SIZE_BYTES, raw.size, key, version, raw.problem)
            return [self._placed(response_frame(*args, definitions=self._definitions), raw, moment)]
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
            oldest_id, key, version = self._waiting.popleft()
            self._ids[oldest_id] -= 1
            if not self._ids[oldest_id]:
                del self._ids[oldest_id]
            if oldest_id == id_:
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
        return self._placed(frame, raw, moment, has_request=False)

    def _placed(
        self, frame: Frame, raw: RawFrame, moment: Moment, *, has_request: bool = True
    ) -> Frame:
        if has_request:
            self._count(frame, raw)
        timestamp, packet, source = moment
        place = (source, self.connection, timestamp, raw.offset, packet)
        return Frame._make((*frame[:_UNPLACED], *place))

    def _count(self, frame: Frame, raw: RawFrame) -> None:
        self._summary.count("frames")
        if raw.problem:
            reason, size = f"part of a frame: {raw.problem}", raw.size - len(raw.data)
        elif frame.header is None or not frame.header.complete:
            reason, size = "frame whose header cannot be read", raw.size
        else:
            if frame.body is None:
                self._summary.note(f"frames of {frame.api}, not decoded")
            return
        where = f"{self._source}, {self.connection}, byte {raw.offset:,} of its {frame.direction}s"
        self._summary.skip(reason, where, size, expected=raw.problem == ENDS_INSIDE)


class _Ids:
    """The correlation ids of the requests without a response, the oldest first."""

    def __init__(self, waiting: deque[tuple[int, int, int]]) -> None:
        self._waiting = waiting

    def __iter__(self) -> Iterator[int]:
        return (id_ for id_, _, _ in self._waiting)


def _id(raw: RawFrame) -> int | None:
    return correlation_id_of(raw.data, _SIZE_BYTES)
