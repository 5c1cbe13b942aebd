"""Records of the offsets topic as Redpanda stores them, in Kafka's layout.

Redpanda writes an int16, a version from 0 to 3, in front of every member of a group's record
(github.com/twmb/franz-go/issues/799). Its old tombstones have a key with a little-endian int32 in
front, which is the size of the rest.
"""

from __future__ import annotations

import struct
from struct import Struct

__all__ = ["as_kafka_key", "as_kafka_value"]

_HIGHEST_MEMBER = 3  # version of a member
_INT16, _INT32 = Struct(">h"), Struct(">i")


def as_kafka_key(key: bytes) -> bytes | None:
    """Return the key without the size in front; None for a key that has none."""
    if len(key) > 6 and int.from_bytes(key[:4], "little") == len(key) - 4 and key[4] == 0:
        return key[4:]
    return None


def as_kafka_value(value: bytes) -> bytes | None:
    """Return a GroupMetadataValue without the version in front of each member; None for any other
    bytes."""
    reader = _Reader(value)
    try:
        return reader.group()
    except (struct.error, ValueError):
        return None


class _Reader:
    """Reads a group's record. Raises struct.error or ValueError where it is none of Redpanda's."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def group(self) -> bytes | None:
        version = self._number(_INT16)
        if not 0 <= version <= 3:
            return None
        self._bytes(_INT16)  # protocol type
        self._skip(4)  # generation
        self._bytes(_INT16)  # protocol
        self._bytes(_INT16)  # leader
        self._skip(8 * (version >= 2))  # when the state changed
        number = self._number(_INT32)
        parts = [self._data[: self._at]]
        for _ in range(number):
            if not 0 <= self._number(_INT16) <= _HIGHEST_MEMBER:
                return None
            start = self._at
            self._member(version)
            parts.append(self._data[start : self._at])
        is_whole = number > 0 and self._at == len(self._data)
        return b"".join(parts) if is_whole else None

    def _member(self, version: int) -> None:
        for _ in range(3 + (version >= 3)):  # ids of member and instance, client id, host
            self._bytes(_INT16)
        self._skip(4 + 4 * (version >= 1))  # timeouts
        self._bytes(_INT32)  # subscription
        self._bytes(_INT32)  # assignment

    def _number(self, form: Struct) -> int:
        (number,) = form.unpack_from(self._data, self._at)
        self._at += form.size
        return int(number)

    def _bytes(self, form: Struct) -> None:
        self._skip(max(self._number(form), 0))

    def _skip(self, size: int) -> None:
        self._at += size
        if self._at > len(self._data):
            raise ValueError("the bytes end here")
