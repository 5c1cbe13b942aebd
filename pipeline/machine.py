"""The machine that reads messages into Arrow buffers: one compiled loop for every definition.

`read_rows` runs a program (see `instructions`, `program`) for each value of a binary column. It is
a decoder in its own right, the third after the generated readers and the careful one: the rules of
policy KAFKA stand here once more, in their own words, so that agreement with the others means
something.

Every read of a message is behind a comparison with its end. Stores need none: an element is stored
after its bytes were read, so what is stored in a column is bounded by the bytes of the input, and
the buffers have that size (`columns`).
"""

# ruff: noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917, PLR1714  # numba compiles it: a branch costs nothing, a set would

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..codec.errors import ErrorKind
from ..codec.wire import MAX_ELEMENTS, MAX_STRING, MAX_TAGS
from . import instructions as do
from .addresses import (
    load8,
    load32,
    load64,
    store8,
    store16,
    store32,
    store64,
    wire8,
    wire16,
    wire32,
    wire64,
)
from .compiled import compiled
from .text import copy_bytes, copy_text

__all__ = ["ERROR_KINDS", "Status", "read_rows"]

ERROR_KINDS = (None, *ErrorKind)
"""What a number in the column of error kinds means; 0 is no error."""

LEVELS = 64  # arrays and tag sections inside one another; structs are at most 16 deep

_NUMBER_OF = {kind: number for number, kind in enumerate(ERROR_KINDS)}
_TRUNCATED = _NUMBER_OF[ErrorKind.TRUNCATED]
_LEAST, _MOST = -(1 << 31), (1 << 31) - 1
_NEGATIVE = _NUMBER_OF[ErrorKind.NEGATIVE_LENGTH]
_COUNT = _NUMBER_OF[ErrorKind.COUNT_EXCEEDS_INPUT]
_NULL = _NUMBER_OF[ErrorKind.NULL_NOT_ALLOWED]
_TOO_LONG = _NUMBER_OF[ErrorKind.STRING_TOO_LONG]
_VARINT = _NUMBER_OF[ErrorKind.VARINT_TOO_LONG]
_VERSION = _NUMBER_OF[ErrorKind.UNSUPPORTED_VERSION]
_RECORD_TYPE = _NUMBER_OF[ErrorKind.UNKNOWN_RECORD_TYPE]
_TAG = _NUMBER_OF[ErrorKind.BAD_TAGGED_FIELD]

_ROW = do.WIDTH * 8
_OFFSETS = do.OFFSETS * 8
_VALUES = do.VALUES * 8
_VALIDITY = do.VALIDITY * 8
_NUMBER = do.NUMBER * 8
_TARGET = do.TARGET * 8


@compiled
def _varint(at: int, end: int) -> tuple[int, int, int]:
    """An unsigned varint, wrapped to int32 as Kafka does: error or 0, value, where it ends."""
    value = 0
    for i in range(5):
        if at + i >= end:
            return _TRUNCATED, 0, at
        byte = wire8(at + i)
        value |= (byte & 0x7F) << (7 * i)
        if byte >= 0:
            value &= 0xFFFFFFFF
            return 0, value - ((value >> 31) << 32), at + i + 1
    return _VARINT, 0, at


@compiled
def _length(flags: int, at: int, end: int) -> tuple[int, int, int]:
    """A length or count: error or 0, the length (-1 for null), where it ends."""
    if flags & do.COMPACT:
        error, size, after = _varint(at, end)
        if error:
            return error, 0, at
        size = size - 1 if size > _LEAST else _MOST  # less one, in int32 as Java's
    elif flags & do.SHORT:
        if end - at < 2:
            return _TRUNCATED, 0, at
        size, after = wire16(at), at + 2
    else:
        if end - at < 4:
            return _TRUNCATED, 0, at
        size, after = wire32(at), at + 4
    if size < 0:
        if not flags & do.NULLABLE:
            return (_NULL if size == -1 else _NEGATIVE), 0, at
        size = -1
    return 0, size, after


@compiled
def _sized(row: int, e: int, at: int, end: int) -> tuple[int, int]:
    """Text or bytes: error or 0, and where it ends or what could not be read begins."""
    flags = load64(row + _NUMBER)
    error, size, after = _length(flags, at, end)
    if error:
        return error, at
    validity = load64(row + _VALIDITY)
    if validity:
        store8(validity + e, size >= 0)
    offsets = load64(row + _OFFSETS) + 4 * e
    start = load32(offsets)
    if size < 0:
        store32(offsets + 4, start)
        return 0, after
    text = flags & do.TEXT
    if text and size > MAX_STRING:
        return _TOO_LONG, at
    if size > end - after:
        return _TRUNCATED, at
    to = load64(row + _VALUES) + start
    if text:
        store32(offsets + 4, start + copy_text(to, after, size))
    else:
        copy_bytes(to, after, size)
        store32(offsets + 4, start + size)
    return 0, after + size


