"""Python source for a definition: typed classes, and one straight-line reader and writer a layout.

The text is meant to be read. It holds no table that is walked and no version that is compared: a
version's reader says line by line what stands where. Versions with equal layouts share functions.

Nothing of a definition enters the source but names that `spec` has checked, numbers, and defaults
through `repr`; prose stays in the definition, where `about` belongs.

    emit ── emit_classes   the typed classes
       ├─── emit_reader    a reader for each distinct layout
       ├─── emit_writer    a writer for each distinct layout
       └─── emit_text      lines, names, struct's codes
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .emit_classes import Classes
from .emit_reader import ReaderBody
from .emit_text import Names, has_struct_default
from .emit_writer import WriterBody
from .layout import HEAD, Layout, layout
from .spec import Spec


def source(spec: Spec, origin: str) -> str:
    """The whole module for `spec`, which says that it was generated from `origin`."""
    functions = _Functions(spec)
    body = [
        *Classes(spec).lines(),
        "",
        "",
        *_short_names(spec, functions),
        "",
        *functions.lines[2:],
        *_tables(spec, functions),
    ]
    text = "\n".join(body)
    head = [
        f'"""{spec.name}, generated from {origin}; change that file and run `make generate`."""',
        "",
        "from __future__ import annotations",
        "",
        *_imports(text, functions),
    ]
    return "\n".join([*head, *functions.constants(), "", "", text]).rstrip() + "\n"


def layouts(spec: Spec) -> list[tuple[Layout, list[int]]]:
    """Each distinct layout with the versions that have it, in order of the first of them."""
    found: list[tuple[Layout, list[int]]] = []
    head = [HEAD] if spec.framing.newer == "head" else []
    shared = spec.framing.kind != "version32"  # there each writer knows its own version
    for version in [*spec.versions, *head]:
        one = layout(spec, version)
        for known, versions in found:
            if known == one and shared:
                versions.append(version)
                break
        else:
            found.append((one, [version]))
    return found


_RUNTIME = {
    ".codec.message": ("Codec", "Message", "MessagePart", "RawTaggedField", "VersionedMessage"),
    ".codec.framing": ("Framing",),
    ".codec.tags": ("read_raw_tag", "read_tags", "write_tags"),
    ".codec.uuids": ("ZERO_UUID", "uuid_of"),
    ".codec.versions": ("VersionRange",),
    ".codec.wire": (
        "MAX_ELEMENTS", "MAX_STRING", "MAX_TAGS", "OddBytes",
        "OddValue", "VARINT", "few_numbers", "fixed", "numbers", "pack_numbers",
        "pack_strings", "packed", "read_varint", "short_strings", "strings", "truth",
        "varint",
    ),
    "collections.abc": ("Iterable",),
    "typing": ("Self", "TYPE_CHECKING"),
    "uuid": ("UUID",),
    ".codec.utf8": ("decode_modified", "decode_utf16", "encode_modified", "encode_utf16"),
    "msgspec": ("field as _field",),  # a message may have a field of that name
}  # fmt: skip
_ONLY_TYPES = ("Iterable", "Self")


def _imports(text: str, functions: _Functions) -> list[str]:
    words = set(_words(text)) | set(_words("\n".join(functions.constants())))
    lines: list[str] = []
    groups: list[list[str]] = [[], [], []]
    for module, names in _RUNTIME.items():
        used = sorted(n for n in names if n.split()[-1] in words and n not in _ONLY_TYPES)
        if used:
            group = 2 if module.startswith(".") else 1 if module == "msgspec" else 0
            shown = module.replace(".codec", ".") if group == 2 else module
            groups[group].append(f"from {shown} import {', '.join(used)}")
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


def _words(text: str) -> Iterable[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def _short_names(spec: Spec, functions: _Functions) -> list[str]:
    """Structs are found faster as globals of the module than as attributes of the class."""
    outer = spec.class_name
    names = [f"_{name} = {outer}.{name}" for name in sorted(functions.names.structs)]
    return names + _struct_defaults(spec)


def _struct_defaults(spec: Spec) -> list[str]:
    every = [*spec.fields, *(field for struct in spec.structs.values() for field in struct.fields)]
    used = {field.type.name for field in every if has_struct_default(field)}
    names = [struct.class_name for name, struct in spec.structs.items() if name in used]
    outer = spec.class_name
    return [f"_DEFAULT_{name}: {outer}.{name} = {outer}.{name}()" for name in names]


def _tables(spec: Spec, functions: _Functions) -> list[str]:
    """What ties versions to functions; what stands in front, too."""
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


class _Functions:
    """Readers and writers of every distinct layout."""

    def __init__(self, spec: Spec) -> None:
        self.names = Names(spec)
        self.by_version: dict[int, str] = {}
        self.lines: list[str] = []
        for one, versions in layouts(spec):
            suffix = _suffix(versions)
            self.by_version |= dict.fromkeys(versions, suffix)
            self.lines += ["", "", *ReaderBody(self.names, one).function(suffix)]
            self.lines += ["", "", *WriterBody(self.names, one).function(suffix, versions)]
        self.by_version = dict(sorted(self.by_version.items()))

    def constants(self) -> list[str]:
        return [f"{name} = {value}" for name, value in sorted(self.names.constants.items())]


def _suffix(versions: list[int]) -> str:
    if versions == [HEAD]:
        return "head"
    # Those in between may be another layout's. Of all that there can be, a list would be too long.
    first, last = versions[0], versions[-1]
    return f"v{first}" if first == last else f"v{first}_{last}"
