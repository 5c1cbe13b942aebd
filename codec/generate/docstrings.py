"""The docstrings of a definition's classes: what the message is, and a line for each field.

The fields are in an `Attributes` section in Google's style. `help()`, editors, and generators of
documentation (mkdocstrings, Sphinx with napoleon) all show a class's docstring. A string below each
field would show only in some of them, since Python drops it.

The text of a definition is data: a docstring made here has only printable characters and line ends,
and `literal` escapes what could end it in source.
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
    """Return the docstrings of a definition's classes by class name, the message's under "".

    `about` describes the message, in lines; the default is what the definition says. A line is at
    most `width` columns wide, where words allow it.
    """
    head = heading(spec)
    about = about or spec.about
    texts = {"": _docstring(spec, head, about, spec.fields, spec.versions, width - 4)}
    for struct in spec.structs.values():
        about = struct.about or _about_of(spec, struct)
        versions = struct.versions & spec.versions
        head = heading(spec, struct)
        texts[struct.class_name] = _docstring(spec, head, about, struct.fields, versions, width - 8)
    return texts


def heading(spec: Spec, struct: Struct | None = None) -> str:
    """Return the first line of a docstring, made of names and numbers alone."""
    if struct is None:
        return f"{spec.name}, versions {spec.versions}."
    return f"{struct.name} of {spec.name}, versions {struct.versions & spec.versions}."


def literal(docstring: str) -> str:
    """Return the source of a docstring, with the backslashes and quotes of its text escaped."""
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
        lines += ["", *(part for line in about.split("\n") for part in _wrapped(line, width, ""))]
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
    field_versions = field.versions & versions
    yield _in(field_versions).capitalize()
    nullable, optional = field.nullable & versions, field.optional & versions
    if nullable:
        yield "may be null" if nullable == field_versions else f"may be null in {_in(nullable)}"
    yield f"default {_default(spec, field)}"
    if field.tag is not None:
        yield f"tag {field.tag} in {_in(field.tagged & versions)}"
    if field.encoding:
        yield f"in {field.encoding}"
    if optional:
        yield f"the message may end before it in {_in(optional)}"
    if field_versions != versions:
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
    """Return what the only field of such a struct is about; "" if there are several fields."""
    field_lists = [spec.fields, *(inner_struct.fields for inner_struct in spec.structs.values())]
    using = [
        field.about for fields in field_lists for field in fields if field.type.name == struct.name
    ]
    return using[0] if len(using) == 1 else ""


def _wrapped(text: str, width: int, indent: str) -> Iterator[str]:
    """Yield lines of at most `width` characters where words allow; all but the first indented."""
    line = ""
    for word in printable(text).split(" "):
        if line.strip() and len(line) + 1 + len(word) > width:
            yield line
            line = f"{indent}{word}"
        else:
            line = f"{line} {word}" if line else word
    yield line


def printable(text: str) -> str:
    """Return the words with one space between them; what is not printable becomes an escape."""
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
