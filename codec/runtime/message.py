"""The base classes of every message class, built in or made at run time.

A message is a frozen value: equal to another of its own class with the same fields, hashable,
copyable, picklable. Arrays given as lists become tuples. The methods that read bytes are short
forms of `decode`, which also returns deviations, the remainder and the tree of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, Self

import msgspec

from .. import runtime
from ..dialect.framing import Framing
from ..dialect.names import short_repr
from ..dialect.versions import VersionRange, as_version
from ..errors import EncodeError, FieldTypeError
from ..wire.primitives import ODD_BYTES, ODD_VALUE
from .engine import CORE, function_of

Buffer = bytes | bytearray | memoryview

# Iterable, and no sequence for a field: why, and what to pass.
_NO_SEQUENCES = (
    (str, "its elements would be its characters", "[{}]"),
    ((bytes, bytearray, memoryview), "its elements would be its bytes", "a list or tuple"),
    ((set, frozenset), "it has no order", "sorted(...)"),
    (Mapping, "its elements would be its keys", "a list or tuple"),
)


def as_bytes(data: Buffer) -> bytes:
    """Return the bytes of any buffer. Raises TypeError for other types, such as str and int."""
    try:
        return data if type(data) is bytes else memoryview(data).tobytes()
    except TypeError:
        kind = type(data).__name__
        advice = "; bytes.fromhex(...) makes bytes of hex" if kind == "str" else ""
        line = f"a message is bytes, bytearray or memoryview, not {kind}{advice}"
        raise TypeError(line) from None


def _as_tuple(name: str, value: Any) -> tuple[Any, ...]:
    """Return the elements of an iterable. Raises FieldTypeError, which names the field `name`."""
    if type(value) is list:  # the common case
        return tuple(value)
    refusals = (row for row in _NO_SEQUENCES if isinstance(value, row[0]))
    _, reason, instead = next(refusals, (None, "", ""))
    if not reason and isinstance(value, Iterable):
        return tuple(value)
    if not reason:
        reason, instead = "it is not iterable", "a list or tuple"
    value_text = short_repr(value)
    advice = instead.format(value_text)
    raise FieldTypeError(name, f"{value_text} is not a list or tuple: {reason}; pass {advice}")


class MessagePart(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A struct inside a message; its fields are those of the definition, in snake_case."""

    _sequences: ClassVar[tuple[str, ...]] = ()  # fields that hold a tuple
    _blobs: ClassVar[tuple[str, ...]] = ()  # fields that hold bytes
    _owner: ClassVar[Any] = None  # the message class, where that was made at run time

    def replace(self, /, **changes: Any) -> Self:
        """Return a copy with some fields changed. Raises TypeError for an unknown field name."""
        return msgspec.structs.replace(self, **changes)

    def _freeze(self) -> None:
        """Make tuples of iterables and bytes of buffers, so that the value can be hashed.

        Raises FieldTypeError for what is no sequence.
        """
        for name in self._sequences:
            value = getattr(self, name)
            if value is not None and type(value) is not tuple:
                msgspec.structs.force_setattr(self, name, _as_tuple(name, value))
        for name in self._blobs:
            value = getattr(self, name)
            if isinstance(value, bytearray | memoryview):
                msgspec.structs.force_setattr(self, name, bytes(value))

    def __reduce__(self) -> tuple[Any, ...]:
        return runtime.reduce_part(self)


class RawTaggedField(MessagePart, frozen=True, kw_only=True, gc=False):
    """A tagged field that the definition does not know: its tag and its bytes (KIP-482)."""

    tag: int
    data: bytes


class Codec(msgspec.Struct, frozen=True):
    """The generated functions of one layout.

    `read(data, offset)` returns the message and its end, or raises one of `ODD_BYTES`;
    `write(message, parts)` appends bytes, or raises one of `ODD_VALUE` (see `wire.primitives`).
    """

    read: Callable[[bytes, int], tuple[Any, int]]
    write: Callable[[Any, list[bytes]], None]


