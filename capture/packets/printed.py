r"""Read packets in the texts that tcpdump, tshark and Wireshark print of them.

    tcpdump -x, -xx, -X, -XX       \t0x0000:  4500 003e 0001 4000 ...
    tshark -x, Wireshark's dump    0000  02 42 ac 11 00 02 02 42 ...
    tshark -T json -x, -T ek -x    "frame_raw": ["0242ac11...", 0, 155, 0, 1]
    tshark -T json, -T ek          "tcp.srcport": "51234", ... "tcp.payload": "00:00:00:61:00:0b"
    tshark -T pdml, Wireshark      <field name="eth.dst" pos="0" size="6" value="0242ac110002"/>
    Wireshark's C arrays           static const unsigned char pkt1[70] = { 0x02, 0x42, ... };

JSON without the raw bytes names the addresses and the TCP payload: a packet with as much of its
headers is made of them. The text does not name the link layer: it is the one under which the
lengths in the headers are right. Times are not taken over, since most of these texts have none with
a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from ipaddress import ip_address
from itertools import islice
from struct import Struct
from struct import error as StructError  # noqa: N812
from typing import BinaryIO

from ..frames.api_keys import Api
from ..frames.frame import Closed, Frame
from ..summary import Summary
from .layers import ETHERNET, find_segment
from .pcap_files import FilePacket, Packet
from .reader import read_file_packets

__all__ = ["is_printed", "read_printed"]

_TCPDUMP = re.compile(
    rb"^[ \t]+0x([0-9a-f]{4,8}): {1,2}((?:(?:[0-9a-f]{2}){1,2} ){0,8}(?:[0-9a-f]{2}){1,2})",
    re.MULTILINE,
)
_DUMP = re.compile(
    rb"^([0-9a-f]{4,8}) {1,3}((?:[0-9a-f]{2} {1,2}){0,15}[0-9a-f]{2})(?=\s|$)", re.MULTILINE
)
_RAW = re.compile(rb'"frame_raw" ?: ?(?:\[\s*)?"([0-9a-f]+)"')
_PDML = re.compile(rb"<(packet)>|<proto name=\"([^\"]*)\"|<field ([^>]*)>")
_ATTRIBUTE = re.compile(rb'(pos|size|value|unmaskedvalue)="([0-9a-f]*)"')
_FIELD = re.compile(
    rb'"(?:frame_|ip_|ipv6_|tcp_)?(?:frame[._](?=number)|ip(?:v6)?[._](?=src|dst)|tcp[._])'
    rb'(?P<name>number|src|dst|srcport|dstport|seq_raw|ack_raw|flags|payload)" ?: ?'
    rb'"(?P<value>[^"]*)"'
)
_C_ARRAY = re.compile(rb"\bchar pkt[0-9]+\[[0-9]+\] = \{([^}]*)\}")
_BYTE = re.compile(rb"\b0x([0-9a-f]{2}),?")
_COMMENT = re.compile(rb"/\*[^\n]*?\*/")
_HEADERS = (b"eth", b"sll", b"null", b"raw", b"vlan", b"ip", b"ipv6", b"tcp")
_OTHER_DUMPS = re.compile(
    rb"^(?!Frame)[A-Z][^\n]{2,60} \([0-9]+ bytes\):\r?\n(?:[0-9a-f]{4,8} [^\n]*\n)+", re.MULTILINE
)
_TITLE = re.compile(rb"Frame [0-9]+: [0-9]+ bytes on wire|(?:<[?!][^>]*>\s*)*<pdml\b")
_MARKUP = (b"{", b"[", b"<", b"/")
_TRIED = 20  # packets, of which one has to be a TCP segment


def is_printed(text: bytes) -> bool:
    """Return whether a text that begins so is a list of packets, or has a TCP segment among its
    first packets. A dump of a single packet counts only if a request is in it: a response alone
    has no request to be told by here, and is recognised as other bytes are."""
    if _TITLE.match(text.lstrip()) is not None:
        return True
    packets = list(islice(packets_in(text), _TRIED))
    if len(packets) == 1 and text.lstrip()[:1] not in _MARKUP:
        frames = read_printed(BytesIO(text), "", Summary())
        return any(frame.body is not None for frame in frames)
    return any(find_segment(data) is not None for data in packets)


def read_printed(
    file: BinaryIO,
    source: str,
    summary: Summary,
    definitions: Mapping[int, Api] | None = None,
    closed: Callable[[Closed], None] | None = None,
) -> Iterator[Frame]:
    """Yield the frames in the packets of a text, as `read_pcap` does."""
    packets = (
        FilePacket(Packet(None, _link_type(data), data), number, source)
        for number, data in enumerate(packets_in(file.read()), start=1)
    )
    yield from read_file_packets(packets, summary, closed=closed, definitions=definitions)


def packets_in(text: bytes) -> Iterator[bytes]:
    """Yield the bytes of each packet in a text."""
    for form, read in _FORMS:
        if form.search(text) is not None:
            yield from read(text)
            return


def _link_type(data: bytes) -> int:
    segment = find_segment(data)
    return ETHERNET if segment is None else segment[0]


def _of_rows(text: bytes, row: re.Pattern[bytes]) -> Iterator[bytes]:
    """The bytes of rows of hex; a row with the offset 0 begins a packet."""
    packet = bytearray()
    for match in row.finditer(text):
        offset = int(match[1], 16)
        if offset == 0 and packet:
            yield bytes(packet)
            packet.clear()
        if offset == len(packet):
            packet += bytes.fromhex(match[2].decode("ascii"))
    if packet:
        yield bytes(packet)


def _of_tcpdump(text: bytes) -> Iterator[bytes]:
    return _of_rows(text, _TCPDUMP)


def _of_dumps(text: bytes) -> Iterator[bytes]:
    """The packets of dumps. A packet's own dump comes first; those of what was put together from
    several packets follow, each with a title."""
    return _of_rows(_OTHER_DUMPS.sub(b"", text), _DUMP)


def _of_json(text: bytes) -> Iterator[bytes]:
    for match in _RAW.finditer(text):
        if len(match[1]) % 2 == 0:
            yield bytes.fromhex(match[1].decode("ascii"))


_IP4, _IP6 = Struct(">BBHIBBH"), Struct(">IHBB")
_TCP = Struct(">HHIIBBHI")
_TCP_PROTOCOL, _TCP_WORDS = 6, 5


def _of_fields(text: bytes) -> Iterator[bytes]:
    """The packets of JSON that names fields: IP and TCP headers, and the TCP payload."""
    values: dict[str, str] = {}
    for match in _FIELD.finditer(text):
        name = match["name"].decode()
        if name == "number" or (name == "src" and name in values):
            yield from _packet_of(values)
            values = {}
        values.setdefault(name, match["value"].decode("ascii", "replace"))
    yield from _packet_of(values)


def _packet_of(values: Mapping[str, str]) -> Iterator[bytes]:
    try:
        source, target = (ip_address(values[name]).packed for name in ("src", "dst"))
        payload = bytes.fromhex(values.get("payload", "").replace(":", ""))
        numbers = [int(values[name]) for name in ("srcport", "dstport", "seq_raw", "ack_raw")]
        flags = int(values["flags"], 16) & 0xFF
        tcp = _TCP.pack(*numbers, _TCP_WORDS << 4, flags, 0, 0) + payload
    except (KeyError, ValueError, StructError):  # no TCP segment
        return
    if len(source) == len(target) == 4:
        size = _IP4.size + len(source) + len(target) + len(tcp)
        yield _IP4.pack(0x45, 0, size & 0xFFFF, 0, 64, _TCP_PROTOCOL, 0) + source + target + tcp
    else:
        yield _IP6.pack(6 << 28, len(tcp) & 0xFFFF, _TCP_PROTOCOL, 64) + source + target + tcp


def _of_arrays(text: bytes) -> Iterator[bytes]:
    for match in _C_ARRAY.finditer(_COMMENT.sub(b"", text)):
        yield bytes.fromhex(b"".join(_BYTE.findall(match[1])).decode("ascii"))


def _of_pdml(text: bytes) -> Iterator[bytes]:
    """The packets of PDML, put together from the fields of their headers and the TCP payload."""
    packet = _Pieces()
    is_header = False
    for match in _PDML.finditer(text):
        if match[1]:
            yield from packet.take()
        elif match[2]:
            is_header = match[2] in _HEADERS
        elif is_header:
            packet.put(match[3])
    yield from packet.take()


class _Pieces:
    """A packet that is put together from fields. Of two at one place, the first counts."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._is_known = bytearray()

    def put(self, attributes: bytes) -> None:
        """Put the bytes of a field at their position."""
        values = dict(_ATTRIBUTE.findall(attributes))
        digits = values.get(b"unmaskedvalue") or values.get(b"value") or b""
        at, size = int(values.get(b"pos") or 0), int(values.get(b"size") or 0)
        is_beyond = at > len(self._data) + _GAP
        if not size or len(digits) != 2 * size or is_beyond or any(self._is_known[at : at + size]):
            return
        missing = bytes(max(0, at + size - len(self._data)))
        self._data.extend(missing)
        self._is_known.extend(missing)
        self._data[at : at + size] = bytes.fromhex(digits.decode("ascii"))
        self._is_known[at : at + size] = b"\1" * size

    def take(self) -> Iterator[bytes]:
        """Yield the packet, if there is one, and begin anew."""
        if self._data:
            yield bytes(self._data)
        self._data.clear()
        self._is_known.clear()


_GAP = 64  # bytes of headers of which no field has a value
_FORMS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Iterator[bytes]]], ...] = (
    (re.compile(rb"<pdml\b|<packet>\s*<proto "), _of_pdml),
    (_RAW, _of_json),
    (re.compile(rb'"tcp(?:_tcp_|\.)srcport" ?:'), _of_fields),
    (re.compile(rb"\bchar pkt[0-9]+\[[0-9]+\] = \{"), _of_arrays),
    (_TCPDUMP, _of_tcpdump),
    (_DUMP, _of_dumps),
)
