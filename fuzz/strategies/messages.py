"""Strategies for messages of any class and version, and for the two of the consumer protocol."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Message,
    MessagePart,
    RawTaggedField,
    field_versions,
    message_class,
)
from ...codec.dialect.layout import LATEST_FIELD, Layout, Slot, has_latest
from ...codec.runtime.registry import built_in_names, layout_of
from ..guarantees.cases import NESTED, write
from .user_data import user_data
from .values import (
    entry_lists,
    generations,
    one_of_shares,
    primitives,
    racks,
    topic_lists,
)

M = TypeVar("M", bound=Message)


class Given(NamedTuple):
    """A message and the version to write it in."""

    message: Message
    version: int

    @property
    def cls(self) -> type[Message]:
        """The class of the message."""
        return type(self.message)

    @property
    def data(self) -> bytes:
        """The message's bytes, with the version or record type in front if it has one."""
        return write(self.message, self.version)

    @property
    def body_version(self) -> int | None:
        """The `body_version` for `decode`: the version of a message that has nothing in front, else
        None.
        """
        return self.version if self.cls.FRAMING.kind == "none" else None


def messages(
    *,
    classes: st.SearchStrategy[type[Message]] | None = None,
    versions: Sequence[int] | None = None,
    unknown_tags: bool = True,
) -> st.SearchStrategy[Given]:
    """Return a strategy for messages of these classes (default: all built-in ones) in these
    versions (default: any).

    Fields that the version lacks are at their defaults. `unknown_tags` puts tagged fields that no
    definition knows into flexible ones.
    """
    chosen = st.sampled_from(built_in_names()).map(message_class) if classes is None else classes
    return _messages(chosen, None if versions is None else tuple(versions), unknown_tags)


@st.composite
def _messages(
    draw: st.DrawFn,
    classes: st.SearchStrategy[type[Message]],
    versions: tuple[int, ...] | None,
    unknown_tags: bool,
) -> Given:
    cls = draw(classes)
    wanted = [v for v in cls.VERSIONS if versions is None or v in versions]
    version = draw(st.sampled_from(wanted))
    message = draw(_parts(cls, cls, layout_of(cls, version), unknown_tags))
    if cls.FRAMING.kind == "version32":
        message = message.replace(version=version)
        if has_latest(layout_of(cls, version)):
            message = message.replace(**{LATEST_FIELD: version})
    assert isinstance(message, Message)
    return Given(message, version)


@lru_cache(maxsize=1024)
def _parts(
    cls: type[Message], part: type[MessagePart], layout: Layout, unknown_tags: bool
) -> st.SearchStrategy[Any]:
    required = {s.field.snake: _slots(cls, s, unknown_tags) for s in layout.slots}
    optional = {s.field.snake: _slots(cls, s, unknown_tags) for s in layout.tagged}
    if layout.flexible and unknown_tags:
        first = len(layout.tagged) + len(layout.foreign_tags)
        optional["unknown_tagged_fields"] = _unknown_tags(first)
    return st.fixed_dictionaries(required, optional=optional).map(lambda fields: part(**fields))


def _unknown_tags(first: int) -> st.SearchStrategy[list[RawTaggedField]]:
    tags = st.builds(
        RawTaggedField, tag=st.integers(first, first + 200), data=st.binary(max_size=8)
    )
    return st.lists(tags, max_size=3, unique_by=lambda tagged: tagged.tag).map(
        lambda found: sorted(found, key=lambda tagged: tagged.tag)
    )


def _slots(cls: type[Message], slot: Slot, unknown_tags: bool) -> st.SearchStrategy[Any]:
    field, inner = NESTED.get(cls.NAME, ("", ""))
    if slot.field.camel == field:  # a conforming writer puts a message there
        return st.none() | messages(classes=st.just(message_class(inner))).map(lambda it: it.data)
    values = _values(cls, slot, unknown_tags)
    if slot.field.type.array:
        values = st.lists(values, max_size=4)
    return st.none() | values if slot.nullable else values


def _values(cls: type[Message], slot: Slot, unknown_tags: bool) -> st.SearchStrategy[Any]:
    if slot.element is None:
        return primitives(slot.base)
    assert slot.element.struct is not None
    part: type[MessagePart] = getattr(cls, slot.element.struct.class_name)
    return _parts(cls, part, slot.element, unknown_tags)