@compiled
def _string(offsets: int, values: int, at: int, end: int) -> tuple[int, int]:
    """The same for a string that has an int16 length and may not be null."""
    if end - at < 2:
        return _TRUNCATED, at
    size = wire16(at)
    if size < 0:
        return (_NULL if size == -1 else _NEGATIVE), at
    if size > end - at - 2:
        return _TRUNCATED, at
    start = load32(offsets)
    store32(offsets + 4, start + copy_text(values + start, at + 2, size))
    return 0, at + 2 + size


@compiled
def _count(row: int, e: int, at: int, end: int) -> tuple[int, int, int]:
    """The count of an array, its entry in the list's column written: error, count, its end."""
    error, count, after = _length(load64(row + _NUMBER), at, end)
    if error:
        return error, 0, at
    if count > end - after or count > MAX_ELEMENTS:  # as Kafka: an element takes a byte at least
        return _COUNT, 0, at
    validity = load64(row + _VALIDITY)
    if validity:
        store8(validity + e, count >= 0)
    count = max(count, 0)
    offsets = load64(row + _OFFSETS) + 4 * e
    store32(offsets + 4, load32(offsets) + count)
    return 0, count, after


@compiled
def _numbers(to: int, count: int, at: int, end: int) -> tuple[int, int]:
    """So many int32."""
    if 4 * count > end - at:
        return _TRUNCATED, at + (end - at) // 4 * 4
    for i in range(count):
        store32(to + 4 * i, wire32(at + 4 * i))
    return 0, at + 4 * count


@compiled
def _fixed(code: int, to: int, e: int, at: int, end: int) -> tuple[int, int]:
    """A value of fixed size."""
    left = end - at
    if code == do.READ_INT32:
        if left < 4:
            return _TRUNCATED, at
        store32(to + 4 * e, wire32(at))
        return 0, at + 4
    if code == do.READ_INT64:
        if left < 8:
            return _TRUNCATED, at
        store64(to + 8 * e, wire64(at))
        return 0, at + 8
    if code == do.READ_INT16 or code == do.READ_UINT16:
        if left < 2:
            return _TRUNCATED, at
        if code == do.READ_INT16:
            store16(to + 2 * e, wire16(at))
        else:
            store32(to + 4 * e, wire16(at) & 0xFFFF)
        return 0, at + 2
    if code == do.READ_UINT32:
        if left < 4:
            return _TRUNCATED, at
        store64(to + 8 * e, wire32(at) & 0xFFFFFFFF)
        return 0, at + 4
    if code == do.READ_UUID:
        if left < 16:
            return _TRUNCATED, at
        store64(to + 16 * e, load64(at))
        store64(to + 16 * e + 8, load64(at + 8))
        return 0, at + 16
    if left < 1:
        return _TRUNCATED, at
    byte = wire8(at)
    store8(to + e, byte if code == do.READ_INT8 else byte != 0)
    return 0, at + 1


@compiled
def _put(code: int, row: int, e: int) -> None:
    """A value that is not in the message."""
    values = load64(row + _VALUES)
    number = load64(row + _NUMBER)
    if code == do.PUT_EMPTY or code == do.PUT_VALIDITY:
        validity = load64(row + _VALIDITY)
        if validity:
            store8(validity + e, number)
        if code == do.PUT_EMPTY:
            offsets = load64(row + _OFFSETS) + 4 * e
            store32(offsets + 4, load32(offsets))
    elif code == do.PUT_INT32:
        store32(values + 4 * e, number)
    elif code == do.PUT_INT64:
        store64(values + 8 * e, number)
    elif code == do.PUT_INT16:
        store16(values + 2 * e, number)
    elif code == do.PUT_INT8:
        store8(values + e, number)
    else:
        store64(values + 16 * e, 0)
        store64(values + 16 * e + 8, 0)


@compiled
def _present(row: int, e: int, at: int, end: int) -> tuple[int, bool, int]:
    """The mark of a nullable struct: error or 0, whether it is there, where the mark ends."""
    if load64(row + _NUMBER) & do.COMPACT:
        error, mark, after = _varint(at, end)
        if error:
            return error, False, at
        there = mark != 0
    else:
        if at >= end:
            return _TRUNCATED, False, at
        there, after = wire8(at) >= 0, at + 1
    store8(load64(row + _VALIDITY) + e, there)
    return 0, there, after


