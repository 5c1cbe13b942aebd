"""DescribeShareGroupOffsetsResponse, generated from schemas/DescribeShareGroupOffsetsResponse.json; change that file and run `make generate`."""

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
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_uuid,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class DescribeShareGroupOffsetsResponse(Message, frozen=True, kw_only=True, gc=False):
    """DescribeShareGroupOffsetsResponse, versions 0-1.

    Where share groups read, and how far they are behind (KIP-932).

    Version 1 (KIP-1226): the lag.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-1; default 0.
        groups ([]DescribeShareGroupOffsetsResponseGroup): The groups. Versions 0-1; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "DescribeShareGroupOffsetsResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 90
    FRAMING = Framing("none", "refuse")

    class DescribeShareGroupOffsetsResponsePartition(
        MessagePart, frozen=True, kw_only=True, gc=False
    ):
        """DescribeShareGroupOffsetsResponsePartition of DescribeShareGroupOffsetsResponse, versions 0-1.

        The partitions.

        Attributes:
            partition_index (int32): The partition. Versions 0-1; default 0.
            start_offset (int64): The first offset that is not archived yet; -1 where none is known.
                Versions 0-1; default 0.
            leader_epoch (int32): The epoch of its leader. Versions 0-1; default 0.
            lag (int64): The records that are yet to be delivered; -1 if not known. Version 1; default
                -1; other versions leave it out.
            error_code (int16): Why the offset is not told; 0 if it is. Versions 0-1; default 0.
            error_message (string): The error in words. Versions 0-1; may be null; default None.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        partition_index: int = 0
        start_offset: int = 0
        leader_epoch: int = 0
        lag: int = -1
        error_code: int = 0
        error_message: str | None = None
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
                start_offset: int = ...,
                leader_epoch: int = ...,
                lag: int = ...,
                error_code: int = ...,
                error_message: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                start_offset: int = ...,
                leader_epoch: int = ...,
                lag: int = ...,
                error_code: int = ...,
                error_message: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribeShareGroupOffsetsResponseTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeShareGroupOffsetsResponseTopic of DescribeShareGroupOffsetsResponse, versions 0-1.

        The partitions, by topic.

        Attributes:
            topic_name (string): The topic's name. Versions 0-1; default ''.
            topic_id (uuid): The topic's id. Versions 0-1; default UUID(int=0).
            partitions ([]DescribeShareGroupOffsetsResponsePartition): The partitions. Versions 0-1;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        topic_name: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[
            DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition, ...
        ] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[
                    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[
                    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribeShareGroupOffsetsResponseGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeShareGroupOffsetsResponseGroup of DescribeShareGroupOffsetsResponse, versions 0-1.

        The groups.

        Attributes:
            group_id (string): The group. Versions 0-1; default ''.
            topics ([]DescribeShareGroupOffsetsResponseTopic): The partitions, by topic. Versions 0-1;
                default ().
            error_code (int16): Why the group is not told; 0 if it is. Versions 0-1; default 0.
            error_message (string): The error in words. Versions 0-1; may be null; default None.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        group_id: str = ""
        topics: tuple[
            DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic, ...
        ] = ()
        error_code: int = 0
        error_message: str | None = None
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
                topics: Iterable[
                    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic
                ] = ...,
                error_code: int = ...,
                error_message: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                group_id: str = ...,
                topics: Iterable[
                    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic
                ] = ...,
                error_code: int = ...,
                error_message: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    groups: tuple[
        DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup, ...
    ] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[
                DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[
                DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_DescribeShareGroupOffsetsResponseGroup = (
    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup
)
_DescribeShareGroupOffsetsResponsePartition = (
    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition
)
_DescribeShareGroupOffsetsResponseTopic = (
    DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic
)


def _read_describe_share_group_offsets_response_partition_v0(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsResponsePartition(
        partition_index=partition_index,
        start_offset=start_offset,
        leader_epoch=leader_epoch,
        error_code=error_code,
        error_message=error_message,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_share_group_offsets_response_partition_v0(
    item: _DescribeShareGroupOffsetsResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsResponsePartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.start_offset, parts)
    INT32.write(item.leader_epoch, parts)
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_share_group_offsets_response_topic_v0(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsResponseTopic, int]:
    topic_name, pos = read_compact_string(data, pos)
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_response_partition_v0
    )
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsResponseTopic(
        topic_name=topic_name,
        topic_id=topic_id,
        partitions=partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_share_group_offsets_response_topic_v0(
    item: _DescribeShareGroupOffsetsResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsResponseTopic:
        raise OddValue
    write_compact_string(item.topic_name, parts)
    write_uuid(item.topic_id, parts)
    write_compact_array(
        item.partitions, parts, _write_describe_share_group_offsets_response_partition_v0
    )
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_share_group_offsets_response_group_v0(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsResponseGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_response_topic_v0
    )
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsResponseGroup(
        group_id=group_id,
        topics=topics,
        error_code=error_code,
        error_message=error_message,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_share_group_offsets_response_group_v0(
    item: _DescribeShareGroupOffsetsResponseGroup, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsResponseGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_array(item.topics, parts, _write_describe_share_group_offsets_response_topic_v0)
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_response_group_v0
    )
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeShareGroupOffsetsResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: DescribeShareGroupOffsetsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(
        message.groups, parts, _write_describe_share_group_offsets_response_group_v0
    )
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_describe_share_group_offsets_response_partition_v1(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (start_offset,), pos = INT64.unpack(data, pos), pos + 8
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (lag,), pos = INT64.unpack(data, pos), pos + 8
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsResponsePartition(
        partition_index=partition_index,
        start_offset=start_offset,
        leader_epoch=leader_epoch,
        lag=lag,
        error_code=error_code,
        error_message=error_message,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_share_group_offsets_response_partition_v1(
    item: _DescribeShareGroupOffsetsResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsResponsePartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT64.write(item.start_offset, parts)
    INT32.write(item.leader_epoch, parts)
    INT64.write(item.lag, parts)
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_share_group_offsets_response_topic_v1(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsResponseTopic, int]:
    topic_name, pos = read_compact_string(data, pos)
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_response_partition_v1
    )
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsResponseTopic(
        topic_name=topic_name,
        topic_id=topic_id,
        partitions=partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_share_group_offsets_response_topic_v1(
    item: _DescribeShareGroupOffsetsResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsResponseTopic:
        raise OddValue
    write_compact_string(item.topic_name, parts)
    write_uuid(item.topic_id, parts)
    write_compact_array(
        item.partitions, parts, _write_describe_share_group_offsets_response_partition_v1
    )
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_share_group_offsets_response_group_v1(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsResponseGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_response_topic_v1
    )
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsResponseGroup(
        group_id=group_id,
        topics=topics,
        error_code=error_code,
        error_message=error_message,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_share_group_offsets_response_group_v1(
    item: _DescribeShareGroupOffsetsResponseGroup, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsResponseGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_array(item.topics, parts, _write_describe_share_group_offsets_response_topic_v1)
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v1(data: bytes, pos: int) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_response_group_v1
    )
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeShareGroupOffsetsResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v1(message: DescribeShareGroupOffsetsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(
        message.groups, parts, _write_describe_share_group_offsets_response_group_v1
    )
    write_unknown_tags(message.unknown_tagged_fields, parts)


DescribeShareGroupOffsetsResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
