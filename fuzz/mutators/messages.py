"""Messages: the line in front of them, and splices of every length, count, version, varint, tag
and value, also in nested messages.

The line, the head, says what the bytes behind it are:

    ConsumerProtocolSubscription\\n     a whole message, with its version or record type
    JoinGroupRequest 9\\n               a body of version 9

So an input says by itself what it is, whatever is added to the definitions later.

The diagnostic reader says where each item is, the layout what it is: how its length is written,
whether it may be null, which versions have it. A splice that moves what follows corrects the
lengths around it (of user data, of a tagged field), so that it changes nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from msgspec.structs import replace

from ...codec import Decoded, FieldNode, Message, Policy, decode, message_class
from ...codec.dialect.layout import Layout, Slot
from ...codec.dialect.spec import FieldType
from ...codec.runtime.registry import built_in_names, layout_of
from ...codec.wire.primitives import varint
from ...inspector.nested_bytes import open_inside
from .splices import EDGES, Splice, ends_and_tails, spliced, thinned
from .vocabulary import Vocabulary, vocabulary_splices


class Route(NamedTuple):
    """The class and version that an input's bytes are read as."""

    cls: type[Message]
    body_version: int | None


class _Routes(dict[bytes, Route | None]):
    """Maps a head to its route, or to None if it names no message."""

    def __missing__(self, head: bytes) -> Route | None:
        name, _, version = head.decode("ascii", "replace").partition(" ")
        route = None
        if name in built_in_names():
            cls = message_class(name)
            if not version and cls.FRAMING.kind != "none":
                route = Route(cls, None)
            elif version.isdecimal() and len(version) < 4 and int(version) in cls.VERSIONS:
                route = Route(cls, int(version))
        if len(self) < _MOST_ROUTES:
            self[head] = route
        return route


_MOST_ROUTES = 4096
ROUTES = _Routes()


def head_of(cls: type[Message], version: int) -> bytes:
    """Return the head for one version of a message, with its newline."""
    if cls.FRAMING.kind == "none":
        return b"%s %d\n" % (cls.NAME.encode(), version)
    return cls.NAME.encode() + b"\n"


def heads_of(cls: type[Message]) -> list[bytes]:
    """Return all heads that the message has, sorted."""
    return sorted({head_of(cls, version) for version in cls.VERSIONS})


def split(data: bytes) -> tuple[Route | None, bytes]:
    """Return the route of an input, None if its head names no message, and the bytes behind the
    head.
    """
    head, _, payload = data.partition(b"\n")
    return ROUTES[head], payload


_MOST = 1500  # splices of one input
_LABEL = 2  # bytes of a version or record type
_HEADS = 40  # of other messages
_TRIED = 224  # splices of one input that are tried whether they leave it readable
_ENOUGH = 160  # of one input; where there are fewer, some are joined
_PLAIN = 64  # plain changes to one that is not
_LISTED = 6  # elements of one array that are looked into
_WIDTHS = {"string": 2, "modified-utf-8": 2}  # of a length in bytes; 4 for all else
_TEXTS = (
    b"", b"a", b"orders", b"__proto__", b"constructor", b"10", b"9", b"1e3",
    b"x" * 255, b"x" * 256, "ж𝄞".encode(), b"\0", b"\x1b[31m",
    "\u202e".encode(), b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x82",
)  # fmt: skip
_BLOBS = (
    b"",
    b"\0",
    b"\0\0\0\0",
    b"\xff" * 5,
    b'{"a":1}',
    b"\0\0\0\1\0\1a\0\0\0\1\0\0\0\0\0\0\0\7",
)
_LENGTHS = (-1, -2, 0, 1, 127, 128, 255, 256, 32767, 32768, 1_000_001, 0x7FFFFFFF, -0x80000000)
_VARINTS = ("00", "8000", "818080808000", "ffffffff0f", "8080808008", "ffffffff7f", "80808080")


class Prefix(NamedTuple):
    """A length or count that was read at `start`, as `width` bytes or (0) as a varint of value +
    `plus`; what it counts begins at `end`.
    """

    start: int
    end: int
    width: int
    value: int
    plus: int = 0

    def encode(self, value: int) -> bytes:
        """Return another value in its place, cut to what fits there."""
        if not self.width:
            return varint(value + self.plus & 0xFFFFFFFF)
        return (value & (1 << 8 * self.width) - 1).to_bytes(self.width, "big")


