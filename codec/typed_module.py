"""A typed module for a definition: what type checkers and editors know of its class.

The module holds the definition and compiles it when it is imported, so that its class is the one
that `compile_definition` gives, with the same engine. A type checker reads the fields instead. The
module imports public names of `kproto.codec` alone, and is laid out as black and ruff do it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

from .definitions import spec_of_definition
from .dialect.framing import Framing
from .dialect.spec import Field, Spec
from .generate.docstrings import docstrings, literal, printable
from .generate.source import ANNOTATIONS, Lines

WIDTH = 88  # columns: black's; long names go beyond
MARK = "by `kproto codegen`"  # in the docstring of each module
_HOMES = {
    "__future__": ("annotations",),
    "builtins": ("bool", "bytes", "float", "int", "str", "tuple"),
    "collections.abc": ("Iterable",),
    "typing": ("TYPE_CHECKING", "Self"),
    "uuid": ("UUID",),
    "kproto.codec": (
        "Framing", "Message", "MessagePart", "RawTaggedField", "VersionedMessage",
        "compile_definition",
    ),
}  # fmt: skip
"""What a module uses, by where that is."""
_OR_NONE = " | None"
_GROUPS = {"__future__": 0, "kproto.codec": 2}


def generate_module(
    definition: str | os.PathLike[str] | Mapping[str, Any], *, framing: Framing | str | None = None
) -> str:
    """Return the source of a Python module with the typed message class of one definition.

    The arguments and errors are those of `compile_definition`, and so is the class, once the module
    is imported. `kproto codegen` writes such modules.

    >>> source = generate_module({"type": "data", "name": "Ping", "validVersions": "0",
    ...     "fields": [{"name": "Sent", "type": "int32", "versions": "0+"}]})
    >>> namespace = {}
    >>> exec(source, namespace)
    >>> namespace["Ping"](sent=1).to_body(0).hex()
    '00000001'
    """
    return module_source(spec_of_definition(definition, framing))


def module_source(spec: Spec) -> str:
    """Return the source of the module for a definition that was read."""
    structs = spec.structs.values()
    fields = [*spec.fields, *(field for struct in structs for field in struct.fields)]
    inside = {struct.class_name for struct in structs} | {field.snake for field in fields}
    outer = "_message" if spec.class_name in inside else spec.class_name
    runtime, types = (_Names(inside | {spec.class_name}) for _ in range(2))
    typed = _Typed(spec, outer, types).lines()
    framing = f'{runtime.use("Framing")}("{spec.framing.kind}", "{spec.framing.newer}")'
    lines = [
        *_head(spec),
        "",
        *runtime.imports("annotations", "TYPE_CHECKING", "compile_definition"),
        "",
        '_DEFINITION = r"""',
        *_json_lines(json.loads(spec.text), "", ""),
        '"""',
        "",
        "if TYPE_CHECKING:",
        *(f"    {line}" if line else "" for line in [*types.imports(), "", *typed]),
        *([] if outer == spec.class_name else ["", f"    {spec.class_name} = {outer}"]),
        "else:",
        f"    {spec.class_name} = compile_definition(",
        "        _DEFINITION,",
        f"        framing={framing},",
        "    )",
    ]
    return "\n".join(lines) + "\n"


def _head(spec: Spec) -> list[str]:
    source_name = "" if spec.source == Spec.UNKNOWN_SOURCE else PurePath(spec.source).name
    made_from = f" from {printable(source_name)}" if source_name else ""
    text = f"Generated{made_from} {MARK}: change the definition, not this file."
    return literal(f"{spec.name}, versions {spec.versions}.\n\n{text}").split("\n")


