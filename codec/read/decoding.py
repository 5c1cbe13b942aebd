"""`decode`: bytes to a message and everything else that can be said about them.

Policies. `KAFKA` accepts and refuses what Apache Kafka does, with the same values. `STRICT`
refuses, besides, what no conforming writer emits, a version that is not known, and a remainder.
`LENIENT` never raises for bytes: `Decoded.error` says why and where reading stopped.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from ..dialect.layout import HEAD, LATEST_FIELD, has_latest
from ..dialect.names import counted
from ..dialect.versions import VersionRange, as_version
from ..errors import DecodeError, EncodeError, ErrorKind
from ..runtime.message import Buffer, Message, as_bytes
from ..runtime.registry import layout_of, spec_of
from ..short_repr import glimpse
from .deviations import (
    Deviation,
    Notes,
    code_named,
    content_deviations,
    evolution_deviations,
    refusal_deviations,
)
from .diagnostic_reader import Cursor, FieldNode, Kind, Path, join, kind_of

KAFKA_RELEASE = "4.4.0"
"""The release of Apache Kafka whose verdicts and values policy KAFKA has."""

M = TypeVar("M", bound=Message)


class Policy(Enum):
    """Which bytes are refused; see the module."""

    KAFKA = "kafka"
    """Accepts and refuses what Apache Kafka does, with the same values."""
    STRICT = "strict"
    """Refuses, besides, what no conforming writer emits, a version that is not known, and a
    remainder."""
    LENIENT = "lenient"
    """Never raises for bytes: `Decoded.error` says why and where reading stopped."""


REFUSED = -2
"""Stands for a version that there is no layout of."""


class Reading(NamedTuple):
    """What stands in front of the fields says: the label, the version whose layout it is read by
    (or `HEAD`, or `REFUSED`), where the fields begin. `newer` is a label above
    what the reader knows."""

    version: int | None
    layout_version: int
    start: int
    newer: bool


class Decoded(Generic[M]):
    """The result of `decode`. It holds the input, so that nothing is lost.

    `fields` and `deviations` are computed when first asked for, from the input.
    """

    __slots__ = (
        "_cls",
        "_deviations",
        "_fields",
        "data",
        "error",
        "message",
        "reading",
        "remainder",
    )

    def __init__(
        self,
        cls: type[M],
        data: bytes,
        reading: Reading | None,
        message: M | None,
        error: DecodeError | None,
        end: int,
    ) -> None:
        self._cls = cls
        self._fields: tuple[FieldNode, ...] | None = None
        self._deviations: tuple[Deviation, ...] | None = None
        self.data = data
        """The input."""
        self.reading = reading
        """What the bytes in front say; None if not even they were there."""
        self.message = message
        """The message; None unless it was read completely."""
        self.error = error
        """Why it was not, under policy LENIENT; else None."""
        self.remainder = data[end:]
        """What follows the fields; where reading failed, from the innermost item that failed."""

    @property
    def message_class(self) -> type[M]:
        return self._cls

    @property
    def version(self) -> int | None:
        """The version label that the bytes carry; None if not even that was there."""
        return None if self.reading is None else self.reading.version

    @property
    def schema_version(self) -> int | None:
        """The version that they were read as: the label, or the highest that the reader knows.

        None if there is none: no version could be read, or only the head of a newer one.
        """
        if self.reading is None or self.reading.layout_version in (HEAD, REFUSED):
            return None
        return self.reading.layout_version

    @property
    def complete(self) -> bool:
        """Whether every field was read."""
        return self.error is None

    @property
    def fields(self) -> tuple[FieldNode, ...]:
        """The tree of what was read, in the order of the bytes; the version in front is in it."""
        if self._fields is None:
            self._examine()
        assert self._fields is not None
        return self._fields

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """Facts about these bytes that a conforming, current writer would not show, by offset."""
        if self._deviations is None:
            self._examine()
        assert self._deviations is not None
        return self._deviations

    def to_bytes(self) -> bytes:
        """Return the input, verbatim."""
        return self.data

    def with_message(self, message: M) -> bytes:
        """`message` as `schema_version` lays it out, under the original label, with the remainder.

        Raises EncodeError as `Message.to_body` does, and ValueError where nothing was read.
        """
        reading = self.reading
        if self.message is None or reading is None:
            raise ValueError("there is no complete message to replace")
        if type(message) is not self._cls:
            raise EncodeError("", f"{glimpse(message)} is not a {self._cls.NAME}")
        header = self.data[: reading.start]
        return message._written(header, reading.layout_version) + self.remainder

    def _examine(self) -> None:
        """Read everything again, carefully, keeping the tree and the notes."""
        root = FieldNode("", "", self._cls.NAME, 0)
        notes = Notes()
        failed = ""
        version, layout_version, start, _ = self.reading or _NOTHING
        if start:
            root.children.append(_label_node(self._cls, self.data))
        if layout_version != REFUSED:
            cursor = Cursor(self.data, start, version, note=notes.add, root=root)
            try:
                _kind(self._cls, layout_version).read(cursor)
            except DecodeError as error:
                failed = _close(root, error.offset)
            content_deviations(root, spec_of(self._cls), notes)
        evolution_deviations(self, notes)
        refusal_deviations(self, failed, notes)
        self._fields = tuple(root.children)
        self._deviations = notes.deviations()

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"error={self.error}"
        return f"<Decoded {self._cls.NAME} version={self.version} {state}>"


def decode(
    data: Buffer,
    message_class: type[M],
    *,
    policy: Policy = Policy.KAFKA,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> Decoded[M]:
    """Decode `data` as a `message_class`.

    `reader_version` reads as a reader would whose highest known version it is. `body_version` says
    that nothing stands in front, and which version the fields are; messages without framing need
    it; one that there is not is refused as if it stood in front. Raises DecodeError as the policy
    says; under LENIENT never for any bytes. Raises ValueError where `body_version` is needed and
    missing, `reader_version` is none of the class's versions, one of the two is no whole number, or
    there is no such policy.
    """
    raw = as_bytes(data)
    policy = Policy(policy)
    reader_version, body_version = _versions(message_class, reader_version, body_version)
    try:
        reading = _read_header(message_class, raw, reader_version, body_version)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        refused = _refused(message_class, body_version, error)
        return Decoded(message_class, raw, refused, None, _bare(error), error.offset)
    if policy is Policy.STRICT and reading.newer:
        raise _unsupported(message_class, reading.version, "is newer than what is known")
    read_fields = _read_strictly if policy is Policy.STRICT else _read_fields
    try:
        message, end = read_fields(message_class, raw, reading)
        _check_latest(message_class, reading, message)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        return Decoded(message_class, raw, reading, None, _bare(error), error.offset)
    return Decoded(message_class, raw, reading, message, None, end)


def _bare(error: DecodeError) -> DecodeError:
    """Without the traceback, which would keep what was read so far as long as the error."""
    return error.with_traceback(None)


def read(message_class: type[M], data: bytes, body_version: int | None) -> M:
    """Return the message alone, under policy KAFKA."""
    reading = _read_header(message_class, data, None, body_version)
    message: M = _read_fields(message_class, data, reading)[0]
    _check_latest(message_class, reading, message)
    return message


def _versions(
    message_class: type[Message], reader_version: int | None, body_version: int | None
) -> tuple[int | None, int | None]:
    if body_version is not None:
        body_version = as_version(body_version, "body_version")
    elif message_class.FRAMING.kind == "none":
        name = message_class.NAME
        raise ValueError(f"nothing stands in front of {name}: body_version is needed")
    if reader_version is not None:
        reader_version = as_version(reader_version, "reader_version")
        known = message_class.VERSIONS
        if reader_version not in known:
            raise ValueError(f"reader_version {reader_version} is not among the versions {known}")
    return reader_version, body_version


# -- what stands in front


class Label(NamedTuple):
    """What says the version, or the record type: its name in the tree, its type, its bytes."""

    name: str
    type: str
    size: int


_LABELS = {
    "version": Label("version", "int16", 2),
    "record-type": Label("record_type", "int16", 2),
    "version32": Label("version", "int32", 4),
}
_NOTHING = Reading(None, REFUSED, 0, newer=False)


def _read_header(
    cls: type[Message], data: bytes, reader_version: int | None, body_version: int | None
) -> Reading:
    framing = cls.FRAMING
    if framing.kind == "version32":
        version = _label(cls, data)
        if body_version is not None and body_version != version:
            rule = f"stands in the message, and version {body_version} was asked for"
            raise _unsupported(cls, version, rule)
        return _resolve(cls, version, 0, reader_version)
    if body_version is not None:
        return _resolve(cls, body_version, 0, reader_version)
    label = _label(cls, data)
    if framing.kind == "record-type":
        if label != cls.API_KEY:
            reason = f"record type {label}, and {cls.NAME} is {cls.API_KEY}"
            raise DecodeError(ErrorKind.UNKNOWN_RECORD_TYPE, 0, "record_type", reason)
        return Reading(cls.LATEST, cls.LATEST, 2, newer=False)
    return _resolve(cls, label, 2, reader_version)


def _label(cls: type[Message], data: bytes) -> int:
    name, type_, size = _LABELS[cls.FRAMING.kind]
    raw = data[:size]
    if len(raw) < size:
        reason = f"{type_} of {size} bytes, {len(raw)} left"
        raise DecodeError(ErrorKind.TRUNCATED, 0, name, reason)
    return int.from_bytes(raw, "big", signed=True)


def _refused(cls: type[Message], body_version: int | None, error: DecodeError) -> Reading | None:
    """A label that was read, and that no layout follows from."""
    if error.kind is ErrorKind.TRUNCATED:
        return None
    kind = cls.FRAMING.kind
    given = body_version is not None and kind != "version32"  # there it stands in any case
    return Reading(error.version, REFUSED, 0 if given else _LABELS[kind].size, newer=False)


def _resolve(cls: type[Message], version: int, start: int, reader_version: int | None) -> Reading:
    known = cls.VERSIONS
    highest = known.highest if reader_version is None else reader_version
    if known.lowest <= version <= highest:
        return Reading(version, version, start, newer=False)
    if version > highest and known and cls.FRAMING.newer != "refuse":
        read_as = HEAD if cls.FRAMING.newer == "head" else highest
        return Reading(version, read_as, start, newer=True)
    there = VersionRange(known.lowest, highest)
    raise _unsupported(cls, version, f"is not among the versions {there}")


def _unsupported(cls: type[Message], version: int | None, rule: str) -> DecodeError:
    reason = f"version {version} of {cls.NAME} {rule}"
    return DecodeError(ErrorKind.UNSUPPORTED_VERSION, 0, "version", reason, version)


# -- the fields


def _check_latest(cls: type[Message], reading: Reading, message: Message) -> None:
    """Kafka Streams refuses a version above the latest that stands beside it, where one does."""
    if cls.FRAMING.newer == "head" and has_latest(layout_of(cls, reading.layout_version)):
        latest: int = getattr(message, LATEST_FIELD)
        if reading.version is not None and latest < reading.version:
            raise _unsupported(cls, reading.version, f"is above its own latest, {latest}")


def _read_fields(cls: type[M], data: bytes, reading: Reading) -> tuple[M, int]:
    plain = cls._plainly(reading.layout_version, data, reading.start)
    if plain is not None:
        return plain
    cursor = Cursor(data, reading.start, reading.version)
    message: M = _kind(cls, reading.layout_version).read(cursor)
    return message, cursor.pos


@lru_cache(maxsize=2048)  # bounded: classes made at run time come and go
def _kind(cls: type[Message], version: int) -> Kind:
    return kind_of(layout_of(cls, version), cls, cls)


def _read_strictly(cls: type[M], data: bytes, reading: Reading) -> tuple[M, int]:
    """The first oddity of the class encoding, or else the remainder, is refused."""

    def note(name: str, path: Path, offset: int) -> None:
        code = code_named(name)
        if code.class_ == "encoding":
            reason = f"{code.code}: {code.explanation}"
            raise DecodeError(ErrorKind.DEVIATION, offset, join(path), reason, reading.version)

    cursor = Cursor(data, reading.start, reading.version, note=note)
    message: M = _kind(cls, reading.layout_version).read(cursor)
    if cursor.left:
        reason = f"{counted(cursor.left, 'byte')} after the fields"
        raise DecodeError(ErrorKind.REMAINDER, cursor.pos, "", reason, reading.version)
    return message, cursor.pos


# -- the tree


def _label_node(cls: type[Message], data: bytes) -> FieldNode:
    name, type_, size = _LABELS[cls.FRAMING.kind]
    node = FieldNode(name, name, type_, 0)
    node.end, node.complete = size, True
    node.value = _label(cls, data)
    return node


def _close(node: FieldNode, end: int) -> str:
    """Where reading stopped: open containers end there, an item without a part read goes.

    Gives the type of the innermost item that was not read to its end.
    """
    while node.children and not node.children[-1].complete:
        child = node.children[-1]
        child.end = end
        if not child.children:
            node.children.pop()
            return child.type
        node = child
    return node.type
