"""What a coordinator writes, as frames tell it."""

from __future__ import annotations

from typing import NamedTuple

from ....codec import VersionedMessage

__all__ = ["NOT_KNOWN", "Fact"]

NOT_KNOWN = -1
"""For a number that no frame says, as records have it."""


class Fact(NamedTuple):
    """The number and time of the frame that makes it be written, its key and value; without a
    value it is a tombstone."""

    number: int
    time: int | None
    key: VersionedMessage
    value: VersionedMessage | None
