"""Kafka's primitives: a reader and a writer of each, which generated code calls field by field.

    read_string(data, pos)        gives the value and the position behind it
    write_string(value, parts)    appends the value's bytes to `parts`

| form    | in front of the data                     | null              |
|---------|------------------------------------------|-------------------|
| plain   | int16 (string) or int32 (bytes, array)   | a negative length |
| compact | an unsigned varint of length + 1         | 0                 |

They are for the plain case, and raise one of `ODD_BYTES` for what is not: too short, a negative
length where there is no null, invalid UTF-8. The careful reader (`careful`) then reads the same
bytes again and says what they are: legal but odd (then it gives the value), or refused (then it
says where and why). For a value that does not fit they raise one of `ODD_VALUE`, and `check` says
what is wrong with it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import index
from typing import Any, Final, Generic, TypeVar

from .utf8 import decode_modified, decode_utf16, encode_modified, encode_utf16

# What Kafka's reader refuses although the layout could say it, whatever the bytes behind it.
MAX_STRING = 32767  # bytes of a string
MAX_ELEMENTS = 1_000_000  # of one array
MAX_TAGS = 10_000  # fields of one tag section
CACHED_SIZES: Final = 512

T = TypeVar("T")
Read = Callable[[bytes, int], tuple[T, int]]
Write = Callable[[T, list[bytes]], None]


class OddBytes(Exception):
    """Not the plain case; the careful reader shall look."""


class OddValue(Exception):
    """Not the plain case; `check` shall say what is wrong with the value."""


# What an optimistic reader may meet: UnicodeDecodeError is a ValueError.
ODD_BYTES = (struct.error, LookupError, ValueError, OverflowError, OddBytes)
ODD_VALUE = (
    struct.error, AttributeError, TypeError, ValueError, OverflowError, LookupError, OddValue,
)  # fmt: skip


def whole(value: Any) -> int | None:
    """Return a number as an int, of whatever says that it is one; None for anything else, and
    True.
    """
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def required(value: T | None) -> T:
    """Return the value of a field that may be null, but not in this version."""
    if value is None:
        raise OddValue
    return value


# -- lengths and counts


def read_varint(data: bytes, pos: int) -> tuple[int, int]:
    """Return an unsigned varint of at most five bytes, wrapped to int32 as Kafka does, and its
    end.
    """
    value = shift = 0
    while shift < 35:
        byte = data[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            value &= 0xFFFFFFFF
            if value == 1 << 31:  # less one it is no length below 0, but the greatest of all
                raise OddBytes
            return (value - (1 << 32) if value >> 31 else value), pos
        shift += 7
    raise OddBytes


def varint(value: int) -> bytes:
    """`value` (0 to 2**32 - 1) as an unsigned varint."""
    if value < 0x80:
        return value.to_bytes(1, "big")
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _read_compact_length(data: bytes, pos: int) -> tuple[int, int]:
    """A length, which nearly always takes one byte; negative for null."""
    first = data[pos]
    if first < 0x80:
        return first - 1, pos + 1
    value, pos = read_varint(data, pos)
    return value - 1, pos


def _possible(count: int) -> int:
    """A count of elements, one that an array may have."""
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
    """Reader and writer of one number, by struct's code."""
    one = struct.Struct(f">{code}")
    unpack, pack, size = one.unpack_from, one.pack, one.size

    def read(data: bytes, pos: int) -> tuple[Any, int]:
        return unpack(data, pos)[0], pos + size

    def write(value: Any, parts: list[bytes]) -> None:
        if type(value) is bool:
            raise OddValue
        parts.append(pack(value))

    return read, write


_read_int32, _ = _fixed("i")


def _or_null(read_length: Read[int], read: Read[T]) -> Read[T | None]:
    """`read`, where a negative length is null."""

    def read_or_null(data: bytes, pos: int) -> tuple[T | None, int]:
        length, end = read_length(data, pos)
        return (None, end) if length < 0 else read(data, pos)

    return read_or_null


def _null_or(null: bytes, write: Write[T]) -> Write[T | None]:
    """`write`, where None is the bytes `null`."""

    def write_or_null(value: T | None, parts: list[bytes]) -> None:
        if value is None:
            parts.append(null)
        else:
            write(value, parts)

    return write_or_null


# -- numbers


