"""Kafka's primitives: a reader and a writer of each, which generated code calls field by field.

    read_string(data, pos)        returns the value, and its end: the position of the next field
    write_string(value, parts)    appends the value's bytes to `parts`

| form    | in front of the data                     | null              |
|---------|------------------------------------------|-------------------|
| plain   | int16 (string) or int32 (bytes, array)   | a negative length |
| compact | an unsigned varint of length + 1         | 0                 |

Readers take the common case, and raise one of `ODD_BYTES` for the rest: a negative length where
null is not allowed, invalid UTF-8, a number that is cut short. `read.diagnostic_reader` then reads
the same bytes again: it returns the value where they are unusual but legal, and raises DecodeError
where they are not. The end of a string or of bytes that are cut short is behind the data: the
reader of a message compares it once, after the last field. For a value that cannot be written,
writers raise one of `ODD_VALUE`, and `validation` finds out which value it is, and why.
"""

from __future__ import annotations

import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from operator import index
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from .utf8 import decode_modified, decode_utf16, encode_modified, encode_utf16

# Limits of Kafka's reader: it refuses more, though the layout could hold it.
MAX_STRING = 32767  # bytes of a string
MAX_ELEMENTS = 1_000_000  # of one array
MAX_TAGS = 10_000  # fields of one tag section
CACHED_SIZES: Final = 512
_ONE_BYTE = tuple(bytes([value]) for value in range(0x80))

T = TypeVar("T")
Read = Callable[[bytes, int], tuple[T, int]]
Write = Callable[[T, list[bytes]], None]


class OddBytes(Exception):
    """Raised by a reader for bytes that `read.diagnostic_reader` has to read."""


class OddValue(Exception):
    """Raised by a writer for a value that `validation` has to explain."""


# What readers and writers raise. UnicodeDecodeError is a ValueError.
ODD_BYTES = (struct.error, LookupError, ValueError, OverflowError, OddBytes)
ODD_VALUE = (
    struct.error, AttributeError, TypeError, ValueError, OverflowError, LookupError, OddValue,
)  # fmt: skip


def whole(value: Any) -> int | None:
    """Return `value` as an int if its type is an integer type other than bool, else None."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def required(value: T | None) -> T:
    """Return a value that may be null, but not in this version. Raises OddValue for None."""
    if value is None:
        raise OddValue
    return value


# -- lengths and counts


def read_varint(data: bytes, pos: int) -> tuple[int, int]:
    """Return an unsigned varint and its end: at most five bytes, wrapped to int32 as in Kafka."""
    value = shift = 0
    while shift < 35:
        byte = data[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            value &= 0xFFFFFFFF
            if value == 1 << 31:  # a compact length that is positive in Java, by an overflow
                raise OddBytes
            return (value - (1 << 32) if value >> 31 else value), pos
        shift += 7
    raise OddBytes


def varint(value: int) -> bytes:
    """Return `value` (0 to 2**32 - 1) as an unsigned varint."""
    if value < 0x80:
        return _ONE_BYTE[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _read_compact_length(data: bytes, pos: int) -> tuple[int, int]:
    """Return a length, negative for null, and its end. Nearly always it takes one byte."""
    first = data[pos]
    if first < 0x80:
        return first - 1, pos + 1
    value, pos = read_varint(data, pos)
    return value - 1, pos


def _possible(count: int) -> int:
    """Return a count that an array may have. Raises OddBytes for any other."""
    if not 0 <= count <= MAX_ELEMENTS:
        raise OddBytes
    return count


_unpack_int16 = struct.Struct(">h").unpack_from
_unpack_int32 = struct.Struct(">i").unpack_from
_pack_int16 = struct.Struct(">h").pack
_pack_int32 = struct.Struct(">i").pack
_NULL_INT16 = b"\xff\xff"
_NULL_INT32 = b"\xff\xff\xff\xff"
_NULL_COMPACT = b"\0"


def _fixed(code: str) -> tuple[Read[Any], Write[Any]]:
    """Return the reader and the writer of one number, by struct's code."""
    number = struct.Struct(f">{code}")
    unpack, pack, size = number.unpack_from, number.pack, number.size

    def read(data: bytes, pos: int) -> tuple[Any, int]:
        return unpack(data, pos)[0], pos + size

    def write(value: Any, parts: list[bytes]) -> None:
        if type(value) is bool:
            raise OddValue
        parts.append(pack(value))

    return read, write


