"""Random messages from a definition: values of every type, with weight on their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from kproto.codec.runtime.message import Message, MessagePart, RawTaggedField
from kproto.codec.runtime.registry import layout_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from kproto.codec.dialect.layout import Layout, Slot

M = TypeVar("M", bound=Message)

LATEST = "latest_supported_version"

BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
UNSIGNED_BITS = {"uint16": 16, "uint32": 32}
TEXTS = ("", "a", "orders", "ж", "日本", "𝄞", "\0", "\u2028", "\ufffd", "é" * 64, "x" * 200)
FLOATS = (0.0, 1.5, -1e308, 5e-324)  # not -0.0: in a tagged field Java, too, drops its sign


def random_message(rng: Random, cls: type[M], version: int, *, unknown_tags: bool = True) -> M:
    """A message that `version` can hold: fields it lacks are at their defaults."""
    layout = layout_of(cls, version)
    made = _part(rng, cls, layout, cls, unknown_tags)
    assert isinstance(made, cls)
    if cls.FRAMING.kind == "version32":
        made = made.replace(version=version)
    if cls.FRAMING.newer == "head" and any(slot.field.snake == LATEST for slot in layout.slots):
        made = made.replace(**{LATEST: 1 << 30})  # never below the version
    return made


def _part(
    rng: Random, part: type[MessagePart], layout: Layout, cls: type[Message], unknown_tags: bool
) -> MessagePart:
    values = {
        slot.field.snake: _slot(rng, slot, cls, unknown_tags)
        for slot in (*layout.slots, *layout.tagged)
        if slot not in layout.tagged or rng.random() < 0.6
    }
    if layout.flexible and unknown_tags and rng.random() < 0.2:
        values["unknown_tagged_fields"] = _unknown_tags(
            rng, len(layout.tagged) + len(layout.foreign_tags)
        )
    return part(**values)


def _unknown_tags(rng: Random, first: int) -> tuple[RawTaggedField, ...]:
    tags = sorted({first + rng.choice((0, 1, 7, 126, 127, 128, 100_000)) for _ in range(3)})
    return tuple(RawTaggedField(tag=tag, data=rng.randbytes(rng.randrange(4))) for tag in tags)


def _slot(rng: Random, slot: Slot, cls: type[Message], unknown_tags: bool) -> Any:
    if slot.nullable and rng.random() < 0.3:
        return None
    if not slot.field.type.array:
        return _value(rng, slot, cls, unknown_tags)
    count = rng.choice((0, 1, 1, 2, 3)) if slot.element else rng.choice((0, 1, 2, 5, 130))
    return tuple(_value(rng, slot, cls, unknown_tags) for _ in range(count))


def _value(rng: Random, slot: Slot, cls: type[Message], unknown_tags: bool) -> Any:
    if slot.element is not None:
        assert slot.element.struct is not None
        part = getattr(cls, slot.element.struct.class_name)
        return _part(rng, part, slot.element, cls, unknown_tags)
    return primitive(rng, slot.base)


def primitive(rng: Random, base: str) -> Any:
    """A value of one of the dialect's primitive types."""
    if base in BITS:
        half = 1 << BITS[base] - 1
        return rng.choice((0, 1, -1, -half, half - 1, rng.randrange(-half, half)))
    if base in UNSIGNED_BITS:
        end = 1 << UNSIGNED_BITS[base]
        return rng.choice((0, 1, end - 1, rng.randrange(end)))
    return OTHERS.get(base, _text)(rng)


def _text(rng: Random) -> str:
    return rng.choice(TEXTS)


def _raw(rng: Random) -> bytes:
    return rng.randbytes(rng.choice((0, 1, 20, 127, 200)))


OTHERS: dict[str, Callable[[Random], Any]] = {
    "bool": lambda rng: rng.random() < 0.5,
    "float64": lambda rng: rng.choice(FLOATS),
    "uuid": lambda rng: UUID(int=rng.choice((0, 1, rng.getrandbits(128)))),
    "bytes": _raw,
    "records": _raw,
}  # what else there is are strings, in one encoding or another