class _Several:
    """What reads and writes several numbers at once, by how many.

    Only the first `CACHED_SIZES` are kept: a count of a million costs no memory that stays.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.size = struct.calcsize(f">{code}")
        self.known: dict[int, struct.Struct] = {}

    def make(self, count: int) -> struct.Struct:
        """Numbers, as many as `count`."""
        made = struct.Struct(f">{count}{self.code}")
        if count < CACHED_SIZES:
            self.known[count] = made
        return made

    def packed(self, values: Any) -> bytes:
        """The bytes of a tuple of numbers."""
        if type(values) is not tuple:
            raise OddValue
        count = len(values)
        return (self.known.get(count) or self.make(count)).pack(*values)


class Number(Generic[T]):
    """One type of number, by struct's code, and arrays of it, which one call reads or writes."""

    __slots__ = (
        "read", "read_array", "read_compact_array", "read_compact_nullable_array",
        "read_nullable_array", "write", "write_array", "write_compact_array",
        "write_compact_nullable_array", "write_nullable_array",
    )  # fmt: skip

    read: Read[T]
    write: Write[T]
    read_array: Read[tuple[T, ...]]
    write_array: Write[tuple[T, ...]]
    read_compact_array: Read[tuple[T, ...]]
    write_compact_array: Write[tuple[T, ...]]

    def __init__(self, code: str) -> None:
        several = _Several(code)
        self.read, self.write = _fixed(code)
        self.read_array, self.write_array = _plain_numbers(several)
        self.read_compact_array, self.write_compact_array = _compact_numbers(several)
        self.read_nullable_array = _or_null(_read_int32, self.read_array)
        self.write_nullable_array = _null_or(_NULL_INT32, self.write_array)
        self.read_compact_nullable_array = _or_null(_read_compact_length, self.read_compact_array)
        self.write_compact_nullable_array = _null_or(_NULL_COMPACT, self.write_compact_array)


def _plain_numbers(several: _Several) -> tuple[Read[Any], Write[Any]]:
    """Reader and writer of an int32 count, and as many numbers."""
    known, make, size, packed = several.known, several.make, several.size, several.packed

    def read(data: bytes, pos: int) -> tuple[Any, int]:
        (count,) = _unpack_int32(data, pos)
        pos += 4
        try:
            numbers = known[count]
        except KeyError:
            numbers = make(_possible(count))
        return numbers.unpack_from(data, pos), pos + count * size

    def write(value: Any, parts: list[bytes]) -> None:
        raw = packed(value)
        parts.append(_pack_int32(len(value)) + raw)

    return read, write


def _compact_numbers(several: _Several) -> tuple[Read[Any], Write[Any]]:
    """Reader and writer of a compact count, and as many numbers."""
    known, make, size, packed = several.known, several.make, several.size, several.packed

    def read(data: bytes, pos: int) -> tuple[Any, int]:
        count, pos = _read_compact_length(data, pos)
        try:
            numbers = known[count]
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
    """One byte; any but 0 is True."""
    return data[pos] != 0, pos + 1


def write_bool(value: bool, parts: list[bytes]) -> None:
    """One byte, of True or False alone: 1 is no bool, it would be printed as a number."""
    if value is True:
        parts.append(b"\1")
    elif value is False:
        parts.append(b"\0")
    else:
        raise OddValue


# -- strings


def read_string(data: bytes, pos: int) -> tuple[str, int]:
    """Return an int16 length, and as many bytes of UTF-8."""
    (size,) = _unpack_int16(data, pos)
    pos += 2
    end = pos + size
    raw = data[pos:end]
    if len(raw) != size:
        raise OddBytes
    return raw.decode(), end


def write_string(value: str, parts: list[bytes]) -> None:
    """The reverse."""
    raw = value.encode()
    parts.append(_pack_int16(len(raw)) + raw)


def read_compact_string(data: bytes, pos: int) -> tuple[str, int]:
    """Return a compact length, and as many bytes of UTF-8."""
    size, pos = _read_compact_length(data, pos)
    end = pos + size
    raw = data[pos:end]
    if len(raw) != size or size > MAX_STRING:
        raise OddBytes
    return raw.decode(), end


def write_compact_string(value: str, parts: list[bytes]) -> None:
    """The reverse."""
    raw = value.encode()
    if len(raw) > MAX_STRING:
        raise OddValue
    parts.append(varint(len(raw) + 1) + raw)


def read_string_array(data: bytes, pos: int) -> tuple[tuple[str, ...], int]:
    """Return an int32 count, and as many strings: `read_array` for those that are read most."""
    (count,) = _unpack_int32(data, pos)
    if not 0 <= count <= MAX_ELEMENTS:
        raise OddBytes
    pos += 4
    items = []
    for _ in range(count):
        (size,) = _unpack_int16(data, pos)
        pos += 2
        raw = data[pos : pos + size]
        if len(raw) != size:
            raise OddBytes
        items.append(raw.decode())
        pos += size
    return tuple(items), pos


def read_nullable_string(data: bytes, pos: int) -> tuple[str | None, int]:
    """Return a string, where a negative length is null."""
    if _unpack_int16(data, pos)[0] < 0:
        return None, pos + 2
    return read_string(data, pos)


write_nullable_string = _null_or(_NULL_INT16, write_string)
read_compact_nullable_string = _or_null(_read_compact_length, read_compact_string)
write_compact_nullable_string = _null_or(_NULL_COMPACT, write_compact_string)


