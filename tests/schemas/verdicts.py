"""Our verdict beside Java's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from kproto.codec import DecodeError

from .java import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

M = TypeVar("M")


def agreed(java: Any, read: Callable[[bytes], M], data: bytes) -> M | None:
    """Our reading of bytes that Java accepts as well, None where both refuse; else it fails."""
    ours = _judged(read, data)
    assert isinstance(ours, DecodeError) == isinstance(java, Refused), (data.hex(), ours, java)
    return None if isinstance(ours, DecodeError) else ours


def _judged(read: Callable[[bytes], M], data: bytes) -> M | DecodeError:
    try:
        return read(data)
    except DecodeError as error:
        return error
