"""Decompress records of batches, and whole inputs, up to a limit.

The library that reads batches decompresses without a limit, so that a few kilobytes could take
gigabytes of memory. The codecs are those of Kafka's batch attributes; zlib and cramjam implement
them.

Whole inputs may be compressed, too: gzip is read as a stream, zstd at once. A message never begins
like either of them: its version would be 8075, or 10421. Logs may also be compressed with bzip2 or
xz, which are read as streams.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from mmap import mmap
from typing import Any, Protocol, cast

import cramjam

__all__ = [
    "CODECS",
    "HEAD",
    "CannotDecompress",
    "Compressed",
    "UnpackedFile",
    "Unpacker",
    "compression",
    "content_of",
    "decompress",
    "most_inside",
    "open_log",
    "read_up_to",
    "unpack_zstd",
    "unpacked",
]

_STEP = 1024 * 1024
_GZIP = b"\x1f\x8b\x08"
_FIRST_PIECE = 512  # of a gzip member: what follows it is copied
_XERIAL = b"\x82SNAPPY\x00"  # Java's snappy stream: this, two int32 versions, blocks
_XERIAL_HEADER = 16

LEAST_UNPACKED = 4 * 1024 * 1024
UNPACKED_TIMES = 256
"""What one source may unpack in all: so many bytes, and so many times what it has compressed, as
the best of LZ4 does: a group of many members with one subscription comes near to it."""
_RECORD = 64  # what a record is reckoned at: to read a short one costs as much


class CannotDecompress(Exception):
    """The data is damaged, or larger than the limit. The message is one of a few phrases; `spent`
    is the number of bytes that were unpacked in vain."""

    def __init__(self, reason: str, spent: int = 0) -> None:
        super().__init__(reason)
        self.spent = spent


def decompress(codec: int, data: bytes, limit: int) -> bytes:
    """Return `data` decompressed, of which at most `limit` bytes are held. Raises
    CannotDecompress."""
    if codec not in CODECS:
        raise CannotDecompress("batch in a compression that Kafka does not have")
    return CODECS[codec](data, limit)


class Unpacker:
    """Decompresses the batches of one source, or the messages of one text: each up to a limit, and
    all of them in proportion to their size."""

    def __init__(self, least: int = LEAST_UNPACKED, times: int = UNPACKED_TIMES) -> None:
        self._left = least
        self._times = times

    def unpack(self, codec: int, data: bytes, limit: int, records: int = 0) -> bytes:
        """Return `data` decompressed, which holds so many records. Raises CannotDecompress."""
        self._left += self._times * len(data)
        if records * _RECORD > self._left:
            raise _too_much()
        try:
            content = decompress(codec, data, min(limit, self._left))
        except CannotDecompress as problem:
            spent = self._left < limit and problem.spent >= self._left
            self._left = max(0, self._left - problem.spent)
            raise (_too_much() if spent else problem) from None
        self._left -= max(len(content), records * _RECORD)
        return content


def _too_much() -> CannotDecompress:
    return CannotDecompress(
        "batch that is larger than the limit once decompressed, which is "
        f"{UNPACKED_TIMES} times the size of all batches so far"
    )


def _too_large(spent: int = 0) -> CannotDecompress:
    return CannotDecompress("batch that is larger than the limit once decompressed", spent)


def _damaged(spent: int = 0) -> CannotDecompress:
    return CannotDecompress("batch whose compressed records are damaged", spent)


def _gzip(data: bytes, limit: int) -> bytes:
    parts = []
    size = 0
    reader = GzipReader()
    try:
        for part in reader.parts(data):
            size += len(part)
            if size > limit:
                raise _too_large(size)
            parts.append(part)
    except zlib.error:
        raise _damaged(size) from None
    if not reader.at_end or reader.has_padding:
        raise _damaged(size)
    return b"".join(parts)


class GzipReader:
    """Decompresses gzip of any number of members, each of them in pieces: zlib copies what it does
    not read of a piece."""

    def __init__(self) -> None:
        self.has_padding = False
        self._reader = zlib.decompressobj(wbits=31)
        self._piece = _FIRST_PIECE

    @property
    def at_end(self) -> bool:
        """Whether all members that have begun are complete."""
        return self._reader.eof

    def parts(self, data: bytes) -> Iterator[bytes]:
        """Yield what some bytes unpack to, in parts of at most `_STEP`, up to the first that are
        behind a member and are no member. Raises zlib.error."""
        view = memoryview(data)
        at = 0
        while at < len(view):
            if self._reader.eof:
                if not _GZIP.startswith(view[at : at + len(_GZIP)]):
                    self.has_padding = True
                    return
                self._reader, self._piece = zlib.decompressobj(wbits=31), _FIRST_PIECE
            piece = view[at : at + self._piece]
            part = self._reader.decompress(piece, _STEP)
            at += len(piece) - len(self._reader.unconsumed_tail) - len(self._reader.unused_data)
            self._piece = min(2 * self._piece, _STEP)
            if part:
                yield part
        while not self._reader.eof and (part := self._reader.decompress(b"", _STEP)):
            yield part


class _Decompressor(Protocol):
    """That of bz2 or of lzma."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class StreamReader:
    """Decompresses bzip2 or xz of any number of streams, as `GzipReader` does gzip."""

    def __init__(
        self, magic: bytes, decompressor: Callable[[], _Decompressor], error: type[Exception]
    ) -> None:
        self.has_padding = False
        self._magic = magic
        self._error = error
        self._new = decompressor
        self._reader = decompressor()
        self._piece = _FIRST_PIECE

    @property
    def at_end(self) -> bool:
        """Whether all streams that have begun are complete."""
        return self._reader.eof

    def parts(self, data: bytes) -> Iterator[bytes]:
        """Yield what some bytes unpack to, as `GzipReader.parts` does. Raises zlib.error."""
        view = memoryview(data)
        at = 0
        while at < len(view):
            if self._reader.eof:
                if not self._magic.startswith(view[at : at + len(self._magic)]):
                    self.has_padding = True
                    return
                self._reader, self._piece = self._new(), _FIRST_PIECE
            piece = bytes(view[at : at + self._piece])
            at += len(piece)
            while part := self._next(piece):
                yield part
                piece = b""
            at -= len(self._reader.unused_data)
            self._piece = min(2 * self._piece, _STEP)

    def _next(self, piece: bytes) -> bytes:
        """Return the next part; `piece` is empty where the decompressor still has a piece."""
        if not piece and (self._reader.eof or self._reader.needs_input):
            return b""
        try:
            return self._reader.decompress(piece, _STEP)
        except self._error as error:
            raise zlib.error(str(error)) from None


