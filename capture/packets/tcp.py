"""Put the segments of one direction of a TCP connection in order.

Where bytes come twice, the first ones count; `repeated` is the number of repeated bytes. Bytes
behind a hole are held until there are too many (`max_ahead`, `max_segments`), or the caller gives
the hole up: the other side has acknowledged it, or the capture is over.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

__all__ = ["MAX_AHEAD", "MAX_SEGMENTS", "Hole", "TcpStream"]

MAX_AHEAD = 4 * 1024 * 1024
"""The number of bytes behind a hole that are held for one direction."""
MAX_SEGMENTS = 2048
"""The number of separate pieces that these bytes may be in."""

_WRAP = 1 << 32
_HALF = 1 << 31
_LATE_SYN = 1 << 16  # bytes that may be between a SYN and the first data captured before it
_PIECE = 160  # what a piece takes besides its bytes


class Hole(NamedTuple):
    """Bytes of the stream that the capture does not have. `cut`: their packets were captured, but
    not whole."""

    size: int
    cut: bool = False


class _Piece(NamedTuple):
    start: int
    end: int
    data: bytes | None  # None: known to be missing, as in a packet that was cut

    def part(self, start: int, end: int) -> _Piece:
        if self.data is None:
            return _Piece(start, end, None)
        return _Piece(start, end, self.data[start - self.start : end - self.start])


class TcpStream:
    """A stream (see the module). Positions count from 0 at the first byte; sequence numbers
    wrap."""

    def __init__(self, max_ahead: int = MAX_AHEAD, max_segments: int = MAX_SEGMENTS) -> None:
        self.started = False
        self.from_start = False
        """Whether the stream was captured from its first byte on."""
        self.repeated = 0
        """The number of bytes that came more than once."""
        self._ahead = 0  # bytes held behind a hole
        self.early = 0
        """The number of bytes that are before the first captured one in the stream."""
        self._max_ahead = max_ahead
        self._max_segments = max_segments
        self._first = 0  # sequence number of position 0
        self._next = 0  # position of the next byte
        self._end: int | None = None  # position after the last byte
        self._acked = 0  # position that the other side has everything before
        self.pieces: list[_Piece] = []
        """What is held behind holes, apart from each other and in order."""

    @property
    def held(self) -> int:
        """The memory that is held for bytes behind holes, in bytes, roughly."""
        return self._ahead + _PIECE * len(self.pieces)

    @property
    def acknowledged_hole(self) -> int | None:
        """The position of a hole that the other side has acknowledged, so that it will not be sent
        again; None if there is none."""
        if self.pieces and self._acked >= self.pieces[0].start:
            return self._next
        return None

    def begin(self, sequence: int) -> None:
        """Begin the stream with the sequence number of its SYN; the first byte has the next one."""
        self._start(sequence + 1)
        self.from_start = True

    def begins_with(self, sequence: int) -> bool:
        """Return whether a SYN is that of this stream, repeated or captured after its first
        data."""
        distance = (self._first - sequence - 1) % _WRAP
        return distance == 0 or (not self.from_start and distance < _LATE_SYN)

    def end(self, sequence: int) -> None:
        """Note a FIN, before whose sequence number the stream ends."""
        if self.started and self._end is None:
            self._end = max(self._next, self._position(sequence))

    def acknowledged(self, sequence: int) -> None:
        """Note the sequence number that the other side expects next."""
        if self.started:
            self._acked = max(self._acked, self._position(sequence))

    def segment(self, sequence: int, data: bytes, missing: int = 0) -> list[bytes | Hole]:
        """Take a segment with `data`, and `missing` bytes after them that the capture has cut off,
        and return the bytes and holes that are in order now.
        """
        if not self.started:
            self._start(sequence)
        start = self._position(sequence)
        end = start + len(data)
        if not self.pieces and not missing and start == self._next:
            self._next = end
            return [data]
        self._insert(_Piece(start, end, data))
        if missing:
            self._insert(_Piece(end, end + missing, None))
        parts = self._in_order()
        while self._ahead > self._max_ahead or len(self.pieces) > self._max_segments:
            parts += self.give_up()
        return parts

    def give_up(self) -> list[bytes | Hole]:
        """Give up the first hole, and return it with the bytes behind it."""
        if not self.pieces:
            return []
        hole = Hole(self.pieces[0].start - self._next)
        self._next = self.pieces[0].start
        return [hole, *self._in_order()]

    def close(self) -> list[bytes | Hole]:
        """Give up all holes, and return them with the bytes behind them."""
        parts: list[bytes | Hole] = []
        while self.pieces:
            parts += self.give_up()
        if self._end is not None and self._next < self._end:
            parts.append(Hole(self._end - self._next))
            self._next = self._end
        return parts

    def _start(self, sequence: int) -> None:
        self.started, self._first = True, sequence % _WRAP

    def _position(self, sequence: int) -> int:
        """The position of a sequence number that is nearest to that of the next byte."""
        next_sequence = (self._first + self._next) % _WRAP
        return self._next + (sequence - next_sequence + _HALF) % _WRAP - _HALF

    def _insert(self, piece: _Piece) -> None:
        """Hold the parts of a piece that were neither returned nor are held."""
        at = max(piece.start, self._next)
        index = bisect_right(self.pieces, at, key=_start)
        if index:
            at = max(at, self.pieces[index - 1].end)
        new = 0
        while at < piece.end:
            gap_end = self.pieces[index].start if index < len(self.pieces) else piece.end
            part = piece.part(at, min(piece.end, gap_end))
            if part.end > part.start:
                self.pieces.insert(index, part)
                new += part.end - part.start
                index += 1
            if index == len(self.pieces):
                break
            at = self.pieces[index].end
            index += 1
        if piece.data is not None:
            self._ahead += new
            early = max(0, min(piece.end, 0) - piece.start)
            self.early += early
            self.repeated += piece.end - piece.start - new - early

    def _in_order(self) -> list[bytes | Hole]:
        parts: list[bytes | Hole] = []
        while self.pieces and self.pieces[0].start == self._next:
            piece = self.pieces.pop(0)
            self._next = piece.end
            if piece.data is None:
                parts.append(Hole(piece.end - piece.start, cut=True))
            else:
                self._ahead -= len(piece.data)
                parts.append(piece.data)
        return parts


def _start(piece: _Piece) -> int:
    return piece.start
