"""Python source for a definition: typed classes, and a plain reader and writer of each layout.

The source can be read like a specification: a function for each struct, a line for each field, in
the order of the bytes. No table is walked and no version compared. Versions with equal layouts
share functions, for the message and for each of its structs.

From a definition only names that `spec` has checked, numbers, and defaults through `repr` get into
the source. Prose gets only into that of the built-in messages, as docstrings; `definitions` sets
the docstrings of other classes when they are made.

    module ── classes ─── docstrings
         └─── functions   a reader and a writer for each distinct layout
                └──────── source: lines, names, calls of the runtime
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..dialect.layout import HEAD, Layout, width
from ..dialect.layout import layout as layout_of
from ..dialect.names import snake
from ..dialect.spec import Spec
from .classes import Classes
from .functions import ReaderSource, Writer
from .source import NUMBERS, Function, Names, has_struct_default, shared_default


def source(spec: Spec, origin: str, docs: Mapping[str, str] | None = None) -> str:
    """Return the source of the module for `spec`; its docstring names `origin`.

    `docs` are the docstrings of its classes (see `docstrings`); without them none has prose.
    """
    functions = _Functions(spec)
    code = [
        "",
        "",
        *_short_names(spec, functions),
        *functions.lines(),
        *_tables(spec, functions),
    ]
    words = _words("\n".join([*Classes(spec).lines(), *code]))
    text = "\n".join([*Classes(spec, docs).lines(), *code])
    head = [
        f'"""{spec.name}, generated from {origin}; change that file and run `make generate`."""',
        "",
        "from __future__ import annotations",
        "",
        *_imports(set(words)),
    ]
    return "\n".join([*head, "", "", text]).rstrip() + "\n"


def _reader_and_writer(*names: str) -> list[str]:
    return [f"{verb}_{name}" for name in names for verb in ("read", "write")]


def _forms(name: str) -> list[str]:
    return _reader_and_writer(
        name, f"nullable_{name}", f"compact_{name}", f"compact_nullable_{name}"
    )


_RUNTIME = {
    ".codec.runtime.message": (
        "Codec", "Message", "MessagePart", "RawTaggedField", "VersionedMessage",
    ),
    ".codec.dialect.framing": ("Framing",),
    ".codec.runtime.tags": ("Tags", *_reader_and_writer("tags", "unknown_tags", "tagged_nullable")),
    ".codec.dialect.versions": ("VersionRange",),
    ".codec.wire.primitives": (
        "OddBytes", "OddValue", "ZERO_UUID", "required", "read_string_array", *NUMBERS.values(),
        *_reader_and_writer("bool", "modified_utf8", "utf16", "nullable", "uuid"),
        *_forms("string"), *_forms("bytes"), *_forms("array"),
    ),
    "collections.abc": ("Iterable",),
    "typing": ("Self", "TYPE_CHECKING"),
    "uuid": ("UUID",),
    "msgspec": ("field as _field",),  # a message may have a field of that name
    "msgspec.structs": ("replace as _replace",),
}  # fmt: skip
_ONLY_TYPES = ("Iterable", "Self")
_TAKEN = frozenset(name for names in _RUNTIME.values() for name in names)


def _imports(words: set[str]) -> list[str]:
    lines: list[str] = []
    groups: list[list[str]] = [[], [], []]
    for module, names in _RUNTIME.items():
        used = sorted(n for n in names if n.split()[-1] in words and n not in _ONLY_TYPES)
        if used:
            group = 2 if module.startswith(".") else 1 if module.startswith("msgspec") else 0
            home = module.replace(".codec", ".") if group == 2 else module
            groups[group].append(f"from {home} import {', '.join(used)}")
    for group_lines in groups:
        if group_lines:
            lines += [*sorted(group_lines), ""]
    if "Iterable" in words or "Self" in words:
        lines += ["if TYPE_CHECKING:"]
        lines += [f"    from {m} import {n}" for n, m in _type_imports(words)]
        lines += [""]
    return lines


def _type_imports(words: set[str]) -> Iterator[tuple[str, str]]:
    for name, module in (("Iterable", "collections.abc"), ("Self", "typing")):
        if name in words:
            yield name, module


def _words(text: str) -> Iterator[str]:
    """Yield the names in a text; of `INT32.read` only the first."""
    for word in "".join(c if c.isalnum() or c in "_." else " " for c in text).split():
        yield word.partition(".")[0]


def _short_names(spec: Spec, functions: _Functions) -> list[str]:
    """Return globals for the structs, which are faster to look up than attributes of the class."""
    outer = spec.class_name
    names = [f"_{name} = {outer}.{name}" for name in functions.structs()]
    defaults = [
        f"{shared_default(name)}: {outer}.{name} = {outer}.{name}()"
        for name in functions.shared_defaults()
    ]
    return names + defaults


def _tables(spec: Spec, functions: _Functions) -> list[str]:
    """Return the tables of functions by version and by label, and of labels by version."""
    name = spec.class_name
    codecs = [f"    {v}: Codec(_read_{f}, _write_{f})," for v, f in functions.by_version.items()]
    lines = ["", "", f"{name}._codecs = {{", *codecs, "}"]
    if spec.framing.kind == "version":
        headers = {v: v.to_bytes(2, "big") for v in functions.by_version}
        readers = {v: f"_read_{f}" for v, f in functions.by_version.items()}
    elif spec.framing.kind == "record-type":
        key = (spec.api_key or 0) & 0xFFFF
        headers = {v: key.to_bytes(2, "big") for v in functions.by_version}
        readers = {}
        if spec.versions:
            readers[key] = f"_read_{functions.by_version[spec.versions.highest]}"
    elif spec.framing.kind == "version32":
        headers, readers = {}, {}
    else:
        return lines
    lines += [f"{name}._by_header = {{", *(f"    {h}: {f}," for h, f in readers.items()), "}"]
    return [*lines, f"{name}._headers = {{", *(f"    {v}: {h!r}," for v, h in headers.items()), "}"]


_Key = tuple[object, ...]


class _Functions:
    """The readers and writers of every distinct layout, of the message and of its structs."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.stems = _stems(spec)
        self.made: dict[_Key, Function] = {}  # a struct's in front of those that use it
        head = [HEAD] if spec.framing.newer == "head" else []
        by_version = {v: self.function(layout_of(spec, v), v) for v in [*head, *spec.versions]}
        self.by_version = {version: function.name for version, function in by_version.items()}

    def function(self, layout: Layout, version: int) -> Function:
        """Return the function of a layout, which equal layouts share."""
        slots = (*layout.slots, *layout.tagged)
        elements = {
            slot.field.snake: self.function(slot.element, version)
            for slot in slots
            if slot.element is not None
        }
        shared = layout.struct is not None or self.spec.framing.kind != "version32"
        key = (
            layout.struct and layout.struct.name,
            shared or version,  # the writer of a message with its own version checks it
            layout.flexible,
            len(layout.tagged),
            *((slot.field.snake, slot.nullable, slot.compact, slot.optional) for slot in slots),
            *elements.values(),
        )
        stem = self.stems[layout.struct.name] if layout.struct else ""
        made = self.made.setdefault(key, Function(stem, layout, elements))
        if version not in made.versions[-1:]:
            made.versions.append(version)
        return made

    def lines(self) -> list[str]:
        """Return the source of all readers and writers."""
        names = Names(self.spec)
        lines: list[str] = []
        for function in self.made.values():
            lines += ["", "", *ReaderSource(names, function, _TAKEN).lines()]
            lines += ["", "", *Writer(names, function).lines()]
        return lines

    def structs(self) -> list[str]:
        """Return the class names of the structs that the functions read and write."""
        structs = [function.layout.struct for function in self.made.values()]
        return sorted({struct.class_name for struct in structs if struct is not None})

    def shared_defaults(self) -> list[str]:
        """Return the class names of the structs of which one default is shared."""
        spec = self.spec
        field_lists = [spec.fields, *(struct.fields for struct in spec.structs.values())]
        fields = [field for fields in field_lists for field in fields]
        used = {field.type.name for field in fields if has_struct_default(field)}
        for function in self.made.values():
            struct = function.layout.struct
            if struct is not None and not width(function.layout):
                used.add(struct.name)
        return [struct.class_name for name, struct in spec.structs.items() if name in used]


def _stems(spec: Spec) -> dict[str, str]:
    """Return the stem of each struct's function names; two structs may be equal in snake_case."""
    stems: dict[str, str] = {}
    for name, struct in spec.structs.items():
        stem = snake(struct.class_name)
        while stem in stems.values():
            stem += "_"
        stems[name] = stem
    return stems
