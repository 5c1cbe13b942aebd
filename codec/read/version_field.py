"""The version field: the bytes before a message's fields, and the layout that they select.

| framing     | version field                        | a version above the highest one        |
|-------------|--------------------------------------|----------------------------------------|
| version     | int16 version                        | refused, or read as the highest known  |
| record-type | int16 record type, the API key       | the fields are always those of LATEST  |
| version32   | the first field, an int32 version    | refused, or only the head is read      |
| none        | no bytes; the caller names a version | refused                                |

A message of Kafka Streams (version32) carries the latest version of its writer as well; a version
above that is refused after the fields are read (`check_latest`).
"""

from __future__ import annotations

import msgspec

from ..dialect.layout import HEAD, LATEST_FIELD, has_latest
from ..dialect.versions import VersionRange
from ..errors import DecodeError, ErrorKind
from ..runtime.message import Message
from ..runtime.registry import layout_of

REFUSED = -2
"""The `layout_version` of a version field that no layout follows from."""


class FrontField(msgspec.Struct, frozen=True):
    """A field in front of all others: its name in the tree, its type, how many bytes it takes."""

    name: str
    type: str
    size: int


FRONT_FIELDS = {
    "version": FrontField("version", "int16", 2),
    "record-type": FrontField("record_type", "int16", 2),
    "version32": FrontField("version", "int32", 4),
}
"""The field in front, of each framing that has one."""


class VersionField(msgspec.Struct, frozen=True):
    """A version field that was read, and what follows from it.

    `version` is its number; `layout_version` the version whose layout the fields are read by, or
    `HEAD`, or `REFUSED`; `start` the offset of the first field behind it. `newer` says that the
    version is above the highest one that the reader knows, `older` that the fields are those of an
    older version, because the version field promises more than there are.
    """

    version: int | None
    layout_version: int
    start: int
    newer: bool
    older: bool = False


NO_VERSION_FIELD = VersionField(None, REFUSED, 0, newer=False)
"""Stands for a version field that was not there."""


def read_version_field(
    cls: type[Message], data: bytes, reader_version: int | None, body_version: int | None
) -> VersionField:
    """Read the version field of `data`, or take `body_version` where the bytes have none.

    `reader_version` is the highest version that the reader knows; None for all of the class.
    Raises DecodeError for a version field that is cut off, or that the reader refuses.
    """
    framing = cls.FRAMING
    if framing.kind == "version32":
        version = number_in_front(cls, data)
        if body_version is not None and body_version != version:
            rule = f"is in the bytes, and they are to be read as version {body_version}"
            raise unsupported_version(cls, version, rule)
        return _resolve(cls, version, 0, reader_version)
    if body_version is not None:
        return _resolve(cls, body_version, 0, reader_version)
    number = number_in_front(cls, data)
    if framing.kind == "record-type":
        if number != cls.API_KEY:
            reason = f"record type {number}, and {cls.NAME} is {cls.API_KEY}"
            raise DecodeError(ErrorKind.UNKNOWN_RECORD_TYPE, 0, "record_type", reason)
        return VersionField(cls.LATEST, cls.LATEST, 2, newer=False)
    return _resolve(cls, number, 2, reader_version)


def number_in_front(cls: type[Message], data: bytes) -> int:
    """Return the number in front of `data`. Raises DecodeError where it is cut off."""
    field = FRONT_FIELDS[cls.FRAMING.kind]
    raw = data[: field.size]
    if len(raw) < field.size:
        reason = f"{field.type} of {field.size} bytes, {len(raw)} left"
        raise DecodeError(ErrorKind.TRUNCATED, 0, field.name, reason)
    return int.from_bytes(raw, "big", signed=True)


def _resolve(
    cls: type[Message], version: int, start: int, reader_version: int | None
) -> VersionField:
    versions = cls.VERSIONS
    highest = versions.highest if reader_version is None else reader_version
    if versions.lowest <= version <= highest:
        return VersionField(version, version, start, newer=False)
    if version > highest and versions and cls.FRAMING.newer != "refuse":
        read_as = HEAD if cls.FRAMING.newer == "head" else highest
        return VersionField(version, read_as, start, newer=True)
    readable = VersionRange(versions.lowest, highest)
    raise unsupported_version(cls, version, f"is not among the versions {readable}")


def refused_version_field(
    cls: type[Message], body_version: int | None, error: DecodeError
) -> VersionField | None:
    """Return the version field that was refused with `error`; None where it was cut off."""
    if error.kind is ErrorKind.TRUNCATED:
        return None
    kind = cls.FRAMING.kind
    in_front = body_version is None or kind == "version32"
    start = FRONT_FIELDS[kind].size if in_front else 0
    return VersionField(error.version, REFUSED, start, newer=False)


def unsupported_version(cls: type[Message], version: int | None, rule: str) -> DecodeError:
    """Return the error for a version that is refused; `rule` completes "version 9 of Name ..."."""
    reason = f"version {version} of {cls.NAME} {rule}"
    return DecodeError(ErrorKind.UNSUPPORTED_VERSION, 0, "version", reason, version)


def check_latest(cls: type[Message], version_field: VersionField, message: Message) -> None:
    """Raise DecodeError for a version above the latest one that the message itself names.

    Kafka Streams refuses such messages; others have no field of that name.
    """
    if cls.FRAMING.newer == "head" and has_latest(layout_of(cls, version_field.layout_version)):
        latest: int = getattr(message, LATEST_FIELD)
        if version_field.version is not None and latest < version_field.version:
            raise unsupported_version(
                cls, version_field.version, f"is above its own latest, {latest}"
            )