def _snappy(data: bytes, limit: int) -> bytes:
    if not data.startswith(_XERIAL):
        return _snappy_block(data, limit)
    parts = []
    at = _XERIAL_HEADER
    size = 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        parts.append(_snappy_block(data[at + 4 : end], limit - size, size))
        size += len(parts[-1])
        at = end
    return b"".join(parts)


_SNAPPY_TIMES = 32  # a copy of 64 bytes takes 3


def _snappy_block(data: bytes, limit: int, spent: int = 0) -> bytes:
    try:
        size = cramjam.snappy.decompress_raw_len(data)
        if size > limit:
            raise _too_large(spent + min(size, _SNAPPY_TIMES * len(data)))
        if size > _SNAPPY_TIMES * len(data):
            raise _damaged(spent)
        return bytes(cramjam.snappy.decompress_raw(data))
    except cramjam.DecompressionError:
        raise _damaged(spent + _SNAPPY_TIMES * len(data)) from None


def _lz4(data: bytes, limit: int) -> bytes:
    return _into(cramjam.lz4.decompress_into, data, _lz4_room(data), limit)


def _zstd(data: bytes, limit: int) -> bytes:
    return _into(cramjam.zstd.decompress_into, data, _zstd_room(data), limit)


_SMALL = 1024 * 1024


def _into(decompress_into: Callable[[Any, Any], int], data: bytes, most: int, limit: int) -> bytes:
    """Decompress once, with room for `most` bytes, or the limit: the size that the data claims
    cannot be trusted. Memory of a map takes room where something is written."""
    room = min(most, limit)
    output: Any = bytearray(room) if room <= _SMALL else mmap(-1, room)
    try:
        size = decompress_into(data, output)
    except cramjam.DecompressionError:
        pass
    else:
        with memoryview(output) as view:
            return bytes(view[:size])
    if most <= limit:
        raise _damaged(room)
    raise CannotDecompress(
        "batch that is damaged, or larger than the limit once decompressed", room
    )


