"""Read the metadata of a commit, a text in which clients keep what they need to go on.

| client | text |
|---|---|
| Kafka Streams | base64 of a 1 or 2, and the int64 of the partition time (KIP-360, KAFKA-7994) |
| Parallel Consumer | base64 of a byte that names the encoding, and the completed offsets |
| brod | the Erlang node and the process; behind `+1/`, or in old releases behind a time |
| Storm, others | JSON |
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator
from datetime import UTC, datetime
from struct import Struct
from struct import error as StructError  # noqa: N812
from typing import Any

import msgspec

from .. import capture

__all__ = ["committed_metadata"]

_STREAMS = (1, 2)  # versions: a partition time; a partition time and the processor's metadata
_LEAST_TIME, _LAST_TIME = 1_262_304_000_000, 4_102_444_800_000  # 2010 and 2100, in milliseconds
_NEVER = -1
_INT, _LONG = Struct(">i"), Struct(">q")
# +1/'node@host'/<0.1.2>, 'node@host'/<0.1.2>, 2017-10-24:18:20:55.475670 'node@host' <0.1.2>
_BROD = re.compile(
    r"(?P<plus>\+1/)?(?:(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}\S*) )?"
    r"(?:'(?P<quoted>[^'@]+@[^']+)'|(?P<node>[^\s/'@]+@[^\s/']+))[/ ](?P<process><[0-9.]+>)"
)
_NEXT = "the offset of the next record (roundrobin_v2)"
_LAST = "the offset of the last record that was acknowledged"
# The byte in front, and its encoding: `OffsetEncoding` of Parallel Consumer.
_PARALLEL = {
    ord("L"): "ByteArray",
    0xEE: "ByteArrayCompressed",
    ord("l"): "BitSet",
    ord("a"): "BitSetCompressed",
    ord("n"): "RunLength",
    ord("J"): "RunLengthCompressed",
    ord("o"): "BitSetV2",
    ord("s"): "BitSetV2Compressed",
    ord("e"): "RunLengthV2",
    ord("p"): "RunLengthV2Compressed",
}
_SIZES = {"BitSet": 2, "BitSetV2": 4, "RunLength": 2, "RunLengthV2": 4}


def committed_metadata(data: bytes) -> tuple[str, Any] | None:
    """Return what the metadata of a commit is, and its value; None for a text of no known
    client."""
    if data[:1] in (b"{", b"["):
        try:
            value = msgspec.json.decode(data)
        except msgspec.DecodeError:
            return None
        is_storm = isinstance(value, dict) and "topologyId" in value
        return ("Storm's JSON" if is_storm else "JSON"), value
    text = data.decode("utf-8", "replace")
    if (brod := _BROD.fullmatch(text)) is not None:
        return "brod's member", _of_brod(brod)
    try:
        packed = a2b_base64(data, strict_mode=True)
    except Error:
        return None
    return _of_streams(packed) or _of_parallel_consumer(packed)


def _of_brod(match: re.Match[str]) -> dict[str, str]:
    """Brod's member. Since its protocol roundrobin_v2 it commits the next offset, as others do."""
    values = {
        "node": match["quoted"] or match["node"],
        "process": match["process"],
        "time": match["time"],
        "commits": _NEXT if match["plus"] else _LAST,
    }
    return {name: value for name, value in values.items() if value}


def _of_streams(packed: bytes) -> tuple[str, Any] | None:
    if len(packed) < 9 or packed[0] not in _STREAMS or (packed[0] == 1 and len(packed) != 9):
        return None
    time = int.from_bytes(packed[1:9], "big", signed=True)
    if time != _NEVER and not _LEAST_TIME <= time <= _LAST_TIME:
        return None
    name = "Kafka Streams' partition time"
    written = f"{datetime.fromtimestamp(time // 1000, UTC):%Y-%m-%dT%H:%M:%S}.{time % 1000:03}Z"
    text = "none yet" if time == _NEVER else written
    processors = _processors(packed[9:])
    if processors is None:
        return None
    return name, {"partitionTime": text, "processors": processors} if processors else text


def _processors(data: bytes) -> dict[str, int] | None:
    """What processors keep beside the time: an int32 count, and for each an int32 length, a name
    and an int64. None for other bytes."""
    if not data:
        return {}
    numbers = {}
    at = _INT.size
    try:
        for _ in range(_INT.unpack_from(data)[0]):
            size = max(_INT.unpack_from(data, at)[0], 0)
            name, at = data[at + _INT.size :][:size].decode(), at + _INT.size + size
            numbers[name] = _LONG.unpack_from(data, at)[0]
            at += _LONG.size
    except (StructError, UnicodeDecodeError):
        return None
    return numbers if at == len(data) else None


def _of_parallel_consumer(packed: bytes) -> tuple[str, Any] | None:
    encoding = _PARALLEL.get(packed[0]) if packed else None
    if encoding is None:
        return None
    name = f"Parallel Consumer's map of completed offsets, {encoding}"
    data = packed[1:]
    if encoding.endswith("Compressed"):
        unpacked = capture.compression.unpack_zstd(data, _LONGEST)
        if unpacked is None:
            return None
        data, encoding = unpacked, encoding.removesuffix("Compressed")
    if encoding == "ByteArray":
        if set(data) - {0, 1}:
            return None
        completed = _runs_in([at for at, is_completed in enumerate(data) if is_completed])
    elif encoding.startswith("BitSet"):
        size = _SIZES[encoding]
        length, bits = int.from_bytes(data[:size], "big"), int.from_bytes(data[size:], "little")
        if bits >> length or length > _LONGEST:
            return None
        completed = _runs_in([at for at in range(length) if bits >> at & 1])
    else:
        completed = _of_runs(data, _SIZES[encoding])
    text = ", ".join(
        f"+{first}" if first == last else f"+{first} to +{last}" for first, last in completed
    )
    return name, f"committed offset {text}" if text else "none"


def _of_runs(data: bytes, size: int) -> Iterator[tuple[int, int]]:
    """The first and the last offset of each run of completed ones. The data are the lengths of runs
    that are not completed and that are, by turns."""
    at, is_completed = 0, False
    for start in range(0, len(data) - size + 1, size):
        length = int.from_bytes(data[start : start + size], "big")
        if is_completed and length:
            yield at, at + length - 1
        at += length
        is_completed = not is_completed


def _runs_in(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The first and the last number of each run of consecutive ones."""
    start = 0
    for at, number in enumerate(numbers, start=1):
        if at == len(numbers) or numbers[at] != number + 1:
            yield numbers[start], number
            start = at


_LONGEST = 1 << 16  # offsets of a map, and bytes of one that is decompressed
