"""Deviations: facts about bytes, each with a stable code, a class and one line of explanation.

| class     | meaning                                                            |
|-----------|--------------------------------------------------------------------|
| encoding  | no conforming writer emits this                                    |
| evolution | the writer is newer, or its bytes are more than the version has    |
| content   | the bytes are well formed, and their values make no sense          |
| style     | harmless, but not what Apache Kafka's own client writes            |

There is one deviation per code and array: `count` is how often it occurs, offset and path are those
of the first occurrence.

| codes          | found by                                                              |
|----------------|-----------------------------------------------------------------------|
| KP001 to KP063 | this package: they show in the bytes of the message itself            |
| KP070 to KP073 | `inspector`: user data, which depends on the assignor that it is for  |
| KP080 to KP085 | not deviations: these are codes of errors (`REFUSALS`)                |

An error is no deviation, except where readers differ in what they refuse (KP010 to KP016).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from ..dialect.names import Path, path_text
from ..errors import ErrorKind
from ..runtime.message import Message
from ..runtime.registry import spec_of
from .diagnostic_reader import FieldNode, Oddity


class Code(msgspec.Struct, frozen=True):
    """A row of the table of codes: code, class, name in this package, explanation."""

    code: str
    class_: str
    name: str
    explanation: str


_ROWS = (
    ("KP001", "encoding", Oddity.NEGATIVE_LENGTH,
     "a negative length other than -1, read as null"),
    ("KP002", "encoding", Oddity.INVALID_UTF8,
     "not UTF-8; every invalid sequence is read as U+FFFD"),
    ("KP003", "encoding", Oddity.OVERLONG_VARINT,
     "a varint longer than its value needs"),
    ("KP004", "encoding", Oddity.WRAPPED_VARINT,
     "a varint beyond 32 bits, whose upper bits are dropped"),
    ("KP005", "encoding", Oddity.TAG_ORDER,
     "tags that do not ascend, or a tag that occurs twice"),
    ("KP006", "encoding", Oddity.TAG_SIZE,
     "the size of a tagged field is not that of its value"),
    ("KP007", "encoding", Oddity.BOOL,
     "a bool that is neither 0 nor 1, read as true"),
    ("KP008", "encoding", Oddity.PRESENCE,
     "a nullable struct whose marker is not one that conforming writers write"),
    ("KP009", "style", Oddity.TAGGED_DEFAULT,
     "a tagged field at its default, which need not be written"),
    ("KP010", "encoding", "negative-version",
     "a negative version, which Apache Kafka refuses and others take for version 0"),
    ("KP011", "encoding", "null-array",
     "a null array where null is not allowed; readers take it for null, for empty, or refuse it"),
    ("KP012", "encoding", "null-value",
     "a null string or null bytes where null is not allowed; readers differ"),
    ("KP013", "encoding", "negative-size",
     "a negative length other than -1, where not even null is allowed"),
    ("KP014", "encoding", "count-beyond-input",
     "an array of more elements than there are bytes left"),
    ("KP015", "encoding", "no-bytes",
     "no bytes at all, not even a version"),
    ("KP016", "encoding", "string-too-long",
     "a string of more than 32,767 bytes"),
    ("KP020", "evolution", "newer-version",
     "a version newer than the reader knows; read as the highest known one"),
    ("KP021", "evolution", "remainder",
     "bytes after the last known field; a reader of this version ignores them"),
    ("KP022", "evolution", Oddity.UNKNOWN_TAG,
     "a tagged field that this definition does not know; kept as it is"),
    ("KP040", "content", "older-body",
     "the version promises fields that are missing; the body is complete in an older version"),
    ("KP041", "content", "duplicate-key",
     "a topic has two entries; readers differ in which they keep"),
    ("KP042", "content", "duplicate-element",
     "one topic or partition is listed twice"),
    ("KP043", "content", "negative-partition",
     "a negative partition number"),
    ("KP044", "content", "empty-name",
     "an empty topic name"),
    ("KP045", "content", "reserved-name",
     "a topic named __proto__, which a JavaScript object cannot hold as a key"),
    ("KP046", "content", "nul-in-name",
     "a NUL in a topic name, where a reader in C sees its end"),
    ("KP047", "content", "negative-generation",
     "a generation below -1, which is no generation"),
    ("KP048", "content", "impossible-name",
     "a name that no topic can have; brokers refuse to look it up"),
    ("KP060", "style", "unsorted",
     "not in ascending order; Apache Kafka's Java client sorts"),
    ("KP061", "style", "empty-not-null",
     "empty where Apache Kafka's Java client writes null"),
    ("KP062", "style", "empty-rack",
     "an empty rack, where Apache Kafka's Java client writes null"),
    ("KP063", "style", "no-partitions",
     "a topic without a partition, which Apache Kafka's Java client leaves out"),
    ("KP070", "content", "prefixed-user-data",
     "an int16 in front of the user data, where other clients have none"),
    ("KP071", "style", "sticky-under-cooperative",
     "sticky's user data under cooperative-sticky, where the Java client writes a generation"),
    ("KP072", "style", "sticky-in-assignment",
     "sticky's user data in an assignment, where the Java client writes null"),
    ("KP073", "style", "foreign-user-data",
     "user data in a form of its writer's own, which only the same client reads"),
    ("KP080", "encoding", ErrorKind.TRUNCATED.value,
     "the bytes end before the message does"),
    ("KP081", "evolution", ErrorKind.UNSUPPORTED_VERSION.value,
     "a version that is refused, not read as an older one"),
    ("KP082", "encoding", ErrorKind.UNKNOWN_RECORD_TYPE.value,
     "another record type than that of the message"),
    ("KP083", "encoding", ErrorKind.VARINT_TOO_LONG.value,
     "a varint of more than five bytes"),
    ("KP084", "encoding", ErrorKind.BAD_TAGGED_FIELD.value,
     "tagged fields that cannot be read"),
    ("KP085", "encoding", ErrorKind.DEVIATION.value,
     "text that cannot be read in the encoding that is asked for"),
)  # fmt: skip

CODES: dict[str, Code] = {row[0]: Code(*row[:2], row[2], row[3]) for row in _ROWS}
"""Every code, in order. A code's meaning never changes, and none is used twice."""

