"""ConsumerGroupPartitionMetadataValue, generated from schemas/ConsumerGroupPartitionMetadataValue.json; change that file and run `make generate`."""

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
    MAX_STRING,
    VARINT,
    OddBytes,
    OddValue,
    fixed,
    packed,
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_i = packed("i")
_pack_uuid = packed("16s")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ConsumerGroupPartitionMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupPartitionMetadataValue, versions 0."""

    NAME = "ConsumerGroupPartitionMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 4
    FRAMING = Framing("version", "refuse")

    class PartitionMetadata(MessagePart, frozen=True, kw_only=True, gc=False):
        """PartitionMetadata of ConsumerGroupPartitionMetadataValue, versions 0."""

        partition: int = 0
        racks: tuple[str, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("racks", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.racks) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition: int = ...,
                racks: Iterable[str] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition: int = ...,
                racks: Iterable[str] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopicMetadata(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicMetadata of ConsumerGroupPartitionMetadataValue, versions 0."""

        topic_id: UUID = ZERO_UUID
        topic_name: str = ""
        num_partitions: int = 0
        partition_metadata: tuple[ConsumerGroupPartitionMetadataValue.PartitionMetadata, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partition_metadata", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.partition_metadata) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                num_partitions: int = ...,
                partition_metadata: Iterable[
                    ConsumerGroupPartitionMetadataValue.PartitionMetadata
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                num_partitions: int = ...,
                partition_metadata: Iterable[
                    ConsumerGroupPartitionMetadataValue.PartitionMetadata
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    topics: tuple[ConsumerGroupPartitionMetadataValue.TopicMetadata, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            topics: Iterable[ConsumerGroupPartitionMetadataValue.TopicMetadata] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topics: Iterable[ConsumerGroupPartitionMetadataValue.TopicMetadata] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_PartitionMetadata = ConsumerGroupPartitionMetadataValue.PartitionMetadata
_TopicMetadata = ConsumerGroupPartitionMetadataValue.TopicMetadata


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    (topics_count,) = _unpack_u_b(data, pos)
    pos += 1
    if topics_count > 127:
        topics_count, pos = read_varint(data, pos - 1)
    topics_count -= 1
    if not 0 <= topics_count <= MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_TopicMetadata] = []
    for _ in range(topics_count):
        topic_id_raw, topic_name_size = _unpack_uuid_u_b(data, pos)
        pos += 17
        topic_id = uuid_of(topic_id_raw)
        if topic_name_size > 127:
            topic_name_size, pos = read_varint(data, pos - 1)
        if topic_name_size < 1 or topic_name_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + topic_name_size - 1
        topic_name = data[pos:end].decode()
        pos = end
        num_partitions, partition_metadata_count = _unpack_iu_b(data, pos)
        pos += 5
        if partition_metadata_count > 127:
            partition_metadata_count, pos = read_varint(data, pos - 1)
        partition_metadata_count -= 1
        if not 0 <= partition_metadata_count <= MAX_ELEMENTS:
            raise OddBytes
        partition_metadata_list: list[_PartitionMetadata] = []
        for _ in range(partition_metadata_count):
            partition, racks_count = _unpack_iu_b(data, pos)
            pos += 5
            if racks_count > 127:
                racks_count, pos = read_varint(data, pos - 1)
            racks_count -= 1
            if not 0 <= racks_count <= MAX_ELEMENTS:
                raise OddBytes
            racks_list: list[str] = []
            for _ in range(racks_count):
                (racks_item_size,) = _unpack_u_b(data, pos)
                pos += 1
                if racks_item_size > 127:
                    racks_item_size, pos = read_varint(data, pos - 1)
                if racks_item_size < 1 or racks_item_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + racks_item_size - 1
                racks_list.append(data[pos:end].decode())
                pos = end
            racks = tuple(racks_list)
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            partition_metadata_list.append(
                _PartitionMetadata(
                    partition=partition, racks=racks, unknown_tagged_fields=unknown_tagged_fields
                )
            )
        partition_metadata = tuple(partition_metadata_list)
        (count_2,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        topics_list.append(
            _TopicMetadata(
                topic_id=topic_id,
                topic_name=topic_name,
                num_partitions=num_partitions,
                partition_metadata=partition_metadata,
                unknown_tagged_fields=unknown_tagged_fields_2,
            )
        )
    topics = tuple(topics_list)
    (count_3,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
    if count_3:
        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupPartitionMetadataValue(
        topics=topics, unknown_tagged_fields=unknown_tagged_fields_3
    ), pos


def _write_v0(message: ConsumerGroupPartitionMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    topics_size = len(topics) + 1
    add(VARINT[topics_size] if topics_size < 128 else varint(topics_size))
    for topics_item in topics:
        if type(topics_item) is not _TopicMetadata:
            raise OddValue
        topic_name_raw = topics_item.topic_name.encode()
        add(_pack_uuid(topics_item.topic_id.bytes))
        if len(topic_name_raw) > MAX_STRING:
            raise OddValue
        topic_name_size = len(topic_name_raw) + 1
        add(VARINT[topic_name_size] if topic_name_size < 128 else varint(topic_name_size))
        add(topic_name_raw)
        if type(topics_item.num_partitions) is bool:
            raise OddValue
        partition_metadata = topics_item.partition_metadata
        if type(partition_metadata) is not tuple:
            raise OddValue
        add(_pack_i(topics_item.num_partitions))
        partition_metadata_size = len(partition_metadata) + 1
        add(
            VARINT[partition_metadata_size]
            if partition_metadata_size < 128
            else varint(partition_metadata_size)
        )
        for partition_metadata_item in partition_metadata:
            if type(partition_metadata_item) is not _PartitionMetadata:
                raise OddValue
            if type(partition_metadata_item.partition) is bool:
                raise OddValue
            racks = partition_metadata_item.racks
            if type(racks) is not tuple:
                raise OddValue
            add(_pack_i(partition_metadata_item.partition))
            racks_size = len(racks) + 1
            add(VARINT[racks_size] if racks_size < 128 else varint(racks_size))
            for racks_item in racks:
                raw_2 = racks_item.encode()
                if len(raw_2) > MAX_STRING:
                    raise OddValue
                racks_size_2 = len(raw_2) + 1
                add(VARINT[racks_size_2] if racks_size_2 < 128 else varint(racks_size_2))
                add(raw_2)
            add(
                write_tags([], partition_metadata_item.unknown_tagged_fields, ())
                if partition_metadata_item.unknown_tagged_fields
                else b"\0"
            )
        add(
            write_tags([], topics_item.unknown_tagged_fields, ())
            if topics_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupPartitionMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupPartitionMetadataValue._by_header = {
    0: _read_v0,
}
ConsumerGroupPartitionMetadataValue._headers = {
    0: b"\x00\x00",
}
