"""Parts of generated source: indented lines, names, calls of the runtime, literals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from ..dialect.layout import HEAD, Layout, Slot
from ..dialect.spec import INTEGER_RANGES, SIZED, Field, Spec, Struct

ANNOTATIONS = {
    "bool": "bool", "float64": "float", "uuid": "UUID", "string": "str", "bytes": "bytes",
    "records": "bytes", "modified-utf-8": "str", "utf-16": "str",
    **dict.fromkeys(INTEGER_RANGES, "int"),
}  # fmt: skip

# What generated code calls: for numbers the `wire.primitives.Number`, else a function of this name.
NUMBERS = {
    "int8": "INT8", "int16": "INT16", "uint16": "UINT16", "int32": "INT32", "uint32": "UINT32",
    "int64": "INT64", "float64": "FLOAT64",
}  # fmt: skip
FUNCTIONS = {
    "bool": "bool", "uuid": "uuid", "string": "string", "bytes": "bytes", "records": "bytes",
    "modified-utf-8": "modified_utf8", "utf-16": "utf16",
}  # fmt: skip


class Lines:
    """Lines of source under construction, with their indentation."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.depth = 0

    def add(self, *lines: str) -> None:
        """Add lines at the current depth."""
        self.out += ("    " * self.depth + line if line else "" for line in lines)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add a line, and indent what is added inside the `with` block."""
        self.add(head)
        self.depth += 1
        yield
        self.depth -= 1


class Function:
    """The reader and the writer of one layout, and the versions that have it.

    `elements` are those of its fields that are structs, by the field's name in snake_case.
    """

    def __init__(self, stem: str, layout: Layout, elements: Mapping[str, Function]) -> None:
        self.stem = stem  # the struct's name; "" of the message
        self.layout = layout
        self.elements = elements
        self.versions: list[int] = []

    @property
    def name(self) -> str:
        """The name in the source, of the first and last version: `v1_3`, `topic_partition_v1_3`.

        Versions in between may have another function; a list of all versions could be too long.
        """
        first, last = self.versions[0], self.versions[-1]
        versions = f"v{first}" if first == last else f"v{first}_{last}"
        if first == HEAD:
            return "head"
        return f"{self.stem}_{versions}" if self.stem else versions

    def call(self, verb: str, slot: Slot, subject: str, *, tagged: bool = False) -> str:
        """Return what reads or writes a field: `read_compact_array(data, pos, _read_topic_v0)`."""
        form = "compact_" * slot.compact + "nullable_" * slot.nullable
        array = slot.field.type.array
        if slot.base in NUMBERS:
            return f"{NUMBERS[slot.base]}.{verb}{f'_{form}array' * array}({subject})"
        if slot.base in FUNCTIONS and not array:
            return f"{verb}_{form}{FUNCTIONS[slot.base]}({subject})"
        if (verb, slot.base, form) == ("read", "string", ""):
            return f"read_string_array({subject})"
        element = self._element(verb, slot)
        if array:
            return f"{verb}_{form}array({subject}, {element})"
        if slot.nullable:
            return f"{verb}_{'tagged_' * tagged}nullable({subject}, {element})"
        return f"{element}({subject})"

    def _element(self, verb: str, slot: Slot) -> str:
        """Return the function that reads or writes one element of an array, or a struct."""
        if slot.element is not None:
            return f"_{verb}_{self.elements[slot.field.snake].name}"
        compact = slot.compact and slot.base in SIZED
        return f"{verb}_{'compact_' * compact}{FUNCTIONS[slot.base]}"


class Names:
    """The names of classes and defaults in one module."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def class_of(self, struct: Struct | None) -> str:
        """Return the name of the message class (None) or of a struct's."""
        return self.spec.class_name if struct is None else f"_{struct.class_name}"

    def default(self, field: Field) -> str:
        """Return the default of a field, as an expression."""
        if has_struct_default(field):
            return shared_default(self.spec.structs[field.type.name].class_name)
        return default_literal(field)


def shared_default(class_name: str) -> str:
    """Return the name of the immutable struct of defaults that all messages share."""
    return f"_DEFAULT_{class_name}"


def has_struct_default(field: Field) -> bool:
    """Return whether the default is a struct of defaults."""
    return field.type.is_struct and not field.type.array and not field.default_is_null


def default_literal(field: Field) -> str:
    """Return the default of a field that is no struct, as an expression."""
    if field.type.name == "uuid" and not field.type.array:
        zero = getattr(field.default, "int", 0) == 0
        return "ZERO_UUID" if zero else f"UUID(int={getattr(field.default, 'int', 0)})"
    if isinstance(field.default, float) and not math.isfinite(field.default):
        return f"float({str(field.default)!r})"
    return repr(field.default)


def tuple_of(names: Iterable[object]) -> str:
    """Return a tuple display of literals."""
    items = [repr(name) for name in names]
    return f"({', '.join(items)},)" if len(items) == 1 else f"({', '.join(items)})"