_read_int32, _ = _fixed("i")


def _or_null(read_length: Read[int], read: Read[T]) -> Read[T | None]:
    """Return a reader like `read` that gives None for a negative length."""

    def read_or_null(data: bytes, pos: int) -> tuple[T | None, int]:
        length, end = read_length(data, pos)
        return (None, end) if length < 0 else read(data, pos)

    return read_or_null


def _null_or(null: bytes, write: Write[T]) -> Write[T | None]:
    """Return a writer like `write` that writes the bytes `null` for None."""

    def write_or_null(value: T | None, parts: list[bytes]) -> None:
        if value is None:
            parts.append(null)
        else:
            write(value, parts)

    return write_or_null


# -- numbers


class _Numbers:
    """Structs that read and write several numbers of one type in one call, by their count.

    Counts below `CACHED_SIZES` are cached; larger ones are not, so that they keep no memory.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.size = struct.calcsize(f">{code}")
        self.known: dict[int, struct.Struct] = {}

    def make(self, count: int) -> struct.Struct:
        """Return what reads and writes `count` numbers."""
        packer = struct.Struct(f">{count}{self.code}")
        if count < CACHED_SIZES:
            self.known[count] = packer
        return packer

    def packed(self, values: Any) -> bytes:
        """Return the bytes of a tuple of numbers. Raises OddValue for any other type."""
        if type(values) is not tuple:
            raise OddValue
        count = len(values)
        return (self.known.get(count) or self.make(count)).pack(*values)


class Number(Generic[T]):
    """Readers and writers of one type of number and its arrays, made from struct's format code."""

    __slots__ = (
        "read", "read_array", "read_compact_array", "read_compact_nullable_array",
        "read_nullable_array", "unpack", "write", "write_array", "write_compact_array",
        "write_compact_nullable_array", "write_nullable_array",
    )  # fmt: skip

    unpack: Callable[[bytes, int], tuple[T]]
    read: Read[T]
    write: Write[T]
    read_array: Read[tuple[T, ...]]
    write_array: Write[tuple[T, ...]]
    read_compact_array: Read[tuple[T, ...]]
    write_compact_array: Write[tuple[T, ...]]

    def __init__(self, code: str) -> None:
        numbers = _Numbers(code)
        self.unpack = struct.Struct(f">{code}").unpack_from
        self.read, self.write = _fixed(code)
        self.read_array, self.write_array = _plain_numbers(numbers)
        self.read_compact_array, self.write_compact_array = _compact_numbers(numbers)
        self.read_nullable_array = _or_null(_read_int32, self.read_array)
        self.write_nullable_array = _null_or(_NULL_INT32, self.write_array)
        self.read_compact_nullable_array = _or_null(_read_compact_length, self.read_compact_array)
        self.write_compact_nullable_array = _null_or(_NULL_COMPACT, self.write_compact_array)


def _plain_numbers(numbers: _Numbers) -> tuple[Read[Any], Write[Any]]:
    """Return the reader and the writer of an array of numbers behind an int32 count."""
    cached, make, size, packed = numbers.known, numbers.make, numbers.size, numbers.packed

    def read(data: bytes, pos: int) -> tuple[Any, int]:
        (count,) = _unpack_int32(data, pos)
        pos += 4
        try:
            numbers = cached[count]
        except KeyError:
            numbers = make(_possible(count))
        return numbers.unpack_from(data, pos), pos + count * size

    def write(value: Any, parts: list[bytes]) -> None:
        raw = packed(value)
        parts.append(_pack_int32(len(value)) + raw)

    return read, write


