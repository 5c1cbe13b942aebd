"""ConsumerGroupTargetAssignmentMemberValue, generated from schemas/ConsumerGroupTargetAssignmentMemberValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    VARINT,
    OddBytes,
    OddValue,
    few_numbers,
    fixed,
    numbers,
    pack_numbers,
    packed,
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_numbers_i = pack_numbers("i")
_pack_uuid = packed("16s")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ConsumerGroupTargetAssignmentMemberValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """ConsumerGroupTargetAssignmentMemberValue, versions 0."""

    NAME = "ConsumerGroupTargetAssignmentMemberValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 7
    FRAMING = Framing("version", "refuse")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerGroupTargetAssignmentMemberValue, versions 0."""

        topic_id: UUID = ZERO_UUID
        partitions: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    topic_partitions: tuple[ConsumerGroupTargetAssignmentMemberValue.TopicPartition, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topic_partitions", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.topic_partitions) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            topic_partitions: Iterable[
                ConsumerGroupTargetAssignmentMemberValue.TopicPartition
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topic_partitions: Iterable[
                ConsumerGroupTargetAssignmentMemberValue.TopicPartition
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicPartition = ConsumerGroupTargetAssignmentMemberValue.TopicPartition


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
    (topic_partitions_count,) = _unpack_u_b(data, pos)
    pos += 1
    if topic_partitions_count > 127:
        topic_partitions_count, pos = read_varint(data, pos - 1)
    topic_partitions_count -= 1
    if not 0 <= topic_partitions_count <= MAX_ELEMENTS:
        raise OddBytes
    topic_partitions_list: list[_TopicPartition] = []
    for _ in range(topic_partitions_count):
        topic_id_raw, partitions_count = _unpack_uuid_u_b(data, pos)
        pos += 17
        topic_id = uuid_of(topic_id_raw)
        if partitions_count > 127:
            partitions_count, pos = read_varint(data, pos - 1)
        partitions_count -= 1
        partitions = (
            _few_numbers_i[partitions_count]
            if 0 <= partitions_count < 256
            else _numbers_i[partitions_count]
        )(data, pos)
        pos += partitions_count * 4
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        topic_partitions_list.append(
            _TopicPartition(
                topic_id=topic_id,
                partitions=partitions,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    topic_partitions = tuple(topic_partitions_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupTargetAssignmentMemberValue(
        topic_partitions=topic_partitions, unknown_tagged_fields=unknown_tagged_fields_2
    ), pos


def _write_v0(message: ConsumerGroupTargetAssignmentMemberValue, parts: list[bytes]) -> None:
    add = parts.append
    topic_partitions = message.topic_partitions
    if type(topic_partitions) is not tuple:
        raise OddValue
    topic_partitions_size = len(topic_partitions) + 1
    add(
        VARINT[topic_partitions_size]
        if topic_partitions_size < 128
        else varint(topic_partitions_size)
    )
    for topic_partitions_item in topic_partitions:
        if type(topic_partitions_item) is not _TopicPartition:
            raise OddValue
        partitions = topic_partitions_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_uuid(topic_partitions_item.topic_id.bytes))
        partitions_size = len(partitions) + 1
        add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
        add(_pack_numbers_i[len(partitions)](*partitions))
        add(
            write_tags([], topic_partitions_item.unknown_tagged_fields, ())
            if topic_partitions_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupTargetAssignmentMemberValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupTargetAssignmentMemberValue._by_header = {
    0: _read_v0,
}
ConsumerGroupTargetAssignmentMemberValue._headers = {
    0: b"\x00\x00",
}
