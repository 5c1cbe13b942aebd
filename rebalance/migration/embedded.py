"""Read the embedded consumer protocol as the group coordinator does, and fail as it does.

The coordinator catches one exception, SchemaException, which its reader makes of an underflow in a
field of fixed width and of a version below 0. Everything else that goes wrong leaves it as an
exception that it does not expect.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from ...codec import DecodeError, ErrorKind, VersionedMessage

MessageT = TypeVar("MessageT", bound=VersionedMessage)

_TEXT_LENGTH = 2
_BYTES_LENGTH = 4


class Unreadable(NamedTuple):
    """Why the coordinator cannot read bytes, and whether it expects that."""

    expected: bool
    """Whether it answers that the protocol is malformed, rather than UNKNOWN_SERVER_ERROR."""
    path: str
    reason: str


def read_embedded(data: bytes, cls: type[MessageT]) -> MessageT | Unreadable:
    """Return the message in `data`, or why a 4.3 coordinator fails to read it."""
    try:
        return cls.from_bytes(data)
    except DecodeError as error:
        return Unreadable(_is_schema_exception(error, len(data)), error.path, str(error))


def _is_schema_exception(error: DecodeError, size: int) -> bool:
    if error.kind is ErrorKind.UNSUPPORTED_VERSION:
        return True
    return error.kind is ErrorKind.TRUNCATED and size - error.offset < _prefix(error.path)


def _prefix(path: str) -> int:
    """Return how many bytes at the path are read with a check for underflow; what follows the
    length of a string or of bytes is read without one."""
    name = path.rpartition(".")[2]
    if name == "user_data":
        return _BYTES_LENGTH
    if name in {"topic", "rack_id"} or name.startswith("topics["):
        return _TEXT_LENGTH
    return _BYTES_LENGTH  # a number or a count: whenever it is truncated, it is so itself
