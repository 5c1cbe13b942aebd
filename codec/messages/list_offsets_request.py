"""ListOffsetsRequest, generated from schemas/ListOffsetsRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    INT32,
    INT64,
    OddBytes,
    OddValue,
    read_array,
    read_compact_array,
    read_compact_string,
    read_string,
    write_array,
    write_compact_array,
    write_compact_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ListOffsetsRequest(Message, frozen=True, kw_only=True, gc=False):
    """ListOffsetsRequest, versions 1-11.

    Asks where partitions begin and end, or what they held at some time.

    Version 2 (KIP-98): isolation. Version 3 (KIP-219): as version 2. Version 4 (KIP-320): the leader
    epoch. Version 5 (KIP-207): as version 4; the answer has one error more. Version 6 (KIP-482):
    flexible. Version 7 (KIP-734): the offset of the latest timestamp, -3. Version 8 (KIP-405): the
    first offset on local disk, -4. Version 9 (KIP-1005): the last offset in remote storage, -5.
    Version 10 (KIP-1075): a time limit. Version 11 (KIP-1023): the first offset that is to be copied
    to remote storage, -6.

    Attributes:
        replica_id (int32): The broker that asks; -1 of a consumer. Versions 1-11; default 0.
        isolation_level (int8): 0 tells the high watermark, 1 the last stable offset (KIP-98).
            Versions 2-11; default 0; other versions cannot hold it.
        topics ([]ListOffsetsTopic): The topics that are asked about. Versions 1-11; default ().
        timeout_ms (int32): How long remote storage may take, in milliseconds (KIP-1075). Versions
            10-11; default 0; other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 6-11; default ().
    """

    NAME = "ListOffsetsRequest"
    VERSIONS = VersionRange(1, 11)
    LATEST = 11
    API_KEY = 2
    FRAMING = Framing("none", "refuse")

    class ListOffsetsPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """ListOffsetsPartition of ListOffsetsRequest, versions 1-11.

        The partitions that are asked about.

        Attributes:
            partition_index (int32): The partition. Versions 1-11; default 0.
            current_leader_epoch (int32): The leader epoch that the client knows; -1 if none
                (KIP-320). Versions 4-11; default -1; other versions leave it out.
            timestamp (int64): Milliseconds since 1970; -1 the end, -2 the beginning, -3 to -6 as
                above. Versions 1-11; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-11; default ().
        """

        partition_index: int = 0
        current_leader_epoch: int = -1
        timestamp: int = 0
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
                current_leader_epoch: int = ...,
                timestamp: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                current_leader_epoch: int = ...,
                timestamp: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class ListOffsetsTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """ListOffsetsTopic of ListOffsetsRequest, versions 1-11.

        The topics that are asked about.

        Attributes:
            name (string): The topic's name. Versions 1-11; default ''.
            partitions ([]ListOffsetsPartition): The partitions that are asked about. Versions 1-11;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-11; default ().
        """

        name: str = ""
        partitions: tuple[ListOffsetsRequest.ListOffsetsPartition, ...] = ()
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
                partitions: Iterable[ListOffsetsRequest.ListOffsetsPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partitions: Iterable[ListOffsetsRequest.ListOffsetsPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    replica_id: int = 0
    isolation_level: int = 0
    topics: tuple[ListOffsetsRequest.ListOffsetsTopic, ...] = ()
    timeout_ms: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            replica_id: int = ...,
            isolation_level: int = ...,
            topics: Iterable[ListOffsetsRequest.ListOffsetsTopic] = ...,
            timeout_ms: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            replica_id: int = ...,
            isolation_level: int = ...,
            topics: Iterable[ListOffsetsRequest.ListOffsetsTopic] = ...,
            timeout_ms: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_ListOffsetsPartition = ListOffsetsRequest.ListOffsetsPartition
_ListOffsetsTopic = ListOffsetsRequest.ListOffsetsTopic


def _read_list_offsets_partition_v1_3(data: bytes, pos: int) -> tuple[_ListOffsetsPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    return _ListOffsetsPartition(partition_index=partition_index, timestamp=timestamp), pos


def _write_list_offsets_partition_v1_3(item: _ListOffsetsPartition, parts: list[bytes]) -> None:
    if type(item) is not _ListOffsetsPartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.timestamp, parts)


def _read_list_offsets_topic_v1_3(data: bytes, pos: int) -> tuple[_ListOffsetsTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_list_offsets_partition_v1_3)
    return _ListOffsetsTopic(name=name, partitions=partitions), pos


def _write_list_offsets_topic_v1_3(item: _ListOffsetsTopic, parts: list[bytes]) -> None:
    if type(item) is not _ListOffsetsTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_list_offsets_partition_v1_3)


def _read_v1(data: bytes, pos: int) -> tuple[ListOffsetsRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_list_offsets_topic_v1_3)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsRequest(replica_id=replica_id, topics=topics), pos


def _write_v1(message: ListOffsetsRequest, parts: list[bytes]) -> None:
    if message.isolation_level != 0:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    write_array(message.topics, parts, _write_list_offsets_topic_v1_3)


def _read_v2_3(data: bytes, pos: int) -> tuple[ListOffsetsRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    topics, pos = read_array(data, pos, _read_list_offsets_topic_v1_3)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsRequest(
        replica_id=replica_id, isolation_level=isolation_level, topics=topics
    ), pos


def _write_v2_3(message: ListOffsetsRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT8.write(message.isolation_level, parts)
    write_array(message.topics, parts, _write_list_offsets_topic_v1_3)


def _read_list_offsets_partition_v4_5(data: bytes, pos: int) -> tuple[_ListOffsetsPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (current_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    return _ListOffsetsPartition(
        partition_index=partition_index,
        current_leader_epoch=current_leader_epoch,
        timestamp=timestamp,
    ), pos


def _write_list_offsets_partition_v4_5(item: _ListOffsetsPartition, parts: list[bytes]) -> None:
    if type(item) is not _ListOffsetsPartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT32.write(item.current_leader_epoch, parts)
    INT64.write(item.timestamp, parts)


def _read_list_offsets_topic_v4_5(data: bytes, pos: int) -> tuple[_ListOffsetsTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_list_offsets_partition_v4_5)
    return _ListOffsetsTopic(name=name, partitions=partitions), pos


def _write_list_offsets_topic_v4_5(item: _ListOffsetsTopic, parts: list[bytes]) -> None:
    if type(item) is not _ListOffsetsTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_list_offsets_partition_v4_5)


def _read_v4_5(data: bytes, pos: int) -> tuple[ListOffsetsRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    topics, pos = read_array(data, pos, _read_list_offsets_topic_v4_5)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsRequest(
        replica_id=replica_id, isolation_level=isolation_level, topics=topics
    ), pos


def _write_v4_5(message: ListOffsetsRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.replica_id, parts)
    INT8.write(message.isolation_level, parts)
    write_array(message.topics, parts, _write_list_offsets_topic_v4_5)


def _read_list_offsets_partition_v6_11(data: bytes, pos: int) -> tuple[_ListOffsetsPartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (current_leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    return _ListOffsetsPartition(
        partition_index=partition_index,
        current_leader_epoch=current_leader_epoch,
        timestamp=timestamp,
        unknown_tagged_fields=unknown,
    ), pos


def _write_list_offsets_partition_v6_11(item: _ListOffsetsPartition, parts: list[bytes]) -> None:
    if type(item) is not _ListOffsetsPartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT32.write(item.current_leader_epoch, parts)
    INT64.write(item.timestamp, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_list_offsets_topic_v6_11(data: bytes, pos: int) -> tuple[_ListOffsetsTopic, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_list_offsets_partition_v6_11)
    unknown, pos = read_unknown_tags(data, pos)
    return _ListOffsetsTopic(name=name, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_list_offsets_topic_v6_11(item: _ListOffsetsTopic, parts: list[bytes]) -> None:
    if type(item) is not _ListOffsetsTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_list_offsets_partition_v6_11)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6_9(data: bytes, pos: int) -> tuple[ListOffsetsRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    topics, pos = read_compact_array(data, pos, _read_list_offsets_topic_v6_11)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsRequest(
        replica_id=replica_id,
        isolation_level=isolation_level,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6_9(message: ListOffsetsRequest, parts: list[bytes]) -> None:
    INT32.write(message.replica_id, parts)
    INT8.write(message.isolation_level, parts)
    write_compact_array(message.topics, parts, _write_list_offsets_topic_v6_11)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v10_11(data: bytes, pos: int) -> tuple[ListOffsetsRequest, int]:
    (replica_id,), pos = INT32.unpack(data, pos), pos + 4
    (isolation_level,), pos = INT8.unpack(data, pos), pos + 1
    topics, pos = read_compact_array(data, pos, _read_list_offsets_topic_v6_11)
    (timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsRequest(
        replica_id=replica_id,
        isolation_level=isolation_level,
        topics=topics,
        timeout_ms=timeout_ms,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v10_11(message: ListOffsetsRequest, parts: list[bytes]) -> None:
    INT32.write(message.replica_id, parts)
    INT8.write(message.isolation_level, parts)
    write_compact_array(message.topics, parts, _write_list_offsets_topic_v6_11)
    INT32.write(message.timeout_ms, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ListOffsetsRequest._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2_3, _write_v2_3),
    3: Codec(_read_v2_3, _write_v2_3),
    4: Codec(_read_v4_5, _write_v4_5),
    5: Codec(_read_v4_5, _write_v4_5),
    6: Codec(_read_v6_9, _write_v6_9),
    7: Codec(_read_v6_9, _write_v6_9),
    8: Codec(_read_v6_9, _write_v6_9),
    9: Codec(_read_v6_9, _write_v6_9),
    10: Codec(_read_v10_11, _write_v10_11),
    11: Codec(_read_v10_11, _write_v10_11),
}
