"""Packets in the texts that tcpdump, tshark, ngrep and socat print: `golden/packets` has what they
printed of `group.pcap`, the first packets of a member of a group of librdkafka's."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path

import pytest

from kproto.capture import Frame, Summary, read_pcap
from kproto.capture.packets.followed import is_followed, read_followed
from kproto.capture.packets.printed import is_printed, packets_in, read_printed

GOLDEN = Path(__file__).parent / "golden" / "packets"
TEXTS = sorted(path.name for path in GOLDEN.glob("t*.txt*"))
FOLLOWED = sorted(
    path.name for tool in ("follow", "ngrep", "socat") for path in GOLDEN.glob(f"{tool}-*")
)


def text(name: str) -> bytes:
    data = (GOLDEN / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def bodies(frames: list[Frame]) -> list[object]:
    return [
        (frame.direction, frame.correlation_id, frame.body.message)
        for frame in frames
        if frame.body is not None
    ]


CAPTURED = list(read_pcap(GOLDEN / "group.pcap", summary=Summary()))


def test_all_texts_are_there() -> None:
    assert len(TEXTS) == 9
    assert len(FOLLOWED) == 6
    assert [frame.api for frame in CAPTURED] == ["JoinGroup"] * 4


@pytest.mark.parametrize("name", TEXTS)
def test_packets_are_read_from_a_text(name: str) -> None:
    data = text(name)
    assert is_printed(data[:4096])
    frames = list(read_printed(BytesIO(data), name, Summary()))
    assert bodies(frames) == bodies(CAPTURED)


@pytest.mark.parametrize("name", FOLLOWED)
def test_connections_are_read_from_a_text(name: str) -> None:
    data = text(name)
    assert is_followed(data[:4096])
    frames = list(read_followed(BytesIO(data), name, Summary()))
    assert bodies(frames) == bodies(CAPTURED)


def test_ngrep_with_times_and_what_ethernet_pads() -> None:
    """`ngrep -x -t`, and packets without data, of which it prints six zero bytes."""
    lines = [
        line.replace(b"T ", b"T 2026/11/26 10:20:30.000001 ", 1) if line[:2] == b"T " else line
        for line in text("ngrep-x.txt").splitlines(keepends=True)
    ]
    heading = b"T 2026/11/26 10:20:29.5 127.0.0.1:50000 -> 127.0.0.1:9092 [S] #1\n"
    at = next(number for number, line in enumerate(lines) if line[:2] == b"T ")
    data = b"".join((*lines[:at], heading, b"  00 00 00 00 00 00    ......\n\n", *lines[at:]))
    assert is_followed(data[:4096])
    assert bodies(list(read_followed(BytesIO(data), "text", Summary()))) == bodies(CAPTURED)


def test_messages_in_dumps_are_no_packets() -> None:
    golden = GOLDEN.parent
    for name in ("xxd.txt", "hexdump-C.txt", "od-tx1.txt", "go-hexdump.txt", "tshark-x.txt"):
        assert not is_printed((golden / name).read_bytes())


def test_what_was_put_together_is_no_packet() -> None:
    """tshark -x prints the packet, and then what it has put together from several."""
    row = b"0000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f   ................\n"
    dumps = b"Frame (18 bytes):\n" + row + b"0010  10 11          ..\n"
    dumps += b"Reassembled TCP (16 bytes):\n" + row + b"\n0000  20 21 22 23   !#\n"
    assert list(packets_in(dumps)) == [bytes(range(18)), b' !"#']


def test_wiresharks_c_arrays_are_packets() -> None:
    """Wireshark exports packets so; its comments are the characters, in which braces may be."""
    (first, *_) = packets_in(text("tcpdump-XX.txt"))
    rows = (
        ", ".join(f"0x{byte:02x}" for byte in first[at : at + 8]) + ", /* ..}.E..; */"
        for at in range(0, len(first), 8)
    )
    array = (
        f"/* Frame ({len(first)} bytes) */\nstatic const unsigned char pkt1[{len(first)}] = {{\n"
    )
    data = (array + "\n".join(rows) + "\n};\n").encode()
    assert is_printed(data)
    assert list(packets_in(data)) == [first]


@pytest.mark.parametrize("name", TEXTS)
def test_a_beginning_may_end_anywhere(name: str) -> None:
    """A file is judged by its first bytes, which may end within a byte of a row."""
    data = text(name)
    for size in range(200, 300):
        list(packets_in(data[:size]))


def test_base64_that_was_cut_is_read_as_far_as_it_goes() -> None:
    (name,) = [name for name in FOLLOWED if b"!!binary" in text(name)]
    data = text(name)
    end = data.rindex(b"!!binary") + 40
    for size in range(end, end + 4):
        list(read_followed(BytesIO(data[:size]), name, Summary()))