def _compact_numbers(numbers: _Numbers) -> tuple[Read[Any], Write[Any]]:
    """Return the reader and the writer of an array of numbers behind a compact count."""
    cached, make, size, packed = numbers.known, numbers.make, numbers.size, numbers.packed

    def read(data: bytes, pos: int) -> tuple[Any, int]:
        count, pos = _read_compact_length(data, pos)
        try:
            numbers = cached[count]
        except KeyError:
            numbers = make(_possible(count))
        return numbers.unpack_from(data, pos), pos + count * size

    def write(value: Any, parts: list[bytes]) -> None:
        raw = packed(value)
        parts.append(varint(len(value) + 1) + raw)

    return read, write


INT8: Number[int] = Number("b")
INT16: Number[int] = Number("h")
UINT16: Number[int] = Number("H")
INT32: Number[int] = Number("i")
UINT32: Number[int] = Number("I")
INT64: Number[int] = Number("q")
FLOAT64: Number[float] = Number("d")


def read_bool(data: bytes, pos: int) -> tuple[bool, int]:
    """Return the bool of one byte, which is True unless 0, and its end."""
    return data[pos] != 0, pos + 1


def write_bool(value: bool, parts: list[bytes]) -> None:
    """Append one byte for True or False; an int is refused, which JSON would show as a number."""
    if value is True:
        parts.append(b"\1")
    elif value is False:
        parts.append(b"\0")
    else:
        raise OddValue


# -- strings


def read_string(data: bytes, pos: int) -> tuple[str, int]:
    """Return the string behind an int16 length, and its end."""
    size = data[pos + 1] if data[pos] == 0 else _long_size(data, pos)
    pos += 2
    end = pos + size
    return data[pos:end].decode(), end


def _long_size(data: bytes, pos: int) -> int:
    """Return an int16 length of a string, which may not be null."""
    (size,) = _unpack_int16(data, pos)
    if size < 0:
        raise OddBytes
    return int(size)


def write_string(value: str, parts: list[bytes]) -> None:
    """Append an int16 length and the string's UTF-8."""
    raw = value.encode()
    parts.append(_pack_int16(len(raw)) + raw)


def read_compact_string(data: bytes, pos: int) -> tuple[str, int]:
    """Return the string behind a compact length, and its end."""
    size, pos = _read_compact_length(data, pos)
    if not 0 <= size <= MAX_STRING:
        raise OddBytes
    end = pos + size
    return data[pos:end].decode(), end


def write_compact_string(value: str, parts: list[bytes]) -> None:
    """Append a compact length and the string's UTF-8."""
    raw = value.encode()
    if len(raw) > MAX_STRING:
        raise OddValue
    parts.append(varint(len(raw) + 1) + raw)


def read_string_array(data: bytes, pos: int) -> tuple[tuple[str, ...], int]:
    """Return an array of strings, and its end; faster than `read_array` with `read_string`."""
    (count,) = _unpack_int32(data, pos)
    if not 0 <= count <= MAX_ELEMENTS:
        raise OddBytes
    pos += 4
    items = []
    for _ in range(count):
        start = pos + 2
        pos = start + (data[pos + 1] if data[pos] == 0 else _long_size(data, pos))
        items.append(data[start:pos].decode())
    return tuple(items), pos


def read_nullable_string(data: bytes, pos: int) -> tuple[str | None, int]:
    """Return a string and its end; the string is None where its length is negative."""
    if data[pos] >= 0x80:
        return None, pos + 2
    return read_string(data, pos)


write_nullable_string = _null_or(_NULL_INT16, write_string)
read_compact_nullable_string = _or_null(_read_compact_length, read_compact_string)
write_compact_nullable_string = _null_or(_NULL_COMPACT, write_compact_string)


