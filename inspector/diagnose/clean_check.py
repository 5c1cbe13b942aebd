"""A fast check that a message has no deviation, for records by the million.

To find deviations the diagnostic reader reads a message again, which takes many times as long as
reading it did. Where the plain reader used every byte, only these deviations are possible:

- of the class encoding: another negative length than null's; in flexible versions a varint longer
  than it needs to be, tags out of order, a tagged field at its default. None of them is left when
  the message is written again, so the bytes are compared.
- unknown tagged fields, which are written again, and are kept in the message.
- of the classes content and style: those of the rules in `codec.read.deviations` about map keys and
  fields of certain names. The rules here are stricter, since a message that fails is read again:
  topics have names that Kafka allows, no array of partitions is empty, user data is null, a member
  has metadata.

An error code that is not 0 fails too: reports name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter, lt
from typing import Any

from ...codec import EncodeError
from ...codec.dialect.layout import Layout, Slot
from ...codec.dialect.spec import FIXED_BYTES, INTEGER_RANGES
from ...codec.read.deviations import TOPIC_NAME
from ...codec.runtime.message import Message, VersionedMessage
from ...codec.runtime.registry import layout_of

_PLAIN_TYPES = {*INTEGER_RANGES, "string", "bytes", "struct"}  # that can be written in one way only
_SORTED = "ConsumerProtocolSubscription"  # by Apache Kafka's Java client
_GENERATION = range(-1, 1 << 31)

_ONE_BYTE = 0x7F  # the longest compact string plus one whose length takes no more
_REMEMBERED, _TAGS_REMEMBERED = 4096, 64

Test = Callable[[Any], bool]
Check = Callable[[Any, bytes], bool]


def is_plain_name(name: str | None) -> bool:
    """Return whether a topic can have a name of which no rule says anything."""
    return bool(name and TOPIC_NAME.match(name) and name[:2] != "__")


_NUMBERS = tuple(INTEGER_RANGES)
_BYTES = ("bytes", "records")
_TESTS: tuple[tuple[tuple[str, ...], tuple[str, ...], Test], ...] = (  # names and types of fields
    (("topic",), ("string",), is_plain_name),
    (("rack_id",), ("string",), lambda rack: rack != ""),
    (("generation", "generation_id"), _NUMBERS, _GENERATION.__contains__),
    (("user_data",), _BYTES, lambda data: data is None),
    (("subscription", "metadata"), _BYTES, lambda data: data != b""),  # of a member
    (("error_code",), _NUMBERS, lambda code: code == 0),
)
_SOUND = {(name, type_): test for names, types, test in _TESTS for name in names for type_ in types}
"""By name and type of a field: true of values that no rule finds a deviation in."""


def _are_names(values: Sequence[str | None]) -> bool:
    return all(map(is_plain_name, values))


def _are_partitions(values: Sequence[int]) -> bool:
    return bool(values) and min(values) >= 0


_SOUND_ELEMENTS: dict[tuple[str, str], Test] = {
    (name, type_): test
    for name in ("topics", "partitions")
    for type_, test in (("string", _are_names), ("int32", _are_partitions))
}


def is_sorted(cls: type[Message]) -> bool:
    """Return whether Apache Kafka's Java client sorts what is in the arrays of a message."""
    return cls.NAME == _SORTED


@lru_cache(maxsize=2048)
def clean_check(cls: type[Message], version: int) -> Check:
    """Return a function of a message and its bytes, all of which the plain reader used, that is
    true only if they have no deviation. False says nothing. The bytes of a class with a version
    field begin with it."""
    layout = layout_of(cls, version)
    sound = _soundness(layout, ascending=is_sorted(cls))
    if not layout.flexible and _is_plain(layout):
        return lambda message, _: sound(message)

    write = cls.to_bytes if issubclass(cls, VersionedMessage) else cls.to_body

    def prove(message: Any, data: bytes) -> bool:
        try:
            again = write(message, version)
        except EncodeError:  # unknown tagged fields out of order
            return False
        return again == data and sound(message)

    gaps = _gaps(layout, cls.FRAMING.header_bytes)
    return prove if gaps is None else _with_memory(prove, gaps)


def _gaps(layout: Layout, start: int) -> list[int] | None:
    """For a flexible message of numbers and strings without a rule on any field: the number of
    bytes before each string, and from the last string to the tags. None for other messages."""
    gaps = [start]
    for slot in layout.slots:
        if slot.nullable or slot.field.type.array or (slot.field.snake, slot.base) in _SOUND:
            return None
        if slot.base == "string":
            gaps.append(0)
        elif slot.base in FIXED_BYTES and slot.base in INTEGER_RANGES:
            gaps[-1] += FIXED_BYTES[slot.base]
        else:
            return None
    return gaps if layout.flexible else None


def _with_memory(prove: Check, gaps: list[int]) -> Check:
    """A check that remembers tags. Numbers and letters can be written in one way only, so where
    each length takes one byte, a message is clean if another one with the same tags is. Most of a
    log of commits is one offset that moves on."""
    proved: set[bytes] = set()
    *gaps_before, last = gaps

    def prove_once(message: VersionedMessage, data: bytes) -> bool:
        pos = 0
        for gap in gaps_before:
            pos += gap
            size = data[pos]
            if size > _ONE_BYTE:
                return prove(message, data)
            pos += size
        tags = data[pos + last :]
        if tags in proved:
            return True
        sound = prove(message, data)
        if sound and len(tags) <= _TAGS_REMEMBERED:
            if len(proved) >= _REMEMBERED:
                proved.clear()
            proved.add(tags)
        return sound

    return prove_once


def _is_plain(layout: Layout) -> bool:
    return all(
        slot.base in _PLAIN_TYPES
        and not slot.nullable
        and (slot.element is None or (slot.field.type.array and _is_plain(slot.element)))
        for slot in layout.slots
    )


def _soundness(layout: Layout, *, ascending: bool) -> Test:
    """A test that all fields of a message are sound, and that none is unknown and tagged."""
    slots = (*layout.slots, *layout.tagged)
    rules = [(slot.field.snake, rule) for slot in slots for rule in _rules(slot, ascending)]
    inner = [
        (slot.field.snake, slot.field.type.array, _soundness(slot.element, ascending=ascending))
        for slot in slots
        if slot.element is not None
    ]
    if not (rules or inner or layout.flexible):
        return lambda _: True

    def check(item: Any) -> bool:
        if layout.flexible and item.unknown_tagged_fields:
            return False
        for name, sound in rules:
            if not sound(getattr(item, name)):
                return False
        for name, array, is_sound in inner:
            value = getattr(item, name)
            if value is not None and not (all(map(is_sound, value)) if array else is_sound(value)):
                return False
        return True

    return check


def _rules(slot: Slot, ascending: bool) -> Iterator[Test]:
    """The tests for the value of a field."""
    name = slot.field.snake
    if not slot.field.type.array:
        if (name, slot.base) in _SOUND:
            yield _SOUND[name, slot.base]
        return
    in_order = _ascend if ascending else _differ
    of_elements = _SOUND_ELEMENTS.get((name, slot.base))
    if of_elements is not None:
        yield lambda values: values is not None and of_elements(values) and in_order(values)
    elif slot.element is not None:
        keys = [key.field.snake for key in slot.element.slots if key.field.map_key]
        if keys:
            key_of = attrgetter(*keys)
            yield lambda entries: entries is None or in_order([*map(key_of, entries)])


def _ascend(values: Sequence[Any]) -> bool:
    return all(map(lt, values, values[1:]))


def _differ(values: Sequence[Any]) -> bool:
    return len(values) < 2 or len(set(values)) == len(values)