class Messages:
    """The form of inputs with a head; those of `names`, and their versions, are tried in each
    other's place. The words of `vocabulary` are tried in every field.
    """

    raw_every = 4

    def __init__(self, names: Iterable[str] = (), vocabulary: Vocabulary | None = None) -> None:
        self.names = tuple(names)
        self._vocabulary = vocabulary or Vocabulary()

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        route, payload = split(data)
        size = len(data) - len(payload)
        heads = [Splice(0, size, head, f"as {head!r}") for head in self._heads(route)]
        if route is None:
            return heads
        splices = message_splices(payload, *route, self._vocabulary)
        return heads + [splice.moved(size) for splice in splices]

    def head(self, data: bytes) -> int:
        """Return the length of the first line."""
        return data.find(b"\n") + 1

    def tokens(self) -> Iterable[bytes]:
        """Return the edges and the texts at which readers differ."""
        texts = (text for text in _TEXTS if text)
        return (*self._vocabulary.tokens(), *EDGES, *texts)

    def _heads(self, route: Route | None) -> list[bytes]:
        """Return the heads of the message's other versions, and a few of other messages."""
        own = heads_of(route.cls) if route is not None else []
        return own + self._other_heads

    @cached_property
    def _other_heads(self) -> list[bytes]:
        heads = sorted({head for name in self.names for head in heads_of(message_class(name))})
        return heads[:: 1 + len(heads) // _HEADS]


class ReadableMessages(Messages):
    """The form of messages that are meant to be read: after most splices the generated readers can
    read them, whatever else is changed. A short input has few splices, so some are several in one.

    Of those that need the diagnostic reader, which takes ten times as long, a few are kept; of
    those that no reader can read, none.
    """

    raw_every = 256

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        candidates = thinned(list(super().splices(data)), _TRIED)
        end = plain_end(data)
        plain = [splice for splice in candidates if _stays_plain(data, end, splice)]
        plain_set = set(plain)
        rest = thinned(
            [splice for splice in candidates if splice not in plain_set], _TRIED // _PLAIN
        )
        readable = [splice for splice in rest if is_readable(spliced(data, splice))]
        return plain + readable + _joined_splices(data, plain)


def _joined_splices(data: bytes, splices: list[Splice]) -> list[Splice]:
    """Return splices that are several in one, for a short input that has few."""
    rng = Random(crc32(data))  # noqa: S311  # the same each time
    pairs = []
    for _ in range(_ENOUGH - len(splices) if len(splices) > 1 else 0):
        first, second = sorted(rng.sample(splices, 2))
        if first.end <= second.start:
            new = first.new + data[first.end : second.start] + second.new
            pair = Splice(
                first.start, second.end, new, f"{first.description}, {second.description}"
            )
            if is_plain(spliced(data, pair)):
                pairs.append(pair)
    return pairs


def _stays_plain(data: bytes, end: int | None, splice: Splice) -> bool:
    """Return whether the generated readers read an input with the splice, and the rest as they
    did.
    """
    if end is None:
        return is_plain(spliced(data, splice))
    if splice.start < end:
        end += len(splice.new) - (splice.end - splice.start)
    return plain_end(spliced(data, splice)) == end


def is_readable(data: bytes) -> bool:
    """Return whether policy KAFKA reads an input to its end."""
    route, payload = split(data)
    if route is None:
        return False
    reading = decode(payload, route.cls, policy=Policy.LENIENT, body_version=route.body_version)
    return reading.complete


def is_plain(data: bytes) -> bool:
    """Return whether the generated readers read an input without the diagnostic reader."""
    return plain_end(data) is not None


def plain_end(data: bytes) -> int | None:
    """Return how far the generated readers read an input; None if they do not."""
    route, payload = split(data)
    if route is None:
        return None
    cls, version = route
    start = 0
    if version is None:
        start = cls.FRAMING.header_bytes
        version = min(int.from_bytes(payload[:start], "big", signed=True), cls.LATEST)
    read = cls._plainly(version, payload, start)
    return None if read is None else len(data) - len(payload) + read[1]


MESSAGES = Messages(built_in_names())


def message_splices(
    payload: bytes,
    cls: type[Message],
    body_version: int | None,
    vocabulary: Vocabulary | None = None,
) -> list[Splice]:
    """Return the splices worth trying on a message; without `body_version` it has a version or
    record type in front.
    """
    reading = decode(payload, cls, policy=Policy.LENIENT, body_version=body_version)
    splices = thinned(list(splices_of_decoded(reading)), _MOST)
    if vocabulary is not None:
        splices += thinned(list(vocabulary_splices(reading, vocabulary)), _MOST)
    nodes = list(_walk(reading.fields))
    cuts = [place for node in nodes for place in (node.start, node.end)]
    return splices + ends_and_tails(len(payload), cuts[:200])


def _walk(nodes: Sequence[FieldNode]) -> Iterator[FieldNode]:
    for node in nodes:
        yield node
        yield from _walk(node.children[:_LISTED])


def splices_of_decoded(reading: Decoded[Any]) -> Iterator[Splice]:
    """Yield a message's own splices, and those of the messages inside it."""
    cls: type[Message] = reading.message_class
    data = reading.data
    front = reading.fields[0] if reading.fields else None
    if front is not None and front.name in ("version", "record_type") and front.end == _LABEL:
        yield from _labels(cls)
    if reading.schema_version is None:
        return
    yield from _struct(data, layout_of(cls, reading.schema_version), reading.fields)
    blobs = {node.path: node for node in _walk(reading.fields) if isinstance(node.value, bytes)}
    for inner in open_inside(reading):
        node = blobs.get(inner.path)
        if inner.decoded is not None and node is not None:
            prefix = _prefix_before(data, node, inner.start)
            for splice in splices_of_decoded(inner.decoded):
                yield resized(data, splice.moved(inner.start), prefix)


def _labels(cls: type[Message]) -> Iterator[Splice]:
    for version in (*cls.VERSIONS, cls.LATEST + 1, cls.LATEST + 97, 32767, -1, -32768):
        yield Splice(0, _LABEL, version.to_bytes(_LABEL, "big", signed=True), f"labelled {version}")


def _prefix_before(data: bytes, node: FieldNode, start: int) -> Prefix:
    """Return the length of a bytes field whose content begins at `start`."""
    width = start - node.start
    size = len(node.value)
    is_varint = data[node.start : start] == varint(size + 1)
    return Prefix(node.start, start, 0 if is_varint else width, size, plus=int(is_varint))


def resized(data: bytes, splice: Splice, *around: Prefix) -> Splice:
    """Return the splice with the lengths around it corrected, inner ones first."""
    for prefix in around:
        grown = len(splice.new) - (splice.end - splice.start)
        if grown and splice.start >= prefix.end:
            new = prefix.encode(max(0, prefix.value + grown))
            new += data[prefix.end : splice.start] + splice.new
            splice = Splice(prefix.start, splice.end, new, splice.description)
    return splice


# -- by what an item is


def _struct(data: bytes, layout: Layout, nodes: Sequence[FieldNode]) -> Iterator[Splice]:
    slots = {slot.field.snake: slot for slot in layout.slots}
    for node in nodes:
        if node.name in slots:
            yield from _slot(data, slots[node.name], node)
        elif node.type == "tagged fields":
            yield from _tags(data, layout, node)


def _slot(data: bytes, slot: Slot, node: FieldNode, *, tagged: bool = False) -> Iterator[Splice]:
    if slot.field.type.array:
        yield from _array(data, slot, node)
    elif slot.element is not None:
        if slot.nullable and not tagged:
            for marker in (b"\xff", b"\0", b"\1", b"\2", b"\x80"):
                yield Splice(node.start, node.start + 1, marker, f"{node.path} marked {marker!r}")
        yield from _struct(data, slot.element, node.children)
    else:
        yield from _primitive(data, slot, node)


def _primitive(data: bytes, slot: Slot, node: FieldNode) -> Iterator[Splice]:
    kind, (start, end) = slot.base, (node.start, node.end)
    if kind in ("string", "bytes", "records", "modified-utf-8", "utf-16"):
        prefix = _prefix(data, slot, node)
        yield from _lengths(prefix, node)
        for content in _TEXTS if kind == "string" else _BLOBS:
            new = prefix.encode(len(content)) + content
            yield Splice(start, end, new, f"{node.path} is {content[:8]!r}")
        return
    for new in _numbers(data[start:end]):
        yield Splice(start, end, new, f"{node.path} is {new.hex()}")


def _numbers(old: bytes) -> Iterator[bytes]:
    width = len(old)
    value = int.from_bytes(old, "big")
    top = 1 << 8 * width
    for number in (0, 1, 2, 7, top - 1, top - 2, top // 2, top // 2 - 1, value + 1, value - 1):
        yield (number % top).to_bytes(width, "big")


def _array(data: bytes, slot: Slot, node: FieldNode) -> Iterator[Splice]:
    prefix = _prefix(data, slot, node)
    yield from _lengths(prefix, node)
    items = [child for child in node.children if child.complete]
    for item, following in pairwise(items[: _LISTED + 1]):
        swapped = data[following.start : following.end] + data[item.end : following.start]
        swapped += data[item.start : item.end]
        yield Splice(item.start, following.end, swapped, f"{item.path} behind the next")
    for item in items[:_LISTED]:
        raw, count = data[item.start : item.end], prefix.value
        gap = data[prefix.end : item.start]
        less, more = prefix.encode(count - 1), prefix.encode(count + 1)
        yield Splice(prefix.start, item.end, less + gap, f"without {item.path}")
        yield Splice(prefix.start, item.end, more + gap + raw * 2, f"{item.path} twice")
        if slot.element is not None:
            yield from _struct(data, slot.element, item.children)
        else:
            yield from _primitive(data, _element_slot(slot), item)
    if prefix.value > 1:
        yield Splice(node.start, node.end, prefix.encode(0), f"{node.path} is empty")


def _element_slot(slot: Slot) -> Slot:
    """Return the slot of a single element, without what is true of the array alone."""
    single = replace(slot.field, type=FieldType(slot.field.type.name))
    return Slot(field=single, nullable=False, compact=slot.compact)


def _prefix(data: bytes, slot: Slot, node: FieldNode) -> Prefix:
    if slot.compact:
        value, end = _varint_at(data, node.start)
        return Prefix(node.start, end, 0, value - 1, plus=1)
    width = 4 if slot.field.type.array else _WIDTHS.get(slot.base, 4)
    end = node.start + width
    value = int.from_bytes(data[node.start : end], "big", signed=True)
    return Prefix(node.start, end, width, value)


def _varint_at(data: bytes, start: int) -> tuple[int, int]:
    value = 0
    for shift, byte in enumerate(data[start : start + 5]):
        value |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:
            return value, start + shift + 1
    return value, min(len(data), start + 5)


def _lengths(prefix: Prefix, node: FieldNode) -> Iterator[Splice]:
    old = prefix.value
    for value in (*_LENGTHS, old - 1, old + 1):
        new = prefix.encode(value)
        yield Splice(prefix.start, prefix.end, new, f"length {value} at {node.path}")
    if not prefix.width:
        overlong = varint((old + 1) & 0x7F | 0x80)[:1] + b"\0"
        for new in (overlong, *map(bytes.fromhex, _VARINTS)):
            yield Splice(prefix.start, prefix.end, new, f"varint {new.hex()} at {node.path}")


def _tags(data: bytes, layout: Layout, node: FieldNode) -> Iterator[Splice]:
    """Yield splices of a tag section: its count, each tag and size, more tags, none."""
    count, at = _varint_at(data, node.start)
    section = Prefix(node.start, at, 0, count)
    yield from _lengths(section, node)
    free = 1 + max((slot.field.tag or 0 for slot in layout.tagged), default=-1)
    for tag in (free, free + 1, 127, 128, 100_000, *layout.foreign_tags, 0):
        new = varint(count + 1) + data[at : node.end] + varint(tag) + b"\2hi"
        yield Splice(node.start, node.end, new, f"tag {tag} more at {node.path}")
    two_fields = varint(free) + b"\0" + varint(free + 1) + b"\2hi"
    new = varint(count + 2) + data[at : node.end] + two_fields
    yield Splice(node.start, node.end, new, f"tags {free} and {free + 1} more at {node.path}")
    slots = {slot.field.snake: slot for slot in layout.tagged}
    for child in node.children[:_LISTED]:
        tag, sized = _varint_at(data, at)
        size, begins = _varint_at(data, sized)
        yield Splice(at, sized, varint(tag + 1), f"another tag than {child.path}'s")
        around = Prefix(sized, begins, 0, size)
        yield from _lengths(around, child)
        if child.name in slots:
            slot = slots[child.name]
            for splice in _slot(data, slot, child, tagged=True):
                yield resized(data, splice, around)
        at = child.end
