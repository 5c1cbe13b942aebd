"""Read Kafka's frames from the packets of a `.pcap` or `.pcapng` file.

    for frame in read_pcap("group.pcap", summary=summary):
        ...
    print(summary)

Connections may overlap, on any port; segments are put in order, and reading goes on behind holes.
Frames come in the order in which the capture completes them, which is that of their timestamps
except for a frame behind a hole, or a response that was captured before its request.

`PcapLimits` has all limits of memory; what was given up because of them is in the summary.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..frames.api_keys import Api
from ..frames.frame import Closed, Frame
from ..frames.splitter import MAX_FRAME, MAX_HELD
from ..summary import Summary
from .conversation import Conversation, Moment
from .layers import ACK, FIN, RST, SYN, Endpoint, NoSegment, Segment, read_packet
from .pcap_files import MAX_PACKET, FilePacket, in_order, numbered
from .tcp import MAX_AHEAD, MAX_SEGMENTS, Hole, TcpStream

__all__ = ["PcapLimits", "read_file_packets", "read_pcap"]


class PcapLimits(NamedTuple):
    """Limits of what is held while a capture is read, in bytes, except for numbers of segments and
    connections.

    Beyond `max_total` or `max_connections`, the connection that was silent longest is closed as if
    the capture ended there.
    """

    max_packet: int = MAX_PACKET
    max_frame: int = MAX_FRAME  # that a frame may claim
    max_held: int = MAX_HELD  # of one frame
    max_ahead: int = MAX_AHEAD  # behind a hole, for each direction
    max_total: int = 256 * 1024 * 1024
    max_segments: int = MAX_SEGMENTS  # pieces behind a hole, for each direction
    max_connections: int = 10_000


# A hole that the other side has acknowledged will not be filled by a retransmission, but packets
# may have been captured a little out of order: so many more of the connection are waited for.
_PATIENCE = 10


def read_pcap(
    capture: str | PathLike[str] | BinaryIO | Sequence[str | PathLike[str]],
    *,
    source: str | None = None,
    summary: Summary | None = None,
    limits: PcapLimits | None = None,
    closed: Callable[[Closed], None] | None = None,
    definitions: Mapping[int, Api] | None = None,
) -> Iterator[Frame]:
    """Yield all frames of a capture: a path, a file open for reading bytes, or several paths, whose
    packets are read as one capture in the order of time.

    Raises CaptureError if it is no packet capture, and OSError as `open` does; nothing else for
    any bytes. `source` is its name in frames and summary, where it is one file. `closed` is called
    with the end of each connection as it comes up, before the frames that follow it are yielded.
    `definitions` are the APIs whose bodies are decoded, by default those that are built in.
    """
    summary = Summary() if summary is None else summary
    limits = PcapLimits() if limits is None else limits
    connections = _Connections(summary, limits, closed, definitions)
    if isinstance(capture, str | PathLike):
        name = fspath(capture) if source is None else source
        with Path(capture).open("rb") as file:
            yield from _read(numbered(file, name, summary, limits.max_packet), connections, summary)
    elif isinstance(capture, Sequence):
        packets = in_order([fspath(path) for path in capture], summary, limits.max_packet)
        yield from _read(packets, connections, summary)
    else:
        name = str(getattr(capture, "name", "capture")) if source is None else source
        packets = numbered(capture, name, summary, limits.max_packet)
        yield from _read(packets, connections, summary)


def read_file_packets(
    packets: Iterator[FilePacket],
    summary: Summary,
    *,
    limits: PcapLimits | None = None,
    closed: Callable[[Closed], None] | None = None,
    definitions: Mapping[int, Api] | None = None,
) -> Iterator[Frame]:
    """Yield all frames of packets that were read from anything, as `read_pcap` does."""
    limits = PcapLimits() if limits is None else limits
    yield from _read(packets, _Connections(summary, limits, closed, definitions), summary)


def _read(
    packets: Iterator[FilePacket], connections: _Connections, summary: Summary
) -> Iterator[Frame]:
    for packet, number, source in packets:
        timestamp, link_type, data, segment = packet
        try:
            if segment is None:
                segment = read_packet(link_type, data)
        except NoSegment as reason:
            where = f"{source}, packet {number:,} of link type {link_type}"
            summary.skip(str(reason), where, len(data), expected=reason.expected)
        else:
            if frames := connections.take(segment, (timestamp, number, source)):
                yield from frames
    yield from connections.close()


_Ends = tuple[Endpoint, Endpoint]


class _Connections:
    """All connections of a capture, the one that was silent longest first."""

    def __init__(
        self,
        summary: Summary,
        limits: PcapLimits,
        closed: Callable[[Closed], None] | None,
        definitions: Mapping[int, Api] | None,
    ) -> None:
        self._closed = closed
        self._definitions = definitions
        self._summary = summary
        self._limits = limits
        self._open: OrderedDict[_Ends, _Connection] = OrderedDict()
        self._number = 0
        self._held = 0

    def take(self, segment: Segment, moment: Moment) -> list[Frame]:
        source, target = segment.source, segment.target
        ends, side = ((source, target), 0) if source <= target else ((target, source), 1)
        connection = self._open.get(ends)
        if connection is not None and connection.confirms(side, segment, moment):
            self._open.move_to_end(ends)
            return []
        frames: list[Frame] = []
        if connection is not None and connection.is_over(side, segment):
            frames += self._close(ends)
            connection = None
        if connection is None:
            connection = self._new(ends, side, segment, moment[2])
        self._open.move_to_end(ends)
        frames += connection.take(side, segment, moment)
        size = connection.held
        self._held += size - connection.counted
        connection.counted = size
        while self._open and self._too_much():
            self._summary.note("connections closed early, for a limit")
            frames += self._close(next(iter(self._open)))
        return frames

    def close(self) -> Iterator[Frame]:
        while self._open:
            yield from self._close(next(iter(self._open)))

    def _too_much(self) -> bool:
        limits = self._limits
        return len(self._open) > limits.max_connections or self._held > limits.max_total

    def _new(self, ends: _Ends, side: int, segment: Segment, source: str) -> _Connection:
        self._number += 1
        self._summary.count("connections")
        opener = None
        if segment.flags & SYN:
            opener = 1 - side if segment.flags & ACK else side
        names = (str(ends[0]), str(ends[1]))
        conversation = Conversation(
            names,
            self._number,
            source,
            self._summary,
            opener=opener,
            definitions=self._definitions,
            limits=(self._limits.max_frame, self._limits.max_held),
        )
        connection = _Connection(conversation, self._summary, self._limits, self._closed)
        self._open[ends] = connection
        return connection

    def _close(self, ends: _Ends) -> list[Frame]:
        connection = self._open.pop(ends)
        self._held -= connection.counted
        return connection.close()


class _Wait(NamedTuple):
    """The number of packets since a hole was acknowledged."""

    hole: int | None
    packets: int


_NO_WAIT = _Wait(None, 0)
_NO_WAITS = [_NO_WAIT, _NO_WAIT]


class _Connection:
    """Both directions of a TCP connection, and the conversation in it."""

    def __init__(
        self,
        conversation: Conversation,
        summary: Summary,
        limits: PcapLimits,
        closed: Callable[[Closed], None] | None,
    ) -> None:
        self._conversation = conversation
        self._closed = closed
        self._summary = summary
        self._streams = (
            TcpStream(limits.max_ahead, limits.max_segments),
            TcpStream(limits.max_ahead, limits.max_segments),
        )
        self._reset = False
        self._waits = [*_NO_WAITS]
        self._moment: Moment = (None, None, "")
        self.counted = 0
        """The bytes of this connection in the sum over all."""

    @property
    def held(self) -> int:
        """The number of bytes that are held."""
        return self._conversation.held + self._streams[0].held + self._streams[1].held

    def is_over(self, side: int, segment: Segment) -> bool:
        """Whether a segment opens another connection between the same ports."""
        stream = self._streams[side]
        if not segment.flags & SYN or not stream.started:
            return False
        return not stream.begins_with(segment.sequence)

    def confirms(self, side: int, segment: Segment, moment: Moment) -> bool:
        """Take a segment that acknowledges what was in order and does nothing else, as every other
        one does; False for any other segment."""
        if segment.flags != ACK or segment.data or segment.missing:
            return False
        stream, opposite = self._streams[side], self._streams[1 - side]
        if stream.pieces or opposite.pieces:
            return False
        self._moment = moment
        if not self._reset:
            opposite.acknowledged(segment.acknowledgment)
        return True

    def take(self, side: int, segment: Segment, moment: Moment) -> list[Frame]:
        """Take a segment, and return the frames that are complete now."""
        self._moment = moment
        if self._reset:
            return []
        stream, opposite = self._streams[side], self._streams[1 - side]
        sequence, flags = segment.sequence, segment.flags
        if flags & SYN:
            if not stream.started:
                stream.begin(sequence)
            sequence += 1
        if flags & ACK:
            opposite.acknowledged(segment.acknowledgment)
        frames: list[Frame] = []
        if segment.data or segment.missing:
            frames += self._said(side, stream.segment(sequence, segment.data, segment.missing))
        if flags & FIN:
            stream.end(sequence + len(segment.data) + segment.missing)
        if flags & RST:
            self._reset = True
        if flags & (FIN | RST) and self._closed is not None:
            self._tell_closed(self._closed, side)
        if stream.pieces or opposite.pieces or self._waits != _NO_WAITS:
            frames += self._overdue()
        return frames

    def close(self) -> list[Frame]:
        frames: list[Frame] = []
        for side, stream in enumerate(self._streams):
            frames += self._said(side, stream.close())
            self._summary.note("bytes sent again", stream.repeated)
            self._conversation.lost(stream.early)
        return frames + self._conversation.close(self._moment)

    def _tell_closed(self, closed: Callable[[Closed], None], side: int) -> None:
        end = self._conversation.closed(side, self._moment, reset=self._reset)
        if end is not None:
            self._closed = None  # the side that closes first counts
            closed(end)

    def _said(self, side: int, items: list[bytes | Hole]) -> list[Frame]:
        return self._conversation.feed(side, items, self._moment) if items else []

    def _overdue(self) -> list[Frame]:
        """The frames behind holes that will not be filled."""
        frames: list[Frame] = []
        for side, stream in enumerate(self._streams):
            hole = stream.acknowledged_hole
            if hole is None:
                self._waits[side] = _NO_WAIT
                continue
            wait = self._waits[side]
            self._waits[side] = _Wait(hole, wait.packets + 1 if hole == wait.hole else 0)
            if self._waits[side].packets >= _PATIENCE or self._reset:
                frames += self._said(side, stream.give_up())
        return frames
