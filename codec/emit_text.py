"""What the emitters share: indented lines, struct's codes, and the names of one module."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .layout import Layout
from .spec import FIXED_BYTES, INTEGER_RANGES, Field, Spec, Struct

# A string that is not UTF-8: code of its length, bytes a unit of it, how to read and to write it
ENCODED = {
    "modified-utf-8": ("H", 1, "decode_modified", "encode_modified"),
    "utf-16": ("i", 2, "decode_utf16", "encode_utf16"),
}

# struct's code for each fixed-size type, and for the prefix of a length or count
CODES = {
    "bool": "?", "int8": "b", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "float64": "d", "uuid": "16s",
}  # fmt: skip
CODE_BYTES = {CODES[name]: size for name, size in FIXED_BYTES.items()} | {"B": 1}
NUMBERS = ("bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64")
ANNOTATIONS = {
    "bool": "bool", "float64": "float", "uuid": "UUID", "string": "str", "bytes": "bytes",
    "records": "bytes", "modified-utf-8": "str", "utf-16": "str",
    **dict.fromkeys(INTEGER_RANGES, "int"),
}  # fmt: skip


class Lines:
    """Indented lines."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.depth = 0

    def add(self, *lines: str) -> None:
        self.out += ("    " * self.depth + line if line else "" for line in lines)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.add(head)
        self.depth += 1
        yield
        self.depth -= 1


class Names:
    """The module-level names that a module's functions use: made when asked for, once."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.constants: dict[str, str] = {}  # name -> expression
        self.structs: set[str] = set()  # classes that have a short name

    def constant(self, name: str, expression: str) -> str:
        """The name of a constant of the module."""
        self.constants[name] = expression
        return name

    def class_of(self, struct: Struct | None) -> str:
        """The name of the message class (None) or of a struct's."""
        if struct is None:
            return self.spec.class_name
        self.structs.add(struct.class_name)
        return f"_{struct.class_name}"

    def default(self, field: Field) -> str:
        """The default of a field, as an expression."""
        if has_struct_default(field):
            return shared_default(self.spec, field)
        return default_literal(field)


# Names that generated functions use themselves; a field of that name becomes `size_2` there.
_TAKEN = frozenset(
    "data pos size raw high following tag known end message parts add "
    "len range tuple type list int bytes bool float str "
    "fixed few_numbers numbers packed pack_numbers pack_strings short_strings strings truth varint "
    "uuid_of read_raw_tag read_tags read_varint write_tags "
    "decode_modified decode_utf16 encode_modified encode_utf16".split()
)


class Body(Lines):
    """What reader and writer share: a name is used once in a function."""

    def __init__(self, names: Names, layout: Layout) -> None:
        super().__init__()
        self.names = names
        self.layout = layout
        self.used = set(_TAKEN)

    def fresh(self, name: str) -> str:
        candidate, number = name, 2
        while candidate in self.used:
            candidate, number = f"{name}_{number}", number + 1
        self.used.add(candidate)
        return candidate


def shared_default(spec: Spec, field: Field) -> str:
    """The name of the one struct of defaults that all messages share; it is immutable."""
    return f"_DEFAULT_{spec.structs[field.type.name].class_name}"


def has_struct_default(field: Field) -> bool:
    """Whether the default is a struct of defaults."""
    return field.type.is_struct and not field.type.array and not field.default_is_null


def default_literal(field: Field) -> str:
    """The default of a field that is no struct, as an expression."""
    if field.type.name == "uuid" and not field.type.array:
        zero = getattr(field.default, "int", 0) == 0
        return "ZERO_UUID" if zero else f"UUID(int={getattr(field.default, 'int', 0)})"
    if isinstance(field.default, float) and not math.isfinite(field.default):
        return f"float({str(field.default)!r})"
    return repr(field.default)


def tuple_of(names: Iterable[object]) -> str:
    """A tuple of literals."""
    items = [repr(name) for name in names]
    return f"({', '.join(items)},)" if len(items) == 1 else f"({', '.join(items)})"


def identifier(codes: str) -> str:
    """struct's codes as part of a name, all in small letters: `H` is told as `u_h`."""
    plain = codes.replace("16s", "uuid_").replace("?", "bool_")
    return "".join(f"u_{code.lower()}" if code.isupper() else code for code in plain).rstrip("_")
