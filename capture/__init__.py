"""The forms captures come in, turned into bytes and, where the form says so, into messages.

`kproto.capture.text` reads what people paste: hex, dumps, literals of programming
languages, base64, log files. `kproto.capture.frames` reads single requests and responses,
`kproto.capture.pcap` packet captures, `kproto.capture.segments` the log segments of the offsets
topic; a `Summary` accounts for all that they read and all that they passed over.

>>> read(b"00 01 00 00").chunks[0].data
b'\\x00\\x01\\x00\\x00'

What is behind the other names is imported when they are used: a hex string needs none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .text import (
    FORMS,
    MAX_BYTES,
    CaptureError,
    Chunk,
    DumpedRecord,
    Form,
    Reading,
    Skipped,
    read,
    scan,
)

if TYPE_CHECKING:
    from .api_keys import api_name as api_name
    from .batches import is_segment as is_segment
    from .decoded_records import DecodedRecord as DecodedRecord
    from .decoded_records import PlainRecord as PlainRecord
    from .decoded_records import decode_record as decode_record
    from .decoded_records import plain_record as plain_record
    from .frame_lines import is_frame_line as is_frame_line
    from .frame_lines import read_frame_lines as read_frame_lines
    from .frames import Connection as Connection
    from .frames import Frame as Frame
    from .frames import decode_request as decode_request
    from .frames import decode_response as decode_response
    from .packet_files import is_packet_file as is_packet_file
    from .pcap import PcapLimits as PcapLimits
    from .pcap import read_pcap as read_pcap
    from .records import BatchInfo as BatchInfo
    from .records import Record as Record
    from .segments import SegmentLimits as SegmentLimits
    from .segments import read_segment as read_segment
    from .segments import read_segments as read_segments
    from .segments import segment_files as segment_files
    from .summary import Skip as Skip
    from .summary import Summary as Summary

_HOME = {
    "BatchInfo": "records",
    "Connection": "frames",
    "DecodedRecord": "decoded_records",
    "Frame": "frames",
    "PcapLimits": "pcap",
    "PlainRecord": "decoded_records",
    "Record": "records",
    "SegmentLimits": "segments",
    "Skip": "summary",
    "Summary": "summary",
    "api_name": "api_keys",
    "decode_record": "decoded_records",
    "decode_request": "frames",
    "decode_response": "frames",
    "is_frame_line": "frame_lines",
    "is_packet_file": "packet_files",
    "is_segment": "batches",
    "plain_record": "decoded_records",
    "read_frame_lines": "frame_lines",
    "read_pcap": "pcap",
    "read_segment": "segments",
    "read_segments": "segments",
    "segment_files": "segments",
}

__all__ = [
    "FORMS",
    "MAX_BYTES",
    "BatchInfo",
    "CaptureError",
    "Chunk",
    "Connection",
    "DecodedRecord",
    "DumpedRecord",
    "Form",
    "Frame",
    "PcapLimits",
    "PlainRecord",
    "Reading",
    "Record",
    "SegmentLimits",
    "Skip",
    "Skipped",
    "Summary",
    "api_name",
    "decode_record",
    "decode_request",
    "decode_response",
    "is_frame_line",
    "is_packet_file",
    "is_segment",
    "plain_record",
    "read",
    "read_frame_lines",
    "read_pcap",
    "read_segment",
    "read_segments",
    "scan",
    "segment_files",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found