_BY_NAME = {code.name: code for code in CODES.values()}

REFUSALS = {
    ErrorKind.TRUNCATED: "KP080",
    ErrorKind.NEGATIVE_LENGTH: "KP013",
    ErrorKind.COUNT_EXCEEDS_INPUT: "KP014",
    ErrorKind.NULL_NOT_ALLOWED: "KP012",
    ErrorKind.STRING_TOO_LONG: "KP016",
    ErrorKind.VARINT_TOO_LONG: "KP083",
    ErrorKind.UNSUPPORTED_VERSION: "KP081",
    ErrorKind.UNKNOWN_RECORD_TYPE: "KP082",
    ErrorKind.BAD_TAGGED_FIELD: "KP084",
    ErrorKind.REMAINDER: "KP021",
    ErrorKind.DEVIATION: "KP085",
}
"""The code of each kind of error, for an error that is no deviation."""


def code_named(name: str) -> Code:
    """Return the row of an `Oddity`, or of another name in the table of codes."""
    return _BY_NAME[name]


class Deviation(msgspec.Struct, frozen=True):
    """A fact about the bytes that a conforming, current writer would not produce.

    `class_` is "class" in JSON; `offset` counts from the input's start; `count` is how often it
    occurs in the array that `path` leads into.
    """

    code: str
    class_: str
    offset: int
    path: str
    count: int
    explanation: str


