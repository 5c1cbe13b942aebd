"""ShareGroupStatePartitionMetadataValue, generated from schemas/ShareGroupStatePartitionMetadataValue.json; change that file and run `make generate`."""

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


class ShareGroupStatePartitionMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupStatePartitionMetadataValue, versions 0.

    For which partitions a share group has state (KIP-932): the share coordinator keeps what was
    delivered and acknowledged, and this says what was begun, what is there, what is to go.

    Attributes:
        initializing_topics ([]TopicPartitionsInfo): Partitions whose state is being made. Version 0;
            default ().
        initialized_topics ([]TopicPartitionsInfo): Partitions whose state is there. Version 0;
            default ().
        deleting_topics ([]TopicInfo): Topics whose state is being deleted. Version 0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ShareGroupStatePartitionMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 15
    FRAMING = Framing("version", "refuse")

    class TopicPartitionsInfo(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitionsInfo of ShareGroupStatePartitionMetadataValue, versions 0.

        Partitions of one topic.

        Attributes:
            topic_id (uuid): The topic's id. Version 0; default UUID(int=0).
            topic_name (string): The topic's name. Version 0; default ''.
            partitions ([]int32): The numbers of its partitions. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        topic_id: UUID = ZERO_UUID
        topic_name: str = ""
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
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopicInfo(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicInfo of ShareGroupStatePartitionMetadataValue, versions 0.

        A whole topic.

        Attributes:
            topic_id (uuid): The topic's id. Version 0; default UUID(int=0).
            topic_name (string): The topic's name. Version 0; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        topic_id: UUID = ZERO_UUID
        topic_name: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    initializing_topics: tuple[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo, ...] = ()
    initialized_topics: tuple[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo, ...] = ()
    deleting_topics: tuple[ShareGroupStatePartitionMetadataValue.TopicInfo, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = (
        "initializing_topics",
        "initialized_topics",
        "deleting_topics",
        "unknown_tagged_fields",
    )

    def __post_init__(self) -> None:
        if (
            type(self.initializing_topics) is not tuple
            or type(self.initialized_topics) is not tuple
            or type(self.deleting_topics) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            initializing_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            initialized_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            deleting_topics: Iterable[ShareGroupStatePartitionMetadataValue.TopicInfo] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            initializing_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            initialized_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            deleting_topics: Iterable[ShareGroupStatePartitionMetadataValue.TopicInfo] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicInfo = ShareGroupStatePartitionMetadataValue.TopicInfo
_TopicPartitionsInfo = ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo


def _read_topic_partitions_info_v0(data: bytes, pos: int) -> tuple[_TopicPartitionsInfo, int]:
    topic_id, pos = read_uuid(data, pos)
    topic_name, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartitionsInfo(
        topic_id=topic_id,
        topic_name=topic_name,
        partitions=partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_topic_partitions_info_v0(item: _TopicPartitionsInfo, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartitionsInfo:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_string(item.topic_name, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topic_info_v0(data: bytes, pos: int) -> tuple[_TopicInfo, int]:
    topic_id, pos = read_uuid(data, pos)
    topic_name, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicInfo(topic_id=topic_id, topic_name=topic_name, unknown_tagged_fields=unknown), pos


def _write_topic_info_v0(item: _TopicInfo, parts: list[bytes]) -> None:
    if type(item) is not _TopicInfo:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_string(item.topic_name, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    initializing_topics, pos = read_compact_array(data, pos, _read_topic_partitions_info_v0)
    initialized_topics, pos = read_compact_array(data, pos, _read_topic_partitions_info_v0)
    deleting_topics, pos = read_compact_array(data, pos, _read_topic_info_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupStatePartitionMetadataValue(
        initializing_topics=initializing_topics,
        initialized_topics=initialized_topics,
        deleting_topics=deleting_topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: ShareGroupStatePartitionMetadataValue, parts: list[bytes]) -> None:
    write_compact_array(message.initializing_topics, parts, _write_topic_partitions_info_v0)
    write_compact_array(message.initialized_topics, parts, _write_topic_partitions_info_v0)
    write_compact_array(message.deleting_topics, parts, _write_topic_info_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupStatePartitionMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupStatePartitionMetadataValue._by_header = {
    0: _read_v0,
}
ShareGroupStatePartitionMetadataValue._headers = {
    0: b"\x00\x00",
}
