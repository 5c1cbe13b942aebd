"""`decode`: bytes to a message, and everything else that can be said about them."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar, overload

from ..dialect.names import Path, counted, path_text
from ..dialect.versions import as_version
from ..errors import DecodeError, ErrorKind
from ..messages import MODULES
from ..messages import message_class as built_in
from ..runtime.message import Buffer, Message, as_bytes
from ..short_repr import short_repr
from .decoded import Decoded, kind_of_version, read_fields
from .deviations import code_named
from .diagnostic_reader import Cursor
from .version_label import (
    VersionLabel,
    check_latest,
    read_label,
    refused_label,
    unsupported_version,
)

__all__ = ["KAFKA_RELEASE", "Decoded", "Policy", "decode", "read"]

KAFKA_RELEASE = "4.4.0"
"""The release of Apache Kafka whose verdicts and values policy KAFKA has."""

M = TypeVar("M", bound=Message)

_COMMON = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")  # in an error message


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
    the bytes have no version label, and the fields are of that version; messages without framing
    need it. A `body_version` that the class does not have is judged as such a label is: refused,
    or read as the highest known version.

    Raises DecodeError as the policy says; under LENIENT never for any bytes. Raises ValueError
    where `body_version` is needed and missing, `reader_version` is none of the class's versions,
    one of the two is no whole number, or there is no such policy or built-in message; TypeError
    where `message_class` is neither a message class nor a name.
    """
    raw = as_bytes(data)
    if not (isinstance(message_class, type) and issubclass(message_class, Message)):
        message_class = _named(message_class)
    policy = Policy(policy)
    reader_version, body_version = _versions(message_class, reader_version, body_version)
    try:
        label = read_label(message_class, raw, reader_version, body_version)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        refused = refused_label(message_class, body_version, error)
        return Decoded(message_class, raw, refused, None, _without_traceback(error), error.offset)
    if policy is Policy.STRICT and label.newer:
        raise unsupported_version(message_class, label.version, "is newer than any known version")
    reader = _read_strictly if policy is Policy.STRICT else read_fields
    try:
        message, end = reader(message_class, raw, label)
        check_latest(message_class, label, message)
    except DecodeError as error:
        if policy is not Policy.LENIENT:
            raise
        return Decoded(message_class, raw, label, None, _without_traceback(error), error.offset)
    return Decoded(message_class, raw, label, message, None, end)


def _named(name: object) -> type[Message]:
    """Return the built-in class of that name."""
    if not isinstance(name, str):
        advice = "pass a message class, or the name of a built-in one"
        raise TypeError(f"{short_repr(name)} is not a message class: {advice}")
    if name not in MODULES:
        from difflib import get_close_matches  # late: needed for an error message

        near = get_close_matches(name, MODULES, n=3) or _COMMON
        raise ValueError(
            f"{short_repr(name)} is not one of the {len(MODULES)} built-in messages, such as "
            f"{', '.join(near)}: see built_in_names(), and pass the class of any other message"
        )
    return built_in(name)


def _without_traceback(error: DecodeError) -> DecodeError:
    """Return the error without what keeps the values read so far alive as long as itself."""
    return error.with_traceback(None)


def read(message_class: type[M], data: Buffer, body_version: int | None) -> M:
    """Return the message alone, under policy KAFKA. Raises DecodeError."""
    raw = as_bytes(data)
    label = read_label(message_class, raw, None, body_version)
    message: M = read_fields(message_class, raw, label)[0]
    check_latest(message_class, label, message)
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
        known = message_class.VERSIONS
        if reader_version not in known:
            raise ValueError(f"reader_version {reader_version} is not one of the versions {known}")
    return reader_version, body_version


def _read_strictly(cls: type[M], data: bytes, label: VersionLabel) -> tuple[M, int]:
    """Read the fields; the first deviation of class encoding is refused, or else the remainder."""

    def refuse(name: str, path: Path, offset: int) -> None:
        code = code_named(name)
        if code.class_ == "encoding":
            reason = f"{code.code}: {code.explanation}"
            raise DecodeError(ErrorKind.DEVIATION, offset, path_text(path), reason, label.version)

    cursor = Cursor(data, label.start, label.version, note=refuse)
    message: M = kind_of_version(cls, label.layout_version).read(cursor)
    if cursor.left:
        reason = f"{counted(cursor.left, 'byte')} after the fields"
        raise DecodeError(ErrorKind.REMAINDER, cursor.pos, "", reason, label.version)
    return message, cursor.pos