@compiled
def _unknown_tag(row: int, e: int, tag: int, at: int, end: int) -> tuple[int, int]:
    """The size and data of a tag that the definition does not know, kept as they are."""
    error, size, after = _varint(at, end)
    if error:
        return error, at
    if size < 0 or size > end - after:
        return _TAG, at
    listed = load64(row + _OFFSETS) + 4 * e + 4
    place = load32(listed)
    store32(listed, place + 1)
    tags, data = row + _ROW, row + 2 * _ROW
    store32(load64(tags + _VALUES) + 4 * place, tag)
    offsets = load64(data + _OFFSETS) + 4 * place
    start = load32(offsets)
    copy_bytes(load64(data + _VALUES) + start, after, size)
    store32(offsets + 4, start + size)
    return 0, after + size


@compiled
def _message(code: int, first: int, e: int, at: int, end: int, stack: int) -> tuple[int, int]:
    """Run the program at `code` from row `first` on: error or 0, and where reading ended.

    Arrays and tag sections that are not at their end are on `stack`, four numbers each.
    """
    row = code + first * _ROW
    top = stack - 32
    tag = 0
    while True:
        what = load64(row)
        error = 0
        if what == do.READ_STRING:
            offsets = load64(row + _OFFSETS) + 4 * e
            error, at = _string(offsets, load64(row + _VALUES), at, end)
        elif what == do.LIST_INT32:
            start = load32(load64(row + _OFFSETS) + 4 * e)
            error, count, at = _count(row, e, at, end)
            if not error:
                row += _ROW
                error, at = _numbers(load64(row + _VALUES) + 4 * start, count, at, end)
        elif what == do.NEXT:
            left = load64(top) - 1
            if left:
                store64(top, left)
                e += 1
                row = load64(top + 16)
                continue
            e = load64(top + 8)
            top -= 32
        elif what == do.LIST or what == do.LIST_STRINGS:
            start = load32(load64(row + _OFFSETS) + 4 * e)
            error, count, at = _count(row, e, at, end)
            if not error:
                if what == do.LIST_STRINGS:
                    row += _ROW
                    offsets = load64(row + _OFFSETS) + 4 * start
                    values = load64(row + _VALUES)
                    for i in range(count):
                        error, at = _string(offsets + 4 * i, values, at, end)
                        if error:
                            break
                elif count:
                    row += _ROW
                    top += 32
                    store64(top, count)
                    store64(top + 8, e)
                    store64(top + 16, row)
                    e = start
                    continue
                else:
                    row = code + load64(row + _TARGET) * _ROW
                    continue
        elif what == do.READ_SIZED:
            error, at = _sized(row, e, at, end)
        elif what == do.END:
            return 0, at
        elif what < do.READ_SIZED and what >= do.READ_BOOL:
            error, at = _fixed(what, load64(row + _VALUES), e, at, end)
        elif what >= do.PUT_INT8 and what <= do.PUT_VALIDITY:
            _put(what, row, e)
        elif what == do.JUMP:
            row = code + load64(row + _TARGET) * _ROW
            continue
        elif what == do.PRESENT:
            error, there, at = _present(row, e, at, end)
            if not error and not there:
                row = code + load64(row + _TARGET) * _ROW
                continue
        elif what == do.OPTIONAL:
            if at == end:
                row = code + load64(row + _TARGET) * _ROW
                continue
        elif what == do.TAGS:
            offsets = load64(row + _OFFSETS) + 4 * e
            store32(offsets + 4, load32(offsets))
            start = at
            error, count, at = _varint(at, end)
            if not error and (count < 0 or count > end - at or count > MAX_TAGS):
                error, at = _TAG, start
            top += 32
            store64(top, count)
        elif what == do.NEXT_TAG:
            left = load64(top)
            if left == 0:
                top -= 32
                row = code + load64(row + _TARGET) * _ROW
                continue
            store64(top, left - 1)
            store64(top + 8, at)
            error, tag, at = _varint(at, end)
        elif what == do.ARM:
            if tag == load64(row + _NUMBER):
                target = load64(row + _TARGET)
                if target < 0:
                    return _TAG, load64(top + 8)
                error, _, at = _varint(at, end)  # Kafka does not look at the size of a known one
                if not error:
                    row = code + target * _ROW
                    continue
        else:
            error, at = _unknown_tag(row, e, tag, at, end)
            if not error:
                row = code + load64(row + _TARGET) * _ROW
                continue
        if error:
            return error, at
        row += _ROW


# -- what stands in front of the fields


class Front(NamedTuple):
    """What `read_rows` wants to know of a definition.

    `entries` is how many programs there are; `null_row` is where the one begins for a row without
    a message.
    """

    kind: int
    newer: int
    lowest: int
    highest: int
    api_key: int
    entries: int
    null_row: int


BODY, VERSION, RECORD_TYPE, VERSION32 = range(4)  # kinds; BODY: nothing stands there
REFUSE, CLAMP, HEAD_ONLY = range(3)  # what a newer version means


