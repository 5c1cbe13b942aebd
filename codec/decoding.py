"""`decode`: bytes to a message and everything else that can be said about them.

Policies. `KAFKA` accepts and refuses what Apache Kafka does, with the same values. `STRICT`
refuses, besides, what no conforming writer emits, a version that is not known, and a remainder.
`LENIENT` never raises for bytes: `Decoded.error` says why and where reading stopped.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from .built_in import layout_of, spec_of
from .careful import Cursor, FieldNode, Kind, Path, join, kind_of
from .deviations import (
    Deviation,
    Notes,
    code_named,
    content_deviations,
    evolution_deviations,
)
from .errors import DecodeError, EncodeError, ErrorKind
from .layout import HEAD, LATEST_FIELD, has_latest
from .message import Buffer, Message, as_bytes
from .wire import ODD_BYTES

KAFKA_RELEASE = "4.4.0"
"""The release of Apache Kafka whose verdicts and values policy KAFKA has."""

M = TypeVar("M", bound=Message)


class Policy(Enum):
    """Which bytes are refused; see the module."""

    KAFKA = "kafka"
    STRICT = "strict"
    LENIENT = "lenient"


class Reading(NamedTuple):
    """What stands in front of the fields says: the label, the version whose layout it is read by
    (or `HEAD`), where the fields begin. `newer` is a label above what the reader knows."""

    version: int
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
        "_reading",
        "data",
        "error",
        "message",
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
        self._reading = reading
        self._fields: tuple[FieldNode, ...] | None = None
        self._deviations: tuple[Deviation, ...] | None = None
        self.data = data
        """The input."""
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
        if self._reading is not None:
            return self._reading.version
        return self.error.version if self.error is not None else None

    @property
    def schema_version(self) -> int | None:
        """The version that they were read as: the label, or the highest that the reader knows.

        None if there is none: no version could be read, or only the head of a newer one.
        """
        if self._reading is None or self._reading.layout_version == HEAD:
            return None
        return self._reading.layout_version

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
        """The input, verbatim."""
        return self.data

    def with_message(self, message: M) -> bytes:
        """`message` as `schema_version` lays it out, under the original label, with the remainder.

        Raises EncodeError as `Message.to_body` does, and ValueError where nothing was read.
        """
        if self._reading is None or self.message is None:
            raise ValueError("there is no complete message to replace")
        if type(message) is not self._cls:
            raise EncodeError("", f"{message!r:.60} is not a {self._cls.NAME}")
        header = self.data[: self._reading.start]
        return header + message.to_body(self._reading.layout_version) + self.remainder

    def _examine(self) -> None:
        """Read everything again, carefully, keeping the tree and the notes."""
        root = FieldNode("", "", self._cls.NAME, 0)
        notes = Notes()
        if self._reading is not None:
            version, layout_version, start, _ = self._reading
            if start:
                root.children.append(_header_node(self._cls, self.data, start))
            cursor = Cursor(self.data, start, version, note=notes.add, root=root)
            try:
                _kind(self._cls, layout_version).read(cursor)
            except DecodeError as error:
                _close(root, error.offset)
            content_deviations(root, spec_of(self._cls), notes)
        evolution_deviations(self, notes)
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
    missing, or `reader_version` is none of the class's versions.
    """
    raw = as_bytes(data)
    _check_versions(message_class, reader_version, body_version)
    try:
        reading = _read_header(message_class, raw, reader_version, body_version)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        return Decoded(message_class, raw, None, None, _bare(error), error.offset)
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
    """The message alone, under policy KAFKA."""
    reading = _read_header(message_class, data, None, body_version)
    message: M = _read_fields(message_class, data, reading)[0]
    _check_latest(message_class, reading, message)
    return message


