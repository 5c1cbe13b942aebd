"""Read the metadata of a commit, a text in which clients keep what they need to go on.

| client | text |
|---|---|
| Kafka Streams | base64 of a 1 or 2, and the int64 of the partition time (KIP-360, KAFKA-7994) |
| Parallel Consumer | base64 of a byte that names the encoding, and the completed offsets |
| brod | a time, the Erlang node and the process, perhaps behind `+1/` |
| Storm, others | JSON |
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

__all__ = ["committed_metadata"]

_STREAMS = (1, 2)  # versions: a partition time; a partition time and the processor's metadata
_LEAST_TIME, _LAST_TIME = 1_262_304_000_000, 4_102_444_800_000  # 2010 and 2100, in milliseconds
_NEVER = -1
_BROD = re.compile(r"(?:\+1/)?(\S+ )?(\S+@\S+) (<[0-9.]+>)")
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
        return "brod's member", {"node": brod[2], "process": brod[3]}
    try:
        packed = a2b_base64(data, strict_mode=True)
    except Error:
        return None
    return _of_streams(packed) or _of_parallel_consumer(packed)


def _of_streams(packed: bytes) -> tuple[str, Any] | None:
    if len(packed) < 9 or packed[0] not in _STREAMS or (packed[0] == 1 and len(packed) != 9):
        return None
    time = int.from_bytes(packed[1:9], "big", signed=True)
    if time != _NEVER and not _LEAST_TIME <= time <= _LAST_TIME:
        return None
    name = "Kafka Streams' partition time"
    if time == _NEVER:
        return name, "none yet"
    return name, f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%dT%H:%M:%S}.{time % 1000:03}Z"


def _of_parallel_consumer(packed: bytes) -> tuple[str, Any] | None:
    encoding = _PARALLEL.get(packed[0]) if packed else None
    if encoding is None:
        return None
    name = f"Parallel Consumer's map of completed offsets, {encoding}"
    size = _SIZES.get(encoding)
    if size is None:
        return name, None
    if encoding.startswith("BitSet"):
        length = int.from_bytes(packed[1 : 1 + size], "big")
        bits = int.from_bytes(packed[1 + size :], "little")
        if bits >> length:
            return None
        completed = [at for at in range(length) if bits >> at & 1]
    else:
        completed = list(_of_runs(packed[1:], size))
    return name, f"committed offset {', '.join(_ranges(completed))}" if completed else "none"


def _of_runs(data: bytes, size: int) -> Iterator[int]:
    """Runs of offsets that are not completed and that are, by turns."""
    at, is_completed = 0, False
    for start in range(0, len(data) - size + 1, size):
        length = int.from_bytes(data[start : start + size], "big")
        if is_completed:
            yield from range(at, at + min(length, _LONGEST_RUN))
        at += length
        is_completed = not is_completed


_LONGEST_RUN = 1 << 16


def _ranges(numbers: list[int]) -> Iterator[str]:
    """Consecutive numbers as `+0 to +11`."""
    start = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            first = numbers[start]
            yield f"+{first}" if first == number else f"+{first} to +{number}"
            start = at + 1
