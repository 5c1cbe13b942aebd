"""Cells of tables of other programs: bytes, numbers and times, in each form they are written in.

Bytes are binary columns as they are, or text that is hex (also with 0x or \\x in front) or base64
(the URL's alphabet too, with padding or without). Records of the offsets topic begin with a number
of 16 bits that is small, so hex of them begins with 00 and base64 with AA: that tells the two
apart. A time is a timestamp (UTC where no zone is said), a date, milliseconds since 1970, or ISO
8601.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import unhexlify
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ....capture.segments.records import LAST_TIME
from ..record_table import TIMESTAMP

__all__ = [
    "Cells",
    "as_bytes",
    "as_flags",
    "as_numbers",
    "as_text",
    "as_times",
    "detected",
    "is_binary",
    "is_text",
    "rows_where",
]

_SAMPLE = 1000  # cells of a column
_HEX = r"^(?:0x|\\x)?00[0-9a-fA-F]*$"
_BASE64 = "^AA"
_NUMBER = r"^(?P<number>-?\d{1,18})(?:\.0+)?$"
_EXACT = 1 << 53  # whole numbers beyond are not exact as floats
_URL_SAFE = str.maketrans("-_", "+/", "=")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LARGEST = (1 << 63) - 1
_A_SECOND = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}


class Cells(NamedTuple):
    """A column in the type it should have, and for each row that could not be converted the
    reason.
    """

    values: pa.Array
    refused: Mapping[int, str]


def is_binary(kind: pa.DataType) -> bool:
    """Return whether a column of this type has bytes."""
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
        or pa.types.is_binary_view(kind)
    )


def is_text(kind: pa.DataType) -> bool:
    """Return whether a column of this type has text, or only nulls."""
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_null(kind)
    )


def detected(columns: Iterable[pa.Array]) -> str | None:
    """Return the encoding of the bytes in these columns of text; None where no value tells."""
    votes = {"hex": 0, "base64": 0}
    for column in columns:
        cells = _cells(pc.drop_null(column).slice(0, _SAMPLE))
        for encoding, pattern in (("hex", _HEX), ("base64", _BASE64)):
            votes[encoding] += pc.sum(pc.match_substring_regex(cells, pattern)).as_py() or 0
    best = max(votes, key=lambda encoding: votes[encoding])
    return best if votes[best] else None


def as_bytes(column: pa.Array, encoding: str | None) -> Cells:
    """Return a column of keys or values; `encoding` says how text is written."""
    if is_binary(column.type):
        return Cells(column.cast(pa.binary()), {})
    if encoding == "binary":
        return Cells(_cells(column), {})
    read = _hex if encoding == "hex" else _base64
    return _read_cells(column, read, pa.binary(), f"is no {encoding}")


def as_numbers(column: pa.Array) -> Cells:
    """Return a column of partitions or offsets."""
    if pa.types.is_integer(column.type) and column.type != pa.uint64():
        return Cells(column.cast(pa.int64()), {})
    text = _cells(column)
    if pa.types.is_floating(column.type):  # which pandas makes of whole numbers beside nulls
        exact = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), _EXACT))
        numbers = pc.if_else(exact, column, pa.scalar(None, column.type))
    elif pa.types.is_duration(column.type):
        numbers = pa.nulls(len(column))
    else:
        numbers = pc.struct_field(pc.extract_regex(text, _NUMBER), "number").cast(pa.string())
    return _with_reasons(numbers.cast(pa.int64()), text, "is no number")


def as_times(column: pa.Array) -> Cells:
    """Return a column of times. A time that no calendar has is null, as in segments."""
    if pa.types.is_date(column.type):
        column = column.cast(pa.timestamp("ms"))
    kind = column.type
    if is_text(kind):
        times, reasons = _read_cells(column, _microseconds, pa.int64(), "is no time")
    elif pa.types.is_timestamp(kind):
        last = min(LAST_TIME * _A_SECOND[kind.unit] // 1000, _LARGEST)  # in ns all are before
        within = _within(column.cast(pa.int64()), last).cast(pa.timestamp(kind.unit))
        times, reasons = within.cast(pa.timestamp("us"), safe=False).cast(pa.int64()), {}
    else:
        millis, reasons = as_numbers(column)
        times = pc.multiply(_within(millis, LAST_TIME), 1000)
    return Cells(_within(times, LAST_TIME * 1000).cast(TIMESTAMP), reasons)


def _within(numbers: pa.Array, last: int) -> pa.Array:
    is_within = pc.and_(pc.greater_equal(numbers, 0), pc.less_equal(numbers, last))
    return pc.if_else(is_within, numbers, pa.scalar(None, pa.int64()))


def as_flags(column: pa.Array) -> Cells:
    """Return a column of booleans."""
    if pa.types.is_boolean(column.type):
        return Cells(column, {})
    words = {"true": True, "false": False}
    return _read_cells(
        column, lambda text: words[text.lower()], pa.bool_(), "is neither true nor false"
    )


def as_text(column: pa.Array) -> Cells:
    """Return a column of text."""
    return _read_cells(column, str, pa.string(), "is no text")


def _read_cells(
    column: pa.Array, read: Callable[[str], Any], kind: pa.DataType, wrong: str
) -> Cells:
    values: list[Any] = []
    reasons = {}
    for row, cell in enumerate(_cells(column).to_pylist()):
        try:
            values.append(None if cell is None else read(cell.decode()))
        except (ValueError, KeyError, OverflowError):
            values.append(None)
            reasons[row] = f"{_short(cell)} {wrong}"
    return Cells(pa.array(values, kind), reasons)


def _cells(column: pa.Array) -> pa.Array:
    """Return text as bytes: nobody has checked that it is UTF-8, and Spark makes text of any
    bytes.
    """
    return column.cast(pa.string()).cast(pa.binary())


def _with_reasons(values: pa.Array, text: pa.Array, wrong: str) -> Cells:
    failures = rows_where(pc.and_(values.is_null(), text.is_valid()))
    return Cells(values, {row: f"{_short(text[row].as_py())} {wrong}" for row in failures})


def rows_where(mask: pa.Array) -> list[int]:
    """Return the numbers of the rows where the mask is true."""
    numbers: list[int] = pc.indices_nonzero(mask).to_pylist()
    return numbers


def _short(cell: bytes) -> str:
    text = cell[:41].decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:40] + "…")


def _hex(text: str) -> bytes:
    return unhexlify(text[2:] if text[:2] in {"0x", "\\x"} else text)


def _base64(text: str) -> bytes:
    bare = text.translate(_URL_SAFE)
    return b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def _microseconds(text: str) -> int:
    if text.removeprefix("-").isdecimal():
        millis = int(text)
        if abs(millis) > _LARGEST:
            raise OverflowError
        return max(-1, min(millis, LAST_TIME + 1)) * 1000  # what no calendar has stays so
    when = datetime.fromisoformat(text)
    since = (when if when.tzinfo else when.replace(tzinfo=UTC)) - _EPOCH
    return (since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds
