"""What generated readers and writers stand on: the shapes of Kafka's primitives, as fast as
CPython allows.

A generated reader is optimistic. It reads several fields with one cached `struct.Struct`, in full
trust, and raises one of `ODD_BYTES` when the bytes are not the plain case: too short, a negative
length where none is expected, invalid UTF-8. The careful reader (`careful`) then reads the same
bytes again and says what they are: legal but odd (then it gives the value), or refused (then it
says where and why).

`strings("h")[18]` unpacks a string of 18 bytes and the int16 behind it in one call. Tables are
bounded, whatever was captured: a count of a million costs no memory that stays.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any, Final

# What Kafka's reader refuses although the layout could say it, whatever the bytes behind it.
MAX_STRING = 32767  # bytes of a string
MAX_ELEMENTS = 1_000_000  # of one array
MAX_TAGS = 10_000  # fields of one tag section
CACHED_SIZES: Final = 512
LISTED_SIZES: Final = 256

Unpack = Callable[[bytes, int], tuple[Any, ...]]
Pack = Callable[..., bytes]


class OddBytes(Exception):
    """Not the plain case; the careful reader shall look."""


class OddValue(Exception):
    """Not the plain case; `check` shall say what is wrong with the value."""


# What an optimistic reader may meet: UnicodeDecodeError is a ValueError.
ODD_BYTES = (struct.error, LookupError, ValueError, OverflowError, OddBytes)
ODD_VALUE = (
    struct.error, AttributeError, TypeError, ValueError, OverflowError, LookupError, OddValue,
)  # fmt: skip


def fixed(codes: str) -> Unpack:
    """Unpacks one run of fixed-size fields, in `struct`'s codes."""
    return struct.Struct(f">{codes}").unpack_from


def packed(codes: str) -> Pack:
    """Packs one run of fixed-size fields."""
    return struct.Struct(f">{codes}").pack


class _Table(dict[int, Any]):
    """Size -> function, made on demand, kept for the first `CACHED_SIZES` sizes only."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, size: int) -> Any:
        made = self._make(size)
        if size < CACHED_SIZES:
            self[size] = made
        return made


_tables: dict[tuple[str, str], _Table] = {}


def _table(kind: str, codes: str, make: Callable[[int], Any]) -> _Table:
    return _tables.setdefault((kind, codes), _Table(make))


@cache
def strings(codes: str) -> list[Unpack]:
    """`strings("i")[n](data, pos)` gives n raw bytes and the int32 behind them.

    A list, because nothing is looked up faster; so a length is read as unsigned before it is used
    here, and a string longer than the list is left to the careful reader. Topic names are at most
    249 bytes.
    """
    return [struct.Struct(f">{size}s{codes}").unpack_from for size in range(LISTED_SIZES)]


@cache
def short_strings(codes: str) -> list[Unpack]:
    """`short_strings("i")[data[pos + 1]](data, pos)` gives 0, raw bytes, and the int32 behind them.

    For a string that nothing before it brings the length of. The low byte of that is taken for the
    whole; the high byte comes with the string, and is not 0 where that was wrong.
    """
    return [struct.Struct(f">Bx{size}s{codes}").unpack_from for size in range(LISTED_SIZES)]


@cache
def few_numbers(code: str) -> list[Unpack]:
    """`few_numbers("i")[n](data, pos)` gives n int32, for n from 0 to below `LISTED_SIZES`."""
    return [struct.Struct(f">{size}{code}").unpack_from for size in range(LISTED_SIZES)]


def numbers(code: str) -> _Table:
    """`numbers("i")[n](data, pos)` gives n int32; a count that no array has raises `OddBytes`."""

    def make(size: int) -> Unpack:
        if not 0 <= size <= MAX_ELEMENTS:
            raise OddBytes
        return struct.Struct(f">{size}{code}").unpack_from

    return _table("numbers", code, make)


def pack_strings(before: str, after: str = "") -> _Table:
    """`pack_strings("h", "i")[n](n, raw, value)` writes a prefixed string and an int32."""
    codes = f"{before} {after}"
    return _table("pack", codes, lambda n: struct.Struct(f">{before}{n}s{after}").pack)


def pack_numbers(code: str) -> _Table:
    """`pack_numbers("i")[n](*values)` writes n int32."""
    return _table("pack numbers", code, lambda size: struct.Struct(f">{size}{code}").pack)


def whole(value: Any) -> int | None:
    """A number as an int, of whatever says that it is one; None for anything else, and True."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def truth(value: bool) -> int:
    """The byte of a bool. 1 is none: it would be printed as a number."""
    if value is True:
        return 1
    if value is False:
        return 0
    raise OddValue


def read_varint(data: bytes, pos: int) -> tuple[int, int]:
    """An unsigned varint of at most five bytes, wrapped to int32 as Kafka does, and its end."""
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


VARINT: Final[tuple[bytes, ...]] = tuple(varint(value) for value in range(128))
