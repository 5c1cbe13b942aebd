"""A message's JSON form for one encoder: as `codec.json_form` has it, for messages by the million.

What that checks, because people make messages by hand, is left out here, and bytes stay bytes:
msgspec writes them in base64 itself. A test holds both to the same JSON.
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

Form = Callable[[Any], Any]


@lru_cache(maxsize=4096)  # topics are few, and each is named again and again
def _numbered(number: int) -> str:
    return format_uuid(UUID(int=number))


def _uuid(value: UUID) -> str:
    return _numbered(value.int)  # whose hash is quicker than that of a UUID


_AS_IT_IS = {"bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "string", "bytes"}


@lru_cache(maxsize=2048)
def flat_form(cls: type[Message], version: int) -> Form:
    """Gives what msgspec writes as the JSON object of a message that was read from bytes."""
    layout = layout_of(cls, version)
    if not is_simple(layout):
        return lambda message: to_json(message, version)
    return _of_struct(layout, cls)


def is_simple(layout: Layout) -> bool:
    """Return whether a layout has only fields that are converted here."""
    slots = (*layout.slots, *layout.tagged)
    return all(
        slot.base in _AS_IT_IS or slot.base == "uuid" or _is_simple_struct(slot) for slot in slots
    )


def _is_simple_struct(slot: Slot) -> bool:
    return slot.element is not None and is_simple(slot.element)


def _of_struct(layout: Layout, cls: type[Message]) -> Form:
    part: Any = cls if layout.struct is None else getattr(cls, layout.struct.class_name)
    names = [slot.field.snake for slot in layout.slots]
    camel = tuple(slot.field.camel for slot in layout.slots)
    get = attrgetter(*names) if len(names) > 1 else lambda item: (getattr(item, names[0]),)
    special = [
        (slot.field.camel, form_of_slot(slot, cls)) for slot in layout.slots if not _is_plain(slot)
    ]
    defaults = part()
    tagged = [
        (slot.field.camel, name, getattr(defaults, name), form_of_slot(slot, cls))
        for slot in layout.tagged
        for name in (slot.field.snake,)
    ]

    def convert(item: Any) -> dict[str, Any]:
        made = dict(zip(camel, get(item), strict=True))
        for name, one in special:
            made[name] = one(made[name])
        for name, snake, default, one in tagged:
            value = getattr(item, snake)
            if value != default:
                made[name] = one(value)
        return made

    return convert


def _is_plain(slot: Slot) -> bool:
    return slot.element is None and slot.base != "uuid"


def form_of_slot(slot: Slot, cls: type[Message]) -> Form:
    """Return what converts the value of one field."""
    if _is_plain(slot):
        return lambda value: value
    if slot.element is None and not (slot.nullable or slot.field.type.array):
        return _uuid
    one = _uuid if slot.element is None else _of_struct(slot.element, cls)
    if slot.field.type.array:
        return lambda values: None if values is None else [one(value) for value in values]
    return lambda value: None if value is None else one(value)
