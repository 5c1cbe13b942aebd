"""FetchRequest, generated from schemas/FetchRequest.json; change that file and run `make generate`."""

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
    INT8,
    INT32,
    INT64,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_array,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_string,
    read_uuid,
    write_array,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class FetchRequest(Message, frozen=True, kw_only=True, gc=False):
    """FetchRequest, versions 4-18.

    Asks for the record batches of partitions, from an offset on.

    Version 5 (KIP-107): the first offset of a follower. Version 6 (KIP-112): as version 5; the
    answer has one error more. Version 7 (KIP-227): sessions, of which a request names only what
    has changed. Version 8 (KIP-219): as version 7. Version 9 (KIP-320): the leader epoch. Version
    10 (KIP-110): batches may be compressed by zstd. Version 11 (KIP-392): the client's rack.
    Version 12 (KIP-482, KIP-595): flexible; the epoch of the last record that was fetched. Version
    13 (KIP-516): topics by their ids. Version 14 (KIP-405): as version 13; the answer has one
    error more. Version 15 (KIP-903): the follower's state. Version 16 (KIP-951): as version 15.
    Version 17 (KIP-853): the follower's directory. Version 18 (KIP-1166): the high watermark that
    the follower knows.

    Attributes:
        cluster_id (string): The cluster that the request is meant for; null if that is not known.
            Versions 12-18; may be null; default None; tag 0 in versions 12-18; other versions leave
            it out.
        replica_id (int32): The broker that asks; -1 of a consumer. Versions 4-14; default -1; other
            versions cannot hold it.
        replica_state (ReplicaState): The broker that asks. Versions 15-18; default ReplicaState();
            tag 1 in versions 15-18; other versions cannot hold it.
        max_wait_ms (int32): How long the broker waits for MinBytes to be there; milliseconds.
            Versions 4-18; default 0.
        min_bytes (int32): As many bytes the broker waits for. Versions 4-18; default 0.
        max_bytes (int32): The most bytes of the answer; its first batch comes whole in any case
            (KIP-74). Versions 4-18; default 2147483647.
        isolation_level (int8): 0 reads to the high watermark, 1 to the last stable offset (KIP-98).
            Versions 4-18; default 0.
        session_id (int32): The session; 0 without one. Versions 7-18; default 0; other versions leave
            it out.
        session_epoch (int32): The number of the request in its session; 0 begins one, -1 is without.
            Versions 7-18; default -1; other versions leave it out.
        topics ([]FetchTopic): The topics that are read. Versions 4-18; default ().
        forgotten_topics_data ([]ForgottenTopic): The partitions that leave the session. Versions
            7-18; default (); other versions cannot hold it.
        rack_id (string): The consumer's rack; empty without one (KIP-392). Versions 11-18; default
            ''; other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 12-18; default ().
    """

    NAME = "FetchRequest"
    VERSIONS = VersionRange(4, 18)
    LATEST = 18
    API_KEY = 1
    FRAMING = Framing("none", "refuse")

    class ReplicaState(MessagePart, frozen=True, kw_only=True, gc=False):
        """ReplicaState of FetchRequest, versions 15-18.

        The broker that asks.

        Attributes:
            replica_id (int32): The broker's id; -1 of a consumer. Versions 15-18; default -1.
            replica_epoch (int64): The broker's epoch; -1 if not known (KIP-903). Versions 15-18;
                default -1.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        replica_id: int = -1
        replica_epoch: int = -1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                replica_id: int = ...,
                replica_epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                replica_id: int = ...,
                replica_epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class FetchPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """FetchPartition of FetchRequest, versions 4-18.

        The partitions that are read.

        Attributes:
            partition (int32): The partition. Versions 4-18; default 0.
            current_leader_epoch (int32): The leader epoch that the client knows; -1 if none
                (KIP-320). Versions 9-18; default -1; other versions leave it out.
            fetch_offset (int64): The first offset that is wanted. Versions 4-18; default 0.
            last_fetched_epoch (int32): The leader epoch of the last record that was fetched; -1 if
                none. Versions 12-18; default -1; other versions cannot hold it.
            log_start_offset (int64): The first offset that the follower has; -1 of a consumer.
                Versions 5-18; default -1; other versions leave it out.
            partition_max_bytes (int32): The most bytes of this partition; the answer's first batch
                comes whole. Versions 4-18; default 0.
            replica_directory_id (uuid): The directory of the follower's log. Versions 17-18; default
                UUID(int=0); tag 0 in versions 17-18; other versions leave it out.
            high_watermark (int64): The high watermark that the follower knows; -1 if none. Version
                18; default 9223372036854775807; tag 1 in version 18; other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        partition: int = 0
        current_leader_epoch: int = -1
        fetch_offset: int = 0
        last_fetched_epoch: int = -1
        log_start_offset: int = -1
        partition_max_bytes: int = 0
        replica_directory_id: UUID = ZERO_UUID
        high_watermark: int = 9223372036854775807
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition: int = ...,
                current_leader_epoch: int = ...,
                fetch_offset: int = ...,
                last_fetched_epoch: int = ...,
                log_start_offset: int = ...,
                partition_max_bytes: int = ...,
                replica_directory_id: UUID = ...,
                high_watermark: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition: int = ...,
                current_leader_epoch: int = ...,
                fetch_offset: int = ...,
                last_fetched_epoch: int = ...,
                log_start_offset: int = ...,
                partition_max_bytes: int = ...,
                replica_directory_id: UUID = ...,
                high_watermark: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class FetchTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """FetchTopic of FetchRequest, versions 4-18.

        The topics that are read.

        Attributes:
            topic (string): The topic's name. Versions 4-12; default ''; other versions leave it out.
            topic_id (uuid): The topic's id. Versions 13-18; default UUID(int=0); other versions leave
                it out.
            partitions ([]FetchPartition): The partitions that are read. Versions 4-18; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        topic: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[FetchRequest.FetchPartition, ...] = ()
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
                partitions: Iterable[FetchRequest.FetchPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[FetchRequest.FetchPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class ForgottenTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """ForgottenTopic of FetchRequest, versions 7-18.

        The partitions that leave the session.

        Attributes:
            topic (string): The topic's name. Versions 7-12; default ''; other versions leave it out.
            topic_id (uuid): The topic's id. Versions 13-18; default UUID(int=0); other versions leave
                it out.
            partitions ([]int32): The partitions. Versions 7-18; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 12-18; default ().
        """

        topic: str = ""
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
                topic: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    cluster_id: str | None = None
    replica_id: int = -1
    replica_state: FetchRequest.ReplicaState = _field(default_factory=lambda: _DEFAULT_ReplicaState)
    max_wait_ms: int = 0
    min_bytes: int = 0
    max_bytes: int = 2147483647
    isolation_level: int = 0
    session_id: int = 0
    session_epoch: int = -1
    topics: tuple[FetchRequest.FetchTopic, ...] = ()
    forgotten_topics_data: tuple[FetchRequest.ForgottenTopic, ...] = ()
    rack_id: str = ""
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "forgotten_topics_data", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.topics) is not tuple
            or type(self.forgotten_topics_data) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            cluster_id: str | None = ...,
            replica_id: int = ...,
            replica_state: FetchRequest.ReplicaState = ...,
            max_wait_ms: int = ...,
            min_bytes: int = ...,
            max_bytes: int = ...,
            isolation_level: int = ...,
            session_id: int = ...,
            session_epoch: int = ...,
            topics: Iterable[FetchRequest.FetchTopic] = ...,
            forgotten_topics_data: Iterable[FetchRequest.ForgottenTopic] = ...,
            rack_id: str = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            cluster_id: str | None = ...,
            replica_id: int = ...,
            replica_state: FetchRequest.ReplicaState = ...,
            max_wait_ms: int = ...,
            min_bytes: int = ...,
            max_bytes: int = ...,
            isolation_level: int = ...,
            session_id: int = ...,
            session_epoch: int = ...,
            topics: Iterable[FetchRequest.FetchTopic] = ...,
            forgotten_topics_data: Iterable[FetchRequest.ForgottenTopic] = ...,
            rack_id: str = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_FetchPartition = FetchRequest.FetchPartition
_FetchTopic = FetchRequest.FetchTopic
_ForgottenTopic = FetchRequest.ForgottenTopic
_ReplicaState = FetchRequest.ReplicaState
_DEFAULT_ReplicaState: FetchRequest.ReplicaState = FetchRequest.ReplicaState()


def _read_fetch_partition_v4(data: bytes, pos: int) -> tuple[_FetchPartition, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (fetch_offset,), pos = INT64.unpack(data, pos), pos + 8
    (partition_max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    return _FetchPartition(
        partition=partition, fetch_offset=fetch_offset, partition_max_bytes=partition_max_bytes
    ), pos


def _write_fetch_partition_v4(item: _FetchPartition, parts: list[bytes]) -> None:
    if type(item) is not _FetchPartition:
        raise OddValue
    if item.last_fetched_epoch != -1:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition, parts)
    INT64.write(item.fetch_offset, parts)
    INT32.write(item.partition_max_bytes, parts)


def _read_fetch_topic_v4(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_fetch_partition_v4)
    return _FetchTopic(topic=topic, partitions=partitions), pos


def _write_fetch_topic_v4(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    write_array(item.partitions, parts, _write_fetch_partition_v4)


def _read_v4(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    topics, pos = read_array(data, pos, _read_fetch_topic_v4)
    if pos > len(data):
        raise OddBytes
    return FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        topics=topics,
    ), pos


def _write_v4(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    if message.forgotten_topics_data != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    write_array(message.topics, parts, _write_fetch_topic_v4)


def _read_fetch_partition_v5_8(data: bytes, pos: int) -> tuple[_FetchPartition, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (fetch_offset,), pos = INT64.unpack(data, pos), pos + 8
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (partition_max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    return _FetchPartition(
        partition=partition,
        fetch_offset=fetch_offset,
        log_start_offset=log_start_offset,
        partition_max_bytes=partition_max_bytes,
    ), pos


def _write_fetch_partition_v5_8(item: _FetchPartition, parts: list[bytes]) -> None:
    if type(item) is not _FetchPartition:
        raise OddValue
    if item.last_fetched_epoch != -1:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition, parts)
    INT64.write(item.fetch_offset, parts)
    INT64.write(item.log_start_offset, parts)
    INT32.write(item.partition_max_bytes, parts)


def _read_fetch_topic_v5_8(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_fetch_partition_v5_8)
    return _FetchTopic(topic=topic, partitions=partitions), pos


def _write_fetch_topic_v5_8(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    write_array(item.partitions, parts, _write_fetch_partition_v5_8)


def _read_v5_6(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    topics, pos = read_array(data, pos, _read_fetch_topic_v5_8)
    if pos > len(data):
        raise OddBytes
    return FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        topics=topics,
    ), pos


def _write_v5_6(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    if message.forgotten_topics_data != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    write_array(message.topics, parts, _write_fetch_topic_v5_8)


def _read_forgotten_topic_v7_11(data: bytes, pos: int) -> tuple[_ForgottenTopic, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = INT32.read_array(data, pos)
    return _ForgottenTopic(topic=topic, partitions=partitions), pos


def _write_forgotten_topic_v7_11(item: _ForgottenTopic, parts: list[bytes]) -> None:
    if type(item) is not _ForgottenTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    INT32.write_array(item.partitions, parts)


def _read_v7_8(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_fetch_topic_v5_8)
    forgotten_topics_data, pos = read_array(data, pos, _read_forgotten_topic_v7_11)
    if pos > len(data):
        raise OddBytes
    return FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
    ), pos


def _write_v7_8(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_array(message.topics, parts, _write_fetch_topic_v5_8)
    write_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v7_11)


def _read_fetch_partition_v9_11(data: bytes, pos: int) -> tuple[_FetchPartition, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (current_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (fetch_offset,), pos = INT64.unpack(data, pos), pos + 8
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (partition_max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    return _FetchPartition(
        partition=partition,
        current_leader_epoch=current_leader_epoch,
        fetch_offset=fetch_offset,
        log_start_offset=log_start_offset,
        partition_max_bytes=partition_max_bytes,
    ), pos


def _write_fetch_partition_v9_11(item: _FetchPartition, parts: list[bytes]) -> None:
    if type(item) is not _FetchPartition:
        raise OddValue
    if item.last_fetched_epoch != -1:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition, parts)
    INT32.write(item.current_leader_epoch, parts)
    INT64.write(item.fetch_offset, parts)
    INT64.write(item.log_start_offset, parts)
    INT32.write(item.partition_max_bytes, parts)


def _read_fetch_topic_v9_11(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_fetch_partition_v9_11)
    return _FetchTopic(topic=topic, partitions=partitions), pos


def _write_fetch_topic_v9_11(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.topic, parts)
    write_array(item.partitions, parts, _write_fetch_partition_v9_11)


def _read_v9_10(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_fetch_topic_v9_11)
    forgotten_topics_data, pos = read_array(data, pos, _read_forgotten_topic_v7_11)
    if pos > len(data):
        raise OddBytes
    return FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
    ), pos


def _write_v9_10(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_array(message.topics, parts, _write_fetch_topic_v9_11)
    write_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v7_11)


def _read_v11(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_fetch_topic_v9_11)
    forgotten_topics_data, pos = read_array(data, pos, _read_forgotten_topic_v7_11)
    rack_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
        rack_id=rack_id,
    ), pos


def _write_v11(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_array(message.topics, parts, _write_fetch_topic_v9_11)
    write_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v7_11)
    write_string(message.rack_id, parts)


def _read_fetch_partition_v12_16(data: bytes, pos: int) -> tuple[_FetchPartition, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (current_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (fetch_offset,), pos = INT64.unpack(data, pos), pos + 8
    (last_fetched_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (partition_max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    _, unknown, pos = read_tags(data, pos, {}, (0, 1))
    return _FetchPartition(
        partition=partition,
        current_leader_epoch=current_leader_epoch,
        fetch_offset=fetch_offset,
        last_fetched_epoch=last_fetched_epoch,
        log_start_offset=log_start_offset,
        partition_max_bytes=partition_max_bytes,
        unknown_tagged_fields=unknown,
    ), pos


def _write_fetch_partition_v12_16(item: _FetchPartition, parts: list[bytes]) -> None:
    if type(item) is not _FetchPartition:
        raise OddValue
    INT32.write(item.partition, parts)
    INT32.write(item.current_leader_epoch, parts)
    INT64.write(item.fetch_offset, parts)
    INT32.write(item.last_fetched_epoch, parts)
    INT64.write(item.log_start_offset, parts)
    INT32.write(item.partition_max_bytes, parts)
    tags: dict[int, list[bytes]] = {}
    write_tags(tags, item.unknown_tagged_fields, parts, (0, 1))


def _read_fetch_topic_v12(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_fetch_partition_v12_16)
    unknown, pos = read_unknown_tags(data, pos)
    return _FetchTopic(topic=topic, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_fetch_topic_v12(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    write_compact_string(item.topic, parts)
    write_compact_array(item.partitions, parts, _write_fetch_partition_v12_16)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_forgotten_topic_v12(data: bytes, pos: int) -> tuple[_ForgottenTopic, int]:
    topic, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _ForgottenTopic(topic=topic, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_forgotten_topic_v12(item: _ForgottenTopic, parts: list[bytes]) -> None:
    if type(item) is not _ForgottenTopic:
        raise OddValue
    write_compact_string(item.topic, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v12: Tags = {
    0: ("cluster_id", read_compact_nullable_string),
}


def _read_v12(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_fetch_topic_v12)
    forgotten_topics_data, pos = read_compact_array(data, pos, _read_forgotten_topic_v12)
    rack_id, pos = read_compact_string(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v12, (1,))
    if pos > len(data):
        raise OddBytes
    read = FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
        rack_id=rack_id,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v12(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_compact_array(message.topics, parts, _write_fetch_topic_v12)
    write_compact_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v12)
    write_compact_string(message.rack_id, parts)
    tags: dict[int, list[bytes]] = {}
    if message.cluster_id is not None:
        write_compact_nullable_string(message.cluster_id, tags.setdefault(0, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1))


def _read_fetch_topic_v13_16(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_fetch_partition_v12_16)
    unknown, pos = read_unknown_tags(data, pos)
    return _FetchTopic(topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_fetch_topic_v13_16(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_fetch_partition_v12_16)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_forgotten_topic_v13_18(data: bytes, pos: int) -> tuple[_ForgottenTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _ForgottenTopic(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_forgotten_topic_v13_18(item: _ForgottenTopic, parts: list[bytes]) -> None:
    if type(item) is not _ForgottenTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v13_14: Tags = {
    0: ("cluster_id", read_compact_nullable_string),
}


def _read_v13_14(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_fetch_topic_v13_16)
    forgotten_topics_data, pos = read_compact_array(data, pos, _read_forgotten_topic_v13_18)
    rack_id, pos = read_compact_string(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v13_14, (1,))
    if pos > len(data):
        raise OddBytes
    read = FetchRequest(
        replica_id=replica_id,
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
        rack_id=rack_id,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v13_14(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_state != _DEFAULT_ReplicaState:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_compact_array(message.topics, parts, _write_fetch_topic_v13_16)
    write_compact_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v13_18)
    write_compact_string(message.rack_id, parts)
    tags: dict[int, list[bytes]] = {}
    if message.cluster_id is not None:
        write_compact_nullable_string(message.cluster_id, tags.setdefault(0, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1))


def _read_replica_state_v15_18(data: bytes, pos: int) -> tuple[_ReplicaState, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (replica_epoch,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    return _ReplicaState(
        replica_id=replica_id, replica_epoch=replica_epoch, unknown_tagged_fields=unknown
    ), pos


def _write_replica_state_v15_18(item: _ReplicaState, parts: list[bytes]) -> None:
    if type(item) is not _ReplicaState:
        raise OddValue
    INT32.write(item.replica_id, parts)
    INT64.write(item.replica_epoch, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v15_16: Tags = {
    0: ("cluster_id", read_compact_nullable_string),
    1: ("replica_state", _read_replica_state_v15_18),
}


def _read_v15_16(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_fetch_topic_v13_16)
    forgotten_topics_data, pos = read_compact_array(data, pos, _read_forgotten_topic_v13_18)
    rack_id, pos = read_compact_string(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v15_16, ())
    if pos > len(data):
        raise OddBytes
    read = FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
        rack_id=rack_id,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v15_16(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_id != -1:
        raise OddValue
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_compact_array(message.topics, parts, _write_fetch_topic_v13_16)
    write_compact_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v13_18)
    write_compact_string(message.rack_id, parts)
    tags: dict[int, list[bytes]] = {}
    if message.cluster_id is not None:
        write_compact_nullable_string(message.cluster_id, tags.setdefault(0, []))
    if message.replica_state != _DEFAULT_ReplicaState:
        _write_replica_state_v15_18(message.replica_state, tags.setdefault(1, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1))


_TAGS_fetch_partition_v17: Tags = {
    0: ("replica_directory_id", read_uuid),
}


def _read_fetch_partition_v17(data: bytes, pos: int) -> tuple[_FetchPartition, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (current_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (fetch_offset,), pos = INT64.unpack(data, pos), pos + 8
    (last_fetched_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (partition_max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    tagged, unknown, pos = read_tags(data, pos, _TAGS_fetch_partition_v17, (1,))
    read = _FetchPartition(
        partition=partition,
        current_leader_epoch=current_leader_epoch,
        fetch_offset=fetch_offset,
        last_fetched_epoch=last_fetched_epoch,
        log_start_offset=log_start_offset,
        partition_max_bytes=partition_max_bytes,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_fetch_partition_v17(item: _FetchPartition, parts: list[bytes]) -> None:
    if type(item) is not _FetchPartition:
        raise OddValue
    INT32.write(item.partition, parts)
    INT32.write(item.current_leader_epoch, parts)
    INT64.write(item.fetch_offset, parts)
    INT32.write(item.last_fetched_epoch, parts)
    INT64.write(item.log_start_offset, parts)
    INT32.write(item.partition_max_bytes, parts)
    tags: dict[int, list[bytes]] = {}
    if item.replica_directory_id != ZERO_UUID:
        write_uuid(item.replica_directory_id, tags.setdefault(0, []))
    write_tags(tags, item.unknown_tagged_fields, parts, (0, 1))


def _read_fetch_topic_v17(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_fetch_partition_v17)
    unknown, pos = read_unknown_tags(data, pos)
    return _FetchTopic(topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_fetch_topic_v17(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_fetch_partition_v17)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v17: Tags = {
    0: ("cluster_id", read_compact_nullable_string),
    1: ("replica_state", _read_replica_state_v15_18),
}


def _read_v17(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_fetch_topic_v17)
    forgotten_topics_data, pos = read_compact_array(data, pos, _read_forgotten_topic_v13_18)
    rack_id, pos = read_compact_string(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v17, ())
    if pos > len(data):
        raise OddBytes
    read = FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
        rack_id=rack_id,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v17(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_id != -1:
        raise OddValue
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_compact_array(message.topics, parts, _write_fetch_topic_v17)
    write_compact_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v13_18)
    write_compact_string(message.rack_id, parts)
    tags: dict[int, list[bytes]] = {}
    if message.cluster_id is not None:
        write_compact_nullable_string(message.cluster_id, tags.setdefault(0, []))
    if message.replica_state != _DEFAULT_ReplicaState:
        _write_replica_state_v15_18(message.replica_state, tags.setdefault(1, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1))


_TAGS_fetch_partition_v18: Tags = {
    0: ("replica_directory_id", read_uuid),
    1: ("high_watermark", INT64.read),
}


def _read_fetch_partition_v18(data: bytes, pos: int) -> tuple[_FetchPartition, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (current_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (fetch_offset,), pos = INT64.unpack(data, pos), pos + 8
    (last_fetched_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (log_start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (partition_max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    tagged, unknown, pos = read_tags(data, pos, _TAGS_fetch_partition_v18, ())
    read = _FetchPartition(
        partition=partition,
        current_leader_epoch=current_leader_epoch,
        fetch_offset=fetch_offset,
        last_fetched_epoch=last_fetched_epoch,
        log_start_offset=log_start_offset,
        partition_max_bytes=partition_max_bytes,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_fetch_partition_v18(item: _FetchPartition, parts: list[bytes]) -> None:
    if type(item) is not _FetchPartition:
        raise OddValue
    INT32.write(item.partition, parts)
    INT32.write(item.current_leader_epoch, parts)
    INT64.write(item.fetch_offset, parts)
    INT32.write(item.last_fetched_epoch, parts)
    INT64.write(item.log_start_offset, parts)
    INT32.write(item.partition_max_bytes, parts)
    tags: dict[int, list[bytes]] = {}
    if item.replica_directory_id != ZERO_UUID:
        write_uuid(item.replica_directory_id, tags.setdefault(0, []))
    if item.high_watermark != 9223372036854775807:
        INT64.write(item.high_watermark, tags.setdefault(1, []))
    write_tags(tags, item.unknown_tagged_fields, parts, (0, 1))


def _read_fetch_topic_v18(data: bytes, pos: int) -> tuple[_FetchTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_fetch_partition_v18)
    unknown, pos = read_unknown_tags(data, pos)
    return _FetchTopic(topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_fetch_topic_v18(item: _FetchTopic, parts: list[bytes]) -> None:
    if type(item) is not _FetchTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_fetch_partition_v18)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v18: Tags = {
    0: ("cluster_id", read_compact_nullable_string),
    1: ("replica_state", _read_replica_state_v15_18),
}


def _read_v18(data: bytes, pos: int) -> tuple[FetchRequest, int]:
    (max_wait_ms,), pos = INT32.unpack(data, pos), pos + 4
    (min_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (max_bytes,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    (session_id,), pos = INT32.unpack(data, pos), pos + 4
    (session_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_fetch_topic_v18)
    forgotten_topics_data, pos = read_compact_array(data, pos, _read_forgotten_topic_v13_18)
    rack_id, pos = read_compact_string(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v18, ())
    if pos > len(data):
        raise OddBytes
    read = FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=topics,
        forgotten_topics_data=forgotten_topics_data,
        rack_id=rack_id,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v18(message: FetchRequest, parts: list[bytes]) -> None:
    if message.replica_id != -1:
        raise OddValue
    INT32.write(message.max_wait_ms, parts)
    INT32.write(message.min_bytes, parts)
    INT32.write(message.max_bytes, parts)
    INT8.write(message.isolation_level, parts)
    INT32.write(message.session_id, parts)
    INT32.write(message.session_epoch, parts)
    write_compact_array(message.topics, parts, _write_fetch_topic_v18)
    write_compact_array(message.forgotten_topics_data, parts, _write_forgotten_topic_v13_18)
    write_compact_string(message.rack_id, parts)
    tags: dict[int, list[bytes]] = {}
    if message.cluster_id is not None:
        write_compact_nullable_string(message.cluster_id, tags.setdefault(0, []))
    if message.replica_state != _DEFAULT_ReplicaState:
        _write_replica_state_v15_18(message.replica_state, tags.setdefault(1, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1))


FetchRequest._codecs = {
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5_6, _write_v5_6),
    6: Codec(_read_v5_6, _write_v5_6),
    7: Codec(_read_v7_8, _write_v7_8),
    8: Codec(_read_v7_8, _write_v7_8),
    9: Codec(_read_v9_10, _write_v9_10),
    10: Codec(_read_v9_10, _write_v9_10),
    11: Codec(_read_v11, _write_v11),
    12: Codec(_read_v12, _write_v12),
    13: Codec(_read_v13_14, _write_v13_14),
    14: Codec(_read_v13_14, _write_v13_14),
    15: Codec(_read_v15_16, _write_v15_16),
    16: Codec(_read_v15_16, _write_v15_16),
    17: Codec(_read_v17, _write_v17),
    18: Codec(_read_v18, _write_v18),
}