def read_modified_utf8(data: bytes, pos: int) -> tuple[str, int]:
    """Return a uint16 length, and as many bytes of Java's modified UTF-8 (Kafka Streams)."""
    size, pos = UINT16.read(data, pos)
    end = pos + size
    raw = data[pos:end]
    if len(raw) != size:
        raise OddBytes
    return decode_modified(raw), end


def write_modified_utf8(value: str, parts: list[bytes]) -> None:
    """The reverse."""
    raw = encode_modified(value)
    UINT16.write(len(raw), parts)
    parts.append(raw)


def read_utf16(data: bytes, pos: int) -> tuple[str, int]:
    """Return an int32 count of UTF-16 units, and as many of two bytes (Kafka Streams)."""
    units, pos = INT32.read(data, pos)
    end = pos + 2 * units
    raw = data[pos:end]
    if len(raw) != 2 * units:
        raise OddBytes
    return decode_utf16(raw), end


def write_utf16(value: str, parts: list[bytes]) -> None:
    """The reverse."""
    raw = encode_utf16(value)
    INT32.write(len(raw) // 2, parts)
    parts.append(raw)


# -- bytes, and records, which are bytes here


def read_bytes(data: bytes, pos: int) -> tuple[bytes, int]:
    """Return an int32 length, and as many bytes."""
    (size,) = _unpack_int32(data, pos)
    pos += 4
    end = pos + size
    raw = data[pos:end]
    if len(raw) != size:
        raise OddBytes
    return raw, end


def write_bytes(value: bytes, parts: list[bytes]) -> None:
    """The reverse."""
    parts += (_pack_int32(len(value)), value)


def read_compact_bytes(data: bytes, pos: int) -> tuple[bytes, int]:
    """Return a compact length, and as many bytes."""
    size, pos = _read_compact_length(data, pos)
    end = pos + size
    raw = data[pos:end]
    if len(raw) != size:
        raise OddBytes
    return raw, end


def write_compact_bytes(value: bytes, parts: list[bytes]) -> None:
    """The reverse."""
    parts += (varint(len(value) + 1), value)


def read_nullable_bytes(data: bytes, pos: int) -> tuple[bytes | None, int]:
    """Return bytes, where a negative length is null."""
    if _unpack_int32(data, pos)[0] < 0:
        return None, pos + 4
    return read_bytes(data, pos)


write_nullable_bytes = _null_or(_NULL_INT32, write_bytes)
read_compact_nullable_bytes = _or_null(_read_compact_length, read_compact_bytes)
write_compact_nullable_bytes = _null_or(_NULL_COMPACT, write_compact_bytes)


# -- structs that may be null, and arrays; `read` and `write` are those of a struct or an element


def read_nullable(data: bytes, pos: int, read: Read[T]) -> tuple[T | None, int]:
    """Return a struct behind an int8, which is negative for null."""
    present, pos = INT8.read(data, pos)
    return (None, pos) if present < 0 else read(data, pos)


def write_nullable(value: T | None, parts: list[bytes], write: Write[T]) -> None:
    """The reverse."""
    if value is None:
        parts.append(b"\xff")
    else:
        parts.append(b"\1")
        write(value, parts)


def read_array(data: bytes, pos: int, read: Read[T]) -> tuple[tuple[T, ...], int]:
    """Return an int32 count, and as many elements."""
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
    """Return the same, where a negative count is null."""
    count, end = _read_int32(data, pos)
    return (None, end) if count < 0 else read_array(data, pos, read)


def read_compact_array(data: bytes, pos: int, read: Read[T]) -> tuple[tuple[T, ...], int]:
    """Return a compact count, and as many elements."""
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
    """Return the same, where a count of 0 is null."""
    count, end = _read_compact_length(data, pos)
    return (None, end) if count < 0 else read_compact_array(data, pos, read)


def write_array(value: tuple[T, ...], parts: list[bytes], write: Write[T]) -> None:
    """An int32 count, and as many elements."""
    if type(value) is not tuple:
        raise OddValue
    parts.append(_pack_int32(len(value)))
    for item in value:
        write(item, parts)


def write_nullable_array(value: tuple[T, ...] | None, parts: list[bytes], write: Write[T]) -> None:
    """The same, where a count of -1 is null."""
    if value is None:
        parts.append(_NULL_INT32)
    else:
        write_array(value, parts, write)


def write_compact_array(value: tuple[T, ...], parts: list[bytes], write: Write[T]) -> None:
    """A compact count, and as many elements."""
    if type(value) is not tuple:
        raise OddValue
    parts.append(varint(len(value) + 1))
    for item in value:
        write(item, parts)


def write_compact_nullable_array(
    value: tuple[T, ...] | None, parts: list[bytes], write: Write[T]
) -> None:
    """The same, where a count of 0 is null."""
    if value is None:
        parts.append(_NULL_COMPACT)
    else:
        write_compact_array(value, parts, write)
