"""Functions that convert messages to Kafka's JSON form for msgspec, made once for each class and
version.

`codec.json_form.to_json` converts any message, checks every value, because people make messages by
hand, and gives what any JSON library writes. Here messages were read from bytes, millions of them:
nothing is checked, and bytes stay bytes, which msgspec writes in base64. A test compares the JSON
of both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any
from uuid import UUID

from ...codec.dialect.layout import Layout, Slot
from ...codec.json_form import to_json
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of
from ...codec.wire.uuids import format_uuid

Converter = Callable[[Any], Any]


@lru_cache(maxsize=4096)  # a log has few topics, and names each many times
def _numbered(number: int) -> str:
    return format_uuid(UUID(int=number))


def _uuid(value: UUID) -> str:
    return _numbered(value.int)  # an int is hashed faster than a UUID


_AS_THEY_ARE = {"bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "string", "bytes"}


@lru_cache(maxsize=2048)
def json_converter(cls: type[Message], version: int) -> Converter:
    """Return a function that converts a message, which was read from bytes, to an object that
    msgspec writes as the message's JSON form."""
    layout = layout_of(cls, version)
    if not is_simple(layout):
        return lambda message: to_json(message, version)
    return _of_struct(layout, cls)


def is_simple(layout: Layout) -> bool:
    """Return whether a layout has only fields that are converted here."""
    slots = (*layout.slots, *layout.tagged)
    return all(
        slot.base in _AS_THEY_ARE or slot.base == "uuid" or _is_simple_struct(slot)
        for slot in slots
    )


def _is_simple_struct(slot: Slot) -> bool:
    return slot.element is not None and is_simple(slot.element)


def _of_struct(layout: Layout, cls: type[Message]) -> Converter:
    part: Any = cls if layout.struct is None else getattr(cls, layout.struct.class_name)
    names = [slot.field.snake for slot in layout.slots]
    camel = tuple(slot.field.camel for slot in layout.slots)
    get = attrgetter(*names) if len(names) > 1 else lambda item: (getattr(item, names[0]),)
    special = [
        (slot.field.camel, slot_converter(slot, cls))
        for slot in layout.slots
        if not _is_plain(slot)
    ]
    defaults = part()
    tagged = [
        (slot.field.camel, name, getattr(defaults, name), slot_converter(slot, cls))
        for slot in layout.tagged
        for name in (slot.field.snake,)
    ]

    def convert(item: Any) -> dict[str, Any]:
        made = dict(zip(camel, get(item), strict=True))
        for name, converter in special:
            made[name] = converter(made[name])
        for name, snake, default, converter in tagged:
            value = getattr(item, snake)
            if value != default:
                made[name] = converter(value)
        return made

    return convert


def _is_plain(slot: Slot) -> bool:
    return slot.element is None and slot.base != "uuid"


def slot_converter(slot: Slot, cls: type[Message]) -> Converter:
    """Return a function that converts the value of a field."""
    if _is_plain(slot):
        return lambda value: value
    if slot.element is None and not (slot.nullable or slot.field.type.array):
        return _uuid
    convert = _uuid if slot.element is None else _of_struct(slot.element, cls)
    if slot.field.type.array:
        return lambda values: None if values is None else [convert(value) for value in values]
    return lambda value: None if value is None else convert(value)
