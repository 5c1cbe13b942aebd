"""A run's JoinGroup and SyncGroup frames as a capture: packets, or lines of hex."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address
from struct import pack

import dpkt

from ....codec.messages import RequestHeader, ResponseHeader
from ..run_log import SentFrame

_FLEXIBLE = {"JoinGroup": 6, "SyncGroup": 4}
"""The versions from which on a request has version 2 of its header, and a response version 1."""

_BROKER, _PORT = IPv4Address("10.0.0.1"), 9092
_FIRST_CLIENT, _FIRST_PORT = IPv4Address("10.0.1.0"), 40_000
_MOST_IN_A_PACKET = 60_000
_BEGIN = 1_700_000_000.0
"""The second at which captures of simulations begin: November 2023, since a capture from 1970 looks
broken.
"""


def frame_bytes(frame: SentFrame) -> bytes:
    """Return a whole frame: int32 size, header, body."""
    message = frame.message
    api = type(message).NAME.removesuffix("Request").removesuffix("Response")
    flexible = frame.api_version >= _FLEXIBLE[api]
    if frame.asks:
        header = RequestHeader(
            request_api_key=message.API_KEY or 0,
            request_api_version=frame.api_version,
            correlation_id=frame.correlation_id,
            client_id=frame.client_id,
        )
        front = header.to_body(2 if flexible else 1)
    else:
        front = ResponseHeader(correlation_id=frame.correlation_id).to_body(1 if flexible else 0)
    data = front + message.to_body(frame.api_version)
    return pack(">i", len(data)) + data


def as_hex_lines(frames: Iterable[SentFrame]) -> bytes:
    """Return one line of hex for each metadata and assignment that the frames carry.

    Lines that begin with `#` name the member and the request.
    """
    lines = []
    for frame in _group_frames(frames):
        for label, data in _inside(frame):
            lines.append(f"# {frame.at_ms / 1000:.3f} s, {frame.client_id}, {label}")
            lines.append(data.hex())
    return ("\n".join(lines) + "\n").encode()


def as_pcap(frames: Iterable[SentFrame]) -> bytes:
    """Return the frames as packets of TCP connections to one broker, each with its handshake."""
    file = io.BytesIO()
    writer = dpkt.pcap.Writer(file, linktype=dpkt.pcap.DLT_RAW)
    connections: dict[str, _Connection] = {}
    for frame in _group_frames(frames):
        when = _BEGIN + frame.at_ms / 1000
        if frame.connection not in connections:
            if not frame.asks:
                continue  # its request went out before the capture begins
            connections[frame.connection] = _Connection(len(connections))
            for packet in connections[frame.connection].opening():
                writer.writepkt(packet, ts=when)
        for packet in connections[frame.connection].packets(frame_bytes(frame), asks=frame.asks):
            writer.writepkt(packet, ts=when)
    return file.getvalue()


def _group_frames(frames: Iterable[SentFrame]) -> Iterator[SentFrame]:
    names = {f"{api}{side}" for api in _FLEXIBLE for side in ("Request", "Response")}
    return (frame for frame in frames if type(frame.message).NAME in names)


def _inside(frame: SentFrame) -> Iterator[tuple[str, bytes]]:
    message = frame.message
    if not frame.asks:
        return
    for protocol in getattr(message, "protocols", ()):
        yield f"subscription for {protocol.name}", protocol.metadata
    for share in getattr(message, "assignments", ()):
        yield f"assignment of {share.member_id}", share.assignment


class _Connection:
    """Both directions of a TCP connection, as far as a capture needs them."""

    def __init__(self, number: int) -> None:
        self._client = _FIRST_CLIENT + number % 250 + 1
        self._port = _FIRST_PORT + number % 25_000
        self._next = {True: 1_000, False: 9_000}

    def opening(self) -> Iterator[bytes]:
        """Return the handshake: SYN, SYN and ACK, ACK."""
        syn, ack = dpkt.tcp.TH_SYN, dpkt.tcp.TH_ACK
        yield self._packet(asks=True, flags=syn)
        self._next[True] += 1
        yield self._packet(asks=False, flags=syn | ack)
        self._next[False] += 1
        yield self._packet(asks=True, flags=ack)

    def packets(self, data: bytes, *, asks: bool) -> Iterator[bytes]:
        """Return the segments that carry data."""
        for start in range(0, len(data), _MOST_IN_A_PACKET):
            part = data[start : start + _MOST_IN_A_PACKET]
            yield self._packet(asks=asks, flags=dpkt.tcp.TH_ACK | dpkt.tcp.TH_PUSH, data=part)
            self._next[asks] += len(part)

    def _packet(self, *, asks: bool, flags: int, data: bytes = b"") -> bytes:
        ports = (self._port, _PORT) if asks else (_PORT, self._port)
        ends = (self._client, _BROKER) if asks else (_BROKER, self._client)
        first = flags == dpkt.tcp.TH_SYN
        segment = dpkt.tcp.TCP(
            sport=ports[0],
            dport=ports[1],
            seq=self._next[asks],
            ack=0 if first else self._next[not asks],
            flags=flags,
            data=data,
        )
        packet = dpkt.ip.IP(
            src=ends[0].packed, dst=ends[1].packed, p=dpkt.ip.IP_PROTO_TCP, ttl=64, data=segment
        )
        packet.len = len(packet)
        return bytes(packet)
