"""kproto's own decoders as subjects: the generated, the diagnostic and the construct one.

Each of the three finds the fields by itself; the version or record type in front is read by
`decode` for all.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ...codec import (
    Decoded,
    DecodeError,
    EncodeError,
    ErrorKind,
    Message,
    MessagePart,
    Policy,
    construct_for,
    decode,
    message_class,
)
from ...codec.construct_schema import ConstructRefused
from ...codec.dialect.layout import Layout
from ...codec.read.diagnostic_reader import Cursor, kind_of
from ...codec.runtime.registry import built_in_names, layout_of
from ..subject import (
    Cost,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Subject,
    Unsupported,
    WriteAnswer,
    Written,
)
from .cases import CLAMPED, value_of, write
from .functions import measured

_UNKNOWN = "kproto has no definition of that name"


def refused(error: DecodeError | EncodeError) -> Refused:
    """Return an error of kproto's as an answer."""
    if isinstance(error, DecodeError):
        return Refused(str(error), "DecodeError", error.kind.value, error.offset)
    return Refused(str(error), "EncodeError")


class Generated:
    """The library as a subject: `decode` under policy KAFKA, and `to_bytes`.

    With `reader_version` it reads as a member that knows nothing newer.
    """

    def __init__(self, reader_version: int | None = None) -> None:
        self.reader_version = reader_version

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`); a clamped message shows the fields of every version that it
        knows.
        """
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        try:
            seen = self._seen(name, data, version)
        except DecodeError as error:
            return refused(error)
        return Read(self._value(seen), seen.version, seen.remainder)

    def _seen(self, name: str, data: bytes, version: int | None) -> Decoded[Message]:
        cls = message_class(name)
        reader = self.reader_version if cls.FRAMING.newer == CLAMPED else None
        return decode(data, cls, reader_version=reader, body_version=version)

    def _value(self, seen: Decoded[Message]) -> JsonObject:
        if seen.message is None or seen.message.FRAMING.newer != CLAMPED:
            return value_of(seen)
        return seen.message.to_json(self.reader_version)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`)."""
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        cls = message_class(name)
        try:
            return Written(write(cls.from_json(value, version), version))
        except EncodeError as error:
            return refused(error)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back (see `Subject`)."""
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        try:
            seen = self._seen(name, data, version)
            if seen.message is None or seen.schema_version is None:
                return Unsupported("only the head of a newer version could be read")
            return Written(seen.with_message(seen.message))
        except (DecodeError, EncodeError) as error:
            return refused(error)

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


Reader = Callable[[type[Message], int, bytes, int], tuple[Message, int]]
"""Reads fields: from class, version, bytes and their offset to the message and where it ends."""


class FieldsReader:
    """One of the other two readers, behind the same front; they do not write."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`), with the fields of the version that was read."""
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        cls = message_class(name)
        front = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        label, read_as = front.version, front.schema_version
        if front.error is not None and front.error.kind is ErrorKind.UNSUPPORTED_VERSION:
            return refused(front.error)
        if read_as is None or label is None:
            if front.error is None:
                return Unsupported("a head alone")
            return refused(front.error)
        start = 0 if version is not None else cls.FRAMING.header_bytes
        return self._fields(cls, data, label, read_as, start)

    def _fields(
        self, cls: type[Message], data: bytes, label: int, read_as: int, start: int
    ) -> Read | Refused:
        try:
            message, end = self._reader(cls, read_as, data, start)
        except DecodeError as error:
            return refused(error)
        except ConstructRefused as error:
            return Refused(str(error), None, error.kind.value, error.offset + start)
        return Read(message.to_json(read_as), label, data[end:])

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("a reader alone")

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("a reader alone")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


def _by_diagnostic_reader(
    cls: type[Message], version: int, data: bytes, start: int
) -> tuple[Message, int]:
    cursor = Cursor(data, start, version)
    message: Message = kind_of(layout_of(cls, version), cls, cls).read(cursor)
    return message, cursor.pos


def _by_construct(cls: type[Message], version: int, data: bytes, start: int) -> tuple[Message, int]:
    stream = io.BytesIO(data[start:])
    value = _construct(cls, version).parse_stream(stream)
    message = _part(cls, cls, layout_of(cls, version), value)
    assert isinstance(message, Message)
    return message, start + stream.tell()


@lru_cache(maxsize=1024)
def _construct(cls: type[Message], version: int) -> Any:
    return construct_for(cls, version)


def _part(
    cls: type[Message], part: type[MessagePart], layout: Layout, value: Mapping[str, Any]
) -> MessagePart:
    """Return a message, or a struct of it, from what construct parsed."""
    fields: dict[str, Any] = {}
    for slot in (*layout.slots, *layout.tagged):
        item = value[slot.field.snake]
        if slot.element is not None and item is not None:
            assert slot.element.struct is not None
            inner = getattr(cls, slot.element.struct.class_name)
            if slot.field.type.array:
                item = tuple(_part(cls, inner, slot.element, part) for part in item)
            else:
                item = _part(cls, inner, slot.element, item)
        fields[slot.field.snake] = item
    return part(**fields)


GENERATED: Subject = Generated()
DIAGNOSTIC: Subject = FieldsReader(_by_diagnostic_reader)
CONSTRUCT: Subject = FieldsReader(_by_construct)
