"""Messages by the million: an Arrow column of bytes in, an Arrow column of structs out.

For policy KAFKA alone: on every input the value that `codec.decode` gives, or the same verdict.
The compiled core fills the columns, many millions of rows a second, without the interpreter's lock;
where it is not installed, `codec.decode` reads row by row.

>>> import pyarrow as pa
>>> from kproto.codec import ConsumerProtocolSubscription
>>> data = ConsumerProtocolSubscription(topics=["orders"]).to_bytes()
>>> column = decode_column(pa.array([data, data[:9], None]), ConsumerProtocolSubscription)
>>> column[0].as_py()["message"]["topics"]
['orders']
>>> column.field("error_kind").to_pylist(), column.field("error_offset").to_pylist()
([None, 'truncated', None], [None, 6, None])

The struct has these fields; in a row that is null, all of them are.

| field | type | what |
|---|---|---|
| message | struct, nullable | the fields by their names in snake_case (see `columns`); null where the bytes were refused |
| version | int32, nullable | the version field; null where not even that was there |
| schema_version | int32, nullable | the version that they were read as |
| bytes_left | int32 | bytes after the fields; where they were refused, from the place where reading stopped |
| error_kind | string, nullable | why, a value of `ErrorKind`; null where the message was read |
| error_offset | int32, nullable | of the first byte of what could not be read |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import ErrorKind, Message, Policy, decode
from ...codec.runtime import engine
from .columns import bitmap
from .program import Program, program_for

__all__ = ["ERROR_KINDS", "MAX_ROW", "decode_column", "decode_rows", "decoded_type"]

ERROR_KINDS = (None, *ErrorKind)
"""What a number in the core's column of error kinds means; 0 is no error."""

MAX_ROW = 512 << 20
"""The most bytes that a value may have; Arrow's offsets of text end at four times that."""
PIECE = 128 << 20
"""How many bytes of a column are read at once; buffers are sized by it."""


def decode_column(
    column: pa.Array | pa.ChunkedArray,
    message_class: type[Message],
    body_versions: tuple[int, ...] = (),
) -> Any:  # pa.StructArray for a pa.Array, pa.ChunkedArray for one
    """Decode a column of bytes as messages of one class; see the module for what comes back.

    The column is of type binary, large_binary, binary_view or fixed_size_binary, or a dictionary
    of these (which comes back written out). `body_versions` are for messages with nothing in
    front: the versions to try, in order. A ChunkedArray comes back in as many chunks as it takes,
    an Array as one: Arrow has no place there for more than 2 GiB of text of one field. Raises
    ValueError for that, for a value above `MAX_ROW`, for offsets that lie outside of the column's
    bytes, and for a message class that cannot be read here; TypeError for another type.
    """
    program = _program(message_class, body_versions)
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        line = "an array of pyarrow is wanted, such as pyarrow.array(frame['value'])"
        raise TypeError(f"{line}, not {type(column).__name__}")
    if isinstance(column, pa.ChunkedArray):
        chunks = [part for chunk in column.chunks for part in _decode(chunk, program)]
        return pa.chunked_array(chunks, decoded_type(message_class, body_versions))
    parts = list(_decode(column, program))
    try:
        return parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
    except pa.ArrowInvalid:
        line = f"{len(column):,} rows are more than an array can hold: hand over a ChunkedArray"
        raise ValueError(line) from None


def decode_rows(column: pa.Array, rows: Any, message_class: type[Message]) -> pa.StructArray:
    """Decode some rows of a column of type binary or large_binary: what `decode_column` returns of
    `column.take(rows)`, without a copy of their bytes. `rows` is a numpy array of int32.
    """
    program, source = _program(message_class, ()), _bytes(column)
    offsets = source.offsets[source.first :]
    size = int((offsets[1:][rows] - offsets[rows]).sum())
    if engine.CORE is None or program.recoded or size > PIECE:
        return decode_column(column.take(pa.array(rows)), message_class)
    piece = _Piece(source, source.first, len(rows), size, int(offsets[-1]), rows)
    return _read_by_core(piece, program)


def decoded_type(
    message_class: type[Message], body_versions: tuple[int, ...] = ()
) -> pa.StructType:
    """Return the type of what `decode_column` gives."""
    return _struct_type(_program(message_class, body_versions))


