"""What the room `capture` reads: packet captures and log segments, frames, bytes in text."""

from __future__ import annotations

from io import BytesIO
from itertools import islice

from ...capture import FORMS as WRITTEN
from ...capture import (
    CaptureError,
    PcapLimits,
    Reading,
    SegmentLimits,
    Summary,
    decode_record,
    is_packet_file,
    plain_record,
    read,
    read_pcap,
    read_segment,
    scan,
)
from ...capture.frames.splitter import AnyBoundary, FrameSplitter, Lost, RawFrame
from ...capture.segments.records import Record
from ...capture.text import form_named
from ..mutators.forms import FRAMES, Blobs, frame_of
from . import Broken

_CAPTURE_TOKENS = (
    "a1b2c3d4", "d4c3b2a1", "0a0d0d0a", "4d3c2b1a", "1a2b3c4d", "06000000", "01000000", "00000065",
    "45000034", "6000000000200640", "5018", "5002", "5011", "0000000000000000", "ffffffffffffffff",
    "02", "00000000ffffffff", "0000003d", "28b52ffd", "1f8b0800", "82534e4150505900", "04224d18",
)  # fmt: skip

_PCAP_LIMITS = PcapLimits(max_packet=1 << 16, max_frame=1 << 20, max_held=1 << 16)
_SEGMENT_LIMITS = SegmentLimits(max_batch=1 << 20, max_decompressed=1 << 20)


class Captures:
    """Any bytes are a packet capture or a log segment that is read to its end, or are refused; what
    cannot be read is reported, and the fast and the diagnostic reading of a record agree.
    """

    FORMS = {"": Blobs(map(bytes.fromhex, _CAPTURE_TOKENS))}

    @staticmethod
    def check(data: bytes) -> None:
        """Check the content of a file."""
        summary = Summary()
        if is_packet_file(data[:4]):
            _read_packets(data, summary)
        else:
            for record in read_segment(
                BytesIO(data), "input", summary=summary, limits=_SEGMENT_LIMITS
            ):
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


_MAX_FRAME = 1 << 20


class Frames:
    """Any bytes are a frame or are refused with a reason: no other error is raised, every byte is
    header, body or rest, and a stream cut anywhere gives the same frames.
    """

    FORMS = {"": FRAMES}

    @staticmethod
    def check(data: bytes) -> None:
        """Check a head and a frame."""
        frame, payload = frame_of(data)
        if frame is None:
            return
        if frame.data != payload:
            raise Broken("the frame does not hold the bytes that it was read from")
        if (frame.body is None) and not frame.reason:
            raise Broken("there is no body, and no reason why")
        if frame.body is not None and frame.body.data != payload[frame.body_start : frame.size]:
            raise Broken(f"the body is not what begins at byte {frame.body_start}")
        str(frame.reason), frame.api
        _check_cuts(payload)


def _check_cuts(stream: bytes) -> None:
    frames = _split(stream, len(stream) or 1)
    for step in (1, 5):
        if _split(stream, step) != frames:
            raise Broken(f"split otherwise when it comes in pieces of {step}")


def _split(stream: bytes, step: int) -> list[RawFrame | Lost]:
    splitter = FrameSplitter(AnyBoundary(), max_frame=_MAX_FRAME)
    frames: list[RawFrame | Lost] = []
    for start in range(0, len(stream), step):
        frames += splitter.feed(stream[start : start + step])
    return frames + splitter.close()


_TEXT_TOKENS = (
    "0x", "\\x", "b'", '"', "`", "<Buffer ", "... 12 more bytes>", "[", "]", "(byte)", "0,", "{",
    '{"type":"Buffer","data":[', "Uint8Array(4) [", "new byte[] {", "\n", "\r\n", "00000000: ",
    "0000020", "\n*\n", "=", "AAAA", " payload: ", "\x1b[1m", "\t", "\ufeff", "é", "|...|",
)  # fmt: skip

_MAX_BYTES = 1 << 16
_NAMES = tuple(form.name for form in WRITTEN)


class TextForms:
    """Any text or bytes are read in some written form, or refused as `CaptureError`; bytes that
    were found and are written again in the same form are found again.
    """

    FORMS = {"": Blobs(token.encode() for token in _TEXT_TOKENS)}

    @staticmethod
    def check(data: bytes) -> None:
        """Check a text in any written form."""
        reading = _read_text(data, None)
        if reading is not None:
            _check_again(reading)
        if data:  # also as the form that the last byte chooses
            _read_text(data, _NAMES[data[-1] % len(_NAMES)])
        for _ in islice(scan(data.splitlines(keepends=True), max_bytes=_MAX_BYTES), 1000):
            pass


def _read_text(data: bytes, name: str | None) -> Reading | None:
    try:
        reading = read(data, format=name, max_bytes=_MAX_BYTES)
    except CaptureError as error:
        if not str(error):
            raise Broken("refused without a word") from None
        return None
    if not reading.chunks and not reading.records:
        raise Broken(f"read as {reading.format}, and nothing was found")
    return reading


def _check_again(reading: Reading) -> None:
    for chunk in reading.chunks[:1]:
        if chunk.format in ("log", "raw") or not chunk.data:
            continue
        text = form_named(chunk.format).write(chunk.data).encode("utf-8", "surrogateescape")
        again = [part.data for part in read(text, format=chunk.format).chunks]
        if again != [chunk.data]:
            raise Broken(f"{chunk.data.hex():.100} as {chunk.format} is read as {again!r:.100}")
