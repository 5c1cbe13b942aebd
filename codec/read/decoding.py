"""`decode`: bytes to a message, and everything else that can be said about them."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Any, Generic, TypeVar, overload

import msgspec

from ...wording import counted
from ..dialect.layout import HEAD
from ..dialect.names import Path, path_text, short_repr
from ..dialect.versions import as_version
from ..errors import DecodeError, EncodeError, ErrorKind
from ..messages import message_class as built_in
from ..runtime.message import Buffer, Message, as_bytes
from ..runtime.registry import layout_of
from .deviations import Deviation, Notes, code_named, content_deviations
from .diagnostic_reader import Cursor, FieldNode, Kind, kind_of
from .version_field import (
    FRONT_FIELDS,
    NO_VERSION_FIELD,
    REFUSED,
    VersionField,
    check_latest,
    number_in_front,
    read_version_field,
    refused_version_field,
    unsupported_version,
)

__all__ = ["KAFKA_RELEASE", "Decoded", "Policy", "decode", "read"]


M = TypeVar("M", bound=Message)


class Decoded(Generic[M]):
    """The result of `decode`. It holds the input, so that nothing is lost.

    `fields` and `deviations` are computed from the input when they are first asked for.
    """

    __slots__ = (
        "_cls",
        "_deviations",
        "_older",
        "_read",
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
        reading: VersionField | None,
        message: M | None,
        error: DecodeError | None,
        end: int,
    ) -> None:
        self._cls = cls
        self._read: _Read | None = None
        self._deviations: tuple[Deviation, ...] | None = None
        self._older: int | None = _UNKNOWN
        self.data = data
        """The input."""
        self.reading = reading
        """The version field, and where the fields begin; None if that was cut off."""
        self.message = message
        """The message; None unless it was read completely."""
        self.error = error
        """Why the message was not read, under policy LENIENT; else None."""
        self.remainder = data[end:]
        """The bytes after the fields; where reading failed, from the innermost item that failed."""

    @property
    def message_class(self) -> type[M]:
        """The class that the input was decoded as."""
        return self._cls

    @property
    def version(self) -> int | None:
        """The version that the bytes carry in front; None if it was cut off."""
        return None if self.reading is None else self.reading.version

    @property
    def schema_version(self) -> int | None:
        """The version that the fields were read as: that in front, or the highest that is known.

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
        """The tree of what was read, in the order of the bytes, the version field included."""
        return self._diagnosed().fields

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """How these bytes differ from what a conforming, current writer emits, by offset."""
        if self._deviations is None:
            read = self._diagnosed()
            notes = read.notes
            content_deviations(read.root, self._cls, notes)
            _note_evolution(self, notes)
            _note_refusal(self, read.failed, notes)
            self._deviations = notes.deviations()
        return self._deviations

    @property
    def as_older_body(self) -> Decoded[M] | None:
        """The same bytes, read in the highest older version whose fields take all of them.

        Under policy LENIENT this is the message of bytes with deviation KP040, whose version
        field promises more fields than there are. None for all other bytes. `version` is still that
        in front, and `schema_version` the version of the fields.
        """
        older = older_body(self)
        if older is None or self.reading is None:
            return None
        version_field = msgspec.structs.replace(self.reading, layout_version=older, older=True)
        message, end = read_fields(self._cls, self.data, version_field)
        return Decoded(self._cls, self.data, version_field, message, None, end)

    @property
    def as_newest_known(self) -> Decoded[M] | None:
        """The same bytes, refused for a version above the highest known one, with the fields that a
        reader of that one finds: a guess, for the version may have any fields.

        `error` stays, and `message` is None. None for all other bytes, and where reading fails.
        """
        reading, error, cls = self.reading, self.error, self._cls
        if reading is None or error is None or error.kind is not ErrorKind.UNSUPPORTED_VERSION:
            return None
        highest = cls.VERSIONS.highest
        is_newer = reading.version is not None and reading.version > highest
        if not is_newer or cls.FRAMING.kind != "version":
            return None
        version_field = msgspec.structs.replace(reading, layout_version=highest)
        try:
            _, end = read_fields(cls, self.data, version_field)
        except DecodeError:
            return None
        return Decoded(cls, self.data, version_field, None, error, end)

    def to_bytes(self) -> bytes:
        """Return the input, verbatim."""
        return self.data

    def with_message(self, message: M) -> bytes:
        """Return the input with `message` in place of its fields.

        The fields are written as `schema_version` lays them out; the version field and the
        remainder stay as they are. Raises EncodeError as `Message.to_body` does, and ValueError
        where no complete message was read.
        """
        reading = self.reading
        if self.message is None or reading is None:
            raise ValueError("there is no complete message to replace")
        if type(message) is not self._cls:
            raise EncodeError("", f"{short_repr(message)} is not a {self._cls.NAME}")
        header = self.data[: reading.start]
        return message._written(header, reading.layout_version) + self.remainder

    def _diagnosed(self) -> _Read:
        """Read the input again with the diagnostic reader, once."""
        if self._read is None:
            self._read = _diagnose(self._cls, self.data, self.reading or NO_VERSION_FIELD)
        return self._read

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"error={self.error}"
        return f"<Decoded {self._cls.NAME} version={self.version} {state}>"


