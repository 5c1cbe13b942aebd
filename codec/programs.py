"""Programs: the layouts of a definition as plain rows, for the compiled core and for `identify`.

No class, no default and no prose is in them, so those of all built-in messages load in a
millisecond (`messages/programs.py`, generated) and nobody parses a definition to read a message.

| row | what is in it |
|---|---|
| program | (framing, newer versions, apiKey), layouts, versions, head, names of the classes |
| version | number, number of its layout, field with the latest supported version or None |
| layout | number of its class, flexible, slots, tagged, foreign tags, absent, fewest bytes |
| slot | number of the field in its class, type, flags, number of the struct's layout |
| tagged | tag, slot |
| absent | number of a field that the version lacks, whether it is ignorable |

A layout stands after those that it uses.
"""

from __future__ import annotations

from .layout import HEAD, LATEST_FIELD, Layout, Slot, has_latest, layout, width
from .spec import Spec

ARRAY, NULLABLE, COMPACT, OPTIONAL = 1, 2, 4, 8
"""Flags of a slot."""

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
    front = (spec.framing.kind, spec.framing.newer, spec.api_key)
    return front, tuple(rows.layouts), versions, head, tuple(rows.classes)


class _Rows:
    """Each distinct layout once, and the classes that they are of; the first is the message's."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.classes = [spec.class_name]
        self.layouts: list[LayoutRow] = []
        self._numbers: dict[LayoutRow, int] = {}
        self._fields = {spec.class_name: self._numbered([field.snake for field in spec.fields])}
        for struct in spec.structs.values():
            self._fields[struct.class_name] = self._numbered([f.snake for f in struct.fields])

    def _numbered(self, names: list[str]) -> dict[str, int]:
        return {name: number for number, name in enumerate(names)}

    def version(self, number: int, layout: Layout) -> VersionRow:
        latest = None
        if self.spec.framing.newer == "head" and has_latest(layout):
            latest = self._fields[self.spec.class_name][LATEST_FIELD]
        return number, self._layout(layout), latest

    def _layout(self, layout: Layout) -> int:
        row = self._row(layout)
        if row not in self._numbers:
            self._numbers[row] = len(self.layouts)
            self.layouts.append(row)
        return self._numbers[row]

    def _row(self, layout: Layout) -> LayoutRow:
        name = layout.struct.class_name if layout.struct else self.spec.class_name
        if name not in self.classes:
            self.classes.append(name)
        fields = self._fields[name]
        return (
            self.classes.index(name),
            layout.flexible,
            tuple(self._slot(slot, fields) for slot in layout.slots),
            tuple((slot.field.tag or 0, self._slot(slot, fields)) for slot in layout.tagged),
            layout.foreign_tags,
            tuple((fields[field.snake], field.ignorable) for field in layout.absent),
            width(layout),
        )

    def _slot(self, slot: Slot, fields: dict[str, int]) -> SlotRow:
        flags = (
            ARRAY * slot.field.type.array
            | NULLABLE * slot.nullable
            | COMPACT * slot.compact
            | OPTIONAL * slot.optional
        )
        element = 0 if slot.element is None else self._layout(slot.element)
        return fields[slot.field.snake], slot.base, flags, element
