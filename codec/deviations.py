"""Deviations: facts about bytes, each with a stable code, a class and one line of explanation.

| class     | what it says                                                       |
|-----------|--------------------------------------------------------------------|
| encoding  | no conforming writer emits this                                    |
| evolution | written by somebody newer (or: more than the version says)         |
| content   | well formed, and yet what it says cannot be meant                  |
| style     | harmless, and telling: not what Apache Kafka's own client writes   |

One deviation a code and array: `count` says how often, offset and path are those of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .careful import FieldNode, Oddity, Path, join
from .errors import ErrorKind

if TYPE_CHECKING:
    from .decoding import Decoded
    from .spec import Spec


class Code(NamedTuple):
    """One row of the table of codes."""

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
     "tags that do not ascend, or one that stands twice"),
    ("KP006", "encoding", Oddity.TAG_SIZE,
     "the size of a tagged field is not that of its value"),
    ("KP007", "encoding", Oddity.BOOL,
     "a bool that is neither 0 nor 1, read as true"),
    ("KP008", "encoding", Oddity.PRESENCE,
     "a nullable struct begins neither with null's nor with presence's marker"),
    ("KP009", "style", Oddity.TAGGED_DEFAULT,
     "a tagged field at its default, which need not be written"),
    ("KP020", "evolution", "newer-version",
     "a version newer than the reader knows; read as the highest known one"),
    ("KP021", "evolution", "remainder",
     "bytes after the last known field; a reader of this version ignores them"),
    ("KP022", "evolution", Oddity.UNKNOWN_TAG,
     "a tagged field that this definition does not know; kept as it is"),
    ("KP040", "content", "older-body",
     "the label promises fields that are missing; the body is complete in an older version"),
    ("KP041", "content", "duplicate-key",
     "one topic stands twice; readers differ in which entry they keep"),
    ("KP042", "content", "duplicate-element",
     "one topic or partition is listed twice"),
    ("KP043", "content", "negative-partition",
     "a negative partition number"),
    ("KP044", "content", "empty-name",
     "an empty topic name"),
    ("KP060", "style", "unsorted",
     "not in ascending order; Apache Kafka's Java client sorts"),
    ("KP061", "style", "empty-not-null",
     "empty where Apache Kafka's Java client writes null"),
)  # fmt: skip

CODES: dict[str, Code] = {row[0]: Code(*row[:2], row[2], row[3]) for row in _ROWS}
"""Every code, in order. A code's meaning never changes, and none is used twice."""

_BY_NAME = {code.name: code for code in CODES.values()}


def code_named(name: str) -> Code:
    """The row of what the careful reader, or a rule here, calls `name`."""
    return _BY_NAME[name]


class Deviation(msgspec.Struct, frozen=True):
    """One fact about the bytes.

    `class_` is "class" in JSON; `offset` counts from the input's start; `count` says how often it
    holds in the array of `path`.
    """

    code: str
    class_: str
    offset: int
    path: str
    count: int
    explanation: str


