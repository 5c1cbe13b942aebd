"""Read captures in any form, into bytes and, where the form says what they are, into messages.

| package | what it reads |
|---|---|
| `text` | what people paste: hex, dumps, literals of programming languages, base64, log files |
| `logs` | logs of brokers and clients, into the events of groups that their lines prove |
| `frames` | single requests and responses, and streams of them |
| `packets` | packet captures, down to the frames of each TCP connection |
| `segments` | log segments of the offsets topic |
| `tool_outputs` | what kafka-consumer-groups, rpk, kaf and kcat print of groups |

A `Summary` counts what was read, and what was skipped and why.

>>> from kproto.capture import read
>>> read(b"00 01 00 00").chunks[0].data
b'\\x00\\x01\\x00\\x00'

A name is imported when it is first used: a hex string needs few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from . import compression as compression
    from .chunks import MAX_BYTES as MAX_BYTES
    from .chunks import Chunk as Chunk
    from .chunks import DumpedRecord as DumpedRecord
    from .chunks import Reading as Reading
    from .chunks import Skipped as Skipped
    from .errors import CaptureError as CaptureError
    from .form import Form as Form
    from .frames.api_keys import api_name as api_name
    from .frames.error_codes import error_name as error_name
    from .frames.frame import Connection as Connection
    from .frames.frame import Frame as Frame
    from .frames.frame import decode_request as decode_request
    from .frames.frame import decode_response as decode_response
    from .frames.frame import unmatched_response as unmatched_response
    from .frames.json_lines import is_frame_line as is_frame_line
    from .frames.json_lines import read_frame_lines as read_frame_lines
    from .packets.followed import is_followed as is_followed
    from .packets.layers import find_segment as find_segment
    from .packets.pcap_files import capture_files as capture_files
    from .packets.pcap_files import is_packet_file as is_packet_file
    from .packets.printed import is_printed as is_printed
    from .packets.reader import PcapLimits as PcapLimits
    from .packets.reader import read_pcap as read_pcap
    from .segments.batches import is_segment as is_segment
    from .segments.batches import read_batches as read_batches
    from .segments.offsets_topic import DUMPED as DUMPED
    from .segments.offsets_topic import DecodedRecord as DecodedRecord
    from .segments.offsets_topic import PlainRecord as PlainRecord
    from .segments.offsets_topic import decode_record as decode_record
    from .segments.offsets_topic import plain_record as plain_record
    from .segments.offsets_topic import value_name as value_name
    from .segments.offsets_topic import written_items as written_items
    from .segments.offsets_topic import written_record as written_record
    from .segments.records import BatchInfo as BatchInfo
    from .segments.records import Record as Record
    from .segments.redpanda import as_kafka_key as as_kafka_key
    from .segments.redpanda import as_kafka_value as as_kafka_value
    from .segments.segment_files import SegmentLimits as SegmentLimits
    from .segments.segment_files import read_segment as read_segment
    from .segments.segment_files import read_segments as read_segments
    from .segments.segment_files import segment_files as segment_files
    from .summary import Skip as Skip
    from .summary import Summary as Summary
    from .text import read as read
    from .text import recognise as recognise
    from .text import scan as scan
    from .text.catalogue import FORMS as FORMS
    from .text.catalogue import form_named as form_named
    from .text.characters import from_characters as from_characters
    from .text.characters import unescaped as unescaped

_HOME = {
    "BatchInfo": "segments.records",
    "CaptureError": "errors",
    "Chunk": "chunks",
    "Connection": "frames.frame",
    "DecodedRecord": "segments.offsets_topic",
    "DumpedRecord": "chunks",
    "FORMS": "text.catalogue",
    "Form": "form",
    "Frame": "frames.frame",
    "MAX_BYTES": "chunks",
    "PcapLimits": "packets.reader",
    "PlainRecord": "segments.offsets_topic",
    "Reading": "chunks",
    "Record": "segments.records",
    "SegmentLimits": "segments.segment_files",
    "Skip": "summary",
    "Skipped": "chunks",
    "Summary": "summary",
    "api_name": "frames.api_keys",
    "as_kafka_key": "segments.redpanda",
    "as_kafka_value": "segments.redpanda",
    "capture_files": "packets.pcap_files",
    "compression": "",
    "decode_record": "segments.offsets_topic",
    "decode_request": "frames.frame",
    "decode_response": "frames.frame",
    "error_name": "frames.error_codes",
    "find_segment": "packets.layers",
    "form_named": "text.catalogue",
    "from_characters": "text.characters",
    "is_followed": "packets.followed",
    "is_frame_line": "frames.json_lines",
    "is_packet_file": "packets.pcap_files",
    "is_printed": "packets.printed",
    "is_segment": "segments.batches",
    "plain_record": "segments.offsets_topic",
    "read": "text",
    "read_batches": "segments.batches",
    "recognise": "text",
    "read_frame_lines": "frames.json_lines",
    "read_pcap": "packets.reader",
    "read_segment": "segments.segment_files",
    "read_segments": "segments.segment_files",
    "scan": "text",
    "segment_files": "segments.segment_files",
    "value_name": "segments.offsets_topic",
    "DUMPED": "segments.offsets_topic",
    "written_items": "segments.offsets_topic",
    "written_record": "segments.offsets_topic",
    "unescaped": "text.characters",
    "unmatched_response": "frames.frame",
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
    "find_segment",
    "form_named",
    "is_frame_line",
    "is_packet_file",
    "is_segment",
    "plain_record",
    "read",
    "read_frame_lines",
    "read_pcap",
    "read_segment",
    "read_segments",
    "recognise",
    "scan",
    "segment_files",
    "value_name",
    "written_record",
]

__getattr__, __dir__ = late_names(__name__, _HOME)
