"""Layouts that programs are known to write by mistake, and what is said of them."""

from __future__ import annotations

import struct
from typing import Any

from ..codec.read.decoding import Decoded

__all__ = ["EACH_WITH_USER_DATA", "WITHOUT_USER_DATA", "is_without_user_data", "with_one_user_data"]

WITHOUT_USER_DATA = (
    "The user data field is missing, and nothing else: @platformatic/kafka 1.33 to 1.35 writes "
    "such assignments. Java fails with BufferUnderflowException; update the writer."
)
EACH_WITH_USER_DATA = (
    "an assignment with user data after every topic instead of once at the end, as zilla (#617) "
    "and kafka_ex (#161) have written it; other clients fail, or read other topics"
)


def is_without_user_data(decoded: Decoded[Any]) -> bool:
    """Return whether an assignment ends in front of its user data."""
    error = decoded.error
    return (
        decoded.message_class.NAME == "ConsumerProtocolAssignment"
        and error is not None
        and error.path == "user_data"
        and error.offset == len(decoded.data)
    )


_FRONT = struct.Struct(">hi")  # version, number of topics
_MOST_TOPICS = 10_000


def with_one_user_data(data: bytes) -> bytes | None:
    """Return an assignment with its user data at the end, of bytes with user data after every
    topic; None for any other bytes, and for one topic, which is laid out alike."""
    try:
        version, number = _FRONT.unpack_from(data)
        if version not in range(4) or number not in range(2, _MOST_TOPICS):
            return None
        parts, at = [data[: _FRONT.size]], _FRONT.size
        user_data = b""
        for _ in range(number):
            end = at + 2 + _length(data, at, ">h")
            end += 4 + 4 * _length(data, end, ">i")
            parts.append(data[at:end])
            at = end + 4 + _length(data, end, ">i")
            user_data = data[end:at]
    except (struct.error, ValueError):
        return None
    return b"".join((*parts, user_data)) if at == len(data) else None


def _length(data: bytes, at: int, form: str) -> int:
    (length,) = struct.unpack_from(form, data, at)
    if not -1 <= length <= len(data):
        raise ValueError("no length")
    return max(int(length), 0)
