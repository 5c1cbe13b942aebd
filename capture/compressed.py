"""Inputs that somebody compressed: gzip as a stream, zstd at once.

A message never begins like either of them: its version would be 8075, or 10421.
"""

from __future__ import annotations

import io
import zlib
from typing import Protocol, cast

from .decompression import CannotDecompress, decompress

__all__ = ["HEAD", "Compressed", "Gunzip", "compression", "opened", "unpacked"]

HEAD = 4
"""Bytes that tell whether an input is compressed."""

_MAGICS = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_CODECS = {"gzip": 1, "zstd": 4}  # as batches have them
_PART = 1 << 16


def compression(head: bytes) -> str:
    """Returns "gzip" or "zstd" for bytes that begin like it, else ""."""
    return next((name for magic, name in _MAGICS.items() if head.startswith(magic)), "")


class Compressed(Protocol):
    """What is decompressed: a file or a pipe."""

    def read(self, size: int, /) -> bytes: ...


def opened(file: Compressed, name: str, limit: int) -> io.BufferedReader | io.BytesIO:
    """Returns what is inside of a compressed file, to be read from its beginning.

    Of zstd at most `limit` bytes; raises CannotDecompress for more, or where it is damaged.
    """
    if name == "gzip":
        return io.BufferedReader(Gunzip(file), _PART)
    return io.BytesIO(_all(name, file.read(limit + 1), limit))


def unpacked(data: bytes, limit: int) -> tuple[str, bytes]:
    """Returns what compression some bytes are in, and what is inside; ("", data) if in none."""
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
    """What is inside of a gzip stream. Where the stream breaks off, or is damaged, it ends, and
    `damage` says so."""

    def __init__(self, file: Compressed) -> None:
        super().__init__()
        self.damage = ""
        self._file = file
        self._reader = zlib.decompressobj(wbits=31)
        self._waiting = b""
        self._ended = False

    def readable(self) -> bool:
        """True: it is there to be read."""
        return True

    def readinto(self, buffer: object, /) -> int:
        """Fill a buffer, as `io.RawIOBase` has it."""
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
