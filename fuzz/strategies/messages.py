"""Strategies for messages of any class and version, for those of the consumer protocol, and for
their bytes: in frames, valid, nearly valid, and broken at a length, count, version or tag.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from hypothesis import strategies as st

from ...capture.frames.api_keys import API_VERSIONS, apis
from ...capture.frames.error_codes import UNSUPPORTED_VERSION
from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Message,
    MessagePart,
    RawTaggedField,
    RequestHeader,
    ResponseHeader,
    field_versions,
    message_class,
)
from ...codec.dialect.layout import LATEST_FIELD, Layout, Slot, has_latest
from ...codec.runtime.registry import built_in_names, layout_of, spec_of
from ..guarantees.cases import NESTED, Case, breakages, known_names, write
from ..subject import CONSUMER_PROTOCOL
from .values import (
    entry_lists,
    generations,
    one_of_shares,
    primitives,
    racks,
    sized_blobs,
    texts,
    topic_lists,
    user_data,
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
    choices = [v for v in cls.VERSIONS if versions is None or v in versions]
    version = draw(st.sampled_from(choices))
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
        lambda tags_drawn: sorted(tags_drawn, key=lambda tagged: tagged.tag)
    )


def _slots(cls: type[Message], slot: Slot, unknown_tags: bool) -> st.SearchStrategy[Any]:
    field, inner = NESTED.get(cls.NAME, ("", ""))
    if slot.field.camel == field:  # a conforming writer puts a message there
        return st.none() | messages(classes=st.just(message_class(inner))).map(
            lambda sample: sample.data
        )
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

_USER_DATA = one_of_shares((5, st.none()), (6, user_data()), (11, sized_blobs()))


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
    return entry_lists(canonical=canonical).map(
        lambda entries_drawn: [
            part(topic=topic, partitions=_in_order(partitions, canonical))
            for topic, partitions in _in_order(entries_drawn, canonical)
        ]
    )


def _in_order(items: list[Any], canonical: bool) -> list[Any]:
    return sorted({repr(topic): topic for topic in items}.values()) if canonical else items


def _null(value: Any, canonical: bool) -> Any:
    return value or None if canonical else value


class Framed(NamedTuple):
    """A frame, and what it was made of."""

    direction: Literal["request", "response"]
    api_key: int
    version: int
    header: Message
    body: Message
    data: bytes
    """The frame's bytes, with the int32 size in front."""


def frames(
    *, directions: tuple[Literal["request", "response"], ...] = ("request", "response")
) -> st.SearchStrategy[Framed]:
    """Return a strategy for frames of every API that has a definition."""
    return _frames(directions)


@st.composite
def _frames(draw: st.DrawFn, directions: tuple[Literal["request", "response"], ...]) -> Framed:
    direction = draw(st.sampled_from(directions))
    key = draw(st.sampled_from(sorted(apis())))
    cls = apis()[key].request if direction == "request" else apis()[key].response
    bodies = messages(classes=st.just(cls))
    if direction == "request":
        body = draw(bodies)
        header, version = _request(draw, key, body)
    else:
        body = draw(bodies.filter(_is_answered) if key == API_VERSIONS else bodies)
        header, version = _response(draw, key, body)
    data = header.to_body(version) + body.data
    framed = len(data).to_bytes(4, "big") + data
    return Framed(direction, key, body.version, header, body.message, framed)


def _request(draw: st.DrawFn, key: int, body: Given) -> tuple[Message, int]:
    header = RequestHeader(
        request_api_key=key,
        request_api_version=body.version,
        correlation_id=draw(st.integers(0, 2**31 - 1)),
        client_id=draw(st.none() | texts()),
    )
    return header, 2 if _is_flexible(body) else 1


def _response(draw: st.DrawFn, key: int, body: Given) -> tuple[Message, int]:
    header = ResponseHeader(correlation_id=draw(st.integers(0, 2**31 - 1)))
    return header, 1 if key != API_VERSIONS and _is_flexible(body) else 0


def _is_answered(body: Given) -> bool:
    """Whether a broker answers so: it refuses a version in version 0."""
    message: Any = body.message
    return not body.version or message.error_code != UNSUPPORTED_VERSION


def _is_flexible(body: Given) -> bool:
    return body.version in spec_of(body.cls).flexible


_TAILS = (b"\0", b"\xff", b"\xff\xff\xff\xff", bytes(4), b"\0\0\0\1", b"more")

_EDGES = tuple(
    bytes.fromhex(edge)
    for edge in "00 01 7f 80 ff ffff fffe 7fff 8000 ffffffff fffffffe 7fffffff 80000000 eda080 "
    "ffffffff0f 808080808001".split()
)


def valid_bytes(*, names: Sequence[str] = CONSUMER_PROTOCOL) -> st.SearchStrategy[Case]:
    """Return a strategy for bytes of conforming writers of today; half of them with bytes behind,
    if readers ignore those.
    """
    return _givens(known_names(names)).flatmap(_with_tail)


def _givens(names: tuple[str, ...]) -> st.SearchStrategy[Given]:
    own = {"ConsumerProtocolSubscription": subscriptions, "ConsumerProtocolAssignment": assignments}
    return st.one_of(
        [
            own[name]() if name in own else messages(classes=st.just(message_class(name)))
            for name in names
        ]
    )


def _with_tail(sample: Given) -> st.SearchStrategy[Case]:
    plain = case_of(sample)
    if not plain.clamped:
        return st.just(plain)
    longer = st.sampled_from(_TAILS).map(
        lambda tail: Case(plain.name, plain.data + tail, None, "trailing", "valid, and a tail")
    )
    return st.just(plain) | longer


def case_of(sample: Given) -> Case:
    """Return the case of a message's bytes."""
    return Case(sample.cls.NAME, sample.data, sample.body_version, "valid", "a message")


def nearly_valid_bytes(*, names: Sequence[str] = CONSUMER_PROTOCOL) -> st.SearchStrategy[Case]:
    """Return a strategy for valid bytes of which a few are overwritten, inserted or removed
    anywhere.
    """
    return _nearly_valid(known_names(names))


@st.composite
def _nearly_valid(draw: st.DrawFn, names: tuple[str, ...]) -> Case:
    sample = draw(_givens(names))
    data = sample.data
    start = draw(st.integers(0, len(data)))
    removed = draw(st.integers(0, 4))
    put = draw(st.sampled_from([b"", *_EDGES]) | st.binary(max_size=4))
    changed = data[:start] + put + data[start + removed :]
    return Case(sample.cls.NAME, changed, sample.body_version, "nearly-valid", f"at byte {start}")


def broken_bytes(*, names: Sequence[str] = CONSUMER_PROTOCOL) -> st.SearchStrategy[Case]:
    """Return a strategy for valid bytes with one thing made wrong: a length, a count, a version, an
    end, a character.

    The case's `kind` says what, its `origin` where.
    """
    return _givens(known_names(names)).map(case_of).flatmap(_breakages)


def _breakages(case: Case) -> st.SearchStrategy[Case]:
    """Return a strategy for breakages, by kind first: a smaller message is then broken in the same
    way.
    """
    kinds: dict[str, list[Case]] = {}
    for breakage in breakages(case):
        kinds.setdefault(breakage.kind, []).append(breakage)
    return st.sampled_from(sorted(kinds)).flatmap(lambda kind: st.sampled_from(kinds[kind]))
