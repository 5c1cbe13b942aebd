"""The diagnostic reader: reads any bytes, and says why they are refused or how they deviate.

The fast readers (the compiled core, generated Python) give up at the first byte that is not the
common case. This one tracks offset and path while it reads. It raises DecodeError with the exact
place, gives unusual but legal bytes the value that Kafka gives them, notes what no conforming
writer emits, and on demand records the tree of all fields.

A `Kind` reads one type of the wire from a `Cursor`; `kind_of(layout, ...)` composes the kinds of a
whole message, as Kafka's own `Schema` objects do. Every rule of policy KAFKA that goes beyond the
layout is here, and once more in `construct_schema`, independently.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn
from uuid import UUID

from ...wording import counted
from ..dialect.layout import Layout, Slot, width
from ..dialect.names import Path, path_text
from ..errors import DecodeError, ErrorKind
from ..runtime.message import MessagePart, RawTaggedField
from ..wire import utf8
from ..wire.primitives import MAX_ELEMENTS, MAX_STRING, MAX_TAGS


class Oddity:
    """The names of what the diagnostic reader notes; `deviations` gives each a code."""

    NEGATIVE_LENGTH = "negative-length"
    INVALID_UTF8 = "invalid-utf-8"
    OVERLONG_VARINT = "overlong-varint"
    WRAPPED_VARINT = "wrapped-varint"
    TAG_ORDER = "tag-order"
    TAG_SIZE = "tag-size"
    TAGGED_DEFAULT = "tagged-default"
    UNKNOWN_TAG = "unknown-tag"
    BOOL = "bool"
    PRESENCE = "presence"


class FieldNode:
    """One item of the tree of fields: the message's fields, structs, elements, tag sections.

    `path` is like "owned_partitions[3].topic"; the item's bytes, its length prefix included, are
    `data[start:end]`; `type` is the dialect's ("[]int32"). Where reading stopped inside the item,
    `complete` is False and `value` None.
    """

    __slots__ = ("children", "complete", "end", "name", "path", "start", "type", "value")

    def __init__(self, name: str, path: str, type_: str, start: int) -> None:
        self.name = name
        self.path = path
        self.type = type_
        self.start = start
        self.end = start
        self.value: Any = None
        self.complete = False
        self.children: list[FieldNode] = []

    def __repr__(self) -> str:
        return f"<{self.path} [{self.start}:{self.end}] {self.type} {self.value!r:.60}>"


class Kind:
    """One type on the wire: its name in the dialect, and the function that reads a value."""

    __slots__ = ("label", "read")

    def __init__(self, label: str, read: Callable[[Cursor], Any]) -> None:
        self.label = label
        self.read = read


class Number(Kind):
    """A number of a fixed size, whose value needs no conversion: an array of them is read at once.

    `code` is the format character of `struct`.
    """

    __slots__ = ("code", "size")

    def __init__(self, label: str, code: str) -> None:
        super().__init__(label, _fixed(label, code))
        self.code = code
        self.size = struct.calcsize(f">{code}")


class Cursor:
    """The position and the path of the diagnostic reader in `data`.

    `note(oddity, path, offset)` is called for what no conforming writer emits; `root` collects the
    tree of fields. Both cost time and memory, and are None unless they are needed.
    """

    def __init__(
        self,
        data: bytes,
        pos: int,
        version: int | None,
        *,
        note: Callable[[str, Path, int], None] | None = None,
        root: FieldNode | None = None,
    ) -> None:
        self.data = data
        self.pos = pos
        self.version = version
        self.note = note
        self.path: list[str | int] = []
        self.node = root
        self._text = ""  # `path` as text, where there is a tree

    def field(self, name: str | int, kind: Kind) -> Any:
        """Read one field or element, and return its value; `name` is its name or index."""
        self.path.append(name)
        if self.node is None:
            value = kind.read(self)
        else:
            above = self._text
            if isinstance(name, int):
                label = f"[{name}]"
                self._text = above + label
            else:
                label = name
                self._text = f"{above}.{name}" if above else name
            value = self._recorded(label, kind, self._text)
            self._text = above
        self.path.pop()
        return value

    def numbers(self, element: Number, count: int) -> tuple[Any, ...]:
        """Read `count` numbers, all of which are there, at once."""
        start, size = self.pos, element.size
        self.pos = start + count * size
        values = struct.unpack_from(f">{count}{element.code}", self.data, start)
        if self.node is not None:
            above, label, add = self._text, element.label, self.node.children.append
            for index, value in enumerate(values):
                part = f"[{index}]"
                node = FieldNode(part, above + part, label, start)
                start += size
                node.end, node.complete, node.value = start, True, value
                add(node)
        return values

    def section(self, name: str, kind: Kind) -> Any:
        """Read a tag section, which has a node in the tree but is not part of the path."""
        if self.node is None:
            return kind.read(self)
        path = f"{self._text}.{name}" if self._text else name
        return self._recorded(name, kind, path)

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Add `name` to the path, though it is no node of the tree, while the block runs."""
        above = self._text
        self.path.append(name)
        self._text = f"{above}.{name}" if above else name
        yield
        self.path.pop()
        self._text = above

    def _recorded(self, name: str, kind: Kind, path: str) -> Any:
        parent = self.node
        assert parent is not None
        node = FieldNode(name, path, kind.label, self.pos)
        parent.children.append(node)
        self.node = node
        node.value = kind.read(self)
        node.end, node.complete = self.pos, True
        self.node = parent
        return node.value

    def odd(self, oddity: str, offset: int) -> None:
        """Note an oddity of the current field, if notes are taken."""
        if self.note is not None:
            self.note(oddity, tuple(self.path), offset)

    def refuse(
        self, kind: ErrorKind, offset: int, reason: str, size: int | None = None
    ) -> NoReturn:
        """Raise DecodeError for the current field, which should have `size` bytes."""
        error = DecodeError(kind, offset, path_text(self.path), reason, self.version)
        error.size = size
        try:
            raise error
        finally:
            del error  # its traceback has this frame: a cycle that keeps all callers' values alive

    @property
    def left(self) -> int:
        """How many bytes are not read yet."""
        return len(self.data) - self.pos

    def take(self, size: int, start: int, noun: str) -> bytes:
        """Return the next `size` bytes.

        Raises DecodeError if fewer are left, at `start`, where the item begins that is called
        `noun`.
        """
        end = self.pos + size
        if end > len(self.data):
            reason = f"{noun} of {counted(size, 'byte')}, {self.left} left"
            self.refuse(ErrorKind.TRUNCATED, start, reason, size)
        raw = self.data[self.pos : end]
        self.pos = end
        return raw

    def varint(self, start: int) -> int:
        """Return an unsigned varint, wrapped to int32 as by Kafka's readUnsignedVarint."""
        value = 0
        for shift in range(0, 35, 7):
            byte = self.take(1, start, "varint")[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
        else:
            self.refuse(ErrorKind.VARINT_TOO_LONG, start, "more than five bytes")
        if byte == 0 and shift:
            self.odd(Oddity.OVERLONG_VARINT, start)
        if value >> 32:
            self.odd(Oddity.WRAPPED_VARINT, start)
        value &= 0xFFFFFFFF
        return value - (1 << 32) if value >> 31 else value


# -- fixed sizes


def _fixed(label: str, code: str) -> Callable[[Cursor], Any]:
    form = struct.Struct(f">{code}")
    unpack, size = form.unpack, form.size

    def read(c: Cursor) -> Any:
        return unpack(c.take(size, c.pos, label))[0]

    return read


def _read_uuid(c: Cursor) -> UUID:
    return UUID(bytes=c.take(16, c.pos, "uuid"))


def _read_bool(c: Cursor) -> bool:
    start = c.pos
    byte = c.take(1, start, "bool")[0]
    if byte > 1:
        c.odd(Oddity.BOOL, start)
    return byte != 0


FIXED: dict[str, Kind] = {
    "bool": Kind("bool", _read_bool),
    "int8": Number("int8", "b"),
    "int16": Number("int16", "h"),
    "uint16": Number("uint16", "H"),
    "int32": Number("int32", "i"),
    "uint32": Number("uint32", "I"),
    "int64": Number("int64", "q"),
    "float64": Number("float64", "d"),
    "uuid": Kind("uuid", _read_uuid),
}

# -- lengths and counts


def _length(c: Cursor, prefix: Kind | None, nullable: bool) -> int | None:
    """Return a length or count, None for null; without `prefix` it is a compact one."""
    start = c.pos
    size: int = _less_one(c.varint(start)) if prefix is None else prefix.read(c)
    if size >= 0:
        return size
    if not nullable:
        kind = ErrorKind.NULL_NOT_ALLOWED if size == -1 else ErrorKind.NEGATIVE_LENGTH
        c.refuse(kind, start, f"length {size}, and null is not allowed here")
    if size != -1:
        c.odd(Oddity.NEGATIVE_LENGTH, start)
    return None


def _less_one(value: int) -> int:
    """Return the value minus 1 in int32, as in Java, where the smallest int becomes the largest."""
    return value - 1 if value > -0x80000000 else 0x7FFFFFFF


def _string(prefix: Kind | None, nullable: bool) -> Kind:
    def read(c: Cursor) -> str | None:
        start = c.pos
        size = _length(c, prefix, nullable)
        if size is None:
            return None
        if size > MAX_STRING:
            reason = f"{counted(size, 'byte')}, at most {MAX_STRING}"
            c.refuse(ErrorKind.STRING_TOO_LONG, start, reason)
        raw = c.take(size, start, "string")
        try:
            return raw.decode()
        except UnicodeDecodeError:
            c.odd(Oddity.INVALID_UTF8, start)
            return utf8.decode(raw)

    return Kind("string", read)


def _read_modified_utf8(c: Cursor) -> str:
    start = c.pos
    raw = c.take(FIXED["uint16"].read(c), start, "string")
    try:
        text = utf8.decode_modified(raw)
    except ValueError as error:
        c.refuse(ErrorKind.DEVIATION, start, str(error))
    if utf8.encode_modified(text) != raw:
        c.odd(Oddity.INVALID_UTF8, start)
    return text


def _read_utf16(c: Cursor) -> str:
    """Read UTF-16 units behind their count; negative is 0 in Kafka Streams (TaskId.readFrom)."""
    start = c.pos
    count: int = FIXED["int32"].read(c)
    if count < 0:
        c.odd(Oddity.NEGATIVE_LENGTH, start)
    return utf8.decode_utf16(c.take(2 * max(count, 0), start, "string"))


ENCODED = {
    "modified-utf-8": Kind("string", _read_modified_utf8),
    "utf-16": Kind("string", _read_utf16),
}


def _bytes(label: str, prefix: Kind | None, nullable: bool) -> Kind:
    def read(c: Cursor) -> bytes | None:
        start = c.pos
        size = _length(c, prefix, nullable)
        return None if size is None else c.take(size, start, label)

    return Kind(label, read)


def _array(element: Kind, prefix: Kind | None, nullable: bool) -> Kind:
    def read(c: Cursor) -> tuple[Any, ...] | None:
        start = c.pos
        count = _length(c, prefix, nullable)
        if count is None:
            return None
        if count > c.left:  # as in Kafka: an element takes at least a byte
            reason = f"{counted(count, 'element')}, {counted(c.left, 'byte')} left"
            c.refuse(ErrorKind.COUNT_EXCEEDS_INPUT, start, reason)
        if count > MAX_ELEMENTS:
            reason = f"{counted(count, 'element')}, at most {MAX_ELEMENTS:,}"
            c.refuse(ErrorKind.COUNT_EXCEEDS_INPUT, start, reason)
        if isinstance(element, Number) and count * element.size <= c.left:
            return c.numbers(element, count)
        return tuple([c.field(index, element) for index in range(count)])

    return Kind(f"[]{element.label}", read)


# -- structs


def _struct(
    label: str, cls: type[MessagePart], fields: list[tuple[str, Kind, bool]], tags: Tags
) -> Kind:
    def read(c: Cursor) -> MessagePart:
        values: dict[str, Any] = {}
        for name, kind, optional in fields:
            if optional and not c.left:
                break
            values[name] = c.field(name, kind)
        if tags is not None:
            values |= c.section("tagged_fields", Kind("tagged fields", read_tags))
        return cls(**values)

    def read_tags(c: Cursor) -> dict[str, Any]:
        assert tags is not None
        return _read_tags(c, tags)

    return Kind(label, read)


def _nullable_struct(inner: Kind, tagged: bool) -> Kind:
    """Return the kind of a struct that may be null.

    In front of it is an int8, which is negative for null; in a tagged field a varint, which is 0,
    or negative in Java's int.
    """

    def read(c: Cursor) -> MessagePart | None:
        start = c.pos
        marker: int = c.varint(start) if tagged else FIXED["int8"].read(c)
        null = marker <= 0 if tagged else marker < 0
        if marker != (-1, 1, 0, 1)[2 * tagged + (not null)]:  # what conforming writers write
            c.odd(Oddity.PRESENCE, start)
        if null:
            return None
        value: MessagePart = inner.read(c)
        return value

    return Kind(inner.label, read)


Tag = tuple[str, Kind, Any] | None  # name, kind, default; None for a tag of other versions
Tags = dict[int, Tag] | None


def _read_tags(c: Cursor, tags: dict[int, Tag]) -> dict[str, Any]:
    """Read a tag section; the size of a known field is not looked at, as in Kafka."""
    values: dict[str, Any] = {}
    start = c.pos
    count = c.varint(start)
    if not 0 <= count <= min(c.left, MAX_TAGS):
        reason = (
            f"{counted(count, 'tagged field')}; {counted(c.left, 'byte')} left, and at most "
            f"{MAX_TAGS:,} fields"
        )
        c.refuse(ErrorKind.BAD_TAGGED_FIELD, start, reason)
    unknown: list[RawTaggedField] = []
    last = -1
    for _ in range(count):
        at = c.pos
        tag = c.varint(at)
        if tag <= last:
            c.odd(Oddity.TAG_ORDER, at)
        last = tag
        if tag in tags:
            row = tags[tag]
            if row is None:
                c.refuse(ErrorKind.BAD_TAGGED_FIELD, at, f"tag {tag} belongs to other versions")
            _read_known_tag(c, row, values)
        else:
            c.odd(Oddity.UNKNOWN_TAG, at)
            with c.within("unknown_tagged_fields"):
                unknown.append(c.field(len(unknown), _unknown_tag(tag)))
    return values | {"unknown_tagged_fields": tuple(unknown)}


def _read_known_tag(c: Cursor, field: tuple[str, Kind, Any], values: dict[str, Any]) -> None:
    name, kind, default = field
    at = c.pos
    size = c.varint(at)
    start = c.pos
    values[name] = c.field(name, kind)
    if c.pos - start != size:
        c.odd(Oddity.TAG_SIZE, at)
    if values[name] == default:
        c.odd(Oddity.TAGGED_DEFAULT, start)


def _unknown_tag(tag: int) -> Kind:
    def read(c: Cursor) -> RawTaggedField:
        start = c.pos
        size = c.varint(start)
        if not 0 <= size <= c.left:
            reason = f"tag {tag} of {counted(size, 'byte')}, {c.left} left"
            c.refuse(ErrorKind.BAD_TAGGED_FIELD, start, reason)
        return RawTaggedField(tag=tag, data=c.take(size, start, "tagged field"))

    return Kind("tagged field", read)


# -- from a layout


def kind_of(layout: Layout, cls: type[MessagePart], message_class: type[MessagePart]) -> Kind:
    """Return the kind that reads `cls`, a message class or one of its structs, by `layout`."""
    fields = [
        (slot.field.snake, _slot_kind(slot, message_class), slot.optional) for slot in layout.slots
    ]
    tags: Tags = None
    if layout.flexible:
        defaults = cls()  # every field has a default
        tags = dict.fromkeys(layout.foreign_tags)
        tags |= {
            slot.field.tag: (  # type: ignore[misc]  # a tagged slot has a tag
                slot.field.snake,
                _slot_kind(slot, message_class, tagged=True),
                getattr(defaults, slot.field.snake),
            )
            for slot in layout.tagged
        }
    label = layout.struct.name if layout.struct else cls.__name__
    if layout.struct is not None and not width(layout):  # no bytes: one value serves for all
        nothing = cls()
        return Kind(label, lambda c: nothing)
    return _struct(label, cls, fields, tags)


def _slot_kind(slot: Slot, message_class: type[MessagePart], *, tagged: bool = False) -> Kind:
    array = slot.field.type.array
    nullable = slot.nullable and not array
    if slot.element is not None:
        assert slot.element.struct is not None
        cls = getattr(message_class, slot.element.struct.class_name)
        kind = kind_of(slot.element, cls, message_class)
        kind = _nullable_struct(kind, tagged) if nullable else kind
    elif slot.base in FIXED or slot.base in ENCODED:
        kind = FIXED.get(slot.base) or ENCODED[slot.base]
    elif slot.base == "string":
        kind = _string(None if slot.compact else FIXED["int16"], nullable)
    else:
        kind = _bytes(slot.base, None if slot.compact else FIXED["int32"], nullable)
    if array:
        return _array(kind, None if slot.compact else FIXED["int32"], slot.nullable)
    return kind
