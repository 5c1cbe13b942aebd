"""What a coordinator writes, as frames tell it."""

from __future__ import annotations

from typing import NamedTuple

from ....codec import VersionedMessage

__all__ = ["NOT_KNOWN", "Fact"]

NOT_KNOWN = -1
"""For a number that no frame says, as records have it."""


class Fact(NamedTuple):
    """A record that the coordinator writes because of a frame: the number and time of that frame,
    key and value. Without a value it is a tombstone.
    """

    number: int
    time: int | None
    key: VersionedMessage
    value: VersionedMessage | None