class Message(MessagePart, frozen=True, kw_only=True, gc=False):
    """A message whose fields can be bytes without anything in front ("body"), or Kafka's JSON."""

    NAME: ClassVar[str]
    """The definition's name."""
    VERSIONS: ClassVar[VersionRange]
    """Every version that the definition has."""
    LATEST: ClassVar[int]
    """The highest version; -1 where there is none."""
    API_KEY: ClassVar[int | None]
    """The API key of a request or response; the record type of the offsets topic's records."""
    FRAMING: ClassVar[Framing]
    """The bytes before the fields: their kind, and how a newer version in them is read."""

    _codecs: ClassVar[Mapping[int, Codec]]
    _bound: ClassVar[bool] = False  # whether `engine.bind` has seen the class
    _functions: ClassVar[Mapping[str, Callable[..., Any]]] = {}  # the core's, by name
    _program: ClassVar[Any] = None  # the core's
    _raw_field: ClassVar[Any] = partial(RawTaggedField, tag=0, data=b"")  # shows its memory layout
    _spec: ClassVar[Any] = None  # the definition, where it is not built in

    def to_body(self, version: int | None = None) -> bytes:
        """Return the fields as `version` (default: `LATEST`) lays them out, nothing in front.

        Raises EncodeError where a value does not fit, a non-ignorable field would be lost, or
        there is no such version. A bool is refused as a number, except in an array of numbers:
        there it is written as 0 or 1, since a look at every element would cost too much.
        """
        if CORE is not None and (core := function_of(type(self), "to_body")):
            data: bytes = core(self, version)
            return data
        return self._to_body(version)

    def _to_body(self, version: int | None) -> bytes:
        """Return what `to_body` does, by the generated writer."""
        if type(version) is not int or version < 0:
            version = self._version_to_write(version)
        return self._written(b"", version)

    @classmethod
    def from_body(cls, body: Buffer, version: int) -> Self:
        """Read a body as `version`; bytes after the fields are ignored.

        Short for `decode(body, cls, body_version=version).message`. Raises DecodeError, also for a
        version that the class does not have, and ValueError for one that is no whole number.
        """
        if CORE is not None and (core := function_of(cls, "from_body")):
            message: Self = core(body, version)
            return message
        return runtime.read(cls, body, as_version(version))

    def to_json(self, version: int | None = None) -> dict[str, Any]:
        """Return Kafka's JSON form of `version` (default: `LATEST`).

        Raises EncodeError for what `to_body` refuses, except what only bytes cannot hold: a string
        that is too long, unknown tagged fields in any order.
        """
        return runtime.to_json(self, self._version_to_write(version))

    @classmethod
    def from_json(cls, obj: Mapping[str, Any], version: int | None = None) -> Self:
        """Read Kafka's JSON form; `version` only has to be one of the class's.

        A missing field is at its default. A key of another version is read; whether it can be
        written is up to `to_body`. Raises EncodeError for an unknown key or a wrong value.
        """
        cls._version_to_write(version)
        return runtime.from_json(cls, obj)

    @classmethod
    def _version_to_write(cls, version: Any) -> int:
        if version is None:
            return cls.LATEST
        try:
            number = as_version(version)
        except ValueError as error:
            raise EncodeError("", str(error)) from None
        if number in cls.VERSIONS:
            return number
        raise EncodeError("", f"{cls.NAME} has no version {number}; it has {cls.VERSIONS}")

    @classmethod
    def _plainly(cls, version: int, data: bytes, start: int) -> tuple[Self, int] | None:
        """Read the fields of `version` from `start` on, and return the message and its end.

        None where the fast reader does not take the bytes, or there is no such version.
        """
        if CORE is not None and (core := function_of(cls, "_plainly")):
            plain: tuple[Self, int] | None = core(version, data, start)
            return plain
        try:
            return cls._codecs[version].read(data, start)
        except ODD_BYTES:
            return None

    def _written(self, header: bytes, version: int) -> bytes:
        parts = [header]
        try:
            self._codecs[version].write(self, parts)
            return b"".join(parts)
        except ODD_VALUE:
            pass  # outside of this block nothing of the failed attempt is kept alive
        raise runtime.explain_refusal(self, version)


class VersionedMessage(Message, frozen=True, kw_only=True, gc=False):
    """A message whose bytes say which version or record type they are (see `Framing`)."""

    _by_header: ClassVar[Mapping[int, Callable[[bytes, int], tuple[Any, int]]]]
    _headers: ClassVar[Mapping[int, bytes]]

    def to_bytes(self, version: int | None = None) -> bytes:
        """Return the version field and the fields as `version` (default: `LATEST`) lays them out.

        Raises EncodeError as `to_body` does.
        """
        if CORE is not None and (core := function_of(type(self), "to_bytes")):
            data: bytes = core(self, version)
            return data
        return self._to_bytes(version)

    def _to_bytes(self, version: int | None) -> bytes:
        """Return what `to_bytes` does, by the generated writer."""
        if type(version) is not int or version < 0:
            version = self._version_to_write(version)
        return self._written(self._headers.get(version, b""), version)

    @classmethod
    def from_bytes(cls, data: Buffer) -> Self:
        """Read a message of any version, also of a newer one where the framing allows it.

        Short for `decode(data, cls).message`; bytes after the fields are ignored. Raises
        DecodeError.
        """
        if CORE is not None and (core := function_of(cls, "from_bytes")):
            result: Self = core(data)
            return result
        if type(data) is not bytes:
            data = as_bytes(data)
        try:
            message: Self = cls._by_header[data[0] << 8 | data[1]](data, 2)[0]
            return message
        except ODD_BYTES:
            pass  # outside of this block nothing of the failed attempt is kept alive
        return runtime.read(cls, data, None)