def _json_lines(value: Any, prefix: str, suffix: str) -> Iterator[str]:
    """Yield lines of JSON, with the text before and after the value: an object on one line where
    that is wide enough. There are no triple quotes in JSON, and no escapes in a raw string."""
    text_value = json.dumps(value).replace("\x7f", "\\u007f")
    if (
        len(prefix + text_value + suffix) <= WIDTH
        or not isinstance(value, dict | list)
        or not value
    ):
        yield prefix + text_value + suffix
        return
    indent = " " * (len(prefix) - len(prefix.lstrip()) + 2)
    keys = (
        [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    )
    items = list(value.values()) if isinstance(value, dict) else value
    begin, end = "{}" if isinstance(value, dict) else "[]"
    yield prefix + begin
    for number, (key, item) in enumerate(zip(keys, items, strict=True), start=1):
        yield from _json_lines(item, indent + key, "," * (number < len(items)))
    yield indent[:-2] + end + suffix


class _Names:
    """The names that a module imports; one that the definition uses, too, gets a `_` in front."""

    def __init__(self, used_names: set[str]) -> None:
        self.taken = used_names
        self.used: set[str] = set()

    def use(self, name: str) -> str:
        self.used.add(name)
        return f"_{name}" if name in self.taken else name

    def imports(self, *more_names: str) -> list[str]:
        """Return the lines that import what was used, and `more_names`."""
        groups: list[list[str]] = [[], [], []]
        for home, names in _HOMES.items():
            used = [name for name in names if name in self.used or name in more_names]
            plain = [n for n in used if n not in self.taken and home != "builtins"]
            imported = {name: f"{name} as _{name}" for name in used if name in self.taken}
            imported |= {plain[0]: ", ".join(plain)} if plain else {}
            lines = [f"from {home} import {imported[name]}" for name in used if name in imported]
            groups[_GROUPS.get(home, 1)] += lines
        return [line for group in groups if group for line in ["", *group]][1:]


class _Typed(Lines):
    """The message class with its structs inside it, as a type checker reads it: one level deep in
    the module."""

    def __init__(self, spec: Spec, outer: str, names: _Names) -> None:
        super().__init__()
        self.spec = spec
        self.outer = outer
        self.use = names.use
        self.docs = docstrings(spec, width=WIDTH - 4)

    def lines(self) -> list[str]:
        base = "Message" if self.spec.framing.kind == "none" else "VersionedMessage"
        with self.class_of(self.outer, base):
            self.add(*literal(self.docs[""]).split("\n"))
            for struct in self.spec.structs.values():
                self.add("")
                with self.class_of(struct.class_name, "MessagePart"):
                    self.add(*literal(self.docs[struct.class_name]).split("\n"))
                    self.fields(struct.fields)
            self.fields(self.spec.fields)
        return self.out

    @contextmanager
    def class_of(self, name: str, base: str) -> Iterator[None]:
        self.add_fitting(f"class {name}(", f"{self.use(base)}, frozen=True, kw_only=True", "):")
        self.depth += 1
        yield
        self.depth -= 1

    def add_fitting(self, prefix: str, inside: str, suffix: str) -> None:
        """Add one line, or three where it is too wide and there is something to break it at."""
        if self.fits(prefix + inside + suffix) or not inside:
            self.add(prefix + inside + suffix)
        else:
            self.add(prefix, *(f"    {item}" for item in self.items(inside)), suffix)

    def items(self, inside: str, deeper: int = 4) -> list[str]:
        """Return what is in brackets: one line, or a line an item where it is too wide."""
        parts = [f"{part}," for part in inside.split(", ")]
        wide = not self.fits(" " * deeper + inside) and len(parts) > 1
        return parts if wide else [inside]

    def fits(self, line: str) -> bool:
        return 4 + 4 * self.depth + len(line) <= WIDTH

    def add_attribute(self, name: str, annotation: str) -> None:
        breakable = annotation.endswith("]")
        if not breakable and not self.fits(f"{name}: {annotation}"):
            self.add(f"{name}: (", *self.in_parentheses(annotation), ")")
        else:
            self.add_in_brackets(name, annotation, "")

    def in_parentheses(self, annotation: str) -> list[str]:
        """Return the lines of an optional type that has parentheses around it."""
        prefix, bracket, rest = annotation.removesuffix(_OR_NONE).partition("[")
        if self.fits(f"    {annotation}") or not bracket:
            return [f"    {annotation}"]
        items = self.items(rest.removesuffix("]"), 8)
        return [f"    {prefix}[", *(f"        {item}" for item in items), "    ]", "    | None"]

    def add_parameter(self, name: str, annotation: str) -> None:
        line = f"{name}: {annotation} = ...,"
        if annotation.endswith(_OR_NONE) and not self.fits(line):
            self.add_in_brackets(name, annotation.removesuffix(_OR_NONE), "")
            self.add("| None = ...,")
        else:
            self.add_in_brackets(name, annotation, " = ...,")

    def add_in_brackets(self, name: str, annotation: str, suffix: str) -> None:
        prefix, bracket, rest = annotation.partition("[")
        inside, bracket_after, rest = rest.rpartition("]")
        self.add_fitting(f"{name}: {prefix}{bracket}", inside, f"{bracket_after}{rest}{suffix}")

    def fields(self, fields: tuple[Field, ...]) -> None:
        tuple_types = {field.snake: self.annotation(field, "tuple") for field in fields}
        argument_types = {field.snake: self.annotation(field, "Iterable") for field in fields}
        if self.spec.flexible:
            raw = self.use("RawTaggedField")
            tuple_types["unknown_tagged_fields"] = f"{self.use('tuple')}[{raw}, ...]"
            argument_types["unknown_tagged_fields"] = f"{self.use('Iterable')}[{raw}]"
        if not tuple_types:
            return
        self.add("")
        for name, annotation in tuple_types.items():
            self.add_attribute(name, annotation)
        self_name = "_self" if "self" in tuple_types else "self"
        for head, result in (
            ("def __init__(", "None"),
            ("def replace(  # type: ignore[override]", self.use("Self")),
        ):
            self.add("")
            with self.block(head):
                self.add(f"{self_name},", "*,")
                for name, annotation in argument_types.items():
                    self.add_parameter(name, annotation)
            self.add(f") -> {result}: ...")

    def annotation(self, field: Field, sequence: str) -> str:
        name = field.type.name
        if field.type.is_struct:
            item = f"{self.outer}.{self.spec.structs[name].class_name}"
        else:
            item = self.use(ANNOTATIONS[name])
        if field.type.array:
            item = f"{self.use(sequence)}[{item}{', ...' if sequence == 'tuple' else ''}]"
        return item + _OR_NONE if field.nullable or field.default_is_null else item