class _Read(msgspec.Struct, frozen=True):
    """What the diagnostic reader found: the tree, the notes it took, and the type of the innermost
    item that could not be read."""

    root: FieldNode
    fields: tuple[FieldNode, ...]
    notes: Notes
    failed: str


def _diagnose(cls: type[Message], data: bytes, version_field: VersionField) -> _Read:
    root = FieldNode("", "", cls.NAME, 0)
    notes = Notes()
    failed = ""
    if version_field.start:
        root.children.append(_front_node(cls, data))
    if version_field.layout_version != REFUSED:
        cursor = Cursor(data, version_field.start, version_field.version, note=notes.add, root=root)
        try:
            kind_of_version(cls, version_field.layout_version).read(cursor)
        except DecodeError as error:
            failed = _close(root, error.offset)
    return _Read(root, tuple(root.children), notes, failed)


def read_fields(cls: type[M], data: bytes, version_field: VersionField) -> tuple[M, int]:
    """Return the message behind a version field, and where it ends. Raises DecodeError.

    The fast reader is tried first. What it does not take, the diagnostic reader reads or refuses.
    """
    plain = cls._plainly(version_field.layout_version, data, version_field.start)
    if plain is not None:
        return plain
    cursor = Cursor(data, version_field.start, version_field.version)
    message: M = kind_of_version(cls, version_field.layout_version).read(cursor)
    return message, cursor.pos


@lru_cache(maxsize=2048)  # bounded: classes made at run time come and go
def kind_of_version(cls: type[Message], version: int) -> Kind:
    """Return the diagnostic reader's kind for one version of a message."""
    return kind_of(layout_of(cls, version), cls, cls)


# -- the tree


def _front_node(cls: type[Message], data: bytes) -> FieldNode:
    field = FRONT_FIELDS[cls.FRAMING.kind]
    node = FieldNode(field.name, field.name, field.type, 0)
    node.end, node.complete = field.size, True
    node.value = number_in_front(cls, data)
    return node


def _close(node: FieldNode, end: int) -> str:
    """End the tree where reading stopped, and return the type of the innermost unread item.

    Open containers end there; an item of which no part was read is dropped.
    """
    while node.children and not node.children[-1].complete:
        child = node.children[-1]
        child.end = end
        if not child.children:
            node.children.pop()
            return child.type
        node = child
    return node.type


# -- deviations that follow from version field, end and error


