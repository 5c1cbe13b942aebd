"""ConsumerGroupTargetAssignmentMemberValue, generated from schemas/ConsumerGroupTargetAssignmentMemberValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_compact_array,
    read_uuid,
    write_compact_array,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupTargetAssignmentMemberValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """ConsumerGroupTargetAssignmentMemberValue, versions 0.

    What one member is to own in the end (KIP-848). What it owns now is in record type 8.

    Attributes:
        topic_partitions ([]TopicPartition): The partitions by topic. Version 0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ConsumerGroupTargetAssignmentMemberValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 7
    FRAMING = Framing("version", "refuse")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerGroupTargetAssignmentMemberValue, versions 0.

        The partitions by topic.

        Attributes:
            topic_id (uuid): The topic, by its id. Version 0; default UUID(int=0).
            partitions ([]int32): The numbers of its partitions. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

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


def _read_topic_partition_v0(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartition(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_topic_partition_v0(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_uuid(item.topic_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
    topic_partitions, pos = read_compact_array(data, pos, _read_topic_partition_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupTargetAssignmentMemberValue(
        topic_partitions=topic_partitions, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: ConsumerGroupTargetAssignmentMemberValue, parts: list[bytes]) -> None:
    write_compact_array(message.topic_partitions, parts, _write_topic_partition_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ConsumerGroupTargetAssignmentMemberValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupTargetAssignmentMemberValue._by_header = {
    0: _read_v0,
}
ConsumerGroupTargetAssignmentMemberValue._headers = {
    0: b"\x00\x00",
}