def _check_versions(
    message_class: type[Message], reader_version: int | None, body_version: int | None
) -> None:
    if body_version is None and message_class.FRAMING.kind == "none":
        name = message_class.NAME
        raise ValueError(f"nothing stands in front of {name}: body_version is needed")
    if reader_version is not None and reader_version not in message_class.VERSIONS:
        known = message_class.VERSIONS
        raise ValueError(f"reader_version {reader_version} is not among the versions {known}")


# -- what stands in front


def _read_header(
    cls: type[Message], data: bytes, reader_version: int | None, body_version: int | None
) -> Reading:
    framing = cls.FRAMING
    if framing.kind == "version32":
        version = _peek(data, 0, 4, "int32")
        if body_version is not None and body_version != version:
            rule = f"stands in the message, and version {body_version} was asked for"
            raise _unsupported(cls, version, rule)
        return _resolve(cls, version, 0, reader_version)
    if body_version is not None:
        return _resolve(cls, body_version, 0, reader_version)
    label = _peek(data, 0, framing.header_bytes, "int16")
    if framing.kind == "record-type":
        if label != cls.API_KEY:
            reason = f"record type {label}, and {cls.NAME} is {cls.API_KEY}"
            raise DecodeError(ErrorKind.UNKNOWN_RECORD_TYPE, 0, "version", reason, label)
        return Reading(cls.LATEST, cls.LATEST, 2, newer=False)
    return _resolve(cls, label, 2, reader_version)


def _peek(data: bytes, start: int, size: int, what: str) -> int:
    raw = data[start : start + size]
    if len(raw) < size:
        reason = f"{what} of {size} bytes, {len(raw)} left"
        raise DecodeError(ErrorKind.TRUNCATED, start, "version", reason)
    return int.from_bytes(raw, "big", signed=True)


def _resolve(cls: type[Message], version: int, start: int, reader_version: int | None) -> Reading:
    known = cls.VERSIONS
    highest = known.highest if reader_version is None else reader_version
    if known.lowest <= version <= highest:
        return Reading(version, version, start, newer=False)
    if version > highest and known and cls.FRAMING.newer != "refuse":
        read_as = HEAD if cls.FRAMING.newer == "head" else highest
        return Reading(version, read_as, start, newer=True)
    raise _unsupported(cls, version, f"is not among the versions {known.lowest}-{highest}")


def _unsupported(cls: type[Message], version: int, rule: str) -> DecodeError:
    reason = f"version {version} of {cls.NAME} {rule}"
    return DecodeError(ErrorKind.UNSUPPORTED_VERSION, 0, "version", reason, version)


# -- the fields


def _check_latest(cls: type[Message], reading: Reading, message: Message) -> None:
    """Kafka Streams refuses a version above the latest that stands beside it, where one does."""
    if cls.FRAMING.newer == "head" and has_latest(layout_of(cls, reading.layout_version)):
        latest: int = getattr(message, LATEST_FIELD)
        if latest < reading.version:
            raise _unsupported(cls, reading.version, f"is above its own latest, {latest}")


def _read_fields(cls: type[M], data: bytes, reading: Reading) -> tuple[M, int]:
    try:
        result: tuple[M, int] = cls._codecs[reading.layout_version].read(data, reading.start)
        return result
    except ODD_BYTES:
        pass  # now carefully, with nothing of the failed attempt held
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
        reason = f"{cursor.left} bytes after the fields"
        raise DecodeError(ErrorKind.REMAINDER, cursor.pos, "", reason, reading.version)
    return message, cursor.pos


# -- the tree


def _header_node(cls: type[Message], data: bytes, end: int) -> FieldNode:
    name = "record_type" if cls.FRAMING.kind == "record-type" else "version"
    node = FieldNode(name, name, "int16", 0)
    node.end, node.complete = end, True
    node.value = int.from_bytes(data[:end], "big", signed=True)
    return node


def _close(node: FieldNode, end: int) -> None:
    """Where reading stopped: open containers end there, an item without a part read goes."""
    while node.children and not node.children[-1].complete:
        child = node.children[-1]
        child.end = end
        if not child.children:
            node.children.pop()
            return
        node = child
