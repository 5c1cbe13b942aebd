"""What can go wrong, as data. Only the command turns these into text for a person."""

from __future__ import annotations

from enum import Enum


class ErrorKind(Enum):
    """Why bytes were refused: a closed set, the same for every decoder of this project."""

    TRUNCATED = "truncated"
    """The bytes end inside a field, or before it."""
    NEGATIVE_LENGTH = "negative-length"
    """A length or count below -1, where null is not allowed."""
    COUNT_EXCEEDS_INPUT = "count-exceeds-input"
    """An array of more elements than bytes are left, or of more than a million."""
    NULL_NOT_ALLOWED = "null-not-allowed"
    """A length or count of -1 (compact: 0), which is null, where null is not allowed."""
    STRING_TOO_LONG = "string-too-long"
    """A string of more than 32,767 bytes, which only a compact length can say."""
    VARINT_TOO_LONG = "varint-too-long"
    """An unsigned varint that goes on after five bytes."""
    UNSUPPORTED_VERSION = "unsupported-version"
    """A version label that the message does not have, and that is not read as another one."""
    UNKNOWN_RECORD_TYPE = "unknown-record-type"
    """A key of the offsets topic under another record type than the one asked for."""
    BAD_TAGGED_FIELD = "bad-tagged-field"
    """A tag section with too many fields, a field longer than the rest, or a tag that belongs to
    other versions."""
    REMAINDER = "remainder"
    """Bytes after the last field. Only policy STRICT refuses them."""
    DEVIATION = "deviation"
    """Bytes that no conforming writer emits. Policy STRICT refuses them all; policy KAFKA refuses
    modified UTF-8 that Java cannot read."""


class KprotoError(Exception):
    """The base of every error that this project raises on purpose."""


class SchemaError(KprotoError):
    """A message definition that breaks a rule of the dialect.

    `source` is the file (or "<definition>"), `field` the dotted name of the field or struct
    ("" for the message itself), `rule` the sentence that was broken.
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
    """Both ends: what a definition calls a name may be a megabyte."""
    return text if len(text) <= 200 else f"{text[:100]}...{text[-90:]}"


class EncodeError(KprotoError):
    """A value that cannot be written. `path` is where ("" for the message), `reason` why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


class DecodeError(KprotoError):
    """Bytes that cannot be read.

    `offset` counts from the start of what was passed in, to the first byte of the primitive that
    failed, its length prefix included. `path` is "owned_partitions[3].partitions[7]", `version`
    the version label (None if not even that was there), `reason` one sentence.
    """

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
