"""The compressed records of a batch, decompressed up to a limit and no further.

The readers of the library that reads the batches have no limit, so that a few kilobytes could ask
it for gigabytes. The codecs are those of Kafka's batch attributes; zlib and cramjam do the work.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

__all__ = ["CODECS", "CannotDecompress", "decompress"]

_FIRST_GUESS = 256 * 1024
_STEP = 1024 * 1024
_XERIAL = b"\x82SNAPPY\x00"  # Java's snappy stream: this, two int32 versions, blocks
_XERIAL_HEADER = 16


class CannotDecompress(Exception):
    """The message is one of a few phrases."""


def decompress(codec: int, data: bytes, limit: int) -> bytes:
    """`data` decompressed. Raises CannotDecompress; holds at most `limit` bytes of the result."""
    if codec not in CODECS:
        raise CannotDecompress("batch in a compression that Kafka does not have")
    return CODECS[codec](data, limit)


def _too_large() -> CannotDecompress:
    return CannotDecompress("batch that is larger than the limit once decompressed")


def _damaged() -> CannotDecompress:
    return CannotDecompress("batch whose compressed records are damaged")


def _gzip(data: bytes, limit: int) -> bytes:
    parts = []
    reader = zlib.decompressobj(wbits=31)
    while data:
        try:
            part = reader.decompress(data, _STEP)  # at once it would take twice as much room
        except zlib.error:
            raise _damaged() from None
        limit -= len(part)
        if limit < 0:
            raise _too_large()
        parts.append(part)
        data = reader.unconsumed_tail
        if reader.eof and reader.unused_data:  # a stream may have several members
            data, reader = reader.unused_data, zlib.decompressobj(wbits=31)
        elif not part and not reader.eof:
            break
    if not reader.eof:
        raise _damaged()
    return b"".join(parts)


def _snappy(data: bytes, limit: int) -> bytes:
    if not data.startswith(_XERIAL):
        return _snappy_block(data, limit)
    parts = []
    at = _XERIAL_HEADER
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        parts.append(_snappy_block(data[at + 4 : end], limit))
        limit -= len(parts[-1])
        at = end
    return b"".join(parts)


def _snappy_block(data: bytes, limit: int) -> bytes:
    import cramjam

    try:
        if cramjam.snappy.decompress_raw_len(data) > limit:
            raise _too_large()
        return bytes(cramjam.snappy.decompress_raw(data))
    except cramjam.DecompressionError:
        raise _damaged() from None


def _lz4(data: bytes, limit: int) -> bytes:
    import cramjam

    return _into(cramjam.lz4.decompress_into, data, limit)


def _zstd(data: bytes, limit: int) -> bytes:
    import cramjam

    return _into(cramjam.zstd.decompress_into, data, limit)


def _into(decompress_into: Callable[[Any, Any], int], data: bytes, limit: int) -> bytes:
    """Try with more and more room: how much is needed is nowhere said in a way to be trusted."""
    import cramjam

    room = min(limit, max(_FIRST_GUESS, 8 * len(data)))
    while True:
        output = bytearray(room)
        try:
            size = decompress_into(data, output)
        except cramjam.DecompressionError:
            if room >= limit:
                break
            room = min(limit, room * 8)
        else:
            return bytes(memoryview(output)[:size])
    raise CannotDecompress("batch that is damaged, or larger than the limit once decompressed")


CODECS: dict[int, Callable[[bytes, int], bytes]] = {
    0: lambda data, _: data,
    1: _gzip,
    2: _snappy,
    3: _lz4,
    4: _zstd,
}
"""Kafka's codec number to the function that decompresses at most so many bytes."""
