"""The docstrings of a definition's classes: what the message is, and a line for each field.

The fields stand in an `Attributes` section, as Google's style has it: `help()`, the hover of an
editor over the class, and generators of documentation (mkdocstrings, Sphinx with napoleon) all show
a class's docstring. A string below each field would show in the last two alone, since Python drops
it; both would be every fact twice.

The text of a definition is data. What is made here holds printable characters and line ends alone;
`literal` makes source of it that ends where it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

from ..dialect.spec import Field, Spec, Struct
from ..dialect.versions import VersionRange
from .source import has_struct_default

_WIDTH = 102  # columns: what is as wide as a comment may be stays in its line
_UNKNOWN_TAGS = "Tagged fields that the definition does not know, as they were read (KIP-482)."


def docstrings(spec: Spec, about: str = "", *, width: int = _WIDTH) -> Mapping[str, str]:
    """Return the docstring of each class, by its name: the struct's, or "" for the message.

    `about` is what there is to say about the message, in lines; by default what the definition has.
    A line is at most `width` columns wide, where words allow it.
    """
    head = heading(spec)
    about = about or spec.about
    found = {"": _docstring(spec, head, about, spec.fields, spec.versions, width - 4)}
    for struct in spec.structs.values():
        about = struct.about or _about_of(spec, struct)
        versions = struct.versions & spec.versions
        head = heading(spec, struct)
        found[struct.class_name] = _docstring(spec, head, about, struct.fields, versions, width - 8)
    return found


def heading(spec: Spec, struct: Struct | None = None) -> str:
    """Return the first line, of names and numbers alone."""
    if struct is None:
        return f"{spec.name}, versions {spec.versions}."
    return f"{struct.name} of {spec.name}, versions {struct.versions & spec.versions}."


def literal(docstring: str) -> str:
    """Source of a docstring: no backslash and no quotes of the text are any of the source."""
    escaped = docstring.replace("\\", "\\\\")
    if '""' in escaped or escaped.endswith('"'):  # a quote alone, and not the last, ends nothing
        escaped = escaped.replace('"', '\\"')
    end = "\n" if "\n" in docstring else ""
    return f'"""{escaped}{end}"""'


def _docstring(
    spec: Spec, head: str, about: str, fields: tuple[Field, ...], versions: VersionRange, width: int
) -> str:
    lines = [head]
    if about:
        lines += ["", *(line for one in about.split("\n") for line in _wrapped(one, width, ""))]
    attributes = [line for field in fields for line in _attribute(spec, field, versions, width)]
    if spec.flexible:
        where = _in(spec.flexible).capitalize()
        text = f"unknown_tagged_fields: {_UNKNOWN_TAGS} {where}; default ()."
        attributes += _wrapped(text, width - 4, "    ")
    if attributes:
        lines += ["", "Attributes:", *(f"    {line}" for line in attributes)]
    return "\n".join(lines)


def _attribute(spec: Spec, field: Field, versions: VersionRange, width: int) -> Iterator[str]:
    about = field.about.strip()
    sentence = f" {about}{'' if about.endswith('.') else '.'}" if about else ""
    facts = "; ".join(_facts(spec, field, versions))
    text = f"{field.snake} ({field.type}):{sentence} {facts}."
    yield from _wrapped(text, width - 4, "    ")


def _facts(spec: Spec, field: Field, versions: VersionRange) -> Iterator[str]:
    here = field.versions & versions
    yield _in(here).capitalize()
    nullable, optional = field.nullable & versions, field.optional & versions
    if nullable:
        yield "may be null" if nullable == here else f"may be null in {_in(nullable)}"
    yield f"default {_default(spec, field)}"
    if field.tag is not None:
        yield f"tag {field.tag} in {_in(field.tagged & versions)}"
    if field.encoding:
        yield f"in {field.encoding}"
    if optional:
        yield f"the message may end before it in {_in(optional)}"
    if here != versions:
        yield "other versions leave it out" if field.ignorable else "other versions cannot hold it"


def _in(versions: VersionRange) -> str:
    return f"version{'s' if versions.lowest != versions.highest else ''} {versions}"


def _default(spec: Spec, field: Field) -> str:
    if has_struct_default(field):
        return f"{spec.structs[field.type.name].class_name}()"
    if isinstance(field.default, UUID):
        return f"UUID(int={field.default.int})"
    return repr(field.default)


def _about_of(spec: Spec, struct: Struct) -> str:
    """What the only field that holds such a struct is about."""
    every = [spec.fields, *(other.fields for other in spec.structs.values())]
    using = [field.about for fields in every for field in fields if field.type.name == struct.name]
    return using[0] if len(using) == 1 else ""


def _wrapped(text: str, width: int, indent: str) -> Iterator[str]:
    """Lines of at most `width` characters where words allow it, all but the first indented."""
    line = ""
    for word in printable(text).split(" "):
        if line.strip() and len(line) + 1 + len(word) > width:
            yield line
            line = f"{indent}{word}"
        else:
            line = f"{line} {word}" if line else word
    yield line


def printable(text: str) -> str:
    """Return words with one space between them; what cannot be seen is written as an escape."""
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
