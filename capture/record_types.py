"""The record types of the offsets topic: which key and value belong together.

A key begins with an int16 that is the API key of its definition, and the value that goes with it
has the same API key.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ..codec import VersionedMessage, built_in_names, message_class

__all__ = ["RecordType", "record_types"]


class RecordType(NamedTuple):
    """A record type and its two message classes."""

    number: int
    key: type[VersionedMessage]
    value: type[VersionedMessage]


@cache
def record_types() -> Mapping[int, RecordType]:
    """Record type (the int16 a key begins with) to its classes, from the built-in definitions."""
    found = {}
    for name in built_in_names():
        if not name.endswith("Key"):
            continue
        key = message_class(name)
        if key.FRAMING.kind != "record-type" or key.API_KEY is None:
            continue
        value = message_class(f"{name.removesuffix('Key')}Value")
        assert issubclass(key, VersionedMessage) and issubclass(value, VersionedMessage)
        found[key.API_KEY] = RecordType(key.API_KEY, key, value)
    return found
