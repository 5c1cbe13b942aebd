"""Framings: the bytes before a message's fields, and how a newer version in them is read.

| framing     | in front                                       | example                        |
|-------------|------------------------------------------------|--------------------------------|
| none        | nothing                                        | requests, headerless user data |
| version     | an int16 version                               | consumer protocol, Connect     |
| record-type | an int16, the definition's apiKey              | keys of the offsets topic      |
| version32   | nothing: the first field is an int32 version   | Kafka Streams                  |

`read.version_field` reads them.
"""

from __future__ import annotations

import msgspec

KINDS = ("none", "version", "record-type", "version32")
NEWER = {
    "none": ("refuse",),
    "version": ("refuse", "clamp", "accept"),
    "record-type": ("refuse",),
    "version32": ("refuse", "head"),
}
HEADER_BYTES = {"none": 0, "version": 2, "record-type": 2, "version32": 0}


class Framing(msgspec.Struct, frozen=True):
    """A row of the table (`kind`), and what a version above the highest known one means (`newer`).

    `newer` is "refuse" for any kind. For `version` it may be "clamp" (read as the highest known
    version: the consumer protocol) or "accept" (the same: Connect); for `version32` "head" (read as
    version and latestSupportedVersion alone: Kafka Streams).

    Raises ValueError for any other kind or combination.
    """

    kind: str
    newer: str = "refuse"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"framing {self.kind!r} is none of {', '.join(KINDS)}")
        if self.newer not in NEWER[self.kind]:
            allowed = ", ".join(NEWER[self.kind])
            raise ValueError(f"newerVersions {self.newer!r} with {self.kind!r}; allowed: {allowed}")

    @property
    def header_bytes(self) -> int:
        """The number of bytes before the fields."""
        return HEADER_BYTES[self.kind]
