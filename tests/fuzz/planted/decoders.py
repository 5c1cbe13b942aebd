"""Forty decoders of subscriptions in Python, each with three faults that raise an error and one that
only a guarantee sees.

They are written in five styles, as clients are. A fault is a condition on what was read so far, at
the place where a client would look at it. The conditions were written before the mutators were
changed for them, and the mutators are not tuned to them.
"""

# ruff: noqa: E501  # the conditions are a table

from __future__ import annotations

from itertools import cycle, islice
from typing import NamedTuple

COUNT = 40
_CRASHES_OF_ONE = 3
_ERRORS = (
    "KeyError", "IndexError", "ZeroDivisionError", "AttributeError", "TypeError", "RuntimeError",
    "OverflowError", "AssertionError",
)  # fmt: skip

CRASHES: tuple[tuple[str, str], ...] = (
    # -- comparisons
    ("GENERATION", "generation == 77777"),
    ("GENERATION", "generation == 0x7FFFFFFE"),
    ("GENERATION", "generation == -2"),
    ("GENERATION", "1_000_000 < generation < 1_000_003"),
    ("GENERATION", "generation & 0xFFFF == 0xBEEF"),
    ("GENERATION", "generation % 65536 == 4242 and generation > 65536"),
    ("GENERATION", "generation == len(topics) * 1000"),
    ("GENERATION", "version == 3 and generation == 32768"),
    ("GENERATION", "generation * 3 == 41979"),
    ("GENERATION", "owned and generation == owned[0][1][0] if owned and owned[0][1] else False"),
    ("RACK", "rack == 'eu-west'"),
    ("RACK", "rack == 'use1-az2' and generation >= 0"),
    ("RACK", "rack is not None and rack.endswith('::')"),
    ("RACK", "rack is not None and rack.isdecimal() and len(rack) == 3"),
    ("RACK", "rack is not None and rack in topics"),
    ("RACK", "rack == '' and not topics"),
    ("RACK", "rack is not None and rack.upper() == 'RACK-B' and rack != 'RACK-B'"),
    ("RACK", "rack is not None and rack.count('/') == 3"),
    ("RACK", "rack is not None and rack[:1] == '{' and rack[-1:] == '}'"),
    ("TOPICS", "any(topic == 'payments' for topic in topics)"),
    ("TOPICS", "any(topic == '__consumer_offsets' for topic in topics)"),
    ("TOPICS", "any(topic.startswith('.retry') for topic in topics)"),
    ("TOPICS", "any(topic.endswith('-changelog') for topic in topics)"),
    ("TOPICS", "any('\\u00e9' in topic for topic in topics)"),
    ("TOPICS", "any(topic and ord(topic[0]) > 0xFFFF for topic in topics)"),
    ("TOPICS", "any(topic.strip() != topic for topic in topics)"),
    ("TOPICS", "any(topic == topic[::-1] and len(topic) == 5 for topic in topics)"),
    ("USER", "user_data is not None and user_data[:4] == b'\\xca\\xfe\\xba\\xbe'"),
    ("USER", "user_data is not None and user_data[:1] == b'{' and user_data[-1:] == b'}'"),
    ("USER", "user_data is not None and len(user_data) >= 2 and user_data[0] == user_data[1]"),
    ("USER", "user_data is not None and sum(user_data) == 1000"),
    ("USER", "user_data is not None and b'sticky' in user_data"),
    ("USER", "user_data is not None and int.from_bytes(user_data, 'big') == 86400"),
    ("OWNED", "any(7 in partitions and 13 in partitions for _, partitions in owned)"),
    ("OWNED", "any(partition == 2147483647 for _, parts in owned for partition in parts)"),
    ("OWNED", "any(partition == -7 for _, parts in owned for partition in parts)"),
    ("OWNED", "any(parts[:2] == [1, 0] for _, parts in owned)"),
    ("OWNED", "any(parts == [5, 4, 3] for _, parts in owned)"),
    # -- lengths
    ("TOPICS", "any(len(topic) == 17 for topic in topics)"),
    ("TOPICS", "any(len(topic) == 249 for topic in topics)"),
    ("TOPICS", "any(len(topic) > 255 for topic in topics)"),
    ("TOPICS", "len(topics) == 9"),
    ("TOPICS", "sum(map(len, topics)) == 31 and len(topics) > 2"),
    ("TOPICS", "len(topics) > 2 and len({len(topic) for topic in topics}) == 1"),
    ("USER", "user_data is not None and len(user_data) == 64"),
    ("USER", "user_data is not None and len(user_data) == 129"),
    ("USER", "user_data is not None and len(user_data) == len(topics) > 2"),
    ("USER", "user_data == b'' and len(topics) == 4"),
    ("OWNED", "sum(len(parts) for _, parts in owned) == 7"),
    ("OWNED", "any(len(parts) == 12 for _, parts in owned)"),
    ("OWNED", "len(owned) == 5"),
    ("OWNED", "len(owned) > len(topics) > 0"),
    ("OWNED", "[len(parts) for _, parts in owned] == [2, 0, 1]"),
    ("END", "len(rest) == 11"),
    ("END", "rest[:2] == b'ok'"),
    # -- orders
    ("TOPICS", "len(topics) == 3 and topics[1].startswith('zq')"),
    ("TOPICS", "len(topics) > 2 and topics == sorted(topics, reverse=True) and topics[0] != topics[-1]"),
    ("TOPICS", "len(topics) > 3 and topics[0] == topics[3] and topics[1] != topics[2]"),
    ("TOPICS", "len(topics) == 4 and topics[0] < topics[2] < topics[1] < topics[3]"),
    ("OWNED", "len(owned) > 2 and owned[0][0] == owned[2][0] != owned[1][0]"),
    ("OWNED", "any(len(p) > 3 and p == sorted(p, reverse=True) and len(set(p)) == len(p) for _, p in owned)"),
    ("OWNED", "any(len(p) > 2 and p[0] == p[-1] != p[1] for _, p in owned)"),
    ("OWNED", "len(owned) > 1 and owned[-1][0] < owned[0][0] and owned[-1][1] == owned[0][1] != []"),
    # -- combinations
    ("TOPICS", "version == 1 and len(set(topics)) < len(topics)"),
    ("TOPICS", "version == 2 and '' in topics and len(topics) == 2"),
    ("TOPICS", "version > 3 and len(topics) == 3"),
    ("TOPICS", "version == 300"),
    ("TOPICS", "version == 0 and len(topics) == 6"),
    ("USER", "version == 2 and user_data is None and len(topics) == 1"),
    ("USER", "user_data is not None and topics and user_data == topics[0].encode() != b''"),
    ("USER", "user_data is not None and len(user_data) == 12 and user_data[4:8] == bytes(4)"),
    ("OWNED", "version == 1 and any(topic not in topics for topic, _ in owned) and len(topics) == 2"),
    ("OWNED", "user_data == b'' and owned and owned[0][1] == [0]"),
    ("GENERATION", "generation == 5 and user_data is None and not owned and len(topics) == 2"),
    ("GENERATION", "version == 2 and generation > 1 << 24 and len(topics) == 1"),
    ("GENERATION", "user_data is not None and generation == int.from_bytes(user_data[:4], 'big') > 255"),
    ("RACK", "rack is not None and generation == len(rack) == 6"),
    ("RACK", "rack == 'a' and user_data == b'\\x01' and generation == 1"),
    ("RACK", "version == 5 and rack is not None and len(rack) > 8"),
    ("END", "rest == b'' and version == 7 and generation == 9"),
    ("END", "len(rest) > 4 and rest[:4] == len(rest[4:]).to_bytes(4, 'big')"),
)  # fmt: skip
"""The place of each fault, and the condition under which it raises an error."""

