"""Packet captures: a real one, every link layer, and everything that goes wrong with packets."""

from __future__ import annotations

import random
import struct
import tracemalloc
from collections import Counter
from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import cycle
from typing import Any, BinaryIO

import dpkt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture import CaptureError
from kproto.capture.frames.frame import Frame
from kproto.capture.packets import layers, pcap_files
from kproto.capture.packets.pcap_files import read_packets
from kproto.capture.packets.reader import PcapLimits, read_pcap
from kproto.capture.summary import Summary

from .wires import (
    BROKER,
    CAPTURES,
    CLIENT,
    FIN,
    RST,
    SYN,
    captured,
    heartbeats,
    ip_packet,
    request,
    response,
)

LOOPBACK = CAPTURES / "loopback.pcap"


def frames_of(capture: BinaryIO, limits: PcapLimits | None = None) -> tuple[list[Frame], Summary]:
    summary = Summary()
    return list(read_pcap(capture, source="test", summary=summary, limits=limits)), summary


def ids(frames: list[Frame]) -> list[tuple[str, int | None, int | None]]:
    return [(frame.direction[:3], frame.api_key, frame.correlation_id) for frame in frames]


def beats(first: int, last: int) -> list[tuple[str, int, int]]:
    """What `ids` gives for heartbeats from `first` to `last`."""
    return [(way, 12, id_) for id_ in range(first, last + 1) for way in ("req", "res")]


# -- the real capture


def test_the_capture_of_real_clients_has_no_unexplained_byte() -> None:
    summary = Summary()
    frames = list(read_pcap(LOOPBACK, summary=summary))
    # tshark counts the same: 39 conversations, 1,432 Kafka messages in 2,400 packets, 339 bytes
    # that were sent again.
    assert summary.read == {"packets": 2400, "connections": 39, "frames": 1432}
    assert summary.noted["bytes sent again"] == 339
    assert summary.complete
    assert len(frames) == 1432
    assert {str(frame.connection).split(" > ")[1].split(" ")[0] for frame in frames} == {
        "127.0.0.1:29092"
    }
    group = [frame for frame in frames if frame.body is not None]
    assert all(frame.body.complete and not frame.body.remainder for frame in group if frame.body)
    assert not [frame for frame in group if frame.reason]
    assert Counter(frame.api for frame in group if frame.direction == "request") == {
        "Heartbeat": 193,
        "ListOffsets": 50,
        "ApiVersions": 41,
        "Metadata": 37,
        "OffsetFetch": 27,
        "JoinGroup": 26,
        "SyncGroup": 21,
        "ConsumerGroupHeartbeat": 14,
        "FindCoordinator": 14,
        "StreamsGroupHeartbeat": 7,
        "LeaveGroup": 5,
        "ConsumerGroupDescribe": 2,
        "DescribeGroups": 1,
        "InitProducerId": 1,
        "ListGroups": 1,
        "OffsetCommit": 1,
    }


def test_responses_follow_their_requests_in_time() -> None:
    asked = {}
    for frame in read_pcap(LOOPBACK):
        assert frame.connection is not None and frame.timestamp is not None
        place = (frame.connection, frame.correlation_id)
        if frame.direction == "request":
            asked[place] = frame
        else:
            request_ = asked.pop(place)
            assert request_.timestamp is not None and request_.timestamp <= frame.timestamp
            assert request_[1:3] == frame[1:3]


Key = tuple[str, str, int | None, int | None]


def loopback() -> list[bytes]:
    with LOOPBACK.open("rb") as file:
        return [data for _, data in dpkt.pcap.Reader(file)]


def by_key(frames: list[Frame]) -> dict[Key, bytes]:
    """The bytes of the frames that are whole."""
    return {
        (frame.connection.client, frame.direction, frame.correlation_id, frame.api_key): frame.data
        for frame in frames
        if frame.connection and len(frame.data) == frame.size
    }