def _note_evolution(result: Decoded[M], notes: Notes) -> None:
    """Note what version field, end and error together say about the writer's version."""
    reading = result.reading
    if reading is None:
        return
    if reading.newer:
        head = reading.layout_version == HEAD
        layout_name = "its first fields alone" if head else f"{reading.layout_version}"
        notes.add("newer-version", ("version",), 0, layout_name)
    if result.complete and result.remainder:
        end = len(result.data) - len(result.remainder)
        notes.add("remainder", (), end, counted(len(result.remainder), "byte"))
    older = reading.layout_version if reading.older else older_body(result)
    if older is not None:
        end = len(result.data) if result.error is None else result.error.offset
        offset = 0 if reading.start else end
        detail = f"version {reading.version} on a version {older} body"
        notes.add("older-body", ("version",), offset, detail)


def older_body(result: Decoded[M]) -> int | None:
    """Return the highest older version whose layout takes all of the bytes, to the last one.

    None where the bytes do not end too early for the version that they name (KP040), or where no
    older version fits.
    """
    if result._older == _UNKNOWN:
        result._older = _find_older_body(result)
    return result._older


_UNKNOWN = -1


def _find_older_body(result: Decoded[M]) -> int | None:
    reading = result.reading
    cls = result.message_class
    cut = result.error is not None and result.error.kind is ErrorKind.TRUNCATED
    if reading is None or not cut or cls.FRAMING.kind == "version32":
        return None
    for version in range(reading.layout_version - 1, cls.VERSIONS.lowest - 1, -1):
        older = VersionField(version, version, reading.start, newer=False)
        try:
            _, end = read_fields(cls, result.data, older)
        except DecodeError:
            continue
        if end == len(result.data):
            return version
    return None


_READERS_DIFFER = {
    ErrorKind.NEGATIVE_LENGTH: "negative-size",
    ErrorKind.COUNT_EXCEEDS_INPUT: "count-beyond-input",
    ErrorKind.STRING_TOO_LONG: "string-too-long",
}


def _note_refusal(result: Decoded[M], failed: str, notes: Notes) -> None:
    """Note what Apache Kafka refuses, and other readers take otherwise or crash on.

    `failed` is the type of the item that could not be read; "" if not even the version field could.
    """
    error = result.error
    if error is None:
        return
    if error.kind is ErrorKind.UNSUPPORTED_VERSION and error.version is not None:
        name = "negative-version" if error.version < 0 else None
    elif error.kind is ErrorKind.NULL_NOT_ALLOWED:
        name = "null-array" if failed.startswith("[]") else "null-value"
    elif not result.data and result.message_class.FRAMING.kind != "none":
        name = "no-bytes"
    else:
        name = _READERS_DIFFER.get(error.kind)
    if name is not None:
        notes.add(name, (error.path,) if error.path else (), error.offset)


KAFKA_RELEASE = "4.4.0"
"""The release of Apache Kafka whose verdicts and values policy KAFKA has."""


class Policy(Enum):
    """Which bytes `decode` refuses."""

    KAFKA = "kafka"
    """Accepts and refuses what Apache Kafka does, with the same values."""
    STRICT = "strict"
    """Refuses, besides, what no conforming writer emits, a version that is not known, and a
    remainder."""
    LENIENT = "lenient"
    """Never raises for bytes: `Decoded.error` says why and where reading stopped."""


@overload
def decode(
    data: Buffer,
    message_class: type[M],
    *,
    policy: Policy = ...,
    reader_version: int | None = ...,
    body_version: int | None = ...,
) -> Decoded[M]: ...


@overload
def decode(
    data: Buffer,
    message_class: str,
    *,
    policy: Policy = ...,
    reader_version: int | None = ...,
    body_version: int | None = ...,
) -> Decoded[Any]: ...


