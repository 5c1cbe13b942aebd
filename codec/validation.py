"""Why a message cannot be written: the first value that does not fit, with its path.

This runs only after a writer failed, so that its speed does not matter. The rules are Kafka's:
ranges of numbers, 32,767 bytes for a string, no null where none is allowed, no silent loss of a
field that is not ignorable (MessageDataGenerator: "Attempted to write a non-default ... at
version").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from .dialect.layout import LATEST_FIELD, Layout, Slot, has_latest
from .dialect.names import Path, path_text, short_repr
from .dialect.spec import ENCODINGS, INTEGER_RANGES, Field
from .errors import EncodeError
from .runtime.message import Message, MessagePart, RawTaggedField
from .runtime.registry import layout_of, spec_of
from .wire import utf8
from .wire.primitives import MAX_STRING, whole


class Violation(NamedTuple):
    """A value that does not fit.

    `only_bytes` says that the JSON form can hold it: a string that is too long, or unknown tagged
    fields whatever their tags.
    """

    path: Path
    reason: str
    only_bytes: bool = False


def explain_refusal(message: Message, version: int) -> EncodeError:
    """Return the error for a message that a writer refused."""
    cls = type(message)
    too_large = f"this {cls.NAME} is too large or of a type that cannot be written"
    return find_error(message, version) or EncodeError("", too_large)


def find_error(message: Message, version: int, *, as_json: bool = False) -> EncodeError | None:
    """Return the error for the first value that does not fit; None if all do.

    With `as_json`, values that only bytes cannot hold are passed over.
    """
    cls = type(message)
    try:
        cls._version_to_write(version)
    except EncodeError as error:
        return error
    if cls.FRAMING.kind == "version32" and getattr(message, "version", None) != version:
        inside = getattr(message, "version", None)
        reason = f"the message says {short_repr(inside)}, and is to be written as {version}"
        return EncodeError("version", reason)
    if cls.FRAMING.newer == "head" and has_latest(layout_of(cls, version)):
        latest = getattr(message, LATEST_FIELD)
        if isinstance(latest, int) and latest < version:
            return EncodeError(
                LATEST_FIELD, f"{short_repr(latest)} is below the version, {version}"
            )
    for problem in _struct(message, layout_of(cls, version), cls, version, ()):
        if not (as_json and problem.only_bytes):
            return EncodeError(path_text(problem.path), problem.reason)
    return None


def _struct(
    item: MessagePart, layout: Layout, cls: type[Message], version: int, path: Path
) -> Iterator[Violation]:
    for field in layout.absent:
        value = getattr(item, field.snake)
        if not field.ignorable and value != _default(field, cls):
            versions = field.versions
            reason = f"version {version} lacks this field (it is in {versions})"
            yield Violation((*path, field.snake), reason)
    for slot in (*layout.slots, *layout.tagged):
        yield from _slot(getattr(item, slot.field.snake), slot, cls, version, path)
    unknown = getattr(item, "unknown_tagged_fields", ())
    defined = {*layout.foreign_tags, *(slot.field.tag for slot in layout.tagged)}
    yield from _unknown_tags(unknown, layout.flexible, defined, version, path)


def _default(field: Field, cls: type[Message]) -> Any:
    if field.type.is_struct and not field.type.array and not field.default_is_null:
        return getattr(cls, spec_of(cls).structs[field.type.name].class_name)()
    return field.default


def _slot(
    value: Any, slot: Slot, cls: type[Message], version: int, path: Path
) -> Iterator[Violation]:
    place = (*path, slot.field.snake)
    if value is None:
        if not slot.nullable:
            yield Violation(place, f"null is not allowed in version {version}")
    elif not slot.field.type.array:
        yield from _value(value, slot, cls, version, place)
    else:
        for number, item in enumerate(value):
            yield from _value(item, slot, cls, version, (*place, number))


def _value(
    value: Any, slot: Slot, cls: type[Message], version: int, path: Path
) -> Iterator[Violation]:
    if slot.element is None:
        reason = _CHECKS[slot.base](value, slot.base)
        if reason:
            yield Violation(path, reason)
        elif slot.base in _LIMITS and (reason := _LIMITS[slot.base](value)):
            yield Violation(path, reason, only_bytes=True)
        return
    assert slot.element.struct is not None
    struct_class = getattr(cls, slot.element.struct.class_name)
    if type(value) is not struct_class:
        yield Violation(path, f"{short_repr(value)} is not a {struct_class.__qualname__}")
    else:
        yield from _struct(value, slot.element, cls, version, path)


def _unknown_tags(
    unknown: Any, flexible: bool, defined: set[int | None], version: int, path: Path
) -> Iterator[Violation]:
    place = (*path, "unknown_tagged_fields")
    if not unknown:
        return
    if not flexible:
        yield Violation(place, f"version {version} has no tagged fields", only_bytes=True)
    last = -1
    for number, field in enumerate(unknown):
        reason = _unknown_tag(field, defined, last)
        if reason:
            yield Violation((*place, number), reason, only_bytes=True)
        else:
            last = field.tag


def _unknown_tag(field: Any, defined: set[int | None], last: int) -> str:
    """Return why an unknown field cannot follow tag `last`, or ""."""
    if not isinstance(field, RawTaggedField) or whole(field.tag) is None:
        return f"{short_repr(field)} is not a RawTaggedField"
    if field.tag in defined:
        return f"tag {field.tag} is one of the definition's own"
    if not last < field.tag < 1 << 31:
        return f"tag {short_repr(field.tag)} after {last}: tags ascend"
    data: object = field.data
    return "" if isinstance(data, bytes) else f"{short_repr(data)} is not bytes"


# -- primitives: each function returns why a value does not fit, or ""


def _integer(value: Any, base: str) -> str:
    allowed = INTEGER_RANGES[base]
    number = whole(value)
    if number is None:
        return f"{short_repr(value)} is not an {base}"
    if number in allowed:
        return ""
    return f"{short_repr(number)} is out of range for {base}: {allowed[0]} to {allowed[-1]}"


def _float(value: Any, base: str) -> str:
    if not isinstance(value, float | int) or isinstance(value, bool):
        return f"{short_repr(value)} is not a number"
    try:
        float(value)
    except OverflowError:
        return f"{short_repr(value)} is out of range for {base}"
    return ""


def _string(value: Any, base: str) -> str:
    if not isinstance(value, str):
        return f"{short_repr(value)} is not a string"
    try:
        str.encode(value)
    except UnicodeEncodeError as error:
        return f"a lone surrogate at character {error.start} has no UTF-8"
    return ""


def _instance(type_: type, name: str) -> Callable[[Any, str], str]:
    def check_type(value: Any, base: str) -> str:
        return "" if isinstance(value, type_) else f"{short_repr(value)} is not {name}"

    return check_type


_CHECKS: dict[str, Callable[[Any, str], str]] = {
    **dict.fromkeys(INTEGER_RANGES, _integer),
    "bool": _instance(bool, "a bool"),
    "float64": _float,
    "uuid": _instance(UUID, "a UUID"),
    "string": _string,
    **dict.fromkeys(ENCODINGS, _instance(str, "a string")),
    "bytes": _instance(bytes, "bytes"),
    "records": _instance(bytes, "bytes"),
}

# -- values that only bytes cannot hold


def _utf8_limit(value: str) -> str:
    size = len(str.encode(value))
    return f"{size} bytes of UTF-8, at most {MAX_STRING}" if size > MAX_STRING else ""


def _modified_limit(value: str) -> str:
    try:
        utf8.encode_modified(value)
    except ValueError as error:
        return str(error)
    return ""


_LIMITS: dict[str, Callable[[str], str]] = {
    "string": _utf8_limit,
    "modified-utf-8": _modified_limit,
}
