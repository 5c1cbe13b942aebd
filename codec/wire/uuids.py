"""Uuids as Kafka prints them: URL-safe base64 of the 16 bytes, without padding (Uuid.java)."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from uuid import UUID

from .primitives import OddValue

ZERO_UUID = UUID(int=0)
_FORM = re.compile(r"[A-Za-z0-9_-]{22}(?:==)?")


@lru_cache(maxsize=1024)
def uuid_of(raw: bytes) -> UUID:
    """Return the uuid of 16 bytes, from a cache.

    Topic ids repeat, and making a uuid takes as long as reading the rest of an offset commit.

    >>> uuid_of(bytes(15) + b"\\1").int
    1
    """
    return UUID(bytes=raw)


def read_uuid(data: bytes, pos: int) -> tuple[UUID, int]:
    """Return the uuid of the 16 bytes at `pos`, and its end."""
    end = pos + 16
    return uuid_of(data[pos:end]), end


def write_uuid(value: UUID, parts: list[bytes]) -> None:
    """Append the 16 bytes of a uuid."""
    if not isinstance(value, UUID):
        raise OddValue
    parts.append(value.bytes)


def format_uuid(value: UUID) -> str:
    """Return the 22 characters that Kafka prints for a uuid.

    >>> format_uuid(UUID(int=1))
    'AAAAAAAAAAAAAAAAAAAAAQ'
    """
    return urlsafe_b64encode(value.bytes).rstrip(b"=").decode("ascii")


def parse_uuid(text: str) -> UUID:
    """Return the uuid that Kafka prints as `text`. Raises ValueError for any other form.

    >>> parse_uuid("AAAAAAAAAAAAAAAAAAAAAQ").int
    1
    """
    if not _FORM.fullmatch(text):
        raise ValueError(f"{text!r:.40} is not a uuid: 22 characters of URL-safe base64")
    return UUID(bytes=urlsafe_b64decode(f"{text[:22]}=="))