def decode(
    data: Buffer,
    message_class: type[Message] | str,
    *,
    policy: Policy = Policy.KAFKA,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> Decoded[Any]:
    """Decode `data` as a `message_class`: a class, or the name of a built-in one.

    `reader_version` reads as a reader would whose highest known version it is. With `body_version`
    the bytes have no version field, and the fields are of that version; messages without framing
    need it. A `body_version` that the class does not have is judged as one in front is: refused,
    or read as the highest known version.

    Raises DecodeError as the policy says; under LENIENT never for any bytes. Raises ValueError
    where `body_version` is needed and missing, `reader_version` is none of the class's versions,
    one of the two is no whole number, or there is no such policy or built-in message; TypeError
    where `message_class` is neither a message class nor a name.
    """
    raw = as_bytes(data)
    if not (isinstance(message_class, type) and issubclass(message_class, Message)):
        message_class = _class_named(message_class)
    policy = Policy(policy)
    reader_version, body_version = _versions(message_class, reader_version, body_version)
    try:
        version_field = read_version_field(message_class, raw, reader_version, body_version)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        refusal = refused_version_field(message_class, body_version, error)
        return Decoded(message_class, raw, refusal, None, _without_traceback(error), error.offset)
    if policy is Policy.STRICT and version_field.newer:
        raise unsupported_version(
            message_class, version_field.version, "is newer than any known version"
        )
    reader = _read_strictly if policy is Policy.STRICT else read_fields
    try:
        message, end = reader(message_class, raw, version_field)
        check_latest(message_class, version_field, message)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        return Decoded(
            message_class, raw, version_field, None, _without_traceback(error), error.offset
        )
    return Decoded(message_class, raw, version_field, message, None, end)


def _class_named(name: object) -> type[Message]:
    """Return the built-in class of that name. Raises NoSuchMessage, and TypeError for no name."""
    if not isinstance(name, str):
        advice = "pass a message class, or the name of a built-in one"
        raise TypeError(f"{short_repr(name)} is not a message class: {advice}")
    return built_in(name)


def _without_traceback(error: DecodeError) -> DecodeError:
    """Return the error without what keeps the values read so far alive as long as itself."""
    return error.with_traceback(None)


def read(message_class: type[M], data: Buffer, body_version: int | None) -> M:
    """Return the message alone, under policy KAFKA. Raises DecodeError."""
    raw = as_bytes(data)
    version_field = read_version_field(message_class, raw, None, body_version)
    message: M = read_fields(message_class, raw, version_field)[0]
    check_latest(message_class, version_field, message)
    return message


def _versions(
    message_class: type[Message], reader_version: int | None, body_version: int | None
) -> tuple[int | None, int | None]:
    if body_version is not None:
        body_version = as_version(body_version, "body_version")
    elif message_class.FRAMING.kind == "none":
        name = message_class.NAME
        raise ValueError(f"the bytes of {name} do not say their version: body_version is needed")
    if reader_version is not None:
        reader_version = as_version(reader_version, "reader_version")
        versions = message_class.VERSIONS
        if reader_version not in versions:
            raise ValueError(
                f"reader_version {reader_version} is not one of the versions {versions}"
            )
    return reader_version, body_version


def _read_strictly(cls: type[M], data: bytes, version_field: VersionField) -> tuple[M, int]:
    """Read the fields; the first deviation of class encoding is refused, or else the remainder."""

    def refuse(name: str, path: Path, offset: int) -> None:
        code = code_named(name)
        if code.class_ == "encoding":
            reason = f"{code.code}: {code.explanation}"
            raise DecodeError(
                ErrorKind.DEVIATION, offset, path_text(path), reason, version_field.version
            )

    cursor = Cursor(data, version_field.start, version_field.version, note=refuse)
    message: M = kind_of_version(cls, version_field.layout_version).read(cursor)
    if cursor.left:
        reason = f"{counted(cursor.left, 'byte')} after the fields"
        raise DecodeError(ErrorKind.REMAINDER, cursor.pos, "", reason, version_field.version)
    return message, cursor.pos