_ZSTD = 0xFD2FB528
_ZSTD_BLOCK = 128 * 1024
_LZ4 = 0x184D2204
_LZ4_TIMES = 255
_SKIPPABLE = 0x184D2A50  # to ...5F, in both formats: a size, and bytes that mean nothing
_DICTIONARY = (0, 1, 2, 4)
_CONTENT = (0, 2, 4, 8)


def _zstd_room(data: bytes) -> int:
    """Return the most bytes that the blocks of zstd frames can unpack to (RFC 8878). Raises
    CannotDecompress where the frames are no frames."""
    most = at = 0
    while at < len(data):
        at, is_frame = _frame_start(data, at, _ZSTD)
        if not is_frame:
            continue
        flags = _number(data, at, 1)
        single = flags >> 5 & 1
        at += 1 + (not single) + _DICTIONARY[flags & 3] + (_CONTENT[flags >> 6] or single)
        last = False
        while not last:
            block = _number(data, at, 3)
            last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
            most += size if kind < 2 else _ZSTD_BLOCK
            at += 3 + (1 if kind == 1 else size)
        at += 4 * (flags >> 2 & 1)
    return most


def _lz4_room(data: bytes) -> int:
    """Return the most bytes that the blocks of LZ4 frames can unpack to. Raises CannotDecompress
    where the frames are no frames."""
    most = at = 0
    while at < len(data):
        at, is_frame = _frame_start(data, at, _LZ4)
        if not is_frame:
            continue
        flags, largest = _number(data, at, 1), 1 << (8 + 2 * (_number(data, at + 1, 1) >> 4 & 7))
        at += 3 + 8 * (flags >> 3 & 1) + 4 * (flags & 1)
        while block := _number(data, at, 4):
            size = block & 0x7FFFFFFF
            most += min(largest, size if block >> 31 else _LZ4_TIMES * size)
            at += 4 + size + 4 * (flags >> 4 & 1)
        at += 4 + 4 * (flags >> 2 & 1)
    return most


def _frame_start(data: bytes, at: int, magic: int) -> tuple[int, bool]:
    """Return the position behind the magic number of a frame, or behind a frame that is to be
    skipped; and whether it is a frame."""
    number = _number(data, at, 4)
    if number & ~0xF == _SKIPPABLE:
        return at + 8 + _number(data, at + 4, 4), False
    if number != magic:
        raise _damaged()
    return at + 4, True


def _number(data: bytes, at: int, size: int) -> int:
    if at + size > len(data):
        raise _damaged()
    return int.from_bytes(data[at : at + size], "little")


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

