"""Read the packets of a `.pcap` or `.pcapng` file; dpkt reads the formats.

dpkt's own reader of `.pcapng` supports one interface and one section in a file. Wireshark writes
several, each with its own link type and clock, so the blocks are read one by one here.

Several files are read as one, in the order of time: rings that tcpdump or dumpcap write, and
captures of several hosts. A file is opened when its first packet's time has come, so that of a ring
one file is open at a time. Files compressed with gzip or zstd are read as they are.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from heapq import heappop, heappush, heapreplace
from pathlib import Path
from struct import Struct, error
from typing import Any, BinaryIO, NamedTuple, cast

from dpkt import Error as DpktError
from dpkt import pcap, pcapng

from ...codec.runtime.engine import CORE
from ..compression import HEAD, CannotDecompress, compression, content_of
from ..errors import CaptureError
from ..summary import Summary
from .layers import Endpoint, Segment

__all__ = [
    "MAX_PACKET",
    "FilePacket",
    "Packet",
    "capture_files",
    "in_order",
    "is_packet_file",
    "numbered",
    "read_packets",
]

MAX_PACKET = 16 * 1024 * 1024
"""The most bytes that one packet, or one block of a `.pcapng` file, may have."""

_PCAP_MAGICS = {magic.to_bytes(4, "big") for magic in pcap.MAGIC_TO_PKT_HDR}
_SECTION = pcapng.PCAPNG_BT_SHB.to_bytes(4, "big")  # the same in both byte orders
_UNREADABLE = (DpktError, error, ValueError, IndexError)  # UnicodeDecodeError is a ValueError
_MICROSECONDS = 1e6
_BLOCK = 1 << 16


class Packet(NamedTuple):
    """A packet; `timestamp` is in milliseconds since the epoch, None where the file has none.
    `segment` is the TCP segment in it, None where it was not looked for or is no plain one."""

    timestamp: float | None
    link_type: int
    data: bytes
    segment: Segment | None = None


class FilePacket(NamedTuple):
    """A packet with its number in its file, from 1, and the file's name."""

    packet: Packet
    number: int
    source: str


class _Cut(Exception):
    """The file is cut short or damaged in the middle of a block or packet."""


def is_packet_file(head: bytes) -> bool:
    """Return whether a file that begins with these bytes (4 or more) is a `.pcap` or `.pcapng`."""
    return head[:4] in _PCAP_MAGICS or head[:4] == _SECTION


def read_packets(
    file: BinaryIO, source: str, summary: Summary, *, max_packet: int = MAX_PACKET
) -> Iterator[Packet]:
    """Yield all packets of a file, in its order; what cannot be read goes to `summary`.

    Raises CaptureError if the file is of neither format.
    """
    guarded = _File(file, max_packet)
    head = guarded.read(4)
    guarded.unread(head)
    if head in _PCAP_MAGICS:
        packets = _pcap(guarded)
    elif head == _SECTION:
        packets = _Blocks(guarded).packets(summary, source)
    else:
        raise CaptureError(f"{source} is neither a .pcap nor a .pcapng file")
    try:
        for packet in packets:
            summary.count("packets")
            yield packet
    except _Cut as problem:
        summary.skip(str(problem), f"{source}, byte {guarded.position:,}")
    except _UNREADABLE:
        summary.skip("end of a capture that is damaged", f"{source}, byte {guarded.position:,}")


class _File:
    """The file that dpkt reads, which allocates nothing for a length that the data only claims."""

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self.position = 0
        self.ended_short = False
        """Whether the file has ended inside of what was asked for."""
        self.limit = limit
        self._file = file
        self._again = b""

    def read(self, size: int) -> bytes:
        if not 0 <= size <= self.limit:
            raise _Cut("rest of a capture, behind a length above the limit")
        data = self._again or self._file.read(size)
        data, self._again = data[:size], data[size:]
        if len(data) < size and data:
            data += self._file.read(size - len(data))
        self.position += len(data)
        self.ended_short = 0 < len(data) < size
        return data

    def block(self) -> bytes:
        """Read what is there, without waiting for more."""
        data, self._again = self._again, b""
        read = getattr(self._file, "read1", None)
        data += read(_BLOCK) if read is not None else b""
        self.position += len(data)
        return data

    def unread(self, data: bytes) -> None:
        self._again = data
        self.position -= len(data)

    def exactly(self, size: int) -> bytes:
        data = self.read(size)
        if len(data) < size:
            raise _Cut("end of a capture that was cut short")
        return data


def _pcap(file: _File) -> Iterator[Packet]:
    magic = file.read(4)
    file.unread(magic)
    kind = pcap.MAGIC_TO_PKT_HDR[int.from_bytes(magic, "big")]
    try:
        reader = pcap.Reader(file)
    except DpktError:
        raise _Cut("capture that ends inside its header") from None
    link_type = reader.datalink() & 0xFFFF  # above are flags: whether packets end in a checksum
    header = Struct(kind.__hdr_fmt__)  # dpkt makes an object of each
    by_core = None
    if CORE is not None and header.size == _PLAIN_HEADER and reader._divisor == _MICROSECONDS:
        is_little = header.format.startswith("<")
        by_core = partial(_packets_of_core, file, is_little=is_little, link_type=link_type)
    while True:
        if by_core is not None:
            yield from by_core()
        head = file.read(header.size)
        if not head:
            return
        if len(head) < header.size:
            raise _Cut("end of a capture that was cut short")
        seconds, fraction, size, *_ = header.unpack(head)
        data = file.read(size)
        if file.ended_short:
            raise _Cut("end of a capture that was cut short")
        moment = float(seconds + fraction / reader._divisor)
        yield Packet(round(moment * 1000, 3), link_type, data)


_PLAIN_HEADER = 16  # bytes in front of a packet


def _packets_of_core(file: _File, *, is_little: bool, link_type: int) -> Iterator[Packet]:
    """Yield the packets up to one that the core does not find whole in a block of the file."""
    classes = (Packet, Segment, Endpoint)
    while block := file.block():
        packets, end = CORE.read_packets(
            block, is_little, _MICROSECONDS, link_type, file.limit, classes
        )
        file.unread(block[end:])
        yield from packets
        if not packets:
            return


# -- pcapng


class _Interface(NamedTuple):
    link_type: int
    cut_at: int  # the most bytes of a packet that are in the file; 0: all
    ticks: float  # a second
    origin: int  # seconds

    def milliseconds(self, high: int, low: int) -> float:
        return round(((high << 32 | low) / self.ticks + self.origin) * 1000, 3)


