"""Read several capture files as one, in the order of time: rings that tcpdump or dumpcap write, and
captures of several hosts.

A file is opened when its first packet's time has come, so that of a ring one file is open at a
time. Files compressed with gzip or zstd are read as they are.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from heapq import heappop, heappush, heapreplace
from pathlib import Path
from typing import BinaryIO, cast

from ..compression import HEAD, CannotDecompress, compression, opened
from ..errors import CaptureError
from ..summary import Summary
from .pcap_files import FilePacket, is_packet_file, read_packets

__all__ = ["capture_files", "in_order", "numbered"]

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
        return cast(BinaryIO, opened(file, name, _ZSTD_LIMIT)) if name else file
    except CannotDecompress as reason:
        raise CaptureError(str(reason)) from None
