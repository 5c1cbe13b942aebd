"""Any bytes are a packet capture or a log segment that is read to its end, or are refused; what
cannot be read is reported, and the fast and the diagnostic reading of a record agree.
"""

from __future__ import annotations

from io import BytesIO

from ...capture import (
    CaptureError,
    PcapLimits,
    SegmentLimits,
    Summary,
    decode_record,
    is_packet_file,
    plain_record,
    read_pcap,
    read_segment,
)
from ...capture.segments.records import Record
from ..mutators.blobs import Blobs
from . import Broken

_TOKENS = (
    "a1b2c3d4", "d4c3b2a1", "0a0d0d0a", "4d3c2b1a", "1a2b3c4d", "06000000", "01000000", "00000065",
    "45000034", "6000000000200640", "5018", "5002", "5011", "0000000000000000", "ffffffffffffffff",
    "02", "00000000ffffffff", "0000003d", "28b52ffd", "1f8b0800", "82534e4150505900", "04224d18",
)  # fmt: skip
FORMS = {"": Blobs(map(bytes.fromhex, _TOKENS))}

_PCAP_LIMITS = PcapLimits(max_packet=1 << 16, max_frame=1 << 20, max_held=1 << 16)
_SEGMENT_LIMITS = SegmentLimits(max_batch=1 << 20, max_decompressed=1 << 20)


def check(data: bytes) -> None:
    """Check the content of a file."""
    summary = Summary()
    if is_packet_file(data[:4]):
        _read_packets(data, summary)
    else:
        for record in read_segment(BytesIO(data), "input", summary=summary, limits=_SEGMENT_LIMITS):
            _check_record(record)
    str(summary)


def _read_packets(data: bytes, summary: Summary) -> None:
    try:
        frames = list(read_pcap(BytesIO(data), summary=summary, limits=_PCAP_LIMITS))
    except CaptureError:
        return
    for frame in frames:
        if frame.body is None and not frame.reason:
            raise Broken(f"{frame.api} at {frame.offset}: no body, and no reason why")


def _check_record(record: Record) -> None:
    plain = plain_record(record)
    if plain is None:
        decode_record(record)
        return
    diagnosed = decode_record(record)
    if diagnosed.key is None or diagnosed.key.message != plain.key:
        raise Broken(f"the key is plainly {plain.key!r:.120}")
    if plain.value is not None and (
        diagnosed.value is None or diagnosed.value.message != plain.value
    ):
        raise Broken(f"the value is plainly {plain.value!r:.120}")