def _program(message_class: type[Message], body_versions: tuple[int, ...]) -> Program:
    if getattr(message_class, "VERSIONS", None) is None:
        line = "a message class of kproto.codec is wanted, such as ConsumerProtocolSubscription"
        advice = "; kproto.codec.message_class(name) is that of a name"
        is_name = isinstance(message_class, str)
        raise TypeError(f"{line}, not {message_class!r}{advice if is_name else ''}")
    versions = message_class.VERSIONS
    if not body_versions and message_class.FRAMING.kind == "none":
        raise ValueError(f"{message_class.NAME} has no version field: give body_versions")
    for version in body_versions:
        if version not in versions or message_class.FRAMING.kind == "version32":
            raise ValueError(f"{message_class.NAME} has no body of version {version}")
    return program_for(message_class, body_versions)


def _struct_type(program: Program) -> pa.StructType:
    return pa.struct(
        [
            program.message.field,
            pa.field("version", pa.int32()),
            pa.field("schema_version", pa.int32()),
            pa.field("bytes_left", pa.int32(), nullable=False),
            pa.field("error_kind", pa.string()),
            pa.field("error_offset", pa.int32()),
        ]
    )


# -- the column that comes in


class _Bytes(NamedTuple):
    """A column of bytes as it lies in memory; `first` is the place of its first row."""

    validity: pa.Buffer | None
    offsets: Any
    data: pa.Buffer | None
    first: int

    def rows(self, start: int, stop: int, limit: int) -> Iterator[bytes | None]:
        """The values of these rows. Raises ValueError for one outside of the column's bytes, which
        end at `limit`."""
        data = memoryview(self.data or b"")
        for row in range(start, stop):
            place = self.first + row
            begin, end = int(self.offsets[place]), int(self.offsets[place + 1])
            if not 0 <= begin <= end <= min(limit, len(data)):
                raise _outside(row - start)
            valid = self.validity is None or self.validity[place >> 3] >> (place & 7) & 1
            yield bytes(data[begin:end]) if valid else None


def _outside(row: int) -> ValueError:
    return ValueError(f"row {row:,} lies outside of the column's bytes")


def _decode(column: pa.Array, program: Program) -> Iterator[pa.StructArray]:
    """Return the decoded column in as many pieces as it takes, at least one."""
    if pa.types.is_dictionary(column.type):
        yield from _written_out(column.indices, _plain(column.dictionary), program)
        return
    column = _plain(column)
    source = _bytes(column)
    for start, stop in _pieces(source.offsets[source.first :]):
        yield _read(source, start, stop, program)


def _written_out(indices: pa.Array, values: pa.Array, program: Program) -> Iterator[pa.StructArray]:
    """The rows of a dictionary; its values are decoded once, where all of them are one piece."""
    sizes = pc.binary_length(values)
    once = None
    if (pc.sum(sizes).as_py() or 0) <= PIECE:
        once = pa.concat_arrays([*_decode(values, program)])
    lengths = pc.fill_null(sizes.take(indices), 0).to_numpy()
    for start, stop in _pieces(np.append(0, lengths).cumsum()):
        rows = indices.slice(start, stop - start)
        if once is not None:
            yield once.take(rows)
        else:
            yield from _decode(values.take(rows), program)


def _plain(column: pa.Array) -> pa.Array:
    kind = column.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return column
    if pa.types.is_binary_view(kind) or pa.types.is_fixed_size_binary(kind):
        return column.cast(pa.large_binary())
    if pa.types.is_null(kind):
        return column.cast(pa.binary())
    raise TypeError(f"a column of bytes is wanted, not of {kind}")


def _bytes(column: pa.Array) -> _Bytes:
    validity, offsets, data = column.buffers()
    if not len(column):  # it may have no buffers at all
        return _Bytes(None, np.zeros(1, np.int32), None, 0)
    width = np.int64 if pa.types.is_large_binary(column.type) else np.int32
    count = column.offset + len(column) + 1  # the buffer may be longer, by any number of bytes
    return _Bytes(validity, np.frombuffer(offsets, width, count), data, column.offset)


def _pieces(ends: Any) -> Iterator[tuple[int, int]]:
    """Rows from and to, at most `PIECE` bytes each where there is more than one row; `ends` has
    where the first begins, then where each ends."""
    rows, start = len(ends) - 1, 0
    while start == 0 or start < rows:
        limit = int(ends[start]) + PIECE
        stop = rows
        if int(ends[rows]) > limit:
            stop = max(int(np.searchsorted(ends, limit, "right")) - 1, start + 1)
        yield start, stop
        start = max(stop, 1)


# -- the columns that come out


class _Status(NamedTuple):
    """What became of the rows, a column each: `flags` and `errors` are bytes, the others int32."""

    flags: Any
    versions: Any
    schema_versions: Any
    left: Any
    errors: Any  # places in `ERROR_KINDS`
    error_offsets: Any

    @classmethod
    def of(cls, rows: int) -> _Status:
        """Columns in which nothing has been written."""
        return cls(*(np.empty(rows, type_) for type_ in _STATUS))