class _Blocks:
    """The blocks of a `.pcapng` file. A section has its own byte order and interfaces."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self._little = True
        self._lengths = Struct("<II")
        self._interfaces: list[_Interface] = []

    def packets(self, summary: Summary, source: str) -> Iterator[Packet]:
        while head := self._file.read(8):
            if len(head) < 8:
                raise _Cut("end of a capture that was cut short")
            block = self._block(head)
            try:
                packet = self._packet(block)
            except _UNREADABLE:
                where = f"{source}, before byte {self._file.position:,}"
                summary.skip("block of a capture that cannot be read", where, len(block))
                continue
            if packet is not None:
                yield packet

    def _block(self, head: bytes) -> bytes:
        """The block that begins with `head`; a new section sets the byte order."""
        if head[:4] == _SECTION:
            head += self._file.exactly(4)
            self._little = head[8:12] == pcapng.BYTE_ORDER_MAGIC.to_bytes(4, "little")
            self._lengths = Struct("<II" if self._little else ">II")
            self._interfaces = []
        length = self._lengths.unpack_from(head)[1]
        if length < len(head) + 4 or length % 4:
            raise _Cut("rest of a capture, behind a block with a damaged length")
        return head + self._file.exactly(length - len(head))

    def _packet(self, block: bytes) -> Packet | None:
        kind = self._lengths.unpack_from(block)[0]
        if kind == pcapng.PCAPNG_BT_IDB:
            self._interfaces.append(self._interface(block))
        if kind == pcapng.PCAPNG_BT_EPB:
            return self._timed(self._front("EnhancedPacketBlock", block), block)
        if kind == pcapng.PCAPNG_BT_PB:
            return self._timed(self._front("PacketBlock", block), block)
        if kind == pcapng.PCAPNG_BT_SPB:
            return self._simple(block)
        return None

    def _front(self, name: str, block: bytes) -> Any:
        """The fixed fields alone: options, such as a comment in another encoding, are not read."""
        front = getattr(pcapng, f"{name}LE" if self._little else name)()
        front.unpack_hdr(block)
        return front

    def _interface(self, block: bytes) -> _Interface:
        front = self._front("InterfaceDescriptionBlock", block)
        ticks, origin = _MICROSECONDS, 0
        option = Struct("<HH" if self._little else ">HH")
        at = 16
        while at + 4 < len(block) - 4:
            code, length = option.unpack_from(block, at)
            value = block[at + 4 : at + 4 + length]
            if code == pcapng.PCAPNG_OPT_IF_TSRESOL and length == 1:
                ticks = float((2 if value[0] & 0x80 else 10) ** (value[0] & 0x7F))
            elif code == pcapng.PCAPNG_OPT_IF_TSOFFSET and length == 8:
                origin = int.from_bytes(value, "little" if self._little else "big", signed=True)
            at += 4 + length + -length % 4
        return _Interface(front.linktype, front.snaplen, ticks, origin)

    def _timed(self, front: Any, block: bytes) -> Packet:
        interface = self._interfaces[front.iface_id]
        data = block[28 : min(28 + front.caplen, len(block) - 4)]
        return Packet(
            interface.milliseconds(front.ts_high, front.ts_low), interface.link_type, data
        )

    def _simple(self, block: bytes) -> Packet:
        """A block of the first interface, without a time."""
        interface = self._interfaces[0]
        size = self._lengths.unpack_from(block, 4)[1]
        size = min(size, interface.cut_at or size, len(block) - 16)
        return Packet(None, interface.link_type, block[12 : 12 + size])


# -- several files

_ZSTD_LIMIT = 1 << 30  # bytes inside of a file, which is decompressed at once
_Waiting = tuple[float, int, FilePacket, Iterator[FilePacket]]  # by time, then by file


def numbered(
    file: BinaryIO, source: str, summary: Summary, max_packet: int
) -> Iterator[FilePacket]:
    """Yield the packets of a file with their numbers."""
    packets = read_packets(file, source, summary, max_packet=max_packet)
    for number, packet in enumerate(packets, 1):
        yield FilePacket(packet, number, source)


def capture_files(folder: str) -> list[str]:
    """Return the packet captures below a folder, by name, compressed with gzip or not; other files,
    and those that cannot be read, are left out."""
    return [str(path) for path in sorted(Path(folder).rglob("*")) if _is_capture(path)]


def _is_capture(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(HEAD)
            if compression(head) == "gzip":
                file.seek(0)
                head = _content(file, head).read(HEAD)
    except OSError:
        return False
    return is_packet_file(head)


def in_order(paths: Sequence[str], summary: Summary, max_packet: int) -> Iterator[FilePacket]:
    """Yield the packets of all files by their times; those of one file stay in its order.

    Raises CaptureError for a file that is no packet capture, and OSError as `open` does.
    """
    starts = [(_first_time(path, max_packet), number) for number, path in enumerate(paths)]
    later = sorted(starts, reverse=True)
    active: list[_Waiting] = []
    while later or active:
        while later and (not active or later[-1][0] <= active[0][0]):
            _, number = later.pop()
            packets = _packets(paths[number], summary, max_packet)
            for waiting in _next(packets, number, 0.0):
                heappush(active, waiting)
        while active and (not later or active[0][0] < later[-1][0]):
            when, number, packet, rest = active[0]
            yield packet
            following = _next(rest, number, when)
            if following:
                heapreplace(active, following[0])
            else:
                heappop(active)


def _next(packets: Iterator[FilePacket], number: int, when: float) -> list[_Waiting]:
    """The next packet of a file, by its time, or by that of the packet before it."""
    packet = next(packets, None)
    if packet is None:
        return []
    timestamp = packet.packet.timestamp
    return [(when if timestamp is None else timestamp, number, packet, packets)]


def _first_time(path: str, max_packet: int) -> float:
    with closing(_packets(path, Summary(), max_packet)) as packets:
        first = next(packets, None)
    return 0.0 if first is None or first.packet.timestamp is None else first.packet.timestamp


def _packets(path: str, summary: Summary, max_packet: int) -> Generator[FilePacket, None, None]:
    with Path(path).open("rb") as file:
        head = file.read(HEAD)
        file.seek(0)
        inside = _content(file, head)
        if not is_packet_file(head) and not compression(head):
            raise CaptureError(f"{path} is neither a .pcap nor a .pcapng file")
        yield from numbered(inside, path, summary, max_packet)


def _content(file: BinaryIO, head: bytes) -> BinaryIO:
    name = compression(head)
    try:
        return cast(BinaryIO, content_of(file, name, _ZSTD_LIMIT)) if name else file
    except CannotDecompress as reason:
        raise CaptureError(str(reason)) from None
