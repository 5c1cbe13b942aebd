"""From a definition to the columns of its message and the program that fills them.

Every version has a program of its own, made from its `Layout`; all fill the same columns, those of
every field that the definition has in any version. A field that a version lacks gets its default.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np

from ..codec import Message
from ..codec.built_in import layout_of, spec_of
from ..codec.layout import HEAD, LATEST_FIELD, Layout, Slot, has_latest, width
from ..codec.spec import FIXED_BYTES, Field, Spec
from . import instructions as do
from . import machine
from .columns import Buffers, Column, FixedColumn, ListColumn, SizedColumn, StructColumn

__all__ = ["Program", "program_for"]

UNKNOWN_TAGGED_FIELDS = "unknown_tagged_fields"
_TAGGED_FIELD_BYTES = 2  # a tag and a size at least

_READ = {
    "bool": do.READ_BOOL, "int8": do.READ_INT8, "int16": do.READ_INT16,
    "uint16": do.READ_UINT16, "int32": do.READ_INT32, "uint32": do.READ_UINT32,
    "int64": do.READ_INT64, "float64": do.READ_INT64, "uuid": do.READ_UUID,
}  # fmt: skip
_PUT = {
    "bool": do.PUT_INT8, "int8": do.PUT_INT8, "int16": do.PUT_INT16,
    "uint16": do.PUT_INT32, "int32": do.PUT_INT32, "uint32": do.PUT_INT64,
    "int64": do.PUT_INT64, "float64": do.PUT_INT64, "uuid": do.PUT_ZERO_UUID,
}  # fmt: skip
_FRAMING = {
    "version": machine.VERSION,
    "record-type": machine.RECORD_TYPE,
    "version32": machine.VERSION32,
}
_NEWER = {
    "refuse": machine.REFUSE,
    "clamp": machine.CLAMP,
    "accept": machine.CLAMP,
    "head": machine.HEAD_ONLY,
}


class Program:
    """The columns of a message class and the instructions that fill them.

    `message` is the column of the whole. A program is linked to buffers for each batch.
    """

    def __init__(self, message_class: type[Message], body_versions: tuple[int, ...]) -> None:
        self._rows: list[list[int]] = []  # code, column, number, target
        spec = spec_of(message_class)
        layouts = {
            version: layout_of(message_class, version) for version in body_versions or spec.versions
        }
        if not body_versions and spec.framing.newer == "head":
            layouts[HEAD] = layout_of(message_class, HEAD)
        self.columns = _Columns(spec, layouts.values())
        self.message = self.columns.message()
        entries = [self._entry(version, layout) for version, layout in layouts.items()]
        null_row = len(self._rows)
        self._blank_fields(self.message)
        self._add(do.END)
        self._template = np.array(self._rows, np.int64)
        self._entries = np.array(entries, np.int64)
        self.front = _front(spec, len(entries), null_row, bare=bool(body_versions))

    def link(self, buffers: Sequence[Buffers]) -> tuple[Any, Any]:
        """The program and its entries with the addresses of these buffers in them."""
        addresses = np.array([*(each.addresses() for each in buffers), [0, 0, 0]], np.int64)
        code = np.empty((len(self._template), do.WIDTH), np.int64)
        code[:, do.CODE] = self._template[:, 0]
        code[:, do.OFFSETS : do.NUMBER] = addresses[self._template[:, 1]]
        code[:, do.NUMBER :] = self._template[:, 2:]
        entries = self._entries.copy()
        entries[:, 2] = addresses[entries[:, 2], 1]
        return code, entries

    def _entry(self, version: int, layout: Layout) -> tuple[int, int, int]:
        row = len(self._rows)
        self._fields(layout, self.message)
        self._add(do.END)
        latest = -1
        if version == HEAD or has_latest(layout):
            latest = self.message.children[LATEST_FIELD].number
        return row, version, latest

    # -- rows

    def _add(self, code: int, column: Column | None = None, number: int = 0) -> int:
        """Append an instruction; gives its row, so that it can be told its target later."""
        self._rows.append([code, -1 if column is None else column.number, number, 0])
        return len(self._rows) - 1

    def _land(self, *rows: int) -> None:
        """What jumps at these rows comes out here."""
        for row in rows:
            self._rows[row][3] = len(self._rows)

    def _jump(self, code: int, target: int, column: Column | None = None, number: int = 0) -> None:
        self._rows[self._add(code, column, number)][3] = target

    # -- reading

    def _fields(self, layout: Layout, column: StructColumn) -> None:
        children = column.children
        for field in (*layout.absent, *(slot.field for slot in layout.tagged)):
            self._default(field, children[field.snake])
        ends: dict[int, int] = {}  # index of an optional slot -> its row
        for index, slot in enumerate(layout.slots):
            if slot.optional:
                ends[index] = self._add(do.OPTIONAL)
            self._slot(slot, children[slot.field.snake])
        if ends:
            past = self._add(do.JUMP)
            for index in range(min(ends), len(layout.slots)):
                if index in ends:
                    self._land(ends[index])
                field = layout.slots[index].field
                self._default(field, children[field.snake])
            self._land(past)
        if UNKNOWN_TAGGED_FIELDS in children:
            self._tags(layout, children)

    def _slot(self, slot: Slot, column: Column, *, tagged: bool = False) -> None:
        if isinstance(column, ListColumn):
            self._array(slot, column)
        else:
            self._value(slot, column, nullable=slot.nullable, tagged=tagged)

    def _value(self, slot: Slot, column: Column, *, nullable: bool, tagged: bool = False) -> None:
        """One value, or one element of an array."""
        if isinstance(column, StructColumn):
            assert slot.element is not None
            if nullable:
                self._nullable_struct(slot.element, column, tagged)
            else:
                if column.nullable:
                    self._add(do.PUT_VALIDITY, column, 1)
                self._fields(slot.element, column)
        elif isinstance(column, FixedColumn):
            self._add(_READ[column.base], column)
        elif isinstance(column, SizedColumn):
            plain = column.text and not (column.nullable or slot.compact)
            code = do.READ_STRING if plain else do.READ_SIZED
            self._add(code, column, _flags(slot, nullable, text=column.text))

    def _nullable_struct(self, element: Layout, column: StructColumn, tagged: bool) -> None:
        null = self._add(do.PRESENT, column, do.COMPACT if tagged else 0)
        self._fields(element, column)
        past = self._add(do.JUMP)
        self._land(null)
        self._blank_fields(column)
        self._land(past)

    def _array(self, slot: Slot, column: ListColumn) -> None:
        element = column.element
        flags = _flags(slot, slot.nullable)
        if isinstance(element, FixedColumn) and element.base == "int32":
            self._add(do.LIST_INT32, column, flags)
            self._add(do.COLUMN, element)
        elif isinstance(element, SizedColumn) and element.text and not slot.compact:
            self._add(do.LIST_STRINGS, column, flags)
            self._add(do.COLUMN, element)
        else:
            empty = self._add(do.LIST, column, flags)
            self._value(slot, element, nullable=False)
            self._add(do.NEXT)
            self._land(empty)

    def _tags(self, layout: Layout, children: dict[str, Column]) -> None:
        unknown = children[UNKNOWN_TAGGED_FIELDS]
        assert isinstance(unknown, ListColumn) and isinstance(unknown.element, StructColumn)
        if not layout.flexible:
            self._add(do.PUT_EMPTY, unknown, 1)
            return
        self._add(do.TAGS, unknown)
        loop = self._add(do.NEXT_TAG)
        arms = [self._add(do.ARM, None, slot.field.tag or 0) for slot in layout.tagged]
        for tag in layout.foreign_tags:
            self._jump(do.ARM, -1, None, tag)
        self._jump(do.UNKNOWN_TAG, loop, unknown)
        for column in unknown.element.children.values():
            self._add(do.COLUMN, column)
        for arm, slot in zip(arms, layout.tagged, strict=True):
            self._land(arm)
            self._slot(slot, children[slot.field.snake], tagged=True)
            self._jump(do.JUMP, loop)
        self._land(loop)

    # -- writing what is not there

    def _default(self, field: Field, column: Column) -> None:
        if isinstance(column, StructColumn) and not field.default_is_null:
            if column.nullable:
                self._add(do.PUT_VALIDITY, column, 1)
            for name, child in column.children.items():
                self._default_of_child(field, name, child)
        elif isinstance(column, FixedColumn):
            self._add(_PUT[column.base], column, _number(field, column.base))
        elif isinstance(column, SizedColumn) and field.default:
            raise ValueError(f"{field.name}: a default text other than '' has no column form")
        elif field.default_is_null:
            self._blank(column)
        else:
            self._add(do.PUT_EMPTY, column, 1)

    def _default_of_child(self, field: Field, name: str, child: Column) -> None:
        if name == UNKNOWN_TAGGED_FIELDS:
            self._add(do.PUT_EMPTY, child, 1)
        else:
            self._default(self.columns.field(field.type.name, name), child)

    def _blank(self, column: Column) -> None:
        """Null, or what stands below a null: nothing, or zero."""
        if isinstance(column, StructColumn):
            if column.nullable:
                self._add(do.PUT_VALIDITY, column, 0)
            self._blank_fields(column)
        elif isinstance(column, FixedColumn):
            self._add(_PUT[column.base], column)
        else:
            self._add(do.PUT_EMPTY, column, 0)

    def _blank_fields(self, column: StructColumn) -> None:
        for child in column.children.values():
            self._blank(child)


class _Columns(list[Column]):
    """All columns of a message, in the order of their numbers."""

    def __init__(self, spec: Spec, layouts: Any) -> None:
        super().__init__()
        self._spec = spec
        self._smallest = _smallest(layouts)

    def message(self) -> StructColumn:
        # Its validity is not the machine's: a message that was not read to its end is null.
        children = self._children(self._spec.fields, 0)
        column = StructColumn("message", 0, nullable=True, children=children)
        column.number = len(self)
        self.append(column)
        return column

    def field(self, struct_name: str, snake: str) -> Field:
        """A field of a struct, by its name in snake_case."""
        fields = self._spec.structs[struct_name].fields
        return next(field for field in fields if field.snake == snake)

    def _numbered(self, column: Column) -> Column:
        column.number = len(self)
        self.append(column)
        return column

    def _children(self, fields: Sequence[Field], smallest: int) -> dict[str, Column]:
        children = {field.snake: self._column(field, smallest) for field in fields}
        if self._spec.flexible:
            children[UNKNOWN_TAGGED_FIELDS] = self._unknown_tagged_fields(smallest)
        return children

    def _column(self, field: Field, smallest: int) -> Column:
        nullable = bool(field.nullable) or field.default_is_null
        if not field.type.array:
            return self._value(field, field.snake, smallest, nullable)
        element = self._value(field, "element", self._smallest_element(field), nullable=False)
        return self._numbered(ListColumn(field.snake, smallest, nullable, element))

    def _value(self, field: Field, name: str, smallest: int, nullable: bool) -> Column:
        base = field.type.name
        if field.encoding:
            raise ValueError(f"{self._spec.name}.{field.name}: {field.encoding} has no column form")
        if field.type.is_struct:
            children = self._children(self._spec.structs[base].fields, smallest)
            return self._numbered(StructColumn(name, smallest, nullable, children))
        if base in FIXED_BYTES:
            return self._numbered(FixedColumn(name, smallest, base))
        return self._numbered(SizedColumn(name, smallest, nullable, text=base == "string"))

    def _unknown_tagged_fields(self, smallest: int) -> Column:
        tag = self._numbered(FixedColumn("tag", _TAGGED_FIELD_BYTES, "int32"))
        data = self._numbered(SizedColumn("data", _TAGGED_FIELD_BYTES, nullable=False, text=False))
        children = {"tag": tag, "data": data}
        element = StructColumn("element", _TAGGED_FIELD_BYTES, nullable=False, children=children)
        self._numbered(element)
        return self._numbered(ListColumn(UNKNOWN_TAGGED_FIELDS, smallest, False, element))

    def _smallest_element(self, field: Field) -> int:
        base = field.type.name
        if field.type.is_struct:
            return max(self._smallest.get(base, 1), 1)
        return FIXED_BYTES.get(base, 1 if self._spec.flexible or field.flexible else 2)


def _smallest(layouts: Any) -> dict[str, int]:
    """The fewest bytes that each struct takes in any of these layouts."""
    found: dict[str, int] = {}
    for layout in layouts:
        for element in _elements(layout):
            assert element.struct is not None
            name = element.struct.name
            found[name] = min(width(element), found.get(name, 1 << 31))
    return found


def _elements(layout: Layout) -> Iterator[Layout]:
    for slot in (*layout.slots, *layout.tagged):
        if slot.element is not None:
            yield slot.element
            yield from _elements(slot.element)


def _flags(slot: Slot, nullable: bool, *, text: bool = False) -> int:
    """How the length of a text, of bytes or of an array is written."""
    flags = do.COMPACT if slot.compact else do.SHORT if text else 0
    return flags | (do.NULLABLE if nullable else 0) | (do.TEXT if text else 0)


def _number(field: Field, base: str) -> int:
    """A default as the 64 bits that are stored."""
    default = field.default
    if base == "uuid":
        if isinstance(default, UUID) and default.int:
            raise ValueError(f"{field.name}: a default uuid other than zero has no column form")
        return 0
    if base == "float64":
        bits: int = struct.unpack("=q", struct.pack("=d", default or 0.0))[0]
        return bits
    assert default is None or isinstance(default, int)
    return int(default or 0)


def _front(spec: Spec, entries: int, null_row: int, *, bare: bool) -> machine.Front:
    return machine.Front(
        kind=machine.BODY if bare else _FRAMING[spec.framing.kind],
        newer=_NEWER[spec.framing.newer],
        lowest=spec.versions.lowest,
        highest=spec.versions.highest,
        api_key=spec.api_key or 0,
        entries=entries,
        null_row=null_row,
    )


@lru_cache(maxsize=256)  # bounded: classes made at run time come and go
def program_for(message_class: type[Message], body_versions: tuple[int, ...] = ()) -> Program:
    """The program of a class: for what stands in front to choose from, or, where nothing does,
    for `body_versions`, tried in that order."""
    return Program(message_class, body_versions)
