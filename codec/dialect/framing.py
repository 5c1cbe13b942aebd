"""What stands in front of a message's fields, and what a newer version there means.

| framing     | in front                                          | example                        |
|-------------|---------------------------------------------------|--------------------------------|
| none        | nothing                                           | requests, headerless user data |
| version     | an int16 version                                  | consumer protocol, Connect     |
| record-type | an int16 that is the definition's apiKey          | keys of the offsets topic      |
| version32   | nothing: the first field is its own int32 version | Kafka Streams                  |
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
    """One row of the table, and what a version above the highest known one means.

    `newer` is "refuse"; for `version` also "clamp" (read as the highest known: the consumer
    protocol) and "accept" (Connect); for `version32` also "head" (read as version and
    latestSupportedVersion alone: Streams SubscriptionInfo). Raises ValueError for anything else.
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
        """How many bytes stand in front of the fields."""
        return HEADER_BYTES[self.kind]
