"""The Arrow columns of a message: which there are, how large their buffers may get, and how arrays
come out of them.

Columns are in containers: the rows, or the elements of an array. How small an element can be
bounds how many some bytes can hold, whatever they claim; so a buffer never has to grow, and what
it was not needed for is given back. Until then it is address space, not memory. Where values are
there as Python's objects, columns are made of these instead.

| in the definition | in Arrow |
|---|---|
| bool, int8, int16, int32, int64, float64 | the same |
| uint16, uint32 | int32, int64: neither Java nor Spark has unsigned integers |
| string, bytes, records | string, binary |
| uuid | binary, of 16 bytes |
| array, struct | list, struct |

A field is nullable where a version of it is, or where its default is null. Structs of a flexible
message end in `unknown_tagged_fields`, a list of {tag: int32, data: binary}.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

__all__ = ["Buffers", "Column", "FixedColumn", "ListColumn", "SizedColumn", "StructColumn"]

GROWTH = 3
"""How many bytes one byte of text may become: U+FFFD, in the place of what is no UTF-8, takes
three."""

FIXED: dict[str, tuple[pa.DataType, type[np.generic]]] = {
    "bool": (pa.bool_(), np.uint8),
    "int8": (pa.int8(), np.int8),
    "int16": (pa.int16(), np.int16),
    "uint16": (pa.int32(), np.int32),
    "int32": (pa.int32(), np.int32),
    "uint32": (pa.int64(), np.int64),
    "int64": (pa.int64(), np.int64),
    "float64": (pa.float64(), np.float64),
    "uuid": (pa.binary(), np.uint8),
}
"""The Arrow type of a primitive of fixed size, and what its buffer consists of."""

_UUID_BYTES = 16


class Buffers(NamedTuple):
    """The memory of one column, where it has it: one offset more than elements; validity is a byte
    an element."""

    offsets: Any = None
    values: Any = None
    validity: Any = None


class Column:
    """A column of the container whose elements take at least `smallest` bytes each (0: the rows).

    `number` is its place among all columns of the message.
    """

    type: pa.DataType

    def __init__(self, name: str, smallest: int, nullable: bool) -> None:
        self.name = name
        self.smallest = smallest
        self.nullable = nullable
        self.number = -1

    @property
    def field(self) -> pa.Field:
        return pa.field(self.name, self.type, nullable=self.nullable)

    def room(self, rows: int, size: int) -> int:
        """Return how many elements there can be in so many rows of so many bytes together.

        One more than fit: the one that turns out to be cut off has begun, with the defaults of
        fields that may not come.
        """
        return size // self.smallest + 1 if self.smallest else rows

    def buffers(self, rows: int, size: int) -> Buffers:
        """Memory for so many rows and bytes, whatever they are."""
        room = self.room(rows, size)
        return Buffers(validity=np.empty(room, np.uint8) if self.nullable else None)

    def array(self, count: int, all_buffers: Sequence[Buffers]) -> pa.Array:
        """Return the first `count` elements; the buffers are used up."""
        raise NotImplementedError

    def of(self, values: Sequence[Any]) -> pa.Array:
        """Return the column with these values of messages: None where there is none, so that what
        is below it is null, or zero, or empty, as in `array`.
        """
        raise NotImplementedError

    def validity(self, count: int, buffers: Buffers) -> pa.Buffer | None:
        return None if buffers.validity is None else bitmap(buffers.validity[:count])


class FixedColumn(Column):
    """Values of a fixed size."""

    def __init__(self, name: str, smallest: int, base: str) -> None:
        super().__init__(name, smallest, nullable=False)
        self.base = base
        self.type = FIXED[base][0]

    def buffers(self, rows: int, size: int) -> Buffers:
        room = self.room(rows, size) * (_UUID_BYTES if self.base == "uuid" else 1)
        return Buffers(values=np.empty(room, FIXED[self.base][1]))

    def array(self, count: int, all_buffers: Sequence[Buffers]) -> pa.Array:
        values = all_buffers[self.number].values
        if self.base == "uuid":
            offsets = np.arange(0, (count + 1) * _UUID_BYTES, _UUID_BYTES, dtype=np.int32)
            buffers = [None, pa.py_buffer(offsets), kept(values, count * _UUID_BYTES)]
        elif self.base == "bool":
            buffers = [None, packed(values[:count])]
        else:
            buffers = [None, kept(values, count)]
        return pa.Array.from_buffers(self.type, count, buffers, 0)

    def of(self, values: Sequence[Any]) -> pa.Array:
        if self.base == "uuid":
            zero = bytes(_UUID_BYTES)
            raw = [zero if value is None else value.bytes for value in values]
            return pa.array(raw, self.type)
        nothing = FIXED[self.base][1](0).item() if self.base != "bool" else False
        return pa.array([nothing if value is None else value for value in values], self.type)


class SizedColumn(Column):
    """A column of text or bytes."""

    def __init__(self, name: str, smallest: int, nullable: bool, *, text: bool) -> None:
        super().__init__(name, smallest, nullable)
        self.text = text
        self.type = pa.string() if text else pa.binary()
        self._empty = "" if text else b""

    def buffers(self, rows: int, size: int) -> Buffers:
        validity = super().buffers(rows, size).validity
        most = size * GROWTH if self.text else size
        return Buffers(offsets_for(self.room(rows, size)), np.empty(most, np.uint8), validity)

    def array(self, count: int, all_buffers: Sequence[Buffers]) -> pa.Array:
        buffers = all_buffers[self.number]
        data = kept(buffers.values, int(buffers.offsets[count]))
        offsets = kept(buffers.offsets, count + 1)
        validity = self.validity(count, buffers)
        return pa.Array.from_buffers(self.type, count, [validity, offsets, data])

    def of(self, values: Sequence[Any]) -> pa.Array:
        if not self.nullable:
            values = [value or self._empty for value in values]
        try:
            return pa.array(values, self.type)
        except UnicodeEncodeError:  # a lone surrogate, which Java's text may have
            return pa.array([value and _well_formed(value) for value in values], self.type)


def _well_formed(text: str) -> str:
    """Return the text with U+FFFD in the place of each lone surrogate."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class ListColumn(Column):
    """Arrays; `element` is a column of the container that their elements are."""

    def __init__(self, name: str, smallest: int, nullable: bool, element: Column) -> None:
        super().__init__(name, smallest, nullable)
        self.element = element
        self.type = pa.list_(element.field)

    def buffers(self, rows: int, size: int) -> Buffers:
        validity = super().buffers(rows, size).validity
        return Buffers(offsets_for(self.room(rows, size)), None, validity)

    def array(self, count: int, all_buffers: Sequence[Buffers]) -> pa.Array:
        buffers = all_buffers[self.number]
        element = self.element.array(int(buffers.offsets[count]), all_buffers)
        offsets = kept(buffers.offsets, count + 1)
        validity = self.validity(count, buffers)
        return pa.Array.from_buffers(self.type, count, [validity, offsets], children=[element])

    def of(self, values: Sequence[Any]) -> pa.Array:
        sizes = [len(value or ()) for value in values]
        offsets = pa.py_buffer(np.cumsum([0, *sizes], dtype=np.int32))
        element = self.element.of([item for value in values for item in value or ()])
        validity = presence(values) if self.nullable else None
        return pa.Array.from_buffers(
            self.type, len(values), [validity, offsets], children=[element]
        )


