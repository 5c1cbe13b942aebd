"""Find the TCP segment in a captured packet: link layer, VLAN tags, IPv4 or IPv6, TCP.

Lengths are taken from the IP header, so that Ethernet's padding is left out and the number of bytes
that the capture has cut off is known. Every length is checked, since packets are untrusted.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from struct import Struct
from typing import NamedTuple

__all__ = [
    "ACK",
    "FIN",
    "LINK_TYPES",
    "RST",
    "SYN",
    "Endpoint",
    "NoSegment",
    "Segment",
    "read_packet",
]

SYN, FIN, RST, ACK = 0x02, 0x01, 0x04, 0x10

_IP4, _IP6 = 0x0800, 0x86DD
_VLAN_TAGS = {0x8100, 0x88A8, 0x9100}
_TCP_PROTOCOL = 6
_FRAGMENT = 44
_IP6_EXTENSIONS = {0, 43, 60, 135}  # hop-by-hop, routing, destination, mobility: one shape
_TCP = Struct(">HHIIBB")


class Endpoint(NamedTuple):
    """One end of a connection; `address` is in the packet's binary form."""

    address: bytes
    port: int

    def __str__(self) -> str:
        address = ip_address(self.address)
        return f"{address}:{self.port}" if address.version == 4 else f"[{address}]:{self.port}"


class Segment(NamedTuple):
    """A TCP segment. `missing` is the number of bytes of its data that the capture has cut off."""

    source: Endpoint
    target: Endpoint
    sequence: int
    acknowledgment: int
    flags: int
    data: bytes
    missing: int


class NoSegment(Exception):
    """The packet holds no TCP segment that can be read; the message is one of a few phrases.

    `expected`: packets of other protocols, which any capture has.
    """

    def __init__(self, reason: str, *, expected: bool = False) -> None:
        super().__init__(reason)
        self.expected = expected


class _IpData(NamedTuple):
    source: bytes
    target: bytes
    data: bytes
    size: int  # that `data` should have


def read_packet(link_type: int, packet: bytes) -> Segment:
    """Return the TCP segment in a packet. Raises NoSegment."""
    open_link = LINK_TYPES.get(link_type)
    if open_link is None:
        raise NoSegment("packet of a link type that is not read here")
    kind, start = open_link(packet)
    if kind == _IP4:
        return _segment(_ip4(packet[start:]))
    if kind == _IP6:
        return _segment(_ip6(packet[start:]))
    raise NoSegment("packet that is not IP", expected=True)


# -- link layers: what is inside, by its EtherType, and where it begins


def _ethernet(packet: bytes) -> tuple[int, int]:
    return _behind_tags(packet, 12)


def _behind_tags(packet: bytes, at: int) -> tuple[int, int]:
    """The EtherType at `at`, or the one behind VLAN tags (802.1Q, stacked: 802.1ad)."""
    while int.from_bytes(packet[at : at + 2], "big") in _VLAN_TAGS:
        at += 4
    return int.from_bytes(packet[at : at + 2], "big"), at + 2


def _cooked(packet: bytes) -> tuple[int, int]:
    return _behind_tags(packet, 14)


def _cooked_2(packet: bytes) -> tuple[int, int]:
    kind = int.from_bytes(packet[:2], "big")
    return _behind_tags(packet, 22) if kind in _VLAN_TAGS else (kind, 20)


def _loopback(packet: bytes) -> tuple[int, int]:
    """BSD's loopback: an address family of the capturing machine's byte order. What tells IPv4
    from IPv6 is the packet itself, the families of which differ from system to system."""
    return _raw(packet, 4)


def _raw(packet: bytes, at: int = 0) -> tuple[int, int]:
    version = packet[at] >> 4 if at < len(packet) else 0
    return {4: _IP4, 6: _IP6}.get(version, 0), at


LINK_TYPES: dict[int, Callable[[bytes], tuple[int, int]]] = {
    0: _loopback,
    1: _ethernet,
    12: _raw,  # raw IP, whose number differs between systems
    14: _raw,
    101: _raw,
    108: _loopback,
    113: _cooked,
    228: _raw,
    229: _raw,
    276: _cooked_2,
}
"""The link types of the registry at tcpdump.org that are read."""


# -- IP and TCP


def _ip4(packet: bytes) -> _IpData:
    if len(packet) < 20:
        raise NoSegment("packet cut inside its headers")
    header = (packet[0] & 15) * 4
    size = int.from_bytes(packet[2:4], "big") or len(packet)  # 0: split by the network card
    if packet[9] != _TCP_PROTOCOL:
        raise NoSegment("packet that is not TCP", expected=True)
    if int.from_bytes(packet[6:8], "big") & 0x3FFF:
        raise NoSegment("fragment of an IP packet")
    if header < 20 or size < header:
        raise NoSegment("packet with a damaged header")
    return _IpData(packet[12:16], packet[16:20], packet[header:size], size - header)


def _ip6(packet: bytes) -> _IpData:
    if len(packet) < 40:
        raise NoSegment("packet cut inside its headers")
    size = 40 + (int.from_bytes(packet[4:6], "big") or len(packet) - 40)
    kind, at = packet[6], 40
    while kind in _IP6_EXTENSIONS and at + 2 <= len(packet):
        kind, at = packet[at], at + 8 + packet[at + 1] * 8
    if kind == _FRAGMENT:
        raise NoSegment("fragment of an IP packet")
    if kind != _TCP_PROTOCOL:
        raise NoSegment("packet that is not TCP", expected=True)
    if size < at:
        raise NoSegment("packet with a damaged header")
    return _IpData(packet[8:24], packet[24:40], packet[at:size], size - at)


def _segment(ip: _IpData) -> Segment:
    if len(ip.data) < 20:
        raise NoSegment("packet cut inside its headers")
    source, target, sequence, acknowledgment, offset, flags = _TCP.unpack_from(ip.data)
    header = (offset >> 4) * 4
    if header < 20 or header > ip.size:
        raise NoSegment("packet with a damaged header")
    data = ip.data[header:]
    missing = max(0, ip.size - max(header, len(ip.data)))
    ends = Endpoint(ip.source, source), Endpoint(ip.target, target)
    return Segment(*ends, sequence, acknowledgment, flags, data, missing)