VALUES: tuple[tuple[str, str], ...] = (
    ("TOPICS", "topics = topics[:8]"),
    ("TOPICS", "topics = [topic.rstrip() for topic in topics]"),
    ("TOPICS", "topics = [topic[:200] for topic in topics]"),
    ("TOPICS", "topics = [topic.lower() if len(topic) > 6 else topic for topic in topics]"),
    ("TOPICS", "topics = [topic for topic in topics if topic != '__proto__']"),
    ("USER", "user_data = user_data[:100] if user_data is not None else None"),
    ("USER", "user_data = user_data.rstrip(b'\\0') if user_data is not None else None"),
    ("USER", "user_data = None if user_data == b'\\0\\0\\0\\0' else user_data"),
    ("OWNED", "owned = [(topic, [p & 0xFFFF for p in parts]) for topic, parts in owned]"),
    ("OWNED", "owned = [(topic, parts[:10]) for topic, parts in owned]"),
    ("OWNED", "owned = [(topic, [abs(p) for p in parts]) for topic, parts in owned]"),
    ("OWNED", "owned = owned[:4]"),
    ("OWNED", "owned = [(topic, [p for p in parts if p != 255]) for topic, parts in owned]"),
    ("GENERATION", "generation = generation & 0xFFFFFF if generation > 0 else generation"),
    ("GENERATION", "generation = 0 if generation == 77777 else generation"),
    ("GENERATION", "generation = generation if version < 3 or generation < 1000 else 1000"),
    ("RACK", "rack = rack[:20] if rack is not None else None"),
    ("RACK", "rack = rack.replace('_', '-') if rack is not None else None"),
    ("RACK", "rack = None if rack == 'null' else rack"),
    ("RACK", "rack = rack if generation < 100_000 else None"),
)
"""The place of each fault, and the statement that makes a value wrong without an error."""