@pytest.fixture(scope="module")
def whole() -> dict[Key, bytes]:
    return by_key(list(read_pcap(LOOPBACK)))


@given(orders=st.lists(st.permutations(range(4)), min_size=1, max_size=40))
@settings(max_examples=4)
def test_the_real_capture_shuffled_is_the_same(
    whole: dict[Key, bytes], orders: list[list[int]]
) -> None:
    """Each window of four packets in one of these orders, in turn."""
    packets = loopback()
    for at, order in zip(range(0, len(packets) - 3, 4), cycle(orders), strict=False):
        packets[at : at + 4] = [packets[at + place] for place in order]
    frames, summary = frames_of(captured(packets, 1))
    assert by_key(frames) == whole
    assert summary.complete


@pytest.mark.parametrize("seed", range(3))
def test_of_the_real_capture_with_losses_no_frame_is_wrong(
    seed: int, whole: dict[Key, bytes]
) -> None:
    # Of a rate over the whole capture, so that fewer losses would show less.
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    kept = [packet for packet in loopback() if rng.random() > 0.05]
    frames, summary = frames_of(captured(kept, 1))
    seen = by_key([frame for frame in frames if frame.api_key is not None])
    assert seen.items() <= whole.items()
    assert len(seen) > 0.85 * len(whole)
    assert not summary.complete


def test_the_real_capture_with_short_packets_still_shows_every_frame(
    whole: dict[Key, bytes],
) -> None:
    frames, _ = frames_of(captured([packet[:100] for packet in loopback()], 1))
    assert Counter(ids(frames)) == Counter((key[1][:3], key[3], key[2]) for key in whole)


# -- link layers


