"""Decompress records of batches, and whole inputs, up to a limit.

The library that reads batches decompresses without a limit, so that a few kilobytes could take
gigabytes of memory. The codecs are those of Kafka's batch attributes; zlib and cramjam implement
them.

Whole inputs may be compressed, too: gzip is read as a stream, zstd at once. A message never begins
like either of them: its version would be 8075, or 10421.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from typing import Any, Protocol, cast

import cramjam

__all__ = [
    "CODECS",
    "HEAD",
    "CannotDecompress",
    "Compressed",
    "Gunzip",
    "compression",
    "content_of",
    "decompress",
    "unpacked",
]

_FIRST_GUESS = 256 * 1024
_STEP = 1024 * 1024
_XERIAL = b"\x82SNAPPY\x00"  # Java's snappy stream: this, two int32 versions, blocks
_XERIAL_HEADER = 16


class CannotDecompress(Exception):
    """The data is damaged, or larger than the limit. The message is one of a few phrases."""


def decompress(codec: int, data: bytes, limit: int) -> bytes:
    """Return `data` decompressed, of which at most `limit` bytes are held. Raises
    CannotDecompress."""
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
    try:
        if cramjam.snappy.decompress_raw_len(data) > limit:
            raise _too_large()
        return bytes(cramjam.snappy.decompress_raw(data))
    except cramjam.DecompressionError:
        raise _damaged() from None


def _lz4(data: bytes, limit: int) -> bytes:
    return _into(cramjam.lz4.decompress_into, data, limit)


def _zstd(data: bytes, limit: int) -> bytes:
    return _into(cramjam.zstd.decompress_into, data, limit)


def _into(decompress_into: Callable[[Any, Any], int], data: bytes, limit: int) -> bytes:
    """Decompress with more and more room: the size that the data claims cannot be trusted."""
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
"""Kafka's number of a codec, with a function that decompresses data up to a limit in bytes."""


HEAD = 4
"""Bytes that tell whether an input is compressed."""

_MAGICS = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_CODECS = {"gzip": 1, "zstd": 4}  # as batches have them
_PART = 1 << 16


def compression(head: bytes) -> str:
    """Return "gzip" or "zstd" for bytes that begin like that compression, else ""."""
    return next((name for magic, name in _MAGICS.items() if head.startswith(magic)), "")


class Compressed(Protocol):
    """A file or a pipe with compressed data."""

    def read(self, size: int, /) -> bytes: ...


def content_of(file: Compressed, name: str, limit: int) -> io.BufferedReader | io.BytesIO:
    """Return a file with the decompressed content of `file`, from its beginning.

    Of zstd at most `limit` bytes; raises CannotDecompress for more, or where it is damaged.
    """
    if name == "gzip":
        return io.BufferedReader(Gunzip(file), _PART)
    return io.BytesIO(_all(name, file.read(limit + 1), limit))


def unpacked(data: bytes, limit: int) -> tuple[str, bytes]:
    """Return the compression of some bytes and their content; ("", data) if they are not
    compressed."""
    name = compression(data[:HEAD])
    if not name:
        return "", data
    try:
        return name, _all(name, data, limit)
    except CannotDecompress:
        return "", data


def _all(name: str, data: bytes, limit: int) -> bytes:
    try:
        return decompress(_CODECS[name], data, limit)
    except CannotDecompress:
        raise CannotDecompress(f"{name} that is damaged, or larger than the limit inside") from None


class Gunzip(io.RawIOBase):
    """The decompressed content of a gzip stream. It ends where the stream is cut short or damaged,
    and `damage` then says which."""

    def __init__(self, file: Compressed) -> None:
        super().__init__()
        self.damage = ""
        self._file = file
        self._reader = zlib.decompressobj(wbits=31)
        self._waiting = b""
        self._ended = False

    def readable(self) -> bool:
        """Return True, as `io.RawIOBase` asks for."""
        return True

    def readinto(self, buffer: object, /) -> int:
        """Read into a buffer and return the number of bytes, as `io.RawIOBase` asks for."""
        view = memoryview(cast(bytearray, buffer))
        while not self._ended:
            data = self._waiting or self._file.read(_PART)
            try:
                part = self._more(data, len(view))
            except zlib.error:
                self.damage, self._ended = "the gzip stream is damaged", True
                return 0
            if part:
                view[: len(part)] = part
                return len(part)
        return 0

    def _more(self, data: bytes, room: int) -> bytes:
        if self._reader.eof:  # another member may follow; else padding
            if compression(data[:HEAD]) != "gzip":
                self._ended = True
                return b""
            self._reader = zlib.decompressobj(wbits=31)
        part = self._reader.decompress(data, room)
        self._waiting = self._reader.unused_data or self._reader.unconsumed_tail
        if not data and not part:
            self._ended = True
            self.damage = "" if self._reader.eof else "the gzip stream breaks off"
        return part