@compiled
def _front(front: Front, at: int, end: int) -> tuple[int, bool, int, int, int]:
    """Error or 0, whether a version stands there, which, its entry, how many bytes it takes."""
    kind = front.kind
    if end - at < (4 if kind == VERSION32 else 2):
        return _TRUNCATED, False, 0, 0, 0
    version = wire32(at) if kind == VERSION32 else wire16(at)
    lowest, highest = front.lowest, front.highest
    if kind == RECORD_TYPE:
        if version != front.api_key:
            return _RECORD_TYPE, False, 0, 0, 0
        return 0, True, highest, highest - lowest, 2
    size = 0 if kind == VERSION32 else 2
    if lowest <= version <= highest:
        return 0, True, version, version - lowest, size
    if version > highest and front.newer == CLAMP:
        return 0, True, version, highest - lowest, size
    if version > highest and front.newer == HEAD_ONLY:
        return 0, True, version, highest - lowest + 1, size
    return _VERSION, True, version, 0, 0


# -- rows


class Status(NamedTuple):
    """What became of each row: the addresses of columns that `read_rows` fills.

    `flags` and `errors` are bytes, the others int32. (Arrays instead of addresses would be
    counted by reference at each call, which takes longer than reading a message.)
    """

    flags: int
    versions: int
    schema_versions: int
    left: int
    errors: int
    error_offsets: int


HAS_VALUE, HAS_VERSION, HAS_SCHEMA_VERSION = 1, 2, 4  # flags of a row
ALL_FLAGS = HAS_VALUE | HAS_VERSION | HAS_SCHEMA_VERSION


class Column(NamedTuple):
    """A column of bytes, in addresses: the bytes; the highest offset allowed; the offsets, and
    whether they are int64; the validity bitmap or 0; the place of the first row in both."""

    data: int
    limit: int
    offsets: int
    wide: bool
    validity: int
    first: int


_ENTRY = 3 * 8


@compiled
def _read_row(
    code: int, front: Front, entries: int, row: int, at: int, end: int, stack: int, status: Status
) -> None:
    error, where = 0, at
    flags = HAS_VALUE
    if front.kind == BODY:
        for entry in range(front.entries):
            first, version = load64(entries + entry * _ENTRY), load64(entries + entry * _ENTRY + 8)
            error, where = _message(code, first, row, at, end, stack)
            store32(status.versions + 4 * row, version)
            store32(status.schema_versions + 4 * row, version)
            if not error:
                break
        flags = ALL_FLAGS
    else:
        error, there, version, entry, size = _front(front, at, end)
        if there:
            flags |= HAS_VERSION
            store32(status.versions + 4 * row, version)
        if not error:
            first = entries + entry * _ENTRY
            read_as, latest = load64(first + 8), load64(first + 16)
            if read_as >= 0:
                flags |= HAS_SCHEMA_VERSION
                store32(status.schema_versions + 4 * row, read_as)
            error, where = _message(code, load64(first), row, at + size, end, stack)
            if not error and latest and load32(latest + 4 * row) < version:
                error, where = _VERSION, at
    if error:
        _message(code, front.null_row, row, at, at, stack)
    store8(status.flags + row, flags)
    store32(status.left + 4 * row, end - where)
    store8(status.errors + row, error)
    store32(status.error_offsets + 4 * row, where - at)


@compiled
def read_rows(
    code: int, front: Front, entries: int, column: Column, rows: int, status: Status
) -> int:
    """Read so many rows; gives how many, or -1 - the row whose place is outside of its buffer.

    `code` is the address of the program. At `entries` stands for each version from the lowest on,
    then for the head of a newer one: the row where its program begins, the version (-1 for a
    head), and the address of the column whose value may not be below the version that stands in
    front, or 0. Where nothing stands in front, these are the versions to try, in order.

    Offsets that do not ascend up to `column.limit` would make rows overlap, and their elements
    more than the buffers have room for.
    """
    room = np.empty(4 * LEVELS, np.int64)
    stack = room.ctypes.data
    for row in range(rows):
        place = column.first + row
        if column.wide:
            at = column.offsets + 8 * place
            start, stop = load64(at), load64(at + 8)
        else:
            at = column.offsets + 4 * place
            start, stop = load32(at), load32(at + 4)
        if start < 0 or stop < start or stop > column.limit:
            return -1 - row
        start += column.data
        stop += column.data
        if column.validity and not load8(column.validity + (place >> 3)) >> (place & 7) & 1:
            _message(code, front.null_row, row, start, start, stack)
            store8(status.flags + row, 0)
            store8(status.errors + row, 0)
            store32(status.left + 4 * row, 0)
        else:
            _read_row(code, front, entries, row, start, stop, stack, status)
    return rows if room.size else 0  # the stack is in use until here
