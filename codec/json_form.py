"""Kafka's JSON form of a message, as its generated XxxJsonConverter classes print it.

Keys are in camelCase, bytes in base64, uuids as Kafka prints them. Only the fields of the version
are in it, and a tagged field at its default is left out. Reading differs from Java in two points,
on purpose: a missing field is at its default (Java requires every field), and an unknown key is
refused (Java ignores it). A key of another version is read; `to_body` decides whether it may be
lost.
"""

from __future__ import annotations

import binascii
import math
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from functools import lru_cache
from json import dumps
from operator import attrgetter, index
from typing import Any, TypeVar
from uuid import UUID

from .dialect.layout import Layout, Slot
from .dialect.names import WIDTH, Path, path_text, short_repr
from .dialect.spec import INTEGER_RANGES, Field, Spec
from .errors import EncodeError
from .runtime.message import Message, MessagePart
from .runtime.registry import layout_of, spec_of
from .validation import find_error
from .wire.primitives import ODD_VALUE, format_uuid, parse_uuid

M = TypeVar("M", bound=Message)

_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

# -- to JSON


def to_json(message: Message, version: int) -> dict[str, Any]:
    """Return the JSON object of a message in `version`.

    Raises EncodeError for what `to_body` refuses, except what only bytes cannot hold: a string that
    is too long, unknown tagged fields in any order.
    """
    cls = type(message)
    obj: dict[str, Any]
    try:
        cls._codecs[version].write(message, [])
        obj = _checked_converter(cls, version)(message)
    except ODD_VALUE:
        error = find_error(message, version, as_json=True)
        if error is not None:
            raise error from None
        obj = _checked_converter(cls, version)(message)
    return obj


ToJson = Callable[[Any], Any]


@lru_cache(maxsize=2048)
def json_converter(cls: type[Message], version: int) -> ToJson:
    """Return a function that converts a message that was read from bytes to its JSON object. Bytes
    stay bytes, which msgspec writes in base64."""
    return _struct_to_json(layout_of(cls, version), cls, _FOR_MSGSPEC)


@lru_cache(maxsize=2048)
def _checked_converter(cls: type[Message], version: int) -> ToJson:
    return _struct_to_json(layout_of(cls, version), cls, _FOR_ANY_WRITER)


def _struct_to_json(layout: Layout, cls: type[Message], by_type: Mapping[str, ToJson]) -> ToJson:
    part = cls if layout.struct is None else getattr(cls, layout.struct.class_name)
    names = [slot.field.snake for slot in layout.slots]
    keys = tuple(slot.field.camel for slot in layout.slots)
    values_of = (
        attrgetter(*names) if len(names) > 1 else lambda item: [getattr(item, n) for n in names]
    )
    converters = [(slot.field.camel, _slot_to_json(slot, cls, by_type)) for slot in layout.slots]
    converted = [pair for pair in converters if pair[1] is not _unchanged]
    tagged = [
        (slot.field.camel, slot.field.snake, _slot_to_json(slot, cls, by_type))
        for slot in layout.tagged
    ]
    defaults = part()

    def convert(item: MessagePart) -> dict[str, Any]:
        obj = dict(zip(keys, values_of(item), strict=True))
        for camel, to_json in converted:
            obj[camel] = to_json(obj[camel])
        for camel, snake, to_json in tagged:
            value = getattr(item, snake)
            if value != getattr(defaults, snake):
                obj[camel] = to_json(value)
        return obj

    return convert


def slot_converter(slot: Slot, cls: type[Message]) -> ToJson:
    """Return a function that converts the value of a field, as `json_converter` does."""
    return _slot_to_json(slot, cls, _FOR_MSGSPEC)


def _slot_to_json(slot: Slot, cls: type[Message], by_type: Mapping[str, ToJson]) -> ToJson:
    convert = (
        by_type.get(slot.base, _unchanged)
        if slot.element is None
        else _struct_to_json(slot.element, cls, by_type)
    )
    if slot.field.type.array:
        element = convert
        convert = list if element is _unchanged else lambda values: list(map(element, values))
    return _or_null(convert) if slot.nullable and convert is not _unchanged else convert


def _or_null(convert: ToJson) -> ToJson:
    return lambda value: None if value is None else convert(value)


def _unchanged(value: Any) -> Any:
    return value


def _float_to_json(value: float) -> float | str:
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _base64(value: bytes) -> str:
    return b64encode(value).decode("ascii")


_FOR_MSGSPEC: dict[str, ToJson] = {
    "uuid": lru_cache(maxsize=4096)(format_uuid),  # a log has few topics, and names each often
    "float64": _float_to_json,
}
_FOR_ANY_WRITER: dict[str, ToJson] = {
    **_FOR_MSGSPEC,
    **dict.fromkeys(INTEGER_RANGES, index),  # whatever could be packed as a number prints as one
    "bytes": _base64,
    "records": _base64,
}


