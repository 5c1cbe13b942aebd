"""The ways a body is read and written in this project, told alike, so that they can be compared."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kproto.codec import Decoded, DecodeError, construct_for, decode
from kproto.codec.construct_schema import ConstructRefused
from kproto.codec.read.diagnostic_reader import Cursor, kind_of
from kproto.codec.read.version_field import VersionField, check_latest
from kproto.codec.runtime.message import Message, MessagePart
from kproto.codec.runtime.registry import layout_of
from kproto.codec.wire.primitives import ODD_BYTES

if TYPE_CHECKING:
    from kproto.codec import ErrorKind
    from kproto.codec.dialect.layout import Layout


M = TypeVar("M", bound=Message)


class Outcome(NamedTuple):
    """A value and where it ends, or the kind and the offset of a refusal."""

    value: Any = None
    end: int | None = None
    kind: ErrorKind | None = None
    offset: int | None = None


def attempt(data: bytes, cls: type[M], **how: Any) -> Decoded[M] | DecodeError:
    """What `decode` gives or raises."""
    try:
        return decode(data, cls, **how)
    except DecodeError as error:
        return error


def by_decode(cls: type[Message], version: int, body: bytes) -> Outcome:
    try:
        seen = decode(body, cls, body_version=version)
    except DecodeError as error:
        return Outcome(kind=error.kind, offset=error.offset)
    return Outcome(_of_version(cls, version, seen.message), len(body) - len(seen.remainder))


def by_fast_reader(cls: type[Message], version: int, body: bytes) -> Outcome | None:
    """None where it leaves the bytes to the careful reader."""
    try:
        message, end = cls._codecs[version].read(body, 0)
    except ODD_BYTES:
        return None
    return _judged(cls, version, message, end)


def _judged(cls: type[Message], version: int, message: Any, end: int) -> Outcome:
    """A reader's message, after the one rule that `decode` has for it."""
    if cls.FRAMING.newer == "head":
        try:
            label = VersionField(message.version, version, 0, newer=False)
            check_latest(cls, label, message)
        except DecodeError as error:
            return Outcome(kind=error.kind, offset=error.offset)
    return Outcome(_of_version(cls, version, message), end)


def by_careful_reader(cls: type[Message], version: int, body: bytes) -> Outcome:
    cursor = Cursor(body, 0, version)
    try:
        message = kind_of(layout_of(cls, version), cls, cls).read(cursor)
    except DecodeError as error:
        return Outcome(kind=error.kind, offset=error.offset)
    return _judged(cls, version, message, cursor.pos)


def by_construct(
    cls: type[Message], version: int, body: bytes, *, compiled: bool = False
) -> Outcome:
    stream = io.BytesIO(body)
    try:
        value = constructs(cls, version, compiled).parse_stream(stream)
    except ConstructRefused as error:
        return Outcome(kind=error.kind, offset=error.offset)
    return Outcome(plain(value), stream.tell())


@cache
def constructs(cls: type[Message], version: int, compiled: bool) -> Any:
    made = construct_for(cls, version)
    return made.compile() if compiled else made


def plain(value: Any) -> Any:
    """Messages, Containers, tuples and lists as dicts and lists; floats so that NaN equals NaN."""
    if isinstance(value, MessagePart):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items() if name != "_io"}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]
    return struct.pack(">d", value) if isinstance(value, float) else value


def _of_version(cls: type[Message], version: int, message: Any) -> Any:
    """The fields that the version has: construct's values have no others."""
    return _project(plain(message), layout_of(cls, version))


def _project(value: Any, layout: Layout) -> Any:
    if value is None:
        return None
    found = {}
    for slot in (*layout.slots, *layout.tagged):
        item = value[slot.field.snake]
        if slot.element is not None and slot.field.type.array and item is not None:
            item = [_project(one, slot.element) for one in item]
        elif slot.element is not None:
            item = _project(item, slot.element)
        found[slot.field.snake] = item
    if layout.flexible:
        found["unknown_tagged_fields"] = value["unknown_tagged_fields"]
    return found