class StructColumn(Column):
    """Structs; `children` are columns of the same container."""

    def __init__(
        self, name: str, smallest: int, nullable: bool, children: dict[str, Column]
    ) -> None:
        super().__init__(name, smallest, nullable)
        self.children = children
        self.type = pa.struct([child.field for child in children.values()])

    def array(self, count: int, all_buffers: Sequence[Buffers]) -> pa.Array:
        children = [child.array(count, all_buffers) for child in self.children.values()]
        validity = self.validity(count, all_buffers[self.number])
        return pa.Array.from_buffers(self.type, count, [validity], children=children)

    def of(self, values: Sequence[Any]) -> pa.Array:
        children = self.children_of(values)
        validity = presence(values) if self.nullable else None
        return pa.Array.from_buffers(self.type, len(values), [validity], children=children)

    def children_of(self, values: Sequence[Any]) -> list[pa.Array]:
        """Return the columns in it."""
        return [
            child.of([None if value is None else getattr(value, name) for value in values])
            for name, child in self.children.items()
        ]


def offsets_for(count: int) -> Any:
    """Return an array for the offsets of so many elements, whose first is 0."""
    offsets = np.empty(count + 1, np.int32)
    offsets[0] = 0
    return offsets


def kept(array: Any, count: int) -> pa.Buffer:
    """Return the first `count` values of an array, which gives back the memory of the others."""
    array.resize(count, refcheck=False)
    return pa.py_buffer(array)


def packed(flags: Any) -> pa.Buffer:
    """Return a bitmap of Arrow, a bit a value, for an array of a byte a value."""
    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def presence(values: Sequence[Any]) -> pa.Buffer | None:
    """Return the validity of values of which None is null."""
    return bitmap(np.fromiter((value is not None for value in values), np.bool_, len(values)))


def bitmap(flags: Any) -> pa.Buffer | None:
    """Return the validity of elements; None where all are valid."""
    return None if flags.all() else packed(flags)
