"""Find out whether a TCP connection carries Kafka's protocol, and which side is the client.

The side that opened the connection sends the requests. Where the opening was not captured, it is
the side whose bytes read as requests. Ports do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..frames.api_keys import Api, apis
from ..frames.frame import Closed, Connection, Frame
from ..frames.splitter import MAX_FRAME, MAX_HELD, RequestBoundary
from ..summary import Summary
from .exchange import Exchange, Moment
from .tcp import Hole

__all__ = ["Conversation"]

_UNDECIDED = 64 * 1024  # bytes of a side that are held until it is clear which is the client
_PARTS = 1024  # and in how many pieces
_HEADER = 320  # bytes that are enough to know a request by


class Conversation:
    """One connection. `opener` is the side (0 or 1) that opened it, if that was captured; `limits`
    are the bytes that a frame may claim, and those that are held of it; `known` are the APIs whose
    bodies are decoded, by default those that are built in."""

    def __init__(
        self,
        ends: tuple[str, str],
        number: int,
        source: str,
        summary: Summary,
        *,
        opener: int | None = None,
        limits: tuple[int, int] = (MAX_FRAME, MAX_HELD),
        known: Mapping[int, Api] | None = None,
    ) -> None:
        self._known = apis() if known is None else known
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
        if any(each.size > _UNDECIDED or len(each.items) > _PARTS for each in self._sides):
            self._too_much()
        return []

    def closed(self, side: int, moment: Moment, *, reset: bool) -> Closed | None:
        """Return that `side` has closed the connection; None if it is not known to be Kafka's."""
        if self._exchange is None:
            return None
        by_client = side == self._client
        return Closed(self._exchange.connection, moment.timestamp, by_client, reset, moment.packet)

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
        answered = [side for side in asking if self._answered(side)]
        return min(answered or asking, key=lambda side: self._sides[side].request)

    def _answered(self, side: int) -> bool:
        """Whether the other side's bytes have the correlation id of what seems to be a request."""
        asking, other = self._sides[side], self._sides[1 - side]
        return asking.front[asking.request + 8 :][:4] in other.front

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
        what = "is encrypted (TLS)" if encrypted else "does not speak Kafka's protocol"
        self._give_up(f"connection that {what}")
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
            known=self._known,
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
        gone = sum(item.size if isinstance(item, Hole) else len(item) for item in self.items)
        self.items.clear()
        self.size = 0
        if gone:
            self.add([Hole(gone)])

    def _look(self, data: bytes) -> None:
        self.size += len(data)
        looked = max(0, len(self.front) - _HEADER)
        self.front += data
        if self.request < 0:
            found = RequestBoundary().find(bytes(self.front[looked:]), self._max_frame)
            self.request = looked + found if found >= 0 else -1
