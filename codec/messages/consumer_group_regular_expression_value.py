"""ConsumerGroupRegularExpressionValue, generated from schemas/ConsumerGroupRegularExpressionValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT64,
    OddBytes,
    read_compact_array,
    read_compact_string,
    write_compact_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupRegularExpressionValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupRegularExpressionValue, versions 0.

    What a pattern matched when the broker last looked (KIP-848).

    Attributes:
        topics ([]string): The names of the topics that matched. Version 0; default ().
        version (int64): The version of the cluster's metadata that was looked at. Version 0; default
            0.
        timestamp (int64): When the broker looked; milliseconds since 1970. Version 0; default 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ConsumerGroupRegularExpressionValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 16
    FRAMING = Framing("version", "refuse")

    topics: tuple[str, ...] = ()
    version: int = 0
    timestamp: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            topics: Iterable[str] = ...,
            version: int = ...,
            timestamp: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topics: Iterable[str] = ...,
            version: int = ...,
            timestamp: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    topics, pos = read_compact_array(data, pos, read_compact_string)
    (version,), pos = INT64.unpack(data, pos), pos + 8
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupRegularExpressionValue(
        topics=topics, version=version, timestamp=timestamp, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: ConsumerGroupRegularExpressionValue, parts: list[bytes]) -> None:
    write_compact_array(message.topics, parts, write_compact_string)
    INT64.write(message.version, parts)
    INT64.write(message.timestamp, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ConsumerGroupRegularExpressionValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupRegularExpressionValue._by_header = {
    0: _read_v0,
}
ConsumerGroupRegularExpressionValue._headers = {
    0: b"\x00\x00",
}
