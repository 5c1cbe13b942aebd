"""ConsumerGroupPartitionMetadataValue, generated from schemas/ConsumerGroupPartitionMetadataValue.json; change that file and run `make generate`."""

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
    read_compact_string,
    read_uuid,
    write_compact_array,
    write_compact_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupPartitionMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupPartitionMetadataValue, versions 0.

    What a group of the new consumer group protocol (KIP-848) knew about its topics: by a difference
    it noticed new partitions. No longer written (KIP-1101).

    Attributes:
        topics ([]TopicMetadata): The topics that members subscribe to. Version 0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ConsumerGroupPartitionMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 4
    FRAMING = Framing("version", "refuse")

    class PartitionMetadata(MessagePart, frozen=True, kw_only=True, gc=False):
        """PartitionMetadata of ConsumerGroupPartitionMetadataValue, versions 0.

        Where the partitions are.

        Attributes:
            partition (int32): The partition's number. Version 0; default 0.
            racks ([]string): The racks of its replicas. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

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
        """TopicMetadata of ConsumerGroupPartitionMetadataValue, versions 0.

        The topics that members subscribe to.

        Attributes:
            topic_id (uuid): The topic's id. Version 0; default UUID(int=0).
            topic_name (string): The topic's name. Version 0; default ''.
            num_partitions (int32): How many partitions it has. Version 0; default 0.
            partition_metadata ([]PartitionMetadata): Where the partitions are. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

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


def _read_partition_metadata_v0(data: bytes, pos: int) -> tuple[_PartitionMetadata, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    racks, pos = read_compact_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    return _PartitionMetadata(partition=partition, racks=racks, unknown_tagged_fields=unknown), pos


def _write_partition_metadata_v0(item: _PartitionMetadata, parts: list[bytes]) -> None:
    if type(item) is not _PartitionMetadata:
        raise OddValue
    INT32.write(item.partition, parts)
    write_compact_array(item.racks, parts, write_compact_string)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topic_metadata_v0(data: bytes, pos: int) -> tuple[_TopicMetadata, int]:
    topic_id, pos = read_uuid(data, pos)
    topic_name, pos = read_compact_string(data, pos)
    (num_partitions,), pos = INT32.unpack(data, pos), pos + 4
    partition_metadata, pos = read_compact_array(data, pos, _read_partition_metadata_v0)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicMetadata(
        topic_id=topic_id,
        topic_name=topic_name,
        num_partitions=num_partitions,
        partition_metadata=partition_metadata,
        unknown_tagged_fields=unknown,
    ), pos


def _write_topic_metadata_v0(item: _TopicMetadata, parts: list[bytes]) -> None:
    if type(item) is not _TopicMetadata:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_string(item.topic_name, parts)
    INT32.write(item.num_partitions, parts)
    write_compact_array(item.partition_metadata, parts, _write_partition_metadata_v0)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    topics, pos = read_compact_array(data, pos, _read_topic_metadata_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupPartitionMetadataValue(topics=topics, unknown_tagged_fields=unknown), pos


def _write_v0(message: ConsumerGroupPartitionMetadataValue, parts: list[bytes]) -> None:
    write_compact_array(message.topics, parts, _write_topic_metadata_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ConsumerGroupPartitionMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupPartitionMetadataValue._by_header = {
    0: _read_v0,
}
ConsumerGroupPartitionMetadataValue._headers = {
    0: b"\x00\x00",
}
