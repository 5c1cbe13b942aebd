"""Layouts: the fields of one version of a definition, in the order of the bytes.

Readers, writers and programs are made from layouts, so that they compare no versions.

    Layout ── slots, tagged ──> Slot ── element ──> Layout   (for struct types)

Two versions with equal layouts share one reader and one writer.

Programs are layouts as plain rows, for the compiled core and for `identify`. They hold no class, no
default and no prose, so that the rows of all built-in messages load in a millisecond
(`messages/programs.py`, generated), and no definition is parsed to read a message.

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

import msgspec

from .spec import FIXED_BYTES, SIZED, Field, Spec, Struct


class Slot(msgspec.Struct, frozen=True):
    """A field in the layout of one version.

    `compact` says that its length or count is an unsigned varint of value + 1 (KIP-482);
    `optional` that the message may end before it. `element` is the struct's layout where the type
    is a struct or an array of structs.
    """

    field: Field
    nullable: bool
    compact: bool
    optional: bool = False
    element: Layout | None = None

    @property
    def base(self) -> str:
        """The type of a value or an element: a primitive, a string's encoding, or "struct"."""
        return "struct" if self.element is not None else self.field.encoding or self.field.type.name


class Layout(msgspec.Struct, frozen=True):
    """The fields of a message (`struct` is None) or of one of its structs, in one version.

    `slots` are in wire order, `tagged` in tag order; `absent` are the fields that this version
    does not have, which hold their default after reading.
    """

    struct: Struct | None
    flexible: bool
    slots: tuple[Slot, ...]
    tagged: tuple[Slot, ...]
    absent: tuple[Field, ...]

    @property
    def foreign_tags(self) -> tuple[int, ...]:
        """Tags that the definition uses in other versions only; Kafka's reader refuses them."""
        fields = (*self.absent, *(slot.field for slot in self.slots))
        return tuple(sorted(field.tag for field in fields if field.tag is not None))


HEAD = -1
"""Stands for a version that is too new, where only the head of the message can be read."""

HEAD_FIELDS = 2  # version and latestSupportedVersion, in Kafka Streams
LATEST_FIELD = "latest_supported_version"


def layout(spec: Spec, version: int) -> Layout:
    """Return the layout of `version`: one of `spec.versions`, or `HEAD` where the framing has it.

    Raises KeyError for any other version.
    """
    if version == HEAD and spec.framing.newer == "head":
        return _head(layout(spec, spec.versions.highest))
    if version not in spec.versions:
        raise KeyError(version)
    flexible = version in spec.flexible
    structs: dict[str, Layout] = {}
    for name, struct in spec.structs.items():  # each comes after those that it uses
        structs[name] = _lay_out(struct, struct.fields, version, flexible, structs)
    return _lay_out(None, spec.fields, version, flexible, structs)


def has_latest(layout: Layout) -> bool:
    """Return whether the head of the message has a latest supported version."""
    return any(slot.field.snake == LATEST_FIELD for slot in layout.slots[:HEAD_FIELDS])


def _head(highest: Layout) -> Layout:
    rest = tuple(slot.field for slot in highest.slots[HEAD_FIELDS:]) + highest.absent
    return Layout(None, flexible=False, slots=highest.slots[:HEAD_FIELDS], tagged=(), absent=rest)


def _lay_out(
    struct: Struct | None,
    fields: tuple[Field, ...],
    version: int,
    flexible: bool,
    structs: Mapping[str, Layout],
) -> Layout:
    present = [field for field in fields if version in field.versions]
    slots = [(field, _slot(field, version, flexible, structs)) for field in present]
    tagged = [slot for field, slot in slots if version in field.tagged]
    return Layout(
        struct=struct,
        flexible=flexible,
        slots=tuple(slot for field, slot in slots if version not in field.tagged),
        tagged=tuple(sorted(tagged, key=lambda slot: slot.field.tag or 0)),
        absent=tuple(field for field in fields if version not in field.versions),
    )


def _slot(field: Field, version: int, flexible: bool, structs: Mapping[str, Layout]) -> Slot:
    sized = field.type.array or field.type.name in SIZED
    own = flexible if field.flexible is None else version in field.flexible
    return Slot(
        field=field,
        nullable=version in field.nullable,
        compact=sized and own and not field.encoding,
        optional=version in field.optional,
        element=structs[field.type.name] if field.type.is_struct else None,
    )


def width(layout: Layout) -> int:
    """Return the fewest bytes that a value of this layout takes."""
    return sum(map(_slot_width, layout.slots)) + layout.flexible


def _slot_width(slot: Slot) -> int:
    if slot.field.type.array:
        return 1 if slot.compact else 4
    if slot.element is not None:
        return 1 if slot.nullable else width(slot.element)
    if slot.base in FIXED_BYTES:
        return FIXED_BYTES[slot.base]
    if slot.compact or slot.optional:
        return int(slot.compact)
    return 2 if slot.base in ("string", "modified-utf-8") else 4


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
