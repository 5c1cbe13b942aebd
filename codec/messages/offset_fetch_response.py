"""OffsetFetchResponse, generated from schemas/OffsetFetchResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    INT64,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_array,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    read_uuid,
    write_array,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class OffsetFetchResponse(Message, frozen=True, kw_only=True, gc=False):
    """OffsetFetchResponse, versions 1-10.

    How far groups have committed.

    Version 2: an error of the whole group. Version 3 (KIP-124): throttling. Version 4 (KIP-219):
    throttled after the answer, not before it. Version 5 (KIP-320): the leader epoch. Version 6
    (KIP-482): flexible. Version 7 (KIP-447): offsets of open transactions are an error. Version 8
    (KIP-709): several groups. Version 9 (KIP-848): errors of epochs. Version 10 (KIP-848): topics by
    id.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 3-10; default 0; other versions leave it out.
        topics ([]OffsetFetchResponseTopic): The offsets, by topic. Versions 1-7; default (); other
            versions cannot hold it.
        error_code (int16): Why nothing of the group is told; 0 if it is. Versions 2-7; default 0;
            other versions leave it out.
        groups ([]OffsetFetchResponseGroup): The offsets, by group (KIP-709). Versions 8-10; default
            (); other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 6-10; default ().
    """

    NAME = "OffsetFetchResponse"
    VERSIONS = VersionRange(1, 10)
    LATEST = 10
    API_KEY = 9
    FRAMING = Framing("none", "refuse")

    class OffsetFetchResponsePartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchResponsePartition of OffsetFetchResponse, versions 1-7.

        The offsets, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 1-7; default 0.
            committed_offset (int64): The offset that is to be read next; -1 where nothing is
                committed. Versions 1-7; default 0.
            committed_leader_epoch (int32): The leader epoch that was committed; -1 if not known
                (KIP-320). Versions 5-7; default -1; other versions leave it out.
            metadata (string): The text that the client keeps with the offset; null if none. Versions
                1-7; may be null; default ''.
            error_code (int16): Why the offset is not told; 0 if it is. Versions 1-7; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        partition_index: int = 0
        committed_offset: int = 0
        committed_leader_epoch: int = -1
        metadata: str | None = ""
        error_code: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition_index: int = ...,
                committed_offset: int = ...,
                committed_leader_epoch: int = ...,
                metadata: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                committed_offset: int = ...,
                committed_leader_epoch: int = ...,
                metadata: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetFetchResponseTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchResponseTopic of OffsetFetchResponse, versions 1-7.

        The offsets, by topic.

        Attributes:
            name (string): The topic's name. Versions 1-7; default ''.
            partitions ([]OffsetFetchResponsePartition): The offsets, by partition. Versions 1-7;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        name: str = ""
        partitions: tuple[OffsetFetchResponse.OffsetFetchResponsePartition, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                partitions: Iterable[OffsetFetchResponse.OffsetFetchResponsePartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partitions: Iterable[OffsetFetchResponse.OffsetFetchResponsePartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetFetchResponsePartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchResponsePartitions of OffsetFetchResponse, versions 8-10.

        The offsets of a topic, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 8-10; default 0.
            committed_offset (int64): The offset that is to be read next; -1 where nothing is
                committed. Versions 8-10; default 0.
            committed_leader_epoch (int32): The leader epoch that was committed; -1 if not known
                (KIP-320). Versions 8-10; default -1.
            metadata (string): The text that the client keeps with the offset; null if none. Versions
                8-10; may be null; default ''.
            error_code (int16): Why the offset is not told; 0 if it is. Versions 8-10; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        partition_index: int = 0
        committed_offset: int = 0
        committed_leader_epoch: int = -1
        metadata: str | None = ""
        error_code: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition_index: int = ...,
                committed_offset: int = ...,
                committed_leader_epoch: int = ...,
                metadata: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                committed_offset: int = ...,
                committed_leader_epoch: int = ...,
                metadata: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetFetchResponseTopics(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchResponseTopics of OffsetFetchResponse, versions 8-10.

        The offsets of a group, by topic.

        Attributes:
            name (string): The topic's name. Versions 8-9; default ''; other versions leave it out.
            topic_id (uuid): The topic's id (KIP-516). Version 10; default UUID(int=0); other versions
                leave it out.
            partitions ([]OffsetFetchResponsePartitions): The offsets of a topic, by partition.
                Versions 8-10; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        name: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[OffsetFetchResponse.OffsetFetchResponsePartitions, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[OffsetFetchResponse.OffsetFetchResponsePartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[OffsetFetchResponse.OffsetFetchResponsePartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetFetchResponseGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchResponseGroup of OffsetFetchResponse, versions 8-10.

        The offsets, by group (KIP-709).

        Attributes:
            group_id (string): The group's id. Versions 8-10; default ''.
            topics ([]OffsetFetchResponseTopics): The offsets of a group, by topic. Versions 8-10;
                default ().
            error_code (int16): Why nothing of the group is told; 0 if it is. Versions 8-10; default
                0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        group_id: str = ""
        topics: tuple[OffsetFetchResponse.OffsetFetchResponseTopics, ...] = ()
        error_code: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("topics", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                group_id: str = ...,
                topics: Iterable[OffsetFetchResponse.OffsetFetchResponseTopics] = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                group_id: str = ...,
                topics: Iterable[OffsetFetchResponse.OffsetFetchResponseTopics] = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    topics: tuple[OffsetFetchResponse.OffsetFetchResponseTopic, ...] = ()
    error_code: int = 0
    groups: tuple[OffsetFetchResponse.OffsetFetchResponseGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.topics) is not tuple
            or type(self.groups) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[OffsetFetchResponse.OffsetFetchResponseTopic] = ...,
            error_code: int = ...,
            groups: Iterable[OffsetFetchResponse.OffsetFetchResponseGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[OffsetFetchResponse.OffsetFetchResponseTopic] = ...,
            error_code: int = ...,
            groups: Iterable[OffsetFetchResponse.OffsetFetchResponseGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_OffsetFetchResponseGroup = OffsetFetchResponse.OffsetFetchResponseGroup
_OffsetFetchResponsePartition = OffsetFetchResponse.OffsetFetchResponsePartition
_OffsetFetchResponsePartitions = OffsetFetchResponse.OffsetFetchResponsePartitions
_OffsetFetchResponseTopic = OffsetFetchResponse.OffsetFetchResponseTopic
_OffsetFetchResponseTopics = OffsetFetchResponse.OffsetFetchResponseTopics


def _read_offset_fetch_response_partition_v1_4(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    metadata, pos = read_nullable_string(data, pos)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    return _OffsetFetchResponsePartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        metadata=metadata,
        error_code=error_code,
    ), pos


def _write_offset_fetch_response_partition_v1_4(
    item: _OffsetFetchResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    write_nullable_string(item.metadata, parts)
    INT16.write(item.error_code, parts)


def _read_offset_fetch_response_topic_v1_4(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_offset_fetch_response_partition_v1_4)
    return _OffsetFetchResponseTopic(name=name, partitions=partitions), pos


def _write_offset_fetch_response_topic_v1_4(
    item: _OffsetFetchResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_offset_fetch_response_partition_v1_4)


def _read_v1(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    topics, pos = read_array(data, pos, _read_offset_fetch_response_topic_v1_4)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(topics=topics), pos


def _write_v1(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.topics, parts, _write_offset_fetch_response_topic_v1_4)


def _read_v2(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    topics, pos = read_array(data, pos, _read_offset_fetch_response_topic_v1_4)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(topics=topics, error_code=error_code), pos


def _write_v2(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.topics, parts, _write_offset_fetch_response_topic_v1_4)
    INT16.write(message.error_code, parts)


def _read_v3_4(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_offset_fetch_response_topic_v1_4)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, error_code=error_code
    ), pos


def _write_v3_4(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.topics, parts, _write_offset_fetch_response_topic_v1_4)
    INT16.write(message.error_code, parts)


def _read_offset_fetch_response_partition_v5(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    metadata, pos = read_nullable_string(data, pos)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    return _OffsetFetchResponsePartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        metadata=metadata,
        error_code=error_code,
    ), pos


def _write_offset_fetch_response_partition_v5(
    item: _OffsetFetchResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_nullable_string(item.metadata, parts)
    INT16.write(item.error_code, parts)


def _read_offset_fetch_response_topic_v5(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_offset_fetch_response_partition_v5)
    return _OffsetFetchResponseTopic(name=name, partitions=partitions), pos


def _write_offset_fetch_response_topic_v5(
    item: _OffsetFetchResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_offset_fetch_response_partition_v5)


def _read_v5(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_offset_fetch_response_topic_v5)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, error_code=error_code
    ), pos


def _write_v5(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.topics, parts, _write_offset_fetch_response_topic_v5)
    INT16.write(message.error_code, parts)


def _read_offset_fetch_response_partition_v6_7(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    metadata, pos = read_compact_nullable_string(data, pos)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponsePartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        metadata=metadata,
        error_code=error_code,
        unknown_tagged_fields=unknown,
    ), pos


def _write_offset_fetch_response_partition_v6_7(
    item: _OffsetFetchResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponsePartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_compact_nullable_string(item.metadata, parts)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_fetch_response_topic_v6_7(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseTopic, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_fetch_response_partition_v6_7)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponseTopic(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_response_topic_v6_7(
    item: _OffsetFetchResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_offset_fetch_response_partition_v6_7)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6_7(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_offset_fetch_response_topic_v6_7)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(
        throttle_time_ms=throttle_time_ms,
        topics=topics,
        error_code=error_code,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6_7(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.topics, parts, _write_offset_fetch_response_topic_v6_7)
    INT16.write(message.error_code, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_fetch_response_partitions_v8_10(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponsePartitions, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    metadata, pos = read_compact_nullable_string(data, pos)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponsePartitions(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        metadata=metadata,
        error_code=error_code,
        unknown_tagged_fields=unknown,
    ), pos


def _write_offset_fetch_response_partitions_v8_10(
    item: _OffsetFetchResponsePartitions, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponsePartitions:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_compact_nullable_string(item.metadata, parts)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_fetch_response_topics_v8_9(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseTopics, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_fetch_response_partitions_v8_10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponseTopics(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_response_topics_v8_9(
    item: _OffsetFetchResponseTopics, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseTopics:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_offset_fetch_response_partitions_v8_10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_fetch_response_group_v8_9(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_array(data, pos, _read_offset_fetch_response_topics_v8_9)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponseGroup(
        group_id=group_id, topics=topics, error_code=error_code, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_response_group_v8_9(
    item: _OffsetFetchResponseGroup, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_array(item.topics, parts, _write_offset_fetch_response_topics_v8_9)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v8_9(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_offset_fetch_response_group_v8_9)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v8_9(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.topics != ():
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_offset_fetch_response_group_v8_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_fetch_response_topics_v10(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseTopics, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_fetch_response_partitions_v8_10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponseTopics(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_response_topics_v10(
    item: _OffsetFetchResponseTopics, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseTopics:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_offset_fetch_response_partitions_v8_10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_fetch_response_group_v10(
    data: bytes, pos: int
) -> tuple[_OffsetFetchResponseGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_array(data, pos, _read_offset_fetch_response_topics_v10)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchResponseGroup(
        group_id=group_id, topics=topics, error_code=error_code, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_response_group_v10(
    item: _OffsetFetchResponseGroup, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchResponseGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_array(item.topics, parts, _write_offset_fetch_response_topics_v10)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v10(data: bytes, pos: int) -> tuple[OffsetFetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_offset_fetch_response_group_v10)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v10(message: OffsetFetchResponse, parts: list[bytes]) -> None:
    if message.topics != ():
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_offset_fetch_response_group_v10)
    write_unknown_tags(message.unknown_tagged_fields, parts)


OffsetFetchResponse._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3_4, _write_v3_4),
    4: Codec(_read_v3_4, _write_v3_4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6_7, _write_v6_7),
    7: Codec(_read_v6_7, _write_v6_7),
    8: Codec(_read_v8_9, _write_v8_9),
    9: Codec(_read_v8_9, _write_v8_9),
    10: Codec(_read_v10, _write_v10),
}
