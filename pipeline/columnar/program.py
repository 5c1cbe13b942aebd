"""The columns of a layout, and the program by which the compiled core fills them.

The core walks a message as its layouts say. Here the fields of a layout are numbered by the
columns that their values go to, so that the same struct in two places has two layouts.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar
from uuid import UUID

from ...codec import Message
from ...codec.dialect.layout import (
    HEAD,
    LATEST_FIELD,
    Layout,
    LayoutRow,
    Slot,
    VersionRow,
    front_row,
    has_latest,
    layout_row,
    width,
)
from ...codec.dialect.spec import FIXED_BYTES, Field, Spec
from ...codec.runtime import engine
from ...codec.runtime.registry import layout_of, spec_of
from .columns import Column, FixedColumn, ListColumn, SizedColumn, StructColumn

__all__ = ["Program", "program_for"]

UNKNOWN_TAGGED_FIELDS = "unknown_tagged_fields"
_TAGGED_FIELD_BYTES = 2  # a tag and a size at least

C = TypeVar("C", bound=Column)


class Program:
    """The columns of a message class and how they are filled; `message` is the column of the whole.

    `body_versions` are the versions to try where there is no version field. Raises ValueError where
    a field, or the default of a field that a version lacks, has no column form.
    """

    def __init__(self, message_class: type[Message], body_versions: tuple[int, ...]) -> None:
        self.message_class = message_class
        self.body_versions = body_versions
        self._spec = spec = spec_of(message_class)
        layouts = {
            version: layout_of(message_class, version) for version in body_versions or spec.versions
        }
        if not body_versions and spec.framing.newer == "head":
            layouts[HEAD] = layout_of(message_class, HEAD)
        self.columns = _Columns(spec, layouts.values())
        self.message = self.columns.message()
        self.recoded = self.columns.recoded
        """Whether there is text in another encoding than UTF-8, which columns have: the core does
        not read it."""
        self._rows = _Rows(self.columns)
        self._versions = [self._version(version, layout) for version, layout in layouts.items()]

    def _version(self, version: int, layout: Layout) -> VersionRow:
        latest = None
        if self._spec.framing.newer == "head" and has_latest(layout):
            latest = self.message.children[LATEST_FIELD].number
        return version, self._rows.layout(layout, self.message), latest

    @cached_property
    def compiled(self) -> Any:
        """The core's program; there has to be a core."""
        versions = [row for row in self._versions if row[0] != HEAD]
        head = next((row for row in self._versions if row[0] == HEAD), None)
        return engine.CORE.ColumnProgram(
            front_row(self._spec),
            self._rows.layouts,
            [] if self.body_versions else versions,
            head,
            versions if self.body_versions else [],
            [self.columns.row(column) for column in self.columns],
        )


class _Rows:
    """Layouts as rows of plain numbers, each distinct one once."""

    def __init__(self, columns: _Columns) -> None:
        self.layouts: list[LayoutRow] = []
        self._columns = columns
        self._numbers: dict[LayoutRow, int] = {}

    def layout(self, layout: Layout, column: StructColumn) -> int:
        """The number of the layout of a struct whose values go to this column."""
        row = self._row(layout, column)
        if row not in self._numbers:
            self._numbers[row] = len(self.layouts)
            self.layouts.append(row)
        return self._numbers[row]

    def _row(self, layout: Layout, column: StructColumn) -> LayoutRow:
        children = column.children
        for field in _may_be_missing(layout):
            self._columns.check_default(field, children[field.snake])

        def element(slot: Slot) -> int:
            assert slot.element is not None
            child = children[slot.field.snake]
            below = child.element if isinstance(child, ListColumn) else child
            assert isinstance(below, StructColumn)
            return self.layout(slot.element, below)

        numbers = {name: child.number for name, child in children.items()}
        return layout_row(layout, column.number, numbers, element)


def _may_be_missing(layout: Layout) -> Iterator[Field]:
    """Yield the fields that may hold their default after a message of this layout was read."""
    yield from layout.absent
    yield from (slot.field for slot in layout.tagged)
    optional = [index for index, slot in enumerate(layout.slots) if slot.optional]
    if optional:
        yield from (slot.field for slot in layout.slots[optional[0] :])