def ethernet(packet: bytes) -> bytes:
    return bytes(12) + (b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd") + packet


def tagged(*tags: bytes) -> Callable[[bytes], bytes]:
    def link(packet: bytes) -> bytes:
        frame = ethernet(packet)
        return frame[:12] + b"".join(tag + b"\x00\x05" for tag in tags) + frame[12:]

    return link


# By the RFCs: 3032 (MPLS), 2516 (PPPoE), 7348 (VXLAN), 8926 (Geneve), 2784 and 2890 (GRE), and the
# draft of ERSPAN; dpkt writes the packets around them.
MPLS = bytes.fromhex("000640ff 00065140")  # two labels, the second one the last
PPPOE = bytes.fromhex("8864 1100")
VXLAN = bytes.fromhex("08000000 00002a00")
GENEVE = bytes.fromhex("01006558 00002a00 0102 80 00")  # with an option of 4 bytes
ERSPAN = bytes.fromhex("100088be 00000001 1001000000000000")
VLAN = b"\x81\x00"


def between(part: bytes, packet: bytes) -> bytes:
    """A packet behind the MAC addresses and another part."""
    return bytes(12) + part + packet


def ppp(packet: bytes) -> bytes:
    return b"\x00\x21" if packet[0] >> 4 == 4 else b"\x00\x57"


def udp(port: int, data: bytes) -> bytes:
    return bytes(dpkt.udp.UDP(sport=50000, dport=port, ulen=8 + len(data), data=data))


def outer_ip(protocol: int, data: bytes) -> bytes:
    ends = {"src": b"\xc0\xa8\0\1", "dst": b"\xc0\xa8\0\2"}
    return bytes(dpkt.ip.IP(**ends, p=protocol, data=data, len=20 + len(data)))


def outer(protocol: int, data: bytes) -> bytes:
    return ethernet(outer_ip(protocol, data))


LINKS: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "raw": (101, bytes),
    "raw-openbsd": (14, bytes),
    "raw-bsd": (12, bytes),
    "ipv4-or-6": (228, bytes),
    "null-little": (0, lambda packet: b"\x02\0\0\0" + packet),
    "null-big": (0, lambda packet: b"\0\0\0\x1e" + packet),
    "loop": (108, lambda packet: b"\0\0\0\x02" + packet),
    "ethernet": (1, ethernet),
    "ethernet-padded": (1, lambda packet: ethernet(packet) + bytes(30)),
    "vlan": (1, tagged(b"\x81\x00")),
    "vlan-stacked": (1, tagged(b"\x88\xa8", b"\x81\x00")),
    "cooked": (113, lambda packet: bytes(14) + ethernet(packet)[12:]),
    "cooked-2": (276, lambda packet: ethernet(packet)[12:14] + bytes(18) + packet),
    "mpls": (1, lambda packet: between(b"\x88\x47" + MPLS, packet)),
    "mpls-ethernet": (1, lambda packet: between(b"\x88\x47" + MPLS + bytes(4), ethernet(packet))),
    "pppoe": (1, lambda packet: between(PPPOE + bytes(4) + ppp(packet), packet)),
    "vxlan": (1, lambda packet: outer(17, udp(4789, VXLAN + ethernet(packet)))),
    "vxlan-vlan": (101, lambda packet: outer_ip(17, udp(8472, VXLAN + tagged(VLAN)(packet)))),
    "geneve": (1, lambda packet: outer(17, udp(6081, GENEVE + ethernet(packet)))),
    "gre": (1, lambda packet: outer(47, b"\0\0" + ethernet(packet)[12:14] + packet)),
    "gre-key": (
        1,
        lambda packet: outer(47, b"\x20\0" + ethernet(packet)[12:14] + b"key!" + packet),
    ),
    "gre-ethernet": (1, lambda packet: outer(47, b"\0\0\x65\x58" + ethernet(packet))),
    "erspan": (1, lambda packet: outer(47, ERSPAN + ethernet(packet))),
    "ip-in-ip": (1, lambda packet: outer(4 if packet[0] >> 4 == 4 else 41, packet)),
}


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("six", [False, True], ids=["ipv4", "ipv6"])
@pytest.mark.parametrize("nano", [False, True], ids=["micro", "nano"])
def test_link_layers(link: str, six: bool, nano: bool) -> None:
    number, wrap = LINKS[link]
    packets = [wrap(packet) for packet in heartbeats(3, six=six)]
    frames, summary = frames_of(captured(packets, number, nano=nano))
    assert ids(frames) == beats(1, 3)
    assert summary.complete
    assert frames[0].timestamp == pytest.approx(1_700_000_000_002, abs=0.01)
    assert str(frames[0].connection) == (
        "[fe80::1]:40000 > [fe80::2]:9092 #1" if six else "10.0.0.1:40000 > 10.0.0.2:9092 #1"
    )


def test_an_unknown_link_layer_and_other_packets_are_counted() -> None:
    assert frames_of(captured(heartbeats(1), 147))[1].skipped[0].times == 6
    udp = dpkt.ip.IP(src=b"\x0a\0\0\1", dst=b"\x0a\0\0\2", p=17, data=dpkt.udp.UDP(data=b"x"))
    fragment = dpkt.ip.IP(src=b"\x0a\0\0\1", dst=b"\x0a\0\0\2", p=6, data=b"x" * 30, offset=100)
    frames, summary = frames_of(captured([bytes(udp), bytes(fragment), b"", b"\x45" * 30]))
    assert not frames
    assert {skip.reason: skip.times for skip in summary.skipped} == {
        "packet that is not TCP": 2,
        "fragment of an IP packet": 1,
        "packet that is not IP": 1,
    }


# -- pcapng


def pcapng_block(kind: int, body: bytes, order: str = "<") -> bytes:
    """A block of a `.pcapng` file."""
    body += bytes(-len(body) % 4)
    size = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + size + body + size