class Notes:
    """Collects what was noted, one entry a code and array."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Path], list[Any]] = {}

    def add(self, name: str, path: Path, offset: int, detail: str = "") -> None:
        key = (name, _array_of(path))
        if key in self._found:
            self._found[key][2] += 1
        else:
            self._found[key] = [offset, path, 1, detail]

    def deviations(self) -> tuple[Deviation, ...]:
        made = [_deviation(_BY_NAME[name], *found) for (name, _), found in self._found.items()]
        return tuple(sorted(made, key=lambda d: (d.offset, d.code)))


def _deviation(code: Code, offset: int, path: Path, count: int, detail: str) -> Deviation:
    explanation = f"{code.explanation} ({detail})" if detail else code.explanation
    return Deviation(code.code, code.class_, offset, join(path), count, explanation)


def _array_of(path: Path) -> Path:
    """The path up to the innermost array: what stands in one array is counted together."""
    for index in range(len(path) - 1, -1, -1):
        if isinstance(path[index], int):
            return path[:index]
    return path


# -- what the label and the end of the bytes tell


def evolution_deviations(decoded: Decoded[Any], notes: Notes) -> None:
    """Note what label, end and error together say about the writer's version."""
    reading = decoded._reading
    if reading is None:
        return
    if reading.newer:
        notes.add("newer-version", ("version",), 0, f"{reading.version}")
    if decoded.complete and decoded.remainder:
        end = len(decoded.data) - len(decoded.remainder)
        notes.add("remainder", (), end, f"{len(decoded.remainder)} bytes")
    if decoded.error is not None and decoded.error.kind is ErrorKind.TRUNCATED:
        older = _older_body(decoded)
        if older is not None:
            offset = decoded.error.offset
            detail = f"version {reading.version} on a version {older} body"
            notes.add("older-body", ("version",), 0 if reading.start else offset, detail)


def _older_body(decoded: Decoded[Any]) -> int | None:
    """The highest older version as which all of these bytes can be read, to the last one."""
    from .decoding import Policy, decode

    reading = decoded._reading
    assert reading is not None
    cls = decoded.message_class
    body = decoded.data[reading.start :]
    if cls.FRAMING.kind == "version32":
        return None
    for version in range(reading.layout_version - 1, cls.VERSIONS.lowest - 1, -1):
        older = decode(body, cls, policy=Policy.LENIENT, body_version=version)
        if older.complete and not older.remainder:
            return version
    return None


# -- what the values tell


def content_deviations(root: FieldNode, spec: Spec, notes: Notes) -> None:
    """Duplicates, impossible numbers and telling habits, over the tree of what was read.

    The rules go by what the definition declares (map keys) and by the names that the whole family
    uses: `topics`, `partitions`, `user_data`.
    """
    keys = {
        (struct.name, field.snake)
        for struct in spec.structs.values()
        for field in struct.fields
        if field.map_key
    }
    for node, path in _walk(root, ()):
        if node.name in ("topics", "partitions") and node.type in ("[]string", "[]int32"):
            _check_elements(node, path, notes, sorts=spec.name == _SORTED_BY_JAVA)
        elif node.type.startswith("[]"):
            _check_keys(node, path, keys, notes)
        elif node.name == "user_data" and node.value == b"":
            notes.add("empty-not-null", path, node.start)


def _walk(node: FieldNode, path: Path) -> Iterator[tuple[FieldNode, Path]]:
    for index, child in enumerate(node.children):
        below = (*path, index if child.name.startswith("[") else child.name)
        yield child, below
        yield from _walk(child, below)


_SORTED_BY_JAVA = "ConsumerProtocolSubscription"  # ConsumerProtocol leaves assignments as they are


def _check_elements(node: FieldNode, path: Path, notes: Notes, *, sorts: bool) -> None:
    seen: set[Any] = set()
    previous: Any = None
    for index, item in enumerate(node.children):
        where = (*path, index)
        if item.value in seen:
            notes.add("duplicate-element", where, item.start, f"{item.value}")
        seen.add(item.value)
        if isinstance(item.value, int) and item.value < 0:
            notes.add("negative-partition", where, item.start, f"{item.value}")
        if item.value == "":
            notes.add("empty-name", where, item.start)
        if sorts and previous is not None and item.value < previous:
            notes.add("unsorted", where, item.start)
        previous = item.value


def _check_keys(node: FieldNode, path: Path, keys: set[tuple[str, str]], notes: Notes) -> None:
    seen: set[Any] = set()
    for index, item in enumerate(node.children):
        values = [c for c in item.children if (item.type, c.name) in keys and c.complete]
        key = tuple(child.value for child in values)
        if key and key in seen:
            notes.add("duplicate-key", (*path, index, values[0].name), item.start, f"{key[0]}")
        seen.add(key)
