"""StreamsGroupTargetAssignmentMetadataValue, generated from schemas/StreamsGroupTargetAssignmentMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, RawTaggedField, VersionedMessage
from ..runtime.tags import Tags, read_tags, write_tags
from ..wire.primitives import INT32, INT64, OddBytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupTargetAssignmentMetadataValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """StreamsGroupTargetAssignmentMetadataValue, versions 0.

    For which state of the Streams group its target assignment was made (KIP-1071).

    Attributes:
        assignment_epoch (int32): The group epoch that the target assignment was made for. Version 0;
            default 0.
        assignment_timestamp (int64): When it was made; milliseconds since 1970 (KIP-1263). Version 0;
            default 0; tag 0 in version 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "StreamsGroupTargetAssignmentMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 20
    FRAMING = Framing("version", "refuse")

    assignment_epoch: int = 0
    assignment_timestamp: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            assignment_epoch: int = ...,
            assignment_timestamp: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            assignment_epoch: int = ...,
            assignment_timestamp: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TAGS_v0: Tags = {
    0: ("assignment_timestamp", INT64.read),
}


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupTargetAssignmentMetadataValue, int]:
    (assignment_epoch,), pos = INT32.unpack(data, pos), pos + 4
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v0, ())
    if pos > len(data):
        raise OddBytes
    read = StreamsGroupTargetAssignmentMetadataValue(
        assignment_epoch=assignment_epoch, unknown_tagged_fields=unknown
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v0(message: StreamsGroupTargetAssignmentMetadataValue, parts: list[bytes]) -> None:
    INT32.write(message.assignment_epoch, parts)
    tags: dict[int, list[bytes]] = {}
    if message.assignment_timestamp != 0:
        INT64.write(message.assignment_timestamp, tags.setdefault(0, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


StreamsGroupTargetAssignmentMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupTargetAssignmentMetadataValue._by_header = {
    0: _read_v0,
}
StreamsGroupTargetAssignmentMetadataValue._headers = {
    0: b"\x00\x00",
}