# -- the consumer protocol

_USER_DATA = one_of_shares((2, st.none()), (3, user_data()))


def subscriptions(
    *, versions: Sequence[int] | None = None, canonical: bool = False
) -> st.SearchStrategy[Given]:
    """Return a strategy for subscriptions, of every version by default. `canonical` ones are as
    every writer writes them: topics and partitions sorted and each once, null rather than empty.
    Raises ValueError for a version that does not exist.
    """
    return _subscriptions(known_versions(ConsumerProtocolSubscription, versions), canonical)


def known_versions(cls: type[Message], versions: Sequence[int] | None) -> tuple[int, ...]:
    """Return the versions, checked; all of the message by default. Raises ValueError for none, and
    for one that the message does not have.
    """
    if versions is None:
        return tuple(cls.VERSIONS)
    unknown = [version for version in versions if version not in cls.VERSIONS]
    if unknown or not versions:
        raise ValueError(f"versions={versions!r}: {cls.NAME} has {cls.VERSIONS}")
    return tuple(versions)


@st.composite
def _subscriptions(draw: st.DrawFn, versions: tuple[int, ...], canonical: bool) -> Given:
    version = draw(st.sampled_from(versions))
    fields: dict[str, Any] = {
        "topics": _in_order(draw(topic_lists()), canonical),
        "user_data": _null(draw(_USER_DATA), canonical),
    }
    if version in field_versions(ConsumerProtocolSubscription, "owned_partitions"):
        fields["owned_partitions"] = draw(
            _entries(ConsumerProtocolSubscription.TopicPartition, canonical)
        )
    if version in field_versions(ConsumerProtocolSubscription, "generation_id"):
        generation = draw(generations())
        fields["generation_id"] = max(generation, -1) if canonical else generation
    if version in field_versions(ConsumerProtocolSubscription, "rack_id"):
        fields["rack_id"] = _null(draw(racks()), canonical)
    fields |= _later_fields(draw, ConsumerProtocolSubscription, version, fields)
    return Given(ConsumerProtocolSubscription(**fields), version)


def assignments(
    *, versions: Sequence[int] | None = None, canonical: bool = False
) -> st.SearchStrategy[Given]:
    """Return a strategy for assignments; the arguments are those of `subscriptions`."""
    return _assignments(known_versions(ConsumerProtocolAssignment, versions), canonical)


@st.composite
def _assignments(draw: st.DrawFn, versions: tuple[int, ...], canonical: bool) -> Given:
    fields: dict[str, Any] = {
        "assigned_partitions": draw(_entries(ConsumerProtocolAssignment.TopicPartition, canonical)),
        "user_data": _null(draw(_USER_DATA), canonical),
    }
    version = draw(st.sampled_from(versions))
    fields |= _later_fields(draw, ConsumerProtocolAssignment, version, fields)
    return Given(ConsumerProtocolAssignment(**fields), version)


def _later_fields(
    draw: st.DrawFn, cls: type[Message], version: int, fields: Container[str]
) -> dict[str, Any]:
    """Return values for the fields of that version that have no rule here: those that a definition
    got later.
    """
    return {
        slot.field.snake: draw(_slots(cls, slot, unknown_tags=False))
        for slot in layout_of(cls, version).slots
        if slot.field.snake not in fields
    }


@cache
def _entries(part: type[MessagePart], canonical: bool) -> st.SearchStrategy[list[Any]]:
    many = st.integers(0, 300).map(
        lambda count: [(f"t{number:03}", [0]) for number in range(count)]
    )
    entries = one_of_shares((9, entry_lists(canonical=canonical)), (1, many))
    return entries.map(
        lambda found: [
            part(topic=topic, partitions=_in_order(partitions, canonical))
            for topic, partitions in _in_order(found, canonical)
        ]
    )


def _in_order(found: list[Any], canonical: bool) -> list[Any]:
    return sorted({repr(topic): topic for topic in found}.values()) if canonical else found


def _null(value: Any, canonical: bool) -> Any:
    return value or None if canonical else value