_STATUS = (np.uint8, np.int32, np.int32, np.int32, np.uint8, np.int32)
HAS_VALUE, HAS_VERSION, HAS_SCHEMA_VERSION = 1, 2, 4  # flags of a row
ALL_FLAGS = HAS_VALUE | HAS_VERSION | HAS_SCHEMA_VERSION


def _read(source: _Bytes, start: int, stop: int, program: Program) -> pa.StructArray:
    lowest = int(source.offsets[source.first + start])
    limit = int(source.offsets[source.first + stop])
    size = limit - lowest
    if size > MAX_ROW:
        raise ValueError(f"a value of {size:,} bytes, at most {MAX_ROW:,}")
    if engine.CORE is None or program.recoded:
        return _read_by_codec([*source.rows(start, stop, limit)], program)
    return _read_by_core(_Piece(source, source.first + start, stop - start, size, limit), program)


class _Piece(NamedTuple):
    """Rows of a column that are read at once: so many of them, which have `size` bytes together and
    end at `limit`, from the place `first` on; those whose numbers, from there on, are `chosen`, or
    the next ones."""

    source: _Bytes
    first: int
    rows: int
    size: int
    limit: int
    chosen: Any = None


def _read_by_core(piece: _Piece, program: Program) -> pa.StructArray:
    source, rows = piece.source, piece.rows
    buffers = [column.buffers(rows, piece.size) for column in program.columns]
    status = _Status.of(rows)
    wide = source.offsets.dtype == np.int64
    bad_row = program.compiled.read(
        (source.validity, source.offsets, wide, source.data),
        piece.first,
        rows,
        piece.limit,
        buffers,
        status,
        piece.chosen,
    )
    if bad_row is not None:
        raise _outside(bad_row)
    children = [child.array(rows, buffers) for child in program.message.children.values()]
    return _assemble(program, children, status)


def _read_by_codec(rows: list[bytes | None], program: Program) -> pa.StructArray:
    status = _Status(*(np.zeros(len(rows), type_) for type_ in _STATUS))
    messages = [
        None if data is None else _read_row(data, program, status, number)
        for number, data in enumerate(rows)
    ]
    return _assemble(program, program.message.children_of(messages), status)


def _read_row(data: bytes, program: Program, status: _Status, row: int) -> Message | None:
    result: Any = None
    for version in program.body_versions or (None,):
        result = decode(data, program.message_class, policy=Policy.LENIENT, body_version=version)
        if result.error is None:
            break
    status.flags[row] = HAS_VALUE
    if result.version is not None:
        status.flags[row] |= HAS_VERSION
        status.versions[row] = result.version
    if result.schema_version is not None:
        status.flags[row] |= HAS_SCHEMA_VERSION
        status.schema_versions[row] = result.schema_version
    status.left[row] = len(result.remainder)
    if result.error is not None:
        status.errors[row] = ERROR_KINDS.index(result.error.kind)
        status.error_offsets[row] = result.error.offset
    message: Message | None = result.message
    return message


def _assemble(program: Program, children: list[pa.Array], status: _Status) -> pa.StructArray:
    flags, versions, schema_versions, left, errors, error_offsets = status
    rows = len(flags)
    plain = bool((flags == ALL_FLAGS).all())
    has_errors = bool(errors.any())
    valid = None if plain else bitmap(flags & HAS_VALUE)
    read = valid if not has_errors else bitmap((flags & HAS_VALUE) & (errors == 0))
    message = pa.Array.from_buffers(program.message.type, rows, [read], children=children)
    columns = [
        message,
        _int32(versions, None if plain else bitmap(flags & HAS_VERSION)),
        _int32(schema_versions, None if plain else bitmap(flags & HAS_SCHEMA_VERSION)),
        _int32(left, None),
        *_errors(errors, error_offsets, has_errors),
    ]
    return pa.Array.from_buffers(_struct_type(program), rows, [valid], children=columns)


def _int32(values: Any, validity: pa.Buffer | None) -> pa.Array:
    return pa.Array.from_buffers(pa.int32(), len(values), [validity, pa.py_buffer(values)])


@cache
def _names() -> pa.Array:
    """The names of error kinds. The first array of Python values imports pandas, where it is
    installed: no sooner than an error needs them."""
    return pa.array([kind and kind.value for kind in ERROR_KINDS], pa.string())


def _errors(errors: Any, offsets: Any, has_errors: bool) -> tuple[pa.Array, pa.Array]:
    if not has_errors:
        return pa.nulls(len(errors), pa.string()), pa.nulls(len(errors), pa.int32())
    return pc.take(_names(), pa.array(errors)), _int32(offsets, bitmap(errors != 0))