def pcapng(packets: list[bytes], *, little: bool = True) -> BytesIO:
    """Two sections; in each two interfaces, of raw IP with nanoseconds and of Ethernet."""
    order = "<" if little else ">"
    block = partial(pcapng_block, order=order)
    half = len(packets) // 2
    file = b""
    for part, first in ((packets[:half], 0), (packets[half:], half)):
        file += block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
        resolution = struct.pack(order + "HHB3xHH", 9, 1, 9, 0, 0)
        comment = struct.pack(order + "HH4sHH", 1, 4, b"\xff\xfe\xfd\xfc", 0, 0)
        file += block(1, struct.pack(order + "HHI", 101, 0, 0) + resolution)
        file += block(1, struct.pack(order + "HHI", 1, 0, 0) + comment)
        file += block(5, b"statistics, of no interest")
        for number, packet in enumerate(part, first):
            interface = number % 2
            ticks = (1_700_000_000_000 + number) * (1000 if interface else 1_000_000)
            data = ethernet(packet) if interface else packet
            head = struct.pack(
                order + "IIIII", interface, ticks >> 32, ticks & 0xFFFFFFFF, len(data), len(data)
            )
            file += block(6, head + data + bytes(-len(data) % 4) + comment)
    return BytesIO(file)


@pytest.mark.parametrize("little", [True, False])
def test_pcapng_with_sections_and_interfaces(little: bool) -> None:
    frames, summary = frames_of(pcapng(heartbeats(5), little=little))
    assert ids(frames) == beats(1, 5)
    assert summary.complete
    assert [frame.timestamp for frame in frames] == [1_700_000_000_002 + at for at in range(10)]


def test_pcapng_as_dpkt_writes_it() -> None:
    file = BytesIO()
    writer = dpkt.pcapng.Writer(file, linktype=101)
    for packet in heartbeats(4):
        writer.writepkt(packet, 1_700_000_000)
    file.seek(0)
    assert ids(frames_of(file)[0]) == beats(1, 4)


# -- what goes wrong


def test_a_file_cut_anywhere_gives_what_is_there() -> None:
    for whole in (captured(heartbeats(4)).getvalue(), pcapng(heartbeats(4)).getvalue()):
        for length in range(4, len(whole)):
            frames, summary = frames_of(BytesIO(whole[:length]))
            whole_frames = [frame for frame in frames if not frame.reason]
            assert ids(whole_frames) == beats(1, 4)[: len(whole_frames)]
            assert summary.read.get("packets", 0) <= 12


def test_what_is_no_capture_is_refused() -> None:
    for data in (b"", b"\xd4", b"#!/bin/sh\n", bytes(100)):
        with pytest.raises(CaptureError, match=r"neither a \.pcap nor a \.pcapng"):
            frames_of(BytesIO(data))


@pytest.mark.parametrize("link", ["ethernet", "raw"])
def test_packets_cut_by_the_snapshot_length_cost_their_frames_alone(link: str) -> None:
    number, wrap = LINKS[link]
    packets = [wrap(packet) for packet in heartbeats(4)]
    cut = [packet[: len(packet) - 5] if at == 4 else packet for at, packet in enumerate(packets)]
    frames, summary = frames_of(captured(cut, number))
    assert ids(frames) == beats(1, 4)
    cause = (
        "its packets were cut as they were captured (snap length; tcpdump -s 0 keeps them whole)"
    )
    assert [frame.reason for frame in frames if frame.reason] == [cause]
    assert [skip.reason for skip in summary.skipped] == [f"part of a frame: {cause}"]


def test_a_lost_request_is_said_and_the_rest_goes_on() -> None:
    packets = heartbeats(40)
    frames, summary = frames_of(captured([*packets[:6], *packets[7:]]))  # the request 3
    expected = [each for each in beats(1, 40) if each != ("req", 12, 3)]
    seen = ids(frames)
    assert ("res", None, 3) in seen
    assert sorted(each for each in seen if each[1] is not None) == sorted(
        each for each in expected if each != ("res", 12, 3)
    )
    reasons = {skip.reason: (skip.times, skip.size) for skip in summary.skipped}
    assert reasons == {
        "bytes of no frame: bytes are missing in the capture": (1, len(request(3))),
        "response whose request was not captured": (1, len(response(3))),
    }