class Notes:
    """Collects notes, one entry for each name and array."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Path], list[Any]] = {}

    def add(self, name: str, path: Path, offset: int, detail: str = "") -> None:
        """Note an occurrence; `detail` is added to the explanation of the code."""
        key = (name, _array_of(path))
        if key in self._found:
            self._found[key][2] += 1
        else:
            self._found[key] = [offset, path, 1, detail]

    def deviations(self) -> tuple[Deviation, ...]:
        """Return what was noted, by offset and code."""
        reported = [
            _deviation(_BY_NAME[name], *details) for (name, _), details in self._found.items()
        ]
        return tuple(sorted(reported, key=lambda d: (d.offset, d.code)))


def _deviation(code: Code, offset: int, path: Path, count: int, detail: str) -> Deviation:
    explanation = f"{code.explanation} ({detail})" if detail else code.explanation
    return Deviation(code.code, code.class_, offset, path_text(path), count, explanation)


def _array_of(path: Path) -> Path:
    """Return the path up to the innermost array, whose elements are counted together."""
    for index in range(len(path) - 1, -1, -1):
        if isinstance(path[index], int):
            return path[:index]
    return path


# -- deviations that follow from values


def content_deviations(root: FieldNode, cls: type[Message], notes: Notes) -> None:
    """Note duplicates, impossible values and habits of other clients, in the tree of fields.

    The rules go by the map keys of the definition, and by names that many messages share: `topics`,
    `topic`, `partitions`, `user_data`, `rack_id`, `generation_id`.
    """
    keys = _map_keys(cls)
    for node, path in _walk(root, ()):
        if node.name in ("topics", "partitions") and node.type in ("[]string", "[]int32"):
            _check_elements(node, path, notes, sorts=cls.NAME == _SORTED_BY_JAVA)
            if not node.children and node.complete and len(path) > 1 and cls.NAME in _MERGED:
                notes.add("no-partitions", path, node.start)
        elif node.type.startswith("[]"):
            _check_keys(node, path, keys, notes)
            if cls.NAME == _SORTED_BY_JAVA:
                _check_order(node, path, notes)
        else:
            _check_value(node, path, notes)


@lru_cache(maxsize=2048)  # bounded: classes made at run time come and go
def _map_keys(cls: type[Message]) -> frozenset[tuple[str, str]]:
    """The names of structs and of fields in them that are the keys of a map."""
    structs = spec_of(cls).structs.values()
    fields = ((struct.name, field) for struct in structs for field in struct.fields)
    return frozenset((name, field.snake) for name, field in fields if field.map_key)


def _walk(node: FieldNode, path: Path) -> Iterator[tuple[FieldNode, Path]]:
    """Yield all that rules are about: an element without parts is none of it."""
    for index, child in enumerate(node.children):
        if not child.children and child.name[0] == "[":
            continue
        below = (*path, index if child.name.startswith("[") else child.name)
        yield child, below
        yield from _walk(child, below)


_SORTED_BY_JAVA = "ConsumerProtocolSubscription"  # ConsumerProtocol does not sort assignments
# Java makes these from lists of partitions, so that no entry is without a partition.
_MERGED = {_SORTED_BY_JAVA, "ConsumerProtocolAssignment", "StickyAssignorUserData"}


def _check_elements(node: FieldNode, path: Path, notes: Notes, *, sorts: bool) -> None:
    values: set[Any] = set()
    previous: Any = None
    for index, item in enumerate(node.children):
        where = (*path, index)
        if item.value in values:
            notes.add("duplicate-element", where, item.start, f"{item.value}")
        values.add(item.value)
        if isinstance(item.value, int):
            if item.value < 0:
                notes.add("negative-partition", where, item.start, f"{item.value}")
        else:
            _check_name(item, where, notes)
        if sorts and previous is not None and _in_java(item.value) < _in_java(previous):
            notes.add("unsorted", where, item.start)
        previous = item.value


def _check_keys(
    node: FieldNode, path: Path, keys: frozenset[tuple[str, str]], notes: Notes
) -> None:
    previous_keys: set[Any] = set()
    for index, item in enumerate(node.children):
        values = [c for c in item.children if (item.type, c.name) in keys and c.complete]
        key = tuple(child.value for child in values)
        if key and key in previous_keys:
            notes.add("duplicate-key", (*path, index, values[0].name), item.start, f"{key[0]}")
        previous_keys.add(key)


def _check_order(node: FieldNode, path: Path, notes: Notes) -> None:
    """Note entries that are not in the order of their topics."""
    previous: str | None = None
    for index, item in enumerate(node.children):
        topic = next((c for c in item.children if c.name == "topic" and c.complete), None)
        if topic is None:
            continue
        if previous is not None and _in_java(topic.value) < _in_java(previous):
            notes.add("unsorted", (*path, index, "topic"), topic.start)
        previous = topic.value


def _in_java(value: Any) -> Any:
    """Return what Java compares: of strings the UTF-16 units, not the code points."""
    return value.encode("utf-16-be", "surrogatepass") if isinstance(value, str) else value


def _check_value(node: FieldNode, path: Path, notes: Notes) -> None:
    match node.name, node.value:
        case "topic", str():
            _check_name(node, path, notes)
        case "user_data", b"":
            notes.add("empty-not-null", path, node.start)
        case "rack_id", "":
            notes.add("empty-rack", path, node.start)
        case "generation_id" | "generation", int() as generation if generation < -1:
            notes.add("negative-generation", path, node.start, f"{generation}")


def _check_name(node: FieldNode, path: Path, notes: Notes) -> None:
    if node.value == "":
        notes.add("empty-name", path, node.start)
    elif node.value == "__proto__":
        notes.add("reserved-name", path, node.start)
    elif node.value is not None and "\0" in node.value:
        notes.add("nul-in-name", path, node.start)
    elif node.value is not None and "\ufffd" in node.value:
        pass  # no UTF-8, or read as such: that says it
    elif node.value is not None and (why := _why_impossible(node.value)):
        notes.add("impossible-name", path, node.start, why)


MAX_NAME_LENGTH = 249
"""Of a topic, as in `Topic.MAX_NAME_LENGTH` of Kafka: a file with it and a suffix has 255."""
_LEGAL = "[A-Za-z0-9._-]"
_ILLEGAL = re.compile(_LEGAL.replace("[", "[^"))
TOPIC_NAME = re.compile(rf"(?!\.{{1,2}}\Z){_LEGAL}{{1,{MAX_NAME_LENGTH}}}\Z")
"""Matches each name that a topic can have, by Kafka's `Topic.validate`."""


def _why_impossible(name: str) -> str:
    """Return why no topic can have a name, by Kafka's `Topic.validate`; "" where one can."""
    if name in (".", ".."):
        return "a folder has it"
    if len(name) > MAX_NAME_LENGTH:
        return f"{len(name)} characters, and {MAX_NAME_LENGTH} is the most"
    return "other characters than letters, digits, . _ and -" if _ILLEGAL.search(name) else ""
