"""Packets and captures for tests, built by dpkt, and the bytes of Kafka frames to put into them."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import dpkt

CAPTURES = Path(__file__).parent.parent / "vectors" / "captures"

CLIENT, BROKER = 40000, 9092
SYN, FIN, RST, ACK = 2, 1, 4, 16


def request(correlation_id: int, *, key: int = 12, version: int = 0, client: str = "me") -> bytes:
    """A frame; by default Heartbeat version 0 of group g, generation 1, member m."""
    name = client.encode()
    head = key.to_bytes(2, "big") + version.to_bytes(2, "big") + correlation_id.to_bytes(4, "big")
    body = bytes.fromhex("000167 00000001 00016d")
    return sized(head + len(name).to_bytes(2, "big") + name + body)


def response(correlation_id: int) -> bytes:
    """The frame that answers it: no error."""
    return sized(correlation_id.to_bytes(4, "big") + b"\0\0")


def sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def ip_packet(
    data: bytes,
    sequence: int,
    *,
    ports: tuple[int, int] = (CLIENT, BROKER),
    flags: int = ACK,
    ack: int = 0,
    six: bool = False,
) -> bytes:
    """An IP packet with a TCP segment."""
    tcp = dpkt.tcp.TCP(
        sport=ports[0], dport=ports[1], seq=sequence % 2**32, ack=ack % 2**32, flags=flags
    )
    tcp.data = data
    ends = [(b"\xfe\x80" + bytes(13) if six else b"\x0a\0\0") + bytes([at]) for at in (1, 2)]
    if ports[0] == BROKER:
        ends.reverse()
    if six:
        size = len(bytes(tcp))
        return bytes(dpkt.ip6.IP6(src=ends[0], dst=ends[1], nxt=6, hlim=64, plen=size, data=tcp))
    return bytes(dpkt.ip.IP(src=ends[0], dst=ends[1], p=6, data=tcp, len=20 + len(bytes(tcp))))


def captured(packets: Iterable[bytes], link_type: int = 101, *, nano: bool = False) -> BytesIO:
    """A `.pcap` file, a millisecond between packets."""
    file = BytesIO()
    writer = dpkt.pcap.Writer(file, linktype=link_type, nano=nano)
    for number, packet in enumerate(packets):
        writer.writepkt(packet, 1_700_000_000 + number / 1000)
    file.seek(0)
    return file


def heartbeats(number: int, *, start: int = 1000, **options: Any) -> list[bytes]:
    """The packets of a connection, opened and closed, with so many requests and responses."""
    there, back = (CLIENT, BROKER), (BROKER, CLIENT)
    asked, answered = start, 5000
    packets = [
        ip_packet(b"", asked, ports=there, flags=SYN, **options),
        ip_packet(b"", answered, ports=back, flags=SYN | ACK, ack=asked + 1, **options),
    ]
    asked, answered = asked + 1, answered + 1
    for id_ in range(1, number + 1):
        ask, answer = request(id_), response(id_)
        packets.append(ip_packet(ask, asked, ports=there, ack=answered, **options))
        asked += len(ask)
        packets.append(ip_packet(answer, answered, ports=back, ack=asked, **options))
        answered += len(answer)
    packets.append(ip_packet(b"", asked, ports=there, flags=FIN | ACK, ack=answered, **options))
    packets.append(ip_packet(b"", answered, ports=back, flags=FIN | ACK, ack=asked + 1, **options))
    return packets
