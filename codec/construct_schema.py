"""`construct_for`: a `construct` definition for every version of every message.

    >>> from kproto.codec import ConsumerProtocolAssignment, construct_for
    >>> v0 = construct_for(ConsumerProtocolAssignment, 0)
    >>> seen = v0.parse(bytes.fromhex("00000001 0001 74 00000002 00000000 00000001 ffffffff"))
    >>> seen.assigned_partitions[0].topic, seen.user_data
    ('t', None)

For readers who know construct, this module is a specification of the format:

    message, struct    a Struct of its fields; in flexible versions a tag section ends it (KIP-482)
    int32, bool, ...   construct's own types, big-endian
    string, bytes      a length, then as many bytes; -1 is null
    arrays             a count, then as many elements; -1 is null
    compact forms      the same behind an unsigned varint of length + 1; 0 is null

The other rules of Kafka are small Subconstructs below: negative lengths are null or refused, counts
are refused before memory is allocated, invalid UTF-8 becomes U+FFFD by Java's rule. This module
shares nothing but Java's text rules (`wire.utf8`) with the other readers and writers, and tests
compare them.

Interpreted construct takes up to fifty times the input in memory, so `parse` refuses inputs of more
than `MAX_INPUT` bytes.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import construct
from construct import (
    Adapter,
    Construct,
    Container,
    Float64b,
    Int8sb,
    Int8ub,
    Int16sb,
    Int16ub,
    Int32sb,
    Int32ub,
    Int64sb,
    ListContainer,
    Struct,
    Subconstruct,
)

from .dialect.layout import LATEST_FIELD, Layout, Slot, has_latest
from .dialect.names import short_repr
from .dialect.versions import as_version
from .errors import ErrorKind
from .runtime.message import Message, MessagePart
from .runtime.registry import layout_of
from .wire import utf8

MAX_INPUT = 16 << 20
"""The most bytes that `parse` takes; the other readers take more, and need less memory."""


class ConstructRefused(construct.ConstructError):  # type: ignore[misc]
    """Raised for bytes that Kafka refuses, too; `kind` and `offset` as in `DecodeError`."""

    def __init__(self, kind: ErrorKind, offset: int, reason: str, path: str) -> None:
        super().__init__(f"{kind.value} at byte {offset}: {reason}", path=path)
        self.kind = kind
        self.offset = offset


def construct_for(message_class: type[Message], version: int) -> Construct[Any, Any]:
    """Return the construct of one version's body: `.parse(body)`, `.build(values)`, `.compile()`.

    `parse` returns a Container of the version's fields under their snake_case names. `build` takes
    a mapping or a message, fills in defaults, and ignores fields that the version lacks if they are
    ignorable. Both raise `construct.ConstructError`. Raises ValueError for a version that the class
    does not have.
    """
    version, versions = as_version(version), message_class.VERSIONS
    if version not in versions:
        raise ValueError(f"{message_class.NAME} has no version {version}; it has {versions}")
    layout = layout_of(message_class, version)
    fields = _struct(layout, message_class)
    if message_class.FRAMING.newer == "head" and has_latest(layout):
        fields = Latest(fields)
    return Body(fields)


# -- the end of the input


def _tell(stream: Any) -> int:
    return int(stream.tell())


def _left(stream: Any) -> int:
    start = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(start)
    return int(end - start)


def _take(stream: Any, size: int, start: int, path: str) -> bytes:
    left = _left(stream)
    if size > left:
        reason = f"{size} bytes wanted, {left} left"
        raise ConstructRefused(ErrorKind.TRUNCATED, start, reason, path)
    return bytes(stream.read(size))


def _refuse_value(reason: str, path: str) -> construct.ConstructError:
    return construct.FormatFieldError(reason, path=path)


class Body(Subconstruct):  # type: ignore[misc]
    """A whole message body: it refuses an input that is too large, and also builds messages."""

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        if _left(stream) > MAX_INPUT:
            raise construct.StreamError(f"more than {MAX_INPUT} bytes", path=path)
        return self.subcon._parsereport(stream, context, path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        return self.subcon._build(plain(obj), stream, context, path)


class Latest(Subconstruct):  # type: ignore[misc]
    """A body of Kafka Streams, which refuses a version above its own latest supported version."""

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        content = self.subcon._parsereport(stream, context, path)
        if content[LATEST_FIELD] < content["version"]:
            reason = (
                f"version {content['version']} is above its own latest, {content[LATEST_FIELD]}"
            )
            raise ConstructRefused(ErrorKind.UNSUPPORTED_VERSION, 0, reason, path)
        return content

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if obj.get(LATEST_FIELD, -1) < obj.get("version", 0):
            raise _refuse_value(f"{LATEST_FIELD} is below version", path)
        return self.subcon._build(obj, stream, context, path)


def plain(value: Any) -> Any:
    """Return a message as mappings and lists, which construct builds from."""
    if isinstance(value, MessagePart):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


# -- fixed sizes


class Fixed(Subconstruct):  # type: ignore[misc]
    """A fixed-size field of construct's that reports the offset where the bytes end."""

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        start = _tell(stream)
        _take(stream, self.subcon.sizeof(), start, path)
        stream.seek(start)
        return self.subcon._parsereport(stream, context, path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if isinstance(obj, str | bytes | bool | None):
            raise _refuse_value(f"{short_repr(obj)} is not a number", path)
        try:
            return self.subcon._build(obj, stream, context, path)
        except ValueError:  # construct cannot print it
            raise _refuse_value(f"{short_repr(obj)} is out of range", path) from None


class Truth(Adapter):  # type: ignore[misc]
    """A bool of one byte, where any byte but 0 is true."""

    def _decode(self, obj: int, context: Any, path: str) -> bool:
        return obj != 0

    def _encode(self, obj: Any, context: Any, path: str) -> int:
        if not isinstance(obj, bool):
            raise _refuse_value(f"{short_repr(obj)} is not a bool", path)
        return int(obj)


class Uuid(Adapter):  # type: ignore[misc]
    """A uuid of 16 bytes."""

    def _decode(self, obj: bytes, context: Any, path: str) -> UUID:
        return UUID(bytes=obj)

    def _encode(self, obj: Any, context: Any, path: str) -> bytes:
        if not isinstance(obj, UUID):
            raise _refuse_value(f"{short_repr(obj)} is not a UUID", path)
        return obj.bytes


class Raw(Construct):  # type: ignore[misc]
    """A fixed number of bytes as they are."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def _parse(self, stream: Any, context: Any, path: str) -> bytes:
        return _take(stream, self.size, _tell(stream), path)

    def _build(self, obj: bytes, stream: Any, context: Any, path: str) -> bytes:
        stream.write(obj)
        return obj


FIXED: dict[str, Construct[Any, Any]] = {
    "bool": Truth(Fixed(Int8ub)),
    "int8": Fixed(Int8sb),
    "int16": Fixed(Int16sb),
    "uint16": Fixed(Int16ub),
    "int32": Fixed(Int32sb),
    "uint32": Fixed(Int32ub),
    "int64": Fixed(Int64sb),
    "float64": Fixed(Float64b),
    "uuid": Uuid(Raw(16)),
}

# -- lengths


class UnsignedVarint(Construct):  # type: ignore[misc]
    """A varint: seven bits a byte, lowest first, at most five bytes, wrapped to int32."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        start = _tell(stream)
        septets = [_take(stream, 1, start, path)[0]]
        while septets[-1] & 0x80:
            if len(septets) == 5:
                reason = "more than five bytes"
                raise ConstructRefused(ErrorKind.VARINT_TOO_LONG, start, reason, path)
            septets.append(_take(stream, 1, start, path)[0])
        value = sum((septet & 0x7F) << 7 * place for place, septet in enumerate(septets))
        return (value + 0x80000000) % 0x100000000 - 0x80000000

    def _build(self, obj: int, stream: Any, context: Any, path: str) -> int:
        rest = obj
        while rest > 0x7F:
            stream.write(bytes([rest & 0x7F | 0x80]))
            rest >>= 7
        stream.write(bytes([rest]))
        return obj


class PlusOne(Adapter):  # type: ignore[misc]
    """A compact length: the varint is one more, so that 0 can be null."""

    def _decode(self, obj: int, context: Any, path: str) -> int:
        return (obj + 0x7FFFFFFF) % 0x100000000 - 0x80000000  # minus one, in int32 as in Java

    def _encode(self, obj: int, context: Any, path: str) -> int:
        return obj + 1


COMPACT = PlusOne(UnsignedVarint())


class Counted(Construct):  # type: ignore[misc]
    """A length or count and its content; null where it is negative, if null is allowed."""

    def __init__(self, prefix: Construct[Any, Any], nullable: bool) -> None:
        super().__init__()
        self.prefix = prefix
        self.nullable = nullable

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        start = _tell(stream)
        size = self.prefix._parsereport(stream, context, path)
        if size >= 0:
            return self.parse_content(size, start, stream, context, path)
        if self.nullable:
            return None
        kind = ErrorKind.NULL_NOT_ALLOWED if size == -1 else ErrorKind.NEGATIVE_LENGTH
        raise ConstructRefused(kind, start, "null is not allowed here", path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if obj is not None:
            return self.build_content(obj, stream, context, path)
        if not self.nullable:
            raise _refuse_value("null is not allowed here", path)
        self.prefix._build(-1, stream, context, path)
        return None

    def parse_content(self, size: int, start: int, stream: Any, context: Any, path: str) -> Any:
        """Return the content of `size` bytes or elements, whose prefix began at `start`."""

    def build_content(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        """Write the prefix and the content, and return `obj`."""


class Blob(Counted):
    """A field of type bytes or records."""

    def parse_content(self, size: int, start: int, stream: Any, context: Any, path: str) -> Any:
        return _take(stream, size, start, path)

    def build_content(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, bytes | bytearray | memoryview):
            raise _refuse_value(f"{short_repr(obj)} is not bytes", path)
        self.prefix._build(len(obj), stream, context, path)
        stream.write(obj)
        return obj


class Text(Counted):
    """A field of type string: UTF-8, at most 32,767 bytes."""

    MAX_BYTES = 32767

    def parse_content(self, size: int, start: int, stream: Any, context: Any, path: str) -> Any:
        if size > self.MAX_BYTES:
            reason = f"{size} bytes, at most {self.MAX_BYTES}"
            raise ConstructRefused(ErrorKind.STRING_TOO_LONG, start, reason, path)
        return utf8.decode(_take(stream, size, start, path))

    def build_content(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, str):
            raise _refuse_value(f"{short_repr(obj)} is not a string", path)
        try:
            raw = obj.encode()
        except UnicodeEncodeError as error:
            raise construct.StringError(str(error), path=path) from None
        if len(raw) > self.MAX_BYTES:
            raise construct.StringError(f"{len(raw)} bytes, at most {self.MAX_BYTES}", path=path)
        self.prefix._build(len(raw), stream, context, path)
        stream.write(raw)
        return obj


class ModifiedUtf8(Construct):  # type: ignore[misc]
    """A string of Kafka Streams: a uint16 length, then Java's modified UTF-8."""

    def _parse(self, stream: Any, context: Any, path: str) -> str:
        start = _tell(stream)
        size = FIXED["uint16"]._parsereport(stream, context, path)
        try:
            return utf8.decode_modified(_take(stream, size, start, path))
        except ValueError as error:
            raise ConstructRefused(ErrorKind.DEVIATION, start, str(error), path) from None

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, str):
            raise _refuse_value(f"{short_repr(obj)} is not a string", path)
        try:
            raw = utf8.encode_modified(obj)
        except ValueError as error:
            raise construct.StringError(str(error), path=path) from None
        FIXED["uint16"]._build(len(raw), stream, context, path)
        stream.write(raw)
        return obj


class Utf16(Construct):  # type: ignore[misc]
    """A topology's name in Kafka Streams: an int32 count of UTF-16 units, then the units."""

    def _parse(self, stream: Any, context: Any, path: str) -> str:
        start = _tell(stream)
        count = FIXED["int32"]._parsereport(stream, context, path)
        return utf8.decode_utf16(_take(stream, 2 * max(count, 0), start, path))

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, str):
            raise _refuse_value(f"{short_repr(obj)} is not a string", path)
        raw = utf8.encode_utf16(obj)
        FIXED["int32"]._build(len(raw) // 2, stream, context, path)
        stream.write(raw)
        return obj


ENCODED = {"modified-utf-8": ModifiedUtf8(), "utf-16": Utf16()}


class OrEnd(Construct):  # type: ignore[misc]
    """A field that the message may end before, and that has its default then."""

    def __init__(self, inner: Construct[Any, Any], slot: Slot) -> None:
        super().__init__()
        self.inner = inner
        self.slot = slot

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        if not _left(stream):
            return _default(self.slot)
        return self.inner._parsereport(stream, context, path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        return self.inner._build(obj, stream, context, path)


class Elements(Counted):
    """An array; a count beyond the bytes left is refused, since an element takes at least one."""

    MAX_ELEMENTS = 1_000_000

    def __init__(
        self, prefix: Construct[Any, Any], nullable: bool, element: Construct[Any, Any]
    ) -> None:
        super().__init__(prefix, nullable)
        self.element = element

    def parse_content(self, size: int, start: int, stream: Any, context: Any, path: str) -> Any:
        left = _left(stream)
        if size > left:
            reason = f"{size} elements, {left} bytes left"
            raise ConstructRefused(ErrorKind.COUNT_EXCEEDS_INPUT, start, reason, path)
        if size > self.MAX_ELEMENTS:
            reason = f"{size} elements, at most {self.MAX_ELEMENTS}"
            raise ConstructRefused(ErrorKind.COUNT_EXCEEDS_INPUT, start, reason, path)
        items = ListContainer()
        for _ in range(size):
            items.append(self.element._parsereport(stream, context, path))
        return items

    def build_content(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, Sequence) or isinstance(obj, str | bytes):
            raise _refuse_value(f"{short_repr(obj)} is not a list", path)
        self.prefix._build(len(obj), stream, context, path)
        for item in obj:
            self.element._build(item, stream, context, path)
        return obj


# -- structs


class Optional(Construct):  # type: ignore[misc]
    """A struct behind a marker; null where the marker is `null`, or less."""

    def __init__(self, inner: Construct[Any, Any], marker: Construct[Any, Any], null: int) -> None:
        super().__init__()
        self.inner = inner
        self.marker = marker
        self.null = null

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        marker = self.marker._parsereport(stream, context, path)
        return None if marker <= self.null else self.inner._parsereport(stream, context, path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        self.marker._build(self.null if obj is None else 1, stream, context, path)
        return obj if obj is None else self.inner._build(obj, stream, context, path)


class TagSection(Construct):  # type: ignore[misc]
    """The tag section at the end of a struct in flexible versions.

    It parses to, and builds from, a Container of the tagged fields and `unknown_tagged_fields`, a
    list of Containers of tag and data.
    """

    MAX_FIELDS = 10_000

    def __init__(
        self,
        tags: dict[int, tuple[Slot, Construct[Any, Any]]],
        foreign: tuple[int, ...],
        defaults: Mapping[str, Any],
    ) -> None:
        super().__init__()
        self.tags = tags
        self.defaults = defaults
        self.foreign = foreign  # tags of other versions: refused, as in Kafka

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        container = Container({slot.field.snake: _default(slot) for slot, _ in self.tags.values()})
        unknown = ListContainer()
        start = _tell(stream)
        count = VARINT._parsereport(stream, context, path)
        if not 0 <= count <= min(_left(stream), self.MAX_FIELDS):
            raise ConstructRefused(ErrorKind.BAD_TAGGED_FIELD, start, f"{count} fields", path)
        for _ in range(count):
            start = _tell(stream)
            tag = VARINT._parsereport(stream, context, path)
            if tag in self.foreign:
                raise ConstructRefused(ErrorKind.BAD_TAGGED_FIELD, start, f"tag {tag}", path)
            start = _tell(stream)
            size = VARINT._parsereport(stream, context, path)
            if tag in self.tags:  # its size is not looked at, as in Kafka
                slot, value = self.tags[tag]
                container[slot.field.snake] = value._parsereport(stream, context, path)
                continue
            if not 0 <= size <= _left(stream):
                raise ConstructRefused(ErrorKind.BAD_TAGGED_FIELD, start, f"{size} bytes", path)
            unknown.append(Container(tag=tag, data=_take(stream, size, start, path)))
        container["unknown_tagged_fields"] = unknown
        return container

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        fields = self._unknown(obj.get("unknown_tagged_fields") or (), path)
        for tag, (slot, value) in self.tags.items():
            default = self.defaults[slot.field.snake]
            field_value = obj.get(slot.field.snake, default)
            if not _is_default(field_value, default):
                inner = io.BytesIO()
                value._build(field_value, inner, context, path)
                fields[tag] = inner.getvalue()
        VARINT._build(len(fields), stream, context, path)
        for tag in sorted(fields):
            VARINT._build(tag, stream, context, path)
            VARINT._build(len(fields[tag]), stream, context, path)
            stream.write(fields[tag])
        return obj

    def _unknown(self, field_value: Any, path: str) -> dict[int, bytes]:
        fields: dict[int, bytes] = {}
        last = -1
        if not isinstance(field_value, Sequence):
            raise _refuse_value(f"{short_repr(field_value)} is not a list of tagged fields", path)
        for item in field_value:
            if not (isinstance(item, Mapping) and type(item.get("tag")) is int):
                raise _refuse_value(f"{short_repr(item)} is not a tag and its data", path)
            if not isinstance(item.get("data"), bytes):
                raise _refuse_value(f"the data of tag {short_repr(item['tag'])} is not bytes", path)
            if not last < item["tag"] < 1 << 31 or item["tag"] in (*self.tags, *self.foreign):
                raise _refuse_value(
                    f"tag {short_repr(item['tag'])} after {last}: tags ascend", path
                )
            last = item["tag"]
            fields[last] = item["data"]
        return fields


VARINT = UnsignedVarint()


class Flexible(Construct):  # type: ignore[misc]
    """A struct's fields and its tag section in one Container."""

    def __init__(self, fields: Construct[Any, Any], tags: TagSection) -> None:
        super().__init__()
        self.fields = fields
        self.tags = tags

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        content = self.fields._parsereport(stream, context, path)
        content.update(self.tags._parsereport(stream, context, path))
        return content

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        self.fields._build(obj, stream, context, path)
        self.tags._build(obj, stream, context, path)
        return obj


class Fields(Construct):  # type: ignore[misc]
    """A struct that can be built from any mapping: a missing field is at its default.

    A value that this version would lose is refused. (construct's own Default cannot distinguish a
    missing field from one that is None.)
    """

    def __init__(
        self, inner: Construct[Any, Any], layout: Layout, defaults: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self.inner = inner
        self.absent = {f.snake: defaults[f.snake] for f in layout.absent if not f.ignorable}
        self.defaults = {slot.field.snake: defaults[slot.field.snake] for slot in layout.slots}
        self.flexible = layout.flexible

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        return self.inner._parsereport(stream, context, path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, Mapping):
            raise _refuse_value(f"{short_repr(obj)} is not a mapping of fields", path)
        for name, default in self.absent.items():
            if not _is_default(obj.get(name, default), default):
                raise _refuse_value(f"this version has no field {name}", path)
        if not self.flexible and obj.get("unknown_tagged_fields"):
            raise _refuse_value("this version has no tagged fields", path)
        return self.inner._build({**self.defaults, **obj}, stream, context, path)


def _is_default(field_value: Any, default: Any) -> bool:
    """Return whether a value is the default; a missing field counts as its default."""
    if isinstance(field_value, Mapping) and isinstance(default, Mapping):
        return all(
            _is_default(field_value.get(name, value), value) for name, value in default.items()
        )
    return bool(_as_list(field_value) == default)


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# -- from a layout


def _struct(layout: Layout, message_class: type[Message]) -> Construct[Any, Any]:
    struct = layout.struct
    part = message_class if struct is None else getattr(message_class, struct.class_name)
    defaults = plain(part())
    fields_by_name = [slot.field.snake / _field(slot, message_class) for slot in layout.slots]
    fields: Construct[Any, Any] = Struct(*fields_by_name)
    if layout.flexible:
        tags = {
            slot.field.tag or 0: (slot, _value(slot, message_class, tagged=True))
            for slot in layout.tagged
        }
        fields = Flexible(fields, TagSection(tags, layout.foreign_tags, defaults))
    return Fields(fields, layout, defaults)


def _field(slot: Slot, message_class: type[Message]) -> Construct[Any, Any]:
    value = _value(slot, message_class)
    return OrEnd(value, slot) if slot.optional else value


def _default(slot: Slot) -> Any:
    if slot.element is not None and not slot.field.type.array and not slot.field.default_is_null:
        return _defaults(slot.element)
    return _as_list(slot.field.default)


def _defaults(layout: Layout) -> Container[Any]:
    defaults = {slot.field.snake: _default(slot) for slot in (*layout.slots, *layout.tagged)}
    if layout.flexible:
        defaults["unknown_tagged_fields"] = []
    return Container(defaults)


def _value(
    slot: Slot, message_class: type[Message], *, tagged: bool = False
) -> Construct[Any, Any]:
    array = slot.field.type.array
    element = _element(slot, message_class, slot.nullable and not array, tagged)
    if not array:
        return element
    return Elements(COMPACT if slot.compact else FIXED["int32"], slot.nullable, element)


def _element(
    slot: Slot, message_class: type[Message], nullable: bool, tagged: bool
) -> Construct[Any, Any]:
    if slot.element is not None:
        inner = _struct(slot.element, message_class)
        if not nullable:
            return inner
        return Optional(inner, VARINT, 0) if tagged else Optional(inner, FIXED["int8"], -1)
    if slot.base in FIXED or slot.base in ENCODED:
        return FIXED.get(slot.base) or ENCODED[slot.base]
    if slot.base == "string":
        return Text(COMPACT if slot.compact else FIXED["int16"], nullable)
    return Blob(COMPACT if slot.compact else FIXED["int32"], nullable)
