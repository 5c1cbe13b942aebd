"""Programs: the layouts of a definition as plain rows, for the compiled core and for `identify`.

They hold no class, no default and no prose, so that the rows of all built-in messages load in a
millisecond (`messages/programs.py`, generated), and no definition is parsed to read a message.

| row | content |
|---|---|
| program | (framing, newer versions, apiKey), layouts, versions, head, names of the classes |
| version | number, number of its layout, field with the latest supported version or None |
| layout | number of its class, flexible, slots, tagged, foreign tags, absent, fewest bytes |
| slot | number of the field in its class, type, flags, number of the struct's layout |
| tagged | tag, slot |
| absent | number of a field that the version lacks, whether it is ignorable |

A layout comes after those that it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .layout import HEAD, LATEST_FIELD, Layout, Slot, has_latest, layout, width
from .spec import Field, Spec

ARRAY, NULLABLE, COMPACT, OPTIONAL = 1, 2, 4, 8
"""The flags of a slot."""

SlotRow = tuple[int, str, int, int]
LayoutRow = tuple[
    int,
    bool,
    tuple[SlotRow, ...],
    tuple[tuple[int, SlotRow], ...],
    tuple[int, ...],
    tuple[tuple[int, bool], ...],
    int,
]
VersionRow = tuple[int, int, int | None]
Program = tuple[
    tuple[str, str, int | None],
    tuple[LayoutRow, ...],
    tuple[VersionRow, ...],
    VersionRow | None,
    tuple[str, ...],
]


def program(spec: Spec) -> Program:
    """Return the rows of every version of a definition."""
    rows = _Rows(spec)
    versions = tuple(rows.version(number, layout(spec, number)) for number in spec.versions)
    head = rows.version(HEAD, layout(spec, HEAD)) if spec.framing.newer == "head" else None
    return front_row(spec), tuple(rows.layouts), versions, head, tuple(rows.classes)


def front_row(spec: Spec) -> tuple[str, str, int | None]:
    """Return the framing and the API key as a row."""
    return spec.framing.kind, spec.framing.newer, spec.api_key


def layout_row(
    layout: Layout, owner: int, numbers: Mapping[str, int], element: Callable[[Slot], int]
) -> LayoutRow:
    """Return a layout as a row.

    `owner` is the number of its class, `numbers` are those of the fields of the class by name;
    `element` returns the number of the layout of a slot's struct.
    """

    def slot_row(slot: Slot) -> SlotRow:
        flags = (
            ARRAY * slot.field.type.array
            | NULLABLE * slot.nullable
            | COMPACT * slot.compact
            | OPTIONAL * slot.optional
        )
        inside = 0 if slot.element is None else element(slot)
        return numbers[slot.field.snake], slot.base, flags, inside

    return (
        owner,
        layout.flexible,
        tuple(slot_row(slot) for slot in layout.slots),
        tuple((slot.field.tag or 0, slot_row(slot)) for slot in layout.tagged),
        layout.foreign_tags,
        tuple((numbers[field.snake], field.ignorable) for field in layout.absent),
        width(layout),
    )


def _numbered(fields: Iterable[Field]) -> dict[str, int]:
    return {field.snake: number for number, field in enumerate(fields)}


class _Rows:
    """Rows of the distinct layouts of a definition, and the names of the classes they belong to."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.classes = [spec.class_name]
        self.layouts: list[LayoutRow] = []
        self._numbers: dict[LayoutRow, int] = {}
        self._owners: list[str | None] = [None]  # a struct may have the message's own name
        self._fields: dict[str | None, dict[str, int]] = {None: _numbered(spec.fields)}
        for struct in spec.structs.values():
            self._fields[struct.class_name] = _numbered(struct.fields)

    def version(self, number: int, layout: Layout) -> VersionRow:
        latest = None
        if self.spec.framing.newer == "head" and has_latest(layout):
            latest = self._fields[None][LATEST_FIELD]
        return number, self._layout(layout), latest

    def _layout(self, layout: Layout) -> int:
        row = self._row(layout)
        if row not in self._numbers:
            self._numbers[row] = len(self.layouts)
            self.layouts.append(row)
        return self._numbers[row]

    def _row(self, layout: Layout) -> LayoutRow:
        owner = layout.struct.class_name if layout.struct else None
        if owner is not None and owner not in self._owners:
            self._owners.append(owner)
            self.classes.append(owner)
        return layout_row(layout, self._owners.index(owner), self._fields[owner], self._element)

    def _element(self, slot: Slot) -> int:
        assert slot.element is not None
        return self._layout(slot.element)