_HEAD = """
class DecodeError(Exception):
    pass

"""
_FLAT = """
import struct

def decode(data):
    try:
        version, count = struct.unpack_from(">hi", data)
        if version < 0 or not 0 <= count <= len(data):
            raise DecodeError("version or count")
        at, topics = 6, []
        for _ in range(count):
            topic, at = text(data, at)
            topics.append(topic)
        #TOPICS
        size, = struct.unpack_from(">i", data, at)
        at += 4
        user_data = None
        if size >= 0:
            if size > len(data) - at:
                raise DecodeError("user data")
            user_data = bytes(data[at:at + size])
            at += size
        #USER
        owned, generation, rack = [], -1, None
        if version >= 1:
            count, = struct.unpack_from(">i", data, at)
            if not 0 <= count <= len(data):
                raise DecodeError("owned")
            at += 4
            for _ in range(count):
                topic, at = text(data, at)
                size, = struct.unpack_from(">i", data, at)
                if not 0 <= size <= len(data):
                    raise DecodeError("partitions")
                parts = list(struct.unpack_from(f">{size}i", data, at + 4))
                at += 4 + 4 * size
                owned.append((topic, parts))
        #OWNED
        if version >= 2:
            generation, = struct.unpack_from(">i", data, at)
            at += 4
        #GENERATION
        if version >= 3:
            size, = struct.unpack_from(">h", data, at)
            if size >= 0:
                rack, at = text(data, at)
            else:
                at += 2
        #RACK
        rest = bytes(data[at:])
        #END
    except struct.error as error:
        raise DecodeError(str(error)) from None
    return RESULT

def text(data, at):
    size, = struct.unpack_from(">h", data, at)
    if size < 0 or size > len(data) - at - 2:
        raise DecodeError("text")
    return str(data[at + 2:at + 2 + size], "utf-8", "replace"), at + 2 + size
"""
_READER = """
class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, size):
        if size < 0 or self.at + size > len(self.data):
            raise DecodeError(f"{size} bytes at {self.at}")
        piece = self.data[self.at:self.at + size]
        self.at += size
        return bytes(piece)

    def number(self, size):
        return int.from_bytes(self.take(size), "big", signed=True)

    def string(self):
        return self.take(self.number(2)).decode("utf-8", "replace")

    def nullable(self):
        size = self.number(2)
        return None if size < 0 else self.take(size).decode("utf-8", "replace")

    def blob(self):
        size = self.number(4)
        return None if size < 0 else self.take(size)

    def array(self, element):
        count = self.number(4)
        if count < 0 or count > len(self.data):
            raise DecodeError(f"{count} elements")
        return [element() for _ in range(count)]

    def entry(self):
        return self.string(), self.array(lambda: self.number(4))

def decode(data):
    reader = Reader(data)
    version = reader.number(2)
    if version < 0:
        raise DecodeError("version")
    topics = reader.array(reader.string)
    #TOPICS
    user_data = reader.blob()
    #USER
    owned = reader.array(reader.entry) if version > 0 else []
    #OWNED
    generation = reader.number(4) if version > 1 else -1
    #GENERATION
    rack = reader.nullable() if version > 2 else None
    #RACK
    rest = reader.take(len(data) - reader.at)
    #END
    return RESULT
"""
_STREAM = """
from io import BytesIO

def exactly(stream, size):
    piece = stream.read(size) if size >= 0 else b""
    if size < 0 or len(piece) != size:
        raise DecodeError("end of stream")
    return piece

def i16(stream):
    return int.from_bytes(exactly(stream, 2), "big", signed=True)

def i32(stream):
    return int.from_bytes(exactly(stream, 4), "big", signed=True)

def times(stream, limit):
    count = i32(stream)
    if not 0 <= count <= limit:
        raise DecodeError("count")
    return range(count)

def decode(data):
    stream, limit = BytesIO(data), len(data)
    version = i16(stream)
    if version < 0:
        raise DecodeError("version")
    topics = []
    for _ in times(stream, limit):
        topics.append(exactly(stream, i16(stream)).decode(errors="replace"))
    #TOPICS
    size = i32(stream)
    user_data = exactly(stream, size) if size >= 0 else None
    #USER
    owned, generation, rack = [], -1, None
    if version >= 1:
        for _ in times(stream, limit):
            topic = exactly(stream, i16(stream)).decode(errors="replace")
            owned.append((topic, [i32(stream) for _ in times(stream, limit)]))
    #OWNED
    if version >= 2:
        generation = i32(stream)
    #GENERATION
    if version >= 3:
        size = i16(stream)
        rack = exactly(stream, size).decode(errors="replace") if size >= 0 else None
    #RACK
    rest = stream.read()
    #END
    return RESULT
"""
_VIEW = """
from struct import Struct

INT16, INT32 = Struct(">h"), Struct(">i")

class Cut(Exception):
    pass

def split(view, size):
    if size > len(view):
        raise Cut
    return view[:size], view[size:]

def string(view):
    head, view = split(view, 2)
    size = INT16.unpack(head)[0]
    if size < 0:
        return None, view
    body, view = split(view, size)
    return bytes(body).decode("utf-8", "replace"), view

def integer(view):
    head, view = split(view, 4)
    return INT32.unpack(head)[0], view

def strings(view, most):
    count, view = integer(view)
    if count < 0 or count > most:
        raise DecodeError("count")
    items = []
    while count:
        item, view = string(view)
        if item is None:
            raise DecodeError("null")
        items.append(item)
        count -= 1
    return items, view

def decode(data):
    try:
        return parse(memoryview(data), len(data))
    except Cut:
        raise DecodeError("cut") from None

def parse(view, most):
    head, view = split(view, 2)
    version = INT16.unpack(head)[0]
    if version < 0:
        raise DecodeError("version")
    topics, view = strings(view, most)
    #TOPICS
    size, view = integer(view)
    user_data = None
    if size >= 0:
        body, view = split(view, size)
        user_data = bytes(body)
    #USER
    owned, generation, rack = [], -1, None
    if version > 0:
        count, view = integer(view)
        if not 0 <= count <= most:
            raise DecodeError("owned")
        for _ in range(count):
            topic, view = string(view)
            if topic is None:
                raise DecodeError("null")
            parts, count_of_parts = [], 0
            count_of_parts, view = integer(view)
            if not 0 <= count_of_parts <= most:
                raise DecodeError("partitions")
            for _ in range(count_of_parts):
                part, view = integer(view)
                parts.append(part)
            owned.append((topic, parts))
    #OWNED
    if version > 1:
        generation, view = integer(view)
    #GENERATION
    if version > 2:
        rack, view = string(view)
    #RACK
    rest = bytes(view)
    #END
    return RESULT
"""
_TABLE = """
def int16(data, at):
    if at + 2 > len(data):
        raise DecodeError("int16")
    return int.from_bytes(data[at:at + 2], "big", signed=True), at + 2

def int32(data, at):
    if at + 4 > len(data):
        raise DecodeError("int32")
    return int.from_bytes(data[at:at + 4], "big", signed=True), at + 4

def raw(data, at, size):
    if size < 0 or at + size > len(data):
        raise DecodeError("raw")
    return bytes(data[at:at + size]), at + size

def string(data, at):
    size, at = int16(data, at)
    body, at = raw(data, at, size)
    return body.decode("utf-8", "replace"), at

def nullable_string(data, at):
    size, after = int16(data, at)
    return (None, after) if size < 0 else string(data, at)

def nullable_bytes(data, at):
    size, at = int32(data, at)
    return (None, at) if size < 0 else raw(data, at, size)

def array(element):
    def read(data, at):
        count, at = int32(data, at)
        if not 0 <= count <= len(data):
            raise DecodeError("count")
        items = []
        for _ in range(count):
            item, at = element(data, at)
            items.append(item)
        return items, at
    return read

def entry(data, at):
    topic, at = string(data, at)
    parts, at = array(int32)(data, at)
    return (topic, parts), at

FIELDS = (
    (0, array(string), None), (0, nullable_bytes, None), (1, array(entry), ()),
    (2, int32, -1), (3, nullable_string, None),
)

def decode(data):
    version, at = int16(data, 0)
    if version < 0:
        raise DecodeError("version")
    values = []
    for since, reader, default in FIELDS:
        value = default
        if version >= since:
            value, at = reader(data, at)
        values.append(value)
    topics, user_data, owned, generation, rack = values
    owned = list(owned)
    #TOPICS
    #USER
    #OWNED
    #GENERATION
    #RACK
    rest = bytes(data[at:])
    #END
    return RESULT
"""
_RESULT = """{
        "version": version, "remainder": rest, "topics": topics, "userData": user_data,
        "ownedPartitions": [{"topic": topic, "partitions": parts} for topic, parts in owned],
        "generationId": generation, "rackId": rack,
    }"""
