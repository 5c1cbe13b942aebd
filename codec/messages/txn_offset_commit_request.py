"""TxnOffsetCommitRequest, generated from schemas/TxnOffsetCommitRequest.json; change that file and run `make generate`."""

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


class TxnOffsetCommitRequest(Message, frozen=True, kw_only=True, gc=False):
    """TxnOffsetCommitRequest, versions 0-6.

    Commits offsets of a group as a part of a transaction.

    Version 1 (KIP-219): as version 0. Version 2 (KIP-320): the leader epoch. Version 3 (KIP-447,
    KIP-482): the member, and flexible. Version 4 (KIP-890): as version 3; the answer has one error
    more. Version 5 (KIP-890): the coordinator adds the group to the transaction itself. Version 6
    (KIP-1319): topics by id.

    Attributes:
        transactional_id (string): The name of the transaction. Versions 0-6; default ''.
        group_id (string): The group's id. Versions 0-6; default ''.
        producer_id (int64): The producer's id. Versions 0-6; default 0.
        producer_epoch (int16): The producer's epoch. Versions 0-6; default 0.
        generation_id_or_member_epoch (int32): The generation, or the member's epoch (KIP-848); -1
            outside groups. Versions 3-6; default -1; other versions cannot hold it.
        member_id (string): The member's id; empty outside of any group. Versions 3-6; default '';
            other versions cannot hold it.
        group_instance_id (string): The name of a static member; null if dynamic (KIP-345). Versions
            3-6; may be null; default None; other versions cannot hold it.
        topics ([]TxnOffsetCommitRequestTopic): What is committed, by topic. Versions 0-6; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-6; default ().
    """

    NAME = "TxnOffsetCommitRequest"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 28
    FRAMING = Framing("none", "refuse")

    class TxnOffsetCommitRequestPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TxnOffsetCommitRequestPartition of TxnOffsetCommitRequest, versions 0-6.

        What is committed, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 0-6; default 0.
            committed_offset (int64): The offset of the record that is to be read next. Versions 0-6;
                default 0.
            committed_leader_epoch (int32): The leader epoch of the last record read; -1 if not known
                (KIP-320). Versions 2-6; default -1; other versions leave it out.
            committed_metadata (string): A text that the client keeps with the offset; null if none.
                Versions 0-6; may be null; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-6; default ().
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

    class TxnOffsetCommitRequestTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """TxnOffsetCommitRequestTopic of TxnOffsetCommitRequest, versions 0-6.

        What is committed, by topic.

        Attributes:
            name (string): The topic's name. Versions 0-5; default ''; other versions leave it out.
            topic_id (uuid): The topic's id (KIP-516). Version 6; default UUID(int=0); other versions
                leave it out.
            partitions ([]TxnOffsetCommitRequestPartition): What is committed, by partition. Versions
                0-6; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-6; default ().
        """

        name: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition, ...] = ()
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
                partitions: Iterable[TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    transactional_id: str = ""
    group_id: str = ""
    producer_id: int = 0
    producer_epoch: int = 0
    generation_id_or_member_epoch: int = -1
    member_id: str = ""
    group_instance_id: str | None = None
    topics: tuple[TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            transactional_id: str = ...,
            group_id: str = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            generation_id_or_member_epoch: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            topics: Iterable[TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            transactional_id: str = ...,
            group_id: str = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            generation_id_or_member_epoch: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            topics: Iterable[TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TxnOffsetCommitRequestPartition = TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition
_TxnOffsetCommitRequestTopic = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic


def _read_txn_offset_commit_request_partition_v0_1(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    committed_metadata, pos = read_nullable_string(data, pos)
    return _TxnOffsetCommitRequestPartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_metadata=committed_metadata,
    ), pos


def _write_txn_offset_commit_request_partition_v0_1(
    item: _TxnOffsetCommitRequestPartition, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestPartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    write_nullable_string(item.committed_metadata, parts)


def _read_txn_offset_commit_request_topic_v0_1(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_txn_offset_commit_request_partition_v0_1)
    return _TxnOffsetCommitRequestTopic(name=name, partitions=partitions), pos


def _write_txn_offset_commit_request_topic_v0_1(
    item: _TxnOffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_txn_offset_commit_request_partition_v0_1)


def _read_v0_1(data: bytes, pos: int) -> tuple[TxnOffsetCommitRequest, int]:
    transactional_id, pos = read_string(data, pos)
    group_id, pos = read_string(data, pos)
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    topics, pos = read_array(data, pos, _read_txn_offset_commit_request_topic_v0_1)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        topics=topics,
    ), pos


def _write_v0_1(message: TxnOffsetCommitRequest, parts: list[bytes]) -> None:
    if message.generation_id_or_member_epoch != -1:
        raise OddValue
    if message.member_id != "":
        raise OddValue
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.transactional_id, parts)
    write_string(message.group_id, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_array(message.topics, parts, _write_txn_offset_commit_request_topic_v0_1)


def _read_txn_offset_commit_request_partition_v2(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    committed_metadata, pos = read_nullable_string(data, pos)
    return _TxnOffsetCommitRequestPartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        committed_metadata=committed_metadata,
    ), pos


def _write_txn_offset_commit_request_partition_v2(
    item: _TxnOffsetCommitRequestPartition, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestPartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_nullable_string(item.committed_metadata, parts)


def _read_txn_offset_commit_request_topic_v2(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_txn_offset_commit_request_partition_v2)
    return _TxnOffsetCommitRequestTopic(name=name, partitions=partitions), pos


def _write_txn_offset_commit_request_topic_v2(
    item: _TxnOffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_txn_offset_commit_request_partition_v2)


def _read_v2(data: bytes, pos: int) -> tuple[TxnOffsetCommitRequest, int]:
    transactional_id, pos = read_string(data, pos)
    group_id, pos = read_string(data, pos)
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    topics, pos = read_array(data, pos, _read_txn_offset_commit_request_topic_v2)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        topics=topics,
    ), pos


def _write_v2(message: TxnOffsetCommitRequest, parts: list[bytes]) -> None:
    if message.generation_id_or_member_epoch != -1:
        raise OddValue
    if message.member_id != "":
        raise OddValue
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.transactional_id, parts)
    write_string(message.group_id, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_array(message.topics, parts, _write_txn_offset_commit_request_topic_v2)


def _read_txn_offset_commit_request_partition_v3_6(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (committed_offset,), pos = INT64.unpack(data, pos), pos + 8
    (committed_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    committed_metadata, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TxnOffsetCommitRequestPartition(
        partition_index=partition_index,
        committed_offset=committed_offset,
        committed_leader_epoch=committed_leader_epoch,
        committed_metadata=committed_metadata,
        unknown_tagged_fields=unknown,
    ), pos


def _write_txn_offset_commit_request_partition_v3_6(
    item: _TxnOffsetCommitRequestPartition, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestPartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.committed_offset, parts)
    INT32.write(item.committed_leader_epoch, parts)
    write_compact_nullable_string(item.committed_metadata, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_txn_offset_commit_request_topic_v3_5(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestTopic, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_txn_offset_commit_request_partition_v3_6)
    unknown, pos = read_unknown_tags(data, pos)
    return _TxnOffsetCommitRequestTopic(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_txn_offset_commit_request_topic_v3_5(
    item: _TxnOffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_txn_offset_commit_request_partition_v3_6)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v3_5(data: bytes, pos: int) -> tuple[TxnOffsetCommitRequest, int]:
    transactional_id, pos = read_compact_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    topics, pos = read_compact_array(data, pos, _read_txn_offset_commit_request_topic_v3_5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        group_instance_id=group_instance_id,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v3_5(message: TxnOffsetCommitRequest, parts: list[bytes]) -> None:
    write_compact_string(message.transactional_id, parts)
    write_compact_string(message.group_id, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_array(message.topics, parts, _write_txn_offset_commit_request_topic_v3_5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_txn_offset_commit_request_topic_v6(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitRequestTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_txn_offset_commit_request_partition_v3_6)
    unknown, pos = read_unknown_tags(data, pos)
    return _TxnOffsetCommitRequestTopic(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_txn_offset_commit_request_topic_v6(
    item: _TxnOffsetCommitRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitRequestTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_txn_offset_commit_request_partition_v3_6)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[TxnOffsetCommitRequest, int]:
    transactional_id, pos = read_compact_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    (generation_id_or_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    topics, pos = read_compact_array(data, pos, _read_txn_offset_commit_request_topic_v6)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        generation_id_or_member_epoch=generation_id_or_member_epoch,
        member_id=member_id,
        group_instance_id=group_instance_id,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6(message: TxnOffsetCommitRequest, parts: list[bytes]) -> None:
    write_compact_string(message.transactional_id, parts)
    write_compact_string(message.group_id, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    INT32.write(message.generation_id_or_member_epoch, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_compact_array(message.topics, parts, _write_txn_offset_commit_request_topic_v6)
    write_unknown_tags(message.unknown_tagged_fields, parts)


TxnOffsetCommitRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3_5, _write_v3_5),
    4: Codec(_read_v3_5, _write_v3_5),
    5: Codec(_read_v3_5, _write_v3_5),
    6: Codec(_read_v6, _write_v6),
}