class _Columns(list[Column]):
    """All columns of a message, in the order of their numbers: each behind those in it."""

    def __init__(self, spec: Spec, layouts: Iterable[Layout]) -> None:
        super().__init__()
        self._spec = spec
        self._smallest = _smallest(layouts)
        self._fields: dict[int, Field] = {}  # of columns that are fields
        self.recoded = False

    def message(self) -> StructColumn:
        # Whether a message is null is not said by its bytes: one that is refused is.
        children = self._children(self._spec.fields, 0)
        return self._numbered(StructColumn("message", 0, nullable=True, children=children))

    def row(self, column: Column) -> Any:
        """What the core has to know: shape, whether it is nullable, the columns in it, the default
        (None for null), and, of a struct, where its unknown tagged fields go."""
        unknown = None
        nullable = column.nullable and column is not self[-1]
        match column:
            case StructColumn():
                shape, inside = "struct", [child.number for child in column.children.values()]
                unknown = _unknown(column)
            case ListColumn():
                shape, inside = "list", [column.element.number]
            case FixedColumn():
                shape, inside = column.base, []
            case _:
                shape, inside = "string" if column.type == "string" else "bytes", []
        return shape, nullable, inside, self._default(column), unknown

    def _default(self, column: Column) -> int | None:
        field = self._fields.get(column.number)
        if field is None:
            return 0
        if isinstance(column, FixedColumn):
            return _number(field)
        return None if field.default_is_null else 0

    def check_default(self, field: Field, column: Column) -> None:
        """Raises ValueError where the default of a field has no column form."""
        if isinstance(column, StructColumn):
            for child in column.children.values() if not field.default_is_null else ():
                if child.number in self._fields:
                    self.check_default(self._fields[child.number], child)
        elif isinstance(column, SizedColumn) and field.default:
            raise ValueError(f"{field.name}: a default text other than '' has no column form")
        elif isinstance(column, FixedColumn) and column.base == "uuid" and _is_uuid(field.default):
            raise ValueError(f"{field.name}: a default uuid other than zero has no column form")

    def _numbered(self, column: C) -> C:
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
        if field.type.array:
            element = self._value(field, "element", self._smallest_element(field), nullable=False)
            column: Column = self._numbered(ListColumn(field.snake, smallest, nullable, element))
        else:
            column = self._value(field, field.snake, smallest, nullable)
        self._fields[column.number] = field
        return column

    def _value(self, field: Field, name: str, smallest: int, nullable: bool) -> Column:
        base = field.type.name
        self.recoded |= bool(field.encoding)
        if field.type.is_struct:
            children = self._children(self._spec.structs[base].fields, smallest)
            return self._numbered(StructColumn(name, smallest, nullable, children))
        if base in FIXED_BYTES:
            return self._numbered(FixedColumn(name, smallest, base))
        return self._numbered(SizedColumn(name, smallest, nullable, text=base == "string"))

    def _unknown_tagged_fields(self, smallest: int) -> Column:
        tag = self._numbered(FixedColumn("tag", _TAGGED_FIELD_BYTES, "int32"))
        data = self._numbered(SizedColumn("data", _TAGGED_FIELD_BYTES, nullable=False, text=False))
        children: dict[str, Column] = {"tag": tag, "data": data}
        element = StructColumn("element", _TAGGED_FIELD_BYTES, nullable=False, children=children)
        self._numbered(element)
        return self._numbered(ListColumn(UNKNOWN_TAGGED_FIELDS, smallest, False, element))

    def _smallest_element(self, field: Field) -> int:
        base = field.type.name
        if field.type.is_struct:
            return max(self._smallest.get(base, 1), 1)
        return FIXED_BYTES.get(base, 1 if self._spec.flexible or field.flexible else 2)


def _unknown(column: StructColumn) -> tuple[int, int, int] | None:
    """The columns of the list of a struct's unknown tagged fields, of their tags and their data."""
    tags = column.children.get(UNKNOWN_TAGGED_FIELDS)
    if tags is None:
        return None
    assert isinstance(tags, ListColumn) and isinstance(tags.element, StructColumn)
    inside = tags.element.children
    return tags.number, inside["tag"].number, inside["data"].number


def _smallest(layouts: Iterable[Layout]) -> dict[str, int]:
    """Return the fewest bytes that each struct takes in any of these layouts."""
    sizes: dict[str, int] = {}
    for layout in layouts:
        for element in _elements(layout):
            assert element.struct is not None
            name = element.struct.name
            sizes[name] = min(width(element), sizes.get(name, 1 << 31))
    return sizes


def _elements(layout: Layout) -> Iterator[Layout]:
    for slot in (*layout.slots, *layout.tagged):
        if slot.element is not None:
            yield slot.element
            yield from _elements(slot.element)


def _is_uuid(default: Any) -> bool:
    """Return whether a default is a uuid other than zero."""
    return isinstance(default, UUID) and default.int != 0


def _number(field: Field) -> int:
    """Return a default as the 64 bits that are stored."""
    default = field.default
    if field.type.name == "float64":
        bits: int = struct.unpack("=q", struct.pack("=d", default or 0.0))[0]
        return bits
    return default if isinstance(default, int) else 0


@lru_cache(maxsize=256)  # bounded: classes made at run time come and go
def program_for(message_class: type[Message], body_versions: tuple[int, ...] = ()) -> Program:
    """Return the program of a class: for the version field to choose from, or, where nothing
    does, for `body_versions`, tried in that order.
    """
    return Program(message_class, body_versions)