def test_a_lost_first_request_does_not_hide_the_connection() -> None:
    packets = heartbeats(30)
    frames, _ = frames_of(captured([*packets[:2], *packets[3:]]))
    assert {each for each in ids(frames) if each[1]} == set(beats(2, 30))


@given(st.data())
def test_any_order_of_packets_gives_the_same_frames(data: st.DataObject) -> None:
    """Within the four packets of a window, as a capture on several queues may shuffle them."""
    packets = heartbeats(20)
    body = []
    for at in range(2, len(packets) - 2, 4):
        window = packets[at : min(at + 4, len(packets) - 2)]
        for packet in data.draw(st.permutations(window)):
            body += [packet] * data.draw(st.integers(1, 2))
    frames, summary = frames_of(captured([*packets[:2], *body, *packets[-2:]]))
    assert sorted(ids(frames)) == sorted(beats(1, 20))
    assert summary.complete


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 60), min_size=1, max_size=20))
def test_frames_over_several_segments_and_the_wrap_of_numbers(start: int, sizes: list[int]) -> None:
    stream = b"".join(request(id_) for id_ in range(1, 21))
    packets = [ip_packet(b"", start, flags=SYN)]
    at = 0
    while at < len(stream):
        for size in sizes:
            packets.append(ip_packet(stream[at : at + size], start + 1 + at))
            at += size
    frames, summary = frames_of(captured(packets))
    assert ids(frames) == [("req", 12, id_) for id_ in range(1, 21)]
    assert summary.complete
    assert summary.noted["requests without a response"] == 20


@pytest.mark.parametrize("skipped", range(2, 9))
def test_a_capture_that_begins_in_the_middle(skipped: int) -> None:
    frames, _ = frames_of(captured(heartbeats(10)[skipped:]))
    first = (skipped - 1) // 2 + 1
    assert set(beats(first, 10)) <= set(ids(frames))
    assert all(frame.connection and frame.connection.client[-5:] == "40000" for frame in frames)


def test_a_capture_that_begins_in_the_middle_of_a_large_response() -> None:
    size = 500_000
    answer = (size).to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(size - 4)
    parts = [answer[at : at + 1400] for at in range(3000, len(answer), 1400)]
    packets = [
        ip_packet(part, 3000 + number * 1400, ports=(BROKER, CLIENT), ack=700)
        for number, part in enumerate(parts)
    ]
    end = len(answer)
    for id_ in range(2, 6):
        packets.append(ip_packet(request(id_), 700, ack=end))
        packets.append(ip_packet(response(id_), end, ports=(BROKER, CLIENT)))
        end += len(response(id_))
    # The requests here all have one sequence number: each but the first is a repeat.
    frames, summary = frames_of(captured(packets))
    assert ids(frames)[:2] == beats(2, 2)
    assert "bytes of no frame: the capture begins in the middle of a frame" in {
        skip.reason for skip in summary.skipped
    }


def test_ports_used_again_are_another_connection() -> None:
    packets = heartbeats(2) + heartbeats(3, start=77_000_000)
    frames, summary = frames_of(captured(packets))
    assert ids(frames) == beats(1, 2) + beats(1, 3)
    assert summary.read["connections"] == 2
    assert [frame.connection.number for frame in frames if frame.connection] == [1] * 4 + [2] * 6


def test_what_comes_after_a_reset_is_of_no_connection() -> None:
    packets = heartbeats(3)
    packets.insert(4, ip_packet(b"", 1, ports=(BROKER, CLIENT), flags=RST))
    assert ids(frames_of(captured(packets))[0]) == beats(1, 1)


