"""OffsetCommitRequest, generated from schemas/OffsetCommitRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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


class OffsetCommitRequest(Message, frozen=True, kw_only=True, gc=False):
    """OffsetCommitRequest, versions 2-10.

    A consumer commits how far it has read. Whether it may is judged by its generation or epoch.

    Version 2 is the lowest that brokers of Kafka 4 take. Version 3 (KIP-124): as version 2; the
    answer changes. Version 4 (KIP-219): as version 3. Version 5 (KIP-211): how long the broker keeps
    offsets is its own affair. Version 6 (KIP-320): the leader epoch. Version 7 (KIP-345): static
    membership. Version 8 (KIP-482): flexible. Version 9 (KIP-848): the epoch of a member whose
    broker assigns. Version 10 (KIP-848): topics by id.

    Attributes:
        group_id (string): The group's id. Versions 2-10; default ''.
        generation_id_or_member_epoch (int32): The generation, or the member's epoch (KIP-848); -1
            outside groups. Versions 2-10; default -1.
        member_id (string): The member's id; empty outside of any group. Versions 2-10; default ''.
        group_instance_id (string): The name of a static member; null if dynamic (KIP-345). Versions
            7-10; may be null; default None; other versions cannot hold it.
        retention_time_ms (int64): How long the offsets are to be kept, in milliseconds; -1 for the
            broker's setting. Versions 2-4; default -1; other versions leave it out.
        topics ([]OffsetCommitRequestTopic): What is committed, by topic. Versions 2-10; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 8-10; default ().
    """

    NAME = "OffsetCommitRequest"
    VERSIONS = VersionRange(2, 10)
    LATEST = 10
    API_KEY = 8
    FRAMING = Framing("none", "refuse")

    class OffsetCommitRequestPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetCommitRequestPartition of OffsetCommitRequest, versions 2-10.

        What is committed, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 2-10; default 0.
            committed_offset (int64): The offset of the record that is to be read next. Versions 2-10;
                default 0.
            committed_leader_epoch (int32): The leader epoch of the last record read; -1 if not known
                (KIP-320). Versions 6-10; default -1; other versions leave it out.
            committed_metadata (string): A text that the client keeps with the offset; null if none.
                Versions 2-10; may be null; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 8-10; default ().
        """

        partition_index: int = 0
        committed_offset: int = 0
        committed_leader_epoch: int = -1
        committed_metadata: str | None = ""
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
                committed_metadata: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                committed_offset: int = ...,
                committed_leader_epoch: int = ...,
                committed_metadata: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetCommitRequestTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetCommitRequestTopic of OffsetCommitRequest, versions 2-10.

        What is committed, by topic.

        Attributes:
            name (string): The topic's name. Versions 2-9; default ''; other versions leave it out.
            topic_id (uuid): The topic's id (KIP-516). Version 10; default UUID(int=0); other versions
                leave it out.
            partitions ([]OffsetCommitRequestPartition): What is committed, by partition. Versions
                2-10; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 8-10; default ().
        """

        name: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[OffsetCommitRequest.OffsetCommitRequestPartition, ...] = ()
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
                partitions: Iterable[OffsetCommitRequest.OffsetCommitRequestPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[OffsetCommitRequest.OffsetCommitRequestPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    generation_id_or_member_epoch: int = -1
    member_id: str = ""
    group_instance_id: str | None = None
    retention_time_ms: int = -1
    topics: tuple[OffsetCommitRequest.OffsetCommitRequestTopic, ...] = ()
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
            generation_id_or_member_epoch: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            retention_time_ms: int = ...,
            topics: Iterable[OffsetCommitRequest.OffsetCommitRequestTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            generation_id_or_member_epoch: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            retention_time_ms: int = ...,
            topics: Iterable[OffsetCommitRequest.OffsetCommitRequestTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_OffsetCommitRequestPartition = OffsetCommitRequest.OffsetCommitRequestPartition
_OffsetCommitRequestTopic = OffsetCommitRequest.OffsetCommitRequestTopic


def _read_offset_commit_request_partition_v2_5(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    committed_metadata, pos = read_nullable_string(data, pos)
    return _OffsetCommitRequestPartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_metadata=committed_metadata,
    ), pos


def _write_offset_commit_request_partition_v2_5(
    item: _OffsetCommitRequestPartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestPartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    write_nullable_string(item.committed_metadata, parts)


def _read_offset_commit_request_topic_v2_5(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_offset_commit_request_partition_v2_5)
    return _OffsetCommitRequestTopic(name=name, partitions=partitions), pos


def _write_offset_commit_request_topic_v2_5(
    item: _OffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_offset_commit_request_partition_v2_5)


def _read_v2_4(data: bytes, pos: int) -> tuple[OffsetCommitRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    (retention_time_ms,), pos = INT64.unpack(data, pos), pos + 8
    topics, pos = read_array(data, pos, _read_offset_commit_request_topic_v2_5)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        retention_time_ms=retention_time_ms,
        topics=topics,
    ), pos


def _write_v2_4(message: OffsetCommitRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_string(message.member_id, parts)
    INT64.write(message.retention_time_ms, parts)
    write_array(message.topics, parts, _write_offset_commit_request_topic_v2_5)


def _read_v5(data: bytes, pos: int) -> tuple[OffsetCommitRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    topics, pos = read_array(data, pos, _read_offset_commit_request_topic_v2_5)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        topics=topics,
    ), pos


def _write_v5(message: OffsetCommitRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_string(message.member_id, parts)
    write_array(message.topics, parts, _write_offset_commit_request_topic_v2_5)


def _read_offset_commit_request_partition_v6_7(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    committed_metadata, pos = read_nullable_string(data, pos)
    return _OffsetCommitRequestPartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        committed_metadata=committed_metadata,
    ), pos


def _write_offset_commit_request_partition_v6_7(
    item: _OffsetCommitRequestPartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestPartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_nullable_string(item.committed_metadata, parts)


def _read_offset_commit_request_topic_v6_7(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_offset_commit_request_partition_v6_7)
    return _OffsetCommitRequestTopic(name=name, partitions=partitions), pos


def _write_offset_commit_request_topic_v6_7(
    item: _OffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_offset_commit_request_partition_v6_7)


def _read_v6(data: bytes, pos: int) -> tuple[OffsetCommitRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    topics, pos = read_array(data, pos, _read_offset_commit_request_topic_v6_7)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        topics=topics,
    ), pos


def _write_v6(message: OffsetCommitRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_string(message.member_id, parts)
    write_array(message.topics, parts, _write_offset_commit_request_topic_v6_7)


def _read_v7(data: bytes, pos: int) -> tuple[OffsetCommitRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    topics, pos = read_array(data, pos, _read_offset_commit_request_topic_v6_7)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        group_instance_id=group_instance_id,
        topics=topics,
    ), pos


def _write_v7(message: OffsetCommitRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_string(message.member_id, parts)
    write_nullable_string(message.group_instance_id, parts)
    write_array(message.topics, parts, _write_offset_commit_request_topic_v6_7)


def _read_offset_commit_request_partition_v8_10(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    committed_metadata, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetCommitRequestPartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        committed_metadata=committed_metadata,
        unknown_tagged_fields=unknown,
    ), pos


def _write_offset_commit_request_partition_v8_10(
    item: _OffsetCommitRequestPartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestPartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_compact_nullable_string(item.committed_metadata, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_commit_request_topic_v8_9(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestTopic, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_commit_request_partition_v8_10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetCommitRequestTopic(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_commit_request_topic_v8_9(
    item: _OffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_offset_commit_request_partition_v8_10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v8_9(data: bytes, pos: int) -> tuple[OffsetCommitRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    topics, pos = read_compact_array(data, pos, _read_offset_commit_request_topic_v8_9)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        group_instance_id=group_instance_id,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v8_9(message: OffsetCommitRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_array(message.topics, parts, _write_offset_commit_request_topic_v8_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_commit_request_topic_v10(
    data: bytes, pos: int
) -> tuple[_OffsetCommitRequestTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_commit_request_partition_v8_10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetCommitRequestTopic(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_commit_request_topic_v10(
    item: _OffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitRequestTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_offset_commit_request_partition_v8_10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v10(data: bytes, pos: int) -> tuple[OffsetCommitRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    topics, pos = read_compact_array(data, pos, _read_offset_commit_request_topic_v10)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        group_instance_id=group_instance_id,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v10(message: OffsetCommitRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_array(message.topics, parts, _write_offset_commit_request_topic_v10)
    write_unknown_tags(message.unknown_tagged_fields, parts)


OffsetCommitRequest._codecs = {
    2: Codec(_read_v2_4, _write_v2_4),
    3: Codec(_read_v2_4, _write_v2_4),
    4: Codec(_read_v2_4, _write_v2_4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6, _write_v6),
    7: Codec(_read_v7, _write_v7),
    8: Codec(_read_v8_9, _write_v8_9),
    9: Codec(_read_v8_9, _write_v8_9),
    10: Codec(_read_v10, _write_v10),
}
