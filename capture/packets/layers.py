"""Find the TCP segment in a captured packet: link layer, VLAN tags, MPLS, PPPoE, IPv4 or IPv6, TCP.

Tunnels are opened: VXLAN, Geneve, GRE (with ERSPAN, as mirror ports of switches send it), and IP in
IP.

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
    "ETHERNET",
    "FIN",
    "LINK_TYPES",
    "RST",
    "SYN",
    "Endpoint",
    "NoSegment",
    "Segment",
    "find_segment",
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
    protocol: int
    data: bytes
    size: int  # that `data` should have


def read_packet(link_type: int, packet: bytes) -> Segment:
    """Return the TCP segment in a packet. Raises NoSegment."""
    if link_type == ETHERNET and (segment := _plain_segment(packet)) is not None:
        return segment
    open_link = LINK_TYPES.get(link_type)
    if open_link is None:
        raise NoSegment("packet of a link type that is not read here")
    kind, start = open_link(packet)
    data = packet[start:]
    for _ in range(_DEEPEST):
        if kind == _IP4:
            ip = _ip4(data)
        elif kind == _IP6:
            ip = _ip6(data)
        else:
            raise NoSegment("packet that is not IP", expected=True)
        if ip.protocol == _TCP_PROTOCOL:
            return _segment(ip)
        kind, data = _inside(ip)
    raise NoSegment(_TOO_DEEP)


_PLAIN = Struct(">HBxHxxHxBxx4s4sHHIIBB")  # from the EtherType to TCP's flags
_PLAIN_START, _TCP_START = 12, 34
_OF_IP4 = 14


def _plain_segment(packet: bytes) -> Segment | None:
    """The TCP segment right in IPv4 right in Ethernet, without options of IP, as most are; None for
    any other packet."""
    if len(packet) < _TCP_START + 20:
        return None
    front = _PLAIN.unpack_from(packet, _PLAIN_START)
    kind, first, size, fragment, protocol, source, target, source_port, target_port = front[:9]
    sequence, acknowledgment, offset, flags = front[9:]
    is_plain = kind == _IP4 and first == 0x45 and protocol == _TCP_PROTOCOL
    start, end = _TCP_START + (offset >> 4) * 4, _OF_IP4 + size
    if not is_plain or fragment & 0x3FFF or not _TCP_START + 20 <= start <= end <= len(packet):
        return None
    ends = Endpoint(source, source_port), Endpoint(target, target_port)
    return Segment(*ends, sequence, acknowledgment, flags, packet[start:end], 0)


_DEEPEST = 6  # IP packets in one another, and frames in one another
_TOO_DEEP = "packet of tunnels in tunnels in tunnels"
_FRAME = -1  # no EtherType: a whole frame
ETHERNET = 1
_LIKELY = (ETHERNET, 101, 113, 276, 0)  # raw IP, Linux cooked, BSD loopback


def find_segment(packet: bytes) -> tuple[int, Segment] | None:
    """Return the link type and the TCP segment of a packet whose link layer is not known: the
    lengths in its headers are right. None for any other bytes."""
    for link_type in _LIKELY:
        try:
            segment = read_packet(link_type, packet)
        except NoSegment:
            continue
        if segment.source.port and segment.target.port:
            return link_type, segment
    return None


# -- link layers: what is inside, by its EtherType, and where it begins


def _ethernet(packet: bytes) -> tuple[int, int]:
    return _behind_tags(packet, 12)


def _behind_tags(packet: bytes, at: int) -> tuple[int, int]:
    """The EtherType at `at`, or the one behind VLAN tags (802.1Q, stacked: 802.1ad), labels, and
    whole frames inside."""
    for _ in range(_DEEPEST):
        while int.from_bytes(packet[at : at + 2], "big") in _VLAN_TAGS:
            at += 4
        kind = int.from_bytes(packet[at : at + 2], "big")
        if kind not in _BETWEEN:
            return kind, at + 2
        kind, at = _BETWEEN[kind](packet, at + 2)
        if kind != _FRAME:
            return kind, at
    raise NoSegment(_TOO_DEEP)


def _mpls(packet: bytes, at: int) -> tuple[int, int]:
    """Behind the labels, of which the last one is marked: IP, or a whole Ethernet frame behind a
    control word, of which this is the position of the EtherType."""
    while at + 4 <= len(packet):
        last = packet[at + 2] & 1
        at += 4
        if last:
            break
    if packet[at : at + 1] and packet[at] >> 4 == 0:
        return _FRAME, at + 4 + 12
    return _raw(packet, at)


def _pppoe(packet: bytes, at: int) -> tuple[int, int]:
    kind = int.from_bytes(packet[at + 6 : at + 8], "big")
    return {0x21: _IP4, 0x57: _IP6}.get(kind, 0), at + 8


_BETWEEN: dict[int, Callable[[bytes, int], tuple[int, int]]] = {
    0x8847: _mpls,
    0x8848: _mpls,
    0x8864: _pppoe,
}
"""What may be between Ethernet and IP, by its EtherType."""


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
    protocol = packet[9]
    if protocol != _TCP_PROTOCOL and protocol not in _TUNNELS:
        raise NoSegment("packet that is not TCP", expected=True)
    if int.from_bytes(packet[6:8], "big") & 0x3FFF:
        raise NoSegment("fragment of an IP packet")
    if header < 20 or size < header:
        raise NoSegment("packet with a damaged header")
    return _IpData(packet[12:16], packet[16:20], protocol, packet[header:size], size - header)


def _ip6(packet: bytes) -> _IpData:
    if len(packet) < 40:
        raise NoSegment("packet cut inside its headers")
    size = 40 + (int.from_bytes(packet[4:6], "big") or len(packet) - 40)
    kind, at = packet[6], 40
    while kind in _IP6_EXTENSIONS and at + 2 <= len(packet):
        kind, at = packet[at], at + 8 + packet[at + 1] * 8
    if kind == _FRAGMENT:
        raise NoSegment("fragment of an IP packet")
    if kind != _TCP_PROTOCOL and kind not in _TUNNELS:
        raise NoSegment("packet that is not TCP", expected=True)
    if size < at:
        raise NoSegment("packet with a damaged header")
    return _IpData(packet[8:24], packet[24:40], kind, packet[at:size], size - at)


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


# -- tunnels: what is inside of IP, by its EtherType, and its bytes


def _inside(ip: _IpData) -> tuple[int, bytes]:
    return _TUNNELS[ip.protocol](ip.data)


def _udp(data: bytes) -> tuple[int, bytes]:
    target = int.from_bytes(data[2:4], "big")
    if target in _VXLAN_PORTS and data[8:9] and data[8] & 8:  # the flag: there is a network's id
        return _frame(data[16:])
    if target == _GENEVE_PORT and int.from_bytes(data[10:12], "big") == _ETHERNET_INSIDE:
        return _frame(data[16 + (data[8] & 63) * 4 :])
    raise NoSegment("packet that is not TCP", expected=True)


def _gre(data: bytes) -> tuple[int, bytes]:
    """RFC 2784 and 2890: a flag for each of checksum, key and sequence number, 4 bytes each."""
    flags = data[0] if data else 0
    kind = int.from_bytes(data[2:4], "big")
    at = 4 + 4 * sum(bool(flags & flag) for flag in (0x80, 0x20, 0x10))
    if kind in _MIRRORS:
        bare = kind == _ERSPAN and not flags & 0x10  # type I has no header of its own
        return _frame(data[at + (0 if bare else _MIRRORS[kind]) :])
    if kind == _ETHERNET_INSIDE:
        return _frame(data[at:])
    if kind in (_IP4, _IP6):
        return kind, data[at:]
    raise NoSegment("packet that is not TCP", expected=True)


def _frame(data: bytes) -> tuple[int, bytes]:
    kind, start = _ethernet(data)
    return kind, data[start:]


_VXLAN_PORTS = {4789, 8472}  # the registered one, and Linux's older default
_GENEVE_PORT = 6081
_ETHERNET_INSIDE = 0x6558
_ERSPAN = 0x88BE
_MIRRORS = {_ERSPAN: 8, 0x22EB: 12}  # ERSPAN's types II and III, with the length of their headers
_TUNNELS: dict[int, Callable[[bytes], tuple[int, bytes]]] = {
    4: lambda data: (_IP4, data),
    17: _udp,
    41: lambda data: (_IP6, data),
    47: _gre,
}
"""What may have IP inside, by its protocol number."""