def test_connections_side_by_side() -> None:
    streams = [heartbeats(3, start=number * 1000) for number in range(5)]
    streams = [
        [packet.replace(CLIENT.to_bytes(2, "big"), (CLIENT + number).to_bytes(2, "big"))
         for packet in packets]
        for number, packets in enumerate(streams)
    ]  # fmt: skip
    mixed = [packet for packets in zip(*streams, strict=True) for packet in packets]
    frames, summary = frames_of(captured(mixed))
    assert summary.read["connections"] == 5 and summary.complete
    for number in range(1, 6):
        mine = [frame for frame in frames if frame.connection and frame.connection.number == number]
        assert ids(mine) == beats(1, 3)


def opened(first: bytes) -> list[bytes]:
    return [ip_packet(b"", 9, flags=SYN), ip_packet(first, 10), ip_packet(b"", 10, flags=FIN)]


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "connection that does not speak Kafka's protocol"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03abc", "connection that is encrypted (TLS)"),
        (b"hello", "connection too short to tell whether it is Kafka's protocol"),
    ],
    ids=["http", "tls", "short"],
)
def test_other_protocols_are_told_apart(first: bytes, reason: str) -> None:
    frames, summary = frames_of(captured([*opened(first), *heartbeats(1, start=5000)]))
    assert ids(frames) == beats(1, 1)
    assert [(skip.reason, skip.size) for skip in summary.skipped] == [(reason, len(first))]


def test_bytes_that_are_no_request_are_passed_over() -> None:
    token = b"\0\0\0\x20" + bytes(range(128, 160))  # as SASL's old handshake sends them
    stream = request(1) + token + request(2)
    frames, summary = frames_of(captured([ip_packet(b"", 9, flags=SYN), ip_packet(stream, 10)]))
    assert ids(frames) == [("req", 12, 1), ("req", 12, 2)]
    assert [skip.size for skip in summary.skipped] == [len(token)]


# -- hostile captures


@given(st.data())
def test_damaged_captures_raise_nothing(data: st.DataObject) -> None:
    make: Any = data.draw(st.sampled_from([captured, pcapng]))
    file = bytearray(make(heartbeats(6)).getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(4, len(file) - 1))
        file[at] = data.draw(st.integers(0, 255))
    frames_of(BytesIO(bytes(file)))


@given(st.lists(st.tuples(st.integers(0, 10), st.binary(max_size=40)), max_size=20))
def test_any_blocks_raise_nothing(blocks: list[tuple[int, bytes]]) -> None:
    """Every kind of block, each with too few bytes for its own fields, or with any."""
    section = pcapng_block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    _, summary = frames_of(BytesIO(section + b"".join(pcapng_block(*block) for block in blocks)))
    assert not any("damaged" in skip.reason for skip in summary.skipped)


@given(st.lists(st.binary(max_size=80), max_size=20), st.sampled_from(sorted(LINKS)))
def test_any_packets_raise_nothing(packets: list[bytes], link: str) -> None:
    frames_of(captured([*packets, *heartbeats(1), *packets], LINKS[link][0]))


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 300), st.integers(0, 63), st.binary(max_size=40)),
        max_size=40,
    )
)
def test_any_segments_raise_nothing(segments: list[tuple[bool, int, int, bytes]]) -> None:
    packets = [
        ip_packet(
            data, at, ack=at, flags=flags, ports=(CLIENT, BROKER) if way else (BROKER, CLIENT)
        )
        for way, at, flags, data in segments
    ]
    frames_of(captured(packets), PcapLimits(max_ahead=50, max_segments=3, max_total=2000))


def peak_of(packets: list[bytes], limits: PcapLimits) -> tuple[int, Summary]:
    file = captured(packets)
    summary = Summary()
    tracemalloc.start()
    for _ in read_pcap(file, source="test", summary=summary, limits=limits):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, summary


SMALL = PcapLimits(max_held=100_000, max_ahead=100_000, max_total=500_000, max_connections=50)