def unknown_tags_to_json(message: Message, version: int) -> list[dict[str, Any]]:
    """Return path, tag and data (hex) of each unknown tagged field, which Kafka's JSON lacks."""
    rows: list[dict[str, Any]] = []
    _collect_tags(message, layout_of(type(message), version), (), rows)
    return rows


def _collect_tags(
    item: MessagePart, layout: Layout, path: Path, rows: list[dict[str, Any]]
) -> None:
    where = path_text(path)
    rows += (
        {"path": where, "tag": tagged.tag, "data": tagged.data.hex()}
        for tagged in getattr(item, "unknown_tagged_fields", ())
    )
    for slot in (*layout.slots, *layout.tagged):
        value = getattr(item, slot.field.snake)
        if slot.element is None or value is None:
            continue
        below = (*path, slot.field.snake)
        if not slot.field.type.array:
            _collect_tags(value, slot.element, below, rows)
            continue
        for number, element in enumerate(value):
            _collect_tags(element, slot.element, (*below, number), rows)


# -- from JSON


def from_json(cls: type[M], obj: Mapping[str, Any]) -> M:
    """Return the message of a JSON object.

    Raises EncodeError with the path of a value that does not fit, or of an unknown key.
    """
    spec = spec_of(cls)
    return _struct_from_json(cls, spec.fields, obj, spec, cls, ())


P = TypeVar("P", bound=MessagePart)


def _struct_from_json(
    part: type[P],
    fields: tuple[Field, ...],
    obj: Any,
    spec: Spec,
    cls: type[Message],
    path: Path,
) -> P:
    if not isinstance(obj, Mapping):
        raise EncodeError(path_text(path), f"{_text_of(obj)} is not a JSON object")
    by_name = {field.camel: field for field in fields}
    values: dict[str, Any] = {}
    for key, value in obj.items():
        if key not in by_name:
            names = ", ".join(by_name)
            raise EncodeError(path_text(path), f"unknown key {_text_of(key)}; there are: {names}")
        field = by_name[key]
        values[field.snake] = _field_from_json(field, value, spec, cls, (*path, field.snake))
    return part(**values)


def _field_from_json(field: Field, value: Any, spec: Spec, cls: type[Message], path: Path) -> Any:
    if value is None:
        if not field.nullable:
            raise EncodeError(path_text(path), "null is not allowed")
        return None
    if not field.type.array:
        return _value_from_json(field, value, spec, cls, path)
    if not isinstance(value, list | tuple):
        raise EncodeError(path_text(path), f"{_text_of(value)} is not a list")
    return tuple(
        _value_from_json(field, element, spec, cls, (*path, number))
        for number, element in enumerate(value)
    )


def _value_from_json(field: Field, value: Any, spec: Spec, cls: type[Message], path: Path) -> Any:
    if field.type.is_struct:
        struct = spec.structs[field.type.name]
        part = getattr(cls, struct.class_name)
        return _struct_from_json(part, struct.fields, value, spec, cls, path)
    try:
        return _FROM_JSON[field.type.name](value)
    except (ValueError, OverflowError):
        reason = f"{_text_of(value)} is not {_WANTED.get(field.type.name, field.type.name)}"
        raise EncodeError(path_text(path), reason) from None


def _typed(*types: type) -> Callable[[Any], Any]:
    """Return a function that takes values of exactly these types: True is no number in JSON."""

    def take(value: Any) -> Any:
        if type(value) not in types:
            raise ValueError
        return value

    return take


def _bytes_from_json(value: Any) -> bytes:
    if not isinstance(value, str):
        raise ValueError
    try:
        return b64decode(value.encode("ascii"), validate=True)
    except binascii.Error:
        raise ValueError from None


def _uuid_from_json(value: Any) -> UUID:
    if not isinstance(value, str):
        raise ValueError
    return parse_uuid(value)


def _float_from_json(value: Any) -> float:
    if isinstance(value, str):
        if value not in _NOT_FINITE:
            raise ValueError
        return _NOT_FINITE[value]
    return float(_typed(int, float)(value))


_FROM_JSON: dict[str, Callable[[Any], Any]] = {
    "bool": _typed(bool),
    **dict.fromkeys(INTEGER_RANGES, _typed(int)),
    "float64": _float_from_json,
    "string": _typed(str),
    "bytes": _bytes_from_json,
    "records": _bytes_from_json,
    "uuid": _uuid_from_json,
}
_WANTED = {
    "bytes": "base64",
    "records": "base64",
    "uuid": "a uuid: 22 characters of URL-safe base64",
}


def _text_of(value: Any) -> str:
    """Return a value as JSON if possible, as it was given, else its `short_repr`."""
    try:
        text = dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return short_repr(value)
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