STYLES = {
    "flat": _FLAT, "reader": _READER, "stream": _STREAM, "view": _VIEW, "table": _TABLE,
}  # fmt: skip
"""The sources of decoders, with a comment at each place of a fault."""

ADAPTER = """
from kproto.fuzz import Read
from {client} import DecodeError, decode as decode_subscription

ERRORS = DecodeError
NAMES = ["ConsumerProtocolSubscription"]


def decode(name, data):
    value = decode_subscription(data)
    return Read(value, version=value.pop("version"), remainder=value.pop("remainder"))
"""


class Decoder(NamedTuple):
    """The source of a decoder, and its faults."""

    source: str
    crashes: tuple[str, ...]
    """The text of each error that a fault raises."""
    value_fault: str
    """The statement that makes a value wrong."""


def decoders() -> list[Decoder]:
    """Return all of them."""
    crashes = cycle(enumerate(CRASHES))
    return [_decoder(number, list(islice(crashes, _CRASHES_OF_ONE))) for number in range(COUNT)]


def _decoder(number: int, crashes: list[tuple[int, tuple[str, str]]]) -> Decoder:
    place, statement = VALUES[number % len(VALUES)]
    statements = {place: [statement]}
    for index, (crash_place, condition) in crashes:
        error = _ERRORS[(number + index) % len(_ERRORS)]
        raising = f"if {condition}:\n    raise {error}('fault-{index}')"
        statements.setdefault(crash_place, []).insert(0, raising)
    style = list(STYLES)[number % len(STYLES)]
    faults = tuple(f"fault-{index}" for index, _ in crashes)
    return Decoder(source(style, statements), faults, statement)


def source(style: str, statements: dict[str, list[str]]) -> str:
    """Return the source of a decoder with statements at the places of faults."""
    lines: list[str] = []
    for line in (_HEAD.lstrip() + STYLES[style].lstrip()).replace("RESULT", _RESULT).splitlines():
        place = line.strip().removeprefix("#")
        if not line.strip().startswith("#"):
            lines.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())]
        lines += [indent + part for text in statements.get(place, ()) for part in text.splitlines()]
    return "\n".join(lines) + "\n"
