"""FetchResponse, generated from schemas/FetchResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import field as _field
from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import Tags, read_tags, read_unknown_tags, write_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    INT64,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_array,
    read_compact_array,
    read_compact_nullable_array,
    read_compact_nullable_bytes,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_array,
    read_nullable_bytes,
    read_string,
    read_uuid,
    write_array,
    write_compact_array,
    write_compact_nullable_array,
    write_compact_nullable_bytes,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_array,
    write_nullable_bytes,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class FetchResponse(Message, frozen=True, kw_only=True, gc=False):
    """FetchResponse, versions 4-18.

    The record batches of partitions.

    Version 5 (KIP-107): the first offset of the log. Version 6 (KIP-112): KAFKA_STORAGE_ERROR.
    Version 7 (KIP-227): sessions. Version 8 (KIP-219): throttled after the answer, not before it.
    Version 9 (KIP-320): as version 8. Version 10 (KIP-110): batches may be compressed by zstd.
    Version 11 (KIP-392): the replica to read from. Version 12 (KIP-482, KIP-595): flexible; where
    logs diverge, and the leader. Version 13 (KIP-516): topics by their ids. Version 14 (KIP-405):
    OFFSET_MOVED_TO_TIERED_STORAGE. Version 15 (KIP-903): as version 14. Version 16 (KIP-951):
    where leaders are. Versions 17 and 18 (KIP-853, KIP-1166): as version 16.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 4-18; default 0.
        error_code (int16): Why there is no answer; 0 if there is. Versions 7-18; default 0; other
            versions leave it out.
        session_id (int32): The session; 0 without one. Versions 7-18; default 0; other versions
            cannot hold it.
        responses ([]FetchableTopicResponse): The batches, by topic. Versions 4-18; default ().
        node_endpoints ([]NodeEndpoint): Where the leaders are that CurrentLeader names. Versions
            16-18; default (); tag 0 in versions 16-18; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 12-18; default ().
    """

    NAME = "FetchResponse"
    VERSIONS = VersionRange(4, 18)
    LATEST = 18
    API_KEY = 1
    FRAMING = Framing("none", "refuse")

    class EpochEndOffset(MessagePart, frozen=True, kw_only=True, gc=False):
        """EpochEndOffset of FetchResponse, versions 12-18.

        Where the logs of leader and follower part.

        Attributes:
            epoch (int32): The last leader epoch that both have. Versions 12-18; default -1.
            end_offset (int64): The offset at which that epoch ends. Versions 12-18; default -1.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        epoch: int = -1
        end_offset: int = -1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                epoch: int = ...,
                end_offset: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                epoch: int = ...,
                end_offset: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class LeaderIdAndEpoch(MessagePart, frozen=True, kw_only=True, gc=False):
        """LeaderIdAndEpoch of FetchResponse, versions 12-18.

        The leader, where this broker is not.

        Attributes:
            leader_id (int32): The leader; -1 if not known. Versions 12-18; default -1.
            leader_epoch (int32): Its epoch; -1 if not known. Versions 12-18; default -1.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        leader_id: int = -1
        leader_epoch: int = -1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                leader_id: int = ...,
                leader_epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                leader_id: int = ...,
                leader_epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class SnapshotId(MessagePart, frozen=True, kw_only=True, gc=False):
        """SnapshotId of FetchResponse, versions 12-18.

        The snapshot to fetch in place of records that are gone.

        Attributes:
            end_offset (int64): The offset at which the snapshot ends. Versions 12-18; default -1.
            epoch (int32): Its epoch. Versions 12-18; default -1.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        end_offset: int = -1
        epoch: int = -1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                end_offset: int = ...,
                epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                end_offset: int = ...,
                epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class AbortedTransaction(MessagePart, frozen=True, kw_only=True, gc=False):
        """AbortedTransaction of FetchResponse, versions 4-18.

        The aborted transactions in these batches; null at isolation level 0.

        Attributes:
            producer_id (int64): The producer. Versions 4-18; default 0.
            first_offset (int64): The transaction's first offset. Versions 4-18; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        producer_id: int = 0
        first_offset: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                producer_id: int = ...,
                first_offset: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                producer_id: int = ...,
                first_offset: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class PartitionData(MessagePart, frozen=True, kw_only=True, gc=False):
        """PartitionData of FetchResponse, versions 4-18.

        The batches, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 4-18; default 0.
            error_code (int16): Why there are no batches; 0 if there may be. Versions 4-18; default 0.
            high_watermark (int64): The offset behind the last record that all replicas in sync have.
                Versions 4-18; default 0.
            last_stable_offset (int64): The offset in front of which all transactions are decided
                (KIP-98). Versions 4-18; default -1.
            log_start_offset (int64): The first offset of the log. Versions 5-18; default -1; other
                versions leave it out.
            diverging_epoch (EpochEndOffset): Where the logs of leader and follower part. Versions
                12-18; default EpochEndOffset(); tag 0 in versions 12-18; other versions cannot hold
                it.
            current_leader (LeaderIdAndEpoch): The leader, where this broker is not. Versions 12-18;
                default LeaderIdAndEpoch(); tag 1 in versions 12-18; other versions cannot hold it.
            snapshot_id (SnapshotId): The snapshot to fetch in place of records that are gone.
                Versions 12-18; default SnapshotId(); tag 2 in versions 12-18; other versions cannot
                hold it.
            aborted_transactions ([]AbortedTransaction): The aborted transactions in these batches;
                null at isolation level 0. Versions 4-18; may be null; default ().
            preferred_read_replica (int32): The replica to read from; -1 is this one (KIP-392).
                Versions 11-18; default -1; other versions cannot hold it.
            records (records): The batches, of which the last one may be cut off. Versions 4-18; may
                be null; default b''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        partition_index: int = 0
        error_code: int = 0
        high_watermark: int = 0
        last_stable_offset: int = -1
        log_start_offset: int = -1
        diverging_epoch: FetchResponse.EpochEndOffset = _field(
            default_factory=lambda: _DEFAULT_EpochEndOffset
        )
        current_leader: FetchResponse.LeaderIdAndEpoch = _field(
            default_factory=lambda: _DEFAULT_LeaderIdAndEpoch
        )
        snapshot_id: FetchResponse.SnapshotId = _field(default_factory=lambda: _DEFAULT_SnapshotId)
        aborted_transactions: tuple[FetchResponse.AbortedTransaction, ...] | None = ()
        preferred_read_replica: int = -1
        records: bytes | None = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("aborted_transactions", "unknown_tagged_fields")
        _blobs = ("records",)

        def __post_init__(self) -> None:
            if (
                (
                    self.aborted_transactions is not None
                    and type(self.aborted_transactions) is not tuple
                )
                or type(self.unknown_tagged_fields) is not tuple
                or (self.records is not None and type(self.records) is not bytes)
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition_index: int = ...,
                error_code: int = ...,
                high_watermark: int = ...,
                last_stable_offset: int = ...,
                log_start_offset: int = ...,
                diverging_epoch: FetchResponse.EpochEndOffset = ...,
                current_leader: FetchResponse.LeaderIdAndEpoch = ...,
                snapshot_id: FetchResponse.SnapshotId = ...,
                aborted_transactions: Iterable[FetchResponse.AbortedTransaction] | None = ...,
                preferred_read_replica: int = ...,
                records: bytes | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                error_code: int = ...,
                high_watermark: int = ...,
                last_stable_offset: int = ...,
                log_start_offset: int = ...,
                diverging_epoch: FetchResponse.EpochEndOffset = ...,
                current_leader: FetchResponse.LeaderIdAndEpoch = ...,
                snapshot_id: FetchResponse.SnapshotId = ...,
                aborted_transactions: Iterable[FetchResponse.AbortedTransaction] | None = ...,
                preferred_read_replica: int = ...,
                records: bytes | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class FetchableTopicResponse(MessagePart, frozen=True, kw_only=True, gc=False):
        """FetchableTopicResponse of FetchResponse, versions 4-18.

        The batches, by topic.

        Attributes:
            topic (string): The topic's name. Versions 4-12; default ''; other versions leave it out.
            topic_id (uuid): The topic's id. Versions 13-18; default UUID(int=0); other versions leave
                it out.
            partitions ([]PartitionData): The batches, by partition. Versions 4-18; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        topic: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[FetchResponse.PartitionData, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[FetchResponse.PartitionData] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[FetchResponse.PartitionData] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class NodeEndpoint(MessagePart, frozen=True, kw_only=True, gc=False):
        """NodeEndpoint of FetchResponse, versions 16-18.

        Where the leaders are that CurrentLeader names.

        Attributes:
            node_id (int32): The broker. Versions 16-18; default 0.
            host (string): Its host. Versions 16-18; default ''.
            port (int32): Its port. Versions 16-18; default 0.
            rack (string): Its rack; null without one. Versions 16-18; may be null; default None.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        node_id: int = 0
        host: str = ""
        port: int = 0
        rack: str | None = None
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                node_id: int = ...,
                host: str = ...,
                port: int = ...,
                rack: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                node_id: int = ...,
                host: str = ...,
                port: int = ...,
                rack: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    session_id: int = 0
    responses: tuple[FetchResponse.FetchableTopicResponse, ...] = ()
    node_endpoints: tuple[FetchResponse.NodeEndpoint, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("responses", "node_endpoints", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.responses) is not tuple
            or type(self.node_endpoints) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            session_id: int = ...,
            responses: Iterable[FetchResponse.FetchableTopicResponse] = ...,
            node_endpoints: Iterable[FetchResponse.NodeEndpoint] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            session_id: int = ...,
            responses: Iterable[FetchResponse.FetchableTopicResponse] = ...,
            node_endpoints: Iterable[FetchResponse.NodeEndpoint] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_AbortedTransaction = FetchResponse.AbortedTransaction
_EpochEndOffset = FetchResponse.EpochEndOffset
_FetchableTopicResponse = FetchResponse.FetchableTopicResponse
_LeaderIdAndEpoch = FetchResponse.LeaderIdAndEpoch
_NodeEndpoint = FetchResponse.NodeEndpoint
_PartitionData = FetchResponse.PartitionData
_SnapshotId = FetchResponse.SnapshotId
_DEFAULT_EpochEndOffset: FetchResponse.EpochEndOffset = FetchResponse.EpochEndOffset()
_DEFAULT_LeaderIdAndEpoch: FetchResponse.LeaderIdAndEpoch = FetchResponse.LeaderIdAndEpoch()
_DEFAULT_SnapshotId: FetchResponse.SnapshotId = FetchResponse.SnapshotId()


def _read_aborted_transaction_v4_11(data: bytes, pos: int) -> tuple[_AbortedTransaction, int]:
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (first_offset,), pos = INT64.unpack(data, pos), pos + 8
    return _AbortedTransaction(producer_id=producer_id, first_offset=first_offset), pos


def _write_aborted_transaction_v4_11(item: _AbortedTransaction, parts: list[bytes]) -> None:
    if type(item) is not _AbortedTransaction:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT64.write(item.producer_id, parts)
    INT64.write(item.first_offset, parts)


def _read_partition_data_v4(data: bytes, pos: int) -> tuple[_PartitionData, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (high_watermark,), pos = INT64.unpack(data, pos), pos + 8
    (last_stable_offset,), pos = INT64.unpack(data, pos), pos + 8
    aborted_transactions, pos = read_nullable_array(data, pos, _read_aborted_transaction_v4_11)
    records, pos = read_nullable_bytes(data, pos)
    return _PartitionData(
        partition_index=partition_index,
        error_code=error_code,
        high_watermark=high_watermark,
        last_stable_offset=last_stable_offset,
        aborted_transactions=aborted_transactions,
        records=records,
    ), pos


def _write_partition_data_v4(item: _PartitionData, parts: list[bytes]) -> None:
    if type(item) is not _PartitionData:
        raise OddValue
    if item.diverging_epoch != _DEFAULT_EpochEndOffset:
        raise OddValue
    if item.current_leader != _DEFAULT_LeaderIdAndEpoch:
        raise OddValue
    if item.snapshot_id != _DEFAULT_SnapshotId:
        raise OddValue
    if item.preferred_read_replica != -1:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.high_watermark, parts)
    INT64.write(item.last_stable_offset, parts)
    write_nullable_array(item.aborted_transactions, parts, _write_aborted_transaction_v4_11)
    write_nullable_bytes(item.records, parts)


def _read_fetchable_topic_response_v4(data: bytes, pos: int) -> tuple[_FetchableTopicResponse, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_partition_data_v4)
    return _FetchableTopicResponse(topic=topic, partitions=partitions), pos


def _write_fetchable_topic_response_v4(item: _FetchableTopicResponse, parts: list[bytes]) -> None:
    if type(item) is not _FetchableTopicResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    write_array(item.partitions, parts, _write_partition_data_v4)


def _read_v4(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_array(data, pos, _read_fetchable_topic_response_v4)
    if pos > len(data):
        raise OddBytes
    return FetchResponse(throttle_time_ms=throttle_time_ms, responses=responses), pos


def _write_v4(message: FetchResponse, parts: list[bytes]) -> None:
    if message.session_id != 0:
        raise OddValue
    if message.node_endpoints != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.responses, parts, _write_fetchable_topic_response_v4)


def _read_partition_data_v5_10(data: bytes, pos: int) -> tuple[_PartitionData, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (high_watermark,), pos = INT64.unpack(data, pos), pos + 8
    (last_stable_offset,), pos = INT64.unpack(data, pos), pos + 8
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    aborted_transactions, pos = read_nullable_array(data, pos, _read_aborted_transaction_v4_11)
    records, pos = read_nullable_bytes(data, pos)
    return _PartitionData(
        partition_index=partition_index,
        error_code=error_code,
        high_watermark=high_watermark,
        last_stable_offset=last_stable_offset,
        log_start_offset=log_start_offset,
        aborted_transactions=aborted_transactions,
        records=records,
    ), pos


def _write_partition_data_v5_10(item: _PartitionData, parts: list[bytes]) -> None:
    if type(item) is not _PartitionData:
        raise OddValue
    if item.diverging_epoch != _DEFAULT_EpochEndOffset:
        raise OddValue
    if item.current_leader != _DEFAULT_LeaderIdAndEpoch:
        raise OddValue
    if item.snapshot_id != _DEFAULT_SnapshotId:
        raise OddValue
    if item.preferred_read_replica != -1:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.high_watermark, parts)
    INT64.write(item.last_stable_offset, parts)
    INT64.write(item.log_start_offset, parts)
    write_nullable_array(item.aborted_transactions, parts, _write_aborted_transaction_v4_11)
    write_nullable_bytes(item.records, parts)


def _read_fetchable_topic_response_v5_10(
    data: bytes, pos: int
) -> tuple[_FetchableTopicResponse, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_partition_data_v5_10)
    return _FetchableTopicResponse(topic=topic, partitions=partitions), pos


def _write_fetchable_topic_response_v5_10(
    item: _FetchableTopicResponse, parts: list[bytes]
) -> None:
    if type(item) is not _FetchableTopicResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    write_array(item.partitions, parts, _write_partition_data_v5_10)


def _read_v5_6(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_array(data, pos, _read_fetchable_topic_response_v5_10)
    if pos > len(data):
        raise OddBytes
    return FetchResponse(throttle_time_ms=throttle_time_ms, responses=responses), pos


def _write_v5_6(message: FetchResponse, parts: list[bytes]) -> None:
    if message.session_id != 0:
        raise OddValue
    if message.node_endpoints != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.responses, parts, _write_fetchable_topic_response_v5_10)


def _read_v7_10(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_array(data, pos, _read_fetchable_topic_response_v5_10)
    if pos > len(data):
        raise OddBytes
    return FetchResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        session_id=session_id,
        responses=responses,
    ), pos


def _write_v7_10(message: FetchResponse, parts: list[bytes]) -> None:
    if message.node_endpoints != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.session_id, parts)
    write_array(message.responses, parts, _write_fetchable_topic_response_v5_10)


def _read_partition_data_v11(data: bytes, pos: int) -> tuple[_PartitionData, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (high_watermark,), pos = INT64.unpack(data, pos), pos + 8
    (last_stable_offset,), pos = INT64.unpack(data, pos), pos + 8
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    aborted_transactions, pos = read_nullable_array(data, pos, _read_aborted_transaction_v4_11)
    (preferred_read_replica,), pos = INT32.unpack(data, pos), pos + 4
    records, pos = read_nullable_bytes(data, pos)
    return _PartitionData(
        partition_index=partition_index,
        error_code=error_code,
        high_watermark=high_watermark,
        last_stable_offset=last_stable_offset,
        log_start_offset=log_start_offset,
        aborted_transactions=aborted_transactions,
        preferred_read_replica=preferred_read_replica,
        records=records,
    ), pos


def _write_partition_data_v11(item: _PartitionData, parts: list[bytes]) -> None:
    if type(item) is not _PartitionData:
        raise OddValue
    if item.diverging_epoch != _DEFAULT_EpochEndOffset:
        raise OddValue
    if item.current_leader != _DEFAULT_LeaderIdAndEpoch:
        raise OddValue
    if item.snapshot_id != _DEFAULT_SnapshotId:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.high_watermark, parts)
    INT64.write(item.last_stable_offset, parts)
    INT64.write(item.log_start_offset, parts)
    write_nullable_array(item.aborted_transactions, parts, _write_aborted_transaction_v4_11)
    INT32.write(item.preferred_read_replica, parts)
    write_nullable_bytes(item.records, parts)


def _read_fetchable_topic_response_v11(
    data: bytes, pos: int
) -> tuple[_FetchableTopicResponse, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_partition_data_v11)
    return _FetchableTopicResponse(topic=topic, partitions=partitions), pos


def _write_fetchable_topic_response_v11(item: _FetchableTopicResponse, parts: list[bytes]) -> None:
    if type(item) is not _FetchableTopicResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    write_array(item.partitions, parts, _write_partition_data_v11)


def _read_v11(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_array(data, pos, _read_fetchable_topic_response_v11)
    if pos > len(data):
        raise OddBytes
    return FetchResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        session_id=session_id,
        responses=responses,
    ), pos


def _write_v11(message: FetchResponse, parts: list[bytes]) -> None:
    if message.node_endpoints != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.session_id, parts)
    write_array(message.responses, parts, _write_fetchable_topic_response_v11)