def read_modified_utf8(data: bytes, pos: int) -> tuple[str, int]:
    """Return a string of Kafka Streams, in Java's modified UTF-8 behind a uint16 length."""
    size, pos = UINT16.read(data, pos)
    end = pos + size
    raw = data[pos:end]
    if len(raw) != size:
        raise OddBytes
    return decode_modified(raw), end


def write_modified_utf8(value: str, parts: list[bytes]) -> None:
    """Append a uint16 length and the string in Java's modified UTF-8."""
    raw = encode_modified(value)
    UINT16.write(len(raw), parts)
    parts.append(raw)


def read_utf16(data: bytes, pos: int) -> tuple[str, int]:
    """Return a string of Kafka Streams, in UTF-16 units behind an int32 count of them."""
    units, pos = INT32.read(data, pos)
    end = pos + 2 * units
    raw = data[pos:end]
    if len(raw) != 2 * units:
        raise OddBytes
    return decode_utf16(raw), end


def write_utf16(value: str, parts: list[bytes]) -> None:
    """Append an int32 count of UTF-16 units, and the units."""
    raw = encode_utf16(value)
    INT32.write(len(raw) // 2, parts)
    parts.append(raw)


# -- bytes, and records, which are bytes here


def read_bytes(data: bytes, pos: int) -> tuple[bytes, int]:
    """Return the bytes behind an int32 length, and their end."""
    (size,) = _unpack_int32(data, pos)
    if size < 0:
        raise OddBytes
    pos += 4
    end = pos + size
    return data[pos:end], end


def write_bytes(value: bytes, parts: list[bytes]) -> None:
    """Append an int32 length and the bytes."""
    parts += (_pack_int32(len(value)), value)


def read_compact_bytes(data: bytes, pos: int) -> tuple[bytes, int]:
    """Return the bytes behind a compact length, and their end."""
    size, pos = _read_compact_length(data, pos)
    if size < 0:
        raise OddBytes
    end = pos + size
    return data[pos:end], end


def write_compact_bytes(value: bytes, parts: list[bytes]) -> None:
    """Append a compact length and the bytes."""
    parts += (varint(len(value) + 1), value)


def read_nullable_bytes(data: bytes, pos: int) -> tuple[bytes | None, int]:
    """Return bytes and their end; the bytes are None where the length is negative."""
    (size,) = _unpack_int32(data, pos)
    pos += 4
    if size < 0:
        return None, pos
    end = pos + size
    return data[pos:end], end


write_nullable_bytes = _null_or(_NULL_INT32, write_bytes)
read_compact_nullable_bytes = _or_null(_read_compact_length, read_compact_bytes)
write_compact_nullable_bytes = _null_or(_NULL_COMPACT, write_compact_bytes)


# -- structs that may be null, and arrays: `read` and `write` are for the struct or one element


def read_nullable(data: bytes, pos: int, read: Read[T]) -> tuple[T | None, int]:
    """Return a struct and its end; None where the int8 in front of it is negative."""
    present, pos = INT8.read(data, pos)
    return (None, pos) if present < 0 else read(data, pos)


def write_nullable(value: T | None, parts: list[bytes], write: Write[T]) -> None:
    """Append the int8 1 and a struct, or the int8 -1 for None."""
    if value is None:
        parts.append(b"\xff")
    else:
        parts.append(b"\1")
        write(value, parts)


def read_array(data: bytes, pos: int, read: Read[T]) -> tuple[tuple[T, ...], int]:
    """Return a tuple of the elements behind an int32 count, and its end."""
    (count,) = _unpack_int32(data, pos)
    if not 0 <= count <= MAX_ELEMENTS:
        raise OddBytes
    pos += 4
    items = []
    for _ in range(count):
        item, pos = read(data, pos)
        items.append(item)
    return tuple(items), pos


def read_nullable_array(data: bytes, pos: int, read: Read[T]) -> tuple[tuple[T, ...] | None, int]:
    """Return an array and its end; the array is None where its count is negative."""
    count, end = _read_int32(data, pos)
    return (None, end) if count < 0 else read_array(data, pos, read)


def read_compact_array(data: bytes, pos: int, read: Read[T]) -> tuple[tuple[T, ...], int]:
    """Return a tuple of the elements behind a compact count, and its end."""
    count, pos = _read_compact_length(data, pos)
    if not 0 <= count <= MAX_ELEMENTS:
        raise OddBytes
    items = []
    for _ in range(count):
        item, pos = read(data, pos)
        items.append(item)
    return tuple(items), pos


def read_compact_nullable_array(
    data: bytes, pos: int, read: Read[T]
) -> tuple[tuple[T, ...] | None, int]:
    """Return an array and its end; the array is None where its count is 0."""
    count, end = _read_compact_length(data, pos)
    return (None, end) if count < 0 else read_compact_array(data, pos, read)


def write_array(value: tuple[T, ...], parts: list[bytes], write: Write[T]) -> None:
    """Append an int32 count and the elements of a tuple."""
    if type(value) is not tuple:
        raise OddValue
    parts.append(_pack_int32(len(value)))
    for item in value:
        write(item, parts)


def write_nullable_array(value: tuple[T, ...] | None, parts: list[bytes], write: Write[T]) -> None:
    """Append an array as `write_array` does, or a count of -1 for None."""
    if value is None:
        parts.append(_NULL_INT32)
    else:
        write_array(value, parts, write)


def write_compact_array(value: tuple[T, ...], parts: list[bytes], write: Write[T]) -> None:
    """Append a compact count and the elements of a tuple."""
    if type(value) is not tuple:
        raise OddValue
    parts.append(varint(len(value) + 1))
    for item in value:
        write(item, parts)


def write_compact_nullable_array(
    value: tuple[T, ...] | None, parts: list[bytes], write: Write[T]
) -> None:
    """Append an array as `write_compact_array` does, or a count of 0 for None."""
    if value is None:
        parts.append(_NULL_COMPACT)
    else:
        write_compact_array(value, parts, write)


# -- uuids, which Kafka prints as URL-safe base64 of the 16 bytes, without padding (Uuid.java)

ZERO_UUID = UUID(int=0)
_UUID = r"[A-Za-z0-9_-]{22}(?:==)?"


@lru_cache(maxsize=1024)
def uuid_of(raw: bytes) -> UUID:
    """Return the uuid of 16 bytes, from a cache.

    Topic ids repeat, and making a uuid takes as long as reading the rest of an offset commit.

    >>> uuid_of(bytes(15) + b"\\1").int
    1
    """
    return UUID(bytes=raw)


def read_uuid(data: bytes, pos: int) -> tuple[UUID, int]:
    """Return the uuid of the 16 bytes at `pos`, and its end."""
    end = pos + 16
    return uuid_of(data[pos:end]), end


def write_uuid(value: UUID, parts: list[bytes]) -> None:
    """Append the 16 bytes of a uuid."""
    if not isinstance(value, UUID):
        raise OddValue
    parts.append(value.bytes)


def format_uuid(value: UUID) -> str:
    """Return the 22 characters that Kafka prints for a uuid.

    >>> format_uuid(UUID(int=1))
    'AAAAAAAAAAAAAAAAAAAAAQ'
    """
    return urlsafe_b64encode(value.bytes).rstrip(b"=").decode("ascii")


def parse_uuid(text: str) -> UUID:
    """Return the uuid that Kafka prints as `text`. Raises ValueError for any other form.

    >>> parse_uuid("AAAAAAAAAAAAAAAAAAAAAQ").int
    1
    """
    if not re.fullmatch(_UUID, text):
        raise ValueError(f"{text!r:.40} is not a uuid: 22 characters of URL-safe base64")
    return UUID(bytes=urlsafe_b64decode(f"{text[:22]}=="))
