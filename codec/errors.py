"""The errors of this project, as data: kinds, offsets, paths, reasons."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ..wording import like_names


class ErrorKind(Enum):
    """Why bytes were refused. Every decoder of this project uses these kinds and no others."""

    TRUNCATED = "truncated"
    """The bytes end before or inside a field."""
    NEGATIVE_LENGTH = "negative-length"
    """A length or count is below -1, and null is not allowed there."""
    COUNT_EXCEEDS_INPUT = "count-exceeds-input"
    """An array has more elements than bytes are left, or more than a million."""
    NULL_NOT_ALLOWED = "null-not-allowed"
    """A length or count is -1 (compact: 0), which means null, and null is not allowed there."""
    STRING_TOO_LONG = "string-too-long"
    """A string has more than 32,767 bytes, which only a compact length can express."""
    VARINT_TOO_LONG = "varint-too-long"
    """An unsigned varint goes on after five bytes."""
    UNSUPPORTED_VERSION = "unsupported-version"
    """The message has no such version, and the version field is not read as another one."""
    UNKNOWN_RECORD_TYPE = "unknown-record-type"
    """A key of the offsets topic has another record type than the message asked for."""
    BAD_TAGGED_FIELD = "bad-tagged-field"
    """A tag section has too many fields, a field longer than the rest, or a tag that belongs to
    other versions."""
    REMAINDER = "remainder"
    """Bytes follow the last field. Only policy STRICT refuses them."""
    DEVIATION = "deviation"
    """No conforming writer emits these bytes. Policy STRICT refuses all such bytes; policy KAFKA
    only modified UTF-8 that Java cannot read."""


class KprotoError(Exception):
    """The base class of every error that this project raises on purpose."""


class NoSuchMessage(KprotoError, KeyError, ValueError):
    """A name of no built-in message, with the names that there are."""

    def __init__(self, name: object, names: Iterable[str]) -> None:
        self.name, self.names = name, tuple(names)
        super().__init__(name, self.names)

    def __str__(self) -> str:
        near = like_names(str(self.name)[:_LONGEST_NAME], self.names)
        advice = f"; did you mean {' or '.join(near)}?" if near else ""
        return (
            f"{ascii(self.name)[:_LONGEST_NAME]} is not one of the {len(self.names)} built-in "
            f"messages{advice} (kproto.codec.built_in_names() lists them)"
        )


_LONGEST_NAME = 80


class SchemaError(KprotoError):
    """A message definition that breaks a rule of the dialect.

    `source` is the file (or "<definition>"), `field` the dotted name of the field or struct
    ("" for the message itself), `rule` says what is wrong.
    """

    def __init__(self, source: str, field: str, rule: str) -> None:
        super().__init__(source, field, rule)
        self.source = source
        self.field = _short(field)
        self.rule = _short(rule)

    def __str__(self) -> str:
        where = f"{self.source}: {self.field}" if self.field else self.source
        return f"{where}: {self.rule}"


def _short(text: str) -> str:
    """Return both ends of a long text: a name in a definition may be a megabyte."""
    return text if len(text) <= 200 else f"{text[:100]}...{text[-90:]}"


class EncodeError(KprotoError, ValueError):
    """A value that cannot be written. It is a ValueError, too.

    `path` is where it is ("" for the message itself), `reason` one sentence.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


class FieldTypeError(EncodeError, TypeError):
    """An argument of a constructor whose type no version of the field can hold.

    `path` is the name of the field.
    """


class DecodeError(KprotoError, ValueError):
    """Bytes that cannot be read. It is a ValueError, too.

    `offset` counts from the start of the input to the first byte of the primitive that failed, its
    length prefix included. `path` is like "owned_partitions[3].partitions[7]", `version` is the
    version field (None if it was cut off), `reason` one sentence.
    """

    size: int | None = None
    """How many bytes the primitive should have that the input ends in, its length prefix apart."""

    def __init__(
        self, kind: ErrorKind, offset: int, path: str, reason: str, version: int | None = None
    ) -> None:
        super().__init__(kind, offset, path, reason, version)
        self.kind = kind
        self.offset = offset
        self.path = path
        self.reason = reason
        self.version = version

    def __str__(self) -> str:
        at = f" in {self.path}" if self.path else ""
        return f"{self.kind.value} at byte {self.offset}{at}: {self.reason}"
