"""ConsumerGroupTargetAssignmentMetadataValue, generated from schemas/ConsumerGroupTargetAssignmentMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, RawTaggedField, VersionedMessage
from ..tags import read_raw_tag, write_tags
from ..versions import VersionRange
from ..wire import MAX_TAGS, OddBytes, OddValue, fixed, packed, read_varint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_i = packed("i")
_pack_q = packed("q")
_unpack_iu_b = fixed("iB")
_unpack_q = fixed("q")


class ConsumerGroupTargetAssignmentMetadataValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """ConsumerGroupTargetAssignmentMetadataValue, versions 0."""

    NAME = "ConsumerGroupTargetAssignmentMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 6
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


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, int]:
    assignment_epoch, count = _unpack_iu_b(data, pos)
    pos += 5
    assignment_timestamp: int = 0
    unknown: list[RawTaggedField] = []
    if count > 127:
        count, pos = read_varint(data, pos - 1)
        if not 0 <= count <= MAX_TAGS:
            raise OddBytes
    for _ in range(count):
        tag = data[pos]
        pos += 1
        if tag > 127:
            tag, pos = read_varint(data, pos - 1)
        if tag == 0:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            (assignment_timestamp,) = _unpack_q(data, pos)
            pos += 8
        else:
            known, pos = read_raw_tag(data, pos, tag)
            unknown.append(known)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupTargetAssignmentMetadataValue(
        assignment_epoch=assignment_epoch,
        assignment_timestamp=assignment_timestamp,
        unknown_tagged_fields=tuple(unknown),
    ), pos


def _write_v0(message: ConsumerGroupTargetAssignmentMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.assignment_epoch) is bool:
        raise OddValue
    add(_pack_i(message.assignment_epoch))
    fields: list[tuple[int, bytes]] = []
    assignment_timestamp = message.assignment_timestamp
    if assignment_timestamp != 0:
        tagged: list[bytes] = []
        add = tagged.append
        if type(assignment_timestamp) is bool:
            raise OddValue
        add(_pack_q(assignment_timestamp))
        fields.append((0, b"".join(tagged)))
        add = parts.append
    add(write_tags(fields, message.unknown_tagged_fields, (0,)))


ConsumerGroupTargetAssignmentMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupTargetAssignmentMetadataValue._by_header = {
    0: _read_v0,
}
ConsumerGroupTargetAssignmentMetadataValue._headers = {
    0: b"\x00\x00",
}
