"""ListOffsetsResponse, generated from schemas/ListOffsetsResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
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


class ListOffsetsResponse(Message, frozen=True, kw_only=True, gc=False):
    """ListOffsetsResponse, versions 1-11.

    Where partitions begin and end.

    Version 2 (KIP-124): throttling. Version 3 (KIP-219): throttled after the answer, not before it.
    Version 4 (KIP-320): the leader epoch. Version 5 (KIP-207): OFFSET_NOT_AVAILABLE. Version 6
    (KIP-482): flexible. Versions 7 to 11 (KIP-734, KIP-405, KIP-1005, KIP-1075, KIP-1023): as
    version 6.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 2-11; default 0; other versions leave it out.
        topics ([]ListOffsetsTopicResponse): The offsets, by topic. Versions 1-11; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 6-11; default ().
    """

    NAME = "ListOffsetsResponse"
    VERSIONS = VersionRange(1, 11)
    LATEST = 11
    API_KEY = 2
    FRAMING = Framing("none", "refuse")

    class ListOffsetsPartitionResponse(MessagePart, frozen=True, kw_only=True, gc=False):
        """ListOffsetsPartitionResponse of ListOffsetsResponse, versions 1-11.

        The offsets, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 1-11; default 0.
            error_code (int16): Why the offset is not told; 0 if it is. Versions 1-11; default 0.
            timestamp (int64): The time of the record at the offset; -1 where none was asked for.
                Versions 1-11; default -1.
            offset (int64): The offset; -1 where no record is that young. Versions 1-11; default -1.
            leader_epoch (int32): The leader epoch of the record at the offset; -1 if not known
                (KIP-320). Versions 4-11; default -1; other versions cannot hold it.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-11; default ().
        """

        partition_index: int = 0
        error_code: int = 0
        timestamp: int = -1
        offset: int = -1
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
                partition_index: int = ...,
                error_code: int = ...,
                timestamp: int = ...,
                offset: int = ...,
                leader_epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                error_code: int = ...,
                timestamp: int = ...,
                offset: int = ...,
                leader_epoch: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class ListOffsetsTopicResponse(MessagePart, frozen=True, kw_only=True, gc=False):
        """ListOffsetsTopicResponse of ListOffsetsResponse, versions 1-11.

        The offsets, by topic.

        Attributes:
            name (string): The topic's name. Versions 1-11; default ''.
            partitions ([]ListOffsetsPartitionResponse): The offsets, by partition. Versions 1-11;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-11; default ().
        """

        name: str = ""
        partitions: tuple[ListOffsetsResponse.ListOffsetsPartitionResponse, ...] = ()
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
                partitions: Iterable[ListOffsetsResponse.ListOffsetsPartitionResponse] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partitions: Iterable[ListOffsetsResponse.ListOffsetsPartitionResponse] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    topics: tuple[ListOffsetsResponse.ListOffsetsTopicResponse, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[ListOffsetsResponse.ListOffsetsTopicResponse] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[ListOffsetsResponse.ListOffsetsTopicResponse] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_ListOffsetsPartitionResponse = ListOffsetsResponse.ListOffsetsPartitionResponse
_ListOffsetsTopicResponse = ListOffsetsResponse.ListOffsetsTopicResponse


def _read_list_offsets_partition_response_v1_3(
    data: bytes, pos: int
) -> tuple[_ListOffsetsPartitionResponse, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    return _ListOffsetsPartitionResponse(
        partition_index=partition_index, error_code=error_code, timestamp=timestamp, offset=offset
    ), pos


def _write_list_offsets_partition_response_v1_3(
    item: _ListOffsetsPartitionResponse, parts: list[bytes]
) -> None:
    if type(item) is not _ListOffsetsPartitionResponse:
        raise OddValue
    if item.leader_epoch != -1:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.timestamp, parts)
    INT64.write(item.offset, parts)


def _read_list_offsets_topic_response_v1_3(
    data: bytes, pos: int
) -> tuple[_ListOffsetsTopicResponse, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_list_offsets_partition_response_v1_3)
    return _ListOffsetsTopicResponse(name=name, partitions=partitions), pos


def _write_list_offsets_topic_response_v1_3(
    item: _ListOffsetsTopicResponse, parts: list[bytes]
) -> None:
    if type(item) is not _ListOffsetsTopicResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_list_offsets_partition_response_v1_3)


def _read_v1(data: bytes, pos: int) -> tuple[ListOffsetsResponse, int]:
    topics, pos = read_array(data, pos, _read_list_offsets_topic_response_v1_3)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsResponse(topics=topics), pos


def _write_v1(message: ListOffsetsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.topics, parts, _write_list_offsets_topic_response_v1_3)


def _read_v2_3(data: bytes, pos: int) -> tuple[ListOffsetsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_list_offsets_topic_response_v1_3)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsResponse(throttle_time_ms=throttle_time_ms, topics=topics), pos


def _write_v2_3(message: ListOffsetsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.topics, parts, _write_list_offsets_topic_response_v1_3)


def _read_list_offsets_partition_response_v4_5(
    data: bytes, pos: int
) -> tuple[_ListOffsetsPartitionResponse, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    return _ListOffsetsPartitionResponse(
        partition_index=partition_index,
        error_code=error_code,
        timestamp=timestamp,
        offset=offset,
        leader_epoch=leader_epoch,
    ), pos


def _write_list_offsets_partition_response_v4_5(
    item: _ListOffsetsPartitionResponse, parts: list[bytes]
) -> None:
    if type(item) is not _ListOffsetsPartitionResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.timestamp, parts)
    INT64.write(item.offset, parts)
    INT32.write(item.leader_epoch, parts)


def _read_list_offsets_topic_response_v4_5(
    data: bytes, pos: int
) -> tuple[_ListOffsetsTopicResponse, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_list_offsets_partition_response_v4_5)
    return _ListOffsetsTopicResponse(name=name, partitions=partitions), pos


def _write_list_offsets_topic_response_v4_5(
    item: _ListOffsetsTopicResponse, parts: list[bytes]
) -> None:
    if type(item) is not _ListOffsetsTopicResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_list_offsets_partition_response_v4_5)


def _read_v4_5(data: bytes, pos: int) -> tuple[ListOffsetsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_list_offsets_topic_response_v4_5)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsResponse(throttle_time_ms=throttle_time_ms, topics=topics), pos


def _write_v4_5(message: ListOffsetsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.topics, parts, _write_list_offsets_topic_response_v4_5)


def _read_list_offsets_partition_response_v6_11(
    data: bytes, pos: int
) -> tuple[_ListOffsetsPartitionResponse, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (timestamp,), pos = INT64.unpack(data, pos), pos + 8
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _ListOffsetsPartitionResponse(
        partition_index=partition_index,
        error_code=error_code,
        timestamp=timestamp,
        offset=offset,
        leader_epoch=leader_epoch,
        unknown_tagged_fields=unknown,
    ), pos


def _write_list_offsets_partition_response_v6_11(
    item: _ListOffsetsPartitionResponse, parts: list[bytes]
) -> None:
    if type(item) is not _ListOffsetsPartitionResponse:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    INT64.write(item.timestamp, parts)
    INT64.write(item.offset, parts)
    INT32.write(item.leader_epoch, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_list_offsets_topic_response_v6_11(
    data: bytes, pos: int
) -> tuple[_ListOffsetsTopicResponse, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_list_offsets_partition_response_v6_11)
    unknown, pos = read_unknown_tags(data, pos)
    return _ListOffsetsTopicResponse(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_list_offsets_topic_response_v6_11(
    item: _ListOffsetsTopicResponse, parts: list[bytes]
) -> None:
    if type(item) is not _ListOffsetsTopicResponse:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_list_offsets_partition_response_v6_11)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6_11(data: bytes, pos: int) -> tuple[ListOffsetsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_list_offsets_topic_response_v6_11)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListOffsetsResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_v6_11(message: ListOffsetsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.topics, parts, _write_list_offsets_topic_response_v6_11)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ListOffsetsResponse._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2_3, _write_v2_3),
    3: Codec(_read_v2_3, _write_v2_3),
    4: Codec(_read_v4_5, _write_v4_5),
    5: Codec(_read_v4_5, _write_v4_5),
    6: Codec(_read_v6_11, _write_v6_11),
    7: Codec(_read_v6_11, _write_v6_11),
    8: Codec(_read_v6_11, _write_v6_11),
    9: Codec(_read_v6_11, _write_v6_11),
    10: Codec(_read_v6_11, _write_v6_11),
    11: Codec(_read_v6_11, _write_v6_11),
}