_MAGICS = {_GZIP: "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_CODECS = {"gzip": 1, "zstd": 4}  # as batches have them
_PART = 1 << 16


def compression(head: bytes) -> str:
    """Return "gzip" or "zstd" for bytes that begin like that compression, else ""."""
    return next((name for magic, name in _MAGICS.items() if head.startswith(magic)), "")


class Compressed(Protocol):
    """A file or a pipe, of compressed data or any other."""

    def read(self, size: int, /) -> bytes: ...


def content_of(file: Compressed, name: str, limit: int) -> io.BufferedReader | io.BytesIO:
    """Return a file with the decompressed content of `file`, from its beginning.

    Of zstd at most `limit` bytes; raises CannotDecompress for more, or where it is damaged.
    """
    if name == "gzip":
        return io.BufferedReader(UnpackedFile(file, name), _PART)
    return io.BytesIO(_all(name, read_up_to(file, limit + 1), limit))


def read_up_to(file: Compressed, limit: int) -> bytes:
    """Read at most `limit` bytes, in parts: a file that is asked for all of them at once takes
    memory for them, however few it has."""
    parts: list[bytes] = []
    while limit and (part := file.read(min(limit, _STEP))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def unpacked(data: bytes, limit: int, unpacker: Unpacker | None = None) -> tuple[str, bytes]:
    """Return the compression of some bytes and their content; ("", data) if they are not
    compressed. Those of one text have an `unpacker` of their own."""
    name = compression(data[:HEAD])
    if not name:
        return "", data
    try:
        return name, (unpacker or unpacker_inside()).unpack(_CODECS[name], data, limit)
    except CannotDecompress:
        return "", data


def unpacker_inside(*, twice: bool = False) -> Unpacker:
    """Return what unpacks the messages of a text; `twice`: of one that was compressed itself, whose
    size says little."""
    return Unpacker(_LEAST_INSIDE, _INSIDE_TIMES_TWICE if twice else _INSIDE_TIMES)


def unpack_zstd(data: bytes, limit: int) -> bytes | None:
    """Return what is in zstd frames; None for damaged ones, and for more than the limit."""
    try:
        return decompress(_CODECS["zstd"], data, limit)
    except CannotDecompress:
        return None


def _all(name: str, data: bytes, limit: int) -> bytes:
    try:
        return decompress(_CODECS[name], data, min(limit, most_inside(len(data))))
    except CannotDecompress:
        raise CannotDecompress(f"{name} that is damaged, or larger than the limit inside") from None


_LEAST_INSIDE = 2 * 1024 * 1024
_INSIDE_TIMES, _INSIDE_TIMES_TWICE = 100, 4


def most_inside(size: int) -> int:
    """Return the most bytes that a compressed input of a size may unpack to: logs have 20 to 50
    times their size."""
    return _LEAST_INSIDE + _INSIDE_TIMES * size


_XZ_MEMORY = 128 * 1024 * 1024  # of the dictionary that a stream asks for: `xz -9` needs 65 MiB


def _stream_reader(name: str) -> GzipReader | StreamReader:
    if name == "gzip":
        return GzipReader()
    if name == "bzip2":
        from bz2 import BZ2Decompressor  # late: few inputs are

        return StreamReader(b"BZh", BZ2Decompressor, OSError)
    from lzma import LZMADecompressor, LZMAError

    decompressor = partial(LZMADecompressor, memlimit=_XZ_MEMORY)
    return StreamReader(b"\xfd7zXZ\0", decompressor, LZMAError)


_STREAMS = {_GZIP: "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


@contextmanager
def open_log(file: io.BufferedReader) -> Iterator[io.BufferedReader]:
    """Yield the content of a log, unpacked where it is compressed with gzip, bzip2 or xz. Raises
    CannotDecompress at the end of a damaged stream, of which everything before was read."""
    head = file.peek(_LOG_HEAD)[:_LOG_HEAD]
    name = next((name for magic, name in _STREAMS.items() if head.startswith(magic)), "")
    if not name:
        yield file
        return
    content = UnpackedFile(file, name)
    yield io.BufferedReader(content, _PART)
    if content.damage:
        raise CannotDecompress(content.damage)


_LOG_HEAD = 5


class UnpackedFile(io.RawIOBase):
    """The decompressed content of a stream of gzip, bzip2 or xz. It ends where the stream is cut
    short or damaged, or unpacks to too much; `damage` then says which."""

    def __init__(self, file: Compressed, name: str) -> None:
        super().__init__()
        self.damage = ""
        self._file = file
        self._stream = f"the {name} stream"
        self._reader = _stream_reader(name)
        self._parts = self._unpacked()
        self._part = memoryview(b"")

    def readable(self) -> bool:
        """Return True, as `io.RawIOBase` asks for."""
        return True

    def readinto(self, buffer: object, /) -> int:
        """Read into a buffer and return the number of bytes, as `io.RawIOBase` asks for."""
        view = memoryview(cast(bytearray, buffer))
        if not self._part:
            self._part = memoryview(next(self._parts, b""))
        part, self._part = self._part[: len(view)], self._part[len(view) :]
        view[: len(part)] = part
        return len(part)

    def _unpacked(self) -> Iterator[bytes]:
        reader = self._reader
        packed = size = 0
        while not reader.has_padding and (data := self._file.read(_PART)):
            packed += len(data)
            try:
                for part in reader.parts(data):
                    size += len(part)
                    if size > most_inside(packed):
                        self.damage = (
                            f"{self._stream} unpacks to more than {_INSIDE_TIMES} times its size"
                        )
                        return
                    yield part
            except zlib.error:
                self.damage = f"{self._stream} is damaged"
                return
        self.damage = "" if reader.at_end else f"{self._stream} breaks off"