def _read_aborted_transaction_v12_18(data: bytes, pos: int) -> tuple[_AbortedTransaction, int]:
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (first_offset,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    return _AbortedTransaction(
        producer_id=producer_id, first_offset=first_offset, unknown_tagged_fields=unknown
    ), pos


def _write_aborted_transaction_v12_18(item: _AbortedTransaction, parts: list[bytes]) -> None:
    if type(item) is not _AbortedTransaction:
        raise OddValue
    INT64.write(item.producer_id, parts)
    INT64.write(item.first_offset, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_epoch_end_offset_v12_18(data: bytes, pos: int) -> tuple[_EpochEndOffset, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    (end_offset,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    return _EpochEndOffset(epoch=epoch, end_offset=end_offset, unknown_tagged_fields=unknown), pos


def _write_epoch_end_offset_v12_18(item: _EpochEndOffset, parts: list[bytes]) -> None:
    if type(item) is not _EpochEndOffset:
        raise OddValue
    INT32.write(item.epoch, parts)
    INT64.write(item.end_offset, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_leader_id_and_epoch_v12_18(data: bytes, pos: int) -> tuple[_LeaderIdAndEpoch, int]:
    (leader_id,), pos = INT32.unpack(data, pos), pos + 4
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _LeaderIdAndEpoch(
        leader_id=leader_id, leader_epoch=leader_epoch, unknown_tagged_fields=unknown
    ), pos


def _write_leader_id_and_epoch_v12_18(item: _LeaderIdAndEpoch, parts: list[bytes]) -> None:
    if type(item) is not _LeaderIdAndEpoch:
        raise OddValue
    INT32.write(item.leader_id, parts)
    INT32.write(item.leader_epoch, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_snapshot_id_v12_18(data: bytes, pos: int) -> tuple[_SnapshotId, int]:
    (end_offset,), pos = INT64.unpack(data, pos), pos + 8
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _SnapshotId(end_offset=end_offset, epoch=epoch, unknown_tagged_fields=unknown), pos


def _write_snapshot_id_v12_18(item: _SnapshotId, parts: list[bytes]) -> None:
    if type(item) is not _SnapshotId:
        raise OddValue
    INT64.write(item.end_offset, parts)
    INT32.write(item.epoch, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_partition_data_v12_18: Tags = {
    0: ("diverging_epoch", _read_epoch_end_offset_v12_18),
    1: ("current_leader", _read_leader_id_and_epoch_v12_18),
    2: ("snapshot_id", _read_snapshot_id_v12_18),
}


def _read_partition_data_v12_18(data: bytes, pos: int) -> tuple[_PartitionData, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (high_watermark,), pos = INT64.unpack(data, pos), pos + 8
    (last_stable_offset,), pos = INT64.unpack(data, pos), pos + 8
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    aborted_transactions, pos = read_compact_nullable_array(
        data, pos, _read_aborted_transaction_v12_18
    )
    (preferred_read_replica,), pos = INT32.unpack(data, pos), pos + 4
    records, pos = read_compact_nullable_bytes(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_partition_data_v12_18, ())
    read = _PartitionData(
        partition_index=partition_index,
        error_code=error_code,
        high_watermark=high_watermark,
        last_stable_offset=last_stable_offset,
        log_start_offset=log_start_offset,
        aborted_transactions=aborted_transactions,
        preferred_read_replica=preferred_read_replica,
        records=records,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_partition_data_v12_18(item: _PartitionData, parts: list[bytes]) -> None:
    if type(item) is not _PartitionData:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.high_watermark, parts)
    INT64.write(item.last_stable_offset, parts)
    INT64.write(item.log_start_offset, parts)
    write_compact_nullable_array(
        item.aborted_transactions, parts, _write_aborted_transaction_v12_18
    )
    INT32.write(item.preferred_read_replica, parts)
    write_compact_nullable_bytes(item.records, parts)
    tags: dict[int, list[bytes]] = {}
    if item.diverging_epoch != _DEFAULT_EpochEndOffset:
        _write_epoch_end_offset_v12_18(item.diverging_epoch, tags.setdefault(0, []))
    if item.current_leader != _DEFAULT_LeaderIdAndEpoch:
        _write_leader_id_and_epoch_v12_18(item.current_leader, tags.setdefault(1, []))
    if item.snapshot_id != _DEFAULT_SnapshotId:
        _write_snapshot_id_v12_18(item.snapshot_id, tags.setdefault(2, []))
    write_tags(tags, item.unknown_tagged_fields, parts, (0, 1, 2))


def _read_fetchable_topic_response_v12(
    data: bytes, pos: int
) -> tuple[_FetchableTopicResponse, int]:
    topic, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_partition_data_v12_18)
    unknown, pos = read_unknown_tags(data, pos)
    return _FetchableTopicResponse(
        topic=topic, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_fetchable_topic_response_v12(item: _FetchableTopicResponse, parts: list[bytes]) -> None:
    if type(item) is not _FetchableTopicResponse:
        raise OddValue
    write_compact_string(item.topic, parts)
    write_compact_array(item.partitions, parts, _write_partition_data_v12_18)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v12(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_compact_array(data, pos, _read_fetchable_topic_response_v12)
    _, unknown, pos = read_tags(data, pos, {}, (0,))
    if pos > len(data):
        raise OddBytes
    return FetchResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        session_id=session_id,
        responses=responses,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v12(message: FetchResponse, parts: list[bytes]) -> None:
    if message.node_endpoints != ():
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.session_id, parts)
    write_compact_array(message.responses, parts, _write_fetchable_topic_response_v12)
    tags: dict[int, list[bytes]] = {}
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


def _read_fetchable_topic_response_v13_18(
    data: bytes, pos: int
) -> tuple[_FetchableTopicResponse, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_partition_data_v12_18)
    unknown, pos = read_unknown_tags(data, pos)
    return _FetchableTopicResponse(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_fetchable_topic_response_v13_18(
    item: _FetchableTopicResponse, parts: list[bytes]
) -> None:
    if type(item) is not _FetchableTopicResponse:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_partition_data_v12_18)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v13_15(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_compact_array(data, pos, _read_fetchable_topic_response_v13_18)
    _, unknown, pos = read_tags(data, pos, {}, (0,))
    if pos > len(data):
        raise OddBytes
    return FetchResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        session_id=session_id,
        responses=responses,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v13_15(message: FetchResponse, parts: list[bytes]) -> None:
    if message.node_endpoints != ():
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.session_id, parts)
    write_compact_array(message.responses, parts, _write_fetchable_topic_response_v13_18)
    tags: dict[int, list[bytes]] = {}
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


def _read_node_endpoint_v16_18(data: bytes, pos: int) -> tuple[_NodeEndpoint, int]:
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_compact_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    rack, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _NodeEndpoint(
        node_id=node_id, host=host, port=port, rack=rack, unknown_tagged_fields=unknown
    ), pos


def _write_node_endpoint_v16_18(item: _NodeEndpoint, parts: list[bytes]) -> None:
    if type(item) is not _NodeEndpoint:
        raise OddValue
    INT32.write(item.node_id, parts)
    write_compact_string(item.host, parts)
    INT32.write(item.port, parts)
    write_compact_nullable_string(item.rack, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v16_18: Tags = {
    0: (
        "node_endpoints",
        lambda data, pos: read_compact_array(data, pos, _read_node_endpoint_v16_18),
    ),
}


def _read_v16_18(data: bytes, pos: int) -> tuple[FetchResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    responses, pos = read_compact_array(data, pos, _read_fetchable_topic_response_v13_18)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v16_18, ())
    if pos > len(data):
        raise OddBytes
    read = FetchResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        session_id=session_id,
        responses=responses,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v16_18(message: FetchResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT32.write(message.session_id, parts)
    write_compact_array(message.responses, parts, _write_fetchable_topic_response_v13_18)
    tags: dict[int, list[bytes]] = {}
    if message.node_endpoints != ():
        write_compact_array(
            message.node_endpoints, tags.setdefault(0, []), _write_node_endpoint_v16_18
        )
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


FetchResponse._codecs = {
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5_6, _write_v5_6),
    6: Codec(_read_v5_6, _write_v5_6),
    7: Codec(_read_v7_10, _write_v7_10),
    8: Codec(_read_v7_10, _write_v7_10),
    9: Codec(_read_v7_10, _write_v7_10),
    10: Codec(_read_v7_10, _write_v7_10),
    11: Codec(_read_v11, _write_v11),
    12: Codec(_read_v12, _write_v12),
    13: Codec(_read_v13_15, _write_v13_15),
    14: Codec(_read_v13_15, _write_v13_15),
    15: Codec(_read_v13_15, _write_v13_15),
    16: Codec(_read_v16_18, _write_v16_18),
    17: Codec(_read_v16_18, _write_v16_18),
    18: Codec(_read_v16_18, _write_v16_18),
}