def test_frames_that_claim_gigabytes_cost_what_they_hold() -> None:
    claim = (100_000_000).to_bytes(4, "big") + request(1)[4:]
    packets = [ip_packet(b"", 9, flags=SYN), ip_packet(claim, 10)]
    packets += [ip_packet(bytes(1000), 10 + len(claim) + at * 1000) for at in range(3000)]
    peak, summary = peak_of(packets, SMALL)
    assert peak < 1_500_000
    assert [skip.reason for skip in summary.skipped] == [
        "part of a frame: larger than what is kept of a frame"
    ]


def test_many_connections_with_holes_cost_the_total_limit() -> None:
    packets = []
    for port in range(300):
        ports = (CLIENT + port, BROKER)
        packets.append(ip_packet(b"", 9, ports=ports, flags=SYN))
        packets += [ip_packet(bytes(900), 2000 + at * 1000, ports=ports) for at in range(15)]
    peak, summary = peak_of(packets, SMALL)
    assert peak < 1_500_000
    assert summary.read["connections"] == 300
    assert summary.noted["connections closed early, for a limit"] >= 250


def test_requests_that_nobody_answers_cost_a_bounded_amount() -> None:
    packets = [ip_packet(b"", 9, flags=SYN)]
    stream = b"".join(request(id_) for id_ in range(20_000))
    packets += [ip_packet(stream[at : at + 1300], 10 + at) for at in range(0, len(stream), 1300)]
    peak, summary = peak_of(packets, SMALL._replace(max_total=10_000_000))
    assert summary.read["frames"] == 20_000
    assert summary.noted["requests without a response"] == 20_000
    assert peak < 4_000_000


def test_a_length_in_the_file_is_not_allocated() -> None:
    file = captured(heartbeats(1)).getvalue()
    lie = file + struct.pack("<IIII", 1, 1, 2**32 - 1, 2**32 - 1)
    tracemalloc.start()
    frames, summary = frames_of(BytesIO(lie))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ids(frames) == beats(1, 1)
    assert summary.skipped[0].reason == ("rest of a capture, behind a length above the limit")
    assert peak < 1_000_000


# -- plain packets, which are read faster


@given(st.data())
def test_plain_packets_are_read_as_all_others(data: st.DataObject) -> None:
    """What the core and the shortcut for plain packets find is what the layers one by one do."""
    plain = [bytes(12) + b"\x08\0" + packet for packet in heartbeats(3)]
    packets = []
    for packet in data.draw(st.lists(st.sampled_from(plain), max_size=5)):
        changed = bytearray(packet + bytes(data.draw(st.integers(0, 6))))
        for _ in range(data.draw(st.integers(0, 2))):
            place = data.draw(st.integers(12, 53))
            changed[place] = data.draw(st.sampled_from([0, 1, 6, 0x45, 0x46, 0x50, 0x80, 0xFF]))
        packets.append(bytes(changed[: data.draw(st.integers(30, len(changed)))]))
    file = captured(packets, layers.ETHERNET).getvalue()
    file = file[: data.draw(st.integers(24, len(file)))]
    readings = []
    for has_core, has_shortcut in ((True, True), (False, True), (False, False)):
        with pytest.MonkeyPatch.context() as patch:
            if not has_core:
                patch.setattr(pcap_files, "CORE", None)
            if not has_shortcut:
                patch.setattr(layers, "_plain_segment", lambda packet: None)
            summary = Summary()
            found = list(read_packets(BytesIO(file), "test", summary, max_packet=90))
            segments = [packet.segment or segment_of(packet.data) for packet in found]
            times = [packet[:3] for packet in found]
            readings.append((times, segments, str(summary), ids(frames_of(BytesIO(file))[0])))
    assert readings[0] == readings[1] == readings[2]


def segment_of(packet: bytes) -> object:
    try:
        return layers.read_packet(layers.ETHERNET, packet)
    except layers.NoSegment as reason:
        return str(reason)
